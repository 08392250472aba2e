import { type JsonValue, jsonTypeNamed } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import { formatJson, getMember, isList, isObject, type JsonMembers } from "./json-values.js";

// Writes JSON Schemas as texts, which are equal if the schemas mean the same. Also lists the keywords that servers check.

/** The types to which keywords apply. */
export const families = ["number", "string", "array", "object"] as const;

export type Family = (typeof families)[number];

/** Keywords that determine the type of a value, by the family to which they apply. */
const typeKeywords: Readonly<Partial<Record<Family, readonly string[]>>> = {
  array: ["items"],
  object: ["properties", "required"],
};

/** Keywords that servers check for values of a family. */
const checkedKeywords: Readonly<Record<Family, readonly string[]>> = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern"],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties", "additionalProperties", "patternProperties"],
};

/**
 * Whether servers check the keywords of a family. They check a keyword only if the schema, or one of the alternatives of a schema
 * without a type, declares the type to which the keyword applies.
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

/** Whether servers check a keyword of a schema that restricts values or determines their type. */
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
 * Whether servers check the format of a value. They also check it if the schema has no type, because the value is then read as
 * text.
 */
export function isText(schema: JsonMembers): boolean {
  return getTypes(schema).length === 0 || isChecked(schema, "string");
}

/** Whether a schema accepts every text. */
export function acceptsEveryText(schema: JsonMembers): boolean {
  const isAnnotation = ([keyword, value]: readonly [string, JsonValue]) =>
    keyword === "type" || !isRestriction(keyword, schema) || isUncheckedFormat(keyword, value);
  return getTypes(schema).includes("string") && Object.entries(schema).every(isAnnotation);
}

/** Returns a text that is equal for schemas that accept the same values: without titles, defaults and other annotations. */
export function formatAcceptance(schema: JsonMembers): string {
  return formatJson(getAcceptance(schema));
}

function getAcceptance(schema: JsonMembers): JsonValue {
  const inheritedType = getTypes(schema).length === 0 ? {} : { type: schema["type"] ?? null };
  const nested = (value: JsonValue) => (isObject(value) ? getAcceptance(value) : value);
  const named = (value: JsonValue) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, nested(member)])) : value;
  const alternative = (value: JsonValue) => nested(isObject(value) ? { ...inheritedType, ...value } : value);
  const normalize = (keyword: string, value: JsonValue): JsonValue => {
    switch (keyword) {
      case "type":
        return formatTypes(schema);
      case "properties":
      case "patternProperties":
        return named(value);
      case "anyOf":
        return isList(value) ? formatUniqueTexts(value.map(alternative)) : value;
      case "oneOf":
        return isList(value) ? value.map((item) => formatJson(alternative(item))).sort() : value;
      case "enum":
        return formatUniqueTexts(getListedValues(schema));
      case "required":
        return isList(value) ? formatUniqueTexts(value) : value;
      default:
        return nested(value);
    }
  };
  // In JSON Schema draft 3, `required` is a keyword of the property.
  const isKept = (keyword: string, value: JsonValue) =>
    (isRestriction(keyword, schema) && !isUncheckedFormat(keyword, value)) ||
    (keyword === "required" && value === true);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) =>
      isKept(keyword, value) ? [[keyword, normalize(keyword, value)] as const] : [],
    ),
  );
}

/** Returns the types of a schema; [] if the schema allows every type, for example because the name of its type is unknown. */
export function getTypes({ type }: JsonMembers): readonly string[] {
  const words = isList(type) ? type : [type];
  const names = words.flatMap((word) => jsonTypeNamed(word) ?? []);
  return names.length === words.length ? names : [];
}

/** Returns the types of a schema as text. */
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

/** Returns the part of a schema that a type can express, as text. It is equal for schemas with the same meaning. */
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

/** Returns the texts of values, each once, in a fixed order. */
function formatUniqueTexts(values: readonly JsonValue[]): readonly string[] {
  return [...new Set(values.map(formatJson))].sort();
}

/** Returns the values of an enumeration, which may be written as an object whose keys are ignored. */
export function getListedValues({ enum: values }: JsonMembers): readonly JsonValue[] {
  return isList(values) ? values : isObject(values) ? Object.values(values) : [];
}

/** Returns the schema as text, without its documentation. */
export function formatSchema({ description: _, ...schema }: JsonMembers): string {
  return formatJson(schema);
}

/** The formats that servers check. For other formats, such as `uri`, servers accept every text. */
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

/** Compares the formats of a text; undefined if they are equal. */
export function formatChange(before: unknown, after: unknown): FormatChange | undefined {
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
