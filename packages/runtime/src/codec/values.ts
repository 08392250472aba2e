import { describeValue } from "../error-texts.js";
import { LexicalError } from "../errors.js";
import type { Member } from "./members.js";
import { mismatchOf } from "./schema-mismatch.js";

/** The members of a value that is known to be an object. The members are not checked yet. */
export type Members = Readonly<Record<string, unknown>>;

/** The occurrences of an array without limits. */
export const unbounded = { min: 0, max: Number.POSITIVE_INFINITY };

/** The properties that every object inherits; they are not members. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Returns a value as the members of a record. Inherited members are refused, because they would not be written. */
export function membersOfValue(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  if (!isObject(value)) {
    throw mustBe(`an object of type ${name}`, value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    refuseInherited(value, keys, name);
  }
  return value;
}

/** Whether a value is an object that may have members. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseInherited(value: Members, keys: ReadonlySet<string>, name: string): void {
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throw mustBe(`an object of type ${name}`, value);
  }
  for (const key of keys) {
    if (key in value && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw inheritedMember(key);
    }
  }
}

/** Refuses members that the record does not have, and members that code has added to `Object.prototype`. */
export function refuseUnknown(value: Members, keys: ReadonlySet<string>, name: string): void {
  for (const key of Object.keys(value)) {
    if (!keys.has(key) && value[key] !== undefined && key !== "$type") {
      throw new LexicalError(`${name} has no member "${shortKey(key)}".`);
    }
  }
  for (const key of keys) {
    if (value[key] !== undefined && !Object.hasOwn(value, key) && !inheritedNames.has(key)) {
      throw inheritedMember(key);
    }
  }
}

function inheritedMember(key: string): LexicalError {
  return new LexicalError(`The member "${shortKey(key)}" must be an own property: inherited members are not written.`);
}

/** The value of a member, undefined where it is absent. */
export function memberOf(value: Members, { key, shadowed }: Member): unknown {
  return shadowed && !Object.hasOwn(value, key) ? undefined : value[key];
}

/** Returns the items of a repeated member after checking their number. */
export function itemsOf(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw mustBe("an array", value);
  }
  if (value.length < min) {
    throw new LexicalError(`At least ${min} ${min === 1 ? "item is" : "items are"} required, not ${value.length}.`);
  }
  if (value.length > max) {
    throw new LexicalError(`At most ${max} ${max === 1 ? "item is" : "items are"} allowed, not ${value.length}.`);
  }
  return value;
}

/** A member of a record that is being written. */
interface WrittenMember {
  readonly member: Member;
  readonly members: Members;
  /** The error if the member is required and absent. */
  readonly required: string | undefined;
}

/** Writes the value of a member, and counts it; empty if it is absent. An error contains the key of the member. */
export function writeMember(
  context: { written: number },
  { member, members, required }: WrittenMember,
  write: (value: NonNullable<unknown>) => string,
): string {
  try {
    const value = memberOf(members, member);
    if (value !== undefined) {
      context.written += 1;
    }
    if (value !== undefined && value !== null) {
      return write(value);
    }
    if (required !== undefined) {
      throw new LexicalError(required);
    }
    return "";
  } catch (error) {
    throw mismatchOf(error).within(member.key);
  }
}

/** The error if a repeated member is absent that must occur. */
export function requiredMember({ min }: { readonly min: number }): string | undefined {
  return min > 0 ? "The member is required." : undefined;
}

/** Writes the items of an array. An error contains the index of its item. */
export function writeItems(items: readonly unknown[], write: (item: unknown) => string): string {
  let xml = "";
  for (let index = 0; index < items.length; index += 1) {
    try {
      xml += write(items[index]);
    } catch (error) {
      throw mismatchOf(error).within(String(index));
    }
  }
  return xml;
}

/** The error for a value of the wrong kind. */
export function mustBe(expected: string, value: unknown): LexicalError {
  return new LexicalError(`The value must be ${expected}, not ${describeValue(value)}.`);
}

function shortKey(key: string): string {
  return key.length <= 64 ? key : `${key.slice(0, 63)}…`;
}
