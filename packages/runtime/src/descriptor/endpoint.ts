import type { DescriptorFormat, KeysOf } from "./record.js";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RestInterfaceDescriptor {
  readonly descriptorFormat: DescriptorFormat;
  readonly name: string;
  /** The path of the index below the site, with `{variable}` where it varies: `/{lang}/api`, `/wp-json`. */
  readonly base: string;
  /** The values each variable of `base` may take; the first is the default. */
  readonly baseValues?: Readonly<Record<string, readonly string[]>>;
  /** The variable of `base` that holds the language, and the argument that overrides it for the handler. */
  readonly language?: { readonly variable?: string; readonly argument?: string };
  /** Literal path segments that may bear another name at run time. */
  readonly segments?: readonly string[];
}

/** One endpoint of a route: its methods share arguments and one handler. */
export interface EndpointDescriptor<Input, Answer = JsonValue> {
  readonly kind: "endpoint";
  readonly interface: RestInterfaceDescriptor;
  /** As code names it: `core.blocks.list`. */
  readonly name: string;
  /** The route's key in the index. */
  readonly route: string;
  /** What paths are written from. Where the route leaves a choice, this is the simplest. */
  readonly path: readonly PathPiece[];
  /** The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  readonly args: { readonly [K in KeysOf<Input>]-?: ArgDescriptor };
  /** Never there: it tells the compiler what calls resolve to. */
  readonly answer?: Answer;
}

/** Any endpoint, as the runtime walks it. */
export interface AnyEndpointDescriptor extends Omit<EndpointDescriptor<unknown>, "args" | "answer"> {
  readonly args: Readonly<Record<string, ArgDescriptor>>;
}

/** Literal text, a variable, or a part that is left out where none of its variables has a value. */
export type PathPiece = string | PathVariable | { readonly optional: readonly PathPiece[] };

export interface PathVariable {
  readonly variable: string;
  /** The group's pattern, as the index spells it. */
  readonly pattern: string;
}

/** What a client checks before it sends; the server validates by the index's own definitions. No `type`: anything. */
export interface ArgDescriptor {
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly required?: true;
  readonly enum?: readonly JsonValue[];
  readonly items?: ArgDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}

/**
 * A member of an argument. Its words are wider than an argument's: under a name that every object has, such as
 * `toString`, the compiler expects what stands there on every object, and takes a literal for any text.
 */
export interface MemberDescriptor {
  readonly type?: string | readonly string[];
  readonly required?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly items?: MemberDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}
export type JsonTypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** What the answers of an interface are, for those who have them checked: nothing else refers to it. */
export interface AnswerSchemas {
  readonly descriptorFormat: DescriptorFormat;
  /** The named types, which may refer to each other. */
  readonly types: Readonly<Record<string, AnswerSchema>>;
  /** The answers of the endpoints that have a type, by the endpoints' names. */
  readonly endpoints: Readonly<Record<string, AnswerSchema>>;
}

/** A type of JSON values. Without any member: all values. Its words are wide for the reason of `MemberDescriptor`. */
export interface AnswerSchema {
  /** The name of one of `types`. */
  readonly named?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly items?: AnswerSchema;
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  /** As a property: it is there whatever the context. */
  readonly required?: boolean;
  /** The type of members that are no properties; absent: any. */
  readonly additional?: AnswerSchema;
  readonly anyOf?: readonly AnswerSchema[];
}
