import type { JsonTypeName, JsonValue } from "../descriptor.js";
import { bestType } from "./best-type.js";
import { coerce, propertySchema } from "./coerce.js";
import { anyOfProblem, matchingAlternative, oneOfProblem } from "./combined.js";
import { formatProblem } from "./formats.js";
import { counted, listed, type Problem, problem, typeProblem } from "./problem.js";
import type { Schema } from "./schema.js";
import { areEqual, listOf, membersOf, numberOf } from "./values.js";

/** What is wrong with a value by its schema; undefined: nothing. `name` says where it stands: `include[1]`. */
export function validate(value: JsonValue, schema: Schema, name: string): Problem | undefined {
  const combined =
    (schema.anyOf && anyOfProblem(value, schema.anyOf, name)) ??
    (schema.oneOf && oneOfProblem(value, schema.oneOf, name));
  if (combined !== undefined) return combined;

  const types = schema.types ?? alternativeTypes(value, schema);
  const type = types && bestType(value, types);
  if (types !== undefined && type === undefined) {
    // A number out of its bounds is told before a number that is not whole.
    const [only] = types.length === 1 ? types : [];
    const bounds = only === "integer" ? boundsProblem(value, schema, name) : undefined;
    return bounds ?? typeProblem(name, types);
  }
  return (
    typedProblem(type, value, { schema, name }) ??
    enumProblem(value, schema, name) ??
    textFormat(type, value, { schema, name })
  );
}

interface Place {
  readonly schema: Schema;
  readonly name: string;
}

function alternativeTypes(value: JsonValue, schema: Schema): Schema["types"] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives && matchingAlternative(value, alternatives)?.types;
}

function typedProblem(type: JsonTypeName | undefined, value: JsonValue, { schema, name }: Place): Problem | undefined {
  switch (type) {
    case "array":
      return arrayProblem(value, schema, name);
    case "object":
      return objectProblem(value, schema, name);
    case "integer":
    case "number":
      return boundsProblem(value, schema, name);
    case "string":
      return stringProblem(String(value), schema, name);
    default:
      return undefined;
  }
}

function arrayProblem(value: JsonValue, schema: Schema, name: string): Problem | undefined {
  const items = listOf(value) ?? [];
  if (schema.items !== undefined) {
    for (const [index, item] of items.entries()) {
      const found = validate(item, schema.items, `${name}[${index}]`);
      if (found !== undefined) return found;
    }
  }
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    return problem("rest_too_few_items", `${name} must contain at least ${counted(schema.minItems, "item")}.`);
  }
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return problem("rest_too_many_items", `${name} must contain at most ${counted(schema.maxItems, "item")}.`);
  }
  if (schema.uniqueItems && hasDuplicates(items.map((item) => (schema.items ? coerce(item, schema.items) : item)))) {
    return problem("rest_duplicate_items", `${name} has duplicate items.`);
  }
  return undefined;
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  const seen = new Set<string>();
  return items.some((item) => {
    const key = stableText(item);
    return seen.has(key) || !seen.add(key);
  });
}

/** Equal values have equal texts, whatever the order of members. */
function stableText(value: JsonValue): string {
  return JSON.stringify(value, (_, member: JsonValue) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function objectProblem(value: JsonValue, schema: Schema, name: string): Problem | undefined {
  const members = membersOf(value) ?? [];
  const names = new Set(members.map(([member]) => member));
  const missing = schema.required.find((required) => !names.has(required));
  if (missing !== undefined) {
    return problem("rest_property_required", `${missing} is a required property of ${name}.`);
  }
  for (const [member, inner] of members) {
    const known = propertySchema(member, schema);
    if (known === undefined) continue;
    // The name of a property that the schema does not list is the request's, and is not repeated.
    if (known === false) {
      return problem("rest_additional_properties_forbidden", "A property is not a valid property of Object.");
    }
    const found = validate(inner, known, `${name}[${schema.properties.has(member) ? member : "*"}]`);
    if (found !== undefined) return found;
  }
  if (schema.minProperties !== undefined && members.length < schema.minProperties) {
    const least = counted(schema.minProperties, "property", "properties");
    return problem("rest_too_few_properties", `${name} must have at least ${least}.`);
  }
  if (schema.maxProperties !== undefined && members.length > schema.maxProperties) {
    const most = counted(schema.maxProperties, "property", "properties");
    return problem("rest_too_many_properties", `${name} must have at most ${most}.`);
  }
  return undefined;
}

function stringProblem(text: string, schema: Schema, name: string): Problem | undefined {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = lengthOf(text);
    if (schema.minLength !== undefined && length < schema.minLength) {
      return problem("rest_too_short", `${name} must be at least ${counted(schema.minLength, "character")} long.`);
    }
    if (schema.maxLength !== undefined && length > schema.maxLength) {
      return problem("rest_too_long", `${name} must be at most ${counted(schema.maxLength, "character")} long.`);
    }
  }
  if (schema.pattern?.matcher?.test(text) === false) {
    return problem("rest_invalid_pattern", `${name} does not match pattern ${schema.pattern.text}.`);
  }
  return undefined;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function boundsProblem(value: JsonValue, { minimum, maximum, ...schema }: Schema, name: string): Problem | undefined {
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (schema.multipleOf !== undefined && schema.multipleOf !== 0 && number % schema.multipleOf !== 0) {
    return problem("rest_invalid_multiple", `${name} must be a multiple of ${schema.multipleOf}.`);
  }
  const low = minimum !== undefined && (schema.exclusiveMinimum ? number <= minimum : number < minimum);
  const high = maximum !== undefined && (schema.exclusiveMaximum ? number >= maximum : number > maximum);
  if (!low && !high) return undefined;
  return problem("rest_out_of_bounds", `${name} must be ${boundsText({ ...schema, minimum, maximum })}`);
}

function boundsText(schema: Pick<Schema, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && maximum !== undefined) {
    const kind = (exclusive: boolean) => (exclusive ? "(exclusive)" : "(inclusive)");
    return `between ${whole(minimum)} ${kind(exclusiveMinimum)} and ${whole(maximum)} ${kind(exclusiveMaximum)}`;
  }
  if (minimum !== undefined) return `greater than ${exclusiveMinimum ? "" : "or equal to "}${whole(minimum)}`;
  return `less than ${exclusiveMaximum ? "" : "or equal to "}${whole(maximum ?? 0)}`;
}

function whole(number: number): string {
  return String(Math.trunc(number));
}

function enumProblem(value: JsonValue, schema: Schema, name: string): Problem | undefined {
  if (schema.enum.length === 0) return undefined;
  const coerced = coerce(value, { ...schema, enum: [] });
  if (schema.enum.some((allowed) => areEqual(allowed, coerced))) return undefined;
  const words = schema.enum.map((allowed) =>
    typeof allowed === "object" && allowed !== null ? JSON.stringify(allowed) : scalarText(allowed),
  );
  const message = words.length === 1 ? `${name} is not ${words[0]}.` : `${name} is not one of ${listed(words)}.`;
  return problem("rest_not_in_enum", message);
}

/** As PHP writes a single value into text. */
function scalarText(value: JsonValue): string {
  if (value === null || value === false) return "";
  return value === true ? "1" : String(value);
}

function textFormat(type: JsonTypeName | undefined, value: JsonValue, { schema, name }: Place): Problem | undefined {
  if (schema.format === undefined || (type !== undefined && type !== "string")) return undefined;
  return formatProblem(schema.format, value, name);
}
