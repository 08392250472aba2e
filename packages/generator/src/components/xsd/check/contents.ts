import { clark } from "@bothends/xml";
import { Budget, describeLimitRemedy } from "../../../source/source-limits.js";
import { formatPosition, type Span } from "../../../source/span.js";
import { allowsNamespace, intersectNamespaces } from "../relations.js";
import type { ComplexTypeSource, MutableGroup, Resolution } from "../resolution.js";
import type { ElementDeclaration, ModelGroup, Particle, Wildcard } from "../schema-components.js";
import { checkRestriction } from "./restrictions.js";

/**
 * The maximum nesting depth of groups. It limits the recursion of later steps. Real schemas nest groups far less
 * deeply.
 */
const maxDepth = 512;

/**
 * Reports content that is too large, inconsistent or ambiguous, or that the base type does not allow. The groups and
 * types must be sorted: each one after those to which it refers.
 */
export function checkContents(
  { groups, types }: { readonly groups: readonly MutableGroup[]; readonly types: readonly ComplexTypeSource[] },
  resolution: Resolution,
): void {
  const sizes = new ContentSizes();
  for (const group of groups) {
    if (sizes.measureGroup(group.modelGroup).depth > maxDepth) {
      reportSize(group.span, resolution);
      group.modelGroup.particles = [];
      sizes.forgetSize(group.modelGroup);
    }
  }
  let particleCount = 0;
  const unambiguousTypes = new Set<ComplexTypeSource["type"]>();
  for (const { type } of types) {
    if (type.content.kind !== "elements" && type.content.kind !== "mixed") {
      continue;
    }
    const size = sizes.measureParticle(type.content.particle);
    particleCount += size.particles;
    if (particleCount > resolution.limits.particles || size.depth > maxDepth) {
      reportSize(type.span, resolution);
      type.content = { kind: "empty" };
      type.extension = undefined;
      particleCount = Math.min(particleCount, resolution.limits.particles);
    } else if (checkConsistency(type.content.particle, resolution)) {
      unambiguousTypes.add(type);
    }
  }
  // A hostile schema could make these checks take quadratic time. When a budget is spent, the remaining types are not
  // checked.
  const ambiguityBudget = new Budget(10_000_000);
  const restrictionBudget = new Budget(10_000_000);
  for (const source of types) {
    const { content } = source.type;
    if ((content.kind === "elements" || content.kind === "mixed") && !unambiguousTypes.has(source.type)) {
      checkAmbiguity(content.particle, resolution, ambiguityBudget);
    }
    checkRestriction(source, resolution, restrictionBudget);
  }
}

/**
 * Reports elements in the same content that have the same name but different types (Part 1 §3.8.6, Element Declarations
 * Consistent). Returns true if each name occurs only once, so that the content cannot be ambiguous. Nearly all types
 * have such content, for which `checkAmbiguity` would take quadratic time.
 */
function checkConsistency(content: Particle, resolution: Resolution): boolean {
  const elements = new Map<string, ElementDeclaration>();
  const visitedGroups = new Set<ModelGroup>();
  let hasUniqueNames = true;
  const visit = ({ term }: Particle): void => {
    if (term.kind === "wildcard") {
      hasUniqueNames = false;
      return;
    }
    if (term.kind === "modelGroup") {
      if (visitedGroups.has(term)) {
        hasUniqueNames = false;
      } else {
        visitedGroups.add(term);
        term.particles.forEach(visit);
      }
      return;
    }
    const elementName = getClarkName(term);
    const earlierElement = elements.get(elementName);
    hasUniqueNames &&= earlierElement === undefined && term.substitutes.length === 0;
    if (earlierElement === undefined) {
      elements.set(elementName, term);
    } else if (earlierElement.type !== term.type && resolution.reportedKeys.size < 10_000) {
      reportInconsistency(term, earlierElement, resolution);
    }
  };
  visit(content);
  return hasUniqueNames;
}

function reportInconsistency(
  element: ElementDeclaration,
  earlierElement: ElementDeclaration,
  resolution: Resolution,
): void {
  const key = `inconsistent ${formatPosition(element.span)} ${formatPosition(earlierElement.span)}`;
  if (resolution.reportedKeys.has(key)) {
    return;
  }
  resolution.reportedKeys.add(key);
  resolution.diagnostics.violation("XSD049", element.span, {
    message: `The element "${element.name.local}" has a different type at ${formatPosition(earlierElement.span)}, in the same content.`,
  });
}

function reportSize(span: Span, resolution: Resolution): void {
  const limit = resolution.limits.particles;
  resolution.diagnostics.error("XSD037", span, {
    message: `All types together have more than ${limit} particles, or this content is nested more than ${maxDepth} levels deep.`,
    ...describeLimitRemedy("particles", resolution.limits),
  });
}

/** The size of content after every reference to a group is replaced with the group. */
interface ContentSize {
  readonly particles: number;
  readonly depth: number;
}

