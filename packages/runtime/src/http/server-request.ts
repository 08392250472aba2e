import { createBrand, isInstance } from "../errors.js";
import type {
  AnsweringFunction,
  CallMeasurements,
  DisconnectedBy,
  OnError,
  SafeCallObservation,
  ServerIncident,
} from "../observe/events.js";
import type { LimitError } from "../server-limits.js";
import type { ClientCertificate } from "./client-certificate.js";
import { findHeader, type HeaderLine, type ParsedHeaders, parseHeaders } from "./headers.js";

/**
 * A request as received: nothing is decoded, merged or trimmed. Adapters create this object from their platform's
 * request, so that all other code depends neither on sockets nor on the web's `Request`.
 */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** The header lines as received, one entry per line. */
  readonly headers: readonly HeaderLine[];
  /** The body, which can be read only once. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the request came over TLS. */
  readonly secure?: boolean;
  /** The version of HTTP of the connection, such as `1.1` or `2.0`, if known. Used only in events. */
  readonly httpVersion?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** The certificate of the client, if the server asks for certificates and accepts this one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * The time at which the request's headers had arrived, by `performance.now()`. Used only in events, and set only if
   * the request had to wait for earlier requests.
   */
  readonly receivedAt?: number | undefined;
  /** The time, by `performance.now()`, at which the client disconnected before the complete answer was sent. */
  readonly disconnectedAt?: number | undefined;
  /** Who closed the connection, if it was closed before the complete answer was sent. */
  readonly disconnectedBy?: DisconnectedBy | undefined;
  /** The size of the answer's body in bytes. 0 until the adapter has begun to write the body. */
  readonly answerBytes?: number | undefined;
  /**
   * The status with which the server itself ended the request, if it did so before a route answered. The server has
   * already reported the reason.
   */
  readonly abortStatus?: number | undefined;
  /** Whether the server is stopping and accepts requests only for a short time. */
  readonly draining?: boolean | undefined;
  /** The time, by `performance.now()`, before which the platform requires an answer. */
  readonly answerBefore?: number | undefined;
  /**
   * Calls `done` once: with the number of bytes when the answer has been written, or with undefined when the client has
   * disconnected. `status` is the status that was sent; undefined if none was sent.
   * If the adapter lacks this method, a call counts as ended when its answer is known.
   */
  whenWritten?(done: (bytes: number | undefined, status?: number) => void): void;
  /** Called by the router with the `ParsedRequest` that it passes to the routes. */
  setParsedRequest?(request: ParsedRequest): void;
}

/** The members of an incident that are copied from the request, as far as they are known. */
export type RequestSource = Pick<
  ServerIncident,
  "requestId" | "operation" | "route" | "protocol" | "method" | "address" | "remoteAddress"
>;

/** The body of a request, with limits on its size and on the time that it takes to arrive. */
export interface LimitedBody extends AsyncIterable<Uint8Array> {
  /** The limit that the body exceeded, if any. */
  readonly refusal: LimitError | undefined;
  /** Whether the connection was closed while the body was being read. */
  readonly isCutOff: boolean;
  /** Whether other code had paused the body when it was refused. */
  readonly isHeld: boolean;
  /** The number of bytes that have arrived. */
  readonly receivedBytes: number;
  /** The milliseconds since reading began, without the time for which this process could not run; 0 before. */
  readonly elapsedTime: number;
  /** The milliseconds since bytes arrived last, without the time for which this process could not run. */
  readonly idleTime: number;
  /** Set if a route needed the body, but other code, such as a body parser, had already read it. */
  readonly usedBodyError: Error | undefined;
  /**
   * Counts the bytes of the body toward the limit `arrivingBytes`. Code that keeps the body in memory must call this
   * method before it reads the body.
   */
  keep(): void;
}

