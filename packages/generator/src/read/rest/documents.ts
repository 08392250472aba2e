import type { JsonValue, PathPiece } from "../../model/rest.js";
import { removeJsonCredentials } from "../../source/credentials.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonMember, type JsonNode, type JsonObjectNode, readJson } from "../../source/json.js";
import type { SourceLimits } from "../../source/source-limits.js";
import type { SourceText, Span } from "../../source/span.js";

// Types for the documents of a REST interface (indexes and answer schemas), and functions that read their JSON.

/** A discovery index, with names and values as in the document. */
export interface Index {
  readonly source: SourceText;
  readonly span: Span;
  /** The root of the document: the index, or only its `routes` object. */
  readonly document: JsonObjectNode;
  /** Whether the root of the document is the `routes` object. All other members of the index are then unknown. */
  readonly hasOnlyRoutes: boolean;
  readonly description: string | undefined;
  /** The namespaces that the index lists, followed by those that occur only in routes. */
  readonly namespaces: readonly Namespace[];
  readonly routes: readonly Route[];
}

/** A namespace of an index. Each of its routes begins with its path. */
export interface Namespace {
  /** The path of the namespace, such as `shop/v1`. */
  readonly path: string;
  readonly span: Span;
}

/** A route of an index. Its endpoints differ by method. */
export interface Route {
  /** The route's key in the index, such as `/shop/v1/orders/(?P<id>[\\d]+)`. */
  readonly key: string;
  readonly span: Span;
  /** The pieces from which paths of the route are built. */
  readonly path: readonly PathPiece[];
  readonly endpoints: readonly Endpoint[];
  /** The schema of the resource, as in responses to OPTIONS and `?context=help`. Most indexes have none. */
  readonly schema: JsonObjectNode | undefined;
}

/** An endpoint of a route, with its arguments. */
export interface Endpoint {
  readonly span: Span;
  /** The methods of the endpoint, in the order of the index and without duplicates. */
  readonly methods: readonly Method[];
  readonly args: readonly Arg[];
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An argument of an endpoint. */
export interface Arg {
  readonly name: string;
  readonly span: Span;
  readonly required: boolean;
  readonly schema: Schema;
  /** The endpoint as a node of the index. */
  readonly definition: JsonNode;
}

/** The schema of an argument, an item or a property, with those keywords of JSON Schema that indexes use. */
export interface Schema {
  readonly span: Span;
  readonly description: string | undefined;
  /** The types that a value may have; undefined if any type is allowed or the type is unknown. */
  readonly types: readonly JsonTypeName[] | undefined;
  /** The JSON Schema format, such as `date-time`. Used only in documentation. */
  readonly format: string | undefined;
  readonly enum: readonly JsonNode[] | undefined;
  readonly default: JsonNode | undefined;
  readonly items: Schema | undefined;
  readonly properties: readonly Property[];
  /** The schemas in `oneOf` or `anyOf`. */
  readonly alternatives: readonly Schema[] | undefined;
}

/** A property of an object in the schema of an argument. */
export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The names of types in JSON Schema. */
export const jsonTypeNames = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;
export type JsonTypeName = (typeof jsonTypeNames)[number];

/**
 * An answer schema that has an id, because it is a schema of the index or of a file, or because another answer schema
 * refers to it.
 */
export interface AnswerDefinition {
  /** The path of the file, followed by the JSON pointer, such as `content/block.json#/$defs/links`. */
  readonly id: string;
  /**
   * The text from which the name of the type is made: the key under `$defs`, the schema's title, or the name of the
   * file; "" if there is none.
   */
  readonly name: string;
  readonly schema: AnswerSchema;
}

/** An answer schema: the keywords of JSON Schema, draft 4 to 2020-12, that determine types. */
export interface AnswerSchema {
  readonly span: Span;
  readonly description: string | undefined;
  /** The id of the definition to which this schema refers. */
  readonly reference: string | undefined;
  /** The types that a value may have; undefined if the schema allows any type. */
  readonly types: readonly JsonTypeName[] | undefined;
  /** The values in `enum`, or the value of `const`. */
  readonly enum: readonly JsonNode[] | undefined;
  readonly items: AnswerSchema | undefined;
  readonly properties: readonly AnswerProperty[];
  /** The schemas of members that `properties` does not list: `additionalProperties` and `patternProperties`. */
  readonly additional: readonly AnswerSchema[];
  /** The schemas in `oneOf` or `anyOf`. */
  readonly alternatives: readonly AnswerSchema[];
  /** The WordPress contexts in which the value is present; undefined if the schema does not restrict them. */
  readonly contexts: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly format: string | undefined;
  /** The keywords that restrict a value more than its type does, and the keyword `default`, with their values. */
  readonly restrictions: ReadonlyMap<string, JsonValue>;
}

/** A property of an object in the schema of an answer. */
export interface AnswerProperty {
  readonly name: string;
  /** Whether the property is listed in `required`. */
  readonly isListed: boolean;
  /**
   * Whether the property is marked with `required: true`, as in draft 3. In WordPress, this mark has an effect only on
   * arguments.
   */
  readonly isMarked: boolean;
  readonly schema: AnswerSchema;
}

/** The context in which the schemas of one document are read. */
export interface AnswerSchemaContext {
  readonly diagnostics: Diagnostics;
  /**
   * Whether the document is a file of the user. Some mistakes are reported only in such files, because users cannot
   * correct an index.
   */
  readonly isUserFile: boolean;
  /** The keywords in the document that restrict values more than a type can, each with its first position. */
  readonly foundRestrictions: Map<string, Span>;
  /**
   * Returns the id of the definition to which a reference points, and queues the definition for reading. If the
   * reference is invalid, reports it and returns undefined.
   */
  refer(reference: string, from: Span): string | undefined;
}

const codes = {
  syntax: "IDX002",
  duplicateKey: "IDX004",
  jsonDepth: "IDX008",
  jsonKeys: "LIM007",
  jsonItems: "LIM008",
} as const;

const portabilityCodes = {
  prototypeName: "IDX005",
  largeNumber: "IDX006",
  surrogate: "IDX007",
  precision: "IDX009",
} as const;

/** Reads an index or a file of JSON Schemas. Returns undefined if the document is not JSON or is too large. */
export function readJsonDocument(
  source: SourceText,
  limits: SourceLimits,
  diagnostics: Diagnostics,
): JsonNode | undefined {
  const rules = { subject: "The file", limits, canIncreaseLimits: true, codes };
  const document = readJson(source, { ...rules, allowComments: false, portabilityCodes }, diagnostics);
  return document && /@|\\u0040/.test(source.text) ? removeJsonCredentials(document, diagnostics) : document;
}

/** Reports a value of the wrong JSON type. */
export function reportWrongType(node: JsonNode, expected: string, diagnostics: Diagnostics): undefined {
  diagnostics.error("IDX011", node.span, {
    message: `${node.pointer === "" ? "The document" : `The value at ${node.pointer}`} is ${describeJsonType(node)}, not ${expected}.`,
  });
  return undefined;
}

/**
 * Returns the members of an object; none for `[]`, which is an empty object written by PHP. Reports any other value,
 * and returns undefined.
 */
export function readMembers(node: JsonNode, diagnostics: Diagnostics): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind === "object") {
    return node.members;
  }
  if (node.kind === "array" && node.items.length === 0) {
    return new Map();
  }
  return reportWrongType(node, "an object", diagnostics);
}