/**
 * Measures content. A group must be measured before content that refers to it, so that the recursion never leaves one
 * definition.
 */
class ContentSizes {
  readonly #sizes = new Map<ModelGroup, ContentSize>();

  measureParticle(particle: Particle): ContentSize {
    const { term } = particle;
    if (term.kind !== "modelGroup") {
      return { particles: 1, depth: 1 };
    }
    const innerSize = this.measureGroup(term);
    return { particles: innerSize.particles + 1, depth: innerSize.depth + 1 };
  }

  /** Clears the cached size of a group that has changed. */
  forgetSize(group: ModelGroup): void {
    this.#sizes.delete(group);
  }

  measureGroup(group: ModelGroup): ContentSize {
    const knownSize = this.#sizes.get(group);
    if (knownSize !== undefined) {
      return knownSize;
    }
    let particles = 0;
    let depth = 0;
    for (const particle of group.particles) {
      const innerSize = this.measureParticle(particle);
      particles = Math.min(particles + innerSize.particles, Number.MAX_SAFE_INTEGER);
      depth = Math.max(depth, innerSize.depth);
    }
    const size = { particles, depth };
    this.#sizes.set(group, size);
    return size;
  }
}

/**
 * The maximum number of positions in content that is checked for ambiguity, because this check takes quadratic time.
 */
const maxPositions = 1_000;

/** An element or a wildcard in a content model. It matches one element of a message. */
interface Position {
  readonly index: number;
  readonly term: ElementDeclaration | Wildcard;
  /** The name of the element in Clark notation; "" for a wildcard. */
  readonly name: string;
}

/**
 * The range of a particle's positions, if the particle must occur an exact number of times. After the last position,
 * the number of occurrences so far decides whether the particle is repeated or left.
 */
interface Loop {
  readonly from: number;
  readonly to: number;
}

/**
 * A position that may follow another position. `loop` is the loop that the step between the two positions repeats;
 * undefined if there is none.
 */
interface Transition {
  readonly position: Position;
  readonly loop: Loop | undefined;
}

/** A part of the automaton. `nullable` means that the part can also match without any element. */
interface Fragment {
  readonly nullable: boolean;
  readonly startPositions: readonly Position[];
  readonly endPositions: readonly Position[];
}

