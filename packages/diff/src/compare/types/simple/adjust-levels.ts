import { getRule, type RuleId } from "../../../rules/index.js";
import { findBestLevel, findWorstLevel, getConsequences, type Level, levels } from "../../../rules/rule.js";
import { decideReading, type Reading } from "./decide-reading.js";
import { accepts, createDatatype, type EffectiveType } from "./effective-type.js";
import { haveUnknownTexts, listLiterals } from "./sample-literals.js";
import type { ValueDifference } from "./value-difference.js";

// Determines the effects of differences from how readers of one version read what writers of the other version send.

/**
 * Replaces the effects of differences between two simple types on readers if sample literals show other effects. For
 * example, a reader accepts values of a removed member type if another member type of the union accepts them.
 */
export function adjustValueLevels(
  differences: readonly ValueDifference[],
  before: EffectiveType,
  after: EffectiveType,
): readonly ValueDifference[] {
  const types = [before, after] as const;
  if (before.variety === "atomic" && differences.every(({ isExact }) => isExact === true)) {
    const findReading = (side: 0 | 1): Reading => ({
      level: findWorstLevel(differences.map(({ levels }) => levels?.[side] ?? "none")),
      isProven: true,
    });
    return correctRules(differences, types, [findReading(0), findReading(1)]);
  }
  if (differences.length === 0) {
    return differences;
  }
  // The type of a value is part of its meaning if only the order of a union decides about it.
  const comparesTypes = differences.some(({ rule }) => rule === "union-order-changed");
  const decide = (writer: EffectiveType, reader: EffectiveType) =>
    decideReading([writer, reader], { literals: listLiterals(writer, types), comparesTypes });
  const [oldReading, newReading] = [decide(before, after), decide(after, before)];
  const adjust = (level: Level, reading: Reading | undefined, least: Level): Level => {
    if (reading === undefined) {
      return level;
    }
    switch (reading.level) {
      case "breaks":
        return level === "some" ? "breaks" : level;
      case "some":
        return level === "breaks" ? "some" : level;
      default: {
        const isTrusted = reading.isProven || !haveUnknownTexts(types);
        return isTrusted && levels.indexOf(level) > levels.indexOf(reading.level)
          ? findWorstLevel([reading.level, least])
          : level;
      }
    }
  };
  const adjustedDifferences = differences.map((difference) => {
    const { oldClients: oldWriter, newClients: newWriter } = getConsequences(getRule(difference.rule), {
      ...difference,
      direction: "input",
    });
    // Only third-party writers may show the effect of such a rule.
    const least = getRule(difference.rule).strictPeers === undefined ? "none" : "tolerated";
    return {
      difference,
      ruleLevels: [oldWriter, newWriter],
      adjustedLevels: [adjust(oldWriter, oldReading, least), adjust(newWriter, newReading, least)],
    };
  });
  // An effect that no difference has by itself is reported for the first one.
  const missingLevels = [oldReading, newReading].map((reading, side): Level => {
    const { level = "none", isProven = false } = reading ?? {};
    const worstLevel = findWorstLevel(adjustedDifferences.map(({ adjustedLevels }) => adjustedLevels[side] ?? "none"));
    return levels.indexOf(level) > levels.indexOf(worstLevel)
      ? findBestLevel(level, isProven ? "breaks" : "some")
      : "none";
  });
  const adjusted = adjustedDifferences.map(({ difference, ruleLevels, adjustedLevels }, index): ValueDifference => {
    const findSideLevel = (side: 0 | 1) =>
      findWorstLevel([adjustedLevels[side] ?? "none", (index === 0 ? missingLevels[side] : undefined) ?? "none"]);
    const [oldWriter, newWriter] = [findSideLevel(0), findSideLevel(1)];
    return oldWriter === ruleLevels[0] && newWriter === ruleLevels[1]
      ? difference
      : { ...difference, levels: [oldWriter, newWriter], isSampled: true };
  });
  const levelled = adjusted.map((difference) => omitAcceptedTexts(difference, types));
  const isUnchanged = before.variety === "union" && levelled.some(isOfFacet) && readsSameValues(types);
  return correctRules(isUnchanged ? levelled.filter((each) => !isOfFacet(each)) : levelled, types, [
    oldReading,
    newReading,
  ]);
}

/** Whether a difference is that of a facet. Such a difference has no effect if a union reads all texts as before. */
function isOfFacet({ rule }: ValueDifference): boolean {
  return /^(?:range|length|digits|pattern)-/.test(rule);
}

/**
 * Removes the sample texts of a changed pattern if the other version accepts one of them, because another member type
 * of the union accepts it.
 */
function omitAcceptedTexts(
  difference: ValueDifference,
  [before, after]: readonly [EffectiveType, EffectiveType],
): ValueDifference {
  const { sampleTexts } = difference;
  const isAccepted = (text: string | undefined, type: EffectiveType) =>
    text !== undefined && accepts(createDatatype(type), text);
  return isAccepted(sampleTexts?.before, after) || isAccepted(sampleTexts?.after, before)
    ? { ...difference, sampleTexts: undefined }
    : difference;
}

/** Whether readers of two types accept the same texts, and read them as the same values. */
function readsSameValues(types: readonly [EffectiveType, EffectiveType]): boolean {
  const [before, after] = types;
  return [[before, after] as const, [after, before] as const].every((direction) => {
    const reading = decideReading(direction, { literals: listLiterals(direction[0], types), comparesTypes: true });
    return reading?.isProven === true && reading.level === "none";
  });
}

/**
 * Replaces the rule of another type if the texts of both types show that its sentence is not true: for example, the
 * types share values although their built-in types share none.
 */
function correctRules(
  differences: readonly ValueDifference[],
  [before, after]: readonly [EffectiveType, EffectiveType],
  [oldReading, newReading]: readonly [Reading | undefined, Reading | undefined],
): readonly ValueDifference[] {
  const isWhole = before.variety !== after.variety || before.variety === "atomic";
  const difference = differences.find(({ rule }) => relationRules.includes(rule));
  if (!isWhole || difference === undefined) {
    return differences;
  }
  const isShared = [oldReading, newReading].some((reading) => reading?.isProven === true && reading.level !== "breaks");
  const isDisjoint = [oldReading, newReading].every(
    (reading) => reading?.isProven === true && reading.level === "breaks",
  );
  const isRefused = (reading: Reading | undefined) => reading?.isProven === true && /some|breaks/.test(reading.level);
  const { rule } = difference;
  const isFalse =
    (rule === "type-changed" && isShared) ||
    (rule === "type-widened" && isRefused(oldReading)) ||
    (rule === "type-narrowed" && isRefused(newReading));
  const { variant: _, ...rest } = difference;
  if (isDisjoint && rule !== "type-changed") {
    return [{ ...rest, rule: "type-changed", levels: undefined, isSampled: false }];
  }
  return differences.map((each) => (each === difference && isFalse ? { ...rest, rule: "type-overlaps" } : each));
}

const relationRules: readonly RuleId[] = ["type-changed", "type-overlaps", "type-widened", "type-narrowed"];
