import { buildAutomaton } from "./automaton.js";
import { type PatternLimits, patternLimits } from "./limits.js";
import { Matcher } from "./matcher.js";
import { PatternError, type PatternLimit } from "./pattern-error.js";
import type { PatternNode } from "./tree.js";
import { parseXsdPattern } from "./xsd-syntax.js";

/** A pattern, ready to test texts in linear time. */
export interface Pattern {
  /** Whether the whole text matches. */
  test(text: string): boolean;
}

/** What a pattern is refused for, and where. */
export interface PatternProblem {
  readonly offset: number;
  readonly message: string;
  /** The limit that it passes, if that is what it is refused for. */
  readonly limit: PatternLimit | undefined;
}

/** Prepares a regular expression of XML Schema (XSD 1.0 Part 2 Appendix F). Throws `PatternError`. */
export function compilePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseXsdPattern);
}

/** What is wrong with a regular expression of XML Schema; undefined: nothing. */
export function checkPattern(text: string, limits: PatternLimits = patternLimits): PatternProblem | undefined {
  return problemOf(() => compilePattern(text, limits));
}

const matchesNothing: Pattern = { test: () => false };

/** Prepares a pattern of any syntax; `parse` answers undefined for one that no text matches. Throws `PatternError`. */
export function compileTree(
  text: string,
  limits: PatternLimits,
  parse: (text: string, limits: PatternLimits) => PatternNode | undefined,
): Pattern {
  if (text.length > limits.patternChars) {
    const message = `The pattern has more than ${limits.patternChars} characters (limit.patternChars).`;
    throw new PatternError(message, 0, { limit: "patternChars" });
  }
  const tree = parse(text, limits);
  return tree === undefined ? matchesNothing : new Matcher(buildAutomaton(tree, limits.patternStates));
}

function problemOf(attempt: () => unknown): PatternProblem | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) {
      return { offset: error.offset, message: error.message, limit: error.limit };
    }
    throw error;
  }
}
