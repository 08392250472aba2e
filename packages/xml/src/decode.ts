import { convertToUtf16Position, createSyntaxError, XmlError } from "./error.js";

/**
 * The accepted encodings: `listed` means UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII; `platform` means these
 * and all others that `TextDecoder` supports.
 */
export type AcceptedEncodings = "listed" | "platform";

/**
 * Decodes the bytes of an XML document (XML 1.0 §4.3.3, RFC 7303 §3). The encoding is taken from the byte-order mark,
 * the charset parameter or the XML declaration, in this order; the default is UTF-8. The result does not contain the
 * byte-order mark. Throws `XmlError` for malformed bytes.
 */
export function decodeXml(
  bytes: Uint8Array,
  charset?: string,
  acceptedEncodings: AcceptedEncodings = "listed",
): string {
  const mark = findByteOrderMark(bytes);
  const body = mark === undefined ? bytes : bytes.subarray(mark.length);
  // XML 1.0 §4.3.3: only the first mark is not part of the document.
  if (mark !== undefined && findByteOrderMark(body)?.encoding === mark.encoding) {
    throw createSyntaxError("", 0, "twoByteOrderMarks");
  }
  if (charset !== undefined) {
    const encoding = findSupportedEncoding(charset, acceptedEncodings);
    return decode(body, mark?.encoding ?? withByteOrder(encoding, body));
  }
  const { sniffedEncoding, label } = readDeclaration(body, mark?.encoding);
  if (label === undefined) {
    return decode(body, sniffedEncoding ?? "utf-8");
  }
  const declaredEncodingName = findSupportedEncoding(label, acceptedEncodings);
  if (sniffedEncoding === undefined && !declaredEncodingName.startsWith("utf-16")) {
    return decode(body, declaredEncodingName);
  }
  if (
    sniffedEncoding === declaredEncodingName ||
    (declaredEncodingName === "utf-16" && sniffedEncoding?.startsWith("utf-16"))
  ) {
    return decode(body, sniffedEncoding);
  }
  const found = sniffedEncoding ?? `not ${label}`;
  throw createDecodingError(0, `The document declares the encoding ${label}, but its bytes are ${found}.`);
}

/**
 * Returns the name of a document's encoding in the charset parameter, or else in the XML declaration, if it is not one
 * of the listed encodings. Returns undefined if neither names an encoding.
 */
export function findUnsupportedEncoding(bytes: Uint8Array, charset: string | undefined): string | undefined {
  const mark = findByteOrderMark(bytes);
  const body = mark === undefined ? bytes : bytes.subarray(mark.length);
  const label = charset ?? readDeclaration(body, mark?.encoding).label;
  return label === undefined || findListedEncoding(label) !== undefined ? undefined : label.trim();
}

/**
 * Decodes bytes without an XML declaration. The encoding is taken from the byte-order mark or the charset parameter, in
 * this order; the default is UTF-8.
 */
export function decodeText(
  bytes: Uint8Array,
  charset?: string,
  acceptedEncodings: AcceptedEncodings = "listed",
): string {
  const mark = findByteOrderMark(bytes);
  if (mark !== undefined) {
    return decode(bytes.subarray(mark.length), mark.encoding);
  }
  return decode(
    bytes,
    charset === undefined ? "utf-8" : withByteOrder(findSupportedEncoding(charset, acceptedEncodings), bytes),
  );
}

function findSupportedEncoding(name: string, acceptedEncodings: AcceptedEncodings): Encoding {
  const encoding =
    findListedEncoding(name) ?? (acceptedEncodings === "platform" ? findPlatformEncoding(name) : undefined);
  if (encoding !== undefined) {
    return encoding;
  }
  throw createDecodingError(0, `The encoding "${name.slice(0, 40)}" is not supported; use UTF-8.`);
}

/** Returns `TextDecoder`'s name for an encoding; undefined if the encoding is not supported. */
function findPlatformEncoding(name: string): PlatformEncoding | undefined {
  try {
    return `platform:${new TextDecoder(name.trim()).encoding}`;
  } catch {
    return undefined;
  }
}

/** Recognizes UTF-16 by the first character of a document, which is `<` (XML 1.0 Appendix F.1). */
function sniffUtf16(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[3] === 0) {
    return "utf-16le";
  }
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) {
    return "utf-16be";
  }
  return undefined;
}

/**
 * Adds the byte order to `utf-16`: the byte order of the document's first character, otherwise big-endian (RFC 2781
 * §4.3).
 */
function withByteOrder(encoding: Encoding, bytes: Uint8Array): Encoding {
  if (encoding !== "utf-16") {
    return encoding;
  }
  return sniffUtf16(bytes) ?? "utf-16be";
}

/**
 * Returns the encoding that the byte-order mark or the first character of a document shows, and the one that its XML
 * declaration names. `body` is the document without its byte-order mark.
 */
function readDeclaration(
  body: Uint8Array,
  markEncoding: Encoding | undefined,
): { readonly sniffedEncoding: Encoding | undefined; readonly label: string | undefined } {
  const sniffedEncoding = markEncoding ?? sniffUtf16(body);
  return { sniffedEncoding, label: findDeclaredEncoding(readDeclarationText(body, sniffedEncoding)) };
}

