import { LexicalError } from "../errors.js";
import type { EncodeRun } from "./encode-run.js";
import type { EncodeArray, Tag } from "./encode-table.js";
import { itemsOf } from "./encode-value.js";
import { misfitOf } from "./misfit.js";
import { clarkOf, schemaNamespace, type WireName, type WireNames, wireName } from "./names.js";
import { openTag } from "./open-tag.js";
import { encodingNamespace } from "./soap-encoding.js";
import { type AnyReference, resolveType } from "./types.js";

const unbounded = { min: 0, max: Number.POSITIVE_INFINITY };

/** Writes an array: one element per item, each nil where it is null. */
export function writeArray(run: EncodeRun, { item, encoded }: EncodeArray, place: ArrayPlace): string {
  const { tag, value } = place;
  const items = itemsOf(value, unbounded);
  run.enter();
  const attributes = encoded === undefined ? "" : arrayAttributes(run, encoded, items.length);
  const { start, close, noDefault } = openTag(run.prefixes, tag, { attributes, typeName: undefined });
  const itemTag = item.tag(noDefault ? "" : tag.name.namespace);
  const typed = item.typed();
  let inner = "";
  for (let index = 0; index < items.length; index += 1) {
    try {
      if (items[index] === undefined) throw new LexicalError("An item is null where it has no value.");
      inner += items[index] === null ? itemTag.nil : run.element(itemTag, typed, items[index]);
    } catch (error) {
      throw misfitOf(error).within(String(index));
    }
  }
  run.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

interface ArrayPlace {
  readonly tag: Tag;
  readonly value: unknown;
}

/** SOAP 1.1 §5.4.2: the type of the items with their number; SOAP 1.2 part 2 §3.1.6 has an attribute for each. */
function arrayAttributes(
  run: EncodeRun,
  { version, itemType }: NonNullable<EncodeArray["encoded"]>,
  size: number,
): string {
  const { name, dimensions } = itemType();
  const type = run.prefixes.qname(clarkOf(name));
  const bound = ` xmlns:soapenc="${encodingNamespace[version]}" xsi:type="soapenc:Array"`;
  return version === "soap11"
    ? `${bound} soapenc:arrayType="${type}${dimensions}[${size}]"`
    : `${bound} soapenc:itemType="${dimensions === "" ? type : "soapenc:Array"}" soapenc:arraySize="${size}"`;
}

/** What an array says of the type of its items. */
export interface ItemType {
  readonly name: WireName;
  /** `[]` for each array that the items are arrays of. */
  readonly dimensions: string;
}

/** The type of an array's items by its name; anything, where it has none. */
export function itemTypeOf(item: AnyReference, nameOf: (type: string) => WireName | undefined): ItemType {
  const seen = new Set<object>();
  let dimensions = "";
  for (let type = resolveType(item); !seen.has(type); type = resolveType(type.item)) {
    if (type.kind !== "array") {
      const name = type.kind === "anyType" ? undefined : nameOf(type.name);
      return { name: name ?? anyType, dimensions };
    }
    seen.add(type);
    dimensions += "[]";
  }
  return { name: anyType, dimensions: "" };
}

const anyType: WireName = { namespace: schemaNamespace, local: "anyType" };

/** A type's name for `xsi:type`; undefined for an anonymous one. */
export function typeNameOnWire(name: string, names: WireNames): WireName | undefined {
  if (!name.startsWith("{"))
    return name.startsWith("xs:") ? { namespace: schemaNamespace, local: name.slice(3) } : undefined;
  const found = wireName(names.type(name));
  return /[/(*;@]/.test(found.local) ? undefined : found;
}
