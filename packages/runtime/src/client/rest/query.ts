import type { JsonValue } from "../../descriptor.js";
import { encodePart } from "../../protocol/http/form-encoding.js";

/**
 * Arguments as a query that PHP reads back: a list as `k[]=a&k[]=b`, members of objects and lists of them as
 * `k[a]=b`; nothing (null, an empty list or object) as `k=`, which WordPress takes for an empty list.
 */
export function writeQuery(values: Iterable<readonly [string, JsonValue]>): string {
  const pairs: string[] = [];
  for (const [name, value] of values) write(encodePart(name), value, pairs);
  return pairs.join("&");
}

function write(name: string, value: JsonValue, pairs: string[]): void {
  if (typeof value !== "object" || value === null) {
    pairs.push(`${name}=${value === null ? "" : encodePart(String(value))}`);
    return;
  }
  const before = pairs.length;
  if (isList(value)) {
    const plain = value.every((item) => typeof item !== "object" || item === null);
    for (const [index, item] of value.entries()) write(`${name}%5B${plain ? "" : index}%5D`, item, pairs);
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) write(`${name}%5B${encodePart(key)}%5D`, member, pairs);
    }
  }
  if (pairs.length === before) pairs.push(`${name}=`);
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
