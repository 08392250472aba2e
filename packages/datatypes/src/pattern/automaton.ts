import type { CharacterClass } from "./character-class.js";
import { PatternError } from "./pattern-source.js";

/**
 * The syntax tree of a pattern. If a syntax has anchors, its parser adds anchor nodes, and removes them before the
 * automaton is built.
 */
export type PatternNode<Anchor = never> =
  | ClassNode
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode<Anchor>[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode<Anchor>[] }
  | RepeatNode<Anchor>
  | CaptureNode<Anchor>
  | Anchor;

/** A node that reads one character of a class. */
export interface ClassNode {
  readonly kind: "class";
  readonly class: CharacterClass;
  /** The character, if the class comes from a single character in the pattern. */
  readonly character?: string;
  /** Present if the class comes from `.` in the pattern. */
  readonly isDot?: true;
}

/** A node that reads its content a number of times. */
export interface RepeatNode<Anchor = never> {
  readonly kind: "repeat";
  readonly part: PatternNode<Anchor>;
  readonly min: number;
  readonly max: number;
  readonly offset: number;
  /** Whether matches with fewer repetitions are preferred. This affects only the captures of groups. */
  readonly lazy?: boolean;
}

/**
 * A named group. `start` and `end` are the offsets of the group; `from` and `to` are the offsets of the pattern inside
 * it.
 */
export interface CaptureNode<Anchor = never> {
  readonly kind: "capture";
  readonly name: string;
  readonly part: PatternNode<Anchor>;
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** A nondeterministic automaton. Its arrays are indexed by state. */
export interface Automaton {
  /**
   * For each state: the number of the class that the state reads, or one of the constants `readsNothing` and
   * `acceptState`. A state that marks the start or the end of a group has a lower number, which `getMark` converts to
   * the number of the mark.
   */
  readonly readEntries: Int32Array;
  readonly nextStates: Int32Array;
  /** For each state that reads nothing, its second successor; -1 for a state with only one successor. */
  readonly secondNextStates: Int32Array;
  readonly start: number;
  /** The different character classes that the states read. */
  readonly classes: readonly CharacterClass[];
  /** The names of the captured groups. Counting from 0, mark 2n is the start of group n, and mark 2n + 1 is its end. */
  readonly captureNames: readonly string[];
}

/** The entry of a state that is left without reading a character. */
export const readsNothing = -1;

/** The entry of the state in which a match is complete. */
export const acceptState = -2;
const firstMark = -3;

/**
 * Returns the number of the mark that a state sets. `readEntry`, the state's entry in `Automaton.readEntries`, must be
 * less than `acceptState`.
 */
export function getMark(readEntry: number): number {
  return firstMark - readEntry;
}

/**
 * Builds the automaton of a tree by Thompson's construction, from the end to the start. A counted repetition becomes
 * several copies of the repeated part.
 */
export function buildAutomaton(tree: PatternNode, maxStates: number): Automaton {
  const builder = new AutomatonBuilder(maxStates);
  const end = builder.add(acceptState, -1, -1, undefined);
  const start = builder.build(tree, end, undefined);
  return { ...builder.arrays, start };
}

class AutomatonBuilder {
  readonly #maxStates: number;
  readonly #readEntries: number[] = [];
  readonly #nextStates: number[] = [];
  readonly #secondNextStates: number[] = [];
  readonly #classes: CharacterClass[] = [];
  readonly #classNumbers = new Map<string, number>();
  readonly #captureNames: string[] = [];

  constructor(maxStates: number) {
    this.#maxStates = maxStates;
  }

  get arrays(): Omit<Automaton, "start"> {
    return {
      readEntries: Int32Array.from(this.#readEntries),
      nextStates: Int32Array.from(this.#nextStates),
      secondNextStates: Int32Array.from(this.#secondNextStates),
      classes: this.#classes,
      captureNames: this.#captureNames,
    };
  }

  /**
   * Adds a state, and returns its number. The arguments are the entries of the state in the arrays of the automaton.
   */
  add(readEntry: number, next: number, secondNext: number, offset: number | undefined): number {
    if (this.#readEntries.length >= this.#maxStates) {
      throw new PatternError(
        `The pattern needs more than ${this.#maxStates} states (limit.patternStates).`,
        offset ?? 0,
        { limit: "patternStates" },
      );
    }
    this.#nextStates.push(next);
    this.#secondNextStates.push(secondNext);
    return this.#readEntries.push(readEntry) - 1;
  }

  /**
   * Adds the states of a node, which lead to the state `next`. Returns the number of the first added state. `offset` is
   * the position of the outermost repetition that contains the node.
   */
  build(node: PatternNode, next: number, offset: number | undefined): number {
    switch (node.kind) {
      case "class":
        return this.add(this.#getClassNumber(node.class), next, -1, offset);
      case "sequence":
        return node.parts.reduceRight((followingState, part) => this.build(part, followingState, offset), next);
      case "choice":
        return node.branches
          .map((branch) => this.build(branch, next, offset))
          .reduceRight((otherBranches, branch) => this.add(readsNothing, branch, otherBranches, offset));
      case "repeat":
        return this.#addRepetition(node, next, offset ?? node.offset);
      case "capture":
        return this.#addCapture(node, next, offset);
    }
  }

  /** All copies of a repeated group set the same marks, so that the last repetition is captured. */
  #addCapture({ name, part }: CaptureNode, next: number, offset: number | undefined): number {
    const index = this.#captureNames.indexOf(name);
    const number = index < 0 ? this.#captureNames.push(name) - 1 : index;
    const end = this.add(firstMark - (2 * number + 1), next, -1, offset);
    return this.add(firstMark - 2 * number, this.build(part, end, offset), -1, offset);
  }

  #addRepetition(node: RepeatNode, next: number, offset: number | undefined): number {
    let firstState = next;
    if (node.max === Number.POSITIVE_INFINITY) {
      firstState = this.#addLoop(node, next, offset);
    } else {
      // Skipping any of the optional copies leads directly to the end of the repetition, so that few states are active
      // at once.
      for (let copy = node.min; copy < node.max; copy++) {
        const repeatedStart = this.build(node.part, firstState, offset);
        firstState = node.lazy
          ? this.add(readsNothing, next, repeatedStart, offset)
          : this.add(readsNothing, repeatedStart, next, offset);
      }
    }
    for (let copy = 0; copy < node.min; copy++) {
      const stateCount = this.#readEntries.length;
      firstState = this.build(node.part, firstState, offset);
      if (this.#readEntries.length === stateCount) {
        break; // An empty part adds no states.
      }
    }
    return firstState;
  }

  #addLoop({ part, lazy }: RepeatNode, next: number, offset: number | undefined): number {
    const repetition = this.add(readsNothing, next, next, offset);
    const repeatedStart = this.build(part, repetition, offset);
    if (lazy) {
      this.#secondNextStates[repetition] = repeatedStart;
    } else {
      this.#nextStates[repetition] = repeatedStart;
    }
    return repetition;
  }

  #getClassNumber(characters: CharacterClass): number {
    const knownNumber = this.#classNumbers.get(characters.key);
    if (knownNumber !== undefined) {
      return knownNumber;
    }
    const number = this.#classes.push(characters) - 1;
    this.#classNumbers.set(characters.key, number);
    return number;
  }
}
