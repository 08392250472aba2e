import {
  decodedTypes,
  type EffectiveType,
  getIntegerRange,
  getWhiteSpace,
  isDerivedFrom,
  type WhiteSpace,
} from "./effective-type.js";
import {
  canonicalDecimal,
  expressLeastBytes,
  expressMostBytes,
  getLexicalForm,
  getPreferredForm,
  isExactForm,
} from "./lexical-forms.js";

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
  const form = getLexicalForm(builtin);
  const least = findBound(type, "min", integers?.least);
  const greatest = findBound(type, "max", integers?.greatest);
  const digits = (["totalDigits", "fractionDigits"] as const).map((facet) => facets.get(facet));
  return [
    ...(textTypes.includes(builtin)
      ? []
      : [{ kind: "builtin", value: builtin, pattern: form, isExact: isExactForm(builtin) } as const]),
    ...express("enumeration", values && JSON.stringify(values), values && expressValues(type, values)),
    ...patterns.map((pattern) => ({ kind: "pattern", value: pattern, pattern, isExact: true }) as const),
    ...express("minLength", shortest === "0" ? undefined : shortest, expressMinLength(type, shortest)),
    ...express("maxLength", longest, expressMaxLength(type, longest)),
    ...express("least", least, least && expressBound(type, least, "least")),
    ...express("greatest", greatest, greatest && expressBound(type, greatest, "greatest")),
    ...express("totalDigits", digits[0], expressTotalDigits(type, Number(digits[0]))),
    ...express("fractionDigits", digits[1], expressFractionDigits(type, Number(digits[1]))),
  ];
}

/** Types that allow every text, after its white space was normalized. */
const textTypes: readonly string[] = ["anySimpleType", "string", "normalizedString", "token"];

/** Returns the bound of a type as a text; for integers as an inclusive bound. */
function findBound({ builtin, facets }: EffectiveType, end: "min" | "max", builtInBound?: bigint): string | undefined {
  const [inclusive, exclusive] = [facets.get(`${end}Inclusive`)?.trim(), facets.get(`${end}Exclusive`)?.trim()];
  const integer = /^[+-]?\d+$/.exec(inclusive ?? exclusive ?? "")?.[0].replace("+", "");
  if (integer !== undefined && getIntegerRange(builtin) !== undefined) {
    const offset = inclusive !== undefined ? 0n : end === "min" ? 1n : -1n;
    return String(BigInt(integer) + offset);
  }
  return inclusive ?? (exclusive === undefined ? builtInBound?.toString() : `exclusive ${exclusive}`);
}

function expressMinLength(type: EffectiveType, length: string | undefined): string | undefined {
  return type.builtin === "base64Binary" && length !== undefined
    ? expressLeastBytes(Number(length))
    : expressLength(type, `{${length},}`);
}

function expressMaxLength(type: EffectiveType, length: string | undefined): string | undefined {
  return type.builtin === "base64Binary" && length !== undefined
    ? expressMostBytes(Number(length))
    : expressLength(type, `{0,${length}}`);
}

/** Returns a pattern for texts with a length; undefined for types whose length is not that of their text. */
function expressLength({ builtin }: EffectiveType, quantity: string): string | undefined {
  if (builtin === "hexBinary") {
    return `([0-9a-fA-F]{2})${quantity}`;
  }
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

/** Returns a pattern for numbers within a bound; undefined for a bound of other types. */
function expressBound({ builtin }: EffectiveType, bound: string, end: "least" | "greatest"): string | undefined {
  if (builtin === "decimal") {
    return expressDecimalBound(bound, end);
  }
  if (getIntegerRange(builtin) === undefined) {
    return undefined;
  }
  return end === "least" ? expressLeast(BigInt(bound)) : expressGreatest(BigInt(bound));
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

/** Returns a pattern for decimals within a bound, which may be exclusive; undefined if the bound is not a decimal. */
function expressDecimalBound(bound: string, end: "least" | "greatest"): string | undefined {
  const match = /^(exclusive )?([+-]?)0*([0-9]*)(?:\.([0-9]*?)0*)?$/.exec(bound);
  if (match === null) {
    return undefined;
  }
  const [, exclusive, sign, whole = "", fraction = ""] = match;
  const magnitude = { whole, fraction, isExclusive: exclusive !== undefined };
  const isZero = whole === "" && fraction === "";
  const isNegative = sign === "-" && !isZero;
  const any = "[0-9]*(\\.[0-9]*)?";
  if (end === "least") {
    const zero = isZero && exclusive === undefined ? "|-0*(\\.0*)?" : "";
    return isNegative ? `\\+?${any}|-0*(${expressMost(magnitude)})` : `\\+?0*(${expressFrom(magnitude)})${zero}`;
  }
  return isNegative || (isZero && exclusive !== undefined)
    ? `-0*(${expressFrom(magnitude)})`
    : `-${any}|\\+?0*(${expressMost(magnitude)})`;
}

/** A number that is not negative, by its digits without leading and trailing zeros. */
interface Magnitude {
  readonly whole: string;
  readonly fraction: string;
  readonly isExclusive: boolean;
}

/** Returns a pattern for decimals without leading zeros that are at least, or greater than, a number. */
function expressFrom({ whole, fraction, isExclusive }: Magnitude): string {
  const larger = `(${expressDigitsFrom(String(BigInt(whole || "0") + 1n))})(\\.[0-9]*)?`;
  const neighbors = listNeighbors(fraction, (digit) => digit + 1, "9").map((text) =>
    text.replace(/\[0-9\]\{\d+\}$/, ""),
  );
  const rest = isExclusive ? "0*[1-9][0-9]*" : "[0-9]*";
  const fractions = [...neighbors.map((text) => `${text}[0-9]*`), `${fraction}${rest}`].join("|");
  const isOptional = fraction === "" && !isExclusive;
  return `${larger}|${whole}(\\.(${fractions}))${isOptional ? "?" : ""}`;
}

/** Returns a pattern for decimals without leading zeros that are at most, or less than, a number. */
function expressMost({ whole, fraction, isExclusive }: Magnitude): string {
  const smaller = whole === "" ? [] : [`(${expressDigitsTo(String(BigInt(whole) - 1n))})(\\.[0-9]*)?`];
  const neighbors = listNeighbors(fraction, (digit) => digit - 1, "0").map((text) =>
    text.replace(/\[0-9\]\{\d+\}$/, ""),
  );
  const fractions = [
    ...Array.from(fraction, (_, index) => fraction.slice(0, index)),
    ...neighbors.map((text) => `${text}[0-9]*`),
    ...(isExclusive ? [] : [`${fraction}0*`]),
  ];
  return [...smaller, ...(fractions.length === 0 ? [] : [`${whole}(\\.(${fractions.join("|")}))?`])].join("|");
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
  return whiteSpaceForms[type.variety === "list" ? "collapse" : getWhiteSpace(type)];
}

/**
 * Returns a pattern for the texts that generated writers prefer; undefined for types whose writers send any text of the
 * type.
 */
export function getCanonicalForm({ builtin, representation }: EffectiveType): string | undefined {
  return builtin === "decimal" && representation?.text === "number" ? canonicalDecimal : getPreferredForm(builtin);
}
