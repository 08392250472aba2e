import { compilePattern } from "@bothends/datatypes/pattern";
import { expect, test } from "vitest";
import { processorTimeOf as milliseconds } from "../../../../testing/processor-time.js";

test.each([
  { pattern: "(\\d+)+", unit: "1", end: "x" },
  { pattern: "((((a*)*)*)*)*b", unit: "a", end: "c" },
  { pattern: "(a|aa)+", unit: "a", end: "!" },
  { pattern: "(.*)*(.*)*(.*)*x", unit: "y", end: "z" },
])("checks 100,000 characters against $pattern in under 50 ms", ({ pattern, unit, end }) => {
  const compiled = compilePattern(pattern);
  const long = unit.repeat(100_000) + end;
  compiled.test(long.slice(0, 1000));
  expect(Math.min(...[1, 2, 3].map(() => milliseconds(() => expect(compiled.test(long)).toBe(false))))).toBeLessThan(
    50,
  );
});

test("a pattern that defies memory still takes linear time", () => {
  const compiled = compilePattern("(a|b)*a(a|b){300}");
  const random = (length: number) => {
    let seed = 7;
    return Array.from({ length }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed > 1073741824 ? "a" : "b";
    }).join("");
  };
  const time = (length: number) => {
    const text = random(length);
    return milliseconds(() => expect(compiled.test(text)).toBe(text.at(-301) === "a"));
  };
  const quarter = Math.max(time(25_000), time(25_000));
  expect(time(100_000)).toBeLessThan(8 * quarter);
  const short = random(2000);
  expect(compiled.test(short)).toBe(short.at(-301) === "a");
});
