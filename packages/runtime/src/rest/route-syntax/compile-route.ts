import {
  type Automaton,
  acceptState,
  buildAutomaton,
  compileTree,
  getMark,
  Matcher,
  type Pattern,
  PatternError,
  type PatternLimits,
  type PatternNode,
  patternLimits,
  readsNothing,
} from "@bothends/datatypes/pattern";
import { parseRoutePattern, parseValuePattern } from "./parse-route.js";

/** Compiles routes of a REST index, matches paths in linear time, and writes the shortest path. */

/** A compiled route of a REST index, which matches paths in linear time. */
export interface Route {
  /**
   * The literal text with which the route's paths start. Its ASCII letters are in lower case, because matching ignores
   * case.
   */
  readonly start: string;
  /** Whether the route matches only one path. If so, `start` is this complete path. */
  readonly isLiteral: boolean;
  /** A path that the route matches. Undefined if the route matches no path. */
  readonly example: string | undefined;
  /**
   * Matches the part of a path that follows `start`. Returns the values of the named groups, or undefined if the path
   * does not match.
   */
  match(remainder: string): ReadonlyMap<string, string> | undefined;
  /** Like `match`, but returns the ranges of the values in `remainder`. */
  findRanges(remainder: string): readonly CaptureRange[] | undefined;
}

/** The part of a string that a named group matches, from `start` to before `end`. */
export interface CaptureRange {
  readonly start: number;
  readonly end: number;
}

const noRanges: readonly CaptureRange[] = [];

const noGroups: ReadonlyMap<string, string> = new Map();

type RouteMatcher = Pick<Route, "match" | "findRanges">;

const matchesNothing: RouteMatcher = { match: () => undefined, findRanges: () => undefined };

/** Compiles a route, which is a PCRE regular expression that must match the whole path. Throws `PatternError`. */
export function compileRoute(text: string, limits: PatternLimits = patternLimits): Route {
  const tree = parseRoute(text, limits);
  if (tree === undefined) {
    return { start: "", isLiteral: false, example: undefined, ...matchesNothing };
  }
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  const firstVariable = parts.findIndex((part) => part.kind !== "class" || part.character === undefined);
  const literalCount = firstVariable < 0 ? parts.length : firstVariable;
  const start = parts.slice(0, literalCount).map(getCharacter).join("");
  const remainder: PatternNode = { kind: "sequence", parts: parts.slice(literalCount) };
  const { match, findRanges } = createMatcher(remainder, limits);
  return {
    start: lowerCase(start),
    isLiteral: literalCount === parts.length,
    example: createExample(start, remainder, match),
    match,
    findRanges,
  };
}

