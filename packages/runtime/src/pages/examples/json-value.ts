import type { JsonObject, JsonValue } from "../../descriptor.js";
import { isObject } from "../../rest/php-values.js";
import { patternText } from "./pattern-text.js";
import { documentedExample, type Facets, simpleValue, textWithin } from "./simple-value.js";

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00",
  date: "2026-01-31",
  time: "12:00:00",
  email: "name@example.com",
  uri: "https://example.com/",
  "uri-reference": "/path",
  hostname: "example.com",
  ip: "192.0.2.1",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  "hex-color": "#0b6b60",
};
const maxDepth = 4;

/** A value that a schema of an index allows, as far as the schema shows it. */
export function jsonExample(schema: JsonObject, depth = 0): JsonValue {
  const declared = declaredExample(schema);
  if (declared !== undefined) {
    return declared;
  }
  const [type] = typesOf(schema).filter((name) => name !== "null");
  switch (type) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Number(
        documentedNumber(schema) ?? simpleValue(type === "integer" ? "int" : "decimal", numberFacets(schema)),
      );
    case "array":
      return depth < maxDepth ? [jsonExample(memberOf(schema, "items"), depth + 1)] : [];
    case "object":
      return objectExample(schema, depth);
    default:
      return textExample(schema);
  }
}

/** An example as the text of a form's field. */
export function exampleText(schema: JsonObject): string {
  const example = jsonExample(schema);
  return typeof example === "string" ? example : JSON.stringify(example);
}

function declaredExample({ example, examples, default: initial, enum: values }: JsonObject): JsonValue | undefined {
  const [first] = Array.isArray(examples) ? examples : [];
  const [value] = Array.isArray(values) ? values : [];
  const isEmpty = initial === undefined || initial === null || initial === "" || JSON.stringify(initial).length < 3;
  return example ?? first ?? (isEmpty && typeof initial !== "number" && typeof initial !== "boolean" ? value : initial);
}

function objectExample(schema: JsonObject, depth: number): JsonObject {
  const properties = Object.entries(memberOf(schema, "properties")).filter(
    ([, property]) => property !== undefined && isObject(property) && property["readonly"] !== true,
  );
  return depth >= maxDepth
    ? {}
    : Object.fromEntries(
        properties.map(([name, property]) => [name, jsonExample(isObject(property) ? property : {}, depth + 1)]),
      );
}

function textExample(schema: JsonObject): string {
  const { description, format, pattern, minLength, maxLength } = schema;
  const documented = documentedExample(typeof description === "string" ? description : undefined);
  const matching = typeof pattern === "string" ? patternText(pattern) : undefined;
  const facets = facetsOf({ minLength, maxLength });
  const usual = typeof format === "string" ? formats[format] : describedExample(description);
  return documented ?? matching ?? usual ?? textWithin("string", facets);
}

/** Words of descriptions, and the format of the values that they describe. */
const describedFormats: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ISO ?8601|date)\b/i, "date-time"],
  [/\bURL\b/i, "uri"],
  [/\be-?mail address\b/i, "email"],
];

function describedExample(description: JsonValue | undefined): string | undefined {
  const format = describedFormats.find(([words]) => typeof description === "string" && words.test(description))?.[1];
  return format === undefined ? undefined : formats[format];
}

function documentedNumber({ description }: JsonObject): string | undefined {
  const documented = documentedExample(typeof description === "string" ? description : undefined);
  return documented !== undefined && /^-?\d{1,15}$/.test(documented) ? documented : undefined;
}

function numberFacets({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): Facets {
  const [least, most] = [exclusiveMinimum === true, exclusiveMaximum === true];
  return facetsOf({
    [least ? "minExclusive" : "minInclusive"]: minimum,
    [most ? "maxExclusive" : "maxInclusive"]: maximum,
  });
}

function facetsOf(values: Readonly<Record<string, JsonValue | undefined>>): Facets {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === "number" ? [[name, String(value)]] : [])),
  );
}

function memberOf(schema: JsonObject, name: string): JsonObject {
  const value = schema[name];
  return value !== undefined && isObject(value) ? value : {};
}

/** The types that a schema allows. */
export function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === "string") {
    return [type];
  }
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}
