/**
 * Whether a value is a promise. Does not use the operator `in`, which takes 29 instead of 20 ns if objects have
 * different members.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as Partial<Promise<T>>).then === "function";
}
