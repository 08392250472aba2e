import { Budget } from "../../../source/source-limits.js";
import { getAttributeKey } from "../complete/attributes.js";
import {
  allowsNamespace,
  computeTotalRange,
  isEmptiable,
  isLessStrict,
  isNamespaceSubset,
  isRangeWithin,
  listDerivationMethods,
  type OccurrenceRange,
} from "../relations.js";
import type { ComplexTypeSource, MutableAttributeGroup, MutableGroup, Resolution } from "../resolution.js";
import type { Content, ElementDeclaration, ModelGroup, Particle, Wildcard } from "../schema-components.js";
import { keepsFixedValue } from "../simple-values.js";

/**
 * Reports a restriction of a complex type that allows content which its base type does not allow (Part 1 §3.4.6,
 * Derivation Valid (Restriction, Complex), 5).
 */
export function checkRestriction(
  { type, declaration }: ComplexTypeSource,
  resolution: Resolution,
  budget: Budget,
): void {
  const base = type.baseType;
  if (type.derivation !== "restriction" || base.kind !== "complexType" || base.builtin !== undefined) {
    return;
  }
  const problem = findContentProblem(type.content, base.content, budget);
  if (problem !== undefined) {
    resolution.diagnostics.violation("XSD051", declaration.content.base?.span ?? declaration.span, {
      message: `${type.name === undefined ? "The type" : `The type "${type.name.local}"`} is not a restriction of ${base.name === undefined ? "its base type" : `the type "${base.name.local}"`}: ${problem}`,
    });
  }
}

function findContentProblem(content: Content, base: Content, budget: Budget): string | undefined {
  switch (content.kind) {
    case "simple": {
      const hasOtherType = base.kind === "simple" && listDerivationMethods(content.type, base.type) === undefined;
      return hasOtherType ? "its text has a different type." : undefined;
    }
    case "empty":
      if (base.kind === "simple") {
        return "the base has text.";
      }
      return base.kind === "empty" || isEmptiable(base.particle) ? undefined : "the base requires elements.";
    default:
      if (base.kind === "empty") {
        return isEmptyGroup(content.particle) ? undefined : "the base is empty.";
      }
      return base.kind === "simple"
        ? undefined
        : new ParticleRestriction(budget).findProblem(content.particle, base.particle);
  }
}

function isEmptyGroup({ term }: Particle): boolean {
  return term.kind === "modelGroup" && term.particles.length === 0;
}

/**
 * Reports a group in a redefinition that neither contains nor restricts the original group (Part 1 §4.2.2, src-redefine
 * 6 and 7).
 */
export function checkRedefinitions(resolution: Resolution): void {
  for (const [group, { original, declaration }] of resolution.groupSources) {
    if (original === undefined) {
      continue;
    }
    const problem = findGroupProblem(group, original);
    if (problem !== undefined) {
      reportRedefinition("group", { name: declaration.name.text, span: declaration.span, problem }, resolution);
    }
  }
  for (const [group, { original, items, span }] of resolution.attributeGroupSources) {
    if (original === undefined) {
      continue;
    }
    const references = items.filter((item) => item === original).length;
    const problem = references === 1 ? undefined : findAttributesProblem(group, original, references);
    if (problem !== undefined) {
      reportRedefinition("attribute group", { name: group.name.local, span, problem }, resolution);
    }
  }
}

function findGroupProblem(group: MutableGroup, original: MutableGroup): string | undefined {
  const references = listReferences(original, group.modelGroup.particles);
  const [reference] = references;
  if (reference === undefined) {
    return new ParticleRestriction(new Budget(100_000)).findProblem(toParticle(group), toParticle(original));
  }
  if (references.length > 1) {
    return "it refers to the original more than once.";
  }
  return reference.min === 1 && reference.max === 1
    ? undefined
    : "the reference to the original must occur exactly once.";
}

function listReferences(group: MutableGroup, particles: readonly Particle[]): readonly Particle[] {
  return particles.flatMap((particle): readonly Particle[] => {
    if (particle.group === group) {
      return [particle];
    }
    const { term } = particle;
    return term.kind === "modelGroup" && particle.group === undefined ? listReferences(group, term.particles) : [];
  });
}

