import { findPatternText } from "@bothends/datatypes/pattern/example-text";
import type { JsonObject, JsonValue } from "../descriptor.js";
import { isJsonObject } from "../rest/php-json.js";

/** An example for each JSON Schema format. */
const formatExamples: Readonly<Record<string, string>> = {
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
/** The maximum depth of nested arrays and objects in an example. */
const maxDepth = 4;

/** Returns an example value for a JSON Schema in a REST index. Unknown keywords are ignored. */
export function createJsonExample(schema: JsonObject, depth = 0): JsonValue {
  const declaredValue = findDeclaredExample(schema);
  if (declaredValue !== undefined) {
    return declaredValue;
  }
  const [type] = listTypes(schema).filter((name) => name !== "null");
  switch (type) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Number(
        findDocumentedNumber(schema) ??
          createSimpleValue(type === "integer" ? "int" : "decimal", getNumberFacets(schema)),
      );
    case "array":
      return depth < maxDepth ? [createJsonExample(getMember(schema, "items"), depth + 1)] : [];
    case "object":
      return createObjectExample(schema, depth);
    default:
      return createTextExample(schema);
  }
}

/** Returns the example value of a JSON Schema as the text of a form field. */
export function createExampleText(schema: JsonObject): string {
  const example = createJsonExample(schema);
  return typeof example === "string" ? example : JSON.stringify(example);
}

function findDeclaredExample({ example, examples, default: initial, enum: values }: JsonObject): JsonValue | undefined {
  const [listedExample] = Array.isArray(examples) ? examples : [];
  const [enumValue] = Array.isArray(values) ? values : [];
  const isEmpty = initial === undefined || initial === null || initial === "" || JSON.stringify(initial).length < 3;
  const isDefault = !isEmpty || typeof initial === "number" || typeof initial === "boolean";
  return example ?? listedExample ?? (isDefault ? initial : enumValue);
}

function createObjectExample(schema: JsonObject, depth: number): JsonObject {
  const properties = Object.entries(getMember(schema, "properties")).filter(
    ([, property]) => property !== undefined && isJsonObject(property) && property["readonly"] !== true,
  );
  return depth >= maxDepth
    ? {}
    : Object.fromEntries(
        properties.map(([name, property]) => [
          name,
          createJsonExample(isJsonObject(property) ? property : {}, depth + 1),
        ]),
      );
}

function createTextExample(schema: JsonObject): string {
  const { description, format, pattern, minLength, maxLength } = schema;
  const documentedText = findDocumentedExample(typeof description === "string" ? description : undefined);
  const matchingText = typeof pattern === "string" ? findPatternText(pattern) : undefined;
  const facets = getFacets({ minLength, maxLength });
  const exampleOfFormat = typeof format === "string" ? formatExamples[format] : findDescribedExample(description);
  return documentedText ?? matchingText ?? exampleOfFormat ?? createTextWithin("string", facets);
}

/** Phrases in the description of an argument that indicate its format. */
const describedFormats: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ISO ?8601|date)\b/i, "date-time"],
  [/\bURL\b/i, "uri"],
  [/\be-?mail address\b/i, "email"],
];

function findDescribedExample(description: JsonValue | undefined): string | undefined {
  const format = describedFormats.find(([words]) => typeof description === "string" && words.test(description))?.[1];
  return format === undefined ? undefined : formatExamples[format];
}

function findDocumentedNumber({ description }: JsonObject): string | undefined {
  const documentedText = findDocumentedExample(typeof description === "string" ? description : undefined);
  return documentedText !== undefined && /^-?\d{1,15}$/.test(documentedText) ? documentedText : undefined;
}

function getNumberFacets({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): Facets {
  return getFacets({
    [exclusiveMinimum === true ? "minExclusive" : "minInclusive"]: minimum,
    [exclusiveMaximum === true ? "maxExclusive" : "maxInclusive"]: maximum,
  });
}

function getFacets(values: Readonly<Record<string, JsonValue | undefined>>): Facets {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === "number" ? [[name, String(value)]] : [])),
  );
}

