import type { JsonType, JsonValue } from "@bothends/generator";
import type { Level } from "../../rules/rule.js";
import { getMembers } from "./json-type-rules.js";

// Determines how servers of one version read the values that clients of the other version send. Servers convert values
// as WordPress does (`rest_validate_value_from_schema` and `rest_sanitize_value_from_schema`).

/**
 * Returns how a changed type affects new servers that read old values, and old servers that read new values. Returns
 * undefined if either type has values other than scalars and lists of scalars. In a query, all values are text.
 */
export function findReadingLevels(
  [before, after]: readonly [JsonType, JsonType],
  inQuery: boolean,
): readonly [oldWriter: Level, newWriter: Level] | undefined {
  const [oldValues, newValues] = [listValues(before, after), listValues(after, before)];
  return oldValues === undefined || newValues === undefined
    ? undefined
    : [findReadingLevel([before, after], oldValues, inQuery), findReadingLevel([after, before], newValues, inQuery)];
}

/** Returns the effect on values of the type `writer` if a server reads them as the type `reader`. */
function findReadingLevel(
  [writer, reader]: readonly [JsonType, JsonType],
  values: readonly JsonValue[],
  inQuery: boolean,
): Level {
  const [readAsWriter, readAsReader] = [createReader(writer), createReader(reader)];
  const sentValues = inQuery ? values.map(writeInQuery) : values;
  const readValues = sentValues.map(readAsReader);
  const refusedCount = readValues.filter((value) => value === undefined).length;
  if (refusedCount > 0) {
    return refusedCount === values.length ? "breaks" : "some";
  }
  const isLost = (value: JsonValue, index: number) =>
    formatItems(readAsWriter(value)) !== formatItems(readValues[index]);
  return sentValues.some(isLost) ? "tolerated" : "none";
}

/** Scalars of each type that servers read in different ways. */
const scalarValues: Readonly<Record<string, readonly JsonValue[]>> = {
  string: ["", "text", "two words", "5", "5.5", "true", "1"],
  integer: [-3, 0, 1, 5],
  number: [-3, 0, 1, 5.5],
  boolean: [true, false],
  any: ["", "text", 5, true],
};

/**
 * Returns values of a type that represent all values that clients send, among them the values of the other type if that
 * is an enumeration. Returns undefined for other types than scalars and lists.
 */
function listValues(type: JsonType, other: JsonType): readonly JsonValue[] | undefined {
  if (type.kind === "enumeration") {
    return type.values.includes(null) ? undefined : type.values;
  }
  if (type.kind === "array") {
    // The number of values would double at each level of nested lists.
    const items =
      type.items.kind === "array" ? undefined : listValues(type.items, other.kind === "array" ? other.items : other);
    return items && [[], ...items.map((item) => [item]), items];
  }
  if (type.kind === "union") {
    const lists = getMembers(type).map((member) => listValues(member, other));
    return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []);
  }
  const values = scalarValues[type.kind];
  const convert = type.kind === "string" ? String : createReader(type);
  const otherValues = other.kind === "enumeration" ? other.values.map(convert) : [];
  return values && [...values, ...otherValues.filter((value) => value !== undefined)];
}

/** Returns the form of a value in a query, as servers receive it. An empty list is sent as an empty text. */
function writeInQuery(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length > 0 ? value.map(writeInQuery) : String(value);
}

/** Converts a value as servers do; returns undefined if servers refuse the value. */
type Reader = (value: JsonValue) => JsonValue | undefined;

/** Returns the function that converts values to a type. */
function createReader(type: JsonType): Reader {
  switch (type.kind) {
    case "string":
      return (value) => (typeof value === "string" ? value : undefined);
    case "integer":
      return (value) => {
        const number = readNumber(value);
        return Number.isInteger(number) ? number : undefined;
      };
    case "number":
      return readNumber;
    case "boolean":
      return (value) => booleans.get(typeof value === "string" ? value.toLowerCase() : value);
    case "array": {
      const readItem = createReader(type.items);
      return (value) => readList(value, readItem);
    }
    case "enumeration": {
      const [first] = type.values;
      const kind = typeof first === "number" ? "number" : typeof first === "boolean" ? "boolean" : "string";
      const readScalar = createReader({ kind });
      const allowedValues = new Set<JsonValue | undefined>(type.values);
      return (value) => {
        const scalar = readScalar(value);
        return allowedValues.has(scalar) ? scalar : undefined;
      };
    }
    case "union": {
      const readers = type.members.map(createReader);
      return (value) => readers.map((read) => read(value)).find((member) => member !== undefined);
    }
    case "any":
      return (value) => value;
    default:
      return () => undefined;
  }
}

const booleans: ReadonlyMap<JsonValue, boolean> = new Map<JsonValue, boolean>([
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
]);

function readNumber(value: JsonValue): number | undefined {
  const text = typeof value === "string" ? value.trim() : value;
  return typeof text === "boolean" || text === "" || typeof text === "object" || Number.isNaN(Number(text))
    ? undefined
    : Number(text);
}

/** Reads a list. Servers split a text at commas and white space; the text of `false` is empty, as in PHP. */
function readList(value: JsonValue, readItem: Reader): readonly JsonValue[] | undefined {
  const text = value === true ? "1" : value === false ? "" : String(value);
  const items: readonly JsonValue[] = Array.isArray(value) ? value : text.split(/[\s,]+/).filter((item) => item !== "");
  const readItems = items.map(readItem);
  return readItems.includes(undefined) ? undefined : readItems.flatMap((item) => (item === undefined ? [] : [item]));
}

/** Formats a value so that values with the same text are equal, and a list with one item equals the item. */
function formatItems(value: JsonValue | undefined): string {
  return JSON.stringify(Array.isArray(value) && value.length === 1 ? value[0] : value, (_key, member: JsonValue) =>
    typeof member === "object" ? member : String(member),
  );
}
