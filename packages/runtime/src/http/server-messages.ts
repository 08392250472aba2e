import { createBrand, isInstance } from "../errors.js";
import type { CallRecord, OnError, ServerIncident } from "../observe/events.js";
import type { LimitError } from "../server-limits.js";

/**
 * The requests and answers of a server. The core uses plain objects: an adapter turns a platform's request into a `ServerRequest`
 * and writes the `ServerAnswer`. The router wraps the request in a `RoutedRequest`, which splits the target and reads the headers
 * once. Nothing in this module depends on sockets or on web `Request`s.
 */

/** One request as received: nothing is decoded, merged or trimmed. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** The header lines as received, one entry for each. */
  readonly headers: readonly HeaderLine[];
  /** The body, which can be read only once. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the request came over TLS. */
  readonly secure?: boolean;
  readonly remoteAddress?: string | undefined;
  /**
   * The time at which the head had arrived, by `performance.now()`. Only needed for events, and only if the request had to wait.
   */
  readonly receivedAt?: number | undefined;
  /** The time at which the client disconnected before its answer was complete, by `performance.now()`. */
  readonly disconnectedAt?: number | undefined;
  /** The size of the answer's body, once the adapter has begun to write it; before that, 0. */
  readonly answerBytes?: number | undefined;
  /** The status of the answer if the server itself ended the request before it was answered, and has reported the reason. */
  readonly abortStatus?: number | undefined;
  /** Whether the server is stopping and accepts requests only for a short time. */
  readonly draining?: boolean | undefined;
  /**
   * Calls `done` once: with the number of bytes when the answer has been written, or with undefined when the client has
   * disconnected. `status` is the status that was sent, if a framework may have changed it. If the adapter lacks this method, a call
   * counts as ended when its answer is known.
   */
  whenWritten?(done: (bytes: number | undefined, status?: number) => void): void;
  /** Called by the router with the request that it passes to the routes. */
  setRouted?(request: RoutedRequest): void;
}

/** The known facts about a request, for incidents. */
export type RequestSource = Pick<
  ServerIncident,
  "requestId" | "operation" | "route" | "protocol" | "method" | "address" | "remoteAddress"
>;

export type HeaderLine = readonly [name: string, value: string];

export interface ServerAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** A string is written as UTF-8; undefined means no body. */
  readonly body: Uint8Array | string | undefined;
  /** The code of the fault or error in the body, for events. */
  readonly faultCode?: string | undefined;
  /** Whether to close the connection after this answer, for example because the request was not read completely. */
  readonly close?: boolean;
}

/** Returns a short HTML page, for errors outside any protocol. */
export function createPlainAnswer(status: number, text: string): ServerAnswer {
  return {
    status,
    headers: [["Content-Type", "text/html; charset=utf-8"]],
    body: `<!DOCTYPE html>\n<title>${status}</title>\n<p>${text}</p>\n`,
  };
}

/** A body that must arrive within limits. */
export interface LimitedBody extends AsyncIterable<Uint8Array> {
  /** The limit that the body exceeded, if any. */
  readonly refusal: LimitError | undefined;
  /** Whether the connection was closed while the body was read. */
  readonly isCutOff: boolean;
  /** The number of bytes that have arrived. */
  readonly receivedBytes: number;
  /** The error if routes needed a body that other code, such as a body parser, had read before. */
  readonly usedBodyError: Error | undefined;
  /**
   * Counts the bytes toward the limit `arrivingBytes`. Must be called before reading by code that keeps the bytes in memory.
   */
  keep(): void;
  /** Called when the request is answered. Returns whether the request was in flight. */
  end(): boolean;
}

export interface RoutedRequestOptions {
  readonly onError?: OnError | undefined;
  /** The name of the header that contains the request's id, in lower case. Default `x-request-id`. */
  readonly requestIdHeader?: string | undefined;
  /** Whether compressed bodies are accepted. Default false. */
  readonly acceptsCompressed?: boolean | undefined;
}

