import { type FacetUse, LexicalError, type SimpleType } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { readText, writeValue } from "./reading.js";

interface Case {
  readonly base: SimpleType<unknown>;
  readonly facets: readonly FacetUse[];
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const cases: readonly Case[] = [
  { base: xs.string, facets: [[xs.length, 2]], valid: ["ab", "\u{1F600}b"], invalid: ["a", "abc", ""] },
  {
    base: xs.string,
    facets: [
      [xs.minLength, 1],
      [xs.maxLength, 2],
    ],
    valid: ["a", "\u{1F600}\u{1F600}"],
    invalid: ["", "abc"],
  },
  { base: xs.hexBinary, facets: [[xs.length, 2]], valid: ["ABCD"], invalid: ["AB", "ABCDEF"] },
  { base: xs.base64Binary, facets: [[xs.maxLength, 2]], valid: ["AQI="], invalid: ["AQID"] },
  { base: xs.list([xs.int], [], "ints"), facets: [[xs.minLength, 2]], valid: ["1 2"], invalid: ["1", ""] },
  { base: xs.NMTOKENS, facets: [[xs.maxLength, 1]], valid: ["abc"], invalid: ["a b"] },
  { base: xs.QName, facets: [[xs.length, 99]], valid: ["a"], invalid: [] },
  {
    base: xs.decimal,
    facets: [[xs.totalDigits, 3]],
    valid: ["123", "0012.30", "-1.23", "0.00"],
    invalid: ["1234", "12.34"],
  },
  { base: xs.decimal, facets: [[xs.fractionDigits, 1]], valid: ["1.50", "1", "100.0"], invalid: ["1.55"] },
  { base: xs.integer, facets: [[xs.totalDigits, 2]], valid: ["-12", "012"], invalid: ["123"] },
  {
    base: xs.decimal,
    facets: [[xs.minInclusive, "0.1"]],
    valid: ["0.10", "0.1000000000000000000001"],
    invalid: ["0.0999999999999999999999", "-1"],
  },
  { base: xs.decimal, facets: [[xs.maxExclusive, "10"]], valid: ["9.999999999999999999"], invalid: ["10.0", "10"] },
  {
    base: xs.int,
    facets: [
      [xs.minInclusive, 1],
      [xs.maxInclusive, 5],
    ],
    valid: ["1", "5"],
    invalid: ["0", "6"],
  },
  {
    base: xs.long,
    facets: [[xs.maxInclusive, "9007199254740993"]],
    valid: ["9007199254740993"],
    invalid: ["9007199254740994"],
  },
  { base: xs.double, facets: [[xs.minExclusive, "0"]], valid: ["1e-300", "INF"], invalid: ["0", "-0", "NaN", "-INF"] },
  { base: xs.float, facets: [[xs.maxInclusive, "0.1"]], valid: ["0.1", "0.100000001"], invalid: ["0.11"] },
  {
    base: xs.dateTime,
    facets: [[xs.minInclusive, "2000-01-01T12:00:00Z"]],
    valid: ["2000-01-01T12:00:00Z", "2000-01-01T13:00:00+01:00", "2000-01-02T03:00:00", "10000-01-01T00:00:00Z"],
    invalid: [
      "2000-01-01T12:00:00+01:00",
      "2000-01-01T11:59:59.999Z",
      "2000-01-02T01:00:00",
      "1999-12-31T00:00:00",
      "-2000-01-01T00:00:00Z",
    ],
  },
  {
    base: xs.dateTime,
    facets: [[xs.maxExclusive, "2000-01-01T00:00:00"]],
    valid: ["1999-12-31T24:00:00.000-00:00", "1999-12-31T23:59:59.9999999999"].slice(1),
    invalid: ["1999-12-31T24:00:00", "1999-12-31T23:00:00Z"],
  },
  {
    base: xs.date,
    facets: [[xs.maxInclusive, "2026-03-31"]],
    valid: ["2026-03-31", "-0001-01-01"],
    invalid: ["2026-04-01", "2026-03-31Z"],
  },
  { base: xs.time, facets: [[xs.minInclusive, "12:00:00"]], valid: ["12:00:00.5"], invalid: ["11:59:59", "24:00:00"] },
  { base: xs.gYear, facets: [[xs.minInclusive, "2000"]], valid: ["2000", "12000"], invalid: ["1999", "-3000"] },
  { base: xs.gMonthDay, facets: [[xs.maxInclusive, "--06-30"]], valid: ["--06-30"], invalid: ["--07-01"] },
  {
    base: xs.duration,
    facets: [[xs.minInclusive, "P1M"]],
    valid: ["P1M", "P32D", "P1Y", "PT768H"],
    invalid: ["P28D", "P31D", "-P1Y"],
  },
  {
    base: xs.duration,
    facets: [[xs.maxExclusive, "P1Y"]],
    valid: ["P11M", "P364D"],
    invalid: ["P12M", "P365D", "P366D", "P13M"],
  },
  { base: xs.string, facets: [[xs.enumeration, ["red", "green"]]], valid: ["red"], invalid: ["Red", "", "red "] },
  { base: xs.decimal, facets: [[xs.enumeration, ["1", "2.50"]]], valid: ["1.0", "+2.5", "01"], invalid: ["3"] },
  { base: xs.int, facets: [[xs.enumeration, [1, 2]]], valid: ["1", "+2"], invalid: ["3"] },
  { base: xs.boolean, facets: [[xs.enumeration, [true]]], valid: ["1", "true"], invalid: ["0"] },
  {
    base: xs.double,
    facets: [[xs.enumeration, [Number.POSITIVE_INFINITY, "NaN", 0]]],
    valid: ["INF", "NaN", "-0", "0E5"],
    invalid: ["1"],
  },
  {
    base: xs.dateTime,
    facets: [[xs.enumeration, ["2000-01-01T00:00:00Z"]]],
    valid: ["1999-12-31T24:00:00Z", "2000-01-01T01:00:00.0+01:00"],
    invalid: ["2000-01-01T00:00:00"],
  },
  {
    base: xs.duration,
    facets: [[xs.enumeration, ["P1Y", "PT1.5S"]]],
    valid: ["P12M", "PT1.50S"],
    invalid: ["P365D", "PT15S"],
  },
  { base: xs.hexBinary, facets: [[xs.enumeration, ["AB"]]], valid: ["ab"], invalid: ["AC"] },
  {
    base: xs.list([xs.decimal], [], "l"),
    facets: [[xs.enumeration, ["1 2"]]],
    valid: ["1.0  2.0"],
    invalid: ["2 1", "1"],
  },
  {
    base: xs.string,
    facets: [
      [xs.whiteSpace, "collapse"],
      [xs.enumeration, ["a b"]],
    ],
    valid: [" a  b "],
    invalid: ["ab"],
  },
  { base: xs.string, facets: [[xs.pattern, ["[A-Z]+", "[0-9]+"]]], valid: ["AB", "12"], invalid: ["A1", ""] },
  { base: xs.int, facets: [[xs.pattern, "[0-9]{2}"]], valid: ["12"], invalid: ["1", "+12"] },
];

test.each(cases)("$base.name with $facets reads $valid, not $invalid", ({ base, facets, valid, invalid }) => {
  const type = xs.restriction([base], facets, "restricted");
  for (const text of valid) {
    const value = readText(type, text);
    expect([text, value]).toStrictEqual([
      text,
      readText(base, type.whiteSpace === base.whiteSpace ? text : text.trim().replace(/ +/g, " ")),
    ]);
    expect(() => writeValue(type, value)).not.toThrow();
  }
  for (const text of invalid) {
    expect(() => readText(type, text), text).toThrow(LexicalError);
  }
});

test("facets are checked on writing", () => {
  const type = xs.restriction([xs.string], [[xs.maxLength, 2]], "two");
  expect(() => writeValue(type, "abc")).toThrow('"abc" is not a valid two: its length is 3 and must be at most 2.');
});

test("an exclusive bound may equal the base's, which the base itself excludes (§4.3.8.4)", () => {
  const below = xs.restriction([xs.int], [[xs.maxExclusive, 9]], "below");
  const same = xs.restriction([below], [[xs.maxExclusive, 9]], "same");
  expect(readText(same, "8")).toBe(8);
  expect(() => readText(same, "9")).toThrow(LexicalError);
});

test("the patterns of several steps must all match", () => {
  const first = xs.restriction([xs.string], [[xs.pattern, ["a.*"]]], "first");
  const second = xs.restriction([first], [[xs.pattern, [".*b"]]], "second");
  expect(readText(second, "ab")).toBe("ab");
  expect(() => readText(second, "ac")).toThrow(LexicalError);
  expect(() => readText(second, "cb")).toThrow(LexicalError);
});

test("a message quotes only the beginning of a long text", () => {
  const type = xs.restriction([xs.string], [[xs.enumeration, ["a"]]], "one");
  let message = "";
  try {
    readText(type, "secret".repeat(100));
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  expect(message).toContain("secretsecret");
  expect(message.length).toBeLessThan(130);
});

test("a text that takes too many steps of a pattern is refused with that reason", () => {
  const type = xs.restriction([xs.string], [[xs.pattern, ["([ab]*a[ab]{2000})+"]]], "Hard");
  expect(() => readText(type, "ab".repeat(50_000))).toThrow(
    "comparing it with the pattern ([ab]*a[ab]{2000})+ takes too many steps: the maximum is 5000000 for a string, and 50000000 for all strings of a message",
  );
});

test.each([
  { values: ["Open", "Paid"], want: 'it must be one of "Open", "Paid".' },
  { values: ['a"\n'], want: 'it must be one of "a\\"\\n".' },
  {
    values: Array.from({ length: 12 }, (_, index) => `v${index}`),
    want: 'it must be one of "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7" and 4 others.',
  },
])("a value outside an enumeration is refused with the allowed values: $want", ({ values, want }) => {
  const type = xs.restriction([xs.string], [[xs.enumeration, values]], "t:Status");
  expect(() => readText(type, "secret")).toThrow(`"secret" is not a valid t:Status: ${want}`);
});
