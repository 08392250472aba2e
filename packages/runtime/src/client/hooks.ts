import type { TransportAnswer } from "./transport.js";

/** A request before it is sent. */
export interface ClientRequest {
  /** The name of the operation or endpoint in the schema. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
}

/** An answer before it is decoded. */
export interface ClientAnswer extends TransportAnswer {}

/** The result of a hook: a request or answer that replaces the original, or nothing. */
export type HookResult<T> = T | undefined | void | Promise<T | undefined> | Promise<void>;

/**
 * Functions that run before and after each request. If a hook throws, the call rejects with its error. The client's hooks
 * are outside those of the call: its `before` runs first, its `after` last.
 */
export interface Hooks {
  readonly before?: ((request: ClientRequest) => HookResult<ClientRequest>) | undefined;
  /**
   * Runs after the first answer and before any `after`. It may return a request that is sent once more, for example with a
   * fresh token or nonce.
   */
  readonly again?: ((answer: ClientAnswer, request: ClientRequest) => HookResult<ClientRequest>) | undefined;
  /** Set if the hooks add WS-Addressing headers, so that the client does not. */
  readonly addresses?: true | undefined;
  readonly after?: ((answer: ClientAnswer, request: ClientRequest) => HookResult<ClientAnswer>) | undefined;
}
