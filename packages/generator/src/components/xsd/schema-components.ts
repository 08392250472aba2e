import type { TextContext } from "@bothends/datatypes";
import {
  type BoundFacetName,
  type BuiltinDatatype,
  type BuiltinDatatypeName,
  builtinDatatypes,
  type CountFacetName,
} from "@bothends/datatypes/definitions";
import { clark } from "@bothends/xml";
import type { IdentityPath, TargetNamespace } from "../../read/xsd/documents.js";
import type { Span } from "../../source/span.js";
import { type QName, xsdNamespace } from "../../source/xml-names.js";

/**
 * The components of a schema (XSD 1.0 Part 1 §3), with all names resolved. Maps are keyed by Clark name, in the order
 * of documents and declarations. Components refer to each other directly, so the graph has cycles.
 */
export interface SchemaComponents {
  readonly elements: ReadonlyMap<string, ElementDeclaration>;
  readonly attributes: ReadonlyMap<string, AttributeDeclaration>;
  /** The named types that the documents declare. */
  readonly types: ReadonlyMap<string, TypeDefinition>;
  readonly groups: ReadonlyMap<string, ModelGroupDefinition>;
  readonly attributeGroups: ReadonlyMap<string, AttributeGroupDefinition>;
  readonly notations: ReadonlyMap<string, NotationDeclaration>;
  /** The types of XSD 1.0 Part 2, anyType and anySimpleType, by Clark name. */
  readonly builtinTypes: ReadonlyMap<string, TypeDefinition>;
  /** The target namespaces of all documents; "" for a document without a target namespace. */
  readonly namespaces: ReadonlySet<string>;
  /** The target namespaces that documents declare. */
  readonly targetNamespaces: readonly TargetNamespace[];
}

/** The local name of a built-in type. */
export type BuiltinTypeName = BuiltinDatatypeName | "anyType";

/**
 * The properties of every component. `span` is the span of the declaration. Several components may come from one
 * declaration, if a chameleon include puts it into several namespaces (XSD 1.0 Part 1 §4.2.1).
 */
interface Component {
  readonly span: Span;
  readonly documentation: string | undefined;
}

export type TypeDefinition = ComplexTypeDefinition | SimpleTypeDefinition;

/**
 * The position of an anonymous type: the global component that contains it, and the steps from that component to the
 * type.
 */
export interface TypeContext {
  readonly owner: "element" | "attribute" | "type" | "group" | "attributeGroup";
  readonly name: QName;
  /**
   * A step is the name of a local element or attribute, or one of these words: `item`, `member1` …, `base`, `content`
   * and `facets` for simple types in lists, unions, restrictions and simple content; `redefined` for the original type
   * of a redefinition.
   */
  readonly steps: readonly string[];
}

export type DerivationMethod = "extension" | "restriction";

interface AnyTypeDefinition extends Component {
  /** The name of the type; undefined for an anonymous type, which has a `context` instead. */
  readonly name: QName | undefined;
  readonly context: TypeContext | undefined;
  /** The local name if the type is built in; otherwise undefined. */
  readonly builtin: BuiltinTypeName | undefined;
  /**
   * The types that derive directly from this type by restriction or extension, in schema order. Empty for built-in
   * types.
   */
  readonly derivedTypes: readonly TypeDefinition[];
}

/** A complex type definition (XSD 1.0 Part 1 §3.4). */
export interface ComplexTypeDefinition extends AnyTypeDefinition {
  readonly kind: "complexType";
  /** The base type. Default: anyType, which is its own base type. */
  readonly baseType: TypeDefinition;
  readonly derivation: DerivationMethod;
  readonly abstract: boolean;
  readonly block: ReadonlySet<DerivationMethod>;
  readonly final: ReadonlySet<DerivationMethod>;
  /**
   * The inherited attributes, which are the same objects as in the base, then the declared attributes. Prohibited
   * attributes are omitted.
   */
  readonly attributeUses: readonly AttributeUse[];
  readonly attributeWildcard: Wildcard | undefined;
  readonly content: Content;
  /** The particle that an extension appends to the content of its base. */
  readonly extension: Particle | undefined;
}

/** The content of a type, including the content of its base. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "simple"; readonly type: SimpleTypeDefinition }
  | { readonly kind: "elements" | "mixed"; readonly particle: Particle };

/** A simple type definition (XSD 1.0 Part 1 §3.14). */
export interface SimpleTypeDefinition extends AnyTypeDefinition {
  readonly kind: "simpleType";
  /** The base type. It is anySimpleType for lists, unions, primitive types, and anySimpleType. */
  readonly baseType: SimpleTypeDefinition;
  readonly derivation: "restriction" | "list" | "union";
  /** The variety of the type, which a restriction takes from its base. Only anySimpleType has `absent`. */
  readonly variety: "atomic" | "list" | "union" | "absent";
  /** The primitive type from which an atomic type derives. */
  readonly primitive: BuiltinTypeName | undefined;
  /** The item type of a list, or of a restriction of a list. */
  readonly itemType: SimpleTypeDefinition | undefined;
  /** The member types of a union, or of a restriction of a union. They may be unions. */
  readonly memberTypes: readonly SimpleTypeDefinition[];
  /** The facets of this derivation step, in schema order. */
  readonly facets: readonly Facet[];
  readonly final: ReadonlySet<"restriction" | "list" | "union">;
}

