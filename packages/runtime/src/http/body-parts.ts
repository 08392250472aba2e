/** One part of a multipart body. */
export interface BodyPart {
  /** The part's headers by lower-case name. Each character of a value represents one byte. */
  readonly headers: ReadonlyMap<string, string>;
  /** The bytes of the part, without transfer decoding. */
  readonly content: Uint8Array;
}

/** Thrown for a multipart body that cannot be read. */
export class MultipartError extends Error {
  /** Whether the body has too many parts. */
  readonly hasTooManyParts: boolean;

  constructor(message: string, hasTooManyParts = false) {
    super(message);
    this.name = "MultipartError";
    this.hasTooManyParts = hasTooManyParts;
  }
}

/** The maximum size of a part's header, in bytes. */
const maxHeaderBytes = 8_192;

/** Reads the parts of a multipart body (RFC 2046 §5.1). Throws `MultipartError`. */
export function readBodyParts(
  body: Uint8Array,
  { boundary, maxParts }: { readonly boundary: string | undefined; readonly maxParts: number },
): readonly BodyPart[] {
  // RFC 2046 §5.1.1: a boundary has 1 to 70 characters.
  if (boundary === undefined || !/^[\x20-\x7e]{1,70}$/.test(boundary)) {
    throw new MultipartError("The boundary of the multipart message is missing or not valid.");
  }
  const delimiter = new TextEncoder().encode(`--${boundary}`);
  const parts: BodyPart[] = [];
  for (let start = findNextDelimiter(body, delimiter, 0); ; ) {
    if (start < 0) {
      throw new MultipartError(
        "The multipart message does not contain the boundary that its Content-Type names: the sender named another one, or one of them was changed in transit.",
      );
    }
    const end = start + delimiter.length;
    if (body[end] === dash && body[end + 1] === dash) {
      return parts;
    }
    if (parts.length >= maxParts) {
      throw new MultipartError(`The multipart message has more than ${maxParts} parts.`, true);
    }
    const lineEnd = body.indexOf(lineFeed, end);
    const nextStart = lineEnd < 0 ? -1 : findNextDelimiter(body, delimiter, lineEnd + 1);
    if (nextStart < 0) {
      throw new MultipartError(
        `The multipart message is not complete: it ends after ${body.length} bytes, before its last boundary. A proxy or the sender may have cut it off.`,
      );
    }
    parts.push(readPart(body.subarray(lineEnd + 1, findContentEnd(body, lineEnd + 1, nextStart))));
    start = nextStart;
  }
}

const dash = 45;
const lineFeed = 10;
const carriageReturn = 13;

/** Returns the position of the next delimiter that is at the beginning of a line. */
function findNextDelimiter(body: Uint8Array, delimiter: Uint8Array, start: number): number {
  for (let offset = body.indexOf(dash, start); offset >= 0; offset = body.indexOf(dash, offset + 1)) {
    if (
      (offset === 0 || body[offset - 1] === lineFeed) &&
      delimiter.every((byte, index) => body[offset + index] === byte)
    ) {
      return offset;
    }
  }
  return -1;
}

/** Returns the end of a part's content. A line break before a delimiter belongs to the delimiter. */
function findContentEnd(body: Uint8Array, start: number, delimiter: number): number {
  const end = body[delimiter - 2] === carriageReturn ? delimiter - 2 : delimiter - 1;
  return Math.max(start, end);
}

function readPart(bytes: Uint8Array): BodyPart {
  const { text, end } = readHeader(bytes);
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    // Readers do not agree whether the first or the last header applies.
    if (name.startsWith("content-") && headers.has(name)) {
      throw new MultipartError(
        'A part of the multipart message has two headers with the same name that begins with "Content-".',
      );
    }
    headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, content: bytes.subarray(end) };
}

/**
 * Reads the header of a part. The header ends at an empty line, before which there need not be any header lines.
 * Returns the header's text and the position of its end.
 */
function readHeader(bytes: Uint8Array): { readonly text: string; readonly end: number } {
  const text = String.fromCharCode(...bytes.subarray(0, maxHeaderBytes));
  const emptyLine = /^\r?\n|\r?\n\r?\n/.exec(text);
  if (emptyLine === null) {
    throw new MultipartError(
      `A part of the multipart message has no empty line in its first ${maxHeaderBytes} bytes, where its header must end.`,
    );
  }
  return { text: text.slice(0, emptyLine.index), end: emptyLine.index + emptyLine[0].length };
}
