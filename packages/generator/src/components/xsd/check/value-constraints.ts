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

// Checks of texts in a schema: default and fixed values, identity constraints, and facet values.

/** Reports default and fixed values that are invalid for their types (Part 1 §3.2.6, §3.3.6, §3.5.6). */
export function checkValues(resolution: Resolution, values: SimpleValues): void {
  for (const [attribute, { declaration }] of resolution.attributeSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    checkValue(attribute.valueConstraint, { type: attribute.type, span, resolution, values });
    checkNotation(attribute.type, declaration.span, { resolution, values });
  }
  for (const [element, { declaration }] of resolution.elementSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    const type = valueType(element.type);
    if (type === "none" && element.valueConstraint !== undefined) {
      reportValue(
        span,
        `<${element.name.local}> has no text, so it cannot have a ${element.valueConstraint.kind} value.`,
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
  for (const list of resolution.attributeGroupSources.values()) {
    checkReferences(list, resolution, values);
  }
}

interface ValueCheck {
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** The simple type of an element's text; `text` for mixed content that may consist of text, `none` for content without text. */
function valueType(type: TypeDefinition): SimpleTypeDefinition | "text" | "none" {
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
  const problem = values.problem(type, constraint.value, constraint.context);
  if (problem === undefined) {
    return;
  }
  const digits = type.primitive === "hexBinary" ? /^\s*0[xX](.*)$/s.exec(constraint.value)?.[1] : undefined;
  if (digits === undefined || values.problem(type, digits, constraint.context) !== undefined) {
    reportValue(span, problem, resolution);
    return;
  }
  constraint.value = digits;
  resolution.diagnostics.violation("XSD045", span, {
    message: `${problem} It is read as ${digits.trim()}.`,
    help: "Remove the prefix 0x.",
  });
}

/** Part 2 §3.2.19: only enumerated types that derive from NOTATION may be used. */
function checkNotation(type: SimpleTypeDefinition, span: Span, { resolution, values }: ValueCheck): void {
  if (type.primitive !== "NOTATION" || values.facetsOf(type).isEnumerated) {
    return;
  }
  resolution.diagnostics.violation("XSD042", span, {
    message: "NOTATION is used without an enumeration of notations.",
  });
}

/** Part 1 §3.5.6: a reference must keep the fixed value of the declaration. */
function checkReferences(list: AttributeListSource, resolution: Resolution, values: SimpleValues): void {
  for (const item of list.items) {
    if (!("use" in item)) {
      continue;
    }
    const { declaration, valueConstraint, span } = item.use;
    if (declaration.scope === "local" || valueConstraint === declaration.valueConstraint) {
      continue;
    }
    checkValue(valueConstraint, { type: declaration.type, span, resolution, values });
    if (!keepsFixedValue(declaration.type, declaration.valueConstraint, valueConstraint)) {
      const fixed = declaration.valueConstraint?.value;
      reportValue(span, `The attribute is fixed as "${fixed}" where it is declared.`, resolution);
    }
  }
}

function reportValue(span: Span, message: string, resolution: Resolution): void {
  resolution.diagnostics.error("XSD045", span, { message });
}

/**
 * Reports that identity constraints are checked only on request, and reports keyrefs that refer to an unknown key or to a key
 * with a different number of fields (Part 1 §3.11.6).
 */
export function checkIdentityConstraints(resolution: Resolution): void {
  const [first] = resolution.identityConstraints.values();
  if (first === undefined) {
    return;
  }
  resolution.diagnostics.info("XSD053", first.span, {
    message: `Identity constraints (${resolution.identityConstraints.size} here) are checked on request only.`,
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
        message: `The keyref has ${fields.length} fields, and ${refer.local} has ${key.fields.length}.`,
      });
    }
  }
}

/** One derivation step. */
interface FacetStep {
  /** The type that results from applying the facets to its base. */
  readonly type: SimpleTypeDefinition;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** Reports facets that contradict each other or allow more than the base (Part 2 §4.3, valid restriction constraints). */
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
  /** The facets of this derivation step. */
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
      reportFacet(facet, `The facet ${facet.facet} is declared twice.`, check);
    }
    seen.add(facet.facet);
  }
  for (const end of ["min", "max"] as const) {
    const bounds = facets.filter((facet) => facet.facet === `${end}Inclusive` || facet.facet === `${end}Exclusive`);
    const second = bounds.find((facet) => facet.facet !== bounds[0]?.facet);
    if (second !== undefined) {
      reportFacet(second, `${end}Inclusive and ${end}Exclusive exclude each other.`, check);
    }
  }
}

