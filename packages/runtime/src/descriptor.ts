/**
 * What generated code says: plain facts about types, operations and endpoints. What those facts *do* is written once,
 * in `codec/`, `soap/`, `http-binding/`, `rest/`, `client/` and `server/`. Nothing runs when a descriptor is loaded.
 *
 * Names on the wire are written in Clark notation, `{namespace}local`; a name in no namespace is just `local`.
 */
import type { SoapFault, SoapFaultInit } from "./errors.js";

/** The shape of descriptors. A runtime accepts exactly the formats it lists; another number does not compile. */
export type DescriptorFormat = 1;

// ---------------------------------------------------------------------------------------------------------------------
// Simple types (XSD 1.0 Part 2)

/** What a simple type needs to know of the place where its text stands: only QName and NOTATION ask. */
export interface TextContext {
  /** The namespace bound to a prefix in scope (`""` is the default namespace); undefined when it is not bound. */
  resolve(prefix: string): string | undefined;
  /** A prefix that stands for the namespace while writing; it is declared where it is needed. */
  prefixFor(namespace: string): string;
}

/** A simple type, ready to run: reads text into a value and writes a value as text. The built-ins are exported by `@bothends/runtime/xs`. */
export interface SimpleType<T> {
  readonly kind: "simple";
  /** As messages name it: `xs:int`. */
  readonly name: string;
  readonly whiteSpace: "preserve" | "replace" | "collapse";
  /** Reads text whose white space is already normalised as `whiteSpace` says. Throws `LexicalError`. */
  read(text: string, context: TextContext): T;
  /** Writes the canonical text of a value. Throws `LexicalError` for a value outside the type, of whatever JavaScript type. */
  write(value: T, context: TextContext): string;
}

/** How a simple type is made from others: `xs.restriction`, `xs.list` or `xs.union`. */
export type Derivation = (
  of: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
) => SimpleType<unknown>;

/** One facet with its value: `[xs.maxLength, 10]`, `[xs.pattern, ["[A-Z]+"]]`, `[xs.enumeration, colourValues]`. */
export type FacetUse = readonly [facet: Facet, value: FacetValue];
export type FacetValue = number | string | readonly (string | number | bigint | boolean)[];

/** Prepares the check of one facet over a base type. The check returns what is wrong, or undefined. */
export type Facet = (value: FacetValue, base: SimpleType<unknown>) => FacetCheck;
export type FacetCheck = (value: unknown, text: string) => string | undefined;

/** A simple type that a schema derives: restriction (facets), list (of one item type) or union (of member types). */
export interface DerivedSimpleType<T> {
  readonly kind: "derived";
  readonly name: string;
  readonly by: Derivation;
  readonly of: readonly TypeReference<unknown>[];
  readonly facets?: readonly FacetUse[];
  /** Never present; ties the descriptor to its TypeScript type. */
  readonly $type?: T;
}

/** The any type, `xs.anyType`: its values are `AnyValue`. */
export interface AnyTypeDescriptor {
  readonly kind: "anyType";
}

// ---------------------------------------------------------------------------------------------------------------------
// Records (complex types)

/** Refers to a type: a built-in by value, a generated descriptor through a function, so that order and cycles do not matter. */
export type TypeReference<T> = SimpleType<T> | AnyTypeDescriptor | (() => TypeDescriptor<T>);

export type TypeDescriptor<T> =
  | SimpleType<T>
  | DerivedSimpleType<T>
  | RecordDescriptor<T>
  | PolymorphicDescriptor<T>
  | ArrayDescriptor<T>;

/** The member names of all arms of a union. */
export type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;
/** The type of one member, over all arms that have it. */
export type MemberOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/**
 * A complex type. `fields` has one entry per member of `T`: a member left out, or of another type, does not compile.
 * Elements are written in the order of `content`; without `content`, they are one sequence in the order of `fields`.
 */
export interface RecordDescriptor<T> {
  readonly kind: "record";
  /** The type's name, or for an anonymous type its element's: for messages and `xsi:type`. */
  readonly name: string;
  /** The namespace of the element fields that do not name one. Absent: none. */
  readonly namespace?: string;
  readonly fields: { readonly [K in Exclude<KeysOf<T>, "$type">]-?: FieldDescriptor<NonNullable<MemberOf<T, K>>> };
  readonly content?: readonly Particle[];
}

/** A record descriptor as the runtime walks it, whatever its type. */
export interface AnyRecordDescriptor {
  readonly kind: "record";
  readonly name: string;
  readonly namespace?: string;
  readonly fields: Readonly<Record<string, FieldDescriptor<unknown>>>;
  readonly content?: readonly Particle[];
}

