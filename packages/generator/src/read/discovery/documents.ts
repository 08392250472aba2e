import { jsonWithoutCredentials } from "../../source/credentials.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonMember, type JsonNode, type JsonObjectNode, readJson } from "../../source/json.js";
import { limitHelp, type SourceLimits } from "../../source/source-limits.js";
import type { SourceText, Span } from "../../source/span.js";

// The documents of a REST interface as written: their types, and functions that read their JSON.

/** A discovery index in its own terms. */
export interface Index {
  readonly source: SourceText;
  readonly span: Span;
  /** The complete document: the index, or only its object of routes. */
  readonly document: JsonObjectNode;
  /** Whether the document contains only the object of routes, without the rest of an index. */
  readonly routesOnly: boolean;
  readonly description: string | undefined;
  /** The listed namespaces, followed by those that occur only in routes. */
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
  /** The pieces for building paths. */
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
  /** Undefined if any value is allowed, including for an unknown type. */
  readonly types: readonly TypeWord[] | undefined;
  /** Such as `date-time`; only for the documentation. */
  readonly format: string | undefined;
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

/** A response schema: of a route in the index, of a file, or one referenced by these. */
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
  /** Whether the property is listed in `required`. */
  readonly listed: boolean;
  /** Whether the property is marked with `required: true`, as in draft 3. In WordPress, this applies only to arguments. */
  readonly marked: boolean;
  readonly schema: AnswerSchema;
}

/** The context in which the schemas of one document are read. */
export interface AnswerSchemaContext {
  readonly diagnostics: Diagnostics;
  /** Whether the user wrote the document. Mistakes that are ignored in a site's index are then reported. */
  readonly isUserFile: boolean;
  /** Keywords that restrict values, with their first position. */
  readonly bounds: Map<string, Span>;
  /** Resolves a reference to the id of a definition, which is read later. Reports a problem and returns undefined if it is invalid. */
  refer(reference: string, from: Span): string | undefined;
}

const codes = {
  syntax: "IDX002",
  duplicateKey: "IDX004",
  jsonDepth: "IDX008",
  jsonKeys: "LIM007",
  jsonItems: "LIM008",
} as const;

/** Reads an index or a file of JSON Schemas; undefined if it is not JSON or is too large. */
export function readJsonDocument(
  source: SourceText,
  limits: SourceLimits,
  diagnostics: Diagnostics,
): JsonNode | undefined {
  const help = (name: "jsonDepth" | "jsonKeys" | "jsonItems") => limitHelp(name, limits);
  const rules = { subject: "The file", limits, limitHelp: help, codes };
  const document = readJson(source, { ...rules, allowComments: false, allowProto: false }, diagnostics);
  return document && /@|\\u0040/.test(source.text) ? jsonWithoutCredentials(document, diagnostics) : document;
}

/** Reports a value of the wrong kind. */
export function reportWrongKind(node: JsonNode, expected: string, diagnostics: Diagnostics): undefined {
  diagnostics.error("IDX011", node.span, {
    message: `${node.pointer === "" ? "The document" : node.pointer} is ${describeKind(node)}, not ${expected}.`,
  });
  return undefined;
}

/**
 * Returns the members of an object, or none for `[]`, because PHP writes an empty object as `[]`. Reports other values and
 * returns undefined.
 */
export function readMembers(node: JsonNode, diagnostics: Diagnostics): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind === "object") {
    return node.members;
  }
  if (node.kind === "array" && node.items.length === 0) {
    return new Map();
  }
  return reportWrongKind(node, "an object", diagnostics);
}

/** Returns the members of an object. Also accepts a list, because PHP writes an object with the names 0, 1, … as a list. */
export function readNamedMembers(
  node: JsonNode,
  diagnostics: Diagnostics,
): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind !== "array" || node.items.length === 0) {
    return readMembers(node, diagnostics);
  }
  diagnostics.warning("IDX016", node.span, { message: `${node.pointer} is an object, but is written as a list.` });
  return new Map(
    node.items.map((value, index) => [String(index), { name: String(index), nameSpan: value.span, value }]),
  );
}

/** Returns the items of a list. Also accepts an object with numeric names, because PHP writes a list with gaps as an object. */
export function readList(node: JsonNode, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  if (node.kind === "array") {
    return node.items;
  }
  if (node.kind !== "object" || ![...node.members.keys()].every((key) => /^\d+$/.test(key))) {
    return reportWrongKind(node, "a list", diagnostics);
  }
  diagnostics.warning("IDX013", node.span, { message: `${node.pointer} is a list, but is written as an object.` });
  return [...node.members.values()].map((member) => member.value);
}

/** Returns the value of a member; undefined if it is null. */
export function presentMember(node: JsonObjectNode, name: string): JsonNode | undefined {
  const value = node.members.get(name)?.value;
  return value?.kind === "scalar" && value.value === null ? undefined : value;
}

/** Returns the value of a string member; undefined otherwise. */
export function stringMember(node: JsonObjectNode, name: string): string | undefined {
  const value = node.members.get(name)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

function describeKind(node: JsonNode): string {
  if (node.kind === "object") {
    return "an object";
  }
  if (node.kind === "array") {
    return "a list";
  }
  return node.value === null ? "null" : `a ${typeof node.value}`;
}
