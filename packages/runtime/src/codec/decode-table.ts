import type { XmlAttribute, XmlReader } from "@bothends/xml";
import { ExpectedName } from "@bothends/xml/expected-name";
import type { Tolerance } from "../answer-errors.js";
import type { ContentReader, ElementField, IdentityDescriptor, SimpleType, TextContext } from "../descriptor.js";
import { resolveType } from "./resolve-type.js";
import type { NamesOnWire } from "./resolved-types.js";
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
import { compileWith, missingElementReason, refuseMissing, SchemaMismatch } from "./schema-mismatch.js";
import { getTypeOnWire } from "./start-tag.js";

/** The properties of an element declaration, except its type. */
export interface Declaration {
  readonly nillable: boolean;
  readonly min: number;
  readonly array: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
  /** Checks the identity constraints of the element. Undefined if there are none. */
  readonly checkIdentity: ((value: unknown) => void) | undefined;
}

/** The methods of a decoder that its tables call. */
export interface DecodeContext extends TextContext {
  readonly reader: XmlReader;
  /** Whether to refuse everything that a validator would refuse. */
  readonly strict: boolean;
  /** Whether to refuse a document if decoding would lose some of its data. Set by the option `loss`. */
  readonly refuseLoss: boolean;
  /** Whether to refuse a type in `xsi:type` that an element cannot have. Set by the option `unknownTypes`. */
  readonly refuseUnknownTypes: boolean;
  /** Decides which differences from the schema are accepted; undefined if all are refused. */
  readonly tolerant: TolerantReader | undefined;
  /** The number of nested references that are being followed; 0 outside of references. */
  readonly referenceDepth: number;
  /**
   * Returns the value of the current element, or `absentValue` if the member for the element stays absent. Leaves the
   * reader at the end tag.
   */
  readValue(type: DecodeType, declaration: Declaration): unknown;
  /** Reads the current element, whose type is a record, into `result`. */
  readRecord(table: DecodeTable, result: ReadRecord, declaration: Declaration): ReadRecord;
  /** Reads the text of the current element as a value of a simple type. */
  readSimpleValue(type: SimpleType<unknown>, declaration: Declaration): unknown;
  /**
   * Converts text to a value of a simple type. `attribute` names the attribute that contains the text; default: the
   * element.
   */
  readText(type: SimpleType<unknown>, text: string, attribute?: string): unknown;
  /** Reads the current element into its member of the record. */
  addMember(element: DecodeElement, result: ReadRecord): void;
  /** Reads the current element into the member or wildcard that accepts it; otherwise refuses or skips it. */
  addElement(table: DecodeTable, result: ReadRecord): void;
  /**
   * Refuses or skips the current element, which the record does not declare. `declaredNamespace` is the namespace in
   * which it declares an element of the same local name, if it does.
   */
  refuseOrSkip(declaredNamespace?: string): void;
  /** Refuses text between the elements of a record, unless it is white space. */
  checkStrayText(): void;
  checkDepth(): void;
  /**
   * Checks an element in wildcard content against the schema. The element extends from the offset `start` to the
   * current tag.
   */
  checkDeclared(start: number, processContents: "strict" | "lax"): void;
  /** Returns a context for reading the target of a reference. `depth` is the number of nested references. */
  contextForReference(reader: XmlReader, depth: number): DecodeContext;
}

/** Accepts differences between a document and its schema. */
export interface TolerantReader {
  /**
   * Whether a difference of the given kind from the schema is accepted. The difference is in the current element, or in
   * the attribute that `difference` names.
   */
  accepts(tolerance: Tolerance, reader: XmlReader, difference?: Difference): boolean;
  /** Returns a value for the invalid text of an element or attribute; undefined if the text is not accepted. */
  readInvalidText(
    type: SimpleType<unknown>,
    source: TextSource,
    context: DecodeContext,
  ): { readonly value: unknown } | undefined;
}

/** The text content of an element, or the value of an attribute. */
export interface TextSource {
  readonly text: string;
  readonly attribute?: string | undefined;
}

/** A difference between a document and its schema. */
export interface Difference {
  readonly text?: string | undefined;
  readonly attribute?: string | undefined;
}

