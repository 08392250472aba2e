import type { ParsedRequest } from "../http/server-request.js";

/**
 * The size of a body in bytes up to which its values are not measured. The values in so few bytes take little memory
 * even in 256 requests, and measuring them would make short calls slower.
 */
const unmeasuredBytes = 2_048;

/**
 * Counts the body of a request toward the limit `inFlightBytes`. Throws if the request exceeds the limit; the router
 * then replaces the answer.
 *
 * A body is counted twice, because its values can be slices of its text, which keep the whole text in memory.
 */
export function countBodyMemory(request: ParsedRequest, bytes: number): void {
  request.usage?.countMemory(2 * bytes);
}

/**
 * Counts a request and the values that were read from its body or its query toward the limit `inFlightBytes`. Throws if
 * the request exceeds the limit; the router then replaces the answer.
 */
export function countValueMemory(request: ParsedRequest, bytes: number, values: readonly unknown[]): void {
  const sourceBytes = bytes + request.query.length;
  if (sourceBytes > unmeasuredBytes) {
    request.usage?.countMemory(2 * sourceBytes + estimateMemory(values));
  }
}

// The memory of values in V8 on 64-bit platforms, in bytes.
const objectBytes = 64;
const arrayBytes = 64;
const viewBytes = 200;
const stringBytes = 24;
const primitiveBytes = 16;
const memberBytes = 8;
/** V8 stores the members of larger objects in hash tables. */
const maxFastMembers = 128;
const hashedMemberBytes = 64;
/** Arrays grow by half when they are full. */
const itemBytes = 12;
/** The length from which the names of wildcard elements count only once. Shorter names cost little. */
const sharedNameLength = 64;
/** The maximum number of names that are remembered. Without it, hashing many long names would take much time. */
const maxSharedNames = 64;

/**
 * Estimates the memory that values take with all that they contain, in bytes. The values must not contain cycles. Does
 * not recurse, because clients choose the depth of the values.
 */
export function estimateMemory(values: readonly unknown[]): number {
  const containers: object[] = [values];
  const countedNames = new Set<string>();
  let bytes = 0;
  // The decoder uses one string for all elements with the same name in a message, which contains their namespace. It
  // creates the names of attributes anew.
  const isCountedName = (container: object, key: string, value: unknown): boolean => {
    if (
      key !== "name" ||
      typeof value !== "string" ||
      value.length < sharedNameLength ||
      countedNames.size >= maxSharedNames ||
      "value" in container
    ) {
      return false;
    }
    const isCounted = countedNames.has(value);
    countedNames.add(value);
    return isCounted;
  };
  const add = (value: unknown): void => {
    if (typeof value === "string") {
      bytes += stringBytes + value.length;
    } else if (typeof value === "object" && value !== null) {
      containers.push(value);
    } else if (typeof value === "number" || typeof value === "bigint") {
      bytes += primitiveBytes;
    }
  };
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    if (Array.isArray(container)) {
      bytes += arrayBytes + itemBytes * container.length;
      for (const item of container) {
        add(item);
      }
    } else if (ArrayBuffer.isView(container)) {
      // A view of a larger buffer is usually a part of the body, which has already been counted.
      bytes += container.byteLength < container.buffer.byteLength ? viewBytes : viewBytes + container.byteLength;
    } else if (container instanceof Map) {
      bytes += objectBytes;
      for (const entry of container) {
        containers.push(entry);
      }
    } else {
      let memberCount = 0;
      for (const key in container) {
        memberCount += 1;
        const member = (container as Record<string, unknown>)[key];
        if (!isCountedName(container, key, member)) {
          add(member);
        }
      }
      bytes += objectBytes + memberCount * (memberCount > maxFastMembers ? hashedMemberBytes : memberBytes);
    }
  }
  return bytes;
}
