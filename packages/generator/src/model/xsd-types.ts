import type { BoundFacetName, BuiltinDatatypeName, CountFacetName } from "@bothends/datatypes/definitions";
import type { Documented, Span } from "../source/span.js";

/**
 * Identifies a type in its interface: `{ns}Vehicle` for a named type. For an anonymous type, a path from the element or
 * type that contains it: `{ns}CheckUSA`, `{ns}Order/lines`.
 */
export type TypeId = string;

/** An expanded name. `namespace` is "" for a name without a namespace. */
export interface WireName {
  readonly namespace: string;
  readonly local: string;
}

/** The 44 built-in simple types of XSD 1.0, anySimpleType and anyType, without prefix. */
export type BuiltinName = BuiltinDatatypeName | "anyType";

/** A reference to a built-in type, or to a type of the interface. */
export type TypeReference =
  | { readonly kind: "builtin"; readonly name: BuiltinName }
  | { readonly kind: "named"; readonly id: TypeId };

/** A type of the interface. */
export type TypeDefinition =
  | RecordType
  | PolymorphicType
  | ArrayType
  | EnumerationType
  | RestrictionType
  | ListType
  | UnionType;

interface Definition extends Documented {
  readonly id: TypeId;
  /** The type's name in the schema; undefined for an anonymous type. */
  readonly name: WireName | undefined;
  /**
   * The words of the type's TypeScript name: `["Vehicle"]` for a named type, `["Order", "lines"]` for the type of
   * `lines` in `Order`.
   */
  readonly words: readonly string[];
  /**
   * The id of the original type, which inputs use and which allows only the values in the schema. Present only in an
   * answer type to which the option `tolerate` adds other values. Both types have the same descriptor.
   */
  readonly exact?: TypeId;
}

/** A complex type, the items of a repeated group, or the parts of a message. */
export interface RecordType extends Definition {
  readonly kind: "record";
  /** The name in `xsi:type` and in messages; for an anonymous type, the name of its element. */
  readonly wireName: WireName;
  readonly abstract: boolean;
  /** The record that this record extends. The inherited fields come first in `fields`. */
  readonly base: TypeId | undefined;
  /**
   * The keys of inherited members that a restriction removed (XSD 1.0 Part 1 §3.4.2). Members of base types outside the
   * Contract are omitted, because values of this type must be assignable only to base types in the Contract.
   */
  readonly removed: readonly string[];
  /** All fields in this order: inherited fields, attributes, elements and groups, text, wildcards. */
  readonly fields: readonly Field[];
  /** The content model, including inherited content: the particles of a sequence, which refer to `fields` by key. */
  readonly content: readonly Particle[];
  /** The groups as the schema declares them, each before those in it. `content` does not contain redundant groups. */
  readonly groups?: readonly DeclaredGroup[];
}

/** A model group of a schema, with the number of its occurrences. */
export interface DeclaredGroup {
  readonly kind: "sequence" | "choice" | "all";
  readonly min: number;
  readonly max: MaxOccurs;
  /** The keys of the fields in the group; absent if the group contains all elements of its record. */
  readonly keys?: readonly string[];
  /** The position of the group, or of the reference to a named group. */
  readonly span: Span;
  /** The group to which a reference refers. */
  readonly definition?: { readonly span: Span };
}

/**
 * The union of a declared type and its derived types. Its id is the id of the declared type, followed by `*` and the
 * blocked derivations.
 */
export interface PolymorphicType extends Definition {
  readonly kind: "polymorphic";
  /** The declared type, which is one of the alternatives unless it is abstract. */
  readonly declared: TypeId;
  /** The derivations that the attribute `block` of an element excludes; empty unless an element refers to the type. */
  readonly blocked: readonly ("extension" | "restriction")[];
  /** The types that are not abstract, the declared type first. `tag` is the value of `$type` that identifies a type. */
  readonly alternatives: readonly { readonly tag: string; readonly type: TypeId }[];
}

/** A SOAP array (SOAP 1.1 §5.4.2): a list of items, any of which may be null. */
export interface ArrayType extends Definition {
  readonly kind: "array";
  /** The name of the element that is written for each item. Readers accept any name. */
  readonly itemName: WireName;
  readonly item: TypeReference;
}

