import type { JsonTypeName, JsonValue } from "../descriptor.js";
import {
  type Alternatives,
  ArgumentProblem,
  type ArgumentSchema,
  compileSchema,
  findBoundsProblem,
  findTextProblem,
  findTypeProblem,
  formatCount,
  formatProblem,
  joinWords,
} from "./argument-schema.js";
import { findRoundedProblem } from "./exact-integers.js";
import {
  areEqual,
  findProperties,
  isJsonObject,
  isListLike,
  parseBoolean,
  parseInteger,
  parseNumber,
  toList,
} from "./php-json.js";

/** The arguments of `readArgument` other than the value and its schema. */
export interface ArgumentContext {
  /** The name that messages use for the argument, item or property: `include[1]`. */
  readonly name: string;
  /** Counts the list items of the request. */
  readonly items: ItemCount;
  /** Whether rounded integers are accepted, as in the defaults of an index, where the generator reports them. */
  readonly allowsRounded: boolean;
}

/**
 * Converts a value to the type that its schema requires: `"5"` to 5, `"1,2"` to a list. Returns a problem if that is
 * impossible. Throws `ItemLimitError`.
 */
export function readArgument(
  sentValue: JsonValue,
  schema: ArgumentSchema,
  context: ArgumentContext,
): JsonValue | ArgumentProblem {
  if (schema.isAnyText && typeof sentValue === "string") {
    return sentValue;
  }
  const { name, items } = context;
  const startCount = items.count;
  let maxCount = startCount;
  let value = sentValue;
  let types = schema.types;
  for (const alternatives of schema.alternatives) {
    const match = readAlternatives(value, alternatives, context);
    if (match instanceof ArgumentProblem) {
      return match;
    }
    // Below, the items are read again with the final type, so they must be counted only once.
    maxCount = Math.max(maxCount, items.count);
    items.resetTo(startCount);
    value = match.value;
    types ??= match.schema.types;
  }
  const type = types && (types.length === 1 ? types[0] : findBestType(value, types));
  if (types !== undefined && type === undefined) {
    return findTypeProblem(name, types);
  }

  const typedValue = type === undefined ? readUntyped(value, context) : readTyped(type, value, schema, context);
  if (items.count < maxCount) {
    items.resetTo(maxCount);
  }
  if (typedValue instanceof ArgumentProblem) {
    return typedValue;
  }
  if (schema.enum.length > 0 && !isAllowed(typedValue, schema.enum)) {
    return findEnumProblem(schema.enum, name);
  }
  if (schema.format === undefined || (type !== undefined && type !== "string")) {
    return typedValue;
  }
  return formatProblem(schema.format, typedValue, name) ?? typedValue;
}

function readUntyped(value: JsonValue, { name, allowsRounded }: ArgumentContext): JsonValue | ArgumentProblem {
  return (allowsRounded ? undefined : findRoundedProblem(value, name)) ?? value;
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
        return findTypeProblem(name, schema.types ?? [type]);
      }
      return findTextProblem(value, schema, name) ?? value;
    case "integer":
    case "number":
      return readNumber(type, value, schema, context);
    case "boolean":
      return parseBoolean(value) ?? findTypeProblem(name, schema.types ?? [type]);
    case "array":
      return readList(value, schema, context);
    case "object":
      return readObject(value, schema, context);
    case "null":
      return value === null ? null : findTypeProblem(name, schema.types ?? [type]);
  }
}

/**
 * Reads a number. In the same order as WordPress, checks the bounds, and then whether the number is an integer. Only
 * integers must be exact, because WordPress also rounds a value of the type `number` to a floating-point number.
 */
function readNumber(
  type: "integer" | "number",
  value: JsonValue,
  schema: ArgumentSchema,
  { name, allowsRounded }: ArgumentContext,
): number | ArgumentProblem {
  const number = parseNumber(value);
  if (number === undefined) {
    return findTypeProblem(name, schema.types ?? [type]);
  }
  const problem = findBoundsProblem(number, schema, name);
  if (problem !== undefined) {
    return problem;
  }
  if (type === "integer" && !Number.isSafeInteger(number)) {
    if (!Number.isInteger(number)) {
      return findTypeProblem(name, schema.types ?? [type]);
    }
    const integerProblem = allowsRounded ? undefined : findRoundedProblem(number, name);
    if (integerProblem !== undefined) {
      return integerProblem;
    }
  }
  // Adding 0 converts -0 to 0, so that handlers never receive -0.
  return number + 0;
}

