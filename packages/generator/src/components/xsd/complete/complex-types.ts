import { describeLimitRemedy } from "../../../source/source-limits.js";
import type { Span } from "../../../source/span.js";
import {
  type ComplexTypeSource,
  type Mutable,
  type MutableGroup,
  type Resolution,
  reportInheritance,
  sortByDependency,
} from "../resolution.js";
import {
  anySimpleType,
  anyType,
  type Content,
  type ModelGroup,
  type Particle,
  type TypeDefinition,
} from "../schema-components.js";
import type { SimpleValues } from "../simple-values.js";
import { completeTypeAttributes } from "./attributes.js";
import { completeSimpleType } from "./simple-types.js";

/**
 * Sorts groups by their dependencies. Reports circular groups (Part 1 §3.8.6, Circular Groups), and removes the
 * references that make them circular.
 */
export function completeGroups(resolution: Resolution): readonly MutableGroup[] {
  const groupDepths = new Map<MutableGroup, number>();
  const orderedGroups = sortByDependency(resolution.groupSources.keys(), (group) =>
    (resolution.groupSources.get(group)?.references ?? []).map(({ group: usedGroup, span }) => ({
      node: usedGroup,
      remove: () => {
        resolution.diagnostics.unresolved("XSD032", span, {
          message: `The group "${group.name.local}" contains itself.`,
          fallback: "The reference is left out.",
        });
        removeReferences(group.modelGroup, usedGroup);
      },
    })),
  );
  const { inheritance } = resolution.limits;
  for (const group of orderedGroups) {
    const references = resolution.groupSources.get(group)?.references ?? [];
    const depth = 1 + Math.max(0, ...references.map((reference) => groupDepths.get(reference.group) ?? 0));
    groupDepths.set(group, depth);
    if (depth <= inheritance) {
      continue;
    }
    resolution.diagnostics.error("XSD033", group.span, {
      message: `A chain of references has more than ${inheritance} groups.`,
      ...describeLimitRemedy("inheritance", resolution.limits),
    });
    group.modelGroup.particles = [];
    groupDepths.set(group, 0);
  }
  return orderedGroups;
}

function removeReferences(modelGroup: Mutable<ModelGroup>, group: MutableGroup): void {
  modelGroup.particles = modelGroup.particles
    .filter((particle) => particle.group !== group)
    .map((particle) => withoutReferences(particle, group));
}

function withoutReferences(particle: Particle, group: MutableGroup): Particle {
  const { term } = particle;
  if (term.kind !== "modelGroup" || particle.group !== undefined) {
    return particle;
  }
  const copy: Mutable<ModelGroup> = { ...term };
  removeReferences(copy, group);
  return { ...particle, term: copy };
}

/**
 * Sets the inherited properties of complex types, bases first, and returns the types in this order. Reports circular
 * types (Part 1 §3.4.6).
 */
export function completeComplexTypes(resolution: Resolution, values: SimpleValues): readonly ComplexTypeSource[] {
  const depths = new Map<TypeDefinition, number>();
  const orderedTypes = sortByDependency(resolution.complexTypes.values(), (source) => {
    const base = resolution.complexTypes.get(source.type.baseType);
    return base === undefined ? [] : [{ node: base, remove: () => removeBase(source, resolution) }];
  });
  for (const source of orderedTypes) {
    const { type } = source;
    const depth = (depths.get(type.baseType) ?? 0) + 1;
    depths.set(type, depth);
    if (depth > resolution.limits.inheritance) {
      if (depth === resolution.limits.inheritance + 1) {
        reportInheritance(type, resolution);
      }
      type.baseType = anyType;
      type.derivation = "restriction";
    }
    completeTypeAttributes(type, source.list, resolution);
    type.content = completeContent(source, resolution, values);
    checkFinal(source, resolution);
  }
  return orderedTypes;
}

function completeContent(source: ComplexTypeSource, resolution: Resolution, values: SimpleValues): Content {
  const { content } = source.declaration;
  if (content.kind === "simpleContent" || source.type.baseType.kind === "simpleType") {
    return createSimpleContent(source, resolution, values);
  }
  const declaredParticle = isEmpty(source.particle) ? undefined : source.particle;
  // If the base of a type was removed, for example because it is circular, the type is treated as if it had no base.
  if (source.type.derivation === "extension" && content.base !== undefined) {
    return createExtendedContent(source, { addedContent: declaredParticle, mixed: content.mixed }, resolution);
  }
  const base = source.type.baseType;
  if (base.kind === "complexType" && base.content.kind === "simple") {
    reportDerivation(source, "A type with complex content cannot restrict a type with simple content.", resolution);
  }
  if (content.mixed && base.kind === "complexType" && base.builtin === undefined && base.content.kind === "elements") {
    reportDerivation(source, "The type is mixed, but the base that it restricts is not.", resolution);
  }
  return getDeclaredContent(declaredParticle, content.mixed, source);
}