function getMember(schema: JsonObject, name: string): JsonObject {
  const value = schema[name];
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** Returns the type names that a JSON Schema allows. */
export function listTypes({ type }: JsonObject): readonly string[] {
  if (typeof type === "string") {
    return [type];
  }
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}

/** The facets of a simple type by name, as written in its schema. */
export type Facets = Readonly<Record<string, string>>;

const negativeExamples: Readonly<Record<string, string>> = {
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
const integerTypes = /^(?:unsigned)?(?:byte|short|int|long)$|integer$/i;
const numberTypes = /^(?:decimal|float|double)$/;

/**
 * Returns an example value of a built-in XSD type. The value satisfies the facets that restrict numbers and lengths,
 * and simple patterns.
 */
export function createSimpleValue(builtInName: string, facets: Facets): string {
  if (integerTypes.test(builtInName) || numberTypes.test(builtInName)) {
    const example = negativeExamples[builtInName] ?? builtInExamples[builtInName] ?? "1";
    return createNumberWithin(example, facets, integerTypes.test(builtInName));
  }
  const { pattern, minInclusive, maxInclusive } = facets;
  const matchingText = pattern === undefined ? undefined : findPatternText(pattern);
  if (matchingText !== undefined) {
    return matchingText;
  }
  return minInclusive ?? maxInclusive ?? builtInExamples[builtInName] ?? createTextWithin("string", facets);
}

/**
 * Returns the preferred number if it satisfies the facets; otherwise the first other number found that satisfies them;
 * otherwise the preferred number.
 */
function createNumberWithin(preferredValue: string, facets: Facets, isInteger: boolean): string {
  const { minInclusive, minExclusive, maxInclusive, maxExclusive, fractionDigits, totalDigits } = facets;
  const step = isInteger || fractionDigits === "0" ? 1 : 0.5;
  const valuesAbove = minExclusive === undefined ? [] : [String(Number(minExclusive) + step)];
  const valuesBelow = maxExclusive === undefined ? [] : [String(Number(maxExclusive) - step)];
  const candidates = [preferredValue, "1", ...valuesAbove, minInclusive ?? "1", ...valuesBelow, maxInclusive ?? "1"];
  const isWithin = (text: string) =>
    Number(text) >= Number(minInclusive ?? -Infinity) &&
    Number(text) > Number(minExclusive ?? -Infinity) &&
    Number(text) <= Number(maxInclusive ?? Infinity) &&
    Number(text) < Number(maxExclusive ?? Infinity) &&
    (step === 0.5 || /^[+-]?\d+$/.test(text)) &&
    (totalDigits === undefined || text.replace(/\D/g, "").length <= Number(totalDigits));
  return candidates.find(isWithin) ?? preferredValue;
}

/** The maximum length of an example, in UTF-16 units. */
const maxExampleLength = 200;

/** Repeats or shortens a string until its length satisfies the facets. */
export function createTextWithin(text: string, { length, minLength, maxLength }: Facets): string {
  const min = Math.min(Number(length ?? minLength ?? 0), maxExampleLength);
  const max = Number(length ?? maxLength ?? Infinity);
  return text.length < min ? text.repeat(Math.ceil(min / text.length)).slice(0, min) : text.slice(0, max);
}

/**
 * Describes facets in words: `at least 3 characters, at most 10 characters`. Returns "" if no facet restricts lengths,
 * bounds or digits.
 */
export function describeFacets(facets: Facets): string {
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

/** Finds the example in documentation: `AB-12` in `A code, for example "AB-12".` Returns undefined if there is none. */
export function findDocumentedExample(documentation: string | undefined): string | undefined {
  const start = /\b(?:for example|for instance|e\.\s?g\.|example:|such as)[\s,:]*/i.exec(documentation ?? "");
  if (documentation === undefined || start === null) {
    return undefined;
  }
  const textAfter = documentation.slice(start.index + start[0].length);
  const [quotedText, ...texts] =
    /^(?:"([^"\n]{1,80})"|`([^`\n]{1,80})`|'([^'\n]{1,80})'|“([^”\n]{1,80})”)/.exec(textAfter) ?? [];
  if (quotedText !== undefined) {
    return texts.find((text) => text !== undefined);
  }
  // A word without quotation marks counts as an example only if it has digits or symbols, or only capital letters.
  const [word = ""] = /^[^\s"'`“”()<>]{1,80}/.exec(textAfter) ?? [];
  const example = word.replace(/[.,;:!?]+$/, "");
  return /[\d_@/\\-]|^[A-Z]{2,}$/.test(example) ? example : undefined;
}

/**
 * Whether a string is a valid value of a simple type, as far as this can be checked: by enumerations, by the form and
 * bounds of numbers and booleans, and by the length of strings. False for other types, such as dates.
 */
export function isPossible(text: string, type: PossibleType): boolean {
  const { builtInName, values, facets } = type;
  if (values !== undefined) {
    return values.includes(text);
  }
  if (integerTypes.test(builtInName) && !/^[+-]?\d{1,18}$/.test(text)) {
    return false;
  }
  if (numberTypes.test(builtInName) && (text === "" || Number.isNaN(Number(text)))) {
    return false;
  }
  if (builtInName === "boolean") {
    return text === "true" || text === "false";
  }
  const isText = builtInExamples[builtInName] === undefined || /^(?:anyURI|Name|NCName|language)$/.test(builtInName);
  const isNumber = integerTypes.test(builtInName) || numberTypes.test(builtInName);
  if (isNumber) {
    return createNumberWithin(text, facets, integerTypes.test(builtInName)) === text;
  }
  return isText && createTextWithin(text, facets) === text;
}

interface PossibleType {
  readonly builtInName: string;
  readonly values: readonly string[] | undefined;
  readonly facets: Facets;
}
