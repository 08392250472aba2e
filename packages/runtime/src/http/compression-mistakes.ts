/** What is wrong with a body that cannot be decompressed. */
export type CompressionMistake =
  | "empty"
  | "uncompressed"
  | "cut off"
  | "followed"
  | "changed"
  | "base64"
  | "other format"
  | "unknown";

/**
 * Finds out what is wrong with a body that cannot be decompressed. Only the start of the body and the error of the
 * decompressor are examined, so `start` need not be the whole body.
 */
export function findCompressionMistake(
  error: unknown,
  start: Uint8Array,
  compression: "gzip" | "deflate" | "br",
): CompressionMistake {
  const [first = 0, second = 0] = start;
  if (start.length === 0) {
    return "empty";
  }
  // Uncompressed XML and JSON begin with "<", "[" or "{".
  if (first === 0x3c || first === 0x5b || first === 0x7b) {
    return "uncompressed";
  }
  // Data of brotli has no signature.
  const format = compression === "br" ? "br" : findFormat(first, second);
  if (format === undefined) {
    const text = String.fromCharCode(...start.subarray(0, 4));
    return startMistakes.find(({ pattern }) => pattern.test(text))?.mistake ?? "unknown";
  }
  if (format !== compression) {
    return "other format";
  }
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  // The code of Node's error for compressed data without an end. Other platforms only have a text.
  if (code === "Z_BUF_ERROR") {
    return "cut off";
  }
  // Node takes bytes after the data for another member of gzip, whose header is not valid.
  const isFollowed = code === "ERR_TRAILING_JUNK_AFTER_STREAM_END" || message === "incorrect header check";
  return isFollowed ? "followed" : "changed";
}

/** Returns the format of data that begins with two bytes (RFC 1952 §2.3.1, RFC 1950 §2.2); undefined if unknown. */
function findFormat(first: number, second: number): "gzip" | "deflate" | undefined {
  if (first === 0x1f && second === 0x8b) {
    return "gzip";
  }
  return (first & 0x0f) === 8 && first <= 0x78 && (first * 256 + second) % 31 === 0 ? "deflate" : undefined;
}

/** What a body is that does not begin like compressed data. The patterns match its first bytes. */
const startMistakes: readonly { readonly pattern: RegExp; readonly mistake: CompressionMistake }[] = [
  // The second byte of gzip, 0x8b, is replaced when it is decoded as UTF-8, and becomes two bytes when it is encoded.
  { pattern: /^\x1f(?:\xef\xbf\xbd|\xc2\x8b)/, mistake: "changed" },
  { pattern: /^(?:H4sI|e[AFJN])/, mistake: "base64" },
];
