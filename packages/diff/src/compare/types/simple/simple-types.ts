import type { RuleId } from "../../../rules/index.js";
import type { Level } from "../../../rules/rule.js";
import type { SampleTexts } from "../../difference.js";
import { matchUnique } from "../../similar-names.js";
import type { SoapSide } from "../../soap-side.js";
import type { TypeComparison } from "../type-comparison.js";
import {
  compareBuiltins,
  decodedTypes,
  type EffectiveType,
  formatType,
  hasNoSharedInteger,
  hasSameIntegers,
  listAllowedValues,
  type Relation,
} from "./effective-type.js";
import { findFacetDifferences, isSameLiteral } from "./facets.js";
import { findLiteralLimits, formatCode, formatLiterals, formatTypeWithFacets, hasOtherLiterals } from "./type-texts.js";

/** A difference between two simple types, without the subject, which the caller adds. */
export interface ValueDifference {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
  readonly sameCode: boolean;
  /** The key of the rule's variant that applies. */
  readonly variant?: string | undefined;
  /**
   * How the change affects new readers of old values and old readers of new values; undefined if the rule's verdict
   * applies.
   */
  readonly levels?: readonly [oldWriter: Level, newWriter: Level];
  /** Whether `levels` are the effects of sample values. */
  readonly isSampled?: boolean;
  /** The names of types by which the setting `typeMap` may refer to the changed type. */
  readonly mappedTypes?: readonly string[];
  /** The worst consequences that the change can have for code that writes the value and for code that reads it. */
  readonly codeLimits?: readonly [write: Level, read: Level];
  /** Texts that only one version accepts. */
  readonly sampleTexts?: SampleTexts | undefined;
  /** Whether the types are too complex to compare, so that `levels` are the worst case. */
  readonly isUndecided?: boolean;
}

/** Compares the values that two simple types allow. */
export function findValueDifferences(
  context: TypeComparison,
  before: EffectiveType,
  after: EffectiveType,
): readonly ValueDifference[] {
  const sameCode = formatCode(context.old, before) === formatCode(context.new, after);
  if (before.variety !== after.variety) {
    const change = findVarietyChange(before, after);
    if ([before, after].some(({ variety }) => variety === "list")) {
      return [{ ...change, ...formatTypes(before, after), sameCode }];
    }
    const sameLiterals = formatLiterals(context.old, before) === formatLiterals(context.new, after);
    const codeLimits = findLiteralLimits([context.old, context.new], [before, after]);
    // A union that contains the other type does so in code as well, unless the values are literals of another kind.
    const isInCode = codeLimits[change.rule === "type-widened" ? 0 : 1] !== "breaks";
    const variant = isInCode ? change.variant : undefined;
    return [{ ...change, ...formatTypes(before, after), variant, sameCode: sameLiterals, codeLimits }];
  }
  if (before.variety === "union") {
    const sameLiterals = formatLiterals(context.old, before) === formatLiterals(context.new, after);
    const codeLimits = findLiteralLimits([context.old, context.new], [before, after]);
    return [
      ...findMemberDifferences(context, [before, after], sameLiterals),
      ...findOrderDifferences(context, before, after),
      ...findListedDifferences(before, after).map((difference) => ({ ...difference, sameCode: sameLiterals })),
      ...findFacetValueDifferences(before, after),
    ].map((difference) => ({ ...difference, codeLimits }));
  }
  if (before.variety === "list") {
    return [
      ...findItemDifferences(context, before, after),
      // The generated type of a list does not depend on an enumeration of whole lists.
      ...findListedDifferences(before, after).map((difference) => ({ ...difference, sameCode: true })),
      ...findFacetValueDifferences(before, after),
    ];
  }
  return findAtomicDifferences(context, [before, after], sameCode);
}

function formatTypes(before: EffectiveType, after: EffectiveType): Pick<ValueDifference, "before" | "after"> {
  return { before: formatType(before), after: formatType(after) };
}

