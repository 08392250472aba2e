import type { SimpleType } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import {
  type AnyReference,
  createOnFirstUse,
  findType,
  type ResolvedRecord,
  type ResolvedType,
} from "./resolved-types.js";

// This module is separate from `resolved-types.ts`, because the quick codecs do not report errors in descriptors.

/** Resolves a reference to a type, compiling a derived simple type. */
export function resolveType(reference: AnyReference): ResolvedType {
  const type = findType(reference);
  if (type !== undefined) {
    return type;
  }
  const kind: unknown = Object(typeof reference === "function" ? reference() : reference).kind;
  throw new ConfigError(`A type must not be a descriptor of kind "${String(kind)}".`);
}

/** Resolves a reference to an alternative of a polymorphic type or to the item of a group. Both must be records. */
export function resolveRecord(reference: () => { readonly kind: string }): ResolvedRecord {
  const type = resolveType(reference);
  if (type.kind !== "record") {
    throw new ConfigError(`The descriptor must be a record, not of kind "${type.kind}".`);
  }
  return type;
}

/** Resolves, on first use, a reference that must refer to a simple type, for an attribute or text. */
export function resolveSimpleTypeOnFirstUse(reference: AnyReference): () => SimpleType<unknown> {
  return createOnFirstUse(() => {
    const type = resolveType(reference);
    if (type.kind !== "simple") {
      throw new ConfigError(`The descriptor must be a simple type, not of kind "${type.kind}".`);
    }
    return type;
  });
}
