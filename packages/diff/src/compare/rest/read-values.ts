import { type JsonType, type JsonValue, readDefault } from "@bothends/generator";
import type { Level } from "../../rules/rule.js";
import { getMembers } from "./json-type-rules.js";
import { isList, isObject, type JsonMembers } from "./json-values.js";
import type { Schemas } from "./schema-alternatives.js";
import { families, getListedValues, isChecked } from "./schema-texts.js";

// Determines how servers of one version read the values that clients of the other version send. Servers convert values
// as WordPress does (`rest_validate_value_from_schema` and `rest_sanitize_value_from_schema`), and then check the
// restrictions of the schema, such as `minItems`.

/** A type and its schema in an index. */
interface Definition {
  readonly type: JsonType;
  readonly schema: JsonMembers;
}

/**
 * Returns how a changed type affects new servers that read old values, and old servers that read new values. Returns
 * undefined if either type has values other than scalars and lists of scalars. In a query, all values are text.
 */
export function findReadingLevels(
  [before, after]: readonly [JsonType, JsonType],
  { schemas, inQuery }: { readonly schemas: Schemas | undefined; readonly inQuery: boolean },
): readonly [oldWriter: Level, newWriter: Level] | undefined {
  // Restrictions that apply to values of both types are compared keyword by keyword.
  const isUsed =
    schemas !== undefined && !families.some((family) => schemas.every((schema) => isChecked(schema, family)));
  const [oldSide, newSide]: readonly [Definition, Definition] = [
    { type: before, schema: isUsed ? schemas[0] : createSchema(before) },
    { type: after, schema: isUsed ? schemas[1] : createSchema(after) },
  ];
  const [oldValues, newValues] = [listValues(before, [oldSide, newSide]), listValues(after, [newSide, oldSide])];
  return oldValues === undefined || newValues === undefined
    ? undefined
    : [
        findReadingLevel([oldSide, newSide], oldValues, inQuery),
        findReadingLevel([newSide, oldSide], newValues, inQuery),
      ];
}

/** Returns the effect on values that clients send for the definition `writer` if a server has `reader`. */
function findReadingLevel(
  [writer, reader]: readonly [Definition, Definition],
  values: readonly JsonValue[],
  inQuery: boolean,
): Level {
  const writtenValues = inQuery ? values.map(writeInQuery) : values.filter((value) => value !== null);
  const sentValues = writtenValues.filter((value) => readValue(value, writer.schema) !== undefined);
  const readValues = sentValues.map((value) => readValue(value, reader.schema));
  const refusedCount = readValues.filter((value) => value === undefined).length;
  // If a pattern decides which values are sent or accepted, the listed values do not represent all others.
  if (sentValues.length === 0 || isUndecided([writer, reader], refusedCount === sentValues.length)) {
    return "some";
  }
  if (refusedCount > 0) {
    return refusedCount === sentValues.length ? "breaks" : "some";
  }
  const isLost = (value: JsonValue, index: number) =>
    formatItems(readValue(value, writer.schema)) !== formatItems(readValues[index]);
  return sentValues.some(isLost) ? "tolerated" : "none";
}

type ReadValue = Extract<ReturnType<typeof readDefault>, { readonly value: unknown }>["value"];

/** Converts a value as servers do; returns undefined if servers refuse the value. */
function readValue(value: JsonValue, schema: JsonMembers): ReadValue | undefined {
  const result = readDefault("value", { ...schema, default: value });
  return result === undefined || "problem" in result ? undefined : result.value;
}

/** Whether a pattern makes it impossible to determine the effect from the listed values. */
function isUndecided([writer, reader]: readonly [Definition, Definition], areAllRefused: boolean): boolean {
  if (writer.type.kind === "enumeration" || writer.type.kind === "boolean") {
    return false;
  }
  const patterns = [writer.schema, reader.schema].flatMap((schema) => listKeyword(schema, "pattern")).map(String);
  const isNumeric = writer.type.kind === "integer" || writer.type.kind === "number";
  return patterns.some((pattern) => !(areAllRefused && isNumeric && !mayMatchDigits(pattern)));
}