/** What a request uses of the limits of its router: its body and its memory. */
export interface RequestUsage {
  /** The request's body, which fails when a limit is exceeded. Undefined if the body arrived with the head. */
  readonly body: LimitedBody | undefined;
  /**
   * Sets the memory that the request takes, in bytes. Throws `DisconnectError` if all requests together then exceed the
   * limit `inFlightBytes`. The router then replaces the answer of the routes. Throws `LimitError` if the request alone
   * exceeds this limit.
   */
  countMemory(bytes: number): void;
  /** The limit that the request has exceeded while its body arrived or was read, unless routes answer it. */
  readonly refusal: LimitError | undefined;
  /** Called by the router when the answer is known. Stops counting the request. */
  end(): void;
}

/** The options of the router that affect how it reads the head of a request. */
export interface ParsedRequestOptions {
  readonly onError?: OnError | undefined;
  /** The name of the header that contains the request's id, in lower case. Default `x-request-id`. */
  readonly requestIdHeader?: string | undefined;
  /** Whether compressed bodies are accepted. Default false. */
  readonly acceptsCompressed?: boolean | undefined;
  /**
   * Returns a sentence for the operator that says why the address of a request is that of a trusted proxy. Returns
   * undefined if it is another address.
   */
  readonly explainListedAddress?: ((request: ParsedRequest) => string | undefined) | undefined;
}

/**
 * Collects the facts about a call while a server answers it, for incidents and for the call's event. The router creates
 * it; routes add the facts as they learn them.
 */
export class CallRecord {
  /** The operation or endpoint, once it is known. */
  operation: string | undefined;
  /** The service, if the request matches its address. */
  service: string | undefined;
  protocol: string | undefined;
  /** For REST: the route's key in the index. */
  route: string | undefined;
  /** The result of the option `authenticate`. */
  principal: unknown;
  error: ServerIncident | undefined;
  /** The function of the option `use` that made the answer. Undefined if the handler made it. */
  answeredBy: AnsweringFunction | undefined;
  observation: SafeCallObservation | undefined;
  /**
   * Whether a rate limit does not count the request, because it is a CORS preflight. Such a request must not call the
   * functions of the options, except `allowOrigin`.
   */
  isUncounted: boolean;
  /** Exists only if calls are observed. */
  readonly measurements: CallMeasurements | undefined;

  constructor(measurements?: CallMeasurements) {
    this.operation = undefined;
    this.service = undefined;
    this.protocol = undefined;
    this.route = undefined;
    this.principal = undefined;
    this.error = undefined;
    this.answeredBy = undefined;
    this.observation = undefined;
    this.isUncounted = false;
    this.measurements = measurements;
  }
}

/** What the router and the routes share about one request. */
export interface ParsedRequestParts {
  /** Default: a new record. */
  readonly record?: CallRecord | undefined;
  /** Undefined if no router limits the request. */
  readonly usage?: RequestUsage | undefined;
  /** Default: the id in the request's header, or a new id. */
  readonly id?: string | undefined;
  /** Default: the body with the limits of the router, or else the body as received. */
  readonly body?: AsyncIterable<Uint8Array> | undefined;
}

/** A request that the server makes itself to answer another request. */
interface InnerRequest {
  readonly target: string;
  /** Default: the signal of the other request. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Default: a new record, so that neither the operation nor an incident of this request appears in the event of the
   * other one.
   */
  readonly record?: CallRecord | undefined;
}

/** Describes, for operators, why a compressed body was refused. */
export function describeCompression({ contentEncoding = "" }: Pick<ParsedHeaders, "contentEncoding">): string {
  return compressions.has(contentEncoding)
    ? 'The body is compressed. To accept gzip and deflate, set the option "compressedRequests" of the server.'
    : 'The body has an unsupported encoding. With the option "compressedRequests" of the server, it accepts gzip and deflate.';
}

/** The formats of `DecompressionStream` that every platform supports. */
export type Compression = "gzip" | "deflate";

/** The supported compression formats, by the name of their content encoding (RFC 9110 §8.4.1). */
const compressions: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