/**
 * Reports content in which an element of a message can match two particles (Part 1 §3.8.6, Unique Particle Attribution;
 * appendix H). This is the case if two positions that may follow the same position match elements with the same name.
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
  const conflict = automaton.findConflict(fragment.startPositions.map((position) => ({ position, loop: undefined })));
  if (conflict === undefined) {
    return;
  }
  const [a, b] = conflict;
  const key = `ambiguous ${formatPosition(a.term.span)} ${formatPosition(b.term.span)}`;
  if (resolution.reportedKeys.has(key)) {
    return;
  }
  resolution.reportedKeys.add(key);
  const otherText =
    a.term.span === b.term.span ? "another occurrence of it" : `the particle at ${formatPosition(b.term.span)}`;
  resolution.diagnostics.violation("XSD050", a.term.span, {
    message: `${formatTerm(a)} and ${otherText} can match the same element of a message.`,
  });
}

function getClarkName({ name }: ElementDeclaration): string {
  return clark(name.namespace, name.local);
}

function formatTerm({ term }: Position): string {
  return term.kind === "element" ? `The element "${term.name.local}"` : "The wildcard";
}

/** The Glushkov automaton of a content model. For each position, it records the positions that can follow. */
class Automaton {
  readonly #transitions: Transition[][] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds the positions of a particle; returns undefined if there are too many. */
  add(particle: Particle): Fragment | undefined {
    const state = this.#transitions.length;
    const termFragment = this.#addTerm(particle.term);
    if (termFragment === undefined) {
      return undefined;
    }
    const { min, max } = particle;
    const isExact = min === max && min > 1 && !termFragment.nullable;
    if (max === "unbounded" || max > 1) {
      const loop = isExact ? { from: state, to: this.#transitions.length } : undefined;
      for (const position of termFragment.endPositions) {
        this.#connect(position, termFragment.startPositions, loop);
      }
    }
    return { ...termFragment, nullable: termFragment.nullable || min === 0 };
  }

  /** Finds two positions that match the same element, both at the start of the content or after the same position. */
  findConflict(start: readonly Transition[]): readonly [Position, Position] | undefined {
    for (const transitions of [start, ...this.#transitions]) {
      const conflict = transitions.length < 2 ? undefined : findConflict(transitions, this.#budget);
      if (conflict !== undefined) {
        return conflict;
      }
    }
    return undefined;
  }

  #addTerm(term: Particle["term"]): Fragment | undefined {
    if (term.kind !== "modelGroup") {
      return this.#addPosition(term);
    }
    const { compositor, particles } = term;
    let combinedFragment: Fragment = {
      nullable: compositor !== "choice" || particles.length === 0,
      startPositions: [],
      endPositions: [],
    };
    const fragments: Fragment[] = [];
    for (const particle of particles) {
      const fragment = this.add(particle);
      if (fragment === undefined) {
        return undefined;
      }
      if (compositor === "sequence") {
        this.#connectFragments(combinedFragment, fragment);
      } else if (compositor === "all") {
        for (const otherFragment of fragments) {
          this.#connectFragments(otherFragment, fragment);
          this.#connectFragments(fragment, otherFragment);
        }
      }
      fragments.push(fragment);
      combinedFragment =
        compositor === "sequence"
          ? combineSequence(combinedFragment, fragment)
          : combineChoice(combinedFragment, fragment, compositor);
    }
    return combinedFragment;
  }

  #connectFragments(from: Fragment, to: Fragment): void {
    for (const position of from.endPositions) {
      this.#connect(position, to.startPositions, undefined);
    }
  }

  #addPosition(term: ElementDeclaration | Wildcard): Fragment | undefined {
    if (this.#transitions.length >= maxPositions) {
      return undefined;
    }
    const name = term.kind === "element" ? getClarkName(term) : "";
    const position = { index: this.#transitions.length, term, name };
    this.#transitions.push([]);
    return { nullable: false, startPositions: [position], endPositions: [position] };
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

function combineSequence(a: Fragment, b: Fragment): Fragment {
  return {
    nullable: a.nullable && b.nullable,
    startPositions: a.nullable ? [...a.startPositions, ...b.startPositions] : a.startPositions,
    endPositions: b.nullable ? [...a.endPositions, ...b.endPositions] : b.endPositions,
  };
}

function combineChoice(a: Fragment, b: Fragment, compositor: "choice" | "all"): Fragment {
  const nullable = compositor === "choice" ? a.nullable || b.nullable : a.nullable && b.nullable;
  return {
    nullable,
    startPositions: [...a.startPositions, ...b.startPositions],
    endPositions: [...a.endPositions, ...b.endPositions],
  };
}

type PositionConflict = readonly [Position, Position] | undefined;

function findConflict(transitions: readonly Transition[], budget: Budget): PositionConflict {
  return findElementConflict(transitions, budget) ?? findWildcardConflict(transitions, budget);
}

function findElementConflict(transitions: readonly Transition[], budget: Budget): PositionConflict {
  const transitionsByName = new Map<string, Transition[]>();
  for (const transition of transitions) {
    const { term, name } = transition.position;
    if (term.kind === "wildcard") {
      continue;
    }
    if (!budget.spend(1 + term.substitutes.length)) {
      return undefined;
    }
    for (const key of [name, ...term.substitutes.map(getClarkName)]) {
      const sameNameTransitions = transitionsByName.get(key);
      const conflictingTransition = sameNameTransitions?.find((candidate) => areInConflict(candidate, transition));
      if (conflictingTransition !== undefined) {
        return [transition.position, conflictingTransition.position];
      }
      if (sameNameTransitions === undefined) {
        transitionsByName.set(key, [transition]);
      } else {
        sameNameTransitions.push(transition);
      }
    }
  }
  return undefined;
}

function findWildcardConflict(transitions: readonly Transition[], budget: Budget): PositionConflict {
  const wildcards = transitions.filter(({ position }) => position.term.kind === "wildcard");
  for (const [index, wildcard] of wildcards.entries()) {
    if (!budget.spend(transitions.length)) {
      return undefined;
    }
    const conflictingTransition = [...wildcards.slice(0, index), ...transitions].find(
      (candidate) =>
        areInConflict(candidate, wildcard) && matchesSameName(candidate.position.term, wildcard.position.term),
    );
    if (conflictingTransition !== undefined) {
      return [wildcard.position, conflictingTransition.position];
    }
  }
  return undefined;
}

/**
 * Whether two transitions to the same name are ambiguous. They are unambiguous if one repeats a loop and the other
 * leaves it.
 */
function areInConflict(a: Transition, b: Transition): boolean {
  if (a.position.index === b.position.index) {
    return false;
  }
  return !isOutsideLoop(a.loop, b.position) && !isOutsideLoop(b.loop, a.position);
}

function isOutsideLoop(loop: Loop | undefined, position: Position): boolean {
  return loop !== undefined && (position.index < loop.from || position.index >= loop.to);
}

function matchesSameName(a: ElementDeclaration | Wildcard, b: ElementDeclaration | Wildcard): boolean {
  if (b.kind === "element") {
    return a.kind === "wildcard" && matchesSameName(b, a);
  }
  if (a.kind === "element") {
    return [a, ...a.substitutes].some(({ name }) => allowsNamespace(b.namespaces, name.namespace));
  }
  const intersection = intersectNamespaces(a.namespaces, b.namespaces);
  return intersection === undefined || !Array.isArray(intersection) || intersection.length > 0;
}
