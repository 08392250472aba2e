import type { FacetKind } from "./lexical-error.js";

/** The namespaces in scope where a value is read or written. Only QName and NOTATION use them. */
export interface TextContext {
  /** The namespace of a prefix (`""` is the default namespace); undefined if the prefix is not bound. */
  resolve(prefix: string): string | undefined;
  /** Returns a prefix for a namespace while writing. Declares the prefix if necessary. */
  prefixFor(namespace: string): string;
  /** Receives each ID and IDREF that is read. Present only if IDs and IDREFs are checked (XSD 1.0 Part 1 §3.15.4). */
  readonly identify?: ((kind: "ID" | "IDREF", name: string) => void) | undefined;
  /**
   * Counts and limits the steps that matching patterns takes in one message. If absent, only the steps for each string
   * are limited.
   */
  readonly patternSteps?: PatternSteps | undefined;
}

/** Counts the steps that matching patterns takes. */
export interface PatternSteps {
  count: number;
}

/** A simple type at run time: reads text as a value and writes a value as text. */
export interface SimpleType<T> {
  readonly kind: "simple";
  /** The type's name in messages, such as `xs:int`. */
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Reads text whose white space is already normalized by `whiteSpace`. Throws `LexicalError`. */
  read(text: string, context: TextContext): T;
  /** Writes the text of a value. Throws `LexicalError` for a value outside the type, whatever its JavaScript type. */
  write(value: T, context: TextContext): string;
}

/** A function that derives a simple type from other types: `xs.restriction`, `xs.list` or `xs.union`. */
export type Derivation = (
  types: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
) => SimpleType<unknown>;

/** One facet with its value: `[xs.maxLength, 10]`, `[xs.pattern, ["[A-Z]+"]]`, `[xs.enumeration, colorValues]`. */
export type FacetUse = readonly [facet: Facet, value: FacetValue];
/**
 * The value of a facet: a number such as a length, a text such as a bound, or a list of patterns or enumeration values.
 */
export type FacetValue = number | string | readonly (string | number | bigint | boolean)[];

/** Prepares the check of one facet for a base type. Returns undefined if there is nothing to check. */
export type Facet = (value: FacetValue, base: SimpleType<unknown>) => FacetCheck | undefined;
/** Checks whether values satisfy a facet. */
export interface FacetCheck {
  /**
   * The problem with a value, as the end of a sentence: `it has 3 digits and must have at most 2`. Undefined for a
   * valid value.
   */
  problem(value: unknown, text: string, context: TextContext): string | undefined;
  /** The kind of facet that is checked. Default `other`. */
  readonly kind?: FacetKind;
  /** Alternative forms of a value's text, one of which may pass. Present only if the check depends on the text. */
  readonly otherForms?: (type: SimpleType<unknown>, value: unknown) => Iterable<string | undefined>;
}

/** The equality, order and length of a type's values (XSD 1.0 Part 2 §2.2, §4.2). */
export interface ValueSpace<T> {
  /** Equal values have equal keys, and values of different primitive types always have different keys (§2.2.1). */
  key(value: T): string;
  /**
   * Returns a negative number, zero or a positive number; undefined for incomparable values. Absent if the type is not
   * ordered.
   */
  compare?(left: T, right: T): number | undefined;
  /**
   * Returns the length in octets or items; `characters` for texts. Absent if the length facets do not apply to the
   * type.
   */
  readonly length?: "characters" | ((value: T) => number);
  /**
   * Reads a value that is written in a facet or a default. Present only if such a value is written in another form than
   * `read` expects.
   */
  literal?(text: string): T;
}

/** A simple type that other types can be derived from. */
export interface Datatype<T> extends SimpleType<T> {
  readonly valueSpace: ValueSpace<T>;
  /** The lexical form of the values (§2.3). Absent if every value has only one form. */
  readonly literals?: "boolean" | "hexadecimal" | "integer" | "decimal" | "float" | "dateTime" | "date";
  /**
   * Whether `read` accepts a string. Unions use this to try their member types, because an error takes much longer.
   * Absent if the type accepts every string, or is derived from other types.
   */
  accepts?: ((text: string, context: TextContext) => boolean) | undefined;
  /**
   * Whether `write` may accept a value. Unions use this in the same way. Absent if the values are the strings that
   * `accepts` accepts, or if the type is derived from other types.
   */
  mayWrite?: ((value: unknown) => boolean) | undefined;
  /** For a restriction: the type that it restricts. */
  readonly base?: SimpleType<T>;
  /** For a restriction: the checks of all its facets. */
  readonly checks?: readonly FacetCheck[];
  /** For a restriction: the checks of its patterns, which need the text instead of the value. */
  readonly textChecks?: readonly FacetCheck[];
  /** For a list: the type of its items. */
  readonly item?: SimpleType<unknown>;
  /** For a union: its member types, in order. */
  readonly members?: readonly SimpleType<unknown>[];
  /** For a union: returns the member type that writes a value. */
  chooseMember?(value: T): SimpleType<unknown>;
  /**
   * For a union, or a restriction of a union: normalizes the white space of text as the member type that reads it
   * requires.
   */
  memberText?: ((text: string, context: TextContext) => string) | undefined;
}

const uncollapsedSpace = /[\t\n\r]|^ | $| {2}/;

/** Normalizes white space according to the whiteSpace facet (§4.3.6). */
export function normalizeWhiteSpace(text: string, whiteSpace: SimpleType<unknown>["whiteSpace"]): string {
  if (whiteSpace === "preserve") {
    return text;
  }
  if (whiteSpace === "replace") {
    return text.replace(/[\t\n\r]/g, " ");
  }
  return uncollapsedSpace.test(text) ? splitItems(text).join(" ") : text;
}

/** Splits the text of a list into its items. */
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