/** Determines the type of simple content (Part 1 §3.4.2). The facets of a restriction may restrict it further. */
function createSimpleContent(
  { type, declaration, contentType, restrictedType, scope }: ComplexTypeSource,
  resolution: Resolution,
  values: SimpleValues,
): Content {
  const base = type.baseType;
  const inheritedType =
    base.kind === "simpleType" ? base : base.content.kind === "simple" ? base.content.type : undefined;
  const restrictsMixedContent =
    base.kind === "complexType" && base.content.kind === "mixed" && restrictedType !== undefined;
  if (inheritedType === undefined && !restrictsMixedContent) {
    reportDerivation({ declaration }, "The base has no simple content.", resolution);
  }
  const valueType = restrictedType ?? inheritedType ?? anySimpleType;
  if (contentType === undefined) {
    return { kind: "simple", type: valueType };
  }
  contentType.baseType = valueType;
  const source = resolution.simpleTypes.get(contentType);
  if (source !== undefined) {
    completeSimpleType({ ...source, scope }, resolution, values);
  }
  return { kind: "simple", type: contentType };
}

/** Returns the content of an extension: the content of its base, followed by the added content (Part 1 §3.4.2). */
function createExtendedContent(
  source: ComplexTypeSource,
  { addedContent, mixed }: { readonly addedContent: Particle | undefined; readonly mixed: boolean },
  resolution: Resolution,
): Content {
  const { type, declaration } = source;
  const base = type.baseType.kind === "complexType" ? type.baseType.content : undefined;
  type.extension = addedContent;
  if (base === undefined || base.kind === "empty") {
    return getDeclaredContent(addedContent, mixed, source);
  }
  if (base.kind === "simple") {
    if (addedContent === undefined) {
      return base;
    }
    reportDerivation(source, "A type with simple content cannot be extended with elements.", resolution);
    return getDeclaredContent(addedContent, mixed, source);
  }
  if (addedContent === undefined && !mixed) {
    return base;
  }
  // A base that is anyType is not checked, because anyType may replace an unknown base.
  if ((base.kind === "mixed") !== mixed && type.baseType !== anyType) {
    resolution.diagnostics.violation("XSD040", getBaseSpan(declaration), {
      message: mixed ? "The type is mixed, but its base is not." : "The base is mixed, but the type is not.",
      help: "Write the same value of `mixed` on both types. The type is read as mixed.",
    });
  }
  const kind = mixed || base.kind === "mixed" ? "mixed" : "elements";
  if (addedContent === undefined) {
    return { kind, particle: base.particle };
  }
  if (isAll(base.particle) || isAll(addedContent)) {
    // If the base is unknown, this was already reported. The content is accepted here, because the base may have empty
    // content, which `<all>` may extend.
    if (type.baseType === anyType && declaration.content.base?.name.local !== "anyType") {
      return getDeclaredContent(addedContent, mixed, source);
    }
    resolution.diagnostics.violation("XSD047", addedContent.span, {
      message: "An <all> must be the whole content; it can neither extend other content nor be extended.",
      help: "Use <sequence>. The elements of the base are read first, then those of the type.",
    });
  }
  return { kind, particle: getSequence([base.particle, addedContent], source) };
}

function getDeclaredContent(
  particle: Particle | undefined,
  mixed: boolean,
  source: Pick<ComplexTypeSource, "type">,
): Content {
  if (mixed) {
    return { kind: "mixed", particle: particle ?? getSequence([], source) };
  }
  return particle === undefined ? { kind: "empty" } : { kind: "elements", particle };
}

function getSequence(particles: readonly Particle[], { type }: Pick<ComplexTypeSource, "type">): Particle {
  const { span } = type;
  const term: ModelGroup = { kind: "modelGroup", span, documentation: undefined, compositor: "sequence", particles };
  return { min: 1, max: 1, term, group: undefined, span, documentation: undefined };
}

/**
 * Whether a particle is absent or an empty group (Part 1 §3.4.2). A required empty choice is not empty content: no
 * content matches it.
 */
function isEmpty(particle: Particle | undefined): boolean {
  if (particle === undefined) {
    return true;
  }
  const { term, min } = particle;
  if (term.kind !== "modelGroup" || term.particles.length > 0) {
    return false;
  }
  return term.compositor !== "choice" || min === 0;
}

function isAll(particle: Particle): boolean {
  return particle.term.kind === "modelGroup" && particle.term.compositor === "all";
}

function checkFinal({ type, declaration }: ComplexTypeSource, resolution: Resolution): void {
  const { name, final }: { name: TypeDefinition["name"]; final: ReadonlySet<string> } = type.baseType;
  if (final.has(type.derivation)) {
    resolution.diagnostics.error("XSD041", getBaseSpan(declaration), {
      message: `${name === undefined ? "The base type" : `The type "${name.local}"`} is final: it does not allow derivation by ${type.derivation}.`,
    });
  }
}

function removeBase({ type, declaration }: ComplexTypeSource, resolution: Resolution): void {
  resolution.diagnostics.unresolved("XSD032", getBaseSpan(declaration), {
    message: `${type.name === undefined ? "This type" : `The type "${type.name.local}"`} derives from itself.`,
    fallback: "The type is read without a base.",
  });
  type.baseType = anyType;
  type.derivation = "restriction";
}

function reportDerivation(
  { declaration }: Pick<ComplexTypeSource, "declaration">,
  message: string,
  resolution: Resolution,
): void {
  resolution.diagnostics.error("XSD040", getBaseSpan(declaration), { message });
}

function getBaseSpan({ content, span }: ComplexTypeSource["declaration"]): Span {
  return content.base?.span ?? span;
}
