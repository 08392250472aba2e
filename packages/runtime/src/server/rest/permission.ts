import type { Method } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import { headerMap, headerValue } from "../headers.js";
import type { HeaderLine, ServerRequest } from "../types.js";
import { CallBefore, type Exchange } from "./call.js";
import { forbidden, RefusedRequest } from "./errors.js";
import type { ServedEndpoint } from "./serving.js";

export function hasCredentials(request: ServerRequest): boolean {
  return headerValue(request.headers, "authorization") !== undefined;
}

/** Asks the user's hook about the call. Throws the `RestError` of a refusal. */
export async function authorize(exchange: Exchange, endpoint: ServedEndpoint): Promise<void> {
  const { options } = exchange.serving;
  if (options.authorize === undefined) return;
  exchange.authorized = false;
  const { method, input } = exchange;
  const call = new CallBefore(exchange, { operation: endpoint.descriptor.name, method }, input);
  exchange.authorized = await options.authorize(call);
  if (!exchange.authorized) throw forbidden(hasCredentials(exchange.request));
}

/** The methods of the route that this caller may use: all, unless the user's hook says otherwise. */
export async function allowedMethods(exchange: Exchange): Promise<readonly Method[]> {
  const { match, serving } = exchange;
  if (match === undefined) return [];
  const all = match.route.methods;
  if (serving.options.authorize === undefined) return all;
  const methods = new Set<Method>();
  for (const endpoint of match.route.endpoints) {
    for (const method of endpoint.descriptor.methods) {
      if (await isAllowed(exchange, endpoint, method)) methods.add(method);
    }
  }
  return all.filter((method) => methods.has(method));
}

/** What was asked before is not asked again; a hook that throws allows nothing. */
async function isAllowed(exchange: Exchange, endpoint: ServedEndpoint, method: Method): Promise<boolean> {
  const { match, serving, authorized } = exchange;
  if (endpoint === exchange.endpoint && method === exchange.method && authorized !== undefined) return authorized;
  const input = Object.fromEntries(match?.variables ?? []);
  try {
    const call = new CallBefore(exchange, { operation: endpoint.descriptor.name, method }, input);
    return (await serving.options.authorize?.(call)) ?? true;
  } catch {
    return false;
  }
}

const varies: HeaderLine = ["Vary", "Origin"];
const methods: HeaderLine = ["Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE"];

/**
 * The headers that let pages of other origins read an answer: any page without credentials, pages of origins that
 * `allowOrigin` allows with them. WordPress allows credentials to every origin.
 */
export function originHeaders({ request, serving }: Exchange): readonly HeaderLine[] {
  const { allowOrigin, cors } = serving.options;
  const origin = headerValue(request.headers, "origin");
  if (origin === undefined) {
    return request.method === "GET" && headerValue(request.headers, "authorization") === undefined ? [varies] : [];
  }
  if (!isOneOrigin(origin) || allowOrigin?.(origin) === false) return [varies];
  if (allowOrigin === undefined && cors !== "wordpress") return [["Access-Control-Allow-Origin", "*"], methods, varies];
  return [["Access-Control-Allow-Origin", origin], methods, ["Access-Control-Allow-Credentials", "true"], varies];
}

/** Several `Origin` lines are joined with a space. */
function isOneOrigin(origin: string): boolean {
  return /^[\x21-\x7e]+$/.test(origin);
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a nonce that is not valid, and a change with a cookie that may be forged: browsers send cookies with the forms
 * of any page, and CORS does not prevent that. WordPress ignores the cookie instead, which only `authorize` can do.
 */
export async function refuseForgery(exchange: Exchange): Promise<void> {
  const { request, nonce, serving } = exchange;
  const { verifyNonce, cors } = serving.options;
  if (nonce !== undefined && verifyNonce !== undefined) {
    if (await verifyNonce(nonce, headerMap(request.headers))) return;
    throw forged(exchange, "The nonce is not valid.");
  }
  if (cors === "wordpress" || safeMethods.has(request.method) || isProven(exchange)) return;
  throw forged(exchange, "The request has a cookie, but neither a valid nonce nor an allowed origin.");
}

/** Whether a request is not made by a page, or by one that may make it. */
function isProven({ request, serving }: Exchange): boolean {
  if (headerValue(request.headers, "cookie") === undefined) return true;
  const origin = headerValue(request.headers, "origin");
  // Browsers name the origin of every change: without one, the credentials are a program's own.
  if (origin === undefined) return headerValue(request.headers, "authorization") !== undefined;
  if (!isOneOrigin(origin)) return false;
  return isOwnOrigin(origin, request, serving.options.url) || serving.options.allowOrigin?.(origin) === true;
}

/** Compares with the configured address; without one, with the request's host, since a proxy may add TLS. */
function isOwnOrigin(origin: string, { headers, secure }: ServerRequest, url: string | undefined): boolean {
  if (url !== undefined) return URL.canParse(url) && origin === new URL(url).origin;
  const { scheme, host } = /^(?<scheme>https?):\/\/(?<host>.+)$/.exec(origin)?.groups ?? {};
  return (
    host !== undefined &&
    host === headerValue(headers, "host")?.toLowerCase() &&
    (secure !== true || scheme === "https")
  );
}

function forged(exchange: Exchange, reason: string): RefusedRequest {
  const answer = new RestError({ code: "rest_cookie_invalid_nonce", message: "Cookie check failed", status: 403 });
  const { match, endpoint } = exchange.lookUp() ?? {};
  return new RefusedRequest(answer, [{ operation: endpoint?.descriptor.name, route: match?.route.key, reason }]);
}
