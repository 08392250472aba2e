import { clark } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import type { Span } from "../../source/span.js";
import { anySimpleType, anyType } from "./builtin-types.js";
import { placeText } from "./declarations.js";
import { findElement, findGroup, findType, nameIn } from "./lookup.js";
import type {
  Building,
  BuildingComplexType,
  BuildingElement,
  BuildingGroup,
  BuildingSimpleType,
  GroupSource,
  Resolution,
  Scope,
} from "./resolution.js";
import {
  buildAttributeList,
  buildWildcard,
  completeSimpleType,
  type Place,
  plainConstraint,
  simpleTypeOf,
  startSimpleType,
} from "./resolve-attributes.js";
import type {
  IdentityConstraint,
  ModelGroup,
  Particle,
  SimpleTypeDefinition,
  TypeContext,
  TypeDefinition,
} from "./schema-components.js";

/** An element declaration, still without its type. */
export function startElement(
  declaration: documents.ElementDeclaration,
  scope: Scope,
  where: "global" | "local",
): BuildingElement {
  return {
    kind: "element",
    span: declaration.span,
    documentation: declaration.documentation,
    name: {
      namespace: where === "global" || declaration.qualified ? scope.instance.namespace : "",
      local: declaration.name.text,
    },
    scope: where,
    type: anyType,
    nillable: declaration.nillable,
    abstract: declaration.abstract,
    valueConstraint: plainConstraint(declaration.valueConstraint, scope),
    substitutionGroup: undefined,
    substitutes: [],
    block: declaration.block,
    final: declaration.final,
    identityConstraints: [],
  };
}

/** Resolves the type of an element, its head and its identity constraints. */
export function completeElement(
  element: BuildingElement,
  declaration: documents.ElementDeclaration,
  { scope, context, resolution }: Place,
): void {
  resolution.elementSources.set(element, { declaration, scope });
  element.type = typeOf(declaration.type, { scope, context, resolution }) ?? anyType;
  if (declaration.substitutionGroup !== undefined) {
    element.substitutionGroup = findElement(declaration.substitutionGroup, scope, resolution);
  }
  element.identityConstraints = declaration.identityConstraints.map((constraint) =>
    buildIdentityConstraint(constraint, scope, resolution),
  );
}

function typeOf(
  given: documents.Reference | documents.TypeDefinition | undefined,
  {
    scope,
    context,
    resolution,
  }: { readonly scope: Scope; readonly context: TypeContext; readonly resolution: Resolution },
): TypeDefinition | undefined {
  if (given === undefined) return undefined;
  if (!("kind" in given)) return findType(given, scope, resolution);
  if (given.kind === "simpleType") return simpleTypeOf(given, { scope, context, resolution });
  const type = startComplexType(given, { scope, context });
  completeComplexType(type, given, { scope, context, resolution });
  return type;
}

function buildIdentityConstraint(
  constraint: documents.IdentityConstraint,
  scope: Scope,
  resolution: Resolution,
): IdentityConstraint {
  const name = { namespace: scope.instance.namespace, local: constraint.name.text };
  const built: IdentityConstraint = {
    kind: constraint.kind,
    span: constraint.span,
    documentation: constraint.documentation,
    name,
    selector: constraint.selector,
    fields: constraint.fields,
    refer: constraint.refer && nameIn(constraint.refer.name, scope),
  };
  const key = clark(name.namespace, name.local);
  const before = resolution.identityConstraints.get(key);
  if (before === undefined) resolution.identityConstraints.set(key, built);
  else {
    resolution.diagnostics.error("XSD052", constraint.name.span, {
      message: `The name ${name.local} is taken by the identity constraint at ${placeText(before.span)}.`,
    });
  }
  return built;
}

