import { getRule, type RuleId } from "../../../rules/index.js";
import {
  findBestLevel,
  findWorstLevel,
  getConsequences,
  type Level,
  type LevelsOfWriters,
  levels,
} from "../../../rules/rule.js";
import type { TypeComparison } from "../type-comparison.js";
import { compareTexts, normalizesMore, type Scope } from "./compare-texts.js";
import { decideReading } from "./decide-reading.js";
import {
  compareBuiltins,
  type EffectiveType,
  formatType,
  hasSameIntegers,
  listAllowedValues,
  type Relation,
} from "./effective-type.js";
import { type FacetDifference, findFacetDifferences, isSameLiteral } from "./facets.js";
import { hasComparableTexts } from "./patterns.js";
import { listLiterals } from "./sample-literals.js";
import { findLiteralLimits, formatLiterals, formatTypeWithFacets, hasOtherLiterals } from "./type-texts.js";
import type { ValueDifference } from "./value-difference.js";

export function formatTypes(before: EffectiveType, after: EffectiveType): Pick<ValueDifference, "before" | "after"> {
  return { before: formatType(before), after: formatType(after) };
}

/** Compares two atomic types: their built-in types, their enumeration values and their other facets. */
export function findAtomicDifferences(
  context: TypeComparison,
  [before, after]: Types,
  sameCode: boolean,
): readonly ValueDifference[] {
  const isListed = before.values !== undefined || after.values !== undefined;
  const differences = adjustToTexts(findDifferencesOfAtomicTypes(context, [before, after], sameCode), [before, after]);
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
  [before, after]: Types,
  sameCode: boolean,
): readonly KindedDifference[] {
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

export type SharedValues = "all" | "some" | "none";

/**
 * Returns how many of one version's enumeration values the other version allows: all, some or none. Returns undefined
 * unless exactly one version is an enumeration.
 */
export function findSharedValues(before: EffectiveType, after: EffectiveType): SharedValues | undefined {
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

type Types = readonly [before: EffectiveType, after: EffectiveType];

/** A difference, and the restrictions that changed if it is the difference of a facet. */
type KindedDifference = ValueDifference & Partial<Pick<FacetDifference, "kinds">>;

/** Compares the facets of two types, except their enumerations. */
export function findFacetValueDifferences(before: EffectiveType, after: EffectiveType): readonly KindedDifference[] {
  // Different facets can allow the same integers: for example, two digits, or a range from -99 to 99. Such differences
  // are not reported.
  const isKept = ({ rule }: { readonly rule: RuleId }) =>
    !(/^(?:range|digits)-/.test(rule) && hasSameIntegers(before, after));
  return findFacetDifferences(before, after)
    .filter(isKept)
    .map((difference) => ({ ...difference, sameCode: true }));
}

/**
 * Determines the effects of differences on readers from the texts that both types allow, if patterns or white space
 * decide about them. A pattern may have replaced other facets: `[A-Z]{2}` allows only texts with the length 2. Omits
 * changed facets that have no effect, because other facets restrict the values in the same way.
 */
function adjustToTexts(differences: readonly KindedDifference[], types: Types): readonly ValueDifference[] {
  const [before, after] = types;
  const isDecisive =
    types.some(({ patterns }) => patterns.length > 0) || differences.some(({ rule }) => rule === "whitespace-changed");
  if (!isDecisive || !hasComparableTexts(before, after)) {
    return differences.map(omitKinds);
  }
  const readings = [
    decideReading([before, after], { literals: listLiterals(before, types) }),
    decideReading([after, before], { literals: listLiterals(after, types) }),
  ] as const;
  const isProven = forBothSides((side) => readings[side]?.isProven === true);
  const isWholeNeeded = readings.some((reading) => reading?.isProven !== true || reading.level === "none");
  const whole = isWholeNeeded ? compareTexts(before, after, { includesReading: true }) : undefined;
  const wholeLevels = forBothSides((side) => {
    const [level, textLevel] = [readings[side]?.level, whole?.levels[side]];
    if (!isProven[side]) {
      return whole?.isUndecided[side] === true ? undefined : textLevel;
    }
    // Third-party writers may send other forms of numbers, which the reader refuses.
    return level === "none" && textLevel === "tolerated" ? textLevel : level;
  });
  const compared = differences.map((difference) => {
    const comparison = compareTexts(before, after, getScope(difference, types));
    const ruleLevels = getRuleLevels(difference);
    const effects = forBothSides((side) => limitLevel(ruleLevels[side], comparison.levels[side], wholeLevels[side]));
    return { difference, comparison, effects };
  });
  // An effect that no difference has by itself is that of the white space, or is reported for the first difference.
  const target = compared.find(({ difference }) => difference.rule === "whitespace-changed") ?? compared[0];
  const missingEffects = forBothSides((side): Level => {
    const level = wholeLevels[side] ?? "none";
    const worstLevel = findWorstLevel(compared.map(({ effects }) => effects[side]));
    return levels.indexOf(level) > levels.indexOf(worstLevel) ? level : "none";
  });
  return compared.flatMap((each): readonly ValueDifference[] => {
    const { difference, comparison, effects } = each;
    const adjustedLevels = forBothSides((side) => {
      // Third-party writers may send white space that readers of their version normalize.
      const isNormalized =
        difference.rule === "whitespace-changed" && normalizesMore(types[side], types[side === 0 ? 1 : 0]);
      const missingEffect = each === target ? missingEffects[side] : "none";
      return findWorstLevel([effects[side], missingEffect, isNormalized ? "tolerated" : "none"]);
    });
    const isUndecided = [0, 1].some((side) => comparison.isUndecided[side] === true && isProven[side] === false);
    const isWithoutEffect = adjustedLevels.every((level) => level === "none") && !comparison.levels.includes(undefined);
    const isFacet = difference.kinds !== undefined || difference.rule === "whitespace-changed";
    if (isFacet && isWithoutEffect && !isUndecided) {
      return [];
    }
    return [
      {
        ...omitKinds(difference),
        levels: adjustedLevels,
        isExact: !wholeLevels.includes(undefined),
        ...(isUndecided && { isUndecided }),
        ...(difference.rule.startsWith("pattern-") && { sampleTexts: comparison.sampleTexts }),
      },
    ];
  });
}

function forBothSides<T>(compute: (side: 0 | 1) => T): readonly [oldWriter: T, newWriter: T] {
  return [compute(0), compute(1)];
}

/** Returns the effects on readers of messages according to the rule of a difference. */
function getRuleLevels(difference: ValueDifference): LevelsOfWriters {
  const { oldClients, newClients } = getConsequences(getRule(difference.rule), { ...difference, direction: "input" });
  return [oldClients, newClients];
}

/** Returns the level of a difference, given the level that its texts show and that of all differences together. */
function limitLevel(ruleLevel: Level, level: Level = ruleLevel, wholeLevel: Level | undefined): Level {
  if (ruleLevel === "none" || wholeLevel === undefined) {
    return ruleLevel === "none" ? "none" : level;
  }
  return level === "some" && wholeLevel === "breaks" ? "breaks" : findBestLevel(level, wholeLevel);
}

function getScope({ rule, kinds }: KindedDifference, types: Types): Scope {
  if (kinds !== undefined) {
    return { kinds, includesReading: false };
  }
  if (rule === "whitespace-changed") {
    return { kinds: [], includesReading: true };
  }
  const isListed = types.some(({ values }) => values !== undefined);
  return { kinds: isListed ? undefined : ["builtin", "least", "greatest"], includesReading: true };
}

function omitKinds({ kinds: _, ...difference }: KindedDifference): ValueDifference {
  return difference;
}

export function findListedDifferences(before: EffectiveType, after: EffectiveType): readonly ValueDifference[] {
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
