import { LexicalError } from "./lexical-error.js";
import type { Traits } from "./simple-type.js";

/** An exact decimal number: `coefficient / 10 ** scale`. */
export interface ExactDecimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

// XSD 1.0 Part 2 §3.2.3 asks for at least 18 digits. More than these are refused, since exact arithmetic on them
// would cost more than linear time.
const maxDigits = 4096;

/** xs:decimal (XSD 1.0 Part 2 §3.2.3.1): a sign, digits, and a point; no exponent. */
export function isDecimal(text: string): boolean {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) && text.length <= maxDigits;
}

/** The exact value of a decimal's text. */
export function exactDecimal(text: string): ExactDecimal {
  const point = text.indexOf(".");
  const fraction = point < 0 ? "" : trimEndZeros(text.slice(point + 1));
  const whole = point < 0 ? text : text.slice(0, point);
  const negative = whole.startsWith("-");
  const digits = (/^[+-]/.test(whole) ? whole.slice(1) : whole) + fraction;
  if (digits.length > maxDigits) {
    throw new LexicalError(`The number has more than ${maxDigits} digits.`);
  }
  const magnitude = BigInt(digits === "" ? "0" : digits);
  return { coefficient: negative ? -magnitude : magnitude, scale: fraction.length };
}

/** Compares exactly: negative, zero or positive. */
export function compareDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaled(left, scale) - scaled(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, exactly. */
export function addDecimals(left: ExactDecimal, right: ExactDecimal): ExactDecimal {
  const scale = Math.max(left.scale, right.scale);
  return { coefficient: scaled(left, scale) + scaled(right, scale), scale };
}

function scaled(value: ExactDecimal, scale: number): bigint {
  return value.scale === scale ? value.coefficient : value.coefficient * 10n ** BigInt(scale - value.scale);
}

/** The one text of a decimal value: no plus sign, no idle zeros. */
export function canonicalDecimal(text: string): string {
  const negative = text.startsWith("-");
  const { whole, fraction } = significantDigits(text);
  const magnitude = `${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}`;
  return negative && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/** The digits that count for totalDigits and fractionDigits (XSD 1.0 Part 2 §4.3.11, §4.3.12): leading and trailing zeros do not. */
export function significantDigits(text: string): { readonly whole: string; readonly fraction: string } {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const point = unsigned.indexOf(".");
  const whole = point < 0 ? unsigned : unsigned.slice(0, point);
  const fraction = point < 0 ? "" : unsigned.slice(point + 1);
  return { whole: whole.replace(/^0+/, ""), fraction: trimEndZeros(fraction) };
}

/** Without the zeros at the end. A RegExp for them would try every zero as a start. */
export function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) {
    end--;
  }
  return digits.slice(0, end);
}

/** Traits of decimals kept as text. */
export const decimalTraits: Traits<string> = {
  key: (value) => `decimal:${canonicalDecimal(value)}`,
  compare: (left, right) => compareDecimals(exactDecimal(left), exactDecimal(right)),
};

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
