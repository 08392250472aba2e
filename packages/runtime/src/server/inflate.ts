import type { BodyCollector } from "../http/body-collector.js";
import type { Compression } from "../http/server-messages.js";

// This module is loaded with the first compressed request.

/** Decompresses a body into a collector, which bounds its size. Rejects with the collector's error, or for an invalid body. */
export async function inflate(
  bytes: Uint8Array,
  compression: Compression,
  collector: BodyCollector,
): Promise<Uint8Array> {
  const stream = new DecompressionStream(compression);
  const writer = stream.writable.getWriter();
  // The reader rejects with the same error.
  const written = writer.write(new Uint8Array(bytes)).then(() => writer.close());
  written.catch(() => {});
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        await written;
        return collector.bytes();
      }
      collector.add(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}
