import { findJsonType, type JsonValue, type Span } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import { findSpan, formatJson, getMember, isList, isObject, type JsonMembers } from "./json-values.js";

// Formats JSON Schemas as strings that are equal if the schemas mean the same. Also lists the keywords that servers
// check.

/** The types to which keywords apply: `minimum` applies to numbers, `minLength` to strings. */
export const families = ["number", "string", "array", "object"] as const;

export type Family = (typeof families)[number];

/** Keywords that determine the type of a value, by the type to which they apply. */
const typeKeywords: Readonly<Partial<Record<Family, readonly string[]>>> = {
  array: ["items"],
  object: ["properties", "required"],
};

/** Keywords that servers check, by the type to which they apply. */
const checkedKeywords: Readonly<Record<Family, readonly string[]>> = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties", "additionalProperties", "patternProperties"],
};

/**
 * Whether servers check the keywords of a family of types. They do so only if the schema, or an alternative of a schema
 * without a type, declares a type of this family.
 */
export function isChecked(schema: JsonMembers, family: Family): boolean {
  const types = listCheckedTypes(schema);
  return types.includes(family) || (family === "number" && types.includes("integer"));
}

function listCheckedTypes(schema: JsonMembers): readonly string[] {
  const types = getTypes(schema);
  const alternatives = [schema["anyOf"], schema["oneOf"]].flatMap((list) => (isList(list) ? list : []));
  return types.length > 0 ? types : alternatives.filter(isObject).flatMap(listCheckedTypes);
}

/** Whether a keyword restricts values or determines their type, and servers check it in the given schema. */
export function isRestriction(keyword: string, schema: JsonMembers): boolean {
  return (
    ["type", "anyOf", "oneOf", "enum"].includes(keyword) ||
    (keyword === "format" && isText(schema)) ||
    families.some(
      (family) =>
        isChecked(schema, family) &&
        (checkedKeywords[family].includes(keyword) || typeKeywords[family]?.includes(keyword) === true),
    )
  );
}

/**
 * Whether servers read a schema's values as strings, and therefore check their `format`. They do so if the schema
 * allows strings, or if it has no type.
 */
export function isText(schema: JsonMembers): boolean {
  return getTypes(schema).length === 0 || isChecked(schema, "string");
}

/** Whether a schema accepts every string. */
export function acceptsEveryText(schema: JsonMembers): boolean {
  const isAnnotation = ([keyword, value]: readonly [string, JsonValue]) =>
    keyword === "type" || !isRestriction(keyword, schema) || isUncheckedFormat(keyword, value);
  return getTypes(schema).includes("string") && Object.entries(schema).every(isAnnotation);
}

/**
 * Formats a schema so that schemas that accept the same values have equal results. Omits titles, defaults and other
 * annotations.
 */
export function formatAcceptance(schema: JsonMembers): string {
  return formatJson(getAcceptance(schema));
}

function getAcceptance(schema: JsonMembers): JsonValue {
  const inheritedType = getTypes(schema).length === 0 ? {} : { type: schema["type"] ?? null };
  const getNested = (value: JsonValue) => (isObject(value) ? getAcceptance(value) : value);
  const getNamed = (value: JsonValue) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, getNested(member)]))
      : value;
  const getAlternative = (value: JsonValue) => getNested(isObject(value) ? { ...inheritedType, ...value } : value);
  const normalize = (keyword: string, value: JsonValue): JsonValue => {
    switch (keyword) {
      case "type":
        return formatTypes(schema);
      case "properties":
      case "patternProperties":
        return getNamed(value);
      case "anyOf":
        return isList(value) ? formatUniqueTexts(value.map(getAlternative)) : value;
      case "oneOf":
        return isList(value) ? value.map((item) => formatJson(getAlternative(item))).sort() : value;
      case "enum":
        return formatUniqueTexts(getListedValues(schema));
      case "required":
        return isList(value) ? formatUniqueTexts(value) : value;
      default:
        return getNested(value);
    }
  };
  // In JSON Schema draft 3, `required: true` is a keyword of the property itself, so it belongs to the result too.
  const isKept = (keyword: string, value: JsonValue) =>
    (isRestriction(keyword, schema) && !isUncheckedFormat(keyword, value)) ||
    (keyword === "required" && value === true);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) =>
      isKept(keyword, value) ? [[keyword, normalize(keyword, value)] as const] : [],
    ),
  );
}