/** Compares two atomic types: their built-in types, their enumeration values and their other facets. */
function findAtomicDifferences(
  context: TypeComparison,
  [before, after]: readonly [before: EffectiveType, after: EffectiveType],
  sameCode: boolean,
): readonly ValueDifference[] {
  const isListed = before.values !== undefined || after.values !== undefined;
  const differences = findDifferencesOfAtomicTypes(context, [before, after], sameCode);
  if (!isListed) {
    return differences;
  }
  const codeLimits = findLiteralLimits([context.old, context.new], [before, after]);
  return differences.map((difference) => ({
    ...difference,
    sameCode: difference.sameCode && codeLimits.every((level) => level === "none"),
    codeLimits,
  }));
}

function findDifferencesOfAtomicTypes(
  context: TypeComparison,
  [before, after]: readonly [before: EffectiveType, after: EffectiveType],
  sameCode: boolean,
): readonly ValueDifference[] {
  const isListed = before.values !== undefined || after.values !== undefined;
  const relation = compareAtomicTypes(before, after, isListed);
  const sharedAmount = findSharedValues(before, after);
  if (sharedAmount !== undefined && (!sameCode || relation === "changed")) {
    return [{ rule: chooseListedRule(sharedAmount, before), ...formatTypes(before, after), sameCode }];
  }
  const typeRule = relationRules[relation];
  if (typeRule !== undefined && !(isListed && relation !== "changed" && relation !== "overlaps")) {
    return [
      { rule: typeRule, before: before.builtin, after: after.builtin, sameCode },
      ...(relation === "changed" ? [] : findFacetValueDifferences(before, after)),
    ];
  }
  const areListed = before.values !== undefined && after.values !== undefined;
  const hasOtherMapping = areListed
    ? hasOtherLiterals([context.old, context.new], [before, after])
    : !sameCode && !isListed && typeRule === undefined;
  return [
    ...(hasOtherMapping ? [createMappingDifference(context, before, after)] : []),
    ...(sharedAmount === "some" || sharedAmount === "none"
      ? [createExcludingDifference(sharedAmount, before, after)]
      : findListedDifferences(before, after)),
    ...(sharedAmount === undefined ? findFacetValueDifferences(before, after) : []),
  ];
}

/**
 * Compares the built-in types of two atomic types. Types without enumerations that allow the same integers are the
 * same.
 */
function compareAtomicTypes(before: EffectiveType, after: EffectiveType, isListed: boolean): Relation {
  const relation = compareBuiltins(before.builtin, after.builtin);
  if (relation === "recoded" && isListed) {
    return "changed";
  }
  return !isListed && hasSameIntegers(before, after) ? "same" : relation;
}

/** Reports that the setting `typeMap` or another base type gives the same values another type in generated code. */
function createMappingDifference(
  context: TypeComparison,
  before: EffectiveType,
  after: EffectiveType,
): ValueDifference {
  return {
    rule: "type-in-code-changed",
    before: formatLiterals(context.old, before),
    after: formatLiterals(context.new, after),
    sameCode: false,
    codeLimits: findLiteralLimits([context.old, context.new], [before, after]),
    mappedTypes: [before, after].flatMap(({ type, builtin }) => [type.kind === "named" ? type.id : type.name, builtin]),
  };
}

/**
 * Returns the difference of a type that is an enumeration in only one version, if the other version's facets exclude
 * some of the values. The code changes as with a type that allows all of them.
 */
function createExcludingDifference(
  sharedAmount: Exclude<SharedValues, "all">,
  before: EffectiveType,
  after: EffectiveType,
): ValueDifference {
  return {
    rule: chooseListedRule(sharedAmount, before),
    before: formatTypeWithFacets(before),
    after: formatTypeWithFacets(after),
    sameCode: false,
  };
}

type SharedValues = "all" | "some" | "none";

/**
 * Returns how many of one version's enumeration values the other version allows: all, some or none. Returns undefined
 * unless exactly one version is an enumeration.
 */
function findSharedValues(before: EffectiveType, after: EffectiveType): SharedValues | undefined {
  const [unlistedType, enumeration] = before.values === undefined ? [before, after] : [after, before];
  if (unlistedType.values !== undefined || enumeration.values === undefined) {
    return undefined;
  }
  const { length } = listAllowedValues(unlistedType, enumeration);
  return length === 0 ? "none" : length < enumeration.values.length ? "some" : "all";
}

/** Returns the rule for a type that is an enumeration in only one version. */
function chooseListedRule(sharedAmount: SharedValues, before: EffectiveType): RuleId {
  switch (sharedAmount) {
    case "none":
      return "type-changed";
    case "some":
      return "type-overlaps";
    case "all":
      return before.values === undefined ? "type-narrowed" : "type-widened";
  }
}

