import type { JsonValue } from "../../descriptor.js";

/**
 * The answer of a call with these options: with `fields`, the members that were requested; with `embed`, what the server embeds.
 * If the names of the fields are not known to the compiler, any member may be missing.
 */
export type Selected<Answer, Options> = Options extends { readonly fields: readonly (infer Field)[] }
  ? WithEmbedded<string extends Field ? Some<Answer> : Picked<Answer, Field>, Options>
  : WithEmbedded<Answer, Options>;

/** The answer of a deletion: with `force`, the deleted object in `previous`; without, the object in the trash. */
export type Forced<Answer, Force> = [Force] extends [true]
  ? Extract<Answer, Deleted>
  : [Force] extends [false]
    ? TrashedOf<Answer>
    : Answer;

interface Deleted {
  readonly deleted: unknown;
  readonly previous: unknown;
}

/** Endpoints without a trash only have one kind of answer. */
type TrashedOf<Answer> = [Exclude<Answer, Deleted>] extends [never] ? Answer : Exclude<Answer, Deleted>;

type Some<Value> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Some<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: Some<Value[Name]> | undefined }
      : Value;

/** The members that fields name, such as `id` or `title.rendered`. */
type Picked<Value, Field> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Picked<Item, Field>[]
    : Value extends object
      ? PickedMembers<Value, keyof Value & NameIn<Field>, Field>
      : Value;

type PickedMembers<Value, Names extends keyof Value, Field> = {
  readonly [Name in Names]: Name extends Field ? Value[Name] : Picked<Value[Name], Below<Name, Field>>;
};

type NameIn<Field> = Field extends `${infer Name}.${string}` ? Name : Field;
type Below<Name, Field> = Field extends `${Name & string}.${infer Rest}` ? Rest : never;

/** Linked resources by the names of their relations; a resource without any has none. */
interface Embedded {
  readonly _embedded?: { readonly [relation: string]: readonly JsonValue[] | undefined };
}

type WithEmbedded<Answer, Options> = Options extends { readonly embed: true | readonly string[] }
  ? JsonValue extends Answer
    ? Answer
    : Answer extends readonly (infer Item)[]
      ? readonly (Item & Embedded)[]
      : Answer & Embedded
  : Answer;