/** Returns the reason for refusing a compressed body, for operators. */
export function describeCompression({ contentEncoding = "" }: Pick<ParsedHeaders, "contentEncoding">): string {
  return compressions.has(contentEncoding)
    ? 'The body is compressed. To accept gzip and deflate, set the option "compressedRequests".'
    : 'The body is compressed, but neither with gzip nor with deflate. Servers accept no other encodings, and these two only with the option "compressedRequests".';
}

/** The formats of `DecompressionStream` that every platform supports. */
export type Compression = "gzip" | "deflate";

/** The supported compressions by content encoding (RFC 9110 §8.4.1). */
const compressions: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** A request with its target split and its headers read, once for the router and all routes. */
export class RoutedRequest implements ServerRequest {
  static readonly brand: symbol = /* @__PURE__ */ createBrand("RoutedRequest");
  static [Symbol.hasInstance] = isInstance;
  readonly method: string;
  readonly target: string;
  /** The target before `?`, percent-encoded as received. If the target is a URL, user name and password are left out. */
  readonly path: string;
  /** The target after `?`, percent-encoded as received. */
  readonly query: string;
  readonly headers: readonly HeaderLine[];
  readonly parsedHeaders: ParsedHeaders;
  /** The compression of the body; undefined if the body is not compressed, or the router accepts no compressed bodies. */
  readonly compression: Compression | undefined;
  /** The request's body, which fails when a limit is exceeded. Routes read it instead of the original body. Set by the router. */
  limitedBody: LimitedBody | undefined;
  /** Collects the facts about the call for its event. Set by the router if calls are observed. */
  record: CallRecord | undefined;
  /** The operation or endpoint, once it is known. */
  operation: string | undefined;
  /** The result of the option `authenticate`; undefined before it is called. */
  authentication: { readonly principal: unknown } | undefined;
  /** The router's hook, which receives the incidents of routes without a hook. */
  readonly onError: OnError | undefined;
  readonly #request: ServerRequest;
  readonly #idHeader: string;
  #id: string | undefined;

  constructor(
    request: ServerRequest,
    { onError, requestIdHeader = "x-request-id", acceptsCompressed }: RoutedRequestOptions = {},
  ) {
    const { method, target, headers } = request;
    const queryMark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = parseAddressOfTarget(target, queryMark);
    this.query = queryMark < 0 ? "" : target.slice(queryMark + 1);
    this.headers = headers;
    const parsedHeaders = parseHeaders(headers);
    this.compression = acceptsCompressed === true ? compressions.get(parsedHeaders.contentEncoding ?? "") : undefined;
    this.parsedHeaders = this.compression === undefined ? parsedHeaders : { ...parsedHeaders, isCompressed: false };
    this.onError = onError;
    this.#request = request;
    this.#idHeader = requestIdHeader;
  }

