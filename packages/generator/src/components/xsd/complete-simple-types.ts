import { limitHelp } from "../../source/source-limits.js";
import { anySimpleType } from "./builtin-types.js";
import { readFacets } from "./facets.js";
import {
  type BuildingSimpleType,
  type Edge,
  inDependencyOrder,
  type Resolution,
  type SimpleTypeSource,
} from "./resolution.js";
import type { SimpleTypeDefinition, TypeDefinition } from "./schema-components.js";

import type { SimpleValues } from "./simple-values.js";

/** Gives simple types what they inherit, bases first; a type that derives from itself is reported (Part 1 §3.14.6). */
export function completeSimpleTypes(resolution: Resolution, values: SimpleValues): void {
  const sources = [...resolution.simpleTypes.values()].filter(({ declaration }) => declaration.kind === "simpleType");
  const depths = new Map<TypeDefinition, number>();
  const sizes = new Map<TypeDefinition, number>();
  for (const source of inDependencyOrder(sources, (node) => edgesOf(node, resolution))) {
    const { type } = source;
    const depth = 1 + Math.max(...usedBy(type).map((used) => depths.get(used) ?? 0));
    depths.set(type, depth);
    if (depth > resolution.limits.inheritance) {
      if (depth === resolution.limits.inheritance + 1) reportDepth(type, resolution);
      type.baseType = anySimpleType;
      type.memberTypes = [];
      type.itemType = undefined;
    }
    const size = usedBy(type).reduce((sum, used) => sum + (sizes.get(used) ?? 1), 0);
    if (size > resolution.limits.members) {
      reportMembers(type, resolution);
      type.memberTypes = [];
    } else sizes.set(type, size);
    completeSimpleType(source, resolution, values);
  }
}

/** Variety, primitive type and facets of a type whose base is complete. */
export function completeSimpleType(source: SimpleTypeSource, resolution: Resolution, values: SimpleValues): void {
  const { type, declaration } = source;
  if (type.derivation === "list") completeList(type, source, resolution);
  else if (type.derivation === "union") type.variety = "union";
  else {
    const { baseType } = type;
    if (baseType.variety === "absent") reportAnySimpleType(source, resolution);
    type.variety = baseType.variety;
    type.primitive = baseType.primitive;
    type.itemType = baseType.itemType;
    type.memberTypes = baseType.memberTypes;
  }
  checkFinal(source, resolution);
  const facets = declaration.kind === "simpleContent" ? declaration.facets : restrictionFacets(declaration.derivation);
  type.facets = readFacets(facets, { type, scope: source.scope, resolution, values });
}

function restrictionFacets(derivation: { readonly kind: string; readonly facets?: Parameters<typeof readFacets>[0] }) {
  return derivation.facets ?? [];
}

/** Part 1 §3.14.6: items are atomic, or unions of atomic types. */
function completeList(type: BuildingSimpleType, { declaration }: SimpleTypeSource, resolution: Resolution): void {
  type.variety = "list";
  const item = type.itemType;
  if (item === undefined || !hasList(item)) return;
  resolution.diagnostics.error("XSD040", declaration.span, { message: "The items of a list must not be lists." });
  type.itemType = anySimpleType;
}

function hasList(type: SimpleTypeDefinition): boolean {
  return type.variety === "list" || type.memberTypes.some(hasList);
}

function checkFinal({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  for (const used of usedBy(type)) {
    if (!used.final.has(type.derivation)) continue;
    resolution.diagnostics.error("XSD041", declaration.span, {
      message: `The type ${used.name?.local ?? "it derives from"} is final for ${type.derivation}.`,
    });
  }
}

/** What a type is made of in one step. */
function usedBy(type: SimpleTypeDefinition): readonly SimpleTypeDefinition[] {
  if (type.derivation === "list") return type.itemType === undefined ? [] : [type.itemType];
  return type.derivation === "union" ? type.memberTypes : [type.baseType];
}

function edgesOf(source: SimpleTypeSource, resolution: Resolution): readonly Edge<SimpleTypeSource>[] {
  const { type } = source;
  return usedBy(type).flatMap((used) => {
    const to = resolution.simpleTypes.get(used);
    return to === undefined ? [] : [{ to, cut: () => cut(source, used, resolution) }];
  });
}

function cut({ type, declaration }: SimpleTypeSource, used: SimpleTypeDefinition, resolution: Resolution): void {
  resolution.diagnostics.error("XSD032", declaration.span, {
    message: `The simple type ${type.name?.local ?? "here"} is made of itself.`,
  });
  if (type.derivation === "restriction") type.baseType = anySimpleType;
  if (type.itemType === used) type.itemType = anySimpleType;
  type.memberTypes = type.memberTypes.filter((member) => member !== used);
}

/** Part 1 §3.14.6: anySimpleType is the base of built-in types alone. Where the base is not known, that is reported already. */
function reportAnySimpleType({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  const base =
    declaration.kind === "simpleType" && declaration.derivation.kind === "restriction"
      ? declaration.derivation.base
      : undefined;
  if (base === undefined || "kind" in base || base.name.local !== "anySimpleType") return;
  resolution.diagnostics.breach("XSD040", base.span, {
    message: `${type.name?.local ?? "A type"} restricts anySimpleType, which only built-in types do.`,
    help: "Restrict xs:string or another built-in type.",
  });
}

function reportMembers(type: SimpleTypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.members;
  resolution.diagnostics.error("XSD038", type.span, {
    message: `The union has more than ${limit} member types, unions in unions written out.`,
    help: limitHelp("members", resolution.limits),
  });
}

function reportDepth(type: SimpleTypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.inheritance;
  resolution.diagnostics.error("XSD033", type.span, {
    message: `More than ${limit} types derive from each other.`,
    help: limitHelp("inheritance", resolution.limits),
  });
}
