import { describe, expect, test } from "vitest";
import { findPatternText } from "../../src/pattern/example-text.js";
import { compilePattern } from "../../src/pattern/index.js";

describe("an example that matches a pattern", () => {
  test.each([
    { pattern: "[A-Z]{3}", want: "ABC" },
    { pattern: "\\d{4}-\\d{2}", want: "1234-12" },
    { pattern: "[A-Z]{2}[0-9]{2,4}", want: "AB12" },
    { pattern: "(red|blue)", want: "red" },
    { pattern: "|\\d{5}", want: "12345" },
    { pattern: "a?b+c*", want: "bbbc" },
    { pattern: "^[\\w.]+@[a-z]+\\.com$", want: "ABC@abc.com" },
    { pattern: "[^A-Z0-9]+", want: "abc" },
    { pattern: "(?:\\p{Lu}\\d){2}", want: "A1A1" },
    { pattern: "[\\]x]", want: "x" },
    { pattern: "[A-Z-[AEIOU]]{2}-[\\d-[1-[1]]]", want: "BC-1" },
    { pattern: "\\.\\+", want: ".+" },
  ])("of $pattern is $want", ({ pattern, want }) => {
    expect(findPatternText(pattern)).toBe(want);
    expect(compilePattern(pattern.replace(/^\^|\$$/g, "").replace("(?:", "(")).test(want)).toBe(true);
  });

  test.each([
    "[",
    "(a",
    "a)",
    "a{2",
    "(?=a)b",
    "\\q",
    "[^\\s\\S]",
    `a{999}`,
    "x".repeat(500),
    "*",
    "",
    "((a{999}){999}){999}",
    "((a{0,999}){0,999}){0,999}",
  ])("is not made up for %s", (pattern) => {
    const text = findPatternText(pattern);
    expect(text === undefined || text === "").toBe(true);
  });

  test.each([
    { pattern: "\\d+", isValid: (text: string) => text.length === 8, want: "12345678" },
    { pattern: "[A-Z][a-z]*", isValid: (text: string) => text.length >= 5, want: "Aabcd" },
    { pattern: "[A-Z]+-[A-Z]+", isValid: (text: string) => text.length <= 3, want: "A-A" },
    { pattern: "[A-Z]{0,4}", isValid: (text: string) => text !== "", want: "A" },
    { pattern: "A?B", isValid: (text: string) => text.length > 1, want: "AB" },
    { pattern: "(\\d{2})+", isValid: (text: string) => text.length === 7, want: undefined },
    { pattern: "[A-Z]{3}", isValid: (text: string) => text === "XYZ", want: undefined },
  ])("of $pattern repeats parts until it is valid: $want", ({ pattern, isValid, want }) => {
    expect(findPatternText(pattern, isValid)).toBe(want);
  });
});