/** A type compiled for decoding. */
export type DecodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown> }
  | { readonly kind: "record"; readonly table: DecodeTable }
  | ValueReader;

/** A type read by an imported codec: a polymorphic type, an array, or `xs:anyType`. */
export interface ValueReader {
  readonly kind: "other";
  read(context: DecodeContext, declaration: Declaration): unknown;
  /** Whether the type declares an attribute with this name and without a namespace. */
  readonly declares?: (attribute: string) => boolean;
}

/** A record compiled for decoding: its attributes, and the content model with a reader for each member. */
export interface DecodeTable {
  readonly name: string;
  /** The declared attributes; a wildcard is last. */
  readonly attributes: readonly AttributeReader[];
  /** Reads simple or mixed content; undefined if the content consists of elements only. */
  readonly text: TextReader | undefined;
  readonly steps: readonly DecodeStep[];
  /** The elements in the order of the content model, which most documents follow. */
  readonly elements: readonly DecodeElement[];
  readonly elementsByName: ReadonlyMap<string, DecodeElement>;
  readonly wildcards: readonly DecodeAny[];
  /** Reads the content in order; needed for repeated groups and for elements that share a name. */
  readonly order: ContentReader | undefined;
  /** The members to which `fillNulls` adds null if they are absent; undefined for records with few such members. */
  readonly nulls: NullMembers | undefined;
  /** Checks that all required elements are present. Called after elements have been read in any order. */
  readonly checkPresence: (result: ReadRecord) => void;
}

/** The nillable elements that every record of a type must have. */
export interface NullMembers {
  readonly members: readonly DecodeElement[];
  /** A record in which all these members are null. */
  readonly template: ReadRecord;
}

/** A declared attribute, or an attribute wildcard. */
export interface AttributeReader {
  readonly kind: "attribute" | "anyAttribute";
  /** The attribute's local name; undefined for an attribute with a namespace, and for a wildcard. */
  readonly localName?: string | undefined;
  /** Adds the attribute to the record if it matches; otherwise returns false. */
  read(context: DecodeContext, attribute: XmlAttribute, result: ReadRecord): boolean;
  /**
   * Called after all attributes have been read. If the attribute is absent, adds its default, or throws if it is
   * required.
   */
  finish(context: DecodeContext, result: ReadRecord): void;
}

/** Reads simple or mixed content. */
export interface TextReader {
  readonly kind: "text";
  read(context: DecodeContext, result: ReadRecord, declaration: Declaration): void;
}

/** A member of a content model. */
export type DecodeMember = DecodeElement | DecodeGroup | DecodeAny;
/** A step of a content model: a member, or a group of steps. */
export type DecodeStep = DecodeMember | DecodeModel;
/** A model group, compiled for decoding. */
export type DecodeModel = Model<DecodeMember>;

/** An element field, compiled for decoding. */
export interface DecodeElement extends ElementMember {
  readonly checkIdentity: ((value: unknown) => void) | undefined;
  readonly type: () => DecodeType;
  /**
   * The type of an element that occurs at most once, contains only text, and has no default or fixed value. Set when
   * the element is first read.
   */
  textType: SimpleType<unknown> | undefined;
  /** The name that the decoder expects if the elements are in the order of the schema. */
  readonly expectedName: ExpectedName;
  /** The index of the element in `DecodeTable.elements`. */
  index: number;
  /** The next element of the record with the same local name. */
  nextOfSameName: DecodeElement | undefined;
  /** Whether the element is one of the members in `DecodeTable.nulls`. */
  isFilled: boolean;
}
/** A repeated group, whose occurrences are records. */
export interface DecodeGroup extends ContentMember {
  readonly kind: "group";
  readonly table: () => DecodeTable;
}
/** An element wildcard. */
export interface DecodeAny extends ContentMember {
  readonly kind: "any";
  accepts(namespace: string): boolean;
  /** Reads the current element into the member of the wildcard. */
  add(context: DecodeContext, result: ReadRecord): void;
}

/** A field other than an element, compiled by the codec in the field's descriptor. */
type CompiledField = AttributeReader | TextReader | DecodeGroup | DecodeAny;

