/**
 * The server's core speaks plain objects: adapters turn a transport's request into a `ServerRequest` and write a
 * `ServerAnswer` back. Nothing here knows of sockets or of web `Request`s.
 */

/** One request as received: nothing is decoded, merged or trimmed. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** In the order and spelling of the wire, one entry per header line. */
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
  /** A string is written as UTF-8; undefined is no body. */
  readonly body: Uint8Array | string | undefined;
  /** Close the connection after this answer, for example because the request was not read to its end. */
  readonly close?: boolean;
}

/** The routes of a generated server: answers its own requests, and leaves the others. */
export interface Routes {
  readonly name: string;
  /** Undefined if the request is for other routes; its body is then unread. */
  answer(request: ServerRequest): ServerAnswer | Promise<ServerAnswer> | undefined;
}

/** What a handler may return. */
export type Answer<T> = T | Promise<T>;
