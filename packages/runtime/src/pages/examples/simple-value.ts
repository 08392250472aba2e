import { patternText } from "./pattern-text.js";

/** The facets of a simple type as its schema writes them, by name. */
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

/** The first of some usual numbers that is within the bounds. */
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

/** The facets as words: `3 to 10 characters, at least 1`. Empty if there are none that people need to know. */
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
  // A bare word is an example only if it does not look like the next word of a sentence.
  const [word = ""] = /^[^\s"'`“”()<>]{1,80}/.exec(rest) ?? [];
  const example = word.replace(/[.,;:!?]+$/, "");
  return /[\d_@/\\-]|^[A-Z]{2,}$/.test(example) ? example : undefined;
}

/** Whether a text can be a value of the type: numbers and booleans are checked, and values of enumerations. */
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
