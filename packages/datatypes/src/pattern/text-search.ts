import { type Automaton, acceptState, readsNothing } from "./automaton.js";

/**
 * The result of a search for a text that several machines accept and another one does not: a shortest such text, `none`
 * if there is none, or `unknown` if the machines are too complex to decide.
 */
export type TextSearchResult =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/** A set of characters that a machine distinguishes from all others. */
interface DistinguishedCharacters {
  readonly key: string;
  has(codePoint: number): boolean;
}

/** Reads a text character by character, and accepts it or not. States are numbers. */
export interface TextMachine {
  readonly classes: readonly DistinguishedCharacters[];
  /** The state before the first character. */
  readonly start: number;
  step(state: number, codePoint: number): number;
  /** Whether the machine accepts the text that it has read. */
  isEnd(state: number): boolean;
  /** Whether the machine accepts no text that begins with the text that it has read. */
  isDead(state: number): boolean;
}

/** How a machine reads texts. States with the same key are equal. */
export interface MachineRules<State> {
  readonly classes: TextMachine["classes"];
  readonly start: State;
  getKey(state: State): string;
  step(state: State, codePoint: number): State;
  isEnd(state: State): boolean;
  isDead(state: State): boolean;
}

/** Creates a machine that numbers its states when it reaches them, and computes each step only once. */
export function createTextMachine<State>(rules: MachineRules<State>): TextMachine {
  const numbers = new Map<string, number>();
  const states: { readonly state: State; readonly steps: Map<number, number> }[] = [];
  const getNumber = (state: State) => {
    const key = rules.getKey(state);
    const known = numbers.get(key);
    if (known !== undefined) {
      return known;
    }
    numbers.set(key, states.length);
    return states.push({ state, steps: new Map() }) - 1;
  };
  const getState = (number: number) => states[number]?.state ?? rules.start;
  return {
    classes: rules.classes,
    start: getNumber(rules.start),
    step(number, codePoint) {
      const steps = states[number]?.steps;
      const known = steps?.get(codePoint);
      if (known !== undefined) {
        return known;
      }
      const next = getNumber(rules.step(getState(number), codePoint));
      steps?.set(codePoint, next);
      return next;
    },
    isEnd: (number) => rules.isEnd(getState(number)),
    isDead: (number) => rules.isDead(getState(number)),
  };
}

/** The texts to search for. */
export interface TextSearch {
  /** The machines that accept the text. */
  readonly matching: readonly TextMachine[];
  /** The machine that does not accept the text; absent if every text that the others accept is a result. */
  readonly notMatching?: TextMachine | undefined;
  /**
   * The code points to try, in order of preference. The result is exact if the list contains a code point of each set
   * of characters that the machines do not distinguish.
   */
  readonly codePoints: readonly number[];
  /** The maximum number of combinations of states that are compared. If more are needed, the result is `unknown`. */
  readonly maxSets: number;
}

/** The states that the machines reach by reading a text. The last one is that of `notMatching`. */
interface Reached {
  readonly states: readonly number[];
  readonly text: string;
}

/** Searches for a text by running all machines together, the shortest texts first. */
export function findText({ matching, notMatching, codePoints, maxSets }: TextSearch): TextSearchResult {
  const machines = [...matching, ...(notMatching === undefined ? [] : [notMatching])];
  const representatives = selectRepresentatives(codePoints, machines);
  const isFound = ({ states }: Reached) =>
    machines.every((machine, index) => machine.isEnd(states[index] ?? 0) === index < matching.length);
  const isDead = (states: readonly number[]) => matching.some((machine, index) => machine.isDead(states[index] ?? 0));
  const reachedStates = new Set<string>();
  let pending: readonly Reached[] = [{ states: machines.map(({ start }) => start), text: "" }];
  while (pending.length > 0) {
    const following: Reached[] = [];
    for (const reached of pending) {
      if (isFound(reached)) {
        return { kind: "found", text: reached.text };
      }
      for (const codePoint of representatives) {
        const states = machines.map((machine, index) => machine.step(reached.states[index] ?? 0, codePoint));
        const key = states.join();
        if (reachedStates.has(key) || isDead(states)) {
          continue;
        }
        if (reachedStates.size >= maxSets) {
          return { kind: "unknown" };
        }
        reachedStates.add(key);
        following.push({ states, text: reached.text + String.fromCodePoint(codePoint) });
      }
    }
    pending = following;
  }
  return { kind: "none" };
}

/** Selects the first code point of each set of characters that the machines do not distinguish. */
function selectRepresentatives(codePoints: readonly number[], machines: readonly TextMachine[]): readonly number[] {
  const allClasses = machines.flatMap(({ classes }) => classes);
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

/**
 * Creates a machine that runs an automaton in several states at once. Each set of states is a sorted list, and contains
 * only states that read a character or accept.
 */
export function createAutomatonMachine(automaton: Automaton): TextMachine {
  const { readEntries, nextStates, classes } = automaton;
  const followers = new Map<number, readonly number[]>();
  const findFollowers = (state: number) => {
    const known = followers.get(state) ?? findReachableStates(automaton, nextStates[state] ?? 0);
    followers.set(state, known);
    return known;
  };
  const readClasses = new Map<number, readonly boolean[]>();
  const findReadClasses = (codePoint: number) => {
    const known = readClasses.get(codePoint) ?? classes.map((characters) => characters.has(codePoint));
    readClasses.set(codePoint, known);
    return known;
  };
  return createTextMachine<readonly number[]>({
    classes,
    start: findReachableStates(automaton, automaton.start),
    getKey: (states) => states.join(),
    step: (states, codePoint) => {
      const isRead = findReadClasses(codePoint);
      const reached = new Set<number>();
      for (const state of states) {
        if (isRead[readEntries[state] ?? acceptState] === true) {
          for (const follower of findFollowers(state)) {
            reached.add(follower);
          }
        }
      }
      return [...reached].sort((left, right) => left - right);
    },
    isEnd: (states) => states.some((state) => readEntries[state] === acceptState),
    isDead: (states) => states.length === 0,
  });
}

/** Returns the states that read a character or accept, and that an automaton reaches without reading anything. */
function findReachableStates(
  { readEntries, nextStates, secondNextStates }: Automaton,
  start: number,
): readonly number[] {
  const visitedStates = new Set<number>();
  const pendingStates = [start];
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
    .sort((left, right) => left - right);
}
