import { Budget } from "../../source/budget.js";
import { attributeKey } from "./complete-attributes.js";
import {
  allowsNamespace,
  derivationMethods,
  isEmptiable,
  isSubset,
  isWithin,
  type Range,
  totalRange,
} from "./relations.js";
import type { BuildingAttributeGroup, BuildingGroup, ComplexTypeSource, Resolution } from "./resolution.js";
import type { ElementDeclaration, ModelGroup, Particle, Wildcard } from "./schema-components.js";
import { keepsFixedValue } from "./simple-values.js";

const processing = { skip: 0, lax: 1, strict: 2 } as const;

/** Tells whether one particle restricts another (Part 1 §3.9.6, Particle Valid (Restriction)). */
class ParticleRestriction {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Why it does not; undefined where it does. */
  problem(derived: Particle, base: Particle): string | undefined {
    if (!this.#budget.spend(1 + size(derived) + size(base))) return undefined;
    const r = simplified(derived);
    const plain = simplified(base);
    const b = r.term === plain.term ? plain : asChoice(plain);
    if (r.term.kind === "element") return this.#element(r, r.term, b);
    if (r.term.kind === "wildcard") return this.#wildcard(r, r.term, b);
    return this.#group(r, r.term, b);
  }

  #element(r: Particle, element: ElementDeclaration, b: Particle): string | undefined {
    if (b.term.kind === "element") return elementProblem(r, element, b, b.term);
    if (b.term.kind === "wildcard") {
      if (!allowsNamespace(b.term.namespaces, element.name.namespace)) {
        return `the wildcard of the base does not allow ${element.name.local}.`;
      }
      return isWithin(r, b) ? undefined : occursProblem(element.name.local);
    }
    // RecurseAsIfGroup.
    const span = r.span;
    const term: ModelGroup = {
      kind: "modelGroup",
      span,
      documentation: undefined,
      compositor: b.term.compositor,
      particles: [r],
    };
    return this.#group({ ...r, min: 1, max: 1, term, group: undefined }, term, b);
  }

  #wildcard(r: Particle, wildcard: Wildcard, b: Particle): string | undefined {
    if (b.term.kind !== "wildcard") return "it has a wildcard where the base has none.";
    if (!isSubset(wildcard.namespaces, b.term.namespaces)) return "its wildcard allows more namespaces.";
    if (processing[wildcard.process] < processing[b.term.process]) return "its wildcard is processed less strictly.";
    return isWithin(r, b) ? undefined : occursProblem("its wildcard");
  }

  #group(r: Particle, group: ModelGroup, b: Particle): string | undefined {
    if (b.term.kind === "element")
      return `it has a ${group.compositor} where the base has the element ${b.term.name.local}.`;
    if (b.term.kind === "wildcard") return this.#groupInWildcard(r, group, b);
    const pair = `${group.compositor} ${b.term.compositor}`;
    switch (pair) {
      case "all all":
      case "sequence sequence":
        return rangeProblem(r, b, group) ?? this.#inOrder(group, b.term, true);
      case "choice choice":
        return rangeProblem(r, b, group) ?? this.#inOrder(group, b.term, false);
      case "sequence all":
        return rangeProblem(r, b, group) ?? this.#unordered(group, b.term);
      case "sequence choice":
        return this.#mapAndSum(r, group, b, b.term);
      default:
        return `it has a ${group.compositor} where the base has a ${b.term.compositor}.`;
    }
  }

  /** NSRecurseCheckCardinality. */
  #groupInWildcard(r: Particle, group: ModelGroup, b: Particle): string | undefined {
    for (const particle of group.particles) {
      const problem = this.problem(particle, { ...b, min: 0, max: "unbounded" });
      if (problem !== undefined) return problem;
    }
    return isWithin(totalRange(r), b) ? undefined : occursProblem(`its ${group.compositor}`);
  }

  /** Recurse and, without the requirement that what is left out may be absent, RecurseLax. */
  #inOrder(group: ModelGroup, base: ModelGroup, complete: boolean): string | undefined {
    let at = 0;
    for (const particle of group.particles) {
      let problem: string | undefined = `the base has no place for ${name(particle)}.`;
      for (; at < base.particles.length; at += 1) {
        const candidate = base.particles[at];
        if (candidate === undefined) break;
        const found = this.problem(particle, candidate);
        if (found === undefined) {
          problem = undefined;
          at += 1;
          break;
        }
        if (name(particle) === name(candidate)) problem = found;
        if (complete && !isEmptiable(candidate)) return problem;
      }
      if (problem !== undefined) return problem;
    }
    const missing = complete ? base.particles.slice(at).find((particle) => !isEmptiable(particle)) : undefined;
    return missing && `the base requires ${name(missing)}.`;
  }

  /** RecurseUnordered. */
  #unordered(group: ModelGroup, base: ModelGroup): string | undefined {
    const left = new Set(base.particles);
    for (const particle of group.particles) {
      const match = [...left].find((candidate) => this.problem(particle, candidate) === undefined);
      if (match === undefined) return `the base has no place for ${name(particle)}.`;
      left.delete(match);
    }
    const missing = [...left].find((particle) => !isEmptiable(particle));
    return missing && `the base requires ${name(missing)}.`;
  }

  /** MapAndSum. */
  #mapAndSum(r: Particle, group: ModelGroup, b: Particle, base: ModelGroup): string | undefined {
    for (const particle of group.particles) {
      if (!base.particles.some((candidate) => this.problem(particle, candidate) === undefined)) {
        return `the base has no place for ${name(particle)}.`;
      }
    }
    const count = group.particles.length;
    const sum: Range = { min: r.min * count, max: r.max === "unbounded" ? r.max : r.max * count };
    return isWithin(sum, b) ? undefined : occursProblem("its sequence");
  }
}

