// The types and members of descriptors, as decoders and encoders read them.

import { clark } from "@bothends/xml/clark-names";
import type {
  AnyTypeDescriptor,
  ContentReader,
  DerivedSimpleType,
  ElementField,
  FieldDescriptor,
  KindCodec,
  Particle,
  SimpleType,
  TypeReference,
} from "../descriptor.js";
import { ConfigError } from "../errors.js";

/** The namespace of `xsi:type` and `xsi:nil` (XSD 1.0 Part 1 §2.6). */
export const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
/** The namespace of the built-in types. */
export const schemaNamespace = "http://www.w3.org/2001/XMLSchema";

/** The namespace and local name of an element, attribute or type, as it appears in messages. */
export interface WireName {
  readonly namespace: string;
  readonly localName: string;
}

/** Maps names in the schema to names on the wire. */
export interface NamesOnWire {
  namespace(namespace: string): string;
  element(name: WireName): WireName;
}

/** Leaves all names unchanged. */
export const unchangedNames: NamesOnWire = { namespace: (namespace) => namespace, element: (name) => name };

/** Creates the mapping of names from the options `namespaces` and `elements`. */
export function createNamesOnWire({
  namespaces,
  elements,
}: {
  readonly namespaces?: ReadonlyMap<string, string> | undefined;
  readonly elements?: ReadonlyMap<string, string> | undefined;
}): NamesOnWire {
  if (!namespaces?.size && !elements?.size) {
    return unchangedNames;
  }
  const getNamespaceOnWire = (namespace: string): string => namespaces?.get(namespace) ?? namespace;
  return {
    namespace: getNamespaceOnWire,
    element: ({ namespace, localName }) => ({
      namespace: getNamespaceOnWire(namespace),
      localName: elements?.get(clark(namespace, localName)) ?? localName,
    }),
  };
}

const derivedTypes = new WeakMap<object, SimpleType<unknown>>();

/** Returns a simple type unchanged, or compiles a derived simple type on first use. */
export function getSimpleType<T>(type: SimpleType<T> | DerivedSimpleType<T>): SimpleType<T>;
export function getSimpleType(type: SimpleType<unknown> | DerivedSimpleType<unknown>): SimpleType<unknown> {
  if (type.kind === "simple") {
    return type;
  }
  let simpleType = derivedTypes.get(type);
  if (simpleType === undefined) {
    simpleType = type.by(
      type.types.map((base) => getBase(base, type.name)),
      type.facets ?? [],
      type.name,
    );
    derivedTypes.set(type, simpleType);
  }
  return simpleType;
}

function getBase(reference: TypeReference<unknown>, name: string): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind !== "simple" && type.kind !== "derived") {
    throw new ConfigError(`The simple type ${name} must be derived from simple types, not from a ${type.kind} type.`);
  }
  return getSimpleType(type);
}

/** Returns a function that creates a value in its first call, and returns the same value in later calls. */
export function createOnFirstUse<T>(create: () => T): () => T {
  let cachedResult: { readonly value: T } | undefined;
  return () => {
    cachedResult ??= { value: create() };
    return cachedResult.value;
  };
}

/** A reference to any type. */
export type AnyReference = { readonly kind: "simple" | "anyType" } | (() => { readonly kind: string });

/** A record descriptor as the codec reads it. */
export interface ResolvedRecord {
  readonly kind: "record";
  readonly name: string;
  readonly namespace?: string;
  readonly fields: Readonly<Record<string, FieldDescriptor<unknown>>>;
  readonly content?: readonly Particle[];
  readonly by?: KindCodec<"content">;
  readonly order?: ContentReader;
}

/** A polymorphic descriptor as the codec reads it. */
export interface ResolvedPolymorphic {
  readonly kind: "polymorphic";
  readonly by: KindCodec<"polymorphic">;
  readonly name: string;
  readonly declared?: string;
  readonly alternatives: Readonly<Record<string, () => { readonly kind: string }>>;
}

/** An array descriptor as the codec reads it. */
export interface ResolvedArray {
  readonly kind: "array";
  readonly by: KindCodec<"array">;
  readonly name: string;
  readonly element: string;
  readonly item: AnyReference;
}

