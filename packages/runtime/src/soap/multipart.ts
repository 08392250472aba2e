import { parseMediaType } from "../media-type.js";

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

/** A `multipart/related` body that cannot be read. */
export class MultipartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MultipartError";
  }
}

/** More parts than any WSDL binds. */
const maxParts = 256;
/** Bytes of one part's header. */
const maxHeader = 8_192;

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
  const boundary = parameters.get("boundary");
  // RFC 2046 §5.1.1: 1 to 70 characters.
  if (boundary === undefined || !/^[\x20-\x7e]{1,70}$/.test(boundary))
    throw new MultipartError("The multipart message has no boundary.");
  const parts = readParts(body, bytesOf(`--${boundary}`));
  const start = parameters.get("start");
  const found = start === undefined ? parts[0] : parts.find(({ id }) => id === withoutBrackets(start));
  if (found === undefined) throw new MultipartError("The multipart message has no root part.");
  return { root: found, others: parts.filter((part) => part !== found) };
}

function readParts(body: Uint8Array, delimiter: Uint8Array): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  for (let at = nextDelimiter(body, delimiter, 0); ; ) {
    if (at < 0) throw new MultipartError("The multipart message is not complete.");
    const after = at + delimiter.length;
    if (body[after] === dash && body[after + 1] === dash) return parts;
    if (parts.length === maxParts) throw new MultipartError(`The multipart message has more than ${maxParts} parts.`);
    const line = body.indexOf(lineFeed, after);
    const next = line < 0 ? -1 : nextDelimiter(body, delimiter, line + 1);
    if (next < 0) throw new MultipartError("The multipart message is not complete.");
    parts.push(readPart(body.subarray(line + 1, contentEnd(body, line + 1, next))));
    at = next;
  }
}

const dash = 45;
const lineFeed = 10;
const carriageReturn = 13;

/** A delimiter stands at the beginning of a line. */
function nextDelimiter(body: Uint8Array, delimiter: Uint8Array, from: number): number {
  for (let at = body.indexOf(dash, from); at >= 0; at = body.indexOf(dash, at + 1)) {
    if ((at === 0 || body[at - 1] === lineFeed) && delimiter.every((byte, index) => body[at + index] === byte))
      return at;
  }
  return -1;
}

/** The line break before a delimiter belongs to it. */
function contentEnd(body: Uint8Array, start: number, delimiter: number): number {
  const end = body[delimiter - 2] === carriageReturn ? delimiter - 2 : delimiter - 1;
  return Math.max(start, end);
}

function readPart(bytes: Uint8Array): BodyPart {
  const { text, end } = headerOf(bytes);
  const headers = new Map(
    text
      .replace(/\r?\n[ \t]+/g, " ")
      .split(/\r?\n/)
      .map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  return {
    id: withoutBrackets(headers.get("content-id") ?? ""),
    type: headers.get("content-type") ?? "",
    content: decoded(bytes.subarray(end), headers.get("content-transfer-encoding") ?? "binary"),
  };
}

/** The lines up to the empty one; a part may have none. */
function headerOf(bytes: Uint8Array): { readonly text: string; readonly end: number } {
  const text = String.fromCharCode(...bytes.subarray(0, maxHeader));
  const empty = /^\r?\n|\r?\n\r?\n/.exec(text);
  if (empty === null) throw new MultipartError("A part of the multipart message has no header, or too much of it.");
  return { text: text.slice(0, empty.index), end: empty.index + empty[0].length };
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
