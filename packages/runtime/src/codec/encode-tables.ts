import { escapeAttribute } from "@bothends/xml";
import { describeValue } from "../describe-value.js";
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
 * The pieces of an element's tags. An element redeclares the default namespace if its namespace differs from the parent's,
 * so the tags depend only on the parent's namespace.
 */
export interface Tag {
  readonly name: WireName;
  /** `<State` */
  readonly start: string;
  /** ` xmlns="…"`, or empty. */
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

/** The tags of an element inside an element whose namespace is `scope`. */
export function tagOf(name: WireName, scope: string, declarations = ""): Tag {
  // A join creates flat strings. Concatenation creates ropes, which would be flattened again for every message.
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

/** A type compiled for encoding inside elements of one namespace. */
export type EncodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown>; readonly typeName: WireName | undefined }
  | { readonly kind: "record"; readonly table: EncodeTable; readonly typeName: WireName | undefined }
  | EncodePolymorphic
  | EncodeArray
  | { readonly kind: "anyType"; readonly encoded: boolean };

export interface EncodeArray {
  readonly kind: "array";
  readonly item: {
    /** The tag of an item for the default namespace `scope`. */
    readonly tag: (scope: string) => Tag;
    readonly typed: () => EncodeType;
  };
  /** The facts that an array in SOAP encoding declares in attributes. */
  readonly encoded: { readonly version: EncodingVersion; readonly itemType: () => ItemType } | undefined;
}

interface EncodePolymorphic {
  readonly kind: "polymorphic";
  readonly name: string;
  readonly declared: string | undefined;
  readonly alternatives: ReadonlyMap<string, EncodeAlternative>;
}

/** `typeName` is the value of `xsi:type`; undefined if it is not needed. */
export interface EncodeAlternative {
  readonly table: EncodeTable;
  readonly typeName: WireName | undefined;
}

export interface EncodeTable {
  readonly name: string;
  /** The namespace of the enclosing element, which is the default namespace of the record's children. */
  readonly scope: string;
  readonly hasAttributes: boolean;
  readonly attributes: readonly EncodeAttribute[];
  readonly anyAttribute: AnyAttributeMember | undefined;
  readonly text: EncodeText | undefined;
  readonly mixed: EncodeMixed | undefined;
  readonly steps: readonly EncodeStep[];
  /** The keys of all members. */
  readonly keys: ReadonlySet<string>;
  /** The members of the content by key. */
  readonly byKey: () => ReadonlyMap<string, EncodeMember>;
  /** Whether the content can be empty. */
  readonly emptiable: boolean;
  /** Returns the table of the same record for another default namespace. */
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
  /** Set on first use for a single element of simple type, of which only the text is written. */
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
    const alternatives = new Map<string, EncodeAlternative>();
    for (const [tag, alternative] of Object.entries(type.alternatives)) {
      const table = this.table(resolveRecord(alternative), scope);
      alternatives.set(tag, {
        table,
        typeName: tag === type.declared && this.#encoded === undefined ? undefined : wireName(table.name),
      });
    }
    return { kind: "polymorphic", name: type.name, declared: type.declared, alternatives };
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
    if (member !== undefined) {
      keys.add(member.key);
    }
  }
  return keys;
}

/** The members of a value that is known to be an object. The members are not checked yet. */
export type Members = Readonly<Record<string, unknown>>;

/** The properties that every object inherits; they are not members. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Returns a value as the members of a record. Inherited members are refused, because they would not be written. */
export function membersOfValue(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  if (!isRecord(value)) {
    throw new LexicalError(`The value must be an object of type ${name}, not ${describeValue(value)}.`);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    refuseInherited(value, keys, name);
  }
  return value;
}

/** Whether a value is an object that may have members. */
function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseInherited(value: Members, keys: ReadonlySet<string>, name: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throw new LexicalError(`The value must be an object of type ${name}, not ${describeValue(value)}.`);
  }
  for (const key of keys) {
    if (key in value && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw new LexicalError(
        `The member "${shownKey(key)}" must be an own property: inherited members are not written.`,
      );
    }
  }
}

