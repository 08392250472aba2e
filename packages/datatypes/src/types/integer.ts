import { invalid, type LexicalError, wrongType } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";
import { hasTooManyDigits, maxDigits } from "./decimal.js";

interface NumberRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** An integer type whose values are JavaScript numbers. */
export function numberInteger(range: NumberRange): Datatype<number> {
  const { name, min, max } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `decimal:${value}`, compare: (left, right) => left - right },
    read(text) {
      const value = parseInteger(text);
      if (Number.isNaN(value)) {
        throw invalid(text, name);
      }
      if (value < min || value > max) {
        throw outOfRange(text, name);
      }
      return value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isInteger(value)) {
        throw wrongType(value, name, "a whole number, for example 5");
      }
      if (value < min || value > max) {
        throw outOfRange(value, name);
      }
      return String(value);
    },
    literals: "integer",
  };
}

// XSD 1.0 Part 2 §3.3.13.1: an optional sign and digits. Past 2 ** 53 the sum is inexact, but out of range anyway.
function parseInteger(text: string): number {
  const first = text.charCodeAt(0);
  const signed = first === 45 || first === 43;
  let index = signed ? 1 : 0;
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
  return first === 45 && value !== 0 ? -value : value;
}

/** The bounds of an integer type, inclusive; absent where it has none. */
interface BigIntRange {
  readonly name: string;
  readonly min?: bigint;
  readonly max?: bigint;
}

// The integer types with values that a JavaScript number cannot hold (§3.3.13 to §3.3.25).
export const integerRange: BigIntRange = { name: "xs:integer" };
export const nonPositiveIntegerRange: BigIntRange = { name: "xs:nonPositiveInteger", max: 0n };
export const negativeIntegerRange: BigIntRange = { name: "xs:negativeInteger", max: -1n };
export const nonNegativeIntegerRange: BigIntRange = { name: "xs:nonNegativeInteger", min: 0n };
export const positiveIntegerRange: BigIntRange = { name: "xs:positiveInteger", min: 1n };
export const longRange: BigIntRange = { name: "xs:long", min: -9223372036854775808n, max: 9223372036854775807n };
export const unsignedLongRange: BigIntRange = { name: "xs:unsignedLong", min: 0n, max: 18446744073709551615n };

/** An integer type whose values are bigints. */
export function bigintInteger(range: BigIntRange): Datatype<bigint> {
  const { name } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `decimal:${value}`,
      compare: (left, right) => (left < right ? -1 : left > right ? 1 : 0),
    },
    read(text) {
      const value = parseBigInteger(text, name);
      if (isOutside(value, range)) {
        throw outOfRange(text, name);
      }
      return value;
    },
    write(value: unknown) {
      if (typeof value !== "bigint") {
        throw wrongType(value, name, "a bigint, for example 5n");
      }
      if (isOutside(value, range)) {
        throw outOfRange(value, name);
      }
      return value.toString();
    },
    literals: "integer",
  };
}

function parseBigInteger(text: string, name: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw invalid(text, name);
  }
  if (hasTooManyDigits(text)) {
    throw invalid(text, name, `it has more than ${maxDigits} digits`);
  }
  return BigInt(text.startsWith("+") ? text.slice(1) : text);
}

function isOutside(value: bigint, { min, max }: BigIntRange): boolean {
  return (min !== undefined && value < min) || (max !== undefined && value > max);
}

function outOfRange(value: unknown, name: string): LexicalError {
  return invalid(value, name, "it is outside the range");
}

/** A wide integer type whose values are numbers; an integer that a number cannot hold exactly is refused. */
export function safeInteger(range: BigIntRange): Datatype<number> {
  const min = range.min === undefined ? Number.MIN_SAFE_INTEGER : clamp(range.min);
  const max = range.max === undefined ? Number.MAX_SAFE_INTEGER : clamp(range.max);
  return numberInteger({ name: range.name, min, max });
}

function clamp(bound: bigint): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(bound)));
}

/** A wide integer type whose values are digits. */
export function textInteger(range: BigIntRange): Datatype<string> {
  const exact = bigintInteger(range);
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
    read: (text, context) => exact.read(text, context).toString(),
    write(value: unknown, context) {
      if (typeof value !== "string") {
        throw wrongType(value, range.name, 'a string, for example "5"');
      }
      return exact.write(exact.read(value, context), context);
    },
    literals: "integer",
  };
}
