import { type Pattern, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonTypeName, JsonValue } from "../descriptor.js";
import { isJsonObject } from "./php-json.js";
import { findClassEnd } from "./route-paths.js";
import { compileValuePattern } from "./route-syntax/index.js";

// Compiles the schemas of arguments, and describes the problems of invalid values.

/** The JSON Schema keywords of an argument, compiled for checking values. */
export interface ArgumentSchema {
  /** The allowed types; undefined allows all types. */
  readonly types: readonly JsonTypeName[] | undefined;
  readonly title: string | undefined;
  readonly enum: readonly JsonValue[];
  readonly format: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: TextPattern | undefined;
  readonly items: ArgumentSchema | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly properties: ReadonlyMap<string, ArgumentSchema>;
  readonly required: readonly string[];
  readonly patternProperties: readonly (readonly [TextPattern, ArgumentSchema])[];
  /** The schema for properties that `properties` does not list. `false` forbids such properties. */
  readonly additionalProperties: ArgumentSchema | false | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  /** The alternatives of `anyOf` and `oneOf` in the schema. */
  readonly alternatives: readonly Alternatives[];
  /** Whether the schema accepts every string and nothing else. */
  readonly isAnyText: boolean;
}

/** The schemas of which a value must match at least one (`anyOf`) or exactly one (`oneOf`). */
export interface Alternatives {
  readonly kind: "anyOf" | "oneOf";
  readonly schemas: readonly ArgumentSchema[];
}

/**
 * Compiles the schema of an argument. `inheritedTypes` apply if the schema has no `type`, because an alternative
 * inherits the types of its enclosing schema.
 */
export function compileSchema(
  definition: JsonValue | undefined,
  inheritedTypes?: ArgumentSchema["types"],
): ArgumentSchema {
  const source: JsonObject = isJsonObject(definition) ? definition : {};
  const getMember = (name: string) => (Object.hasOwn(source, name) ? source[name] : undefined);
  const types = findTypes(getMember("type")) ?? (getMember("type") === undefined ? inheritedTypes : undefined);
  const textLimits = ["enum", "format", "minLength", "maxLength", "pattern", "anyOf", "oneOf"];
  return {
    types,
    title: findTextMember(getMember("title")),
    enum: listValues(getMember("enum")),
    format: findTextMember(getMember("format")) ?? findFormat(getMember("type")),
    minimum: findNumberMember(getMember("minimum")),
    maximum: findNumberMember(getMember("maximum")),
    exclusiveMinimum: Boolean(getMember("exclusiveMinimum")),
    exclusiveMaximum: Boolean(getMember("exclusiveMaximum")),
    multipleOf: findNumberMember(getMember("multipleOf")),
    minLength: findNumberMember(getMember("minLength")),
    maxLength: findNumberMember(getMember("maxLength")),
    pattern: findPatternMember(getMember("pattern")),
    items: isJsonObject(getMember("items")) ? compileSchema(getMember("items")) : undefined,
    minItems: findNumberMember(getMember("minItems")),
    maxItems: findNumberMember(getMember("maxItems")),
    uniqueItems: getMember("uniqueItems") === true,
    properties: new Map(listEntries(getMember("properties")).map(([name, schema]) => [name, compileSchema(schema)])),
    required: listRequired(getMember("required"), getMember("properties")),
    patternProperties: listEntries(getMember("patternProperties")).map(([text, schema]) => [
      compileTextPattern(text),
      compileSchema(schema),
    ]),
    additionalProperties: findAdditional(getMember("additionalProperties")),
    minProperties: findNumberMember(getMember("minProperties")),
    maxProperties: findNumberMember(getMember("maxProperties")),
    alternatives: (["anyOf", "oneOf"] as const).flatMap((kind) => {
      const schemas = getMember(kind);
      if (schemas === undefined) {
        return [];
      }
      return [{ kind, schemas: listValues(schemas).map((schema) => compileSchema(schema, types)) }];
    }),
    isAnyText:
      types?.join() === "string" &&
      findFormat(getMember("type")) === undefined &&
      textLimits.every((name) => getMember(name) === undefined),
  };
}

/**
 * Returns the allowed types. If any of the names is not a JSON Schema type, returns undefined, which allows all types.
 */
function findTypes(type: JsonValue | undefined): readonly JsonTypeName[] | undefined {
  const typeNames = Array.isArray(type) ? type : [type];
  const types = typeNames.flatMap((word) => findJsonType(word) ?? []);
  return types.length === typeNames.length && types.length > 0 ? types : undefined;
}

