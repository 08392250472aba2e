import { BothendsError, createBrand, type ErrorContext } from "./errors.js";

// The errors for inputs that cannot be written, and for answers without a result: faults, error bodies, unexpected
// statuses, unreadable messages. Clients load this module when the first of these errors occurs. Handlers of servers
// throw `SoapFault` and `RestError`.

/** Thrown for a value that the schema does not allow, before anything is sent. */
export class EncodeError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("EncodeError");
  /** The path of the value: `/CheckAustria/NatCode`. */
  readonly path: string;
  /** The message without the path, the value and the names of unknown members. */
  readonly reason: string;
  /** The value as in the message, cut to 64 characters; undefined if the message contains no value. */
  readonly value: string | undefined;
  constructor(message: string, init: EncodeErrorInit = {}) {
    super(message, init);
    this.path = init.path ?? "";
    this.reason = init.reason ?? message;
    this.value = init.value;
  }
}

/**
 * The members of an `EncodeError`. `path` leads to the invalid value. A message that contains a value or the name of an
 * unknown member needs a `reason`.
 */
export interface EncodeErrorInit extends ErrorContext {
  readonly path?: string | undefined;
  readonly reason?: string | undefined;
  readonly value?: string | undefined;
}

/** An answer (or, on a server, a request) that does not match the schema. `path` is the position in the document. */
export class DecodeError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("DecodeError");
  readonly path: string;
  /** The message without the path and the offending text. */
  readonly reason: string;
  /** The offending text, cut to 64 characters. */
  readonly value: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number | undefined;
  /** At most 64 KiB of the answer's body. */
  readonly body: string | undefined;
  /** The value of the client's option `tolerate` that would accept the answer. */
  readonly tolerance: Tolerance | undefined;
  constructor(message: string, init: DecodeErrorInit = {}) {
    super(message, init);
    this.tolerance = init.tolerance;
    this.path = init.path ?? "";
    this.reason = init.reason ?? (init.value === undefined ? message : "The text is not valid for its type.");
    this.value = init.value === undefined ? undefined : init.value.slice(0, 64);
    this.status = init.status;
    this.body = init.body;
  }
}

/**
 * The members of a `DecodeError`. `path` leads to the invalid value, as in `/CheckUSA/State`; `value` is its text, and
 * `status` the HTTP status.
 */
export interface DecodeErrorInit extends ErrorContext {
  readonly path?: string;
  readonly reason?: string | undefined;
  readonly value?: string | undefined;
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly tolerance?: Tolerance | undefined;
}

/**
 * A difference between an answer and its schema that a client can accept:
 *
 * - `enumeration`: a value that the enumeration does not contain
 * - `facets`: a value that violates another facet, such as a length or a pattern
 * - `nil`: `xsi:nil` on an element that is not nillable; its value is null
 * - `empty`: an element without text whose type requires text; its value is null
 * - `fixed`: a value that differs from the fixed value
 * - `namespaces`: elements with the right local name in another namespace
 */
export type Tolerance = "enumeration" | "facets" | "nil" | "empty" | "fixed" | "namespaces";

/** The members of an error about a whole answer. `status` is its HTTP status. */
export interface AnswerErrorInit extends ErrorContext {
  readonly status: number;
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** At most 64 KiB of the body. */
  readonly body?: string | undefined;
}

/** The base class of errors that concern an answer as a whole rather than one of its values. */
class AnswerError extends BothendsError {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /**
   * The reason found in the body: the first line of plain text, the title of an HTML page, the text of an XML document,
   * or, if the status is not 2xx, the text of an error in JSON. Empty for other bodies.
   */
  readonly reason: string = "";
  constructor(message: string, init: AnswerErrorInit) {
    super(message, init);
    this.status = init.status;
    this.headers = init.headers ?? new Map();
    this.body = init.body ?? "";
  }
}

/** An unusable HTTP answer: a redirect, a body over the size limit, an unexpected media type or encoding. */
export class ProtocolError extends AnswerError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("ProtocolError");
}

/** An answer outside 2xx that is neither a SOAP fault nor a REST error body. */
export class HttpStatusError extends AnswerError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("HttpStatusError");
}

