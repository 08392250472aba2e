import { createInvalidValueError, createWrongTypeError, type LexicalError } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";
import { createTextType, requireForm } from "./text.js";

/** An exact decimal number: `coefficient / 10 ** scale`. */
export interface ExactDecimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/**
 * The maximum number of digits in a number, documented in the README. XSD 1.0 Part 2 §3.2.3 requires at least 18. A
 * limit is necessary because exact arithmetic takes more than linear time.
 */
export const maxDigits = 4096;

/** Creates xs:decimal with strings as values, which are exact: `1.50` stays `1.50`. */
export function createDecimalType(): Datatype<string> {
  return createTextType({
    name: "xs:decimal",
    whiteSpace: "collapse",
    accepts: isDecimal,
    reason: requireForm("12.50"),
    valueSpace: {
      key: (value) => `decimal:${toCanonicalDecimal(value)}`,
      compare: (left, right) => compareDecimals(parseExactDecimal(left), parseExactDecimal(right)),
    },
  });
}

/** Creates xs:decimal with numbers as values. Refuses a decimal with more digits than a number can represent. */
export function createNumberDecimal(): Datatype<number> {
  const name = "xs:decimal";
  const toComparableNumber = (value: number) => parseExactDecimal(formatPlainDecimal(value));
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `decimal:${toCanonicalDecimal(formatPlainDecimal(value))}`,
      compare: (left, right) => compareDecimals(toComparableNumber(left), toComparableNumber(right)),
    },
    accepts: isDecimal,
    read(text) {
      if (!isDecimal(text)) {
        throw createInvalidValueError(text, name);
      }
      const value = Number(text);
      if (!Number.isFinite(value) || toCanonicalDecimal(formatPlainDecimal(value)) !== toCanonicalDecimal(text)) {
        throw createInvalidValueError(text, name, "it has more digits than a number can represent");
      }
      return value === 0 ? 0 : value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw createWrongTypeError(value, name, "a finite number");
      }
      return formatPlainDecimal(value);
    },
    mayWrite: Number.isFinite,
    literals: "decimal",
  };
}

/**
 * Whether a string is a decimal number of at most `maxDigits` digits: an optional sign, and digits with an optional
 * decimal point (§3.2.3.1).
 */
function isDecimal(text: string): boolean {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) && !hasTooManyDigits(text);
}

/** Whether a number, passed as a string, has more than `maxDigits` digits. */
export function hasTooManyDigits(text: string): boolean {
  if (text.length <= maxDigits) {
    return false;
  }
  const digitCount = text.length - (/^[+-]/.test(text) ? 1 : 0) - (text.includes(".") ? 1 : 0);
  return digitCount > maxDigits;
}

/** Returns the exact value of a decimal that is passed as a string. */
export function parseExactDecimal(text: string): ExactDecimal {
  const { negative, integerDigits, fraction } = findSignificantDigits(text);
  const magnitude = BigInt(`0${integerDigits}${fraction}`);
  return { coefficient: negative ? -magnitude : magnitude, scale: fraction.length };
}

/** Compares two decimals exactly. Returns -1, 0 or 1. */
export function compareDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaleCoefficient(left, scale) - scaleCoefficient(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Adds two decimals exactly. */
export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { coefficient: scaleCoefficient(left, scale) + scaleCoefficient(right, scale), scale };
}

function scaleCoefficient(value: ExactDecimal, scale: number): bigint {
  return value.scale === scale ? value.coefficient : value.coefficient * 10n ** BigInt(scale - value.scale);
}

/** Writes a decimal without a plus sign or superfluous zeros, so that equal decimals become equal strings. */
export function toCanonicalDecimal(text: string): string {
  const { negative, integerDigits, fraction } = findSignificantDigits(text);
  const magnitude = `${integerDigits === "" ? "0" : integerDigits}${fraction === "" ? "" : `.${fraction}`}`;
  return negative && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/**
 * Returns the digits of a decimal without leading and trailing zeros, as totalDigits and fractionDigits count them
 * (§4.3.11, §4.3.12).
 */
export function findSignificantDigits(text: string): {
  readonly negative: boolean;
  readonly integerDigits: string;
  readonly fraction: string;
} {
  const withoutSign = /^[+-]/.test(text) ? text.slice(1) : text;
  const point = withoutSign.indexOf(".");
  const integerDigits = point < 0 ? withoutSign : withoutSign.slice(0, point);
  const fraction = point < 0 ? "" : withoutSign.slice(point + 1);
  return {
    negative: text.startsWith("-"),
    integerDigits: integerDigits.replace(/^0+/, ""),
    fraction: trimEndZeros(fraction),
  };
}

/** Removes trailing zeros. Does not use a regular expression, which would take quadratic time for many zeros. */
export function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) {
    end--;
  }
  return digits.slice(0, end);
}