/** Whether a pattern may require digits. Quantifiers do not count. */
function mayMatchDigits(pattern: string): boolean {
  return /[0-9.\\]|\[\^|\(\?/.test(pattern.replace(/\{\d*,?\d*\}/g, ""));
}

/** Returns the values of a keyword in a schema and in the schemas of its items and alternatives. */
function listKeyword(schema: JsonMembers, keyword: string): readonly JsonValue[] {
  const { [keyword]: value, items, anyOf, oneOf } = schema;
  const parts = [items, anyOf, oneOf].flatMap((part) => (isList(part) ? part : part === undefined ? [] : [part]));
  return [
    ...(value === undefined ? [] : [value]),
    ...parts.filter(isObject).flatMap((part) => listKeyword(part, keyword)),
  ];
}

/** Scalars of each type that servers read in different ways. */
const scalarValues: Readonly<Record<string, readonly JsonValue[]>> = {
  string: ["", "text", "two words", "5", "5.5", "true", "1"],
  integer: [-3, 0, 1, 5],
  number: [-3, 0, 1, 5.5],
  boolean: [true, false],
  any: ["", "text", 5, true],
  null: [null],
};

/** Texts with each format that servers check. */
const formattedTexts = ["2026-01-31T10:20:30", "ann@site.example", "#ff8800", "127.0.0.1"];
const uuid = "123e4567-e89b-42d3-a456-426614174000";
const maxLength = 1000;

/** Returns values at the limits of a schema and just beyond them. */
function listLimitValues(schema: JsonMembers): readonly JsonValue[] {
  const listNumbers = (keywords: readonly string[]) =>
    keywords.flatMap((keyword) => listKeyword(schema, keyword)).filter((value) => typeof value === "number");
  const bounds = listNumbers(["minimum", "maximum", "multipleOf"]).flatMap((value) => [value - 1, value, value + 1]);
  const listCounts = (keywords: readonly string[]) =>
    listNumbers(keywords)
      .flatMap((value) => [value, value + 1])
      .filter((value) => Number.isInteger(value) && value > 0 && value <= maxLength);
  const lengths = listCounts(["minLength", "maxLength"]);
  const lists = [...listCounts(["minItems", "maxItems"]), ...listKeyword(schema, "uniqueItems").map(() => 2)].map(
    (count) => Array.from({ length: count }, (_, index) => index + 1),
  );
  const texts = listKeyword(schema, "format").length > 0 ? [...formattedTexts, uuid] : [];
  return [
    ...listKeyword(schema, "enum").flatMap((values) => getListedValues({ enum: values })),
    ...bounds,
    ...lengths.flatMap((length) => ["a".repeat(length), ...(length < 16 ? [10 ** (length - 1)] : [])]),
    ...lists.flatMap((list) => [list.join(), list.map((item) => `word${item}`).join(), list.map(() => 1).join()]),
    ...texts,
  ];
}

/**
 * Returns values of a type that represent all values that clients send, among them values at the limits of both
 * definitions. Returns undefined for other types than scalars and lists.
 */
function listValues(type: JsonType, definitions: readonly [Definition, Definition]): readonly JsonValue[] | undefined {
  if (type.kind === "enumeration") {
    return type.values.includes(null) ? undefined : type.values;
  }
  if (type.kind === "array") {
    // The number of values would double at each level of nested lists.
    const items = type.items.kind === "array" ? undefined : listValues(type.items, definitions);
    const counts = definitions
      .flatMap(({ schema }) => [schema["minItems"], schema["maxItems"]])
      .filter((count) => typeof count === "number" && count <= maxLength);
    return (
      items && [
        [],
        ...items.map((item) => [item]),
        items,
        ...counts.map((count) =>
          Array.from({ length: Number(count) }, (_, index) => items[index % items.length] ?? ""),
        ),
      ]
    );
  }
  if (type.kind === "union") {
    const lists = getMembers(type).map((member) => listValues(member, definitions));
    return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []);
  }
  const values = scalarValues[type.kind];
  const limitValues = definitions.flatMap(({ schema }) => listLimitValues(schema));
  const convert = (value: JsonValue) => (type.kind === "string" ? String(value) : readValue(value, createSchema(type)));
  return (
    values && [
      ...values,
      ...(type.kind === "null" || type.kind === "any" ? [] : limitValues)
        .map(convert)
        .filter((value) => typeof value !== "object" && value !== undefined),
    ]
  );
}

/** Returns a schema without restrictions that has a type. */
function createSchema(type: JsonType): JsonMembers {
  switch (type.kind) {
    case "enumeration": {
      const types = [...new Set(type.values.map((value) => (value === null ? "null" : typeof value)))];
      return { type: types, enum: type.values };
    }
    case "array":
      return { type: "array", items: createSchema(type.items) };
    case "union":
      return { anyOf: type.members.map(createSchema) };
    case "any":
    case "named":
      return {};
    default:
      return { type: type.kind };
  }
}

/** Returns the form of a value in a query, as servers receive it. An empty list is sent as an empty text. */
function writeInQuery(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length > 0 ? value.map(writeInQuery) : String(value ?? "");
}

/** Formats a value so that values with the same text are equal, and a list with one item equals the item. */
function formatItems(value: ReadValue | undefined): string {
  return JSON.stringify(Array.isArray(value) && value.length === 1 ? value[0] : value, (_key, member: unknown) =>
    typeof member === "object" ? member : String(member),
  );
}