export type WhiteSpace = "preserve" | "replace" | "collapse";

/** A constraining facet (XSD 1.0 Part 2 §4.3). */
export type Facet = LengthFacet | BoundFacet | PatternFacet | EnumerationFacet | WhiteSpaceFacet;
export interface LengthFacet extends Component {
  readonly facet: CountFacetName;
  readonly value: number;
  readonly fixed: boolean;
}
export interface BoundFacet extends Component {
  readonly facet: BoundFacetName;
  /** The value as a string, as in the schema. */
  readonly value: string;
  readonly fixed: boolean;
}
/** A pattern. The patterns of one derivation step are alternatives (XSD 1.0 Part 2 §4.3.4.3). */
export interface PatternFacet extends Component {
  readonly facet: "pattern";
  readonly value: string;
}
export interface EnumerationFacet extends Component {
  readonly facet: "enumeration";
  /** The value as a string, with white space normalized as the base type requires. */
  readonly value: string;
  /** The value as a name, if the type is QName or NOTATION. */
  readonly name: QName | undefined;
}
export interface WhiteSpaceFacet extends Component {
  readonly facet: "whiteSpace";
  readonly value: WhiteSpace;
  readonly fixed: boolean;
}

/** The default or fixed value of an element or an attribute. */
export interface ValueConstraint {
  readonly kind: "default" | "fixed";
  /** The value as a string, as in the schema. */
  readonly value: string;
  /** The namespaces in scope, for the prefixes in a value of type QName. */
  readonly context: TextContext;
}

/** An element declaration (XSD 1.0 Part 1 §3.3). */
export interface ElementDeclaration extends Component {
  readonly kind: "element";
  readonly name: QName;
  readonly scope: "global" | "local";
  readonly type: TypeDefinition;
  readonly nillable: boolean;
  readonly abstract: boolean;
  readonly valueConstraint: ValueConstraint | undefined;
  /** The head of the substitution group to which this element belongs. */
  readonly substitutionGroup: ElementDeclaration | undefined;
  /**
   * The elements that may replace this element (§3.3.6), in schema order: direct and indirect members of its
   * substitution group, except abstract and blocked ones.
   */
  readonly substitutes: readonly ElementDeclaration[];
  readonly block: ReadonlySet<DerivationMethod | "substitution">;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly identityConstraints: readonly IdentityConstraint[];
}

/** An attribute declaration (XSD 1.0 Part 1 §3.2). */
export interface AttributeDeclaration extends Component {
  readonly kind: "attribute";
  readonly name: QName;
  readonly scope: "global" | "local";
  readonly type: SimpleTypeDefinition;
  readonly valueConstraint: ValueConstraint | undefined;
}

/** The use of an attribute in a type or attribute group (XSD 1.0 Part 1 §3.5). */
export interface AttributeUse extends Component {
  readonly declaration: AttributeDeclaration;
  readonly required: boolean;
  /** The value constraint of the use; if the use has none, the value constraint of the declaration. */
  readonly valueConstraint: ValueConstraint | undefined;
  /** The attribute `wsdl:arrayType` (WSDL 1.1 §2.2), which occurs in restrictions of soapenc:Array. */
  readonly arrayType: ArrayType | undefined;
}

/** The item type of an array of SOAP encoding, from `wsdl:arrayType` (WSDL 1.1 §2.2). */
export interface ArrayType {
  /** The name of the item type. */
  readonly name: QName;
  readonly type: TypeDefinition | undefined;
  /** The text after the name: `[]`, `[,]`, `[][]`. */
  readonly dimensions: string;
  readonly span: Span;
}

/** A particle (XSD 1.0 Part 1 §3.9). */
export interface Particle {
  readonly min: number;
  readonly max: number | "unbounded";
  readonly term: ElementDeclaration | ModelGroup | Wildcard;
  /** The group to which a `<group ref>` refers, with its model group in `term`; undefined for other particles. */
  readonly group: ModelGroupDefinition | undefined;
  readonly span: Span;
  /** The documentation of the reference; if the reference has none, the documentation of the term. */
  readonly documentation: string | undefined;
}

/** A model group (XSD 1.0 Part 1 §3.8). */
export interface ModelGroup extends Component {
  readonly kind: "modelGroup";
  readonly compositor: "sequence" | "choice" | "all";
  readonly particles: readonly Particle[];
}

/** A wildcard (XSD 1.0 Part 1 §3.10). */
export interface Wildcard extends Component {
  readonly kind: "wildcard";
  /** Any namespace, any namespace except one, or a list of namespaces in which "" means no namespace. */
  readonly namespaces: WildcardNamespaces;
  readonly processContents: "strict" | "lax" | "skip";
}

