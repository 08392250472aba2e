// The types and facets of XSD 1.0 Part 2 by name, for programs that read schemas. Generated code must not import this
// module, because this module imports every type.
import type { Facet, SimpleType } from "./simple-type.js";
import * as xs from "./xs.js";

/** The JavaScript type of a built-in type's values: `bytes` is a Uint8Array, `strings` an array of strings. */
export type JavaScriptValue = "string" | "number" | "bigint" | "boolean" | "bytes" | "strings";

/** A built-in type and its derivation in XSD 1.0 Part 2, against which the derivations of schemas are checked. */
export interface BuiltinDatatype {
  readonly name: string;
  readonly type: SimpleType<unknown>;
  readonly value: JavaScriptValue;
  /** The name of the type that this type restricts; absent for a list type. */
  readonly base?: string;
  /** For a list: the name of its item type. */
  readonly item?: string;
  /** The facets of this type that its base type lacks, or has with other values. */
  readonly facets: readonly FacetText[];
}

type FacetText = readonly [
  facet: "whiteSpace" | "pattern" | "fractionDigits" | "minInclusive" | "maxInclusive" | "minLength",
  value: string,
];

const anySimple = "anySimpleType";
const collapseFacet = createWhiteSpaceFacet("collapse");
const oneItemOrMore: readonly FacetText[] = [["minLength", "1"]];

function createWhiteSpaceFacet(whiteSpace: "preserve" | "replace" | "collapse"): readonly FacetText[] {
  return [["whiteSpace", whiteSpace]];
}

function patternFacet(text: string): readonly FacetText[] {
  return [["pattern", text]];
}

function minInclusive(bound: string): readonly FacetText[] {
  return [["minInclusive", bound]];
}

function maxInclusive(bound: string): readonly FacetText[] {
  return [["maxInclusive", bound]];
}

function createInclusiveRange(minimum: string, maximum: string): readonly FacetText[] {
  return [...minInclusive(minimum), ...maxInclusive(maximum)];
}

/**
 * The 44 built-in types of XSD 1.0 Part 2 (§3.2, §3.3, Appendix A). Each type comes after the types that it is derived
 * from.
 */
