import { checkPattern, compilePattern, PatternError } from "@bothends/datatypes/pattern";
import { describe, expect, test } from "vitest";

const cases: readonly { pattern: string; matches: readonly string[]; refuses: readonly string[] }[] = [
  { pattern: "", matches: [""], refuses: ["a"] },
  { pattern: "abc", matches: ["abc"], refuses: ["", "ab", "abcd", "xabc"] },
  { pattern: "a|b|", matches: ["a", "b", ""], refuses: ["ab"] },
  { pattern: "(ab)+c?", matches: ["ab", "ababc"], refuses: ["", "c", "abcc"] },
  { pattern: "a{2}", matches: ["aa"], refuses: ["a", "aaa"] },
  { pattern: "a{2,}", matches: ["aa", "aaaaa"], refuses: ["a"] },
  { pattern: "a{0,2}", matches: ["", "a", "aa"], refuses: ["aaa"] },
  { pattern: "(a{0}b){2}", matches: ["bb"], refuses: ["abab"] },
  { pattern: "(a*)*b", matches: ["b", "aaab"], refuses: ["a"] },
  { pattern: "^a$", matches: ["^a$"], refuses: ["a"] },
  { pattern: ".", matches: ["x", "é", "\u{1F600}"], refuses: ["\n", "\r", "", "xx"] },
  { pattern: "[a-c]x", matches: ["ax", "cx"], refuses: ["dx", "-x"] },
  { pattern: "[^a-c]", matches: ["d", "-", "\n"], refuses: ["a", "b"] },
  { pattern: "[-a]", matches: ["-", "a"], refuses: ["b"] },
  { pattern: "[a-]", matches: ["-", "a"], refuses: ["b"] },
  { pattern: "[a^]", matches: ["^", "a"], refuses: ["b"] },
  { pattern: "[a-z-[aeiou]]+", matches: ["xyz"], refuses: ["a", "xyza", "-"] },
  { pattern: "[a-z-[a-m-[c]]]", matches: ["c", "n"], refuses: ["a", "d"] },
  { pattern: "[^a-z-[0-9]]", matches: ["A"], refuses: ["a", "5"] },
  { pattern: "[\\w\\-.]+", matches: ["a-b.c"], refuses: ["a b"] },
  { pattern: "\\d", matches: ["5", "٣"], refuses: ["a", "½"] },
  { pattern: "\\D\\S\\W", matches: ["ab!"], refuses: ["1b!", "a !", "abc"] },
  { pattern: "\\s", matches: [" ", "\t", "\n", "\r"], refuses: ["\u00a0", "\v"] },
  { pattern: "\\i\\c*", matches: ["a", "_x1", ":", "é-"], refuses: ["1a", "-", "a b"] },
  { pattern: "\\I\\C", matches: ["1 "], refuses: ["a ", "1a"] },
  { pattern: "\\p{Lu}\\p{Ll}", matches: ["Ab", "Éé"], refuses: ["ab", "A1"] },
  { pattern: "\\P{L}", matches: ["1", " "], refuses: ["a", "é"] },
  { pattern: "\\p{IsBasicLatin}+", matches: ["abc~"], refuses: ["é"] },
  { pattern: "\\P{IsGreek}", matches: ["a"], refuses: ["α"] },
  { pattern: "[\\p{L}-[\\p{IsBasicLatin}]]", matches: ["é"], refuses: ["e"] },
  {
    pattern: "\\n\\r\\t\\\\\\|\\.\\-\\^\\?\\*\\+\\{\\}\\(\\)\\[\\]",
    matches: ["\n\r\t\\|.-^?*+{}()[]"],
    refuses: [""],
  },
  { pattern: "[\u{1F600}-\u{1F60F}]", matches: ["\u{1F601}"], refuses: ["\u{1F610}", "\ud83d"] },
  { pattern: "[\\[\\]\\-]", matches: ["[", "]", "-"], refuses: ["\\"] },
];

describe.each(cases)("$pattern", ({ pattern, matches, refuses }) => {
  const compiled = compilePattern(pattern);
  test.each(matches.map((text) => ({ text })))("matches $text", ({ text }) => {
    expect(compiled.test(text)).toBe(true);
  });
  test.each(refuses.map((text) => ({ text })))("does not match $text", ({ text }) => {
    expect(compiled.test(text)).toBe(false);
  });
});

test.each([
  { pattern: "(a", offset: 0, message: "not closed" },
  { pattern: "a)", offset: 1, message: "no opening parenthesis" },
  { pattern: "ab[c", offset: 2, message: "not closed" },
  { pattern: "[]", offset: 0, message: "at least one" },
  { pattern: "[^]", offset: 0, message: "at least one" },
  { pattern: "[b-a]", offset: 1, message: "ends before" },
  { pattern: "[a-\\d]", offset: 1, message: "must end with a character" },
  { pattern: "[a-c-e]", offset: 4, message: "hyphen" },
  { pattern: "[a[b]]", offset: 2, message: "bracket" },
  { pattern: "[a-[b]c]", offset: 6, message: "must end" },
  { pattern: "*a", offset: 0, message: "has nothing before it" },
  { pattern: "a**", offset: 2, message: "has nothing before it" },
  { pattern: "a+?", offset: 2, message: "has nothing before it" },
  { pattern: "a{,3}", offset: 1, message: "quantity" },
  { pattern: "a{3,2}", offset: 1, message: "less than" },
  { pattern: "a{x}", offset: 1, message: "quantity" },
  { pattern: "a]", offset: 1, message: "escaped" },
  { pattern: "a}", offset: 1, message: "escaped" },
  { pattern: "a\\", offset: 1, message: "backslash" },
  { pattern: "a\\b", offset: 1, message: "no escape" },
  { pattern: "(a)\\1", offset: 3, message: "no escape" },
  { pattern: "\\p{Xx}", offset: 0, message: "no category" },
  { pattern: "\\p{IsNowhere}", offset: 0, message: "no block" },
  { pattern: "\\pL", offset: 0, message: "braces" },
  { pattern: "(?:a)", offset: 0, message: 'must not begin with "?"' },
  { pattern: "(?<=a)b", offset: 0, message: "no look-around" },
  { pattern: "a".repeat(4097), offset: 0, message: "limit.patternChars" },
  { pattern: "ba{99999}", offset: 1, message: "limit.patternStates" },
  { pattern: "((a{100}){100}){100}", offset: 0, message: "limit.patternStates" },
  { pattern: "(".repeat(300), offset: 250, message: "limit.patternDepth" },
  { pattern: `${"[a-".repeat(300)}`, offset: 750, message: "limit.patternDepth" },
])("refuses $pattern at $offset", ({ pattern, offset, message }) => {
  const problem = checkPattern(pattern);
  expect(problem?.offset).toBe(offset);
  expect(problem?.message).toContain(message);
  expect(() => compilePattern(pattern)).toThrow(PatternError);
});

test("a good pattern has no problem", () => {
  expect(checkPattern("[A-Z]{2}[0-9]+")).toBeUndefined();
});

test("repetitions of an empty pattern take no steps", () => {
  expect(compilePattern("(((){9999999}){9999999}){9999999}").test("")).toBe(true);
});

test("a text that needs too many steps is refused, and the next text is matched", () => {
  const compiled = compilePattern("([ab]*a[ab]{2000})+");
  const hard = "ab".repeat(50_000);
  expect(compiled.match(hard)).toBe("tooManySteps");
  expect(compiled.test(hard)).toBe(false);
  expect(compiled.match(`a${"b".repeat(2000)}`)).toBe("match");
  expect(compiled.match("b")).toBe("mismatch");
});
