import type { DescriptorFormat, ImportedFeature, KeysOf } from "./record.js";

/** A JSON value (RFC 8259). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
/** A JSON object. Members with the value undefined are not written. */
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** The HTTP methods of REST endpoints. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A REST interface: its path and its names on the wire. */
export interface RestInterfaceDescriptor {
  readonly descriptorFormat: DescriptorFormat;
  readonly name: string;
  /** The path of the index below the site, with `{variable}` for a part that varies: `/{lang}/api`, `/wp-json`. */
  readonly base: string;
  /** The allowed values of each variable of `base`; the first is the default. */
  readonly baseValues?: Readonly<Record<string, readonly string[]>>;
  /** The variable of `base` that contains the language, and the argument that overrides it for the handler. */
  readonly language?: { readonly variable?: string; readonly argument?: string };
  /** The literal path segments that can be renamed at run time. */
  readonly segments?: readonly string[];
  /** Renames the path segments in `segments`. Required if there are any. */
  readonly by?: ImportedFeature<"segments">;
}

/**
 * One endpoint of a route: its methods share arguments and one handler. `Contexts` maps each value of the argument
 * `context` to the type of the answer; `Context` is the value for which the answer is `Answer`.
 */
export interface EndpointDescriptor<Input, Answer = JsonValue, Contexts = unknown, Context extends string = "view"> {
  readonly kind: "endpoint";
  readonly interface: RestInterfaceDescriptor;
  /** The name of the endpoint in generated code, such as `core.blocks.list`. */
  readonly name: string;
  /** The route's key in the index. */
  readonly route: string;
  /** The template from which paths are built: the simplest template whose paths match the route. */
  readonly path: readonly PathPiece[];
  /** The HTTP methods of the endpoint. The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  readonly args: { readonly [K in KeysOf<Input>]-?: ArgDescriptor };
  /** Whether the schema of the answer does not allow null. Clients then refuse an answer without a body. */
  readonly answerRequired?: true;
  /** Declares the type of the answer for the compiler. Values do not have this member. */
  readonly answer?: Answer;
  /** Declares the types of the answers in each context for the compiler. Values do not have this member. */
  readonly contexts?: AnswerContexts<Contexts, Context>;
}

/** The type of the answer for each context, and the context that applies if the argument `context` is absent. */
export interface AnswerContexts<Contexts, Context> {
  readonly answers: Contexts;
  readonly initial: Context;
}

/** Any endpoint, as the runtime reads it. */
export interface AnyEndpointDescriptor extends Omit<EndpointDescriptor<unknown>, "args" | "answer" | "contexts"> {
  readonly args: Readonly<Record<string, ArgDescriptor>>;
}

/**
 * The endpoints of an interface or of a part of it. The client nests the functions for these endpoints by the parts of
 * their names: `core.blocks.list`.
 */
export type RestEndpointList = readonly (AnyEndpointDescriptor | readonly AnyEndpointDescriptor[])[];

/** The types of one endpoint, from which its handler's type is derived. */
export interface EndpointTypes<Input, Answer> {
  readonly input: Input;
  readonly answer: Answer;
}

/** The types of an index endpoint. A handler for this endpoint is optional. */
export interface IndexTypes<Input, Answer> extends EndpointTypes<Input, Answer> {
  readonly isIndex: true;
}

/** Literal text, a variable, or a part that is omitted if none of its variables has a value. */
export type PathPiece = string | PathVariable | { readonly optional: readonly PathPiece[] };

/** A variable of a path. Its value is the argument with the same name. */
export interface PathVariable {
  readonly variable: string;
  /** The pattern of the variable, as in the index. Present only if it can match a slash. */
  readonly pattern?: string;
  /** Matches values with `pattern`. Required if there is a pattern. */
  readonly by?: ImportedFeature<"pathPattern">;
}

/**
 * The checks that a client makes before it sends an argument. The server uses the definitions in the index instead.
 * Without `type`, any value is accepted.
 */
export interface ArgDescriptor {
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly required?: true;
  readonly enum?: readonly JsonValue[];
  readonly items?: ArgDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}

/**
 * A member of an argument. Its strings have the type `string` and not literal types, because the compiler widens the
 * literal types of a member whose name every object inherits, such as `toString`.
 */
export interface MemberDescriptor {
  readonly type?: string | readonly string[];
  readonly required?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly items?: MemberDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}
/** The names of types in the keyword `type` of a JSON Schema. */
export type JsonTypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** The answer types of an interface; used only to validate answers. */
export interface AnswerSchemas {
  readonly descriptorFormat: DescriptorFormat;
  /** The named types, which may refer to each other. */
  readonly types: Readonly<Record<string, AnswerSchema>>;
  /** The answer types, keyed by the names of their endpoints. */
  readonly endpoints: Readonly<Record<string, AnswerSchema>>;
}

/**
 * A type of JSON values; without members, any value is valid. As in `MemberDescriptor`, its strings have the type
 * `string` and not literal types.
 */
export interface AnswerSchema {
  /** The name of a type in `AnswerSchemas.types`. */
  readonly named?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly items?: AnswerSchema;
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  /** For a property: whether it is always present. */
  readonly required?: boolean;
  /** The type of members that `properties` does not list. If absent, these members may have any value. */
  readonly additional?: AnswerSchema;
  readonly anyOf?: readonly AnswerSchema[];
}
