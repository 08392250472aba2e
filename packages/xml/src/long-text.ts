import { escapeXmlText, isXmlText } from "./characters.js";
import { escapeText } from "./escape.js";

// Long text with many escaped characters, such as HTML or XML inside a text node, is converted as UTF-8 bytes. This
// takes 4 ms/MB; concatenating many short strings would take 22 to 36 ms/MB. With few escaped characters, strings are
// faster.

/** The minimum length, in UTF-16 units, from which converting text as bytes is faster. */
export const longTextLength = 1024;
/** The number of UTF-16 units converted at once. */
const blockLength = 8192;
/** The number of UTF-16 units at the start of a block in which characters to convert are counted. */
const sampleLength = 256;
/** A block is converted as bytes if its sample has at least this many characters to convert. */
const minCountInSample = 8;

/** Like `escapeText`, for text of any length. */
export function escapeLongText(text: string): string {
  // UTF-8 cannot represent half a pair of surrogates.
  const isShort = text.length < longTextLength || !/[&<>\r]/.test(text);
  if (isShort || (/[\ud800-\udfff\ufffe\uffff]/.test(text) && !isXmlText(text))) {
    return escapeText(text);
  }
  const conversion = {
    convertible: /[&<>\r]/g,
    convertAsText: escapeXmlText,
    convertAsBytes: escapeBytes,
    carriedOverLength: () => 0,
  };
  return convertBlocks(text, conversion) ?? escapeText(text);
}

/**
 * Replaces the references in valid text without markup, and reads line ends as LF, as the reader does for short text.
 * Returns undefined for text with a reference other than the predefined entities and `&#13;`.
 */
export function expandLongText(text: string): string | undefined {
  return convertBlocks(text, {
    convertible: /&/g,
    convertAsText: expandCommonReferences,
    convertAsBytes: expandBytes,
    carriedOverLength: countUnitsCarriedOver,
  });
}

interface Conversion {
  /** Matches the characters that are converted. */
  readonly convertible: RegExp;
  /**
   * Converts a block in which few characters are convertible. Returns undefined if `convertAsBytes` must convert the
   * block.
   */
  readonly convertAsText: (block: string) => string | undefined;
  /**
   * Converts the first `length` bytes of the source. Returns the number of bytes written to the target; -1 if that is
   * impossible.
   */
  readonly convertAsBytes: (source: Uint8Array, length: number, target: Uint8Array) => number;
  /** The number of UTF-16 units at the end of a block that must be converted with the next block. */
  readonly carriedOverLength: (end: string) => number;
}

function convertBlocks(
  text: string,
  { convertible, convertAsText, convertAsBytes, carriedOverLength }: Conversion,
): string | undefined {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const size = Math.min(blockLength, text.length);
  const source = new Uint8Array(size * 3);
  const target = new Uint8Array(size * 5);
  let result = "";
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + blockLength, text.length);
    if (end < text.length) {
      end -= carriedOverLength(text.slice(end - 16, end)) || (isHighSurrogate(text.charCodeAt(end - 1)) ? 1 : 0);
    }
    const block = text.slice(start, end);
    start = end;
    const sample = block.slice(0, sampleLength).match(convertible);
    if (sample === null || sample.length < minCountInSample) {
      const convertedBlock = convertAsText(block);
      if (convertedBlock === undefined) {
        return undefined;
      }
      result += convertedBlock;
      continue;
    }
    const { written } = encoder.encodeInto(block, source);
    const length = convertAsBytes(source, written, target);
    if (length < 0) {
      return undefined;
    }
    result += decoder.decode(target.subarray(0, length));
  }
  return result;
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

const AMPERSAND = 0x26;
const LESS = 0x3c;
const GREATER = 0x3e;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

const ESCAPED = 1;
const FORBIDDEN = 2;
/** The treatment of each byte: escaped, or forbidden by XML; 0 if the byte stays unchanged. */
const byteTreatment = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return "&<>\r".includes(character) ? ESCAPED : code >= 0x20 || "\t\n".includes(character) ? 0 : FORBIDDEN;
});

function escapeBytes(source: Uint8Array, length: number, target: Uint8Array): number {
  let offset = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = source[index] ?? 0;
    const treatment = byteTreatment[byte];
    if (treatment === 0) {
      target[offset++] = byte;
    } else if (treatment === FORBIDDEN) {
      return -1;
    } else {
      const reference = formatReference(byte);
      for (let position = 0; position < reference.length; position += 1) {
        target[offset++] = reference.charCodeAt(position);
      }
    }
  }
  return offset;
}

const commonReferences = [
  { reference: "&lt;", byte: LESS },
  { reference: "&gt;", byte: GREATER },
  { reference: "&amp;", byte: AMPERSAND },
  { reference: "&quot;", byte: 0x22 },
  { reference: "&apos;", byte: 0x27 },
  { reference: "&#13;", byte: CARRIAGE_RETURN },
] as const;

function isReferenceAt(reference: string, source: Uint8Array, start: number): boolean {
  for (let index = 1; index < reference.length; index += 1) {
    if (source[start + index] !== reference.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}

const characterByReference: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  commonReferences.map(({ reference, byte }) => [reference, String.fromCharCode(byte)]),
);

function expandCommonReferences(block: string): string | undefined {
  let isUsual = true;
  const expandedBlock = block.replace(/\r\n?|&[^;]{0,8};?/g, (reference) => {
    const character = reference.startsWith("\r") ? "\n" : characterByReference.get(reference);
    isUsual &&= character !== undefined;
    return character ?? "";
  });
  return isUsual ? expandedBlock : undefined;
}

function formatReference(byte: number): string {
  switch (byte) {
    case AMPERSAND:
      return "&amp;";
    case LESS:
      return "&lt;";
    case GREATER:
      return "&gt;";
    default:
      return "&#13;";
  }
}

/**
 * Returns the number of UTF-16 units at the end of a block that begin a reference or CRLF which the next block may
 * complete.
 */
function countUnitsCarriedOver(end: string): number {
  const ampersand = end.lastIndexOf("&");
  if (ampersand >= 0 && !end.includes(";", ampersand)) {
    return end.length - ampersand;
  }
  return end.endsWith("\r") ? 1 : 0;
}

function expandBytes(source: Uint8Array, length: number, target: Uint8Array): number {
  let offset = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = source[index] ?? 0;
    if (byte === AMPERSAND) {
      const match = commonReferences.find(({ reference }) => isReferenceAt(reference, source, index));
      if (match === undefined) {
        return -1;
      }
      target[offset++] = match.byte;
      index += match.reference.length - 1;
    } else if (byte === CARRIAGE_RETURN) {
      target[offset++] = LINE_FEED;
      if (source[index + 1] === LINE_FEED) {
        index += 1;
      }
    } else {
      target[offset++] = byte;
    }
  }
  return offset;
}
