import type { BuiltInName } from "@bothends/datatypes/definitions";
import type { Node } from "./node.js";

/**
 * Identifies a type in its interface: `{ns}Vehicle` for a named type. For an anonymous type, a path from the element or type that
 * contains it: `{ns}CheckUSA`, `{ns}Order/lines`.
 */
export type TypeId = string;

/** An expanded name; `namespace` is "" for none. */
export interface WireName {
  readonly namespace: string;
  readonly local: string;
}

/** The 44 built-in simple types of XSD 1.0, anySimpleType and anyType, without prefix. */
export type BuiltinName = BuiltInName | "anyType";

export type TypeReference =
  | { readonly kind: "builtin"; readonly name: BuiltinName }
  | { readonly kind: "named"; readonly id: TypeId };

export type TypeDefinition =
  | RecordType
  | PolymorphicType
  | ArrayType
  | EnumerationType
  | RestrictionType
  | ListType
  | UnionType;

interface Definition extends Node {
  readonly id: TypeId;
  /** The schema's name; undefined for an anonymous type. */
  readonly name: WireName | undefined;
  /** The words of its TypeScript name, outermost first: `["Order", "lines"]`; one word for a named type. */
  readonly words: readonly string[];
}

/** A complex type, the items of a repeated group, or the parts of a message. */
export interface RecordType extends Definition {
  readonly kind: "record";
  /** The name in `xsi:type` and in messages; for an anonymous type, the name of its element. */
  readonly wireName: WireName;
  readonly abstract: boolean;
  /** The record that this one extends. Its fields come first in `fields`. */
  readonly base: TypeId | undefined;
  /**
   * Keys of members of its ancestors that a restriction removed (XSD 1.0 Part 1 §3.4.2). Only ancestors in the Contract count: values
   * of this type may be assigned to their types.
   */
  readonly removed: readonly string[];
  /** Inherited fields first, then attributes, elements and groups, text, wildcards. */
  readonly fields: readonly Field[];
  /** The whole content model over the keys of `fields`: the steps of an implied sequence. */
  readonly content: readonly Particle[];
}

/** The union of a type and the types derived from it. Its id is the declared type's, followed by `*` and what is blocked. */
export interface PolymorphicType extends Definition {
  readonly kind: "polymorphic";
  /** The declared type; also an alternative unless it is abstract. */
  readonly declared: TypeId;
  /** The derivations that the `block` of an element excludes; empty for all other references. */
  readonly blocked: readonly ("extension" | "restriction")[];
  /** Every concrete type, the declared one first, with the value of `$type` that identifies it. */
  readonly alternatives: readonly { readonly tag: string; readonly type: TypeId }[];
}

/** A SOAP array (SOAP 1.1 §5.4.2): a list of items, any of which may be null. */
export interface ArrayType extends Definition {
  readonly kind: "array";
  /** The element that is written for each item. Readers ignore the names of items. */
  readonly itemName: WireName;
  readonly item: TypeReference;
}

export interface EnumerationType extends Definition {
  readonly kind: "enumeration";
  readonly base: TypeReference;
  /** Lexical values, in order, without duplicates. */
  readonly values: readonly { readonly text: string; readonly documentation: string | undefined }[];
  /** Facets other than the enumeration. */
  readonly facets: readonly FacetValue[];
}

export interface RestrictionType extends Definition {
  readonly kind: "restriction";
  readonly base: TypeReference;
  readonly facets: readonly FacetValue[];
}

export interface ListType extends Definition {
  readonly kind: "list";
  readonly item: TypeReference;
}

export interface UnionType extends Definition {
  readonly kind: "union";
  readonly members: readonly TypeReference[];
}

/** Several patterns in one step are alternatives (XSD 1.0 Part 2 §4.3.4); steps are separate definitions. */
export type FacetValue =
  | { readonly facet: "length" | "minLength" | "maxLength" | "totalDigits" | "fractionDigits"; readonly value: number }
  | { readonly facet: "minInclusive" | "maxInclusive" | "minExclusive" | "maxExclusive"; readonly value: string }
  | { readonly facet: "pattern"; readonly value: readonly string[] }
  | { readonly facet: "whiteSpace"; readonly value: "preserve" | "replace" | "collapse" };

export type MaxOccurs = number | "unbounded";

/** A member of a record. */
export type Field = ElementField | AttributeField | TextField | GroupField | MixedField | AnyField | AnyAttributeField;

interface FieldBase extends Node {
  /** The name of the member: the local name on the wire, with a number appended if another member has that name. */
  readonly key: string;
  /** Whether it is a member of the base. */
  readonly inherited: boolean;
}

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
}

/** XSD 1.0 Part 1 §3.11. */
export interface IdentityConstraint {
  readonly kind: "key" | "unique" | "keyref";
  readonly name: WireName;
  readonly selector: readonly IdentityPath[];
  readonly fields: readonly (readonly IdentityPath[])[];
  /** The key that a keyref refers to. */
  readonly refer: WireName | undefined;
}

/** A path of the XPath subset of XSD, with names in Clark notation; `*` and `{namespace}*` are tests. */
export interface IdentityPath {
  /** Whether the path begins with `.//`. */
  readonly anywhere: boolean;
  readonly steps: readonly string[];
  readonly attribute: string | undefined;
}

export interface AttributeField extends FieldBase {
  readonly kind: "attribute";
  readonly wireName: WireName;
  readonly type: TypeReference;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** The text of simple content; its key is `value`. */
export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly type: TypeReference;
}

/** A model group that may repeat: its items are records. Its key is `choice`, `sequence`, or the head of a substitution group. */
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

/** A step of a content model: a field, or a group that occurs at most once. Groups that repeat are fields. */
export type Particle =
  | { readonly kind: "field"; readonly key: string }
  | {
      readonly kind: "sequence" | "choice" | "all";
      readonly particles: readonly Particle[];
      readonly optional: boolean;
    };
