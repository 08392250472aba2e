import type { JsonTypeName, JsonValue } from "../descriptor.js";
import {
  type Alternatives,
  ArgumentProblem,
  type ArgumentSchema,
  boundsProblem,
  countText,
  formatProblem,
  joinWords,
  textProblem,
  typeProblem,
} from "./argument-schema.js";
import { areEqual, booleanOf, integerOf, isListLike, isObject, listOf, numberOf, propertiesOf } from "./php-json.js";

/** The name of a value in messages, and the counter of list items. */
export interface ArgumentContext {
  /** For example `include[1]`. */
  readonly name: string;
  readonly items: ItemCount;
}

/** Reads a value in its schema's type (`"5"` is 5, `"1,2"` a list), or returns its problem. Throws `ItemLimitError`. */
export function readArgument(
  sent: JsonValue,
  schema: ArgumentSchema,
  context: ArgumentContext,
): JsonValue | ArgumentProblem {
  if (schema.isAnyText && typeof sent === "string") {
    return sent;
  }
  const { name, items } = context;
  const before = items.count;
  let most = before;
  let value = sent;
  let types = schema.types;
  for (const alternatives of schema.alternatives) {
    const read = readAlternatives(value, alternatives, context);
    if (read instanceof ArgumentProblem) {
      return read;
    }
    // The items of the alternatives are read again below, and are counted only once.
    most = Math.max(most, items.count);
    items.resetTo(before);
    value = read.value;
    types ??= read.schema.types;
  }
  const type = types && (types.length === 1 ? types[0] : bestType(value, types));
  if (types !== undefined && type === undefined) {
    return typeProblem(name, types);
  }

  const read = type === undefined ? value : readTyped(type, value, schema, context);
  if (items.count < most) {
    items.resetTo(most);
  }
  if (read instanceof ArgumentProblem) {
    return read;
  }
  if (schema.enum.length > 0 && !isAllowed(read, schema.enum)) {
    return enumProblem(schema.enum, name);
  }
  if (schema.format === undefined || (type !== undefined && type !== "string")) {
    return read;
  }
  return formatProblem(schema.format, read, name) ?? read;
}

function readTyped(
  type: JsonTypeName,
  value: JsonValue,
  schema: ArgumentSchema,
  context: ArgumentContext,
): JsonValue | ArgumentProblem {
  const { name } = context;
  switch (type) {
    case "string":
      if (typeof value !== "string") {
        return typeProblem(name, schema.types ?? [type]);
      }
      return textProblem(value, schema, name) ?? value;
    case "integer":
    case "number":
      return readNumber(type, value, schema, name);
    case "boolean":
      return booleanOf(value) ?? typeProblem(name, schema.types ?? [type]);
    case "array":
      return readList(value, schema, context);
    case "object":
      return readObject(value, schema, context);
    case "null":
      return value === null ? null : typeProblem(name, schema.types ?? [type]);
  }
}

/** WordPress checks a number's bounds before it checks for an integer. */
function readNumber(
  type: "integer" | "number",
  value: JsonValue,
  schema: ArgumentSchema,
  name: string,
): number | ArgumentProblem {
  const number = numberOf(value);
  if (number === undefined) {
    return typeProblem(name, schema.types ?? [type]);
  }
  const outside = boundsProblem(number, schema, name);
  if (outside !== undefined) {
    return outside;
  }
  // Handlers receive 0 for -0.
  return type === "integer" && !Number.isInteger(number) ? typeProblem(name, schema.types ?? [type]) : number + 0;
}

function isAllowed(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  if (allowed.includes(value)) {
    return true;
  }
  return typeof value === "object" && allowed.some((candidate) => areEqual(candidate, value));
}

function enumProblem(allowed: readonly JsonValue[], name: string): ArgumentProblem {
  const words = allowed.map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : scalarText(value),
  );
  const message = words.length === 1 ? `${name} is not ${words[0]}.` : `${name} is not one of ${joinWords(words)}.`;
  return new ArgumentProblem(name, "rest_not_in_enum", message);
}

/** A scalar as text, converted like in PHP. */
function scalarText(value: JsonValue): string {
  if (value === null || value === false) {
    return "";
  }
  return value === true ? "1" : String(value);
}

