import { compilePattern, PatternError } from "@bothends/datatypes/pattern";
import type { Random } from "@bothends/dynamic/random";
import type { Target } from "../fuzz.js";

/** A pattern, the equivalent JavaScript regular expression, and a string that they may match. */
interface PatternCase {
  readonly pattern: string;
  readonly regExp: string;
  readonly text: string;
}

/**
 * XSD patterns must match the same strings as equivalent JavaScript regular expressions. libxml2 is not a reliable
 * judge: it decided 70 of 1,000 cases wrongly, for example that `[^\s]*[^a]` does not match `xb`. Node 20 misreads
 * negated classes in loops with the flag `v`.
 */
export const patterns: Target = {
  name: "patterns",
  make: (random) => JSON.stringify(makeRandomCase(random)),
  judge: async (inputs) =>
    inputs.map((input) => {
      const { pattern, regExp, text }: PatternCase = JSON.parse(input);
      return describeDifference({ pattern, text }, new RegExp(`^(?:${regExp})$`, "u").test(text));
    }),
};

type Pair = readonly [pattern: string, regExp: string];

const samePairs = (...texts: readonly string[]): readonly Pair[] => texts.map((text) => [text, text]);
const nameStart = "\\p{L}_:";

/** Atoms of patterns, each in the syntax of XSD and in the syntax of JavaScript. */
const atoms: readonly Pair[] = [
  ...samePairs("a", "b", "0", "1", "é", "日", " ", "\\s", "\\S", "\\p{L}", "\\P{Lu}", "\\."),
  ["\\-", "-"],
  ...samePairs("[ab]", "[^a]", "[a-c]", "[^\\s]", "[0-9a]"),
  ["\\d", "\\p{Nd}"],
  ["[\\d\\-]", "[\\p{Nd}\\-]"],
  ["\\w", "[^\\p{P}\\p{Z}\\p{C}]"],
  ["\\i", `[${nameStart}]`],
  ["\\c", `[${nameStart}\\p{N}.\\-]`],
  [".", "[^\\n\\r]"],
  ["[a-z-[b]]", "(?:(?!b)[a-z])"],
];
const quantifiers = ["", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,}"];
const characters = ["a", "b", "0", "1", "-", ".", "é", "日", " "];

function makeRandomCase(random: Random): PatternCase {
  const [pattern, regExp] = makeRandomPattern(random, 0);
  const text = Array.from({ length: random.drawIntegerBelow(6) }, () => random.pick(characters) ?? "").join("");
  return { pattern, regExp, text };
}

function makeRandomPattern(random: Random, depth: number): Pair {
  const branches = Array.from({ length: random.drawBoolean(25) ? 2 : 1 }, () =>
    joinPairs(
      Array.from({ length: random.drawIntegerBelow(4) }, () => makeRandomAtom(random, depth)),
      "",
    ),
  );
  return joinPairs(branches, "|");
}

function joinPairs(pairs: readonly Pair[], separator: string): Pair {
  return [pairs.map(([pattern]) => pattern).join(separator), pairs.map(([, regExp]) => regExp).join(separator)];
}

function makeRandomAtom(random: Random, depth: number): Pair {
  const quantifier = random.pick(quantifiers) ?? "";
  const group = depth < 3 && random.drawBoolean(25) ? makeRandomPattern(random, depth + 1) : undefined;
  const [pattern, regExp] =
    group === undefined ? (random.pick(atoms) ?? ["a", "a"]) : [`(${group[0]})`, `(?:${group[1]})`];
  return [pattern + quantifier, regExp + quantifier];
}

function describeDifference(
  { pattern, text }: Pick<PatternCase, "pattern" | "text">,
  expected: boolean,
): string | undefined {
  const result = matches(pattern, text);
  return result === expected
    ? undefined
    : `Pattern ${pattern}, text "${text}": this matcher ${result === undefined ? "refuses the pattern" : result ? "finds a match" : "finds no match"}, but RegExp ${expected ? "finds a match" : "finds no match"}.`;
}

function matches(pattern: string, text: string): boolean | undefined {
  try {
    return compilePattern(pattern).test(text);
  } catch (error) {
    if (error instanceof PatternError) {
      return undefined;
    }
    throw error;
  }
}
