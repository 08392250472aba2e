import { type FacetUse, LexicalError, type SimpleType } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { readText, writeValue } from "./reading.js";

// XSD 1.0 Part 2 §4.3.4: a pattern restricts the literals of a type, and a value may have several of them (§2.3).

function restricted(base: SimpleType<unknown>, ...facets: FacetUse[]): SimpleType<unknown> {
  return xs.restriction([base], facets, "restricted");
}

test.each([
  { base: xs.boolean, pattern: "0|1", value: true, want: "1" },
  { base: xs.boolean, pattern: "0|1", value: false, want: "0" },
  { base: xs.boolean, pattern: "true|0", value: true, want: "true" },
  { base: xs.boolean, pattern: "true|0", value: false, want: "0" },
  { base: xs.int, pattern: "[0-9]{2}", value: 7, want: "07" },
  { base: xs.int, pattern: "[0-9]{2}", value: 12, want: "12" },
  { base: xs.int, pattern: "-[0-9]{3}", value: -7, want: "-007" },
  { base: xs.int, pattern: "\\+[0-9]+", value: 7, want: "+7" },
  { base: xs.unsignedLong, pattern: "[0-9]{18}", value: 7n, want: "000000000000000007" },
  { base: xs.longAsNumber, pattern: "[0-9]{4}", value: 7, want: "0007" },
  { base: xs.longAsString, pattern: "[0-9]{4}", value: "7", want: "0007" },
  { base: xs.double, pattern: "[0-9]+\\.[0-9]{2}", value: 2.5, want: "2.50" },
  { base: xs.double, pattern: "[0-9]+\\.[0-9]{2}", value: -0, want: "0.00" },
  { base: xs.double, pattern: "[0-9]+", value: 1e21, want: "1000000000000000000000" },
  { base: xs.float, pattern: "[0-9]{2}\\.[0-9]", value: 2.5, want: "02.5" },
  { base: xs.float, pattern: "\\.[0-9]+", value: 0.5, want: ".5" },
  { base: xs.double, pattern: "\\d\\.\\d+E-?\\d+", value: 2500, want: "2.5E3" },
  { base: xs.double, pattern: "\\d\\.\\d{3}e[+-]\\d{2}", value: 0.0025, want: "2.500e-03" },
  { base: xs.decimalAsNumber, pattern: "[0-9]+\\.[0-9]{2}", value: 2.5, want: "2.50" },
  { base: xs.decimalAsNumber, pattern: "[+-][0-9]+\\.[0-9]", value: 3, want: "+3.0" },
  { base: xs.hexBinary, pattern: "[0-9a-f]*", value: Uint8Array.of(1, 171), want: "01ab" },
  { base: xs.dateTimeAsDate, pattern: ".*\\.[0-9]{3}Z", value: new Date(0), want: "1970-01-01T00:00:00.000Z" },
  { base: xs.dateTimeAsDate, pattern: ".*\\+00:00", value: new Date(0), want: "1970-01-01T00:00:00+00:00" },
  { base: xs.dateTimeAsDate, pattern: "[^Z]{19}", value: new Date(0), want: "1970-01-01T00:00:00" },
  { base: xs.dateAsDate, pattern: ".*Z", value: new Date(0), want: "1970-01-01Z" },
])("$base.name with the pattern $pattern writes $value as $want", ({ base, pattern, value, want }) => {
  const type = restricted(base, [xs.pattern, pattern]);
  expect(writeValue(type, value)).toBe(want);
  expect(readText(type, want)).toEqual(Object.is(value, -0) ? 0 : value);
});

test("the patterns of several steps must all match", () => {
  const twoDecimals = restricted(xs.double, [xs.pattern, "[0-9]+\\.[0-9]{2}"]);
  const short = xs.restriction([twoDecimals], [[xs.pattern, [".{5}", ".{6}"]]], "short");
  expect(writeValue(short, 2.5)).toBe("02.50");
});

test("a pattern over a list applies one form to all items", () => {
  expect(writeValue(restricted(xs.list([xs.boolean], [], "l"), [xs.pattern, "[01]( [01])*"]), [true, false])).toBe(
    "1 0",
  );
  expect(writeValue(restricted(xs.list([xs.int], [], "l"), [xs.pattern, "\\d\\d( \\d\\d)*"]), [7, 12])).toBe("07 12");
});

test("a pattern over a union applies the forms of the member that writes the value", () => {
  const type = restricted(xs.union([xs.int, xs.boolean], [], "u"), [xs.pattern, "[0-9]{2}|0|1"]);
  expect(writeValue(type, 7)).toBe("07");
  expect(writeValue(type, true)).toBe("1");
});

test("other facets apply to every form", () => {
  const type = restricted(xs.int, [xs.pattern, "[0-9]{2}"], [xs.maxInclusive, 5]);
  expect(writeValue(type, 5)).toBe("05");
  expect(() => writeValue(type, 7)).toThrow('"7" is not a valid restricted: it must be at most 5.');
});

test("a value that no form fits is refused, and the message shows its canonical text", () => {
  const type = restricted(xs.int, [xs.pattern, "[0-9]{2}"]);
  expect(() => writeValue(type, 123)).toThrow(
    '"123" is not a valid restricted: it does not match the pattern [0-9]{2}.',
  );
  expect(() => writeValue(type, -1)).toThrow(LexicalError);
  expect(() => writeValue(restricted(xs.double, [xs.pattern, "[0-9]+"]), Number.NaN)).toThrow(LexicalError);
  expect(() => writeValue(restricted(xs.double, [xs.pattern, "[0-9]+"]), 2.5)).toThrow(LexicalError);
});

test("types whose value is their text write that text, or nothing", () => {
  expect(() => writeValue(restricted(xs.decimal, [xs.pattern, "[0-9]+\\.[0-9]{2}"]), "2.5")).toThrow(LexicalError);
});
