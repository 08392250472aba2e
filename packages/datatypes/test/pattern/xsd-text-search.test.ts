import { expect, test } from "vitest";
import { compilePattern, findXsdText, type SearchedPattern } from "../../src/pattern/index.js";

const found = (text: string) => ({ kind: "found", text });
const none = { kind: "none" };

const cases: readonly { matching: readonly string[]; notMatching: string; want: object }[] = [
  { matching: ["[a-z]+"], notMatching: "[a-y]+", want: found("z") },
  { matching: ["[a-y]+"], notMatching: "[a-z]+", want: none },
  { matching: ["[a-z]{2,4}"], notMatching: "[a-z]{2,3}", want: found("aaaa") },
  { matching: ["a|b"], notMatching: "b|a", want: none },
  { matching: ["a*"], notMatching: "a+", want: found("") },
  { matching: ["\\d"], notMatching: "[0-9]", want: found("\u0660") },
  { matching: ["[0-9]"], notMatching: "\\d", want: none },
  { matching: ["[\\i-[:]][\\c-[:]]*"], notMatching: "\\i\\c*", want: none },
  { matching: ["\\p{L}"], notMatching: "\\p{Lu}|\\p{Ll}|\\p{Lt}|\\p{Lm}|\\p{Lo}", want: none },
  { matching: ["\\p{L}"], notMatching: "\\p{Lu}|\\p{Ll}|\\p{Lt}|\\p{Lo}", want: found("\u02b0") },
  { matching: ["[\\s\\S]"], notMatching: ".", want: found("\n") },
  { matching: ["[^a]", "[a-c]"], notMatching: "b", want: found("c") },
  { matching: ["[\u{10000}-\u{10ffff}]"], notMatching: "[\u{10000}-\u{10fffe}]", want: found("\u{10ffff}") },
  { matching: ["[ab]*a[ab]{12}"], notMatching: "[ab]*b[ab]{12}", want: { kind: "unknown" } },
  { matching: ["a{5000}"], notMatching: "a{5001}", want: { kind: "unknown" } },
];

test.each(cases)("the search for a text of $matching but not of $notMatching", ({ matching, notMatching, want }) => {
  expect(findXsdText({ matching, notMatching })).toEqual(want);
});

test("without a pattern that does not match, the search finds a text of all patterns", () => {
  expect(findXsdText({ matching: ["[a-m]+", "[m-z]+"] })).toEqual(found("m"));
  expect(findXsdText({ matching: ["[a-l]+", "[m-z]+"] })).toEqual(none);
});

const collapsed = (pattern: string) => ({ pattern, whiteSpace: "collapse" }) as const;
const replaced = (pattern: string) => ({ pattern, whiteSpace: "replace" }) as const;

const normalizedCases: readonly {
  matching: readonly SearchedPattern[];
  notMatching?: SearchedPattern;
  want: object;
}[] = [
  { matching: ["[a ]+"], notMatching: collapsed("a( a)*"), want: found(" ") },
  { matching: ["[a ]+"], notMatching: collapsed("(a( a)*)?|aa[\\s\\S]*"), want: found("a aa") },
  { matching: [" *a *"], notMatching: collapsed("a"), want: none },
  { matching: ["a  b"], notMatching: collapsed("a b"), want: none },
  { matching: ["a  b"], notMatching: replaced("a  b"), want: none },
  { matching: ["a\\tb"], notMatching: replaced("a b"), want: none },
  { matching: ["a\\sb"], notMatching: "a b", want: found("a\tb") },
  { matching: ["[\\s\\S]{3}"], notMatching: collapsed("[\\s\\S]{3}"), want: found("aa ") },
  { matching: ["[\\s\\S]{0,3}"], notMatching: collapsed("[\\s\\S]{0,3}"), want: none },
  { matching: [collapsed("a b"), "[\\s\\S]{4}"], want: found("a b ") },
  { matching: [collapsed("ab"), " *a *b"], notMatching: "ab", want: found(" ab") },
];

test.each(normalizedCases)(
  "the search for a text of $matching after white space was normalized",
  ({ want, ...search }) => {
    expect(findXsdText(search)).toEqual(want);
  },
);

/** All texts of up to four characters, the shortest first. */
const texts = [0, 1, 2, 3].reduce(
  (all) => ["", ...all.flatMap((text) => ["a", "b", "1"].map((character) => text + character))],
  [""],
);

test("the result for random patterns is that of testing every short text", () => {
  let state = 7;
  const draw = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 12) % count;
  };
  const pick = (items: readonly string[]) => items[draw(items.length)] ?? "";
  const drawPattern = (depth: number): string => {
    const part = () =>
      depth > 0 && draw(3) === 0 ? `(${drawPattern(depth - 1)})` : pick(["a", "b", "1", "[ab]", "."]);
    const sequence = () =>
      Array.from({ length: 1 + draw(2) }, () => `${part()}${pick(["", "", "?", "{1,2}", "*", "+"])}`).join("");
    return Array.from({ length: 1 + draw(2) }, sequence).join("|");
  };
  const kinds = new Set<string>();
  for (let round = 0; round < 2000; round += 1) {
    const [matching, notMatching] = [drawPattern(1), drawPattern(1)];
    const [left, right] = [compilePattern(matching), compilePattern(notMatching)];
    const shown = texts.find((text) => left.test(text) && !right.test(text));
    const result = findXsdText({ matching: [matching], notMatching });
    kinds.add(result.kind);
    expect([matching, notMatching, result.kind]).not.toEqual([matching, notMatching, "unknown"]);
    if (shown !== undefined) {
      expect([matching, notMatching, result.kind]).toEqual([matching, notMatching, "found"]);
    }
    if (result.kind === "found") {
      const tested = [left.test(result.text), right.test(result.text)];
      expect([matching, notMatching, ...tested]).toEqual([matching, notMatching, true, false]);
    }
  }
  expect([...kinds].sort()).toEqual(["found", "none"]);
});
