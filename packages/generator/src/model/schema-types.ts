import type { BuiltInName } from "@bothends/datatypes/definitions";
import type { Node } from "./node.js";

/**
 * Identifies a type in its interface: `{ns}Vehicle` for a named type, and a path for an anonymous one, whose first step
 * names the element or type that owns it: `{ns}CheckUSA`, `{ns}Order/lines`.
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
  /** What a TypeScript name is made from, outermost first: `["Order", "lines"]`; one word for a named type. */
  readonly words: readonly string[];
}

/** A complex type, or an item of a repeated group, or the parts of a message. */
export interface RecordType extends Definition {
  readonly kind: "record";
  /** As messages and `xsi:type` call it: the type's name, or for an anonymous type its element's. */
  readonly wireName: WireName;
  readonly abstract: boolean;
  /** The base, where it is a record and this one extends it: the members it adds follow the base's in `fields`. */
  readonly base: TypeId | undefined;
  /**
   * Keys of members that a type which this one derives from has, and this one has not, as a restriction took them away
   * (XSD 1.0 Part 1 §3.4.2). Only types of the contract count: a value of this type may be in the place of theirs.
   */
  readonly removed: readonly string[];
  /** All members, inherited ones first (`inherited` says which): attributes, elements, groups, text, wildcards. */
  readonly fields: readonly Field[];
  /** The whole content model over the keys of `fields`, one implied sequence. */
  readonly content: readonly Particle[];
}

/** A type with types derived from it: what a reference to it may hold. Its id is the declared type's with `*` and what is blocked behind. */
export interface PolymorphicType extends Definition {
  readonly kind: "polymorphic";
  /** The declared type; an arm of its own unless it is abstract. */
  readonly declared: TypeId;
  /** What an element's own `block` keeps out; empty for all other places. */
  readonly blocked: readonly ("extension" | "restriction")[];
  /** Every concrete type, the declared one first, with the value of `$type` that tells it. */
  readonly arms: readonly { readonly tag: string; readonly type: TypeId }[];
}

/** A SOAP array (SOAP 1.1 §5.4.2): a list of items, any of which may be null. */
export interface ArrayType extends Definition {
  readonly kind: "array";
  /** What each item is written as; readers go by the place. */
  readonly itemName: WireName;
  readonly item: TypeReference;
}

export interface EnumerationType extends Definition {
  readonly kind: "enumeration";
  readonly base: TypeReference;
  /** Lexical values, in order, without duplicates. */
  readonly values: readonly { readonly text: string; readonly documentation: string | undefined }[];
  /** Facets beside the enumeration. */
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

export type Max = number | "unbounded";

/** Members of a record. `key` is the member's name: the wire's local name, with a suffix where two would clash. */
export type Field = ElementField | AttributeField | TextField | GroupField | MixedField | AnyField | AnyAttributeField;

interface Member extends Node {
  readonly key: string;
  /** It comes from the base, unchanged. */
  readonly inherited: boolean;
}

export interface ElementField extends Member {
  readonly kind: "element";
  readonly wireName: WireName;
  readonly type: TypeReference;
  readonly min: number;
  readonly max: Max;
  readonly nillable: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

export interface AttributeField extends Member {
  readonly kind: "attribute";
  readonly wireName: WireName;
  readonly type: TypeReference;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** The text of simple content; its key is `value`. */
export interface TextField extends Member {
  readonly kind: "text";
  readonly type: TypeReference;
}

/** A model group that may repeat: its items are records of their own. Its key is `choice`, `sequence`, or a substitution group's head. */
export interface GroupField extends Member {
  readonly kind: "group";
  readonly item: TypeId;
  readonly min: number;
  readonly max: Max;
}

/** Mixed content; its key is `content`. Its items are strings and records with one element each. */
export interface MixedField extends Member {
  readonly kind: "mixed";
  readonly item: TypeId;
}

/** An element wildcard; its key is `any`. */
export interface AnyField extends Member {
  readonly kind: "any";
  readonly min: number;
  readonly max: Max;
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/** An attribute wildcard; its key is `anyAttribute`. */
export interface AnyAttributeField extends Member {
  readonly kind: "anyAttribute";
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** A step of a content model: a field, or a group that occurs at most once; groups that repeat are fields. */
export type Particle =
  | { readonly kind: "field"; readonly key: string }
  | {
      readonly kind: "sequence" | "choice" | "all";
      readonly particles: readonly Particle[];
      readonly optional: boolean;
    };
