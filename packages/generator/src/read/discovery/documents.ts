import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode, JsonObjectNode } from "../../source/json.js";
import type { SourceText, Span } from "../../source/span.js";

/** A discovery index in its own terms. */
export interface Index {
  readonly source: SourceText;
  readonly span: Span;
  /** The whole document: the index, or only its object of routes. */
  readonly document: JsonObjectNode;
  /** Whether the document contains only the object of routes, without the rest of an index. */
  readonly routesOnly: boolean;
  readonly description: string | undefined;
  /** The listed namespaces, then those that only routes name. */
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
  /** The pieces from which paths are built. */
  readonly path: readonly PathPiece[];
  readonly endpoints: readonly Endpoint[];
  /** The schema of the resource, as in responses to OPTIONS and `?context=help`. Most indexes have none. */
  readonly schema: JsonObjectNode | undefined;
}

/** A piece of a path: literal text, a variable, a text that matches an unnamed part of the route, or an optional part. */
export type PathPiece =
  | string
  | PathVariable
  | { readonly filler: string }
  | { readonly optional: readonly PathPiece[] };

/** A named group of a route pattern. */
export interface PathVariable {
  readonly variable: string;
  /** The pattern inside the group, as in the index. */
  readonly pattern: string;
}

export interface Endpoint {
  readonly span: Span;
  /** In the order of the index, without duplicates. */
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

/** The schema of an argument, an item or a property: the part of JSON Schema that indexes use. */
export interface Schema {
  readonly span: Span;
  readonly description: string | undefined;
  /** Undefined if any value is allowed, also after an unknown type. */
  readonly types: readonly TypeWord[] | undefined;
  readonly enum: readonly JsonNode[] | undefined;
  readonly default: JsonNode | undefined;
  readonly items: Schema | undefined;
  readonly properties: readonly Property[];
  /** The schemas in `oneOf` or `anyOf`. */
  readonly alternatives: readonly Schema[] | undefined;
}

export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export const typeWords = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;
export type TypeWord = (typeof typeWords)[number];

/** A response schema: of a route in the index, of a file, or one that these refer to. */
export interface AnswerDefinition {
  /** The file and the JSON pointer: `content/block.json#/$defs/links`. */
  readonly id: string;
  /** The source of the type's name: the key under `$defs`, the title of the schema, or the name of the file; "" if there is none. */
  readonly name: string;
  readonly schema: AnswerSchema;
}

/** A response schema: the part of JSON Schema, draft 4 to 2020-12, that determines types. */
export interface AnswerSchema {
  readonly span: Span;
  readonly description: string | undefined;
  /** The id of the definition that this schema refers to. */
  readonly reference: string | undefined;
  /** Undefined if the schema does not restrict the type. */
  readonly types: readonly TypeWord[] | undefined;
  /** `enum`, or the value of `const`. */
  readonly enum: readonly JsonNode[] | undefined;
  readonly items: AnswerSchema | undefined;
  readonly properties: readonly AnswerProperty[];
  /** Schemas of other members: `additionalProperties` and `patternProperties`. */
  readonly additional: readonly AnswerSchema[];
  /** The schemas in `oneOf` or `anyOf`. */
  readonly alternatives: readonly AnswerSchema[];
  /** WordPress: the contexts in which the value is present. Empty for none; undefined if not specified. */
  readonly contexts: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly format: string | undefined;
}

export interface AnswerProperty {
  readonly name: string;
  /** The property is listed in `required`. */
  readonly listed: boolean;
  /** The property is marked with `required: true`, as in draft 3. In WordPress this applies to arguments only. */
  readonly marked: boolean;
  readonly schema: AnswerSchema;
}

/** The context in which the schemas of one document are read. */
export interface AnswerReading {
  readonly diagnostics: Diagnostics;
  /** The user wrote the document, so mistakes are reported that are ignored in the index of a site. */
  readonly isUserFile: boolean;
  /** Keywords that restrict values, with their first position. */
  readonly bounds: Map<string, Span>;
  /** Resolves a reference to the id of a definition, which is read later. Reports a problem and returns undefined if it is invalid. */
  refer(reference: string, from: Span): string | undefined;
}
