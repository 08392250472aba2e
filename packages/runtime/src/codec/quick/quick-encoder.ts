import { escapeXmlAttribute, escapeXmlText } from "@bothends/xml/characters";
import { splitClark } from "@bothends/xml/split-clark";
import type { SimpleType, TextContext } from "../../descriptor.js";
import type { CodecOptions } from "../codec-options.js";
import type { AnyReference } from "../resolved-types.js";
import { createTag, type Tag } from "../tags.js";
import { type QuickField, type QuickTable, QuickTables, type QuickType } from "./quick-decoder.js";
import { stopQuickCodec } from "./quick-reader.js";

/** The maximum depth of a value. Cyclic values exceed it. */
const maxDepth = 256;

/** A context without prefixes, because `QuickEncoder` declares none. */
const noPrefixes: TextContext = { resolve: stopQuickCodec, prefixFor: stopQuickCodec };

/**
 * Encodes plain objects for descriptors that have only elements, as the inverse of `QuickDecoder`. Throws
 * `unusualMessage` for other descriptors and for invalid values; `Encoder` is then loaded, and writes the value again
 * or explains why it is invalid. Returns the same text as `Encoder`.
 */
export class QuickEncoder {
  readonly #tables: QuickTables;
  readonly #rootTags = new Map<string, Tag>();

  constructor(options: CodecOptions = {}) {
    this.#tables = new QuickTables(options);
  }

  /**
   * Writes one element. `name` is the name of the element in the schema. For a record, `undefined` means no members.
   */
  encode(name: string, reference: AnyReference, value: unknown, nillable = false): string {
    let tag = this.#rootTags.get(name);
    if (tag === undefined) {
      tag = createTag(this.#tables.names.element(splitClark(name)), { defaultNamespace: "", escapeAttribute });
      this.#rootTags.set(name, tag);
    }
    const type = this.#tables.type(reference);
    if (value === null || (value === undefined && type.kind === "simple")) {
      return nillable ? tag.nil : stopQuickCodec();
    }
    return new ElementWriter().encode(tag, type, value ?? {});
  }
}

/** Writes one element using compiled tables. */
class ElementWriter {
  #depth = 0;

  encode(tag: Tag, type: QuickType, value: unknown): string {
    return type.kind === "simple"
      ? writeSimpleElement(tag, type.type, value)
      : this.#writeRecord(tag, type.table, value);
  }

  #writeRecord(tag: Tag, table: QuickTable, value: unknown): string {
    this.#depth += 1;
    const members = getPlainMembers(value);
    if (this.#depth > maxDepth) {
      stopQuickCodec();
    }
    const tags = listTags(table, tag.name.namespace);
    let xml = "";
    let writtenMembers = 0;
    for (const field of table.fields) {
      const { key, textType } = field;
      const fieldTag = tags[field.index] ?? stopQuickCodec();
      const member = members[key];
      if (member === undefined) {
        xml += field.min > 0 ? writeNilElement(field, fieldTag) : "";
        continue;
      }
      writtenMembers += 1;
      xml +=
        textType !== undefined && member !== null
          ? writeSimpleElement(fieldTag, textType, member)
          : this.#writeMember(field, fieldTag, member);
    }
    if (writtenMembers !== Object.keys(members).length && writtenMembers !== countDefined(members)) {
      stopQuickCodec();
    }
    this.#depth -= 1;
    return xml === "" ? tag.empty : tag.open + xml + tag.close;
  }

  #writeMember(field: QuickField, tag: Tag, value: unknown): string {
    const { array, min, max, nillable } = field;
    if (value === null) {
      return nillable || min > 0 ? writeNilElement(field, tag) : "";
    }
    const type = field.type();
    if (!array) {
      field.textType = type.kind === "simple" ? type.type : undefined;
      return this.encode(tag, type, value);
    }
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      return stopQuickCodec();
    }
    let xml = "";
    // Reads by index, because a caller may have replaced the array's iterator with one that returns more items.
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      xml += item === null && nillable ? tag.nil : this.encode(tag, type, item);
    }
    return xml;
  }
}

function writeSimpleElement({ open, close, empty }: Tag, type: SimpleType<unknown>, value: unknown): string {
  const text = type.write(value, noPrefixes);
  return text === "" ? empty : open + (escapeXmlText(text) ?? stopQuickCodec()) + close;
}

/**
 * Writes a nil element for a required element without a value. Throws `unusualMessage` if the element is not nillable,
 * or if the member is an array.
 */
function writeNilElement({ nillable, array }: QuickField, { nil }: Tag): string {
  return nillable && !array ? nil : stopQuickCodec();
}

/**
 * Returns the members of a plain object, that is, an object that inherits no members. Throws `unusualMessage` for any
 * other value.
 */
function getPlainMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) {
    return stopQuickCodec();
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Record<string, unknown>) : stopQuickCodec();
}

function countDefined(members: Readonly<Record<string, unknown>>): number {
  return Object.values(members).filter((value) => value !== undefined).length;
}

/** Returns the tags of a record's fields. `defaultNamespace` is the namespace of the element that contains them. */
function listTags(table: QuickTable, defaultNamespace: string): readonly Tag[] {
  if (table.parent !== defaultNamespace) {
    table.parent = defaultNamespace;
    table.tags = table.fields.map((field) => createTag(field, { defaultNamespace, escapeAttribute }));
  }
  return table.tags;
}

function escapeAttribute(text: string): string {
  return escapeXmlAttribute(text) ?? stopQuickCodec();
}
