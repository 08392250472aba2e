import type { Particle, RecordType } from "../model/index.js";

/** One alternative of a choice: the keys of its members. */
export type Alternative = ReadonlySet<string>;

/** A record's content as a TypeScript type: common members and alternatives. */
export interface Shape {
  /** Members that are optional because of their position, not because of their own minOccurs. */
  readonly loose: ReadonlySet<string>;
  /** Members that belong to alternatives. */
  readonly choices: readonly (readonly Alternative[])[];
  /** Members of choices that have too many alternatives for a union. */
  readonly wide: ReadonlySet<string>;
}

/**
 * A choice with more alternatives gets optional members; the codec still checks it. TypeScript 7 takes 0.7 CPU seconds longer
 * with 256 alternatives, and 0.1 with 77.
 */
const mostAlternatives = 256;
/** TypeScript multiplies the alternatives of several choices in one type. */
const mostCombinations = 4096;

const shapes = new WeakMap<RecordType, Shape>();

/** The shape of a record's own content, without its base's. */
export function shapeOf(type: RecordType): Shape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = readShape(type);
    shapes.set(type, shape);
  }
  return shape;
}

function readShape(type: RecordType): Shape {
  const inherited = new Set(type.fields.filter((field) => field.inherited).map((field) => field.key));
  const loose = new Set<string>();
  const wide = new Set<string>();
  const choices: (readonly Alternative[])[] = [];
  let combinations = 1;
  const walk = (particle: Particle, optional: boolean): void => {
    if (particle.kind === "field") {
      if (optional) {
        loose.add(particle.key);
      }
    } else if (particle.kind !== "choice") {
      for (const inner of particle.particles) {
        walk(inner, optional || particle.optional);
      }
    } else {
      const keys = keysOf(particle);
      if (keys.every((key) => inherited.has(key))) {
        return;
      }
      const alternatives = withoutRepeats(alternativesOf({ ...particle, optional: optional || particle.optional }));
      const known = choices.some((others) => others.some((other) => keys.some((key) => other.has(key))));
      const tooMany = alternatives === undefined || combinations * alternatives.length > mostCombinations;
      if (known || tooMany || isOptionalMember(alternatives)) {
        for (const key of keys) {
          loose.add(key);
        }
        if (tooMany) {
          for (const key of keys) {
            wide.add(key);
          }
        }
      } else {
        combinations *= alternatives.length;
        choices.push(alternatives);
      }
    }
  };
  for (const particle of type.content) {
    walk(particle, false);
  }
  return { loose, choices, wide };
}

/** A choice between `a` and nothing is an optional `a`. */
function isOptionalMember(alternatives: readonly Alternative[]): boolean {
  return alternatives.every(({ size }) => size <= 1) && keysIn(alternatives).size === 1;
}

/** The keys of all members in a choice. */
export function keysIn(alternatives: readonly Alternative[]): ReadonlySet<string> {
  return new Set(alternatives.flatMap((alternative) => [...alternative]));
}

function keysOf(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : [...new Set(particle.particles.flatMap(keysOf))];
}

const nothing: Alternative = new Set();

/** The alternatives of a particle; undefined if there are too many. */
function alternativesOf(particle: Particle): readonly Alternative[] | undefined {
  if (particle.kind === "field") {
    return [new Set([particle.key])];
  }
  const filled = particle.kind === "choice" ? choose(particle.particles) : combine(particle.particles);
  if (filled === undefined) {
    return undefined;
  }
  const alternatives = particle.optional ? [...filled, nothing] : filled;
  return alternatives.length > mostAlternatives ? undefined : alternatives;
}

/** The alternatives of a choice between the particles. */
function choose(particles: readonly Particle[]): readonly Alternative[] | undefined {
  const alternatives: Alternative[] = [];
  for (const particle of particles) {
    const inner = alternativesOf(particle);
    if (inner === undefined) {
      return undefined;
    }
    alternatives.push(...inner);
  }
  return alternatives;
}

/** The alternatives of a sequence of particles: one per combination of their alternatives. */
function combine(particles: readonly Particle[]): readonly Alternative[] | undefined {
  let alternatives: readonly Alternative[] = [nothing];
  for (const particle of particles) {
    const inner = alternativesOf(particle);
    if (inner === undefined || inner.length * alternatives.length > mostAlternatives) {
      return undefined;
    }
    alternatives = alternatives.flatMap((before) => inner.map((after) => new Set([...before, ...after])));
  }
  return alternatives;
}

function withoutRepeats(alternatives: readonly Alternative[] | undefined): readonly Alternative[] | undefined {
  return alternatives && [...new Map(alternatives.map((each) => [JSON.stringify([...each].sort()), each])).values()];
}
