import { invalid, wrongType } from "../lexical-error.js";
import type { Datatype } from "../simple-type.js";
import { textType } from "./text.js";

/** An exact decimal number: `coefficient / 10 ** scale`. */
export interface ExactDecimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/**
 * The most digits of a number (XSD 1.0 Part 2 §3.2.3 asks for at least 18, and for the limit to be documented; it is, in
 * the README). Exact arithmetic takes more than linear time.
 */
export const maxDigits = 4096;

/** xs:decimal as its text: exact, and `1.50` stays `1.50`. */
export function decimalType(): Datatype<string> {
  return textType({
    name: "xs:decimal",
    whiteSpace: "collapse",
    accepts: isDecimal,
    valueSpace: {
      key: (value) => `decimal:${canonicalDecimal(value)}`,
      compare: (left, right) => compareDecimals(exactDecimal(left), exactDecimal(right)),
    },
  });
}

/** xs:decimal as a number. A text with more digits than a number can hold is refused. */
export function numberDecimal(): Datatype<number> {
  const name = "xs:decimal";
  const exact = (value: number) => exactDecimal(plainDecimal(value));
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `decimal:${canonicalDecimal(plainDecimal(value))}`,
      compare: (left, right) => compareDecimals(exact(left), exact(right)),
    },
    read(text) {
      if (!isDecimal(text)) {
        throw invalid(text, name);
      }
      const value = Number(text);
      if (!Number.isFinite(value) || canonicalDecimal(plainDecimal(value)) !== canonicalDecimal(text)) {
        throw invalid(text, name, "it has more digits than a number can hold");
      }
      return value === 0 ? 0 : value;
    },
    write(value: unknown) {
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw wrongType(value, name, "a finite number");
      }
      return plainDecimal(value);
    },
    literals: "decimal",
  };
}

/** §3.2.3.1: an optional sign, and digits with an optional point. */
function isDecimal(text: string): boolean {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) && !hasTooManyDigits(text);
}

/** Whether the text of a number has more digits than the limit. */
export function hasTooManyDigits(text: string): boolean {
  if (text.length <= maxDigits) {
    return false;
  }
  const digits = text.length - (/^[+-]/.test(text) ? 1 : 0) - (text.includes(".") ? 1 : 0);
  return digits > maxDigits;
}

/** The exact value of a decimal's text. */
export function exactDecimal(text: string): ExactDecimal {
  const { negative, whole, fraction } = significantDigits(text);
  const magnitude = BigInt(`0${whole}${fraction}`);
  return { coefficient: negative ? -magnitude : magnitude, scale: fraction.length };
}

/** Compares exactly: negative, zero or positive. */
export function compareDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaled(left, scale) - scaled(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact sum. */
export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { coefficient: scaled(left, scale) + scaled(right, scale), scale };
}

function scaled(value: ExactDecimal, scale: number): bigint {
  return value.scale === scale ? value.coefficient : value.coefficient * 10n ** BigInt(scale - value.scale);
}

/** The same text for equal decimals: no plus sign, no superfluous zeros. */
export function canonicalDecimal(text: string): string {
  const { negative, whole, fraction } = significantDigits(text);
  const magnitude = `${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}`;
  return negative && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/** The digits that totalDigits and fractionDigits count: not leading and trailing zeros (§4.3.11, §4.3.12). */
export function significantDigits(text: string): {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
} {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const point = unsigned.indexOf(".");
  const whole = point < 0 ? unsigned : unsigned.slice(0, point);
  const fraction = point < 0 ? "" : unsigned.slice(point + 1);
  return { negative: text.startsWith("-"), whole: whole.replace(/^0+/, ""), fraction: trimEndZeros(fraction) };
}

/** Without the zeros at the end. A RegExp for them would try every zero as a start. */
export function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) {
    end--;
  }
  return digits.slice(0, end);
}

/** A finite number in decimal notation: `1e-7` is `0.0000001`. */
export function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(text);
  if (match === null) {
    return text;
  }
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) {
    return `${sign}0.${"0".repeat(-point)}${digits}`;
  }
  return `${sign}${digits.padEnd(point, "0")}`;
}
