import type { AnyOperationDescriptor, Protocol } from "../descriptor.js";
import type { ErrorContext } from "../errors.js";

/** One HTTP request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /**
   * The absolute address, without user information. Its scheme is http or https, unless the service's address has
   * another scheme.
   */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined if the request has none. A string is sent as UTF-8. */
  readonly body: string | Uint8Array | undefined;
  /** The maximum size of the answer's body, uncompressed. `BodyCollector` enforces it. */
  readonly bodyBytes: number;
  /** Milliseconds within which a new connection must be established; `fetch` ignores this limit. */
  readonly connectTimeout: number;
  /** Aborted when the call times out or its caller aborts it. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener when the call times out or is aborted, or at once if that has already happened. Cheaper than
   * `signal`. Returns a function that removes the listener.
   */
  onCancel(listener: () => void): () => void;
  /** For an answer that is read as a stream: the number of bytes that have arrived. */
  streamedBytes?: number;
  /** Called when the request has a connection. Present only if the call is observed. */
  onConnection?: () => void;
  /**
   * Called with the number of bytes sent so far, each time a part of the body has been passed to the connection.
   * Present only if the caller asked for progress and the transport has `reportsUploads`.
   */
  readonly onUploadProgress?: ((sentBytes: number) => void) | undefined;
  /** Must be called as soon as the status and headers are known. Throws if the body must not be read. */
  checkHead(head: TransportHead): void;
  /**
   * Returns the receiver of the body's bytes for an answer that is read while it arrives; the bytes must be
   * uncompressed. Called after `checkHead`. A transport that does not call this function cannot be used with
   * `streamOf`.
   */
  collect?: (head: TransportHead) => AnswerBody | undefined;
}

/** Receives the bytes of a body. */
export interface AnswerBody {
  /** The number of bytes added so far. */
  readonly size: number;
  /** Throws if the body must not be read further. The next bytes must not be passed until the promise is fulfilled. */
  add(chunk: Uint8Array): Promise<void> | void;
  /** Returns the body of the answer, after all bytes have been added. */
  bytes(): Uint8Array;
}

/** The status and the headers of an answer. */
export interface TransportHead {
  readonly status: number;
  /** Headers, keyed by lower-case name. The values of headers with the same name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** The version of HTTP of the connection, such as `1.1`, if known. Used only in events. */
  readonly httpVersion?: string | undefined;
}

/** A complete answer, with its body decompressed. */
export interface TransportAnswer extends TransportHead {
  readonly body: Uint8Array;
  /**
   * For an answer with status 401 to a transport that authenticates: whether the server refused the user or the
   * password, or sent no valid challenge.
   */
  readonly refusal?: "user" | "challenge" | undefined;
}

/**
 * Sends one request and reads the whole answer. Does not follow redirects, store cookies or add credentials. Rejects
 * with the platform's error, which the client turns into a typed error.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  /**
   * Whether `send` always rejects when the call is cancelled. If absent, the client does not wait for `send` after a
   * cancellation.
   */
  readonly rejectsOnCancel?: true | undefined;
  /** Whether `send` calls `onUploadProgress`. */
  readonly reportsUploads?: true | undefined;
  /** The host and the port of the HTTP proxy through which the transport sends, for messages. */
  readonly proxy?: string | undefined;
  /** Whether the caller has used a part of an answer. If so, `retries` no longer applies to the call. */
  readonly hasUsedAnswer?: boolean | undefined;
  /** Closes the idle connections of this transport. */
  close?(): void;
}

/**
 * Reads the items of one answer while it arrives; created by `streamOf` and passed as an option of the call. The call
 * then receives an answer without the items. Only its types are declared here, so that clients without streams do not
 * bundle its code.
 */
export interface AnswerStream {
  /** Aborted if the loop ends while no request is being sent, for example during a pause between two attempts. */
  readonly signal: AbortSignal;
  // `soap` and `rest` return the settings of a call, with a transport that reads the answer as a stream.
  soap<CallSettings extends StreamSettings>(call: SoapStreamCall, settings: CallSettings): CallSettings;
  rest<CallSettings extends StreamSettings>(call: RestStreamCall, settings: CallSettings): CallSettings;
  /**
   * Throws if the answer still has items after those that were read as a stream have been removed. This can happen
   * because a list in SOAP encoding can be anywhere in the body.
   */
  checkRemainder(value: unknown, answer: Pick<TransportAnswer, "status">): void;
}

/** The settings of a call whose answer is read as a stream. */
export interface StreamSettings {
  readonly transport: Transport;
  /**
   * `bodyBytes` limits each item, and the answer without the items. `attributeChars` limits the tags around an item in
   * XML, together and without their other attributes.
   */
  readonly limits: { readonly bodyBytes: number; readonly attributeChars: number };
}

