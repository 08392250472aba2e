import { Budget } from "../../source/budget.js";
import type { Particle } from "../xsd-model.js";
import { attributeKey } from "./attribute-set.js";
import type { BuildingAttributeGroup, BuildingGroup } from "./building.js";
import { derivationMethods } from "./derivation.js";
import { ParticleRestriction } from "./particle-restriction.js";
import type { Resolution } from "./resolution.js";
import { allowsNamespace } from "./wildcards.js";

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
