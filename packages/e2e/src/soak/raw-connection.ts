import { connect, type Socket } from "node:net";

/** An answer as it was received. */
export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the server closes the connection after the answer. */
  readonly isLast: boolean;
}

/** A connection that reads answers one after another. Each byte is a character below U+0100. */
export class RawConnection {
  readonly socket: Socket;
  #received = "";
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1" });
    this.socket.setNoDelay(true);
    this.socket.on("data", (bytes) => {
      this.#received += bytes.toString("latin1");
      this.#wake?.();
    });
    const endReading = () => {
      this.#ended = true;
      this.#wake?.();
    };
    this.socket.on("end", endReading).on("close", endReading).on("error", endReading);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  write(text: string): void {
    if (!this.socket.destroyed) {
      this.socket.write(text, "latin1");
    }
  }

  /** Reads the next answer; undefined if the connection ends before the answer is complete. */
  async nextAnswer(): Promise<RawAnswer | undefined> {
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
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      return undefined;
    }
    const head = this.#received.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) {
      return undefined;
    }
    const body = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    return { status, body, isLast: /^connection: *close/im.test(head) };
  }

  destroy(): void {
    this.socket.destroy();
  }
}
