import { LexicalError } from "./lexical-error.js";

/** What a simple type needs to know of the place where its text stands: only QName and NOTATION ask. */
export interface TextContext {
  /** The namespace bound to a prefix in scope (`""` is the default namespace); undefined when it is not bound. */
  resolve(prefix: string): string | undefined;
  /** A prefix that stands for the namespace while writing; it is declared where it is needed. */
  prefixFor(namespace: string): string;
}

/** A simple type, ready to run: reads text into a value and writes a value as text. The built-ins are exported by `@bothends/runtime/xs`. */
export interface SimpleType<T> {
  readonly kind: "simple";
  /** As messages name it: `xs:int`. */
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Reads text whose white space is already normalised as `whiteSpace` says. Throws `LexicalError`. */
  read(text: string, context: TextContext): T;
  /** Writes the canonical text of a value. Throws `LexicalError` for a value outside the type, of whatever JavaScript type. */
  write(value: T, context: TextContext): string;
}

/** How a simple type is made from others: `xs.restriction`, `xs.list` or `xs.union`. */
export type Derivation = (
  of: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
) => SimpleType<unknown>;

/** One facet with its value: `[xs.maxLength, 10]`, `[xs.pattern, ["[A-Z]+"]]`, `[xs.enumeration, colourValues]`. */
export type FacetUse = readonly [facet: Facet, value: FacetValue];
export type FacetValue = number | string | readonly (string | number | bigint | boolean)[];

/** Prepares the check of one facet over a base type. The check returns what is wrong, or undefined. */
export type Facet = (value: FacetValue, base: SimpleType<unknown>) => FacetCheck;
export type FacetCheck = (value: unknown, text: string) => string | undefined;

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