/** One step of a content model: a field by its key, or a model group that occurs once (or at most once). Groups that repeat are fields of kind `group`. */
export type Particle = string | ModelGroup;
export type ModelGroup =
  | { readonly sequence: readonly Particle[]; readonly optional?: true }
  | { readonly choice: readonly Particle[]; readonly optional?: true }
  | { readonly all: readonly Particle[]; readonly optional?: true };

export type Max = number | "unbounded";

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

/** A child element. Its local name is the key unless `name` says otherwise; its namespace is the record's unless `namespace` does. */
export interface ElementField<V> {
  readonly kind?: "element";
  readonly name?: string;
  readonly namespace?: string;
  readonly type: FieldType<V>;
  /** minOccurs, default 1. */
  readonly min?: number;
  /** maxOccurs, default 1; anything else makes the member an array. */
  readonly max?: Max;
  readonly nillable?: true;
  readonly default?: string;
  readonly fixed?: string;
}

/** An attribute; unqualified unless `namespace` is given. */
export interface AttributeField<V> {
  readonly kind: "attribute";
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
  readonly type: FieldType<V>;
}

/** A model group that may occur more than once: an array with one item per occurrence, so that no order is lost. */
export interface GroupField<V> {
  readonly kind: "group";
  readonly record: () => RecordDescriptor<Item<V>>;
  readonly min?: number;
  readonly max?: Max;
}

/** Mixed content: text and elements in document order; an element stands in an item of `record`. */
export interface MixedField<V> {
  readonly kind: "mixed";
  readonly record: () => RecordDescriptor<Exclude<Item<V>, string>>;
}

