import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
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
