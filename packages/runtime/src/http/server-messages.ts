import { brandOf, isInstance } from "../errors.js";
import type { CallRecord, OnError } from "../observe/events.js";
import type { LimitError } from "../server-limits.js";

/**
 * The requests and answers of a server. The core uses plain objects: an adapter turns a platform's request into a `ServerRequest`
 * and writes the `ServerAnswer`. The router wraps it in a `RoutedRequest`, which splits the target and reads the headers once.
 * Nothing here depends on sockets or on web `Request`s.
 */

/** One request as received: nothing is decoded, merged or trimmed. */
export interface ServerRequest {
  readonly method: string;
  /** Path and query as received, percent-encoded: `/api/reg.asmx/CheckUSA?State=NY`. */
  readonly target: string;
  /** As received, one entry per header line. */
  readonly headers: readonly HeaderLine[];
  /** Read at most once. */
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
  /** Whether the server is stopping and accepts requests only for a short time. */
  readonly draining?: boolean | undefined;
  /**
   * Calls `done` once, with the number of bytes when the answer has been written, or with undefined when the client has
   * disconnected. Without this member, a call counts as ended when its answer is known.
   */
  whenWritten?(done: (bytes: number | undefined) => void): void;
}

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

/** A short HTML page, for errors outside any protocol. */
export function plainAnswer(status: number, text: string): ServerAnswer {
  return {
    status,
    headers: [["Content-Type", "text/html; charset=utf-8"]],
    body: `<!DOCTYPE html>\n<title>${status}</title>\n<p>${text}</p>\n`,
  };
}

/** A body that must arrive within limits. */
export interface LimitedBody extends AsyncIterable<Uint8Array> {
  /** The limit that the body exceeded. */
  readonly refusal: LimitError | undefined;
  /** Called when the request is answered. Returns whether the request was in flight. */
  end(): boolean;
}

export interface RoutedRequestOptions {
  readonly onError?: OnError | undefined;
  /** In lower case. Default `x-request-id`. */
  readonly requestIdHeader?: string | undefined;
  /** Whether compressed bodies are accepted. Default false. */
  readonly compressed?: boolean | undefined;
}

/** The reason for refusing a compressed body, for operators. */
export const compressedReason = "The body is compressed. The option compressedRequests allows gzip and deflate.";

/** The formats of `DecompressionStream` that every platform supports. */
export type Compression = "gzip" | "deflate";

/** By content encoding (RFC 9110 §8.4.1). */
const compressions: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** A request with its target split and its headers read, once for the router and all routes. */
export class RoutedRequest implements ServerRequest {
  static readonly brand: symbol = /* @__PURE__ */ brandOf("RoutedRequest");
  static [Symbol.hasInstance] = isInstance;
  readonly method: string;
  readonly target: string;
  /** The target before `?`, as received; without user information if it is not a path. */
  readonly path: string;
  /** The target after `?`, as received. */
  readonly query: string;
  readonly headers: readonly HeaderLine[];
  readonly parsedHeaders: ParsedHeaders;
  /** The compression of the body; undefined if it is not compressed, or if the router does not accept that. */
  readonly compression: Compression | undefined;
  /** Replaces the request's body while it arrives. Set by the router. */
  arriving: LimitedBody | undefined;
  /** Set by the router if calls are observed. */
  record: CallRecord | undefined;
  /** The result of the option `authenticate`; undefined before it is called. */
  authentication: { readonly principal: unknown } | undefined;
  /** The router's hook, which receives the incidents of routes without a hook. */
  readonly onError: OnError | undefined;
  readonly #request: ServerRequest;
  readonly #idHeader: string;
  #id: string | undefined;

