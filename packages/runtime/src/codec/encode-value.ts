import { LexicalError } from "../errors.js";
import type { EncodeAny, EncodeElement, EncodeGroup } from "./encode-table.js";

/** An object that is certain to be one, with members yet to be checked. */
export type Members = Readonly<Record<string, unknown>>;

/** What every object inherits, and no value means. */
const natural: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A value as a record's members. What an instance inherits would be lost without a word, so it is refused. */
export function membersOfValue(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  if (!isRecord(value)) throw new LexicalError(`${kindOf(value)} is no ${name}.`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuseInherited(value, keys, name);
  return value;
}

/** Whether a value is an object that may have members. */
export function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseInherited(value: Members, keys: ReadonlySet<string>, name: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]")
    throw new LexicalError(`${kindOf(value)} is no ${name}.`);
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
  if (!Array.isArray(held)) throw new LexicalError(`${kindOf(held)} is no array.`);
  if (held.length < min)
    throw new LexicalError(`At least ${min} ${min === 1 ? "item is" : "items are"} required, not ${held.length}.`);
  if (held.length > max)
    throw new LexicalError(`At most ${max} ${max === 1 ? "item is" : "items are"} allowed, not ${held.length}.`);
  return held;
}

/** What messages call a value of the wrong kind. */
export function kindOf(value: unknown): string {
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
