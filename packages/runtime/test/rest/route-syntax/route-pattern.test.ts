import { PatternError } from "@bothends/datatypes/pattern";
import { compileRoutePattern, compileValuePattern } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";

test.each([
  { pattern: "[\\d]+", matches: ["7", "0042"], refuses: ["", "a", "٣"] },
  { pattern: "[\\w-]+", matches: ["a-B_9"], refuses: ["a b", "é"] },
  { pattern: "[a-z0-9-]+/[a-z0-9-]+", matches: ["core/block", "CORE/Block"], refuses: ["core", "core/_"] },
  { pattern: "(?:[\\d]+|me)", matches: ["5", "me", "ME"], refuses: ["you"] },
  {
    pattern: '[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?',
    matches: ["theme", "themes/child"],
    refuses: ["a/b/c", "a:b", "a|b"],
  },
  { pattern: "[^.\\/]+(?:\\/[^.\\/]+)?", matches: ["akismet", "akismet/plugin"], refuses: ["a.b", "a/"] },
  { pattern: "[\\/\\s%\\w\\.\\(\\)\\[\\]\\@_\\-]+", matches: ["a/b %c.(d)[e]@_-"], refuses: ["a;b"] },
  { pattern: "\\w+(|[-]\\w+)", matches: ["a", "a-b"], refuses: ["a-"] },
  { pattern: "[\\w-]{3}", matches: ["EUR"], refuses: ["EURO"] },
  { pattern: "1|2|3|all", matches: ["1", "all"], refuses: ["4", "1all"] },
  { pattern: "[\\w+]", matches: ["+", "a"], refuses: ["++"] },
  { pattern: "[]a]+?", matches: ["]a"], refuses: ["b"] },
  { pattern: "[a-\\d]", matches: ["a", "-", "5"], refuses: ["b"] },
  { pattern: "(?P<x>a)(?<y>b)", matches: ["ab"], refuses: ["a"] },
  { pattern: "a{,2}", matches: ["a{,2}"], refuses: ["a"] },
  { pattern: "[^a]", matches: ["b"], refuses: ["a", "A"] },
  { pattern: "(\\d+)+", matches: ["123"], refuses: ["123x"] },
  { pattern: "[\\a-z]+", matches: ["a-/9", "Z"], refuses: ["{", "\u0006"] },
  { pattern: "[\\0-9z]+", matches: ["5", "Z /", "\0"], refuses: ["y", ":"] },
  { pattern: "\\x41\\x{42}\\055[\\101\\x43]", matches: ["AB-A", "ab-c"], refuses: ["AB-B"] },
  { pattern: "[[:alpha:][:digit:]_-]+", matches: ["aZ9_-"], refuses: ["a b", ":"] },
  { pattern: "[^[:^alnum:]x]", matches: ["a", "5"], refuses: ["x", "X", "-"] },
  { pattern: "[[:x]+", matches: [":[x"], refuses: ["]"] },
  { pattern: "\\h\\H\\v\\V", matches: [" a\na"], refuses: ["aaaa"] },
  { pattern: "^a$", matches: ["a"], refuses: ["^a$"] },
  { pattern: "\\Aa(?:b$|c)\\z", matches: ["ab", "ac"], refuses: ["a"] },
  { pattern: "a(?:^b|c)", matches: ["ac"], refuses: ["ab"] },
  { pattern: "a(?:^b)*(?:c$)?", matches: ["a", "ac"], refuses: ["ab"] },
  { pattern: "a^", matches: [], refuses: ["a", "a^", ""] },
  { pattern: "(?'x'a)", matches: ["a"], refuses: ["'"] },
])("the route pattern $pattern matches whole texts, as PCRE does", ({ pattern, matches, refuses }) => {
  const compiled = compileRoutePattern(pattern);
  expect(matches.filter((text) => !compiled.test(text))).toEqual([]);
  expect(refuses.filter((text) => compiled.test(text))).toEqual([]);
});

test.each([
  { pattern: "a(?=b)", offset: 1, message: "Lookahead" },
  { pattern: "(?<!b)a", offset: 0, message: "lookbehind" },
  { pattern: "(a)\\1", offset: 3, message: "Backreferences" },
  { pattern: "(?'x'a)(?P<x>b)", offset: 7, message: "Two groups" },
  { pattern: "(?P<__proto__>a)", offset: 0, message: "name" },
  { pattern: "(?P<1a>a)", offset: 0, message: "name" },
  { pattern: "(?i)a", offset: 0, message: "Groups must begin" },
  { pattern: "(?>a)", offset: 0, message: "Groups must begin" },
  { pattern: "(*ACCEPT)", offset: 0, message: "Verbs" },
  { pattern: "a?^b", offset: 2, message: "Anchors such as ^" },
  { pattern: "(?:a$|b)c?", offset: 4, message: "Anchors such as $" },
  { pattern: "\\bfoo", offset: 0, message: "\\b" },
  { pattern: "a++", offset: 1, message: "Possessive" },
  { pattern: "(a", offset: 0, message: "not closed" },
  { pattern: "a)", offset: 1, message: "no opening parenthesis" },
  { pattern: "[a", offset: 0, message: "not closed" },
  { pattern: "[[:vowel:]]", offset: 1, message: "[:vowel:]" },
  { pattern: "[[.a.]]", offset: 1, message: "Collating" },
  { pattern: "\\x{1f600}", offset: 0, message: "255" },
  { pattern: "\\q", offset: 0, message: "\\q" },
  { pattern: "a{3,2}", offset: 1, message: "less than" },
])("refuses $pattern at $offset", ({ pattern, offset, message }) => {
  let error: unknown;
  try {
    compileRoutePattern(pattern);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(PatternError);
  expect(error).toMatchObject({ offset, message: expect.stringContaining(message) });
});

test.each([
  { pattern: "[a-z]+é", matches: ["abé"], refuses: ["aBé", "abÉ"] },
  { pattern: "A(b|C)", matches: ["Ab", "AC"], refuses: ["ab", "AB", "Ac"] },
  { pattern: "[^a]", matches: ["A"], refuses: ["a"] },
  { pattern: "\\w", matches: ["a", "A"], refuses: ["-"] },
])("letters of the value pattern $pattern match as they are", ({ pattern, matches, refuses }) => {
  const compiled = compileValuePattern(pattern);
  expect(matches.filter((text) => !compiled.test(text))).toEqual([]);
  expect(refuses.filter((text) => compiled.test(text))).toEqual([]);
});
