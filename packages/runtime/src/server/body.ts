import { brandOf, isInstance } from "../brand.js";
import { headerValue } from "./headers.js";
import { LimitError } from "./limits.js";
import type { ServerRequest } from "./types.js";

/** The client disconnected before its request was complete. */
export class DisconnectError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ brandOf("DisconnectError");
  static override [Symbol.hasInstance] = isInstance;

  constructor(cause?: unknown) {
    super("The client closed the connection.", cause === undefined ? undefined : { cause });
    this.name = "DisconnectError";
  }
}

/** A body that can be collected without a promise for each of its chunks. */
export interface CollectableBody extends AsyncIterable<Uint8Array> {
  /**
   * All bytes, of which `progress` gets the number so far. Rejects with `LimitError` at the limit, with `DisconnectError`
   * if the body does not become complete.
   */
  collect(limit: number, progress?: (received: number) => void): Promise<Uint8Array>;
}

export function isCollectable(body: AsyncIterable<Uint8Array>): body is CollectableBody {
  return "collect" in body;
}

/**
 * Reads a request's body. A body over the limit is refused as soon as that is known: by the announced length, which
 * `Content-Length` has, or while bytes arrive.
 */
export function readBody(
  request: ServerRequest,
  limit: number,
  announced = announcedLength(request),
): Uint8Array | Promise<Uint8Array> {
  const { body } = request;
  if (announced !== undefined && announced > limit) throw new LimitError("bodyBytes", limit);
  if (!(body instanceof Uint8Array)) return isCollectable(body) ? body.collect(limit) : collectChunks(body, limit);
  if (body.length > limit) throw new LimitError("bodyBytes", limit);
  return body;
}

function announcedLength({ headers }: ServerRequest): number | undefined {
  const length = headerValue(headers, "content-length");
  return length === undefined ? undefined : Number(length);
}

/** Collects a body chunk by chunk. */
export async function collectChunks(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limit) throw new LimitError("bodyBytes", limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof LimitError ? error : new DisconnectError(error);
  }
  return joinChunks(chunks, length);
}

export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Whether a body is compressed. Such requests are refused: the limit of bytes would not bound them. */
export function isCompressed(request: ServerRequest): boolean {
  const encoding = headerValue(request.headers, "content-encoding")?.trim().toLowerCase();
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
