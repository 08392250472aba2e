import type { Particle, RecordType, SoapInterface } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";

/** One alternative of a choice, as the keys of its members. */
export type Alternative = ReadonlySet<string>;

/** How TypeScript represents a record's content: which members are optional, and which choices become union types. */
interface RecordTyping {
  /** Members that are optional because they are in an optional group or in a choice, even if their `minOccurs` is 1. */
  readonly optionalMembers: ReadonlySet<string>;
  /** The alternatives of each choice that becomes a union type. */
  readonly choices: readonly (readonly Alternative[])[];
  /** Members of choices that have too many alternatives for a union. */
  readonly wideMembers: ReadonlySet<string>;
  /** The number of these choices. */
  readonly wideChoiceCount: number;
}

/**
 * The maximum number of alternatives of a union type. The members of a choice with more alternatives become optional,
 * and the codec checks the choice at run time. A type with 256 alternatives costs TypeScript 7 an additional 0.7
 * seconds of CPU time, and one with 77 alternatives 0.1 seconds.
 */
const maxAlternatives = 256;
/**
 * The maximum number of combinations of alternatives from all choices in one type. TypeScript checks each combination.
 */
const maxCombinations = 4096;
/**
 * The maximum cost of combining several choices in one type: the number of combinations times the square of the number
 * of members. 1,000,000 cost TypeScript 7 about 0.4 seconds of CPU time; it refused a type of 125,000,000.
 */
const maxCombinationCost = 3_000_000;

const knownTypings = new WeakMap<RecordType, RecordTyping>();

/**
 * The typing shared by all records without groups and choices, which are the majority. Separate typings would take 7 %
 * of the heap.
 */
const plainTyping: RecordTyping = {
  optionalMembers: new Set(),
  choices: [],
  wideMembers: new Set(),
  wideChoiceCount: 0,
};

/** Decides on the typing of a record's content, without the choices that the record inherits. */
export function planRecordTyping(type: RecordType): RecordTyping {
  if (type.content.every(({ kind }) => kind === "field")) {
    return plainTyping;
  }
  let typing = knownTypings.get(type);
  if (typing === undefined) {
    typing = computeTyping(type);
    knownTypings.set(type, typing);
  }
  return typing;
}

function computeTyping(type: RecordType): RecordTyping {
  const inheritedKeys = new Set(type.fields.filter((field) => field.inherited).map((field) => field.key));
  const optionalMembers = new Set<string>();
  const wideMembers = new Set<string>();
  const choices: (readonly Alternative[])[] = [];
  let combinations = 1;
  let wideChoiceCount = 0;
  const addParticle = (particle: Particle, optional: boolean): void => {
    if (particle.kind === "field") {
      if (optional) {
        optionalMembers.add(particle.key);
      }
    } else if (particle.kind !== "choice") {
      for (const child of particle.particles) {
        addParticle(child, optional || particle.optional);
      }
    } else {
      const keys = listKeys(particle);
      if (keys.every((key) => inheritedKeys.has(key))) {
        return;
      }
      const alternatives = omitRepeats(findAlternatives({ ...particle, optional: optional || particle.optional }));
      const hasKnownKey = choices.some((otherKeys) => otherKeys.some((other) => keys.some((key) => other.has(key))));
      const newCombinations = combinations * (alternatives?.length ?? Number.POSITIVE_INFINITY);
      const hasTooMany =
        alternatives === undefined ||
        newCombinations > maxCombinations ||
        (combinations > 1 && newCombinations * type.fields.length ** 2 > maxCombinationCost);
      if (hasKnownKey || hasTooMany || isOptionalMember(alternatives)) {
        for (const key of keys) {
          optionalMembers.add(key);
        }
        if (hasTooMany) {
          wideChoiceCount += 1;
          for (const key of keys) {
            wideMembers.add(key);
          }
        }
      } else {
        combinations = newCombinations;
        choices.push(alternatives);
      }
    }
  };
  for (const particle of type.content) {
    addParticle(particle, false);
  }
  return { optionalMembers, choices, wideMembers, wideChoiceCount };
}

/** Whether a choice means the same as one optional member: a choice between `a` and nothing is an optional `a`. */
function isOptionalMember(alternatives: readonly Alternative[]): boolean {
  return alternatives.every(({ size }) => size <= 1) && listKeysIn(alternatives).size === 1;
}

/** Returns the keys of all members in a choice. */
export function listKeysIn(alternatives: readonly Alternative[]): ReadonlySet<string> {
  return new Set(alternatives.flatMap((alternative) => [...alternative]));
}

function listKeys(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : [...new Set(particle.particles.flatMap(listKeys))];
}

const noMembers: Alternative = new Set();

/** Returns the alternatives that a particle allows; undefined if there are too many. */
function findAlternatives(particle: Particle): readonly Alternative[] | undefined {
  if (particle.kind === "field") {
    return [new Set([particle.key])];
  }
  const presentAlternatives =
    particle.kind === "choice"
      ? findAlternativesOfChoice(particle.particles)
      : findAlternativesOfSequence(particle.particles);
  if (presentAlternatives === undefined) {
    return undefined;
  }
  const alternatives = particle.optional ? [...presentAlternatives, noMembers] : presentAlternatives;
  return alternatives.length > maxAlternatives ? undefined : alternatives;
}

/** Returns the alternatives of a choice between particles. */
function findAlternativesOfChoice(particles: readonly Particle[]): readonly Alternative[] | undefined {
  const alternatives: Alternative[] = [];
  for (const particle of particles) {
    const alternativesOfParticle = findAlternatives(particle);
    if (alternativesOfParticle === undefined) {
      return undefined;
    }
    alternatives.push(...alternativesOfParticle);
  }
  return alternatives;
}

/** Returns the alternatives of a sequence: one for each combination of its particles' alternatives. */
function findAlternativesOfSequence(particles: readonly Particle[]): readonly Alternative[] | undefined {
  let alternatives: readonly Alternative[] = [noMembers];
  for (const particle of particles) {
    const alternativesOfParticle = findAlternatives(particle);
    if (alternativesOfParticle === undefined || alternativesOfParticle.length * alternatives.length > maxAlternatives) {
      return undefined;
    }
    alternatives = alternatives.flatMap((before) =>
      alternativesOfParticle.map((after) => new Set([...before, ...after])),
    );
  }
  return alternatives;
}

function omitRepeats(alternatives: readonly Alternative[] | undefined): readonly Alternative[] | undefined {
  return (
    alternatives && [
      ...new Map(alternatives.map((alternative) => [JSON.stringify([...alternative].sort()), alternative])).values(),
    ]
  );
}

/** Reports the types whose choices have too many alternatives for TypeScript to check. */
export function reportWideChoices({ types }: SoapInterface, diagnostics: Diagnostics): void {
  for (const type of types) {
    if (type.kind !== "record") {
      continue;
    }
    const { wideMembers, wideChoiceCount } = planRecordTyping(type);
    if (wideMembers.size === 0) {
      continue;
    }
    const members = `${wideMembers.size} members (${[...wideMembers].slice(0, 2).join(", ")} …)`;
    diagnostics.info("XSD056", type.span, {
      message:
        wideChoiceCount === 1
          ? `A choice between ${members} has too many alternatives for a union type. Its members are optional, and the choice is checked when a value is sent or read.`
          : `${wideChoiceCount} choices between ${members} have too many alternatives in total for union types. Their members are optional, and the choices are checked when a value is sent or read.`,
    });
  }
}
