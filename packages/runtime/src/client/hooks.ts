import type { TransportAnswer } from "./transport.js";

/** A request as hooks see it, before it is sent. */
export interface ClientRequest {
  /** The operation or endpoint, as the schema names it. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

/** An answer as hooks see it, before it is read. */
export interface ClientAnswer extends TransportAnswer {}

/** What a hook returns: another request or answer in the place of the one it was given, or nothing. */
export type HookResult<T> = T | undefined | void | Promise<T | undefined> | Promise<void>;

/**
 * What happens around each call. What a hook throws, the call rejects with. The client's hooks stand around the call's:
 * its `before` comes first, its `after` last.
 */
export interface Hooks {
  readonly before?: ((request: ClientRequest) => HookResult<ClientRequest>) | undefined;
  /**
   * Asked after each answer, before any `after`: a request to be sent in the place of the one that was answered, once a
   * call, where a fresh token or nonce may help.
   */
  readonly again?: ((answer: ClientAnswer, request: ClientRequest) => HookResult<ClientRequest>) | undefined;
  /** They give SOAP messages the headers of WS-Addressing, so that the client itself does not. */
  readonly addresses?: true | undefined;
  readonly after?: ((answer: ClientAnswer, request: ClientRequest) => HookResult<ClientAnswer>) | undefined;
}
