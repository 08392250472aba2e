import type { Node } from "./node.js";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An interface described by a discovery index. */
export interface RestInterface extends Node {
  readonly kind: "rest";
  /** From `bothends.json`, otherwise the file's name: `content`. */
  readonly name: string;
  readonly base: RestBase;
  readonly namespaces: readonly RestNamespace[];
  /** In the order of the index. */
  readonly endpoints: readonly Endpoint[];
  /** The named types of answers. */
  readonly answers: readonly AnswerType[];
  /** The resources that `_embed` adds to objects with links; undefined if the index has none of them. */
  readonly embedded?: EmbeddedResources;
  /** The index as a server publishes it, without details of the original site. */
  readonly document: JsonValue;
  /** Literal path segments, or sequences of them (`seo/v1`), that can be replaced at run time. */
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
  /** The words of its name in code: `["core"]`, `["seo", "account"]`; [] for the index itself. */
  readonly words: readonly string[];
}

export interface Endpoint extends Node {
  /** The longest namespace that the path begins with. */
  readonly namespace: string;
  /** `["core", "blocks", "autosaves", "list"]`: namespace, static segments, verb. Unique in the interface. */
  readonly operation: readonly string[];
  readonly route: string;
  readonly path: readonly PathPiece[];
  /** The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  /** Path variables that no argument declares come first, as strings or integers by their pattern. */
  readonly args: readonly Arg[];
  /** The type of its answer; undefined, meaning any JSON, if no schema describes it. */
  readonly answer: JsonType | undefined;
  /** The context of its answers unless the argument `context` is set; undefined if unknown. */
  readonly context: string | undefined;
}

/** An answer type with a name in code. */
export interface AnswerType extends Node {
  /** The location of its schema: `content/block.json#/$defs/links`. */
  readonly id: string;
  /** The words of its name in code. */
  readonly words: string;
  /** The first segment of its route, if the schema is in the index: it distinguishes types with the same name. */
  readonly namespace: string;
  readonly type: JsonType;
}

/** The resources that `_embed` adds to objects with links. */
export interface EmbeddedResources {
  /** The type of `_links`. */
  readonly links: string;
  readonly relations: readonly { readonly name: string; readonly type: JsonType }[];
}

/** A piece of a path. `filler` is text for a part of the pattern that is not a named group and matches more than one text. */
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
  /** Whether it is a variable of the path. */
  readonly inPath: boolean;
  readonly required: boolean;
  readonly type: JsonType;
  /** The default in the index. */
  readonly default: JsonValue | undefined;
  /** Such as `date-time`; only for the documentation. */
  readonly format?: string;
}

/** The type of a JSON value. */
export type JsonType =
  | { readonly kind: "any" }
  | { readonly kind: "string" | "integer" | "number" | "boolean" | "null" }
  | { readonly kind: "enumeration"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "array"; readonly items: JsonType }
  | {
      readonly kind: "object";
      readonly properties: readonly JsonProperty[];
      /** The type of members that `properties` does not list; absent if no schema restricts them. */
      readonly additional?: JsonType;
    }
  | { readonly kind: "union"; readonly members: readonly JsonType[] }
  /** An answer type of the interface. */
  | { readonly kind: "named"; readonly id: string };

export interface JsonProperty {
  readonly name: string;
  readonly required: boolean;
  readonly type: JsonType;
  readonly documentation: string | undefined;
  /** For the documentation (JSON Schema: annotations); in arguments, only the format. */
  readonly annotations?: {
    readonly readOnly?: boolean;
    readonly format?: string;
    /** The values of `context` for which the answer contains it; absent for all. */
    readonly contexts?: readonly string[];
    /** Whether only the object in `previous`, returned by a deletion, lacks it. */
    readonly notInPrevious?: true;
  };
}
