import { escapeAttribute } from "@bothends/xml";
import type { SimpleType } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import {
  type AnyAttributeMember,
  type AnyMember,
  type AttributeMember,
  type ContentMember,
  type ElementMember,
  isEmptiable,
  type MixedMember,
  type Model,
  mapModel,
  membersOf,
  modelMembers,
  type RecordTable,
  type RepeatedMember,
  recordTable,
  type TextMember,
} from "./content-model.js";
import { schemaNamespace, type WireName, type WireNames, wireName } from "./names.js";
import type { EncodingVersion } from "./soap-encoding.js";
import {
  type AnyReference,
  type ArrayFacts,
  lazy,
  lazySimpleType,
  type RecordFacts,
  type ResolvedType,
  resolveRecord,
  resolveType,
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

interface EncodePolymorphic {
  readonly kind: "polymorphic";
  readonly name: string;
  readonly declared: string | undefined;
  readonly arms: ReadonlyMap<string, EncodeAlternative>;
}

/** `typeName` is what xsi:type says; undefined where nothing needs to be said. */
export interface EncodeAlternative {
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
    const arms = new Map<string, EncodeAlternative>();
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
        typed: lazy(() => this.type(array.item, name.namespace)),
      },
      encoded: version && {
        version,
        itemType: lazy(() => itemTypeOf(array.item, (type) => typeNameOnWire(type, this.#names))),
      },
    };
  }

  #compile(record: RecordFacts, scope: string): EncodeTable {
    const table = recordTable(record, this.#names);
    const { mixed, text } = table;
    const steps = table.content.map((step) => mapModel(step, this.#names, (member) => this.#member(member, scope)));
    return {
      name: table.name,
      scope,
      hasAttributes: table.attributes.length > 0 || table.anyAttribute !== undefined,
      attributes: table.attributes.map((member) => ({ ...member, simple: lazySimpleType(member.type) })),
      anyAttribute: table.anyAttribute,
      text: text && { ...text, simple: lazySimpleType(text.type) },
      mixed: mixed && { ...mixed, table: lazy(() => this.table(mixed.record(), scope)) },
      steps,
      keys: keysOf(table),
      byKey: lazy(() => new Map(steps.flatMap(modelMembers).map((member) => [member.key, member]))),
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
          typed: lazy(() => this.type(member.type, member.namespace)),
          plain: undefined,
        };
      }
      case "group":
        return { ...member, table: lazy(() => this.table(member.record(), scope)) };
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

/** An object that is certain to be one, with members yet to be checked. */
export type Members = Readonly<Record<string, unknown>>;

/** What every object inherits, and no value means. */
const natural: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A value as a record's members. What an instance inherits would be lost without a word, so it is refused. */
export function membersOfValue(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  if (!isRecord(value)) throw new LexicalError(`${describeValue(value)} is no ${name}.`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuseInherited(value, keys, name);
  return value;
}

/** Whether a value is an object that may have members. */
function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseInherited(value: Members, keys: ReadonlySet<string>, name: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]")
    throw new LexicalError(`${describeValue(value)} is no ${name}.`);
  for (const key of keys) {
    if (key in value && !Object.hasOwn(value, key) && !natural.has(key)) {
      throw new LexicalError(`The member "${shownKey(key)}" is inherited; the value's own members are written.`);
    }
  }
}

/** Refuses members that the record does not have, and those that only `Object.prototype` has been given. */
export function refuseUnknown(value: Members, keys: ReadonlySet<string>, name: string): void {
  for (const key of Object.keys(value)) {
    if (!keys.has(key) && value[key] !== undefined && key !== "$type") {
      throw new LexicalError(`${name} has no member "${shownKey(key)}".`);
    }
  }
  for (const key of keys) {
    if (value[key] !== undefined && !Object.hasOwn(value, key) && !natural.has(key)) {
      throw new LexicalError(`The member "${shownKey(key)}" is inherited; the value's own members are written.`);
    }
  }
}

/** The value of a member, undefined where it is absent. */
export function memberOf(value: Members, member: { readonly key: string; readonly shadowed: boolean }): unknown {
  return member.shadowed && !Object.hasOwn(value, member.key) ? undefined : value[member.key];
}

/** Whether a member would write something. */
export function isPresent(value: Members, member: EncodeElement | EncodeGroup | EncodeAny): boolean {
  const held = memberOf(value, member);
  if (held === undefined) return false;
  if (held === null) return member.kind === "element" && member.nillable && !member.array;
  return !(Array.isArray(held) && held.length === 0 && (member.kind === "group" || member.array));
}

/** The items of a repeated member, in the numbers the schema allows. */
export function itemsOf(
  held: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  if (!Array.isArray(held)) throw new LexicalError(`${describeValue(held)} is no array.`);
  if (held.length < min)
    throw new LexicalError(`At least ${min} ${min === 1 ? "item is" : "items are"} required, not ${held.length}.`);
  if (held.length > max)
    throw new LexicalError(`At most ${max} ${max === 1 ? "item is" : "items are"} allowed, not ${held.length}.`);
  return held;
}

/** What messages call a value of the wrong kind. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return `an object of class ${Object.prototype.toString.call(value).slice(8, -1)}`;
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function shownKey(key: string): string {
  return key.length <= 64 ? key : `${key.slice(0, 63)}…`;
}

/** What stands for an element that has no value. An absent required nillable element is written as nil. */
export function absent(step: EncodeElement, held: null | undefined): string {
  if (step.nillable && !step.array && (held === null || step.min > 0)) return step.tag.nil;
  if (step.min === 0) return "";
  throw new LexicalError(
    held === null ? "The element is not nillable, so its value cannot be null." : "The element is required.",
  );
}

/** The arm a value belongs to: by its own `$type`, else the declared type's. */
export function alternativeOf({ name, declared, arms }: EncodePolymorphic, value: unknown): EncodeAlternative {
  if (!isRecord(value)) throw new LexicalError(`${describeValue(value)} is no ${name}.`);
  const tag = Object.hasOwn(value, "$type") ? (value["$type"] ?? declared) : declared;
  const arm = typeof tag === "string" ? arms.get(tag) : undefined;
  if (arm !== undefined) return arm;
  throw new LexicalError(
    tag === undefined
      ? `${name} is abstract: "$type" must say which type the value is.`
      : `"$type" names no type of ${name}.`,
  );
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
