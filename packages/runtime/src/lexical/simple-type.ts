import type { SimpleType, TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";

/** What facets ask of a type's values, beyond reading and writing them. */
export interface Traits<T> {
  /** Equal values have equal keys, and values of different primitive types never do (XSD 1.0 Part 2 §2.2.1). */
  key(value: T): string;
  /** Negative, zero or positive; undefined where the order is partial and says nothing. Absent: not ordered. */
  compare?(left: T, right: T): number | undefined;
  /** In characters, octets or items. Absent: the length facets do not apply. */
  length?(value: T): number;
  /** The value that a facet's text stands for, where that is not what `read` makes of it. */
  literal?(text: string): T;
}

/** A simple type of this runtime: it can be derived from. */
export interface LexicalType<T> extends SimpleType<T> {
  readonly traits: Traits<T>;
  /** The text as the member that reads it normalises it. Unions alone have this. */
  memberText?(text: string, context: TextContext): string;
}

/** A context for texts that name nothing: every prefix is unbound. */
export const emptyContext: TextContext = {
  resolve: () => undefined,
  prefixFor: () => {
    throw new LexicalError("No namespace can be declared here.");
  },
};

/** The traits of any simple type; of a foreign one, only that equal texts are equal values. */
export function traitsOf(type: SimpleType<unknown>): Traits<unknown> {
  return isLexical(type) ? type.traits : { key: (value) => `${type.name}:${type.write(value, emptyContext)}` };
}

/** Whether the type brings the traits that derivation needs. */
export function isLexical(type: SimpleType<unknown>): type is LexicalType<unknown> {
  return "traits" in type;
}

/** A refusal of a text or value by a type, quoting no more than the beginning of it. */
export function refusal(value: unknown, type: string): LexicalError {
  return new LexicalError(`${shown(value)} is not a valid ${type}.`);
}

/** A value as messages show it: at most 64 characters of it, in quotes where it is text. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `"${cut(value)}"`;
    case "bigint":
    case "number":
    case "boolean":
      return cut(String(value));
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    case "undefined":
      return "undefined";
    default:
      return `a ${typeof value}`;
  }
}

function cut(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 63)}…`;
}
