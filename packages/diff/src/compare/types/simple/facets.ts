import { emptyContext, getValueSpace, readLiteralValue, type SimpleType } from "@bothends/datatypes";
import { builtinDatatypes } from "@bothends/datatypes/definitions";
import type { RuleId } from "../../../rules/index.js";
import { type EffectiveType, getIntegerRange, getWhiteSpace, isDerivedFrom } from "./effective-type.js";
import type { RestrictionKind } from "./patterns.js";

/** A difference in one facet. */
export interface FacetDifference {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
  /** The restrictions of texts that the facet is; undefined for white space, which restricts none. */
  readonly kinds?: readonly RestrictionKind[];
}

type Change = "tightened" | "loosened";

/** Compares the facets of two simple types, except their enumerations. */
export function findFacetDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  return [
    ...findLengthDifferences(before, after),
    ...findRangeDifferences(before, after),
    ...findDigitDifferences(before, after),
    ...findPatternDifferences(before, after),
    ...findWhiteSpaceDifferences(before, after),
  ];
}

/**
 * Returns how a bound changed; undefined if it did not. An absent bound restricts nothing, so adding one tightens the
 * type.
 */
export function compareFacetBounds<T>(
  [before, after]: readonly [T | undefined, T | undefined],
  compare: (left: T, right: T) => number,
  end: "least" | "greatest",
): Change | undefined {
  if (before === undefined || after === undefined) {
    return before === after ? undefined : before === undefined ? "tightened" : "loosened";
  }
  const order = compare(before, after);
  if (order === 0) {
    return undefined;
  }
  return order < 0 === (end === "least") ? "tightened" : "loosened";
}

/**
 * Compares lengths. If a version sets both bounds with the one facet `length`, and both bounds changed in the same way,
 * reports one difference.
 */
function findLengthDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  const differences = (["least", "greatest"] as const).flatMap((end): readonly FacetDifference[] => {
    const facet = end === "least" ? "minLength" : "maxLength";
    const getLength = ({ facets }: EffectiveType) => {
      const text = facets.get("length") ?? facets.get(facet);
      // A minimum length of 0 has no effect, so it is treated as absent.
      return text === undefined || (end === "least" && text === "0") ? undefined : Number(text);
    };
    const bounds = [getLength(before), getLength(after)] as const;
    const change = compareFacetBounds(bounds, (left, right) => left - right, end);
    return change === undefined
      ? []
      : [{ rule: `length-${change}`, kinds: [facet], ...formatFacetValues(facet, bounds) }];
  });
  const [first, second] = differences;
  const hasLength = [before, after].some(({ facets }) => facets.has("length"));
  return hasLength && first !== undefined && first.rule === second?.rule
    ? [
        {
          rule: first.rule,
          kinds: ["minLength", "maxLength"],
          before: formatLengths(before),
          after: formatLengths(after),
        },
      ]
    : differences;
}

function formatLengths({ facets }: EffectiveType): string {
  const names = facets.has("length") ? (["length"] as const) : (["minLength", "maxLength"] as const);
  const texts = names.flatMap((name) => (facets.has(name) ? [`${name} ${facets.get(name)}`] : []));
  return texts.length === 0 ? "length none" : texts.join(", ");
}

interface Bound {
  readonly text: string;
  readonly isInclusive: boolean;
}

/**
 * Returns the bound in the facets of a type. An exclusive bound of integers is converted to an inclusive one: a value
 * greater than 0 is at least 1.
 */
function getBound({ builtin, facets }: EffectiveType, end: "least" | "greatest"): Bound | undefined {
  const prefix = end === "least" ? "min" : "max";
  const exclusiveText = facets.get(`${prefix}Exclusive`);
  if (exclusiveText === undefined) {
    const inclusiveText = facets.get(`${prefix}Inclusive`);
    return inclusiveText === undefined ? undefined : { text: inclusiveText, isInclusive: true };
  }
  if (isDerivedFrom(builtin, "integer") && /^[+-]?\d+$/.test(exclusiveText.trim())) {
    return { text: String(BigInt(exclusiveText) + (end === "least" ? 1n : -1n)), isInclusive: true };
  }
  return { text: exclusiveText, isInclusive: false };
}

/**
 * Returns the bound of a built-in integer type, such as -128 for `xs:byte`. A facet that repeats this bound has no
 * effect.
 */
function getBuiltInBound({ builtin }: EffectiveType, end: "least" | "greatest"): Bound | undefined {
  const bound = getIntegerRange(builtin)?.[end];
  return bound === undefined ? undefined : { text: String(bound), isInclusive: true };
}

function findRangeDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  const type = builtinDatatypes.find(({ name }) => name === before.builtin)?.type;
  const compare = (left: string, right: string) => (type === undefined ? 0 : compareLiterals(type, left, right));
  const areIncomparable = (bounds: readonly (Bound | undefined)[]) => {
    const [left, right] = bounds;
    return left !== undefined && right !== undefined && compare(left.text, right.text) === undefined;
  };
  return (["least", "greatest"] as const).flatMap((end): readonly FacetDifference[] => {
    const statedBounds = [getBound(before, end), getBound(after, end)] as const;
    const hasBound = statedBounds.some((bound) => bound !== undefined);
    const bounds = hasBound
      ? ([statedBounds[0] ?? getBuiltInBound(before, end), statedBounds[1] ?? getBuiltInBound(after, end)] as const)
      : statedBounds;
    const compareOrder = (left: Bound, right: Bound) => {
      const sign = compare(left.text, right.text) ?? 0;
      const strictness = Number(right.isInclusive) - Number(left.isInclusive);
      return sign !== 0 ? sign : end === "least" ? strictness : -strictness;
    };
    const change = areIncomparable(bounds) ? "changed" : compareFacetBounds(bounds, compareOrder, end);
    const formatBound = (bound: Bound | undefined) =>
      bound === undefined ? undefined : `${bound.isInclusive ? "" : "exclusive "}${bound.text}`;
    return change === undefined
      ? []
      : [
          {
            rule: `range-${change}`,
            kinds: [end],
            ...formatFacetValues(end, [formatBound(bounds[0]), formatBound(bounds[1])]),
          },
        ];
  });
}

/**
 * Returns the order of two literals of a type; undefined if neither is less, such as dates of which only one has a time
 * zone, and durations in days and in months.
 */
function compareLiterals(type: SimpleType<unknown>, left: string, right: string): number | undefined {
  const { compare, key } = getValueSpace(type);
  try {
    const [leftValue, rightValue] = [readLiteralValue(type, left), readLiteralValue(type, right)];
    return compare === undefined || key(leftValue) === key(rightValue) ? 0 : compare(leftValue, rightValue);
  } catch {
    // The bound is not a valid literal of this type, so the bounds are not compared. The generator refuses such a
    // schema; if only the type changed, that change is reported.
    return 0;
  }
}

function findDigitDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  return (["totalDigits", "fractionDigits"] as const).flatMap((facet): readonly FacetDifference[] => {
    const [isInteger, isDecimal] = [true, false].map((isWanted) =>
      [before, after].some(({ builtin }) => isDerivedFrom(builtin, "integer") === isWanted),
    );
    if (facet === "fractionDigits" && isInteger && isDecimal) {
      // An integer never has fraction digits, so the facet restricts nothing. The changed type is reported separately.
      return [];
    }
    const getDigits = ({ facets }: EffectiveType) => (facets.has(facet) ? Number(facets.get(facet)) : undefined);
    const bounds = [getDigits(before), getDigits(after)] as const;
    const change = compareFacetBounds(bounds, (left, right) => left - right, "greatest");
    return change === undefined
      ? []
      : [{ rule: `digits-${change}`, kinds: [facet], ...formatFacetValues(facet, bounds) }];
  });
}

function findPatternDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  const removedPatterns = before.patterns.filter((pattern) => !after.patterns.includes(pattern));
  const addedPatterns = after.patterns.filter((pattern) => !before.patterns.includes(pattern));
  if (removedPatterns.length === 0 && addedPatterns.length === 0) {
    return [];
  }
  const rule: RuleId =
    removedPatterns.length === 0 ? "pattern-added" : addedPatterns.length === 0 ? "pattern-removed" : "pattern-changed";
  return [
    {
      rule,
      kinds: ["pattern"],
      ...formatFacetValues("pattern", [
        removedPatterns.join(" and ") || undefined,
        addedPatterns.join(" and ") || undefined,
      ]),
    },
  ];
}

function findWhiteSpaceDifferences(before: EffectiveType, after: EffectiveType): readonly FacetDifference[] {
  const [oldWhiteSpace, newWhiteSpace] = [getWhiteSpace(before), getWhiteSpace(after)];
  const isText = [before, after].every(
    ({ variety, builtin }) => variety === "atomic" && isDerivedFrom(builtin, "string"),
  );
  return oldWhiteSpace === newWhiteSpace || !isText || before.builtin !== after.builtin
    ? []
    : [{ rule: "whitespace-changed", ...formatFacetValues("whiteSpace", [oldWhiteSpace, newWhiteSpace]) }];
}

function formatFacetValues(
  facet: string,
  [before, after]: readonly [string | number | undefined, string | number | undefined],
) {
  return { before: `${facet} ${before ?? "none"}`, after: `${facet} ${after ?? "none"}` };
}

/** Whether two default or fixed values are equal although they are written differently: `1` and `1.0`. */
export function isSameLiteral(builtin: string, left: string, right: string): boolean {
  const type: SimpleType<unknown> | undefined = builtinDatatypes.find(({ name }) => name === builtin)?.type;
  if (type === undefined || left === right) {
    return left === right;
  }
  const { key } = getValueSpace(type);
  try {
    return key(type.read(left, emptyContext)) === key(type.read(right, emptyContext));
  } catch {
    return false;
  }
}
