import { LexicalError } from "./lexical-error.js";
import { type LexicalType, refusal, shown } from "./simple-type.js";

interface NumberRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** An integer type whose every value a JavaScript number holds exactly. */
export function numberInteger(range: NumberRange): LexicalType<number> {
  const { name, min, max } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: { key: (value) => `decimal:${value}`, compare: (left, right) => left - right },
    read(text) {
      const value = parseInteger(text);
      if (Number.isNaN(value)) {
        throw refusal(text, name);
      }
      if (value < min || value > max) {
        throw outOfRange(text, name);
      }
      return value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isInteger(value)) {
        throw refusal(value, name);
      }
      if (value < min || value > max) {
        throw outOfRange(value, name);
      }
      return String(value);
    },
  };
}

// XSD 1.0 Part 2 §3.3.13.1: an optional sign and digits. Past 2 ** 53 the sum is inexact, but only grows.
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

/** The bounds of an integer type, inclusive; absent where there is none. */
export interface BigIntRange {
  readonly name: string;
  readonly min?: bigint;
  readonly max?: bigint;
}

// Turning digits into a bigint costs more than linear time.
const maxDigits = 4096;

/** An integer type with values that a JavaScript number does not hold. */
export function bigintInteger(range: BigIntRange): LexicalType<bigint> {
  const { name } = range;
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: {
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
        throw refusal(value, name);
      }
      if (isOutside(value, range)) {
        throw outOfRange(value, name);
      }
      return value.toString();
    },
  };
}

function parseBigInteger(text: string, name: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw refusal(text, name);
  }
  if (text.length > maxDigits) {
    throw new LexicalError(`The ${name} has more than ${maxDigits} digits.`);
  }
  return BigInt(text.startsWith("+") ? text.slice(1) : text);
}

function isOutside(value: bigint, { min, max }: BigIntRange): boolean {
  return (min !== undefined && value < min) || (max !== undefined && value > max);
}

function outOfRange(value: unknown, name: string): LexicalError {
  return new LexicalError(`${shown(value)} is outside the range of ${name}.`);
}

/** Wide integers as JavaScript numbers, refusing what a number does not hold exactly. */
export function safeInteger(range: BigIntRange): LexicalType<number> {
  const min = range.min === undefined ? Number.MIN_SAFE_INTEGER : clamp(range.min);
  const max = range.max === undefined ? Number.MAX_SAFE_INTEGER : clamp(range.max);
  return numberInteger({ name: range.name, min, max });
}

function clamp(bound: bigint): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(bound)));
}

/** Wide integers as their digits. */
export function textInteger(range: BigIntRange): LexicalType<string> {
  const exact = bigintInteger(range);
  return {
    kind: "simple",
    name: range.name,
    whiteSpace: "collapse",
    traits: {
      key: (value) => `decimal:${parseBigInteger(value, range.name)}`,
      compare: (left, right) => {
        const difference = parseBigInteger(left, range.name) - parseBigInteger(right, range.name);
        return difference < 0n ? -1 : difference > 0n ? 1 : 0;
      },
    },
    read: (text, context) => exact.read(text, context).toString(),
    write(value: unknown, context) {
      if (typeof value !== "string") {
        throw refusal(value, range.name);
      }
      return exact.write(exact.read(value, context), context);
    },
  };
}