const whiteSpaceOrder = ["preserve", "replace", "collapse"] as const;

function checkWhiteSpace(facet: WhiteSpaceFacet, check: FacetCheck): void {
  const { inherited } = check;
  if (whiteSpaceOrder.indexOf(facet.value) < whiteSpaceOrder.indexOf(inherited.whiteSpace)) {
    reportFacet(facet, `whiteSpace "${facet.value}" preserves more than the base's "${inherited.whiteSpace}".`, check);
  } else if (inherited.fixed.has("whiteSpace") && facet.value !== inherited.whiteSpace) {
    reportFacet(facet, `The base fixes whiteSpace as "${inherited.whiteSpace}".`, check);
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
        reportFacet(facet, `minLength ${value} is more than maxLength ${max}.`, check);
      }
      break;
    }
    case "maxLength": {
      const min = check.inherited.lengths.get("minLength")?.value;
      if (min !== undefined && value < min && declaredLength("minLength", check) === undefined) {
        reportFacet(facet, `maxLength ${value} is less than minLength ${min}.`, check);
      }
      break;
    }
    case "fractionDigits": {
      const total = effectiveLength("totalDigits", check);
      if (total !== undefined && value > total) {
        reportFacet(facet, `fractionDigits ${value} is more than totalDigits ${total}.`, check);
      }
    }
  }
  const exact = check.inherited.lengths.get("length")?.value;
  if (exact !== undefined && ((name === "minLength" && value > exact) || (name === "maxLength" && value < exact))) {
    reportFacet(facet, `${name} ${value} contradicts the base's length ${exact}.`, check);
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
    reportFacet(facet, `${name} ${value} allows more than the base's ${base}.`, check);
  } else if (inherited.fixed.has(name) && value !== base) {
    reportFacet(facet, `The base fixes ${name} as ${base}.`, check);
  }
}

/** Part 2 §4.3.1.4: beside length, minLength and maxLength may only repeat the values of a base. */
function checkExactLength(facet: LengthFacet, check: FacetCheck): void {
  const { facets, inherited } = check;
  const min = effectiveLength("minLength", check);
  const max = effectiveLength("maxLength", check);
  if ((min !== undefined && min > facet.value) || (max !== undefined && max < facet.value)) {
    const bounds = `minLength ${min ?? 0} or maxLength ${max ?? "unbounded"}`;
    reportFacet(facet, `length ${facet.value} contradicts ${bounds}.`, check);
  }
  for (const other of facets) {
    const isOtherLength = other.facet === "minLength" || other.facet === "maxLength";
    if (isOtherLength && inherited.lengths.get(other.facet)?.value !== other.value) {
      reportFacet(facet, `length and ${other.facet} exclude each other.`, check);
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
    reportFacet(facet, `The base fixes ${name} as ${base.value}.`, check);
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
      reportFacet(facet, `${name} ${value} is more than ${maxName} ${max.value} allows.`, check);
    }
  }
}

function reportFacet(facet: Facet, message: string, { resolution, contradictions }: FacetCheck): void {
  contradictions.add(facet);
  resolution.diagnostics.unresolved("XSD042", facet.span, { message, fallback: "The facet is ignored." });
}
