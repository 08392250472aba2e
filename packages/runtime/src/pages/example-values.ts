import { checkedPatternLimits, compilePattern, type Pattern, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonValue } from "../descriptor.js";
import { isObject } from "../rest/php-json.js";

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

/** A value that a schema of an index accepts, as far as the schema shows it. */
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

/** Words in descriptions that indicate a format. */
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

/** The facets of a simple type by name, as written in its schema. */
export type Facets = Readonly<Record<string, string>>;

const wholeNumbers: Readonly<Record<string, string>> = {
  negativeInteger: "-1",
  nonPositiveInteger: "-1",
};
const builtInExamples: Readonly<Record<string, string>> = {
  boolean: "true",
  decimal: "1.5",
  float: "1.5",
  double: "1.5",
  dateTime: "2026-01-31T12:00:00",
  date: "2026-01-31",
  time: "12:00:00",
  duration: "P1D",
  gYear: "2026",
  gYearMonth: "2026-01",
  gMonth: "--01",
  gMonthDay: "--01-31",
  gDay: "---31",
  hexBinary: "0FB7",
  base64Binary: "SGVsbG8=",
  anyURI: "https://example.com/",
  language: "en",
  Name: "name",
  NCName: "name",
  ID: "id1",
  IDREF: "id1",
  IDREFS: "id1",
  ENTITY: "name",
  NMTOKEN: "name",
  NMTOKENS: "name",
  QName: "xsd:string",
};
const integer = /^(?:unsigned)?(?:byte|short|int|long)$|integer$/i;
const number = /^(?:decimal|float|double)$/;

/** A value of a built-in type that satisfies the facets, as far as they are known. */
export function simpleValue(builtIn: string, facets: Facets): string {
  if (integer.test(builtIn) || number.test(builtIn)) {
    const usual = wholeNumbers[builtIn] ?? builtInExamples[builtIn] ?? "1";
    return numberWithin(usual, facets, integer.test(builtIn));
  }
  const { pattern, minInclusive, maxInclusive } = facets;
  const matching = pattern === undefined ? undefined : patternText(pattern);
  if (matching !== undefined) {
    return matching;
  }
  const usual = builtInExamples[builtIn];
  return minInclusive ?? maxInclusive ?? usual ?? textWithin("string", facets);
}

/** The first of several common numbers within the bounds. */
function numberWithin(usual: string, facets: Facets, isWhole: boolean): string {
  const { minInclusive, minExclusive, maxInclusive, maxExclusive, fractionDigits, totalDigits } = facets;
  const step = isWhole || fractionDigits === "0" ? 1 : 0.5;
  const above = minExclusive === undefined ? [] : [String(Number(minExclusive) + step)];
  const below = maxExclusive === undefined ? [] : [String(Number(maxExclusive) - step)];
  const candidates = [usual, "1", ...above, minInclusive ?? "1", ...below, maxInclusive ?? "1"];
  const isWithin = (text: string) =>
    Number(text) >= Number(minInclusive ?? -Infinity) &&
    Number(text) > Number(minExclusive ?? -Infinity) &&
    Number(text) <= Number(maxInclusive ?? Infinity) &&
    Number(text) < Number(maxExclusive ?? Infinity) &&
    (step === 0.5 || /^[+-]?\d+$/.test(text)) &&
    (totalDigits === undefined || text.replace(/\D/g, "").length <= Number(totalDigits));
  return candidates.find(isWithin) ?? usual;
}

const longest = 200;

/** The text, repeated or cut to an allowed length. */
export function textWithin(text: string, { length, minLength, maxLength }: Facets): string {
  const least = Math.min(Number(length ?? minLength ?? 0), longest);
  const most = Number(length ?? maxLength ?? Infinity);
  return text.length < least ? text.repeat(Math.ceil(least / text.length)).slice(0, least) : text.slice(0, most);
}