const relationRules: Readonly<Record<Relation, RuleId | undefined>> = {
  same: undefined,
  respaced: "whitespace-changed",
  widened: "type-widened",
  narrowed: "type-narrowed",
  overlaps: "type-overlaps",
  recoded: "type-overlaps",
  changed: "type-changed",
};

/**
 * Compares a union with a type that is one of its member types. A type that became the union was widened; a union that
 * became the type was narrowed.
 */
function findVarietyChange(
  before: EffectiveType,
  after: EffectiveType,
): Pick<ValueDifference, "rule" | "variant" | "levels"> {
  const isMember = (union: EffectiveType, type: EffectiveType) =>
    union.variety === "union" &&
    union.values === undefined &&
    union.parts.some((part) => [formatTypeWithFacets(type), formatType(type)].includes(formatTypeWithFacets(part)));
  // A type that accepts every string also accepts all values of the union. However, if it is not the union's first
  // member type, the union reads some strings with an earlier member type.
  const getLossLevel = ({ parts }: EffectiveType) => (parts.findIndex(acceptsEveryText) > 0 ? "tolerated" : "none");
  if (isMember(after, before)) {
    const levels = acceptsEveryText(before) ? ({ levels: [getLossLevel(after), "none"] } as const) : {};
    return { rule: "type-widened", variant: "union", ...levels };
  }
  if (isListOf(after, before)) {
    return { rule: "type-widened" };
  }
  if (isListOf(before, after)) {
    return { rule: "type-narrowed" };
  }
  if (isMember(before, after)) {
    const levels = acceptsEveryText(after) ? ({ levels: ["none", getLossLevel(before)] } as const) : {};
    return { rule: "type-narrowed", variant: "union", ...levels };
  }
  // A list or a union of other types accepts fewer strings than a type that accepts every string. A list of such a type
  // accepts every string as well, but its readers do not keep all white space.
  if (acceptsEveryText(before) && isReadAsText(after)) {
    return { rule: "type-narrowed", ...(isListOfText(after) ? ({ levels: ["tolerated", "none"] } as const) : {}) };
  }
  if (acceptsEveryText(after) && isReadAsText(before)) {
    return { rule: "type-widened", ...(isListOfText(before) ? ({ levels: ["none", "tolerated"] } as const) : {}) };
  }
  return { rule: "type-overlaps" };
}

/** Whether the readers of a type, of its item type and of its member types do not decode the string. */
function isReadAsText({ builtin, parts }: EffectiveType): boolean {
  return !decodedTypes.includes(builtin) && parts.every(isReadAsText);
}

function isListOfText({ variety, parts, values, facets, patterns }: EffectiveType): boolean {
  const isOpen = values === undefined && facets.size === 0 && patterns.length === 0;
  return variety === "list" && isOpen && parts.every(acceptsEveryText);
}

/** The built-in atomic types whose literals may contain spaces. */
const typesWithSpaces: readonly string[] = [
  "anySimpleType",
  "string",
  "normalizedString",
  "token",
  "anyURI",
  "base64Binary",
];

/**
 * Whether one type is a list of the other, and values of the item type cannot contain white space. Each such value is
 * then also a valid list of one item.
 */
function isListOf(list: EffectiveType, item: EffectiveType): boolean {
  const [part] = list.parts;
  const isOpen = list.values === undefined && list.facets.size === 0 && list.patterns.length === 0;
  const hasNoSpace = item.values?.every((text) => /^\S+$/.test(text)) ?? !typesWithSpaces.includes(item.builtin);
  return (
    list.variety === "list" &&
    isOpen &&
    item.variety === "atomic" &&
    hasNoSpace &&
    part !== undefined &&
    formatTypeWithFacets(part) === formatTypeWithFacets(item)
  );
}

function findFacetValueDifferences(before: EffectiveType, after: EffectiveType): readonly ValueDifference[] {
  // Different facets can allow the same integers: for example, two digits, or a range from -99 to 99. Such differences
  // are not reported.
  const isKept = ({ rule }: { readonly rule: RuleId }) =>
    !(/^(?:range|digits)-/.test(rule) && hasSameIntegers(before, after));
  return findFacetDifferences(before, after)
    .filter(isKept)
    .map((difference) => ({ ...difference, sameCode: true }));
}

