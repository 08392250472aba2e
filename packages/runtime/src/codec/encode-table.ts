import { splitClark } from "@bothends/xml/split-clark";
import { describeValue } from "../value-problems.js";
// The tables that an encoder uses to write values, and the checks that all kinds of fields share.

import type { ElementField, SimpleType } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { resolveType } from "./resolve-type.js";
import type { NamesOnWire, WireName } from "./resolved-types.js";
import {
  type AnyReference,
  type ContentMember,
  createElementMember,
  createOnFirstUse,
  type ElementMember,
  type FieldContext,
  type Member,
  type Model,
  type ResolvedRecord,
} from "./resolved-types.js";
import { compileWith, SchemaMismatch, toMismatch } from "./schema-mismatch.js";
import { getTag, getTypeOnWire, type Prefixes } from "./start-tag.js";
import type { Tag } from "./tags.js";

/** The methods of an encoder that its tables call. */
export interface EncodeContext {
  readonly prefixes: Prefixes;
  /** The number of members of the current record written so far. */
  writtenMembers: number;
  /** Begins a level of nesting. Throws if there are too many levels. */
  beginLevel(): void;
  endLevel(): void;
  /** Escapes the text of an element. */
  escapeText(text: string): string;
  /** Escapes the value of an attribute. */
  escapeAttribute(text: string): string;
  /** Returns a suggestion for an unknown member, to append to a message. Empty if no known member is similar. */
  suggestMember(key: string, knownKeys: ReadonlySet<string>): string;
  /** Writes an element. */
  writeElement(tag: Tag, type: EncodeType, value: unknown): string;
  /** Writes a record as an element. */
  writeRecord(tag: Tag, alternative: EncodeAlternative, value: unknown): string;
  /** Writes the elements of a record without an enclosing element. */
  writeContent(table: EncodeTable, value: unknown): string;
  /** Runs the encode steps of a record on its members. Returns the XML that the steps write. */
  writeSteps(steps: readonly EncodeStep[], members: Members): string;
}

/** The types that SOAP-encoded values declare with `xsi:type`. */
export interface DeclaredTypes {
  readonly version: "soap11" | "soap12";
  /** Returns the name of a type on the wire; undefined for an anonymous type. */
  nameOf(type: string, names: NamesOnWire): WireName | undefined;
}

/** A type compiled for encoding inside elements of one namespace. `typeName` is the value of `xsi:type`, if any. */
export type EncodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown>; readonly typeName: WireName | undefined }
  | (EncodeAlternative & { readonly kind: "record" })
  | ValueWriter;

/** A record as an alternative of a polymorphic type. */
export interface EncodeAlternative {
  readonly table: EncodeTable;
  readonly typeName: WireName | undefined;
}

/** A type written by an imported codec: a polymorphic type, an array, or `xs:anyType`. */
export interface ValueWriter {
  readonly kind: "other";
  write(context: EncodeContext, tag: Tag, value: unknown): string;
}

/** A record compiled for encoding inside elements of one namespace. */
export interface EncodeTable {
  readonly name: string;
  /** The declared attributes; a wildcard is last. */
  readonly attributes: readonly AttributeWriter[];
  /** Writes simple content; undefined if the content consists of elements. */
  readonly text: TextWriter | undefined;
  readonly steps: readonly EncodeStep[];
  /** Whether the content consists of declared elements, without wildcards, repeated groups and mixed content. */
  readonly hasOnlyElements: boolean;
  /** The keys of all members. */
  readonly keys: ReadonlySet<string>;
  /** Returns the table of the same record for another default namespace. */
  readonly tableInScope: (defaultNamespace: string) => EncodeTable;
}

/** A declared attribute, or an attribute wildcard. */
export interface AttributeWriter {
  readonly kind: "attribute" | "anyAttribute";
  /** The name of a declared attribute; absent for an attribute wildcard. */
  readonly name?: WireName;
  /** Writes the attribute for a start tag. Returns an empty string if the attribute is absent. */
  write(context: EncodeContext, members: Members, declaredAttributes: readonly AttributeWriter[]): string;
}

/** Writes simple content. Its text may use prefixes that the start tag must declare. */
export interface TextWriter {
  readonly kind: "text";
  write(context: EncodeContext, members: Members): string;
}

/** A step of a content model: a member, or a group of steps. */
export type EncodeStep = EncodeMember | EncodeModel;
/** A member of a content model. */
export type EncodeMember = EncodeElement | EncodeRepeated;
/** A model group compiled together with the function that writes it. */
export interface EncodeModel extends Model<EncodeMember> {
  write(context: EncodeContext, members: Members): string;
}

/** An element field, compiled for encoding. */
export interface EncodeElement extends ElementMember {
  /** The fields of the record to which the element belongs. */
  readonly siblings: ResolvedRecord["fields"];
  readonly tag: Tag;
  readonly type: () => EncodeType;
  /**
   * The type of an element that occurs at most once, contains only text, and has no default or fixed value. Set when
   * the element is first written.
   */
  textType: SimpleType<unknown> | undefined;
}