/** Returns the format that an argument has if its `type` is the name of a format, such as `date-time`. */
function findFormat(type: JsonValue | undefined): string | undefined {
  return findStringFormat([type].flat());
}

/**
 * Returns the items of a list or the values of an object, because PHP writes a list with gaps in its keys as an object.
 */
export function listValues(list: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(list)) {
    return list;
  }
  return isJsonObject(list) ? Object.values(list).map((value) => value ?? null) : [];
}

function listRequired(requiredKeyword: JsonValue | undefined, properties: JsonValue | undefined): readonly string[] {
  // In JSON Schema draft 4, `required` is a list of names; in draft 3, it is a boolean in each property.
  if (Array.isArray(requiredKeyword)) {
    return requiredKeyword.filter((name): name is string => typeof name === "string");
  }
  return listEntries(properties).flatMap(([name, schema]) =>
    isJsonObject(schema) && schema["required"] === true ? [name] : [],
  );
}

function findAdditional(value: JsonValue | undefined): ArgumentSchema | false | undefined {
  if (value === false) {
    return false;
  }
  return isJsonObject(value) ? compileSchema(value) : undefined;
}

function listEntries(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value).map(([name, schema]) => [name, schema ?? null] as const) : [];
}

function findTextMember(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function findNumberMember(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function findPatternMember(value: JsonValue | undefined): TextPattern | undefined {
  return typeof value === "string" ? compileTextPattern(value) : undefined;
}

/** A pattern for the strings of an argument. */
interface TextPattern {
  readonly text: string;
  /**
   * The compiled pattern; undefined if the pattern cannot be matched in linear time. In that case, strings are not
   * checked.
   */
  readonly matcher: Pattern | undefined;
}

/** Compiles a JSON Schema pattern. */
function compileTextPattern(text: string): TextPattern {
  try {
    return { text, matcher: compileValuePattern(completePattern(text)) };
  } catch (error) {
    if (error instanceof PatternError) {
      return { text, matcher: undefined };
    }
    throw error;
  }
}

/**
 * Extends a JSON Schema pattern so that it matches whole strings. Unless it has anchors, a JSON Schema pattern matches
 * any part of a string, but a compiled pattern must match the whole string.
 */
export function completePattern(text: string): string {
  return listBranches(text).map(matchCompletely).join("|");
}

/**
 * Extends a branch of a pattern so that it matches whole strings. Each branch has its own anchors: `^a|b$` means `a` at
 * the start or `b` at the end.
 */
function matchCompletely(branch: string): string {
  const hasStart = branch.startsWith("^");
  const hasEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(branch);
  const branchWithoutAnchors = branch.slice(hasStart ? 1 : 0, hasEnd ? -1 : undefined);
  return `${hasStart ? "" : anyText}(?:${branchWithoutAnchors})${hasEnd ? "" : anyText}`;
}

const anyText = "[\\s\\S]*";

/** Splits a pattern at each `|` that is outside of groups. */
function listBranches(text: string): readonly string[] {
  const branches: string[] = [];
  let start = 0;
  let depth = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    const character = text.charAt(offset);
    if (character === "\\") {
      offset += 1;
    } else if (character === "[") {
      offset = findClassEnd(text, offset);
    } else if (character === "(") {
      depth += 1;
    } else if (character === ")") {
      depth -= 1;
    } else if (character === "|" && depth === 0) {
      branches.push(text.slice(start, offset));
      start = offset + 1;
    }
  }
  return [...branches, text.slice(start)];
}

/**
 * The reason why an argument is refused, with WordPress's code and message. No message contains values from the
 * request.
 */
export class ArgumentProblem {
  /** The name of the invalid argument, item or property: `include[1]`. */
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly data: JsonValue;

  constructor(name: string, code: string, message: string, data: JsonValue = null) {
    this.name = name;
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

/** Returns the problem of an argument that has none of the types, with the wording of WordPress. */
export function findTypeProblem(name: string, types: readonly string[]): ArgumentProblem {
  return new ArgumentProblem(name, "rest_invalid_type", `${name} is not of type ${types.join(",")}.`, { param: name });
}

/** Joins words into an English list: `a`, `a and b`, `a, b, and c`. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 3) {
    return words.join(" and ");
  }
  return `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}

/** Returns a number with a noun: `1 item`, `2 items`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns the problem of a string whose length or pattern is not valid; undefined for a valid string. */
export function findTextProblem(text: string, schema: ArgumentSchema, name: string): ArgumentProblem | undefined {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = getLength(text);
    if (schema.minLength !== undefined && length < schema.minLength) {
      return new ArgumentProblem(
        name,
        "rest_too_short",
        `${name} must be at least ${formatCount(schema.minLength, "character")} long.`,
      );
    }
    if (schema.maxLength !== undefined && length > schema.maxLength) {
      return new ArgumentProblem(
        name,
        "rest_too_long",
        `${name} must be at most ${formatCount(schema.maxLength, "character")} long.`,
      );
    }
  }
  if (schema.pattern?.matcher?.test(text) === false) {
    return new ArgumentProblem(name, "rest_invalid_pattern", `${name} does not match pattern ${schema.pattern.text}.`);
  }
  return undefined;
}

function getLength(text: string): number {
  let length = 0;
  for (const _ of text) {
    length += 1;
  }
  return length;
}

/**
 * Returns the problem of a number that is outside its bounds or not a multiple of `multipleOf`; undefined for a valid
 * number.
 */
export function findBoundsProblem(number: number, schema: ArgumentSchema, name: string): ArgumentProblem | undefined {
  const { minimum, maximum, multipleOf } = schema;
  if (multipleOf !== undefined && multipleOf !== 0 && number % multipleOf !== 0) {
    return new ArgumentProblem(name, "rest_invalid_multiple", `${name} must be a multiple of ${multipleOf}.`);
  }
  const isTooLow = minimum !== undefined && (schema.exclusiveMinimum ? number <= minimum : number < minimum);
  const isTooHigh = maximum !== undefined && (schema.exclusiveMaximum ? number >= maximum : number > maximum);
  return isTooLow || isTooHigh
    ? new ArgumentProblem(name, "rest_out_of_bounds", `${name} must be ${formatBounds(schema)}`)
    : undefined;
}

function formatBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ArgumentSchema): string {
  if (minimum !== undefined && maximum !== undefined) {
    const formatKind = (isExclusive: boolean) => (isExclusive ? "(exclusive)" : "(inclusive)");
    return `between ${formatBound(minimum)} ${formatKind(exclusiveMinimum)} and ${formatBound(maximum)} ${formatKind(exclusiveMaximum)}`;
  }
  if (minimum !== undefined) {
    return `greater than ${exclusiveMinimum ? "" : "or equal to "}${formatBound(minimum)}`;
  }
  return `less than ${exclusiveMaximum ? "" : "or equal to "}${formatBound(maximum ?? 0)}`;
}

/** Returns a bound as text, without its fraction, as in WordPress. */
function formatBound(number: number): string {
  return String(Math.trunc(number));
}

const dateTimePattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::\d{2})?)?$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hexColorPattern = /^#(?:[0-9A-Fa-f]{3}){1,2}$/;
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const emailUserPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const emailHostPattern = /^[A-Za-z0-9-]{1,63}$/;

