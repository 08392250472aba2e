import { enumeration, list, union } from "@bothends/datatypes/xs";
import type { AnyReference } from "../../codec/types.js";
import type { DerivedSimpleType } from "../../descriptor.js";

const maxShown = 20;

/** The word that stands for a value of a simple type: `string`, `int`, `red or green`. */
export function placeholderOf(reference: AnyReference): string {
  const type = typeof reference === "function" ? reference() : reference;
  if (isDerived(type)) {
    const values = enumerationOf(type);
    if (values !== undefined)
      return [...values.slice(0, maxShown), ...(values.length > maxShown ? ["…"] : [])].join(" or ");
    const of = type.of.map(placeholderOf);
    if (type.by === union) return of.join(" or ");
    return type.by === list ? `${of[0]} ${of[0]}` : (of[0] ?? "");
  }
  const name = "name" in type && typeof type.name === "string" ? type.name : type.kind;
  return name.replace(/^xs:/, "");
}

/** The values that a simple type lists; undefined where it lists none. */
export function enumerationValues(reference: AnyReference): readonly string[] | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  return isDerived(type) ? enumerationOf(type) : undefined;
}

function enumerationOf(type: DerivedSimpleType<unknown>): readonly string[] | undefined {
  const value = type.facets?.find(([facet]) => facet === enumeration)?.[1];
  if (Array.isArray(value)) return value.map(String);
  const [base] = type.of;
  const isRestriction = type.by !== list && type.by !== union;
  return isRestriction && base !== undefined ? enumerationValues(base) : undefined;
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}