/** Writes a finite number in decimal notation: `1e-7` becomes `0.0000001`. */
export function formatPlainDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(text);
  if (match === null) {
    return text;
  }
  const [, sign = "", integerDigits = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  const digits = integerDigits + fraction;
  const point = integerDigits.length + shift;
  if (point <= 0) {
    return `${sign}0.${"0".repeat(-point)}${digits}`;
  }
  return `${sign}${digits.padEnd(point, "0")}`;
}

interface NumberRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Creates an integer type whose values are JavaScript numbers. */
export function createNumberInteger(range: NumberRange): Datatype<number> {
  const { name, min, max } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `decimal:${value}`, compare: (left, right) => left - right },
    accepts(text) {
      const value = parseInteger(text);
      return value >= min && value <= max;
    },
    read(text) {
      const value = parseInteger(text);
      if (Number.isNaN(value)) {
        throw createInvalidValueError(text, name);
      }
      if (value < min || value > max) {
        throw createOutOfRangeError(text, name);
      }
      return value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isInteger(value)) {
        throw createWrongTypeError(value, name, "a whole number, for example 5");
      }
      if (value < min || value > max) {
        throw createOutOfRangeError(value, name);
      }
      return String(value);
    },
    mayWrite: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    literals: "integer",
  };
}

// Reads an optional sign and digits (XSD 1.0 Part 2 §3.3.13.1). Above 2 ** 53 the result is inexact, but the types that
// are read in this way have smaller ranges.
function parseInteger(text: string): number {
  const firstCode = text.charCodeAt(0);
  const hasSign = firstCode === 45 || firstCode === 43;
  let index = hasSign ? 1 : 0;
  if (index === text.length) {
    return Number.NaN;
  }
  let value = 0;
  for (; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) {
      return Number.NaN;
    }
    value = value * 10 + digit;
  }
  return firstCode === 45 && value !== 0 ? -value : value;
}

/** The inclusive bounds of an integer type. An absent bound means that the type has no bound in this direction. */
interface BigIntRange {
  readonly name: string;
  readonly min?: bigint;
  readonly max?: bigint;
}

// The integer types whose values may exceed the range of JavaScript numbers (§3.3.13 to §3.3.25).
export const integerRange: BigIntRange = { name: "xs:integer" };
export const nonPositiveIntegerRange: BigIntRange = { name: "xs:nonPositiveInteger", max: 0n };
export const negativeIntegerRange: BigIntRange = { name: "xs:negativeInteger", max: -1n };
export const nonNegativeIntegerRange: BigIntRange = { name: "xs:nonNegativeInteger", min: 0n };
export const positiveIntegerRange: BigIntRange = { name: "xs:positiveInteger", min: 1n };
export const longRange: BigIntRange = { name: "xs:long", min: -9223372036854775808n, max: 9223372036854775807n };
export const unsignedLongRange: BigIntRange = { name: "xs:unsignedLong", min: 0n, max: 18446744073709551615n };

/** Creates an integer type whose values are bigints. */
export function createBigIntInteger(range: BigIntRange): Datatype<bigint> {
  const { name } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `decimal:${value}`,
      compare: (left, right) => (left < right ? -1 : left > right ? 1 : 0),
    },
    accepts: (text) => isInteger(text) && !hasTooManyDigits(text) && !isOutside(parseBigInteger(text, name), range),
    read(text) {
      const value = parseBigInteger(text, name);
      if (isOutside(value, range)) {
        throw createOutOfRangeError(text, name);
      }
      return value;
    },
    write(value: unknown) {
      if (typeof value !== "bigint") {
        throw createWrongTypeError(value, name, "a bigint, for example 5n");
      }
      if (isOutside(value, range)) {
        throw createOutOfRangeError(value, name);
      }
      return value.toString();
    },
    mayWrite: (value) => typeof value === "bigint" && !isOutside(value, range),
    literals: "integer",
  };
}

