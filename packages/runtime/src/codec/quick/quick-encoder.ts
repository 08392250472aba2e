import { escapedAttribute, escapedText } from "@bothends/xml/characters";
import type { SimpleType, TextContext } from "../../descriptor.js";
import { wireName } from "../names.js";
import type { CodecOptions } from "../options.js";
import { createTag, type Tag } from "../tags.js";
import type { AnyReference } from "../types.js";
import { stopQuickCodec } from "./quick-reader.js";
import { type QuickField, type QuickTable, QuickTables, type QuickType } from "./quick-tables.js";

/** The maximum depth of a value. */
const maxDepth = 256;

/** The quick encoder declares no prefixes. */
const noPrefixes: TextContext = { resolve: stopQuickCodec, prefixFor: stopQuickCodec };

/**
 * Encodes plain objects for descriptors that have only elements, as `QuickDecoder` decodes them. Stops at anything else and at
 * invalid values; `Encoder` is then loaded and writes the value again, or explains why it is invalid. Returns the same text as
 * `Encoder`.
 */
export class QuickEncoder {
  readonly #tables: QuickTables;
  readonly #roots = new Map<string, Tag>();

  constructor(options: CodecOptions = {}) {
    this.#tables = new QuickTables(options);
  }

  /** Writes one element. The name is the schema's name in Clark notation. `undefined` is a record without members. */
  element(name: string, reference: AnyReference, value: unknown, nillable = false): string {
    let tag = this.#roots.get(name);
    if (tag === undefined) {
      tag = createTag(this.#tables.names.element(wireName(name)), { scope: "", escapeAttribute });
      this.#roots.set(name, tag);
    }
    const type = this.#tables.type(reference);
    if (value === null || (value === undefined && type.kind === "simple")) {
      return nillable ? tag.nil : stopQuickCodec();
    }
    return new ElementWriter().element(tag, type, value ?? {});
  }
}

/** Writes one element using the tables. */
class ElementWriter {
  #depth = 0;

  element(tag: Tag, type: QuickType, value: unknown): string {
    return type.kind === "simple" ? simpleElement(tag, type.type, value) : this.#record(tag, type.table, value);
  }

  #record(tag: Tag, table: QuickTable, value: unknown): string {
    this.#depth += 1;
    const members = plainMembers(value);
    if (this.#depth > maxDepth) {
      stopQuickCodec();
    }
    const tags = tagsOf(table, tag.name.namespace);
    let xml = "";
    let written = 0;
    for (const field of table.fields) {
      const { key, textType } = field;
      const fieldTag = tags[field.index] ?? stopQuickCodec();
      const member = members[key];
      if (member === undefined) {
        xml += field.min > 0 ? nilElement(field, fieldTag) : "";
        continue;
      }
      written += 1;
      xml +=
        textType !== undefined && member !== null
          ? simpleElement(fieldTag, textType, member)
          : this.#member(field, fieldTag, member);
    }
    if (written !== Object.keys(members).length && written !== definedMembers(members)) {
      stopQuickCodec();
    }
    this.#depth -= 1;
    return xml === "" ? tag.empty : tag.open + xml + tag.close;
  }

  #member(field: QuickField, tag: Tag, value: unknown): string {
    const { array, min, max, nillable } = field;
    if (value === null) {
      return nillable || min > 0 ? nilElement(field, tag) : "";
    }
    const type = field.type();
    if (!array) {
      field.textType = type.kind === "simple" ? type.type : undefined;
      return this.element(tag, type, value);
    }
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      return stopQuickCodec();
    }
    let xml = "";
    for (const item of value) {
      xml += item === null && nillable ? tag.nil : this.element(tag, type, item);
    }
    return xml;
  }
}

function simpleElement({ open, close, empty }: Tag, type: SimpleType<unknown>, value: unknown): string {
  const text = type.write(value, noPrefixes);
  return text === "" ? empty : open + (escapedText(text) ?? stopQuickCodec()) + close;
}

/** A required element without a value. */
function nilElement({ nillable, array }: QuickField, { nil }: Tag): string {
  return nillable && !array ? nil : stopQuickCodec();
}

/** The members of an object that inherits none. */
function plainMembers(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) {
    return stopQuickCodec();
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Record<string, unknown>) : stopQuickCodec();
}

function definedMembers(members: Readonly<Record<string, unknown>>): number {
  return Object.values(members).filter((value) => value !== undefined).length;
}

/** The tags of a record's fields inside an element of this namespace. */
function tagsOf(table: QuickTable, scope: string): readonly Tag[] {
  if (table.scope !== scope) {
    table.scope = scope;
    table.tags = table.fields.map((field) => createTag(field, { scope, escapeAttribute }));
  }
  return table.tags;
}

function escapeAttribute(text: string): string {
  return escapedAttribute(text) ?? stopQuickCodec();
}
