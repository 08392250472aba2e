import { emptyContext, LexicalError, type SimpleType, type TextContext } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { builtInCases } from "./built-in-cases.js";
import { readText, writeValue } from "./reading.js";

const intOrWord = xs.union([xs.int, xs.token], [], "intOrWord");

test("a list splits at white space and joins with one space", () => {
  const type = xs.list([xs.int], [], "ints");
  expect(readText(type, " 1\n 2 3 ")).toEqual([1, 2, 3]);
  expect(readText(type, "")).toEqual([]);
  expect(writeValue(type, [1, 2])).toBe("1 2");
  expect(writeValue(type, [])).toBe("");
});

test("a list refuses an item that its type refuses, or that would be several", () => {
  expect(() => readText(xs.list([xs.int], [], "ints"), "1 x")).toThrow(LexicalError);
  expect(() => writeValue(xs.list([xs.string], [], "strings"), ["a b"])).toThrow("white space");
  expect(() => writeValue(xs.list([xs.string], [], "strings"), [""])).toThrow(LexicalError);
  expect(() => writeValue(xs.list([xs.string], [], "strings"), "a")).toThrow(LexicalError);
});

test("a union reads with the first member that accepts the text", () => {
  expect(readText(intOrWord, " 12 ")).toBe(12);
  expect(readText(intOrWord, " a  b ")).toBe("a b");
});

test("a union writes with the first member that accepts the value", () => {
  expect(writeValue(intOrWord, 12)).toBe("12");
  expect(writeValue(intOrWord, "12")).toBe("12");
  expect(() => writeValue(intOrWord, true)).toThrow(LexicalError);
});

test("a union refuses what every member refuses", () => {
  expect(() => readText(xs.union([xs.int, xs.boolean], [], "u"), "maybe")).toThrow('"maybe" is not a valid u.');
});

test("an enumeration over a union compares by value", () => {
  const type = xs.restriction([intOrWord], [[xs.enumeration, [1, "two"]]], "oneTwo");
  expect(readText(type, "+1")).toBe(1);
  expect(readText(type, "two")).toBe("two");
  expect(() => readText(type, "3")).toThrow(LexicalError);
});

test("a pattern over a union sees the text as its member normalizes it", () => {
  const type = xs.restriction([intOrWord], [[xs.pattern, "[0-9]+"]], "digits");
  expect(readText(type, " 12 ")).toBe(12);
  expect(() => readText(type, "-12")).toThrow(LexicalError);
});

test("a list of a union, and a union of lists", () => {
  expect(readText(xs.list([intOrWord], [], "l"), "1 a 2")).toEqual([1, "a", 2]);
  const lists = xs.union([xs.list([xs.int], [], "ints"), xs.list([xs.token], [], "words")], [], "lists");
  expect(readText(lists, "1 2")).toEqual([1, 2]);
  expect(readText(lists, "1 b")).toEqual(["1", "b"]);
});

test("facets may accompany a list or a union", () => {
  expect(() => readText(xs.list([xs.int], [[xs.maxLength, 1]], "l"), "1 2")).toThrow(LexicalError);
  expect(readText(xs.union([xs.int, xs.token], [[xs.enumeration, ["x"]]], "u"), "x")).toBe("x");
});

test.each([
  {
    type: xs.dateTimeAsDate,
    text: "2026-03-31T01:00:00.25+01:00",
    value: new Date("2026-03-31T00:00:00.250Z"),
    written: "2026-03-31T00:00:00.250Z",
  },
  {
    type: xs.dateTimeAsDate,
    text: "2026-03-31T00:00:00",
    value: new Date("2026-03-31T00:00:00Z"),
    written: "2026-03-31T00:00:00Z",
  },
  { type: xs.dateAsDate, text: "2026-03-31", value: new Date("2026-03-31T00:00:00Z"), written: "2026-03-31" },
  { type: xs.decimalAsNumber, text: "01.50", value: 1.5, written: "1.5" },
  { type: xs.decimalAsNumber, text: "-0", value: 0, written: "0" },
  { type: xs.decimalAsNumber, text: "0.0000001", value: 1e-7, written: "0.0000001" },
  { type: xs.decimalAsNumber, text: "1000000000000000000000", value: 1e21, written: "1000000000000000000000" },
  { type: xs.longAsNumber, text: "+9007199254740991", value: 9007199254740991, written: "9007199254740991" },
  {
    type: xs.longAsString,
    text: "+009223372036854775807",
    value: "9223372036854775807",
    written: "9223372036854775807",
  },
])("$type.name reads $text as $value", ({ type, text, value, written }) => {
  expect(readText<unknown>(type, text)).toEqual(value);
  expect(writeValue(type, value)).toBe(written);
});

