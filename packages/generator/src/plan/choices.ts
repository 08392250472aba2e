import type { Particle, RecordType } from "../model/index.js";

/** One alternative of a choice: its members, and whether each is optional. */
export type Arm = ReadonlyMap<string, boolean>;

/** The content of a record as a TypeScript type: members of every value, and alternatives. */
export interface Shape {
  /** Members that are optional because of their position, not because of their own minOccurs. */
  readonly loose: ReadonlySet<string>;
  /** Members that belong to alternatives. */
  readonly choices: readonly (readonly Arm[])[];
  /** Members of choices that have too many alternatives for a union. */
  readonly wide: ReadonlySet<string>;
}

/** A choice with more alternatives times members is written as optional members; the codec still checks it. */
const mostMembers = 256;
/** TypeScript multiplies the alternatives of several choices in one type. */
const mostCombinations = 4096;

const shapes = new WeakMap<RecordType, Shape>();

/** The shape of a record's own content, without what its base declares. */
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
  const choices: (readonly Arm[])[] = [];
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
      const arms = withoutRepeats(armsOf({ ...particle, optional: optional || particle.optional }));
      const known = choices.some((others) => others.some((arm) => keys.some((key) => arm.has(key))));
      const tooMany = arms === undefined || combinations * arms.length > mostCombinations;
      if (known || tooMany || isOptionalMember(arms)) {
        for (const key of keys) {
          loose.add(key);
        }
        if (tooMany) {
          for (const key of keys) {
            wide.add(key);
          }
        }
      } else {
        combinations *= arms.length;
        choices.push(arms);
      }
    }
  };
  for (const particle of type.content) {
    walk(particle, false);
  }
  return { loose, choices, wide };
}

/** A choice between `a` and nothing is an optional `a`. */
function isOptionalMember(arms: readonly Arm[]): boolean {
  return arms.every((arm) => arm.size <= 1) && new Set(arms.flatMap((arm) => [...arm.keys()])).size === 1;
}

function keysOf(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : [...new Set(particle.particles.flatMap(keysOf))];
}

const nothing: Arm = new Map();

/** The alternatives of a particle; undefined where there are too many. */
function armsOf(particle: Particle): readonly Arm[] | undefined {
  if (particle.kind === "field") {
    return [new Map([[particle.key, false]])];
  }
  const filled = particle.kind === "choice" ? alternatives(particle.particles) : combinations(particle.particles);
  if (filled === undefined) {
    return undefined;
  }
  const arms = particle.optional ? [...filled, nothing] : filled;
  const width = new Set(arms.flatMap((arm) => [...arm.keys()])).size;
  return arms.length * width > mostMembers ? undefined : arms;
}

function alternatives(particles: readonly Particle[]): readonly Arm[] | undefined {
  const arms: Arm[] = [];
  for (const particle of particles) {
    const inner = armsOf(particle);
    if (inner === undefined) {
      return undefined;
    }
    arms.push(...inner);
  }
  return arms;
}

function combinations(particles: readonly Particle[]): readonly Arm[] | undefined {
  let arms: readonly Arm[] = [nothing];
  for (const particle of particles) {
    const inner = armsOf(particle);
    if (inner === undefined || inner.length * arms.length > mostMembers) {
      return undefined;
    }
    arms = arms.flatMap((arm) => inner.map((other) => new Map([...arm, ...other])));
  }
  return arms;
}

function withoutRepeats(arms: readonly Arm[] | undefined): readonly Arm[] | undefined {
  return arms && [...new Map(arms.map((arm) => [JSON.stringify([...arm.keys()].sort()), arm])).values()];
}
