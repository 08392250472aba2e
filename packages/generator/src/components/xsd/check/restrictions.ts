import { Budget } from "../../../source/source-limits.js";
import { attributeKey } from "../complete/attributes.js";
import { allowsNamespace, derivationMethods, isEmptiable } from "../relations.js";
import type { ComplexTypeSource, MutableAttributeGroup, MutableGroup, Resolution } from "../resolution.js";
import type { Content, Particle } from "../schema-components.js";
import { ParticleRestriction } from "./particle-restriction.js";

/** Reports restrictions that allow content that their bases do not (Part 1 §3.4.6, Derivation Valid (Restriction, Complex), 5). */
export function checkRestriction(
  { type, declaration }: ComplexTypeSource,
  resolution: Resolution,
  budget: Budget,
): void {
  const base = type.baseType;
  if (type.derivation !== "restriction" || base.kind !== "complexType" || base.builtin !== undefined) {
    return;
  }
  const problem = contentProblem(type.content, base.content, budget);
  if (problem !== undefined) {
    resolution.diagnostics.violation("XSD051", declaration.content.base?.span ?? declaration.span, {
      message: `${type.name?.local ?? "The type"} is not a restriction of ${base.name?.local ?? "its base"}: ${problem}`,
    });
  }
}

function contentProblem(content: Content, base: Content, budget: Budget): string | undefined {
  switch (content.kind) {
    case "simple": {
      const differs = base.kind === "simple" && derivationMethods(content.type, base.type) === undefined;
      return differs ? "its text is of another type." : undefined;
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
        : new ParticleRestriction(budget).problem(content.particle, base.particle);
  }
}

function isEmptyGroup({ term }: Particle): boolean {
  return term.kind === "modelGroup" && term.particles.length === 0;
}

/** Reports groups that neither contain nor restrict the group that they redefine (Part 1 §4.2.2, src-redefine 6 and 7). */
export function checkRedefinitions(resolution: Resolution): void {
  for (const [group, { original, declaration }] of resolution.groupSources) {
    if (original === undefined) {
      continue;
    }
    const problem = groupProblem(group, original);
    if (problem !== undefined) {
      report("group", { name: declaration.name.text, span: declaration.span, problem }, resolution);
    }
  }
  for (const [group, { original, items, span }] of resolution.attributeGroupSources) {
    if (original === undefined) {
      continue;
    }
    const references = items.filter((item) => item === original).length;
    const problem = references === 1 ? undefined : attributesProblem(group, original, references);
    if (problem !== undefined) {
      report("attribute group", { name: group.name.local, span, problem }, resolution);
    }
  }
}

function groupProblem(group: MutableGroup, original: MutableGroup): string | undefined {
  const references = referencesTo(original, group.modelGroup.particles);
  const [reference] = references;
  if (reference === undefined) {
    return new ParticleRestriction(new Budget(100_000)).problem(asParticle(group), asParticle(original));
  }
  if (references.length > 1) {
    return "it refers to it more than once.";
  }
  return reference.min === 1 && reference.max === 1 ? undefined : "it must refer to it exactly once.";
}

function referencesTo(group: MutableGroup, particles: readonly Particle[]): readonly Particle[] {
  return particles.flatMap((particle): readonly Particle[] => {
    if (particle.group === group) {
      return [particle];
    }
    const { term } = particle;
    return term.kind === "modelGroup" && particle.group === undefined ? referencesTo(group, term.particles) : [];
  });
}

function asParticle({ modelGroup, span }: MutableGroup): Particle {
  return { min: 1, max: 1, term: modelGroup, group: undefined, span, documentation: undefined };
}

function attributesProblem(
  group: MutableAttributeGroup,
  original: MutableAttributeGroup,
  references: number,
): string | undefined {
  if (references > 1) {
    return "it refers to it more than once.";
  }
  const inherited = new Map(original.attributeUses.map((use) => [attributeKey(use), use]));
  for (const use of group.attributeUses) {
    const { local, namespace } = use.declaration.name;
    const originalUse = inherited.get(attributeKey(use));
    inherited.delete(attributeKey(use));
    if (originalUse === undefined) {
      if (!allowsNamespace(original.attributeWildcard?.namespaces ?? [], namespace)) {
        return `it adds ${local}.`;
      }
    } else if (derivationMethods(use.declaration.type, originalUse.declaration.type) === undefined) {
      return `the type of ${local} does not derive from the original's.`;
    }
  }
  const missing = [...inherited.values()].find((use) => use.required);
  return missing && `it leaves out ${missing.declaration.name.local}, which is required.`;
}

function report(
  noun: string,
  { name, span, problem }: { readonly name: string; readonly span: Particle["span"]; readonly problem: string },
  resolution: Resolution,
): void {
  resolution.diagnostics.violation("XSD031", span, {
    message: `The ${noun} ${name} neither contains nor restricts the original: ${problem}`,
  });
}
