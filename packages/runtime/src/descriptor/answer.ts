import type { JsonValue } from "./endpoint.js";
import type { DescriptorFormat } from "./format.js";

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
