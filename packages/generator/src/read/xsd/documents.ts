import type { FacetName } from "@bothends/datatypes/definitions";
import type { XmlElement } from "@bothends/xml";
import type { TargetNamespace } from "../../model/soap.js";
import type { IdentityPath } from "../../model/xsd-types.js";
import type { Documented, SourceText, Span, SpannedText } from "../../source/span.js";
import type { QName } from "../../source/xml-names.js";

export type { IdentityPath, TargetNamespace };

/**
 * A `<schema>` element of XSD 1.0. References are expanded names that have not been resolved yet. A name without a
 * namespace gets the namespace of a document that includes this one (Part 1 §4.2.1).
 */
export interface Schema extends Documented {
  readonly source: SourceText;
  readonly element: XmlElement;
  /** Whether the schema is inside a WSDL. */
  readonly inline: boolean;
  /** The target namespace; undefined if the schema has none, or takes that of an including document. */
  readonly targetNamespace: string | undefined;
  /** The position of the target namespace; that of the schema if the schema has none. */
  readonly namespaceSpan: Span;
  /** The value of `elementFormDefault`, and its position; that of the schema if the attribute is absent. */
  readonly elementForm: { readonly isQualified: boolean; readonly span: Span };
  /** The namespaces of all names to which the schema refers; "" for names without a namespace. */
  readonly referencedNamespaces: ReadonlySet<string>;
  readonly includes: readonly Include[];
  readonly imports: readonly Import[];
  readonly redefines: readonly Redefine[];
  readonly declarations: readonly Declaration[];
}

/** A QName in an attribute: its text and its expanded name. */
export interface Reference extends SpannedText {
  readonly name: QName;
}

export interface Include extends Documented {
  readonly kind: "include";
  readonly location: SpannedText;
}
export interface Redefine extends Documented {
  readonly kind: "redefine";
  readonly location: SpannedText;
  readonly redefinitions: readonly Redefinition[];
}
export interface Import extends Documented {
  readonly kind: "import";
  readonly namespace: string | undefined;
  readonly location: SpannedText | undefined;
}

/** A top-level component of a schema document. */
export type Declaration =
  | ElementDeclaration
  | AttributeDeclaration
  | TypeDefinition
  | ModelGroupDefinition
  | AttributeGroupDefinition
  | Notation;

/** A component that a `redefine` contains. */
export type Redefinition = TypeDefinition | ModelGroupDefinition | AttributeGroupDefinition;
export type TypeDefinition = ComplexTypeDefinition | SimpleTypeDefinition;

export type DerivationMethod = "extension" | "restriction";

/** The attribute `default` or `fixed` of an element or attribute. */
export interface ValueConstraint {
  readonly kind: "default" | "fixed";
  readonly value: SpannedText;
  /** The element whose namespace declarations apply to the value. */
  readonly element: XmlElement;
}

/** A global or local element declaration (XSD 1.0 Part 1 §3.3). */
export interface ElementDeclaration extends Documented {
  readonly kind: "element";
  readonly name: SpannedText;
  /** Whether the name of the element is in the target namespace. */
  readonly isQualified: boolean;
  readonly type: Reference | TypeDefinition | undefined;
  readonly nillable: boolean;
  readonly abstract: boolean;
  readonly valueConstraint: ValueConstraint | undefined;
  readonly substitutionGroup: Reference | undefined;
  readonly block: ReadonlySet<DerivationMethod | "substitution">;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly identityConstraints: readonly IdentityConstraint[];
}

/** A global or local attribute declaration (XSD 1.0 Part 1 §3.2). */
export interface AttributeDeclaration extends Documented {
  readonly kind: "attribute";
  readonly name: SpannedText;
  readonly isQualified: boolean;
  readonly type: Reference | SimpleTypeDefinition | undefined;
  readonly valueConstraint: ValueConstraint | undefined;
}

/** The use of an attribute in a type or attribute group (XSD 1.0 Part 1 §3.5). */
export interface AttributeUse extends Documented {
  readonly kind: "attributeUse";
  /** A local declaration, or the name of a global declaration. */
  readonly declaration: AttributeDeclaration | Reference;
  readonly use: "optional" | "required" | "prohibited";
  /** The value constraint of a reference; the value constraint of a local declaration is in `declaration`. */
  readonly valueConstraint: ValueConstraint | undefined;
  /** The attribute `wsdl:arrayType` (WSDL 1.1 §2.2). */
  readonly arrayType: ArrayType | undefined;
}

/** The attribute `wsdl:arrayType`. `dimensions` is the text after the name: `[]`, `[,]`. */
export interface ArrayType extends Reference {
  readonly dimensions: string;
}
export interface AttributeGroupReference extends Documented {
  readonly kind: "attributeGroupReference";
  readonly ref: Reference;
}

/** The attributes of a type or an attribute group. */
export interface AttributeList {
  readonly attributes: readonly (AttributeUse | AttributeGroupReference)[];
  readonly wildcard: Wildcard | undefined;
}

