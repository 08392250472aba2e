import { type SimpleType, valueSpaceOf } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { readText } from "./reading.js";

// XML Schema 1.0 Part 2: Datatypes, second edition.

function accepts(type: SimpleType<unknown>, text: string): boolean {
  try {
    readText(type, text);
    return true;
  } catch {
    return false;
  }
}

function areEqual(type: SimpleType<unknown>, left: string, right: string): boolean {
  const { key } = valueSpaceOf(type);
  return key(readText(type, left)) === key(readText(type, right));
}

test("§3.2.7: year -0001 is 1 BCE, which is a leap year, and so is every fourth year before it", () => {
  const leap = ["-0001", "-0005", "-0401", "-10001"].map((year) => `${year}-02-29`);
  const common = ["-0002", "-0003", "-0004", "-0101", "-0400"].map((year) => `${year}-02-29`);
  expect(leap.filter((text) => !accepts(xs.date, text))).toEqual([]);
  expect(common.filter((text) => accepts(xs.date, text))).toEqual([]);
});

test("§3.2.7: there is no year between -0001 and 0001", () => {
  expect(areEqual(xs.dateTime, "-0001-12-31T24:00:00", "0001-01-01T00:00:00")).toBe(true);
});

test("§3.2.17: a percent sign begins an escape of two hexadecimal digits, or the text is not a legal URI", () => {
  expect(["%zz", "%", "a%2", "%%20"].filter((text) => accepts(xs.anyURI, text))).toEqual([]);
  expect(["%20", "a%C3%a9", "é b"].filter((text) => !accepts(xs.anyURI, text))).toEqual([]);
});
