import { accepts, createDatatype, type EffectiveType, getIntegerRange, sampleLiterals } from "./effective-type.js";
import { findFacetDifferences } from "./facets.js";

// Lists literals of simple types that show how readers of one version read what writers of the other version send.

/**
 * Whether the literals of two types may not show all effects: a type has a pattern, or a bound whose neighbors are not
 * listed, because it is neither a number nor a date; or the types have different limits that no literal reaches, or
 * limits that have no order.
 */
export function haveUnknownTexts(types: readonly [EffectiveType, EffectiveType]): boolean {
  const [limits, otherLimits] = types.map((type) => listLongLimits(type).join(" "));
  const haveNoOrder = findFacetDifferences(...types).some(({ rule }) => rule === "range-changed");
  return limits !== otherLimits || haveNoOrder || types.some(hasUnknownTexts);
}

/** Lists the length limits of a type and of its parts that no literal reaches. */
function listLongLimits({ facets, parts }: EffectiveType): readonly string[] {
  const limits = lengthFacets.filter((facet) => Number(facets.get(facet) ?? 0) >= maxLength);
  return [...limits.map((facet) => `${facet}=${facets.get(facet)}`), ...parts.flatMap(listLongLimits)];
}

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

/** The maximum length of a literal. Limits beyond it, such as 2147483647, are not reached. */
const maxLength = 10_000;
/** The maximum length of literals that are listed in all forms. */
const maxLengthOfAllForms = 1000;
const lengthFacets = ["length", "minLength", "maxLength"] as const;

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
    ...listLengths(type).flatMap(listTextsOfLength),
    ...(type.variety === "list" ? listLengths(type).map((count) => Array(count).fill("1").join(" ")) : []),
    ...type.parts.flatMap(listLimits),
  ];
}

/** Lists texts of values of a length, in characters or bytes. */
function listTextsOfLength(length: number): readonly string[] {
  const commonTexts = [
    "a".repeat(length),
    "0a".repeat(length),
    "AAAA".repeat(Math.floor(length / 3)) + ["", "AA==", "AAA="][length % 3],
  ];
  return length > maxLengthOfAllForms
    ? commonTexts
    : [
        ...commonTexts,
        "7".repeat(length),
        "http:".padEnd(length, "a"),
        // A text of bytes has more characters than the value has bytes, and the limits of either may be compared.
        "0a".repeat(Math.ceil(length / 2)),
        "AAAA".repeat(Math.ceil(length / 4)),
      ];
}

/** Lists the lengths at the limits of a type, and just beyond them. */
function listLengths({ facets }: EffectiveType): readonly number[] {
  return lengthFacets
    .map((facet) => Number(facets.get(facet) ?? Number.NaN))
    .flatMap((length) => [length - 1, length, length + 1])
    .filter((length) => length > 0 && length <= maxLength);
}