/** The type to which a `TypeReference` refers. */
export type ResolvedType =
  | SimpleType<unknown>
  | AnyTypeDescriptor
  | ResolvedRecord
  | ResolvedPolymorphic
  | ResolvedArray;

/**
 * Returns the type of a reference, and compiles a derived simple type. Returns undefined for a descriptor of another
 * kind, for which `resolveType` throws an error.
 */
export function findType(reference: AnyReference): ResolvedType | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  return isDerived(type) ? getSimpleType(type) : isResolved(type) ? type : undefined;
}

function isDerived(type: { readonly kind: string } | undefined): type is DerivedSimpleType<unknown> {
  return type?.kind === "derived";
}

function isResolved(type: { readonly kind: string } | undefined): type is ResolvedType {
  return ["simple", "anyType", "record", "polymorphic", "array"].includes(type?.kind ?? "");
}

/** A member of a value, identified by its key. */
export interface Member {
  readonly key: string;
  /** Whether `Object.prototype` has a property of this name, such as `__proto__`. */
  readonly isShadowed: boolean;
}

/** A member of a record's content, with its names on the wire. */
export interface ContentMember extends Member {
  readonly kind: "element" | "group" | "any" | "mixed";
  readonly min: number;
  /** The maximum number of occurrences; infinity for `unbounded`. */
  readonly max: number;
  /** Whether the value of the member is an array. */
  readonly array: boolean;
  readonly nillable: boolean;
  /** The record of one occurrence; present only for a group. */
  readonly table?: () => { readonly steps: readonly (ContentMember | Model<ContentMember>)[] };
}

/** An element field with its name on the wire. */
export interface ElementMember extends ContentMember {
  readonly kind: "element";
  readonly localName: string;
  readonly namespace: string;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** A model group that occurs at most once, with its members compiled for decoding or encoding. */
export interface Model<M> {
  readonly kind: "sequence" | "choice" | "all";
  readonly optional: boolean;
  readonly steps: readonly (M | this)[];
  /** The members in the group, at any depth. */
  readonly members: readonly M[];
}

/** Whether a step of a content model is a model group. Otherwise, it is a member. */
export function isModel<M extends object>(step: M | Model<M>): step is Model<M> {
  return "steps" in step;
}

/** Returns all members of a model group, at any depth. For a member, returns only this member. */
export function listMembers<M extends object>(step: M | Model<M>): readonly M[] {
  return isModel(step) ? step.members : [step];
}

/** Whether a step can match no elements. */
export function isEmptiable<M extends ContentMember>(step: M | Model<M>): boolean {
  if (!isModel(step)) {
    return step.min === 0 || step.table?.().steps.every(isEmptiable) === true;
  }
  const { kind, optional, steps } = step;
  return optional || (kind === "choice" ? steps.length === 0 || steps.some(isEmptiable) : steps.every(isEmptiable));
}

/** The context in which a field is compiled: its record, its key, and the mapping of names. */
export interface FieldContext {
  readonly record: ResolvedRecord;
  readonly key: string;
  readonly names: NamesOnWire;
}

/** Returns the member of a record in which a field is stored. */
export function getMemberAt({ key }: FieldContext): Member {
  return { key, isShadowed: key in Object.prototype };
}

/** Returns the minimum and maximum number of occurrences of a field. The default is exactly one. */
export function getOccurrences({ min = 1, max = 1 }: Pick<ElementField<unknown>, "min" | "max">): {
  readonly min: number;
  readonly max: number;
} {
  return { min, max: max === "unbounded" ? Number.POSITIVE_INFINITY : max };
}

/** Returns the properties of an element field needed for decoding and encoding. */
export function createElementMember(field: ElementField<unknown>, fieldContext: FieldContext): ElementMember {
  const { key, isShadowed } = getMemberAt(fieldContext);
  const { min, max } = getOccurrences(field);
  const { namespace, localName } = fieldContext.names.element({
    namespace: field.namespace ?? fieldContext.record.namespace ?? "",
    localName: field.name ?? key,
  });
  return {
    kind: "element",
    key,
    isShadowed,
    namespace,
    localName,
    min,
    max,
    array: max !== 1,
    nillable: field.nillable === true,
    default: field.default,
    fixed: field.fixed,
  };
}
