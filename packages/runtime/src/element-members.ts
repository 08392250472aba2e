import { clark } from "@bothends/xml";
import type { AnyRecordDescriptor, ElementField } from "./descriptor.js";

/** A member of a record that is an element: a part, a header block, the result in a wrapper. */
export interface ElementMember {
  readonly key: string;
  /** As the schema names it, `{namespace}local`. */
  readonly name: string;
  readonly field: ElementField<unknown>;
}

/** The element members of a record, in the order of the schema; other types have none. */
export function elementMembers(type: { readonly kind: string }): readonly ElementMember[] {
  if (!isRecord(type)) return [];
  return Object.entries(type.fields).flatMap(([key, field]) => {
    if (field.kind !== undefined && field.kind !== "element") return [];
    return [{ key, name: clark(field.namespace ?? type.namespace ?? "", field.name ?? key), field }];
  });
}

function isRecord(type: { readonly kind: string }): type is AnyRecordDescriptor {
  return type.kind === "record";
}
