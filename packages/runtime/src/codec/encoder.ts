import { ConfigError, EncodeError } from "../errors.js";
import { ElementEncoder, withoutValue } from "./encode-element.js";
import { type DeclaredTypes, EncodeTables } from "./encode-table.js";
import { type NamesOnWire, namesOnWire, schemaNames, wireName } from "./names.js";
import type { CodecOptions, EncodeElementOptions } from "./options.js";
import { mismatchOf } from "./schema-mismatch.js";
import { type Tag, tagOf } from "./start-tag.js";
import { type AnyReference, resolveRecord } from "./types.js";

type TablesByTypes = Map<DeclaredTypes | undefined, EncodeTables>;

/** Shared by all encoders that rename nothing, because tables depend only on names and on the types they declare. */
const schemaTables: TablesByTypes = new Map();

interface RootTag {
  readonly declarations: string;
  readonly tag: Tag;
}

/**
 * Writes values as XML. Elements use the default namespace; the prefixes `xsi` and `xsd` must be declared around them.
 * Throws an `EncodeError` whose path is the position of the value, as in a JSON pointer: `/Order/lines/0/sku`.
 */
export class Encoder {
  readonly #names: NamesOnWire;
  readonly #replace: boolean;
  readonly #tables: TablesByTypes;
  readonly #tags = new Map<string, RootTag>();

  constructor(options: CodecOptions = {}) {
    const names = namesOnWire(options);
    this.#names = names;
    this.#replace = options.illegalCharacters === "replace";
    this.#tables = names === schemaNames ? schemaTables : new Map();
  }

  /** Writes one element. The name is the schema's, in Clark notation. */
  element(name: string, reference: AnyReference, value: unknown, facts: EncodeElementOptions = {}): string {
    const tag = this.#tag(name, facts.declarations);
    try {
      if (value === null || value === undefined) {
        if (facts.nillable === true) {
          return tag.nil;
        }
        throw withoutValue(value);
      }
      const type = this.#tablesFor(facts.declaredTypes).type(reference, tag.name.namespace);
      const root = type.kind === "record" && facts.declaresType !== true ? { ...type, typeName: undefined } : type;
      const { default: byDefault, fixed } = facts;
      return new ElementEncoder(this.#replace).constrained(tag, root, { value, default: byDefault, fixed });
    } catch (error) {
      throw encodeError(error, `${facts.path ?? ""}/${tag.name.local}`);
    }
  }

  /** Writes the elements of a record without an enclosing element, with no default namespace in scope. */
  content(record: () => { readonly kind: string }, value: unknown, facts: EncodeElementOptions = {}): string {
    try {
      const table = this.#tablesFor(facts.declaredTypes).table(resolveRecord(record), "");
      return new ElementEncoder(this.#replace).content(table, value);
    } catch (error) {
      throw encodeError(error, facts.path ?? "");
    }
  }

  #tablesFor(types: DeclaredTypes | undefined): EncodeTables {
    let tables = this.#tables.get(types);
    if (tables === undefined) {
      tables = new EncodeTables(this.#names, types);
      this.#tables.set(types, tables);
    }
    return tables;
  }

  #tag(name: string, declarations = ""): Tag {
    let root = this.#tags.get(name);
    if (root?.declarations !== declarations) {
      root = { declarations, tag: tagOf(this.#names.element(wireName(name)), "", declarations) };
      this.#tags.set(name, root);
    }
    return root.tag;
  }
}

function encodeError(error: unknown, parent: string): Error {
  const mismatch = mismatchOf(error);
  if (mismatch.cause instanceof ConfigError) {
    return mismatch.cause;
  }
  const path = mismatch.path(parent);
  return new EncodeError(`${path}: ${mismatch.message}`, { path, cause: mismatch.cause });
}
