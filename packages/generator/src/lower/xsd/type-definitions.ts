import { clark } from "@bothends/xml";
import type {
  ArrayType,
  ComplexTypeDefinition,
  ElementDeclaration,
  EnumerationFacet,
  Facet,
  Particle,
  TypeDefinition as SchemaType,
  SimpleTypeDefinition,
} from "../../components/xsd/schema-components.js";
import type {
  EnumerationType,
  FacetValue,
  ListType,
  RestrictionType,
  ArrayType as SoapArray,
  TypeDefinition,
  TypeId,
  TypeReference,
  UnionType,
} from "../../model/xsd-types.js";
import type { SourceText } from "../../source/span.js";
import { isSoapEncoding } from "../../source/xml-names.js";
import { lowerRecord, withRemovedMembers } from "./complex-types.js";
import { isSoapArray, type TypeReferences } from "./type-references.js";

interface SchemaOrder {
  readonly documents: readonly SourceText[];
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Lowers all types to which messages refer, directly or indirectly. Sorts them by document, then by position, and
 * finally by namespace, because an included document may declare one type in several namespaces.
 */
export function lowerReferencedTypes(
  references: TypeReferences,
  { documents, namespaces }: SchemaOrder,
): readonly TypeDefinition[] {
  for (let type = references.takePending(); type !== undefined; type = references.takePending()) {
    lowerType(type, references);
  }
  for (const record of withRemovedMembers(references.records)) {
    references.define(record);
  }
  refuseDeepArrays(references);
  const documentRanks = new Map(documents.map((document, index) => [document, index]));
  const getDocumentRank = ({ span }: TypeDefinition) => documentRanks.get(span.source) ?? documents.length;
  const namespaceList = [...namespaces];
  const getNamespaceRank = ({ id }: TypeDefinition) => namespaceList.indexOf(getNamespace(id));
  return [...references.definitions].sort(
    (a, b) =>
      getDocumentRank(a) - getDocumentRank(b) ||
      a.span.start - b.span.start ||
      getNamespaceRank(a) - getNamespaceRank(b) ||
      compareIds(a.id, b.id),
  );
}

function getNamespace(id: TypeId): string {
  return /^\{([^}]*)\}/.exec(id)?.[1] ?? "";
}

/** Compares two ids by code units, so that the order does not depend on the locale. */
function compareIds(a: TypeId, b: TypeId): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

function lowerType(type: SchemaType, references: TypeReferences): void {
  if (type.kind === "simpleType") {
    references.define(lowerSimpleType(type, references));
  } else if (isSoapArray(type)) {
    references.define(lowerSoapArray(type, references));
  } else {
    lowerRecord(type, references);
  }
}

/** Lowers a simple type (XSD 1.0 Part 1 §3.14). */
function lowerSimpleType(type: SimpleTypeDefinition, references: TypeReferences): TypeDefinition {
  switch (type.derivation) {
    case "restriction":
      return type.facets.some(isEnumeration)
        ? createEnumerationType(type, references)
        : createRestrictionType(type, references);
    case "list":
      return createListType(type, references);
    case "union":
      return createUnionType(type, references);
  }
}

function createRestrictionType(type: SimpleTypeDefinition, references: TypeReferences): RestrictionType {
  return {
    ...getDefinition(type, references),
    kind: "restriction",
    base: references.toExactly(type.baseType),
    facets: listFacetValues(type.facets),
  };
}

function getDefinition(type: SchemaType, references: TypeReferences) {
  const { id, name, words } = references.getNames(type);
  return { id, name, words, span: type.span, documentation: type.documentation };
}

function createEnumerationType(type: SimpleTypeDefinition, references: TypeReferences): EnumerationType {
  return {
    ...getDefinition(type, references),
    kind: "enumeration",
    base: references.toExactly(type.baseType),
    values: listEnumerationValues(type, references),
    facets: listFacetValues(type.facets),
  };
}

function createListType(type: SimpleTypeDefinition, references: TypeReferences): ListType {
  if (type.itemType === undefined) {
    throw new Error("A list type has no item type.");
  }
  return { ...getDefinition(type, references), kind: "list", item: references.toExactly(type.itemType) };
}

function createUnionType(type: SimpleTypeDefinition, references: TypeReferences): UnionType {
  const members = type.memberTypes.map((member) => references.toExactly(member));
  return { ...getDefinition(type, references), kind: "union", members };
}

function listEnumerationValues(type: SimpleTypeDefinition, { reports }: TypeReferences): EnumerationType["values"] {
  const values = new Map<string, EnumerationType["values"][number]>();
  for (const facet of type.facets.filter(isEnumeration)) {
    const text = formatEnumeration(facet);
    if (values.has(text)) {
      reports.warning("WSDL032", facet.span, { message: `The value "${facet.value}" is enumerated twice.` });
    } else {
      values.set(text, { text, documentation: facet.documentation });
    }
  }
  return [...values.values()];
}

/** Formats an enumerated value. A QName is written as an expanded name, which does not depend on prefixes. */
function formatEnumeration({ value, name }: EnumerationFacet): string {
  return name === undefined ? value : clark(name.namespace, name.local);
}

function isEnumeration(facet: Facet): facet is EnumerationFacet {
  return facet.facet === "enumeration";
}

/**
 * Returns the facets of one type definition, except enumerations. Several patterns become one facet with alternatives
 * (XSD 1.0 Part 2 §4.3.4.3).
 */
