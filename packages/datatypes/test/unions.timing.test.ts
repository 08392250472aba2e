import { getValueSpace } from "@bothends/datatypes/value-space";
import * as xs from "@bothends/datatypes/xs";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../testing/processor-time.js";
import { readText, writeValue } from "./reading.js";

const code = xs.restriction([xs.token], [[xs.enumeration, ["A", "B"]]], "code");
const number = xs.union([xs.int, xs.decimal], [], "number");
const union = xs.union([xs.boolean, number, code, xs.date, xs.hexBinary, xs.QName, xs.token], [], "union");
const restricted = xs.restriction([union], [[xs.pattern, ["[!-~]+"]]], "restricted");

test.each([
  ["a union", union],
  ["a restriction of a union", restricted],
])("100,000 items that only the last member type of %s accepts are read in less than 400 ms", (_, type) => {
  const list = xs.list([type], [], "list");
  const text = "!:! ".repeat(100_000);
  const started = processorTime();
  expect(readText(list, text)).toHaveLength(100_000);
  expect(processorTime() - started).toBeLessThan(400);
});

const everyKind = xs.union(
  [xs.boolean, xs.byte, xs.long, xs.hexBinary, xs.date, xs.QName, xs.double, code, xs.token],
  [],
  "everyKind",
);
/** A decimal in a form that does not exist. To write it, hundreds of forms are tried. */
const formless = xs.restriction([xs.decimalAsNumber], [[xs.pattern, ["[a-z]"]]], "formless");
const compared = xs.union([formless, everyKind], [], "compared");
const enumerated = xs.restriction([compared], [[xs.enumeration, ["!:!", "2.5"]]], "enumerated");

describe.each([
  ["a text", "!:!"],
  ["a number", "2.5"],
])("100,000 values of a union that only a late member type accepts, each %s,", (_, text) => {
  const value = readText(everyKind, text);

  test("are compared with an enumeration in less than 600 ms", () => {
    const list = xs.list([enumerated], [], "list");
    const started = processorTime();
    expect(readText(list, `${text} `.repeat(100_000))).toHaveLength(100_000);
    expect(processorTime() - started).toBeLessThan(600);
  });

  test("get their keys in less than 300 ms", () => {
    const { key } = getValueSpace(compared);
    const keys = new Set<string>();
    const started = processorTime();
    for (let count = 0; count < 100_000; count += 1) {
      keys.add(key(value));
    }
    expect(keys.size).toBe(1);
    expect(processorTime() - started).toBeLessThan(300);
  });

  test("are written in less than 300 ms", () => {
    const list = xs.list([everyKind], [], "list");
    const started = processorTime();
    const written = writeValue(
      list,
      Array.from({ length: 100_000 }, () => value),
    );
    expect(written).toBe(Array.from({ length: 100_000 }, () => text).join(" "));
    expect(processorTime() - started).toBeLessThan(300);
  });
});
