import type { PatternSteps } from "../simple-type.js";
import { type Automaton, acceptState, buildAutomaton, type PatternNode, readsNothing } from "./automaton.js";
import { PatternError, type PatternLimits } from "./pattern-source.js";

/** The result of matching a string. `tooManySteps`: matching was stopped at `maxMatchSteps` or `maxMessageSteps`. */
export type MatchResult = "match" | "mismatch" | "tooManySteps";

/** A compiled pattern, which tests strings in linear time. */
export interface Pattern {
  /** Matches the whole string. If `messageSteps` is passed, the number of steps that this takes is added to it. */
  match(text: string, messageSteps?: PatternSteps): MatchResult;
  /** Whether the whole string matches. A string that needs too many steps does not match. */
  test(text: string): boolean;
}

const matchesNothing: Pattern = { match: () => "mismatch", test: () => false };

/**
 * The maximum number of states visited for one string. Visiting this many takes 0.1 to 0.2 s. The number of visited
 * states is proportional to the length of the string times the number of the pattern's states: 5,000 characters and
 * `([ab]*a[ab]{2000})+` would need 10 million.
 */
export const maxMatchSteps = 5_000_000;
/**
 * The maximum number of states visited for all strings of a message. Visiting this many takes about 2 s. Without this
 * limit, a message with many strings, none of which reaches `maxMatchSteps`, could take minutes. Strings whose sets of
 * states are in the cache take no steps.
 */
export const maxMessageSteps = 50_000_000;

/**
 * Compiles a pattern in the syntax that `parse` reads; `parse` returns undefined if no string can match. Throws
 * `PatternError`.
 */
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

/**
 * A set of the automaton's states, without states that read nothing. `successors` caches the set that each symbol leads
 * to.
 */
interface StateSet {
  readonly states: Int32Array;
  readonly isAccepting: boolean;
  readonly successors: Map<number, StateSet>;
}

/** The maximum size of the cache, in states. A larger cache is emptied. */
const maxCachedStates = 500_000;
/**
 * The number of times that one string may empty the cache. After that, the rest of the string is matched without the
 * cache.
 */
const maxClears = 2;
/** The maximum number of code points whose symbols are cached, not counting ASCII. */
const maxCachedSymbols = 10_000;

/**
 * Matches strings with an automaton in linear time, whatever the pattern. Sets of states are computed when a string
 * first reaches them, and cached for later strings.
 */
export class Matcher {
  readonly #automaton: Automaton;
  readonly #start: StateSet;
  /** The cached sets of states, keyed by the hash of their states. */
  #sets = new Map<number, StateSet[]>();
  #cachedStateCount = 0;
  #clearCount = 0;
  /** For each symbol, an array with a 1 for each class that contains the symbol's characters. */
  readonly #symbolClasses: Uint8Array[] = [];
  readonly #symbols = new Map<string, number>();
  readonly #asciiSymbols = new Int32Array(128).fill(-1);
  #otherSymbols = new Map<number, number>();
  /** For each state, the number of the step (`#stepNumber`) in which it was last visited. */
  readonly #lastVisits: Uint32Array;
  #stepNumber = 0;
  readonly #pendingStates: Int32Array;
  #currentStates: Int32Array;
  #followingStates: Int32Array;
  #followingCount = 0;
  #isAccepting = false;
  /** The number of states visited for the current string. States in cached sets are not counted. */
  #stepCount = 0;
  /** The maximum of `#stepCount` for the current string. */
  #maxSteps = maxMatchSteps;

  constructor(automaton: Automaton) {
    const size = automaton.readEntries.length;
    this.#automaton = automaton;
    this.#lastVisits = new Uint32Array(size);
    this.#pendingStates = new Int32Array(size);
    this.#currentStates = new Int32Array(size);
    this.#followingStates = new Int32Array(size);
    this.#beginStep();
    this.#addReachable(automaton.start);
    this.#start = this.#cacheSet();
  }

  test(text: string): boolean {
    return this.match(text) === "match";
  }

  match(text: string, messageSteps?: PatternSteps): MatchResult {
    this.#stepCount = 0;
    this.#maxSteps = Math.min(maxMatchSteps, maxMessageSteps - (messageSteps?.count ?? 0));
    const isAccepted = this.#accepts(text);
    if (messageSteps !== undefined) {
      messageSteps.count += this.#stepCount;
    }
    if (this.#stepCount > this.#maxSteps) {
      return "tooManySteps";
    }
    return isAccepted ? "match" : "mismatch";
  }

