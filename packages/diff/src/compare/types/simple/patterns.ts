import {
  decodedTypes,
  type EffectiveType,
  getIntegerRange,
  getWhiteSpace,
  isDerivedFrom,
  type WhiteSpace,
} from "./effective-type.js";

// Expresses what simple types allow as patterns, so that the texts of two types can be compared.

/** What restricts the texts of a type: a facet, the enumeration values, or the built-in type. */
export type RestrictionKind =
  | "builtin"
  | "enumeration"
  | "pattern"
  | "minLength"
  | "maxLength"
  | "least"
  | "greatest"
  | "totalDigits"
  | "fractionDigits";

/** One restriction of the texts of a type. */
export interface TextRestriction {
  readonly kind: RestrictionKind;
  readonly value: string;
  /** A pattern that all texts match after their white space was normalized; undefined if there is none. */
  readonly pattern: string | undefined;
  /** Whether the restriction allows all texts that match the pattern. */
  readonly isExact: boolean;
}

/** Whether the texts of two types can be compared: both are atomic, and read without decoding. */
export function hasComparableTexts(before: EffectiveType, after: EffectiveType): boolean {
  return [before, after].every(
    ({ variety, builtin }) => variety === "atomic" && (builtin === "hexBinary" || !decodedTypes.includes(builtin)),
  );
}

/** Lists what restricts the texts of an atomic type, except its white space. */
export function listRestrictions(type: EffectiveType): readonly TextRestriction[] {
  const { builtin, facets, patterns, values } = type;
  const express = (kind: RestrictionKind, value: string | undefined, pattern: string | undefined) =>
    value === undefined ? [] : [{ kind, value, pattern, isExact: pattern !== undefined }];
  const [shortest, longest] = [facets.get("minLength"), facets.get("maxLength")].map(
    (length) => facets.get("length") ?? length,
  );
  const integers = getIntegerRange(builtin);
  const least = findBound(type, "min", integers?.least);
  const greatest = findBound(type, "max", integers?.greatest);
  const digits = (["totalDigits", "fractionDigits"] as const).map((facet) => facets.get(facet));
  const form = findForm(lexicalForms, type);
  return [
    ...(textTypes.includes(builtin)
      ? []
      : [{ kind: "builtin", value: builtin, pattern: form, isExact: isExactForm(type) } as const]),
    ...express("enumeration", values && JSON.stringify(values), values && expressValues(type, values)),
    ...patterns.map((pattern) => ({ kind: "pattern", value: pattern, pattern, isExact: true }) as const),
    ...express("minLength", shortest === "0" ? undefined : shortest, expressLength(type, `{${shortest},}`)),
    ...express("maxLength", longest, expressLength(type, `{0,${longest}}`)),
    ...express("least", least, integers && least && expressLeast(BigInt(least))),
    ...express("greatest", greatest, integers && greatest && expressGreatest(BigInt(greatest))),
    ...express("totalDigits", digits[0], expressTotalDigits(type, Number(digits[0]))),
    ...express("fractionDigits", digits[1], expressFractionDigits(type, Number(digits[1]))),
  ];
}

/** Types that allow every text, after its white space was normalized. */
const textTypes: readonly string[] = ["anySimpleType", "string", "normalizedString", "token"];

/** Returns the bound of a type as a text; for integers as an inclusive bound. */
function findBound({ facets }: EffectiveType, end: "min" | "max", builtInBound?: bigint): string | undefined {
  const [inclusive, exclusive] = [facets.get(`${end}Inclusive`)?.trim(), facets.get(`${end}Exclusive`)?.trim()];
  const integer = /^[+-]?\d+$/.exec(inclusive ?? exclusive ?? "")?.[0].replace("+", "");
  if (integer !== undefined) {
    const offset = inclusive !== undefined ? 0n : end === "min" ? 1n : -1n;
    return String(BigInt(integer) + offset);
  }
  return inclusive ?? (exclusive === undefined ? builtInBound?.toString() : `exclusive ${exclusive}`);
}

/** Returns a pattern for texts with a length; undefined for types whose length is not that of their text. */
function expressLength({ builtin }: EffectiveType, quantity: string): string | undefined {
  if (builtin === "hexBinary") {
    return `([0-9a-fA-F]{2})${quantity}`;
  }
  // The length of other bytes is not the length of their text.
  return isText(builtin) ? `[\\s\\S]${quantity}` : undefined;
}

/** Whether the values of a built-in type are texts. */
export function isText(builtin: string): boolean {
  return isDerivedFrom(builtin, "string") || builtin === "anyURI";
}

/** The maximum number of enumeration values that a pattern contains. */
const maxValues = 300;

/** Returns a pattern for the texts of enumeration values; undefined if the values may have other texts as well. */
function expressValues({ builtin }: EffectiveType, values: readonly string[]): string | undefined {
  if (values.length > maxValues) {
    return undefined;
  }
  if (isText(builtin)) {
    return values.map(escapeText).join("|");
  }
  if (builtin === "boolean") {
    return values.map((value) => (["true", "1"].includes(value.trim()) ? "true|1" : "false|0")).join("|");
  }
  const integers = values.map((value) => /^([+-]?)0*(\d+)$/.exec(value.trim()));
  return integers.every((match) => match !== null)
    ? integers.map(([, sign, digits]) => `${sign === "-" ? "-" : "\\+?"}0*${digits}(\\.0*)?`).join("|")
    : undefined;
}

function escapeText(text: string): string {
  return text.replace(/[\\|.?*+(){}[\]^-]/g, "\\$&");
}