function toParticle({ modelGroup, span }: MutableGroup): Particle {
  return { min: 1, max: 1, term: modelGroup, group: undefined, span, documentation: undefined };
}

function findAttributesProblem(
  group: MutableAttributeGroup,
  original: MutableAttributeGroup,
  references: number,
): string | undefined {
  if (references > 1) {
    return "it refers to the original more than once.";
  }
  const originalUses = new Map(original.attributeUses.map((use) => [getAttributeKey(use), use]));
  for (const use of group.attributeUses) {
    const { local, namespace } = use.declaration.name;
    const originalUse = originalUses.get(getAttributeKey(use));
    originalUses.delete(getAttributeKey(use));
    if (originalUse === undefined) {
      if (!allowsNamespace(original.attributeWildcard?.namespaces ?? [], namespace)) {
        return `it adds "${local}".`;
      }
    } else if (listDerivationMethods(use.declaration.type, originalUse.declaration.type) === undefined) {
      return `the type of "${local}" does not derive from its type in the original.`;
    }
  }
  const missingUse = [...originalUses.values()].find((use) => use.required);
  return missingUse && `it leaves out "${missingUse.declaration.name.local}", which is required.`;
}

function reportRedefinition(
  noun: string,
  { name, span, problem }: { readonly name: string; readonly span: Particle["span"]; readonly problem: string },
  resolution: Resolution,
): void {
  resolution.diagnostics.violation("XSD031", span, {
    message: `The ${noun} "${name}" neither contains nor restricts the original: ${problem}`,
  });
}

/**
 * Checks that a particle `r` restricts a base particle `b` (Part 1 §3.9.6, Particle Valid (Restriction), which uses
 * these names).
 */
export class ParticleRestriction {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Returns the reason why a particle is not a restriction; undefined if it is one, or if the budget is spent. */
  findProblem(derivedParticle: Particle, base: Particle): string | undefined {
    if (!this.#budget.spend(1 + computeSimplificationCost(derivedParticle) + computeSimplificationCost(base))) {
      return undefined;
    }
    const r = simplify(derivedParticle);
    const simplifiedBase = simplify(base);
    const b = r.term === simplifiedBase.term ? simplifiedBase : createSubstitutionChoice(simplifiedBase);
    if (r.term.kind === "element") {
      return this.#findElementProblem(r, r.term, b);
    }
    if (r.term.kind === "wildcard") {
      return this.#findWildcardProblem(r, r.term, b);
    }
    return this.#findGroupProblem(r, r.term, b);
  }