/** A call of a SOAP operation whose answer is read item by item. */
export interface SoapStreamCall {
  readonly operation: AnyOperationDescriptor;
  /** The operation, prepared for its protocol. */
  readonly prepared: {
    readonly protocol: Protocol;
    readonly context: ErrorContext;
    /** Converts names of elements in the schema to names on the wire. Both have the form `{namespace}local`. */
    readonly names: { element(name: string): string };
  };
  readonly connection: { prepareSteps(operation: AnyOperationDescriptor, protocol: Protocol): StreamedOperation };
}

/** The part of an operation that reads answers. */
interface StreamedOperation {
  readonly steps: {
    read(
      answer: TransportAnswer,
      call: { readonly limits: StreamSettings["limits"]; readonly context: ErrorContext },
    ): ReadValue | Promise<ReadValue>;
  };
}

interface ReadValue {
  readonly value: unknown;
}

/** A call of a REST endpoint whose answer is read item by item. */
export interface RestStreamCall {
  readonly context: ErrorContext;
  /** Reads and checks an answer. */
  readonly read: (answer: TransportAnswer) => Promise<{ readonly body: unknown }>;
}

/** Options of the platform's transport. */
export interface TransportOptions {
  /** A custom Node `http.Agent` or `https.Agent`. */
  readonly agent?: object | undefined;
  /**
   * The address of an HTTP proxy, such as `http://user:password@proxy.example:3128`. Requests to `https:` addresses use
   * a tunnel (CONNECT).
   */
  readonly proxy?: string | undefined;
  /**
   * The path of the Unix socket on which the server listens (Node only). The address still determines the path and the
   * `Host` header.
   */
  readonly socketPath?: string | undefined;
  /** Node's TLS settings. */
  readonly tls?: TlsOptions | undefined;
  /**
   * The maximum number of connections that one client uses at the same time. Further calls wait, at most until their
   * timeouts. Default 64. Cannot be combined with `agent`, which has a separate limit.
   */
  readonly maxSockets?: number | undefined;
  /**
   * The maximum number of calls that may wait for a connection; further calls fail with a `TransportError`. Default
   * 10,000.
   */
  readonly maxQueued?: number | undefined;
}

/** The options from which the transport of a client is created. */
export type TransportChoice = TransportOptions & { readonly transport?: Transport | undefined };

/** The client options of Node's `tls.connect`. */
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

/** Thrown if a connection, or the TLS handshake on it, is not complete within the connect timeout. */
export class ConnectTimeoutError extends Error {
  readonly milliseconds: number;
  /** Whether the host accepted the connection, but did not complete the TLS handshake. */
  readonly isHandshake: boolean;
  constructor(milliseconds: number, isHandshake = false) {
    super(`${isHandshake ? "No complete TLS handshake" : "No connection"} within ${milliseconds} ms.`);
    this.name = "ConnectTimeoutError";
    this.milliseconds = milliseconds;
    this.isHandshake = isHandshake;
  }
}

/** Thrown for an answer whose content encoding is not supported, or whose body is not valid in its encoding. */
export class EncodingError extends Error {
  readonly encoding: string;
  /** The first bytes of the body. */
  readonly start: Uint8Array | undefined;
  constructor(encoding: string, cause?: Error, start?: Uint8Array) {
    const problem = cause === undefined ? "which is not supported" : "and its body is not valid";
    super(`The answer has the content encoding "${encoding.slice(0, 64)}", ${problem}.`, cause && { cause });
    this.name = "EncodingError";
    this.encoding = encoding;
    this.start = start;
  }
}

/** Thrown if the connection is closed before the answer is complete. */
export class TruncatedError extends Error {
  readonly code = "ECONNRESET";
  constructor() {
    super("The answer ended early");
    this.name = "TruncatedError";
  }
}

/** Thrown if more calls wait for a connection than `maxQueued` allows. */
export class QueueFullError extends Error {
  constructor(maxQueued: number) {
    super(
      `The call cannot wait for a connection, because the queue of waiting calls is full (maxQueued = ${maxQueued}). Increase the option "maxQueued" or "maxSockets".`,
    );
    this.name = "QueueFullError";
  }
}

/**
 * A step of a request through a proxy: the connection to the proxy; a tunnel, which the proxy opens or refuses; the TLS
 * handshake in the tunnel; without a tunnel, the answer.
 */
export type ProxyStep = "connection" | "tunnel" | "refusal" | "handshake" | "answer";

/** Thrown if a request through a proxy fails at one of its steps. `cause` is the error of the system or the timeout. */
export class ProxyError extends Error {
  readonly step: ProxyStep;
  /** The status with which the proxy refused to open a tunnel. */
  readonly status: number | undefined;
  /** The header `Proxy-Authenticate` of an answer that refuses a tunnel. */
  readonly authenticate: string | undefined;

  constructor(message: string, { step, status, authenticate, cause }: ProxyErrorInit) {
    super(message, cause && { cause });
    this.name = "ProxyError";
    this.step = step;
    this.status = status;
    this.authenticate = authenticate;
  }
}

interface ProxyErrorInit {
  readonly step: ProxyStep;
  readonly status?: number;
  readonly authenticate?: string | undefined;
  readonly cause?: Error;
}
