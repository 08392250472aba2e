import type { JsonObject, JsonValue } from "../descriptor.js";

/**
 * Values of a request, read as WordPress reads them: a query has only text and lists, so numbers, booleans and lists
 * are also accepted as text, in JSON too.
 */
const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
/** The longest text that is looked at as a number. */
const maxNumericChars = 400;

/** The number that a value is or spells; undefined when it is none, or too large to be one. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > maxNumericChars || !numeric.test(value)) return undefined;
  const number = Number(value.trim());
  return Number.isFinite(number) ? number : undefined;
}

/** The whole number that a value is or spells: `5`, `" 1"`, `"1.0"`, `"1e1"`. */
export function integerOf(value: JsonValue): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) ? number : undefined;
}

/** The boolean that a value is or spells: `true`, `"FALSE"`, `"1"`, `0`. */
export function booleanOf(value: JsonValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") {
    const text = value.length > 5 ? "" : value.toLowerCase();
    if (text === "true" || text === "1") return true;
    return text === "false" || text === "0" ? false : undefined;
  }
  return value === 1 || value === 0 ? value === 1 : undefined;
}

/** Whether a value is or spells a list: any text does. */
export function isListLike(value: JsonValue): boolean {
  return value !== null && (!isObject(value) || Object.keys(value).every(isIndex));
}

/**
 * The list that a value is or spells: separated by commas or white space, or keyed by numbers. A text is not split
 * further when it has more than `maxItems` items.
 */
export function listOf(value: JsonValue, maxItems = Number.POSITIVE_INFINITY): readonly JsonValue[] | undefined {
  if (!isListLike(value)) return undefined;
  if (Array.isArray(value)) return value;
  if (isObject(value)) return Object.values(value).map((item) => item ?? null);
  // The text before the first separator may be empty, and one item over the limit is enough to refuse the list.
  const pieces = textOf(value).split(/[\s,]+/, Math.min(maxItems + 2, maxArrayLength));
  return pieces.filter((item) => item !== "");
}

const maxArrayLength = 2 ** 32 - 1;

/** The members that a value has as an object: the empty text is an empty object, and a list is keyed by its indexes. */
export function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  if (value === "") return [];
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item] as const);
  if (!isObject(value)) return undefined;
  return Object.entries(value).map(([name, item]) => [name, item ?? null] as const);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are equal, members in any order. */
export function areEqual(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => areEqual(item, other[index] ?? null));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(one[name] ?? null, other[name] ?? null))
  );
}

function textOf(value: string | number | boolean | JsonValue): string {
  return typeof value === "boolean" ? (value ? "1" : "") : String(value);
}

/** A key that PHP takes for a number: `0`, `12`, `-3`, but not `01`. */
function isIndex(key: string): boolean {
  return /^(?:0|-?[1-9]\d{0,17})$/.test(key);
}