/** A simple type with a list of allowed values. */
export interface EnumerationType extends Definition {
  readonly kind: "enumeration";
  readonly base: TypeReference;
  /** The allowed values as strings, in schema order, without duplicates. */
  readonly values: readonly { readonly text: string; readonly documentation: string | undefined }[];
  /** The facets other than `enumeration`. */
  readonly facets: readonly FacetValue[];
  /** True if clients also accept values that are not listed. Only answer types can be open. */
  readonly open?: true;
}

/** A simple type that restricts another one with facets other than `enumeration`. */
export interface RestrictionType extends Definition {
  readonly kind: "restriction";
  readonly base: TypeReference;
  readonly facets: readonly FacetValue[];
}

/** A list of simple values, separated by white space on the wire. */
export interface ListType extends Definition {
  readonly kind: "list";
  readonly item: TypeReference;
}

/** A union of simple types. A value has the type of the first member for which its text is valid. */
export interface UnionType extends Definition {
  readonly kind: "union";
  readonly members: readonly TypeReference[];
}

/** A facet. The patterns in one type definition are alternatives (XSD 1.0 Part 2 §4.3.4). */
export type FacetValue =
  | { readonly facet: CountFacetName; readonly value: number }
  | { readonly facet: BoundFacetName; readonly value: string }
  | { readonly facet: "pattern"; readonly value: readonly string[] }
  | { readonly facet: "whiteSpace"; readonly value: "preserve" | "replace" | "collapse" };

/** The maximum number of occurrences of an element or a group. */
export type MaxOccurs = number | "unbounded";

/**
 * A member of a record. With `tolerateNull`, clients accept an answer in which the member is nil or empty, and read the
 * member as null.
 */
export type Field = ElementField | AttributeField | TextField | GroupField | MixedField | AnyField | AnyAttributeField;

interface FieldBase extends Documented {
  /** The name of the member: the local name in messages, with a number appended if another member has the same name. */
  readonly key: string;
  /** Whether the member is inherited from the base type. */
  readonly inherited: boolean;
}

/** A member whose values are child elements. */
export interface ElementField extends FieldBase {
  readonly kind: "element";
  readonly wireName: WireName;
  readonly type: TypeReference;
  readonly min: number;
  readonly max: MaxOccurs;
  readonly nillable: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
  readonly identity: readonly IdentityConstraint[];
  readonly tolerateNull?: true;
}

/** An identity constraint (XSD 1.0 Part 1 §3.11). */
export interface IdentityConstraint {
  readonly kind: "key" | "unique" | "keyref";
  readonly name: WireName;
  readonly selector: readonly IdentityPath[];
  readonly fields: readonly (readonly IdentityPath[])[];
  /** The key that a keyref refers to. */
  readonly refer: WireName | undefined;
  readonly span?: Span;
}

/** A path in XSD's subset of XPath. Steps are names in Clark notation; `*` and `{namespace}*` match any name. */
export interface IdentityPath {
  /** Whether the path begins with `.//`. */
  readonly anywhere: boolean;
  readonly steps: readonly string[];
  readonly attribute: string | undefined;
}

/** A member whose value is an attribute. */
export interface AttributeField extends FieldBase {
  readonly kind: "attribute";
  readonly wireName: WireName;
  readonly type: TypeReference;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
  readonly tolerateNull?: true;
}

/** The text of an element with simple content. Its key is `value`. */
export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly type: TypeReference;
  readonly tolerateNull?: true;
}

/** A repeated group whose items are records. Its key is `choice`, `sequence`, or the head of a substitution group. */
export interface GroupField extends FieldBase {
  readonly kind: "group";
  readonly item: TypeId;
  readonly min: number;
  readonly max: MaxOccurs;
}

/** Mixed content: a list of strings and of records with one element each. Its key is `content`. */
export interface MixedField extends FieldBase {
  readonly kind: "mixed";
  readonly item: TypeId;
}

/** An element wildcard; its key is `any`. */
export interface AnyField extends FieldBase {
  readonly kind: "any";
  readonly min: number;
  readonly max: MaxOccurs;
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/** An attribute wildcard; its key is `anyAttribute`. */
export interface AnyAttributeField extends FieldBase {
  readonly kind: "anyAttribute";
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** A particle of a content model: a field, or a group that occurs at most once. A repeated group is a field. */
export type Particle =
  | { readonly kind: "field"; readonly key: string }
  | {
      readonly kind: "sequence" | "choice" | "all";
      readonly particles: readonly Particle[];
      readonly optional: boolean;
      /** The position of the group, or of the head of a substitution group. */
      readonly span?: Span;
    };
