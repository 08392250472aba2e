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
  readonly remoteAddress?: string | undefined;
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

/** A short HTML page, for errors outside of any protocol. */
export function plainAnswer(status: number, text: string): ServerAnswer {
  return {
    status,
    headers: [["Content-Type", "text/html; charset=utf-8"]],
    body: `<!DOCTYPE html>\n<title>${status}</title>\n<p>${text}</p>\n`,
  };
}
