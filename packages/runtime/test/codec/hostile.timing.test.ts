import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import * as xs from "../../src/xs.js";
import { decode, encode, record } from "./messages.js";

test("a large choice that repeats is written in time", () => {
  const keys = Array.from({ length: 200 }, (_, index) => `arm${index}`);
  const fields = Object.fromEntries(keys.map((key) => [key, { type: xs.int }]));
  const item = record(fields, { content: [{ choice: keys }] });
  const type = record({ choice: { kind: "group", record: item, max: "unbounded" } });
  const choice = Array.from({ length: 5000 }, (_, index) => ({ [`arm${index % 200}`]: index }));
  const start = processorTime();
  const xml = encode(type, { choice });
  expect(decode(type, xml)).toStrictEqual({ choice });
  expect(processorTime() - start).toBeLessThan(5000);
});
