import { declaredEncoding } from "./declaration.js";
import { byteOrderMark, type Encoding, encodingNamed, windows1252 } from "./encodings.js";
import { XmlError } from "./error.js";
import { positionOf } from "./position.js";

/**
 * The text of an XML document from its bytes (XML 1.0 §4.3.3, RFC 7303 §3): a byte-order mark decides, then the charset
 * parameter, then the XML declaration, then it is UTF-8. The mark is not part of the text. Malformed bytes are fatal.
 */
export function decodeXml(bytes: Uint8Array, charset?: string): string {
  const mark = byteOrderMark(bytes);
  const body = mark === undefined ? bytes : bytes.subarray(mark.length);
  if (charset !== undefined) {
    const encoding = known(charset);
    return decode(body, mark?.encoding ?? orderOf(encoding, body));
  }
  const sniffed = mark?.encoding ?? sniffUtf16(body);
  const label = declaredEncoding(startOf(body, sniffed));
  if (label === undefined) return decode(body, sniffed ?? "utf-8");
  const declared = known(label);
  if (sniffed === undefined && !declared.startsWith("utf-16")) return decode(body, declared);
  if (sniffed === declared || (declared === "utf-16" && sniffed?.startsWith("utf-16"))) return decode(body, sniffed);
  throw failure(0, `The document declares ${label}, but its first bytes are ${sniffed ?? "not"}.`);
}

/** Text from bytes where no XML declaration can say the encoding: a byte-order mark decides, then the charset, then UTF-8. */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return decode(bytes.subarray(mark.length), mark.encoding);
  return decode(bytes, charset === undefined ? "utf-8" : orderOf(known(charset), bytes));
}

function known(name: string): Encoding {
  const encoding = encodingNamed(name);
  if (encoding !== undefined) return encoding;
  throw failure(0, `The encoding "${name.slice(0, 40)}" is not supported; use UTF-8.`);
}

/** XML 1.0 Appendix F.1: the first character of a document is `<`, and in a declaration the next is `?`. */
function sniffUtf16(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[3] === 0) return "utf-16le";
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) return "utf-16be";
  return undefined;
}

/** UTF-16 without a mark: by its first character, else big-endian (RFC 2781 §4.3). */
function orderOf(encoding: Encoding, bytes: Uint8Array): Encoding {
  if (encoding !== "utf-16") return encoding;
  return sniffUtf16(bytes) ?? "utf-16be";
}

/** Enough of a document to hold its declaration, with one byte per character; empty where it has none. */
function startOf(bytes: Uint8Array, encoding: Encoding | undefined): string {
  if (encoding === undefined && (bytes[0] !== 0x3c || bytes[1] !== 0x3f)) return "";
  const start = bytes.subarray(0, 1024);
  const units = encoding?.startsWith("utf-16") ? start.filter((byte) => byte !== 0) : start;
  const end = units.indexOf(0x3e);
  return decodeSingleBytes(end < 0 ? units : units.subarray(0, end + 1), "iso-8859-1");
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case "iso-8859-1":
    case "windows-1252":
      return decodeSingleBytes(bytes, encoding);
    case "us-ascii": {
      const offset = bytes.findIndex((byte) => byte > 0x7f);
      if (offset < 0) return decodeSingleBytes(bytes, encoding);
      throw malformed(decodeSingleBytes(bytes.subarray(0, offset), encoding), encoding);
    }
    default:
      return decodeUnicode(bytes, encoding === "utf-16" ? "utf-16be" : encoding);
  }
}

// Making a decoder costs more than decoding a message.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUnicode(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be"): string {
  try {
    if (encoding === "utf-8") return utf8.decode(bytes);
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed(wellFormedStart(bytes, encoding), encoding);
  }
}

function decodeSingleBytes(bytes: Uint8Array, encoding: Encoding): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  if (encoding !== "windows-1252") return text;
  return text.replace(/[\x80-\x9f]/g, (character) => {
    const code = windows1252[character.charCodeAt(0) - 0x80];
    return code ? String.fromCharCode(code) : character;
  });
}

/** The text before the first malformed bytes: only for the place in the message, in two passes at most. */
function wellFormedStart(bytes: Uint8Array, encoding: string): string {
  const step = 1024;
  let at = 0;
  const blocks = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for (; at < bytes.length; at += step) blocks.decode(bytes.subarray(at, at + step), { stream: true });
  } catch {
    // The block at `at` is the bad one.
  }
  const singly = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let text = singly.decode(bytes.subarray(0, at), { stream: true });
  try {
    for (; at < bytes.length; at += 1) text += singly.decode(bytes.subarray(at, at + 1), { stream: true });
  } catch {
    // The byte at `at` is the bad one.
  }
  return text;
}

function malformed(before: string, encoding: string): XmlError {
  return failure(before.length, `The bytes here are not ${encoding}.`, before);
}

function failure(offset: number, message: string, before = ""): XmlError {
  return new XmlError("xml.encoding", message, { offset, ...positionOf(before, offset) });
}