/** Any namespace, any namespace except one, or a list of namespaces. */
export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** A model group definition (XSD 1.0 Part 1 §3.7). */
export interface ModelGroupDefinition extends Component {
  readonly kind: "group";
  readonly name: QName;
  readonly modelGroup: ModelGroup;
}

/** An attribute group definition (XSD 1.0 Part 1 §3.6). */
export interface AttributeGroupDefinition extends Component {
  readonly kind: "attributeGroup";
  readonly name: QName;
  readonly attributeUses: readonly AttributeUse[];
  readonly attributeWildcard: Wildcard | undefined;
}

/** An identity constraint (XSD 1.0 Part 1 §3.11). */
export interface IdentityConstraint extends Component {
  readonly kind: "key" | "keyref" | "unique";
  readonly name: QName;
  readonly selector: readonly IdentityPath[];
  readonly fields: readonly (readonly IdentityPath[])[];
  /** The key that a keyref refers to. */
  readonly refer: QName | undefined;
}

/** A notation declaration (XSD 1.0 Part 1 §3.12). */
export interface NotationDeclaration extends Component {
  readonly kind: "notation";
  readonly name: QName;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
}

// The components that every schema has (Part 1 §3.4.7, Part 2 §3).

/** The span of built-in components, which no source contains. */
export const builtinSpan: Span = { source: { path: `<${xsdNamespace}>`, text: "" }, start: 0, end: 0 };

const builtinComponent = { span: builtinSpan, documentation: undefined } as const;
const builtinTypeProperties = { ...builtinComponent, context: undefined, derivedTypes: [] } as const;
const anyNamespace: Wildcard = { ...builtinComponent, kind: "wildcard", namespaces: "any", processContents: "lax" };

/** The type from which every type derives (Part 1 §3.4.7). */
export const anyType: ComplexTypeDefinition = {
  ...builtinTypeProperties,
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
  content: { kind: "mixed", particle: createAnyContent() },
};

/** The simple type from which every simple type derives (Part 2 §4.1.6). */
export const anySimpleType: SimpleTypeDefinition = {
  ...builtinTypeProperties,
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

/** The type that replaces an unknown base type, which has already been reported. */
export const unknownSimpleType: SimpleTypeDefinition = { ...anySimpleType };

const simpleTypes: ReadonlyMap<string, SimpleTypeDefinition> = createSimpleTypes();

/** All built-in types by Clark name. */
export const builtinTypes: ReadonlyMap<string, TypeDefinition> = new Map<string, TypeDefinition>([
  [clark(xsdNamespace, "anyType"), anyType],
  ...[...simpleTypes].map(([name, type]): [string, TypeDefinition] => [clark(xsdNamespace, name), type]),
]);

/** Creates the content of anyType: a sequence of any elements. */
function createAnyContent(): Particle {
  const particleProperties = { span: builtinSpan, documentation: undefined, group: undefined };
  const anyElements: Particle = { ...particleProperties, min: 0, max: "unbounded", term: anyNamespace };
  const term = { ...builtinComponent, kind: "modelGroup", compositor: "sequence", particles: [anyElements] } as const;
  return { ...particleProperties, min: 1, max: 1, term };
}

function createSimpleTypes(): ReadonlyMap<string, SimpleTypeDefinition> {
  const types = new Map<string, SimpleTypeDefinition>([["anySimpleType", anySimpleType]]);
  for (const builtin of builtinDatatypes) {
    types.set(builtin.name, createSimpleType(builtin, types));
  }
  return types;
}

function createSimpleType(
  { name, base, item, facets }: BuiltinDatatype & { readonly name: BuiltinDatatypeName },
  types: ReadonlyMap<string, SimpleTypeDefinition>,
): SimpleTypeDefinition {
  const commonProperties = {
    ...anySimpleType,
    name: { namespace: xsdNamespace, local: name },
    builtin: name,
    facets: facets.map(readFacet),
  };
  if (item !== undefined) {
    return { ...commonProperties, derivation: "list", variety: "list", itemType: types.get(item) };
  }
  const baseType = types.get(base ?? "") ?? anySimpleType;
  return { ...commonProperties, baseType, variety: "atomic", primitive: baseType.primitive ?? name };
}

function readFacet([name, value]: BuiltinDatatype["facets"][number]): Facet {
  switch (name) {
    case "whiteSpace":
      return { ...builtinComponent, facet: name, value: getWhiteSpace(value), fixed: value === "collapse" };
    case "pattern":
      return { ...builtinComponent, facet: name, value };
    case "fractionDigits":
      return { ...builtinComponent, facet: name, value: Number(value), fixed: true };
    case "minLength":
      return { ...builtinComponent, facet: name, value: Number(value), fixed: false };
    default:
      return { ...builtinComponent, facet: name, value, fixed: false };
  }
}

function getWhiteSpace(text: string): WhiteSpace {
  return text === "replace" || text === "collapse" ? text : "preserve";
}
