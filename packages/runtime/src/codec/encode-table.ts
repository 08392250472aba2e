import type { ElementField, SimpleType } from "../descriptor.js";
import { type ContentMember, type ElementMember, elementMember, type FieldContext, type Model } from "./members.js";
import { type NamesOnWire, typeOnWire, type WireName, wireName } from "./names.js";
import { type Prefixes, type Tag, tagOf } from "./start-tag.js";
import { type AnyReference, compiledBy, lazy, type RecordFacts, resolveType } from "./types.js";
import type { Members } from "./values.js";

/** The steps of an encoder that the parts of a table use. */
export interface EncodeContext {
  readonly prefixes: Prefixes;
  /** The number of members of the current record that have been written. */
  written: number;
  /** Counts a level of nesting. Throws if there are too many. */
  enter(): void;
  leave(): void;
  /** Escapes the text of an element. */
  text(text: string): string;
  /** Escapes the value of an attribute. */
  attribute(text: string): string;
  /** Writes an element. */
  element(tag: Tag, type: EncodeType, value: unknown): string;
  /** Writes a record as an element. */
  record(tag: Tag, alternative: EncodeAlternative, value: unknown): string;
  /** Writes the elements of a record without an enclosing element. */
  content(table: EncodeTable, value: unknown): string;
  /** Writes the content of a record. */
  steps(steps: readonly EncodeStep[], members: Members): string;
}

/** The types that values in SOAP encoding declare by `xsi:type`. */
export interface DeclaredTypes {
  readonly version: "soap11" | "soap12";
  /** The name of a type; undefined for an anonymous type. */
  nameOf(type: string, names: NamesOnWire): WireName | undefined;
}

/** A type compiled for encoding inside elements of one namespace. `typeName` is the value of `xsi:type`, if there is one. */
export type EncodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown>; readonly typeName: WireName | undefined }
  | (EncodeAlternative & { readonly kind: "record" })
  | ValueWriter;

export interface EncodeAlternative {
  readonly table: EncodeTable;
  readonly typeName: WireName | undefined;
}

/** A type that an imported codec writes: a polymorphic type, an array, the any type. */
export interface ValueWriter {
  readonly kind: "other";
  write(context: EncodeContext, tag: Tag, value: unknown): string;
}

export interface EncodeTable {
  readonly name: string;
  /** The declared attributes; a wildcard is last. */
  readonly attributes: readonly AttributeWriter[];
  /** Writes simple content. */
  readonly text: TextWriter | undefined;
  readonly steps: readonly EncodeStep[];
  /** The keys of all members. */
  readonly keys: ReadonlySet<string>;
  /** Returns the table of the same record for another default namespace. */
  readonly inScope: (scope: string) => EncodeTable;
}

/** A declared attribute, or an attribute wildcard. */
export interface AttributeWriter {
  readonly kind: "attribute" | "anyAttribute";
  /** The name of a declared attribute. */
  readonly name?: WireName;
  /** Writes the attribute for a start tag; empty if it is absent. `declared` contains the record's attributes. */
  write(context: EncodeContext, members: Members, declared: readonly AttributeWriter[]): string;
}

/** Writes simple content. Its text can need prefixes that the start tag declares. */
export interface TextWriter {
  readonly kind: "text";
  write(context: EncodeContext, members: Members): string;
}

export type EncodeStep = EncodeMember | EncodeModel;
export type EncodeMember = EncodeElement | EncodeRepeated;
/** A model group that writes itself. */
export interface EncodeModel extends Model<EncodeMember> {
  write(context: EncodeContext, members: Members): string;
}

export interface EncodeElement extends ElementMember {
  readonly tag: Tag;
  readonly type: () => EncodeType;
  /** Set on first use for a single element of simple type, of which only the text is written. */
  plain: SimpleType<unknown> | undefined;
}

/** A repeated group, an element wildcard or mixed content, which writes itself. */
export interface EncodeRepeated extends ContentMember {
  readonly kind: "group" | "any" | "mixed";
  readonly table?: () => EncodeTable;
  write(context: EncodeContext, members: Members): string;
}

