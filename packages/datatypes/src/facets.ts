import { significantDigits } from "./decimal.js";
import { literalValue } from "./literal.js";
import { type Facet, type FacetCheck, type FacetValue, shown, traitsOf } from "./simple-type.js";

// XSD 1.0 Part 2 §4.3. Each facet prepares once what its check needs.

function lengthFacet(wrong: (length: number, bound: number) => string | undefined): Facet {
  return (facetValue, base) => {
    const bound = Number(facetValue);
    const { length } = traitsOf(base);
    return length === undefined ? () => undefined : (value) => wrong(length(value), bound);
  };
}

/** §4.3.1: in characters, octets or items, as the type is. */
export const length: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual === bound ? undefined : `the length is ${actual} and must be ${bound}`,
);

/** §4.3.2 */
export const minLength: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual >= bound ? undefined : `the length is ${actual} and must be at least ${bound}`,
);

/** §4.3.3 */
export const maxLength: Facet = /* @__PURE__ */ lengthFacet((actual, bound) =>
  actual <= bound ? undefined : `the length is ${actual} and must be at most ${bound}`,
);

/** §4.3.5: by value, so that `1.0` is among `["1"]`. */
export const enumeration: Facet = (facetValue, base) => {
  const { key } = traitsOf(base);
  const keys = new Set(valuesOf(facetValue).map((each) => key(literalValue(base, each))));
  return (value, text) => (keys.has(key(value)) ? undefined : `${shown(text)} is not one of its values`);
};

function valuesOf(value: FacetValue): readonly unknown[] {
  return typeof value === "object" ? value : [value];
}

/** §4.3.6: decides how text is normalised before it is read; the restriction itself looks for it. */
export const whiteSpace: Facet = () => () => undefined;

function boundFacet(holds: (order: number) => boolean, words: string): Facet {
  return (facetValue, base): FacetCheck => {
    const { compare } = traitsOf(base);
    if (compare === undefined) {
      throw new TypeError(`${base.name} is not ordered: it has no bounds.`);
    }
    const bound: unknown = literalValue(base, facetValue);
    return (value, text) => {
      const order = compare(value, bound);
      return order !== undefined && holds(order) ? undefined : `${shown(text)} must be ${words} ${shown(facetValue)}`;
    };
  };
}

/** §4.3.7 */
export const maxInclusive: Facet = /* @__PURE__ */ boundFacet((order) => order <= 0, "at most");
/** §4.3.8 */
export const maxExclusive: Facet = /* @__PURE__ */ boundFacet((order) => order < 0, "less than");
/** §4.3.9 */
export const minExclusive: Facet = /* @__PURE__ */ boundFacet((order) => order > 0, "more than");
/** §4.3.10 */
export const minInclusive: Facet = /* @__PURE__ */ boundFacet((order) => order >= 0, "at least");

/** §4.3.11: of the value; idle zeros do not count. */
export const totalDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return (_value, text) => {
    const { whole, fraction } = significantDigits(text);
    const digits = whole.length + fraction.length;
    return digits <= bound ? undefined : `${shown(text)} has ${digits} digits and must have at most ${bound}`;
  };
};

/** §4.3.12 */
export const fractionDigits: Facet = (facetValue) => {
  const bound = Number(facetValue);
  return (_value, text) => {
    const { fraction } = significantDigits(text);
    return fraction.length <= bound
      ? undefined
      : `${shown(text)} has ${fraction.length} fraction digits and must have at most ${bound}`;
  };
};
