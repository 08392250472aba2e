import { clark } from "@bothends/xml";
import { Budget, limitHelp } from "../../../source/source-limits.js";
import { positionText, type Span } from "../../../source/span.js";
import { allowsNamespace, namespaceIntersection } from "../relations.js";
import type { ComplexTypeSource, MutableGroup, Resolution } from "../resolution.js";
import type { ElementDeclaration, ModelGroup, Particle, Wildcard } from "../schema-components.js";
import { checkRestriction } from "./restrictions.js";

/** The allowed nesting of groups, which bounds the recursion of later walks. Real schemas nest far less. */
const maxDepth = 512;

/**
 * Reports content that is too large, inconsistent or ambiguous, or that its base does not allow. Groups and types must come after
 * those that they refer to.
 */
export function checkContents(
  { groups, types }: { readonly groups: readonly MutableGroup[]; readonly types: readonly ComplexTypeSource[] },
  resolution: Resolution,
): void {
  const sizes = new ContentSizes();
  for (const group of groups) {
    if (sizes.ofGroup(group.modelGroup).depth > maxDepth) {
      reportSize(group.span, resolution);
      group.modelGroup.particles = [];
      sizes.forget(group.modelGroup);
    }
  }
  let total = 0;
  for (const { type } of types) {
    if (type.content.kind !== "elements" && type.content.kind !== "mixed") {
      continue;
    }
    const size = sizes.ofParticle(type.content.particle);
    total += size.particles;
    if (total > resolution.limits.particles || size.depth > maxDepth) {
      reportSize(type.span, resolution);
      type.content = { kind: "empty" };
      type.extension = undefined;
      total = Math.min(total, resolution.limits.particles);
    } else {
      checkConsistency(type.content.particle, resolution);
    }
  }
  // A hostile schema could make these checks quadratic: when a budget is spent, the remaining types are not checked.
  const ambiguityBudget = new Budget(10_000_000);
  const restrictionBudget = new Budget(10_000_000);
  for (const source of types) {
    const { content } = source.type;
    if (content.kind === "elements" || content.kind === "mixed") {
      checkAmbiguity(content.particle, resolution, ambiguityBudget);
    }
    checkRestriction(source, resolution, restrictionBudget);
  }
}

/** Part 1 §3.8.6, Element Declarations Consistent: elements with the same name in one content have the same type. */
function checkConsistency(content: Particle, resolution: Resolution): void {
  const elements = new Map<string, ElementDeclaration>();
  const visited = new Set<ModelGroup>();
  const visit = ({ term }: Particle): void => {
    if (term.kind === "wildcard") {
      return;
    }
    if (term.kind === "modelGroup") {
      if (!visited.has(term)) {
        visited.add(term);
        term.particles.forEach(visit);
      }
      return;
    }
    const key = nameOf(term);
    const earlier = elements.get(key);
    if (earlier === undefined) {
      elements.set(key, term);
    } else if (earlier.type !== term.type && resolution.reported.size < 10_000) {
      reportInconsistency(term, earlier, resolution);
    }
  };
  visit(content);
}

function reportInconsistency(element: ElementDeclaration, earlier: ElementDeclaration, resolution: Resolution): void {
  const key = `inconsistent ${positionText(element.span)} ${positionText(earlier.span)}`;
  if (resolution.reported.has(key)) {
    return;
  }
  resolution.reported.add(key);
  resolution.diagnostics.violation("XSD049", element.span, {
    message: `The element ${element.name.local} has a different type at ${positionText(earlier.span)}, in the same content.`,
  });
}

function reportSize(span: Span, resolution: Resolution): void {
  const limit = resolution.limits.particles;
  resolution.diagnostics.error("XSD037", span, {
    message: `The content of all types has more than ${limit} particles, or this content is nested more than ${maxDepth} levels deep.`,
    help: limitHelp("particles", resolution.limits),
  });
}

/** The size of content after references to groups are replaced by the groups. */
interface ContentSize {
  readonly particles: number;
  readonly depth: number;
}

/**
 * Measures content. Groups are measured before content that refers to them, so that no recursion is deeper than one definition.
 */
class ContentSizes {
  readonly #sizes = new Map<ModelGroup, ContentSize>();

  ofParticle(particle: Particle): ContentSize {
    const { term } = particle;
    if (term.kind !== "modelGroup") {
      return { particles: 1, depth: 1 };
    }
    const inner = this.ofGroup(term);
    return { particles: inner.particles + 1, depth: inner.depth + 1 };
  }

