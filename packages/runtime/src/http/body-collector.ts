/** Thrown when a body exceeds its limit. */
export class BodyLimitError extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super(`The body is larger than ${bytes} bytes.`);
    this.name = "BodyLimitError";
    this.bytes = bytes;
  }
}

/** Limits of the parameters in a query or a form. */
export interface FormLimits {
  readonly pairs: number;
  readonly paramName: number;
  readonly paramValue: number;
}

/** Thrown when a query or form exceeds a limit. */
export class FormLimitError extends Error {
  readonly limit: keyof FormLimits;
  readonly value: number;

  constructor(limit: keyof FormLimits, value: number) {
    super(`The query or form exceeds the limit ${limit} = ${value}.`);
    this.name = "FormLimitError";
    this.limit = limit;
    this.value = value;
  }
}

/** Options for `BodyCollector`. */
export interface BodyCollectorOptions {
  /**
   * The announced length of the body, from `Content-Length`. It only determines how the buffer grows; the actual length
   * may differ.
   */
  readonly length?: number | undefined;
  /** Creates the error that is thrown when the body exceeds the limit. Default: a `BodyLimitError`. */
  readonly error?: ((limit: number) => Error) | undefined;
}

/**
 * Collects a body up to a limit, for clients and servers. Copies the chunks into one growing buffer instead of storing
 * them: the sender chooses the size of the chunks, and each stored chunk would cost some 200 bytes of overhead.
 */
export class BodyCollector {
  readonly #limit: number;
  readonly #length: number;
  readonly #createError: (limit: number) => Error;
  #buffer: Uint8Array = noBytes;
  /** The number of bytes collected so far. */
  size = 0;

  constructor(limit: number, { length = 0, error = (bytes) => new BodyLimitError(bytes) }: BodyCollectorOptions = {}) {
    this.#limit = limit;
    this.#length = length > 0 ? length : limit;
    this.#createError = error;
  }

  /** Appends a chunk. Throws if the body then exceeds the limit. */
  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length;
    if (size > this.#limit) {
      throw this.#createError(this.#limit);
    }
    if (this.size === 0) {
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length) {
        // Enlarges the buffer at most to twice the number of bytes that have arrived, because an announced length must
        // not cost memory before its bytes arrive.
        const capacity = Math.max(size, Math.min(this.#length, 2 * size));
        const buffer = new Uint8Array(Math.min(this.#limit, capacity));
        buffer.set(this.bytes());
        this.#buffer = buffer;
      }
      this.#buffer.set(chunk, this.size);
    }
    this.size = size;
  }

  bytes(): Uint8Array {
    // Without `subarray`, and with the shared `noBytes`, collecting a body of one chunk takes 0.2 µs less.
    return this.size === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.size);
  }
}

const noBytes: Uint8Array = /* @__PURE__ */ new Uint8Array();
