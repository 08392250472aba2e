import type { Facet } from "../../../read/xsd/documents.js";
import { raiseLimit } from "../../../source/source-limits.js";
import { readFacets } from "../facets.js";
import {
  type Dependency,
  inDependencyOrder,
  type MutableSimpleType,
  type Resolution,
  type SimpleTypeSource,
} from "../resolution.js";
import { anySimpleType, type SimpleTypeDefinition, type TypeDefinition } from "../schema-components.js";
import type { SimpleValues } from "../simple-values.js";

/** Completes simple types in dependency order. Reports circular types (Part 1 §3.14.6). */
export function completeSimpleTypes(resolution: Resolution, values: SimpleValues): void {
  const sources = [...resolution.simpleTypes.values()].filter(({ declaration }) => declaration.kind === "simpleType");
  const depths = new Map<TypeDefinition, number>();
  const sizes = new Map<TypeDefinition, number>();
  for (const source of inDependencyOrder(sources, (node) => dependenciesOf(node, resolution))) {
    const { type } = source;
    const depth = 1 + Math.max(...typesUsedBy(type).map((used) => depths.get(used) ?? 0));
    depths.set(type, depth);
    if (depth > resolution.limits.inheritance) {
      if (depth === resolution.limits.inheritance + 1) {
        reportDepth(type, resolution);
      }
      type.baseType = anySimpleType;
      type.memberTypes = [];
      type.itemType = undefined;
    }
    const size = typesUsedBy(type).reduce((sum, used) => sum + (sizes.get(used) ?? 1), 0);
    if (size > resolution.limits.unionMembers) {
      reportMemberCount(type, resolution);
      type.memberTypes = [];
    } else {
      sizes.set(type, size);
    }
    completeSimpleType(source, resolution, values);
  }
}

/** Sets the variety, primitive type and facets of a type whose base is complete. */
export function completeSimpleType(source: SimpleTypeSource, resolution: Resolution, values: SimpleValues): void {
  const { type, declaration } = source;
  if (type.derivation === "list") {
    completeList(type, source, resolution);
  } else if (type.derivation === "union") {
    type.variety = "union";
  } else {
    const { baseType } = type;
    if (baseType.variety === "absent") {
      reportAnySimpleType(source, resolution);
    }
    type.variety = baseType.variety;
    type.primitive = baseType.primitive;
    type.itemType = baseType.itemType;
    type.memberTypes = baseType.memberTypes;
  }
  checkFinal(source, resolution);
  type.facets = readFacets(facetsOf(declaration), { type, scope: source.scope, resolution, values });
}

function facetsOf(declaration: SimpleTypeSource["declaration"]): readonly Facet[] {
  if (declaration.kind === "simpleContent") {
    return declaration.facets;
  }
  return declaration.derivation.kind === "restriction" ? declaration.derivation.facets : [];
}

/** Completes a list type, whose items must be atomic or unions of atomic types (Part 1 §3.14.6). */
function completeList(type: MutableSimpleType, { declaration }: SimpleTypeSource, resolution: Resolution): void {
  type.variety = "list";
  const item = type.itemType;
  if (item === undefined || !containsList(item)) {
    return;
  }
  resolution.diagnostics.error("XSD040", declaration.span, { message: "The items of a list must not be lists." });
  type.itemType = anySimpleType;
}

function containsList(type: SimpleTypeDefinition): boolean {
  return type.variety === "list" || type.memberTypes.some(containsList);
}

function checkFinal({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  for (const usedType of typesUsedBy(type)) {
    if (!usedType.final.has(type.derivation)) {
      continue;
    }
    resolution.diagnostics.error("XSD041", declaration.span, {
      message: `${usedType.name === undefined ? "A type that is used here" : `The type ${usedType.name.local}`} is final: it does not allow derivation by ${type.derivation}.`,
    });
  }
}

/** Returns the types that a type is derived from: its base, item or member types. */
function typesUsedBy(type: SimpleTypeDefinition): readonly SimpleTypeDefinition[] {
  if (type.derivation === "list") {
    return type.itemType === undefined ? [] : [type.itemType];
  }
  return type.derivation === "union" ? type.memberTypes : [type.baseType];
}

function dependenciesOf(source: SimpleTypeSource, resolution: Resolution): readonly Dependency<SimpleTypeSource>[] {
  return typesUsedBy(source.type).flatMap((used) => {
    const usedSource = resolution.simpleTypes.get(used);
    return usedSource === undefined
      ? []
      : [{ node: usedSource, remove: () => removeDependency(source, used, resolution) }];
  });
}

function removeDependency(
  { type, declaration }: SimpleTypeSource,
  usedType: SimpleTypeDefinition,
  resolution: Resolution,
): void {
  resolution.diagnostics.unresolved("XSD032", declaration.span, {
    message: `${type.name === undefined ? "This simple type" : `The simple type ${type.name.local}`} depends on itself.`,
    fallback: "The reference is left out.",
  });
  if (type.derivation === "restriction") {
    type.baseType = anySimpleType;
  }
  if (type.itemType === usedType) {
    type.itemType = anySimpleType;
  }
  type.memberTypes = type.memberTypes.filter((member) => member !== usedType);
}

/**
 * Reports a type that restricts anySimpleType, which only built-in types may do (Part 1 §3.14.6). An unknown base, which
 * anySimpleType replaces, is not reported again.
 */
function reportAnySimpleType({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  const base =
    declaration.kind === "simpleType" && declaration.derivation.kind === "restriction"
      ? declaration.derivation.base
      : undefined;
  if (base === undefined || "kind" in base || base.name.local !== "anySimpleType") {
    return;
  }
  resolution.diagnostics.violation("XSD040", base.span, {
    message: `${type.name === undefined ? "This type" : `The type ${type.name.local}`} restricts anySimpleType, which is allowed only for built-in types.`,
    help: "Restrict xs:string or another built-in type.",
  });
}

function reportMemberCount(type: SimpleTypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.unionMembers;
  resolution.diagnostics.error("XSD038", type.span, {
    message: `The union has more than ${limit} member types, including those of nested unions.`,
    ...raiseLimit("unionMembers", resolution.limits),
  });
}

function reportDepth(type: SimpleTypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.inheritance;
  resolution.diagnostics.error("XSD033", type.span, {
    message: `A chain of derivations has more than ${limit} types.`,
    ...raiseLimit("inheritance", resolution.limits),
  });
}
