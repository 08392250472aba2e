import { ConfigError, EncodeError } from "../errors.js";
import { ElementEncoder } from "./encode-element.js";
import { EncodeTables, type Tag, tagOf } from "./encode-tables.js";
import { WireNames, wireName } from "./names.js";
import type { CodecOptions, EncodeElementOptions } from "./options.js";
import { mismatchOf, SchemaMismatch } from "./schema-mismatch.js";
import type { EncodingVersion } from "./soap-encoding.js";
import { type AnyReference, resolveRecord } from "./types.js";

const plainNames = new WireNames();
/** Shared by all encoders that rename nothing, because tables depend only on names. */
const plainTables = tablesFor(plainNames);

type Tables = Readonly<Record<EncodingVersion | "literal", EncodeTables>>;

function tablesFor(names: WireNames): Tables {
  return {
    literal: new EncodeTables(names, undefined),
    soap11: new EncodeTables(names, "soap11"),
    soap12: new EncodeTables(names, "soap12"),
  };
}

interface RootTag {
  readonly declarations: string;
  readonly tag: Tag;
}

/**
 * Writes values as XML. Elements use the default namespace; the prefixes `xsi` and `xsd` must be declared around them.
 * Throws an `EncodeError` whose path is the position of the value, as in a JSON pointer: `/Order/lines/0/sku`.
 */
export class Encoder {
  readonly #names: WireNames;
  readonly #replace: boolean;
  readonly #tables: Tables;
  readonly #tags = new Map<string, RootTag>();

  constructor(options: CodecOptions = {}) {
    const names = new WireNames(options.namespaces, options.elements);
    this.#names = names;
    this.#replace = options.illegalCharacters === "replace";
    this.#tables = names.plain ? plainTables : tablesFor(names);
  }

  /** Writes one element. The name is the schema's, in Clark notation. */
  element(name: string, type: AnyReference, value: unknown, facts: EncodeElementOptions = {}): string {
    const tag = this.#tag(name, facts.declarations);
    try {
      if (value === null || value === undefined) {
        return nilOf(tag, value, facts);
      }
      const tables = this.#tables[facts.encoded ?? "literal"];
      const typed = tables.type(type, tag.name.namespace);
      const root = typed.kind === "record" && facts.typed !== true ? { ...typed, typeName: undefined } : typed;
      const { default: byDefault, fixed } = facts;
      return new ElementEncoder(this.#replace).constrained(tag, root, { value, default: byDefault, fixed });
    } catch (error) {
      throw encodeError(mismatchOf(error), `${facts.path ?? ""}/${tag.name.local}`);
    }
  }

  /** Writes the elements of a record without an enclosing element, with no default namespace in scope. */
  content(record: () => { readonly kind: string }, value: unknown, facts: EncodeElementOptions = {}): string {
    try {
      const tables = this.#tables[facts.encoded ?? "literal"];
      return new ElementEncoder(this.#replace).content(tables.table(resolveRecord(record), ""), value);
    } catch (error) {
      throw encodeError(mismatchOf(error), facts.path ?? "");
    }
  }

  #tag(name: string, declarations = ""): Tag {
    const known = this.#tags.get(name);
    if (known !== undefined && known.declarations === declarations) {
      return known.tag;
    }
    const tag = tagOf(this.#names.element(wireName(name)), "", declarations);
    this.#tags.set(name, { declarations, tag });
    return tag;
  }
}

function nilOf(tag: Tag, value: null | undefined, { nillable }: EncodeElementOptions): string {
  if (nillable === true) {
    return tag.nil;
  }
  throw new SchemaMismatch(
    value === null ? "The element is not nillable, so its value must not be null." : "The element is required.",
  );
}

function encodeError(error: SchemaMismatch, path: string): Error {
  if (error.cause instanceof ConfigError) {
    return error.cause;
  }
  const place = error.path(path);
  return new EncodeError(`${place}: ${error.message}`, { path: place, cause: error.cause });
}
