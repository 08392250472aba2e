/** A record being read. Members are added as they come; those that never come stay absent. */
export type Result = Record<string, unknown>;

interface Keyed {
  readonly key: string;
  readonly shadowed: boolean;
}

/** Adds a member. A name that `Object.prototype` knows, `__proto__` above all, is defined and not assigned. */
export function put(result: Result, { key, shadowed }: Keyed, value: unknown): void {
  if (shadowed) Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true });
  else result[key] = value;
}

export function has(result: Result, { key, shadowed }: Keyed): boolean {
  return shadowed ? Object.hasOwn(result, key) : result[key] !== undefined;
}

/** Adds an item to a member that is an array. */
export function append(result: Result, member: Keyed, value: unknown): void {
  const items = itemsIn(result, member);
  if (items === undefined) put(result, member, [value]);
  else items.push(value);
}

/** How many items a member holds so far. */
export function countIn(result: Result, member: Keyed): number {
  return itemsIn(result, member)?.length ?? 0;
}

function itemsIn(result: Result, member: Keyed): unknown[] | undefined {
  const held = has(result, member) ? result[member.key] : undefined;
  return Array.isArray(held) ? held : undefined;
}

/** An element that says nothing: nil where the member may be left out. */
export const absent = Symbol("absent");
