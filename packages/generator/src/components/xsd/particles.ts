import type { ModelGroup, Particle } from "../xsd-model.js";

/** How often a particle occurs, or its elements together. */
export interface Range {
  readonly min: number;
  readonly max: number | "unbounded";
}

const ranges = new WeakMap<ModelGroup, Range>();

/** Part 1 §3.8.6, Effective Total Range: how many elements a particle takes, at least and at most. */
export function totalRange({ term, min, max }: Particle): Range {
  if (term.kind !== "modelGroup") return { min, max };
  const once = groupRange(term);
  return { min: min * once.min, max: times(max, once.max) };
}

/** Part 1 §3.9.6, Particle Emptiable. */
export function isEmptiable(particle: Particle): boolean {
  return totalRange(particle).min === 0;
}

/** Part 1 §3.9.6, Occurrence Range OK. */
export function isWithin(inner: Range, outer: Range): boolean {
  if (inner.min < outer.min) return false;
  return outer.max === "unbounded" || (inner.max !== "unbounded" && inner.max <= outer.max);
}

function groupRange(group: ModelGroup): Range {
  const known = ranges.get(group);
  if (known !== undefined) return known;
  const parts = group.particles.map(totalRange);
  const range: Range =
    group.compositor === "choice"
      ? { min: Math.min(...mins(parts)), max: parts.reduce<Range["max"]>((sum, { max }) => larger(sum, max), 0) }
      : {
          min: parts.reduce((sum, { min }) => sum + min, 0),
          max: parts.reduce<Range["max"]>((sum, { max }) => plus(sum, max), 0),
        };
  ranges.set(group, range);
  return range;
}

/** An empty choice takes nothing (§3.8.6), though nothing satisfies it. */
function mins(parts: readonly Range[]): readonly number[] {
  return parts.length === 0 ? [0] : parts.map(({ min }) => min);
}

function times(a: Range["max"], b: Range["max"]): Range["max"] {
  if (a === 0 || b === 0) return 0;
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a * b;
}
function plus(a: Range["max"], b: Range["max"]): Range["max"] {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a + b;
}
function larger(a: Range["max"], b: Range["max"]): Range["max"] {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : Math.max(a, b);
}
