import type { Documented, Span } from "../source/span.js";
import type { ConfiguredNames, WithSpan } from "./config.js";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** An interface described by a discovery index. */
export interface RestInterface extends Documented {
  readonly kind: "rest";
  /** The name in `bothends.json`. Default: the file name of the index without its extension, such as `content`. */
  readonly name: string;
  readonly base: RestBase;
  readonly namespaces: readonly RestNamespace[];
  /** The endpoints, in the order of the index. */
  readonly endpoints: readonly Endpoint[];
  /** The named answer types. */
  readonly answers: readonly AnswerType[];
  /** The resources that `_embed` adds to objects with links; undefined if the index describes none. */
  readonly embedded?: EmbeddedResources;
  /** The index as a server publishes it, without details of the original site. */
  readonly document: JsonValue;
  /** The positions of the index members that describe the site: `authentication`, each of its methods, and `_links`. */
  readonly siteMembers?: readonly SiteMember[];
  /** Literal path segments, or sequences of them (`seo/v1`), that programs can replace at run time. */
  readonly segments: readonly string[];
  readonly configured?: ConfiguredNames;
}

/** A member of an index that describes the site: its path in the index, and its position. */
export interface SiteMember {
  readonly path: readonly string[];
  readonly span: Span;
}

/** The path of a REST interface, with its variables. */
export interface RestBase {
  /** The path before all routes: `/{lang}/api`, `/wp-json`. */
  readonly path: string;
  readonly values: readonly { readonly variable: string; readonly values: readonly string[] }[];
  readonly language: { readonly variable: string | undefined; readonly argument: string | undefined } | undefined;
}

/** A namespace of routes, such as `core/v2`. */
export interface RestNamespace {
  /** The first segments of the namespace's routes: `core/v2`; "" for the route of the index. */
  readonly path: string;
  /** The words of the namespace's TypeScript name: `["core"]`, `["seo", "account"]`; [] for the route of the index. */
  readonly words: readonly string[];
}

/** An endpoint of a route: the methods of the route that share arguments and a handler. */
export interface Endpoint extends Documented {
  /** The longest namespace with which the path begins. */
  readonly namespace: string;
  /**
   * The operation's name: namespace, static segments, verb, such as `["core", "blocks", "autosaves", "list"]`. Unique.
   */
  readonly operation: readonly string[];
  readonly route: string;
  readonly path: readonly PathPiece[];
  /** The methods of the endpoint. The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  /**
   * The arguments. The first are path variables that no argument declares; their pattern determines whether they are
   * strings or integers.
   */
  readonly args: readonly Arg[];
  /**
   * The type of the endpoint's answer; undefined if no schema describes the answer, which can then be any JSON value.
   */
  readonly answer: JsonType | undefined;
  /** The entry of `responses` that describes the answer; undefined if the index describes it, or nothing does. */
  readonly configuredAnswer?: ConfiguredAnswer | undefined;
  /** The context of answers if a call does not set the argument `context`; undefined if unknown. */
  readonly context: string | undefined;
}

/** An entry of `responses` in the configuration. */
export interface ConfiguredAnswer extends WithSpan {
  readonly key: string;
  /** The location of the schema. If the type of the schema has a name, this is also the id of the type. */
  readonly schema: string;
}

/** An answer type that has a TypeScript name. */
export interface AnswerType extends Documented {
  /** The location of the type's schema: `content/block.json#/$defs/links`. */
  readonly id: string;
  /** The words from which the type's TypeScript name is made. */
  readonly words: string;
  /**
   * The first segment of the route to which the schema belongs; "" if the schema is a file. Distinguishes types with
   * the same name.
   */
  readonly namespace: string;
  readonly type: JsonType;
  /** The format and the restrictions of the values, which the type does not express. */
  readonly annotations?: Pick<NonNullable<JsonProperty["annotations"]>, "format" | "restrictions">;
}

/** The resources that `_embed` adds to objects with links. */
export interface EmbeddedResources {
  /** The id of the answer type of `_links`. */
  readonly links: string;
  readonly relations: readonly { readonly name: string; readonly type: JsonType }[];
}

/**
 * A piece of a path. `filler` is an example of what a part of the pattern matches if that part is neither literal nor a
 * named group.
 */
export type PathPiece =
  | string
  | PathVariable
  | { readonly filler: string }
  | { readonly optional: readonly PathPiece[] };

/** A variable of a path. Its values match the pattern, a regular expression of the index. */
export interface PathVariable {
  readonly variable: string;
  readonly pattern: string;
}

/** An argument of an endpoint, in the path, the query or the body. */
export interface Arg extends Documented {
  readonly name: string;
  /** Whether the argument is a variable of the path. */
  readonly inPath: boolean;
  readonly required: boolean;
  readonly type: JsonType;
  /** The default that the index declares; undefined if there is none. */
  readonly default: JsonValue | undefined;
  /** The JSON Schema format, such as `date-time`. Used only in documentation. */
  readonly format?: string;
  /** The positions of the definition and its parts; absent for a path variable that no argument declares. */
  readonly positions?: JsonPositions;
}

/** The position of a JSON value, and the positions of its parts: of its members by name, or of its items by index. */
export interface JsonPositions {
  readonly span: Span;
  readonly parts?: { readonly [name: string]: JsonPositions };
}

/** The type of a JSON value in an argument or an answer. */
export type JsonType =
  | { readonly kind: "any" }
  | { readonly kind: "string" | "integer" | "number" | "boolean" | "null" }
  | { readonly kind: "enumeration"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "array"; readonly items: JsonType }
  | {
      readonly kind: "object";
      readonly properties: readonly JsonProperty[];
      /** The type of members that `properties` does not list; absent if they can have any type. */
      readonly additional?: JsonType;
    }
  | { readonly kind: "union"; readonly members: readonly JsonType[] }
  /** A reference to an answer type of the interface, by its id. */
  | { readonly kind: "named"; readonly id: string };

/** A property of a JSON object. */
export interface JsonProperty {
  readonly name: string;
  readonly required: boolean;
  readonly type: JsonType;
  readonly documentation: string | undefined;
  /** Annotations of JSON Schema, used only in documentation and reports. Arguments have only `span` and `format`. */
  readonly annotations?: {
    /** The position of the property's schema. */
    readonly span?: Span;
    readonly readOnly?: boolean;
    readonly format?: string;
    /** The keywords that restrict a value, or its items (`items.maxLength`), more than the type does. */
    readonly restrictions?: { readonly [keyword: string]: JsonValue };
    /**
     * The values of `context` for which the answer contains the property; absent if the property does not depend on the
     * context.
     */
    readonly contexts?: readonly string[];
    /** True if the property is absent from the deleted object that the answer to a deletion contains as `previous`. */
    readonly notInPrevious?: true;
  };
}