const defaultOptions: ParsedRequestOptions = {};

/**
 * A request whose target has been split and whose headers have been read. The router creates it once for all routes. It
 * does not change; `record` collects what the routes learn about the call.
 */
export class ParsedRequest implements ServerRequest {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("ParsedRequest");
  static [Symbol.hasInstance] = isInstance;
  readonly method: string;
  readonly target: string;
  /**
   * The target before `?`, percent-encoded as received. If the target is a URL, user name and password are left out.
   */
  readonly path: string;
  /** The target after `?`, percent-encoded as received. */
  readonly query: string;
  readonly headers: readonly HeaderLine[];
  readonly parsedHeaders: ParsedHeaders;
  /**
   * The compression of the body; undefined if the body is not compressed, or the router accepts no compressed bodies.
   */
  readonly compression: Compression | undefined;
  /** Collects the facts about the call. */
  readonly record: CallRecord;
  /** Limits the body and the memory of the request. Undefined if no router has received the request. */
  readonly usage: RequestUsage | undefined;
  readonly #request: ServerRequest;
  readonly #options: ParsedRequestOptions;
  /** The body that routes read instead of the received body. */
  readonly #body: AsyncIterable<Uint8Array> | undefined;
  #id: string | undefined;

  constructor(
    request: ServerRequest,
    options: ParsedRequestOptions = defaultOptions,
    { record = new CallRecord(), usage, id, body = usage?.body }: ParsedRequestParts = {},
  ) {
    const { method, target, headers } = request;
    const queryMark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = parseAddressOfTarget(target, queryMark);
    this.query = queryMark < 0 ? "" : target.slice(queryMark + 1);
    this.headers = headers;
    const parsedHeaders = parseHeaders(headers);
    this.compression =
      options.acceptsCompressed === true ? compressions.get(parsedHeaders.contentEncoding ?? "") : undefined;
    this.parsedHeaders = this.compression === undefined ? parsedHeaders : { ...parsedHeaders, isCompressed: false };
    this.record = record;
    this.usage = usage;
    this.#request = request;
    this.#options = options;
    this.#id = id;
    this.#body = body;
  }

  /** The router's hook `onError`. It receives the incidents of routes without their own `onError`. */
  get onError(): OnError | undefined {
    return this.#options.onError;
  }