/** A complex type, still without what it refers to. */
export function startComplexType(
  declaration: documents.ComplexTypeDefinition,
  { scope, context }: { readonly scope: Scope; readonly context: TypeContext | undefined },
): BuildingComplexType {
  return {
    kind: "complexType",
    span: declaration.span,
    documentation: declaration.documentation,
    name:
      context === undefined ? { namespace: scope.instance.namespace, local: declaration.name?.text ?? "" } : undefined,
    context,
    builtin: undefined,
    derivedTypes: [],
    baseType: anyType,
    derivation: declaration.content.derivation,
    abstract: declaration.abstract,
    block: declaration.block,
    final: declaration.final,
    attributeUses: [],
    attributeWildcard: undefined,
    content: { kind: "empty" },
    extension: undefined,
  };
}

/** Resolves the base, the particles and the attributes; what is inherited comes once all types are there. */
export function completeComplexType(
  type: BuildingComplexType,
  declaration: documents.ComplexTypeDefinition,
  place: Place,
): void {
  const { content } = declaration;
  const { scope, context, resolution } = place;
  type.baseType = baseOf(content, declaration, place);
  const inContent: Place = { scope, context: { ...context, steps: [...context.steps, "content"] }, resolution };
  let restricted: BuildingSimpleType | undefined;
  let contentType: BuildingSimpleType | undefined;
  if (content.kind === "simpleContent" && content.derivation === "restriction") {
    if (content.restricted !== undefined) {
      restricted = startSimpleType(content.restricted, inContent);
      completeSimpleType(restricted, content.restricted, inContent);
    }
    if (content.facets.length > 0) {
      contentType = startContentType(content, restricted === undefined ? inContent.context : outer(inContent.context));
      resolution.simpleTypes.set(contentType, { type: contentType, declaration: content, scope });
    }
  }
  const list = buildAttributeList(declaration.list, declaration.span, place);
  const particle =
    content.kind === "complexContent" && content.particle !== undefined
      ? buildParticle(content.particle, { ...place, references: [], top: true })
      : undefined;
  resolution.complexTypes.set(type, { type, scope, declaration, particle, list, contentType, restricted });
}

function baseOf(
  content: documents.ComplexContent | documents.SimpleContent,
  declaration: documents.ComplexTypeDefinition,
  { scope, resolution }: Place,
): TypeDefinition {
  if (content.base === undefined) return anyType;
  const base = findType(content.base, scope, resolution);
  if (base === undefined) return content.kind === "simpleContent" ? anySimpleType : anyType;
  const simpleBase = base.kind === "simpleType";
  if (simpleBase && (content.kind === "complexContent" || content.derivation === "restriction")) {
    // §3.4.3: only an extension with simple content starts from a simple type.
    resolution.diagnostics.error("XSD040", content.base.span, {
      message: `${content.base.text} is a simple type; ${declaration.name?.text ?? "a complex type"} can only extend it with simple content.`,
      help: "Use <simpleContent><extension>.",
    });
    return content.kind === "simpleContent" ? base : anyType;
  }
  return base;
}

/** The type that facets in a restriction with simple content make (Part 1 §3.4.2); its base comes with the type's. */
function startContentType(content: documents.SimpleContent, context: TypeContext): BuildingSimpleType {
  const base: SimpleTypeDefinition = anySimpleType;
  return {
    kind: "simpleType",
    span: content.span,
    documentation: undefined,
    name: undefined,
    context,
    builtin: undefined,
    derivedTypes: [],
    baseType: base,
    derivation: "restriction",
    variety: "atomic",
    primitive: undefined,
    itemType: undefined,
    memberTypes: [],
    facets: [],
    final: new Set(),
  };
}

/** Beside a type at `content`, the one with the facets stands at `content/facets`. */
function outer(context: TypeContext): TypeContext {
  return { ...context, steps: [...context.steps, "facets"] };
}

/** Where particles are built, and the groups that they refer to, for the search for cycles. */
interface ParticlePlace extends Place {
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
function buildParticle(particle: documents.Particle, place: ParticlePlace): Particle | undefined {
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