/** A repeated group, an element wildcard or mixed content, compiled with the function that writes it. */
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
  /** The default namespace where the field appears. */
  readonly defaultNamespace: string;
  readonly tables: EncodeTables;
}

/** The context in which a type is compiled for encoding. */
export interface EncodeTypeContext {
  readonly defaultNamespace: string;
  readonly tables: EncodeTables;
}

/** Compiles the tables of types on first use and caches them. */
export class EncodeTables {
  readonly names: NamesOnWire;
  /** The types that values declare with `xsi:type`; undefined for literal values, which declare none. */
  readonly declaredTypes: DeclaredTypes | undefined;
  readonly #tables = new WeakMap<ResolvedRecord, Map<string, EncodeTable>>();

  constructor(names: NamesOnWire, declaredTypes: DeclaredTypes | undefined) {
    this.names = names;
    this.declaredTypes = declaredTypes;
  }

  type(reference: AnyReference, defaultNamespace: string): EncodeType {
    const type = resolveType(reference);
    if (type.kind === "simple") {
      return { kind: "simple", type, typeName: this.declaredTypes?.nameOf(type.name, this.names) };
    }
    if (type.kind === "record") {
      const table = this.table(type, defaultNamespace);
      return { kind: "record", table, typeName: this.declaredTypes && splitClark(table.name) };
    }
    return compileWith(type, type.by?.encode(type, { defaultNamespace, tables: this }), isValueWriter);
  }

  table(record: ResolvedRecord, defaultNamespace: string): EncodeTable {
    let byNamespace = this.#tables.get(record);
    if (byNamespace === undefined) {
      byNamespace = new Map<string, EncodeTable>();
      this.#tables.set(record, byNamespace);
    }
    let table = byNamespace.get(defaultNamespace);
    if (table === undefined) {
      table = this.#compileTable(record, defaultNamespace);
      byNamespace.set(defaultNamespace, table);
    }
    return table;
  }

  #compileTable(record: ResolvedRecord, defaultNamespace: string): EncodeTable {
    const declaredAttributes: AttributeWriter[] = [];
    const attributeWildcards: AttributeWriter[] = [];
    const membersByKey = new Map<string, EncodeMember>();
    let text: TextWriter | undefined;
    for (const [key, field] of Object.entries(record.fields)) {
      const fieldContext = { record, key, names: this.names, defaultNamespace, tables: this };
      if (field.kind === undefined) {
        membersByKey.set(key, this.#compileElement(field, fieldContext));
        continue;
      }
      const compiledField = compileWith(field, field.by?.encode(field, fieldContext), isCompiledField);
      switch (compiledField.kind) {
        case "attribute":
          declaredAttributes.push(compiledField);
          break;
        case "anyAttribute":
          attributeWildcards.push(compiledField);
          break;
        case "text":
          text = compiledField;
          break;
        default:
          membersByKey.set(key, compiledField);
      }
    }
    const steps =
      record.content === undefined
        ? [...membersByKey.values()]
        : compileWith(record, record.by?.encode(record, membersByKey), isContent).steps;
    return {
      name: getTypeOnWire(record.name, this.names),
      attributes: [...declaredAttributes, ...attributeWildcards],
      text,
      steps,
      hasOnlyElements: [...membersByKey.values()].every(({ kind }) => kind === "element"),
      keys: new Set(Object.keys(record.fields)),
      tableInScope: (otherScope) => this.table(record, otherScope),
    };
  }

  #compileElement(field: ElementField<unknown>, fieldContext: EncodeFieldContext): EncodeElement {
    const member = createElementMember(field, fieldContext);
    // Lists every property, because V8 reads objects faster if all have the same properties in the same order.
    return {
      kind: "element",
      key: member.key,
      isShadowed: member.isShadowed,
      namespace: member.namespace,
      localName: member.localName,
      min: member.min,
      max: member.max,
      array: member.array,
      nillable: member.nillable,
      default: member.default,
      fixed: member.fixed,
      siblings: fieldContext.record.fields,
      tag: getTag(member, fieldContext.defaultNamespace),
      type: createOnFirstUse(() => this.type(field.type, member.namespace)),
      textType: undefined,
    };
  }
}

function isValueWriter(compiled: object): compiled is ValueWriter {
  return "write" in compiled;
}

function isCompiledField(compiled: object): compiled is AttributeWriter | TextWriter | EncodeRepeated {
  return "kind" in compiled;
}

function isContent(compiled: object): compiled is EncodeContent {
  return "steps" in compiled;
}

/** The members of a value known to be an object. The members are not checked yet. */
export type Members = Readonly<Record<string, unknown>>;

/** The bounds of an unlimited array. */
export const unlimitedBounds = { min: 0, max: Number.POSITIVE_INFINITY };

/** Properties that every object inherits. They do not count as members. */
const inheritedNames: ReadonlySet<string> = /* @__PURE__ */ new Set(Object.getOwnPropertyNames(Object.prototype));

