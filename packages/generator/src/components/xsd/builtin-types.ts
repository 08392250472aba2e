import { type BuiltInName, type BuiltInType, builtInTypes } from "@bothends/datatypes/definitions";
import { clark } from "@bothends/xml";
import { xsdNamespace } from "../../source/names.js";
import type { Span } from "../../source/span.js";
import type {
  ComplexTypeDefinition,
  Facet,
  Particle,
  SimpleTypeDefinition,
  TypeDefinition,
  WhiteSpace,
  Wildcard,
} from "./schema-components.js";

/** The span of built-in components, which are not in a source. */
export const builtinSpan: Span = { source: { path: `<${xsdNamespace}>`, text: "" }, start: 0, end: 0 };

const component = { span: builtinSpan, documentation: undefined } as const;
const shared = { ...component, context: undefined, derivedTypes: [] } as const;
const anyNamespace: Wildcard = { ...component, kind: "wildcard", namespaces: "any", process: "lax" };

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
  attributeWildcard: anyNamespace,
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

/** Replaces an unknown base type, which has already been reported. */
export const unknownSimpleType: SimpleTypeDefinition = { ...anySimpleType };

const simpleTypes: ReadonlyMap<string, SimpleTypeDefinition> = createSimpleTypes();

/** All built-in types by Clark name. */
export const builtinTypes: ReadonlyMap<string, TypeDefinition> = new Map<string, TypeDefinition>([
  [clark(xsdNamespace, "anyType"), anyType],
  ...[...simpleTypes].map(([name, type]): [string, TypeDefinition] => [clark(xsdNamespace, name), type]),
]);

/** The content of anyType: a sequence of any elements. */
function anyContent(): Particle {
  const occurs = { span: builtinSpan, documentation: undefined, group: undefined };
  const repeated: Particle = { ...occurs, min: 0, max: "unbounded", term: anyNamespace };
  const term = { ...component, kind: "modelGroup", compositor: "sequence", particles: [repeated] } as const;
  return { ...occurs, min: 1, max: 1, term };
}

function createSimpleTypes(): ReadonlyMap<string, SimpleTypeDefinition> {
  const types = new Map<string, SimpleTypeDefinition>([["anySimpleType", anySimpleType]]);
  for (const builtIn of builtInTypes) {
    types.set(builtIn.name, createSimpleType(builtIn, types));
  }
  return types;
}

function createSimpleType(
  { name, base, item, facets }: BuiltInType & { readonly name: BuiltInName },
  types: ReadonlyMap<string, SimpleTypeDefinition>,
): SimpleTypeDefinition {
  const common = {
    ...anySimpleType,
    name: { namespace: xsdNamespace, local: name },
    builtin: name,
    facets: facets.map(readFacet),
  };
  if (item !== undefined) {
    return { ...common, derivation: "list", variety: "list", itemType: types.get(item) };
  }
  const baseType = types.get(base ?? "") ?? anySimpleType;
  return { ...common, baseType, variety: "atomic", primitive: baseType.primitive ?? name };
}

function readFacet([name, value]: BuiltInType["facets"][number]): Facet {
  switch (name) {
    case "whiteSpace":
      return { ...component, facet: name, value: whiteSpace(value), fixed: value === "collapse" };
    case "pattern":
      return { ...component, facet: name, value };
    case "fractionDigits":
      return { ...component, facet: name, value: Number(value), fixed: true };
    case "minLength":
      return { ...component, facet: name, value: Number(value), fixed: false };
    default:
      return { ...component, facet: name, value, fixed: false };
  }
}

function whiteSpace(text: string): WhiteSpace {
  return text === "replace" || text === "collapse" ? text : "preserve";
}
