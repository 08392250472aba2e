import { clark } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import { anySimpleType, builtinTypes } from "./builtin-types.js";
import { findAttribute, findAttributeGroup, findType, nameIn, textContext } from "./lookup.js";
import { wildcardNamespaces } from "./relations.js";
import type {
  AttributeListSource,
  BuildingAttribute,
  BuildingAttributeGroup,
  BuildingSimpleType,
  OwnAttribute,
  Resolution,
  Scope,
} from "./resolution.js";
import type {
  ArrayType,
  AttributeUse,
  SimpleTypeDefinition,
  TypeContext,
  ValueConstraint,
  Wildcard,
} from "./schema-components.js";

/** Where a type is built: whose names it sees, and what owns it if it has no name. */
export interface Place {
  readonly scope: Scope;
  readonly context: TypeContext;
  readonly resolution: Resolution;
}

/** A simple type, still without what it refers to. */
export function startSimpleType(
  declaration: documents.SimpleTypeDefinition,
  { scope, context }: { readonly scope: Scope; readonly context: TypeContext | undefined },
): BuildingSimpleType {
  return {
    kind: "simpleType",
    span: declaration.span,
    documentation: declaration.documentation,
    name:
      context === undefined ? { namespace: scope.instance.namespace, local: declaration.name?.text ?? "" } : undefined,
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

/** Resolves base, item and member types; facets and what is inherited come once all types are there. */
export function completeSimpleType(
  type: BuildingSimpleType,
  declaration: documents.SimpleTypeDefinition,
  { scope, context, resolution }: Place,
): void {
  resolution.simpleTypes.set(type, { type, declaration, scope });
  const step = (name: string): Place => ({
    scope,
    context: { ...context, steps: [...context.steps, name] },
    resolution,
  });
  const { derivation } = declaration;
  switch (derivation.kind) {
    case "restriction":
      type.baseType = simpleTypeOf(derivation.base, step("base")) ?? anySimpleType;
      return;
    case "list":
      type.itemType = simpleTypeOf(derivation.item, step("item")) ?? anySimpleType;
      return;
    case "union":
      type.memberTypes = derivation.members
        .map((member, index) => simpleTypeOf(member, step(`member${index + 1}`)))
        .filter((member) => member !== undefined);
  }
}

/** The simple type that a reference or an anonymous definition gives; a complex type is reported. */
export function simpleTypeOf(
  given: documents.Reference | documents.SimpleTypeDefinition | undefined,
  { scope, context, resolution }: Place,
): SimpleTypeDefinition | undefined {
  if (given === undefined) return undefined;
  if ("kind" in given) {
    const type = startSimpleType(given, { scope, context });
    completeSimpleType(type, given, { scope, context, resolution });
    return type;
  }
  const type = findType(given, scope, resolution);
  if (type?.kind !== "complexType") return type;
  resolution.diagnostics.error("XSD040", given.span, {
    message: `${given.text} is a complex type, and a simple type is wanted here.`,
  });
  return undefined;
}

/** An attribute declaration, still without its type. */
export function startAttribute(
  declaration: documents.AttributeDeclaration,
  scope: Scope,
  where: "global" | "local",
): BuildingAttribute {
  const namespace = declaration.qualified ? scope.instance.namespace : "";
  return {
    kind: "attribute",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace, local: declaration.name.text },
    scope: where,
    type: anySimpleType,
    valueConstraint: plainConstraint(declaration.valueConstraint, scope),
  };
}

/** Resolves the type of an attribute; anySimpleType where it names none (Part 1 §3.2.2). */
export function completeAttribute(
  attribute: BuildingAttribute,
  declaration: documents.AttributeDeclaration,
  {
    scope,
    context,
    resolution,
  }: { readonly scope: Scope; readonly context: TypeContext; readonly resolution: Resolution },
): void {
  attribute.type = simpleTypeOf(declaration.type, { scope, context, resolution }) ?? anySimpleType;
  resolution.attributeSources.set(attribute, { declaration, scope });
}

/** An attribute group, still without its attributes. */
export function startAttributeGroup(
  declaration: documents.AttributeGroupDefinition,
  scope: Scope,
): BuildingAttributeGroup {
  return {
    kind: "attributeGroup",
    span: declaration.span,
    documentation: declaration.documentation,
    name: { namespace: scope.instance.namespace, local: declaration.name.text },
    attributeUses: [],
    attributeWildcard: undefined,
  };
}

/** The attributes that a type or group lists, references resolved. */
export function buildAttributeList(
  list: documents.AttributeList,
  span: documents.Declared["span"],
  {
    scope,
    context,
    resolution,
  }: { readonly scope: Scope; readonly context: TypeContext; readonly resolution: Resolution },
): AttributeListSource {
  const items: (OwnAttribute | BuildingAttributeGroup)[] = [];
  for (const item of list.attributes) {
    if (item.kind === "attributeGroupReference") {
      const group = findAttributeGroup(item.ref, scope, resolution);
      if (group !== undefined) items.push(group);
    } else {
      const use = buildUse(item, { scope, context, resolution });
      if (use !== undefined) items.push({ use, prohibited: item.use === "prohibited" });
    }
  }
  return { items, wildcard: list.wildcard && buildWildcard(list.wildcard, scope), span };
}

export function buildWildcard(wildcard: documents.Wildcard, scope: Scope): Wildcard {
  return {
    kind: "wildcard",
    span: wildcard.span,
    documentation: wildcard.documentation,
    namespaces: wildcardNamespaces(wildcard.namespaces, scope.instance.namespace),
    process: wildcard.process,
  };
}

export function plainConstraint(
  constraint: documents.ValueConstraint | undefined,
  scope: Scope,
): ValueConstraint | undefined {
  if (constraint === undefined) return undefined;
  const { kind, value, element } = constraint;
  return { kind, value: value.text, context: textContext(element, scope) };
}

function buildUse(
  use: documents.AttributeUse,
  {
    scope,
    context,
    resolution,
  }: { readonly scope: Scope; readonly context: TypeContext; readonly resolution: Resolution },
): AttributeUse | undefined {
  const common = {
    span: use.span,
    required: use.use === "required",
    arrayType: use.arrayType && buildArrayType(use.arrayType, scope, resolution),
  };
  if ("kind" in use.declaration) {
    const declaration = startAttribute(use.declaration, scope, "local");
    const steps = [...context.steps, use.declaration.name.text];
    completeAttribute(declaration, use.declaration, { scope, context: { ...context, steps }, resolution });
    const { documentation, valueConstraint } = declaration;
    return { ...common, declaration, documentation, valueConstraint };
  }
  const declaration = findAttribute(use.declaration, scope, resolution);
  if (declaration === undefined) return undefined;
  return {
    ...common,
    declaration,
    documentation: use.documentation ?? declaration.documentation,
    valueConstraint: plainConstraint(use.valueConstraint, scope) ?? declaration.valueConstraint,
  };
}

function buildArrayType(arrayType: documents.ArrayType, scope: Scope, resolution: Resolution): ArrayType {
  const name = nameIn(arrayType.name, scope);
  const key = clark(name.namespace, name.local);
  return {
    name,
    type: builtinTypes.get(key) ?? resolution.types.get(key),
    dimensions: arrayType.dimensions,
    span: arrayType.span,
  };
}
