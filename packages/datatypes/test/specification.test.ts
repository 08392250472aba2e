import { readFileSync } from "node:fs";
import { getValueSpace, type SimpleType } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { readText } from "./reading.js";

// XML Schema 1.0 Part 2: Datatypes, second edition.

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function accepts(type: SimpleType<unknown>, text: string): boolean {
  try {
    readText(type, text);
    return true;
  } catch {
    return false;
  }
}

function areEqual(type: SimpleType<unknown>, left: string, right: string): boolean {
  const { key } = getValueSpace(type);
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

test("§3.2.3: numbers have at most 4,096 digits, which is documented, whatever their sign, point and zeros", () => {
  const most = "1".repeat(4096);
  expect([most, `-${most}`, `+1.${"1".repeat(4095)}`].filter((text) => !accepts(xs.decimal, text))).toEqual([]);
  expect(accepts(xs.integer, `-${most}`)).toBe(true);
  expect(["1".repeat(5001), `0.${"0".repeat(5000)}`].filter((text) => accepts(xs.decimal, text))).toEqual([]);
  expect(accepts(xs.integer, "1".repeat(5001))).toBe(false);
  expect(readme).toContain("4,096 digits");
});

test("§3.2.7: seconds have as many decimals as their text", () => {
  expect(areEqual(xs.dateTime, "2026-01-01T00:00:00.00000001Z", "2026-01-01T00:00:00Z")).toBe(false);
  expect(areEqual(xs.dateTime, "2026-01-01T00:00:00.00000010Z", "2026-01-01T00:00:00.0000001Z")).toBe(true);
});

test("§3.2.7.1, §3.2.8.2: 24:00:00 is the start of the next day, and midnight as a time", () => {
  expect(areEqual(xs.dateTime, "2026-12-31T24:00:00", "2027-01-01T00:00:00")).toBe(true);
  expect(areEqual(xs.time, "24:00:00", "00:00:00")).toBe(true);
});

test("§3.2.4: NaN equals itself and is incomparable with every other value", () => {
  const { compare } = getValueSpace(xs.double);
  expect(compare?.(Number.NaN, Number.NaN)).toBe(0);
  expect([0, Number.POSITIVE_INFINITY].map((value) => compare?.(Number.NaN, value))).toEqual([undefined, undefined]);
  expect(areEqual(xs.float, "NaN", "NaN")).toBe(true);
});

test("§3.2.4: there is only one zero", () => {
  expect(areEqual(xs.float, "-0", "0")).toBe(true);
  expect(areEqual(xs.double, "-0.0E5", "0")).toBe(true);
});