/**
 * Returns the problem of a string that does not match a format. Returns undefined for a valid string. `uri` and the
 * formats of text fields allow every string.
 */
export function formatProblem(format: string, text: unknown, name: string): ArgumentProblem | undefined {
  const value = typeof text === "string" && text.length <= 1024 ? text : "";
  switch (format) {
    case "date-time":
      return isDateTime(value) ? undefined : new ArgumentProblem(name, "rest_invalid_date", "Invalid date.");
    case "email":
      return isEmail(value) ? undefined : new ArgumentProblem(name, "rest_invalid_email", "Invalid email address.");
    case "ip":
      if (ipv4Pattern.test(value) || isIpv6(value)) {
        return undefined;
      }
      return new ArgumentProblem(name, "rest_invalid_ip", `${name} is not a valid IP address.`);
    case "uuid":
      return uuidPattern.test(value)
        ? undefined
        : new ArgumentProblem(name, "rest_invalid_uuid", `${name} is not a valid UUID.`);
    case "hex-color":
      return hexColorPattern.test(value)
        ? undefined
        : new ArgumentProblem(name, "rest_invalid_hex_color", "Invalid hex color.");
    default:
      return undefined;
  }
}

function isDateTime(text: string): boolean {
  if (!dateTimePattern.test(text)) {
    return false;
  }
  const month = readTwoDigits(text, 5);
  const day = readTwoDigits(text, 8);
  const isTime = readTwoDigits(text, 11) <= 23 && readTwoDigits(text, 14) <= 59 && readTwoDigits(text, 17) <= 59;
  const year = 100 * readTwoDigits(text, 0) + readTwoDigits(text, 2);
  return isTime && month >= 1 && month <= 12 && day >= 1 && day <= getDaysIn(month, year);
}

