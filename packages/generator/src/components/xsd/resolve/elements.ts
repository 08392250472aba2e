import { clark } from "@bothends/xml";
import type * as documents from "../../../read/xsd/documents.js";
import { formatPosition, type Span } from "../../../source/span.js";
import { findElement, findGroup, findType } from "../find-components.js";
import {
  type ComplexTypeSource,
  type GroupSource,
  getNameInScope,
  type Mutable,
  type MutableComplexType,
  type MutableElement,
  type MutableGroup,
  type MutableSimpleType,
  type Scope,
} from "../resolution.js";
import {
  anySimpleType,
  anyType,
  type IdentityConstraint,
  type ModelGroup,
  type Particle,
  type TypeContext,
  type TypeDefinition,
  unknownSimpleType,
} from "../schema-components.js";
import {
  createNestedContext,
  declareSimpleType,
  type ResolveContext,
  resolveAttributeList,
  resolveSimpleType,
  resolveSimpleTypeReference,
  resolveValueConstraint,
  resolveWildcard,
} from "./attributes.js";

/** Creates an element; `resolveElement` then resolves its references. */
export function declareElement(
  declaration: documents.ElementDeclaration,
  scope: Scope,
  level: "global" | "local",
): MutableElement {
  const namespace = level === "global" || declaration.isQualified ? scope.document.namespace : "";
  return {
    kind: "element",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace, local: declaration.name.text },
    scope: level,
    type: anyType,
    nillable: declaration.nillable,
    abstract: declaration.abstract,
    valueConstraint: resolveValueConstraint(declaration.valueConstraint, scope),
    substitutionGroup: undefined,
    substitutes: [],
    block: declaration.block,
    final: declaration.final,
    identityConstraints: [],
  };
}

/** Resolves the type, the substitution group and the identity constraints of an element. */
export function resolveElement(
  element: MutableElement,
  declaration: documents.ElementDeclaration,
  context: ResolveContext,
): void {
  const { scope, resolution } = context;
  resolution.elementSources.set(element, { declaration, scope });
  element.type = resolveType(declaration.type, context) ?? anyType;
  if (declaration.substitutionGroup !== undefined) {
    element.substitutionGroup = findElement(declaration.substitutionGroup, scope, resolution);
  }
  element.identityConstraints = declaration.identityConstraints.map((constraint) =>
    resolveIdentityConstraint(constraint, context),
  );
}

/** Resolves the type in a declaration: a reference to a type, or an anonymous type. */
function resolveType(
  source: documents.Reference | documents.TypeDefinition | undefined,
  context: ResolveContext,
): TypeDefinition | undefined {
  if (source === undefined) {
    return undefined;
  }
  if (!("kind" in source)) {
    return findType(source, context.scope, context.resolution);
  }
  if (source.kind === "simpleType") {
    return resolveSimpleTypeReference(source, context);
  }
  const type = declareComplexType(source, context);
  resolveComplexType(type, source, context);
  return type;
}

function resolveIdentityConstraint(
  declaration: documents.IdentityConstraint,
  { scope, resolution }: ResolveContext,
): IdentityConstraint {
  const name = { namespace: scope.document.namespace, local: declaration.name.text };
  const constraint: IdentityConstraint = {
    kind: declaration.kind,
    span: declaration.span,
    documentation: declaration.documentation,
    name,
    selector: declaration.selector,
    fields: declaration.fields,
    refer: declaration.refer && getNameInScope(declaration.refer.name, scope),
  };
  const key = clark(name.namespace, name.local);
  const earlierConstraint = resolution.identityConstraints.get(key);
  if (earlierConstraint === undefined) {
    resolution.identityConstraints.set(key, constraint);
  } else {
    resolution.diagnostics.error("XSD052", declaration.name.span, {
      message: `The identity constraint at ${formatPosition(earlierConstraint.span)} already has the name ${name.local}.`,
    });
  }
  return constraint;
}