/** An element wildcard (`xs:any`); its values are `AnyElement`, an array where `max` is not 1. */
export interface AnyField {
  readonly kind: "any";
  readonly min?: number;
  readonly max?: Max;
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/** An attribute wildcard (`xs:anyAttribute`); the member is an array of `AnyAttribute`. */
export interface AnyAttributeField {
  readonly kind: "anyAttribute";
  readonly namespaces: WildcardNamespaces;
  readonly process: "strict" | "lax" | "skip";
}

/** XSD 1.0 Part 1 §3.10.1: any, not a namespace (and not absent), or one of a list (`""` is absent). */
export type WildcardNamespaces = "any" | { readonly not: string } | readonly string[];

/** An element that no schema describes, in full. */
export interface AnyElement {
  /** `{namespace}local`. */
  readonly name: string;
  readonly attributes?: readonly AnyAttribute[];
  readonly content?: readonly (string | AnyElement)[];
}
export interface AnyAttribute {
  /** `{namespace}local`. */
  readonly name: string;
  readonly value: string;
}
/** A value of `xs:anyType`: text alone is a string; anything else keeps its `xsi:type`, attributes and content. */
export type AnyValue =
  | string
  | {
      /** `{namespace}local` of `xsi:type`. */
      readonly type?: string | undefined;
      readonly attributes?: readonly AnyAttribute[] | undefined;
      readonly content?: readonly (string | AnyElement)[] | undefined;
    };

type Discriminant<T> = T extends { readonly $type?: infer D } ? Exclude<D, undefined> & string : never;

/** A complex type that others derive from: the value says by `$type` which one it is, the wire by `xsi:type`. */
export interface PolymorphicDescriptor<T> {
  readonly kind: "polymorphic";
  readonly name: string;
  /** The arm that needs no `xsi:type`, the declared type itself. Absent where that is abstract. */
  readonly declared?: unknown extends T ? string : Discriminant<T>;
  readonly arms: { readonly [K in Discriminant<T>]-?: () => AnyRecord };
}
/**
 * A SOAP array (SOAP 1.1 §5.4.2): the value is a plain array, whose items may be null. What it says of itself on the wire
 * (`soapenc:arrayType`) follows from its items; their names say nothing.
 */
export interface ArrayDescriptor<T> {
  readonly kind: "array";
  readonly name: string;
  /** The name each item is written with, `{namespace}local`. */
  readonly element: string;
  readonly item: FieldType<T>;
}

/** Any record descriptor; its own declaration has checked it against its type. */
export type AnyRecord = { readonly kind: "record"; readonly name: string };

// ---------------------------------------------------------------------------------------------------------------------
// SOAP services (WSDL 1.1)

export type Protocol = "soap11" | "soap12" | "httpGet" | "httpPost";

export interface ServiceDescriptor {
  readonly descriptorFormat: DescriptorFormat;
  /** The `wsdl:service` name. */
  readonly name: string;
  /** The `targetNamespace` of the WSDL. */
  readonly namespace: string;
  /** The address of each port, in the order of the WSDL; absent where the WSDL names none. */
  readonly ports: Readonly<Partial<Record<Protocol, { readonly name: string; readonly address?: string }>>>;
}

/** What `bothends.json` says of the services of one interface. */
export interface ServiceFacts {
  /** Members of inputs that a client holds once. */
  readonly ambient?: readonly string[];
  /** What may bear another name at run time. */
  readonly slots?: {
    /** The schema's namespace by the word that stands for it. */
    readonly namespaces?: Readonly<Record<string, string>>;
    /** Names of operations. */
    readonly operations?: readonly string[];
  };
}

export interface OperationDescriptor<Input, Output> {
  readonly kind: "operation";
  readonly service: ServiceDescriptor;
  /** The `wsdl:operation` name. */
  readonly name: string;
  readonly input: InputDescriptor<Input>;
  /** Absent: one-way. */
  readonly output?: OutputDescriptor<Output>;
  readonly faults?: readonly FaultDescriptor[];
  /** What HTTP GET and POST send and answer; present where one of them is bound. */
  readonly http?: HttpDescriptor<Input>;
  readonly bindings: OperationBindings;
}

/** Any operation, as the runtime walks it. */
export interface AnyOperationDescriptor {
  readonly kind: "operation";
  readonly service: ServiceDescriptor;
  readonly name: string;
  readonly input: {
    readonly body: AnyBodyDescriptor;
    readonly attachments?: Readonly<Record<string, AttachmentDescriptor>>;
    readonly headers?: () => AnyRecord;
  };
  readonly output?: OutputDescriptor<unknown>;
  readonly faults?: readonly FaultDescriptor[];
  readonly http?: {
    readonly parameters?: Readonly<Record<string, HttpParameter>> | undefined;
    readonly body?: HttpBody | undefined;
    readonly answer: HttpAnswer;
  };
  readonly bindings: OperationBindings;
}

export interface OperationBindings {
  readonly soap11?: SoapBindingDescriptor;
  readonly soap12?: SoapBindingDescriptor;
  readonly httpGet?: HttpBindingDescriptor;
  readonly httpPost?: HttpBindingDescriptor;
}

export interface SoapBindingDescriptor {
  /** SOAPAction (1.1) or the `action` parameter (1.2). */
  readonly action: string;
  /** SOAP 1.2 requests carry `action` in their content type. */
  readonly sendAction?: true;
}

/** The body of a SOAP message: one element (document style with one part, or an rpc wrapper), or parts side by side. */
export type BodyDescriptor<T> =
  | {
      readonly element: string;
      readonly type: TypeReference<T>;
      readonly nillable?: true;
      /** An rpc wrapper: it is named after the operation, and its name in an answer is not significant (WSDL 1.1 §3.5). */
      readonly rpc?: true;
      /** `use="encoded"`: `xsi:type` on every value, SOAP arrays (SOAP 1.1 §5). */
      readonly encoded?: true;
    }
  | { readonly parts: () => RecordDescriptor<T> };

/** Any body, as the runtime walks it. */
export type AnyBodyDescriptor =
  | (Omit<Extract<BodyDescriptor<unknown>, { readonly element: string }>, "type"> & {
      readonly type: TypeReference<unknown>;
    })
  | { readonly parts: () => AnyRecord };

export type InputDescriptor<T> = (
  | { readonly body: BodyDescriptor<T> }
  | {
      /** The members that are no attachments. */
      readonly body: AnyBodyDescriptor;
      readonly attachments: Readonly<Record<string, AttachmentDescriptor>>;
    }
) & {
  /** Header blocks as a record of elements, each optional on the wire. */
  readonly headers?: () => AnyRecord;
};

/** Bytes that travel beside the envelope, in a part of their own (WSDL 1.1 §5.4, SOAP Messages with Attachments). */
export interface AttachmentDescriptor {
  /** The `wsdl:part`. */
  readonly part: string;
  /** Media types it may have, the first is sent. */
  readonly types: readonly string[];
}

export interface OutputDescriptor<T> {
  /** The body as a record; with `result`, the operation answers that one member of it, null when it is absent. */
  readonly body: BodyDescriptor<unknown>;
  readonly result?: string;
  /** The operation answers nothing: the wrapper is empty. */
  readonly empty?: true;
  /** Members of the answer that stand beside the body. */
  readonly attachments?: Readonly<Record<string, AttachmentDescriptor>>;
  readonly headers?: () => AnyRecord;
  /** Header blocks that may stand beside a fault (WSDL 1.1 §3.7), each optional on the wire. */
  readonly headerFaults?: () => AnyRecord;
  readonly $type?: T;
}

/** A declared fault (`wsdl:fault`): the element in the fault's detail, and the class that is thrown for it. */
export interface FaultDescriptor {
  readonly name: string;
  readonly element: string;
  readonly type: TypeReference<unknown>;
  readonly error: () => new (init: SoapFaultInit<never>) => SoapFault;
}

export interface HttpBindingDescriptor {
  /** Follows the port's address: `/CheckUSA`. With `replace`, holds `(name)` where a parameter goes. */
  readonly location: string;
  readonly replace?: true;
}

export type HttpDescriptor<Input> =
  | {
      /** One text parameter per member of the input; `list` where the name repeats. */
      readonly parameters: {
        readonly [K in KeysOf<Input>]-?: HttpParameter;
      };
      readonly body?: undefined;
      readonly answer: HttpAnswer;
    }
  | {
      /** The input is posted as an XML document. */
      readonly body: HttpBody;
      readonly parameters?: undefined;
      readonly answer: HttpAnswer;
    };

/** The root of an XML document that is posted. */
export interface HttpBody {
  readonly element: string;
  readonly type: TypeReference<unknown>;
  readonly nillable?: true;
}

/** A parameter of a query string or form; its name is the member's unless `name` says otherwise. */
export interface HttpParameter {
  readonly name?: string;
  readonly type: TypeReference<unknown>;
  readonly list?: true;
}

/** The answer: an XML document with this root, plain text, bytes of any media type, or nothing. */
export type HttpAnswer =
  | { readonly kind: "xml"; readonly element: string; readonly type: TypeReference<unknown>; readonly nillable?: true }
  | { readonly kind: "text"; readonly type: TypeReference<unknown> }
  | { readonly kind: "bytes"; readonly mediaType: string }
  | { readonly kind: "none" };

// ---------------------------------------------------------------------------------------------------------------------
// REST (a discovery index)

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RestInterfaceDescriptor {
  readonly descriptorFormat: DescriptorFormat;
  readonly name: string;
  /** The path of the index below the site, with `{variable}` where it varies: `/{lang}/api`, `/wp-json`. */
  readonly base: string;
  /** The values each variable of `base` may take; the first is the default. */
  readonly baseValues?: Readonly<Record<string, readonly string[]>>;
  /** The variable of `base` that holds the language, and the argument that overrides it for the handler. */
  readonly language?: { readonly variable?: string; readonly argument?: string };
  /** Literal path segments that may bear another name at run time. */
  readonly segments?: readonly string[];
}

/** One endpoint of a route: its methods share arguments and one handler. */
export interface EndpointDescriptor<Input> {
  readonly kind: "endpoint";
  readonly interface: RestInterfaceDescriptor;
  /** As code names it: `core.blocks.list`. */
  readonly name: string;
  /** The route's key in the index. */
  readonly route: string;
  /** The route in pieces: literal text, and the variables between. */
  readonly path: readonly (string | PathVariable)[];
  /** The first is the default. */
  readonly methods: readonly [Method, ...Method[]];
  readonly args: { readonly [K in KeysOf<Input>]-?: ArgDescriptor };
}

/** Any endpoint, as the runtime walks it. */
export interface AnyEndpointDescriptor extends Omit<EndpointDescriptor<unknown>, "args"> {
  readonly args: Readonly<Record<string, ArgDescriptor>>;
}

export interface PathVariable {
  readonly variable: string;
  /** The group's pattern, as the index spells it. */
  readonly pattern: string;
}

/** What a client checks before it sends; the server validates by the index's own definitions. No `type`: anything. */
export interface ArgDescriptor {
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly required?: true;
  readonly enum?: readonly JsonValue[];
  readonly items?: ArgDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}

/**
 * A member of an argument. Its words are wider than an argument's: under a name that every object has, such as
 * `toString`, the compiler expects what stands there on every object, and takes a literal for any text.
 */
export interface MemberDescriptor {
  readonly type?: string | readonly string[];
  readonly required?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly items?: MemberDescriptor;
  readonly properties?: Readonly<Record<string, MemberDescriptor>>;
}
export type JsonTypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