  /** The id in the request's header if this id is printable ASCII without spaces, otherwise a new id. */
  get id(): string {
    if (this.#id === undefined) {
      const receivedId = findHeader(this.headers, this.#options.requestIdHeader ?? "x-request-id");
      this.#id = receivedId !== undefined && /^[\x21-\x7e]{1,128}$/.test(receivedId) ? receivedId : createRequestId();
    }
    return this.#id;
  }

  get disconnectedAt(): number | undefined {
    return this.#request.disconnectedAt;
  }

  get disconnectedBy(): DisconnectedBy | undefined {
    return this.#request.disconnectedBy;
  }

  /** The number of bytes in the body of an answer that the adapter has begun to write. */
  get answerBytes(): number | undefined {
    return this.#request.answerBytes || undefined;
  }

  get abortStatus(): number | undefined {
    return this.#request.abortStatus;
  }

  get draining(): boolean {
    return this.#request.draining === true;
  }

  get answerBefore(): number | undefined {
    return this.#request.answerBefore;
  }

  /** Whether the adapter reports when an answer has been written. */
  get knowsWhenWritten(): boolean {
    return this.#request.whenWritten !== undefined;
  }

  /** Calls `done` when the answer has been written, or at once if the adapter does not support `whenWritten`. */
  whenWritten(done: (bytes: number | undefined, status?: number) => void): void {
    if (this.#request.whenWritten === undefined) {
      done(undefined);
    } else {
      this.#request.whenWritten(done);
    }
  }

  get body(): ServerRequest["body"] {
    return this.#body ?? this.#request.body;
  }

  /** Returns this request with another body, which reads the body of this request. */
  withBody(body: AsyncIterable<Uint8Array>): ParsedRequest {
    const { id, record, usage } = this;
    return new ParsedRequest(this, this.#options, { record, usage, id, body });
  }

  /**
   * Returns a GET request for another address of this server, which the server makes itself to answer this request. Its
   * incidents have the id of this request, and reach the same hook.
   */
  createInnerRequest({ target, signal = this.signal, record }: InnerRequest): ParsedRequest {
    const { secure, httpVersion, remoteAddress, answerBefore } = this;
    const headers = this.headers.filter(([name]) => !/^content-/i.test(name));
    const body = new Uint8Array();
    const outerRequest = this.#request;
    const innerRequest: ServerRequest = {
      ...{ method: "GET", target, headers, body, signal, secure, httpVersion, remoteAddress, answerBefore },
      get disconnectedAt() {
        return outerRequest.disconnectedAt;
      },
      get disconnectedBy() {
        return outerRequest.disconnectedBy;
      },
      get abortStatus() {
        return outerRequest.abortStatus;
      },
      get clientCertificate() {
        return outerRequest.clientCertificate;
      },
    };
    return new ParsedRequest(innerRequest, this.#options, { id: this.id, record });
  }

  get secure(): boolean {
    return this.#request.secure === true;
  }

  get httpVersion(): string | undefined {
    return this.#request.httpVersion;
  }

  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#request.clientCertificate;
  }

  /**
   * A sentence for the operator that says why `remoteAddress` is the address of a trusted proxy. Undefined if it is
   * another address, which may be that of a client.
   */
  get listedAddressReason(): string | undefined {
    return this.#options.explainListedAddress?.(this);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/**
 * Returns the target of a request without its query. If the target is a URL (RFC 9112 §3.2), user name and password are
 * left out too.
 */
export function parseAddressOfTarget(target: string, queryMark = target.indexOf("?")): string {
  const address = queryMark < 0 ? target : target.slice(0, queryMark);
  return address.startsWith("/") ? address : address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

/**
 * Matches a segment `.` or `..` in a path, also if it is escaped. A path with such a segment matches no route, not even
 * if the segment is in the value of a variable, because proxies remove these segments, and so see another path.
 */
const dotSegment = /(?:[\\/]|%2f|%5c)(?:\.|%2e){1,2}(?:[\\/;]|%2f|%5c|$)/i;

/** Whether a path has a segment `.` or `..`, also if it is escaped. */
export function hasDotSegments(path: string): boolean {
  return dotSegment.test(path);
}

/**
 * The random start of new request ids, each of which ends with a six-digit number. Empty until the first id is created.
 */
let idStart = "";
let lastNumber = 999_999;

/**
 * Creates a UUID of version 8 (RFC 9562 §5.8) from a random start and a decimal number. `randomUUID` takes 0.3 µs
 * longer, because it creates new random bytes for each id; a hexadecimal number takes 0.2 µs longer.
 */
function createRequestId(): string {
  if (lastNumber === 999_999) {
    idStart = createIdStart();
    lastNumber = 99_999;
  }
  lastNumber += 1;
  return `${idStart}${lastNumber}`;
}

/** Creates a UUID of version 8 without its last six digits. */
function createIdStart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const randomDigits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${randomDigits.slice(0, 8)}-${randomDigits.slice(8, 12)}-8${randomDigits.slice(12, 15)}-a${randomDigits.slice(15, 18)}-${randomDigits.slice(18)}`;
}

/**
 * Returns the request unchanged if a router created it, even a router in another copy of this package. Wraps any other
 * request in a `ParsedRequest`.
 */
export function toParsedRequest(request: ServerRequest): ParsedRequest {
  // Compares constructors first, because `instanceof` searches the prototype chain, and this function runs for each set
  // of routes.
  return request.constructor === ParsedRequest || request instanceof ParsedRequest
    ? (request as ParsedRequest)
    : new ParsedRequest(request);
}
