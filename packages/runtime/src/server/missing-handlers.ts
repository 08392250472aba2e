/**
 * Handlers that a server may lack: those of operations, of endpoints, and groups of them. Generated functions accept them instead
 * of all handlers if the option `missing` is set.
 */
export type PartialHandlers<Handlers> = {
  readonly [Name in keyof Handlers]?:
    | (Handlers[Name] extends ((...args: never) => unknown) | undefined
        ? Handlers[Name]
        : PartialHandlers<Handlers[Name]>)
    | undefined;
};

/** The handlers of a service: some of them if `Missing` is the value of the option `missing`, otherwise all. */
export type HandlersOf<Handlers, Missing extends string> = [Missing] extends [never]
  ? Handlers
  : PartialHandlers<Handlers>;

/** The handlers of several services, by the members of an interface. */
export type HandlersOfServices<Handlers, Missing extends string> = {
  readonly [Name in keyof Handlers]: HandlersOf<Handlers[Name], Missing>;
};

/** The option for servers that do not handle every operation. */
export interface MissingOption<Missing extends string> {
  /**
   * What answers an operation that has no handler. Default: a server without all handlers is not created. In SOAP, `"fault"`:
   * a Server fault; in REST, `"error"`: an error with status 501.
   */
  readonly missing?: Missing | undefined;
}
