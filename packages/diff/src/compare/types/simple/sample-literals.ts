import { findProblem, normalizeWhiteSpace, type SimpleType, type TextContext } from "@bothends/datatypes";
import { getRule } from "../../../rules/index.js";
import {
  findBestLevel,
  findWorstLevel,
  getConsequences,
  type Level,
  type LevelsOfWriters,
  levels,
} from "../../../rules/rule.js";
import type {} from "../../difference.js";
import type { ValueDifference } from "./atomic-types.js";
import { createDatatype, type EffectiveType, getIntegerRange, sampleLiterals } from "./effective-type.js";

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
    return differences;
  }
  if (differences.length === 0 || types.some(isUnreadable)) {
    return differences.map((difference) => omitAcceptedTexts(difference, types));
  }
  // The type of a value is part of its meaning if only the order of a union decides about it.
  const comparesTypes = differences.some(({ rule }) => rule === "union-order-changed");
  const findLevel = (writer: EffectiveType, reader: EffectiveType) =>
    findReadingLevel([writer, reader], types, comparesTypes);
  const [oldLevel, newLevel] = [findLevel(before, after), findLevel(after, before)];
  const isExact = !types.some(hasOtherBounds);
  const adjust = (level: Level, readingLevel: Level | undefined, least: Level): Level => {
    switch (readingLevel) {
      case undefined:
        return level;
      case "breaks":
        return level === "some" ? "breaks" : level;
      case "some":
        return level === "breaks" ? "some" : level;
      default:
        return isExact && levels.indexOf(level) > levels.indexOf(readingLevel)
          ? findWorstLevel([readingLevel, least])
          : level;
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
      adjustedLevels: [adjust(oldWriter, oldLevel, least), adjust(newWriter, newLevel, least)],
    };
  });
  // An effect that no difference has by itself is reported for the first one.
  const missingLevels = [oldLevel, newLevel].map((level = "none", side): Level => {
    const worstLevel = findWorstLevel(adjustedDifferences.map(({ adjustedLevels }) => adjustedLevels[side] ?? "none"));
    return levels.indexOf(level) > levels.indexOf(worstLevel) ? findBestLevel(level, "some") : "none";
  });
  return adjustedDifferences.map(({ difference, ruleLevels, adjustedLevels }, index) => {
    const findSideLevel = (side: 0 | 1) =>
      findWorstLevel([adjustedLevels[side] ?? "none", (index === 0 ? missingLevels[side] : undefined) ?? "none"]);
    const [oldWriter, newWriter] = [findSideLevel(0), findSideLevel(1)];
    return oldWriter === ruleLevels[0] && newWriter === ruleLevels[1]
      ? difference
      : { ...difference, levels: [oldWriter, newWriter], isSampled: true };
  });
}

/**
 * Removes the sample texts of a changed pattern if the reader accepts one of them, because another member type of the
 * union accepts it.
 */
function omitAcceptedTexts(
  difference: ValueDifference,
  [before, after]: readonly [EffectiveType, EffectiveType],
): ValueDifference {
  const { sampleTexts } = difference;
  const isAccepted = (text: string | undefined, type: EffectiveType) => {
    const datatype = createDatatype(type);
    return text !== undefined && (datatype === undefined || findProblem(datatype, text) === undefined);
  };
  return isAccepted(sampleTexts?.before, after) || isAccepted(sampleTexts?.after, before)
    ? { ...difference, sampleTexts: undefined, levels: getRuleLevels(difference), isUndecided: true }
    : difference;
}

/** Returns the effects on readers of messages according to the rule of a difference. */
function getRuleLevels({ rule, variant }: ValueDifference): LevelsOfWriters {
  const { oldClients, newClients } = getConsequences(getRule(rule), { variant, direction: "input" });
  return [oldClients, newClients];
}

/** Whether the literals of a type cannot be listed: it has a pattern, or lists names with their namespaces. */
function isUnreadable(type: EffectiveType): boolean {
  const { variety, builtin, patterns, parts, values } = type;
  return (
    patterns.length > 0 ||
    parts.some(isUnreadable) ||
    (values !== undefined && hasNames(type)) ||
    (variety === "atomic" && builtin === "anySimpleType")
  );
}

/** Whether values of a type are names whose namespaces have prefixes in messages. */
function hasNames({ builtin, parts }: EffectiveType): boolean {
  return ["QName", "NOTATION"].includes(builtin) || parts.some(hasNames);
}

/** Whether a type has a bound whose neighbors are not listed: a bound that is neither a number nor a date. */
function hasOtherBounds({ builtin, facets, parts }: EffectiveType): boolean {
  const bounds = [...facets].flatMap(([facet, text]) => (/clusive$/.test(facet) ? [text.trim()] : []));
  return bounds.some((text) => !isNumeric(builtin) && !datePattern.test(text)) || parts.some(hasOtherBounds);
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

/** Returns the effect on literals of the writer's type; undefined if none is known. */
function findReadingLevel(
  [writer, reader]: readonly [EffectiveType, EffectiveType],
  types: readonly [EffectiveType, EffectiveType],
  comparesTypes: boolean,
): Level | undefined {
  const [writerType, readerType] = [createDatatype(writer), createDatatype(reader)];
  if (writerType === undefined || readerType === undefined) {
    return undefined;
  }
  const context = hasNames(writer) ? boundPrefix : boundDefault;
  const accepts = (type: SimpleType<unknown>, text: string) => findProblem(type, text, context) === undefined;
  const literals = listLiterals(writer, types).filter((text) => accepts(writerType, text));
  const texts = new Set(literals.map((text) => writerType.write(readText(writerType, text, context), context)));
  const isRefused = (text: string) => !accepts(readerType, text);
  if (literals.length === 0) {
    return undefined;
  }
  if ([...texts].some(isRefused)) {
    // Generated writers send `true`, but never `1`, for a boolean, so a reader of numbers refuses all of their values.
    return [...texts].every(isRefused) ? "breaks" : "some";
  }
  return [...texts].every((text) => isKept([writerType, readerType], { text, context, comparesTypes }))
    ? "none"
    : "tolerated";
}

/** The namespaces that writers of names declare. */
const boundPrefix: TextContext = {
  resolve: (prefix) => (prefix === "q1" ? "urn:q1" : undefined),
  prefixFor: () => "q1",
};

/** The namespaces that other writers declare: only that of the elements, without a prefix. */
const boundDefault: TextContext = { ...boundPrefix, resolve: (prefix) => (prefix === "" ? "urn:q1" : undefined) };

function readText(type: SimpleType<unknown>, text: string, context: TextContext): unknown {
  return type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
}

interface SentText {
  readonly text: string;
  readonly context: TextContext;
  /** Whether the type of a value is part of its meaning. */
  readonly comparesTypes: boolean;
}

/** Whether a reader of another type reads the same value from a text, and optionally a value of the same type. */
function isKept(
  [writer, reader]: readonly [SimpleType<unknown>, SimpleType<unknown>],
  { text, context, comparesTypes }: SentText,
): boolean {
  const [value, otherValue] = [writer, reader].map((type) => readText(type, text, context));
  return formatValue(value) === formatValue(otherValue) && (!comparesTypes || typeof value === typeof otherValue);
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join(" ") : String(value);
}

const commonLiterals: readonly string[] = [
  ...["", "text", "a", "two words", "a  b ", "a b c", "<>", "?!", "\u00e9", "1 2", "true false", ...sampleLiterals],
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
      (text) => datatype !== undefined && findProblem(datatype, text) === undefined && /^\S+$/.test(text),
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
    ...bounds.flatMap((text) => [text, ...listDays(text)]),
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
