import { clark } from "@bothends/xml";
import { Budget } from "../../source/budget.js";
import { limitHelp } from "../../source/source-limits.js";
import type { Span } from "../../source/span.js";
import { checkRestriction } from "./check-restrictions.js";
import { placeText } from "./declarations.js";
import { allowsNamespace, intersectionOf } from "./relations.js";
import type { BuildingGroup, ComplexTypeSource, Resolution } from "./resolution.js";
import type { ElementDeclaration, ModelGroup, Particle, TypeDefinition, Wildcard } from "./schema-components.js";

/** No schema that people wrote nests so deeply; walks over contents rely on it. */
const deepest = 512;

/** Reports contents that are too large, contradict themselves or their bases. `groups` and `types` come after what they refer to. */
export function checkContents(
  { groups, types }: { readonly groups: readonly BuildingGroup[]; readonly types: readonly ComplexTypeSource[] },
  resolution: Resolution,
): void {
  const measures = new Measures();
  for (const group of groups) {
    if (measures.ofGroup(group.modelGroup).depth <= deepest) continue;
    reportSize(group.span, resolution);
    group.modelGroup.particles = [];
    measures.forget(group.modelGroup);
  }
  let total = 0;
  for (const source of types) {
    const { type } = source;
    if (type.content.kind !== "elements" && type.content.kind !== "mixed") continue;
    const measure = measures.of(type.content.particle);
    total += measure.particles;
    if (total > resolution.limits.particles || measure.depth > deepest) {
      reportSize(type.span, resolution);
      type.content = { kind: "empty" };
      type.extension = undefined;
      total = Math.min(total, resolution.limits.particles);
    } else checkConsistency(type.content.particle, resolution);
  }
  // A hostile schema could make these checks quadratic: when a budget is spent, the remaining types are not checked.
  const ambiguity = new Budget(10_000_000);
  const restriction = new Budget(10_000_000);
  for (const source of types) {
    const { content } = source.type;
    if (content.kind === "elements" || content.kind === "mixed")
      checkAmbiguity(content.particle, resolution, ambiguity);
    checkRestriction(source, resolution, restriction);
  }
}

/** Part 1 §3.8.6, Element Declarations Consistent. */
function checkConsistency(content: Particle, resolution: Resolution): void {
  const types = new Map<string, { readonly type: TypeDefinition; readonly element: ElementDeclaration }>();
  const visited = new Set<ModelGroup>();
  const visit = ({ term }: Particle): void => {
    if (term.kind === "wildcard") return;
    if (term.kind === "modelGroup") {
      if (!visited.has(term)) {
        visited.add(term);
        term.particles.forEach(visit);
      }
      return;
    }
    const key = clark(term.name.namespace, term.name.local);
    const before = types.get(key);
    if (before === undefined) types.set(key, { type: term.type, element: term });
    else if (before.type !== term.type && resolution.reported.size < 10_000) {
      reportInconsistency(term, before.element, resolution);
    }
  };
  visit(content);
}

function reportInconsistency(element: ElementDeclaration, before: ElementDeclaration, resolution: Resolution): void {
  const key = `inconsistent ${placeText(element.span)} ${placeText(before.span)}`;
  if (resolution.reported.has(key)) return;
  resolution.reported.add(key);
  resolution.diagnostics.breach("XSD049", element.span, {
    message: `The element ${element.name.local} has another type than at ${placeText(before.span)}, in the same content.`,
  });
}

function reportSize(span: Span, resolution: Resolution): void {
  const limit = resolution.limits.particles;
  resolution.diagnostics.error("XSD037", span, {
    message: `All contents together have more than ${limit} particles, or this one is nested more than ${deepest} deep.`,
    help: limitHelp("particles", resolution.limits),
  });
}

/** How much a content is, with references to groups written out. */
interface Measure {
  readonly particles: number;
  readonly depth: number;
}

/** Measures contents. What refers to groups comes after them, so that no walk is deeper than one definition. */
class Measures {
  readonly #known = new Map<ModelGroup, Measure>();

  of(particle: Particle): Measure {
    const { term } = particle;
    if (term.kind !== "modelGroup") return { particles: 1, depth: 1 };
    const inner = this.ofGroup(term);
    return { particles: inner.particles + 1, depth: inner.depth + 1 };
  }

  /** After a group was emptied. */
  forget(group: ModelGroup): void {
    this.#known.delete(group);
  }

  ofGroup(group: ModelGroup): Measure {
    const known = this.#known.get(group);
    if (known !== undefined) return known;
    let particles = 0;
    let depth = 0;
    for (const particle of group.particles) {
      const measure = this.of(particle);
      particles = Math.min(particles + measure.particles, Number.MAX_SAFE_INTEGER);
      depth = Math.max(depth, measure.depth);
    }
    const measure = { particles, depth };
    this.#known.set(group, measure);
    return measure;
  }
}

/** Larger contents are not looked at: the work is quadratic. */
const mostPositions = 1_000;

/** A place in a content, groups written out, that one element of a message can belong to. */
interface Position {
  readonly index: number;
  readonly term: ElementDeclaration | Wildcard;
}

/** A repeated part with an exact count: it either goes round again or is left, never both. */
interface Loop {
  readonly from: number;
  readonly to: number;
}

/** What may come next, and round which exact loop. */
interface Next {
  readonly position: Position;
  readonly loop: Loop | undefined;
}

interface Part {
  readonly nullable: boolean;
  readonly first: readonly Position[];
  readonly last: readonly Position[];
}

/**
 * Reports contents in which an element of a message could belong to two particles (Part 1 §3.8.6, Unique Particle Attribution;
 * appendix H): two positions that may follow one position have a name in common.
 */
