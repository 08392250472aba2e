import type { TextContext } from "@bothends/datatypes";
import { type BuiltInName, type BuiltInType, builtInTypes } from "@bothends/datatypes/definitions";
import { clark } from "@bothends/xml";
import type { IdentityPath } from "../../read/xsd/documents.js";
import { type QName, xsdNamespace } from "../../source/names.js";
import type { Span } from "../../source/span.js";

/**
 * The components of a schema (XSD 1.0 Part 1 §3), with all names resolved. Maps are keyed by Clark name, in the order of documents
 * and declarations. Components refer to each other directly, so the graph has cycles.
 */
export interface SchemaComponents {
  readonly elements: ReadonlyMap<string, ElementDeclaration>;
  readonly attributes: ReadonlyMap<string, AttributeDeclaration>;
  /** Named types that the documents declare. */
  readonly types: ReadonlyMap<string, TypeDefinition>;
  readonly groups: ReadonlyMap<string, ModelGroupDefinition>;
  readonly attributeGroups: ReadonlyMap<string, AttributeGroupDefinition>;
  readonly notations: ReadonlyMap<string, NotationDeclaration>;
  /** The types of XSD 1.0 Part 2, anyType and anySimpleType, by Clark name. */
  readonly builtinTypes: ReadonlyMap<string, TypeDefinition>;
  /** Target namespaces of all documents; "" for none. */
  readonly namespaces: ReadonlySet<string>;
}

/** The built-in types by local name. */
export type BuiltinTypeName = BuiltInName | "anyType";

/**
 * The properties of every component. `span` is the span of its declaration. Components that share a span are the same declaration
 * in several namespaces, because of a chameleon include (XSD 1.0 Part 1 §4.2.1).
 */
interface Component {
  readonly span: Span;
  readonly documentation: string | undefined;
}

export type TypeDefinition = ComplexTypeDefinition | SimpleTypeDefinition;

/** The position of an anonymous type: the global component that contains it, and the local names in between. */
export interface TypeContext {
  readonly owner: "element" | "attribute" | "type" | "group" | "attributeGroup";
  readonly name: QName;
  /**
   * Names of local elements and attributes. The steps `item`, `member1` …, `base`, `content` and `facets` denote simple types in
   * lists, unions, restrictions and simple content; `redefined` denotes the original type that a redefinition derives from and
   * replaces.
   */
  readonly steps: readonly string[];
}

export type DerivationMethod = "extension" | "restriction";

interface AnyTypeDefinition extends Component {
  /** Undefined for an anonymous type, which has a context instead. */
  readonly name: QName | undefined;
  readonly context: TypeContext | undefined;
  /** The name, for a type defined by XSD. */
  readonly builtin: BuiltinTypeName | undefined;
  /** Types derived in one step, by restriction or extension, in schema order. Empty for built-in types. */
  readonly derivedTypes: readonly TypeDefinition[];
}

/** XSD 1.0 Part 1 §3.4. */
export interface ComplexTypeDefinition extends AnyTypeDefinition {
  readonly kind: "complexType";
  /** anyType by default. The base of anyType is anyType. */
  readonly baseType: TypeDefinition;
  readonly derivation: DerivationMethod;
  readonly abstract: boolean;
  readonly block: ReadonlySet<DerivationMethod>;
  readonly final: ReadonlySet<DerivationMethod>;
  /**
   * Inherited attributes, which are the same objects as in the base, followed by declared ones. Excludes prohibited attributes.
   */
  readonly attributeUses: readonly AttributeUse[];
  readonly attributeWildcard: Wildcard | undefined;
  readonly content: Content;
  /** The particle that an extension appends to its base's content. */
  readonly extension: Particle | undefined;
}

/** The content of a type, including the content of its base. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "simple"; readonly type: SimpleTypeDefinition }
  | { readonly kind: "elements" | "mixed"; readonly particle: Particle };

/** XSD 1.0 Part 1 §3.14. */
export interface SimpleTypeDefinition extends AnyTypeDefinition {
  readonly kind: "simpleType";
  /** anySimpleType for lists, unions and primitive types. The base of anySimpleType is anySimpleType. */
  readonly baseType: SimpleTypeDefinition;
  readonly derivation: "restriction" | "list" | "union";
  /** `absent` only for anySimpleType. A restriction has the variety of its base. */
  readonly variety: "atomic" | "list" | "union" | "absent";
  /** The primitive type that an atomic type derives from. */
  readonly primitive: BuiltinTypeName | undefined;
  /** For a list; a restriction inherits it. */
  readonly itemType: SimpleTypeDefinition | undefined;
  /** For a union; a restriction inherits them. May contain unions. */
  readonly memberTypes: readonly SimpleTypeDefinition[];
  /** The facets of this derivation step, in schema order. */
  readonly facets: readonly Facet[];
  readonly final: ReadonlySet<"restriction" | "list" | "union">;
}

export type WhiteSpace = "preserve" | "replace" | "collapse";

