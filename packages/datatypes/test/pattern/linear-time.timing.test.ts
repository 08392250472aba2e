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

/** A text of as and bs in an order that no cache of states helps with. */
function random(length: number): string {
  let seed = 7;
  return Array.from({ length }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed > 1073741824 ? "a" : "b";
  }).join("");
}

test("a pattern that exhausts the cache still takes linear time", () => {
  const compiled = compilePattern("(a|b)*a(a|b){300}");
  const time = (length: number) => {
    const text = random(length);
    return milliseconds(() => expect(compiled.test(text)).toBe(text.at(-301) === "a"));
  };
  const quarter = Math.max(time(2_000), time(2_000));
  expect(time(8_000)).toBeLessThan(8 * quarter);
});

test("a text that needs too many steps is refused within half a second", () => {
  const text = random(1_000_000);
  const times = [1, 2, 3].map(() => {
    const compiled = compilePattern("([ab]*a[ab]{2000})+");
    return milliseconds(() => expect(compiled.match(text)).toBe("tooManySteps"));
  });
  expect(Math.min(...times)).toBeLessThan(500);
});
