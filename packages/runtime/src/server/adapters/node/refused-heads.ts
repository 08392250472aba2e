import type { ServerHttp2Session } from "node:http2";

// If HTTP/2 does not allow the head of a request (RFC 9113 §8.1.1), Node's HTTP/2 library answers it without an event.

/** Finds the requests of an HTTP/2 connection that Node's HTTP/2 library does not pass on. */
export class RefusedHeads {
  readonly #session: ServerHttp2Session;
  readonly #onRefused: (count: number) => void;
  /** The number of the newest stream that has reached the server or has been reported; 0 before the first. */
  #newestStream = 0;
  #isChecking = false;

  /** `onRefused` is called with the number of requests. */
  constructor(session: ServerHttp2Session, onRefused: (count: number) => void) {
    this.#session = session;
    this.#onRefused = onRefused;
    session.on("stream", ({ id = 0 }) => {
      // Clients number their streams 1, 3, 5 and so on, but some begin with a higher number.
      if (this.#newestStream > 0) {
        this.#reportUntil(id - 2);
      }
      this.#newestStream = id;
    });
    // This listener runs before that of Node, which destroys the session.
    session.socket.prependOnceListener("close", () => this.#reportNewest());
  }

  /**
   * Reports the newest requests if they were refused. Their heads may still be incomplete. A client cannot send frames
   * of other kinds in the middle of a head, so the answer to a ping shows that the library has read the heads.
   */
  check(): void {
    if (!this.#isChecking && this.#findNewest() > this.#newestStream && this.#isOpen()) {
      this.#isChecking = true;
      this.#session.ping((error) => {
        // Streams that were read together with the answer are passed on before the callback of `setImmediate` runs.
        setImmediate(() => {
          this.#isChecking = false;
          if (error === null) {
            this.#reportNewest();
          }
        });
      });
    }
  }

  #reportNewest(): void {
    if (this.#isOpen()) {
      this.#reportUntil(this.#findNewest());
    }
  }

  /** Whether the server has neither closed nor destroyed the connection. The library then ignores further requests. */
  #isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Returns the number of the newest stream that the library has read. */
  #findNewest(): number {
    return this.#session.state.lastProcStreamID ?? 0;
  }

  #reportUntil(stream: number): void {
    if (stream > this.#newestStream) {
      // If no stream has reached the server, the first number is unknown, so only one request is certain.
      this.#onRefused(this.#newestStream === 0 ? 1 : (stream - this.#newestStream) / 2);
      this.#newestStream = stream;
    }
  }
}

/** Describes requests that Node's HTTP/2 library did not pass on. */
export function describeRefused(count: number, address: string): string {
  const [requests, headers] = count === 1 ? ["A request", "its headers"] : [`${count} requests`, "their headers"];
  return `${requests} from ${address} did not reach the server: Node's HTTP/2 library refused ${headers}, or the client did not send them completely. HTTP/2 does not allow the headers Connection and Transfer-Encoding, TE with another value than trailers, names in upper case, a second :path, and a Content-Length without a body. The client or a proxy may have sent such a header: look at its log.`;
}