/** The content of a record with a content model. */
export interface DecodeContent {
  readonly steps: readonly DecodeStep[];
  /** The members in the order of the content model. */
  readonly members: readonly DecodeMember[];
  readonly checkPresence: (result: ReadRecord) => void;
}

/** The context in which a field is compiled for decoding. */
export interface DecodeFieldContext extends FieldContext {
  readonly tables: DecodeTables;
}

/** Compiles the tables of types on first use and caches them. */
export class DecodeTables {
  readonly names: NamesOnWire;
  readonly #tables = new WeakMap<ResolvedRecord, DecodeTable>();

  constructor(names: NamesOnWire) {
    this.names = names;
  }

  type(reference: AnyReference): DecodeType {
    const type = resolveType(reference);
    if (type.kind === "simple") {
      return { kind: "simple", type };
    }
    if (type.kind === "record") {
      return { kind: "record", table: this.table(type) };
    }
    return compileWith(type, type.by?.decode(type, this), isValueReader);
  }

  table(record: ResolvedRecord): DecodeTable {
    let table = this.#tables.get(record);
    if (table === undefined) {
      table = this.#compileTable(record);
      this.#tables.set(record, table);
    }
    return table;
  }

  #compileTable(record: ResolvedRecord): DecodeTable {
    const declaredAttributes: AttributeReader[] = [];
    const attributeWildcards: AttributeReader[] = [];
    const membersByKey = new Map<string, DecodeMember>();
    let text: TextReader | undefined;
    for (const [key, field] of Object.entries(record.fields)) {
      const fieldContext = { record, key, names: this.names, tables: this };
      if (field.kind === undefined) {
        membersByKey.set(key, this.#compileElement(field, fieldContext));
        continue;
      }
      const compiledField = compileWith(field, field.by?.decode(field, fieldContext), isCompiledField);
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
    const { steps, members, checkPresence } = this.#compileContent(record, membersByKey);
    const elements = members.filter((member) => member.kind === "element");
    const elementsByName = linkByName(elements);
    const isOrdered = elements.some(hasLaterNamesake) || members.some((member) => member.kind === "group");
    return {
      name: getTypeOnWire(record.name, this.names),
      attributes: [...declaredAttributes, ...attributeWildcards],
      text,
      steps,
      elements,
      elementsByName,
      wildcards: members.filter((member) => member.kind === "any"),
      order: isOrdered ? (record.order ?? refuseMissing(record.name, "order: xs.inOrder")) : undefined,
      nulls: createNullMembers(steps),
      checkPresence,
    };
  }

  #compileContent(record: ResolvedRecord, byKey: ReadonlyMap<string, DecodeMember>): DecodeContent {
    if (record.content !== undefined) {
      return compileWith(record, record.by?.decode(record, byKey), isContent);
    }
    const members = [...byKey.values()];
    // Elements are marked as filled after the content has been compiled.
    const listRequired = createOnFirstUse(() => members.filter((member) => member.min > 0 && !isFilled(member)));
    return { steps: members, members, checkPresence: (result) => requireMembers(listRequired(), result) };
  }

  // Lists every property, because V8 reads objects faster if all of them have the same properties in the same order.
  #compileElement(field: ElementField<unknown>, fieldContext: FieldContext): DecodeElement {
    const member = createElementMember(field, fieldContext);
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
      checkIdentity: createIdentityCheck(field.identity, field.type),
      type: createOnFirstUse(() => this.type(field.type)),
      textType: undefined,
      expectedName: new ExpectedName(member.namespace, member.localName),
      index: 0,
      nextOfSameName: undefined,
      isFilled: false,
    };
  }
}

/** Returns the function that checks an element's identity constraints; undefined if it has none. */
export function createIdentityCheck(
  identity: IdentityDescriptor | undefined,
  type: AnyReference,
): ((value: unknown) => void) | undefined {
  return identity === undefined ? undefined : (value) => identity.by.check(identity, { type, value });
}

function isValueReader(compiled: object): compiled is ValueReader {
  return "read" in compiled;
}

function isCompiledField(compiled: object): compiled is CompiledField {
  return "kind" in compiled;
}

function isContent(compiled: object): compiled is DecodeContent {
  return "checkPresence" in compiled;
}

