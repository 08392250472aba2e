import type { XmlElement } from "@bothends/xml";
import type { QName } from "../../source/qname.js";
import type { SourceText, Span } from "../../source/span.js";

/**
 * A schema document in the nouns of XSD 1.0: what one `<schema>` element says, alone. References are expanded names, not
 * yet looked up; a name without a namespace may still get one when the document is included in another (Part 1 §4.2.1).
 */
export interface Schema extends Declared {
  readonly source: SourceText;
  readonly element: XmlElement;
  /** It stands in a WSDL. */
  readonly inline: boolean;
  /** undefined: none, and an including document gives its own. */
  readonly targetNamespace: string | undefined;
  /** Namespaces that its references name; "" for names without one. */
  readonly referenced: ReadonlySet<string>;
  readonly includes: readonly Include[];
  readonly imports: readonly Import[];
  readonly redefines: readonly Redefine[];
  readonly declarations: readonly Declaration[];
}

/** What every component of a document has. */
export interface Declared {
  readonly span: Span;
  readonly documentation: string | undefined;
}

/** The value of an attribute, and where it stands between its quotes. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

/** A QName in an attribute: as it is written, and expanded where it stands. */
export interface Reference extends Word {
  readonly name: QName;
}

export interface Include extends Declared {
  readonly kind: "include";
  readonly location: Word;
}
export interface Redefine extends Declared {
  readonly kind: "redefine";
  readonly location: Word;
  readonly redefinitions: readonly Redefinition[];
}
export interface Import extends Declared {
  readonly kind: "import";
  readonly namespace: string | undefined;
  readonly location: Word | undefined;
}

/** What a document may declare at the top. */
export type Declaration =
  | ElementDeclaration
  | AttributeDeclaration
  | TypeDefinition
  | ModelGroupDefinition
  | AttributeGroupDefinition
  | Notation;
export type Redefinition = TypeDefinition | ModelGroupDefinition | AttributeGroupDefinition;
export type TypeDefinition = ComplexTypeDefinition | SimpleTypeDefinition;

export type DerivationMethod = "extension" | "restriction";

export interface ValueConstraint {
  readonly kind: "default" | "fixed";
  readonly value: Word;
  /** The prefixes in the value are bound here. */
  readonly element: XmlElement;
}

/** §3.3, at the top or in a group. */
export interface ElementDeclaration extends Declared {
  readonly kind: "element";
  readonly name: Word;
  /** It takes the target namespace. */
  readonly qualified: boolean;
  readonly type: Reference | TypeDefinition | undefined;
  readonly nillable: boolean;
  readonly abstract: boolean;
  readonly valueConstraint: ValueConstraint | undefined;
  readonly substitutionGroup: Reference | undefined;
  readonly block: ReadonlySet<DerivationMethod | "substitution">;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly identityConstraints: readonly IdentityConstraint[];
}

/** §3.2, at the top or in a type. */
export interface AttributeDeclaration extends Declared {
  readonly kind: "attribute";
  readonly name: Word;
  readonly qualified: boolean;
  readonly type: Reference | SimpleTypeDefinition | undefined;
  readonly valueConstraint: ValueConstraint | undefined;
}

/** §3.5. */
export interface AttributeUse extends Declared {
  readonly kind: "attributeUse";
  /** A local declaration, or the name of a global one. */
  readonly declaration: AttributeDeclaration | Reference;
  readonly use: "optional" | "required" | "prohibited";
  /** On a reference; a local declaration has its own. */
  readonly valueConstraint: ValueConstraint | undefined;
  /** `wsdl:arrayType` (WSDL 1.1 §2.2). */
  readonly arrayType: ArrayType | undefined;
}
export interface ArrayType extends Reference {
  readonly dimensions: string;
}
export interface AttributeGroupReference extends Declared {
  readonly kind: "attributeGroupReference";
  readonly ref: Reference;
}

/** The attribute part of a type or an attribute group. */
export interface AttributeList {
  readonly attributes: readonly (AttributeUse | AttributeGroupReference)[];
  readonly wildcard: Wildcard | undefined;
}

/** §3.6. */
export interface AttributeGroupDefinition extends Declared {
  readonly kind: "attributeGroup";
  readonly name: Word;
  readonly list: AttributeList;
}

/** §3.4. */
export interface ComplexTypeDefinition extends Declared {
  readonly kind: "complexType";
  /** undefined for an anonymous type. */
  readonly name: Word | undefined;
  readonly abstract: boolean;
  readonly block: ReadonlySet<DerivationMethod>;
  readonly final: ReadonlySet<DerivationMethod>;
  readonly content: ComplexContent | SimpleContent;
  readonly list: AttributeList;
}
export interface ComplexContent {
  readonly kind: "complexContent";
  readonly derivation: DerivationMethod;
  /** undefined for the short form, which restricts anyType. */
  readonly base: Reference | undefined;
  readonly mixed: boolean;
  readonly particle: Particle | undefined;
}
export interface SimpleContent {
  readonly kind: "simpleContent";
  readonly derivation: DerivationMethod;
  readonly base: Reference | undefined;
  /** In a restriction, the simple type that the facets restrict; undefined: the base's. */
  readonly restricted: SimpleTypeDefinition | undefined;
  readonly facets: readonly Facet[];
  readonly span: Span;
}

/** §3.14. */
export interface SimpleTypeDefinition extends Declared {
  readonly kind: "simpleType";
  readonly name: Word | undefined;
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

export type FacetName =
  | "length"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "enumeration"
  | "whiteSpace"
  | "maxInclusive"
  | "maxExclusive"
  | "minInclusive"
  | "minExclusive"
  | "totalDigits"
  | "fractionDigits";

/** Part 2 §4.3. */
export interface Facet extends Declared {
  readonly kind: "facet";
  readonly name: FacetName;
  /** As written, white space and all. */
  readonly value: Word;
  readonly fixed: boolean;
  /** Where the prefix of a QName value is resolved. */
  readonly element: XmlElement;
}

/** §3.9. */
export interface Particle extends Declared {
  readonly kind: "particle";
  readonly min: number;
  readonly max: number | "unbounded";
  readonly term: Term;
}
export type Term = ElementDeclaration | ElementReference | ModelGroup | GroupReference | Wildcard;

export interface ElementReference {
  readonly kind: "elementReference";
  readonly ref: Reference;
}
export interface GroupReference {
  readonly kind: "groupReference";
  readonly ref: Reference;
}

/** §3.8. */
export interface ModelGroup extends Declared {
  readonly kind: "modelGroup";
  readonly compositor: "all" | "choice" | "sequence";
  readonly particles: readonly Particle[];
}

/** §3.10; the target namespace is still to be put in for `##targetNamespace` and `##other`. */
export interface Wildcard extends Declared {
  readonly kind: "wildcard";
  readonly namespaces: "##any" | "##other" | readonly string[];
  readonly process: "strict" | "lax" | "skip";
}

/** §3.7. */
export interface ModelGroupDefinition extends Declared {
  readonly kind: "group";
  readonly name: Word;
  readonly modelGroup: ModelGroup | undefined;
}

/** §3.11. */
export interface IdentityConstraint extends Declared {
  readonly kind: "key" | "keyref" | "unique";
  readonly name: Word;
  readonly selector: string;
  readonly fields: readonly string[];
  readonly refer: Reference | undefined;
}

/** §3.12. */
export interface Notation extends Declared {
  readonly kind: "notation";
  readonly name: Word;
  readonly publicId: string | undefined;
  readonly systemId: string | undefined;
}
