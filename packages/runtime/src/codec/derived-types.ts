import type { DerivedSimpleType, SimpleType, TypeReference } from "../descriptor.js";

const resolved = new WeakMap<object, SimpleType<unknown>>();

/** Makes a derived descriptor ready to run, once. */
export function simpleTypeOf<T>(type: SimpleType<T> | DerivedSimpleType<T>): SimpleType<T>;
export function simpleTypeOf(type: SimpleType<unknown> | DerivedSimpleType<unknown>): SimpleType<unknown> {
  if (type.kind === "simple") {
    return type;
  }
  const known = resolved.get(type);
  if (known !== undefined) {
    return known;
  }
  const made = type.by(
    type.of.map((each) => baseOf(each, type.name)),
    type.facets ?? [],
    type.name,
  );
  resolved.set(type, made);
  return made;
}

function baseOf(reference: TypeReference<unknown>, name: string): SimpleType<unknown> {
  const type = typeof reference === "function" ? reference() : reference;
  if (type.kind !== "simple" && type.kind !== "derived") {
    throw new TypeError(
      `The simple type ${name} is derived from ${type.kind === "anyType" ? "xs:anyType" : type.name}.`,
    );
  }
  return simpleTypeOf(type);
}
