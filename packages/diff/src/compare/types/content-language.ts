import type { Field, MaxOccurs, Particle } from "@bothends/generator";
import type { Direction, Level } from "../../rules/rule.js";

// Finds out whether a reader accepts all messages of a writer, by comparing the combinations of elements that their
// content models allow.

/** The content model of one version. Each member has the same name in the content models of both versions. */
export interface ContentLanguage {
  readonly particle: Particle;
  /** The particle's fields, keyed by name. */
  readonly fields: ReadonlyMap<string, Field>;
  /**
   * The name of each field's element, by the name of the field. Absent if these are the same: two fields with the same
   * element are then different elements.
   */
  readonly elementNames?: ReadonlyMap<string, string>;
  /** How often the content occurs, at least and at most. */
  readonly min: number;
  readonly max: MaxOccurs;
  /** Whether readers require elements in the order of the schema. */
  readonly isOrdered: boolean;
}

/** The maximum number of states in an automaton, and of pairs of states to compare. */
const maxStates = 400;
const maxPairs = 20_000;

/**
 * Returns how the difference between two content models affects a peer that reads with one of them what a peer wrote
 * with the other; undefined if the content models allow too many combinations, or contain wildcards or nested repeated
 * groups.
 */
export function computeExchangeLevel(
  writer: ContentLanguage,
  reader: ContentLanguage,
  direction: Direction,
): Level | undefined {
  try {
    const writerAutomaton = createAutomaton(writer);
    // Readers check whether a required group is present, but do not count its occurrences, so the minimum is at most 1.
    const strictReader = createSubsetReader(createAutomaton({ ...reader, min: Math.min(reader.min, 1) }));
    const inOrder = compareLanguages(writerAutomaton, strictReader);
    if (inOrder.isIncluded) {
      return "none";
    }
    const lenientReader = reader.isOrdered
      ? createSubsetReader(
          createAutomaton({ ...reader, min: Math.min(reader.min, 1) }, getReadOccurrences),
          listNames(reader),
        )
      : createPresenceReader(reader, "refuse");
    const result = compareLanguages(writerAutomaton, lenientReader);
    if (result.isIncluded) {
      return "tolerated";
    }
    // A server answers a request in which an element occurs too often, but it loses a part of the request.
    const isAnswered =
      direction === "input" &&
      !reader.isOrdered &&
      compareLanguages(writerAutomaton, createPresenceReader(reader, "skip")).isShared;
    return result.isShared || isAnswered ? "some" : "breaks";
  } catch (error) {
    if (error instanceof TooComplexError) {
      return undefined;
    }
    throw error;
  }
}

class TooComplexError extends Error {}

/** A nondeterministic automaton. Its states are numbers, and state 0 is the start state. */
interface Automaton {
  /** For each state, the states that can follow without reading an element. */
  readonly silent: readonly number[][];
  /** For each state, the elements that can follow, each with the state after it. */
  readonly steps: readonly (readonly [name: string, nextState: number])[][];
  readonly end: number;
}

/** Builds automata (https://en.wikipedia.org/wiki/Thompson%27s_construction). */
class AutomatonBuilder {
  readonly silent: number[][] = [[]];
  readonly steps: [string, number][][] = [[]];
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #getOccurrences: typeof getOccurrences;
  readonly #elementNames: ContentLanguage["elementNames"];

  constructor(
    { fields, elementNames }: Pick<ContentLanguage, "fields" | "elementNames">,
    getOccurrencesOf: typeof getOccurrences,
  ) {
    this.#fields = fields;
    this.#elementNames = elementNames;
    this.#getOccurrences = getOccurrencesOf;
  }