export const builtinDatatypes = [
  { name: "string", type: xs.string, value: "string", base: anySimple, facets: createWhiteSpaceFacet("preserve") },
  { name: "boolean", type: xs.boolean, value: "boolean", base: anySimple, facets: collapseFacet },
  { name: "decimal", type: xs.decimal, value: "string", base: anySimple, facets: collapseFacet },
  { name: "float", type: xs.float, value: "number", base: anySimple, facets: collapseFacet },
  { name: "double", type: xs.double, value: "number", base: anySimple, facets: collapseFacet },
  { name: "duration", type: xs.duration, value: "string", base: anySimple, facets: collapseFacet },
  { name: "dateTime", type: xs.dateTime, value: "string", base: anySimple, facets: collapseFacet },
  { name: "time", type: xs.time, value: "string", base: anySimple, facets: collapseFacet },
  { name: "date", type: xs.date, value: "string", base: anySimple, facets: collapseFacet },
  { name: "gYearMonth", type: xs.gYearMonth, value: "string", base: anySimple, facets: collapseFacet },
  { name: "gYear", type: xs.gYear, value: "string", base: anySimple, facets: collapseFacet },
  { name: "gMonthDay", type: xs.gMonthDay, value: "string", base: anySimple, facets: collapseFacet },
  { name: "gDay", type: xs.gDay, value: "string", base: anySimple, facets: collapseFacet },
  { name: "gMonth", type: xs.gMonth, value: "string", base: anySimple, facets: collapseFacet },
  { name: "hexBinary", type: xs.hexBinary, value: "bytes", base: anySimple, facets: collapseFacet },
  { name: "base64Binary", type: xs.base64Binary, value: "bytes", base: anySimple, facets: collapseFacet },
  { name: "anyURI", type: xs.anyURI, value: "string", base: anySimple, facets: collapseFacet },
  { name: "QName", type: xs.QName, value: "string", base: anySimple, facets: collapseFacet },
  { name: "NOTATION", type: xs.NOTATION, value: "string", base: anySimple, facets: collapseFacet },

  {
    name: "normalizedString",
    type: xs.normalizedString,
    value: "string",
    base: "string",
    facets: createWhiteSpaceFacet("replace"),
  },
  { name: "token", type: xs.token, value: "string", base: "normalizedString", facets: collapseFacet },
  {
    name: "language",
    type: xs.language,
    value: "string",
    base: "token",
    facets: patternFacet("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*"),
  },
  { name: "NMTOKEN", type: xs.NMTOKEN, value: "string", base: "token", facets: patternFacet("\\c+") },
  { name: "Name", type: xs.Name, value: "string", base: "token", facets: patternFacet("\\i\\c*") },
  { name: "NCName", type: xs.NCName, value: "string", base: "Name", facets: patternFacet("[\\i-[:]][\\c-[:]]*") },
  { name: "ID", type: xs.ID, value: "string", base: "NCName", facets: [] },
  { name: "IDREF", type: xs.IDREF, value: "string", base: "NCName", facets: [] },
  { name: "ENTITY", type: xs.ENTITY, value: "string", base: "NCName", facets: [] },
  { name: "NMTOKENS", type: xs.NMTOKENS, value: "strings", item: "NMTOKEN", facets: oneItemOrMore },
  { name: "IDREFS", type: xs.IDREFS, value: "strings", item: "IDREF", facets: oneItemOrMore },
  { name: "ENTITIES", type: xs.ENTITIES, value: "strings", item: "ENTITY", facets: oneItemOrMore },

  { name: "integer", type: xs.integer, value: "bigint", base: "decimal", facets: [["fractionDigits", "0"]] },
  {
    name: "nonPositiveInteger",
    type: xs.nonPositiveInteger,
    value: "bigint",
    base: "integer",
    facets: maxInclusive("0"),
  },
  {
    name: "negativeInteger",
    type: xs.negativeInteger,
    value: "bigint",
    base: "nonPositiveInteger",
    facets: maxInclusive("-1"),
  },
  {
    name: "nonNegativeInteger",
    type: xs.nonNegativeInteger,
    value: "bigint",
    base: "integer",
    facets: minInclusive("0"),
  },
  {
    name: "positiveInteger",
    type: xs.positiveInteger,
    value: "bigint",
    base: "nonNegativeInteger",
    facets: minInclusive("1"),
  },
  {
    name: "long",
    type: xs.long,
    value: "bigint",
    base: "integer",
    facets: createInclusiveRange("-9223372036854775808", "9223372036854775807"),
  },
  {
    name: "int",
    type: xs.int,
    value: "number",
    base: "long",
    facets: createInclusiveRange("-2147483648", "2147483647"),
  },
  { name: "short", type: xs.short, value: "number", base: "int", facets: createInclusiveRange("-32768", "32767") },
  { name: "byte", type: xs.byte, value: "number", base: "short", facets: createInclusiveRange("-128", "127") },
  {
    name: "unsignedLong",
    type: xs.unsignedLong,
    value: "bigint",
    base: "nonNegativeInteger",
    facets: maxInclusive("18446744073709551615"),
  },
  {
    name: "unsignedInt",
    type: xs.unsignedInt,
    value: "number",
    base: "unsignedLong",
    facets: maxInclusive("4294967295"),
  },
  {
    name: "unsignedShort",
    type: xs.unsignedShort,
    value: "number",
    base: "unsignedInt",
    facets: maxInclusive("65535"),
  },
  { name: "unsignedByte", type: xs.unsignedByte, value: "number", base: "unsignedShort", facets: maxInclusive("255") },
] as const satisfies readonly BuiltinDatatype[];

/** The name of a built-in simple type, or anySimpleType, from which all simple types derive. */
export type BuiltinDatatypeName = (typeof builtinDatatypes)[number]["name"] | typeof anySimple;

/** The constraining facets of XSD 1.0 Part 2 §4.3, by name. */
export const facets = {
  length: xs.length,
  minLength: xs.minLength,
  maxLength: xs.maxLength,
  pattern: xs.pattern,
  enumeration: xs.enumeration,
  whiteSpace: xs.whiteSpace,
  maxInclusive: xs.maxInclusive,
  maxExclusive: xs.maxExclusive,
  minExclusive: xs.minExclusive,
  minInclusive: xs.minInclusive,
  totalDigits: xs.totalDigits,
  fractionDigits: xs.fractionDigits,
} as const satisfies Readonly<Record<string, Facet>>;

/** The name of a facet as an element of a schema: `maxLength`. */
export type FacetName = keyof typeof facets;

/** The name of a facet that bounds values of an ordered type. */
export type BoundFacetName = Extract<FacetName, `${"min" | "max"}${"Inclusive" | "Exclusive"}`>;

/** The name of a facet whose value is a number of characters, bytes, items or digits. */
export type CountFacetName = Exclude<FacetName, BoundFacetName | "pattern" | "enumeration" | "whiteSpace">;
