import type { CharacterClass } from "./character-class.js";
import { PatternError } from "./pattern-error.js";
import type { PatternNode } from "./syntax.js";

/** A nondeterministic automaton, as arrays over states. State numbers fit in `patternStates`. */
export interface Automaton {
  /** What each state reads; -1: nothing, it goes on to both its successors; -2: it accepts. */
  readonly reads: Int32Array;
  readonly next: Int32Array;
  /** The other way of a state that reads nothing; -1: it has one way. */
  readonly other: Int32Array;
  readonly start: number;
  /** The distinct classes that states read. */
  readonly classes: readonly CharacterClass[];
}

export const readsNothing = -1;
export const accepts = -2;

/** Builds the automaton of a tree (Thompson's construction, from the end to the start). Counted parts are copied. */
export function buildAutomaton(tree: PatternNode, maxStates: number): Automaton {
  const builder = new AutomatonBuilder(maxStates);
  const end = builder.add(accepts, -1, -1, undefined);
  const start = builder.build(tree, end, undefined);
  return { ...builder.arrays, start };
}

class AutomatonBuilder {
  readonly #maxStates: number;
  readonly #reads: number[] = [];
  readonly #next: number[] = [];
  readonly #other: number[] = [];
  readonly #classes: CharacterClass[] = [];
  readonly #classNumbers = new Map<string, number>();

  constructor(maxStates: number) {
    this.#maxStates = maxStates;
  }

  get arrays(): Omit<Automaton, "start"> {
    return {
      reads: Int32Array.from(this.#reads),
      next: Int32Array.from(this.#next),
      other: Int32Array.from(this.#other),
      classes: this.#classes,
    };
  }

  add(reads: number, next: number, other: number, offset: number | undefined): number {
    if (this.#reads.length >= this.#maxStates) {
      throw new PatternError(
        `The pattern needs more than ${this.#maxStates} states (limit.patternStates).`,
        offset ?? 0,
        "patternStates",
      );
    }
    this.#next.push(next);
    this.#other.push(other);
    return this.#reads.push(reads) - 1;
  }

  /** Adds the states of a node that go on to `next`; answers the first of them. `offset` is the outermost repetition's. */
  build(node: PatternNode, next: number, offset: number | undefined): number {
    switch (node.kind) {
      case "class":
        return this.add(this.#classNumber(node.class), next, -1, offset);
      case "sequence":
        return node.parts.reduceRight((following, part) => this.build(part, following, offset), next);
      case "choice":
        return node.branches
          .map((branch) => this.build(branch, next, offset))
          .reduceRight((others, branch) => this.add(readsNothing, branch, others, offset));
      case "repeat":
        return this.#repeat(node, next, offset ?? node.offset);
    }
  }

  #repeat(node: PatternNode & { kind: "repeat" }, next: number, offset: number | undefined): number {
    let state = next;
    if (node.max === Number.POSITIVE_INFINITY) {
      state = this.#loop(node.part, next, offset);
    } else {
      // Each optional copy can leave at once, so that few states are active together.
      for (let copy = node.min; copy < node.max; copy++) {
        state = this.add(readsNothing, this.build(node.part, state, offset), next, offset);
      }
    }
    for (let copy = 0; copy < node.min; copy++) {
      const before = this.#reads.length;
      state = this.build(node.part, state, offset);
      if (this.#reads.length === before) {
        break; // An empty part adds nothing, however often.
      }
    }
    return state;
  }

  #loop(part: PatternNode, next: number, offset: number | undefined): number {
    const again = this.add(readsNothing, next, next, offset);
    this.#next[again] = this.build(part, again, offset);
    return again;
  }

  #classNumber(of: CharacterClass): number {
    const known = this.#classNumbers.get(of.key);
    if (known !== undefined) {
      return known;
    }
    const number = this.#classes.push(of) - 1;
    this.#classNumbers.set(of.key, number);
    return number;
  }
}
