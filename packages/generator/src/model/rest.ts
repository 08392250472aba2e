import type { Node } from "./node.js";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Everything that one discovery index lists. */
export interface RestInterface extends Node {
  readonly kind: "rest";
  /** From `bothends.json`, or the file's name: `content`. */
  readonly name: string;
  readonly base: RestBase;
  readonly namespaces: readonly RestNamespace[];
  /** In the index's order; each belongs to a namespace by its path (the longest wins). */
  readonly endpoints: readonly Endpoint[];
  /** What answers are made of, by name. */
  readonly answers: readonly AnswerType[];
  /** The whole document without the site's own facts, as a server serves it. */
  readonly document: JsonValue;
  /** Literal path segments, one or several in a row (`seo/v1`), that may bear another name at run time. */
  readonly segments: readonly string[];
}

export interface RestBase {
  /** `/{lang}/api`, `/wp-json`. */
  readonly path: string;
  readonly values: readonly { readonly variable: string; readonly values: readonly string[] }[];
  readonly language: { readonly variable: string | undefined; readonly argument: string | undefined } | undefined;
}

export interface RestNamespace {
  /** `core/v2`; "" for the index itself. */
  readonly path: string;
  /** The words code names it by: `["core"]`, `["seo", "account"]`; [] for the index itself. */
  readonly words: readonly string[];
}

export interface Endpoint extends Node {
  readonly namespace: string;
  /** `["core", "blocks", "autosaves", "list"]`: namespace, static segments, verb. Unique in the interface. */
  readonly operation: readonly string[];
  readonly route: string;
  readonly path: readonly PathPiece[];
  /** The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  /** Path variables that no argument declares come first, as strings or integers by their pattern. */
  readonly args: readonly Arg[];
  /** What it answers; undefined where no schema says: any JSON. */
  readonly answer: JsonType | undefined;
}

/** A type that answers hold and that code calls by name. */
export interface AnswerType extends Node {
  /** Where its schema is: `content/block.json#/$defs/links`. */
  readonly id: string;
  /** What its name in code is made from. */
  readonly words: string;
  /** The first step of its route, where the index has its schema: it tells types of one name apart. */
  readonly namespace: string;
  readonly type: JsonType;
}

/** A piece of a path. `filler`: the route leaves open what stands there, so that it names nothing. */
export type PathPiece =
  | string
  | PathVariable
  | { readonly filler: string }
  | { readonly optional: readonly PathPiece[] };

export interface PathVariable {
  readonly variable: string;
  readonly pattern: string;
}

export interface Arg extends Node {
  readonly name: string;
  /** It fills a group of the path: required, unless its part of the path can be left out. */
  readonly inPath: boolean;
  readonly required: boolean;
  readonly type: JsonType;
  /** As the index gives it; undefined when it gives none. */
  readonly default: JsonValue | undefined;
}

/** The type of a JSON value as the index states it. */
export type JsonType =
  | { readonly kind: "any" }
  | { readonly kind: "string" | "integer" | "number" | "boolean" | "null" }
  | { readonly kind: "enumeration"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "array"; readonly items: JsonType }
  | {
      readonly kind: "object";
      readonly properties: readonly JsonProperty[];
      /** What members that are no properties may be; absent: it does not say. */
      readonly additional?: JsonType;
    }
  | { readonly kind: "union"; readonly members: readonly JsonType[] }
  /** One of the interface's answer types. */
  | { readonly kind: "named"; readonly id: string };

export interface JsonProperty {
  readonly name: string;
  readonly required: boolean;
  readonly type: JsonType;
  readonly documentation: string | undefined;
  /** Of an answer. */
  readonly facts?: {
    readonly readOnly?: boolean;
    readonly format?: string;
    /** The contexts that show it, where not all do. */
    readonly contexts?: readonly string[];
  };
}
