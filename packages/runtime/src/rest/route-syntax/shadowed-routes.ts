import {
  type Automaton,
  accepts,
  buildAutomaton,
  type PatternLimits,
  patternLimits,
  readsNothing,
} from "@bothends/datatypes/pattern";
import { parseRoute } from "./compile-route.js";

/** The most pairs of state sets that are compared. */
const maxPairs = 2000;
/** Characters that are tried besides ASCII and those that the routes spell out. */
const otherCharacters = [0x80, 0xe9, 0x3b1, 0x4e00, 0x1f600];

/**
 * Whether a route, placed first, matches every path of another, which then is never reached. Paths that end in a slash do
 * not count, as no request has one. False when the routes are too complex to decide. Throws `PatternError`.
 */
export function shadows(wide: string, narrow: string, limits: PatternLimits = patternLimits): boolean {
  const trees = [parseRoute(narrow, limits), parseRoute(wide, limits)] as const;
  if (trees[0] === undefined || trees[1] === undefined) {
    return false;
  }
  const inner = new StateSets(buildAutomaton(trees[0], limits.patternStates));
  const outer = new StateSets(buildAutomaton(trees[1], limits.patternStates));
  const characters = kindsOf(`${wide}${narrow}`, inner, outer);
  const seen = new Set<string>();
  const pending: Pair[] = [{ inner: inner.start, outer: outer.start, slash: true }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const key = `${pair.inner.join()} ${pair.outer.join()} ${pair.slash}`;
    if (seen.has(key)) {
      continue;
    }
    if (seen.size >= maxPairs) {
      return false;
    }
    seen.add(key);
    if (!pair.slash && inner.isEnd(pair.inner) && !outer.isEnd(pair.outer)) {
      return false;
    }
    for (const codePoint of characters) {
      const next = inner.step(pair.inner, codePoint);
      if (next.length > 0) {
        pending.push({ inner: next, outer: outer.step(pair.outer, codePoint), slash: codePoint === 47 });
      }
    }
  }
  return true;
}

interface Pair {
  readonly inner: readonly number[];
  readonly outer: readonly number[];
  /** Whether the path so far ends in a slash. */
  readonly slash: boolean;
}

/** One character of each set that the routes distinguish. */
function kindsOf(routes: string, ...sets: readonly StateSets[]): readonly number[] {
  const kinds = new Map<string, number>([["/", 47]]);
  const spelled = Array.from(routes, (character) => character.codePointAt(0) ?? 0);
  for (const codePoint of [...Array.from({ length: 128 }, (_, code) => code), ...otherCharacters, ...spelled]) {
    const kind = sets.map((set) => set.kindOf(codePoint)).join("|");
    if (codePoint !== 47 && !kinds.has(kind)) {
      kinds.set(kind, codePoint);
    }
  }
  return [...kinds.values()];
}

/** Runs an automaton in several states at once. A set is a sorted list of states that read or accept. */
class StateSets {
  readonly start: readonly number[];
  readonly #automaton: Automaton;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.start = this.#reach([automaton.start]);
  }

  kindOf(codePoint: number): string {
    return this.#automaton.classes.map((characters) => (characters.has(codePoint) ? 1 : 0)).join("");
  }

  isEnd(states: readonly number[]): boolean {
    return states.some((state) => this.#automaton.reads[state] === accepts);
  }

  step(states: readonly number[], codePoint: number): readonly number[] {
    const { reads, next, classes } = this.#automaton;
    return this.#reach(
      states.flatMap((state) => (classes[reads[state] ?? accepts]?.has(codePoint) === true ? [next[state] ?? 0] : [])),
    );
  }

  #reach(entries: readonly number[]): readonly number[] {
    const { reads, next, other } = this.#automaton;
    const visited = new Set<number>();
    const pending = [...entries];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (visited.has(state)) {
        continue;
      }
      visited.add(state);
      const read = reads[state] ?? accepts;
      if (read === readsNothing) {
        pending.push(next[state] ?? 0, other[state] ?? 0);
      } else if (read < accepts) {
        pending.push(next[state] ?? 0);
      }
    }
    return [...visited]
      .filter((state) => (reads[state] ?? accepts) >= 0 || reads[state] === accepts)
      .sort((a, b) => a - b);
  }
}
