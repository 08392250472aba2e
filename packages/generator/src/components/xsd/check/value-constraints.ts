import { clark } from "@bothends/xml";
import type { Span } from "../../../source/span.js";
import { isEmptiable, isIdType } from "../relations.js";
import type { AttributeListSource, Mutable, Resolution } from "../resolution.js";
import type {
  BoundFacet,
  Facet,
  LengthFacet,
  SimpleTypeDefinition,
  TypeDefinition,
  ValueConstraint,
  WhiteSpaceFacet,
} from "../schema-components.js";
import { compareTexts, type EffectiveFacets, isBound, keepsFixedValue, type SimpleValues } from "../simple-values.js";

// Checks of default and fixed values, identity constraints and facets.

/** Reports default and fixed values that are invalid for their types (Part 1 §3.2.6, §3.3.6, §3.5.6). */
export function checkValues(resolution: Resolution, values: SimpleValues): void {
  for (const [attribute, { declaration }] of resolution.attributeSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    checkValue(attribute.valueConstraint, { type: attribute.type, span, resolution, values });
    checkNotation(attribute.type, declaration.span, { resolution, values });
  }
  for (const [element, { declaration }] of resolution.elementSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    const type = getValueType(element.type);
    if (type === "none" && element.valueConstraint !== undefined) {
      reportValue(
        span,
        `The element <${element.name.local}> has no text, so it cannot have a ${element.valueConstraint.kind} value.`,
        resolution,
      );
    } else if (type !== "none" && type !== "text") {
      checkValue(element.valueConstraint, { type, span, resolution, values });
      checkNotation(type, declaration.span, { resolution, values });
    }
  }
  for (const { list } of resolution.complexTypes.values()) {
    checkReferences(list, resolution, values);
  }
  for (const attributeList of resolution.attributeGroupSources.values()) {
    checkReferences(attributeList, resolution, values);
  }
}

