import { clark } from "@bothends/xml";
import type * as documents from "../../../read/xsd/documents.js";
import type { Span } from "../../../source/span.js";
import { isSoapEncoding, xsdNamespace } from "../../../source/xml-names.js";
import { findAttribute, findAttributeGroup, findType } from "../find-components.js";
import { getWildcardNamespaces } from "../relations.js";
import {
  type AttributeListSource,
  createTextContext,
  type DeclaredAttribute,
  getNameInScope,
  type MutableAttribute,
  type MutableAttributeGroup,
  type MutableSimpleType,
  type Resolution,
  type Scope,
} from "../resolution.js";
import {
  type ArrayType,
  type AttributeUse,
  anySimpleType,
  builtinTypes,
  type SimpleTypeDefinition,
  type TypeContext,
  type TypeDefinition,
  unknownSimpleType,
  type ValueConstraint,
  type Wildcard,
} from "../schema-components.js";

/** The context for resolving the references in a declaration. */
export interface ResolveContext {
  readonly scope: Scope;
  /**
   * The context of anonymous types in the declaration: the global component that contains them, and the steps from it
   * to a type.
   */
  readonly context: TypeContext;
  readonly resolution: Resolution;
}

/** Returns the context of a declaration that is nested in another. */
export function createNestedContext(outer: ResolveContext, step: string): ResolveContext {
  return { ...outer, context: { ...outer.context, steps: [...outer.context.steps, step] } };
}

/** Creates a simple type; `resolveSimpleType` then resolves its references. */
export function declareSimpleType(
  declaration: documents.SimpleTypeDefinition,
  { scope, context }: { readonly scope: Scope; readonly context: TypeContext | undefined },
): MutableSimpleType {
  return {
    kind: "simpleType",
    span: declaration.span,
    documentation: declaration.documentation,
    name:
      context === undefined ? { namespace: scope.document.namespace, local: declaration.name?.text ?? "" } : undefined,
    context,
    builtin: undefined,
    derivedTypes: [],
    baseType: anySimpleType,
    derivation: declaration.derivation.kind,
    variety: "atomic",
    primitive: undefined,
    itemType: undefined,
    memberTypes: [],
    facets: [],
    final: declaration.final,
  };
}

/**
 * Resolves the base, item or member types of a simple type. Facets and inherited properties are set later, when all
 * types are resolved.
 */
export function resolveSimpleType(
  type: MutableSimpleType,
  declaration: documents.SimpleTypeDefinition,
  context: ResolveContext,
): void {
  context.resolution.simpleTypes.set(type, { type, declaration, scope: context.scope });
  const { derivation } = declaration;
  switch (derivation.kind) {
    case "restriction":
      type.baseType =
        resolveSimpleTypeReference(derivation.base, createNestedContext(context, "base")) ?? unknownSimpleType;
      return;
    case "list":
      type.itemType =
        resolveSimpleTypeReference(derivation.item, createNestedContext(context, "item")) ?? anySimpleType;
      return;
    case "union":
      type.memberTypes = derivation.members
        .map((member, index) => resolveSimpleTypeReference(member, createNestedContext(context, `member${index + 1}`)))
        .filter((member) => member !== undefined);
  }
}

/**
 * Resolves the simple type in a declaration: a reference to a type, or an anonymous type. Reports a reference to a
 * complex type.
 */
export function resolveSimpleTypeReference(
  declaredType: documents.Reference | documents.SimpleTypeDefinition | undefined,
  context: ResolveContext,
): SimpleTypeDefinition | undefined {
  if (declaredType === undefined) {
    return undefined;
  }
  if ("kind" in declaredType) {
    const type = declareSimpleType(declaredType, context);
    resolveSimpleType(type, declaredType, context);
    return type;
  }
  const type = findType(declaredType, context.scope, context.resolution);
  if (type?.kind !== "complexType") {
    return type;
  }
  const message = `The type "${declaredType.text}" is complex, but a simple type is required here.`;
  const simpleType = findSimpleTypeOfEncoding(type);
  if (simpleType === undefined) {
    context.resolution.diagnostics.unresolved("XSD040", declaredType.span, {
      message,
      fallback: "The type is read as anySimpleType.",
    });
  } else {
    context.resolution.diagnostics.violation("XSD040", declaredType.span, {
      message: `${message} It is read as ${simpleType.name?.local}.`,
      help: `Use xs:${simpleType.name?.local}.`,
    });
  }
  return simpleType;
}

/**
 * Returns the simple type that a complex type of the SOAP encoding extends: `xs:int` for `soapenc:int` (SOAP 1.1
 * §5.2.1).
 */
