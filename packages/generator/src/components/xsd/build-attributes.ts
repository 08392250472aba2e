import { clark } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import type { ArrayType, AttributeUse, TypeContext, ValueConstraint, Wildcard } from "../xsd-model.js";
import { simpleTypeOf } from "./build-simple-types.js";
import type { BuildingAttribute, BuildingAttributeGroup } from "./building.js";
import { anySimpleType, builtinTypes } from "./builtin-types.js";
import { findAttribute, findAttributeGroup, nameIn, textContext } from "./lookup.js";
import type { AttributeListSource, OwnAttribute, Resolution, Scope } from "./resolution.js";
import { wildcardNamespaces } from "./wildcards.js";

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
