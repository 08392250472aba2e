import { type Automaton, accepts, readsNothing } from "./automaton.js";

/** A set of the automaton's states, and where each symbol leads from it as far as that is known. */
interface StateSet {
  readonly states: readonly number[];
  readonly accepting: boolean;
  readonly next: Map<number, StateSet>;
}

// What is remembered, at most; past it, memory is given back and built up again.
const maxRemembered = 200_000;
const maxSymbolsRemembered = 10_000;

/**
 * Runs an automaton over texts, making it deterministic as far as the texts need it. Time is linear in the text for
 * any pattern; what is remembered between texts only saves work.
 */
export class Matcher {
  readonly #automaton: Automaton;
  readonly #start: StateSet;
  #sets = new Map<string, StateSet>();
  #remembered = 0;
  readonly #symbols = new Map<string, number>();
  readonly #symbolClasses: ReadonlySet<number>[] = [];
  readonly #asciiSymbols = new Int32Array(128).fill(-1);
  #otherSymbols = new Map<number, number>();
  readonly #seen: Uint32Array;
  #generation = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#seen = new Uint32Array(automaton.reads.length);
    this.#start = this.#setOf([automaton.start]);
  }

  /** Whether the whole text matches. */
  test(text: string): boolean {
    let current = this.#start;
    for (let index = 0; index < text.length; index++) {
      let codePoint = text.charCodeAt(index);
      if (codePoint >= 0xd800 && codePoint <= 0xdbff) {
        codePoint = text.codePointAt(index) ?? codePoint;
        index += codePoint > 0xffff ? 1 : 0;
      }
      const symbol = this.#symbolOf(codePoint);
      current = current.next.get(symbol) ?? this.#step(current, symbol);
      if (current.states.length === 0) {
        return false;
      }
    }
    return current.accepting;
  }

  /** Code points in the same classes are one symbol. */
  #symbolOf(codePoint: number): number {
    const known = codePoint < 128 ? this.#asciiSymbols[codePoint] : this.#otherSymbols.get(codePoint);
    if (known !== undefined && known >= 0) {
      return known;
    }
    const members: number[] = [];
    this.#automaton.classes.forEach((each, number) => {
      if (each.has(codePoint)) {
        members.push(number);
      }
    });
    const key = members.join();
    let symbol = this.#symbols.get(key);
    if (symbol === undefined) {
      symbol = this.#symbolClasses.push(new Set(members)) - 1;
      this.#symbols.set(key, symbol);
    }
    this.#rememberSymbol(codePoint, symbol);
    return symbol;
  }

  #rememberSymbol(codePoint: number, symbol: number): void {
    if (codePoint < 128) {
      this.#asciiSymbols[codePoint] = symbol;
      return;
    }
    if (this.#otherSymbols.size >= maxSymbolsRemembered) {
      this.#otherSymbols = new Map();
    }
    this.#otherSymbols.set(codePoint, symbol);
  }

  #step(from: StateSet, symbol: number): StateSet {
    const classes = this.#symbolClasses[symbol];
    const { reads, next } = this.#automaton;
    const reached: number[] = [];
    for (const state of from.states) {
      if (classes?.has(reads[state] ?? accepts) === true) {
        reached.push(next[state] ?? 0);
      }
    }
    const to = this.#setOf(reached);
    this.#countRemembered(1);
    from.next.set(symbol, to);
    return to;
  }

  /** The set of states that can be reached from these without reading. */
  #setOf(entries: readonly number[]): StateSet {
    const { reads, next, other } = this.#automaton;
    this.#generation++;
    const pending = [...entries];
    const states: number[] = [];
    let accepting = false;
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (this.#seen[state] === this.#generation) {
        continue;
      }
      this.#seen[state] = this.#generation;
      if (reads[state] === readsNothing) {
        pending.push(other[state] ?? 0, next[state] ?? 0);
      } else if (reads[state] === accepts) {
        accepting = true;
      } else {
        states.push(state);
      }
    }
    return this.#remember(
      states.sort((left, right) => left - right),
      accepting,
    );
  }

  #remember(states: readonly number[], accepting: boolean): StateSet {
    const key = `${states.join()}${accepting ? "!" : ""}`;
    const known = this.#sets.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#countRemembered(states.length + 1);
    const set: StateSet = { states, accepting, next: new Map() };
    this.#sets.set(key, set);
    return set;
  }

  #countRemembered(more: number): void {
    this.#remembered += more;
    if (this.#remembered > maxRemembered) {
      this.#sets = new Map();
      this.#remembered = 0;
      this.#start.next.clear();
    }
  }
}
