import { brandOf, isInstance } from "../brand.js";
import { BodyCollector } from "../http/body-collector.js";
import type { RoutedRequest } from "../http/routed-request.js";
import { LimitError } from "../server-limits.js";

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
   * Adds all chunks to the collector; calls `progress` after each of them. Rejects with the collector's error, or with
   * `DisconnectError` if the body does not become complete.
   */
  collect(collector: BodyCollector, progress?: () => void): Promise<Uint8Array>;
}

export function isCollectable(body: AsyncIterable<Uint8Array>): body is CollectableBody {
  return "collect" in body;
}

/**
 * Reads the body of a request. Throws `LimitError` for a body over the limit as soon as that is known: from its
 * `Content-Length`, or while bytes arrive. Returns a promise only if the body is still arriving.
 */
export function readBody({ body, facts }: RoutedRequest, limit: number): Uint8Array | Promise<Uint8Array> {
  const { contentLength: length } = facts;
  if ((length !== undefined && length > limit) || (body instanceof Uint8Array && body.length > limit)) {
    throw bodyLimitError(limit);
  }
  if (body instanceof Uint8Array) {
    return body;
  }
  const collector = new BodyCollector(limit, { length, error: bodyLimitError });
  return isCollectable(body) ? body.collect(collector) : collectChunks(body, collector);
}

function bodyLimitError(limit: number): LimitError {
  return new LimitError("bodyBytes", limit);
}

/** Adds all chunks of a body to the collector. */
export async function collectChunks(body: AsyncIterable<Uint8Array>, collector: BodyCollector): Promise<Uint8Array> {
  try {
    for await (const chunk of body) {
      collector.add(chunk);
    }
  } catch (error) {
    throw error instanceof LimitError ? error : new DisconnectError(error);
  }
  return collector.bytes();
}