/**
 * Returns the types of a schema; [] if the schema allows every type, for example because the name of its type is
 * unknown.
 */
export function getTypes({ type }: JsonMembers): readonly string[] {
  const entries = isList(type) ? type : [type];
  const typeNames = entries.flatMap((entry) => findJsonType(entry) ?? []);
  return typeNames.length === entries.length ? typeNames : [];
}

/** Formats the types of a schema for comparisons and reports; empty if every type is allowed. */
export function formatTypes(schema: JsonMembers): string {
  return [...getTypes(schema)].sort().join();
}

/** Returns the names of the properties that an object must have. */
export function listRequiredNames(schema: JsonMembers): readonly string[] {
  const { required, properties } = schema;
  const names = isList(required) ? required.filter((name) => typeof name === "string") : [];
  const listedProperties = Object.entries(isObject(properties) ? properties : {});
  return [
    ...names,
    ...listedProperties.flatMap(([name, property]) => (getMember(property, "required") === true ? [name] : [])),
  ];
}

/** Formats the part of a schema that a type can express. Schemas with the same meaning have equal results. */
export function formatStructure(schema: JsonMembers): string {
  return formatJson(getStructure(schema));
}

function getStructure(schema: JsonMembers): JsonValue {
  const { properties, items, oneOf, anyOf } = schema;
  const isObjectChecked = isChecked(schema, "object");
  const listedProperties = Object.entries(isObjectChecked && isObject(properties) ? properties : {});
  const inheritedType = getTypes(schema).length === 0 ? {} : { type: schema["type"] ?? null };
  const listStructures = (schemas: readonly JsonValue[]) =>
    formatUniqueTexts(schemas.map((schema) => getStructure({ ...inheritedType, ...(isObject(schema) ? schema : {}) })));
  const members: readonly (readonly [string, JsonValue])[] = Object.entries({
    types: formatTypes(schema),
    enum: formatUniqueTexts(getListedValues(schema)),
    required: formatUniqueTexts(isObjectChecked ? listRequiredNames(schema) : []),
    properties: listedProperties
      .map(([name, property]) => formatJson([name, getStructure(isObject(property) ? property : {})]))
      .sort(),
    items: isObject(items) && isChecked(schema, "array") ? getStructure(items) : null,
    alternatives: listStructures([oneOf, anyOf].flatMap((list) => (isList(list) ? list : []))),
  });
  const presentMembers = members.filter(
    ([, value]) => value !== null && value !== "" && !(isList(value) && value.length === 0),
  );
  return presentMembers.length === 0 ? null : Object.fromEntries(presentMembers);
}

/**
 * Formats the order of the types and alternatives in a schema and in its parts. Servers read a value as the first type
 * that accepts it.
 */
export function formatTypeOrder(schema: JsonMembers): string {
  return JSON.stringify(getTypeOrder(schema));
}

function getTypeOrder({ type, properties, items, oneOf, anyOf }: JsonMembers): JsonValue {
  const getPart = (part: JsonValue | undefined) => (isObject(part) ? getTypeOrder(part) : null);
  const listParts = (list: JsonValue | undefined) =>
    isList(list) ? list.map((part) => (isObject(part) ? [getStructure(part), getTypeOrder(part)] : null)) : [];
  const names = Object.keys(isObject(properties) ? properties : {}).sort();
  return [
    isList(type) ? type : [],
    listParts(anyOf),
    listParts(oneOf),
    getPart(items),
    names.map((name) => [name, getPart(isObject(properties) ? properties[name] : undefined)]),
  ];
}

/** Formats values, removes duplicate results, and returns the rest in a fixed order. */
function formatUniqueTexts(values: readonly JsonValue[]): readonly string[] {
  return [...new Set(values.map(formatJson))].sort();
}

/**
 * Returns the values of an enumeration. The index may also write an enumeration as an object, whose keys are ignored.
 */
