/** An answer's body passes the limit. */
export class BodyLimitError extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super(`The answer has more than ${bytes} bytes.`);
    this.name = "BodyLimitError";
    this.bytes = bytes;
  }
}

/** Collects a body as it arrives and gives up at the limit: for transports. */
export class BodyCollector {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws `BodyLimitError` when the body becomes too large. */
  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new BodyLimitError(this.#limit);
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks;
    if (first === undefined) return new Uint8Array(0);
    if (this.#chunks.length === 1) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}
