import { buildAutomaton } from "./automaton.js";
import { PatternError, type PatternLimits, patternLimits } from "./pattern-source.js";
import { normalizeSpaces, type WhiteSpaceRule } from "./text-machines.js";
import { createAutomatonMachine, findText, type TextMachine, type TextSearchResult } from "./text-search.js";
import { parseXsdPattern } from "./xsd-pattern.js";

// Compares the texts that XML Schema regular expressions match.

/** The maximum number of sets of states that a search compares. */
const maxSets = 2000;
const searchLimits: PatternLimits = { ...patternLimits, patternStates: 4000 };

/** A pattern that a text must match after its white space was normalized. A string matches the unchanged text. */
export type SearchedPattern = string | { readonly pattern: string; readonly whiteSpace: WhiteSpaceRule };

/** Searches for a text that all patterns in `matching` match, but the pattern `notMatching` does not. */
export function findXsdText({
  matching,
  notMatching,
}: {
  readonly matching: readonly SearchedPattern[];
  readonly notMatching?: SearchedPattern;
}): TextSearchResult {
  const create = (searched: SearchedPattern) =>
    typeof searched === "string"
      ? createXsdMachine(searched)
      : normalizeSpaces(createXsdMachine(searched.pattern), searched.whiteSpace);
  try {
    return findTextOfMachines(matching.map(create), notMatching === undefined ? undefined : create(notMatching));
  } catch (error) {
    if (error instanceof PatternError) {
      return { kind: "unknown" };
    }
    throw error;
  }
}

/** Creates a machine that accepts the texts that a pattern matches. Throws `PatternError`. */
export function createXsdMachine(pattern: string): TextMachine {
  return createAutomatonMachine(buildAutomaton(parseXsdPattern(pattern, searchLimits), searchLimits.patternStates));
}

/** Searches for a text that all machines in `matching` accept, but the machine `notMatching` does not. */
export function findTextOfMachines(matching: readonly TextMachine[], notMatching?: TextMachine): TextSearchResult {
  const classes = [...matching, ...(notMatching === undefined ? [] : [notMatching])].flatMap((each) => each.classes);
  return findText({ matching, notMatching, codePoints: listCodePoints(classes), maxSets });
}

/** The characters that a search prefers in a text. */
const preferredCharacters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. ";

/**
 * Lists a code point of each set of characters that machines do not distinguish. The keys of character classes
 * contain the bounds of ranges. Classes without such bounds are categories of Unicode: the list then contains the first
 * character of each run of characters with one category.
 */
function listCodePoints(classes: TextMachine["classes"]): readonly number[] {
  const keys = new Set(classes.map(({ key }) => key));
  const bounds = [...keys].flatMap((key) => [...key.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
  const hasCategory = [...keys].some((key) => /[a-zA-Z]/.test(key));
  const codePoints = new Set([
    ...Array.from(preferredCharacters, (character) => character.charCodeAt(0)),
    ...listNumbers(0x80, 1),
    ...bounds.flatMap((bound) => [bound, bound - 1, bound + 1]),
    ...(hasCategory ? listCategoryRuns() : [0xe9, 0x3b1, 0x4e00, 0x1f600]),
  ]);
  return [...codePoints].filter(isXmlCharacter);
}

const categoryRun =
  /\p{Lu}+|\p{Ll}+|\p{Lt}+|\p{Lm}+|\p{Lo}+|\p{Mn}+|\p{Mc}+|\p{Me}+|\p{Nd}+|\p{Nl}+|\p{No}+|\p{Pc}+|\p{Pd}+|\p{Ps}+|\p{Pe}+|\p{Pi}+|\p{Pf}+|\p{Po}+|\p{Sm}+|\p{Sc}+|\p{Sk}+|\p{So}+|\p{Zs}+|\p{Zl}+|\p{Zp}+|\p{Cc}+|\p{Cf}+|\p{Co}+|\p{Cn}+/gu;

let categoryRuns: readonly number[] | undefined;

/**
 * Lists the first character of each run of characters with one category of Unicode. Above U+FFFF, where blocks of 16
 * characters mostly have one category, only the first character of each block counts. Lists them only once, because
 * there are more than 100,000 characters.
 */
function listCategoryRuns(): readonly number[] {
  categoryRuns ??= findCategoryRuns();
  return categoryRuns;
}

function findCategoryRuns(): readonly number[] {
  const codePoints = [...listNumbers(0x10000, 1), ...listNumbers(0x110000, 16).slice(0x1000)].filter(isXmlCharacter);
  const text = codePoints.map((codePoint) => String.fromCodePoint(codePoint)).join("");
  return [...text.matchAll(categoryRun)].map(([run]) => run.codePointAt(0) ?? 0);
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
