import { type Automaton, acceptState, readsNothing } from "./automaton.js";

/**
 * The result of a search for a text that several automata match and another one does not: a shortest such text, `none`
 * if there is none, or `unknown` if the automata are too complex to decide.
 */
export type TextSearchResult =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/** An automaton that reads a text after its white space was normalized as the facet whiteSpace requires. */
export interface TextReader {
  readonly automaton: Automaton;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
}

/** The texts to search for. */
export interface TextSearch {
  /** The automata that match the text. */
  readonly matching: readonly TextReader[];
  /** The automaton that does not match the text; absent if every text that the others match is accepted. */
  readonly notMatching?: TextReader | undefined;
  /**
   * The code points to try, in order of preference. The result is exact if the list contains a code point of each set
   * of characters that the automata do not distinguish.
   */
  readonly codePoints: readonly number[];
  /** The maximum number of sets of states that are compared. If more are needed, the result is `unknown`. */
  readonly maxSets: number;
}

/** The states that the automata can reach by reading the same characters. The last list is that of `notMatching`. */
interface Reached {
  readonly states: readonly (readonly number[])[];
  readonly text: string;
}

/** Searches for a text by following all automata together, the shortest texts first. */
export function findText({ matching, notMatching, codePoints, maxSets }: TextSearch): TextSearchResult {
  const readers = [...matching, ...(notMatching === undefined ? [] : [notMatching])];
  const sets = readers.map(createTextStates);
  const representatives = selectRepresentatives(codePoints, readers);
  const isFound = ({ states }: Reached) =>
    sets.every((set, index) => set.isEnd(states[index] ?? []) === index < matching.length);
  const reachedSets = new Set<string>();
  let pending: readonly Reached[] = [{ states: sets.map(({ start }) => start), text: "" }];
  while (pending.length > 0) {
    const following: Reached[] = [];
    for (const reached of pending) {
      if (isFound(reached)) {
        return { kind: "found", text: reached.text };
      }
      for (const codePoint of representatives) {
        const states = stepAll(sets, matching.length, reached.states, codePoint);
        const key = states?.join(" ") ?? "";
        if (states === undefined || reachedSets.has(key)) {
          continue;
        }
        if (reachedSets.size >= maxSets) {
          return { kind: "unknown" };
        }
        reachedSets.add(key);
        following.push({ states, text: reached.text + String.fromCodePoint(codePoint) });
      }
    }
    pending = following;
  }
  return { kind: "none" };
}

/**
 * Returns the states of all automata after a character; undefined if one of the first `matchingCount` automata cannot
 * read it.
 */
function stepAll(
  sets: readonly TextStates[],
  matchingCount: number,
  states: Reached["states"],
  codePoint: number,
): Reached["states"] | undefined {
  const nextStates: (readonly number[])[] = [];
  for (const [index, set] of sets.entries()) {
    const reachedStates = set.step(states[index] ?? [], codePoint);
    if (reachedStates.length === 0 && index < matchingCount) {
      return undefined;
    }
    nextStates.push(reachedStates);
  }
  return nextStates;
}

/** Selects the first code point of each set of characters that the automata do not distinguish. */
function selectRepresentatives(codePoints: readonly number[], readers: readonly TextReader[]): readonly number[] {
  const automata = readers.map(({ automaton }) => automaton);
  const spaces = readers.some(({ whiteSpace }) => whiteSpace !== "preserve") ? [spaceClass, breakClass] : [];
  const allClasses = [...spaces, ...automata.flatMap((each) => each.classes)];
  const classes = [...new Map(allClasses.map((each) => [each.key, each])).values()];
  const kinds = new Map<string, number>();
  for (const codePoint of codePoints) {
    let kind = "";
    for (const characters of classes) {
      kind += characters.has(codePoint) ? "1" : "0";
    }
    if (!kinds.has(kind)) {
      kinds.set(kind, codePoint);
    }
  }
  return [...kinds.values()];
}

const space = 0x20;
const breaks: readonly number[] = [0x9, 0xa, 0xd];
const spaceClass = { key: "space", has: (codePoint: number) => codePoint === space };
const breakClass = { key: "break", has: (codePoint: number) => breaks.includes(codePoint) };

/** The states of an automaton while it reads a text. An empty list means that it cannot match the text. */
interface TextStates {
  /** The states before the first character. */
  readonly start: readonly number[];
  isEnd(states: readonly number[]): boolean;
  step(states: readonly number[], codePoint: number): readonly number[];
}

function createTextStates({ automaton, whiteSpace }: TextReader): TextStates {
  const sets = new StateSets(automaton);
  switch (whiteSpace) {
    case "preserve":
      return sets;
    case "replace":
      return replaceBreaks(sets);
    case "collapse":
      return collapseSpaces(sets);
  }
}

/**
 * Runs an automaton in several states at once. Each set of states is a sorted list, and contains only states that read
 * a character or accept.
 */
class StateSets implements TextStates {
  readonly start: readonly number[];
  readonly #automaton: Automaton;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.start = this.#findReachableStates([automaton.start]);
  }

  isEnd(states: readonly number[]): boolean {
    return states.some((state) => this.#automaton.readEntries[state] === acceptState);
  }

  step(states: readonly number[], codePoint: number): readonly number[] {
    const { readEntries, nextStates, classes } = this.#automaton;
    return this.#findReachableStates(
      states.flatMap((state) =>
        classes[readEntries[state] ?? acceptState]?.has(codePoint) === true ? [nextStates[state] ?? 0] : [],
      ),
    );
  }

  #findReachableStates(entries: readonly number[]): readonly number[] {
    const { readEntries, nextStates, secondNextStates } = this.#automaton;
    const visitedStates = new Set<number>();
    const pendingStates = [...entries];
    for (let state = pendingStates.pop(); state !== undefined; state = pendingStates.pop()) {
      if (visitedStates.has(state)) {
        continue;
      }
      visitedStates.add(state);
      const readEntry = readEntries[state] ?? acceptState;
      if (readEntry === readsNothing) {
        pendingStates.push(nextStates[state] ?? 0, secondNextStates[state] ?? 0);
      } else if (readEntry < acceptState) {
        pendingStates.push(nextStates[state] ?? 0);
      }
    }
    return [...visitedStates]
      .filter((state) => (readEntries[state] ?? acceptState) >= 0 || readEntries[state] === acceptState)
      .sort((a, b) => a - b);
  }
}

/** Reads tabs and the ends of lines as spaces. */
function replaceBreaks(sets: StateSets): TextStates {
  return {
    start: sets.start,
    isEnd: (states) => sets.isEnd(states),
    step: (states, codePoint) => sets.step(states, breaks.includes(codePoint) ? space : codePoint),
  };
}

const [beforeWords, inWord, afterWord] = [0, 1, 2] as const;

/**
 * Reads white space between words as one space, and no other white space. The first number in a list of states is the
 * position in the text: before its first word, in a word, or after a word.
 */
function collapseSpaces(sets: StateSets): TextStates {
  return {
    start: [beforeWords, ...sets.start],
    isEnd: ([, ...states]) => sets.isEnd(states),
    step([position, ...states], codePoint) {
      if (position !== undefined && (codePoint === space || breaks.includes(codePoint))) {
        return [position === beforeWords ? beforeWords : afterWord, ...states];
      }
      const startStates = position === afterWord ? sets.step(states, space) : states;
      const nextStates = sets.step(startStates, codePoint);
      return nextStates.length === 0 ? [] : [inWord, ...nextStates];
    },
  };
}
