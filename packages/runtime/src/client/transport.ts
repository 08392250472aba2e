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
