import type { Derivation, FacetUse, SimpleType } from "@bothends/datatypes";

/**
 * The version of the descriptor format. A runtime accepts only the versions in this union; any other number is a
 * compile error.
 */
export type DescriptorFormat = 2;

export type {
  Derivation,
  Facet,
  FacetCheck,
  FacetUse,
  FacetValue,
  SimpleType,
  TextContext,
} from "@bothends/datatypes";

/**
 * Compiles the descriptors of one kind of type, field or content for reading and writing. A descriptor contains its
 * codec object, not the codec's name, so that a bundler leaves out the codecs that no descriptor uses.
 */
export interface KindCodec<Kind extends string> {
  readonly kind: Kind;
  /** Compiles a descriptor of this kind for decoding. */
  decode(descriptor: object, context: object): object;
  /** Compiles a descriptor of this kind for encoding. */
  encode(descriptor: object, context: object): object;
}

/**
 * A feature that only some operations need. The descriptors of those operations import the feature, so a program
 * without such an operation does not bundle it.
 */
export interface ImportedFeature<Kind extends string> {
  readonly kind: Kind;
}

/**
 * A simple type that a schema defines from other types: a restriction (with facets), a list (of one item type) or a
 * union (of member types).
 */
export interface DerivedSimpleType<T> {
  readonly kind: "derived";
  readonly name: string;
  readonly by: Derivation;
  /** The base type, the item type of a list, or the member types of a union. */
  readonly types: readonly TypeReference<unknown>[];
  readonly facets?: readonly FacetUse[];
  /** Declares the TypeScript type of the values for the compiler. Values do not have this member. */
  readonly $type?: T;
}

/** The descriptor of `xs:anyType`, exported as `xs.anyType`. Its values are of type `AnyValue`. */
export interface AnyTypeDescriptor {
  readonly kind: "anyType";
  readonly by: KindCodec<"anyType">;
}

/**
 * Refers to a built-in type directly, and to a generated descriptor through a function, so that descriptors can be
 * declared in any order and can refer to each other.
 */
export type TypeReference<T> = SimpleType<T> | AnyTypeDescriptor | (() => TypeDescriptor<T>);

/** A simple or complex type that a schema defines. */
export type TypeDescriptor<T> =
  | SimpleType<T>
  | DerivedSimpleType<T>
  | RecordDescriptor<T>
  | PolymorphicDescriptor<T>
  | ArrayDescriptor<T>;

/**
 * The member names of all types of a union. Members that are always undefined are left out, because they never appear
 * on the wire.
 */
export type KeysOf<T> = {
  [K in NamesOf<T>]: [Exclude<MemberOf<T, K>, undefined>] extends [never] ? never : K;
}[NamesOf<T>];
type NamesOf<T> = T extends unknown ? Extract<keyof T, string> : never;
/** The type of one member, taken from all types of a union that have this member. */
export type MemberOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/**
 * A value of exactly one of several types, in which the members of the other types are absent. `OneOf<{ card: string }
 * | { iban: string }>` is `{ card: string; iban?: undefined } | { iban: string; card?: undefined }`.
 */
export type OneOf<T, Names extends PropertyKey = T extends unknown ? keyof T : never> = T extends unknown
  ? T & { [Name in Exclude<Names, keyof T>]?: undefined }
  : never;

/**
 * Reads the content of a record and checks the order of its elements against the content model. The implementation is
 * `xs.inOrder`.
 */
export interface ContentReader {
  read(context: object, table: object, result: object): void;
  /** Checks the `xsi` attributes of an element against its compiled type. Called only for strict reading. */
  checkAttributes(context: object, type: object): void;
}

/**
 * A complex type. `fields` has one entry per member of `T`: a missing member or a wrong type is a compile error.
 * Elements are written in the order of `content`; without `content`, as one sequence in the order of `fields`.
 */
