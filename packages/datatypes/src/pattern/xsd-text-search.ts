import { type Automaton, buildAutomaton } from "./automaton.js";
import { PatternError, type PatternLimits, patternLimits } from "./pattern-source.js";
import { findText, type TextSearchResult } from "./text-search.js";
import { parseXsdPattern } from "./xsd-pattern.js";

// Compares the texts that XML Schema regular expressions match.

/** The maximum number of sets of states that a search compares. */
const maxSets = 2000;
const searchLimits: PatternLimits = { ...patternLimits, patternStates: 4000 };

/** Searches for a text that all patterns in `matching` match, but the pattern `notMatching` does not. */
export function findXsdText({
  matching,
  notMatching,
}: {
  readonly matching: readonly string[];
  readonly notMatching?: string;
}): TextSearchResult {
  const build = (pattern: string) => buildAutomaton(parseXsdPattern(pattern, searchLimits), searchLimits.patternStates);
  try {
    const automata = matching.map(build);
    const excluded = notMatching === undefined ? undefined : build(notMatching);
    const codePoints = listCodePoints([...automata, ...(excluded === undefined ? [] : [excluded])]);
    return findText({ matching: automata, notMatching: excluded, codePoints, maxSets });
  } catch (error) {
    if (error instanceof PatternError) {
      return { kind: "unknown" };
    }
    throw error;
  }
}

/** The characters that a search prefers in a text. */
const preferredCharacters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. ";

/**
 * Lists a code point of each set of characters that the automata do not distinguish. The keys of character classes
 * contain the bounds of ranges. Classes without such bounds are categories of Unicode. For these, the list contains all
 * characters up to U+FFFF, and every 16th character above, because blocks of this size mostly have one category.
 */
function listCodePoints(automata: readonly Automaton[]): readonly number[] {
  const keys = new Set(automata.flatMap(({ classes }) => classes.map(({ key }) => key)));
  const bounds = [...keys].flatMap((key) => [...key.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
  const hasCategory = [...keys].some((key) => /[a-zA-Z]/.test(key));
  const codePoints = new Set([
    ...Array.from(preferredCharacters, (character) => character.charCodeAt(0)),
    ...listNumbers(0x80, 1),
    ...bounds.flatMap((bound) => [bound, bound - 1, bound + 1]),
    ...(hasCategory ? [...listNumbers(0x10000, 1), ...listNumbers(0x110000, 16)] : [0xe9, 0x3b1, 0x4e00, 0x1f600]),
  ]);
  return [...codePoints].filter(isXmlCharacter);
}

function listNumbers(end: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(end / step) }, (_, index) => index * step);
}

/** Whether XML 1.0 §2.2 allows a character. */
function isXmlCharacter(codePoint: number): boolean {
  return (
    [0x9, 0xa, 0xd].includes(codePoint) ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x10000 && codePoint <= 0x10ffff)
  );
}