/** Creates a complex type; `resolveComplexType` then resolves its references. */
export function declareComplexType(
  declaration: documents.ComplexTypeDefinition,
  { scope, context }: { readonly scope: Scope; readonly context: TypeContext | undefined },
): MutableComplexType {
  return {
    kind: "complexType",
    span: declaration.span,
    documentation: declaration.documentation,
    name:
      context === undefined ? { namespace: scope.document.namespace, local: declaration.name?.text ?? "" } : undefined,
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

/**
 * Resolves the base, particles and attributes of a complex type. Inherited properties are set later, when all types are
 * resolved.
 */
export function resolveComplexType(
  type: MutableComplexType,
  declaration: documents.ComplexTypeDefinition,
  context: ResolveContext,
): void {
  const { content, list, span } = declaration;
  const { scope, resolution } = context;
  type.baseType = resolveBase(content, context);
  const simpleContent = resolveSimpleContent(content, context);
  const attributes = resolveAttributeList(list, span, context);
  const particle =
    content.kind === "complexContent" && content.particle !== undefined
      ? resolveParticle(content.particle, {
          scope,
          resolution,
          context: context.context,
          references: [],
          isContent: true,
        })
      : undefined;
  resolution.complexTypes.set(type, { type, scope, declaration, particle, list: attributes, ...simpleContent });
}

function resolveBase(
  content: documents.ComplexContent | documents.SimpleContent,
  { scope, resolution }: ResolveContext,
): TypeDefinition {
  if (content.base === undefined) {
    return anyType;
  }
  const base = findType(content.base, scope, resolution);
  if (base === undefined) {
    return content.kind === "simpleContent" ? unknownSimpleType : anyType;
  }
  // §3.4.3: only an extension with simple content may have a simple type as its base.
  if (base.kind === "simpleType" && (content.kind === "complexContent" || content.derivation === "restriction")) {
    const message = `The type "${content.base.text}" is simple. A complex type can only extend it with simple content.`;
    const help = "Use <simpleContent><extension>.";
    if (content.kind === "complexContent" && content.derivation === "extension" && content.particle === undefined) {
      resolution.diagnostics.violation("XSD040", content.base.span, {
        message: `${message} The definition is read as an extension with simple content.`,
        help,
      });
      return base;
    }
    const fallback =
      content.kind === "simpleContent" ? "The type is read with simple content." : "The type is read without a base.";
    resolution.diagnostics.unresolved("XSD040", content.base.span, { message, help, fallback });
    return content.kind === "simpleContent" ? base : anyType;
  }
  return base;
}

/**
 * Creates the simple types of a restriction with simple content: the anonymous base, and the type that the facets
 * define.
 */
function resolveSimpleContent(
  content: documents.ComplexContent | documents.SimpleContent,
  outerContext: ResolveContext,
): Pick<ComplexTypeSource, "restrictedType" | "contentType"> {
  if (content.kind !== "simpleContent" || content.derivation !== "restriction") {
    return { restrictedType: undefined, contentType: undefined };
  }
  const context = createNestedContext(outerContext, "content");
  const restrictedType = content.restricted && declareSimpleType(content.restricted, context);
  if (restrictedType !== undefined && content.restricted !== undefined) {
    resolveSimpleType(restrictedType, content.restricted, context);
  }
  if (content.facets.length === 0) {
    return { restrictedType, contentType: undefined };
  }
  // If there is an anonymous base, it has the context `content`, so the type with the facets gets `content/facets`.
  const facetsContext = restrictedType === undefined ? context : createNestedContext(context, "facets");
  const contentType = declareContentType(content, facetsContext.context);
  const { scope, resolution } = context;
  resolution.simpleTypes.set(contentType, { type: contentType, declaration: content, scope });
  return { restrictedType, contentType };
}

/**
 * Creates the type that facets in simple content define (Part 1 §3.4.2). The type gets its base when the base of the
 * complex type is complete.
 */
function declareContentType(content: documents.SimpleContent, context: TypeContext): MutableSimpleType {
  return {
    kind: "simpleType",
    span: content.span,
    documentation: undefined,
    name: undefined,
    context,
    builtin: undefined,
    derivedTypes: [],
    baseType: anySimpleType,
    derivation: "restriction",
    variety: "atomic",
    primitive: undefined,
    itemType: undefined,
    memberTypes: [],
    facets: [],
    final: new Set(),
  };
}

/** Creates a named group; `resolveGroup` then resolves its particles. */
export function declareGroup(declaration: documents.ModelGroupDefinition, scope: Scope): MutableGroup {
  const { modelGroup } = declaration;
  return {
    kind: "group",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace: scope.document.namespace, local: declaration.name.text },
    modelGroup: {
      kind: "modelGroup",
      span: modelGroup?.span ?? declaration.span,
      documentation: modelGroup?.documentation,
      compositor: modelGroup?.compositor ?? "sequence",
      particles: [],
    },
  };
}

/**
 * Resolves the particles of a named group. `original` is the redefined group; undefined if the group is not a
 * redefinition.
 */
export function resolveGroup(
  group: MutableGroup,
  declaration: documents.ModelGroupDefinition,
  { original, ...context }: ResolveContext & { readonly original: MutableGroup | undefined },
): void {
  const references: GroupSource["references"][number][] = [];
  const particles = declaration.modelGroup?.particles ?? [];
  group.modelGroup.particles = resolveParticles(particles, { ...context, references, isContent: false });
  context.resolution.groupSources.set(group, { declaration, scope: context.scope, references, original });
}

interface ParticleContext extends ResolveContext {
  /** The references to groups found so far, which are checked for cycles later. */
  readonly references: { readonly group: MutableGroup; readonly span: Span }[];
  /**
   * Whether the particle is the content of a type. Only then may it be an `all` group (Part 1 §3.8.6, All Group
   * Limited).
   */
  readonly isContent: boolean;
}

/** Resolves the term of a particle. Reports an unknown term and returns undefined. */
function resolveParticle(particle: documents.Particle, context: ParticleContext): Particle | undefined {
  const { min, max, span, documentation, term } = particle;
  const group = undefined;
  switch (term.kind) {
    case "element": {
      const element = declareElement(term, context.scope, "local");
      // Only an anonymous type is identified by its position, so only such a type needs a nested context.
      const isAnonymous = term.type !== undefined && "kind" in term.type;
      resolveElement(element, term, isAnonymous ? createNestedContext(context, term.name.text) : context);
      return { min, max, span, documentation, group, term: element };
    }
    case "elementReference": {
      const element = findElement(term.ref, context.scope, context.resolution);
      return element && { min, max, span, documentation: documentation ?? element.documentation, group, term: element };
    }
    case "wildcard":
      return { min, max, span, documentation, group, term: resolveWildcard(term, context.scope) };
    case "modelGroup":
      return { min, max, span, documentation, group, term: resolveModelGroup(term, context) };
    case "groupReference":
      return resolveGroupReference(particle, term.ref, context);
  }
}

function resolveGroupReference(
  particle: documents.Particle,
  reference: documents.Reference,
  context: ParticleContext,
): Particle | undefined {
  const group = findGroup(reference, context.scope, context.resolution);
  if (group === undefined) {
    return undefined;
  }
  context.references.push({ group, span: reference.span });
  const { min, max, span } = particle;
  if (group.modelGroup.compositor === "all" && !(context.isContent && max === 1)) {
    context.resolution.diagnostics.unresolved("XSD047", reference.span, {
      message: `The group "${reference.text}" is an <all>, which ${context.isContent ? "must not repeat" : "must not be inside another group"}.`,
      fallback: "The group is read anyway.",
    });
  }
  const documentation = particle.documentation ?? group.documentation;
  return { min, max, term: group.modelGroup, group, span, documentation };
}

function resolveModelGroup(declaration: documents.ModelGroup, context: ParticleContext): Mutable<ModelGroup> {
  return {
    kind: "modelGroup",
    span: declaration.span,
    documentation: declaration.documentation,
    compositor: declaration.compositor,
    particles: resolveParticles(declaration.particles, { ...context, isContent: false }),
  };
}

function resolveParticles(declarations: readonly documents.Particle[], context: ParticleContext): readonly Particle[] {
  return declarations
    .map((declaration) => resolveParticle(declaration, context))
    .filter((particle) => particle !== undefined);
}
