import { clark } from "@bothends/xml";
import type { EnumerationFacet, Facet, SimpleTypeDefinition } from "../components/xsd-model.js";
import type {
  EnumerationType,
  FacetValue,
  ListType,
  RestrictionType,
  TypeDefinition,
  UnionType,
} from "../model/schema-types.js";
import type { TypeLowering } from "./types.js";

/** A simple type of a schema, anonymous or named (XSD 1.0 Part 1 §3.14). */
export function lowerSimpleType(type: SimpleTypeDefinition, types: TypeLowering): TypeDefinition {
  switch (type.derivation) {
    case "restriction":
      return type.facets.some(isEnumeration) ? enumerationType(type, types) : restrictionType(type, types);
    case "list":
      return listType(type, types);
    case "union":
      return unionType(type, types);
  }
}

function definition(type: SimpleTypeDefinition, types: TypeLowering) {
  const { id, name, words } = types.namesOf(type);
  return { id, name, words, span: type.span, documentation: type.documentation };
}

function restrictionType(type: SimpleTypeDefinition, types: TypeLowering): RestrictionType {
  return {
    ...definition(type, types),
    kind: "restriction",
    base: types.exact(type.baseType),
    facets: facetValues(type.facets),
  };
}

function enumerationType(type: SimpleTypeDefinition, types: TypeLowering): EnumerationType {
  return {
    ...definition(type, types),
    kind: "enumeration",
    base: types.exact(type.baseType),
    values: enumerationValues(type, types),
    facets: facetValues(type.facets),
  };
}

function listType(type: SimpleTypeDefinition, types: TypeLowering): ListType {
  const item = type.itemType;
  if (item === undefined) throw new Error("a list without an item type");
  return { ...definition(type, types), kind: "list", item: types.exact(item) };
}

function unionType(type: SimpleTypeDefinition, types: TypeLowering): UnionType {
  const members = type.memberTypes.map((member) => types.exact(member));
  return { ...definition(type, types), kind: "union", members };
}

function enumerationValues(type: SimpleTypeDefinition, types: TypeLowering): EnumerationType["values"] {
  const values = new Map<string, EnumerationType["values"][number]>();
  for (const facet of type.facets.filter(isEnumeration)) {
    const text = enumerationText(facet);
    if (values.has(text)) {
      types.warnOnce("WSDL032", facet.span, { message: `The value "${facet.value}" is enumerated twice.` });
    } else {
      values.set(text, { text, documentation: facet.documentation });
    }
  }
  return [...values.values()];
}

/** A QName's value is its expanded name, whatever the prefix. */
function enumerationText({ value, name }: EnumerationFacet): string {
  return name === undefined ? value : clark(name.namespace, name.local);
}

function isEnumeration(facet: Facet): facet is EnumerationFacet {
  return facet.facet === "enumeration";
}

/** The facets of one step but for the enumeration; its patterns are alternatives of one (XSD 1.0 Part 2 §4.3.4.3). */
export function facetValues(facets: readonly Facet[]): readonly FacetValue[] {
  const patterns = facets.filter((facet) => facet.facet === "pattern").map((facet) => facet.value);
  const values: FacetValue[] = [];
  for (const facet of facets) {
    const value = facetValue(facet, patterns);
    const repeated = facet.facet === "pattern" && values.some((one) => one.facet === "pattern");
    if (value !== undefined && !repeated) values.push(value);
  }
  return values;
}

function facetValue(facet: Facet, patterns: readonly string[]): FacetValue | undefined {
  switch (facet.facet) {
    case "enumeration":
      return undefined;
    case "pattern":
      return { facet: "pattern", value: patterns };
    case "whiteSpace":
      return { facet: "whiteSpace", value: facet.value };
    case "minInclusive":
    case "maxInclusive":
    case "minExclusive":
    case "maxExclusive":
      return { facet: facet.facet, value: facet.value };
    default:
      return { facet: facet.facet, value: facet.value };
  }
}