/** Reads the items of a list in their type. */
function readList(
  value: JsonValue,
  schema: ArgumentSchema,
  context: ArgumentContext,
): readonly JsonValue[] | ArgumentProblem {
  const { name } = context;
  const sent = listOf(value, context.items.left);
  if (sent === undefined) {
    return typeProblem(name, schema.types ?? ["array"]);
  }
  context.items.add(sent.length);
  // A copy has the right capacity; a list that grows by `push` has room for 17 items.
  const items: JsonValue[] = sent.slice();
  const unnamed = { name: "", items: context.items };
  for (let index = 0; index < sent.length; index += 1) {
    const item = sent[index] ?? null;
    const before = context.items.count;
    const read = schema.items === undefined ? item : readArgument(item, schema.items, unnamed);
    if (read instanceof ArgumentProblem) {
      context.items.resetTo(before);
      // Builds a name only for an invalid item: most are valid.
      return schema.items
        ? (namedProblem(item, schema.items, { name: `${name}[${index}]`, items: context.items }) ?? read)
        : read;
    }
    items[index] = read;
  }
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    return new ArgumentProblem(
      name,
      "rest_too_few_items",
      `${name} must contain at least ${countText(schema.minItems, "item")}.`,
    );
  }
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return new ArgumentProblem(
      name,
      "rest_too_many_items",
      `${name} must contain at most ${countText(schema.maxItems, "item")}.`,
    );
  }
  if (schema.uniqueItems && hasDuplicates(items)) {
    return new ArgumentProblem(name, "rest_duplicate_items", `${name} has duplicate items.`);
  }
  return items;
}

function namedProblem(item: JsonValue, schema: ArgumentSchema, context: ArgumentContext): ArgumentProblem | undefined {
  const read = readArgument(item, schema, context);
  return read instanceof ArgumentProblem ? read : undefined;
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  return new Set(items.map(stableText)).size < items.length;
}

