import type { JsonObject, JsonValue } from "@bothends/runtime";
import type { Random } from "./random-text.js";
import { getTextOfPattern } from "./random-text.js";

/**
 * Makes a random value that probably matches an argument's definition in an index. Strings never look like numbers, and
 * no value is empty, so that the value is the same in a query and in JSON.
 */
export function makeJson(definition: JsonObject, random: Random, depth = 0): JsonValue {
  const enumValues = listAllowedValues(definition["enum"]);
  if (enumValues.length > 0) {
    return random.pick(enumValues) ?? null;
  }
  const alternatives = [definition["oneOf"], definition["anyOf"]].flatMap((schemas) =>
    Array.isArray(schemas) ? schemas : [],
  );
  const alternative = random.pick(alternatives);
  if (isObject(alternative)) {
    return makeJson({ ...definition, oneOf: null, anyOf: null, ...alternative }, random, depth);
  }
  switch (getType(definition)) {
    case "integer":
      return makeInteger(definition, random);
    case "number":
      return makeInteger(definition, random);
    case "boolean":
      return random.drawBoolean(50);
    case "array":
      return makeArray(definition, random, depth);
    case "object":
      return makeObject(definition, random, depth);
    case "null":
      return null;
    default:
      return makeText(definition, random);
  }
}

function listAllowedValues(values: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(values)) {
    return values.filter((value) => value !== null && value !== "");
  }
  return isObject(values) ? listAllowedValues(Object.values(values).map((value) => value ?? null)) : [];
}

/** Returns the first type of a definition. WordPress reads a value as the first type that it matches. */
function getType(definition: JsonObject): string {
  const { type } = definition;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  if (types.length === 0) {
    return definition["properties"] !== undefined ? "object" : "string";
  }
  return types.find((type) => type !== "null") ?? "null";
}

function drawNumber(definition: JsonObject, name: string): number | undefined {
  const value = definition[name];
  return typeof value === "number" ? value : undefined;
}

function makeInteger(definition: JsonObject, random: Random): number {
  const minimum = Math.ceil(drawNumber(definition, "minimum") ?? 1) + (definition["exclusiveMinimum"] === true ? 1 : 0);
  const maximum = Math.floor(drawNumber(definition, "maximum") ?? minimum + 90);
  const step = drawNumber(definition, "multipleOf") ?? 1;
  const value = minimum + random.drawIntegerBelow(Math.max(1, Math.min(maximum - minimum, 1000) + 1));
  return Number.isInteger(step) && step > 1 ? Math.ceil(value / step) * step : value;
}

function makeText(definition: JsonObject, random: Random): string {
  const { format, pattern } = definition;
  switch (format) {
    case "date-time":
      return `20${10 + random.drawIntegerBelow(20)}-0${1 + random.drawIntegerBelow(9)}-1${random.drawIntegerBelow(9)}T10:20:30`;
    case "date":
      return `20${10 + random.drawIntegerBelow(20)}-0${1 + random.drawIntegerBelow(9)}-11`;
    case "email":
      return `${random.drawText(5)}@example.org`;
    case "ip":
      return `10.0.${random.drawIntegerBelow(255)}.${random.drawIntegerBelow(255)}`;
    case "uuid":
      return `${random.drawDigits(8)}-${random.drawDigits(4)}-4${random.drawDigits(3)}-8${random.drawDigits(3)}-${random.drawDigits(12)}`;
    case "hex-color":
      return `#${random.drawDigits(6)}`;
    case "uri":
      return `https://example.org/${random.drawText(4)}`;
    default: {
      const minLength = drawNumber(definition, "minLength") ?? 1;
      const maxLength = drawNumber(definition, "maxLength") ?? Math.max(minLength, 8);
      if (typeof pattern === "string") {
        return getTextOfPattern(pattern.replace(/^\^|\$$/g, ""), random);
      }
      return random.drawText(Math.max(1, minLength, Math.min(maxLength, minLength + random.drawIntegerBelow(8))));
    }
  }
}

function makeArray(definition: JsonObject, random: Random, depth: number): JsonValue {
  const items = definition["items"];
  const minItems = Math.max(1, drawNumber(definition, "minItems") ?? 1);
  const maxItems = Math.max(minItems, drawNumber(definition, "maxItems") ?? minItems + 1);
  const count = minItems + random.drawIntegerBelow(Math.min(maxItems - minItems, 2) + 1);
  const values = Array.from({ length: count }, () => makeJson(isObject(items) ? items : {}, random, depth + 1));
  if (definition["uniqueItems"] !== true) {
    return values;
  }
  return values.filter(
    (value, index) => values.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === index,
  );
}

function makeObject(definition: JsonObject, random: Random, depth: number): JsonValue {
  const properties = Object.entries(isObject(definition["properties"]) ? definition["properties"] : {});
  const requiredNames = definition["required"];
  const values = properties.flatMap(([name, propertyDefinition], index): readonly (readonly [string, JsonValue])[] => {
    const property = isObject(propertyDefinition) ? propertyDefinition : {};
    const isRequired = property["required"] === true || (Array.isArray(requiredNames) && requiredNames.includes(name));
    const isIncluded = isRequired || (depth < 6 && (index === 0 || random.drawBoolean(40)));
    return isIncluded ? [[name, makeJson(property, random, depth + 1)]] : [];
  });
  if (values.length > 0) {
    return Object.fromEntries(values);
  }
  const additionalSchema = findMember(definition, "additionalProperties");
  if (additionalSchema === false) {
    return {};
  }
  return { [random.drawText(4)]: makeJson(isObject(additionalSchema) ? additionalSchema : {}, random, depth + 1) };
}

/** Returns a member of an object; undefined if the value is not an object. */
export function findMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
