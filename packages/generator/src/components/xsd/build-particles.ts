import type * as documents from "../../read/xsd/documents.js";
import type { Span } from "../../source/span.js";
import type { ModelGroup, Particle } from "../xsd-model.js";
import { buildWildcard } from "./build-attributes.js";
import { completeElement, startElement } from "./build-elements.js";
import type { Place } from "./build-simple-types.js";
import type { Building, BuildingGroup } from "./building.js";
import { findElement, findGroup } from "./lookup.js";
import type { GroupSource, Scope } from "./resolution.js";

/** Where particles are built, and the groups that they refer to, for the search for cycles. */
export interface ParticlePlace extends Place {
  readonly references: { readonly group: BuildingGroup; readonly span: Span }[];
  /** Directly the content of a type: only there may a reference lead to an `all` (Part 1 §3.8.6, All Group Limited). */
  readonly top: boolean;
}

/** A named group, still without its particles. */
export function startGroup(declaration: documents.ModelGroupDefinition, scope: Scope): BuildingGroup {
  const { modelGroup } = declaration;
  return {
    kind: "group",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace: scope.instance.namespace, local: declaration.name.text },
    modelGroup: {
      kind: "modelGroup",
      span: modelGroup?.span ?? declaration.span,
      documentation: modelGroup?.documentation,
      compositor: modelGroup?.compositor ?? "sequence",
      particles: [],
    },
  };
}

/** Resolves the particles of a named group. */
export function completeGroup(
  group: BuildingGroup,
  declaration: documents.ModelGroupDefinition,
  place: Place & { readonly original: BuildingGroup | undefined },
): void {
  const references: GroupSource["references"][number][] = [];
  const { scope, context, resolution, original } = place;
  fill(group.modelGroup, declaration.modelGroup?.particles ?? [], {
    scope,
    context,
    resolution,
    references,
    top: false,
  });
  resolution.groupSources.set(group, { declaration, scope, references, original });
}

/** A particle with its term resolved; undefined where the term is unknown, which is reported. */
export function buildParticle(particle: documents.Particle, place: ParticlePlace): Particle | undefined {
  const { min, max, span, term } = particle;
  const documentation = particle.documentation;
  switch (term.kind) {
    case "element": {
      const element = startElement(term, place.scope, "local");
      const steps = [...place.context.steps, term.name.text];
      completeElement(element, term, { ...place, context: { ...place.context, steps } });
      return { min, max, term: element, group: undefined, span, documentation };
    }
    case "elementReference": {
      const element = findElement(term.ref, place.scope, place.resolution);
      return (
        element && {
          min,
          max,
          term: element,
          group: undefined,
          span,
          documentation: documentation ?? element.documentation,
        }
      );
    }
    case "wildcard":
      return { min, max, term: buildWildcard(term, place.scope), group: undefined, span, documentation };
    case "modelGroup":
      return { min, max, term: buildModelGroup(term, place), group: undefined, span, documentation };
    case "groupReference":
      return buildGroupReference(particle, term.ref, place);
  }
}

function buildGroupReference(
  particle: documents.Particle,
  ref: documents.Reference,
  place: ParticlePlace,
): Particle | undefined {
  const group = findGroup(ref, place.scope, place.resolution);
  if (group === undefined) return undefined;
  place.references.push({ group, span: ref.span });
  const { min, max, span } = particle;
  if (group.modelGroup.compositor === "all" && !(place.top && max === 1)) {
    place.resolution.diagnostics.error("XSD047", ref.span, {
      message: `The group ${ref.text} is an <all>, which ${place.top ? "must not repeat" : "must not stand in another group"}.`,
    });
  }
  const documentation = particle.documentation ?? group.documentation;
  return { min, max, term: group.modelGroup, group, span, documentation };
}

function buildModelGroup(declaration: documents.ModelGroup, place: ParticlePlace): ModelGroup {
  const group: Building<ModelGroup> = {
    kind: "modelGroup",
    span: declaration.span,
    documentation: declaration.documentation,
    compositor: declaration.compositor,
    particles: [],
  };
  fill(group, declaration.particles, { ...place, top: false });
  return group;
}

function fill(group: Building<ModelGroup>, declared: readonly documents.Particle[], place: ParticlePlace): void {
  const particles: Particle[] = [];
  for (const declaration of declared) {
    const particle = buildParticle(declaration, place);
    if (particle !== undefined) particles.push(particle);
  }
  group.particles = particles;
}
