import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import type { SimpleType, TextContext } from "../../descriptor.js";
import type { CodecOptions } from "../codec-options.js";
import {
  type AnyReference,
  createElementMember,
  createNamesOnWire,
  createOnFirstUse,
  type ElementMember,
  findType,
  type NamesOnWire,
  type ResolvedRecord,
} from "../resolved-types.js";
import type { Tag } from "../tags.js";
import { createExpectedText, type ExpectedText, isNil, type QuickReader, stopQuickCodec } from "./quick-reader.js";

type QuickRecord = Record<string, unknown>;

/**
 * Decodes documents in the form that peers usually send, for descriptors that have only elements: no attributes,
 * choices, wildcards or polymorphic types. Throws `unusualMessage` for any other content, and for invalid content;
 * `Decoder` is then loaded and reads the document again. Programs that receive only documents of this form therefore
 * load neither `Decoder` nor its error messages. Returns the same values as `Decoder` with the options `repeated:
 * "error"` and `loss: "error"`, in less time.
 */
export class QuickDecoder {
  readonly #tables: QuickTables;

  constructor(options: CodecOptions = {}) {
    this.#tables = new QuickTables(options);
  }

  /** Returns the value of the reader's current element, and reads the element to its end. */
  decode(reader: QuickReader, reference: AnyReference, nillable = false): unknown {
    const type = this.#tables.type(reference);
    return new ElementReader(reader).value(type, { nillable, min: 1, array: false });
  }
}

/** Reads one element using the tables. */
class ElementReader implements TextContext {
  readonly #reader: QuickReader;
  readonly patternSteps = { count: 0 };
  readonly prefixFor = stopQuickCodec;

  constructor(reader: QuickReader) {
    this.#reader = reader;
  }

  resolve(prefix: string): string | undefined {
    return this.#reader.scope.get(prefix);
  }

  value(type: QuickType, { nillable, min, array }: Pick<ElementMember, "nillable" | "min" | "array">): unknown {
    const reader = this.#reader;
    for (const attribute of reader.attributes) {
      if (isNil(attribute)) {
        reader.skip();
        return nillable ? null : min === 0 && !array ? undefined : stopQuickCodec();
      }
      // The element refers to another element, which contains the value. Only `Decoder` follows references.
      if (attribute.localName === "href" || attribute.localName === "ref") {
        stopQuickCodec();
      }
    }
    return type.kind === "simple" ? this.#readSimple(type.type, reader.readText()) : this.#readRecord(type.table);
  }

  #readSimple(type: SimpleType<unknown>, text: string): unknown {
    return type.read(type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace), this);
  }

  #readRecord(table: QuickTable): QuickRecord {
    const reader = this.#reader;
    const { prefix, namespace } = reader;
    const { fields } = table;
    const result: QuickRecord = {};
    // Fields from the index `firstUnread` on have not been read yet, so `result` does not have their members.
    let expectedIndex = 0;
    let firstUnread = 0;
    for (;;) {
      let field: QuickField | undefined = fields[expectedIndex];
      const name = field?.namespace === namespace ? this.#readPrefixedNames(table, prefix)[expectedIndex] : undefined;
      if (field?.textType !== undefined && name !== undefined && expectedIndex >= firstUnread) {
        const text = reader.expectSimple(name, field.nillable);
        if (text !== undefined) {
          result[field.key] = text === null ? null : this.#readSimple(field.textType, text);
          expectedIndex += 1;
          firstUnread = expectedIndex;
          continue;
        }
      }
      if (field === undefined || name === undefined || !reader.expectStart(name, prefix, field)) {
        if (!reader.nextChild()) {
          return addAbsent(result, fields);
        }
        field = table.byName.get(reader.localName);
      }
      if (field === undefined) {
        reader.skip();
        continue;
      }
      this.#addMember(field, result);
      expectedIndex = field.array ? field.index : field.index + 1;
      firstUnread = Math.max(firstUnread, field.index + 1);
    }
  }

  #addMember(field: QuickField, result: QuickRecord): void {
    const { key, array, namespace } = field;
    if (namespace !== this.#reader.namespace || (!array && result[key] !== undefined)) {
      stopQuickCodec();
    }
    const type = field.type();
    if (type.kind === "simple" && !array) {
      field.textType = type.type;
    }
    const value = this.value(type, field);
    const items = result[key];
    if (value === undefined) {
      return;
    }
    if (!array) {
      result[key] = value;
    } else if (Array.isArray(items)) {
      items.push(value);
    } else {
      result[key] = [value];
    }
  }

  /** Returns the names of the fields with the given prefix. */
  #readPrefixedNames(table: QuickTable, prefix: string): readonly ExpectedText[] {
    if (table.prefix !== prefix) {
      table.prefix = prefix;
      table.names = table.fields.map(({ localName }) =>
        createExpectedText(prefix === "" ? localName : `${prefix}:${localName}`),
      );
    }
    return table.names;
  }
}

