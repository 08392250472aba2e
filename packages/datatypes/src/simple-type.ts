import { type FacetKind, LexicalError } from "./lexical-error.js";

/** The namespaces in scope of a text. Only QName and NOTATION need them. */
export interface TextContext {
  /** The namespace bound to a prefix in scope (`""` is the default namespace); undefined if it is not bound. */
  resolve(prefix: string): string | undefined;
  /** Returns a prefix for the namespace while writing, declaring it if necessary. */
  prefixFor(namespace: string): string;
  /** Receives each ID and IDREF that is read; present if they are checked (XSD 1.0 Part 1 §3.15.4). */
  readonly identify?: ((kind: "ID" | "IDREF", name: string) => void) | undefined;
}

/** A simple type at run time: reads text as a value and writes a value as text. */
export interface SimpleType<T> {
  readonly kind: "simple";
  /** Its name in messages: `xs:int`. */
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Reads text whose white space is already normalized by `whiteSpace`. Throws `LexicalError`. */
  read(text: string, context: TextContext): T;
  /** Writes the text of a value. Throws `LexicalError` for a value outside the type, whatever its JavaScript type. */
  write(value: T, context: TextContext): string;
}

/** A function that derives a simple type from others: `xs.restriction`, `xs.list` or `xs.union`. */
export type Derivation = (
  types: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
) => SimpleType<unknown>;

/** One facet with its value: `[xs.maxLength, 10]`, `[xs.pattern, ["[A-Z]+"]]`, `[xs.enumeration, colorValues]`. */
export type FacetUse = readonly [facet: Facet, value: FacetValue];
export type FacetValue = number | string | readonly (string | number | bigint | boolean)[];

/** Prepares the check of one facet for a base type; undefined if there is nothing to check. */
export type Facet = (value: FacetValue, base: SimpleType<unknown>) => FacetCheck | undefined;
export interface FacetCheck {
  /** The problem with a value, as the end of a sentence; undefined if it is valid. */
  problem(value: unknown, text: string): string | undefined;
  /** Default `other`. */
  readonly kind?: FacetKind;
  /** Only for a check of the text: the other texts of a value, one of which may pass. */
  readonly otherForms?: (type: SimpleType<unknown>, value: unknown) => Iterable<string | undefined>;
}

/** Equality, order and length of a type's values (XSD 1.0 Part 2 §2.2, §4.2). */
export interface ValueSpace<T> {
  /** Equal values have equal keys, and values of different primitive types never do (§2.2.1). */
  key(value: T): string;
  /** Negative, zero or positive; undefined if the values are incomparable. Absent if the type is not ordered. */
  compare?(left: T, right: T): number | undefined;
  /** In characters, octets or items. Absent if the length facets do not apply. */
  length?(value: T): number;
  /** Reads the text of a facet or a default, if it is not in the form that `read` expects. */
  literal?(text: string): T;
}

/** A simple type that other types can be derived from. */
export interface Datatype<T> extends SimpleType<T> {
  readonly valueSpace: ValueSpace<T>;
  /** The alternative forms of its texts, if a value has several (§2.3). */
  readonly literals?: "boolean" | "hexadecimal" | "integer" | "decimal" | "float" | "dateTime" | "date";
  /** For a restriction: the type it restricts, and the checks of its own patterns. */
  readonly base?: SimpleType<T>;
  /** For a restriction: the checks of all its facets. */
  readonly checks?: readonly FacetCheck[];
  readonly textChecks?: readonly FacetCheck[];
  /** For a list: the type of its items. */
  readonly item?: SimpleType<unknown>;
  /** For a union: its member types, in order. */
  readonly members?: readonly SimpleType<unknown>[];
  /** For a union: returns the member type that writes a value. */
  memberOf?(value: T): SimpleType<unknown>;
  /** For a union, and a restriction of one: the text with white space normalized for the member type that reads it. */
  memberText?: ((text: string, context: TextContext) => string) | undefined;
}

/** A context for text without QNames: no prefix is bound. */
export const emptyContext: TextContext = {
  resolve: () => undefined,
  prefixFor: () => {
    throw new LexicalError("No namespace can be declared here.");
  },
};

/** The value space of any simple type. For a type that is not a `Datatype`, equal texts are equal values. */
export function valueSpaceOf(type: SimpleType<unknown>): ValueSpace<unknown> {
  return isDatatype(type) ? type.valueSpace : { key: (value) => `${type.name}:${type.write(value, emptyContext)}` };
}

/** Whether the type supports derivation. */
export function isDatatype(type: SimpleType<unknown>): type is Datatype<unknown> {
  return "valueSpace" in type;
}

/** The value of a facet, an enumeration or a default, from its text or from a JavaScript literal. */
export function literalValue<T>(type: SimpleType<T>, literal: unknown): T;
export function literalValue(type: SimpleType<unknown>, literal: unknown): unknown {
  const text = typeof literal === "number" ? String(literal).replace("Infinity", "INF") : String(literal);
  const fromText = valueSpaceOf(type).literal;
  return fromText === undefined ? type.read(normalizeWhiteSpace(text, type.whiteSpace), emptyContext) : fromText(text);
}

/** The reason why a text is not a value of a type, as a sentence; undefined if it is valid. */
export function problemOf(type: SimpleType<unknown>, text: string, context = emptyContext): string | undefined {
  try {
    type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
    return undefined;
  } catch (error) {
    if (error instanceof LexicalError) {
      return error.message;
    }
    throw error;
  }
}

const untidy = /[\t\n\r]|^ | $| {2}/;

/** Text normalized by the whiteSpace facet (§4.3.6). */
export function normalizeWhiteSpace(text: string, whiteSpace: SimpleType<unknown>["whiteSpace"]): string {
  if (whiteSpace === "preserve") {
    return text;
  }
  if (whiteSpace === "replace") {
    return text.replace(/[\t\n\r]/g, " ");
  }
  return untidy.test(text) ? splitItems(text).join(" ") : text;
}

/** The items of a list's text. */
export function splitItems(text: string): string[] {
  const items = text.split(/[ \t\n\r]+/);
  if (items[0] === "") {
    items.shift();
  }
  if (items.at(-1) === "") {
    items.pop();
  }
  return items;
}
