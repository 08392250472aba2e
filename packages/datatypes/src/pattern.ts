import { compilePattern, judgedPatternLimits } from "./pattern/index.js";
import { type Facet, type FacetValue, shown } from "./simple-type.js";

/** The pattern facet (XSD 1.0 Part 2 §4.3.4): the patterns of one derivation step are alternatives. */
export const pattern: Facet = (facetValue) => {
  const patterns = textsOf(facetValue).map((text) => compilePattern(text, judgedPatternLimits));
  return (_value, text) =>
    patterns.some((each) => each.test(text)) ? undefined : `${shown(text)} does not match the pattern`;
};

function textsOf(value: FacetValue): readonly string[] {
  return typeof value === "object" ? value.map(String) : [String(value)];
}
