import type { JsonValue } from "../../descriptor.js";

/** What a call resolves to: where it chooses `fields`, any member may be missing. */
export type Selected<Answer, Options> = Options extends { readonly fields: readonly string[] } ? Some<Answer> : Answer;

type Some<Value> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Some<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: Some<Value[Name]> | undefined }
      : Value;
