import { decodeXml } from "@bothends/xml/decode";
import { XmlError } from "@bothends/xml/error";

/**
 * Decodes a message. The encoding is given by the byte-order mark, else the charset parameter, else the XML declaration, else it
 * is UTF-8. Returns undefined if the encoding is not supported. `malformed` determines the treatment of bytes that the encoding
 * does not allow: `refuse` throws `XmlError`; `replace` writes U+FFFD for them, in US-ASCII `?`, and accepts an unknown charset
 * if all bytes are ASCII.
 */
export function messageText(
  bytes: Uint8Array,
  charset: string | undefined,
  malformed: "refuse" | "replace",
): string | undefined {
  const label = charset?.trim().toLowerCase();
  if (label !== undefined && otherAscii.test(label)) {
    return undefined;
  }
  try {
    return decodeXml(bytes, charset);
  } catch (error) {
    if (!(error instanceof XmlError) || error.code !== "xml.encoding") {
      throw error;
    }
    if (malformed === "replace") {
      return lenientText(bytes, label);
    }
    if (label !== undefined && !isKnown(label)) {
      return undefined;
    }
    throw error;
  }
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

/** In these encodings, bytes below 0x80 differ from ASCII. */
const otherAscii = /utf-7|^(?:utf-32|ucs-4|iso-2022|hz-gb|ibm|cp037|ebcdic)/;

function lenientText(bytes: Uint8Array, label: string | undefined): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return replacing("utf-16be", bytes);
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return replacing("utf-16le", bytes);
  }
  if (label === undefined || /^utf-?8$/.test(label)) {
    return replacing("utf-8", bytes);
  }
  if (/^(?:us-)?ascii$/.test(label)) {
    return Array.from(bytes, asciiCharacter).join("");
  }
  if (/^utf-?16/.test(label)) {
    return replacing(label.endsWith("be") ? "utf-16be" : "utf-16le", bytes);
  }
  return bytes.every((byte) => byte < 0x80) ? replacing("utf-8", bytes) : undefined;
}

function replacing(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

function asciiCharacter(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : "?";
}