  constructor(
    request: ServerRequest,
    { onError, requestIdHeader = "x-request-id", compressed }: RoutedRequestOptions = {},
  ) {
    const { method, target, headers } = request;
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.path = addressOfTarget(target, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.headers = headers;
    const parsed = parseHeaders(headers);
    this.compression = compressed === true ? compressions.get(parsed.contentEncoding ?? "") : undefined;
    this.parsedHeaders = this.compression === undefined ? parsed : { ...parsed, isCompressed: false };
    this.onError = onError;
    this.#request = request;
    this.#idHeader = requestIdHeader;
  }

  /** The id in the request's header if it is printable ASCII without spaces, otherwise a new one. */
  get id(): string {
    if (this.#id === undefined) {
      const received = headerValue(this.headers, this.#idHeader);
      this.#id = received !== undefined && /^[\x21-\x7e]{1,128}$/.test(received) ? received : newRequestId();
    }
    return this.#id;
  }

  get draining(): boolean {
    return this.#request.draining === true;
  }

  /** Whether `whenWritten` is supported. */
  get knowsWhenWritten(): boolean {
    return this.#request.whenWritten !== undefined;
  }

  /** Calls `done` when the answer has been written, or at once if the adapter does not report that. */
  whenWritten(done: (bytes: number | undefined) => void): void {
    if (this.#request.whenWritten === undefined) {
      done(undefined);
    } else {
      this.#request.whenWritten(done);
    }
  }

  get body(): ServerRequest["body"] {
    return this.arriving ?? this.#request.body;
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

/** The target of a request without its query and, if it is a URL, without the user and password in it (RFC 9112 §3.2). */
export function addressOfTarget(target: string, mark = target.indexOf("?")): string {
  const address = mark < 0 ? target : target.slice(0, mark);
  return address.startsWith("/") ? address : address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1");
}

/** The random start of the next ids, and the number of the last one, which has six digits. */
let idStart = "";
let lastId = 999_999;

/**
 * A UUID of version 8 (RFC 9562 §5.8): a random start and a number. `randomUUID` takes 0.3 µs longer, for its random bytes and the
 * resulting garbage, and a number in base 16 0.2 µs.
 */
function newRequestId(): string {
  if (lastId === 999_999) {
    idStart = newIdStart();
    lastId = 99_999;
  }
  lastId += 1;
  return `${idStart}${lastId}`;
}

/** A UUID of version 8 without its last six digits. */
function newIdStart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${random.slice(0, 8)}-${random.slice(8, 12)}-8${random.slice(12, 15)}-a${random.slice(15, 18)}-${random.slice(18)}`;
}

/**
 * The request as passed by the router, which may belong to another copy of this package; a new one for a request that did not
 * pass a router.
 */
export function routedRequest(request: ServerRequest): RoutedRequest {
  // `instanceof` walks the prototype chain for the brand, and this runs for each set of routes.
  return request.constructor === RoutedRequest || request instanceof RoutedRequest
    ? (request as RoutedRequest)
    : new RoutedRequest(request);
}

/** The headers that servers need for every request. Undefined means absent. */
export interface ParsedHeaders {
  /** The size of all header lines. */
  readonly headerBytes: number;
  /** The number of `Host` lines, and the last one. */
  readonly hosts: number;
  readonly host: string | undefined;
  /** In lower case; if there are several lines, the first that is not `chunked`. */
  readonly transferEncoding: string | undefined;
  /** Undefined if there are several lines. */
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  /**
   * Whether the body is compressed. Such requests are refused unless the router accepts them, because the byte limit would not
   * limit the decompressed size.
   */
  readonly isCompressed: boolean;
  /** The encoding of a compressed body, in lower case. */
  readonly contentEncoding: string | undefined;
  readonly soapAction: string | undefined;
  readonly origin: string | undefined;
  readonly hasCookie: boolean;
  readonly hasAuthorization: boolean;
  readonly acceptEncoding: string | undefined;
  readonly connection: string | undefined;
  /** Whether there are headers that proxies set. */
  readonly isForwarded: boolean;
}

/**
 * Reads the headers in one pass. Lines with the same name are joined with commas (RFC 9110 §5.2). Names are compared only if they
 * have the length of a known header. This function is long because the alternatives are slower: of 160 ns for a SOAP request and
 * 270 ns for one of a browser, a `switch` over lower-case names adds 20 and 60 ns, a table of functions by name 240 and 290 ns.
 */
export function parseHeaders(lines: readonly HeaderLine[]): ParsedHeaders {
  let headerBytes = 0;
  let hosts = 0;
  let host: string | undefined;
  let transferEncoding: string | undefined;
  let contentTypes = 0;
  let contentType: string | undefined;
  let contentLength: number | undefined;
  let contentEncoding: string | undefined;
  let soapAction: string | undefined;
  let origin: string | undefined;
  let hasCookie = false;
  let hasAuthorization = false;
  let acceptEncoding: string | undefined;
  let connection: string | undefined;
  let isForwarded = false;
  for (const [name, value] of lines) {
    // Each line also has ": " and CRLF.
    headerBytes += name.length + value.length + 4;
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") {
          hosts++;
          host = value;
        }
        break;
      case 6:
        if (name.toLowerCase() === "origin") {
          origin = joined(origin, value);
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
          soapAction = joined(soapAction, value);
        } else if (name.toLowerCase() === "connection") {
          connection = joined(connection, value);
        }
        break;
      case 12:
        if (name.toLowerCase() === "content-type") {
          contentTypes++;
          contentType = value;
        }
        break;
      case 13:
        if (name.toLowerCase() === "authorization") {
          hasAuthorization = true;
        }
        break;
      case 14:
        if (name.toLowerCase() === "content-length") {
          contentLength = Number(value);
        }
        break;
      case 15:
        if (name.toLowerCase() === "accept-encoding") {
          acceptEncoding = joined(acceptEncoding, value);
        } else if (name.toLowerCase() === "x-forwarded-for") {
          isForwarded = true;
        }
        break;
      case 16:
        if (name.toLowerCase() === "content-encoding") {
          contentEncoding = joined(contentEncoding, value);
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
    hosts,
    host,
    transferEncoding,
    contentType: contentTypes === 1 ? contentType : undefined,
    contentLength,
    contentEncoding: coding === "" ? undefined : coding,
    isCompressed: coding !== "" && coding !== "identity",
    soapAction,
    origin,
    hasCookie,
    hasAuthorization,
    acceptEncoding,
    connection,
    isForwarded,
  };
}

/** Header lines by lower-case name; lines with the same name are joined with commas (RFC 9110 §5.2). */
export function headerMap(lines: readonly HeaderLine[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    headers.set(key, joined(headers.get(key), value));
  }
  return headers;
}

/** The value of a header, whose lines are joined with commas. `name` is in lower case. */
export function headerValue(lines: readonly HeaderLine[], name: string): string | undefined {
  let found: string | undefined;
  for (const [key, value] of lines) {
    if (key.length === name.length && key.toLowerCase() === name) {
      found = joined(found, value);
    }
  }
  return found;
}

function joined(first: string | undefined, value: string): string {
  return first === undefined ? value : `${first}, ${value}`;
}

/** Prevents browsers from showing text as a page. */
export const nosniff: HeaderLine = ["X-Content-Type-Options", "nosniff"];
/**
 * Prevents browsers from showing XML as a page and from running scripts in it. Chrome's XML viewer needs inline styles and data:
 * images.
 */
export const inertXml: readonly HeaderLine[] = [
  nosniff,
  ["Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"],
];

/** The content encodings that servers can write (RFC 9110 §8.4.1). */
export type AnswerEncoding = "gzip" | "br";

/**
 * The encoding for an answer, from an `Accept-Encoding` header (RFC 9110 §12.5.3): the supported encoding with the highest
 * weight, or the first of equal ones. Undefined if the header is absent or accepts none.
 */
export function answerEncoding(
  header: string | undefined,
  supported: readonly AnswerEncoding[],
): AnswerEncoding | undefined {
  if (header === undefined) {
    return undefined;
  }
  // The most frequent headers accept gzip without a weight.
  const weights = header.includes(";") || header.includes("*") ? weightsOf(header) : plainWeights(header);
  let chosen: AnswerEncoding | undefined;
  let highest = 0;
  for (const encoding of supported) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight > highest) {
      chosen = encoding;
      highest = weight;
    }
  }
  return chosen;
}

function plainWeights(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(",").map((item) => [codingOf(item), 1]));
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [coding = "", ...parameters] = item.split(";");
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    weights.set(codingOf(coding), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

function codingOf(text: string): string {
  const coding = text.trim().toLowerCase();
  return coding === "x-gzip" ? "gzip" : coding;
}
