import { brandOf, isInstance } from "../brand.js";
import { headerValue } from "./headers.js";
import { LimitError } from "./limits.js";
import type { ServerRequest } from "./types.js";

/** The client went away before its request was complete. */
export class DisconnectError extends Error {
  static readonly brand: symbol = /* @__PURE__ */ brandOf("DisconnectError");
  static override [Symbol.hasInstance] = isInstance;

  constructor(cause?: unknown) {
    super("The client closed the connection.", cause === undefined ? undefined : { cause });
    this.name = "DisconnectError";
  }
}

/** The bytes of a request's body. Refuses what is over the limit as soon as that is known: before reading, or while bytes arrive. */
export async function readBody(request: ServerRequest, limit: number): Promise<Uint8Array> {
  const announced = headerValue(request.headers, "content-length");
  if (announced !== undefined && Number(announced) > limit) throw new LimitError("bodyBytes", limit);
  if (request.body instanceof Uint8Array) {
    if (request.body.length > limit) throw new LimitError("bodyBytes", limit);
    return request.body;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > limit) throw new LimitError("bodyBytes", limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof LimitError ? error : new DisconnectError(error);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
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

/** Whether a body is compressed, which requests may not be: the limit of bytes would say nothing. */
export function isCompressed(request: ServerRequest): boolean {
  const encoding = headerValue(request.headers, "content-encoding")?.trim().toLowerCase();
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