/** The members of a `SoapFault`. `reason` is the `faultstring` of SOAP 1.1 or the `Reason` of SOAP 1.2. */
export interface SoapFaultInit<Detail = unknown> extends ErrorContext {
  /**
   * The fault code by its SOAP 1.1 name. On the wire, SOAP 1.2 has `Sender` for `Client` and `Receiver` for `Server`.
   */
  readonly code?: "Client" | "Server" | "VersionMismatch" | "MustUnderstand" | "DataEncodingUnknown" | undefined;
  /** The fault code as received: `{namespace}local`. */
  readonly wireCode?: string | undefined;
  /** The subcodes of a SOAP 1.2 fault, the outermost first: `{namespace}local`. */
  readonly subcodes?: readonly string[] | undefined;
  readonly reason: string;
  /** The element `faultactor` of SOAP 1.1, or `Node` of SOAP 1.2. */
  readonly actor?: string | undefined;
  /** The element `Role` of SOAP 1.2. */
  readonly role?: string | undefined;
  /**
   * The detail. The detail of a declared fault is decoded; of any other fault, it is the list of the detail's children.
   */
  readonly detail?: Detail | undefined;
  /** The fault message's header blocks that the schema declares as output headers or header faults, by member name. */
  readonly soapHeaders?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: number | undefined;
}

/** The objects from which faults and REST errors were created. They may have misspelled members. */
export const errorInits: WeakMap<object, object> = /* @__PURE__ */ new WeakMap<object, object>();

/** A SOAP fault of either version: received by a client, or thrown by a handler. */
export class SoapFault<Detail = unknown> extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("SoapFault");
  readonly code: NonNullable<SoapFaultInit["code"]>;
  readonly wireCode: string | undefined;
  readonly subcodes: readonly string[];
  readonly reason: string;
  readonly actor: string | undefined;
  readonly role: string | undefined;
  readonly detail: Detail | undefined;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly status: number | undefined;
  constructor(init: SoapFaultInit<Detail>) {
    super(init.reason, init);
    this.code = init.code ?? "Server";
    this.wireCode = init.wireCode;
    this.subcodes = init.subcodes ?? [];
    this.reason = init.reason;
    this.actor = init.actor;
    this.role = init.role;
    this.detail = init.detail;
    this.soapHeaders = init.soapHeaders ?? {};
    this.status = init.status;
    errorInits.set(this, init);
  }
}

/** The members of a `RestError`. `status` is the HTTP status. */
export interface RestErrorInit extends ErrorContext {
  /** `rest_invalid_param`, `rest_post_invalid_id` … */
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** The members of `data` beside `status`: `params`, `details`, and any others that the server sends. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The headers: a map, an object of the class `Headers`, or pairs of names and values. Each pair becomes a header of a
   * server's answer, so that it can set several cookies.
   */
  readonly headers?: Iterable<readonly [string, string]> | undefined;
}

/** A REST error body `{code, message, data: {status, …}}`: received by a client, or thrown by a handler. */
export class RestError extends BothendsError {
  static override readonly brand: symbol = /* @__PURE__ */ createBrand("RestError");
  readonly code: string;
  readonly status: number;
  /**
   * The reason from the server's answer or from the handler. In errors of clients, `message` also contains the call and
   * its address.
   */
  readonly reason: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: ReadonlyMap<string, string>;
  constructor(init: RestErrorInit) {
    super(init.message, init);
    this.reason = init.message;
    this.code = init.code;
    this.status = init.status;
    this.data = init.data ?? {};
    // `Array.from` accepts an object without pairs: servers report this mistake.
    this.headers = new Map(Array.from(init.headers ?? []));
    errorInits.set(this, init);
  }
}

/**
 * Whether an error is a fault or a `RestError` for the callers of this server. An error that a client received from
 * another service has the `operation` and the `address` of that call, and is not for them.
 */
export function isForCallers(error: unknown): error is SoapFault | RestError {
  return (error instanceof SoapFault || error instanceof RestError) && (error.operation ?? error.address) === undefined;
}

/** Whether an error is a fault or a `RestError` that a client received from another service. */
export function isReceived(error: unknown): boolean {
  return (error instanceof SoapFault || error instanceof RestError) && !isForCallers(error);
}

/**
 * Whether an error is a `RestError`, optionally with one of these codes: `isRestError(error, "rest_post_invalid_id")`.
 */
export function isRestError<Code extends string = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is RestError & { readonly code: Code } {
  return error instanceof RestError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/**
 * The reason why a function of this package, such as `verifyUsernameToken`, refused a call. It is the `cause` of the
 * error for the client, and only the operator learns it. Its stack is not reported, because it contains no code of the
 * user.
 */
export class RefusalCause extends Error {
  /** The user name in the request, if it has one. It is for the operator, but passwords are not. */
  username: string | undefined;
  /** The limit that the call exceeds, if it was refused because of one. */
  limit: { readonly name: string; readonly value: number; readonly option: string } | undefined;

  constructor(message: string, username?: string) {
    super(message);
    this.name = "RefusalCause";
    this.username = username;
  }
}

/**
 * The reasons why functions of this package, such as `verifyUsernameToken`, found no user for a call, by the object
 * that they received. If the option `authorize` then refuses the call, the operator learns the reason.
 */
export const anonymousReasons: WeakMap<object, string> = /* @__PURE__ */ new WeakMap<object, string>();
