import { findHeader, type HeaderLine } from "../http/headers.js";
import { readMediaType } from "../http/media-type.js";
import type { ServerAnswer } from "../http/server-answer.js";
import { type ParsedRequest, toParsedRequest } from "../http/server-request.js";
import { isPromise } from "../is-promise.js";
import type { OnError, ServerIncident } from "../observe/events.js";
import { report } from "../observe/incidents.js";
import { describeValue } from "../value-problems.js";
import { type Routes, withAnswer } from "./routes.js";

/** Whether a `Host` header contains only a host and an optional port (RFC 9110 §7.2). */
export function isHost(text: string): boolean {
  return /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.test(text);
}

/**
 * Returns the origin of the addresses that clients use. This is the origin of `publicUrl` if that option is set;
 * otherwise, the origin with the request's `Host` if it is known; otherwise, the origin of `configuredAddress`.
 */
export function getOrigin(
  { parsedHeaders, secure }: ParsedRequest,
  publicUrl: string | undefined,
  configuredAddress: string | undefined,
): string {
  if (publicUrl !== undefined) {
    return publicUrl.replace(/\/+$/, "");
  }
  const { host } = parsedHeaders;
  if (host !== undefined && host !== "") {
    return `${secure ? "https" : "http"}://${host}`;
  }
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(configuredAddress ?? "")?.[0] ?? "";
}

/** Settings that determine which origins a server trusts. */
export interface TrustedOrigins {
  /** The configured address of the server. Default: the address in the request's `Host` header. */
  readonly url?: string | undefined;
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
  readonly onError?: OnError | undefined;
}

/**
 * Decides which origins a server trusts. If the function in the option `allowOrigin` throws or returns a promise, the
 * origin is refused, and the failure is reported once for each request.
 */
export class OriginPolicy {
  readonly #origins: TrustedOrigins;
  /** The failures of `allowOrigin` that were reported, by request. */
  readonly #failures = new WeakMap<ParsedRequest, ServerIncident>();

  constructor(origins: TrustedOrigins) {
    this.#origins = origins;
  }

  /** Whether the option `allowOrigin` refuses an origin. False if the option is not set. */
  refuses(origin: string, request: ParsedRequest): boolean {
    return this.#origins.allowOrigin !== undefined && !this.#isAllowed(origin, request);
  }