export type Facet = LengthFacet | BoundFacet | PatternFacet | EnumerationFacet | WhiteSpaceFacet;
export interface LengthFacet extends Component {
  readonly facet: "length" | "minLength" | "maxLength" | "totalDigits" | "fractionDigits";
  readonly value: number;
  readonly fixed: boolean;
}
export interface BoundFacet extends Component {
  readonly facet: "minInclusive" | "maxInclusive" | "minExclusive" | "maxExclusive";
  /** In lexical form. */
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
  /** In lexical form, with the white space of the base type. */
  readonly value: string;
  /** The value for a QName or NOTATION type. */
  readonly name: QName | undefined;
}
export interface WhiteSpaceFacet extends Component {
  readonly facet: "whiteSpace";
  readonly value: WhiteSpace;
  readonly fixed: boolean;
}

export interface ValueConstraint {
  readonly kind: "default" | "fixed";
  /** In lexical form. */
  readonly value: string;
  /** The namespaces in scope, for the prefixes in a value of type QName. */
  readonly context: TextContext;
}

/** XSD 1.0 Part 1 §3.3. */
export interface ElementDeclaration extends Component {
  readonly kind: "element";
  readonly name: QName;
  readonly scope: "global" | "local";
  readonly type: TypeDefinition;
  readonly nillable: boolean;
  readonly abstract: boolean;
  readonly valueConstraint: ValueConstraint | undefined;
  /** The head of the substitution group that it belongs to. */
  readonly substitutionGroup: ElementDeclaration | undefined;
  /**
   * Elements that may replace it (§3.3.6): direct and indirect members of its substitution group that are not abstract and not
   * blocked by `block` or their types, in schema order.
   */
  readonly substitutes: readonly ElementDeclaration[];
  readonly block: ReadonlySet<DerivationMethod | "substitution">;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly identityConstraints: readonly IdentityConstraint[];
}

/** XSD 1.0 Part 1 §3.2. */
export interface AttributeDeclaration extends Component {
  readonly kind: "attribute";
  readonly name: QName;
  readonly scope: "global" | "local";
  readonly type: SimpleTypeDefinition;
  readonly valueConstraint: ValueConstraint | undefined;
}

/** XSD 1.0 Part 1 §3.5. */
export interface AttributeUse extends Component {
  readonly declaration: AttributeDeclaration;
  readonly required: boolean;
  /** The value constraint of the use, or else of the declaration. */
  readonly valueConstraint: ValueConstraint | undefined;
  /** `wsdl:arrayType` (WSDL 1.1 §2.2), on an attribute of a restricted soapenc:Array. */
  readonly arrayType: ArrayType | undefined;
}

export interface ArrayType {
  /** The name of the item type. */
  readonly name: QName;
  readonly type: TypeDefinition | undefined;
  /** The text after the name: `[]`, `[,]`, `[][]`. */
  readonly dimensions: string;
  readonly span: Span;
}

/** XSD 1.0 Part 1 §3.9. */
export interface Particle {
  readonly min: number;
  readonly max: number | "unbounded";
  readonly term: ElementDeclaration | ModelGroup | Wildcard;
  /** The named group of a `<group ref>`, whose model group is the term. */
  readonly group: ModelGroupDefinition | undefined;
  readonly span: Span;
  /** The documentation of a reference, otherwise of the term. */
  readonly documentation: string | undefined;
}

/** XSD 1.0 Part 1 §3.8. */
export interface ModelGroup extends Component {
  readonly kind: "modelGroup";
  readonly compositor: "sequence" | "choice" | "all";
  readonly particles: readonly Particle[];
}

/** XSD 1.0 Part 1 §3.10. */
export interface Wildcard extends Component {
  readonly kind: "wildcard";
  /** Any namespace, any namespace except one, or a list of namespaces in which "" means no namespace. */
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}
export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** XSD 1.0 Part 1 §3.7. */
export interface ModelGroupDefinition extends Component {
  readonly kind: "group";
  readonly name: QName;
  readonly modelGroup: ModelGroup;
}

/** XSD 1.0 Part 1 §3.6. */
export interface AttributeGroupDefinition extends Component {
  readonly kind: "attributeGroup";
  readonly name: QName;
  readonly attributeUses: readonly AttributeUse[];
  readonly attributeWildcard: Wildcard | undefined;
}

/** XSD 1.0 Part 1 §3.11. Generated code does not enforce it. */
export interface IdentityConstraint extends Component {
  readonly kind: "key" | "keyref" | "unique";
  readonly name: QName;
  readonly selector: readonly IdentityPath[];
  readonly fields: readonly (readonly IdentityPath[])[];
  /** The key that a keyref refers to. */
  readonly refer: QName | undefined;
}

/** XSD 1.0 Part 1 §3.12. */
export interface NotationDeclaration extends Component {
  readonly kind: "notation";
  readonly name: QName;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
}

// The components that every schema has (Part 1 §3.4.7, Part 2 §3).

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
