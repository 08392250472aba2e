import type { Resolution } from "../resolution.js";
import type { BoundFacet, Facet, LengthFacet, SimpleTypeDefinition, WhiteSpaceFacet } from "../schema-components.js";
import { compareTexts, type EffectiveFacets, isBound, type SimpleValues } from "../simple-values.js";

/** A step of derivation. */
interface FacetStep {
  /** The type that the facets restrict its base to. */
  readonly type: SimpleTypeDefinition;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** Reports facets that contradict each other, or that allow more than the base (Part 2 §4.3, valid restriction constraints). */
export function checkFacets(facets: readonly Facet[], { type, resolution, values }: FacetStep): ReadonlySet<Facet> {
  const inherited = values.facetsOf(type.baseType);
  const check: FacetCheck = { type, facets, inherited, resolution, contradictions: new Set() };
  checkExclusion(facets, check);
  for (const facet of facets) {
    if (facet.facet === "pattern" || facet.facet === "enumeration") {
      continue;
    }
    if (isBound(facet)) {
      checkBound(facet, check);
    } else if (facet.facet === "whiteSpace") {
      checkWhiteSpace(facet, check);
    } else {
      checkLength(facet, check);
    }
  }
  return check.contradictions;
}

interface FacetCheck {
  readonly type: SimpleTypeDefinition;
  /** The facets of this step of derivation. */
  readonly facets: readonly Facet[];
  readonly inherited: EffectiveFacets;
  readonly resolution: Resolution;
  readonly contradictions: Set<Facet>;
}

function checkExclusion(facets: readonly Facet[], check: FacetCheck): void {
  const seen = new Set<string>();
  for (const facet of facets) {
    if (facet.facet === "pattern" || facet.facet === "enumeration") {
      continue;
    }
    if (seen.has(facet.facet)) {
      report(facet, `The facet ${facet.facet} is declared twice.`, check);
    }
    seen.add(facet.facet);
  }
  for (const end of ["min", "max"] as const) {
    const bounds = facets.filter((facet) => facet.facet === `${end}Inclusive` || facet.facet === `${end}Exclusive`);
    const second = bounds.find((facet) => facet.facet !== bounds[0]?.facet);
    if (second !== undefined) {
      report(second, `${end}Inclusive and ${end}Exclusive exclude each other.`, check);
    }
  }
}

const whiteSpaceOrder = ["preserve", "replace", "collapse"] as const;

function checkWhiteSpace(facet: WhiteSpaceFacet, check: FacetCheck): void {
  const { inherited } = check;
  if (whiteSpaceOrder.indexOf(facet.value) < whiteSpaceOrder.indexOf(inherited.whiteSpace)) {
    report(facet, `whiteSpace "${facet.value}" preserves more than the base's "${inherited.whiteSpace}".`, check);
  } else if (inherited.fixed.has("whiteSpace") && facet.value !== inherited.whiteSpace) {
    report(facet, `The base fixes whiteSpace as "${inherited.whiteSpace}".`, check);
  }
}

function checkLength(facet: LengthFacet, check: FacetCheck): void {
  checkLengthOfBase(facet, check);
  const { facet: name, value } = facet;
  switch (name) {
    case "length":
      checkExactLength(facet, check);
      break;
    case "minLength": {
      const max = effectiveLength("maxLength", check);
      if (max !== undefined && value > max) {
        report(facet, `minLength ${value} is more than maxLength ${max}.`, check);
      }
      break;
    }
    case "maxLength": {
      const min = check.inherited.lengths.get("minLength")?.value;
      if (min !== undefined && value < min && declaredLength("minLength", check) === undefined) {
        report(facet, `maxLength ${value} is less than minLength ${min}.`, check);
      }
      break;
    }
    case "fractionDigits": {
      const total = effectiveLength("totalDigits", check);
      if (total !== undefined && value > total) {
        report(facet, `fractionDigits ${value} is more than totalDigits ${total}.`, check);
      }
    }
  }
  const exact = check.inherited.lengths.get("length")?.value;
  if (exact !== undefined && ((name === "minLength" && value > exact) || (name === "maxLength" && value < exact))) {
    report(facet, `${name} ${value} contradicts the base's length ${exact}.`, check);
  }
}

function checkLengthOfBase(facet: LengthFacet, check: FacetCheck): void {
  const { inherited } = check;
  const { facet: name, value } = facet;
  const base = inherited.lengths.get(name)?.value;
  if (base === undefined) {
    return;
  }
  const isWider = name === "minLength" ? value < base : name === "length" ? value !== base : value > base;
  if (isWider) {
    report(facet, `${name} ${value} allows more than the base's ${base}.`, check);
  } else if (inherited.fixed.has(name) && value !== base) {
    report(facet, `The base fixes ${name} as ${base}.`, check);
  }
}

/** Part 2 §4.3.1.4: beside length, minLength and maxLength may only repeat the values of a base. */
function checkExactLength(facet: LengthFacet, check: FacetCheck): void {
  const { facets, inherited } = check;
  const min = effectiveLength("minLength", check);
  const max = effectiveLength("maxLength", check);
  if ((min !== undefined && min > facet.value) || (max !== undefined && max < facet.value)) {
    const bounds = `minLength ${min ?? 0} or maxLength ${max ?? "unbounded"}`;
    report(facet, `length ${facet.value} contradicts ${bounds}.`, check);
  }
  for (const other of facets) {
    const isOtherLength = other.facet === "minLength" || other.facet === "maxLength";
    if (isOtherLength && inherited.lengths.get(other.facet)?.value !== other.value) {
      report(facet, `length and ${other.facet} exclude each other.`, check);
    }
  }
}

function effectiveLength(name: LengthFacet["facet"], check: FacetCheck): number | undefined {
  return declaredLength(name, check) ?? check.inherited.lengths.get(name)?.value;
}

function declaredLength(name: LengthFacet["facet"], { facets }: FacetCheck): number | undefined {
  return facets.find((facet): facet is LengthFacet => facet.facet === name)?.value;
}

function checkBound(facet: BoundFacet, check: FacetCheck): void {
  const { facets, inherited } = check;
  const { primitive } = check.type;
  if (primitive === undefined) {
    return;
  }
  const { facet: name, value } = facet;
  const base = inherited.bounds.get(name);
  if (base !== undefined && inherited.fixed.has(name) && compareTexts(primitive, value, base.value) !== 0) {
    report(facet, `The base fixes ${name} as ${base.value}.`, check);
  }
  if (!name.startsWith("min")) {
    return;
  }
  for (const maxName of ["maxInclusive", "maxExclusive"] as const) {
    const declared = facets.find((other): other is BoundFacet => other.facet === maxName);
    const max = declared ?? inherited.bounds.get(maxName);
    const order = max && compareTexts(primitive, value, max.value);
    // Part 2 §4.3.10.4: equal bounds are allowed if both are inclusive or both are exclusive.
    const isMixed = name.endsWith("Inclusive") !== maxName.endsWith("Inclusive");
    if (max !== undefined && order !== undefined && (order > 0 || (order === 0 && isMixed))) {
      report(facet, `${name} ${value} is more than ${maxName} ${max.value} allows.`, check);
    }
  }
}

function report(facet: Facet, message: string, { resolution, contradictions }: FacetCheck): void {
  contradictions.add(facet);
  resolution.diagnostics.unresolved("XSD042", facet.span, { message, fallback: "The facet is ignored." });
}
