import { BodyCollector } from "../../http/body-collector.js";

/**
 * The bytes of a body that have not been processed yet. A server can send chunks of one byte, so the time to append a
 * chunk must not depend on the number of bytes before it.
 */
export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(65_536);
  /** The number of unprocessed bytes. `bytes`, the buffer, may be longer. */
  end = 0;
  /** The part of `bytes` before `end`. */
  #usedBytes: Uint8Array = new Uint8Array(0);

  append(chunk: Uint8Array): void {
    const size = this.end + chunk.length;
    if (size > this.bytes.length) {
      const largerBuffer = new Uint8Array(Math.max(size, 2 * this.bytes.length));
      largerBuffer.set(this.bytes.subarray(0, this.end));
      this.bytes = largerBuffer;
    }
    this.bytes.set(chunk, this.end);
    this.end = size;
    this.#usedBytes = this.bytes.subarray(0, size);
  }

  /** Removes bytes from the beginning. */
  drop(count: number): void {
    if (count > 0) {
      this.bytes.copyWithin(0, count, this.end);
      this.end -= count;
      this.#usedBytes = this.bytes.subarray(0, this.end);
    }
  }

  /** Copies the bytes from `start` to `end`. */
  slice(start: number, end: number): Uint8Array {
    return this.bytes.slice(start, end);
  }

  /** Returns the offset of the first occurrence of a byte at or after `start`; -1 if there is none. */
  findByte(byte: number, start: number): number {
    return this.#usedBytes.indexOf(byte, start);
  }
}

/** Throws a `RangeError` if an item has more bytes than the limit. */
export function checkItemSize(bytes: number, limit: number): void {
  if (bytes > limit) {
    throw new RangeError(
      `An item of the answer is larger than the limit bodyBytes = ${limit}. To accept it, increase the option "limits.bodyBytes".`,
    );
  }
}

/** Throws a `RangeError` if there are more bytes between two items than the limit. */
export function checkGapSize(bytes: number, limit: number): void {
  if (bytes > limit) {
    throw createRemainderError(limit);
  }
}

/** Collects the bytes of a body that belong to none of its items, up to a limit. */
export class Remainder {
  readonly #limit: number;
  readonly #collector: BodyCollector;

  constructor(limit: number) {
    this.#limit = limit;
    this.#collector = new BodyCollector(limit, { error: createRemainderError });
  }

  /** Adds bytes. Throws a `RangeError` if the limit is exceeded. */
  add(bytes: Uint8Array): void {
    this.#collector.add(bytes);
  }

  /** Throws a `RangeError` if another `byteCount` bytes would exceed the limit. */
  checkPending(byteCount: number): void {
    if (this.#collector.size + byteCount > this.#limit) {
      throw createRemainderError(this.#limit);
    }
  }

  bytes(): Uint8Array {
    return this.#collector.bytes();
  }
}

function createRemainderError(limit: number): RangeError {
  return new RangeError(
    `The answer has more bytes outside its items than the limit bodyBytes = ${limit} allows. To accept it, increase the option "limits.bodyBytes".`,
  );
}

/**
 * The documents of the items that one chunk completes. All documents share a buffer, because the garbage collector
 * would free separate buffers too late.
 */
export class ItemDocuments {
  #buffer: Uint8Array = new Uint8Array(131_072);
  #end = 0;

  /** Makes room for other documents, which overwrite the bytes of the present ones. */
  clear(): void {
    this.#end = 0;
  }

  /** Builds the document of an item from the bytes before the item, the item, and the bytes after it. */
  add(before: Uint8Array, item: Uint8Array, after: Uint8Array): Uint8Array {
    const start = this.#end;
    this.#end += before.length + item.length + after.length;
    if (this.#end > this.#buffer.length) {
      // Earlier documents still refer to the old buffer, so a new buffer is created instead of changing the old one.
      this.#end -= start;
      this.#buffer = new Uint8Array(Math.max(this.#end, this.#buffer.length));
      return this.#write(0, [before, item, after]);
    }
    return this.#write(start, [before, item, after]);
  }

  #write(start: number, pieces: readonly Uint8Array[]): Uint8Array {
    let offset = start;
    for (const piece of pieces) {
      this.#buffer.set(piece, offset);
      offset += piece.length;
    }
    return this.#buffer.subarray(start, offset);
  }
}

/** Finds the items in a body that arrives in chunks. */
export interface ItemScanner {
  /**
   * Returns a document for each item that this chunk completes. The documents are valid until the next call. Throws a
   * `RangeError` if an item exceeds the limit.
   */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Returns the answer without its items. */
  remainder(): Uint8Array;
}
