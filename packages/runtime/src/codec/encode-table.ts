import { escapeAttribute } from "@bothends/xml";
import type { SimpleType } from "../descriptor.js";
import { type ItemType, itemTypeOf, typeNameOnWire } from "./encode-array.js";
import { type WireName, type WireNames, wireName } from "./names.js";
import { once } from "./once.js";
import type { EncodingVersion } from "./soap-encoding.js";
import {
  type AnyAttributeMember,
  type AnyMember,
  type AttributeMember,
  type ContentMember,
  type ElementMember,
  isEmptiable,
  type MixedMember,
  type Model,
  membersOf,
  modelMembers,
  modelWith,
  type RecordTable,
  type RepeatedMember,
  recordTable,
  type TextMember,
} from "./table.js";
import {
  type AnyReference,
  type ArrayFacts,
  type RecordFacts,
  type ResolvedType,
  resolveRecord,
  resolveType,
  simpleOnce,
} from "./types.js";

/**
 * The pieces of an element's tags. Each element binds the default namespace to its own where the parent has another,
 * so that tags are known once the parent's namespace is.
 */
export interface Tag {
  readonly name: WireName;
  /** `<State` */
  readonly start: string;
  /** ` xmlns="…"`, or nothing. */
  readonly scope: string;
  /** `<State xmlns="…">` */
  readonly open: string;
  /** `</State>` */
  readonly close: string;
  /** `<State xmlns="…" />` */
  readonly empty: string;
  /** `<State xsi:nil="true" xmlns="…" />` */
  readonly nil: string;
}

/** The tags of an element inside one whose namespace is `scope`. */
export function tagOf(name: WireName, scope: string, declarations = ""): Tag {
  // A join gives flat strings; concatenation would leave ropes to be flattened in every message.
  const flat = (...parts: readonly string[]): string => parts.join("");
  const { namespace, local } = name;
  const start = flat("<", local, declarations);
  const own = namespace === scope ? "" : flat(' xmlns="', escapeAttribute(namespace), '"');
  return {
    name,
    start,
    scope: own,
    open: flat(start, own, ">"),
    close: flat("</", local, ">"),
    empty: flat(start, own, " />"),
    nil: flat(start, ' xsi:nil="true"', own, " />"),
  };
}

/** A type as it is written inside elements of one namespace. */
export type EncodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown>; readonly typeName: WireName | undefined }
  | { readonly kind: "record"; readonly table: EncodeTable; readonly typeName: WireName | undefined }
  | EncodePolymorphic
  | EncodeArray
  | { readonly kind: "anyType"; readonly encoded: boolean };

export interface EncodeArray {
  readonly kind: "array";
  readonly item: {
    /** The item's tag where the default namespace is `scope`. */
    readonly tag: (scope: string) => Tag;
    readonly typed: () => EncodeType;
  };
  /** What SOAP encoding has the array say of itself. */
  readonly encoded: { readonly version: EncodingVersion; readonly itemType: () => ItemType } | undefined;
}

export interface EncodePolymorphic {
  readonly kind: "polymorphic";
  readonly name: string;
  readonly declared: string | undefined;
  readonly arms: ReadonlyMap<string, EncodeArm>;
}

/** `typeName` is what xsi:type says; undefined where nothing needs to be said. */
export interface EncodeArm {
  readonly table: EncodeTable;
  readonly typeName: WireName | undefined;
}

export interface EncodeTable {
  readonly name: string;
  /** The namespace of the element the record stands in: the default namespace its children find. */
  readonly scope: string;
  readonly hasAttributes: boolean;
  readonly attributes: readonly EncodeAttribute[];
  readonly anyAttribute: AnyAttributeMember | undefined;
  readonly text: EncodeText | undefined;
  readonly mixed: EncodeMixed | undefined;
  readonly steps: readonly EncodeStep[];
  /** Every member. */
  readonly keys: ReadonlySet<string>;
  /** The content's members. */
  readonly byKey: () => ReadonlyMap<string, EncodeMember>;
  /** Whether no element need be written. */
  readonly emptiable: boolean;
  /** The table of the same record where the default namespace is another. */
  readonly inScope: (scope: string) => EncodeTable;
}

export interface EncodeAttribute extends AttributeMember {
  readonly simple: () => SimpleType<unknown>;
}
export interface EncodeText extends TextMember {
  readonly simple: () => SimpleType<unknown>;
}
export interface EncodeMixed extends MixedMember {
  readonly table: () => EncodeTable;
}

export type EncodeStep = EncodeMember | EncodeModel;
export type EncodeModel = Model<EncodeMember>;
export type EncodeMember = EncodeElement | EncodeGroup | EncodeAny;

