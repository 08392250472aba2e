import type { TextContext } from "@bothends/datatypes";
import type { BuiltInName } from "@bothends/datatypes/definitions";
import type { QName } from "../../source/qname.js";
import type { Span } from "../../source/span.js";

/**
 * The schema: what a set of documents means together (XSD 1.0 Part 1 §3), every name resolved. Maps are keyed by Clark name,
 * in the order in which the documents were reached and declare. Components refer to each other directly, so the graph has cycles.
 */
export interface SchemaComponents {
  readonly elements: ReadonlyMap<string, ElementDeclaration>;
  readonly attributes: ReadonlyMap<string, AttributeDeclaration>;
  /** Named types of the documents; built-in types are in `builtinTypes`. */
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
 * What every component carries. `span` is its own declaration's: two components with one span are twins, the same
 * declaration seen in several namespaces through a chameleon include (XSD 1.0 Part 1 §4.2.1).
 */
interface Component {
  readonly span: Span;
  readonly documentation: string | undefined;
}

export type TypeDefinition = ComplexTypeDefinition | SimpleTypeDefinition;

/** Where an anonymous type stands: the global component that owns it, and the local names on the way down to it. */
export interface TypeContext {
  readonly owner: "element" | "attribute" | "type" | "group" | "attributeGroup";
  readonly name: QName;
  /**
   * Names of the local elements and attributes between. `item`, `member1` …, `base`, `content` and `facets` stand for the simple types
   * inside lists, unions, restrictions and simple content; `redefined` for a type that a redefinition has replaced and derives from.
   */
  readonly steps: readonly string[];
}

export type DerivationMethod = "extension" | "restriction";

interface AnyTypeDefinition extends Component {
  /** undefined for an anonymous type, which has a `context`. */
  readonly name: QName | undefined;
  readonly context: TypeContext | undefined;
  /** For the types that XSD itself defines. */
  readonly builtin: BuiltinTypeName | undefined;
  /** Types derived from it in one step, by restriction or extension, in schema order. Empty for built-in types. */
  readonly derivedTypes: readonly TypeDefinition[];
}

/** XSD 1.0 Part 1 §3.4. */
export interface ComplexTypeDefinition extends AnyTypeDefinition {
  readonly kind: "complexType";
  /** anyType where the schema names none; anyType's is itself. */
  readonly baseType: TypeDefinition;
  readonly derivation: DerivationMethod;
  readonly abstract: boolean;
  readonly block: ReadonlySet<DerivationMethod>;
  readonly final: ReadonlySet<DerivationMethod>;
  /** Effective: inherited ones first, and the same objects as in the base, then its own. Prohibited ones are left out. */
  readonly attributeUses: readonly AttributeUse[];
  readonly attributeWildcard: Wildcard | undefined;
  readonly content: Content;
  /** In an extension, the particle that it adds behind the base's (undefined: none); undefined elsewhere. */
  readonly extension: Particle | undefined;
}

/** The whole content, that of the base included. */
export type Content =
  | { readonly kind: "empty" }
  | { readonly kind: "simple"; readonly type: SimpleTypeDefinition }
  | { readonly kind: "elements" | "mixed"; readonly particle: Particle };

/** XSD 1.0 Part 1 §3.14. */
export interface SimpleTypeDefinition extends AnyTypeDefinition {
  readonly kind: "simpleType";
  /** anySimpleType for lists, unions and primitive types; anySimpleType's is itself. */
  readonly baseType: SimpleTypeDefinition;
  readonly derivation: "restriction" | "list" | "union";
  /** `absent` for anySimpleType alone. A restriction has the variety of its base. */
  readonly variety: "atomic" | "list" | "union" | "absent";
  /** The built-in primitive type that an atomic type comes from. */
  readonly primitive: BuiltinTypeName | undefined;
  /** Of a list, also where it is inherited. */
  readonly itemType: SimpleTypeDefinition | undefined;
  /** Of a union, also where they are inherited; unions among them are not flattened. */
  readonly memberTypes: readonly SimpleTypeDefinition[];
  /** Those of this step alone, in schema order. */
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
  /** Lexical. */
  readonly value: string;
  readonly fixed: boolean;
}
/** One pattern element; those of one step are alternatives (XSD 1.0 Part 2 §4.3.4.3). */
export interface PatternFacet extends Component {
  readonly facet: "pattern";
  readonly value: string;
}
export interface EnumerationFacet extends Component {
  readonly facet: "enumeration";
  /** Lexical, white space as the base type says. */
  readonly value: string;
  /** The value of a QName or NOTATION type. */
  readonly name: QName | undefined;
}
interface WhiteSpaceFacet extends Component {
  readonly facet: "whiteSpace";
  readonly value: WhiteSpace;
  readonly fixed: boolean;
}

export interface ValueConstraint {
  readonly kind: "default" | "fixed";
  /** Lexical. */
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
  /** The head that it may stand in for. */
  readonly substitutionGroup: ElementDeclaration | undefined;
  /**
   * What may stand in its place: members of its substitution group, transitively, that `block` and their types allow (§3.3.6), without
   * abstract ones and without itself, in schema order.
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
  /** Its own, else the declaration's. */
  readonly valueConstraint: ValueConstraint | undefined;
  /** `wsdl:arrayType` (WSDL 1.1 §2.2), on an attribute of a restricted soapenc:Array. */
  readonly arrayType: ArrayType | undefined;
}

export interface ArrayType {
  /** The item type's name, resolved if the schema has it. */
  readonly name: QName;
  readonly type: TypeDefinition | undefined;
  /** What follows the name: `[]`, `[,]`, `[][]`. */
  readonly dimensions: string;
  readonly span: Span;
}

/** XSD 1.0 Part 1 §3.9. */
export interface Particle {
  readonly min: number;
  readonly max: number | "unbounded";
  readonly term: ElementDeclaration | ModelGroup | Wildcard;
  /** Where the term is the model group of a named group (`<group ref>`): shared by every reference. */
  readonly group: ModelGroupDefinition | undefined;
  readonly span: Span;
  /** What the particle itself says, for a reference; else the term's. */
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
  /** Any; not a namespace and not absent; or one of a list, where "" is absent. */
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

/** XSD 1.0 Part 1 §3.11. Read, but not enforced by generated code. */
export interface IdentityConstraint extends Component {
  readonly kind: "key" | "keyref" | "unique";
  readonly name: QName;
  readonly selector: string;
  readonly fields: readonly string[];
  /** The key that a keyref points to. */
  readonly refer: QName | undefined;
}

/** XSD 1.0 Part 1 §3.12. */
export interface NotationDeclaration extends Component {
  readonly kind: "notation";
  readonly name: QName;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
}
