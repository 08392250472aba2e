import type { ContentReader, SimpleType } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import {
  type AnyAttributeMember,
  type AnyMember,
  type AttributeMember,
  type ContentMember,
  chosenAlternative,
  type ElementMember,
  isEmptiable,
  isModel,
  type MixedMember,
  type Model,
  mapModel,
  type RepeatedMember,
  recordTable,
  type TextMember,
} from "./content-model.js";
import type { WireNames } from "./names.js";
import { SchemaMismatch } from "./schema-mismatch.js";
import {
  type AnyReference,
  lazy,
  lazySimpleType,
  type PolymorphicFacts,
  type RecordFacts,
  resolveRecord,
  resolveType,
} from "./types.js";

/** A type compiled for decoding. */
export type DecodeType =
  | { readonly kind: "simple"; readonly type: SimpleType<unknown> }
  | { readonly kind: "record"; readonly table: DecodeTable }
  | DecodePolymorphic
  | DecodeArray
  | { readonly kind: "anyType" };

export interface DecodeArray {
  readonly kind: "array";
  readonly item: () => DecodeType;
}

export interface DecodePolymorphic {
  readonly kind: "polymorphic";
  readonly name: string;
  /** The declared type, used without `xsi:type`; undefined if it is abstract. */
  readonly declared: DecodeTable | undefined;
  /** The alternatives by `xsi:type`, in Clark notation. */
  readonly alternatives: ReadonlyMap<string, DecodeAlternative>;
}

export interface DecodeAlternative {
  readonly table: DecodeTable;
  /** The value of `$type`; undefined for the declared type. */
  readonly tag: string | undefined;
}

export interface DecodeTable {
  readonly name: string;
  readonly attributes: readonly DecodeAttribute[];
  readonly attributesByName: ReadonlyMap<string, DecodeAttribute>;
  readonly anyAttribute: AnyAttributeMember | undefined;
  readonly text: DecodeText | undefined;
  readonly mixed: DecodeMixed | undefined;
  readonly steps: readonly DecodeStep[];
  /** The elements in the order of the content model, in which they usually occur. */
  readonly elements: readonly DecodeElement[];
  readonly byName: ReadonlyMap<string, DecodeElement>;
  readonly wildcards: readonly DecodeAny[];
  /** Reads the content in order; needed for repeated groups and for elements that share a name. */
  readonly order: ContentReader | undefined;
  /** Required members outside choices and optional groups. */
  readonly required: readonly DecodeMember[];
  readonly hasModels: boolean;
  readonly emptiable: boolean;
}

export interface DecodeAttribute extends AttributeMember {
  readonly simple: () => SimpleType<unknown>;
  /** The next attribute with the same local name. */
  readonly next: DecodeAttribute | undefined;
}
interface DecodeText extends TextMember {
  readonly simple: () => SimpleType<unknown>;
}
export interface DecodeMixed extends MixedMember {
  readonly table: () => DecodeTable;
}

export type DecodeMember = DecodeElement | DecodeGroup | DecodeAny;
export type DecodeStep = DecodeMember | DecodeModel;
export type DecodeModel = Model<DecodeMember>;

export interface DecodeElement extends ElementMember {
  readonly typed: () => DecodeType;
  /** Set on first use for a single element of simple type, of which only the text is read. */
  plain: SimpleType<unknown> | undefined;
  /** Its index in `elements`. */
  index: number;
  /** The next element with the same local name. */
  next: DecodeElement | undefined;
}
export interface DecodeGroup extends RepeatedMember {
  readonly table: () => DecodeTable;
}
export type DecodeAny = AnyMember;

/** Compiles tables on first use and keeps them. */
export class DecodeTables {
  readonly #names: WireNames;
  readonly #tables = new WeakMap<RecordFacts, DecodeTable>();

  constructor(names: WireNames) {
    this.#names = names;
  }

  type(reference: AnyReference): DecodeType {
    const type = resolveType(reference);
    switch (type.kind) {
      case "simple":
        return { kind: "simple", type };
      case "record":
        return { kind: "record", table: this.table(type) };
      case "polymorphic":
        return this.#polymorphic(type);
      case "array":
        return { kind: "array", item: lazy(() => this.type(type.item)) };
      case "anyType":
        return { kind: "anyType" };
    }
  }

  table(record: RecordFacts): DecodeTable {
    let table = this.#tables.get(record);
    if (table === undefined) {
      table = this.#compile(record);
      this.#tables.set(record, table);
    }
    return table;
  }

