import { hexadecimal, invisible } from "./escape.js";

export type Literal = string | number | bigint | boolean | null;

/** Text of printable ASCII alone: nothing in it is invisible. */
const plain = /^[ -~\n]*$/;

/** A value as a literal, in code or in a type. Text is double-quoted, and everything invisible in it is escaped. */
export function lit(value: Literal): string {
  switch (typeof value) {
    case "string":
      return plain.test(value) ? JSON.stringify(value) : JSON.stringify(value).replace(invisible, escaped);
    case "number":
      if (!Number.isFinite(value)) throw new Error(`${value} has no literal.`);
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    default:
      return String(value);
  }
}

function escaped(character: string): string {
  const hex = hexadecimal(character);
  return hex.length === 4 ? `\\u${hex}` : `\\u{${hex}}`;
}