  /** Clears the cached size of a group that has changed. */
  forget(group: ModelGroup): void {
    this.#sizes.delete(group);
  }

  ofGroup(group: ModelGroup): ContentSize {
    const existing = this.#sizes.get(group);
    if (existing !== undefined) {
      return existing;
    }
    let particles = 0;
    let depth = 0;
    for (const particle of group.particles) {
      const inner = this.ofParticle(particle);
      particles = Math.min(particles + inner.particles, Number.MAX_SAFE_INTEGER);
      depth = Math.max(depth, inner.depth);
    }
    const size = { particles, depth };
    this.#sizes.set(group, size);
    return size;
  }
}

/** Content with more positions is not checked for ambiguity, because the check is quadratic. */
const maxPositions = 1_000;

/** A leaf of the content model, which matches one element of a message. */
interface Position {
  readonly index: number;
  readonly term: ElementDeclaration | Wildcard;
  /** The name of an element in Clark notation; empty for a wildcard. */
  readonly name: string;
}

/**
 * The positions of a particle that repeats an exact number of times. The count determines whether the particle repeats or ends.
 */
interface Loop {
  readonly from: number;
  readonly to: number;
}

/** A position that may follow another, and the loop repeated in between. */
interface Transition {
  readonly position: Position;
  readonly loop: Loop | undefined;
}

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly Position[];
  readonly last: readonly Position[];
}

/**
 * Reports content in which an element of a message could match two particles (Part 1 §3.8.6, Unique Particle Attribution; appendix
 * H): two positions that may follow the same position match elements with the same name.
 */
function checkAmbiguity(content: Particle, resolution: Resolution, budget: Budget): void {
  if (budget.isSpent) {
    return;
  }
  const automaton = new Automaton(budget);
  const fragment = automaton.add(content);
  if (fragment === undefined) {
    return;
  }
  const conflict = automaton.conflict(fragment.first.map((position) => ({ position, loop: undefined })));
  if (conflict === undefined) {
    return;
  }
  const [a, b] = conflict;
  const key = `ambiguous ${positionText(a.term.span)} ${positionText(b.term.span)}`;
  if (resolution.reported.has(key)) {
    return;
  }
  resolution.reported.add(key);
  const other = a.term.span === b.term.span ? "another occurrence of it" : `the one at ${positionText(b.term.span)}`;
  resolution.diagnostics.violation("XSD050", a.term.span, {
    message: `${termText(a)} and ${other} could match the same element of a message.`,
  });
}

function nameOf({ name }: ElementDeclaration): string {
  return clark(name.namespace, name.local);
}

function termText({ term }: Position): string {
  return term.kind === "element" ? `The element ${term.name.local}` : "The wildcard";
}

/** The Glushkov automaton of a content model: the positions that may follow each position. */
class Automaton {
  readonly #transitions: Transition[][] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds the positions of a particle; undefined if there are too many. */
  add(particle: Particle): Fragment | undefined {
    const from = this.#transitions.length;
    const inner = this.#term(particle.term);
    if (inner === undefined) {
      return undefined;
    }
    const { min, max } = particle;
    const isExact = min === max && min > 1 && !inner.nullable;
    if (max === "unbounded" || max > 1) {
      const loop = isExact ? { from, to: this.#transitions.length } : undefined;
      for (const position of inner.last) {
        this.#connect(position, inner.first, loop);
      }
    }
    return { ...inner, nullable: inner.nullable || min === 0 };
  }

  /** Two positions that match the same element, at the start or after the same position. */
  conflict(start: readonly Transition[]): readonly [Position, Position] | undefined {
    for (const transitions of [start, ...this.#transitions]) {
      const conflict = transitions.length < 2 ? undefined : conflictAmong(transitions, this.#budget);
      if (conflict !== undefined) {
        return conflict;
      }
    }
    return undefined;
  }

  #term(term: Particle["term"]): Fragment | undefined {
    if (term.kind !== "modelGroup") {
      return this.#leaf(term);
    }
    const { compositor, particles } = term;
    let whole: Fragment = { nullable: compositor !== "choice" || particles.length === 0, first: [], last: [] };
    const fragments: Fragment[] = [];
    for (const particle of particles) {
      const fragment = this.add(particle);
      if (fragment === undefined) {
        return undefined;
      }
      if (compositor === "sequence") {
        this.#connectFragments(whole, fragment);
      } else if (compositor === "all") {
        for (const other of fragments) {
          this.#connectFragments(other, fragment);
          this.#connectFragments(fragment, other);
        }
      }
      fragments.push(fragment);
      whole = compositor === "sequence" ? inSequence(whole, fragment) : inChoice(whole, fragment, compositor);
    }
    return whole;
  }

  #connectFragments(from: Fragment, to: Fragment): void {
    for (const position of from.last) {
      this.#connect(position, to.first, undefined);
    }
  }

  #leaf(term: ElementDeclaration | Wildcard): Fragment | undefined {
    if (this.#transitions.length >= maxPositions) {
      return undefined;
    }
    const name = term.kind === "element" ? nameOf(term) : "";
    const position = { index: this.#transitions.length, term, name };
    this.#transitions.push([]);
    return { nullable: false, first: [position], last: [position] };
  }

  #connect(from: Position, to: readonly Position[], loop: Loop | undefined): void {
    if (!this.#budget.spend(to.length)) {
      return;
    }
    const transitions = this.#transitions[from.index];
    for (const position of to) {
      transitions?.push({ position, loop });
    }
  }
}

