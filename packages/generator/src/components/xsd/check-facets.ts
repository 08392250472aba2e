import type { BoundFacet, Facet, LengthFacet, SimpleTypeDefinition } from "../xsd-model.js";
import type { Resolution } from "./resolution.js";
import { compareTexts, type EffectiveFacets, isBound, type SimpleValues } from "./simple-values.js";

interface Checked {
  readonly type: SimpleTypeDefinition;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** Reports facets that contradict each other or allow more than the base (Part 2 §4.3, the valid restriction constraints). */
export function checkFacets(facets: readonly Facet[], place: Checked): void {
  checkOnce(facets, place);
  const inherited = place.values.facetsOf(place.type.baseType);
  for (const facet of facets) {
    if (facet.facet === "pattern" || facet.facet === "enumeration") continue;
    if (isBound(facet)) checkBound(facet, facets, { ...place, inherited });
    else if (facet.facet === "whiteSpace") checkWhiteSpace(facet, inherited, place);
    else checkLength(facet, { facets, inherited, place });
  }
}

function checkOnce(facets: readonly Facet[], place: Checked): void {
  const seen = new Set<string>();
  for (const facet of facets) {
    if (facet.facet === "pattern" || facet.facet === "enumeration") continue;
    if (seen.has(facet.facet)) report(facet, `The facet ${facet.facet} is given twice.`, place);
    seen.add(facet.facet);
  }
  for (const end of ["min", "max"] as const) {
    const both = facets.filter((facet) => facet.facet === `${end}Inclusive` || facet.facet === `${end}Exclusive`);
    const second = both.find((facet) => facet.facet !== both[0]?.facet);
    if (second !== undefined) report(second, `${end}Inclusive and ${end}Exclusive exclude each other.`, place);
  }
}

const strictness = { preserve: 0, replace: 1, collapse: 2 } as const;

function checkWhiteSpace(
  facet: Extract<Facet, { facet: "whiteSpace" }>,
  inherited: EffectiveFacets,
  place: Checked,
): void {
  if (strictness[facet.value] < strictness[inherited.whiteSpace]) {
    report(facet, `whiteSpace "${facet.value}" keeps more than the base's "${inherited.whiteSpace}".`, place);
  } else if (inherited.fixed.has("whiteSpace") && facet.value !== inherited.whiteSpace) {
    report(facet, `The base fixes whiteSpace as "${inherited.whiteSpace}".`, place);
  }
}

function checkLength(
  facet: LengthFacet,
  {
    facets,
    inherited,
    place,
  }: { readonly facets: readonly Facet[]; readonly inherited: EffectiveFacets; readonly place: Checked },
): void {
  const { facet: name, value } = facet;
  const own = (other: LengthFacet["facet"]) =>
    facets.find((one): one is LengthFacet => one.facet === other)?.value ?? inherited.lengths.get(other)?.value;
  const base = inherited.lengths.get(name)?.value;
  if (base !== undefined) {
    const wider = name === "minLength" ? value < base : name === "length" ? value !== base : value > base;
    if (wider) report(facet, `${name} ${value} allows more than the base's ${base}.`, place);
    else if (inherited.fixed.has(name) && value !== base) report(facet, `The base fixes ${name} as ${base}.`, place);
  }
  const min = own("minLength");
  const max = own("maxLength");
  if (name === "length") {
    if ((min !== undefined && min > value) || (max !== undefined && max < value)) {
      report(facet, `length ${value} contradicts minLength ${min ?? 0} or maxLength ${max ?? "unbounded"}.`, place);
    }
    checkLengthBeside(facet, facets, { inherited, place });
  } else if (name === "minLength") {
    if (max !== undefined && value > max) report(facet, `minLength ${value} is more than maxLength ${max}.`, place);
  } else if (name === "maxLength") {
    if (min !== undefined && value < min && !facets.some((one) => one.facet === "minLength")) {
      report(facet, `maxLength ${value} is less than minLength ${min}.`, place);
    }
  } else if (name === "fractionDigits") {
    const total = own("totalDigits");
    if (total !== undefined && value > total) {
      report(facet, `fractionDigits ${value} is more than totalDigits ${total}.`, place);
    }
  }
  const exact = inherited.lengths.get("length")?.value;
  if (exact !== undefined && ((name === "minLength" && value > exact) || (name === "maxLength" && value < exact))) {
    report(facet, `${name} ${value} contradicts the base's length ${exact}.`, place);
  }
}

/** Part 2 §4.3.1.4: beside length, minLength and maxLength only say what a base has said. */
function checkLengthBeside(
  facet: LengthFacet,
  facets: readonly Facet[],
  { inherited, place }: { readonly inherited: EffectiveFacets; readonly place: Checked },
): void {
  for (const other of facets) {
    if (other.facet !== "minLength" && other.facet !== "maxLength") continue;
    if (inherited.lengths.get(other.facet)?.value === other.value) continue;
    report(facet, `length and ${other.facet} exclude each other.`, place);
  }
}

function checkBound(
  facet: BoundFacet,
  facets: readonly Facet[],
  { type, resolution, values, inherited }: Checked & { readonly inherited: EffectiveFacets },
): void {
  const place = { type, resolution, values };
  const primitive = type.primitive;
  if (primitive === undefined) return;
  const base = inherited.bounds.get(facet.facet);
  if (
    base !== undefined &&
    inherited.fixed.has(facet.facet) &&
    compareTexts(primitive, facet.value, base.value) !== 0
  ) {
    report(facet, `The base fixes ${facet.facet} as ${base.value}.`, place);
  }
  if (!facet.facet.startsWith("min")) return;
  for (const name of ["maxInclusive", "maxExclusive"] as const) {
    const own = facets.find((one): one is BoundFacet => one.facet === name);
    const max = own ?? inherited.bounds.get(name);
    if (max === undefined) continue;
    const order = compareTexts(primitive, facet.value, max.value);
    if (order === undefined) continue;
    // Part 2 §4.3.10.4: equal bounds are all right where both are inclusive or both exclusive.
    const mixed = facet.facet.endsWith("Inclusive") !== name.endsWith("Inclusive");
    if (order > 0 || (order === 0 && mixed)) {
      report(facet, `${facet.facet} ${facet.value} is more than ${name} ${max.value} allows.`, place);
    }
  }
}

function report(facet: Facet, message: string, { resolution }: Checked): void {
  resolution.diagnostics.error("XSD042", facet.span, { message });
}
