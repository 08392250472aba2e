import type * as documents from "../../read/xsd/documents.js";
import type { SimpleTypeDefinition, TypeContext, TypeDefinition } from "../xsd-model.js";
import { buildAttributeList } from "./build-attributes.js";
import { buildParticle } from "./build-particles.js";
import { completeSimpleType, type Place, startSimpleType } from "./build-simple-types.js";
import type { BuildingComplexType, BuildingSimpleType } from "./building.js";
import { anySimpleType, anyType } from "./builtin-types.js";
import { findType } from "./lookup.js";
import type { Scope } from "./resolution.js";

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
