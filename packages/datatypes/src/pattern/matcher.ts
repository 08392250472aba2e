import { type Automaton, accepts, readsNothing } from "./automaton.js";

/** Where each symbol leads from a set of states, as far as that is known. States that read nothing are left out. */
interface StateSet {
  readonly states: Int32Array;
  readonly accepting: boolean;
  readonly next: Map<number, StateSet>;
}

// What is remembered, at most; past it, memory is given back and built up again. A text that makes that happen often
// gains nothing from it, and goes on without.
const maxRemembered = 500_000;
const maxForgotten = 2;
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
  #forgotten = 0;
  /** For each symbol, 1 at the numbers of the classes that its characters are in. */
  readonly #symbolClasses: Uint8Array[] = [];
  readonly #symbols = new Map<string, number>();
  readonly #asciiSymbols = new Int32Array(128).fill(-1);
  #otherSymbols = new Map<number, number>();
  /** The generation in which a state was last met. */
  readonly #met: Uint32Array;
  #generation = 0;
  readonly #pending: Int32Array;
  #current: Int32Array;
  #following: Int32Array;
  #count = 0;
  #accepting = false;

  constructor(automaton: Automaton) {
    const size = automaton.reads.length;
    this.#automaton = automaton;
    this.#met = new Uint32Array(size);
    this.#pending = new Int32Array(size);
    this.#current = new Int32Array(size);
    this.#following = new Int32Array(size);
    this.#nextGeneration();
    this.#follow(automaton.start);
    this.#start = this.#remember();
  }

  /** Whether the whole text matches. */
  test(text: string): boolean {
    const forgotten = this.#forgotten;
    let set = this.#start;
    for (let index = 0; index < text.length; ) {
      if (this.#forgotten - forgotten > maxForgotten) {
        return this.#testPlainly(text, index, set);
      }
      const codePoint = codePointAt(text, index);
      index += codePoint > 0xffff ? 2 : 1;
      const symbol = this.#symbolOf(codePoint);
      set = set.next.get(symbol) ?? this.#learn(set, symbol);
      if (set.states.length === 0) {
        return set.accepting && index === text.length;
      }
    }
    return set.accepting;
  }

  #testPlainly(text: string, from: number, set: StateSet): boolean {
    this.#current.set(set.states);
    this.#count = set.states.length;
    for (let index = from; index < text.length && this.#count > 0; ) {
      const codePoint = codePointAt(text, index);
      index += codePoint > 0xffff ? 2 : 1;
      this.#step(this.#current, this.#count, this.#symbolOf(codePoint));
      [this.#current, this.#following] = [this.#following, this.#current];
      if (index === text.length) {
        return this.#accepting;
      }
    }
    return false;
  }

  /** Code points in the same classes are one symbol. */
  #symbolOf(codePoint: number): number {
    const known = codePoint < 128 ? this.#asciiSymbols[codePoint] : this.#otherSymbols.get(codePoint);
    if (known !== undefined && known >= 0) {
      return known;
    }
    const classes = Uint8Array.from(this.#automaton.classes, (each) => (each.has(codePoint) ? 1 : 0));
    const key = classes.join("");
    let symbol = this.#symbols.get(key);
    if (symbol === undefined) {
      symbol = this.#symbolClasses.push(classes) - 1;
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

  #learn(from: StateSet, symbol: number): StateSet {
    this.#step(from.states, from.states.length, symbol);
    const to = this.#remember();
    this.#countRemembered(1);
    from.next.set(symbol, to);
    return to;
  }

  /** Leaves what a symbol leads to in `#following`, `#count` and `#accepting`. */
  #step(states: Int32Array, count: number, symbol: number): void {
    const classes = this.#symbolClasses[symbol];
    const { reads, next } = this.#automaton;
    this.#nextGeneration();
    this.#count = 0;
    this.#accepting = false;
    for (let index = 0; index < count; index++) {
      const state = states[index] ?? 0;
      if (classes?.[reads[state] ?? accepts] === 1) {
        this.#follow(next[state] ?? 0);
      }
    }
  }

  #nextGeneration(): void {
    if (this.#generation === 0xffffffff) {
      this.#met.fill(0);
      this.#generation = 0;
    }
    this.#generation++;
  }

  /** Adds the states that can be reached from one without reading. */
  #follow(entry: number): void {
    const { reads, next, other } = this.#automaton;
    let pending = this.#meet(entry, 0);
    while (pending > 0) {
      const state = this.#pending[--pending] ?? 0;
      const read = reads[state] ?? accepts;
      if (read === readsNothing) {
        pending = this.#meet(next[state] ?? 0, this.#meet(other[state] ?? 0, pending));
      } else if (read === accepts) {
        this.#accepting = true;
      } else if (read < accepts) {
        pending = this.#meet(next[state] ?? 0, pending);
      } else {
        this.#following[this.#count++] = state;
      }
    }
  }

  // A state is met once in a generation, so that `#pending` holds each at most once.
  #meet(state: number, pending: number): number {
    if (this.#met[state] === this.#generation) {
      return pending;
    }
    this.#met[state] = this.#generation;
    this.#pending[pending] = state;
    return pending + 1;
  }

  /** The set of what `#step` left. */
  #remember(): StateSet {
    const states = this.#following.slice(0, this.#count).sort();
    const accepting = this.#accepting;
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
      this.#forgotten++;
      this.#start.next.clear();
    }
  }
}

function codePointAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(index) ?? unit) : unit;
}
