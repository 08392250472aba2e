import { emptyContext, type FacetUse, type SimpleType } from "@bothends/datatypes";
import { builtinDatatypes, facets as facetsByName } from "@bothends/datatypes/definitions";
import { tryReadMember } from "@bothends/datatypes/union-members";
import { list, restriction, union } from "@bothends/datatypes/xs";
import type { BuiltinName, FacetValue, TypeReference } from "@bothends/generator";
import { findRepresentation, getDefinition, type Representation, type SoapSide } from "../../soap-side.js";

/** A simple type with everything that its base types restrict. */
export interface EffectiveType {
  /** The type whose restrictions are applied. */
  readonly type: TypeReference;
  readonly variety: "atomic" | "list" | "union";
  /** The nearest built-in type; `anySimpleType` for a list or a union. */
  readonly builtin: BuiltinName;
  /** The item type of a list, or the member types of a union; empty for an atomic type. */
  readonly parts: readonly EffectiveType[];
  /** The values of an enumeration; undefined for a type that is not an enumeration. */
  readonly values: readonly string[] | undefined;
  /** The value of each facet except patterns, as set by the last restriction with this facet. */
  readonly facets: ReadonlyMap<FacetValue["facet"], string>;
  /** One entry for each restriction: its patterns, joined by `|`. A value must match every entry. */
  readonly patterns: readonly string[];
  /** How generated code represents the values; undefined for lists and unions that `typeMap` does not name. */
  readonly representation: Representation | undefined;
}

type BuiltinDefinition = (typeof builtinDatatypes)[number] & { readonly base?: string; readonly item?: string };

const builtinsByName: ReadonlyMap<string, BuiltinDefinition> = new Map(
  builtinDatatypes.map((datatype) => [datatype.name, datatype]),
);

/** Applies the restrictions of a simple type and of its base types; returns undefined for a complex type. */
export function computeEffectiveType(side: SoapSide, type: TypeReference): EffectiveType | undefined {
  const effectiveType = applyDerivations(side, type);
  const representation = findRepresentation(side, type);
  return effectiveType === undefined || representation === undefined
    ? effectiveType
    : { ...effectiveType, representation };
}

function applyDerivations(side: SoapSide, type: TypeReference): EffectiveType | undefined {
  if (type.kind === "builtin") {
    return type.name === "anyType" ? undefined : createBuiltInType(side, type.name);
  }
  const definition = getDefinition(side, type);
  switch (definition?.kind) {
    case "restriction":
      return restrictType(computeEffectiveType(side, definition.base), { type, facets: definition.facets });
    case "enumeration":
      return restrictType(computeEffectiveType(side, definition.base), {
        type,
        facets: definition.facets,
        values: definition.values.map(({ text }) => text),
      });
    case "list": {
      const item = computeEffectiveType(side, definition.item);
      return item === undefined ? undefined : composeType(type, "list", [item]);
    }
    case "union": {
      const members = definition.members.flatMap((member) => computeEffectiveType(side, member) ?? []);
      return composeType(type, "union", members);
    }
    default:
      return undefined;
  }
}

function createBuiltInType(side: SoapSide, name: BuiltinName): EffectiveType {
  const item = builtinsByName.get(name)?.item;
  const itemType = item === undefined ? undefined : builtinsByName.get(item);
  const type = { kind: "builtin", name } as const;
  return itemType === undefined
    ? { ...composeType(type, "atomic", []), builtin: name }
    : composeType(type, "list", [createBuiltInType(side, itemType.name)]);
}

function composeType(
  type: TypeReference,
  variety: EffectiveType["variety"],
  parts: readonly EffectiveType[],
): EffectiveType {
  const restrictions = { values: undefined, facets: new Map(), patterns: [] };
  return { type, variety, builtin: "anySimpleType", parts, ...restrictions, representation: undefined };
}

/** For each facet, the other facet of the base type that it replaces: `minInclusive` replaces `minExclusive`. */
const replacedBounds: Partial<Record<FacetValue["facet"], FacetValue["facet"]>> = {
  minInclusive: "minExclusive",
  minExclusive: "minInclusive",
  maxInclusive: "maxExclusive",
  maxExclusive: "maxInclusive",
};