  /** The id in the request's header if it is printable ASCII without spaces, otherwise a new one. */
  get id(): string {
    if (this.#id === undefined) {
      const receivedId = findHeader(this.headers, this.#idHeader);
      this.#id = receivedId !== undefined && /^[\x21-\x7e]{1,128}$/.test(receivedId) ? receivedId : createRequestId();
    }
    return this.#id;
  }

  get disconnectedAt(): number | undefined {
    return this.#request.disconnectedAt;
  }

  /** The size of an answer that the adapter has begun to write. */
  get answerBytes(): number | undefined {
    return this.#request.answerBytes || undefined;
  }

  get abortStatus(): number | undefined {
    return this.#request.abortStatus;
  }

  get draining(): boolean {
    return this.#request.draining === true;
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
    return this.limitedBody ?? this.#request.body;
  }

  get secure(): boolean {
    return this.#request.secure === true;
  }

  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/**
 * Returns the target of a request without its query. If it is a URL (RFC 9112 §3.2), user name and password are left out too.
 */
export function parseAddressOfTarget(target: string, queryMark = target.indexOf("?")): string {
  const address = queryMark < 0 ? target : target.slice(0, queryMark);
  return address.startsWith("/") ? address : address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

/** The random start of new request ids, which end with a number of six digits. Empty until the first id is created. */
let idStart = "";
let lastNumber = 999_999;

/**
 * Creates a UUID of version 8 (RFC 9562 §5.8): a random start and a decimal number. `randomUUID` takes 0.3 µs longer, because it
 * creates new random bytes for each id; a hexadecimal number takes 0.2 µs longer.
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
 * Returns the request unchanged if it comes from a router. The router may belong to another copy of this package. Wraps any other
 * request.
 */
export function createRoutedRequest(request: ServerRequest): RoutedRequest {
  // Compares constructors first, because `instanceof` searches the prototype chain, and this function runs for each set of routes.
  return request.constructor === RoutedRequest || request instanceof RoutedRequest
    ? (request as RoutedRequest)
    : new RoutedRequest(request);
}

/** The headers that servers need for every request; undefined if the header is absent. */
export interface ParsedHeaders {
  /** The size of all header lines in bytes. */
  readonly headerBytes: number;
  /** The number of `Host` lines. */
  readonly hostCount: number;
  /** The value of the last `Host` line. */
  readonly host: string | undefined;
  /** The value of `Transfer-Encoding` in lower case; of several lines, the first that is not `chunked`. */
  readonly transferEncoding: string | undefined;
  /** The value of `Content-Type`; undefined if there are several lines. */
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  /**
   * Whether the body is compressed. The router refuses compressed bodies unless an option accepts them, because the byte limit
   * would not limit the decompressed size.
   */
  readonly isCompressed: boolean;
  /** The encoding of a compressed body, in lower case. */
  readonly contentEncoding: string | undefined;
  readonly soapAction: string | undefined;
  readonly origin: string | undefined;
  readonly hasCookie: boolean;
  readonly hasAuthorization: boolean;
  /** Whether `Authorization` has a scheme whose credentials browsers store, and add to requests of other sites' pages too. */
  readonly hasStoredCredentials: boolean;
  readonly acceptEncoding: string | undefined;
  readonly connection: string | undefined;
  /** Whether the request has headers that proxies set, such as `X-Forwarded-For`. */
  readonly isForwarded: boolean;
}

/** The schemes for which browsers ask their users for a password and keep it, or log in with the account of the system. */
const storedSchemePattern = /^\s*(?:basic|digest|negotiate|ntlm)(?:\s|$)/i;

/**
 * Reads the headers in one pass. Lines with the same name are joined with commas (RFC 9110 §5.2). Names are compared only if they
 * have the length of a known header. This function is long because alternatives are slower. It takes 160 ns for a SOAP request and
 * 270 ns for a browser's; a `switch` over lower-case names adds 20 and 60 ns, a table of functions by name adds 240 and 290 ns.
 */
export function parseHeaders(lines: readonly HeaderLine[]): ParsedHeaders {
  let headerBytes = 0;
  let hostCount = 0;
  let host: string | undefined;
  let transferEncoding: string | undefined;
  let contentTypeCount = 0;
  let contentType: string | undefined;
  let contentLength: number | undefined;
  let contentEncoding: string | undefined;
  let soapAction: string | undefined;
  let origin: string | undefined;
  let hasCookie = false;
  let hasAuthorization = false;
  let hasStoredCredentials = false;
  let acceptEncoding: string | undefined;
  let connection: string | undefined;
  let isForwarded = false;
  for (const [name, value] of lines) {
    // Counts 4 more bytes for ": " and the line break.
    headerBytes += name.length + value.length + 4;
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") {
          hostCount++;
          host = value;
        }
        break;
      case 6:
        if (name.toLowerCase() === "origin") {
          origin = joinValues(origin, value);
        } else if (name.toLowerCase() === "cookie") {
          hasCookie = true;
        }
        break;
      case 9:
        if (name.toLowerCase() === "forwarded") {
          isForwarded = true;
        }
        break;
      case 10:
        if (name.toLowerCase() === "soapaction") {
          soapAction = joinValues(soapAction, value);
        } else if (name.toLowerCase() === "connection") {
          connection = joinValues(connection, value);
        }
        break;
      case 12:
        if (name.toLowerCase() === "content-type") {
          contentTypeCount++;
          contentType = value;
        }
        break;
      case 13:
        if (name.toLowerCase() === "authorization") {
          hasAuthorization = true;
          hasStoredCredentials ||= storedSchemePattern.test(value);
        }
        break;
      case 14:
        if (name.toLowerCase() === "content-length") {
          contentLength = Number(value);
        }
        break;
      case 15:
        if (name.toLowerCase() === "accept-encoding") {
          acceptEncoding = joinValues(acceptEncoding, value);
        } else if (name.toLowerCase() === "x-forwarded-for") {
          isForwarded = true;
        }
        break;
      case 16:
        if (name.toLowerCase() === "content-encoding") {
          contentEncoding = joinValues(contentEncoding, value);
        } else if (name.toLowerCase() === "x-forwarded-host") {
          isForwarded = true;
        }
        break;
      case 17:
        if (
          name.toLowerCase() === "transfer-encoding" &&
          (transferEncoding === undefined || transferEncoding === "chunked")
        ) {
          transferEncoding = value.trim().toLowerCase();
        } else if (name.toLowerCase() === "x-forwarded-proto") {
          isForwarded = true;
        }
        break;
    }
  }
  const coding = contentEncoding?.trim().toLowerCase() ?? "";
  return {
    headerBytes,
    hostCount,
    host,
    transferEncoding,
    contentType: contentTypeCount === 1 ? contentType : undefined,
    contentLength,
    contentEncoding: coding === "" ? undefined : coding,
    isCompressed: coding !== "" && coding !== "identity",
    soapAction,
    origin,
    hasCookie,
    hasAuthorization,
    hasStoredCredentials,
    acceptEncoding,
    connection,
    isForwarded,
  };
}

/** Returns the header lines by lower-case name. Lines with the same name are joined with commas (RFC 9110 §5.2). */
export function createHeaderMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    headers.set(key, joinValues(headers.get(key), value));
  }
  return headers;
}