/** Refuses members that the record does not have, and members that code has added to `Object.prototype`. */
export function refuseUnknown(value: Members, keys: ReadonlySet<string>, name: string): void {
  for (const key of Object.keys(value)) {
    if (!keys.has(key) && value[key] !== undefined && key !== "$type") {
      throw new LexicalError(`${name} has no member "${shownKey(key)}".`);
    }
  }
  for (const key of keys) {
    if (value[key] !== undefined && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw new LexicalError(
        `The member "${shownKey(key)}" must be an own property: inherited members are not written.`,
      );
    }
  }
}

/** The value of a member, undefined where it is absent. */
export function memberOf(value: Members, member: { readonly key: string; readonly shadowed: boolean }): unknown {
  return member.shadowed && !Object.hasOwn(value, member.key) ? undefined : value[member.key];
}

/** Whether a member has a value that would be written. */
export function isPresent(value: Members, member: EncodeElement | EncodeGroup | EncodeAny): boolean {
  const memberValue = memberOf(value, member);
  if (memberValue === undefined) {
    return false;
  }
  if (memberValue === null) {
    return member.kind === "element" && member.nillable && !member.array;
  }
  return !(Array.isArray(memberValue) && memberValue.length === 0 && (member.kind === "group" || member.array));
}

/** Returns the items of a repeated member after checking their number. */
export function itemsOf(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new LexicalError(`The value must be an array, not ${describeValue(value)}.`);
  }
  if (value.length < min) {
    throw new LexicalError(`At least ${min} ${min === 1 ? "item is" : "items are"} required, not ${value.length}.`);
  }
  if (value.length > max) {
    throw new LexicalError(`At most ${max} ${max === 1 ? "item is" : "items are"} allowed, not ${value.length}.`);
  }
  return value;
}

function shownKey(key: string): string {
  return key.length <= 64 ? key : `${key.slice(0, 63)}…`;
}

/** Writes an element without a value: nil for a required nillable element, nothing for an optional one. */
export function absent(step: EncodeElement, value: null | undefined): string {
  if (step.nillable && !step.array && (value === null || step.min > 0)) {
    return step.tag.nil;
  }
  if (step.min === 0) {
    return "";
  }
  throw new LexicalError(
    value === null ? "The element is not nillable, so its value must not be null." : "The element is required.",
  );
}

/** Returns the alternative named by the value's `$type`; the declared type by default. */
export function alternativeOf({ name, declared, alternatives }: EncodePolymorphic, value: unknown): EncodeAlternative {
  if (!isRecord(value)) {
    throw new LexicalError(`The value must be an object of type ${name}, not ${describeValue(value)}.`);
  }
  const tag = Object.hasOwn(value, "$type") ? (value["$type"] ?? declared) : declared;
  const alternative = typeof tag === "string" ? alternatives.get(tag) : undefined;
  if (alternative !== undefined) {
    return alternative;
  }
  throw new LexicalError(
    tag === undefined
      ? `${name} is abstract: the value must have a "$type".`
      : `"$type" must name ${name} or a type derived from it.`,
  );
}

/** The item type that an array declares. */
export interface ItemType {
  readonly name: WireName;
  /** `[]` for each level of nested arrays. */
  readonly dimensions: string;
}

/** The item type of an array; `xs:anyType` for an anonymous type. */
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

/** The name of a type for `xsi:type`; undefined for an anonymous type. */
export function typeNameOnWire(name: string, names: WireNames): WireName | undefined {
  if (!name.startsWith("{")) {
    return name.startsWith("xs:") ? { namespace: schemaNamespace, local: name.slice(3) } : undefined;
  }
  const found = wireName(names.type(name));
  return /[/(*;@]/.test(found.local) ? undefined : found;
}
