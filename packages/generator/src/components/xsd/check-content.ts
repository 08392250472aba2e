import { clark } from "@bothends/xml";
import { Budget } from "../../source/budget.js";
import { limitHelp } from "../../source/limits.js";
import type { Span } from "../../source/span.js";
import type { ElementDeclaration, ModelGroup, Particle, TypeDefinition } from "../xsd-model.js";
import type { BuildingGroup } from "./building.js";
import { checkAmbiguity } from "./check-ambiguity.js";
import { checkRestriction } from "./check-restriction.js";
import { Measures } from "./measure.js";
import type { ComplexTypeSource, Resolution } from "./resolution.js";
import { placeText } from "./symbols.js";

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
