import { shown } from "./lexical-error.js";
import { type Facet, type FacetValue, isDatatype, literalValue, type SimpleType, valueSpaceOf } from "./simple-type.js";
import { significantDigits } from "./types/numbers.js";

// The constraining facets (XSD 1.0 Part 2 §4.3). Each prepares its check once.

function lengthFacet(problem: (length: number, bound: number) => string | undefined): Facet {
  return (facetValue, base) => {
    const bound = Number(facetValue);
    const { length } = valueSpaceOf(base);
    return length && { problem: (value) => problem(length(value), bound) };
  };
}

/** §4.3.1: in characters, octets or items. */
export const length: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual === bound ? undefined : `its length is ${actual} and must be ${bound}`,
);

/** §4.3.2 */
export const minLength: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual >= bound ? undefined : `its length is ${actual} and must be at least ${bound}`,
);

/** §4.3.3 */
export const maxLength: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual <= bound ? undefined : `its length is ${actual} and must be at most ${bound}`,
);

/** §4.3.5: compared by value, so that `1.0` is in `["1"]`. */
export const enumeration: Facet = (facetValue, base) => {
  const { key } = valueSpaceOf(base);
  const keys = new Set(listOf(facetValue).map((each) => key(literalValue(base, each))));
  return {
    kind: "enumeration",
    problem: (value) => (keys.has(key(value)) ? undefined : "it is not one of the allowed values"),
  };
};

/** The values of a facet that may occur more than once. */
export function listOf(value: FacetValue): readonly unknown[] {
  return typeof value === "object" ? value : [value];
}

/** §4.3.6: normalizes text before it is read. The restriction applies it. */
export const whiteSpace: Facet = () => undefined;

function boundFacet(isWithin: (order: number) => boolean, words: string): Facet {
  return (facetValue, base) => {
    const { compare } = valueSpaceOf(base);
    if (compare === undefined) {
      throw new TypeError(`${base.name} is not ordered: it has no bounds.`);
    }
    const bound: unknown = literalValue(withoutFacets(base), facetValue);
    return {
      problem(value) {
        const order = compare(value, bound);
        return order !== undefined && isWithin(order) ? undefined : `it must be ${words} ${shown(facetValue)}`;
      },
    };
  };
}

/** A bound may be outside its base type: an exclusive bound may equal the base's (§4.3.8.4, §4.3.9.4). */
function withoutFacets(type: SimpleType<unknown>): SimpleType<unknown> {
  return isDatatype(type) && type.base !== undefined ? withoutFacets(type.base) : type;
}

/** §4.3.7 */
export const maxInclusive: Facet = /* @__PURE__ */ boundFacet((order) => order <= 0, "at most");
/** §4.3.8 */
export const maxExclusive: Facet = /* @__PURE__ */ boundFacet((order) => order < 0, "less than");
/** §4.3.9 */
export const minExclusive: Facet = /* @__PURE__ */ boundFacet((order) => order > 0, "more than");
/** §4.3.10 */
export const minInclusive: Facet = /* @__PURE__ */ boundFacet((order) => order >= 0, "at least");

/** §4.3.11: the digits of the value, ignoring leading and trailing zeros. */
export const totalDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return {
    problem(_value, text) {
      const { whole, fraction } = significantDigits(text);
      const digits = whole.length + fraction.length;
      return digits <= bound ? undefined : `it has ${digits} digits and must have at most ${bound}`;
    },
  };
};

/** §4.3.12 */
export const fractionDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return {
    problem(_value, text) {
      const { length } = significantDigits(text).fraction;
      return length <= bound ? undefined : `it has ${length} fraction digits and must have at most ${bound}`;
    },
  };
};
