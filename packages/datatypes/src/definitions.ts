// The definitions of Part 2 by name, for programs that read schemas. It imports every type: generated code must not use it.
import type { Facet, SimpleType } from "./simple-type.js";
import * as xs from "./xs.js";

/** The JavaScript values of a built-in type; `strings` is a list of strings. */
export type JavaScriptValue = "string" | "number" | "bigint" | "boolean" | "bytes" | "strings";

/** A built-in type as Part 2 derives it. The derivations of a schema are checked against it. */
export interface BuiltInType {
  readonly name: string;
  readonly type: SimpleType<unknown>;
  readonly value: JavaScriptValue;
  /** The base type that it restricts; absent for a list. */
  readonly base?: string;
  /** The type of a list's items. */
  readonly item?: string;
  /** Only the facets that differ from the base's. */
  readonly facets: readonly FacetText[];
}

type FacetText = readonly [
  facet: "whiteSpace" | "pattern" | "fractionDigits" | "minInclusive" | "maxInclusive" | "minLength",
  value: string,
];

const anySimple = "anySimpleType";
const collapse = space("collapse");
const nonEmpty: readonly FacetText[] = [["minLength", "1"]];

function space(whiteSpace: "preserve" | "replace" | "collapse"): readonly FacetText[] {
  return [["whiteSpace", whiteSpace]];
}

function pattern(text: string): readonly FacetText[] {
  return [["pattern", text]];
}

function min(bound: string): readonly FacetText[] {
  return [["minInclusive", bound]];
}

function max(bound: string): readonly FacetText[] {
  return [["maxInclusive", bound]];
}

function between(least: string, most: string): readonly FacetText[] {
  return [...min(least), ...max(most)];
}

/** The 44 built-in types of XSD 1.0 Part 2 (§3.2, §3.3, Appendix A), each after the types it is derived from. */
export const builtInTypes = [
  { name: "string", type: xs.string, value: "string", base: anySimple, facets: space("preserve") },
  { name: "boolean", type: xs.boolean, value: "boolean", base: anySimple, facets: collapse },
  { name: "decimal", type: xs.decimal, value: "string", base: anySimple, facets: collapse },
  { name: "float", type: xs.float, value: "number", base: anySimple, facets: collapse },
  { name: "double", type: xs.double, value: "number", base: anySimple, facets: collapse },
  { name: "duration", type: xs.duration, value: "string", base: anySimple, facets: collapse },
  { name: "dateTime", type: xs.dateTime, value: "string", base: anySimple, facets: collapse },
  { name: "time", type: xs.time, value: "string", base: anySimple, facets: collapse },
  { name: "date", type: xs.date, value: "string", base: anySimple, facets: collapse },
  { name: "gYearMonth", type: xs.gYearMonth, value: "string", base: anySimple, facets: collapse },
  { name: "gYear", type: xs.gYear, value: "string", base: anySimple, facets: collapse },
  { name: "gMonthDay", type: xs.gMonthDay, value: "string", base: anySimple, facets: collapse },
  { name: "gDay", type: xs.gDay, value: "string", base: anySimple, facets: collapse },
  { name: "gMonth", type: xs.gMonth, value: "string", base: anySimple, facets: collapse },
  { name: "hexBinary", type: xs.hexBinary, value: "bytes", base: anySimple, facets: collapse },
  { name: "base64Binary", type: xs.base64Binary, value: "bytes", base: anySimple, facets: collapse },
  { name: "anyURI", type: xs.anyURI, value: "string", base: anySimple, facets: collapse },
  { name: "QName", type: xs.QName, value: "string", base: anySimple, facets: collapse },
  { name: "NOTATION", type: xs.NOTATION, value: "string", base: anySimple, facets: collapse },

  { name: "normalizedString", type: xs.normalizedString, value: "string", base: "string", facets: space("replace") },
  { name: "token", type: xs.token, value: "string", base: "normalizedString", facets: collapse },
  {
    name: "language",
    type: xs.language,
    value: "string",
    base: "token",
    facets: pattern("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*"),
  },
  { name: "NMTOKEN", type: xs.NMTOKEN, value: "string", base: "token", facets: pattern("\\c+") },
  { name: "Name", type: xs.Name, value: "string", base: "token", facets: pattern("\\i\\c*") },
  { name: "NCName", type: xs.NCName, value: "string", base: "Name", facets: pattern("[\\i-[:]][\\c-[:]]*") },
  { name: "ID", type: xs.ID, value: "string", base: "NCName", facets: [] },
  { name: "IDREF", type: xs.IDREF, value: "string", base: "NCName", facets: [] },
  { name: "ENTITY", type: xs.ENTITY, value: "string", base: "NCName", facets: [] },
  { name: "NMTOKENS", type: xs.NMTOKENS, value: "strings", item: "NMTOKEN", facets: nonEmpty },
  { name: "IDREFS", type: xs.IDREFS, value: "strings", item: "IDREF", facets: nonEmpty },
  { name: "ENTITIES", type: xs.ENTITIES, value: "strings", item: "ENTITY", facets: nonEmpty },

  { name: "integer", type: xs.integer, value: "bigint", base: "decimal", facets: [["fractionDigits", "0"]] },
  { name: "nonPositiveInteger", type: xs.nonPositiveInteger, value: "bigint", base: "integer", facets: max("0") },
  { name: "negativeInteger", type: xs.negativeInteger, value: "bigint", base: "nonPositiveInteger", facets: max("-1") },
  { name: "nonNegativeInteger", type: xs.nonNegativeInteger, value: "bigint", base: "integer", facets: min("0") },
  { name: "positiveInteger", type: xs.positiveInteger, value: "bigint", base: "nonNegativeInteger", facets: min("1") },
  {
    name: "long",
    type: xs.long,
    value: "bigint",
    base: "integer",
    facets: between("-9223372036854775808", "9223372036854775807"),
  },
  { name: "int", type: xs.int, value: "number", base: "long", facets: between("-2147483648", "2147483647") },
  { name: "short", type: xs.short, value: "number", base: "int", facets: between("-32768", "32767") },
  { name: "byte", type: xs.byte, value: "number", base: "short", facets: between("-128", "127") },
  {
    name: "unsignedLong",
    type: xs.unsignedLong,
    value: "bigint",
    base: "nonNegativeInteger",
    facets: max("18446744073709551615"),
  },
  { name: "unsignedInt", type: xs.unsignedInt, value: "number", base: "unsignedLong", facets: max("4294967295") },
  { name: "unsignedShort", type: xs.unsignedShort, value: "number", base: "unsignedInt", facets: max("65535") },
  { name: "unsignedByte", type: xs.unsignedByte, value: "number", base: "unsignedShort", facets: max("255") },
] as const satisfies readonly BuiltInType[];

/** The name of a built-in simple type, and of anySimpleType, from which all of them derive. */
export type BuiltInName = (typeof builtInTypes)[number]["name"] | typeof anySimple;

/** The constraining facets (§4.3). */
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