function restrictType(
  base: EffectiveType | undefined,
  derivation: {
    readonly type: TypeReference;
    readonly facets: readonly FacetValue[];
    readonly values?: readonly string[];
  },
): EffectiveType | undefined {
  if (base === undefined) {
    return undefined;
  }
  const facets = new Map(base.facets);
  const patterns = [...base.patterns];
  for (const facet of derivation.facets) {
    if (facet.facet === "pattern") {
      patterns.push([...facet.value].sort().join("|"));
    } else {
      const replacedBound = replacedBounds[facet.facet];
      if (replacedBound !== undefined) {
        facets.delete(replacedBound);
      }
      facets.set(facet.facet, String(facet.value));
    }
  }
  return { ...base, type: derivation.type, facets, patterns, values: derivation.values ?? base.values };
}

/** Whether the first built-in type is the second, or is derived from it by restriction. */
export function isDerivedFrom(name: string, base: string): boolean {
  for (let type: string | undefined = name; type !== undefined; type = builtinsByName.get(type)?.base) {
    if (type === base) {
      return true;
    }
  }
  return false;
}

export type WhiteSpace = SimpleType<unknown>["whiteSpace"];

/** The treatments of white space, of which each changes more texts than the one before. */
export const whiteSpaces: readonly WhiteSpace[] = ["preserve", "replace", "collapse"];

/** Returns how readers of a type treat white space. */
export function getWhiteSpace({ facets, builtin }: EffectiveType): WhiteSpace {
  const facet = whiteSpaces.find((value) => value === facets.get("whiteSpace"));
  return facet ?? builtinsByName.get(builtin)?.type.whiteSpace ?? "preserve";
}

/** Whether a list may have no items. */
export function mayBeEmpty({ facets }: EffectiveType): boolean {
  return Number(facets.get("length") ?? facets.get("minLength") ?? 0) === 0;
}

/** Formats a simple type for reports: `list of int`, or `red | green` for an enumeration. */
export function formatType(type: EffectiveType): string {
  if (type.values !== undefined) {
    return type.values.join(" | ");
  }
  const [item] = type.parts;
  switch (type.variety) {
    case "list":
      return `list of ${item === undefined ? "anySimpleType" : formatType(item)}`;
    case "union":
      return `union of ${type.parts.map(formatType).join(", ")}`;
    case "atomic":
      return type.builtin;
  }
}

/** Types that accept every string and differ only in their treatment of white space. */
const stringTypes: readonly string[] = ["string", "normalizedString", "token"];
const allStringTypes: readonly string[] = ["anySimpleType", ...stringTypes];
const binaryTypes: readonly string[] = ["base64Binary", "hexBinary"];
/** Types whose content is decoded: to bytes, or from prefixed names to qualified names. */
export const decodedTypes: readonly string[] = [...binaryTypes, "QName", "NOTATION"];

/** Lists the values of an enumeration that `unlistedType` allows: an atomic type that is not an enumeration. */
export function listAllowedValues(unlistedType: EffectiveType, enumeration: EffectiveType): readonly string[] {
  const isOtherBytes =
    unlistedType.builtin !== enumeration.builtin &&
    [unlistedType, enumeration].every(({ builtin }) => binaryTypes.includes(builtin));
  if (enumeration.values === undefined || isOtherBytes) {
    return [];
  }
  // Enumeration values of type QName are written as `{namespace}name`, which the datatype QName cannot read, so they
  // are not checked.
  const type =
    unlistedType.builtin === "QName" && enumeration.builtin === "QName" ? undefined : createDatatype(unlistedType);
  return enumeration.values.filter((text) => accepts(type, text));
}

/** Whether a type accepts a text, without the cost of an exception. An undefined type accepts every text. */
export function accepts(type: SimpleType<unknown> | undefined, text: string): boolean {
  return type === undefined || tryReadMember([type], text, emptyContext) !== undefined;
}

/** Whether readers of a type return "" for an empty element. */
export function readsEmptyText(effectiveType: EffectiveType): boolean {
  return readsText(effectiveType, "");
}

