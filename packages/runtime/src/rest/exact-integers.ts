import type { JsonValue } from "../descriptor.js";
import { ArgumentProblem } from "./argument-schema.js";

// Finds integers that JavaScript rounds: beyond ±(2^53 - 1), several integers become the same number. WordPress keeps
// integers of 64 bits, so a client may send the ID of one object, and a handler would receive the ID of another. Beyond
// 64 bits, WordPress changes integers too, so these are accepted.

/**
 * Returns the problem of a value that contains an integer which may have been rounded; undefined for other values.
 * `name` is the name of the value in the problem's message.
 */
export function findRoundedProblem(value: JsonValue, name: string): ArgumentProblem | undefined {
  const path = findRounded(value);
  if (path === undefined) {
    return undefined;
  }
  const limit = Number.MAX_SAFE_INTEGER;
  const message = `${name}${path} must be between ${-limit} (inclusive) and ${limit} (inclusive), the integers that this server represents exactly.`;
  return new ArgumentProblem(`${name}${path}`, "rest_out_of_bounds", message);
}

/**
 * Returns the path of a rounded integer: `[1]` in a list, and `[*]` in an object, because messages do not contain names
 * from the request.
 */
function findRounded(value: JsonValue): string | undefined {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 63 ? "" : undefined;
  }
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const isList = Array.isArray(value);
  const members: readonly (JsonValue | undefined)[] = isList ? value : Object.values(value);
  for (let index = 0; index < members.length; index += 1) {
    const path = findRounded(members[index] ?? null);
    if (path !== undefined) {
      return `[${isList ? index : "*"}]${path}`;
    }
  }
  return undefined;
}