/** Adds null for required nillable elements that are absent. */
function addAbsent(result: QuickRecord, fields: readonly QuickField[]): QuickRecord {
  for (const { key, min, nillable, array } of fields) {
    if (min > 0 && result[key] === undefined) {
      result[key] = nillable && !array ? null : stopQuickCodec();
    }
  }
  return result;
}

/** A type that the quick codecs support: a simple type, or a record of elements. */
export type QuickType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown> }
  | { readonly kind: "record"; readonly table: QuickTable };

/** An element field of a `QuickTable`. */
export interface QuickField extends ElementMember {
  readonly index: number;
  readonly type: () => QuickType;
  /**
   * The type of an element that occurs at most once and has a simple type. Set when the element is first read or
   * written.
   */
  textType: SimpleType<unknown> | undefined;
}

/** A record compiled for the quick codecs. The members that are not readonly cache what the last message had. */
export interface QuickTable {
  readonly fields: readonly QuickField[];
  readonly byName: ReadonlyMap<string, QuickField>;
  /** Decoding: the prefix of the names in `names`. */
  prefix: string | undefined;
  /** Decoding: the names of the fields with `prefix`, as they appear in tags: `tns:State`. */
  names: readonly ExpectedText[];
  /** Encoding: the namespace of the parent element, for which `tags` were created. */
  parent: string | undefined;
  /** Encoding: the tags of the fields. */
  tags: readonly Tag[];
}

/**
 * Compiles records for the quick codecs, which support only records that consist of elements. Throws for other
 * descriptors.
 */
export class QuickTables {
  readonly names: NamesOnWire;
  readonly #tables = new WeakMap<ResolvedRecord, QuickTable>();

  constructor(options: CodecOptions) {
    this.names = createNamesOnWire(options);
  }

  type(reference: AnyReference): QuickType {
    const type = findType(reference);
    if (type?.kind === "simple") {
      return { kind: "simple", type };
    }
    return type?.kind === "record" ? { kind: "record", table: this.#getTable(type) } : stopQuickCodec();
  }

  #getTable(record: ResolvedRecord): QuickTable {
    const existingTable = this.#tables.get(record);
    if (existingTable !== undefined) {
      return existingTable;
    }
    const fields = Object.entries(record.fields).map(([key, field], index): QuickField => {
      if (field.kind !== undefined) {
        return stopQuickCodec();
      }
      const member = createElementMember(field, { record, key, names: this.names });
      const isUnusual = member.isShadowed || member.fixed !== undefined || member.default !== undefined;
      return isUnusual
        ? stopQuickCodec()
        : { ...member, index, type: createOnFirstUse(() => this.type(field.type)), textType: undefined };
    });
    const fieldsByName = new Map(fields.map((field) => [field.localName, field]));
    if (record.content !== undefined || record.order !== undefined || fieldsByName.size < fields.length) {
      stopQuickCodec();
    }
    const table = { fields, byName: fieldsByName, prefix: undefined, names: [], parent: undefined, tags: [] };
    this.#tables.set(record, table);
    return table;
  }
}