/** Reads the XML declaration at the start of a document, one byte per character. Returns `""` if there is none. */
function readDeclarationText(bytes: Uint8Array, encoding: Encoding | undefined): string {
  if (encoding === undefined && (bytes[0] !== 0x3c || bytes[1] !== 0x3f)) {
    return "";
  }
  const start = bytes.subarray(0, 1024);
  const asciiBytes = encoding?.startsWith("utf-16") ? start.filter((byte) => byte !== 0) : start;
  const end = asciiBytes.indexOf(0x3e);
  return decodeSingleBytes(end < 0 ? asciiBytes : asciiBytes.subarray(0, end + 1), "iso-8859-1");
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case "iso-8859-1":
    case "windows-1252":
      return decodeSingleBytes(bytes, encoding);
    case "us-ascii": {
      const offset = bytes.findIndex((byte) => byte > 0x7f);
      if (offset < 0) {
        return decodeSingleBytes(bytes, encoding);
      }
      throw createMalformedBytesError(decodeSingleBytes(bytes.subarray(0, offset), encoding), encoding);
    }
    default:
      return decodeByPlatform(bytes, encoding === "utf-16" ? "utf-16be" : encoding.replace(/^platform:/, ""));
  }
}

// Shared, because creating a decoder takes longer than decoding a message.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeByPlatform(bytes: Uint8Array, encoding: string): string {
  try {
    if (encoding === "utf-8") {
      return utf8.decode(bytes);
    }
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw createMalformedBytesError(decodeWellFormedStart(bytes, encoding), encoding);
  }
}

function decodeSingleBytes(bytes: Uint8Array, encoding: Encoding): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 8192) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8192));
  }
  if (encoding !== "windows-1252") {
    return text;
  }
  return text.replace(/[\x80-\x9f]/g, (character) => {
    const code = windows1252[character.charCodeAt(0) - 0x80];
    return code ? String.fromCharCode(code) : character;
  });
}

/** Returns the text before the first malformed byte, from which the message's line and column are computed. */
function decodeWellFormedStart(bytes: Uint8Array, encoding: string): string {
  const blockSize = 1024;
  let offset = 0;
  const blockDecoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for (; offset < bytes.length; offset += blockSize) {
      blockDecoder.decode(bytes.subarray(offset, offset + blockSize), { stream: true });
    }
  } catch {
    // The block at `at` is malformed.
  }
  const byteDecoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let text = byteDecoder.decode(bytes.subarray(0, offset), { stream: true });
  try {
    for (; offset < bytes.length; offset += 1) {
      text += byteDecoder.decode(bytes.subarray(offset, offset + 1), { stream: true });
    }
  } catch {
    // The byte at `at` is malformed.
  }
  return text;
}

function createMalformedBytesError(textBefore: string, encoding: string): XmlError {
  return createDecodingError(textBefore.length, `These bytes are not valid ${encoding}.`, textBefore);
}

function createDecodingError(offset: number, message: string, textBefore = ""): XmlError {
  return new XmlError("xml.encoding", message, { offset, ...convertToUtf16Position(textBefore, offset) });
}

/** Returns the encoding in the XML declaration at the start of a document, in lower case. */
function findDeclaredEncoding(text: string): string | undefined {
  const match = /^<\?xml[ \t\r\n][^?>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/.exec(text);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

type ListedEncoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-16" | "iso-8859-1" | "windows-1252" | "us-ascii";

/** An encoding by its name in the Encoding Standard, such as `platform:windows-1250`. */
type PlatformEncoding = `platform:${string}`;

type Encoding = ListedEncoding | PlatformEncoding;

const encodingNames: ReadonlyMap<string, ListedEncoding> = new Map<string, ListedEncoding>([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["utf-16", "utf-16"],
  ["utf16", "utf-16"],
  ["iso-10646-ucs-2", "utf-16"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
  ["iso-8859-1", "iso-8859-1"],
  ["iso_8859-1", "iso-8859-1"],
  ["iso8859-1", "iso-8859-1"],
  ["latin1", "iso-8859-1"],
  ["latin-1", "iso-8859-1"],
  ["l1", "iso-8859-1"],
  ["windows-1252", "windows-1252"],
  ["cp1252", "windows-1252"],
  ["cp-1252", "windows-1252"],
  ["us-ascii", "us-ascii"],
  ["ascii", "us-ascii"],
  ["ansi_x3.4-1968", "us-ascii"],
  ["iso646-us", "us-ascii"],
]);

/** Returns the listed encoding that a charset parameter or an XML declaration names. */
function findListedEncoding(name: string): ListedEncoding | undefined {
  return encodingNames.get(name.trim().toLowerCase());
}

/** Returns the encoding and length of a byte-order mark (XML 1.0 Appendix F.1). */
function findByteOrderMark(bytes: Uint8Array): { readonly encoding: Encoding; readonly length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { encoding: "utf-8", length: 3 };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { encoding: "utf-16be", length: 2 };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { encoding: "utf-16le", length: 2 };
  }
  return undefined;
}

/**
 * The characters of windows-1252 from 0x80 to 0x9F. A byte with the entry 0 has no character, and is read as the
 * control character with the number of the byte.
 */
const windows1252 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
] as const;
