import { clark } from "@bothends/xml/clark-names";
import { splitClark } from "@bothends/xml/split-clark";
import type { KindCodec, SimpleType } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import type { DecodeTable, DecodeTables, ValueReader } from "../decode-table.js";
import { getTypeName } from "../element-attributes.js";
import {
  createWrongValueError,
  type EncodeAlternative,
  type EncodeTypeContext,
  isObject,
  type ValueWriter,
} from "../encode-table.js";
import { resolveRecord } from "../resolve-type.js";
import { instanceNamespace, type ResolvedPolymorphic, schemaNamespace } from "../resolved-types.js";
import { SchemaMismatch } from "../schema-mismatch.js";

/** Reads and writes types that other types are derived from. Exported as `xs.polymorphic`. */
export const polymorphic: KindCodec<"polymorphic"> = {
  kind: "polymorphic",
  decode: createPolymorphicReader,
  encode: createPolymorphicWriter,
};

function createPolymorphicReader(
  { name, declared, alternatives }: ResolvedPolymorphic,
  tables: DecodeTables,
): ValueReader {
  /** The alternatives, keyed by the name of their type on the wire. */
  const alternativesByName = new Map<string, { readonly table: DecodeTable; readonly members: object }>();
  let declaredTable: DecodeTable | undefined;
  for (const [tag, alternative] of Object.entries(alternatives)) {
    const table = tables.table(resolveRecord(alternative));
    if (tag === declared) {
      declaredTable = table;
    }
    alternativesByName.set(table.name, { table, members: tag === declared ? {} : { $type: tag } });
  }
  return {
    kind: "other",
    declares: (attribute) => declaredTable?.attributes.some(({ localName }) => localName === attribute) === true,
    read(context, declaration) {
      const text = context.reader.attribute(instanceNamespace, "type");
      const alternative = text === undefined ? undefined : alternativesByName.get(getTypeName(context.reader, text));
      if (alternative !== undefined) {
        return context.readRecord(alternative.table, { ...alternative.members }, declaration);
      }
      if (text !== undefined && (context.refuseUnknownTypes || declaredTable === undefined)) {
        throw new SchemaMismatch(`The attribute xsi:type must name the type ${name} or a type derived from it.`, {
          text,
        });
      }
      if (declaredTable === undefined) {
        throw new SchemaMismatch(`The type ${name} is abstract: the element must have an attribute xsi:type.`);
      }
      return context.readRecord(declaredTable, {}, declaration);
    },
  };
}

function createPolymorphicWriter(
  { name, declared, alternatives }: ResolvedPolymorphic,
  { defaultNamespace, tables }: EncodeTypeContext,
): ValueWriter {
  const alternativesByTag = new Map<string, EncodeAlternative>();
  for (const [tag, alternative] of Object.entries(alternatives)) {
    const table = tables.table(resolveRecord(alternative), defaultNamespace);
    const isDeclared = tag === declared && tables.declaredTypes === undefined;
    alternativesByTag.set(tag, { table, typeName: isDeclared ? undefined : splitClark(table.name) });
  }
  return {
    kind: "other",
    write(context, elementTag, value) {
      if (!isObject(value)) {
        throw createWrongValueError(`an object of type ${name}`, value);
      }
      const tag = Object.hasOwn(value, "$type") ? (value["$type"] ?? declared) : declared;
      const alternative = typeof tag === "string" ? alternativesByTag.get(tag) : undefined;
      if (alternative !== undefined) {
        return context.writeRecord(elementTag, alternative, value);
      }
      throw new LexicalError(
        tag === undefined
          ? `The type ${name} is abstract: the value must have a member "$type".`
          : `The member "$type" must name the type ${name} or a type derived from it.`,
      );
    },
  };
}

/**
 * Whether a value of a simple type may have a different type in `xsi:type`: a type derived from it, or from a member of
 * a union (XSD 1.0 Part 1 §3.3.4, Element Locally Valid; §3.14.6, Type Derivation OK). `actualName` is in Clark
 * notation. Types that the descriptor does not list are accepted, because they may be derived types of the schema.
 */
export function allowsActualType(declaredType: SimpleType<unknown>, actualName: string): boolean {
  const name = getClarkName(declaredType);
  if (declaredType.name === "xs:anySimpleType") {
    return actualName !== `${builtInPrefix}anyType`;
  }
  if (name === actualName) {
    return true;
  }
  const { base, members }: DerivedType = declaredType;
  if (members !== undefined) {
    return members.some((member) => allowsActualType(member, actualName));
  }
  if (!actualName.startsWith(builtInPrefix)) {
    return !hasAncestor(base, actualName);
  }
  return (
    name.startsWith(builtInPrefix) && isDerived(actualName.slice(builtInPrefix.length), declaredType.name.slice(3))
  );
}

const builtInPrefix = clark(schemaNamespace, "");

function getClarkName({ name }: SimpleType<unknown>): string {
  return name.startsWith("xs:") ? `${builtInPrefix}${name.slice(3)}` : name;
}

/** A simple type with the types it is derived from. */
interface DerivedType extends SimpleType<unknown> {
  readonly base?: SimpleType<unknown>;
  readonly members?: readonly SimpleType<unknown>[];
}

function hasAncestor(base: SimpleType<unknown> | undefined, name: string): boolean {
  let ancestor: DerivedType | undefined = base;
  while (ancestor !== undefined && getClarkName(ancestor) !== name) {
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

function isDerived(name: string, baseName: string): boolean {
  let base: string | undefined = name;
  while (base !== undefined && base !== baseName) {
    base = Object.hasOwn(builtInBases, base) ? builtInBases[base] : undefined;
  }
  return base !== undefined;
}
