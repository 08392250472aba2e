import {
  type Automaton,
  acceptState,
  buildAutomaton,
  compileTree,
  Matcher,
  markOf,
  type Pattern,
  PatternError,
  type PatternLimits,
  type PatternNode,
  patternLimits,
  readsNothing,
} from "@bothends/datatypes/pattern";
import { parseRoutePattern, parseValuePattern } from "./parse-route.js";

/** Routes of a REST index: linear-time matching, their shortest paths, and whether one hides another. */

/** A compiled route of a REST index, which matches paths in linear time. */
export interface Route {
  /** The literal text at the start of its paths, with ASCII letters in lower case; matching ignores case. */
  readonly start: string;
  /** Whether the start is the whole path. */
  readonly isLiteral: boolean;
  /** A path that the route matches; undefined if there is none. */
  readonly example: string | undefined;
  /** The named groups in the rest of a path, after the start; undefined if the path does not match. */
  match(rest: string): ReadonlyMap<string, string> | undefined;
}

const noGroups: ReadonlyMap<string, string> = new Map();

/** Compiles a route: a PCRE regular expression that must match a whole path. Throws `PatternError`. */
export function compileRoute(text: string, limits: PatternLimits = patternLimits): Route {
  const tree = parseRoute(text, limits);
  if (tree === undefined) {
    return { start: "", isLiteral: false, example: undefined, match: () => undefined };
  }
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  const literal = parts.findIndex((part) => part.kind !== "class" || part.character === undefined);
  const count = literal < 0 ? parts.length : literal;
  const start = parts.slice(0, count).map(characterOf).join("");
  const rest: PatternNode = { kind: "sequence", parts: parts.slice(count) };
  const match = matcherOf(rest, limits);
  return {
    start: lowerCase(start),
    isLiteral: count === parts.length,
    example: exampleOf(start, rest, match),
    match,
  };
}

