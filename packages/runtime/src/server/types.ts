/**
 * The server's core speaks plain objects: adapters turn a transport's request into a `ServerRequest` and write a
 * `ServerAnswer` back. Nothing here knows of sockets or of web `Request`s.
 */

/** One request, as it came: nothing is decoded, merged or trimmed. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** In the order and spelling of the wire, one entry per header line. */
  readonly headers: readonly HeaderLine[];
  /** Read at most once. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The request came over TLS. */
  readonly secure?: boolean;
  readonly remoteAddress?: string;
}

export type HeaderLine = readonly [name: string, value: string];

export interface ServerAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** A string is written as UTF-8; undefined is no body. */
  readonly body: Uint8Array | string | undefined;
  /** The connection ends with this answer: the request was not read to its end, or must not be continued. */
  readonly close?: boolean;
}

/** What a generated server offers: it answers the requests that are its own, and leaves the others. */
export interface Routes {
  readonly name: string;
  /** Undefined: not mine; the body is then untouched. */
  answer(request: ServerRequest): Promise<ServerAnswer> | undefined;
}

/** What a handler may return. */
export type Answer<T> = T | Promise<T>;

/** Something went wrong that the wire does not tell: a handler's exception, a refused limit, a value that does not fit the schema. */
export interface ServerIncident {
  /** `handler`, `encode`, `limit.bodyBytes`, `limit.handlerTimeout` … */
  readonly kind: string;
  readonly message: string;
  /** The exception, where there is one. */
  readonly error?: unknown;
  /** The operation or endpoint, once it is known. */
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  /** For limits. */
  readonly limit?: { readonly name: string; readonly value: number; readonly option: string } | undefined;
}

/** Called for every incident, for logging; what it throws is dropped. */
export type OnError = (incident: ServerIncident) => void;