/** Whether a later element of the record has the same name and namespace. */
function hasLaterNamesake({ namespace, nextOfSameName: next }: DecodeElement): boolean {
  let laterElement = next;
  while (laterElement !== undefined && laterElement.namespace !== namespace) {
    laterElement = laterElement.nextOfSameName;
  }
  return laterElement !== undefined;
}

/** Links the elements with the same local name in the order of the content. */
function linkByName(order: readonly DecodeElement[]): ReadonlyMap<string, DecodeElement> {
  const elementsByName = new Map<string, DecodeElement>();
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const element = order[index];
    if (element === undefined) {
      continue;
    }
    element.index = index;
    element.nextOfSameName = elementsByName.get(element.localName);
    elementsByName.set(element.localName, element);
  }
  return elementsByName;
}

/** A partially read record. Contains only the members that occur. */
export type ReadRecord = Record<string, unknown>;

/**
 * Adds a member. If `Object.prototype` has a property of this name, such as `__proto__`, the member is defined rather
 * than assigned.
 */
export function setMember(result: ReadRecord, { key, isShadowed }: Member, value: unknown): void {
  if (isShadowed) {
    Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    result[key] = value;
  }
}

/** Whether a record already has a value for a member. */
export function hasMember(result: ReadRecord, { key, isShadowed }: Member): boolean {
  return isShadowed ? Object.hasOwn(result, key) : result[key] !== undefined;
}

/** Adds an item to a member that is an array. */
export function appendItem(result: ReadRecord, member: Member, value: unknown): void {
  const items = findItemsIn(result, member);
  if (items === undefined) {
    setMember(result, member, [value]);
  } else {
    items.push(value);
  }
}

/** Returns the number of items that a member has so far. */
export function countItems(result: ReadRecord, member: Member): number {
  return findItemsIn(result, member)?.length ?? 0;
}

function findItemsIn(result: ReadRecord, member: Member): unknown[] | undefined {
  const items = hasMember(result, member) ? result[member.key] : undefined;
  return Array.isArray(items) ? items : undefined;
}

/** The value of a nil element whose member is optional: the member stays absent. */
export const absentValue = Symbol("absent");

/**
 * The number of nillable members from which a record is created from a template. An element of 7 bytes can be a record
 * in which many members are absent, and adding them one by one takes much longer than reading the element.
 */
const minNullMembers = 8;

/** Marks the required nillable elements among the steps of a content model, if there are many. */
function createNullMembers(steps: readonly DecodeStep[]): NullMembers | undefined {
  const members = steps.filter(
    (step) => step.kind === "element" && step.min > 0 && step.nillable && !step.array,
  ) as DecodeElement[];
  if (members.length < minNullMembers) {
    return undefined;
  }
  const template: ReadRecord = {};
  for (const member of members) {
    setMember(template, member, null);
    member.isFilled = true;
  }
  return { members, template };
}

/** Adds null for absent nillable members. Returns the same record, or a copy with these members. */
export function fillNulls({ nulls }: DecodeTable, result: ReadRecord): ReadRecord {
  if (nulls === undefined) {
    return result;
  }
  const { members, template } = nulls;
  if (Object.keys(result).length <= members.length / 2) {
    return { ...template, ...result };
  }
  for (const member of members) {
    if (!hasMember(result, member)) {
      setMember(result, member, null);
    }
  }
  return result;
}

function isFilled(member: DecodeMember): boolean {
  return member.kind === "element" && member.isFilled;
}

function requireMembers(requiredMembers: readonly DecodeMember[], result: ReadRecord): void {
  for (const member of requiredMembers) {
    if (!hasMember(result, member)) {
      requireMember(member, result);
    }
  }
}

/**
 * Sets an absent required member to null if the member is nillable; otherwise throws. Does nothing if `fillNulls` adds
 * the member.
 */
export function requireMember(member: DecodeMember, result: ReadRecord): void {
  if (isFilled(member)) {
    return;
  }
  if (member.nillable && !member.array) {
    setMember(result, member, null);
  } else {
    throw new SchemaMismatch(missingElementReason).prependStep(member.kind === "element" ? member.localName : "*");
  }
}