  /** Whether the string is accepted. The result is not valid if matching was stopped after too many steps. */
  #accepts(text: string): boolean {
    const clearCountBefore = this.#clearCount;
    let set = this.#start;
    for (let index = 0; index < text.length; ) {
      if (this.#clearCount - clearCountBefore > maxClears) {
        return this.#acceptsWithoutCache(text, index, set);
      }
      const codePoint = getCodePointAt(text, index);
      index += codePoint > 0xffff ? 2 : 1;
      const symbol = this.#getSymbol(codePoint);
      set = set.successors.get(symbol) ?? this.#addTransition(set, symbol);
      if (this.#stepCount > this.#maxSteps) {
        return false;
      }
      if (set.states.length === 0) {
        return set.isAccepting && index === text.length;
      }
    }
    return set.isAccepting;
  }

  #acceptsWithoutCache(text: string, start: number, set: StateSet): boolean {
    this.#currentStates.set(set.states);
    this.#followingCount = set.states.length;
    for (let index = start; index < text.length && this.#followingCount > 0 && this.#stepCount <= this.#maxSteps; ) {
      const codePoint = getCodePointAt(text, index);
      index += codePoint > 0xffff ? 2 : 1;
      this.#step(this.#currentStates, this.#followingCount, this.#getSymbol(codePoint));
      [this.#currentStates, this.#followingStates] = [this.#followingStates, this.#currentStates];
      if (index === text.length) {
        return this.#isAccepting;
      }
    }
    return false;
  }

  /** Returns the symbol of a code point. Code points that are in the same classes have the same symbol. */
  #getSymbol(codePoint: number): number {
    const knownSymbol = codePoint < 128 ? this.#asciiSymbols[codePoint] : this.#otherSymbols.get(codePoint);
    if (knownSymbol !== undefined && knownSymbol >= 0) {
      return knownSymbol;
    }
    const classes = Uint8Array.from(this.#automaton.classes, (characterClass) =>
      characterClass.has(codePoint) ? 1 : 0,
    );
    const key = classes.join("");
    let symbol = this.#symbols.get(key);
    if (symbol === undefined) {
      symbol = this.#symbolClasses.push(classes) - 1;
      this.#symbols.set(key, symbol);
    }
    this.#cacheSymbol(codePoint, symbol);
    return symbol;
  }

  #cacheSymbol(codePoint: number, symbol: number): void {
    if (codePoint < 128) {
      this.#asciiSymbols[codePoint] = symbol;
      return;
    }
    if (this.#otherSymbols.size >= maxCachedSymbols) {
      this.#otherSymbols = new Map();
    }
    this.#otherSymbols.set(codePoint, symbol);
  }

  #addTransition(source: StateSet, symbol: number): StateSet {
    this.#step(source.states, source.states.length, symbol);
    const target = this.#cacheSet();
    this.#countCached(1);
    source.successors.set(symbol, target);
    return target;
  }

  /**
   * Finds the states that a symbol leads to. The result is in `#followingStates`, `#followingCount` and `#isAccepting`.
   */
  #step(states: Int32Array, count: number, symbol: number): void {
    const classes = this.#symbolClasses[symbol];
    const { readEntries, nextStates } = this.#automaton;
    this.#beginStep();
    this.#followingCount = 0;
    this.#isAccepting = false;
    for (let index = 0; index < count; index++) {
      const state = states[index] ?? 0;
      if (classes?.[readEntries[state] ?? acceptState] === 1) {
        this.#addReachable(nextStates[state] ?? 0);
      }
    }
  }

  #beginStep(): void {
    if (this.#stepNumber === 0xffffffff) {
      this.#lastVisits.fill(0);
      this.#stepNumber = 0;
    }
    this.#stepNumber++;
  }

  /** Adds all states that the automaton can enter from a state without reading a character. */
  #addReachable(firstState: number): void {
    const { readEntries, nextStates, secondNextStates } = this.#automaton;
    let pendingCount = this.#visit(firstState, 0);
    while (pendingCount > 0) {
      const state = this.#pendingStates[--pendingCount] ?? 0;
      const readEntry = readEntries[state] ?? acceptState;
      if (readEntry === readsNothing) {
        pendingCount = this.#visit(nextStates[state] ?? 0, this.#visit(secondNextStates[state] ?? 0, pendingCount));
      } else if (readEntry === acceptState) {
        this.#isAccepting = true;
      } else if (readEntry < acceptState) {
        pendingCount = this.#visit(nextStates[state] ?? 0, pendingCount);
      } else {
        this.#followingStates[this.#followingCount++] = state;
      }
    }
  }

  /**
   * Adds a state to `#pendingStates` if it has not been visited in the current step. Returns the new number of pending
   * states.
   */
  #visit(state: number, pendingCount: number): number {
    if (this.#lastVisits[state] === this.#stepNumber) {
      return pendingCount;
    }
    this.#lastVisits[state] = this.#stepNumber;
    this.#stepCount++;
    this.#pendingStates[pendingCount] = state;
    return pendingCount + 1;
  }

  /** Caches the set of states found by `#step`. */
  #cacheSet(): StateSet {
    const states = this.#followingStates.slice(0, this.#followingCount).sort();
    const isAccepting = this.#isAccepting;
    const hash = hashStates(states);
    const knownSet = this.#sets
      .get(hash)
      ?.find((set) => set.isAccepting === isAccepting && isEqual(set.states, states));
    if (knownSet !== undefined) {
      return knownSet;
    }
    this.#countCached(states.length + 1);
    const set: StateSet = { states, isAccepting, successors: new Map() };
    this.#sets.set(hash, [...(this.#sets.get(hash) ?? []), set]);
    return set;
  }

  #countCached(count: number): void {
    this.#cachedStateCount += count;
    if (this.#cachedStateCount > maxCachedStates) {
      this.#sets = new Map();
      this.#cachedStateCount = 0;
      this.#clearCount++;
      this.#start.successors.clear();
    }
  }
}

/** Computes the 32-bit FNV-1a hash of states. */
function hashStates(states: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < states.length; index++) {
    hash = Math.imul(hash ^ (states[index] ?? 0), 0x01000193);
  }
  return hash;
}

function isEqual(left: Int32Array, right: Int32Array): boolean {
  return left.length === right.length && left.every((state, index) => state === right[index]);
}

function getCodePointAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(index) ?? unit) : unit;
}