/**
 * Returns the members of an object. Accepts a list, too, because PHP writes an object with the names 0, 1, … as a list.
 */
export function readNamedMembers(
  node: JsonNode,
  diagnostics: Diagnostics,
): ReadonlyMap<string, JsonMember> | undefined {
  if (node.kind !== "array" || node.items.length === 0) {
    return readMembers(node, diagnostics);
  }
  diagnostics.warning("IDX016", node.span, { message: `The object at ${node.pointer} is written as a list.` });
  return new Map(
    node.items.map((value, index) => [String(index), { name: String(index), nameSpan: value.span, value }]),
  );
}

/**
 * Returns the items of a list. Accepts an object with numeric names, too, because PHP writes a list with gaps as an
 * object.
 */
export function readList(node: JsonNode, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  if (node.kind === "array") {
    return node.items;
  }
  if (node.kind !== "object" || ![...node.members.keys()].every((key) => /^\d+$/.test(key))) {
    return reportWrongType(node, "a list", diagnostics);
  }
  diagnostics.warning("IDX013", node.span, { message: `The list at ${node.pointer} is written as an object.` });
  return [...node.members.values()].map((member) => member.value);
}

/** Returns the value of a member; undefined if the member is absent or null. */
export function findPresentMember(node: JsonObjectNode, name: string): JsonNode | undefined {
  const value = node.members.get(name)?.value;
  return value?.kind === "scalar" && value.value === null ? undefined : value;
}

/** Returns the value of a member if it is a string; otherwise undefined. */
export function findStringMember(node: JsonObjectNode, name: string): string | undefined {
  const value = node.members.get(name)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

function describeJsonType(node: JsonNode): string {
  if (node.kind === "object") {
    return "an object";
  }
  if (node.kind === "array") {
    return "a list";
  }
  return node.value === null ? "null" : `a ${typeof node.value}`;
}