/** The facets in words: `3 to 10 characters, at least 1`. Empty if there are none worth showing. */
export function facetText(facets: Facets): string {
  const { length, minLength, maxLength, minInclusive, minExclusive, maxInclusive, maxExclusive, pattern } = facets;
  const { fractionDigits, totalDigits } = facets;
  const parts = [
    length !== undefined && `${length} characters`,
    minLength !== undefined && minLength !== "0" && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minInclusive !== undefined && `from ${minInclusive}`,
    minExclusive !== undefined && `above ${minExclusive}`,
    maxInclusive !== undefined && `up to ${maxInclusive}`,
    maxExclusive !== undefined && `below ${maxExclusive}`,
    totalDigits !== undefined && `at most ${totalDigits} digits`,
    fractionDigits !== undefined && `at most ${fractionDigits} decimal places`,
    pattern !== undefined && `pattern ${pattern}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

/** The example in documentation such as `A code, for example "AB-12".`; undefined if there is none. */
export function documentedExample(documentation: string | undefined): string | undefined {
  const start = /\b(?:for example|for instance|e\.\s?g\.|example:|such as)[\s,:]*/i.exec(documentation ?? "");
  if (documentation === undefined || start === null) {
    return undefined;
  }
  const rest = documentation.slice(start.index + start[0].length);
  const [whole, ...texts] = /^(?:"([^"\n]{1,80})"|`([^`\n]{1,80})`|'([^'\n]{1,80})'|“([^”\n]{1,80})”)/.exec(rest) ?? [];
  if (whole !== undefined) {
    return texts.find((text) => text !== undefined);
  }
  // A bare word counts as an example only if it does not look like part of the sentence.
  const [word = ""] = /^[^\s"'`“”()<>]{1,80}/.exec(rest) ?? [];
  const example = word.replace(/[.,;:!?]+$/, "");
  return /[\d_@/\\-]|^[A-Z]{2,}$/.test(example) ? example : undefined;
}

/** Whether a text can be a value of the type. Checks numbers, booleans and enumerations. */
export function isPossible(text: string, type: PossibleType): boolean {
  const { builtIn, values, facets } = type;
  if (values !== undefined) {
    return values.includes(text);
  }
  if (integer.test(builtIn) && !/^[+-]?\d{1,18}$/.test(text)) {
    return false;
  }
  if (number.test(builtIn) && (text === "" || Number.isNaN(Number(text)))) {
    return false;
  }
  if (builtIn === "boolean") {
    return text === "true" || text === "false";
  }
  const isText = builtInExamples[builtIn] === undefined || /^(?:anyURI|Name|NCName|language)$/.test(builtIn);
  const isNumber = integer.test(builtIn) || number.test(builtIn);
  if (isNumber) {
    return numberWithin(text, facets, integer.test(builtIn)) === text;
  }
  return isText && textWithin(text, facets) === text;
}

interface PossibleType {
  readonly builtIn: string;
  readonly values: readonly string[] | undefined;
  readonly facets: Facets;
}

/** Characters of examples, in groups: `[A-Z]{3}` becomes `ABC`, `\d{4}` becomes `1234`. */
const alphabets = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "1234567890", "abcdefghijklmnopqrstuvwxyz", "-_.:/@+# ,;*!?=&%$()"];
const maxPattern = 300;
const maxText = 120;

/**
 * A short text that matches the whole regular expression; undefined if none is found, for example because of rare syntax. `^` at
 * the start and `$` at the end are ignored.
 */
export function patternText(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  if (body.length > maxPattern) {
    return undefined;
  }
  const source: Source = { text: body, offset: 0 };
  const text = readAlternatives(source);
  const isWhole = text !== undefined && source.offset === body.length && text.length <= maxText;
  return isWhole && compiled(body)?.test(text) === true ? text : undefined;
}

interface Source {
  readonly text: string;
  offset: number;
}

function compiled(pattern: string): Pattern | undefined {
  try {
    return compilePattern(pattern.replaceAll("(?:", "("), checkedPatternLimits);
  } catch (error) {
    if (error instanceof PatternError) {
      return undefined;
    }
    throw error;
  }
}

/** The text of the first alternative; undefined if an alternative cannot be read. */
function readAlternatives(source: Source): string | undefined {
  const first = readSequence(source);
  while (source.text[source.offset] === "|") {
    source.offset += 1;
    if (readSequence(source) === undefined) {
      return undefined;
    }
  }
  return first;
}

function readSequence(source: Source): string | undefined {
  let text = "";
  while (source.offset < source.text.length && !/[|)]/.test(source.text[source.offset] ?? "")) {
    const atom = readAtom(source);
    const count = readCount(source);
    if (atom === undefined || count === undefined || text.length > maxText) {
      return undefined;
    }
    for (let index = 0; index < count; index += 1) {
      text += typeof atom === "string" ? atom : (atom[index % atom.length] ?? "");
    }
  }
  return text;
}

/** The text of an atom, or the characters that it matches. */
function readAtom(source: Source): string | readonly string[] | undefined {
  const { text, offset } = source;
  if (text[offset] === "(") {
    source.offset += text.startsWith("(?:", offset) ? 3 : 1;
    const inside = readAlternatives(source);
    source.offset += 1;
    return text[source.offset - 1] === ")" ? inside : undefined;
  }
  const [atom = ""] = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|[^*+?{}[\]])/s.exec(text.slice(offset)) ?? [];
  source.offset += atom.length;
  if (atom === "") {
    return undefined;
  }
  return atom.length === 1 && atom !== "." ? atom : charactersOf(atom);
}

/** Examples of characters in a class or an escape: those of the first group that contains any. */
function charactersOf(atom: string): readonly string[] | undefined {
  const pattern = compiled(atom);
  const groups = alphabets.map((alphabet) => [...alphabet].filter((character) => pattern?.test(character) === true));
  return groups.find((group) => group.length > 0);
}

/** How often to write the preceding atom: at least once if it may be repeated, otherwise as rarely as possible. */
function readCount(source: Source): number | undefined {
  const [quantifier = "", least, most] = /^(?:[*+?]|\{(\d{1,3})(,\d*)?\})/.exec(source.text.slice(source.offset)) ?? [];
  source.offset += quantifier.length;
  if (least !== undefined) {
    return most === "," ? Math.max(1, Number(least)) : Number(least);
  }
  return { "": 1, "*": 1, "+": 3, "?": 0 }[quantifier];
}