  #findElementProblem(r: Particle, element: ElementDeclaration, b: Particle): string | undefined {
    if (b.term.kind === "element") {
      return findElementProblem(r, element, b, b.term);
    }
    if (b.term.kind === "wildcard") {
      if (!allowsNamespace(b.term.namespaces, element.name.namespace)) {
        return `the wildcard of the base does not allow "${element.name.local}".`;
      }
      return isRangeWithin(r, b) ? undefined : findOccursProblem(`"${element.name.local}"`);
    }
    // RecurseAsIfGroup (§3.9.6): the element is compared as a group of one element.
    const span = r.span;
    const term: ModelGroup = {
      kind: "modelGroup",
      span,
      documentation: undefined,
      compositor: b.term.compositor,
      particles: [r],
    };
    return this.#findGroupProblem({ ...r, min: 1, max: 1, term, group: undefined }, term, b);
  }

  #findWildcardProblem(r: Particle, wildcard: Wildcard, b: Particle): string | undefined {
    if (b.term.kind !== "wildcard") {
      return "it has a wildcard where the base has none.";
    }
    if (!isNamespaceSubset(wildcard.namespaces, b.term.namespaces)) {
      return "its wildcard allows more namespaces.";
    }
    if (isLessStrict(wildcard, b.term)) {
      return "its wildcard is processed less strictly.";
    }
    return isRangeWithin(r, b) ? undefined : findOccursProblem("its wildcard");
  }

  #findGroupProblem(r: Particle, group: ModelGroup, b: Particle): string | undefined {
    if (b.term.kind === "element") {
      return `it has a ${group.compositor} where the base has the element "${b.term.name.local}".`;
    }
    if (b.term.kind === "wildcard") {
      return this.#groupInWildcard(r, group, b);
    }
    const compositorPair = `${group.compositor} ${b.term.compositor}`;
    switch (compositorPair) {
      case "all all":
      case "sequence sequence":
        return findRangeProblem(r, b, group) ?? this.#recurse(group, b.term);
      case "choice choice":
        return findRangeProblem(r, b, group) ?? this.#recurseLax(group, b.term);
      case "sequence all":
        return findRangeProblem(r, b, group) ?? this.#recurseUnordered(group, b.term);
      case "sequence choice":
        return this.#mapAndSum(r, group, b, b.term);
      default:
        return `it has a ${group.compositor} where the base has a ${b.term.compositor}.`;
    }
  }

  /**
   * NSRecurseCheckCardinality (§3.9.6): every particle of the group restricts the base's wildcard, and the total number
   * of elements is within the wildcard's range.
   */
  #groupInWildcard(r: Particle, group: ModelGroup, b: Particle): string | undefined {
    for (const particle of group.particles) {
      const problem = this.findProblem(particle, { ...b, min: 0, max: "unbounded" });
      if (problem !== undefined) {
        return problem;
      }
    }
    return isRangeWithin(computeTotalRange(r), b) ? undefined : findOccursProblem(`its ${group.compositor}`);
  }

  /**
   * Recurse (§3.9.6): the particles restrict particles of the base in order, and the remaining particles of the base
   * are emptiable.
   */
  #recurse(group: ModelGroup, base: ModelGroup): string | undefined {
    const remainingParticles = base.particles.values();
    for (const particle of group.particles) {
      const problem = this.#advanceToMatch(particle, remainingParticles, isEmptiable);
      if (problem !== undefined) {
        return problem;
      }
    }
    return findMissingProblem([...remainingParticles]);
  }

  /** RecurseLax (§3.9.6): the particles restrict particles of the base in order. */
  #recurseLax(group: ModelGroup, base: ModelGroup): string | undefined {
    const remainingParticles = base.particles.values();
    for (const particle of group.particles) {
      const problem = this.#advanceToMatch(particle, remainingParticles, () => true);
      if (problem !== undefined) {
        return problem;
      }
    }
    return undefined;
  }

  /** Advances to the first candidate that the particle restricts. Every candidate before it must be skippable. */
  #advanceToMatch(
    particle: Particle,
    candidates: Iterable<Particle>,
    isSkippable: (candidate: Particle) => boolean,
  ): string | undefined {
    let mismatch = describeUnknownProblem(particle);
    for (const candidate of candidates) {
      const problem = this.findProblem(particle, candidate);
      if (problem === undefined) {
        return undefined;
      }
      if (formatTerm(particle) === formatTerm(candidate)) {
        mismatch = problem;
      }
      if (!isSkippable(candidate)) {
        return mismatch;
      }
    }
    return mismatch;
  }

  /** RecurseUnordered (§3.9.6): the particles restrict particles of the base in any order. */
  #recurseUnordered(group: ModelGroup, base: ModelGroup): string | undefined {
    const remainingParticles = new Set(base.particles);
    for (const particle of group.particles) {
      const match = [...remainingParticles].find((candidate) => this.findProblem(particle, candidate) === undefined);
      if (match === undefined) {
        return describeUnknownProblem(particle);
      }
      remainingParticles.delete(match);
    }
    return findMissingProblem([...remainingParticles]);
  }

  /**
   * MapAndSum (§3.9.6): every particle of the sequence restricts a particle of the choice, and the choice may occur as
   * often as the sequence has particles.
   */
  #mapAndSum(r: Particle, group: ModelGroup, b: Particle, base: ModelGroup): string | undefined {
    for (const particle of group.particles) {
      if (!base.particles.some((candidate) => this.findProblem(particle, candidate) === undefined)) {
        return describeUnknownProblem(particle);
      }
    }
    const count = group.particles.length;
    const sum: OccurrenceRange = { min: r.min * count, max: r.max === "unbounded" ? r.max : r.max * count };
    return isRangeWithin(sum, b) ? undefined : findOccursProblem("its sequence");
  }
}