export interface EncodeElement extends ElementMember {
  readonly tag: Tag;
  readonly typed: () => EncodeType;
  /** The type of a single element of simple type, once it has been met: nothing but its text is to be written. */
  plain: SimpleType<unknown> | undefined;
}
export interface EncodeGroup extends RepeatedMember {
  readonly table: () => EncodeTable;
}
export interface EncodeAny extends AnyMember {
  readonly scope: string;
}
/** Compiles tables on first use and keeps them. */
export class EncodeTables {
  readonly #names: WireNames;
  readonly #encoded: EncodingVersion | undefined;
  readonly #tables = new WeakMap<RecordFacts, Map<string, EncodeTable>>();

  constructor(names: WireNames, encoded: EncodingVersion | undefined) {
    this.#names = names;
    this.#encoded = encoded;
  }

  type(reference: AnyReference, scope: string): EncodeType {
    const type = resolveType(reference);
    switch (type.kind) {
      case "simple":
        return { kind: "simple", type, typeName: this.#typeName(type.name) };
      case "record": {
        const table = this.table(type, scope);
        return { kind: "record", table, typeName: this.#encoded === undefined ? undefined : wireName(table.name) };
      }
      case "polymorphic":
        return this.#polymorphic(type, scope);
      case "array":
        return this.#array(type);
      case "anyType":
        return { kind: "anyType", encoded: this.#encoded !== undefined };
    }
  }

  #typeName(name: string): WireName | undefined {
    return this.#encoded === undefined ? undefined : typeNameOnWire(name, this.#names);
  }

  table(record: RecordFacts, scope: string): EncodeTable {
    let scoped = this.#tables.get(record);
    if (scoped === undefined) {
      scoped = new Map<string, EncodeTable>();
      this.#tables.set(record, scoped);
    }
    let table = scoped.get(scope);
    if (table === undefined) {
      table = this.#compile(record, scope);
      scoped.set(scope, table);
    }
    return table;
  }

  #polymorphic(type: Extract<ResolvedType, { kind: "polymorphic" }>, scope: string): EncodePolymorphic {
    const arms = new Map<string, EncodeArm>();
    for (const [tag, arm] of Object.entries(type.arms)) {
      const table = this.table(resolveRecord(arm), scope);
      arms.set(tag, {
        table,
        typeName: tag === type.declared && this.#encoded === undefined ? undefined : wireName(table.name),
      });
    }
    return { kind: "polymorphic", name: type.name, declared: type.declared, arms };
  }

  #array(array: ArrayFacts): EncodeArray {
    const version = this.#encoded;
    const name = this.#names.element(wireName(array.element));
    const tags = new Map<string, Tag>();
    return {
      kind: "array",
      item: {
        tag: (scope) => {
          const tag = tags.get(scope) ?? tagOf(name, scope);
          tags.set(scope, tag);
          return tag;
        },
        typed: once(() => this.type(array.item, name.namespace)),
      },
      encoded: version && {
        version,
        itemType: once(() => itemTypeOf(array.item, (type) => typeNameOnWire(type, this.#names))),
      },
    };
  }

  #compile(record: RecordFacts, scope: string): EncodeTable {
    const table = recordTable(record, this.#names);
    const { mixed, text } = table;
    const steps = table.content.map((step) => modelWith(step, this.#names, (member) => this.#member(member, scope)));
    return {
      name: table.name,
      scope,
      hasAttributes: table.attributes.length > 0 || table.anyAttribute !== undefined,
      attributes: table.attributes.map((member) => ({ ...member, simple: simpleOnce(member.type) })),
      anyAttribute: table.anyAttribute,
      text: text && { ...text, simple: simpleOnce(text.type) },
      mixed: mixed && { ...mixed, table: once(() => this.table(mixed.record(), scope)) },
      steps,
      keys: keysOf(table),
      byKey: once(() => new Map(steps.flatMap(modelMembers).map((member) => [member.key, member]))),
      emptiable: table.content.every((step) => isEmptiable(step, this.#names)),
      inScope: (other) => this.table(record, other),
    };
  }

  #member(member: ContentMember, scope: string): EncodeMember {
    switch (member.kind) {
      case "element": {
        return {
          kind: "element",
          key: member.key,
          shadowed: member.shadowed,
          namespace: member.namespace,
          local: member.local,
          min: member.min,
          max: member.max,
          array: member.array,
          type: member.type,
          nillable: member.nillable,
          default: member.default,
          fixed: member.fixed,
          tag: tagOf(member, scope),
          typed: once(() => this.type(member.type, member.namespace)),
          plain: undefined,
        };
      }
      case "group":
        return { ...member, table: once(() => this.table(member.record(), scope)) };
      case "any":
        return { ...member, scope };
    }
  }
}

function keysOf({ attributes, anyAttribute, text, mixed, content }: RecordTable): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const member of [...attributes, anyAttribute, text, mixed, ...content.flatMap(membersOf)]) {
    if (member !== undefined) keys.add(member.key);
  }
  return keys;
}
