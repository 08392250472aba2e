import { createInvalidValueError, createWrongTypeError } from "../lexical-error.js";
import type { Datatype, ValueSpace } from "../simple-type.js";

interface BinaryCodec {
  readonly name: "xs:hexBinary" | "xs:base64Binary";
  /** Decodes a string to bytes; returns undefined for an invalid string. */
  decode(text: string): Uint8Array | undefined;
  encode(bytes: Uint8Array): string;
  /** Returns the end of the message about a string that `decode` refuses. */
  findMistake(text: string): string | undefined;
}

/** Follows the reason of an error about a value that is not bytes. */
const bytesAdvice =
  'Convert an ArrayBuffer with new Uint8Array(buffer), Base64 text with Buffer.from(text, "base64"), and hexadecimal text with Buffer.from(text, "hex")';

function createBinaryType({ name, decode, encode, findMistake }: BinaryCodec): Datatype<Uint8Array> {
  const valueSpace: ValueSpace<Uint8Array> = {
    key: (value) => `${name}:${encode(value)}`,
    length: (value) => value.length,
  };
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace,
    accepts: (text) => decode(text) !== undefined,
    read(text) {
      const bytes = decode(text);
      if (bytes === undefined) {
        throw createInvalidValueError(text, name, findMistake(text));
      }
      return bytes;
    },
    write(value: unknown) {
      if (!(value instanceof Uint8Array)) {
        throw createWrongTypeError(value, name, `a Uint8Array. ${bytesAdvice}`);
      }
      return encode(value);
    },
    mayWrite: (value) => value instanceof Uint8Array,
  };
}

/** Creates xs:hexBinary (XSD 1.0 Part 2 §3.2.15). */
export function createHexBinaryType(): Datatype<Uint8Array> {
  return {
    ...createBinaryType({
      name: "xs:hexBinary",
      decode: decodeHex,
      encode: encodeHex,
      findMistake: findHexMistake,
    }),
    literals: "hexadecimal",
  };
}

/**
 * Creates xs:base64Binary (XSD 1.0 Part 2 §3.2.16). A literal may contain spaces. It must be padded, and its unused
 * bits must be 0.
 */
export function createBase64BinaryType(): Datatype<Uint8Array> {
  return createBinaryType({
    name: "xs:base64Binary",
    decode: decodeBase64,
    encode: encodeBase64,
    findMistake: findBase64Mistake,
  });
}

const hexDigits = "0123456789ABCDEF";

function decodeHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) {
    return undefined;
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const high = parseHexDigit(text.charCodeAt(index * 2));
    const low = parseHexDigit(text.charCodeAt(index * 2 + 1));
    if (high < 0 || low < 0) {
      return undefined;
    }
    bytes[index] = high * 16 + low;
  }
  return bytes;
}

/** Describes a frequent mistake in hexadecimal text, without the text, which may be secret. */
function findHexMistake(text: string): string | undefined {
  const digits = text.replace(/^0x|[ :-]/gi, "");
  if (text.length % 2 !== 0 && decodeHex(`0${text}`) !== undefined) {
    return "the number of its digits is odd";
  }
  if (digits !== text && decodeHex(digits) !== undefined) {
    return "it must have only digits, without 0x, and without spaces, colons or hyphens between bytes";
  }
  return text.length >= minBase64 && decodeBase64(text) !== undefined
    ? "it seems to be Base64 instead of hexadecimal text"
    : undefined;
}

/** The minimum length of text that is taken for Base64. Shorter text can be anything else. */
const minBase64 = 8;

function parseHexDigit(code: number): number {
  if (code >= 48 && code <= 57) {
    return code - 48;
  }
  const letter = code | 32;
  return letter >= 97 && letter <= 102 && code >= 65 ? letter - 87 : -1;
}

function encodeHex(bytes: Uint8Array): string {
  const codes = new Uint8Array(bytes.length * 2);
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    codes[index * 2] = hexDigits.charCodeAt(byte >> 4);
    codes[index * 2 + 1] = hexDigits.charCodeAt(byte & 15);
  }
  return decodeLatin1(codes);
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64Codes: Uint8Array = /* @__PURE__ */ Uint8Array.from(base64Alphabet, (letter) => letter.charCodeAt(0));
const base64Values: Int8Array = /* @__PURE__ */ Int8Array.from({ length: 128 }, (_, code) =>
  base64Alphabet.indexOf(String.fromCharCode(code)),
);
const paddingCode = 61;

function decodeBase64(textWithSpaces: string): Uint8Array | undefined {
  const text = textWithSpaces.includes(" ") ? textWithSpaces.replaceAll(" ", "") : textWithSpaces;
  if (text.length % 4 !== 0) {
    return undefined;
  }
  const paddingLength = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digitCount = text.length - paddingLength;
  const bytes = new Uint8Array((text.length / 4) * 3 - paddingLength);
  let offset = 0;
  let bitBuffer = 0;
  let bits = 0;
  for (let index = 0; index < digitCount; index++) {
    const code = text.charCodeAt(index);
    const value = code < 128 ? (base64Values[code] ?? -1) : -1;
    if (value < 0) {
      return undefined;
    }
    bitBuffer = ((bitBuffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[offset++] = bitBuffer >> bits;
    }
  }
  // Refuses a string whose last characters have unused bits that are not 0.
  return (bitBuffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

/** Describes a frequent mistake in Base64, without the text, which may be secret. */
function findBase64Mistake(text: string): string | undefined {
  if (/^data:[^,]{0,100};base64,/.test(text)) {
    return "it is a data: URI, of which only the text after the comma is Base64";
  }
  if (decodeBase64(addPadding(text)) !== undefined) {
    return "its padding, = or == at the end, is missing";
  }
  if (decodeBase64(addPadding(text.replace(/-/g, "+").replace(/_/g, "/"))) !== undefined) {
    return "it is base64url, which has - and _ instead of + and /";
  }
  return decodeHex(text.replace(/^0x/i, "")) === undefined ? undefined : "it seems to be hexadecimal text";
}

function addPadding(text: string): string {
  const digits = text.replace(/[ =]/g, "");
  return digits + "=".repeat((4 - (digits.length % 4)) % 4);
}

function encodeBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const wholeLength = bytes.length - (bytes.length % 3);
  let offset = 0;
  for (let index = 0; index < wholeLength; index += 3) {
    const threeBytes = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    codes[offset++] = base64Codes[threeBytes >> 18] ?? 0;
    codes[offset++] = base64Codes[(threeBytes >> 12) & 63] ?? 0;
    codes[offset++] = base64Codes[(threeBytes >> 6) & 63] ?? 0;
    codes[offset++] = base64Codes[threeBytes & 63] ?? 0;
  }
  if (wholeLength < bytes.length) {
    const hasTwoBytes = bytes.length - wholeLength === 2;
    const lastBytes = ((bytes[wholeLength] ?? 0) << 16) | ((bytes[wholeLength + 1] ?? 0) << 8);
    codes[offset++] = base64Codes[lastBytes >> 18] ?? 0;
    codes[offset++] = base64Codes[(lastBytes >> 12) & 63] ?? 0;
    codes[offset++] = hasTwoBytes ? (base64Codes[(lastBytes >> 6) & 63] ?? 0) : paddingCode;
    codes[offset++] = paddingCode;
  }
  return decodeLatin1(codes);
}

function decodeLatin1(codes: Uint8Array): string {
  return new TextDecoder("latin1").decode(codes);
}
