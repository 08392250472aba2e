import { MultipartError, type BodyPart as RawPart, readBodyParts } from "../body-parts.js";
import { parseMediaType } from "../media-type.js";

export { MultipartError } from "../body-parts.js";

/** One part of a `multipart/related` message (RFC 2387). */
export interface BodyPart {
  /** Without its angle brackets. */
  readonly id: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** A message and what travels beside it. */
export interface Related {
  readonly root: BodyPart;
  readonly others: readonly BodyPart[];
}

/** More parts than any WSDL binds. */
const maxParts = 256;
/** Writes a message with its attachments (SOAP Messages with Attachments §3). `boundary` must stand in none of them. */
export function writeRelated({ root, others }: Related, boundary: string): { contentType: string; body: Uint8Array } {
  const pieces = [root, ...others].flatMap(({ id, type, content }, index) => [
    bytesOf(
      `${index === 0 ? "" : "\r\n"}--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <${id}>\r\n\r\n`,
    ),
    content,
  ]);
  const rootType = parseMediaType(root.type)?.name ?? root.type;
  return {
    contentType: `multipart/related; type="${rootType}"; start="<${root.id}>"; boundary="${boundary}"`,
    body: joined([...pieces, bytesOf(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Reads a `multipart/related` body by the parameters of its media type. Throws `MultipartError`. */
export function readRelated(body: Uint8Array, parameters: ReadonlyMap<string, string>): Related {
  const parts = readBodyParts(body, { boundary: parameters.get("boundary"), maxParts }).map(relatedPart);
  const start = parameters.get("start");
  const found = start === undefined ? parts[0] : parts.find(({ id }) => id === withoutBrackets(start));
  if (found === undefined) throw new MultipartError("The multipart message has no root part.");
  return { root: found, others: parts.filter((part) => part !== found) };
}

function relatedPart({ headers, content }: RawPart): BodyPart {
  return {
    id: withoutBrackets(headers.get("content-id") ?? ""),
    type: headers.get("content-type") ?? "",
    content: decoded(content, headers.get("content-transfer-encoding") ?? "binary"),
  };
}

function decoded(content: Uint8Array, encoding: string): Uint8Array {
  switch (encoding.toLowerCase()) {
    case "binary":
    case "8bit":
    case "7bit":
      return content;
    case "base64":
      return base64Bytes(content);
    default:
      throw new MultipartError("A part of the multipart message has a transfer encoding that is not read.");
  }
}

/** RFC 2045 §6.8: whatever is not of the alphabet is skipped. */
function base64Bytes(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.floor((content.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (const byte of content) {
    const value = base64Values[byte] ?? -1;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = (bits >> count) & 0xff;
    length += 1;
  }
  return bytes.subarray(0, length);
}

const base64Values: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(String.fromCharCode(code)),
);

function withoutBrackets(id: string): string {
  return id.trim().replace(/^<(.*)>$/, "$1");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