function findListedDifferences(before: EffectiveType, after: EffectiveType): readonly ValueDifference[] {
  if (before.values === undefined || after.values === undefined) {
    if (before.values === after.values) {
      return [];
    }
    const rule = before.values === undefined ? "enum-closed" : "enum-opened";
    return [{ rule, before: formatType(before), after: formatType(after), sameCode: false }];
  }
  const isEqual = (left: string, right: string) =>
    left === right || (before.builtin === after.builtin && isSameLiteral(before.builtin, left, right));
  return findEnumerationDifferences(before.values, after.values, { sameCode: false, isEqual });
}

/** Compares two lists of values, ignoring their order. */
export function findEnumerationDifferences(
  before: readonly string[],
  after: readonly string[],
  {
    sameCode,
    isEqual = Object.is,
  }: { readonly sameCode: boolean; readonly isEqual?: (left: string, right: string) => boolean },
): readonly ValueDifference[] {
  // Most values have the same text in both versions. Only the others are compared with all values.
  const [oldTexts, newTexts] = [new Set(before), new Set(after)];
  const removedValues = before.filter(
    (value) => !newTexts.has(value) && !after.some((newValue) => isEqual(value, newValue)),
  );
  const addedValues = after.filter(
    (value) => !oldTexts.has(value) && !before.some((oldValue) => isEqual(oldValue, value)),
  );
  const variant =
    removedValues.length === before.length && addedValues.length === after.length ? "replaced" : undefined;
  return [
    ...(removedValues.length === 0
      ? []
      : [{ rule: "enum-value-removed", before: formatValues(removedValues), after: "", sameCode, variant } as const]),
    ...(addedValues.length === 0
      ? []
      : [{ rule: "enum-value-added", before: "", after: formatValues(addedValues), sameCode, variant } as const]),
  ];
}

function formatValues(values: readonly string[]): string {
  return values.map((value) => (value === "" ? '""' : value)).join(" | ");
}

function findMemberDifferences(
  context: TypeComparison,
  [before, after]: readonly [before: EffectiveType, after: EffectiveType],
  sameCode: boolean,
): readonly ValueDifference[] {
  const formatMembers = (type: EffectiveType) => type.parts.map(formatTypeWithFacets);
  const [oldTexts, newTexts] = [formatMembers(before), formatMembers(after)];
  const removedParts = before.parts.filter((part) => !newTexts.includes(formatTypeWithFacets(part)));
  const addedParts = after.parts.filter((part) => !oldTexts.includes(formatTypeWithFacets(part)));
  const changedPairs = matchUnique([removedParts, addedParts], [hasSameName, hasSameBuiltin]);
  const isChanged = (part: EffectiveType) => changedPairs.some((pair) => pair.includes(part));
  const removedTexts = removedParts.filter((part) => !isChanged(part)).map(formatTypeWithFacets);
  const addedTexts = addedParts.filter((part) => !isChanged(part)).map(formatTypeWithFacets);
  return [
    ...changedPairs
      .flatMap(([oldPart, newPart]) => findValueDifferences(context, oldPart, newPart))
      .map((difference) => ({ ...difference, sameCode: difference.sameCode || sameCode })),
    ...(removedTexts.length === 0
      ? []
      : [{ rule: "union-member-removed", before: removedTexts.join(", "), after: "", sameCode } as const]),
    ...(addedTexts.length === 0
      ? []
      : [{ rule: "union-member-added", before: "", after: addedTexts.join(", "), sameCode } as const]),
  ];
}

/** Whether two member types have the same name and the same built-in type. */
function hasSameName(left: EffectiveType, right: EffectiveType): boolean {
  const isSame = left.type.kind === "named" && right.type.kind === "named" && left.type.id === right.type.id;
  return isSame && left.variety === "atomic" && right.variety === "atomic" && left.builtin === right.builtin;
}

/**
 * Whether two member types have the same built-in type, and are not enumerations or are enumerations with a common
 * value.
 */
function hasSameBuiltin(left: EffectiveType, right: EffectiveType): boolean {
  const isShared =
    left.values === undefined || right.values === undefined
      ? left.values === right.values
      : left.values.some((text) => right.values?.includes(text));
  return left.variety === "atomic" && right.variety === "atomic" && left.builtin === right.builtin && isShared;
}

