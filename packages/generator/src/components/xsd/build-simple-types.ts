import type * as documents from "../../read/xsd/documents.js";
import type { SimpleTypeDefinition, TypeContext } from "../xsd-model.js";
import type { BuildingSimpleType } from "./building.js";
import { anySimpleType } from "./builtin-types.js";
import { findType } from "./lookup.js";
import type { Resolution, Scope } from "./resolution.js";

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
