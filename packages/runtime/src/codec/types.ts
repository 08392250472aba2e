import type {
  AnyTypeDescriptor,
  ContentReader,
  DerivedSimpleType,
  FieldDescriptor,
  KindCodec,
  Particle,
  SimpleType,
  TypeReference,
} from "../descriptor.js";
import { ConfigError } from "../errors.js";

/** A value that is created on first use. */
export function lazy<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

const derivedTypes = new WeakMap<object, SimpleType<unknown>>();

/** Compiles a derived simple type on first use. */
export function simpleTypeOf<T>(type: SimpleType<T> | DerivedSimpleType<T>): SimpleType<T>;
export function simpleTypeOf(type: SimpleType<unknown> | DerivedSimpleType<unknown>): SimpleType<unknown> {
  if (type.kind === "simple") {
    return type;
  }
  let derived = derivedTypes.get(type);
  if (derived === undefined) {
    derived = type.by(
      type.types.map((base) => baseOf(base, type.name)),
      type.facets ?? [],
      type.name,
    );
    derivedTypes.set(type, derived);
  }
  return derived;
}

function baseOf(reference: TypeReference<unknown>, name: string): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind !== "simple" && type.kind !== "derived") {
    throw new ConfigError(`The simple type ${name} must be derived from simple types, not from a ${type.kind} type.`);
  }
  return simpleTypeOf(type);
}

/** A reference to any type. */
export type AnyReference = { readonly kind: "simple" | "anyType" } | (() => { readonly kind: string });

/** A record descriptor as the codec reads it. */
export interface RecordFacts {
  readonly kind: "record";
  readonly name: string;
  readonly namespace?: string;
  readonly fields: Readonly<Record<string, FieldDescriptor<unknown>>>;
  readonly content?: readonly Particle[];
  readonly by?: KindCodec<"content">;
  readonly order?: ContentReader;
}

/** A polymorphic descriptor as the codec reads it. */
export interface PolymorphicFacts {
  readonly kind: "polymorphic";
  readonly by: KindCodec<"polymorphic">;
  readonly name: string;
  readonly declared?: string;
  readonly alternatives: Readonly<Record<string, () => { readonly kind: string }>>;
}

/** An array descriptor as the codec reads it. */
export interface ArrayFacts {
  readonly kind: "array";
  readonly by: KindCodec<"array">;
  readonly name: string;
  readonly element: string;
  readonly item: AnyReference;
}

export type ResolvedType = SimpleType<unknown> | AnyTypeDescriptor | RecordFacts | PolymorphicFacts | ArrayFacts;

/** Resolves a reference to a type. A derived simple type is compiled. */
export function resolveType(reference: AnyReference): ResolvedType {
  const type = typeof reference === "function" ? reference() : reference;
  if (isDerived(type)) {
    return simpleTypeOf(type);
  }
  if (isResolved(type)) {
    return type;
  }
  throw new ConfigError(`A type must not be a descriptor of kind "${String(type?.kind)}".`);
}

/** Resolves a reference that must refer to a record: an alternative, or the item of a group. */
export function resolveRecord(reference: () => { readonly kind: string }): RecordFacts {
  const type = resolveType(reference);
  if (type.kind !== "record") {
    throw new ConfigError(`The descriptor must be a record, not of kind "${type.kind}".`);
  }
  return type;
}

function isDerived(type: { readonly kind: string } | undefined): type is DerivedSimpleType<unknown> {
  return type?.kind === "derived";
}

function isResolved(type: { readonly kind: string } | undefined): type is ResolvedType {
  return ["simple", "anyType", "record", "polymorphic", "array"].includes(type?.kind ?? "");
}

/** Resolves, on first use, a reference that must refer to a simple type, for an attribute or text. */
export function lazySimpleType(reference: AnyReference): () => SimpleType<unknown> {
  return lazy(() => {
    const type = resolveType(reference);
    if (type.kind !== "simple") {
      throw new ConfigError(`The descriptor must be a simple type, not of kind "${type.kind}".`);
    }
    return type;
  });
}

/** Checks that the codec which a descriptor imports has compiled it. */
export function compiledBy<T extends object>(
  descriptor: { readonly kind: string; readonly name?: string },
  compiled: object | undefined,
  isCompiled: (compiled: object) => compiled is T,
): T {
  if (compiled !== undefined && isCompiled(compiled)) {
    return compiled;
  }
  return refuseMissing(descriptor.name ?? `a member of kind "${descriptor.kind}"`, "by");
}

/** Refuses a descriptor without an imported value that its kind requires. */
export function refuseMissing(name: string, property: string): never {
  throw new ConfigError(`The descriptor of ${name} must have the property "${property}". Generate it again.`);
}
