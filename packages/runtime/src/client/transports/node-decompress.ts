import { brotliDecompress, gunzip } from "node:zlib";
import { BodyLimitError } from "../../http/body-collector.js";
import { EncodingError } from "../transport.js";

/** The encodings that the transport of Node understands (RFC 9110 §8.4.1). */
export type Encoding = "gzip" | "x-gzip" | "br";

/** Decompresses a whole body. Rejects with `BodyLimitError` if it becomes larger than `bodyBytes`. */
export function decompress(body: Uint8Array, encoding: Encoding, bodyBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const receive = (error: Error | null, result: Uint8Array): void => {
      if (error === null) {
        resolve(result);
      } else {
        reject(isTooLarge(error) ? new BodyLimitError(bodyBytes) : new EncodingError(encoding, error));
      }
    };
    // zlib requires a limit of at least one byte.
    const options = { maxOutputLength: Math.max(1, Math.min(bodyBytes, 2 ** 32)) };
    if (encoding === "br") {
      brotliDecompress(body, options, receive);
    } else {
      gunzip(body, options, receive);
    }
  });
}

function isTooLarge(error: Error): boolean {
  return "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
