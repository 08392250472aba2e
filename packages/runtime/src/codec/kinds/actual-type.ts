import { clark } from "@bothends/xml/names";
import type { SimpleType } from "../../descriptor.js";
import { schemaNamespace } from "../names.js";

/**
 * Whether a value of a simple type may have another type in `xsi:type`: one derived from it, or from a member of a union (XSD 1.0
 * Part 1 §3.3.4, Element Locally Valid; §3.14.6, Type Derivation OK). `actual` is in Clark notation. Types that the descriptor
 * does not list are accepted, because the schema may derive them.
 */
export function mayHaveType(declared: SimpleType<unknown>, actual: string): boolean {
  const name = clarkName(declared);
  if (declared.name === "xs:anySimpleType") {
    return actual !== `${builtInPrefix}anyType`;
  }
  if (name === actual) {
    return true;
  }
  const { base, members }: DerivedType = declared;
  if (members !== undefined) {
    return members.some((member) => mayHaveType(member, actual));
  }
  if (!actual.startsWith(builtInPrefix)) {
    return !hasAncestor(base, actual);
  }
  return name.startsWith(builtInPrefix) && isDerived(actual.slice(builtInPrefix.length), declared.name.slice(3));
}

const builtInPrefix = clark(schemaNamespace, "");

function clarkName({ name }: SimpleType<unknown>): string {
  return name.startsWith("xs:") ? `${builtInPrefix}${name.slice(3)}` : name;
}

/** A simple type with the types it is derived from. */
interface DerivedType extends SimpleType<unknown> {
  readonly base?: SimpleType<unknown>;
  readonly members?: readonly SimpleType<unknown>[];
}

function hasAncestor(base: SimpleType<unknown> | undefined, name: string): boolean {
  let ancestor: DerivedType | undefined = base;
  while (ancestor !== undefined && clarkName(ancestor) !== name) {
    ancestor = ancestor.base;
  }
  return ancestor !== undefined;
}

/** The built-in types derived by restriction, and their base types (XSD 1.0 Part 2 §3.3). */
export const builtInBases: Readonly<Record<string, string>> = {
  normalizedString: "string",
  token: "normalizedString",
  language: "token",
  NMTOKEN: "token",
  Name: "token",
  NCName: "Name",
  ID: "NCName",
  IDREF: "NCName",
  ENTITY: "NCName",
  integer: "decimal",
  nonPositiveInteger: "integer",
  negativeInteger: "nonPositiveInteger",
  nonNegativeInteger: "integer",
  positiveInteger: "nonNegativeInteger",
  long: "integer",
  int: "long",
  short: "int",
  byte: "short",
  unsignedLong: "nonNegativeInteger",
  unsignedInt: "unsignedLong",
  unsignedShort: "unsignedInt",
  unsignedByte: "unsignedShort",
};

function isDerived(name: string, from: string): boolean {
  let base: string | undefined = name;
  while (base !== undefined && base !== from) {
    base = Object.hasOwn(builtInBases, base) ? builtInBases[base] : undefined;
  }
  return base !== undefined;
}
