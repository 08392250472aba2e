import { clark } from "@bothends/xml";
import { xsdNamespace } from "../../read/xsd/namespaces.js";
import type { Span } from "../../source/span.js";
import type {
  BuiltinTypeName,
  ComplexTypeDefinition,
  Facet,
  Particle,
  SimpleTypeDefinition,
  TypeDefinition,
  WhiteSpace,
  Wildcard,
} from "../xsd-model.js";

/** Where built-in components are said to stand: nowhere in the sources. */
export const builtinSpan: Span = { source: { path: `<${xsdNamespace}>`, text: "" }, start: 0, end: 0 };

const component = { span: builtinSpan, documentation: undefined } as const;
const shared = { ...component, context: undefined, derivedTypes: [] } as const;
const anything: Wildcard = { ...component, kind: "wildcard", namespaces: "any", process: "lax" };

/** Part 1 §3.4.7: the type that every type derives from. */
export const anyType: ComplexTypeDefinition = {
  ...shared,
  kind: "complexType",
  name: { namespace: xsdNamespace, local: "anyType" },
  builtin: "anyType",
  get baseType() {
    return anyType;
  },
  derivation: "restriction",
  abstract: false,
  block: new Set(),
  final: new Set(),
  attributeUses: [],
  attributeWildcard: anything,
  extension: undefined,
  content: { kind: "mixed", particle: anyContent() },
};

/** Part 2 §4.1.6: the simple type that every simple type derives from. */
export const anySimpleType: SimpleTypeDefinition = {
  ...shared,
  kind: "simpleType",
  name: { namespace: xsdNamespace, local: "anySimpleType" },
  builtin: "anySimpleType",
  get baseType() {
    return anySimpleType;
  },
  derivation: "restriction",
  variety: "absent",
  primitive: undefined,
  itemType: undefined,
  memberTypes: [],
  facets: [],
  final: new Set(),
};

/** Derived types after their bases (Part 2 §3.3), with the facets that tell them apart. */
const derived: readonly (readonly [name: BuiltinTypeName, base: BuiltinTypeName, ...facets: readonly FacetText[]])[] = [
  ["normalizedString", "string", ["whiteSpace", "replace"]],
  ["token", "normalizedString", ["whiteSpace", "collapse"]],
  ["language", "token", ["pattern", "[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*"]],
  ["NMTOKEN", "token", ["pattern", "\\c+"]],
  ["Name", "token", ["pattern", "\\i\\c*"]],
  ["NCName", "Name", ["pattern", "[\\i-[:]][\\c-[:]]*"]],
  ["ID", "NCName"],
  ["IDREF", "NCName"],
  ["ENTITY", "NCName"],
  ["integer", "decimal", ["fractionDigits", "0"]],
  ["nonPositiveInteger", "integer", ["maxInclusive", "0"]],
  ["negativeInteger", "nonPositiveInteger", ["maxInclusive", "-1"]],
  ["long", "integer", ["minInclusive", "-9223372036854775808"], ["maxInclusive", "9223372036854775807"]],
  ["int", "long", ["minInclusive", "-2147483648"], ["maxInclusive", "2147483647"]],
  ["short", "int", ["minInclusive", "-32768"], ["maxInclusive", "32767"]],
  ["byte", "short", ["minInclusive", "-128"], ["maxInclusive", "127"]],
  ["nonNegativeInteger", "integer", ["minInclusive", "0"]],
  ["unsignedLong", "nonNegativeInteger", ["maxInclusive", "18446744073709551615"]],
  ["unsignedInt", "unsignedLong", ["maxInclusive", "4294967295"]],
  ["unsignedShort", "unsignedInt", ["maxInclusive", "65535"]],
  ["unsignedByte", "unsignedShort", ["maxInclusive", "255"]],
  ["positiveInteger", "nonNegativeInteger", ["minInclusive", "1"]],
];
type FacetText = readonly [
  name: "whiteSpace" | "pattern" | "fractionDigits" | "minInclusive" | "maxInclusive",
  value: string,
];

const primitives: readonly BuiltinTypeName[] = [
  "string",
  "boolean",
  "decimal",
  "float",
  "double",
  "duration",
  "dateTime",
  "time",
  "date",
  "gYearMonth",
  "gYear",
  "gMonthDay",
  "gDay",
  "gMonth",
  "hexBinary",
  "base64Binary",
  "anyURI",
  "QName",
  "NOTATION",
];

const simpleTypes: ReadonlyMap<BuiltinTypeName, SimpleTypeDefinition> = createSimpleTypes();

/** All built-in types by Clark name. */
export const builtinTypes: ReadonlyMap<string, TypeDefinition> = new Map<string, TypeDefinition>([
  [clark(xsdNamespace, "anyType"), anyType],
  ...[...simpleTypes].map(([name, type]): [string, TypeDefinition] => [clark(xsdNamespace, name), type]),
]);

/** A built-in simple type. */
export function builtinSimpleType(name: BuiltinTypeName): SimpleTypeDefinition {
  return simpleTypes.get(name) ?? anySimpleType;
}

/** The content of anyType: a sequence of anything. */
function anyContent(): Particle {
  const occurs = { span: builtinSpan, documentation: undefined, group: undefined };
  const repeated: Particle = { ...occurs, min: 0, max: "unbounded", term: anything };
  const term = { ...component, kind: "modelGroup", compositor: "sequence", particles: [repeated] } as const;
  return { ...occurs, min: 1, max: 1, term };
}

function createSimpleTypes(): ReadonlyMap<BuiltinTypeName, SimpleTypeDefinition> {
  const types = new Map<BuiltinTypeName, SimpleTypeDefinition>([["anySimpleType", anySimpleType]]);
  const add = (
    name: BuiltinTypeName,
    base: SimpleTypeDefinition,
    primitive: BuiltinTypeName,
    facets: readonly Facet[],
  ) =>
    types.set(name, {
      ...anySimpleType,
      name: { namespace: xsdNamespace, local: name },
      builtin: name,
      baseType: base,
      variety: "atomic",
      primitive,
      facets,
    });
  for (const name of primitives) {
    add(name, anySimpleType, name, [readFacet(["whiteSpace", name === "string" ? "preserve" : "collapse"])]);
  }
  for (const [name, base, ...facets] of derived) {
    const type = types.get(base) ?? anySimpleType;
    add(name, type, type.primitive ?? name, facets.map(readFacet));
  }
  for (const [name, item] of [
    ["NMTOKENS", "NMTOKEN"],
    ["IDREFS", "IDREF"],
    ["ENTITIES", "ENTITY"],
  ] as const) {
    types.set(name, {
      ...anySimpleType,
      name: { namespace: xsdNamespace, local: name },
      builtin: name,
      baseType: anySimpleType,
      derivation: "list",
      variety: "list",
      itemType: types.get(item),
      facets: [{ ...component, facet: "minLength", value: 1, fixed: false }],
    });
  }
  return types;
}

function readFacet([name, value]: FacetText): Facet {
  switch (name) {
    case "whiteSpace":
      return { ...component, facet: name, value: whiteSpace(value), fixed: value === "collapse" };
    case "pattern":
      return { ...component, facet: name, value };
    case "fractionDigits":
      return { ...component, facet: name, value: Number(value), fixed: true };
    default:
      return { ...component, facet: name, value, fixed: false };
  }
}

function whiteSpace(text: string): WhiteSpace {
  return text === "replace" || text === "collapse" ? text : "preserve";
}
