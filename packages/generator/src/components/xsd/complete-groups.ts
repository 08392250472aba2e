import { limitHelp } from "../../source/limits.js";
import type { ModelGroup, Particle } from "../xsd-model.js";
import type { Building, BuildingGroup } from "./building.js";
import { inDependencyOrder } from "./cycles.js";
import type { Resolution } from "./resolution.js";

/** Reports groups that hold themselves (Part 1 §3.8.6, Circular Groups), and takes the step out that closes the circle. Returns groups after those that they refer to. */
export function completeGroups(resolution: Resolution): readonly BuildingGroup[] {
  const depths = new Map<BuildingGroup, number>();
  const ordered = inDependencyOrder(resolution.groupSources.keys(), (group) =>
    (resolution.groupSources.get(group)?.references ?? []).map(({ group: to, span }) => ({
      to,
      cut: () => {
        resolution.diagnostics.error("XSD032", span, { message: `The group ${group.name.local} holds itself.` });
        removeReferences(group.modelGroup, to);
      },
    })),
  );
  const { inheritance } = resolution.limits;
  for (const group of ordered) {
    const references = resolution.groupSources.get(group)?.references ?? [];
    const depth = 1 + Math.max(0, ...references.map((reference) => depths.get(reference.group) ?? 0));
    depths.set(group, depth);
    if (depth <= inheritance) continue;
    resolution.diagnostics.error("XSD033", group.span, {
      message: `More than ${inheritance} groups refer to each other in a chain.`,
      help: limitHelp("inheritance", resolution.limits),
    });
    group.modelGroup.particles = [];
    depths.set(group, 0);
  }
  return ordered;
}

/** Particles under a model group are still being built, so they may be replaced. */
function removeReferences(modelGroup: Building<ModelGroup>, group: BuildingGroup): void {
  modelGroup.particles = modelGroup.particles
    .filter((particle) => particle.group !== group)
    .map((particle) => withoutReferences(particle, group));
}

function withoutReferences(particle: Particle, group: BuildingGroup): Particle {
  const { term } = particle;
  if (term.kind !== "modelGroup" || particle.group !== undefined) return particle;
  const copy: Building<ModelGroup> = { ...term };
  removeReferences(copy, group);
  return { ...particle, term: copy };
}