/** Whether readers of a type accept every text with spaces between words. */
export function readsAnyWords(effectiveType: EffectiveType): boolean {
  const { values, facets, patterns } = effectiveType;
  return values === undefined && facets.size === 0 && patterns.length === 0 && readsText(effectiveType, "two words");
}

/** Whether readers of an atomic type return a text as it is. */
function readsText(effectiveType: EffectiveType, text: string): boolean {
  if (effectiveType.variety !== "atomic" || decodedTypes.includes(effectiveType.builtin)) {
    return false;
  }
  const type = createDatatype(effectiveType);
  return effectiveType.values?.includes(text) ?? accepts(type, text);
}

/**
 * Creates a datatype that checks literals against the built-in type, the values and the facets; returns undefined for
 * anySimpleType, which allows every string. `getRepresentedType` returns the descriptor of an atomic type whose values
 * generated code represents differently.
 */
export function createDatatype(
  effectiveType: EffectiveType,
  getRepresentedType?: (type: EffectiveType) => SimpleType<unknown> | undefined,
): SimpleType<unknown> | undefined {
  const { type: name, variety, builtin, parts, values, facets, patterns } = effectiveType;
  const uses: readonly FacetUse[] = [
    ...[...facets].map(([facet, value]) => [facetsByName[facet], value] as const),
    ...patterns.map((pattern) => [facetsByName.pattern, pattern] as const),
    ...(values === undefined ? [] : [[facetsByName.enumeration, values] as const]),
  ];
  if (variety === "atomic") {
    const type = getRepresentedType?.(effectiveType) ?? builtinsByName.get(builtin)?.type;
    return type === undefined || uses.length === 0 ? type : restriction([type], uses, type.name);
  }
  if (name.kind === "builtin" && getRepresentedType === undefined) {
    // A built-in list has at least one item.
    return builtinsByName.get(name.name)?.type;
  }
  const types = parts.flatMap((part) => createDatatype(part, getRepresentedType) ?? []);
  const derive = variety === "list" ? list : union;
  return types.length < parts.length ? undefined : derive(types, uses, variety);
}

/**
 * How a new type's values relate to the values of the old type. `respaced`: white space is treated differently.
 * `recoded`: the same string means different bytes.
 */
export type Relation = "same" | "respaced" | "widened" | "narrowed" | "overlaps" | "recoded" | "changed";

/** Literals of all built-in types. Two built-in types have common values if both accept one of these literals. */
export const sampleLiterals: readonly string[] = [
  "0",
  "1",
  "12",
  "-1",
  "1.5",
  "1E2",
  "2026",
  "true",
  "P1D",
  "2026-03-31",
  "2026-03",
  "2026-03-31T10:00:00",
  "10:00:00",
  "--03-31",
  "--03",
  "---31",
  "0aff",
  "QUJD",
  "en",
  "a:b",
];

/** Compares the values of two built-in types (XSD 1.0 Part 2 §3). */
export function compareBuiltins(before: string, after: string): Relation {
  if (before === after) {
    return "same";
  }
  if (stringTypes.includes(before) && stringTypes.includes(after)) {
    return "respaced";
  }
  if (includesType(after, before)) {
    return includesType(before, after) ? "same" : "widened";
  }
  if (includesType(before, after)) {
    return "narrowed";
  }
  if (binaryTypes.includes(before) && binaryTypes.includes(after)) {
    return "recoded";
  }
  if ([before, after].some((name) => allStringTypes.includes(name))) {
    return "overlaps";
  }
  const [oldType, newType] = [builtinsByName.get(before)?.type, builtinsByName.get(after)?.type];
  const isShared = sampleLiterals.some(
    (text) => oldType !== undefined && newType !== undefined && accepts(oldType, text) && accepts(newType, text),
  );
  return isShared ? "overlaps" : "changed";
}

