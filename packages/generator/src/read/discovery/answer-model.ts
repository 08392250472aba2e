import type { JsonNode } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import type { TypeWord } from "./model.js";

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
