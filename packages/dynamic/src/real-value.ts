import type { Reference, Value } from "@bothends/generator";

/** The JavaScript value of a described value. `resolve` gives what its references refer to. */
export function realValue(value: Value, resolve: (reference: Reference) => unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isList(value)) {
    return value.map((each) => realValue(each, resolve));
  }
  if (value.kind !== "object") {
    return resolve(value);
  }
  return Object.fromEntries(value.members.map(([key, each]) => [key, realValue(each, resolve)]));
}

/** Whether a value is an object with a member of this value: the discriminant of a descriptor. */
export function hasMember(value: unknown, name: string, expected: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, name) === expected;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
