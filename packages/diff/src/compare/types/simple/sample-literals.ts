import { getRule, type RuleId } from "../../../rules/index.js";
import { findBestLevel, findWorstLevel, getConsequences, type Level, levels } from "../../../rules/rule.js";
import type { ValueDifference } from "./atomic-types.js";
import { decideReading, type Reading } from "./decide-reading.js";
import { accepts, createDatatype, type EffectiveType, getIntegerRange, sampleLiterals } from "./effective-type.js";

// Determines how readers of one version read the literals that writers of the other version send.

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
        const isTrusted = reading.isProven || !types.some(hasUnknownTexts);
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

/**
 * Whether the literals of a type may not show all effects: it has a pattern, or a bound whose neighbors are not listed,
 * because it is neither a number nor a date.
 */
function hasUnknownTexts({ builtin, facets, patterns, parts }: EffectiveType): boolean {
  const bounds = [...facets].flatMap(([facet, text]) => (/clusive$/.test(facet) ? [text.trim()] : []));
  return (
    patterns.length > 0 ||
    bounds.some((text) => !isNumeric(builtin) && !datePattern.test(text)) ||
    parts.some(hasUnknownTexts)
  );
}

/** The beginning of a date, with or without a time. */
const datePattern = /^\d{4}-\d{2}-\d{2}/;

/** Returns a date with the day before and the day after it. */
function listDays(text: string): readonly string[] {
  const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return datePattern.test(text) && Number.isFinite(time)
    ? [-1, 0, 1].map((days) => new Date(time + days * 86_400_000).toISOString().slice(0, 10) + text.slice(10))
    : [];
}

function isNumeric(builtin: string): boolean {
  return ["decimal", "float", "double"].includes(builtin) || getIntegerRange(builtin) !== undefined;
}

const commonLiterals: readonly string[] = [
  ...[
    "",
    "text",
    "a",
    "two words",
    "a  b ",
    "a\tb",
    "a b c",
    "<>",
    "?!",
    "\u00e9",
    "1 2",
    "true false",
    ...sampleLiterals,
  ],
  ..."007 +7 1.0 -1.5 0.25 1.23456789012345678901 1e40 16777217 9007199254740993 INF NaN".split(" "),
  ..."0001-01-01 9999-12-31 2026-03-31Z 00:00:00Z 2026-03-31T10:00:00.5Z PT0.5S #a -a 1a :".split(" "),
  ..."0123 2026Z ab CAFE +/8= q1:n".split(" "),
];

const maxLength = 1000;

/** Lists literals of a type, among them those at the limits of both versions. */
export function listLiterals(type: EffectiveType, types: readonly EffectiveType[]): readonly string[] {
  const [item] = type.parts;
  if (type.variety === "list" && item !== undefined) {
    const datatype = createDatatype(item);
    const items = [...new Set(listLiterals(item, types))].filter(
      (text) => datatype !== undefined && /^\S+$/.test(text) && accepts(datatype, text),
    );
    const counts = [1, 2, 3, ...types.flatMap((each) => listLengths(each))];
    return [
      "",
      ...(type.values ?? []),
      ...items,
      ...(items.length === 0
        ? []
        : counts.map((count) => Array.from({ length: count }, (_, index) => items[index % items.length]).join(" "))),
    ];
  }
  return [...types.flatMap(listLimits), ...commonLiterals];
}

/** Lists literals at the limits of a type and of its parts, and just beyond them. */
function listLimits(type: EffectiveType): readonly string[] {
  const range = getIntegerRange(type.builtin);
  const bounds = [...type.facets].flatMap(([facet, text]) => (/clusive$/.test(facet) ? [text.trim()] : []));
  const integers = [
    ...[range?.least, range?.greatest].filter((bound) => bound !== undefined),
    ...bounds.filter((text) => /^[+-]?\d{1,40}$/.test(text)).map((text) => BigInt(text.replace("+", ""))),
  ];
  const decimals = bounds.map(Number).filter(Number.isFinite);
  const digits = ["totalDigits", "fractionDigits"].flatMap((facet) => {
    const count = Number(type.facets.get(facet as "totalDigits") ?? Number.NaN);
    return Number.isInteger(count) && count <= 40 ? [count, count + 1] : [];
  });
  return [
    ...(type.values ?? []),
    ...bounds.flatMap((text) => [text, text.includes(".") ? `${text}0` : `${text}.0`, ...listDays(text)]),
    ...integers.flatMap((bound) => [bound - 1n, bound, bound + 1n].map(String)),
    ...decimals.flatMap((bound) => [bound - 0.5, bound + 0.5, bound + 0.001].map(String)),
    ...digits.flatMap((count) => ["9".repeat(count), `-${"9".repeat(count)}`, `0.${"3".repeat(count)}`]),
    ...listLengths(type).flatMap((length) => ["a".repeat(length), "7".repeat(length), "http:".padEnd(length, "a")]),
    // A text of bytes has more characters than the value has bytes, and the limits of either may be compared.
    ...listLengths(type).flatMap((length) => [
      "0a".repeat(length),
      "0a".repeat(Math.ceil(length / 2)),
      "AAAA".repeat(Math.ceil(length / 4)),
      "AAAA".repeat(Math.floor(length / 3)) + ["", "AA==", "AAA="][length % 3],
    ]),
    ...(type.variety === "list" ? listLengths(type).map((count) => Array(count).fill("1").join(" ")) : []),
    ...type.parts.flatMap(listLimits),
  ];
}

/** Lists the lengths at the limits of a type, and just beyond them. */
function listLengths({ facets }: EffectiveType): readonly number[] {
  return (["length", "minLength", "maxLength"] as const)
    .map((facet) => Number(facets.get(facet) ?? Number.NaN))
    .flatMap((length) => [length - 1, length, length + 1])
    .filter((length) => length > 0 && length <= maxLength);
}