/** NameAndTypeOK (§3.9.6): returns the reason why an element does not restrict the element of the base. */
function findElementProblem(
  r: Particle,
  element: ElementDeclaration,
  b: Particle,
  base: ElementDeclaration,
): string | undefined {
  const { local } = element.name;
  if (local !== base.name.local || element.name.namespace !== base.name.namespace) {
    return `it has the element "${local}" where the base has "${base.name.local}".`;
  }
  if (!isRangeWithin(r, b)) {
    return findOccursProblem(`"${local}"`);
  }
  if (element === base) {
    return undefined;
  }
  if (element.nillable && !base.nillable) {
    return `"${local}" may be nil.`;
  }
  if (!keepsFixedValue(base.type, base.valueConstraint, element.valueConstraint)) {
    return `"${local}" does not have the fixed value "${base.valueConstraint?.value}".`;
  }
  for (const method of base.block) {
    if (!element.block.has(method)) {
      return `"${local}" does not block ${method}.`;
    }
  }
  const methods = listDerivationMethods(element.type, base.type);
  if (methods === undefined) {
    return `the type of "${local}" does not derive from its type in the base.`;
  }
  return methods.has("extension") ? `the type of "${local}" extends its type in the base.` : undefined;
}

/** Removes pointless groups (§3.9.6): groups with one particle, and groups inside groups with the same compositor. */
function simplify(particle: Particle): Particle {
  const { term } = particle;
  if (term.kind !== "modelGroup") {
    return particle;
  }
  const [onlyParticle, ...otherParticles] = term.particles;
  if (onlyParticle !== undefined && otherParticles.length === 0 && particle.min === 1 && particle.max === 1) {
    return simplify(onlyParticle);
  }
  if (!term.particles.some((particle) => isPointless(particle, term))) {
    return particle;
  }
  const particles = term.particles.flatMap((particle) => flatten(particle, term));
  return { ...particle, group: undefined, term: { ...term, particles } };
}

function flatten(particle: Particle, outerGroup: ModelGroup): readonly Particle[] {
  const { term } = particle;
  if (term.kind !== "modelGroup" || !isPointless(particle, outerGroup)) {
    return [particle];
  }
  return term.particles.flatMap((particle) => flatten(particle, outerGroup));
}

function isPointless({ term, min, max }: Particle, outerGroup: ModelGroup): boolean {
  if (term.kind !== "modelGroup" || min !== 1 || max !== 1) {
    return false;
  }
  if (term.particles.length === 0) {
    return term.compositor !== "choice";
  }
  return term.compositor === outerGroup.compositor && term.compositor !== "all";
}

/** Replaces the head of a substitution group with a choice of the head and its substitutes (§3.9.6, erratum). */
function createSubstitutionChoice(particle: Particle): Particle {
  const { term } = particle;
  if (term.kind !== "element" || term.substitutes.length === 0) {
    return particle;
  }
  const members = term.abstract ? term.substitutes : [term, ...term.substitutes];
  const particles = members.map(
    (member): Particle => ({ ...particle, min: 1, max: 1, term: { ...member, substitutes: [] } }),
  );
  return {
    ...particle,
    term: { kind: "modelGroup", span: term.span, documentation: undefined, compositor: "choice", particles },
  };
}

function describeUnknownProblem(particle: Particle): string {
  return `the base does not allow ${formatTerm(particle)}.`;
}

function findMissingProblem(remainingParticles: readonly Particle[]): string | undefined {
  const missingParticle = remainingParticles.find((particle) => !isEmptiable(particle));
  return missingParticle && `the base requires ${formatTerm(missingParticle)}.`;
}

function findRangeProblem(r: Particle, b: Particle, group: ModelGroup): string | undefined {
  return isRangeWithin(r, b) ? undefined : findOccursProblem(`its ${group.compositor}`);
}

function findOccursProblem(subject: string): string {
  return `${subject} may occur more often or less often than the base allows.`;
}

function computeSimplificationCost({ term }: Particle): number {
  if (term.kind === "element") {
    return term.substitutes.length;
  }
  return term.kind === "modelGroup" ? term.particles.length : 0;
}

function formatTerm({ term }: Particle): string {
  if (term.kind === "element") {
    return `the element "${term.name.local}"`;
  }
  return term.kind === "wildcard" ? "a wildcard" : `a ${term.compositor}`;
}