test.each([
  { type: xs.longAsNumber, text: "9007199254740992" },
  { type: xs.decimalAsNumber, text: "0.1234567890123456789" },
  { type: xs.dateTimeAsDate, text: "12026-01-01T00:00:00Z" },
  { type: xs.dateTimeAsDate, text: "2026-02-30T00:00:00Z" },
  { type: xs.longAsString, text: "9223372036854775808" },
])("$type.name refuses $text", ({ type, text }) => {
  expect(() => readText<unknown>(type, text)).toThrow(LexicalError);
});

test.each([
  { type: xs.dateTimeAsDate, value: new Date(Number.NaN) },
  { type: xs.dateAsDate, value: new Date(1) },
  { type: xs.decimalAsNumber, value: Number.POSITIVE_INFINITY },
  { type: xs.longAsNumber, value: 2 ** 53 },
  { type: xs.longAsString, value: "1.5" },
])("$type.name does not write $value", ({ type, value }) => {
  expect(() => writeValue(type, value)).toThrow(LexicalError);
});

test("bounds apply to a mapped type", () => {
  const type = xs.restriction([xs.dateTimeAsDate], [[xs.minInclusive, "2000-01-01T00:00:00Z"]], "recent");
  expect(readText(type, "2000-01-01T00:00:00Z")).toEqual(new Date("2000-01-01T00:00:00Z"));
  expect(() => writeValue(type, new Date(0))).toThrow(LexicalError);
});

const simpleTypes = Object.values(xs).flatMap((each) => ("kind" in each && each.kind === "simple" ? [each] : []));

test.each(simpleTypes)("a union of only $name reads and refuses the same texts", (type: SimpleType<unknown>) => {
  const only = xs.union([type], [], "only");
  const texts = builtInCases.flatMap(({ valid, invalid }) => [
    ...valid.map((each) => (typeof each === "string" ? each : each[0])),
    ...invalid,
  ]);
  for (const text of [...texts, "p:a", "q:a", ":a"]) {
    const context: TextContext = { ...emptyContext, resolve: (prefix) => (prefix === "p" ? "urn:p" : undefined) };
    let value: unknown;
    try {
      value = readText(type, text, context);
    } catch (error) {
      expect(error).toBeInstanceOf(LexicalError);
      expect(() => readText(only, text, context), text).toThrow(LexicalError);
      continue;
    }
    expect(readText(only, text, context), text).toStrictEqual(value);
  }
});

const values = [
  ...[
    "",
    " ",
    "a",
    " a",
    "a  b",
    "-5",
    "+05",
    "1.50",
    "1e5",
    "true",
    "0f",
    "P1D",
    "2026-01-31",
    "{urn:p}a",
    "{urn:p}",
    "a:b",
  ],
  ...[0, -0, 5, -5, 1.5, 300, 1e21, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
  ...[0n, -5n, 2n ** 64n, true, new Date(0), new Date(1), new Date(Number.NaN), new Date(-1e14), new Uint8Array([1])],
  ...[undefined, null, Symbol("a"), {}, [], ["a"], ["a", " b"], [""], [5], [[5]]],
];
const derivedTypes = [
  xs.restriction([xs.decimalAsNumber], [[xs.pattern, ["[0-9.]*0"]]], "trailingZero"),
  xs.restriction([xs.int], [[xs.maxInclusive, 5]], "small"),
  xs.restriction([xs.string], [[xs.whiteSpace, "collapse"]], "collapsed"),
  xs.list([xs.union([xs.int, xs.string], [], "either")], [], "list"),
];

test.each([...simpleTypes, ...derivedTypes])("a union of only $name writes and refuses the same values", (type) => {
  const only = xs.union([type], [], "only");
  for (const value of values) {
    let text: string;
    try {
      text = writeValue(type, value);
    } catch (error) {
      expect(error).toBeInstanceOf(LexicalError);
      expect(() => writeValue(only, value), String(value)).toThrow(LexicalError);
      continue;
    }
    expect(writeValue(only, value), text).toBe(text);
  }
});

test("a union with a pattern compares values in any form", () => {
  const padded = xs.restriction([xs.int], [[xs.pattern, ["[0-9]{3}"]]], "padded");
  const type = xs.union([padded, xs.int, xs.token], [], "type");
  expect(readText(xs.restriction([type], [[xs.enumeration, ["005", "x"]]], "u"), "5")).toBe(5);
  expect(writeValue(type, 5)).toBe("005");
});

test("an enumeration over a union has literals that are no names", () => {
  const type = xs.union([xs.QName, xs.double], [], "type");
  const enumerated = xs.restriction([type], [[xs.enumeration, ["2.5", "{urn:p}a"]]], "enumerated");
  expect(readText(enumerated, "2.50")).toBe(2.5);
  expect(() => readText(enumerated, "3")).toThrow(LexicalError);
});
