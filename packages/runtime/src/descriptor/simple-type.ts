import type { Derivation, FacetUse } from "@bothends/datatypes";
import type { TypeReference } from "./record.js";

export type {
  Derivation,
  Facet,
  FacetCheck,
  FacetUse,
  FacetValue,
  SimpleType,
  TextContext,
} from "@bothends/datatypes";

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
