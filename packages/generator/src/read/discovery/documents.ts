import type { Diagnostics } from "../../source/diagnostics.js";
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

/** What answers are made of: a schema that a route has in the index, or one of a file, and what they refer to. */
export interface AnswerDefinition {
  /** The file and the JSON pointer in it: `content/block.json#/$defs/links`. */
  readonly id: string;
  /** What a type is called after: the key under `$defs`, the schema's title, or the name of its file; "" for none of them. */
  readonly name: string;
  readonly schema: AnswerSchema;
}

/** A schema of answers: the part of JSON Schema, draft 4 to 2020-12, that says what a value is. */
export interface AnswerSchema {
  readonly span: Span;
  readonly description: string | undefined;
  /** The definition that stands for this schema. */
  readonly reference: string | undefined;
  /** undefined: it does not say. */
  readonly types: readonly TypeWord[] | undefined;
  /** `enum`, or `const` alone. */
  readonly enum: readonly JsonNode[] | undefined;
  readonly items: AnswerSchema | undefined;
  readonly properties: readonly AnswerProperty[];
  /** What members that are no properties may be: `additionalProperties` and `patternProperties`, unless nothing is said. */
  readonly additional: readonly AnswerSchema[];
  /** Arms of `oneOf` or `anyOf`. */
  readonly alternatives: readonly AnswerSchema[];
  /** WordPress: the contexts that show the value. Empty: none does. undefined: it does not say. */
  readonly contexts: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly format: string | undefined;
}

export interface AnswerProperty {
  readonly name: string;
  /** Listed in `required`. */
  readonly listed: boolean;
  /** Marked with `required: true`, as draft 3 does; in WordPress that is said of arguments. */
  readonly marked: boolean;
  readonly schema: AnswerSchema;
}

/** How the schemas of one document are read. */
export interface AnswerReading {
  readonly diagnostics: Diagnostics;
  /** People keep the document themselves: they are told of what a site's own would be forgiven. */
  readonly isUserFile: boolean;
  /** Keywords that bound values, each where it was met first. */
  readonly bounds: Map<string, Span>;
  /** The id of the definition that a reference leads to, which is read in its turn; undefined once its problem is reported. */
  refer(reference: string, from: Span): string | undefined;
}
