import type { BuiltinName, Fault, Service, TypeId, TypeReference, WireName } from "../model/index.js";

/**
 * A part of a descriptor as plain data. In generated code, a reference becomes the name of a constant. In the package
 * `dynamic`, which works without generated code, it becomes the descriptor.
 */
export type Value = string | number | boolean | null | readonly Value[] | ObjectValue | Reference;

/**
 * An object as a list of members. A name from a schema must not become the key of a JavaScript object, because it may
 * be `__proto__`.
 */
export interface ObjectValue {
  readonly kind: "object";
  readonly members: readonly (readonly [key: string, value: Value])[];
}

/** A reference from a descriptor to a type or a function, which the emitter prints as a symbol. */
export type Reference =
  /** A built-in type, which `typeMap` may map to another JavaScript type. */
  | { readonly kind: "builtin"; readonly name: BuiltinName }
  /** A member of the runtime's `xs`: a derivation, a facet, or the codec for a kind of field or type. */
  | { readonly kind: "xs"; readonly name: string }
  /** A function in the runtime that a REST descriptor needs. */
  | { readonly kind: "rest"; readonly name: "pathPattern" | "segmentNames" }
  /** A function that returns the descriptor of a type. */
  | { readonly kind: "type"; readonly id: TypeId }
  /** The values of an enumeration. */
  | { readonly kind: "values"; readonly id: TypeId }
  | { readonly kind: "service"; readonly service: Service }
  /** The name of an answer type. */
  | { readonly kind: "answer"; readonly id: string }
  /** The descriptor of the REST interface. */
  | { readonly kind: "interface" }
  /** A function that returns the class of a declared fault. */
  | { readonly kind: "fault"; readonly fault: Fault };

/** Makes an object from its members, without members whose value is undefined. */
export function object(members: Readonly<Record<string, Value | undefined>>): ObjectValue {
  const presentMembers: (readonly [key: string, value: Value])[] = [];
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value !== undefined) {
      presentMembers.push([key, value]);
    }
  }
  return { kind: "object", members: presentMembers };
}

/** Makes an object whose keys come from a schema. */
export function record(members: readonly (readonly [key: string, value: Value])[]): ObjectValue {
  return { kind: "object", members };
}

/** Returns undefined for false, because descriptors omit false values. */
export function omitFalse(value: boolean): true | undefined {
  return value ? true : undefined;
}

/** Returns undefined for an empty list, because descriptors omit empty lists. */
export function omitEmpty(list: readonly Value[]): readonly Value[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Formats a name in Clark notation: `{namespace}local`, or `local` without a namespace. */
export function formatClarkName(name: WireName): string {
  return name.namespace === "" ? name.local : `{${name.namespace}}${name.local}`;
}

/** Refers to a member of the runtime's `xs`. */
export function xs(name: string): Reference {
  return { kind: "xs", name };
}

/** Describes a reference to a type. */
export function describeReference(reference: TypeReference): Reference {
  return reference.kind === "builtin" ? { kind: "builtin", name: reference.name } : { kind: "type", id: reference.id };
}