/** Returns the value of a header, whose lines are joined with commas. `name` is in lower case. */
export function findHeader(lines: readonly HeaderLine[], name: string): string | undefined {
  let values: string | undefined;
  for (const [key, value] of lines) {
    if (key.length === name.length && key.toLowerCase() === name) {
      values = joinValues(values, value);
    }
  }
  return values;
}

function joinValues(earlierValue: string | undefined, value: string): string {
  return earlierValue === undefined ? value : `${earlierValue}, ${value}`;
}

/** Prevents browsers from guessing another content type, such as HTML. */
export const nosniff: HeaderLine = ["X-Content-Type-Options", "nosniff"];
/**
 * Prevents browsers from showing XML as a page and from running scripts in it. Allows inline styles and data: images, which
 * Chrome's XML viewer needs.
 */
export const inertXml: readonly HeaderLine[] = [
  nosniff,
  ["Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"],
];

/** The content encodings that servers can write (RFC 9110 §8.4.1). */
export type AnswerEncoding = "gzip" | "br";

/**
 * Returns the encoding for an answer, from an `Accept-Encoding` header (RFC 9110 §12.5.3): the supported encoding with the highest
 * weight, and the first of several with this weight. Returns undefined if the header is absent or accepts none.
 */
export function chooseEncoding(
  header: string | undefined,
  supportedEncodings: readonly AnswerEncoding[],
): AnswerEncoding | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Most `Accept-Encoding` headers have no weights, and are read by a faster function.
  const weights = header.includes(";") || header.includes("*") ? parseWeights(header) : readEqualWeights(header);
  let chosenEncoding: AnswerEncoding | undefined;
  let highestWeight = 0;
  for (const encoding of supportedEncodings) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight > highestWeight) {
      chosenEncoding = encoding;
      highestWeight = weight;
    }
  }
  return chosenEncoding;
}

function readEqualWeights(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(",").map((item) => [parseCoding(item), 1]));
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [coding = "", ...parameters] = item.split(";");
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    weights.set(parseCoding(coding), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

function parseCoding(text: string): string {
  const coding = text.trim().toLowerCase();
  return coding === "x-gzip" ? "gzip" : coding;
}
