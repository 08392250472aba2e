import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import type { SimpleType, TextContext } from "../../descriptor.js";
import type { CodecOptions } from "../options.js";
import type { AnyReference, ElementMember } from "../types.js";
import { isNil, type QuickReader, stopQuickCodec } from "./quick-reader.js";
import { type QuickField, type QuickTable, QuickTables, type QuickType } from "./quick-tables.js";

type QuickRecord = Record<string, unknown>;

/**
 * Decodes documents in the form that peers usually send, for descriptors that have only elements: no attributes, choices,
 * wildcards or polymorphic types. Stops at any other content and at invalid content; `Decoder` is then loaded and reads the
 * document again. Programs that only receive usual messages therefore load neither the full decoder nor the error descriptions.
 * Returns the same values as `Decoder` with the options `repeated: "error"` and `loss: "error"`, in less time.
 */
export class QuickDecoder {
  readonly #tables: QuickTables;

  constructor(options: CodecOptions = {}) {
    this.#tables = new QuickTables(options);
  }

  /** Returns the value of the reader's current element, and reads the element to its end. */
  element(reader: QuickReader, reference: AnyReference, nillable = false): unknown {
    const textContext: TextContext = { resolve: (prefix) => reader.scope.get(prefix), prefixFor: stopQuickCodec };
    const type = this.#tables.type(reference);
    return new ElementReader(reader, textContext).value(type, { nillable, min: 1, array: false });
  }
}

/** Reads one element using the tables. */
class ElementReader {
  readonly #reader: QuickReader;
  readonly #textContext: TextContext;

  constructor(reader: QuickReader, textContext: TextContext) {
    this.#reader = reader;
    this.#textContext = textContext;
  }

  value(type: QuickType, { nillable, min, array }: Pick<ElementMember, "nillable" | "min" | "array">): unknown {
    const reader = this.#reader;
    for (const attribute of reader.attributes) {
      if (isNil(attribute)) {
        reader.skip();
        return nillable ? null : min === 0 && !array ? undefined : stopQuickCodec();
      }
      // The element refers to another element, which contains the value.
      if (attribute.localName === "href" || attribute.localName === "ref") {
        stopQuickCodec();
      }
    }
    return type.kind === "simple" ? this.#readSimple(type.type, reader.readText()) : this.#readRecord(type.table);
  }

  #readSimple(type: SimpleType<unknown>, text: string): unknown {
    return type.read(
      type.whiteSpace === "preserve" ? text : normalizeWhiteSpace(text, type.whiteSpace),
      this.#textContext,
    );
  }

  #readRecord(table: QuickTable): QuickRecord {
    const reader = this.#reader;
    const { prefix, namespace } = reader;
    const { fields } = table;
    const result: QuickRecord = {};
    // No field from `firstUnread` on has been read yet, so no search for an existing member is needed.
    let expectedIndex = 0;
    let firstUnread = 0;
    for (;;) {
      let field: QuickField | undefined = fields[expectedIndex];
      const name = field?.namespace === namespace ? this.#prefixedNames(table, prefix)[expectedIndex] : undefined;
      if (field?.textType !== undefined && name !== undefined && expectedIndex >= firstUnread) {
        const text = reader.expectText(name);
        if (text !== undefined || (field.nillable && reader.expectNil(name))) {
          result[field.key] = text === undefined ? null : this.#readSimple(field.textType, text);
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

  /** The names of the fields with a prefix. `join` creates flat strings; concatenated ones would be flattened for each message. */
  #prefixedNames(table: QuickTable, prefix: string): readonly string[] {
    if (table.prefix !== prefix) {
      table.prefix = prefix;
      table.names = table.fields.map(({ localName }) => (prefix === "" ? localName : [prefix, localName].join(":")));
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
