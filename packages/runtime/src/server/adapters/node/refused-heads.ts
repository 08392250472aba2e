import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";

// If HTTP/2 does not allow the head of a request (RFC 9113 §8.1.1), Node's HTTP/2 library answers it without an event.

/**
 * Finds requests of an HTTP/2 connection that Node's HTTP/2 library does not pass on. The library knows the number of
 * the newest stream whose head it has begun to read. This class looks at the number when a request begins or ends, and
 * regularly. It misses a request if the next one arrives before it has looked. Numbers that are never used are not
 * found: clients skip the numbers of requests that they cancel before they send them.
 */
export class RefusedHeads {
  readonly #session: ServerHttp2Session;
  readonly #onRefused: () => void;
  /** The number of the newest stream that has reached the server or has been reported. */
  #newestStream = 0;
  /** The number of a stream that the library has begun to read. It may still reach the server. */
  #awaitedStream = 0;
  #isChecking = false;

  constructor(session: ServerHttp2Session, onRefused: () => void) {
    this.#session = session;
    this.#onRefused = onRefused;
    session.on("stream", (stream) => this.#addStream(stream));
    // This listener runs before that of Node, which destroys the session.
    session.socket.prependOnceListener("close", () => {
      this.#look();
      this.#reportUnlessPassedOn(this.#awaitedStream);
    });
  }

  /** Whether a head has reached the server or has been reported. */
  get hasReadHead(): boolean {
    return this.#newestStream > 0;
  }

  /** Whether the library has begun to read a head that has neither reached the server nor been reported. */
  get isAwaited(): boolean {
    this.#look();
    return this.#awaitedStream > this.#newestStream;
  }

  /** Forgets the head that is being read, because the server closes the connection for it. */
  forget(): void {
    this.#newestStream = this.#awaitedStream;
  }

  /**
   * Looks whether the newest request was refused. Its head may still be incomplete. A client cannot send other frames
   * in the middle of a head, so the answer to a ping shows that the library has read the head.
   */
  check(): void {
    if (this.isAwaited && !this.#isChecking && this.#isOpen()) {
      const checkedStream = this.#awaitedStream;
      this.#isChecking = true;
      this.#session.ping((error) => {
        // Streams that were read together with the answer are passed on before the callback of `setImmediate` runs.
        setImmediate(() => {
          this.#isChecking = false;
          if (error === null) {
            this.#reportUnlessPassedOn(checkedStream);
          }
        });
      });
    }
  }

  #addStream(stream: ServerHttp2Stream): void {
    const { id = 0 } = stream;
    // The library reads one head after the other.
    if (id > this.#awaitedStream) {
      this.#reportUnlessPassedOn(this.#awaitedStream);
    }
    this.#newestStream = id;
    this.#look();
    stream.once("close", this.#look);
  }

  /** Looks which stream is the newest that the library has begun to read. */
  readonly #look = (): void => {
    if (this.#isOpen()) {
      // Other platforms do not have this state.
      const { state }: { readonly state?: ServerHttp2Session["state"] } = this.#session;
      this.#awaitedStream = state?.lastProcStreamID ?? 0;
    }
  };

  /** Whether the server has neither closed nor destroyed the connection. The library then ignores further requests. */
  #isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  #reportUnlessPassedOn(stream: number): void {
    if (stream > this.#newestStream) {
      this.#newestStream = stream;
      this.#onRefused();
    }
  }
}

/** Describes a request that Node's HTTP/2 library did not pass on. */
export function describeRefused(address: string, maxHeaderBytes: number): string {
  return `A request from ${address} did not reach the server: Node's HTTP/2 library refused its headers, or the client did not send them completely. HTTP/2 does not allow the headers Connection and Transfer-Encoding, TE with another value than trailers, names in upper case, a second :path, a :path that does not begin with / or contains a space, an :authority that is not a host and a port, and a Content-Length without a body. The client or a proxy may have sent such a header, or more bytes of headers than the option "limits.headerBytes" of the server allows, which is ${maxHeaderBytes}: look at its log.`;
}

/** The error code PROTOCOL_ERROR (RFC 9113 §7). */
const protocolError = 1;

/**
 * Whether a stream is being closed with PROTOCOL_ERROR before its request is complete, while its connection stays open.
 * This is how Node's HTTP/2 library refuses a request because of a frame after its head.
 */
export function isRefusedByLibrary(stream: ServerHttp2Stream): boolean {
  const { rstCode, session, headersSent, endAfterHeaders, readableEnded } = stream;
  return (
    rstCode === protocolError && session?.destroyed === false && !headersSent && !endAfterHeaders && !readableEnded
  );
}
