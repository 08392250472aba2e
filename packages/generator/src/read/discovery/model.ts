import type { JsonNode, JsonObjectNode } from "../../source/json.js";
import type { SourceText, Span } from "../../source/span.js";

/** A discovery index as its file says it, in its own nouns. */
export interface Index {
  readonly source: SourceText;
  readonly span: Span;
  /** The whole document; for a file that is the object of routes alone, that object. */
  readonly document: JsonObjectNode;
  /** The document is the object of routes alone. */
  readonly routesOnly: boolean;
  readonly description: string | undefined;
  /** As listed, then those that only routes name. */
  readonly namespaces: readonly Namespace[];
  readonly routes: readonly Route[];
}

export interface Namespace {
  /** `shop/v1`. */
  readonly path: string;
  readonly span: Span;
}

export interface Route {
  /** Its key in the index. */
  readonly key: string;
  readonly span: Span;
  /** What its paths are written from. */
  readonly path: readonly PathPiece[];
  readonly endpoints: readonly Endpoint[];
  /** The schema of what it is about, as OPTIONS and `?context=help` tell it; indexes have none as a rule. */
  readonly schema: JsonObjectNode | undefined;
}

/** A piece of a path: literal text, a variable, what stands for something that the route leaves open, or an optional part. */
export type PathPiece =
  | string
  | PathVariable
  | { readonly filler: string }
  | { readonly optional: readonly PathPiece[] };

/** A named group of a route pattern. */
export interface PathVariable {
  readonly variable: string;
  /** The pattern inside the group, as the index spells it. */
  readonly pattern: string;
}

export interface Endpoint {
  readonly span: Span;
  /** In the index's order, without duplicates. */
  readonly methods: readonly Method[];
  readonly args: readonly Arg[];
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Arg {
  readonly name: string;
  readonly span: Span;
  readonly required: boolean;
  readonly schema: Schema;
}

/** What an argument, an item or a property may be (the part of JSON Schema that indexes use). */
export interface Schema {
  readonly span: Span;
  readonly description: string | undefined;
  /** undefined: every value fits; a type word that JSON Schema does not know makes it any too. */
  readonly types: readonly TypeWord[] | undefined;
  readonly enum: readonly JsonNode[] | undefined;
  readonly default: JsonNode | undefined;
  readonly items: Schema | undefined;
  readonly properties: readonly Property[];
  /** Arms of `oneOf` or `anyOf`. */
  readonly alternatives: readonly Schema[] | undefined;
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export const typeWords = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;
export type TypeWord = (typeof typeWords)[number];
