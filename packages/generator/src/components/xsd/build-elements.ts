import { clark } from "@bothends/xml";
import type * as documents from "../../read/xsd/documents.js";
import type { IdentityConstraint, TypeContext, TypeDefinition } from "../xsd-model.js";
import { plainConstraint } from "./build-attributes.js";
import { completeComplexType, startComplexType } from "./build-complex-types.js";
import { type Place, simpleTypeOf } from "./build-simple-types.js";
import type { BuildingElement } from "./building.js";
import { anyType } from "./builtin-types.js";
import { findElement, findType, nameIn } from "./lookup.js";
import type { Resolution, Scope } from "./resolution.js";
import { placeText } from "./symbols.js";

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
