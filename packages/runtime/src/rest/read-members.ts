import type { JsonValue } from "../descriptor.js";
import { counted, Problem, typeProblem } from "./problem.js";
import { readValue, type ValuePlace } from "./read-value.js";
import type { Schema } from "./schema.js";
import { listOf, membersOf } from "./values.js";

/** A list whose items are in their type, or what is wrong with it. */
export function readList(value: JsonValue, schema: Schema, place: ValuePlace): readonly JsonValue[] | Problem {
  const { name } = place;
  const given = listOf(value, place.items.left);
  if (given === undefined) return typeProblem(name, schema.types ?? ["array"]);
  place.items.add(given.length);
  const items: JsonValue[] = [];
  const unnamed = { ...place, name: "" };
  for (const [index, item] of given.entries()) {
    const before = place.items.count;
    const read = schema.items === undefined ? item : readValue(item, schema.items, unnamed);
    if (read instanceof Problem) {
      place.items.resetTo(before);
      // Most items are valid: a name is made only for one that is not.
      return schema.items ? (namedProblem(item, schema.items, { ...place, name: `${name}[${index}]` }) ?? read) : read;
    }
    items.push(read);
  }
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    return new Problem(
      name,
      "rest_too_few_items",
      `${name} must contain at least ${counted(schema.minItems, "item")}.`,
    );
  }
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return new Problem(
      name,
      "rest_too_many_items",
      `${name} must contain at most ${counted(schema.maxItems, "item")}.`,
    );
  }
  if (schema.uniqueItems && hasDuplicates(items)) {
    return new Problem(name, "rest_duplicate_items", `${name} has duplicate items.`);
  }
  return items;
}

function namedProblem(item: JsonValue, schema: Schema, place: ValuePlace): Problem | undefined {
  const read = readValue(item, schema, place);
  return read instanceof Problem ? read : undefined;
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  return new Set(items.map(stableText)).size < items.length;
}

/** Equal values have equal texts, whatever the order of members. */
function stableText(value: JsonValue): string {
  return JSON.stringify(value, (_, member: JsonValue) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/** An object whose members are in their type, or what is wrong with it. */
export function readObject(value: JsonValue, schema: Schema, { name, items }: ValuePlace): JsonValue | Problem {
  const given = membersOf(value);
  if (given === undefined) return typeProblem(name, schema.types ?? ["object"]);
  const missing = schema.required.find((required) => !given.some(([member]) => member === required));
  if (missing !== undefined) {
    return new Problem(name, "rest_property_required", `${missing} is a required property of ${name}.`);
  }
  const members: [string, JsonValue][] = [];
  for (const [member, inner] of given) {
    const known = propertySchema(member, schema);
    // The name of a property that the schema does not list is the request's, and is not repeated.
    if (known === false) {
      return new Problem(name, "rest_additional_properties_forbidden", "A property is not a valid property of Object.");
    }
    const place = schema.properties.has(member) ? member : "*";
    const read = known === undefined ? inner : readValue(inner, known, { name: `${name}[${place}]`, items });
    if (read instanceof Problem) return read;
    members.push([member, read]);
  }
  return countProblem(members.length, schema, name) ?? Object.fromEntries(members);
}

function countProblem(count: number, { minProperties, maxProperties }: Schema, name: string): Problem | undefined {
  if (minProperties !== undefined && count < minProperties) {
    const least = counted(minProperties, "property", "properties");
    return new Problem(name, "rest_too_few_properties", `${name} must have at least ${least}.`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const most = counted(maxProperties, "property", "properties");
    return new Problem(name, "rest_too_many_properties", `${name} must have at most ${most}.`);
  }
  return undefined;
}

/** What describes a property: its own schema, a pattern's, or that of all others; `false` forbids it. */
function propertySchema(name: string, schema: Schema): Schema | false | undefined {
  const own = schema.properties.get(name);
  if (own !== undefined) return own;
  const byPattern = schema.patternProperties.find(([pattern]) => pattern.matcher?.test(name) === true);
  return byPattern === undefined ? schema.additionalProperties : byPattern[1];
}