/** The content of a record with a content model. */
export interface EncodeContent {
  readonly steps: readonly EncodeStep[];
}

/** The context in which a field is compiled for encoding. */
export interface EncodeFieldContext extends FieldContext {
  /** The default namespace in scope. */
  readonly scope: string;
  readonly tables: EncodeTables;
}

/** The context in which a type is compiled for encoding. */
export interface EncodeTypeContext {
  readonly scope: string;
  readonly tables: EncodeTables;
}

/** Compiles tables on first use and keeps them. */
export class EncodeTables {
  readonly names: NamesOnWire;
  /** Present for SOAP encoding. */
  readonly declaredTypes: DeclaredTypes | undefined;
  readonly #tables = new WeakMap<RecordFacts, Map<string, EncodeTable>>();

  constructor(names: NamesOnWire, declaredTypes: DeclaredTypes | undefined) {
    this.names = names;
    this.declaredTypes = declaredTypes;
  }

  type(reference: AnyReference, scope: string): EncodeType {
    const type = resolveType(reference);
    if (type.kind === "simple") {
      return { kind: "simple", type, typeName: this.declaredTypes?.nameOf(type.name, this.names) };
    }
    if (type.kind === "record") {
      const table = this.table(type, scope);
      return { kind: "record", table, typeName: this.declaredTypes && wireName(table.name) };
    }
    return compiledBy(type, type.by?.encode(type, { scope, tables: this }), isValueWriter);
  }

  table(record: RecordFacts, scope: string): EncodeTable {
    let byScope = this.#tables.get(record);
    if (byScope === undefined) {
      byScope = new Map<string, EncodeTable>();
      this.#tables.set(record, byScope);
    }
    let table = byScope.get(scope);
    if (table === undefined) {
      table = this.#compile(record, scope);
      byScope.set(scope, table);
    }
    return table;
  }

  #compile(record: RecordFacts, scope: string): EncodeTable {
    const declared: AttributeWriter[] = [];
    const undeclared: AttributeWriter[] = [];
    const byKey = new Map<string, EncodeMember>();
    let text: TextWriter | undefined;
    for (const [key, field] of Object.entries(record.fields)) {
      const fieldContext = { record, key, names: this.names, scope, tables: this };
      if (field.kind === undefined) {
        byKey.set(key, this.#element(field, fieldContext));
        continue;
      }
      const part = compiledBy(field, field.by?.encode(field, fieldContext), isPart);
      switch (part.kind) {
        case "attribute":
          declared.push(part);
          break;
        case "anyAttribute":
          undeclared.push(part);
          break;
        case "text":
          text = part;
          break;
        default:
          byKey.set(key, part);
      }
    }
    const steps =
      record.content === undefined
        ? [...byKey.values()]
        : compiledBy(record, record.by?.encode(record, byKey), isContent).steps;
    return {
      name: typeOnWire(record.name, this.names),
      attributes: [...declared, ...undeclared],
      text,
      steps,
      keys: new Set(Object.keys(record.fields)),
      inScope: (other) => this.table(record, other),
    };
  }

  #element(field: ElementField<unknown>, fieldContext: EncodeFieldContext): EncodeElement {
    const member = elementMember(field, fieldContext);
    // Written without spread, because objects of one shape are faster to read in the encoding loop.
    return {
      kind: "element",
      key: member.key,
      shadowed: member.shadowed,
      namespace: member.namespace,
      local: member.local,
      min: member.min,
      max: member.max,
      array: member.array,
      nillable: member.nillable,
      default: member.default,
      fixed: member.fixed,
      tag: tagOf(member, fieldContext.scope),
      type: lazy(() => this.type(field.type, member.namespace)),
      plain: undefined,
    };
  }
}

function isValueWriter(compiled: object): compiled is ValueWriter {
  return "write" in compiled;
}

function isPart(compiled: object): compiled is AttributeWriter | TextWriter | EncodeRepeated {
  return "kind" in compiled;
}

function isContent(compiled: object): compiled is EncodeContent {
  return "steps" in compiled;
}