/** NameAndTypeOK. */
function elementProblem(
  r: Particle,
  element: ElementDeclaration,
  b: Particle,
  base: ElementDeclaration,
): string | undefined {
  const { local } = element.name;
  if (local !== base.name.local || element.name.namespace !== base.name.namespace) {
    return `it has ${local} where the base has ${base.name.local}.`;
  }
  if (!isWithin(r, b)) return occursProblem(local);
  if (element === base) return undefined;
  if (element.nillable && !base.nillable) return `${local} may be nil.`;
  if (!keepsFixedValue(base.type, base.valueConstraint, element.valueConstraint)) {
    return `${local} is not fixed as "${base.valueConstraint?.value}".`;
  }
  for (const method of base.block) if (!element.block.has(method)) return `${local} does not block ${method}.`;
  const methods = derivationMethods(element.type, base.type);
  if (methods === undefined) return `the type of ${local} does not derive from the base's.`;
  return methods.has("extension") ? `the type of ${local} extends the base's.` : undefined;
}

/** Takes pointless groups away (§3.9.6): a group of one, and groups directly in groups of their kind. */
function simplified(particle: Particle): Particle {
  const { term } = particle;
  if (term.kind !== "modelGroup") return particle;
  const [only, ...others] = term.particles;
  if (only !== undefined && others.length === 0 && particle.min === 1 && particle.max === 1) return simplified(only);
  if (!term.particles.some((inner) => isPointless(inner, term))) return particle;
  const particles = term.particles.flatMap((inner) => flattened(inner, term));
  return { ...particle, group: undefined, term: { ...term, particles } };
}

function flattened(particle: Particle, outer: ModelGroup): readonly Particle[] {
  const { term } = particle;
  if (term.kind !== "modelGroup" || !isPointless(particle, outer)) return [particle];
  return term.particles.flatMap((inner) => flattened(inner, outer));
}

function isPointless({ term, min, max }: Particle, outer: ModelGroup): boolean {
  if (term.kind !== "modelGroup" || min !== 1 || max !== 1) return false;
  if (term.particles.length === 0) return term.compositor !== "choice";
  return term.compositor === outer.compositor && term.compositor !== "all";
}

/** A head of a substitution group is a choice between it and its members (§3.9.6, erratum). */
function asChoice(particle: Particle): Particle {
  const { term } = particle;
  if (term.kind !== "element" || term.substitutes.length === 0) return particle;
  const members = term.abstract ? term.substitutes : [term, ...term.substitutes];
  const particles = members.map(
    (member): Particle => ({ ...particle, min: 1, max: 1, term: { ...member, substitutes: [] } }),
  );
  return {
    ...particle,
    term: { kind: "modelGroup", span: term.span, documentation: undefined, compositor: "choice", particles },
  };
}

function rangeProblem(r: Particle, b: Particle, group: ModelGroup): string | undefined {
  return isWithin(r, b) ? undefined : occursProblem(`its ${group.compositor}`);
}

function occursProblem(what: string): string {
  return `${what} may occur more or less often.`;
}

/** What simplifying a particle costs. */
function size({ term }: Particle): number {
  if (term.kind === "element") return term.substitutes.length;
  return term.kind === "modelGroup" ? term.particles.length : 0;
}

function name({ term }: Particle): string {
  if (term.kind === "element") return term.name.local;
  return term.kind === "wildcard" ? "a wildcard" : `a ${term.compositor}`;
}

