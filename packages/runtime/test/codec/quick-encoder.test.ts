import fc from "fast-check";
import { expect, test } from "vitest";
import { Encoder } from "../../src/codec/encoder.js";
import { QuickEncoder } from "../../src/codec/quick/quick-encoder.js";
import * as xs from "../../src/xs.js";

const line = {
  kind: "record",
  name: "{urn:o}Line",
  namespace: "urn:o",
  fields: {
    sku: { type: xs.string },
    count: { type: xs.int, min: 0, nillable: true },
  },
} as const;
const order = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: {
    id: { type: xs.int },
    name: { type: xs.string, nillable: true },
    lines: { type: () => line, min: 0, max: 3 },
    parent: { type: () => order, min: 0 },
    tag: { type: xs.string, namespace: "urn:t", min: 0, max: "unbounded", nillable: true },
    kind: { type: xs.QName, min: 0 },
  },
} as const satisfies object;
const withAttribute = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: { id: { kind: "attribute", by: xs.attribute, type: xs.int } },
} as const;

const full = new Encoder();
const quick = new QuickEncoder();

function encode(value: unknown, type: object = order): string {
  return full.encode("{urn:o}Order", () => type as never, value);
}

function encodeQuickly(value: unknown, type: object = order): string {
  return quick.encode("{urn:o}Order", () => type as never, value);
}

const usual: readonly unknown[] = [
  { id: 1, name: "a" },
  { id: 1, name: null },
  { id: 1 },
  { id: 1, name: undefined, lines: undefined, unknown: undefined },
  { id: 1, name: "", lines: [] },
  { id: 1, name: '<&>"\r\n é 𝄞', lines: [{ sku: "" }, { sku: "b", count: null }, { sku: "c", count: 3 }] },
  { id: 1, parent: { id: 2, parent: { id: 3 } }, tag: ["a", null, ""] },
  { id: 1, lines: null, parent: null },
  Object.assign(Object.create(null), { id: 1 }),
];

test.each(usual)("usual values are written like others: %j", (value) => {
  expect(encodeQuickly(value)).toBe(encode(value));
});

const cyclic: { id: number; parent?: unknown } = { id: 1 };
cyclic.parent = cyclic;
class Instance {
  readonly id = 1;
}

const unusual: readonly (readonly [string, unknown])[] = [
  ["a missing member", { name: "a" }],
  ["null where it is not allowed", { id: null }],
  ["null in an array whose items are not nillable", { id: 1, lines: [null] }],
  ["an unknown member", { id: 1, nmae: "a" }],
  ["an inherited member", Object.create({ id: 1 })],
  ["an instance of a class", new Instance()],
  ["a value of the wrong type", { id: "1" }],
  ["a value outside its type", { id: 2 ** 31 }],
  ["an array", [{ id: 1 }]],
  ["a text", "a"],
  ["no array", { id: 1, lines: { sku: "a" } }],
  ["too many items", { id: 1, lines: [1, 2, 3, 4].map(() => ({ sku: "a" })) }],
  ["an undefined item", { id: 1, tag: [undefined] }],
  ["a value that contains itself", cyclic],
  ["a forbidden character", { id: 1, name: "\u0001" }],
  ["half a surrogate pair", { id: 1, name: "\ud800" }],
  ["a qualified name", { id: 1, kind: "{urn:q}x" }],
];

test.each(unusual)("quick writing stops at %s", (_, value) => {
  // Any other error would be a mistake of the quick encoder, which clients would hide by calling the full encoder.
  expect(() => encodeQuickly(value)).toThrow(/^unusual$| is not a valid xs:/);
});

test("the iterator of an array cannot add items", () => {
  const tag = Object.assign(["a"], { [Symbol.iterator]: () => ["b", "c"].values() });
  expect(encodeQuickly({ id: 1, tag })).toContain(">a<");
  expect(encodeQuickly({ id: 1, tag })).not.toContain(">b<");
});

test("quick writing does not support descriptors with more than elements", () => {
  expect(() => encodeQuickly({ id: 1 }, withAttribute)).toThrow("unusual");
});

test("quick writing declares the namespaces that the surrounding element does not", () => {
  const renamed = new QuickEncoder({ namespaces: new Map([["urn:t", 'urn:"&']]) });
  const options = { namespaces: new Map([["urn:t", 'urn:"&']]) };
  const value = { id: 1, tag: ["a"] };
  expect(renamed.encode("{urn:o}Order", () => order as never, value)).toBe(
    new Encoder(options).encode("{urn:o}Order", () => order as never, value),
  );
  // The same record inside an element of another namespace.
  expect(quick.encode("{urn:x}Order", () => order as never, value)).toBe(
    full.encode("{urn:x}Order", () => order as never, value),
  );
});

test("an operation without an input is written as a record without members", () => {
  const optional = { ...line, fields: { sku: { type: xs.string, min: 0 } } };
  expect(encodeQuickly(undefined, optional)).toBe(encode({}, optional));
  expect(() => quick.encode("{urn:o}a", xs.string, undefined)).toThrow("unusual");
  expect(quick.encode("{urn:o}a", xs.string, null, true)).toBe(
    full.encode("{urn:o}a", xs.string, null, { nillable: true }),
  );
});

test("what is written quickly is what the full encoder writes", () => {
  const texts = fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: "grapheme" }) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, 1, "\u0001") },
  );
  const lines = fc.record({ sku: texts, count: fc.option(fc.integer()) }, { requiredKeys: ["sku"] });
  const { order: orders } = fc.letrec((tie) => ({
    order: fc.record(
      {
        id: fc.integer(),
        name: texts,
        lines: fc.array(lines, { maxLength: 4 }),
        parent: fc.option(tie("order"), { nil: undefined, maxDepth: 3 }),
        tag: fc.array(texts, { maxLength: 3 }),
        other: fc.constant(undefined),
      },
      { requiredKeys: ["id"] },
    ),
  }));
  let count = 0;
  fc.assert(
    fc.property(orders, (value) => {
      let text: string;
      try {
        text = encodeQuickly(value);
      } catch (error) {
        expect(String(error)).toMatch(/^Error: unusual$| is not a valid xs:/);
        return;
      }
      count += 1;
      expect(text).toBe(encode(value));
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(50);
});
