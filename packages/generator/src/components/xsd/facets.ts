import { normalizeWhiteSpace } from "@bothends/datatypes";
import { checkPattern } from "@bothends/datatypes/pattern";
import type * as documents from "../../read/xsd/documents.js";
import { resolveQName } from "../../read/xsd/xsd-element.js";
import type { QName } from "../../source/qname.js";
import { limitHelp, patternLimitsOf } from "../../source/source-limits.js";
import { findNotation, nameIn, textContext } from "./lookup.js";
import type { BuildingSimpleType, Resolution, Scope } from "./resolution.js";
import type { BoundFacet, EnumerationFacet, Facet, LengthFacet, SimpleTypeDefinition } from "./schema-components.js";
import { compareTexts, type EffectiveFacets, isBound, type SimpleValues } from "./simple-values.js";

interface FacetPlace {
  /** The type that the facets restrict its base to. */
  readonly type: BuildingSimpleType;
  readonly scope: Scope;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** The facets of one step of derivation, each with a value that its base type has (Part 2 §4.3). */
export function readFacets(declared: readonly documents.Facet[], place: FacetPlace): readonly Facet[] {
  const { resolution, type } = place;
  const facets: Facet[] = [];
  let enumerated = 0;
  for (const declaration of declared) {
    if (!isApplicable(declaration, type)) {
      const what = type.variety === "atomic" ? `type ${type.primitive}` : `a ${type.variety} type`;
      resolution.diagnostics.unresolved("XSD042", declaration.span, {
        message: `The facet ${declaration.name} does not apply to ${what === "a absent type" ? "anySimpleType" : what}.`,
        instead: "It is ignored.",
      });
      continue;
    }
    if (declaration.name === "enumeration") enumerated += 1;
    if (enumerated > resolution.limits.enumValues) {
      reportTooMany(declaration, resolution);
      break;
    }
    const facet = readFacet(declaration, place);
    if (facet !== undefined) facets.push(facet);
  }
  checkFacets(facets, place);
  return facets;
}

function readFacet(declaration: documents.Facet, place: FacetPlace): Facet | undefined {
  const { span, documentation, fixed, value, name } = declaration;
  const common = { span: value.span, documentation };
  switch (name) {
    case "length":
    case "minLength":
    case "maxLength":
    case "totalDigits":
    case "fractionDigits": {
      const number = Number(value.text.trim());
      return Number.isNaN(number)
        ? undefined
        : { ...common, facet: name, value: Math.min(number, Number.MAX_SAFE_INTEGER), fixed };
    }
    case "whiteSpace": {
      const text = value.text.trim();
      const known = text === "preserve" || text === "replace" || text === "collapse";
      return known ? { ...common, facet: name, value: text, fixed } : undefined;
    }
    case "pattern":
      return readPattern(declaration, place) ? { span, documentation, facet: name, value: value.text } : undefined;
    case "enumeration":
      return readEnumeration(declaration, place);
    default:
      return readBound(
        { ...common, facet: name, value: normalisedText(declaration, place), fixed },
        declaration,
        place,
      );
  }
}

function readPattern({ value }: documents.Facet, { resolution }: FacetPlace): boolean {
  const problem = checkPattern(value.text, patternLimitsOf(resolution.limits));
  if (problem === undefined) return true;
  const start = Math.min(value.span.start + problem.offset, value.span.end);
  // Offsets into the value are offsets into the source only where the attribute has no references in it.
  const plain = value.span.end - value.span.start === value.text.length;
  const span = plain ? { ...value.span, start, end: Math.max(start, Math.min(start + 1, value.span.end)) } : value.span;
  const { limit, message } = problem;
  if (limit === undefined)
    resolution.diagnostics.error("XSD044", span, { message: `Not a pattern of XSD: ${message}` });
  else {
    const code = limit === "patternChars" ? "LIM001" : "LIM002";
    resolution.diagnostics.error(code, span, { message, help: limitHelp(limit, resolution.limits) });
  }
  return false;
}

function readBound(facet: BoundFacet, declaration: documents.Facet, place: FacetPlace): BoundFacet | undefined {
  const { type, values } = place;
  const same = values.facetsOf(type.baseType).bounds.get(facet.facet);
  // The base's own exclusive bound is outside the base, and still no wider.
  const equal = same !== undefined && compareTexts(type.primitive ?? "string", facet.value, same.value) === 0;
  return equal || isValue(facet.value, declaration, place) ? facet : undefined;
}

function readEnumeration(declaration: documents.Facet, place: FacetPlace): EnumerationFacet | undefined {
  const { span, documentation } = declaration;
  const value = normalisedText(declaration, place);
  if (!isValue(value, declaration, place)) return undefined;
  const { primitive } = place.type;
  const name = primitive === "QName" || primitive === "NOTATION" ? readName(value, declaration, place) : undefined;
  return { span, documentation, facet: "enumeration", value, name };
}

/** A name as a value, its prefix resolved; one of NOTATION must be declared (Part 2 §3.2.19). */
function readName(text: string, declaration: documents.Facet, place: FacetPlace): QName | undefined {
  const { scope, resolution, type } = place;
  const name = resolveQName(text, declaration.element);
  if (name === undefined) {
    resolution.diagnostics.error("XSD008", declaration.value.span, {
      message: `The prefix of "${text}" is not declared here.`,
    });
    return undefined;
  }
  if (type.primitive === "NOTATION") findNotation({ text, span: declaration.value.span, name }, scope, resolution);
  return nameIn(name, scope);
}

function normalisedText({ value }: documents.Facet, { type, values }: FacetPlace): string {
  return normalizeWhiteSpace(value.text, values.facetsOf(type.baseType).whiteSpace);
}

/** Whether a text is a value of the base type; it is reported where it is not. */
function isValue(text: string, { value, name, element }: documents.Facet, place: FacetPlace): boolean {
  const { type, scope, values, resolution } = place;
  const problem = values.problem(type.baseType, text, textContext(element, scope));
  if (problem === undefined) return true;
  resolution.diagnostics.error("XSD043", value.span, {
    message: `The ${name} value is not in the base type: ${problem}`,
  });
  return false;
}

/** Part 2 §4.1.5. */
function isApplicable({ name }: documents.Facet, type: SimpleTypeDefinition): boolean {
  if (type.variety === "absent") return false;
  if (type.variety === "union") return name === "pattern" || name === "enumeration";
  if (name === "pattern" || name === "enumeration" || name === "whiteSpace") {
    return !(name === "enumeration" && type.primitive === "boolean");
  }
  const isLength = name === "length" || name === "minLength" || name === "maxLength";
  if (type.variety === "list") return isLength;
  switch (type.primitive) {
    case "string":
    case "anyURI":
    case "hexBinary":
    case "base64Binary":
    case "QName":
    case "NOTATION":
      return isLength;
    case "boolean":
      return false;
    case "decimal":
      return !isLength;
    default:
      return !isLength && name !== "totalDigits" && name !== "fractionDigits";
  }
}

function reportTooMany(declaration: documents.Facet, resolution: Resolution): void {
  const limit = resolution.limits.enumValues;
  resolution.diagnostics.error("XSD035", declaration.span, {
    message: `More than ${limit} enumeration values.`,
    help: limitHelp("enumValues", resolution.limits),
  });
}

interface Checked {
  readonly type: SimpleTypeDefinition;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** Reports facets that contradict each other or allow more than the base (Part 2 §4.3, the valid restriction constraints). */
function checkFacets(facets: readonly Facet[], place: Checked): void {
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