/**
 * Returns the number that is written with two digits at an offset. This is faster than capturing groups in the regular
 * expression, which would take longer than the match itself.
 */
function readTwoDigits(text: string, offset: number): number {
  return 10 * (text.charCodeAt(offset) - 48) + text.charCodeAt(offset + 1) - 48;
}

function getDaysIn(month: number, year: number): number {
  if (month !== 2) {
    return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  }
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function isEmail(text: string): boolean {
  const offset = text.lastIndexOf("@");
  const [user, host] = [text.slice(0, offset), text.slice(offset + 1)];
  const labels = host.split(".");
  return (
    offset > 0 &&
    text.length >= 6 &&
    emailUserPattern.test(user) &&
    labels.length >= 2 &&
    labels.every((label) => emailHostPattern.test(label) && !label.startsWith("-") && !label.endsWith("-"))
  );
}

/**
 * Whether a string is an IPv6 address (RFC 4291 §2.2): eight groups. `::` can replace several groups of zeros, and an
 * IPv4 address can replace the last two groups.
 */
function isIpv6(text: string): boolean {
  if (!/^[0-9A-Fa-f:.]{2,45}$/.test(text)) {
    return false;
  }
  const halves = text.split("::");
  if (halves.length > 2) {
    return false;
  }
  const groups = halves.flatMap((halfText) => (halfText === "" ? [] : halfText.split(":")));
  const lastGroup = groups.at(-1) ?? "";
  const endsInIpv4 = lastGroup.includes(".") && !text.endsWith("::");
  if (endsInIpv4 && !ipv4Pattern.test(lastGroup)) {
    return false;
  }
  const hexGroups = endsInIpv4 ? groups.slice(0, -1) : groups;
  if (!hexGroups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) {
    return false;
  }
  const count = hexGroups.length + (endsInIpv4 ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** The types of JSON Schema draft 4. */
const typeNames: readonly JsonTypeName[] = ["string", "integer", "number", "boolean", "array", "object", "null"];

/**
 * JSON Schema types, by the names that plug-ins use instead of them: type names of other languages, and the names of
 * string formats.
 */
const typesByName: ReadonlyMap<string, JsonTypeName> = new Map([
  ...listNamesFor("string", "str text date date-time datetime time email uri url uuid ip hex-color color slug html"),
  ...listNamesFor("integer", "int int32 int64 long bigint"),
  ...listNamesFor("number", "float double decimal numeric"),
  ...listNamesFor("boolean", "bool"),
  ...listNamesFor("array", "list"),
  ...listNamesFor("object", "map hash dict dictionary"),
]);

/** String formats, by the names that plug-ins use in place of a type. */
const formatsByName: ReadonlyMap<string, string> = new Map([
  ...listNamesFor("date-time", "date-time datetime"),
  ...listNamesFor("date", "date"),
  ...listNamesFor("time", "time"),
  ...listNamesFor("email", "email"),
  ...listNamesFor("uri", "uri url"),
  ...listNamesFor("uuid", "uuid"),
  ...listNamesFor("ip", "ip"),
  ...listNamesFor("hex-color", "hex-color color"),
]);

function listNamesFor<Meaning extends string>(
  meaning: Meaning,
  names: string,
): readonly (readonly [string, Meaning])[] {
  return names.split(" ").map((name) => [name, meaning]);
}

/**
 * Returns the JSON Schema type that a word means: `integer` for `int` and `Integer`. Returns undefined for an unknown
 * word.
 */
export function findJsonType(word: unknown): JsonTypeName | undefined {
  const name = normalize(word);
  return typeNames.find((typeName) => typeName === name) ?? typesByName.get(name);
}

/**
 * Returns the string format for the words of a `type`: `date-time` for `DateTime`, even if `null` is allowed. Returns
 * undefined if none of the words is a format, or if another word allows strings without this format.
 */
export function findStringFormat(words: readonly unknown[]): string | undefined {
  const stringWords = words.filter((word) => findJsonType(word) === "string");
  const formats = new Set(stringWords.map((word) => formatsByName.get(normalize(word))));
  return formats.size === 1 ? [...formats][0] : undefined;
}

function normalize(word: unknown): string {
  return typeof word === "string" ? word.trim().toLowerCase() : "";
}