function inSequence(a: Fragment, b: Fragment): Fragment {
  return {
    nullable: a.nullable && b.nullable,
    first: a.nullable ? [...a.first, ...b.first] : a.first,
    last: b.nullable ? [...a.last, ...b.last] : b.last,
  };
}

function inChoice(a: Fragment, b: Fragment, compositor: "choice" | "all"): Fragment {
  const nullable = compositor === "choice" ? a.nullable || b.nullable : a.nullable && b.nullable;
  return { nullable, first: [...a.first, ...b.first], last: [...a.last, ...b.last] };
}

type PositionConflict = readonly [Position, Position] | undefined;

function conflictAmong(transitions: readonly Transition[], budget: Budget): PositionConflict {
  return elementConflict(transitions, budget) ?? wildcardConflict(transitions, budget);
}

function elementConflict(transitions: readonly Transition[], budget: Budget): PositionConflict {
  const byName = new Map<string, Transition[]>();
  for (const transition of transitions) {
    const { term, name } = transition.position;
    if (term.kind === "wildcard") {
      continue;
    }
    if (!budget.spend(1 + term.substitutes.length)) {
      return undefined;
    }
    for (const key of [name, ...term.substitutes.map(nameOf)]) {
      const others = byName.get(key);
      const other = others?.find((candidate) => competes(candidate, transition));
      if (other !== undefined) {
        return [transition.position, other.position];
      }
      if (others === undefined) {
        byName.set(key, [transition]);
      } else {
        others.push(transition);
      }
    }
  }
  return undefined;
}

function wildcardConflict(transitions: readonly Transition[], budget: Budget): PositionConflict {
  const wildcards = transitions.filter(({ position }) => position.term.kind === "wildcard");
  for (const [index, wildcard] of wildcards.entries()) {
    if (!budget.spend(transitions.length)) {
      return undefined;
    }
    const other = [...wildcards.slice(0, index), ...transitions].find(
      (candidate) => competes(candidate, wildcard) && overlaps(candidate.position.term, wildcard.position.term),
    );
    if (other !== undefined) {
      return [wildcard.position, other.position];
    }
  }
  return undefined;
}

/** Whether two transitions lead to different positions, unless one repeats a loop with an exact count and the other leaves it. */
function competes(a: Transition, b: Transition): boolean {
  if (a.position.index === b.position.index) {
    return false;
  }
  return !leaves(a.loop, b.position) && !leaves(b.loop, a.position);
}

function leaves(loop: Loop | undefined, position: Position): boolean {
  return loop !== undefined && (position.index < loop.from || position.index >= loop.to);
}

function overlaps(a: ElementDeclaration | Wildcard, b: ElementDeclaration | Wildcard): boolean {
  if (b.kind === "element") {
    return a.kind === "wildcard" && overlaps(b, a);
  }
  if (a.kind === "element") {
    return [a, ...a.substitutes].some(({ name }) => allowsNamespace(b.namespaces, name.namespace));
  }
  const shared = namespaceIntersection(a.namespaces, b.namespaces);
  return shared === undefined || !Array.isArray(shared) || shared.length > 0;
}
