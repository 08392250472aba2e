/** Type tests: what must not compile. `typed.test.ts` runs the compiler over this folder. */
import { Decoder } from "../../src/codec/decoder.js";
import type {
  AnyOperationDescriptor,
  ArrayDescriptor,
  OperationDescriptor,
  PolymorphicDescriptor,
  RecordDescriptor,
} from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";

interface Pair {
  value: string;
  count?: number | undefined;
}
type Payment = { amount: string } & ({ card: string; cash?: undefined } | { cash: Pair; card?: undefined });
type AnyShape = (Pair & { readonly $type?: "Pair" | undefined }) | (Pair & { readonly $type: "Other" });

const complete: RecordDescriptor<Pair> = {
  kind: "record",
  name: "Pair",
  fields: { value: { type: xs.string }, count: { type: xs.int, min: 0 } },
};

export const missing: RecordDescriptor<Pair> = {
  kind: "record",
  name: "Pair",
  // @ts-expect-error `count` is left out
  fields: { value: { type: xs.string } },
};

export const another: RecordDescriptor<Pair> = {
  kind: "record",
  name: "Pair",
  // @ts-expect-error `count` is a number
  fields: { value: { type: xs.string }, count: { type: xs.string, min: 0 } },
};

export const extra: RecordDescriptor<Pair> = {
  kind: "record",
  name: "Pair",
  // @ts-expect-error there is no `more`
  fields: { value: { type: xs.string }, count: { type: xs.int }, more: { type: xs.int } },
};

export const bothArms: RecordDescriptor<Payment> = {
  kind: "record",
  name: "Payment",
  fields: { amount: { type: xs.decimal }, card: { type: xs.string }, cash: { type: () => complete } },
  by: xs.content,
  content: ["amount", { choice: ["card", "cash"] }],
};

export const oneArm: RecordDescriptor<Payment> = {
  kind: "record",
  name: "Payment",
  // @ts-expect-error the alternative `cash` is left out
  fields: { amount: { type: xs.decimal }, card: { type: xs.string } },
};

/** A restriction took `count` away. */
interface Single {
  value: string;
  count?: undefined;
}

export const withoutCount: RecordDescriptor<Single> = {
  kind: "record",
  name: "Single",
  fields: { value: { type: xs.string } },
};

export const withCount: RecordDescriptor<Single> = {
  kind: "record",
  name: "Single",
  // @ts-expect-error `count` is not on the wire
  fields: { value: { type: xs.string }, count: { type: xs.int, min: 0 } },
};

export const arms: PolymorphicDescriptor<AnyShape> = {
  kind: "polymorphic",
  by: xs.polymorphic,
  name: "Pair",
  declared: "Pair",
  // @ts-expect-error the alternative `Other` is left out
  alternatives: { Pair: () => complete },
};

export const words: ArrayDescriptor<(string | null)[]> = {
  kind: "array",
  by: xs.array,
  name: "Words",
  element: "item",
  item: xs.string,
};

export const numbers: ArrayDescriptor<(string | null)[]> = {
  kind: "array",
  by: xs.array,
  name: "Numbers",
  element: "item",
  // @ts-expect-error the items are texts
  item: xs.int,
};

export const withArray: RecordDescriptor<{ readonly all: readonly (string | null)[] }> = {
  kind: "record",
  name: "WithArray",
  fields: { all: { type: () => words } },
};

export function decoded(reader: Parameters<Decoder["decode"]>[0]): void {
  const pair: Pair = new Decoder().decode(reader, () => complete);
  // @ts-expect-error what is decoded is a Pair
  const text: string = new Decoder().decode(reader, () => complete);
  pair.value = text;
}

/** Bodies that are not records, such as elements of a simple type or a list: servers accept them too. */
declare const listed: OperationDescriptor<readonly number[], readonly number[]>;
declare const text: OperationDescriptor<string, Uint8Array | null>;
export const operations: readonly AnyOperationDescriptor[] = [listed, text];
