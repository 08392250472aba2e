import { limitHelp } from "../../source/source-limits.js";
import { anySimpleType, anyType } from "./builtin-types.js";
import { completeTypeAttributes } from "./complete-attributes.js";
import { completeSimpleType } from "./complete-simple-types.js";
import {
  type Building,
  type BuildingComplexType,
  type BuildingGroup,
  type ComplexTypeSource,
  inDependencyOrder,
  type Resolution,
} from "./resolution.js";
import type { Content, ModelGroup, Particle, TypeDefinition } from "./schema-components.js";
import type { SimpleValues } from "./simple-values.js";

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

/** Gives complex types what they inherit, bases first; a type that derives from itself is reported (Part 1 §3.4.6). Returns them in that order. */
export function completeComplexTypes(resolution: Resolution, values: SimpleValues): readonly ComplexTypeSource[] {
  const depths = new Map<TypeDefinition, number>();
  const ordered = inDependencyOrder(resolution.complexTypes.values(), (source) => {
    const to = resolution.complexTypes.get(source.type.baseType);
    return to === undefined ? [] : [{ to, cut: () => cut(source, resolution) }];
  });
  for (const source of ordered) {
    const { type } = source;
    const depth = (depths.get(type.baseType) ?? 0) + 1;
    depths.set(type, depth);
    if (depth > resolution.limits.inheritance) {
      if (depth === resolution.limits.inheritance + 1) reportDepth(type, resolution);
      type.baseType = anyType;
      type.derivation = "restriction";
    }
    completeTypeAttributes(type, source.list, resolution);
    type.content = contentOf(source, resolution, values);
    checkFinal(source, resolution);
  }
  return ordered;
}

function contentOf(source: ComplexTypeSource, resolution: Resolution, values: SimpleValues): Content {
  const { content } = source.declaration;
  if (content.kind === "simpleContent") return simpleContent(source, resolution, values);
  const own = isEmpty(source.particle) ? undefined : source.particle;
  if (content.derivation === "extension" && content.base !== undefined) {
    return extendedContent(source, { own, mixed: content.mixed }, resolution);
  }
  const base = source.type.baseType;
  if (base.kind === "complexType" && base.content.kind === "simple") {
    report(source, "A type with complex content cannot restrict one with simple content.", resolution);
  }
  if (content.mixed && base.kind === "complexType" && base.builtin === undefined && base.content.kind === "elements") {
    report(source, "A restriction is mixed, and its base is not.", resolution);
  }
  return plainContent(own, content.mixed, source);
}

/** Part 1 §3.4.2, simple content. */
function simpleContent(
  { type, declaration, contentType, restricted, scope }: ComplexTypeSource,
  resolution: Resolution,
  values: SimpleValues,
): Content {
  const base = type.baseType;
  const inherited = base.kind === "simpleType" ? base : base.content.kind === "simple" ? base.content.type : undefined;
  const fromMixed = base.kind === "complexType" && base.content.kind === "mixed" && restricted !== undefined;
  if (inherited === undefined && !fromMixed) {
    report({ type, declaration }, "The base has no simple content.", resolution);
  }
  const start = restricted ?? inherited ?? anySimpleType;
  if (contentType === undefined) return { kind: "simple", type: start };
  contentType.baseType = start;
  const source = resolution.simpleTypes.get(contentType);
  if (source !== undefined) completeSimpleType({ ...source, scope }, resolution, values);
  return { kind: "simple", type: contentType };
}

/** Part 1 §3.4.2, an extension's content: the base's, then its own. */
function extendedContent(
  source: ComplexTypeSource,
  { own, mixed }: { readonly own: Particle | undefined; readonly mixed: boolean },
  resolution: Resolution,
): Content {
  const { type } = source;
  const base = type.baseType.kind === "complexType" ? type.baseType.content : undefined;
  type.extension = own;
  if (base === undefined || base.kind === "empty") return plainContent(own, mixed, source);
  if (base.kind === "simple") {
    if (own === undefined) return base;
    report(source, "A type with simple content cannot be extended by elements.", resolution);
    return plainContent(own, mixed, source);
  }
  if (own === undefined && !mixed) return base;
  if ((base.kind === "mixed") !== mixed) {
    // A base that is anyType may stand in for one that is not known.
    if (type.baseType !== anyType) {
      resolution.diagnostics.breach("XSD040", source.declaration.content.base?.span ?? source.declaration.span, {
        message: mixed ? "The type is mixed, and its base is not." : "The base is mixed, and the type is not.",
        help: "Give both the same mixed; what is read is mixed.",
      });
    }
  }
  const kind = mixed || base.kind === "mixed" ? "mixed" : "elements";
  if (own === undefined) return { kind, particle: base.particle };
  if (isAll(base.particle) || isAll(own)) {
    // What anyType stands in for may be empty: that the base is not known has been told.
    if (type.baseType === anyType && source.declaration.content.base?.name.local !== "anyType") {
      return plainContent(own, mixed, source);
    }
    resolution.diagnostics.unresolved("XSD047", own.span, {
      message: "An <all> must be the whole content; it can neither extend another content nor be extended.",
      instead: "Its elements are the base's and its own.",
    });
  }
  return { kind, particle: inSequence([base.particle, own], source) };
}

function plainContent(own: Particle | undefined, mixed: boolean, source: Pick<ComplexTypeSource, "type">): Content {
  if (mixed) return { kind: "mixed", particle: own ?? inSequence([], source) };
  return own === undefined ? { kind: "empty" } : { kind: "elements", particle: own };
}

function inSequence(particles: readonly Particle[], { type }: Pick<ComplexTypeSource, "type">): Particle {
  const { span } = type;
  const term: ModelGroup = { kind: "modelGroup", span, documentation: undefined, compositor: "sequence", particles };
  return { min: 1, max: 1, term, group: undefined, span, documentation: undefined };
}

/** Part 1 §3.4.2: a group that holds nothing is no content; an empty choice that must occur is one that nothing satisfies. */
function isEmpty(particle: Particle | undefined): boolean {
  if (particle === undefined) return true;
  const { term, min } = particle;
  if (term.kind !== "modelGroup" || term.particles.length > 0) return false;
  return term.compositor !== "choice" || min === 0;
}

function isAll(particle: Particle): boolean {
  return particle.term.kind === "modelGroup" && particle.term.compositor === "all";
}

function checkFinal({ type, declaration }: ComplexTypeSource, resolution: Resolution): void {
  const base = type.baseType;
  const forbidden: ReadonlySet<string> = base.final;
  if (!forbidden.has(type.derivation)) return;
  resolution.diagnostics.error("XSD041", declaration.content.base?.span ?? declaration.span, {
    message: `The type ${base.name?.local ?? "it derives from"} is final for ${type.derivation}.`,
  });
}

function cut({ type, declaration }: ComplexTypeSource, resolution: Resolution): void {
  resolution.diagnostics.error("XSD032", declaration.content.base?.span ?? declaration.span, {
    message: `The type ${type.name?.local ?? "here"} derives from itself.`,
  });
  type.baseType = anyType;
  type.derivation = "restriction";
}

function reportDepth(type: BuildingComplexType, resolution: Resolution): void {
  const limit = resolution.limits.inheritance;
  resolution.diagnostics.error("XSD033", type.span, {
    message: `More than ${limit} types derive from each other.`,
    help: limitHelp("inheritance", resolution.limits),
  });
}

function report(
  { declaration }: Pick<ComplexTypeSource, "type" | "declaration">,
  message: string,
  resolution: Resolution,
): void {
  resolution.diagnostics.error("XSD040", declaration.content.base?.span ?? declaration.span, { message });
}
