import type { JsonTypeName, JsonValue } from "../descriptor.js";
import {
  boundsProblem,
  counted,
  formatProblem,
  listed,
  Problem,
  textProblem,
  typeProblem,
} from "./argument-problems.js";
import type { Alternatives, Schema } from "./argument-schema.js";
import { areEqual, booleanOf, integerOf, isListLike, isObject, listOf, membersOf, numberOf } from "./php-values.js";

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

/** A list whose items are in their type, or what is wrong with it. */
function readList(value: JsonValue, schema: Schema, place: ValuePlace): readonly JsonValue[] | Problem {
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
function readObject(value: JsonValue, schema: Schema, { name, items }: ValuePlace): JsonValue | Problem {
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

interface Failure {
  readonly schema: Schema;
  readonly position: number;
  readonly problem: Problem;
}

interface Match {
  readonly schema: Schema;
  readonly position: number;
  readonly value: JsonValue;
}

/** Reads a value by the alternative that it fits: exactly one of `oneOf`, the first of `anyOf`. */
function readAlternatives(value: JsonValue, { kind, schemas }: Alternatives, place: ValuePlace): Match | Problem {
  const { name, items } = place;
  const failures: Failure[] = [];
  const matches: Match[] = [];
  const before = items.count;
  let most = before;
  for (const [position, schema] of schemas.entries()) {
    items.resetTo(before);
    const read = readValue(value, schema, place);
    most = Math.max(most, items.count);
    if (read instanceof Problem) failures.push({ schema, position, problem: read });
    else matches.push({ schema, position, value: read });
  }
  // All alternatives read the same items, which count once.
  items.resetTo(most);
  const [first, second] = matches;
  if (first === undefined) return noneFits(value, failures, name);
  return kind === "anyOf" || second === undefined ? first : severalFit(matches, name);
}

function severalFit(matches: readonly Match[], name: string): Problem {
  const titles = titlesOf(matches.map(({ schema }) => schema));
  const message =
    titles === undefined
      ? `${name} matches more than one of the expected formats.`
      : `${name} matches ${listed(titles)}, but should match only one.`;
  return new Problem(name, "rest_one_of_multiple_matches", message, {
    positions: matches.map(({ position }) => position),
  });
}

/** Blames the alternative that was most likely meant, as WordPress does; all of them where none stands out. */
function noneFits(value: JsonValue, failures: readonly Failure[], name: string): Problem {
  const [first, second] = failures;
  if (first !== undefined && second === undefined) return because(first, name);

  // A wrong type of the whole value says that the alternative was not meant.
  const close = failures.filter(({ problem: found }) => {
    const param = isObject(found.data) ? found.data["param"] : undefined;
    return found.code !== "rest_invalid_type" || (param !== undefined && param !== name);
  });
  const [likely, alsoLikely] = close;
  if (likely !== undefined && alsoLikely === undefined) return because(likely, name);
  const closest = likely?.schema.types?.includes("object") === true ? mostProperties(value, close) : undefined;
  if (closest !== undefined) return because(closest, name);

  const titles = titlesOf(failures.map((failure) => failure.schema));
  const message =
    titles === undefined
      ? `${name} does not match any of the expected formats.`
      : `${name} is not a valid ${listed(titles)}.`;
  return new Problem(name, "rest_no_matching_schema", message);
}

function mostProperties(value: JsonValue, failures: readonly Failure[]): Failure | undefined {
  let most = 0;
  let result: Failure | undefined;
  for (const failure of failures) {
    const shared = isObject(value)
      ? Object.keys(value).filter((name) => failure.schema.properties.has(name)).length
      : 0;
    if (shared > most) {
      most = shared;
      result = failure;
    }
  }
  return result;
}

function because({ schema, position, problem: found }: Failure, name: string): Problem {
  const what = schema.title === undefined ? "does not match the expected format" : `is not a valid ${schema.title}`;
  return new Problem(name, "rest_no_matching_schema", `${name} ${what}. Reason: ${found.message}`, { position });
}

function titlesOf(schemas: readonly Schema[]): readonly string[] | undefined {
  const titles = schemas.flatMap((schema) => schema.title ?? []);
  return titles.length === schemas.length ? titles : undefined;
}

/** The first of several types that a value fits; undefined when it fits none. */
function bestType(value: JsonValue, types: readonly JsonTypeName[]): JsonTypeName | undefined {
  // The empty text is also an empty list and an empty object, but it is text first.
  if (value === "" && types.includes("string")) return "string";
  // A list fits an object too, keyed by its indexes, but it is a list first.
  if (Array.isArray(value) && types.includes("array")) return "array";
  return types.find((type) => fits(value, type));
}

function fits(value: JsonValue, type: JsonTypeName): boolean {
  switch (type) {
    case "array":
      return isListLike(value);
    case "object":
      return membersOf(value) !== undefined;
    case "integer":
      return integerOf(value) !== undefined;
    case "number":
      return numberOf(value) !== undefined;
    case "boolean":
      return booleanOf(value) !== undefined;
    case "string":
      return typeof value === "string";
    case "null":
      return value === null;
  }
}

/** The lists of a request have more items than it may send. */
export class ItemLimitError extends Error {
  constructor(limit: number) {
    super(`The request has more than ${limit} list items.`);
    this.name = "ItemLimitError";
  }
}

/** Counts the list items of one request, however its lists are written. */
export class ItemCount {
  readonly #limit: number;
  #count = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** How many more items there may be. */
  get left(): number {
    return this.#limit - this.#count;
  }

  /** Throws `ItemLimitError`. */
  add(items: number): void {
    this.#count += items;
    if (this.#count > this.#limit) throw new ItemLimitError(this.#limit);
  }

  /** Goes back to an earlier count, before the same items are read again. */
  resetTo(count: number): void {
    this.#count = count;
  }
}
