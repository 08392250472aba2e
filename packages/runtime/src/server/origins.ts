import {
  type HeaderLine,
  headerValue,
  type RoutedRequest,
  routedRequest,
  type ServerAnswer,
} from "../http/server-messages.js";
import { isPromise } from "./call-handler.js";
import type { Routes } from "./routes.js";

/** Whether a `Host` header contains only a host and an optional port (RFC 9110 §7.2). */
export function isHost(text: string): boolean {
  return /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253}[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.test(text);
}

/**
 * Returns the origin that clients use: `publicUrl`, otherwise the request's `Host`, otherwise the origin of the address
 * `configuredAddress`.
 */
export function originOf(
  { parsedHeaders, secure }: RoutedRequest,
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
  /** The configured address of the server. Default: the request's `Host`. */
  readonly url?: string | undefined;
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
}

/** Whether `allowOrigin` refuses an origin. In JavaScript, it may return other values than booleans. They allow nothing. */
export function isRefused(origin: string, allowOrigin: TrustedOrigins["allowOrigin"]): boolean {
  return allowOrigin !== undefined && allowOrigin(origin) !== true;
}

/**
 * Whether a request comes from a page that the server trusts: a page of the server, or one whose origin `allowOrigin` allows. Any
 * page can submit a form with the user's cookies, which CORS does not prevent, but browsers send the page's origin with each
 * POST, PUT, PATCH and DELETE.
 */
export function pageOrigin(request: RoutedRequest, { url, allowOrigin }: TrustedOrigins): "none" | "trusted" | "other" {
  const { origin } = request.parsedHeaders;
  if (origin === undefined) {
    return "none";
  }
  const isTrusted = isSingleOrigin(origin) && (isOwnOrigin(origin, request, url) || allowOrigin?.(origin) === true);
  return isTrusted ? "trusted" : "other";
}

/**
 * Whether a browser may have added a stored password to a request for a page of another site, without asking the server first
 * (Fetch §4.8): only a POST with the media type of a form, or without one. Before a script of another site sends anything else with
 * `Authorization`, the browser asks, and it adds a stored password only if `allowOrigin` allows the site. A script that has the
 * password itself, and JSON or XML to send, may call.
 */
export function mayHaveStoredPassword({ method, parsedHeaders }: RoutedRequest): boolean {
  const { hasStoredCredentials, contentType } = parsedHeaders;
  return hasStoredCredentials && method === "POST" && (contentType === undefined || formTypePattern.test(contentType));
}

/** Matches the media types of forms, which pages may send to any server without its consent (Fetch §2.2.2). */
const formTypePattern = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:[;,]|$)/i;

/**
 * Whether a request has only one `Origin` line. Several are joined with a comma and a space, which an origin does not contain.
 */
export function isSingleOrigin(origin: string): boolean {
  return /^[\x21-\x7e]+$/.test(origin);
}

/**
 * Whether an origin is the server's own: the origin of the configured address. If no address is configured, it is the origin of
 * the request's host. A proxy may add TLS, so that the scheme differs.
 */
function isOwnOrigin(origin: string, { parsedHeaders, secure }: RoutedRequest, url: string | undefined): boolean {
  if (url !== undefined) {
    return URL.canParse(url) && origin === new URL(url).origin;
  }
  const { scheme, host } = /^(?<scheme>https?):\/\/(?<host>.+)$/.exec(origin)?.groups ?? {};
  return host !== undefined && host === parsedHeaders.host?.toLowerCase() && (!secure || scheme === "https");
}

/** The message for the operator if a browser does not allow a page to call the server. */
export const refusedOriginReason =
  'A browser asked whether a page may call this server. The option "allowOrigin" does not allow the origin of the page.';

const varyOrigin: HeaderLine = ["Vary", "Origin"];
/** Seconds for which browsers may cache a preflight answer. */
const preflightMaxAge = "600";
const exposedHeaders = "Retry-After, X-Request-Id";
/** Matches a list of header names in a preflight request. */
const headerNamesPattern = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Adds CORS headers to the answers of routes, so that pages of other origins can read them, and answers preflight requests. */
export function withCorsHeaders(routes: Routes, allowOrigin: ((origin: string) => boolean) | undefined): Routes {
  return {
    name: routes.name,
    paths: routes.paths,
    mayAnswer: routes.mayAnswer,
    served: routes.served,
    guarded: routes.guarded,
    answer(received) {
      const request = routedRequest(received);
      const answer = routes.answer(request);
      if (answer === undefined) {
        return undefined;
      }
      const { origin } = request.parsedHeaders;
      const addedHeaders = originHeaders(origin, allowOrigin);
      if (request.method === "OPTIONS" && origin !== undefined) {
        const requestedHeaders = headerValue(request.headers, "access-control-request-headers");
        return {
          status: 204,
          headers: [...addedHeaders, ...preflightHeaders(requestedHeaders, addedHeaders)],
          body: undefined,
        };
      }
      const addHeaders = (value: ServerAnswer | undefined): ServerAnswer | undefined =>
        value && { ...value, headers: [...value.headers, ...addedHeaders] };
      return isPromise(answer) ? answer.then(addHeaders) : addHeaders(answer);
    },
  };
}

function originHeaders(
  origin: string | undefined,
  allowOrigin: ((origin: string) => boolean) | undefined,
): readonly HeaderLine[] {
  if (origin === undefined || !isSingleOrigin(origin) || isRefused(origin, allowOrigin)) {
    return [varyOrigin];
  }
  const exposeLine: HeaderLine = ["Access-Control-Expose-Headers", exposedHeaders];
  return allowOrigin === undefined
    ? [["Access-Control-Allow-Origin", "*"], exposeLine, varyOrigin]
    : [["Access-Control-Allow-Origin", origin], ["Access-Control-Allow-Credentials", "true"], exposeLine, varyOrigin];
}

function preflightHeaders(requestedHeaders: string | undefined, origin: readonly HeaderLine[]): readonly HeaderLine[] {
  if (origin.length === 1) {
    return [];
  }
  const names =
    requestedHeaders !== undefined && requestedHeaders.length <= 1_024 && headerNamesPattern.test(requestedHeaders)
      ? requestedHeaders
      : undefined;
  return [
    ["Access-Control-Allow-Methods", "GET, POST"],
    ["Access-Control-Allow-Headers", names ?? "Authorization, Content-Type, SOAPAction, X-Request-Id"],
    ["Access-Control-Max-Age", preflightMaxAge],
  ];
}