export interface RecordDescriptor<T> {
  readonly kind: "record";
  /** The name of the type, for messages and `xsi:type`; for an anonymous type, the name of its element. */
  readonly name: string;
  /** The default namespace of the fields that are elements. If absent, these elements have no namespace. */
  readonly namespace?: string;
  readonly fields: { readonly [K in Exclude<KeysOf<T>, "$type">]-?: FieldDescriptor<NonNullable<MemberOf<T, K>>> };
  readonly content?: readonly Particle[];
  /** The codec `xs.content`, which compiles `content`. Required if `content` is present. */
  readonly by?: KindCodec<"content">;
  /**
   * Required if the meaning of elements depends on their order: for repeated groups, and for several elements with the
   * same name. All other records are read in any order, so a program that has only such records does not bundle the
   * code for ordered reading.
   */
  readonly order?: ContentReader;
}

/** Any record descriptor, as the runtime reads it. */
export interface AnyRecordDescriptor {
  readonly kind: "record";
  readonly name: string;
  readonly namespace?: string;
  readonly fields: Readonly<Record<string, FieldDescriptor<unknown>>>;
  readonly content?: readonly Particle[];
  readonly by?: KindCodec<"content">;
  readonly order?: ContentReader;
}

/**
 * One step of a content model: the key of a field, or a group that occurs at most once. Repeated groups are fields of
 * kind `group`.
 */
export type Particle = string | ModelGroup;
/** A group of particles (XSD 1.0 Part 1 §3.8). With `optional`, it may be absent. */
export type ModelGroup =
  | { readonly sequence: readonly Particle[]; readonly optional?: true }
  | { readonly choice: readonly Particle[]; readonly optional?: true }
  | { readonly all: readonly Particle[]; readonly optional?: true };

/** The maximum number of occurrences, as `maxOccurs` in a schema. */
export type Max = number | "unbounded";

/** Where the value of a record's member is in a message, and how it is read and written. */
export type FieldDescriptor<V> =
  | ElementField<V>
  | AttributeField<V>
  | TextField<V>
  | GroupField<V>
  | MixedField<V>
  | AnyField
  | AnyAttributeField;

type Item<V> = V extends readonly (infer I)[] ? I : never;
type FieldType<V> = TypeReference<V> | TypeReference<NonNullable<Item<V>>>;

/**
 * A child element. Its local name is the key unless `name` is set; its namespace is the record's unless `namespace` is
 * set.
 */
export interface ElementField<V> {
  readonly kind?: undefined;
  readonly name?: string;
  readonly namespace?: string;
  readonly type: FieldType<V>;
  /** The value of `minOccurs`. Default 1. */
  readonly min?: number;
  /** The value of `maxOccurs`. Default 1; with any other value the member is an array. */
  readonly max?: Max;
  readonly nillable?: true;
  readonly default?: string;
  readonly fixed?: string;
  readonly identity?: IdentityDescriptor;
}

/** The identity constraints of an element, checked only on request (XSD 1.0 Part 1 §3.11). */
export interface IdentityDescriptor {
  readonly by: IdentityChecker;
  readonly constraints: readonly IdentityConstraint[];
}

/** Checks the identity constraints of an element. The implementation is `xs.identity`. */
export interface IdentityChecker {
  readonly kind: "identity";
  check(
    descriptor: IdentityDescriptor,
    element: {
      readonly type: { readonly kind: "simple" | "anyType" } | (() => { readonly kind: string });
      readonly value: unknown;
    },
  ): void;
}

/** An identity constraint (XSD 1.0 Part 1 §3.11): a key, a unique constraint or a reference to a key. */
export interface IdentityConstraint {
  readonly kind: "key" | "unique" | "keyref";
  /** The name of the constraint, in Clark notation. */
  readonly name: string;
  /** The paths to the elements that the constraint selects. An element is selected if at least one path leads to it. */
  readonly selector: readonly IdentityPath[];
  /** The fields of the key. Each field is a list of alternative paths to its value. */
  readonly fields: readonly (readonly IdentityPath[])[];
  /** The name of the key to which a keyref refers. Absent for other constraints. */
  readonly refer?: string;
}

/** A path in the XPath subset that XSD defines. A step is a name, `*` or `{namespace}*`. */
export interface IdentityPath {
  /** Whether the path starts at the element and all its descendants: `.//`. */
  readonly anywhere?: true;
  readonly steps: readonly string[];
  /** The attribute at the end of the path. Absent if the path ends at an element. */
  readonly attribute?: string;
}

