import type { IncomingMessage } from "node:http";

const events = ["readable", "close"] as const;

/**
 * The bytes of a message as they arrive, no faster than they are asked for. Leaving early leaves the message, and its
 * connection, as they are. The stream's own iterator costs more than reading a short message does.
 */
export class IncomingBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #incoming: IncomingMessage;
  readonly #begin: () => void;
  #wake: (() => void) | undefined;

  /** `begin` is called before the first byte is waited for. */
  constructor(incoming: IncomingMessage, begin: () => void) {
    this.#incoming = incoming;
    this.#begin = begin;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    this.#begin();
    for (const event of events) this.#incoming.on(event, this.#onEvent);
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const incoming = this.#incoming;
    for (;;) {
      const chunk: Uint8Array | null = incoming.read();
      if (chunk !== null) return { done: false, value: chunk };
      if (incoming.complete) return this.return();
      if (incoming.destroyed) {
        this.#leave();
        throw incoming.errored ?? new Error("The message was cut off.");
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#leave();
    return { done: true, value: undefined };
  }

  readonly #onEvent = (): void => this.#wake?.();

  #leave(): void {
    for (const event of events) this.#incoming.removeListener(event, this.#onEvent);
  }
}
