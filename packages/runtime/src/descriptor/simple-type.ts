import type { TypeReference } from "./record.js";

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

/** A simple type that a schema derives: restriction (facets), list (of one item type) or union (of member types). */
export interface DerivedSimpleType<T> {
  readonly kind: "derived";
  readonly name: string;
  readonly by: Derivation;
  readonly of: readonly TypeReference<unknown>[];
  readonly facets?: readonly FacetUse[];
  /** Never present; ties the descriptor to its TypeScript type. */
  readonly $type?: T;
}

/** The any type, `xs.anyType`: its values are `AnyValue`. */
export interface AnyTypeDescriptor {
  readonly kind: "anyType";
}