function isAllowed(value: JsonValue, allowedValues: readonly JsonValue[]): boolean {
  if (allowedValues.includes(value)) {
    return true;
  }
  return typeof value === "object" && allowedValues.some((candidate) => areEqual(candidate, value));
}

function findEnumProblem(allowedValues: readonly JsonValue[], name: string): ArgumentProblem {
  const allowedTexts = allowedValues.map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : formatScalar(value),
  );
  const message =
    allowedTexts.length === 1
      ? `${name} is not ${allowedTexts[0]}.`
      : `${name} is not one of ${joinWords(allowedTexts)}.`;
  return new ArgumentProblem(name, "rest_not_in_enum", message);
}

/** Converts a string, number or boolean to text as PHP does. */
function formatScalar(value: JsonValue): string {
  if (value === null || value === false) {
    return "";
  }
  return value === true ? "1" : String(value);
}

/** The schema of items and properties without a schema. */
const anySchema: ArgumentSchema = /* @__PURE__ */ compileSchema(undefined);

/** Reads a list, and converts its items to the type that the schema requires. */
function readList(
  value: JsonValue,
  schema: ArgumentSchema,
  context: ArgumentContext,
): readonly JsonValue[] | ArgumentProblem {
  const { name } = context;
  const sentItems = toList(value, context.items.remaining);
  if (sentItems === undefined) {
    return findTypeProblem(name, schema.types ?? ["array"]);
  }
  context.items.add(sentItems.length);
  // Copies the list, because a copy reserves no memory for further items. A list that is filled with `push` would
  // reserve memory for 17 items.
  const items: JsonValue[] = sentItems.slice();
  const itemSchema = schema.items ?? anySchema;
  const itemContext = { ...context, name: "" };
  for (let index = 0; index < sentItems.length; index += 1) {
    const item = sentItems[index] ?? null;
    const countBefore = context.items.count;
    const itemValue = readArgument(item, itemSchema, itemContext);
    if (itemValue instanceof ArgumentProblem) {
      context.items.resetTo(countBefore);
      // If an item is invalid, reads it a second time, with its name, because the message must contain the name.
      const namedValue = readArgument(item, itemSchema, { ...context, name: `${name}[${index}]` });
      return namedValue instanceof ArgumentProblem ? namedValue : itemValue;
    }
    items[index] = itemValue;
  }
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    return new ArgumentProblem(
      name,
      "rest_too_few_items",
      `${name} must contain at least ${formatCount(schema.minItems, "item")}.`,
    );
  }
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return new ArgumentProblem(
      name,
      "rest_too_many_items",
      `${name} must contain at most ${formatCount(schema.maxItems, "item")}.`,
    );
  }
  if (schema.uniqueItems && hasDuplicates(items)) {
    return new ArgumentProblem(name, "rest_duplicate_items", `${name} has duplicate items.`);
  }
  return items;
}

function hasDuplicates(items: readonly JsonValue[]): boolean {
  return new Set(items.map(formatStable)).size < items.length;
}

