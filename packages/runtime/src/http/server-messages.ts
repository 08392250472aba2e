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
  /** When the head had arrived, by `performance.now()`. Only needed for events. */
  readonly receivedAt?: number | undefined;
  /** The server is stopping, and accepts requests only for a while. */
  readonly draining?: boolean | undefined;
  /**
   * Calls `done` once, when the answer has been written with this number of bytes, or when the client has disconnected
   * (undefined). Without this member, a call counts as ended when its answer is known.
   */
  whenWritten?(done: (bytes: number | undefined) => void): void;
}

export type HeaderLine = readonly [name: string, value: string];

export interface ServerAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** A string is written as UTF-8; undefined means no body. */
  readonly body: Uint8Array | string | undefined;
  /** The code of the fault or error in the body, for events. */
  readonly faultCode?: string | undefined;
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