interface ValueCheck {
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/**
 * Returns the simple type of an element's text; `text` for mixed content without required elements, `none` for all
 * other content.
 */
function getValueType(type: TypeDefinition): SimpleTypeDefinition | "text" | "none" {
  if (type.kind === "simpleType") {
    return type;
  }
  const { content } = type;
  if (content.kind === "simple") {
    return content.type;
  }
  return content.kind === "mixed" && isEmptiable(content.particle) ? "text" : "none";
}

function checkValue(
  constraint: Mutable<ValueConstraint> | undefined,
  { type, span, resolution, values }: ValueCheck & { readonly type: SimpleTypeDefinition; readonly span: Span },
): void {
  if (constraint === undefined) {
    return;
  }
  if (isIdType(type)) {
    reportValue(span, `A declaration of type ID cannot have a ${constraint.kind} value.`, resolution);
  }
  const problem = values.findProblem(type, constraint.value, constraint.context);
  if (problem === undefined) {
    return;
  }
  const digits = type.primitive === "hexBinary" ? /^\s*0[xX](.*)$/s.exec(constraint.value)?.[1] : undefined;
  if (digits === undefined || values.findProblem(type, digits, constraint.context) !== undefined) {
    reportValue(span, problem, resolution);
    return;
  }
  constraint.value = digits;
  resolution.diagnostics.violation("XSD045", span, {
    message: `${problem} It is read as ${digits.trim()}.`,
    help: "Remove the prefix 0x.",
  });
}

/** Reports the use of a type that derives from NOTATION but has no enumeration (Part 2 §3.2.19). */
function checkNotation(type: SimpleTypeDefinition, span: Span, { resolution, values }: ValueCheck): void {
  if (type.primitive !== "NOTATION" || values.getFacets(type).isEnumerated) {
    return;
  }
  resolution.diagnostics.violation("XSD042", span, {
    message: "A type that derives from NOTATION must have an enumeration of notations.",
  });
}

/** Reports attribute references that do not keep the fixed value of the attribute's declaration (Part 1 §3.5.6). */
function checkReferences(attributeList: AttributeListSource, resolution: Resolution, values: SimpleValues): void {
  for (const item of attributeList.items) {
    if (!("use" in item)) {
      continue;
    }
    const { declaration, valueConstraint, span } = item.use;
    if (declaration.scope === "local" || valueConstraint === declaration.valueConstraint) {
      continue;
    }
    checkValue(valueConstraint, { type: declaration.type, span, resolution, values });
    if (!keepsFixedValue(declaration.type, declaration.valueConstraint, valueConstraint)) {
      const fixedValue = declaration.valueConstraint?.value;
      reportValue(span, `The declaration of the attribute fixes the value at "${fixedValue}".`, resolution);
    }
  }
}

function reportValue(span: Span, message: string, resolution: Resolution): void {
  resolution.diagnostics.error("XSD045", span, { message });
}

/**
 * Reports that clients and servers do not check identity constraints by default. Also reports each keyref that refers
 * to an unknown key, or to a key with a different number of fields (Part 1 §3.11.6).
 */
export function checkIdentityConstraints(resolution: Resolution): void {
  const [firstConstraint] = resolution.identityConstraints.values();
  if (firstConstraint === undefined) {
    return;
  }
  resolution.diagnostics.info("XSD053", firstConstraint.span, {
    message: `The schemas contain identity constraints (${resolution.identityConstraints.size}), which are not checked by default.`,
  });
  for (const { kind, refer, fields, span } of resolution.identityConstraints.values()) {
    if (kind !== "keyref" || refer === undefined) {
      continue;
    }
    const key = resolution.identityConstraints.get(clark(refer.namespace, refer.local));
    if (key === undefined || key.kind === "keyref") {
      resolution.diagnostics.violation("XSD028", span, {
        message: `No xs:key or xs:unique has the name "${refer.local}".`,
      });
    } else if (key.fields.length !== fields.length) {
      resolution.diagnostics.violation("XSD052", span, {
        message: `The keyref has ${fields.length} fields, but the constraint "${refer.local}" has ${key.fields.length}.`,
      });
    }
  }
}

/** The inputs for checking the facets of one type definition. */
interface FacetInputs {
  /** The type that the facets define. */
  readonly type: SimpleTypeDefinition;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/**
 * Reports and returns the facets that contradict each other or allow more than the base (Part 2 §4.3, valid restriction
 * constraints).
 */
export function checkFacets(facets: readonly Facet[], { type, resolution, values }: FacetInputs): ReadonlySet<Facet> {
  const inheritedFacets = values.getFacets(type.baseType);
  const check: FacetCheck = { type, facets, inheritedFacets, resolution, contradictions: new Set() };
  checkConflicts(facets, check);
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
  /** The facets of the type definition that is checked. */
  readonly facets: readonly Facet[];
  readonly inheritedFacets: EffectiveFacets;
  readonly resolution: Resolution;
  readonly contradictions: Set<Facet>;
}

function checkConflicts(facets: readonly Facet[], check: FacetCheck): void {
  const names = new Set<string>();
  for (const facet of facets) {
    if (facet.facet === "pattern" || facet.facet === "enumeration") {
      continue;
    }
    if (names.has(facet.facet)) {
      reportFacet(facet, `The facet ${facet.facet} is declared twice.`, check);
    }
    names.add(facet.facet);
  }
  for (const end of ["min", "max"] as const) {
    const bounds = facets.filter((facet) => facet.facet === `${end}Inclusive` || facet.facet === `${end}Exclusive`);
    const conflictingBound = bounds.find((facet) => facet.facet !== bounds[0]?.facet);
    if (conflictingBound !== undefined) {
      reportFacet(conflictingBound, `The facets ${end}Inclusive and ${end}Exclusive exclude each other.`, check);
    }
  }
}

const whiteSpaceOrder = ["preserve", "replace", "collapse"] as const;

function checkWhiteSpace(facet: WhiteSpaceFacet, check: FacetCheck): void {
  const { inheritedFacets } = check;
  if (whiteSpaceOrder.indexOf(facet.value) < whiteSpaceOrder.indexOf(inheritedFacets.whiteSpace)) {
    reportFacet(
      facet,
      `The facet whiteSpace "${facet.value}" preserves more than "${inheritedFacets.whiteSpace}" in the base.`,
      check,
    );
  } else if (inheritedFacets.fixed.has("whiteSpace") && facet.value !== inheritedFacets.whiteSpace) {
    reportFacet(facet, `The base fixes the facet whiteSpace at "${inheritedFacets.whiteSpace}".`, check);
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
      const max = findEffectiveLength("maxLength", check);
      if (max !== undefined && value > max) {
        reportFacet(facet, `The facet minLength (${value}) is greater than maxLength (${max}).`, check);
      }
      break;
    }
    case "maxLength": {
      const min = check.inheritedFacets.lengths.get("minLength")?.value;
      if (min !== undefined && value < min && findDeclaredLength("minLength", check) === undefined) {
        reportFacet(facet, `The facet maxLength (${value}) is less than minLength (${min}).`, check);
      }
      break;
    }
    case "fractionDigits": {
      const totalDigits = findEffectiveLength("totalDigits", check);
      if (totalDigits !== undefined && value > totalDigits) {
        reportFacet(facet, `The facet fractionDigits (${value}) is greater than totalDigits (${totalDigits}).`, check);
      }
    }
  }
  const baseLength = check.inheritedFacets.lengths.get("length")?.value;
  if (
    baseLength !== undefined &&
    ((name === "minLength" && value > baseLength) || (name === "maxLength" && value < baseLength))
  ) {
    reportFacet(facet, `The facet ${name} (${value}) contradicts the length of the base (${baseLength}).`, check);
  }
}

function checkLengthOfBase(facet: LengthFacet, check: FacetCheck): void {
  const { inheritedFacets } = check;
  const { facet: name, value } = facet;
  const base = inheritedFacets.lengths.get(name)?.value;
  if (base === undefined) {
    return;
  }
  const isWider = name === "minLength" ? value < base : name === "length" ? value !== base : value > base;
  if (isWider) {
    reportFacet(facet, `The facet ${name} (${value}) allows more than the base does (${base}).`, check);
  } else if (inheritedFacets.fixed.has(name) && value !== base) {
    reportFacet(facet, `The base fixes the facet ${name} at ${base}.`, check);
  }
}

/**
 * Checks the facet length. If a type has it, minLength and maxLength may only repeat the values of the base type (Part
 * 2 §4.3.1.4).
 */
function checkExactLength(facet: LengthFacet, check: FacetCheck): void {
  const { facets, inheritedFacets } = check;
  const min = findEffectiveLength("minLength", check);
  const max = findEffectiveLength("maxLength", check);
  if ((min !== undefined && min > facet.value) || (max !== undefined && max < facet.value)) {
    const bounds = `minLength (${min ?? 0}) or maxLength (${max ?? "unbounded"})`;
    reportFacet(facet, `The facet length (${facet.value}) contradicts ${bounds}.`, check);
  }
  for (const otherFacet of facets) {
    const isOtherLength = otherFacet.facet === "minLength" || otherFacet.facet === "maxLength";
    if (isOtherLength && inheritedFacets.lengths.get(otherFacet.facet)?.value !== otherFacet.value) {
      reportFacet(facet, `The facets length and ${otherFacet.facet} exclude each other.`, check);
    }
  }
}

function findEffectiveLength(name: LengthFacet["facet"], check: FacetCheck): number | undefined {
  return findDeclaredLength(name, check) ?? check.inheritedFacets.lengths.get(name)?.value;
}

function findDeclaredLength(name: LengthFacet["facet"], { facets }: FacetCheck): number | undefined {
  return facets.find((facet): facet is LengthFacet => facet.facet === name)?.value;
}

function checkBound(facet: BoundFacet, check: FacetCheck): void {
  const { facets, inheritedFacets } = check;
  const { primitive } = check.type;
  if (primitive === undefined) {
    return;
  }
  const { facet: name, value } = facet;
  const base = inheritedFacets.bounds.get(name);
  if (base !== undefined && inheritedFacets.fixed.has(name) && compareTexts(primitive, value, base.value) !== 0) {
    reportFacet(facet, `The base fixes the facet ${name} at ${base.value}.`, check);
  }
  if (!name.startsWith("min")) {
    return;
  }
  for (const maxName of ["maxInclusive", "maxExclusive"] as const) {
    const declaredMax = facets.find((other): other is BoundFacet => other.facet === maxName);
    const max = declaredMax ?? inheritedFacets.bounds.get(maxName);
    const comparison = max && compareTexts(primitive, value, max.value);
    // Part 2 §4.3.10.4: if two bounds have equal values, both must be inclusive, or both exclusive.
    const isMixed = name.endsWith("Inclusive") !== maxName.endsWith("Inclusive");
    if (max !== undefined && comparison !== undefined && (comparison > 0 || (comparison === 0 && isMixed))) {
      reportFacet(
        facet,
        `The facet ${name} (${value}) and ${maxName} (${max.value}) exclude all values together.`,
        check,
      );
    }
  }
}

function reportFacet(facet: Facet, message: string, { resolution, contradictions }: FacetCheck): void {
  contradictions.add(facet);
  resolution.diagnostics.unresolved("XSD042", facet.span, { message, fallback: "The facet is ignored." });
}
