import type { JsonObject, JsonValue } from "../descriptor.js";

/** Numbers, booleans and lists are also accepted as text: a query has only text and lists. WordPress does so in JSON too. */
const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
/** Longer texts are not read as numbers. */
const maxNumericChars = 400;

/** The value as a number; undefined if it is not one, or too large. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? value : undefined;
  }
  if (typeof value !== "string" || value.length > maxNumericChars || !numeric.test(value)) {
    return undefined;
  }
  const number = Number(value.trim());
  return Number.isFinite(number) ? number : undefined;
}

/** The value as an integer: `5`, `" 1"`, `"1.0"`, `"1e1"`. */
export function integerOf(value: JsonValue): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) ? number : undefined;
}

/** The value as a boolean: `true`, `"FALSE"`, `"1"`, `0`. */
export function booleanOf(value: JsonValue): boolean | undefined {
  if (typeof value === "boolean") {
    return value;
  }
  if (typeof value === "string") {
    const text = value.length > 5 ? "" : value.toLowerCase();
    if (text === "true" || text === "1") {
      return true;
    }
    return text === "false" || text === "0" ? false : undefined;
  }
  return value === 1 || value === 0 ? value === 1 : undefined;
}

/** Whether a value can be read as a list, as every text can. */
export function isListLike(value: JsonValue): boolean {
  return value !== null && (!isObject(value) || Object.keys(value).every(isIndex));
}

/**
 * The value as a list: text separated by commas or white space, or an object keyed by numbers. The split of a text stops
 * after `maxItems` items and one.
 */
export function listOf(value: JsonValue, maxItems = Number.POSITIVE_INFINITY): readonly JsonValue[] | undefined {
  if (!isListLike(value)) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return value;
  }
  if (isObject(value)) {
    return Object.values(value).map((item) => item ?? null);
  }
  // The text before the first separator may be empty, and one item over the limit is enough to refuse the list.
  const pieces = textOf(value).split(/[\s,]+/, Math.min(maxItems + 2, maxArrayLength));
  return pieces.filter((item) => item !== "");
}

const maxArrayLength = 2 ** 32 - 1;

/** The value's properties as an object: the empty text has none, and the keys of a list are its indexes. */
export function propertiesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  if (value === "") {
    return [];
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => [String(index), item] as const);
  }
  if (!isObject(value)) {
    return undefined;
  }
  return Object.entries(value).map(([name, item]) => [name, item ?? null] as const);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are equal; the order of properties does not matter. */
export function areEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) {
    return true;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => areEqual(item, right[index] ?? null));
  }
  if (!isObject(left) || !isObject(right)) {
    return false;
  }
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && areEqual(left[name] ?? null, right[name] ?? null))
  );
}

function textOf(value: string | number | boolean | JsonValue): string {
  return typeof value === "boolean" ? (value ? "1" : "") : String(value);
}

/** Whether PHP reads a key as a number: `0`, `12`, `-3`, but not `01`. */
function isIndex(key: string): boolean {
  return /^(?:0|-?[1-9]\d{0,17})$/.test(key);
}
