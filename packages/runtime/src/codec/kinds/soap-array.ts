import type { XmlReader } from "@bothends/xml";
import { END, TEXT } from "@bothends/xml/reader";
import type { KindCodec } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import type { DecodeTables, ValueReader } from "../decode-table.js";
import type { DeclaredTypes, EncodeContext, EncodeTypeContext, ValueWriter } from "../encode-table.js";
import { clarkOf, encodingNamespaces, schemaNamespace, type WireName, wireName } from "../names.js";
import { addStep, SchemaMismatch } from "../schema-mismatch.js";
import { openTag, type Tag, tagOf } from "../start-tag.js";
import { type AnyReference, type ArrayFacts, lazy, resolveType } from "../types.js";
import { itemsOf, unbounded, writeItems } from "../values.js";

/** Reads and writes SOAP arrays: `xs.array`. */
export const array: KindCodec<"array"> = { kind: "array", decode: arrayReader, encode: arrayWriter };

const itemDeclaration = {
  nillable: true,
  min: 0,
  array: true,
  default: undefined,
  fixed: undefined,
  checkIdentity: undefined,
};

/** The names of items are not significant (SOAP 1.1 §5.4.2). */
function arrayReader({ item }: ArrayFacts, tables: DecodeTables): ValueReader {
  const itemType = lazy(() => tables.type(item));
  return {
    kind: "other",
    read(context) {
      const { reader } = context;
      context.checkDepth();
      refusePartialArray(reader);
      const items: unknown[] = [];
      for (let event = reader.next(); event !== END; event = reader.next()) {
        if (event === TEXT) {
          context.strayText();
          continue;
        }
        const { localName } = reader;
        try {
          refuseSparseItem(reader);
          items.push(context.value(itemType(), itemDeclaration));
        } catch (error) {
          throw addStep(error, `${localName}[${items.length + 1}]`);
        }
      }
      return items;
    },
  };
}

const namespaces: ReadonlySet<string> = new Set(Object.values(encodingNamespaces));

/** Refuses arrays that a plain list cannot represent: partial and multidimensional ones (SOAP 1.1 §5.4.2). */
function refusePartialArray({ attributes }: XmlReader): void {
  for (const { namespace, localName, value } of attributes) {
    if (!namespaces.has(namespace)) {
      continue;
    }
    if (localName === "offset" && value.trim() !== "[0]") {
      throw new SchemaMismatch("Partial arrays (offset) are not supported.");
    }
    const size = localName === "arrayType" ? value.slice(value.lastIndexOf("[")) : undefined;
    const many = size?.includes(",") === true || (localName === "arraySize" && /\S\s+\S/.test(value));
    if (many) {
      throw new SchemaMismatch("Arrays of more than one dimension are not supported.");
    }
  }
}

/** Refuses an item of a sparse array (SOAP 1.1 §5.4.2.2). */
function refuseSparseItem({ attributes }: XmlReader): void {
  for (const { namespace, localName } of attributes) {
    if (localName === "position" && namespaces.has(namespace)) {
      throw new SchemaMismatch("Sparse arrays (position) are not supported.");
    }
  }
}

/** Writes one element for each item, nil for null. */
function arrayWriter({ element, item }: ArrayFacts, { tables }: EncodeTypeContext): ValueWriter {
  const { names, declaredTypes } = tables;
  const name = names.element(wireName(element));
  const tags = new Map<string, Tag>();
  const itemType = lazy(() => tables.type(item, name.namespace));
  const declaredItem = declaredTypes && lazy(() => declaredItemType(item, (type) => declaredTypes.nameOf(type, names)));
  return {
    kind: "other",
    write(context, tag, value) {
      const items = itemsOf(value, unbounded);
      context.enter();
      const attributes =
        declaredTypes === undefined || declaredItem === undefined
          ? ""
          : arrayAttributes(context, { version: declaredTypes.version, type: declaredItem(), size: items.length });
      const { start, close, noDefault } = openTag(context.prefixes, tag, { attributes, typeName: undefined });
      const scope = noDefault ? "" : tag.name.namespace;
      const itemTag = tags.get(scope) ?? tagOf(name, scope);
      tags.set(scope, itemTag);
      const inner = writeItems(items, (each) => {
        if (each === undefined) {
          throw new LexicalError("An item must not be undefined. Use null for an item without a value.");
        }
        return each === null ? itemTag.nil : context.element(itemTag, itemType(), each);
      });
      context.leave();
      return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
    },
  };
}

/** The item type and size, in one attribute (SOAP 1.1 §5.4.2) or in two (SOAP 1.2 part 2 §3.1.6). */
function arrayAttributes(
  { prefixes }: EncodeContext,
  {
    version,
    type,
    size,
  }: { readonly version: DeclaredTypes["version"]; readonly type: ItemType; readonly size: number },
): string {
  const { name, dimensions } = type;
  const typeName = prefixes.qname(clarkOf(name));
  const bound = ` xmlns:soapenc="${encodingNamespaces[version]}" xsi:type="soapenc:Array"`;
  return version === "soap11"
    ? `${bound} soapenc:arrayType="${typeName}${dimensions}[${size}]"`
    : `${bound} soapenc:itemType="${dimensions === "" ? typeName : "soapenc:Array"}" soapenc:arraySize="${size}"`;
}

/** The item type that an array declares. */
interface ItemType {
  readonly name: WireName;
  /** `[]` for each level of nested arrays. */
  readonly dimensions: string;
}

/** The item type of an array; `xs:anyType` for an anonymous type. */
function declaredItemType(item: AnyReference, nameOf: (type: string) => WireName | undefined): ItemType {
  const visited = new Set<object>();
  let dimensions = "";
  for (let type = resolveType(item); !visited.has(type); type = resolveType(type.item)) {
    if (type.kind !== "array") {
      const name = type.kind === "anyType" ? undefined : nameOf(type.name);
      return { name: name ?? anyType, dimensions };
    }
    visited.add(type);
    dimensions += "[]";
  }
  return { name: anyType, dimensions: "" };
}

const anyType: WireName = { namespace: schemaNamespace, local: "anyType" };
