import { FormLimitError, type FormLimits } from "../../http/body-collector.js";

// Reads and writes `application/x-www-form-urlencoded` in the same way as ASMX services and .NET clients.
// URLSearchParams is not used, because it does not decode `%uXXXX`, has no limits, and supports only UTF-8.

/** Decodes the bytes of a percent-encoded text. Malformed bytes become U+FFFD. */
export type DecodeBytes = (bytes: Uint8Array) => string;

/** Options for reading a query or a form. */
export interface ReadFormOptions {
  readonly limits?: FormLimits | undefined;
  /** Decodes the bytes of names and values. Default: UTF-8. */
  readonly decode?: DecodeBytes | undefined;
}

/** The values of a query or form by name. The values of each name have their original order. */
export type FormValues = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a query (without its `?`) or a form. Each character below U+0100 represents one byte. Only `&` separates items.
 * An item without `=` is ignored; an empty name is valid.
 */
export function readForm(text: string, { limits, decode = decodeUtf8 }: ReadFormOptions = {}): FormValues {
  const values = new Map<string, string[]>();
  let pairCount = 0;
  for (let start = 0; start < text.length; ) {
    const separator = text.indexOf("&", start);
    const end = separator < 0 ? text.length : separator;
    if (end > start) {
      pairCount++;
      if (limits !== undefined && pairCount > limits.pairs) {
        throw new FormLimitError("pairs", limits.pairs);
      }
      const equalsIndex = text.indexOf("=", start);
      if (equalsIndex >= 0 && equalsIndex < end) {
        const name = decodePart(text.slice(start, equalsIndex), decode);
        const value = decodePart(text.slice(equalsIndex + 1, end), decode);
        if (limits !== undefined) {
          checkLengths(name, value, limits);
        }
        const earlierValues = values.get(name);
        if (earlierValues === undefined) {
          values.set(name, [value]);
        } else {
          earlierValues.push(value);
        }
      }
    }
    start = end + 1;
  }
  return values;
}

function checkLengths(name: string, value: string, limits: FormLimits): void {
  if (name.length > limits.paramName) {
    throw new FormLimitError("paramName", limits.paramName);
  }
  if (value.length > limits.paramValue) {
    throw new FormLimitError("paramValue", limits.paramValue);
  }
}

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes UTF-8. Invalid bytes become U+FFFD; a byte-order mark is kept. */
export const decodeUtf8: DecodeBytes = (bytes) => utf8.decode(bytes);

/**
 * Decodes one name or value: `+` is a space, `%XX` is a byte, `%uXXXX` is a UTF-16 unit (as .NET clients send it), and
 * any other `%` is a literal.
 */
export function decodePart(text: string, decode: DecodeBytes = decodeUtf8): string {
  if (needsNoDecoding(text)) {
    return text;
  }
  let result = "";
  const bytes = new Uint8Array(text.length);
  let byteCount = 0;
  const flush = () => {
    if (byteCount > 0) {
      result += decode(bytes.subarray(0, byteCount));
    }
    byteCount = 0;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const unit = code === PERCENT ? readEscape(text, index) : undefined;
    if (unit?.isWide) {
      flush();
      result += String.fromCharCode(unit.value);
      index += 5;
    } else if (unit !== undefined) {
      bytes[byteCount++] = unit.value;
      index += 2;
    } else if (code > 0xff) {
      flush();
      result += text[index];
    } else {
      bytes[byteCount++] = code === PLUS ? SPACE : code;
    }
  }
  flush();
  return result.replace(loneSurrogate, "\uFFFD");
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const loneSurrogate = /[\ud800-\udfff]/gu;

function needsNoDecoding(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === PERCENT || code === PLUS || code > 0x7f) {
      return false;
    }
  }
  return true;
}

function readEscape(text: string, index: number): { value: number; isWide: boolean } | undefined {
  const isWide = text[index + 1] === "u" || text[index + 1] === "U";
  const digits = isWide ? text.slice(index + 2, index + 6) : text.slice(index + 1, index + 3);
  if (digits.length !== (isWide ? 4 : 2) || !/^[0-9A-Fa-f]+$/.test(digits)) {
    return undefined;
  }
  return { value: Number.parseInt(digits, 16), isWide };
}

/**
 * Encodes one name or value as UTF-8, for queries, forms and path segments. The text must not contain lone surrogates.
 */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Writes a query or form body. */
export function writeForm(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}
