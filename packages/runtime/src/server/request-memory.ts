import type { ParsedRequest } from "../http/server-request.js";

/**
 * The size of a body in bytes up to which its values are not measured. The values in so few bytes take little memory
 * even in 256 requests, and measuring them would make short calls slower.
 */
const unmeasuredBytes = 2_048;

/**
 * Counts the body of a request toward the limit `inFlightBytes`. Throws if the request exceeds the limit, as
 * `countMemory` does.
 *
 * A body is counted twice, because its values can be slices of its text, which keep the whole text in memory.
 */
export function countBodyMemory(request: ParsedRequest, bytes: number): void {
  request.usage?.countMemory(2 * bytes);
}

/**
 * Counts a request and the values that were read from its body or its query toward the limit `inFlightBytes`. Throws if
 * the request exceeds the limit, as `countMemory` does.
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
/** A hidden class of V8, which objects with the same names in the same order share. Each name needs another one. */
const shapeBytes = 100;
/** Members whose names are numbers are stored apart, in a table. */
const indexTableBytes = 120;
const indexedMemberBytes = 32;
/** The maximum number of shapes that are remembered. Names of further shapes are counted each time. */
const maxShapes = 20_000;
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
    } else if (typeof value === "bigint" || (typeof value === "number" && (value | 0) !== value)) {
      // V8 stores small integers in the place of the value.
      bytes += primitiveBytes;
    }
  };
  const shapes = new Shapes();
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
      shapes.begin();
      for (const key in container) {
        memberCount += 1;
        if (memberCount <= maxFastMembers) {
          bytes += shapes.addName(key);
        }
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

/** The objects whose names begin with the same names in the same order. */
interface Shape {
  /** The next name of the object that was counted last. */
  lastName: string | undefined;
  lastNext: Shape | undefined;
  /** The next shapes by name; undefined as long as there is at most one. */
  nextByName: Map<string, Shape> | undefined;
}

function createShape(): Shape {
  return { lastName: undefined, lastNext: undefined, nextByName: undefined };
}

/**
 * Counts the memory of the names of objects. Clients choose the names in JSON, and in XML they choose which optional
 * members an object has: if all objects differ, their shapes take much more memory than their values.
 */
class Shapes {
  readonly #root = createShape();
  #current: Shape | undefined = this.#root;
  #count = 0;
  #hasIndex = false;

  /** Begins to count another object. */
  begin(): void {
    this.#current = this.#root;
    this.#hasIndex = false;
  }

  /** Returns the bytes that the next name of the object takes. */
  addName(name: string): number {
    const firstCode = name.charCodeAt(0);
    if (firstCode >= 48 && firstCode <= 57) {
      const tableBytes = this.#hasIndex ? 0 : indexTableBytes;
      this.#hasIndex = true;
      return tableBytes + indexedMemberBytes;
    }
    const shape = this.#current;
    if (shape !== undefined && shape.lastName === name) {
      this.#current = shape.lastNext;
      return 0;
    }
    const known = shape?.nextByName?.get(name);
    const next = known ?? (this.#count < maxShapes ? createShape() : undefined);
    this.#current = next;
    if (shape !== undefined && next !== undefined) {
      addNext(shape, name, next);
    }
    if (known !== undefined) {
      return 0;
    }
    this.#count += 1;
    return shapeBytes + stringBytes + name.length;
  }
}

function addNext(shape: Shape, name: string, next: Shape): void {
  if (shape.lastName !== undefined && shape.lastNext !== undefined) {
    shape.nextByName ??= new Map([[shape.lastName, shape.lastNext]]);
    shape.nextByName.set(name, next);
  }
  shape.lastName = name;
  shape.lastNext = next;
}
