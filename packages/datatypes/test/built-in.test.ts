import { LexicalError } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { describe, expect, test } from "vitest";
import { builtInCases } from "./built-in-cases.js";
import { readText, writeValue } from "./reading.js";

describe.each(builtInCases)("$type.name", ({ type, valid, invalid }) => {
  test.each(
    valid.map((each) => (typeof each === "string" ? { text: each, value: each } : { text: each[0], value: each[1] })),
  )("reads $text", ({ text, value }) => {
    expect(readText(type, text)).toStrictEqual(value);
  });

  test.each(valid.map((each) => ({ value: typeof each === "string" ? each : each[1] })))(
    "reads what it writes for $value",
    ({ value }) => {
      expect(readText(type, writeValue(type, value))).toStrictEqual(value);
    },
  );

  test.each(invalid.map((text) => ({ text, shown: text.slice(0, 40) })))("refuses $shown", ({ text }) => {
    let message = "";
    expect(() => {
      try {
        readText(type, text);
      } catch (error) {
        message = error instanceof LexicalError ? error.message : "";
        throw error;
      }
    }).toThrow(LexicalError);
    expect(message).not.toBe("");
    expect(message.length).toBeLessThan(130);
  });

  const isFloat = type === xs.float || type === xs.double;
  const otherValues = [undefined, null, {}, Symbol("s"), () => 1, new Map(), ...(isFloat ? [] : [Number.NaN])];
  test.each(otherValues.map((value) => ({ value })))("writes no $value", ({ value }) => {
    expect(() => writeValue(type, value)).toThrow(LexicalError);
  });
});

test("all 44 built-in simple types are here", () => {
  const names = new Set(
    Object.values(xs).flatMap((each) => ("kind" in each && each.kind === "simple" ? [each.name] : [])),
  );
  names.delete("xs:anySimpleType");
  expect(names.size).toBe(44);
  expect(builtInCases.length).toBe(43); // Without QName and NOTATION, with anySimpleType.
});

test.each([
  { type: xs.int, value: 1.5 },
  { type: xs.int, value: 2147483648 },
  { type: xs.int, value: 1n },
  { type: xs.int, value: "1" },
  { type: xs.long, value: 1 },
  { type: xs.long, value: 2n ** 63n },
  { type: xs.decimal, value: 1 },
  { type: xs.decimal, value: " 1" },
  { type: xs.token, value: "a  b" },
  { type: xs.normalizedString, value: "a\nb" },
  { type: xs.boolean, value: "true" },
  { type: xs.float, value: 1e39 },
  { type: xs.date, value: new Date(0) },
  { type: xs.base64Binary, value: [1, 2] },
  { type: xs.NMTOKENS, value: "a b" },
  { type: xs.NMTOKENS, value: [] },
  { type: xs.NMTOKENS, value: ["a b"] },
])("$type.name does not write $value", ({ type, value }) => {
  expect(() => writeValue(type, value)).toThrow(LexicalError);
});

test.each([
  { type: xs.dateTime, wrong: "2026-01-31 12:00", want: "2026-01-31T12:00:00Z" },
  { type: xs.date, wrong: "31.01.2026", want: "2026-01-31" },
  { type: xs.time, wrong: "12:00", want: "12:00:00" },
  { type: xs.gYearMonth, wrong: "01/2026", want: "2026-01" },
  { type: xs.gYear, wrong: "26", want: "2026" },
  { type: xs.gMonthDay, wrong: "01-31", want: "--01-31" },
  { type: xs.gDay, wrong: "31", want: "---31" },
  { type: xs.gMonth, wrong: "1", want: "--01" },
  { type: xs.duration, wrong: "1 day", want: "P1DT12H" },
  { type: xs.decimal, wrong: "12,50", want: "12.50" },
])("the refusals of $type.name contain the example $want", ({ type, wrong, want }) => {
  const reason = `is not a valid ${type.name}: it must be text such as ${want}.`;
  expect(readText(type, want)).toBe(want);
  expect(() => readText(type, wrong)).toThrow(`"${wrong}" ${reason}`);
  expect(() => writeValue(type, wrong)).toThrow(`"${wrong}" ${reason}`);
  expect(() => writeValue(type, 5)).toThrow(`5 ${reason}`);
  expect(() => writeValue(type, new Date(0))).toThrow(`an object ${reason}`);
});

test.each([
  { type: xs.double, value: 1e21, want: "1e+21" },
  { type: xs.double, value: -0, want: "-0" },
  { type: xs.double, value: Number.POSITIVE_INFINITY, want: "INF" },
  { type: xs.float, value: 0.1, want: "0.1" },
  { type: xs.hexBinary, value: Uint8Array.of(1, 171), want: "01AB" },
  { type: xs.int, value: -0, want: "0" },
  { type: xs.decimal, value: "+01.50", want: "+01.50" },
])("$type.name writes $value as $want", ({ type, value, want }) => {
  expect(writeValue(type, value)).toBe(want);
});
