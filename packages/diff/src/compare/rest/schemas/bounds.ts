import type { RuleId } from "../../../rules/index.js";
import { compareFacetBounds } from "../../types/simple/facets.js";
import { findSpans, type JsonMembers } from "../json-values.js";
import { type Family, formatTypes } from "../schema-texts.js";
import { formatKeywordValue, type KeywordDifference, type Schemas } from "../unions/schema-alternatives.js";

const bounds = [
  { keyword: "minimum", family: "number", facet: "range", end: "least" },
  { keyword: "maximum", family: "number", facet: "range", end: "greatest" },
  { keyword: "minLength", family: "string", facet: "length", end: "least" },
  { keyword: "maxLength", family: "string", facet: "length", end: "greatest" },
  { keyword: "minItems", family: "array", facet: "length", end: "least" },
  { keyword: "maxItems", family: "array", facet: "length", end: "greatest" },
  { keyword: "minProperties", family: "object", facet: "length", end: "least" },
  { keyword: "maxProperties", family: "object", facet: "length", end: "greatest" },
] as const;

/** Compares the bounds of the values, the lengths and the numbers of parts that two schemas allow. */
export function compareBounds(schemas: Schemas, families: readonly Family[]): readonly KeywordDifference[] {
  return bounds.flatMap((bound) => (families.includes(bound.family) ? findBoundDifferences(schemas, bound) : []));
}

function findBoundDifferences(
  schemas: Schemas,
  { keyword, facet, end }: (typeof bounds)[number],
): readonly KeywordDifference[] {
  const [before, after] = schemas;
  const change = compareFacetBounds([getBound(before, keyword), getBound(after, keyword)], subtractBounds, end);
  if (change === undefined) {
    return [];
  }
  const isOnlyExclusive = before[keyword] === after[keyword];
  const spans = isOnlyExclusive ? findSpans(schemas, [keyword.replace("m", "exclusiveM")]) : {};
  return [{ ...createKeywordDifference(`${facet}-${change}`, keyword, schemas), ...spans }];
}

interface Bound {
  readonly value: number;
  /** 1 for an exclusive lower bound, -1 for an exclusive upper bound, 0 for an inclusive bound. */
  readonly exclusiveOffset: number;
}

function getBound(schema: JsonMembers, keyword: string): Bound | undefined {
  const value = schema[keyword];
  // The value 0 of `minLength`, `minItems` or `minProperties` has no effect.
  if (typeof value !== "number" || (value === 0 && /^min[LIP]/.test(keyword))) {
    return undefined;
  }
  const shift = isExclusive(schema, keyword) ? (keyword === "minimum" ? 1 : -1) : 0;
  // Converts an exclusive bound of integers to an inclusive one: integers below 10 are at most 9.
  return formatTypes(schema) === "integer" && Number.isInteger(value)
    ? { value: value + shift, exclusiveOffset: 0 }
    : { value, exclusiveOffset: shift };
}

function isExclusive(schema: JsonMembers, keyword: string): boolean {
  return (
    (keyword === "minimum" && Boolean(schema["exclusiveMinimum"])) ||
    (keyword === "maximum" && Boolean(schema["exclusiveMaximum"]))
  );
}

function subtractBounds(left: Bound, right: Bound): number {
  return left.value - right.value || left.exclusiveOffset - right.exclusiveOffset;
}

/** Creates the difference in a keyword, with its values in both schemas. */
export function createKeywordDifference(rule: RuleId, keyword: string, schemas: Schemas): KeywordDifference {
  const [before, after] = schemas;
  const formatValue = (schema: JsonMembers) =>
    `${keyword} ${isExclusive(schema, keyword) ? "exclusive " : ""}${formatKeywordValue(schema[keyword])}`;
  return { rule, member: "", before: formatValue(before), after: formatValue(after), ...findSpans(schemas, [keyword]) };
}
