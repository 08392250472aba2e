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
 * Builds the documents of items in one buffer. Each document overwrites the previous one, so that the memory does not
 * depend on the number of items in a chunk.
 */
export class ItemDocument {
  #buffer: Uint8Array = new Uint8Array(65_536);

  /** Joins pieces to a document, which is valid until the next call. */
  build(pieces: readonly Uint8Array[]): Uint8Array {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    if (size > this.#buffer.length) {
      this.#buffer = new Uint8Array(size);
    }
    let offset = 0;
    for (const piece of pieces) {
      this.#buffer.set(piece, offset);
      offset += piece.length;
    }
    return this.#buffer.subarray(0, size);
  }
}

/** Finds the items in a body that arrives in chunks. */
export interface ItemScanner {
  /**
   * Yields a document for each item that this chunk completes. Must be read to its end before the next call. Each
   * document is created when it is requested, and is valid until the next one. Throws a `RangeError` if a limit is
   * exceeded.
   */
  push(chunk: Uint8Array): Generator<Uint8Array, undefined>;
  /** Returns the answer without its items. */
  remainder(): Uint8Array;
}