/** Parses a route. Returns undefined if no path can match. */
export function parseRoute(text: string, limits: PatternLimits): PatternNode | undefined {
  if (text.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters (limit.patternChars).`;
    throw new PatternError(message, 0, { limit: "patternChars" });
  }
  return parseRoutePattern(text, limits);
}

function createMatcher(tree: PatternNode, limits: PatternLimits): RouteMatcher {
  if (tree.kind === "sequence" && tree.parts.length === 0) {
    return createPlainMatcher((remainder) => remainder === "");
  }
  const automaton = buildAutomaton(tree, limits.patternStates);
  // The matcher is faster than `Captures`, and most paths do not match this route, so the matcher is tried first.
  const matcher = new Matcher(automaton);
  if (automaton.captureNames.length === 0) {
    return createPlainMatcher((remainder) => matcher.test(remainder));
  }
  const captures = new Captures(automaton);
  return {
    match: (remainder) => (matcher.test(remainder) ? captures.find(remainder) : undefined),
    findRanges: (remainder) => (matcher.test(remainder) ? captures.findRanges(remainder) : undefined),
  };
}

/** Creates a matcher for a pattern without named groups. */
function createPlainMatcher(test: (remainder: string) => boolean): RouteMatcher {
  return {
    match: (remainder) => (test(remainder) ? noGroups : undefined),
    findRanges: (remainder) => (test(remainder) ? noRanges : undefined),
  };
}

/** Returns a path that the route matches, if possible without a slash at its end. */
function createExample(start: string, remainder: PatternNode, match: Route["match"]): string | undefined {
  const text = findShortestText(remainder);
  if (text === undefined) {
    return undefined;
  }
  const texts = [text, findShortestText(remainder, false) ?? text, `${text}a`, `${text}0`];
  return (
    start + (texts.find((candidate) => !`${start}${candidate}`.endsWith("/") && match(candidate) !== undefined) ?? text)
  );
}

function getCharacter(node: PatternNode): string {
  return node.kind === "class" ? (node.character ?? "") : "";
}

/**
 * Converts only ASCII letters to lower case, as PCRE does when it ignores case without Unicode mode. With other
 * letters, the length of the string could change.
 */
export function lowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/** Compiles the pattern of a group in a route. The pattern may use a subset of PCRE. Throws `PatternError`. */
export function compileRoutePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseRoutePattern);
}

/** Compiles the case-sensitive pattern of a value in a REST index. Throws `PatternError`. */
export function compileValuePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseValuePattern);
}

/**
 * One way to match a string; several ways are followed at the same time. Contains its state in the automaton, and the
 * offsets at which its groups begin and end.
 */
interface Thread {
  readonly state: number;
  readonly marks: readonly number[];
}

/**
 * Finds the values of a pattern's named groups. If a string matches in several ways, chooses the same way as PCRE: the
 * first branch, and as many repetitions as possible (with a lazy quantifier, as few as possible). All threads advance
 * together, in order of preference, so the time is linear in the length of the string.
 */
class Captures {
  readonly #automaton: Automaton;
  /** The offset at which each state was last visited. */
  readonly #visitedStates: Int32Array;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#visitedStates = new Int32Array(automaton.readEntries.length);
  }

  /** Returns the values of the groups by their names; undefined if the pattern does not match the whole string. */
  find(text: string): ReadonlyMap<string, string> | undefined {
    const marks = this.#findMarks(text);
    return marks && new Map(this.#listRanges(marks).map(({ name, start, end }) => [name, text.slice(start, end)]));
  }

  /** Returns the ranges of the groups in the string; undefined if the pattern does not match the whole string. */
  findRanges(text: string): readonly CaptureRange[] | undefined {
    const marks = this.#findMarks(text);
    return marks && this.#listRanges(marks);
  }

  #findMarks(text: string): readonly number[] | undefined {
    const { readEntries, nextStates, classes } = this.#automaton;
    this.#visitedStates.fill(-1);
    let threads = this.#followThread({ state: this.#automaton.start, marks: [] }, 0);
    for (let offset = 0; offset < text.length && threads.length > 0; ) {
      const codePoint = text.codePointAt(offset) ?? 0;
      offset += codePoint > 0xffff ? 2 : 1;
      const nextThreads: Thread[] = [];
      for (const { state, marks } of threads) {
        if (classes[readEntries[state] ?? acceptState]?.has(codePoint) !== true) {
          continue;
        }
        nextThreads.push(...this.#followThread({ state: nextStates[state] ?? 0, marks }, offset));
      }
      threads = nextThreads;
    }
    return threads.find(({ state }) => readEntries[state] === acceptState)?.marks;
  }

  /**
   * Follows a thread to the states that read a character or accept, and returns a thread for each of them, in order of
   * preference. Skips states that a preferred thread has already reached.
   */
  #followThread(from: Thread, offset: number): readonly Thread[] {
    const { readEntries, nextStates, secondNextStates } = this.#automaton;
    const nextThreads: Thread[] = [];
    const pendingThreads: Thread[] = [from];
    for (let thread = pendingThreads.pop(); thread !== undefined; thread = pendingThreads.pop()) {
      const { state, marks } = thread;
      if (this.#visitedStates[state] === offset) {
        continue;
      }
      this.#visitedStates[state] = offset;
      const readEntry = readEntries[state] ?? acceptState;
      if (readEntry === readsNothing) {
        pendingThreads.push({ state: secondNextStates[state] ?? 0, marks }, { state: nextStates[state] ?? 0, marks });
      } else if (readEntry < acceptState) {
        pendingThreads.push({ state: nextStates[state] ?? 0, marks: withMark(marks, getMark(readEntry), offset) });
      } else {
        nextThreads.push(thread);
      }
    }
    return nextThreads;
  }

  #listRanges(marks: readonly number[]): readonly (CaptureRange & { readonly name: string })[] {
    const ranges: (CaptureRange & { readonly name: string })[] = [];
    for (const [number, name] of this.#automaton.captureNames.entries()) {
      const start = marks[2 * number];
      const end = marks[2 * number + 1];
      if (start !== undefined && end !== undefined) {
        ranges.push({ name, start, end });
      }
    }
    return ranges;
  }
}

function withMark(marks: readonly number[], mark: number, offset: number): readonly number[] {
  const copy = marks.slice();
  copy[mark] = offset;
  return copy;
}

/** The characters from which one is chosen to represent a character class, in order of preference. */
export const preferredCharacters: readonly string[] = /* @__PURE__ */ Array.from(
  "a0-_.~!*'(),;:@+=$&/ bcdefghijklmnopqrstuvwxyz123456789%#?[]{}|^\"<>\\`",
);

/**
 * Returns the shortest string that a pattern matches; undefined if there is none. Empty strings count only if
 * `mayBeEmpty` is true.
 */
export function findShortestText(node: PatternNode, mayBeEmpty = true): string | undefined {
  switch (node.kind) {
    case "class":
      return node.character ?? preferredCharacters.find((character) => node.class.has(character.charCodeAt(0)));
    case "capture":
      return findShortestText(node.part, mayBeEmpty);
    case "repeat":
      return findShortestRepetition(node, mayBeEmpty);
    case "choice":
      return findShortest(node.branches.map((branch) => findShortestText(branch, mayBeEmpty)));
    case "sequence":
      return findShortestSequence(node.parts, mayBeEmpty);
  }
}

function findShortestRepetition(
  { part, min, max }: PatternNode & { kind: "repeat" },
  mayBeEmpty: boolean,
): string | undefined {
  if (min === 0) {
    return mayBeEmpty ? "" : max === 0 ? undefined : findShortestText(part, false);
  }
  const text = findShortestText(part);
  if (text !== "" || mayBeEmpty) {
    return text?.repeat(min);
  }
  return findShortestText(part, false);
}

function findShortestSequence(parts: readonly PatternNode[], mayBeEmpty: boolean): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    const text = findShortestText(part);
    if (text === undefined) {
      return undefined;
    }
    texts.push(text);
  }
  const joinedText = texts.join("");
  if (joinedText !== "" || mayBeEmpty) {
    return joinedText;
  }
  return findShortest(parts.map((part) => findShortestText(part, false)));
}

function findShortest(texts: readonly (string | undefined)[]): string | undefined {
  return texts.reduce<string | undefined>(
    (best, text) => (text !== undefined && (best === undefined || text.length < best.length) ? text : best),
    undefined,
  );
}