function listFacetValues(facets: readonly Facet[]): readonly FacetValue[] {
  const patterns = facets.filter((facet) => facet.facet === "pattern").map((facet) => facet.value);
  const values: FacetValue[] = [];
  for (const facet of facets) {
    const value = findFacetValue(facet, patterns);
    const isRepeatedPattern = facet.facet === "pattern" && values.some((earlier) => earlier.facet === "pattern");
    if (value !== undefined && !isRepeatedPattern) {
      values.push(value);
    }
  }
  return values;
}

function findFacetValue(facet: Facet, patterns: readonly string[]): FacetValue | undefined {
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

/**
 * Lowers a restriction of `soapenc:Array` (SOAP 1.1 §5.4.2) to an array. Its items are named `item`, unless the schema
 * declares an element. The attributes of an array are omitted, because they belong to the encoding, not to the value.
 */
export function lowerSoapArray(type: ComplexTypeDefinition, references: TypeReferences): SoapArray {
  const declaredElement = isSoapEncoding(type.name) ? undefined : findDeclaredItem(type);
  const item =
    declaredElement === undefined
      ? { itemName: defaultItemName, item: findArrayItem(type, references) }
      : { itemName: declaredElement.name, item: references.toTypeOf(declaredElement) };
  return { ...getDefinition(type, references), kind: "array", ...item };
}

const defaultItemName = { namespace: "", local: "item" };

/** The maximum number of arrays in each other. TypeScript refuses generated code with about 50 of them. */
const maxNestedArrays = 32;

/** Reports an array that contains too many arrays in each other. An array that contains itself is accepted. */
function refuseDeepArrays({ definitions, reports }: TypeReferences): void {
  const arrays = new Map([...definitions].flatMap((type) => (type.kind === "array" ? [[type.id, type] as const] : [])));
  const depths = new Map<TypeId, number>();
  for (const array of arrays.values()) {
    const chain = new Set<SoapArray>();
    const isNew = (type: SoapArray) => !depths.has(type.id) && !chain.has(type);
    for (
      let type: SoapArray | undefined = array;
      type !== undefined && isNew(type);
      type = findItemArray(type, arrays)
    ) {
      chain.add(type);
    }
    for (const type of [...chain].reverse()) {
      const item = findItemArray(type, arrays);
      const depth = 1 + (item === undefined ? 0 : (depths.get(item.id) ?? 0));
      depths.set(type.id, depth);
      if (depth === maxNestedArrays + 1) {
        reports.error("WSDL031", type.span, {
          message: `More than ${maxNestedArrays} arrays are nested in each other.`,
          help: "Declare arrays of types with elements, or fewer arrays in each other.",
        });
      }
    }
  }
}

function findItemArray({ item }: SoapArray, arrays: ReadonlyMap<TypeId, SoapArray>): SoapArray | undefined {
  return item.kind === "named" ? arrays.get(item.id) : undefined;
}

/**
 * Returns the element that declares the items of an array. Some schemas have it in place of `wsdl:arrayType`, or in
 * addition.
 */
function findDeclaredItem(type: ComplexTypeDefinition): ElementDeclaration | undefined {
  return type.content.kind === "elements" ? findOnlyElement(type.content.particle) : undefined;
}

function findOnlyElement({ term }: Particle): ElementDeclaration | undefined {
  if (term.kind === "element") {
    return term;
  }
  const [onlyParticle, ...otherParticles] = term.kind === "modelGroup" ? term.particles : [];
  return onlyParticle === undefined || otherParticles.length > 0 ? undefined : findOnlyElement(onlyParticle);
}

/**
 * Returns the item type of an array, from `wsdl:arrayType` of the attribute `soapenc:arrayType` (WSDL 1.1 §2.2).
 * Default: anyType.
 */
function findArrayItem(type: ComplexTypeDefinition, references: TypeReferences): TypeReference {
  const arrayType = type.attributeUses.find((use) => use.arrayType !== undefined)?.arrayType;
  if (arrayType?.type === undefined) {
    return { kind: "builtin", name: "anyType" };
  }
  const item = references.to(arrayType.type);
  return readDimensions(arrayType, references)
    .slice(1)
    .reduce<TypeReference>((itemType, _, depth) => nestArray(type, itemType, { depth, references }), item);
}

/**
 * Returns the dimensions of an array: `[][]` has two, the outermost last (SOAP 1.1 §5.4.2). Reports unsupported
 * dimensions such as `[,]`.
 */
function readDimensions(arrayType: ArrayType, { reports }: TypeReferences): readonly string[] {
  const dimensions = arrayType.dimensions.match(/\[[^\]]*\]/g) ?? [];
  if (dimensions.some((dimension) => dimension.includes(","))) {
    reports.unresolved("WSDL031", arrayType.span, {
      message: `Arrays of more than one dimension are not supported: ${arrayType.dimensions}.`,
      help: "Declare an array of arrays: [][].",
      fallback: "The type is read as an array of one dimension. Messages with more dimensions are refused.",
    });
  }
  return dimensions;
}

function nestArray(
  type: ComplexTypeDefinition,
  itemType: TypeReference,
  { depth, references }: { readonly depth: number; readonly references: TypeReferences },
): TypeReference {
  const names = references.getNames(type);
  const id = `${names.id}/(item${depth === 0 ? "" : depth + 1})`;
  references.define({
    kind: "array",
    id,
    name: undefined,
    words: [...names.words, "item"],
    span: type.span,
    documentation: undefined,
    itemName: defaultItemName,
    item: itemType,
  });
  return { kind: "named", id };
}