  #addState(): number {
    if (this.silent.length >= maxStates) {
      throw new TooComplexError();
    }
    this.silent.push([]);
    this.steps.push([]);
    return this.silent.length - 1;
  }

  /** Adds a particle after a state, and returns the state after the particle. */
  add(particle: Particle, from: number, isBranch = false): number {
    if (particle.kind === "field") {
      // Readers do not choose a branch of a choice because its element may be nil.
      const { name, min, max } = (isBranch ? getOccurrences : this.#getOccurrences)(particle.key, this.#fields);
      return this.repeat({ min, max }, from, (state) => {
        const nextState = this.#addState();
        this.steps[state]?.push([this.#elementNames?.get(name) ?? name, nextState]);
        return nextState;
      });
    }
    const end = this.#addGroup(particle, from);
    if (particle.optional) {
      this.silent[from]?.push(end);
    }
    return end;
  }

  #addGroup({ kind, particles }: Extract<Particle, { readonly optional: boolean }>, from: number): number {
    if (kind === "sequence") {
      // The group gets a separate first state, so that an optional group can be left out as a whole.
      const first = this.#addState();
      this.silent[from]?.push(first);
      return particles.reduce((state, particle) => this.add(particle, state), first);
    }
    const end = this.#addState();
    const addAlternative = (chosen: readonly Particle[]) => {
      const first = this.#addState();
      this.silent[from]?.push(first);
      const isBranch = kind === "choice" && particles.length > 1;
      const last = chosen.reduce((state, particle) => this.add(particle, state, isBranch), first);
      this.silent[last]?.push(end);
    };
    for (const order of kind === "choice" ? particles.map((particle) => [particle]) : listPermutations(particles)) {
      addAlternative(order);
    }
    return end;
  }

  /** Adds content that may occur several times. */
  repeat({ min, max }: Occurrences, from: number, addOnce: (from: number) => number): number {
    let state = from;
    for (let count = 0; count < min; count += 1) {
      state = addOnce(state);
    }
    const end = this.#addState();
    this.silent[state]?.push(end);
    if (max === "unbounded") {
      const first = this.#addState();
      this.silent[state]?.push(first);
      const last = addOnce(first);
      this.silent[last]?.push(first, end);
      return end;
    }
    for (let count = min; count < max; count += 1) {
      state = addOnce(state);
      this.silent[state]?.push(end);
    }
    return end;
  }
}

interface Occurrences {
  readonly min: number;
  readonly max: MaxOccurs;
}

type OccurrencesOfElement = Occurrences & { readonly name: string; readonly nillable: boolean };

/** Returns the minimum and maximum number of occurrences of an element, as writers write it. */
function getOccurrences(key: string, fields: ReadonlyMap<string, Field>): OccurrencesOfElement {
  const field = fields.get(key);
  if (field?.kind !== "element") {
    throw new TooComplexError();
  }
  return { name: key, min: field.min, max: field.max, nillable: field.nillable };
}

/**
 * Returns the number of occurrences that readers accept. A required element that may be nil may also be absent, because
 * readers treat its absence as nil.
 */
function getReadOccurrences(key: string, fields: ReadonlyMap<string, Field>): OccurrencesOfElement {
  const occurrences = getOccurrences(key, fields);
  return occurrences.nillable && occurrences.max === 1 ? { ...occurrences, min: 0 } : occurrences;
}

const maxPermuted = 4;

function listPermutations(particles: readonly Particle[]): readonly (readonly Particle[])[] {
  if (particles.length > maxPermuted) {
    throw new TooComplexError();
  }
  return particles.length < 2
    ? [particles]
    : particles.flatMap((first) =>
        listPermutations(particles.filter((particle) => particle !== first)).map((others) => [first, ...others]),
      );
}

function createAutomaton(
  { particle, min, max, ...language }: ContentLanguage,
  getOccurrencesOf = getOccurrences,
): Automaton {
  const builder = new AutomatonBuilder(language, getOccurrencesOf);
  const end = builder.repeat({ min, max }, 0, (state) => builder.add(particle, state));
  return { silent: builder.silent, steps: builder.steps, end };
}

/**
 * A reader of elements, as a state machine. `next` returns the next state, or undefined if the reader refuses the
 * element.
 */
interface Reader {
  readonly startState: readonly number[];
  next(state: readonly number[], name: string): readonly number[] | undefined;
  isEnd(state: readonly number[]): boolean;
}

function findSilentlyReachable({ silent }: Automaton, states: readonly number[]): readonly number[] {
  const reachedStates = new Set(states);
  for (const state of reachedStates) {
    for (const next of silent[state] ?? []) {
      reachedStates.add(next);
    }
  }
  return [...reachedStates].sort((left, right) => left - right);
}

function listNames({ fields, elementNames }: ContentLanguage): ReadonlySet<string> {
  return new Set([...fields.keys()].map((key) => elementNames?.get(key) ?? key));
}

/**
 * Creates a reader whose state is the set of all states in which the automaton can be. Ignores elements that are not in
 * `knownNames`, unless it is undefined.
 */
function createSubsetReader(automaton: Automaton, knownNames?: ReadonlySet<string>): Reader {
  return {
    startState: findSilentlyReachable(automaton, [0]),
    next(state, name) {
      if (knownNames?.has(name) === false) {
        return state;
      }
      const targets = state.flatMap((position) =>
        (automaton.steps[position] ?? []).flatMap(([label, to]) => (label === name ? [to] : [])),
      );
      return targets.length === 0 ? undefined : findSilentlyReachable(automaton, targets);
    },
    isEnd: (state) => state.includes(automaton.end),
  };
}

/**
 * Creates a reader that accepts elements in any order, and checks at the end which elements are present. Its state
 * contains 1 for each element that is present, and 0 for each other element. A client refuses a second occurrence of an
 * element that may occur only once; a server skips the second occurrence.
 */
function createPresenceReader(
  { particle, fields, elementNames, max }: ContentLanguage,
  secondOccurrence: "refuse" | "skip",
): Reader {
  if (max !== 1) {
    throw new TooComplexError();
  }
  const keys = [...fields.keys()];
  const isRefused = (key = "") => secondOccurrence === "refuse" && getOccurrences(key, fields).max === 1;
  return {
    startState: keys.map(() => 0),
    next: (state, name) => {
      const index = keys.findIndex((key) => (elementNames?.get(key) ?? key) === name);
      return index === -1 ? state : state[index] === 1 && isRefused(keys[index]) ? undefined : state.with(index, 1);
    },
    isEnd: (state) => acceptsPresence(particle, (key) => state[keys.indexOf(key)] === 1, fields),
  };
}

/** Whether content has all required elements, and elements of at most one branch of each choice. */
function acceptsPresence(
  particle: Particle,
  isPresent: (key: string) => boolean,
  fields: ReadonlyMap<string, Field>,
): boolean {
  if (particle.kind === "field") {
    return isPresent(particle.key) || getReadOccurrences(particle.key, fields).min === 0;
  }
  const presentKeys = listKeys(particle).filter(isPresent);
  const accepts = (nestedParticle: Particle) => acceptsPresence(nestedParticle, isPresent, fields);
  if (
    presentKeys.length === 0 &&
    (particle.optional || (particle.kind === "choice" && particle.particles.length > 1))
  ) {
    return isEmptiable(particle, fields);
  }
  return particle.kind === "choice"
    ? particle.particles.some((branch) => presentKeys.every((key) => listKeys(branch).includes(key)) && accepts(branch))
    : particle.particles.every(accepts);
}

/** Whether content may have none of a particle's elements, without one that is read as nil. */
function isEmptiable(particle: Particle, fields: ReadonlyMap<string, Field>): boolean {
  if (particle.kind === "field") {
    return getOccurrences(particle.key, fields).min === 0;
  }
  const isNestedEmptiable = (nestedParticle: Particle) => isEmptiable(nestedParticle, fields);
  return (
    particle.optional ||
    (particle.kind === "choice"
      ? particle.particles.some(isNestedEmptiable)
      : particle.particles.every(isNestedEmptiable))
  );
}

/** Returns the keys of the fields in a particle. */
export function listKeys(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : particle.particles.flatMap(listKeys);
}

interface Comparison {
  /** Whether the reader accepts everything that the writer can write. */
  readonly isIncluded: boolean;
  /** Whether the reader accepts at least one message of the writer. */
  readonly isShared: boolean;
}

/** Compares a writer with a reader: visits each combination of elements that the writer can write. */
function compareLanguages(writer: Automaton, reader: Reader): Comparison {
  let [isIncluded, isShared] = [true, false];
  const pendingPairs: (readonly [written: number, read: readonly number[]])[] = [];
  const visitedPairs = new Set<string>();
  const visit = (states: readonly number[], read: readonly number[]) => {
    for (const state of findSilentlyReachable(writer, states)) {
      const key = `${state} ${read.join()}`;
      if (!visitedPairs.has(key)) {
        visitedPairs.add(key);
        pendingPairs.push([state, read]);
      }
    }
    if (visitedPairs.size > maxPairs) {
      throw new TooComplexError();
    }
  };
  visit([0], reader.startState);
  for (let pair = pendingPairs.pop(); pair !== undefined; pair = pendingPairs.pop()) {
    const [written, read] = pair;
    if (written === writer.end) {
      const isAccepted = reader.isEnd(read);
      isIncluded &&= isAccepted;
      isShared ||= isAccepted;
    }
    for (const [name, to] of writer.steps[written] ?? []) {
      const next = reader.next(read, name);
      if (next === undefined) {
        isIncluded = false;
      } else {
        visit([to], next);
      }
    }
  }
  return { isIncluded, isShared };
}
