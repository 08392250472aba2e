/** One HTTP request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /** Absolute, without user information; `http:` or `https:`, unless the address that the transport was given is another. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
  /** Bytes of the answer's body, uncompressed, after which `BodyCollector` gives up. */
  readonly bodyBytes: number;
  /** Milliseconds until a new connection must stand, where the transport can tell. */
  readonly connectTimeout: number;
  /** Fires when the call is over before its answer: at the time-out, or when the caller gives up. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener when the call is over before its answer, at once if it is over already. It costs less than an
   * `AbortSignal`. Returns a function that removes the listener.
   */
  onCancel(listener: () => void): () => void;
  /** To be called as soon as status and headers are known: throws when the body need not be read. */
  checkHead(head: TransportHead): void;
}

export interface TransportHead {
  readonly status: number;
  /** By lower-case name; lines of one name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface TransportAnswer extends TransportHead {
  readonly body: Uint8Array;
}

/**
 * Sends one request and reads the whole answer, without following redirects, keeping cookies or adding credentials.
 * Rejects with whatever the platform says; the client makes typed errors of it.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Closes idle connections of its own. */
  close?(): void;
}

/** What the platform's transport can be told. */
export interface TransportOptions {
  /** An `http.Agent` or `https.Agent` of Node: connection reuse, sockets of one's own making. */
  readonly agent?: object | undefined;
  /** The address of an HTTP proxy, `http://user:password@proxy.example:3128`; `https:` goes through a tunnel (CONNECT). */
  readonly proxy?: string | undefined;
  /** TLS settings of Node. */
  readonly tls?: TlsOptions | undefined;
  /**
   * Connections of one client that calls use at the same time. Further calls wait for one, no longer than their timeouts.
   * Default 64. An `agent` sets its own limit.
   */
  readonly maxSockets?: number | undefined;
  /** Calls that may wait for a connection; one more is a `TransportError`. Default 10,000. */
  readonly maxQueued?: number | undefined;
}

/** The part of Node's `tls.connect` options that concerns a client. */
export interface TlsOptions {
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  readonly pfx?: string | Uint8Array | undefined;
  readonly passphrase?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
  readonly minVersion?: "TLSv1.2" | "TLSv1.3" | undefined;
}

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

/** A new connection did not stand in time. */
export class ConnectTimeoutError extends Error {
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`No connection within ${milliseconds} ms.`);
    this.name = "ConnectTimeoutError";
    this.milliseconds = milliseconds;
  }
}

/** The answer's body is compressed, though the request asked for it as it is. */
export class EncodingError extends Error {
  constructor(encoding: string) {
    super(`The answer comes in the content encoding "${encoding.slice(0, 64)}", which was not asked for.`);
    this.name = "EncodingError";
  }
}

/** The connection ended before the answer did. */
export class TruncatedError extends Error {
  readonly code = "ECONNRESET";
  constructor() {
    super("The connection was closed before the answer was complete.");
    this.name = "TruncatedError";
  }
}

/** Too many calls wait for a connection. */
export class QueueFullError extends Error {
  constructor(maxQueued: number) {
    super(`${maxQueued} calls wait for a connection; the options maxSockets and maxQueued set the limits.`);
    this.name = "QueueFullError";
  }
}

/** A proxy does not open a tunnel. */
export class ProxyRefusal extends Error {
  constructor(status: number) {
    super(`The proxy answers ${status}, and opens no tunnel.`);
    this.name = "ProxyRefusal";
  }
}