/**
 * Compares the order of the member types that both unions have. A reader uses the first member type that accepts a
 * string (XSD 1.0 Part 2 §2.5.1.3), so the order is reported only if two reordered member types read the same string
 * as different values.
 */
function findOrderDifferences(
  context: TypeComparison,
  before: EffectiveType,
  after: EffectiveType,
): readonly ValueDifference[] {
  const newTexts = after.parts.map(formatTypeWithFacets);
  const keptMembers = before.parts.filter((part) => newTexts.includes(formatTypeWithFacets(part)));
  const getNewIndex = (member: EffectiveType) => newTexts.indexOf(formatTypeWithFacets(member));
  const isReported = keptMembers.some((second, index) =>
    keptMembers.slice(0, index).some((first, firstIndex) => {
      const readsFirst = keptMembers
        .slice(0, firstIndex)
        .some((member) => acceptsEveryText(member) && getNewIndex(member) < getNewIndex(second));
      return getNewIndex(second) < getNewIndex(first) && !readsFirst && readsDifferently(context.new, first, second);
    }),
  );
  if (!isReported) {
    return [];
  }
  const formatMembers = (members: readonly EffectiveType[]) =>
    [...new Set(members.map(formatTypeWithFacets))].join(", ");
  const reorderedMembers = [...keptMembers].sort((left, right) => getNewIndex(left) - getNewIndex(right));
  return [
    {
      rule: "union-order-changed",
      before: formatMembers(keptMembers),
      after: formatMembers(reorderedMembers),
      sameCode: true,
    },
  ];
}

function acceptsEveryText({ variety, builtin, values, facets, patterns }: EffectiveType): boolean {
  const isOpen = ["string", "normalizedString", "token"].includes(builtin) && values === undefined;
  const isRestricted = [...facets.keys()].some((facet) => facet !== "whiteSpace") || patterns.length > 0;
  return variety === "atomic" && isOpen && !isRestricted;
}

/**
 * Whether two types may read the same string as different values. Patterns and other facets that cannot be compared are
 * ignored.
 */
function readsDifferently(side: SoapSide, left: EffectiveType, right: EffectiveType): boolean {
  if (left.variety === "union" || right.variety === "union") {
    const [union, other] = left.variety === "union" ? [left, right] : [right, left];
    return union.parts.some((part) => readsDifferently(side, part, other));
  }
  if (left.variety === "list" || right.variety === "list") {
    const [leftItem, rightItem] = [left, right].map((type) => (type.variety === "list" ? type.parts[0] : type));
    // A list with one item is written in the same way as the item alone, so a type that is not a list is compared with
    // the item type of the list.
    return (
      leftItem !== undefined &&
      rightItem !== undefined &&
      (left.variety !== right.variety ? sharesTexts(leftItem, rightItem) : readsDifferently(side, leftItem, rightItem))
    );
  }
  const isSameBuiltin = left.builtin === right.builtin;
  const relation = compareBuiltins(left.builtin, right.builtin);
  const isSameCode = formatCode(side, left) === formatCode(side, right);
  const isSameReading = isSameCode && !["recoded", "respaced"].includes(relation);
  return !isSameBuiltin && !isSameReading && sharesTexts(left, right);
}

/** Whether two atomic types may accept the same string. */
function sharesTexts(left: EffectiveType, right: EffectiveType): boolean {
  const sharedAmount = findSharedValues(left, right);
  const relation = compareBuiltins(left.builtin, right.builtin);
  if (relation === "recoded" || left.variety !== "atomic" || right.variety !== "atomic") {
    return true;
  }
  if (sharedAmount !== undefined) {
    return sharedAmount !== "none";
  }
  if (left.values !== undefined && right.values !== undefined) {
    return left.values.some((text) => right.values?.includes(text));
  }
  return relation !== "changed" && !hasNoSharedInteger(left, right);
}

function findItemDifferences(
  context: TypeComparison,
  before: EffectiveType,
  after: EffectiveType,
): readonly ValueDifference[] {
  const [oldItem] = before.parts;
  const [newItem] = after.parts;
  return oldItem === undefined || newItem === undefined ? [] : findValueDifferences(context, oldItem, newItem);
}
