/** An answer's body passes the limit. */
export class BodyLimitError extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super(`The answer has more than ${bytes} bytes.`);
    this.name = "BodyLimitError";
    this.bytes = bytes;
  }
}

/**
 * Collects a body as it arrives, up to a limit: for transports. The bytes are copied into one buffer that doubles, because
 * a server chooses how small its pieces are, and each piece kept by itself takes some 200 bytes more than it has.
 */
export class BodyCollector {
  readonly #limit: number;
  #buffer: Uint8Array = new Uint8Array(0);
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws `BodyLimitError` when the body becomes too large. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (size > this.#limit) throw new BodyLimitError(this.#limit);
    if (this.#size === 0) {
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length) this.#grow(size);
      this.#buffer.set(chunk, this.#size);
    }
    this.#size = size;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  #grow(size: number): void {
    const buffer = new Uint8Array(Math.min(this.#limit, Math.max(2 * this.#buffer.length, size)));
    buffer.set(this.#buffer);
    this.#buffer = buffer;
  }
}
