import { normalizeWhiteSpace } from "@bothends/datatypes";
import { checkPattern } from "@bothends/datatypes/pattern";
import type * as documents from "../../../read/xsd/documents.js";
import { resolveQName } from "../../../read/xsd/xsd-element.js";
import { describeLimitRemedy, readPatternLimits } from "../../../source/source-limits.js";
import type { QName } from "../../../source/xml-names.js";
import { checkFacets } from "../check/value-constraints.js";
import { findNotation } from "../find-components.js";
import {
  createTextContext,
  type Dependency,
  getNameInScope,
  type MutableSimpleType,
  type Resolution,
  reportInheritance,
  type Scope,
  type SimpleTypeSource,
  sortByDependency,
} from "../resolution.js";
import {
  anySimpleType,
  type BoundFacet,
  type EnumerationFacet,
  type Facet,
  type SimpleTypeDefinition,
  type TypeDefinition,
  unknownSimpleType,
} from "../schema-components.js";
import { compareTexts, type SimpleValues } from "../simple-values.js";

/** Completes simple types in dependency order. Reports circular types (Part 1 §3.14.6). */
export function completeSimpleTypes(resolution: Resolution, values: SimpleValues): void {
  const sources = [...resolution.simpleTypes.values()].filter(({ declaration }) => declaration.kind === "simpleType");
  const depths = new Map<TypeDefinition, number>();
  const sizes = new Map<TypeDefinition, number>();
  for (const source of sortByDependency(sources, (node) => listDependencies(node, resolution))) {
    const { type } = source;
    const depth = 1 + Math.max(...listTypesUsedBy(type).map((usedType) => depths.get(usedType) ?? 0));
    depths.set(type, depth);
    if (depth > resolution.limits.inheritance) {
      if (depth === resolution.limits.inheritance + 1) {
        reportInheritance(type, resolution);
      }
      type.baseType = anySimpleType;
      type.memberTypes = [];
      type.itemType = undefined;
    }
    const size = listTypesUsedBy(type).reduce((sum, usedType) => sum + (sizes.get(usedType) ?? 1), 0);
    if (size > resolution.limits.unionMembers) {
      reportMemberCount(type, resolution);
      type.memberTypes = [];
    } else {
      sizes.set(type, size);
    }
    completeSimpleType(source, resolution, values);
  }
}

/** Sets the variety, primitive type and facets of a type whose base is complete. */
export function completeSimpleType(source: SimpleTypeSource, resolution: Resolution, values: SimpleValues): void {
  const { type, declaration } = source;
  if (type.derivation === "list") {
    completeList(type, source, resolution);
  } else if (type.derivation === "union") {
    type.variety = "union";
  } else {
    const { baseType } = type;
    if (baseType.variety === "absent") {
      reportAnySimpleType(source, resolution);
    }
    type.variety = baseType.variety;
    type.primitive = baseType.primitive;
    type.itemType = baseType.itemType;
    type.memberTypes = baseType.memberTypes;
  }
  checkFinal(source, resolution);
  type.facets = readFacets(listFacets(declaration), { type, scope: source.scope, resolution, values });
}

function listFacets(declaration: SimpleTypeSource["declaration"]): readonly documents.Facet[] {
  if (declaration.kind === "simpleContent") {
    return declaration.facets;
  }
  return declaration.derivation.kind === "restriction" ? declaration.derivation.facets : [];
}

/** Completes a list type, whose items must be atomic or unions of atomic types (Part 1 §3.14.6). */
function completeList(type: MutableSimpleType, { declaration }: SimpleTypeSource, resolution: Resolution): void {
  type.variety = "list";
  const item = type.itemType;
  if (item === undefined || !containsList(item)) {
    return;
  }
  resolution.diagnostics.error("XSD040", declaration.span, { message: "The items of a list must not be lists." });
  type.itemType = anySimpleType;
}

function containsList(type: SimpleTypeDefinition): boolean {
  return type.variety === "list" || type.memberTypes.some(containsList);
}