function checkAmbiguity(content: Particle, resolution: Resolution, budget: Budget): void {
  if (budget.isSpent) return;
  const automaton = new Automaton(budget);
  const part = automaton.add(content);
  if (part === undefined) return;
  const conflict = automaton.conflict(part.first.map((position) => ({ position, loop: undefined })));
  if (conflict === undefined) return;
  const [a, b] = conflict;
  const key = `ambiguous ${placeText(a.term.span)} ${placeText(b.term.span)}`;
  if (resolution.reported.has(key)) return;
  resolution.reported.add(key);
  const other = a.term.span === b.term.span ? "itself, in another place" : `that at ${placeText(b.term.span)}`;
  resolution.diagnostics.breach("XSD050", a.term.span, {
    message: `${describe(a)} and ${other} could both take one element of a message.`,
  });
}

function describe({ term }: Position): string {
  return term.kind === "element" ? `The element ${term.name.local}` : "The wildcard";
}

class Automaton {
  readonly #next: Next[][] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The part of a particle; undefined where the content is too large to look at. */
  add(particle: Particle): Part | undefined {
    const from = this.#next.length;
    const inner = this.#term(particle.term);
    if (inner === undefined) return undefined;
    const { min, max } = particle;
    const exact = min === max && min > 1 && !inner.nullable;
    if (max === "unbounded" || max > 1) {
      const loop = exact ? { from, to: this.#next.length } : undefined;
      for (const position of inner.last) this.#connect(position, inner.first, loop);
    }
    return { ...inner, nullable: inner.nullable || min === 0 };
  }

  /** Two positions that compete, at the start or behind any position. */
  conflict(start: readonly Next[]): readonly [Position, Position] | undefined {
    for (const next of [start, ...this.#next]) {
      const found = conflictIn(next, this.#budget);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #term(term: Particle["term"]): Part | undefined {
    if (term.kind !== "modelGroup") return this.#leaf(term);
    let part: Part = { nullable: term.compositor !== "choice" || term.particles.length === 0, first: [], last: [] };
    const parts: Part[] = [];
    for (const particle of term.particles) {
      const inner = this.add(particle);
      if (inner === undefined) return undefined;
      if (term.compositor === "sequence") {
        for (const position of part.last) this.#connect(position, inner.first, undefined);
      } else if (term.compositor === "all") {
        for (const other of parts) {
          for (const position of other.last) this.#connect(position, inner.first, undefined);
          for (const position of inner.last) this.#connect(position, other.first, undefined);
        }
        parts.push(inner);
      }
      part = term.compositor === "sequence" ? inSequence(part, inner) : inChoice(part, inner, term.compositor);
    }
    return part;
  }

  #leaf(term: ElementDeclaration | Wildcard): Part | undefined {
    if (this.#next.length >= mostPositions) return undefined;
    const position = { index: this.#next.length, term };
    this.#next.push([]);
    return { nullable: false, first: [position], last: [position] };
  }

  #connect(from: Position, to: readonly Position[], loop: Loop | undefined): void {
    if (!this.#budget.spend(to.length)) return;
    const next = this.#next[from.index];
    for (const position of to) next?.push({ position, loop });
  }
}

function inSequence(a: Part, b: Part): Part {
  return {
    nullable: a.nullable && b.nullable,
    first: a.nullable ? [...a.first, ...b.first] : a.first,
    last: b.nullable ? [...a.last, ...b.last] : b.last,
  };
}

function inChoice(a: Part, b: Part, compositor: "choice" | "all"): Part {
  const nullable = compositor === "choice" ? a.nullable || b.nullable : a.nullable && b.nullable;
  return { nullable, first: [...a.first, ...b.first], last: [...a.last, ...b.last] };
}

function conflictIn(next: readonly Next[], budget: Budget): readonly [Position, Position] | undefined {
  const byName = new Map<string, Next[]>();
  const wildcards: Next[] = [];
  for (const one of next) {
    const { term } = one.position;
    if (term.kind === "wildcard") wildcards.push(one);
    else {
      if (!budget.spend(1 + term.substitutes.length)) return undefined;
      for (const { name } of [term, ...term.substitutes]) {
        const key = clark(name.namespace, name.local);
        const others = byName.get(key) ?? [];
        const other = others.find((candidate) => competes(candidate, one));
        if (other !== undefined) return [one.position, other.position];
        byName.set(key, [...others, one]);
      }
    }
  }
  for (const [index, wildcard] of wildcards.entries()) {
    if (!budget.spend(next.length)) return undefined;
    const other = [...wildcards.slice(0, index), ...next].find(
      (candidate) => competes(candidate, wildcard) && overlaps(candidate.position.term, wildcard.position.term),
    );
    if (other !== undefined) return [wildcard.position, other.position];
  }
  return undefined;
}

/** Different positions, unless one is reached by going round an exact loop and the other by leaving it. */
function competes(a: Next, b: Next): boolean {
  if (a.position.index === b.position.index) return false;
  return !leaves(a.loop, b.position) && !leaves(b.loop, a.position);
}

function leaves(loop: Loop | undefined, position: Position): boolean {
  return loop !== undefined && (position.index < loop.from || position.index >= loop.to);
}

function overlaps(a: ElementDeclaration | Wildcard, b: ElementDeclaration | Wildcard): boolean {
  if (b.kind === "element") return a.kind === "wildcard" && overlaps(b, a);
  if (a.kind === "element") {
    return [a, ...a.substitutes].some(({ name }) => allowsNamespace(b.namespaces, name.namespace));
  }
  const common = intersectionOf(a.namespaces, b.namespaces);
  return common === undefined || !Array.isArray(common) || common.length > 0;
}