  #polymorphic({ name, declared, alternatives }: PolymorphicFacts): DecodePolymorphic {
    const byName = new Map<string, DecodeAlternative>();
    let declaredTable: DecodeTable | undefined;
    for (const [tag, alternative] of Object.entries(alternatives)) {
      const table = this.table(resolveRecord(alternative));
      if (tag === declared) {
        declaredTable = table;
      }
      byName.set(table.name, { table, tag: tag === declared ? undefined : tag });
    }
    return { kind: "polymorphic", name, declared: declaredTable, alternatives: byName };
  }

  #compile(record: RecordFacts): DecodeTable {
    const { name, attributes, anyAttribute, text, mixed, content } = recordTable(record, this.#names);
    const shared = new Map<string, DecodeMember>();
    const steps = content.map((step) => mapModel(step, this.#names, (member) => this.#member(member, shared)));
    const members = [...shared.values()];
    const elements = members.filter((member) => member.kind === "element");
    const hasModels = steps.some(isModel);
    const attributesByName = new Map<string, DecodeAttribute>();
    for (const member of attributes) {
      const simple = lazySimpleType(member.type);
      attributesByName.set(member.local, { ...member, simple, next: attributesByName.get(member.local) });
    }
    const byName = chainedByName(elements);
    const isOrdered = elements.some(hasTwin) || members.some((member) => member.kind === "group");
    return {
      name,
      attributes: [...attributesByName.values()].flatMap(chained),
      attributesByName,
      anyAttribute,
      text: text && { ...text, simple: lazySimpleType(text.type) },
      mixed: mixed && { ...mixed, table: lazy(() => this.table(mixed.record())) },
      steps,
      elements,
      byName,
      wildcards: members.filter((member) => member.kind === "any"),
      order: isOrdered ? orderOf(record) : undefined,
      required: hasModels ? [] : members.filter((member) => member.min > 0),
      hasModels,
      emptiable: content.every((step) => isEmptiable(step, this.#names)),
    };
  }

  /** Compiles each member once, even if several alternatives of a choice contain it. */
  #member(member: ContentMember, shared: Map<string, DecodeMember>): DecodeMember {
    const existing = shared.get(member.key);
    if (existing !== undefined) {
      return existing;
    }
    const made = this.#newMember(member);
    shared.set(member.key, made);
    return made;
  }

  #newMember(member: ContentMember): DecodeMember {
    switch (member.kind) {
      case "element":
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
          typed: lazy(() => this.type(member.type)),
          plain: undefined,
          index: 0,
          next: undefined,
        };
      case "group":
        return { ...member, table: lazy(() => this.table(member.record())) };
      case "any":
        return member;
    }
  }
}

function orderOf({ name, order }: RecordFacts): ContentReader {
  if (order !== undefined) {
    return order;
  }
  throw new ConfigError(
    `The descriptor of ${name} must have the reader xs.inOrder, because the order of its elements is significant. Generate it again.`,
  );
}

function chained(attribute: DecodeAttribute): DecodeAttribute[] {
  return attribute.next === undefined ? [attribute] : [attribute, ...chained(attribute.next)];
}

/** Whether a later element has the same name. */
function hasTwin({ namespace, next }: DecodeElement): boolean {
  let other = next;
  while (other !== undefined && other.namespace !== namespace) {
    other = other.next;
  }
  return other !== undefined;
}

/** Links the elements with the same local name in the order of the content. */
function chainedByName(order: readonly DecodeElement[]): ReadonlyMap<string, DecodeElement> {
  const byName = new Map<string, DecodeElement>();
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const element = order[index];
    if (element === undefined) {
      continue;
    }
    element.index = index;
    element.next = byName.get(element.local);
    byName.set(element.local, element);
  }
  return byName;
}

/** A record that is being read. Only members that occur are added. */
export type ReadRecord = Record<string, unknown>;

interface Keyed {
  readonly key: string;
  readonly shadowed: boolean;
}

/** Adds a member. A name that `Object.prototype` has, such as `__proto__`, is defined instead of assigned. */
export function setMember(result: ReadRecord, { key, shadowed }: Keyed, value: unknown): void {
  if (shadowed) {
    Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    result[key] = value;
  }
}

export function hasMember(result: ReadRecord, { key, shadowed }: Keyed): boolean {
  return shadowed ? Object.hasOwn(result, key) : result[key] !== undefined;
}

/** Adds an item to a member that is an array. */
export function appendItem(result: ReadRecord, member: Keyed, value: unknown): void {
  const items = itemsIn(result, member);
  if (items === undefined) {
    setMember(result, member, [value]);
  } else {
    items.push(value);
  }
}

/** The number of items that a member has so far. */
export function countItems(result: ReadRecord, member: Keyed): number {
  return itemsIn(result, member)?.length ?? 0;
}

function itemsIn(result: ReadRecord, member: Keyed): unknown[] | undefined {
  const held = hasMember(result, member) ? result[member.key] : undefined;
  return Array.isArray(held) ? held : undefined;
}

/** The result for a nil element whose member is optional: the member stays absent. */
export const omitted = Symbol("absent");

/** Checks, after all elements have been read in any order, that everything the content model requires is present. */
export function checkPresence(table: DecodeTable, result: ReadRecord): void {
  if (table.hasModels) {
    checkSteps(table.steps, result);
  } else {
    for (const member of table.required) {
      if (!hasMember(result, member)) {
        requireMember(member, result);
      }
    }
  }
}

function checkSteps(steps: readonly DecodeStep[], result: ReadRecord): void {
  const present = (member: DecodeMember): boolean => hasMember(result, member);
  for (const step of steps) {
    if (!isModel(step)) {
      if (step.min > 0 && !present(step)) {
        requireMember(step, result);
      }
    } else if (step.kind === "choice") {
      const alternative = chosenAlternative(step, present);
      if (alternative !== undefined) {
        checkSteps([alternative], result);
      }
    } else if (!step.optional || step.members.some(present)) {
      checkSteps(step.steps, result);
    }
  }
}

/** Handles an absent required member: sets null if it is nillable, otherwise throws. */
export function requireMember(member: DecodeMember, result: ReadRecord): void {
  if (member.kind === "element" && member.nillable && !member.array) {
    setMember(result, member, null);
  } else {
    throw new SchemaMismatch("The element is required.").within(member.kind === "element" ? member.local : "*");
  }
}

/** Whether a step may match no element. */
export function mayBeEmpty(step: DecodeStep): boolean {
  if (isModel(step)) {
    return step.emptiable;
  }
  return step.min === 0 || (step.kind === "group" && step.table().emptiable);
}