export function getListedValues({ enum: values }: JsonMembers): readonly JsonValue[] {
  return isList(values) ? values : isObject(values) ? Object.values(values) : [];
}

/** Returns the position of the first value in the `enum` of a schema that another one does not list, or of `enum`. */
export function findListedSpan(schema: JsonMembers, other: JsonMembers): Span | undefined {
  const { enum: values } = schema;
  const otherTexts = new Set(getListedValues(other).map(formatJson));
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(
    isList(values) || isObject(values) ? values : {},
  );
  const unlisted = entries.find(([, value]) => !otherTexts.has(formatJson(value)));
  return findSpan(schema, unlisted === undefined ? ["enum"] : ["enum", unlisted[0]]);
}

/** Describes a schema shortly for reports: `object {terms, operator}`, `integer (maximum 3)`. */
export function describeSchema(schema: JsonMembers): string {
  const { items, properties, oneOf, anyOf } = schema;
  const alternatives = [oneOf, anyOf].flatMap((list) => (isList(list) ? list.filter((part) => isObject(part)) : []));
  const describeType = (type: string) => {
    if (type === "array") {
      return isObject(items) ? `array of ${describeSchema(items)}` : type;
    }
    return type === "object" && isObject(properties) ? `object {${Object.keys(properties).join(", ")}}` : type;
  };
  const listedValues = getListedValues(schema);
  const texts =
    listedValues.length > 0
      ? [listedValues.map(formatJson).join(" | ")]
      : alternatives.length > 0
        ? alternatives.map(describeSchema)
        : getTypes(schema).map(describeType);
  const restrictions = Object.entries(schema).flatMap(([keyword, value]) =>
    typeof value !== "object" && keyword !== "type" && keyword !== "required" && isRestriction(keyword, schema)
      ? [`${keyword} ${value}`]
      : [],
  );
  const text = texts.length === 0 ? "any value" : texts.join(" or ");
  return restrictions.length === 0 ? text : `${text} (${restrictions.join(", ")})`;
}

/** Describes two schemas shortly, or completely if their short descriptions are equal. */
export function describeSchemas([before, after]: readonly [JsonMembers, JsonMembers]): {
  readonly before: string;
  readonly after: string;
} {
  const [oldText, newText] = [describeSchema(before), describeSchema(after)];
  return oldText === newText
    ? { before: formatSchema(before), after: formatSchema(after) }
    : { before: oldText, after: newText };
}

/** Formats a schema as JSON, without its description. */
function formatSchema({ description: _, ...schema }: JsonMembers): string {
  return formatJson(schema);
}

/** The formats that servers check. For other formats, such as `uri`, servers accept every string. */
const checkedFormats: readonly unknown[] = ["date-time", "email", "hex-color", "ip", "uuid"];

function isUncheckedFormat(keyword: string, value: JsonValue): boolean {
  return keyword === "format" && !checkedFormats.includes(value);
}

interface FormatChange {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
  readonly variant?: string;
}

/** Compares the formats of a string; undefined if they are equal. */
export function compareFormats(before: unknown, after: unknown): FormatChange | undefined {
  if (before === after) {
    return undefined;
  }
  const values = { before: `format ${before ?? "none"}`, after: `format ${after ?? "none"}` };
  const [wasChecked, isChecked] = [checkedFormats.includes(before), checkedFormats.includes(after)];
  if (wasChecked !== isChecked) {
    return { rule: isChecked ? "format-added" : "format-removed", ...values };
  }
  return { rule: "format-changed", ...values, ...(isChecked ? {} : { variant: "unchecked" }) };
}

/** Formats the formats of an argument's values and of the items of a list. */
export function formatFormats({ format = null, items }: JsonMembers): string {
  return formatJson([format, isObject(items) ? (items["format"] ?? null) : null]);
}

/** Whether the definition of an argument consists only of its type. */
export function hasOnlyType(definition: JsonMembers): boolean {
  const { type } = definition;
  return type !== undefined && formatStructure(definition) === formatStructure({ type });
}

/** Whether two schemas have the same JSON types. */
export function hasSameTypes(before: JsonMembers, after: JsonMembers): boolean {
  const types = getTypes(before).join();
  return types !== "" && types === getTypes(after).join();
}
