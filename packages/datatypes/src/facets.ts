import { formatValue, shortenText } from "./lexical-error.js";
import type { Facet, FacetValue, SimpleType } from "./simple-type.js";
import { findSignificantDigits } from "./types/numbers.js";
import { getLengthFunction, getValueSpace, isDatatype, readLiteralValue } from "./value-space.js";

// The constraining facets (XSD 1.0 Part 2 §4.3). A facet prepares its check once, when the type is derived.

function createLengthFacet(problem: (length: number, bound: number) => string | undefined): Facet {
  return (facetValue, base) => {
    const bound = Number(facetValue);
    const getLength = getLengthFunction(base);
    return getLength && { problem: (value) => problem(getLength(value), bound) };
  };
}

/** The facet `length` (§4.3.1), in characters, octets or items. */
export const length: Facet = /* @__PURE__ */ createLengthFacet((actual, bound) =>
  actual === bound ? undefined : `its length is ${actual} and must be ${bound}`,
);

/** The facet `minLength` (§4.3.2), in characters, octets or items. */
export const minLength: Facet = /* @__PURE__ */ createLengthFacet((actual, bound) =>
  actual >= bound ? undefined : `its length is ${actual} and must be at least ${bound}`,
);

/** The facet `maxLength` (§4.3.3), in characters, octets or items. */
export const maxLength: Facet = /* @__PURE__ */ createLengthFacet((actual, bound) =>
  actual <= bound ? undefined : `its length is ${actual} and must be at most ${bound}`,
);

/** The facet `enumeration` (§4.3.5), which compares values, not their text: the decimal `1.0` is one of `["1"]`. */
export const enumeration: Facet = (facetValue, base) => {
  const { key } = getValueSpace(base);
  const literals = getFacetValues(facetValue);
  const keys = new Set(literals.map((literal) => key(readLiteralValue(base, literal))));
  return {
    kind: "enumeration",
    problem: (value) => (keys.has(key(value)) ? undefined : `it must be one of ${formatLiterals(literals)}`),
  };
};

/** The maximum number of allowed values that a message names. */
const maxNamedLiterals = 8;

function formatLiterals(literals: readonly unknown[]): string {
  const texts = literals.slice(0, maxNamedLiterals).map((literal) => JSON.stringify(shortenText(String(literal))));
  const otherCount = literals.length - texts.length;
  return `${texts.join(", ")}${otherCount > 0 ? ` and ${otherCount} others` : ""}`;
}

/** Returns the values of a facet that may occur several times, as a list. */
export function getFacetValues(value: FacetValue): readonly unknown[] {
  return typeof value === "object" ? value : [value];
}

/** The facet `whiteSpace` (§4.3.6), which has no check: the restriction normalizes text before reading it. */
export const whiteSpace: Facet = () => undefined;

function createBoundFacet(isWithin: (order: number) => boolean, comparison: string): Facet {
  return (facetValue, base) => {
    const { compare } = getValueSpace(base);
    if (compare === undefined) {
      throw new TypeError(`The type ${base.name} is not ordered, so it cannot have bounds.`);
    }
    const bound: unknown = readLiteralValue(withoutFacets(base), facetValue);
    return {
      problem(value) {
        const order = compare(value, bound);
        return order !== undefined && isWithin(order)
          ? undefined
          : `it must be ${comparison} ${formatValue(facetValue)}`;
      },
    };
  };
}

/**
 * Returns a type without its facets, for reading a bound. The bound may violate the facets of the base type: an
 * exclusive bound may equal the exclusive bound of the base type (§4.3.8.4, §4.3.9.4).
 */
function withoutFacets(type: SimpleType<unknown>): SimpleType<unknown> {
  return isDatatype(type) && type.base !== undefined ? withoutFacets(type.base) : type;
}

/** The facet `maxInclusive` (§4.3.7). */
export const maxInclusive: Facet = /* @__PURE__ */ createBoundFacet((order) => order <= 0, "at most");
/** The facet `maxExclusive` (§4.3.8). */
export const maxExclusive: Facet = /* @__PURE__ */ createBoundFacet((order) => order < 0, "less than");
/** The facet `minExclusive` (§4.3.9). */
export const minExclusive: Facet = /* @__PURE__ */ createBoundFacet((order) => order > 0, "more than");
/** The facet `minInclusive` (§4.3.10). */
export const minInclusive: Facet = /* @__PURE__ */ createBoundFacet((order) => order >= 0, "at least");

/** The facet `totalDigits` (§4.3.11). Leading and trailing zeros are not counted. */
export const totalDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return {
    problem(_value, text) {
      const { integerDigits, fraction } = findSignificantDigits(text);
      const digits = integerDigits.length + fraction.length;
      return digits <= bound ? undefined : `it has ${digits} digits and must have at most ${bound}`;
    },
  };
};

/** The facet `fractionDigits` (§4.3.12). Trailing zeros are not counted. */
export const fractionDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return {
    problem(_value, text) {
      const { length } = findSignificantDigits(text).fraction;
      return length <= bound ? undefined : `it has ${length} fraction digits and must have at most ${bound}`;
    },
  };
};