/** An attribute of a record. It has no namespace unless `namespace` is set. */
export interface AttributeField<V> {
  readonly kind: "attribute";
  readonly by: KindCodec<"attribute">;
  readonly name?: string;
  readonly namespace?: string;
  readonly type: FieldType<V>;
  readonly required?: true;
  readonly default?: string;
  readonly fixed?: string;
}

/** The text of a complex type with simple content. */
export interface TextField<V> {
  readonly kind: "text";
  readonly by: KindCodec<"text">;
  readonly type: FieldType<V>;
}

/**
 * A model group that may occur more than once. The value is an array with one item per occurrence, which preserves the
 * order of the elements.
 */
export interface GroupField<V> {
  readonly kind: "group";
  readonly by: KindCodec<"group">;
  readonly record: () => RecordDescriptor<Item<V>>;
  readonly min?: number;
  readonly max?: Max;
}

/**
 * Mixed content: the text and the elements in document order. An item is a string, or an object with one member of
 * `record`.
 */
export interface MixedField<V> {
  readonly kind: "mixed";
  readonly by: KindCodec<"mixed">;
  readonly record: () => RecordDescriptor<Exclude<Item<V>, string>>;
}

/** An element wildcard (`xs:any`). Its value is an `AnyElement`, or an array of them if `max` is not 1. */
export interface AnyField {
  readonly kind: "any";
  readonly by: KindCodec<"any">;
  readonly min?: number;
  readonly max?: Max;
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/** An attribute wildcard (`xs:anyAttribute`); the member is an array of `AnyAttribute`. */
export interface AnyAttributeField {
  readonly kind: "anyAttribute";
  readonly by: KindCodec<"anyAttribute">;
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/**
 * The namespaces that a wildcard allows (XSD 1.0 Part 1 §3.10.1). `any` allows all names. `not` allows all namespaces
 * but one, and no names without a namespace. A list allows its namespaces; `""` in a list means no namespace.
 */
export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** A complete element that is not described by any schema, as a wildcard allows. */
export interface AnyElement {
  /** The name of the element, `{namespace}local`. */
  readonly name: string;
  readonly attributes?: readonly AnyAttribute[];
  readonly content?: readonly (string | AnyElement)[];
}
/** An attribute that no schema describes, as a wildcard allows. */
export interface AnyAttribute {
  /** The name of the attribute, `{namespace}local`. */
  readonly name: string;
  readonly value: string;
}
/**
 * A value of `xs:anyType`: a string if the value has only text; otherwise an object with its `xsi:type`, attributes and
 * content.
 */
export type AnyValue =
  | string
  | {
      /** The name of the type in `xsi:type`, `{namespace}local`. */
      readonly type?: string | undefined;
      readonly attributes?: readonly AnyAttribute[] | undefined;
      readonly content?: readonly (string | AnyElement)[] | undefined;
    };

type Discriminant<T> = T extends { readonly $type?: infer D } ? Exclude<D, undefined> & string : never;

/**
 * A complex type from which other types are derived. The member `$type` of a value and `xsi:type` on the wire name the
 * actual type.
 */
export interface PolymorphicDescriptor<T> {
  readonly kind: "polymorphic";
  readonly by: KindCodec<"polymorphic">;
  readonly name: string;
  /** The name of the declared type, whose values need no `xsi:type`. Absent if the declared type is abstract. */
  readonly declared?: unknown extends T ? string : Discriminant<T>;
  readonly alternatives: { readonly [K in Discriminant<T>]-?: () => UntypedRecord };
}
/**
 * A SOAP array (SOAP 1.1 §5.4.2): the value is a plain array whose items may be null. When an array is written,
 * `soapenc:arrayType` is computed from the items. The names of the item elements are not significant.
 */
export interface ArrayDescriptor<T> {
  readonly kind: "array";
  readonly by: KindCodec<"array">;
  readonly name: string;
  /** The name of the element that contains an item, `{namespace}local`. */
  readonly element: string;
  readonly item: FieldType<T>;
}

/**
 * A record descriptor without its type parameter. The TypeScript compiler has already checked each descriptor against
 * its type, where the descriptor is declared.
 */
export type UntypedRecord = { readonly kind: "record"; readonly name: string };