/** Reports restrictions that allow what their bases do not (Part 1 §3.4.6, Derivation Valid (Restriction, Complex), 5). */
export function checkRestriction(
  { type, declaration }: ComplexTypeSource,
  resolution: Resolution,
  budget: Budget,
): void {
  const base = type.baseType;
  if (type.derivation !== "restriction" || base.kind !== "complexType" || base.builtin !== undefined) return;
  const problem = contentProblem();
  if (problem === undefined) return;
  resolution.diagnostics.breach("XSD051", declaration.content.base?.span ?? declaration.span, {
    message: `${type.name?.local ?? "The type"} is no restriction of ${base.name?.local ?? "its base"}: ${problem}`,
  });

  function contentProblem(): string | undefined {
    if (base.kind !== "complexType") return undefined;
    const { content } = type;
    const inherited = base.content;
    switch (content.kind) {
      case "simple":
        if (inherited.kind !== "simple" || derivationMethods(content.type, inherited.type) !== undefined)
          return undefined;
        return "its text is of another type.";
      case "empty":
        if (inherited.kind === "simple") return "the base has text.";
        return inherited.kind === "empty" || isEmptiable(inherited.particle)
          ? undefined
          : "the base requires elements.";
      default:
        if (inherited.kind === "empty") return isNothing(content.particle) ? undefined : "the base is empty.";
        if (inherited.kind === "simple") return undefined;
        return new ParticleRestriction(budget).problem(content.particle, inherited.particle);
    }
  }
}

function isNothing({
  term,
}: {
  readonly term: { readonly kind: string; readonly particles?: readonly unknown[] };
}): boolean {
  return term.particles?.length === 0;
}

/** Reports groups that are redefined without either holding or restricting what they redefine (Part 1 §4.2.2, src-redefine 6 and 7). */
export function checkRedefinitions(resolution: Resolution): void {
  for (const [group, { original, declaration }] of resolution.groupSources) {
    if (original === undefined) continue;
    const problem = groupProblem(group, original);
    if (problem !== undefined)
      report("group", { name: declaration.name.text, span: declaration.span, problem }, resolution);
  }
  for (const [group, { original, items, span }] of resolution.attributeGroupSources) {
    if (original === undefined) continue;
    const references = items.filter((item) => item === original).length;
    const problem = references === 1 ? undefined : attributesProblem(group, original, references);
    if (problem !== undefined) report("attribute group", { name: group.name.local, span, problem }, resolution);
  }
}

function groupProblem(group: BuildingGroup, original: BuildingGroup): string | undefined {
  const references = referencesTo(original, group.modelGroup.particles);
  const [reference] = references;
  if (reference === undefined) {
    return new ParticleRestriction(new Budget(100_000)).problem(whole(group), whole(original));
  }
  if (references.length > 1) return "it holds it more than once.";
  return reference.min === 1 && reference.max === 1 ? undefined : "it must hold it exactly once.";
}

function referencesTo(group: BuildingGroup, particles: readonly Particle[]): readonly Particle[] {
  return particles.flatMap((particle): readonly Particle[] => {
    if (particle.group === group) return [particle];
    const { term } = particle;
    return term.kind === "modelGroup" && particle.group === undefined ? referencesTo(group, term.particles) : [];
  });
}

function whole({ modelGroup, span }: BuildingGroup): Particle {
  return { min: 1, max: 1, term: modelGroup, group: undefined, span, documentation: undefined };
}

function attributesProblem(
  group: BuildingAttributeGroup,
  original: BuildingAttributeGroup,
  references: number,
): string | undefined {
  if (references > 1) return "it holds it more than once.";
  const inherited = new Map(original.attributeUses.map((use) => [attributeKey(use), use]));
  for (const use of group.attributeUses) {
    const { local, namespace } = use.declaration.name;
    const before = inherited.get(attributeKey(use));
    inherited.delete(attributeKey(use));
    if (before === undefined) {
      if (!allowsNamespace(original.attributeWildcard?.namespaces ?? [], namespace)) return `it adds ${local}.`;
    } else if (derivationMethods(use.declaration.type, before.declaration.type) === undefined) {
      return `the type of ${local} does not derive from the original's.`;
    }
  }
  const missing = [...inherited.values()].find((use) => use.required);
  return missing && `it leaves out ${missing.declaration.name.local}, which is required.`;
}

function report(
  what: string,
  { name, span, problem }: { readonly name: string; readonly span: Particle["span"]; readonly problem: string },
  resolution: Resolution,
): void {
  resolution.diagnostics.breach("XSD031", span, {
    message: `The ${what} ${name} neither holds nor restricts what it redefines: ${problem}`,
  });
}
