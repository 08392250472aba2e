import type { TypeDescriptor, TypeReference } from "../descriptor.js";

/** A reference to a type that is passed as a reference, or as its descriptor: `xs.int`, `orderDescriptor`. */
export function referenceTo<T>(type: TypeReference<T> | TypeDescriptor<T>): TypeReference<T> {
  return typeof type === "function" || type.kind === "simple" || type.kind === "anyType" ? type : () => type;
}
