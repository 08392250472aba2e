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

/** The origin that clients use: the configured origin, else the request's `Host`, else the origin in the WSDL. */
export function originOf(
  { parsedHeaders, secure }: RoutedRequest,
  publicUrl: string | undefined,
  configured: string | undefined,
): string {
  if (publicUrl !== undefined) {
    return publicUrl.replace(/\/+$/, "");
  }
  const { host } = parsedHeaders;
  if (host !== undefined && host !== "") {
    return `${secure ? "https" : "http"}://${host}`;
  }
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(configured ?? "")?.[0] ?? "";
}

/** Settings that determine which origins a server trusts. */
export interface TrustedOrigins {
  /** The configured address of the server. Default: the request's `Host`. */
  readonly url?: string | undefined;
  readonly allowOrigin?: ((origin: string) => boolean) | undefined;
}

/**
 * Whether the `Origin` of a request, if present, is the server's own or allowed. Any page can submit a form with the user's
 * cookies, and CORS does not prevent that, but browsers send the page's origin with each POST, PUT, PATCH and DELETE.
 */
export function pageOrigin(request: RoutedRequest, { url, allowOrigin }: TrustedOrigins): "none" | "trusted" | "other" {
  const { origin } = request.parsedHeaders;
  if (origin === undefined) {
    return "none";
  }
  const isTrusted = isSingleOrigin(origin) && (isOwnOrigin(origin, request, url) || allowOrigin?.(origin) === true);
  return isTrusted ? "trusted" : "other";
}

/** Several `Origin` lines are joined with a comma and a space. An origin contains no space. */
export function isSingleOrigin(origin: string): boolean {
  return /^[\x21-\x7e]+$/.test(origin);
}

/** Compares with the configured address, or else with the request's host, ignoring the scheme because a proxy may add TLS. */
function isOwnOrigin(origin: string, { parsedHeaders, secure }: RoutedRequest, url: string | undefined): boolean {
  if (url !== undefined) {
    return URL.canParse(url) && origin === new URL(url).origin;
  }
  const { scheme, host } = /^(?<scheme>https?):\/\/(?<host>.+)$/.exec(origin)?.groups ?? {};
  return host !== undefined && host === parsedHeaders.host?.toLowerCase() && (!secure || scheme === "https");
}

/** The reason for which a browser does not call from a page, for operators. */
export const refusedOrigin = "A page asked whether it may call, and the option allowOrigin does not allow its origin.";

const varies: HeaderLine = ["Vary", "Origin"];
/** Seconds for which browsers may cache a preflight answer. */
const maxAge = "600";
const exposed = "Retry-After, X-Request-Id";
/** Header names that a browser asks for: tokens, at most 1 KB. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Header names that a browser asks for: a list of tokens, at most 1 KB. */
export function readableByPages(routes: Routes, allowOrigin: ((origin: string) => boolean) | undefined): Routes {
  return {
    name: routes.name,
    paths: routes.paths,
    served: routes.served,
    answer(received) {
      const request = routedRequest(received);
      const answer = routes.answer(request);
      if (answer === undefined) {
        return undefined;
      }
      const { origin } = request.parsedHeaders;
      const added = originHeaders(origin, allowOrigin);
      if (request.method === "OPTIONS" && origin !== undefined) {
        const requestedHeaders = headerValue(request.headers, "access-control-request-headers");
        return { status: 204, headers: [...added, ...preflightHeaders(requestedHeaders, added)], body: undefined };
      }
      const complete = (value: ServerAnswer | undefined): ServerAnswer | undefined =>
        value && { ...value, headers: [...value.headers, ...added] };
      return isPromise(answer) ? answer.then(complete) : complete(answer);
    },
  };
}

function originHeaders(
  origin: string | undefined,
  allowOrigin: ((origin: string) => boolean) | undefined,
): readonly HeaderLine[] {
  if (origin === undefined || !isSingleOrigin(origin) || allowOrigin?.(origin) === false) {
    return [varies];
  }
  const expose: HeaderLine = ["Access-Control-Expose-Headers", exposed];
  return allowOrigin === undefined
    ? [["Access-Control-Allow-Origin", "*"], expose, varies]
    : [["Access-Control-Allow-Origin", origin], ["Access-Control-Allow-Credentials", "true"], expose, varies];
}

function preflightHeaders(requestedHeaders: string | undefined, origin: readonly HeaderLine[]): readonly HeaderLine[] {
  if (origin.length === 1) {
    return [];
  }
  const names =
    requestedHeaders !== undefined && requestedHeaders.length <= 1_024 && headerNames.test(requestedHeaders)
      ? requestedHeaders
      : undefined;
  return [
    ["Access-Control-Allow-Methods", "GET, POST"],
    ["Access-Control-Allow-Headers", names ?? "Authorization, Content-Type, SOAPAction, X-Request-Id"],
    ["Access-Control-Max-Age", maxAge],
  ];
}