/** An attribute group definition (XSD 1.0 Part 1 §3.6). */
export interface AttributeGroupDefinition extends Documented {
  readonly kind: "attributeGroup";
  readonly name: SpannedText;
  readonly list: AttributeList;
}

/** A complex type definition (XSD 1.0 Part 1 §3.4). */
export interface ComplexTypeDefinition extends Documented {
  readonly kind: "complexType";
  /** The name; undefined for an anonymous type. */
  readonly name: SpannedText | undefined;
  readonly abstract: boolean;
  readonly block: ReadonlySet<DerivationMethod>;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly content: ComplexContent | SimpleContent;
  readonly list: AttributeList;
}
export interface ComplexContent {
  readonly kind: "complexContent";
  readonly derivation: DerivationMethod;
  /** The base type; undefined for a type without `complexContent`, because such a type restricts anyType. */
  readonly base: Reference | undefined;
  readonly mixed: boolean;
  readonly particle: Particle | undefined;
}
export interface SimpleContent {
  readonly kind: "simpleContent";
  readonly derivation: DerivationMethod;
  readonly base: Reference | undefined;
  /** The simple type to which the facets of a restriction apply; undefined if this is the simple type of the base. */
  readonly restricted: SimpleTypeDefinition | undefined;
  readonly facets: readonly Facet[];
  readonly span: Span;
}

/** A simple type definition (XSD 1.0 Part 1 §3.14). */
export interface SimpleTypeDefinition extends Documented {
  readonly kind: "simpleType";
  readonly name: SpannedText | undefined;
  readonly final: ReadonlySet<"restriction" | "list" | "union">;
  readonly derivation: SimpleDerivation;
}
export type SimpleDerivation =
  | {
      readonly kind: "restriction";
      readonly base: Reference | SimpleTypeDefinition | undefined;
      readonly facets: readonly Facet[];
    }
  | { readonly kind: "list"; readonly item: Reference | SimpleTypeDefinition | undefined }
  | { readonly kind: "union"; readonly members: readonly (Reference | SimpleTypeDefinition)[] };

/** A constraining facet (XSD 1.0 Part 2 §4.3). */
export interface Facet extends Documented {
  readonly kind: "facet";
  readonly name: FacetName;
  /** The value with its original white space. */
  readonly value: SpannedText;
  readonly fixed: boolean;
  /** The element whose namespace declarations apply to a QName value. */
  readonly element: XmlElement;
}

/** A particle (XSD 1.0 Part 1 §3.9). */
export interface Particle extends Documented {
  readonly kind: "particle";
  readonly min: number;
  readonly max: number | "unbounded";
  readonly term: Term;
}
export type Term = ElementDeclaration | ElementReference | ModelGroup | GroupReference | Wildcard;

/** An `element` with the attribute `ref`. */
export interface ElementReference {
  readonly kind: "elementReference";
  readonly ref: Reference;
}

/** A `group` with the attribute `ref` in a content model. */
export interface GroupReference {
  readonly kind: "groupReference";
  readonly ref: Reference;
}

/** A model group (XSD 1.0 Part 1 §3.8). */
export interface ModelGroup extends Documented {
  readonly kind: "modelGroup";
  readonly compositor: "all" | "choice" | "sequence";
  readonly particles: readonly Particle[];
}

/** A wildcard (XSD 1.0 Part 1 §3.10). `##targetNamespace` and `##other` are not yet replaced by namespaces. */
export interface Wildcard extends Documented {
  readonly kind: "wildcard";
  readonly namespaces: "##any" | "##other" | readonly string[];
  readonly processContents: "strict" | "lax" | "skip";
}

/** A model group definition (XSD 1.0 Part 1 §3.7). */
export interface ModelGroupDefinition extends Documented {
  readonly kind: "group";
  readonly name: SpannedText;
  readonly modelGroup: ModelGroup | undefined;
}

/** An identity constraint (XSD 1.0 Part 1 §3.11). */
export interface IdentityConstraint extends Documented {
  readonly kind: "key" | "keyref" | "unique";
  readonly name: SpannedText;
  readonly selector: readonly IdentityPath[];
  readonly fields: readonly (readonly IdentityPath[])[];
  readonly refer: Reference | undefined;
}

/** A notation declaration (XSD 1.0 Part 1 §3.12). */
export interface Notation extends Documented {
  readonly kind: "notation";
  readonly name: SpannedText;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
}

/** A `<schema>` element to read: the root of a document, or an element in the types of a WSDL. */
export interface SchemaElement {
  readonly element: XmlElement;
  readonly source: SourceText;
  readonly inline: boolean;
}

/** Schema documents with all documents that they include and import, each read once. */
export interface SchemaDocuments {
  /** The schemas that were requested, in order. */
  readonly roots: readonly Schema[];
  /** All schemas: first `roots`, then those that they include and import. */
  readonly all: readonly Schema[];
  /**
   * The schema to which each include, redefine or import leads. Absent if there is no location, or if the document
   * could not be read.
   */
  readonly targets: ReadonlyMap<Include | Redefine | Import, Schema>;
}
