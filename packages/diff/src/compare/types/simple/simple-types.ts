import { emptyContext } from "@bothends/datatypes";
import { tryReadMember } from "@bothends/datatypes/union-members";
import { findBestLevel, type LevelsOfWriters } from "../../../rules/rule.js";
import { matchUnique } from "../../similar-names.js";
import type { SoapSide } from "../../soap-side.js";
import type { TypeComparison } from "../type-comparison.js";
import {
  findAtomicDifferences,
  findFacetValueDifferences,
  findListedDifferences,
  findSharedValues,
  formatTypes,
} from "./atomic-types.js";
import {
  compareBuiltins,
  createDatatype,
  decodedTypes,
  type EffectiveType,
  formatType,
  hasNoSharedInteger,
  mayBeEmpty,
} from "./effective-type.js";
import { findLiteralLimits, formatCode, formatLiterals, formatTypeWithFacets } from "./type-texts.js";
import type { ValueDifference } from "./value-difference.js";

/** Compares the values that two simple types allow. */
export function findValueDifferences(
  context: TypeComparison,
  before: EffectiveType,
  after: EffectiveType,
): readonly ValueDifference[] {
  const sameCode = formatCode(before) === formatCode(after);
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
    const affectsTypeUses = codeLimits[0] === "some";
    return [{ ...change, ...formatTypes(before, after), variant, sameCode: sameLiterals, codeLimits, affectsTypeUses }];
  }
  if (before.variety === "union") {
    const sameLiterals = formatLiterals(context.old, before) === formatLiterals(context.new, after);
    const codeLimits = findLiteralLimits([context.old, context.new], [before, after]);
    return [
      ...findMemberDifferences(context, [before, after], sameLiterals),
      ...findOrderDifferences(context, before, after),
      ...findListedDifferences(before, after).map((difference) => ({ ...difference, sameCode: sameLiterals })),
      ...findFacetValueDifferences(before, after),
    ].map((difference) => ({
      ...difference,
      codeLimits,
      affectsTypeUses: difference.rule === "union-member-added" && codeLimits[0] === "some",
    }));
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

function findMemberDifferences(
  context: TypeComparison,
  [before, after]: readonly [before: EffectiveType, after: EffectiveType],
  sameCode: boolean,
): readonly ValueDifference[] {
  const [oldParts, newParts] = [listMembers(before), listMembers(after)];
  const [oldTexts, newTexts] = [oldParts, newParts].map((parts) => new Set(parts.map(formatTypeWithFacets)));
  const removedParts = oldParts.filter((part) => newTexts?.has(formatTypeWithFacets(part)) !== true);
  const addedParts = newParts.filter((part) => oldTexts?.has(formatTypeWithFacets(part)) !== true);
  const changedPairs = matchUnique([removedParts, addedParts], [hasSameName, hasSameBuiltin]);
  const groups = groupEnumerations([removedParts, addedParts]);
  const isGrouped = (part: EffectiveType) => groups.some((group) => group.some((list) => list.includes(part)));
  const isChanged = (part: EffectiveType) => isGrouped(part) || changedPairs.some((pair) => pair.includes(part));
  const removedTexts = removedParts.filter((part) => !isChanged(part)).map(formatTypeWithFacets);
  const addedTexts = addedParts.filter((part) => !isChanged(part)).map(formatTypeWithFacets);
  return [
    ...groups.flatMap((group) => findListedDifferencesOfUnion([before, after], group)),
    ...changedPairs
      .filter((pair) => !pair.some(isGrouped))
      .flatMap(([oldPart, newPart]) => findValueDifferences(context, oldPart, newPart))
      .map((difference) => ({
        ...limitToSome(difference, true, true),
        sameCode: difference.sameCode || sameCode,
      })),
    ...(removedTexts.length === 0
      ? []
      : [{ rule: "union-member-removed", before: removedTexts.join(", "), after: "", sameCode } as const]),
    ...(addedTexts.length === 0
      ? []
      : [{ rule: "union-member-added", before: "", after: addedTexts.join(", "), sameCode } as const]),
  ];
}

/** Lists the member types of a union, and in place of an unrestricted union among them its member types. */
function listMembers({ parts }: EffectiveType): readonly EffectiveType[] {
  return parts.flatMap((part) =>
    part.variety === "union" && part.values === undefined && part.patterns.length === 0 ? listMembers(part) : [part],
  );
}

/** The changed enumerations among the member types of both unions that have the same built-in type. */
type EnumerationGroup = readonly [before: readonly EffectiveType[], after: readonly EffectiveType[]];

/**
 * Groups changed enumerations that share values, or of which one remains in each version. A value may move from one of
 * them to another.
 */
function groupEnumerations([removedParts, addedParts]: EnumerationGroup): readonly EnumerationGroup[] {
  const isOpen = ({ variety, values, facets, patterns }: EffectiveType) =>
    variety === "atomic" && values !== undefined && facets.size === 0 && patterns.length === 0;
  const builtins = new Set(removedParts.filter(isOpen).map(({ builtin }) => builtin));
  return [...builtins].flatMap((builtin) => {
    const select = (parts: readonly EffectiveType[]) =>
      parts.filter((part) => isOpen(part) && part.builtin === builtin);
    const group = [select(removedParts), select(addedParts)] as const;
    const [oldValues, newValues] = group.map((parts) => new Set(parts.flatMap(({ values = [] }) => values)));
    const isShared = [...(oldValues ?? [])].some((value) => newValues?.has(value) === true);
    const isSamePart =
      group.every(({ length }) => length === 1) && group[0].some((part) => hasSameName(part, group[1][0] ?? part));
    return group[1].length > 0 && (isShared || isSamePart) ? [group] : [];
  });
}

/** Compares the values of enumerations in two unions, ignoring values that both unions read in the same way. */
function findListedDifferencesOfUnion(
  unions: readonly [before: EffectiveType, after: EffectiveType],
  [oldParts, newParts]: EnumerationGroup,
): readonly ValueDifference[] {
  const [oldPart, newPart] = [oldParts[0], newParts[0]];
  if (oldPart === undefined || newPart === undefined) {
    return [];
  }
  const listValues = (parts: readonly EffectiveType[]) => [...new Set(parts.flatMap(({ values = [] }) => values))];
  const [oldValues, newValues] = [listValues(oldParts), listValues(newParts)];
  const isSameReading = createReadingTest(unions);
  const select = (values: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return values.filter((value) => known.has(value) || !isSameReading(value));
  };
  return findListedDifferences(
    { ...oldPart, values: select(oldValues, newValues) },
    { ...newPart, values: select(newValues, oldValues) },
  );
}

/** Returns a function that tests whether both types read a text as the same value. */
function createReadingTest(types: readonly [EffectiveType, EffectiveType]): (text: string) => boolean {
  const [before, after] = types.map((type) => createDatatype(type));
  return (text) => {
    const [oldRead, newRead] = [before, after].map((type) => type && tryReadMember([type], text, emptyContext));
    return (
      oldRead !== undefined &&
      newRead !== undefined &&
      typeof oldRead.value === typeof newRead.value &&
      String(oldRead.value) === String(newRead.value)
    );
  };
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
  const isSameCode = formatCode(left) === formatCode(right);
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
  if (oldItem === undefined || newItem === undefined) {
    return [];
  }
  return (
    findValueDifferences(context, oldItem, newItem)
      // Readers split a list at white space, so its items contain none.
      .filter(({ rule }) => rule !== "whitespace-changed")
      .map((difference) => limitToSome(difference, mayBeEmpty(before), mayBeEmpty(after)))
  );
}

/** Limits the effects of a difference in a part of a type: some values of the type do not contain the part. */
function limitToSome(difference: ValueDifference, ofOldWriter: boolean, ofNewWriter: boolean): ValueDifference {
  const { levels } = difference;
  if (levels === undefined) {
    return difference;
  }
  const limited: LevelsOfWriters = [
    ofOldWriter ? findBestLevel(levels[0], "some") : levels[0],
    ofNewWriter ? findBestLevel(levels[1], "some") : levels[1],
  ];
  return { ...difference, levels: limited };
}
