import type { CharacterClass } from "./character-class.js";
import { PatternError } from "./pattern-error.js";
import type { CaptureNode, PatternNode, RepeatNode } from "./tree.js";

/** A nondeterministic automaton, as arrays over states. State numbers fit in `patternStates`. */
export interface Automaton {
  /** What each state reads; -1: nothing, it goes on to both its successors; -2: it accepts; less: it marks a place. */
  readonly reads: Int32Array;
  readonly next: Int32Array;
  /** The other way of a state that reads nothing, which is the second choice; -1: it has one way. */
  readonly other: Int32Array;
  readonly start: number;
  /** The distinct classes that states read. */
  readonly classes: readonly CharacterClass[];
  /** The names of the groups whose places are marked: mark 2n is where the nth begins, 2n + 1 where it ends. */
  readonly captures: readonly string[];
}

export const readsNothing = -1;
export const accepts = -2;
const firstMark = -3;

/** The mark that a state sets. */
export function markOf(read: number): number {
  return firstMark - read;
}

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
  readonly #captures: string[] = [];

  constructor(maxStates: number) {
    this.#maxStates = maxStates;
  }

  get arrays(): Omit<Automaton, "start"> {
    return {
      reads: Int32Array.from(this.#reads),
      next: Int32Array.from(this.#next),
      other: Int32Array.from(this.#other),
      classes: this.#classes,
      captures: this.#captures,
    };
  }

  add(reads: number, next: number, other: number, offset: number | undefined): number {
    if (this.#reads.length >= this.#maxStates) {
      throw new PatternError(
        `The pattern needs more than ${this.#maxStates} states (limit.patternStates).`,
        offset ?? 0,
        { limit: "patternStates" },
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
      case "capture":
        return this.#capture(node, next, offset);
      case "edge":
        throw new Error("An edge is resolved before.");
    }
  }

  /** A part that is copied has its marks in each copy: the last that is read counts. */
  #capture({ name, part }: CaptureNode, next: number, offset: number | undefined): number {
    const known = this.#captures.indexOf(name);
    const number = known < 0 ? this.#captures.push(name) - 1 : known;
    const end = this.add(firstMark - (2 * number + 1), next, -1, offset);
    return this.add(firstMark - 2 * number, this.build(part, end, offset), -1, offset);
  }

  #repeat(node: RepeatNode, next: number, offset: number | undefined): number {
    let state = next;
    if (node.max === Number.POSITIVE_INFINITY) {
      state = this.#loop(node, next, offset);
    } else {
      // Each optional copy can leave at once, so that few states are active together.
      for (let copy = node.min; copy < node.max; copy++) {
        const more = this.build(node.part, state, offset);
        state = node.lazy ? this.add(readsNothing, next, more, offset) : this.add(readsNothing, more, next, offset);
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

  #loop({ part, lazy }: RepeatNode, next: number, offset: number | undefined): number {
    const again = this.add(readsNothing, next, next, offset);
    const more = this.build(part, again, offset);
    if (lazy) this.#other[again] = more;
    else this.#next[again] = more;
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