function isInteger(text: string): boolean {
  return /^[+-]?[0-9]+$/.test(text);
}

function parseBigInteger(text: string, name: string): bigint {
  if (!isInteger(text)) {
    throw createInvalidValueError(text, name);
  }
  if (hasTooManyDigits(text)) {
    throw createInvalidValueError(text, name, `it has more than ${maxDigits} digits`);
  }
  return BigInt(text.startsWith("+") ? text.slice(1) : text);
}

function isOutside(value: bigint, { min, max }: BigIntRange): boolean {
  return (min !== undefined && value < min) || (max !== undefined && value > max);
}

function createOutOfRangeError(value: unknown, name: string): LexicalError {
  return createInvalidValueError(value, name, "it is outside the range of the type");
}

/** Creates an integer type with numbers as values. Refuses an integer that a number cannot represent exactly. */
export function createSafeInteger(range: BigIntRange): Datatype<number> {
  const min = range.min === undefined ? Number.MIN_SAFE_INTEGER : clamp(range.min);
  const max = range.max === undefined ? Number.MAX_SAFE_INTEGER : clamp(range.max);
  return createNumberInteger({ name: range.name, min, max });
}

function clamp(bound: bigint): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(bound)));
}

/** Creates an integer type whose values are strings of digits. */
export function createStringInteger(range: BigIntRange): Datatype<string> {
  const bigintType = createBigIntInteger(range);
  return {
    kind: "simple",
    name: range.name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `decimal:${parseBigInteger(value, range.name)}`,
      compare: (left, right) => {
        const difference = parseBigInteger(left, range.name) - parseBigInteger(right, range.name);
        return difference < 0n ? -1 : difference > 0n ? 1 : 0;
      },
    },
    accepts: bigintType.accepts,
    read: (text, context) => bigintType.read(text, context).toString(),
    write(value: unknown, context) {
      if (typeof value !== "string") {
        throw createWrongTypeError(value, range.name, 'a string, for example "5"');
      }
      return bigintType.write(bigintType.read(value, context), context);
    },
    literals: "integer",
  };
}

const floatPattern = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * Creates xs:float or xs:double (XSD 1.0 Part 2 §3.2.4, §3.2.5). Values of xs:float keep double precision, so that
 * `0.1` is written as `0.1`, but are compared in single precision.
 */
export function createFloatType(name: "xs:float" | "xs:double"): Datatype<number> {
  const roundToPrecision = name === "xs:float" ? Math.fround : (value: number) => value;
  const primitive = name === "xs:float" ? "float" : "double";
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      // §3.2.4: there is only one zero. Adding 0 removes the sign of -0.
      key: (value) => `${primitive}:${roundToPrecision(value) + 0}`,
      compare: (left, right) => compareNumbers(roundToPrecision(left), roundToPrecision(right)),
    },
    accepts: (text) => floatPattern.test(text) || /^(?:-?INF|NaN)$/.test(text),
    read(text) {
      if (floatPattern.test(text)) {
        const value = Number(text);
        return Number.isFinite(roundToPrecision(value)) ? value : roundToPrecision(value);
      }
      switch (text) {
        case "INF":
          return Number.POSITIVE_INFINITY;
        case "-INF":
          return Number.NEGATIVE_INFINITY;
        case "NaN":
          return Number.NaN;
        default:
          throw createInvalidValueError(text, name);
      }
    },
    write(value: unknown) {
      if (typeof value !== "number") {
        throw createWrongTypeError(value, name, "a number");
      }
      if (Number.isFinite(value) && !Number.isFinite(roundToPrecision(value))) {
        throw createInvalidValueError(value, name, "it is outside the range of the type");
      }
      return formatFloat(value);
    },
    mayWrite: (value) =>
      typeof value === "number" && (!Number.isFinite(value) || Number.isFinite(roundToPrecision(value))),
    literals: "float",
  };
}

function formatFloat(value: number): string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  return Number.isNaN(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}

// §3.2.4: NaN equals itself and is incomparable with every other value.
function compareNumbers(left: number, right: number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number.isNaN(left) && Number.isNaN(right) ? 0 : undefined;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}
