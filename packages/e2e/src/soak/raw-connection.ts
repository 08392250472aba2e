import { connect, type Socket } from "node:net";

/** An answer as it was received. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the server closes the connection after the answer. */
  readonly isLast: boolean;
}

/**
 * An idle connection is not used in this time, in milliseconds, before its announced end. Other clients do the same.
 */
const idleMargin = 1_000;

/** A connection that reads answers one after another. Each byte is a character below U+0100. */
export class RawConnection {
  readonly socket: Socket;
  #receivedText = "";
  #ended = false;
  /** The events that ended the connection, with the milliseconds since the last request. */
  readonly #endEvents: string[] = [];
  #answerCount = 0;
  #lastAnswerAt = performance.now();
  #lastRequestAt = performance.now();
  /** The time in milliseconds between the last answer and the last request. */
  #idleTime = 0;
  /** How long the server keeps the connection, in milliseconds, as announced with the last answer. */
  #keepAlive = Number.POSITIVE_INFINITY;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1" });
    this.socket.setNoDelay(true);
    this.socket.on("data", (bytes) => {
      this.#receivedText += bytes.toString("latin1");
      this.#wake?.();
    });
    const endReading = (event: string) => {
      this.#ended = true;
      this.#endEvents.push(`${event} after ${Math.round(performance.now() - this.#lastRequestAt)} ms`);
      this.#wake?.();
    };
    this.socket.on("end", () => endReading("end")).on("close", () => endReading("close"));
    this.socket.on("error", (error) => endReading(error.message));
  }

  /**
   * Whether another request may be sent: the connection has not ended, and the server is not about to close it. The
   * time counts from the last request, because this process may have read the answer late. Waits one turn of the event
   * loop, in which Node reads an end that has arrived.
   */
  async isUsable(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return !this.#ended && performance.now() - this.#lastRequestAt < this.#keepAlive - idleMargin;
  }

  /** Describes a connection that ended without an answer. */
  get history(): string {
    const events = this.#endEvents.join(", ");
    return `${this.#answerCount} answers, then idle for ${Math.round(this.#idleTime)} ms, then a request, then ${events}`;
  }

  write(text: string): void {
    this.#lastRequestAt = performance.now();
    this.#idleTime = this.#lastRequestAt - this.#lastAnswerAt;
    if (!this.socket.destroyed) {
      this.socket.write(text, "latin1");
    }
  }

  /** Reads the next answer; undefined if the connection ends before the answer is complete. */
  async readNextAnswer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined || this.#ended) {
        return answer;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #takeAnswer(): RawAnswer | undefined {
    const headEnd = this.#receivedText.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      return undefined;
    }
    const head = this.#receivedText.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#receivedText.length < end) {
      return undefined;
    }
    this.#answerCount += 1;
    this.#lastAnswerAt = performance.now();
    this.#keepAlive = 1_000 * Number(/^keep-alive: *timeout=(\d+)/im.exec(head)?.[1] ?? Number.POSITIVE_INFINITY);
    const body = this.#receivedText.slice(headEnd + 4, end);
    this.#receivedText = this.#receivedText.slice(end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    return { status, body, isLast: /^connection: *close/im.test(head) };
  }

  destroy(): void {
    this.socket.destroy();
  }
}