/** Whether the first type accepts every literal of the second. */
function includesType(superset: string, subset: string): boolean {
  if (isDerivedFrom(subset, superset)) {
    return true;
  }
  if (allStringTypes.includes(superset)) {
    return !allStringTypes.includes(subset) && !decodedTypes.includes(subset);
  }
  const [supersetRange, subsetRange] = [getIntegerRange(superset), getIntegerRange(subset)];
  if (supersetRange !== undefined && subsetRange !== undefined) {
    return (
      (supersetRange.least ?? -beyondAllBounds) <= (subsetRange.least ?? -beyondAllBounds) &&
      (supersetRange.greatest ?? beyondAllBounds) >= (subsetRange.greatest ?? beyondAllBounds)
    );
  }
  // Doubles and floats accept every decimal literal, but round a number with too many digits, so they include only
  // types with few enough digits.
  return (
    (superset === "double" && ["float", "int", "unsignedInt"].some((base) => isDerivedFrom(subset, base))) ||
    (superset === "float" && ["short", "unsignedShort"].some((base) => isDerivedFrom(subset, base)))
  );
}

/** The inclusive bounds of an integer type; undefined means no bound. */
interface Range {
  readonly least: bigint | undefined;
  readonly greatest: bigint | undefined;
}

const beyondAllBounds = 10n ** 40n;

/** Whether two types without enumeration values allow the same integers. Either type may be restricted by facets. */
export function hasSameIntegers(left: EffectiveType, right: EffectiveType): boolean {
  const [leftRange, rightRange] = [computeRestrictedRange(left), computeRestrictedRange(right)];
  return (
    leftRange !== undefined &&
    rightRange !== undefined &&
    leftRange.least === rightRange.least &&
    leftRange.greatest === rightRange.greatest
  );
}

/** Whether two integer types have no common value; false if either is not an integer type. */
export function hasNoSharedInteger(left: EffectiveType, right: EffectiveType): boolean {
  const [leftRange, rightRange] = [computeRestrictedRange(left), computeRestrictedRange(right)];
  const isBelow = (low: Range, high: Range) =>
    low.greatest !== undefined && high.least !== undefined && low.greatest < high.least;
  return (
    leftRange !== undefined &&
    rightRange !== undefined &&
    (isBelow(leftRange, rightRange) || isBelow(rightRange, leftRange))
  );
}

/** Returns the range of an integer type, restricted by its facets; undefined for other types. */
function computeRestrictedRange({ builtin, facets }: EffectiveType): Range | undefined {
  const range = getIntegerRange(builtin);
  const readBound = (facet: FacetValue["facet"], offset: bigint) => {
    const text = facets.get(facet)?.trim();
    return text === undefined || !/^[+-]?\d+$/.test(text) ? undefined : BigInt(text.replace("+", "")) + offset;
  };
  if (range === undefined) {
    return undefined;
  }
  const digits = Number(facets.get("totalDigits") ?? Number.NaN);
  const greatestOfDigits = Number.isSafeInteger(digits) && digits <= 40 ? 10n ** BigInt(digits) - 1n : undefined;
  const least = readBound("minInclusive", 0n) ?? readBound("minExclusive", 1n) ?? range.least;
  const greatest = readBound("maxInclusive", 0n) ?? readBound("maxExclusive", -1n) ?? range.greatest;
  if (greatestOfDigits === undefined) {
    return { least, greatest };
  }
  return {
    least: least === undefined || least < -greatestOfDigits ? -greatestOfDigits : least,
    greatest: greatest === undefined || greatest > greatestOfDigits ? greatestOfDigits : greatest,
  };
}

/** Returns the range of a built-in integer type; undefined for other types. */
export function getIntegerRange(name: string): Range | undefined {
  if (!isDerivedFrom(name, "integer")) {
    return undefined;
  }
  let least: bigint | undefined;
  let greatest: bigint | undefined;
  for (let type = builtinsByName.get(name); type !== undefined; type = builtinsByName.get(type.base ?? "")) {
    for (const [facet, value] of type.facets) {
      // The loop begins with the most derived type, which has the narrowest bounds.
      least ??= facet === "minInclusive" ? BigInt(value) : undefined;
      greatest ??= facet === "maxInclusive" ? BigInt(value) : undefined;
    }
  }
  return { least, greatest };
}
