import type { SimpleType } from "../../descriptor.js";
import { type NamesOnWire, namesOnWire } from "../names.js";
import type { CodecOptions } from "../options.js";
import type { Tag } from "../tags.js";
import {
  type AnyReference,
  type ElementMember,
  elementMember,
  lazy,
  type ResolvedRecord,
  resolveType,
} from "../types.js";
import { stopQuickCodec } from "./quick-reader.js";

export type QuickType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown> }
  | { readonly kind: "record"; readonly table: QuickTable };

export interface QuickField extends ElementMember {
  readonly index: number;
  readonly type: () => QuickType;
  /** The type of a single element of simple type. Set when the element is first read or written. */
  textType: SimpleType<unknown> | undefined;
}

export interface QuickTable {
  readonly fields: readonly QuickField[];
  readonly byName: ReadonlyMap<string, QuickField>;
  /** Decoding: the prefix of the names in `names`. */
  prefix: string | undefined;
  /** Decoding: the names of the fields, with `prefix`, as the next tags are expected to contain them. */
  names: readonly string[];
  /** Encoding: the namespace of the element that contains the elements of `tags`. */
  scope: string | undefined;
  /** Encoding: the tags of the fields. */
  tags: readonly Tag[];
}

/** Compiles records that contain only elements, which the quick codecs support. Throws for other descriptors. */
export class QuickTables {
  readonly names: NamesOnWire;
  readonly #tables = new WeakMap<ResolvedRecord, QuickTable>();

  constructor(options: CodecOptions) {
    this.names = namesOnWire(options);
  }

  type(reference: AnyReference): QuickType {
    const type = resolveType(reference);
    if (type.kind === "simple") {
      return { kind: "simple", type };
    }
    return type.kind === "record" ? { kind: "record", table: this.#table(type) } : stopQuickCodec();
  }

  #table(record: ResolvedRecord): QuickTable {
    const existingTable = this.#tables.get(record);
    if (existingTable !== undefined) {
      return existingTable;
    }
    const fields = Object.entries(record.fields).map(([key, field], index): QuickField => {
      if (field.kind !== undefined) {
        return stopQuickCodec();
      }
      const member = elementMember(field, { record, key, names: this.names });
      const isUnusual = member.shadowed || member.fixed !== undefined || member.default !== undefined;
      return isUnusual
        ? stopQuickCodec()
        : { ...member, index, type: lazy(() => this.type(field.type)), textType: undefined };
    });
    const byName = new Map(fields.map((field) => [field.localName, field]));
    if (record.content !== undefined || record.order !== undefined || byName.size < fields.length) {
      stopQuickCodec();
    }
    const table = { fields, byName, prefix: undefined, names: [], scope: undefined, tags: [] };
    this.#tables.set(record, table);
    return table;
  }
}