  /**
   * Returns whether a request comes from a page that the server trusts: one of its own pages, or a page whose origin
   * `allowOrigin` allows. This must be checked because any page can submit a form with the user's cookies, which CORS
   * does not prevent. Browsers send the page's origin with every POST, PUT, PATCH and DELETE. With a GET for a link or
   * an image, they send no origin, but report whether the page belongs to another site. Older browsers do not.
   */
  findPageOrigin(request: ParsedRequest): "none" | "trusted" | "other" {
    const { origin, isCrossSite } = request.parsedHeaders;
    if (origin === undefined) {
      return isCrossSite ? "other" : "none";
    }
    const isTrusted =
      isSingleOrigin(origin) && (isOwnOrigin(origin, request, this.#origins.url) || this.#isAllowed(origin, request));
    return isTrusted ? "trusted" : "other";
  }

  /**
   * If a page that the server does not trust may have caused a request, and the browser may have added credentials,
   * returns the reason for refusing the request, for operators. The reason is absent if it was reported.
   */
  findForgery(request: ParsedRequest): Partial<RefusalReason> | undefined {
    const hasCredentials = request.parsedHeaders.hasCookie || mayHaveStoredPassword(request);
    if (!hasCredentials || this.findPageOrigin(request) !== "other") {
      return undefined;
    }
    const reason =
      'The request has a cookie or a password that a browser may have added, and comes from a page that the option "allowOrigin" does not allow.';
    return this.isFailure(request) ? {} : { reason, details: this.describePage(request) };
  }

  /**
   * Whether `allowOrigin` failed for a request that is refused because of it. The failure was reported, so the refusal
   * must not be reported with another cause. The failure becomes the error of the call's event.
   */
  isFailure(request: ParsedRequest): boolean {
    const failure = this.#failures.get(request);
    if (failure !== undefined) {
      report(this.#origins.onError, failure, request, { isKnown: true });
    }
    return failure !== undefined;
  }

  /** Returns sentences for operators about the untrusted page that caused a request. */
  describePage(request: ParsedRequest): string {
    const { origin, host = "" } = request.parsedHeaders;
    const isComparedWithHost = this.#origins.url === undefined && host !== "" && isKnownOrigin(origin);
    const hasOtherHost = isComparedWithHost && origin?.endsWith(`//${host.toLowerCase()}`) === false;
    return hasOtherHost ? `${describeOrigin(request)} ${describeHost(host)}` : describeOrigin(request);
  }

  /**
   * Whether `allowOrigin` allows an origin. Only the result true allows it; in JavaScript, the function could also
   * return values that are not booleans.
   */
  #isAllowed(origin: string, request: ParsedRequest): boolean {
    const { allowOrigin } = this.#origins;
    if (allowOrigin === undefined) {
      return false;
    }
    try {
      const result: unknown = allowOrigin(origin);
      if (isPromise(result)) {
        result.then(undefined, () => {});
        throw new TypeError("The function returned a promise. It must return true or false.");
      }
      if (typeof result !== "boolean") {
        throw new TypeError(`The function returned ${describeValue(result)}. It must return true or false.`);
      }
      return result;
    } catch (error) {
      this.#reportFailure(error, request);
      return false;
    }
  }

  #reportFailure(error: unknown, request: ParsedRequest): void {
    if (this.#failures.has(request)) {
      return;
    }
    const message = 'The function in the option "allowOrigin" failed, so the origin of the request was refused.';
    const failure: ServerIncident = { kind: "handler", message, error };
    this.#failures.set(request, failure);
    report(this.#origins.onError, failure, request, { endsCall: false });
  }
}

/**
 * Whether a browser may have added a stored password to this request for a page of another origin, without asking the
 * server first. This can be a POST whose media type is that of a form or is absent, and a GET for a link, for an image,
 * or of a script with `credentials: "include"`: the browser adds a stored password after it has decided whether to ask
 * (Fetch §4.3, §4.6). Before any other request, a browser asks the server, and then adds a stored password only if
 * `allowOrigin` allows the origin. A script that knows the password can still send it with JSON or XML.
 */
export function mayHaveStoredPassword({ method, parsedHeaders }: ParsedRequest): boolean {
  const { hasStoredCredentials, contentType, origin } = parsedHeaders;
  if (!hasStoredCredentials) {
    return false;
  }
  return method === "POST" ? mayBeForm(contentType) : unaskedMethods.has(method) || origin === undefined;
}

/** The methods of other requests that a browser may send without asking the server first. */
const unaskedMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Whether a `Content-Type` is that of a form, or names no media type. An empty or invalid value names none. */
function mayBeForm(contentType: string | undefined): boolean {
  const { name } = readMediaType(contentType);
  return name === "" || formTypes.has(name);
}

/** The media types of forms. Pages can send forms to any server without its consent (Fetch §2.2.2). */
const formTypes: ReadonlySet<string> = new Set([
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
]);

/**
 * Whether an `Origin` value comes from a single header line. Several lines are joined with a comma and a space, which
 * no origin contains.
 */
export function isSingleOrigin(origin: string): boolean {
  return /^[\x21-\x7e]+$/.test(origin);
}

/**
 * Whether an origin is that of the server itself: the origin of the configured address or, if no address is configured,
 * of the request's host. With the latter, an origin with `https` also matches a request without TLS, because a proxy
 * may have removed the TLS.
 */
function isOwnOrigin(origin: string, { parsedHeaders, secure }: ParsedRequest, url: string | undefined): boolean {
  if (url !== undefined) {
    return URL.canParse(url) && origin === new URL(url).origin;
  }
  const { scheme, host } = /^(?<scheme>https?):\/\/(?<host>.+)$/.exec(origin)?.groups ?? {};
  return host !== undefined && host === parsedHeaders.host?.toLowerCase() && (!secure || scheme === "https");
}

/** A reason for operators, followed by sentences with values that the client chose. */
interface RefusalReason {
  readonly reason: string;
  readonly details: string;
}

/** Returns the reason for operators when the server refuses the origin about which a browser asks (CORS preflight). */
export function describeRefusedOrigin(request: ParsedRequest): RefusalReason {
  const reason =
    'A browser asked whether a page of another origin may call this server. The option "allowOrigin" does not allow this origin.';
  return { reason, details: describeOrigin(request) };
}

/** The maximum length of an origin that is repeated in logs. A host name has at most 253 characters. */
const maxOriginChars = 275;
/**
 * Matches the origins that browsers send (RFC 6454 §6.2). Other values of the header are not repeated in logs, because
 * they could contain secrets.
 */
const knownOriginPattern = /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/;

function isKnownOrigin(origin: string | undefined): boolean {
  return origin !== undefined && origin.length <= maxOriginChars && knownOriginPattern.test(origin);
}

/** Returns a sentence about the origin of a request, for messages to operators. */
export function describeOrigin({ parsedHeaders: { origin, isCrossSite } }: ParsedRequest): string {
  if (origin === undefined) {
    return isCrossSite
      ? 'The browser sent no Origin header, so "allowOrigin" cannot allow the page, which belongs to another site: the page must call with fetch, which sends this header.'
      : "The request has no Origin header.";
  }
  if (origin === "null") {
    return "The origin is null: the page is a local file or in a sandboxed frame.";
  }
  return isKnownOrigin(origin) ? `The origin is ${origin}.` : "The origin is not valid.";
}

/** Explains why an origin is not that of the server itself, which is compared with the `Host` of the request. */
function describeHost(host: string): string {
  return `The Host of the request is ${host}. If this is not the host that the browser shows, a proxy has replaced it: let the proxy keep the Host, or send X-Forwarded-Host and list the proxy in the option "trustedProxies", or set the option "publicUrl" of SOAP routes or "url" of REST routes.`;
}

const varyOrigin: HeaderLine = ["Vary", "Origin"];
/** The time in seconds for which browsers can cache the answer to a preflight request. */
const preflightMaxAge = "600";
/** The headers of this package that pages of other origins may read. */
export const exposedHeaders = "Retry-After, X-Request-Id";
/** The headers that clients of this package and tracing tools add to calls. */
export const addedRequestHeaders: readonly string[] = ["X-Request-Id", "traceparent", "tracestate", "baggage"];
/** Matches a list of header names in the form that preflight requests use. */
const headerNamesPattern = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/**
 * The policy for origins, and whether the option `allowOrigin` is set. Only if it is set can pages send credentials.
 */
export interface CorsSettings {
  readonly policy: OriginPolicy;
  readonly allowsCredentials: boolean;
}

/**
 * Adds CORS headers to the answers of routes, so that pages of other origins can read them, and answers preflight
 * requests.
 */
export function withCorsHeaders(routes: Routes, settings: CorsSettings): Routes {
  const answerWithHeaders: Routes["answer"] = (receivedRequest) => {
    const request = toParsedRequest(receivedRequest);
    const answer = routes.answer(request);
    if (answer === undefined) {
      return undefined;
    }
    const { origin } = request.parsedHeaders;
    const addedHeaders = createOriginHeaders(request, settings);
    if (request.method === "OPTIONS" && origin !== undefined) {
      return {
        status: 204,
        headers: [...addedHeaders, ...createPreflightHeaders(readRequestedHeaders(request), addedHeaders)],
        body: undefined,
      };
    }
    return isPromise(answer)
      ? answer.then((value) => addHeaders(value, addedHeaders))
      : addHeaders(answer, addedHeaders);
  };
  return withAnswer(routes, answerWithHeaders, (request, refusal) =>
    addHeaders(routes.refuse?.(request, refusal), createOriginHeaders(request, settings)),
  );
}

function addHeaders(answer: ServerAnswer | undefined, headers: readonly HeaderLine[]): ServerAnswer | undefined {
  return answer && { ...answer, headers: [...answer.headers, ...headers] };
}

function createOriginHeaders(
  request: ParsedRequest,
  { policy, allowsCredentials }: CorsSettings,
): readonly HeaderLine[] {
  const { origin } = request.parsedHeaders;
  if (origin === undefined || !isSingleOrigin(origin) || policy.refuses(origin, request)) {
    return [varyOrigin];
  }
  const exposeLine: HeaderLine = ["Access-Control-Expose-Headers", exposedHeaders];
  return allowsCredentials
    ? [["Access-Control-Allow-Origin", origin], ["Access-Control-Allow-Credentials", "true"], exposeLine, varyOrigin]
    : [["Access-Control-Allow-Origin", "*"], exposeLine, varyOrigin];
}

function createPreflightHeaders(
  requestedHeaders: readonly string[],
  origin: readonly HeaderLine[],
): readonly HeaderLine[] {
  if (origin.length === 1) {
    return [];
  }
  const allowedHeaders =
    requestedHeaders.length > 0 ? requestedHeaders : ["Authorization", "Content-Type", "SOAPAction", "X-Request-Id"];
  return [
    ["Access-Control-Allow-Methods", "GET, POST"],
    ["Access-Control-Allow-Headers", allowedHeaders.join(", ")],
    ["Access-Control-Max-Age", preflightMaxAge],
  ];
}

/** Whether a browser asks with a request whether a page of another origin may send a call (CORS preflight). */
export function isPreflight({ method, parsedHeaders, headers }: ParsedRequest): boolean {
  return (
    method === "OPTIONS" &&
    parsedHeaders.origin !== undefined &&
    findHeader(headers, "access-control-request-method") !== undefined
  );
}

/** Returns the names of the headers that a preflight request asks for; none if they are not valid. */
export function readRequestedHeaders({ headers }: ParsedRequest): readonly string[] {
  const text = findHeader(headers, "access-control-request-headers") ?? "";
  return text.length <= 1_024 && headerNamesPattern.test(text) ? text.split(/[ \t]*,[ \t]*/) : [];
}
