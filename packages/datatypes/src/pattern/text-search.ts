import { type Automaton, acceptState, readsNothing } from "./automaton.js";

/**
 * The result of a search for a text that several automata match and another one does not: a shortest such text, `none`
 * if there is none, or `unknown` if the automata are too complex to decide.
 */
export type TextSearchResult =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/** The texts to search for. */
export interface TextSearch {
  /** The automata that match the text. */
  readonly matching: readonly Automaton[];
  /** The automaton that does not match the text; absent if every text that the others match is accepted. */
  readonly notMatching?: Automaton | undefined;
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
  const automata = [...matching, ...(notMatching === undefined ? [] : [notMatching])];
  const sets = automata.map((automaton) => new StateSets(automaton));
  const representatives = selectRepresentatives(codePoints, automata);
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
  sets: readonly StateSets[],
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
function selectRepresentatives(codePoints: readonly number[], automata: readonly Automaton[]): readonly number[] {
  const classes = [...new Map(automata.flatMap((each) => each.classes).map((each) => [each.key, each])).values()];
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

/**
 * Runs an automaton in several states at once. Each set of states is a sorted list, and contains only states that read
 * a character or accept.
 */
class StateSets {
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
