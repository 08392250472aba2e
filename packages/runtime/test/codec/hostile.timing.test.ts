import { messageLimits } from "@bothends/xml";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { QuickDecoder } from "../../src/codec/quick/quick-decoder.js";
import { QuickReader } from "../../src/codec/quick/quick-reader.js";
import type { RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decode, decodeInside, encode, type Loose, record } from "./messages.js";

test("a large choice that repeats is written in time", () => {
  const keys = Array.from({ length: 200 }, (_, index) => `arm${index}`);
  const fields = Object.fromEntries(keys.map((key) => [key, { type: xs.int }]));
  const item = record(fields, { content: [{ choice: keys }] });
  const type = record({ choice: { kind: "group", by: xs.group, record: item, max: "unbounded" } });
  const choice = Array.from({ length: 5000 }, (_, index) => ({ [`arm${index % 200}`]: index }));
  const start = processorTime();
  const xml = encode(type, { choice });
  expect(decode(type, xml)).toStrictEqual({ choice });
  expect(processorTime() - start).toBeLessThan(5000);
});

test("occurrences that meet in groups of groups are divided in linear time", () => {
  const group = (item: () => RecordDescriptor<Loose>, min: number) =>
    ({ kind: "group", by: xs.group, record: item, min, max: "unbounded" }) as const;
  const b = { type: xs.string, min: 0 };
  const inner = record({ a: { type: xs.string, min: 2, max: 3 }, b });
  const type = record({ g: group(record({ g: group(record({ g: group(inner, 2), b }), 3), b }), 4) });
  const inside = "<a/><a/><a/><a/><b/>".repeat(9_000);
  const start = processorTime();
  decodeInside(type, inside, { strict: true });
  expect(processorTime() - start).toBeLessThan(2_000);
});

describe.each(["([ab]*a[ab]{500})+", "(\\w{1,64}\\s?){1,20}", ".*a.{0,255}"])(
  "many texts that take many steps of %s",
  (pattern) => {
    const code = xs.restriction([xs.string], [[xs.pattern, [pattern]]], "Code");
    const type = {
      kind: "record",
      name: "{urn:a}T",
      namespace: "urn:a",
      fields: { code: { type: code, max: "unbounded" } },
    } as const;
    const next = randomNumbers(7);
    const letters = (length: number) => Array.from({ length }, () => (next() < 0.5 ? "a" : "b")).join("");
    const inside = Array.from({ length: 4_000 }, () => `<code>${letters(499)}a${letters(500)}</code>`).join("");

    test("are refused by the decoder in time", () => {
      const start = processorTime();
      expect(() => decodeInside(() => type as never, inside)).toThrow("takes too many steps");
      expect(processorTime() - start).toBeLessThan(10_000);
    });

    test("are refused by the quick decoder in time", () => {
      const start = processorTime();
      const reader = new QuickReader(`<R xmlns="urn:a">${inside}</R>`, messageLimits, new Map());
      reader.nextChild();
      expect(() => new QuickDecoder().decode(reader, () => type as never)).toThrow("takes too many steps");
      expect(processorTime() - start).toBeLessThan(10_000);
    });
  },
);

/** Returns a function that returns the numbers of a sequence, from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

describe("a list of empty elements whose type has many nillable members", () => {
  const nillable = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { type: xs.string, nillable: true } as const]));
  const manyNames = Array.from({ length: 50 }, (_, index) => `m${index}`);
  /** So few members that each absent one is set separately. */
  const fewNames = manyNames.slice(0, 7);
  const nulls = Object.fromEntries(manyNames.map((name) => [name, null]));
  const half = manyNames.map((name, index) => (index < 5 ? `<${name}/>` : "")).join("");
  const namesake = { name: "m0", type: xs.string, min: 0, max: 2 } as const;
  const choice = { a: { type: xs.string }, b: { type: xs.string } };
  const plain = (names: readonly string[]) => record(nillable(names));

  // Setting 50 absent members separately takes 9.9, 4.0, 4.4, 6.7 and 5.4 times as long.
  test.each([
    { name: "empty", typeWith: plain, item: "<i/>", value: nulls, ratio: 6.5 },
    {
      name: "with some members",
      typeWith: plain,
      item: `<i>${half}</i>`,
      value: { ...nulls, m0: "", m1: "", m2: "", m3: "", m4: "" },
      ratio: 3,
    },
    { name: "with an unknown element", typeWith: plain, item: "<i><z/></i>", value: nulls, ratio: 2.8 },
    {
      name: "with two elements of one name",
      typeWith: (names: readonly string[]) => record({ ...nillable(names), last: namesake }),
      item: "<i/>",
      value: nulls,
      ratio: 5.7,
    },
    {
      name: "with a choice",
      typeWith: (names: readonly string[]) =>
        record({ ...nillable(names), ...choice }, { content: [...names, { choice: ["a", "b"], optional: true }] }),
      item: "<i/>",
      value: nulls,
      ratio: 4.5,
    },
  ])("takes less than 150 ms, and $ratio times as long as with few members: $name", (example) => {
    const { typeWith, item, value, ratio } = example;
    // The limit of child elements is 50,000.
    const count = Math.min(48_000, Math.floor(340_000 / item.length));
    const read = (names: readonly string[]) => {
      const list = record({ i: { type: typeWith(names), max: "unbounded" } });
      const start = processorTime();
      const { i: items } = decodeInside(list, item.repeat(count));
      return { items: items as readonly unknown[], time: processorTime() - start };
    };
    const readings = Array.from({ length: 5 }, () => [read(manyNames), read(fewNames)] as const);
    expect(readings[0]?.[0].items).toHaveLength(count);
    expect(readings[0]?.[0].items.at(-1)).toEqual(value);
    const time = Math.min(...readings.map(([many]) => many.time));
    expect(time).toBeLessThan(150);
    expect(time / Math.min(...readings.map(([, few]) => few.time))).toBeLessThan(ratio);
  });
});
