import type { Budget } from "../../source/budget.js";
import type { ElementDeclaration, ModelGroup, Particle, Wildcard } from "../xsd-model.js";
import { derivationMethods } from "./derivation.js";
import { isEmptiable, isWithin, type Range, totalRange } from "./particles.js";
import { allowsNamespace, isSubset } from "./wildcards.js";

const processing = { skip: 0, lax: 1, strict: 2 } as const;

/** Tells whether one particle restricts another (Part 1 §3.9.6, Particle Valid (Restriction)). */
export class ParticleRestriction {
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
  const fixed = base.valueConstraint?.kind === "fixed" ? base.valueConstraint.value : undefined;
  if (fixed !== undefined && (element.valueConstraint?.kind !== "fixed" || element.valueConstraint.value !== fixed)) {
    return `${local} is not fixed as "${fixed}".`;
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