function checkFinal({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  for (const usedType of listTypesUsedBy(type)) {
    if (!usedType.final.has(type.derivation)) {
      continue;
    }
    resolution.diagnostics.error("XSD041", declaration.span, {
      message: `${usedType.name === undefined ? "A type that is used here" : `The type "${usedType.name.local}"`} is final: it does not allow derivation by ${type.derivation}.`,
    });
  }
}

/** Returns the types that a type is derived from: its base, item or member types. */
function listTypesUsedBy(type: SimpleTypeDefinition): readonly SimpleTypeDefinition[] {
  if (type.derivation === "list") {
    return type.itemType === undefined ? [] : [type.itemType];
  }
  return type.derivation === "union" ? type.memberTypes : [type.baseType];
}

function listDependencies(source: SimpleTypeSource, resolution: Resolution): readonly Dependency<SimpleTypeSource>[] {
  return listTypesUsedBy(source.type).flatMap((usedType) => {
    const usedSource = resolution.simpleTypes.get(usedType);
    return usedSource === undefined
      ? []
      : [{ node: usedSource, remove: () => removeDependency(source, usedType, resolution) }];
  });
}

function removeDependency(
  { type, declaration }: SimpleTypeSource,
  usedType: SimpleTypeDefinition,
  resolution: Resolution,
): void {
  resolution.diagnostics.unresolved("XSD032", declaration.span, {
    message: `${type.name === undefined ? "This simple type" : `The simple type "${type.name.local}"`} depends on itself.`,
    fallback: "The reference is left out.",
  });
  if (type.derivation === "restriction") {
    type.baseType = anySimpleType;
  }
  if (type.itemType === usedType) {
    type.itemType = anySimpleType;
  }
  type.memberTypes = type.memberTypes.filter((member) => member !== usedType);
}

/**
 * Reports a type that restricts anySimpleType, which only built-in types may do (Part 1 §3.14.6). If anySimpleType
 * replaces an unknown base, that base was already reported.
 */
function reportAnySimpleType({ type, declaration }: SimpleTypeSource, resolution: Resolution): void {
  const base =
    declaration.kind === "simpleType" && declaration.derivation.kind === "restriction"
      ? declaration.derivation.base
      : undefined;
  if (base === undefined || "kind" in base || base.name.local !== "anySimpleType") {
    return;
  }
  resolution.diagnostics.violation("XSD040", base.span, {
    message: `${type.name === undefined ? "This type" : `The type "${type.name.local}"`} restricts anySimpleType, which is allowed only for built-in types.`,
    help: "Restrict xs:string or another built-in type.",
  });
}

function reportMemberCount(type: SimpleTypeDefinition, resolution: Resolution): void {
  const limit = resolution.limits.unionMembers;
  resolution.diagnostics.error("XSD038", type.span, {
    message: `The union has more than ${limit} member types, including those of nested unions.`,
    ...describeLimitRemedy("unionMembers", resolution.limits),
  });
}

/** The inputs for reading the facets of a type definition. */
interface FacetContext {
  /** The type that the facets define. */
  readonly type: MutableSimpleType;
  readonly scope: Scope;
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/**
 * Reads the facets of one type definition. Reports facets that do not apply to the base type, and facets with values
 * that the base type does not allow (Part 2 §4.3).
 */
function readFacets(declarations: readonly documents.Facet[], context: FacetContext): readonly Facet[] {
  const { resolution, type } = context;
  if (hasUnknownBase(type)) {
    return [];
  }
  const facets: Facet[] = [];
  let enumerationCount = 0;
  for (const declaration of declarations) {
    if (!isApplicable(declaration, type)) {
      reportInapplicable(declaration, context);
      continue;
    }
    if (declaration.name === "enumeration") {
      enumerationCount += 1;
    }
    if (enumerationCount > resolution.limits.enumValues) {
      reportTooManyValues(declaration, resolution);
      break;
    }
    const facet = readFacet(declaration, context);
    if (facet !== undefined) {
      facets.push(facet);
    }
  }
  const contradictions = checkFacets(facets, context);
  return facets.filter((facet) => !contradictions.has(facet));
}

/** Reports a facet that does not apply to the type, and is therefore ignored. */
function reportInapplicable({ name, span }: documents.Facet, { type, resolution }: FacetContext): void {
  const message = `The facet ${name} does not apply to ${formatType(type)}.`;
  if (type.variety === "absent") {
    resolution.diagnostics.unresolved("XSD042", span, { message, fallback: "The facet is ignored." });
  } else {
    resolution.diagnostics.violation("XSD042", span, {
      message: `${message} It is ignored.`,
      help: "Remove the facet.",
    });
  }
}

/** Whether the type is derived from an unknown type. If so, its values are unknown. */
function hasUnknownBase({ baseType }: SimpleTypeDefinition): boolean {
  let base = baseType;
  while (base.builtin === undefined) {
    base = base.baseType;
  }
  return base === unknownSimpleType;
}

function formatType({ variety, primitive }: SimpleTypeDefinition): string {
  switch (variety) {
    case "atomic":
      return `type ${primitive}`;
    case "absent":
      return "anySimpleType";
    default:
      return `a ${variety} type`;
  }
}

function readFacet(declaration: documents.Facet, context: FacetContext): Facet | undefined {
  const { span, documentation, fixed, value, name } = declaration;
  const commonProperties = { span: value.span, documentation };
  switch (name) {
    case "length":
    case "minLength":
    case "maxLength":
    case "totalDigits":
    case "fractionDigits": {
      const number = Number(value.text.trim());
      return Number.isNaN(number)
        ? undefined
        : { ...commonProperties, facet: name, value: Math.min(number, Number.MAX_SAFE_INTEGER), fixed };
    }
    case "whiteSpace": {
      const text = value.text.trim();
      const isKnown = text === "preserve" || text === "replace" || text === "collapse";
      return isKnown ? { ...commonProperties, facet: name, value: text, fixed } : undefined;
    }
    case "pattern":
      return isSupportedPattern(declaration, context)
        ? { span, documentation, facet: name, value: value.text }
        : undefined;
    case "enumeration":
      return readEnumeration(declaration, context);
    default:
      return readBound(
        { ...commonProperties, facet: name, value: normalizeText(declaration, context), fixed },
        declaration,
        context,
      );
  }
}

/** Whether a pattern is valid and within the limits. Reports it if not. */
function isSupportedPattern({ value }: documents.Facet, { resolution }: FacetContext): boolean {
  const problem = checkPattern(value.text, readPatternLimits(resolution.limits));
  if (problem === undefined) {
    reportSurrogates(value, resolution);
    return true;
  }
  const start = Math.min(value.span.start + problem.offset, value.span.end);
  // If the attribute contains character references, offsets in its value differ from offsets in the source, so the span
  // of the whole value is reported.
  const isVerbatim = value.span.end - value.span.start === value.text.length;
  const span = isVerbatim
    ? { ...value.span, start, end: Math.max(start, Math.min(start + 1, value.span.end)) }
    : value.span;
  const { limit, message } = problem;
  if (limit === undefined) {
    resolution.diagnostics.unresolved("XSD044", span, {
      message: `The pattern is not valid in XSD: ${message}`,
      fallback: "The pattern is ignored.",
    });
  } else {
    const code = limit === "patternChars" ? "LIM001" : "LIM002";
    resolution.diagnostics.error(code, span, { message, ...describeLimitRemedy(limit, resolution.limits) });
  }
  return false;
}

/** Reports a block of surrogates in a pattern (Part 2 Appendix F.1.1). XML text cannot contain surrogates. */
function reportSurrogates({ text, span }: documents.Facet["value"], { diagnostics }: Resolution): void {
  const name = /\\[pP]\{(Is(?:High|HighPrivateUse|Low)Surrogates)\}/.exec(text)?.[1];
  if (name !== undefined) {
    diagnostics.violation("XSD044", span, {
      message: `The block ${name} contains no characters that XML allows. It is read as an empty class.`,
      help: "Remove the block from the pattern.",
    });
  }
}

function readBound(facet: BoundFacet, declaration: documents.Facet, context: FacetContext): BoundFacet | undefined {
  const { type, values } = context;
  const baseBound = values.getFacets(type.baseType).bounds.get(facet.facet);
  // A derived type may repeat an exclusive bound of its base, although the bound itself is not a value of the base, so
  // a repeated bound is not checked.
  const isRepeated =
    baseBound !== undefined && compareTexts(type.primitive ?? "string", facet.value, baseBound.value) === 0;
  return isRepeated || isValue(facet.value, declaration, context) ? facet : undefined;
}

function readEnumeration(declaration: documents.Facet, context: FacetContext): EnumerationFacet | undefined {
  const { span, documentation } = declaration;
  const value = normalizeText(declaration, context);
  if (!isValue(value, declaration, context)) {
    return undefined;
  }
  const { primitive } = context.type;
  const name = primitive === "QName" || primitive === "NOTATION" ? readName(value, declaration, context) : undefined;
  return { span, documentation, facet: "enumeration", value, name };
}

/** Reads a QName or the name of a notation, which must be declared (Part 2 §3.2.19). */
function readName(text: string, declaration: documents.Facet, context: FacetContext): QName | undefined {
  const { scope, resolution, type } = context;
  const name = resolveQName(text, declaration.element);
  if (name === undefined) {
    resolution.diagnostics.error("XSD008", declaration.value.span, {
      message: `The prefix of the name "${text}" is not declared.`,
    });
    return undefined;
  }
  if (type.primitive === "NOTATION") {
    findNotation({ text, span: declaration.value.span, name }, scope, resolution);
  }
  return getNameInScope(name, scope);
}

function normalizeText({ value }: documents.Facet, { type, values }: FacetContext): string {
  return normalizeWhiteSpace(value.text, values.getFacets(type.baseType).whiteSpace);
}

/** Whether a string is a value of the base type. Reports it if not. */
function isValue(text: string, { value, name, element }: documents.Facet, context: FacetContext): boolean {
  const { type, scope, values, resolution } = context;
  const problem = values.findProblem(type.baseType, text, createTextContext(element, scope));
  if (problem === undefined) {
    return true;
  }
  resolution.diagnostics.unresolved("XSD043", value.span, {
    message: `The base type does not allow this value of ${name}: ${problem}`,
    fallback: "The value is ignored.",
  });
  return false;
}

/** Whether a facet applies to a type (Part 2 §4.1.5). */
function isApplicable({ name }: documents.Facet, type: SimpleTypeDefinition): boolean {
  if (type.variety === "absent") {
    return false;
  }
  if (type.variety === "union") {
    return name === "pattern" || name === "enumeration";
  }
  if (name === "pattern" || name === "enumeration" || name === "whiteSpace") {
    return !(name === "enumeration" && type.primitive === "boolean");
  }
  const isLength = name === "length" || name === "minLength" || name === "maxLength";
  if (type.variety === "list") {
    return isLength;
  }
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

function reportTooManyValues(declaration: documents.Facet, resolution: Resolution): void {
  const limit = resolution.limits.enumValues;
  resolution.diagnostics.error("XSD035", declaration.span, {
    message: `The enumeration has more than ${limit} values.`,
    ...describeLimitRemedy("enumValues", resolution.limits),
  });
}