/** A text that is equal for equal values, regardless of property order. */
function stableText(value: JsonValue): string {
  return JSON.stringify(value, (_, member: JsonValue) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** Reads the properties of an object in their type. */
function readObject(
  value: JsonValue,
  schema: ArgumentSchema,
  { name, items }: ArgumentContext,
): JsonValue | ArgumentProblem {
  const properties = propertiesOf(value);
  if (properties === undefined) {
    return typeProblem(name, schema.types ?? ["object"]);
  }
  const missing = schema.required.find((required) => !properties.some(([property]) => property === required));
  if (missing !== undefined) {
    return new ArgumentProblem(name, "rest_property_required", `${missing} is a required property of ${name}.`);
  }
  const members: [string, JsonValue][] = [];
  for (const [property, inner] of properties) {
    const propertyRule = propertySchema(property, schema);
    // The name of an unlisted property comes from the request, and is not repeated.
    if (propertyRule === false) {
      return new ArgumentProblem(
        name,
        "rest_additional_properties_forbidden",
        "A property is not a valid property of Object.",
      );
    }
    const key = schema.properties.has(property) ? property : "*";
    const read =
      propertyRule === undefined ? inner : readArgument(inner, propertyRule, { name: `${name}[${key}]`, items });
    if (read instanceof ArgumentProblem) {
      return read;
    }
    members.push([property, read]);
  }
  return countProblem(members.length, schema, name) ?? Object.fromEntries(members);
}

function countProblem(
  count: number,
  { minProperties, maxProperties }: ArgumentSchema,
  name: string,
): ArgumentProblem | undefined {
  if (minProperties !== undefined && count < minProperties) {
    const least = countText(minProperties, "property", "properties");
    return new ArgumentProblem(name, "rest_too_few_properties", `${name} must have at least ${least}.`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const most = countText(maxProperties, "property", "properties");
    return new ArgumentProblem(name, "rest_too_many_properties", `${name} must have at most ${most}.`);
  }
  return undefined;
}

/** The schema of a property: by its name, by a pattern, or for additional properties; `false` forbids it. */
function propertySchema(name: string, schema: ArgumentSchema): ArgumentSchema | false | undefined {
  const listed = schema.properties.get(name);
  if (listed !== undefined) {
    return listed;
  }
  const byPattern = schema.patternProperties.find(([pattern]) => pattern.matcher?.test(name) === true);
  return byPattern === undefined ? schema.additionalProperties : byPattern[1];
}

interface Failure {
  readonly schema: ArgumentSchema;
  readonly position: number;
  readonly problem: ArgumentProblem;
}

interface Match {
  readonly schema: ArgumentSchema;
  readonly position: number;
  readonly value: JsonValue;
}

/** Reads a value by the matching alternative: exactly one of `oneOf`, the first of `anyOf`. */
function readAlternatives(
  value: JsonValue,
  { kind, schemas }: Alternatives,
  context: ArgumentContext,
): Match | ArgumentProblem {
  const { name, items } = context;
  const failures: Failure[] = [];
  const matches: Match[] = [];
  const before = items.count;
  let most = before;
  for (const [position, schema] of schemas.entries()) {
    items.resetTo(before);
    const read = readArgument(value, schema, context);
    most = Math.max(most, items.count);
    if (read instanceof ArgumentProblem) {
      failures.push({ schema, position, problem: read });
    } else {
      matches.push({ schema, position, value: read });
    }
  }
  // All alternatives read the same items, which are counted once.
  items.resetTo(most);
  const [first, second] = matches;
  if (first === undefined) {
    return noMatch(value, failures, name);
  }
  return kind === "anyOf" || second === undefined ? first : severalMatches(matches, name);
}

function severalMatches(matches: readonly Match[], name: string): ArgumentProblem {
  const titles = titlesOf(matches.map(({ schema }) => schema));
  const message =
    titles === undefined
      ? `${name} matches more than one of the expected formats.`
      : `${name} matches ${joinWords(titles)}, but should match only one.`;
  return new ArgumentProblem(name, "rest_one_of_multiple_matches", message, {
    positions: matches.map(({ position }) => position),
  });
}

/**
 * Reports the problem of the alternative that was most likely intended, as WordPress does; if that is unclear, the problems of
 * all.
 */
function noMatch(value: JsonValue, failures: readonly Failure[], name: string): ArgumentProblem {
  const [first, second] = failures;
  if (first !== undefined && second === undefined) {
    return alternativeProblem(first, name);
  }

  // An alternative was not intended if the whole value has the wrong type.
  const close = failures.filter(({ problem }) => {
    const param = isObject(problem.data) ? problem.data["param"] : undefined;
    return problem.code !== "rest_invalid_type" || (param !== undefined && param !== name);
  });
  const [likely, alsoLikely] = close;
  if (likely !== undefined && alsoLikely === undefined) {
    return alternativeProblem(likely, name);
  }
  const closest = likely?.schema.types?.includes("object") === true ? closestByProperties(value, close) : undefined;
  if (closest !== undefined) {
    return alternativeProblem(closest, name);
  }

  const titles = titlesOf(failures.map((failure) => failure.schema));
  const message =
    titles === undefined
      ? `${name} does not match any of the expected formats.`
      : `${name} is not a valid ${joinWords(titles)}.`;
  return new ArgumentProblem(name, "rest_no_matching_schema", message);
}

function closestByProperties(value: JsonValue, failures: readonly Failure[]): Failure | undefined {
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

function alternativeProblem({ schema, position, problem }: Failure, name: string): ArgumentProblem {
  const reason = schema.title === undefined ? "does not match the expected format" : `is not a valid ${schema.title}`;
  return new ArgumentProblem(name, "rest_no_matching_schema", `${name} ${reason}. Reason: ${problem.message}`, {
    position,
  });
}

function titlesOf(schemas: readonly ArgumentSchema[]): readonly string[] | undefined {
  const titles = schemas.flatMap((schema) => schema.title ?? []);
  return titles.length === schemas.length ? titles : undefined;
}

/** The first of several types that a value matches; undefined if it matches none. */
function bestType(value: JsonValue, types: readonly JsonTypeName[]): JsonTypeName | undefined {
  // An empty text is also an empty list and an empty object, but text has precedence.
  if (value === "" && types.includes("string")) {
    return "string";
  }
  // A list also satisfies `object`, but is read as a list if both types are allowed.
  if (Array.isArray(value) && types.includes("array")) {
    return "array";
  }
  return types.find((type) => matchesType(value, type));
}

function matchesType(value: JsonValue, type: JsonTypeName): boolean {
  switch (type) {
    case "array":
      return isListLike(value);
    case "object":
      return propertiesOf(value) !== undefined;
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

/** Thrown when the lists of a request have more items than the limit. */
export class ItemLimitError extends Error {
  constructor(limit: number) {
    super(`The request has more than ${limit} list items.`);
    this.name = "ItemLimitError";
  }
}

/** Counts the list items of one request, in JSON and in text. */
export class ItemCount {
  readonly #limit: number;
  #count = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of further items allowed. */
  get left(): number {
    return this.#limit - this.#count;
  }

  /** Throws `ItemLimitError`. */
  add(items: number): void {
    this.#count += items;
    if (this.#count > this.#limit) {
      throw new ItemLimitError(this.#limit);
    }
  }

  /** Resets to an earlier count before the same items are read again. */
  resetTo(count: number): void {
    this.#count = count;
  }
}