/** Returns a pattern for integers that are at least a bound. */
function expressLeast(bound: bigint): string {
  if (bound > 0n) {
    return `\\+?0*(${expressDigitsFrom(String(bound))})`;
  }
  return `\\+?[0-9]+|-0*(${expressDigitsTo(String(-bound))})`;
}

/** Returns a pattern for integers that are at most a bound. */
function expressGreatest(bound: bigint): string {
  if (bound < 0n) {
    return `-0*(${expressDigitsFrom(String(-bound))})`;
  }
  return `-[0-9]+|\\+?0*(${expressDigitsTo(String(bound))})`;
}

/** Returns a pattern for numbers without leading zeros that are at least a bound. */
function expressDigitsFrom(bound: string): string {
  return [`[1-9][0-9]{${bound.length},}`, ...listNeighbors(bound, (digit) => digit + 1, "9"), bound].join("|");
}

/** Returns a pattern for numbers that are at most a bound. */
function expressDigitsTo(bound: string): string {
  const shorter = bound.length === 1 ? [] : [`[0-9]{0,${bound.length - 1}}`];
  return [...shorter, ...listNeighbors(bound, (digit) => digit - 1, "0"), bound].join("|");
}

/**
 * Returns a pattern for each position at which a number of equal length may differ first: its digit there is from
 * `nearest` of the bound's digit to `last`, and any digits follow.
 */
function listNeighbors(bound: string, nearest: (digit: number) => number, last: string): readonly string[] {
  return Array.from(bound).flatMap((text, index) => {
    const digit = nearest(Number(text));
    const rest = `[0-9]{${bound.length - index - 1}}`;
    const [from, to] = [String(digit), last].sort();
    return digit < 0 || digit > 9 ? [] : [`${bound.slice(0, index)}[${from}-${to}]${rest}`];
  });
}

/** The maximum number of digits that a pattern counts. */
const maxDigits = 40;

function expressTotalDigits({ builtin }: EffectiveType, count: number): string | undefined {
  if (!(count <= maxDigits) || !isDerivedFrom(builtin, "decimal")) {
    return undefined;
  }
  const wholeDigits = isDerivedFrom(builtin, "integer")
    ? [count]
    : Array.from({ length: count + 1 }, (_, digits) => digits);
  return wholeDigits.map((digits) => `[+\\-]?0*[0-9]{0,${digits}}(\\.[0-9]{0,${count - digits}}0*)?`).join("|");
}

function expressFractionDigits({ builtin }: EffectiveType, count: number): string | undefined {
  return count <= maxDigits && isDerivedFrom(builtin, "decimal") ? `[+\\-]?[0-9]*(\\.[0-9]{0,${count}}0*)?` : undefined;
}

/** For each treatment of white space, a pattern for texts that readers do not change. */
const whiteSpaceForms: Readonly<Record<WhiteSpace, string>> = {
  preserve: "[\\s\\S]*",
  replace: "[^\\t\\n\\r]*",
  collapse: "([^\\s]+( [^\\s]+)*)?",
};

/** Returns a pattern for texts whose white space readers of a type do not change. */
export function getWhiteSpaceForm(type: EffectiveType): string {
  return whiteSpaceForms[getWhiteSpace(type)];
}

type Forms = readonly (readonly [builtin: string, pattern: string, isExact?: "exact"])[];

function findForm(forms: Forms, { builtin }: EffectiveType): string | undefined {
  return forms.find(([base]) => isDerivedFrom(builtin, base))?.[1];
}

function isExactForm({ builtin }: EffectiveType): boolean {
  return lexicalForms.find(([base]) => isDerivedFrom(builtin, base))?.[2] === "exact";
}

/** Returns a pattern for the texts that generated writers prefer; undefined for other types than numbers and bytes. */
export function getCanonicalForm(type: EffectiveType): string | undefined {
  return findForm(canonicalForms, type);
}

const decimalForm = "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)";
const floatForm = `${decimalForm}([eE][+\\-]?[0-9]+)?|-?INF|NaN`;
const zone = "(Z|[+\\-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?";
const [year, month, day] = ["-?[0-9]{4,}", "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"];
const time = "([01][0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?";
const uriCharacter = (excluded: string) => `([^%#${excluded}]|%[0-9A-Fa-f]{2})`;

/** Patterns that match at least all texts of built-in types (XSD 1.0 Part 2 §3), and only these if they are exact. */
const lexicalForms: Forms = [
  ["boolean", "true|false|0|1", "exact"],
  ["integer", "[+\\-]?[0-9]+", "exact"],
  ["decimal", decimalForm, "exact"],
  ["float", floatForm],
  ["double", floatForm],
  ["dateTime", `${year}-${month}-${day}T${time}${zone}`],
  ["date", `${year}-${month}-${day}${zone}`],
  ["time", `${time}${zone}`],
  ["gYearMonth", `${year}-${month}${zone}`],
  ["gYear", `${year}${zone}`],
  ["gMonthDay", `--${month}-${day}${zone}`],
  ["gMonth", `--${month}(--)?${zone}`],
  ["gDay", `---${day}${zone}`],
  ["hexBinary", "([0-9a-fA-F]{2})*", "exact"],
  ["anyURI", `(${uriCharacter(":")}${uriCharacter("")}*)?(#${uriCharacter("")}*)?`, "exact"],
  ["language", "[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*", "exact"],
  ["NCName", "[\\i-[:]][\\c-[:]]*", "exact"],
  ["Name", "\\i\\c*", "exact"],
  ["NMTOKEN", "\\c+", "exact"],
];

const canonicalForms: Forms = [
  ["boolean", "true|false"],
  ["integer", "0|-?[1-9][0-9]*"],
  ["decimal", "-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?"],
  ["hexBinary", "([0-9A-F]{2})*"],
];