function findSimpleTypeOfEncoding({ name }: TypeDefinition): SimpleTypeDefinition | undefined {
  const builtin =
    name !== undefined && isSoapEncoding(name) ? builtinTypes.get(clark(xsdNamespace, name.local)) : undefined;
  return builtin?.kind === "simpleType" ? builtin : undefined;
}

/** Creates an attribute; `resolveAttribute` then resolves its type. */
export function declareAttribute(
  declaration: documents.AttributeDeclaration,
  scope: Scope,
  level: "global" | "local",
): MutableAttribute {
  const namespace = declaration.isQualified ? scope.document.namespace : "";
  return {
    kind: "attribute",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace, local: declaration.name.text },
    scope: level,
    type: anySimpleType,
    valueConstraint: resolveValueConstraint(declaration.valueConstraint, scope),
  };
}

/** Resolves the type of an attribute, which is anySimpleType by default (Part 1 §3.2.2). */
export function resolveAttribute(
  attribute: MutableAttribute,
  declaration: documents.AttributeDeclaration,
  context: ResolveContext,
): void {
  attribute.type = resolveSimpleTypeReference(declaration.type, context) ?? anySimpleType;
  context.resolution.attributeSources.set(attribute, { declaration, scope: context.scope });
}

/** Creates an attribute group, whose attributes are set when all groups are resolved. */
export function declareAttributeGroup(
  declaration: documents.AttributeGroupDefinition,
  scope: Scope,
): MutableAttributeGroup {
  return {
    kind: "attributeGroup",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace: scope.document.namespace, local: declaration.name.text },
    attributeUses: [],
    attributeWildcard: undefined,
  };
}

/** Resolves the references in the attribute list of a type or group. */
export function resolveAttributeList(
  list: documents.AttributeList,
  span: Span,
  context: ResolveContext,
): AttributeListSource {
  const { scope, resolution } = context;
  const items: (DeclaredAttribute | MutableAttributeGroup)[] = [];
  for (const item of list.attributes) {
    if (item.kind === "attributeGroupReference") {
      const group = findAttributeGroup(item.ref, scope, resolution);
      if (group !== undefined) {
        items.push(group);
      }
    } else {
      const use = resolveUse(item, context);
      if (use !== undefined) {
        items.push({ use, prohibited: item.use === "prohibited" });
      }
    }
  }
  return { items, wildcard: list.wildcard && resolveWildcard(list.wildcard, scope), span };
}

/** Resolves the namespaces of a wildcard, such as `##targetNamespace`. */
export function resolveWildcard(wildcard: documents.Wildcard, scope: Scope): Wildcard {
  return {
    kind: "wildcard",
    span: wildcard.span,
    documentation: wildcard.documentation,
    namespaces: getWildcardNamespaces(wildcard.namespaces, scope.document.namespace),
    processContents: wildcard.processContents,
  };
}

/** Resolves a default or fixed value, with the namespaces for the prefixes in it. */
export function resolveValueConstraint(
  constraint: documents.ValueConstraint | undefined,
  scope: Scope,
): ValueConstraint | undefined {
  if (constraint === undefined) {
    return undefined;
  }
  const { kind, value, element } = constraint;
  return { kind, value: value.text, context: createTextContext(element, scope) };
}

function resolveUse(use: documents.AttributeUse, context: ResolveContext): AttributeUse | undefined {
  const { scope, resolution } = context;
  const commonProperties = {
    span: use.span,
    required: use.use === "required",
    arrayType: use.arrayType && resolveArrayType(use.arrayType, scope, resolution),
  };
  if ("kind" in use.declaration) {
    const declaration = declareAttribute(use.declaration, scope, "local");
    resolveAttribute(declaration, use.declaration, createNestedContext(context, use.declaration.name.text));
    const { documentation, valueConstraint } = declaration;
    return { ...commonProperties, declaration, documentation, valueConstraint };
  }
  const declaration = findAttribute(use.declaration, scope, resolution);
  if (declaration === undefined) {
    return undefined;
  }
  return {
    ...commonProperties,
    declaration,
    documentation: use.documentation ?? declaration.documentation,
    valueConstraint: resolveValueConstraint(use.valueConstraint, scope) ?? declaration.valueConstraint,
  };
}

function resolveArrayType(arrayType: documents.ArrayType, scope: Scope, resolution: Resolution): ArrayType {
  const name = getNameInScope(arrayType.name, scope);
  const key = clark(name.namespace, name.local);
  return {
    name,
    type: builtinTypes.get(key) ?? resolution.types.get(key),
    dimensions: arrayType.dimensions,
    span: arrayType.span,
  };
}
