import type { JsonTypeName, JsonValue } from "../descriptor.js";
import { bestType } from "./best-type.js";
import { readAlternatives } from "./combined.js";
import { formatProblem } from "./formats.js";
import type { ItemCount } from "./item-count.js";
import { listed, Problem, typeProblem } from "./problem.js";
import { readList, readObject } from "./read-members.js";
import { boundsProblem, textProblem } from "./scalar-problems.js";
import type { Schema } from "./schema.js";
import { areEqual, booleanOf, numberOf } from "./values.js";

/** A value's name in messages, and the count that the items of its lists add to. */
export interface ValuePlace {
  /** For example `include[1]`. */
  readonly name: string;
  readonly items: ItemCount;
}

/**
 * Reads a value in the type its schema says (`"5"` is 5, `"1,2"` a list), or returns what is wrong with it. Throws
 * `ItemLimitError`.
 */
export function readValue(given: JsonValue, schema: Schema, place: ValuePlace): JsonValue | Problem {
  const { name, items } = place;
  const before = items.count;
  let most = before;
  let value = given;
  let types = schema.types;
  for (const alternatives of schema.combined) {
    const read = readAlternatives(value, alternatives, place);
    if (read instanceof Problem) return read;
    // The items of the alternatives are read again below, and count once.
    most = Math.max(most, items.count);
    items.resetTo(before);
    value = read.value;
    types ??= read.schema.types;
  }
  const type = types && (types.length === 1 ? types[0] : bestType(value, types));
  if (types !== undefined && type === undefined) return typeProblem(name, types);

  const read = type === undefined ? value : readTyped(type, value, schema, place);
  if (items.count < most) items.resetTo(most);
  if (read instanceof Problem) return read;
  if (schema.enum.length > 0 && !isAllowed(read, schema.enum)) return enumProblem(schema.enum, name);
  if (schema.format === undefined || (type !== undefined && type !== "string")) return read;
  return formatProblem(schema.format, read, name) ?? read;
}

function readTyped(type: JsonTypeName, value: JsonValue, schema: Schema, place: ValuePlace): JsonValue | Problem {
  const { name } = place;
  switch (type) {
    case "string":
      if (typeof value !== "string") return typeProblem(name, schema.types ?? [type]);
      return textProblem(value, schema, name) ?? value;
    case "integer":
    case "number":
      return readNumber(type, value, schema, name);
    case "boolean":
      return booleanOf(value) ?? typeProblem(name, schema.types ?? [type]);
    case "array":
      return readList(value, schema, place);
    case "object":
      return readObject(value, schema, place);
    case "null":
      return value === null ? null : typeProblem(name, schema.types ?? [type]);
  }
}

/** A number out of its bounds is told before a number that is not whole. */
function readNumber(type: "integer" | "number", value: JsonValue, schema: Schema, name: string): number | Problem {
  const number = numberOf(value);
  if (number === undefined) return typeProblem(name, schema.types ?? [type]);
  const outside = boundsProblem(number, schema, name);
  if (outside !== undefined) return outside;
  // No handler meets -0.
  return type === "integer" && !Number.isInteger(number) ? typeProblem(name, schema.types ?? [type]) : number + 0;
}

function isAllowed(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  if (allowed.includes(value)) return true;
  return typeof value === "object" && allowed.some((one) => areEqual(one, value));
}

function enumProblem(allowed: readonly JsonValue[], name: string): Problem {
  const words = allowed.map((one) => (typeof one === "object" && one !== null ? JSON.stringify(one) : scalarText(one)));
  const message = words.length === 1 ? `${name} is not ${words[0]}.` : `${name} is not one of ${listed(words)}.`;
  return new Problem(name, "rest_not_in_enum", message);
}

/** As PHP writes a single value into text. */
function scalarText(value: JsonValue): string {
  if (value === null || value === false) return "";
  return value === true ? "1" : String(value);
}