/** Returns a string that is the same for equal values, whatever the order of their properties. */
function formatStable(value: JsonValue): string {
  return JSON.stringify(value, (_, member: JsonValue) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** Reads an object, and converts its properties to the types that the schema requires. */
function readObject(
  value: JsonValue,
  schema: ArgumentSchema,
  { name, items, allowsRounded }: ArgumentContext,
): JsonValue | ArgumentProblem {
  const properties = findProperties(value);
  if (properties === undefined) {
    return findTypeProblem(name, schema.types ?? ["object"]);
  }
  const missingProperty = schema.required.find(
    (requiredName) => !properties.some(([property]) => property === requiredName),
  );
  if (missingProperty !== undefined) {
    return new ArgumentProblem(name, "rest_property_required", `${missingProperty} is a required property of ${name}.`);
  }
  const members: [string, JsonValue][] = [];
  for (const [property, propertyValue] of properties) {
    const propertyRule = findPropertySchema(property, schema);
    // The message does not name an unlisted property, because its name comes from the request.
    if (propertyRule === false) {
      return new ArgumentProblem(
        name,
        "rest_additional_properties_forbidden",
        "A property is not a valid property of Object.",
      );
    }
    const key = schema.properties.has(property) ? property : "*";
    const propertyContext = { name: `${name}[${key}]`, items, allowsRounded };
    const valueOrProblem = readArgument(propertyValue, propertyRule ?? anySchema, propertyContext);
    if (valueOrProblem instanceof ArgumentProblem) {
      return valueOrProblem;
    }
    members.push([property, valueOrProblem]);
  }
  return countProblem(members.length, schema, name) ?? Object.fromEntries(members);
}

function countProblem(
  count: number,
  { minProperties, maxProperties }: ArgumentSchema,
  name: string,
): ArgumentProblem | undefined {
  if (minProperties !== undefined && count < minProperties) {
    const minimum = formatCount(minProperties, "property", "properties");
    return new ArgumentProblem(name, "rest_too_few_properties", `${name} must have at least ${minimum}.`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const maximum = formatCount(maxProperties, "property", "properties");
    return new ArgumentProblem(name, "rest_too_many_properties", `${name} must have at most ${maximum}.`);
  }
  return undefined;
}

/**
 * Returns the schema for a property: the schema for this name, the schema for a pattern that matches the name, or the
 * schema for additional properties. Returns `false` if the property is forbidden.
 */
function findPropertySchema(name: string, schema: ArgumentSchema): ArgumentSchema | false | undefined {
  const listedSchema = schema.properties.get(name);
  if (listedSchema !== undefined) {
    return listedSchema;
  }
  const schemaByPattern = schema.patternProperties.find(([pattern]) => pattern.matcher?.test(name) === true);
  return schemaByPattern === undefined ? schema.additionalProperties : schemaByPattern[1];
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

/**
 * Reads a value according to the alternative that it matches: the only match of `oneOf`, or the first match of `anyOf`.
 */
function readAlternatives(
  value: JsonValue,
  { kind, schemas }: Alternatives,
  context: ArgumentContext,
): Match | ArgumentProblem {
  const { name, items } = context;
  const failures: Failure[] = [];
  const matches: Match[] = [];
  const startCount = items.count;
  let maxCount = startCount;
  for (const [position, schema] of schemas.entries()) {
    items.resetTo(startCount);
    const valueOrProblem = readArgument(value, schema, context);
    maxCount = Math.max(maxCount, items.count);
    if (valueOrProblem instanceof ArgumentProblem) {
      failures.push({ schema, position, problem: valueOrProblem });
    } else {
      matches.push({ schema, position, value: valueOrProblem });
    }
  }
  // Each alternative has read the same items, so these are counted once.
  items.resetTo(maxCount);
  const [firstMatch] = matches;
  if (firstMatch === undefined) {
    return findNoMatchProblem(value, failures, name);
  }
  return kind === "anyOf" || matches.length === 1 ? firstMatch : findSeveralMatchesProblem(matches, name);
}

function findSeveralMatchesProblem(matches: readonly Match[], name: string): ArgumentProblem {
  const titles = findTitles(matches.map(({ schema }) => schema));
  const message =
    titles === undefined
      ? `${name} matches more than one of the expected formats.`
      : `${name} matches ${joinWords(titles)}, but should match only one.`;
  return new ArgumentProblem(name, "rest_one_of_multiple_matches", message, {
    positions: matches.map(({ position }) => position),
  });
}

/**
 * Returns the problem of a value that matches none of the alternatives. As in WordPress, the problem names the
 * alternative that the client probably intended. If that is unclear, it names all alternatives.
 */
function findNoMatchProblem(value: JsonValue, failures: readonly Failure[], name: string): ArgumentProblem {
  const [onlyFailure] = failures;
  if (onlyFailure !== undefined && failures.length === 1) {
    return findAlternativeProblem(onlyFailure, name);
  }

  // The client probably did not intend an alternative if the value itself, not just a part of it, has the wrong type.
  const likelyFailures = failures.filter(({ problem }) => {
    const param = isJsonObject(problem.data) ? problem.data["param"] : undefined;
    return problem.code !== "rest_invalid_type" || (param !== undefined && param !== name);
  });
  const [likely] = likelyFailures;
  if (likely !== undefined && likelyFailures.length === 1) {
    return findAlternativeProblem(likely, name);
  }
  const closestFailure =
    likely?.schema.types?.includes("object") === true ? findClosestByProperties(value, likelyFailures) : undefined;
  if (closestFailure !== undefined) {
    return findAlternativeProblem(closestFailure, name);
  }

  const titles = findTitles(failures.map((failure) => failure.schema));
  const message =
    titles === undefined
      ? `${name} does not match any of the expected formats.`
      : `${name} is not a valid ${joinWords(titles)}.`;
  return new ArgumentProblem(name, "rest_no_matching_schema", message);
}

function findClosestByProperties(value: JsonValue, failures: readonly Failure[]): Failure | undefined {
  let maxSharedCount = 0;
  let closestFailure: Failure | undefined;
  for (const failure of failures) {
    const sharedCount = isJsonObject(value)
      ? Object.keys(value).filter((name) => failure.schema.properties.has(name)).length
      : 0;
    if (sharedCount > maxSharedCount) {
      maxSharedCount = sharedCount;
      closestFailure = failure;
    }
  }
  return closestFailure;
}

function findAlternativeProblem({ schema, position, problem }: Failure, name: string): ArgumentProblem {
  const reason = schema.title === undefined ? "does not match the expected format" : `is not a valid ${schema.title}`;
  return new ArgumentProblem(name, "rest_no_matching_schema", `${name} ${reason}. Reason: ${problem.message}`, {
    position,
  });
}

function findTitles(schemas: readonly ArgumentSchema[]): readonly string[] | undefined {
  const titles = schemas.flatMap((schema) => schema.title ?? []);
  return titles.length === schemas.length ? titles : undefined;
}

/**
 * Chooses the type that a value is read as. If the types allow it, an empty string is read as `string` and a list as
 * `array`; otherwise, the first type that the value matches is chosen. Returns undefined if it matches none.
 */
function findBestType(value: JsonValue, types: readonly JsonTypeName[]): JsonTypeName | undefined {
  // An empty string would also match as an empty list or object, but `string` takes precedence.
  if (value === "" && types.includes("string")) {
    return "string";
  }
  // A list also matches `object`, but `array` takes precedence.
  if (Array.isArray(value) && types.includes("array")) {
    return "array";
  }
  const matchedTypes = types.filter((type) => matchesType(value, type));
  const [firstType] = matchedTypes;
  // If another type keeps all digits of a large integer, the value is read as that type.
  return firstType === "integer" && !Number.isSafeInteger(parseInteger(value))
    ? (matchedTypes[1] ?? firstType)
    : firstType;
}

function matchesType(value: JsonValue, type: JsonTypeName): boolean {
  switch (type) {
    case "array":
      return isListLike(value);
    case "object":
      return findProperties(value) !== undefined;
    case "integer":
      return parseInteger(value) !== undefined;
    case "number":
      return parseNumber(value) !== undefined;
    case "boolean":
      return parseBoolean(value) !== undefined;
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

/** Counts the list items of one request, both in JSON lists and in strings that are read as lists. */
export class ItemCount {
  readonly #limit: number;
  #count = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of items that the request may still contain. */
  get remaining(): number {
    return this.#limit - this.#count;
  }

  /** Counts items. Throws `ItemLimitError` if the request now has too many. */
  add(items: number): void {
    this.#count += items;
    if (this.#count > this.#limit) {
      throw new ItemLimitError(this.#limit);
    }
  }

  /** Resets the count to an earlier value, so that items are not counted twice when they are read again. */
  resetTo(count: number): void {
    this.#count = count;
  }
}