/** Returns a value as the members of a record. Inherited members are refused, because they would not be written. */
export function getMembersOfValue(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  if (!isObject(value)) {
    throw createWrongValueError(`an object of type ${name}`, value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    refuseInherited(value, keys, name);
  }
  return value;
}

/** Whether a value is an object other than null and arrays. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseInherited(value: Members, keys: ReadonlySet<string>, name: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throw createWrongValueError(`an object of type ${name}`, value);
  }
  for (const key of keys) {
    if (key in value && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw createInheritedMemberError(key);
    }
  }
}

/** Refuses members that the record does not declare, including members added to `Object.prototype`. */
export function refuseUnknownMembers(
  value: Members,
  { keys, name }: Pick<EncodeTable, "keys" | "name">,
  context: Pick<EncodeContext, "suggestMember">,
): void {
  const unknownKey = findUnknownMember(value, keys);
  if (unknownKey !== undefined) {
    const suggestion = context.suggestMember(unknownKey, keys);
    throw new SchemaMismatch(`${name} has no member "${shortenKey(unknownKey)}".${suggestion}`, {
      reason: "The schema does not declare all members of the value.",
    });
  }
  for (const key of keys) {
    if (value[key] !== undefined && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw createInheritedMemberError(key);
    }
  }
}

/**
 * Returns the error for a required member without a value. The message names the first unknown member, because it may
 * be the required member with a misspelled name. The reason does not contain this name.
 */
export function createMissingMemberError(
  reason: string,
  { members, siblings }: Pick<WrittenMember, "members" | "siblings">,
  context: Pick<EncodeContext, "suggestMember">,
): SchemaMismatch {
  const keys = new Set(Object.keys(siblings));
  const key = findUnknownMember(members, keys);
  const advice =
    key === undefined ? "" : ` There is no member "${shortenKey(key)}".${context.suggestMember(key, keys)}`;
  return new SchemaMismatch(reason + advice, { reason });
}

/** Returns the key of the first member that the record does not declare. */
function findUnknownMember(value: Members, keys: ReadonlySet<string>): string | undefined {
  return Object.keys(value).find((key) => !keys.has(key) && value[key] !== undefined && key !== "$type");
}

function createInheritedMemberError(key: string): LexicalError {
  return new LexicalError(
    `The member "${shortenKey(key)}" must be an own property: inherited members are not written.`,
  );
}

/** Returns the value of a member; undefined if the member is absent. */
export function getMember(value: Members, { key, isShadowed }: Member): unknown {
  return isShadowed && !Object.hasOwn(value, key) ? undefined : value[key];
}

/** Returns the items of a repeated member after checking their number. */
export function listItems(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw createWrongValueError("an array", value);
  }
  if (value.length < min) {
    throw new LexicalError(`At least ${min} ${min === 1 ? "item is" : "items are"} required, not ${value.length}.`);
  }
  if (value.length > max) {
    throw new LexicalError(`At most ${max} ${max === 1 ? "item is" : "items are"} allowed, not ${value.length}.`);
  }
  return value;
}

/** A member of the record being written. */
interface WrittenMember {
  readonly member: Member;
  readonly members: Members;
  /** The reason of the error if the member is absent; undefined for an optional member. */
  readonly requiredReason: string | undefined;
  /** The fields of the record. */
  readonly siblings: object;
}

/**
 * Writes the value of a member, and counts the member. Returns an empty string for an absent member. The path of an
 * error contains the member's key.
 */
export function writeMember(
  context: Pick<EncodeContext, "writtenMembers" | "suggestMember">,
  { member, members, requiredReason, siblings }: WrittenMember,
  write: (value: NonNullable<unknown>) => string,
): string {
  try {
    const value = getMember(members, member);
    if (value !== undefined) {
      context.writtenMembers += 1;
    }
    if (value !== undefined && value !== null) {
      return write(value);
    }
    if (requiredReason !== undefined) {
      throw createMissingMemberError(requiredReason, { members, siblings }, context);
    }
    return "";
  } catch (error) {
    throw toMismatch(error).prependStep(member.key);
  }
}

/** Returns the reason of the error for an absent repeated member; undefined if the member is optional. */
export function findRequiredReason({ min }: { readonly min: number }): string | undefined {
  return min > 0 ? "The member is required." : undefined;
}

/** Writes the items of an array. The path of an error contains the item's index. */
export function writeItems(items: readonly unknown[], write: (item: unknown) => string): string {
  let xml = "";
  for (let index = 0; index < items.length; index += 1) {
    try {
      xml += write(items[index]);
    } catch (error) {
      throw toMismatch(error).prependStep(String(index));
    }
  }
  return xml;
}

/** Returns the error for a value of the wrong type. */
export function createWrongValueError(expected: string, value: unknown): LexicalError {
  return new LexicalError(`The value must be ${expected}, not ${describeValue(value)}.`);
}

/** Shortens the key of a member to 64 characters, for error messages. */
export function shortenKey(key: string): string {
  return key.length <= 64 ? key : `${key.slice(0, 63)}…`;
}
