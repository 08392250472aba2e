/**
 * The server's core uses plain objects: an adapter turns a platform's request into a `ServerRequest` and writes the
 * `ServerAnswer`. Nothing here depends on sockets or on web `Request`s.
 */

/** One request as received: nothing is decoded, merged or trimmed. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** As received, one entry per header line. */
  readonly headers: readonly HeaderLine[];
  /** Read at most once. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The request came over TLS. */
  readonly secure?: boolean;
  readonly remoteAddress?: string;
}

export type HeaderLine = readonly [name: string, value: string];

export interface ServerAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** A string is written as UTF-8; undefined means no body. */
  readonly body: Uint8Array | string | undefined;
  /** Close the connection after this answer, for example because the request was not read to its end. */
  readonly close?: boolean;
}

/** The routes of a generated server. */
export interface Routes {
  readonly name: string;
  /** Answers a request. Returns undefined, and does not read the body, if the request is for other routes. */
  answer(request: ServerRequest): ServerAnswer | Promise<ServerAnswer> | undefined;
}

/** The answer of a handler, or a promise of it. */
export type Answer<T> = T | Promise<T>;