/** The tree of a route; undefined if no path matches. */
export function parseRoute(text: string, limits: PatternLimits): PatternNode | undefined {
  if (text.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters (limit.patternChars).`;
    throw new PatternError(message, 0, { limit: "patternChars" });
  }
  return parseRoutePattern(text, limits);
}

function matcherOf(tree: PatternNode, limits: PatternLimits): Route["match"] {
  if (tree.kind === "sequence" && tree.parts.length === 0) {
    return (rest) => (rest === "" ? noGroups : undefined);
  }
  const automaton = buildAutomaton(tree, limits.patternStates);
  // Most paths belong to another route. The matcher is cheaper than the captures.
  const matcher = new Matcher(automaton);
  if (automaton.captures.length === 0) {
    return (rest) => (matcher.test(rest) ? noGroups : undefined);
  }
  const captures = new Captures(automaton);
  return (rest) => (matcher.test(rest) ? captures.find(rest) : undefined);
}

/** A path that the route matches, without a trailing slash if possible. */
function exampleOf(start: string, rest: PatternNode, match: Route["match"]): string | undefined {
  const text = shortestText(rest);
  if (text === undefined) {
    return undefined;
  }
  const texts = [text, shortestText(rest, false) ?? text, `${text}a`, `${text}0`];
  return (
    start + (texts.find((candidate) => !`${start}${candidate}`.endsWith("/") && match(candidate) !== undefined) ?? text)
  );
}

function characterOf(node: PatternNode): string {
  return node.kind === "class" ? (node.character ?? "") : "";
}

/**
 * Converts only ASCII letters to lower case, as PCRE does when it ignores case without Unicode mode. Other letters could change
 * their length.
 */
export function lowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/** Compiles the pattern of a group in a route (a subset of PCRE). Throws `PatternError`. */
export function compileRoutePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseRoutePattern);
}

/** Compiles the case-sensitive pattern of a value in a REST index. Throws `PatternError`. */
export function compileValuePattern(text: string, limits: PatternLimits = patternLimits): Pattern {
  return compileTree(text, limits, parseValuePattern);
}

/** A path through the automaton: the current state and the marked offsets. */
interface Thread {
  readonly state: number;
  readonly marks: readonly number[];
}

/**
 * Finds the texts of a pattern's named groups. If a text matches in several ways, follows PCRE: the first branch, and as many
 * repetitions as possible, or as few with a lazy quantifier. All threads advance together, in order of preference, so the time is
 * linear in the text.
 */
class Captures {
  readonly #automaton: Automaton;
  /** The step in which each state was last visited. */
  readonly #visited: Int32Array;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#visited = new Int32Array(automaton.reads.length);
  }

  /** The texts of the groups that participate in the match, by name; undefined if the whole text does not match. */
  find(text: string): ReadonlyMap<string, string> | undefined {
    const { reads, next, classes } = this.#automaton;
    this.#visited.fill(-1);
    let threads = this.#follow({ state: this.#automaton.start, marks: [] }, 0);
    for (let at = 0; at < text.length && threads.length > 0; ) {
      const codePoint = text.codePointAt(at) ?? 0;
      at += codePoint > 0xffff ? 2 : 1;
      const following: Thread[] = [];
      for (const { state, marks } of threads) {
        if (classes[reads[state] ?? acceptState]?.has(codePoint) !== true) {
          continue;
        }
        following.push(...this.#follow({ state: next[state] ?? 0, marks }, at));
      }
      threads = following;
    }
    const first = threads.find(({ state }) => reads[state] === acceptState);
    return first && this.#texts(first.marks, text);
  }

  /** The threads that read or accept next, in order. A state already reached by a preferred thread in this step is skipped. */
  #follow(from: Thread, at: number): readonly Thread[] {
    const { reads, next, other } = this.#automaton;
    const following: Thread[] = [];
    const pending: Thread[] = [from];
    for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
      const { state, marks } = thread;
      if (this.#visited[state] === at) {
        continue;
      }
      this.#visited[state] = at;
      const read = reads[state] ?? acceptState;
      if (read === readsNothing) {
        pending.push({ state: other[state] ?? 0, marks }, { state: next[state] ?? 0, marks });
      } else if (read < acceptState) {
        pending.push({ state: next[state] ?? 0, marks: marked(marks, markOf(read), at) });
      } else {
        following.push(thread);
      }
    }
    return following;
  }

  #texts(marks: readonly number[], text: string): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const [number, name] of this.#automaton.captures.entries()) {
      const start = marks[2 * number];
      const end = marks[2 * number + 1];
      if (start !== undefined && end !== undefined) {
        texts.set(name, text.slice(start, end));
      }
    }
    return texts;
  }
}

function marked(marks: readonly number[], mark: number, at: number): readonly number[] {
  const copy = marks.slice();
  copy[mark] = at;
  return copy;
}

/** Characters to write for a class, in order of preference. */
const preferred = /* @__PURE__ */ Array.from("a0-_.~!*'(),;:@+=$&/ bcdefghijklmnopqrstuvwxyz123456789%#?[]{}|^\"<>\\`");

/** The shortest text that a tree matches, non-empty unless `mayBeEmpty`; undefined if there is none. */
export function shortestText(node: PatternNode, mayBeEmpty = true): string | undefined {
  switch (node.kind) {
    case "class":
      return node.character ?? preferred.find((character) => node.class.has(character.charCodeAt(0)));
    case "capture":
      return shortestText(node.part, mayBeEmpty);
    case "repeat":
      return repeated(node, mayBeEmpty);
    case "choice":
      return shortestOf(node.branches.map((branch) => shortestText(branch, mayBeEmpty)));
    case "sequence":
      return inSequence(node.parts, mayBeEmpty);
  }
}

function repeated({ part, min, max }: PatternNode & { kind: "repeat" }, mayBeEmpty: boolean): string | undefined {
  if (min === 0) {
    return mayBeEmpty ? "" : max === 0 ? undefined : shortestText(part, false);
  }
  const text = shortestText(part);
  if (text !== "" || mayBeEmpty) {
    return text?.repeat(min);
  }
  return shortestText(part, false);
}

function inSequence(parts: readonly PatternNode[], mayBeEmpty: boolean): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    const text = shortestText(part);
    if (text === undefined) {
      return undefined;
    }
    texts.push(text);
  }
  const whole = texts.join("");
  if (whole !== "" || mayBeEmpty) {
    return whole;
  }
  return shortestOf(parts.map((part) => shortestText(part, false)));
}

function shortestOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.reduce<string | undefined>(
    (best, text) => (text !== undefined && (best === undefined || text.length < best.length) ? text : best),
    undefined,
  );
}

/** The maximum number of pairs of state sets to compare. */
const maxPairs = 2000;
/** Characters to try in addition to ASCII and those in the routes. */
const otherCharacters = [0x80, 0xe9, 0x3b1, 0x4e00, 0x1f600];

/**
 * Whether a route, placed first, hides another by matching all its paths. Ignores paths that end in a slash, as no request has
 * one. False if the routes are too complex to decide. Throws `PatternError`.
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
    return states.some((state) => this.#automaton.reads[state] === acceptState);
  }

  step(states: readonly number[], codePoint: number): readonly number[] {
    const { reads, next, classes } = this.#automaton;
    return this.#reach(
      states.flatMap((state) =>
        classes[reads[state] ?? acceptState]?.has(codePoint) === true ? [next[state] ?? 0] : [],
      ),
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
      const read = reads[state] ?? acceptState;
      if (read === readsNothing) {
        pending.push(next[state] ?? 0, other[state] ?? 0);
      } else if (read < acceptState) {
        pending.push(next[state] ?? 0);
      }
    }
    return [...visited]
      .filter((state) => (reads[state] ?? acceptState) >= 0 || reads[state] === acceptState)
      .sort((a, b) => a - b);
  }
}
