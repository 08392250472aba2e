import type { Method } from "../../descriptor.js";
import { type HeaderLine, headerMap, type RoutedRequest } from "../../http/server-messages.js";
import { reportInvalidRequest } from "../../observe/incidents.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { isSingleOrigin, mayHaveStoredPassword, pageOrigin } from "../origins.js";
import { conventionalError, RefusedRequest } from "./errors.js";
import { AuthorizationContext, copyableContext, findCall, nonceOf, type ReceivedCall } from "./request.js";

import type { ServedEndpoint } from "./served-interface.js";

export function hasCredentials(request: RoutedRequest): boolean {
  return request.parsedHeaders.hasAuthorization;
}

/**
 * Returns the methods of a call's route that its client may use, for the `Allow` header. `authorized` is the result of the
 * option `authorize` for the call, which is not called again for the same method.
 */
export function allowedMethods(
  call: ReceivedCall,
  authorized: boolean | undefined,
): readonly Method[] | Promise<readonly Method[]> {
  const { match, servedInterface } = call;
  if (match === undefined) {
    return [];
  }
  return servedInterface.options.authorize === undefined ? match.route.methods : authorizedMethods(call, authorized);
}

async function authorizedMethods(call: ReceivedCall, authorized: boolean | undefined): Promise<readonly Method[]> {
  const { endpoints = [], methods = [] } = call.match?.route ?? {};
  const allowedMethods = new Set<Method>();
  for (const endpoint of endpoints) {
    for (const method of endpoint.descriptor.methods) {
      const isCalled = endpoint === call.endpoint && method === call.method && authorized !== undefined;
      if (isCalled ? authorized : await isAuthorized(call, endpoint, method)) {
        allowedMethods.add(method);
      }
    }
  }
  return methods.filter((method) => allowedMethods.has(method));
}

/**
 * Whether the option `authorize` allows the client to call an endpoint of the route. If the option throws, the client may not call
 * it.
 */
async function isAuthorized(call: ReceivedCall, { descriptor }: ServedEndpoint, method: Method): Promise<boolean> {
  const input = Object.fromEntries(call.match?.variables ?? []);
  try {
    const context = copyableContext(new AuthorizationContext(call, { operation: descriptor.name, method }, input));
    const { authorize } = call.servedInterface.options;
    return authorize === undefined || (await authorize(context)) === true;
  } catch {
    return false;
  }
}

const varyOrigin: HeaderLine = ["Vary", "Origin"];
const onlyVaryOrigin: readonly HeaderLine[] = [varyOrigin];
const noHeaders: readonly HeaderLine[] = [];

/**
 * Headers that let pages of other origins read an answer: any page may read it without credentials; with credentials, only pages of
 * origins that `allowOrigin` allows. WordPress allows credentials to every origin.
 */
export function originHeaders({ request, servedInterface }: ReceivedCall): readonly HeaderLine[] {
  const { allowOrigin, cors } = servedInterface.options;
  const { origin } = request.parsedHeaders;
  if (origin === undefined) {
    return request.method === "GET" && !hasCredentials(request) ? onlyVaryOrigin : noHeaders;
  }
  if (!isSingleOrigin(origin) || allowOrigin?.(origin) === false) {
    return onlyVaryOrigin;
  }
  const methodsLine: HeaderLine = ["Access-Control-Allow-Methods", servedInterface.conventions.crossOriginMethods];
  if (allowOrigin === undefined && cors !== "wordpress") {
    return [["Access-Control-Allow-Origin", "*"], methodsLine, varyOrigin];
  }
  return [
    ["Access-Control-Allow-Origin", origin],
    methodsLine,
    ["Access-Control-Allow-Credentials", "true"],
    varyOrigin,
  ];
}

/** Refuses a JSONP request if JSONP is disabled, or if the callback is not a plain name. These errors have no `data`. */
export function refuseScript(call: ReceivedCall): RestAnswer | undefined {
  const { query, servedInterface } = call;
  if (!query.has(servedInterface.conventions.parameters.callback)) {
    return undefined;
  }
  if (servedInterface.options.jsonp !== true) {
    return scriptRefusal("scriptsDisabled", call, 'The request asks for JSONP, which only the option "jsonp" allows.');
  }
  if (callbackName(call) !== undefined) {
    return undefined;
  }
  return scriptRefusal("invalidCallback", call, "The name of the JSONP callback is not valid.");
}

function scriptRefusal(
  name: "scriptsDisabled" | "invalidCallback",
  { servedInterface, request, match }: ReceivedCall,
  reason: string,
): RestAnswer {
  reportInvalidRequest(servedInterface.options.onError, { protocol: "rest", route: match?.route.key, reason }, request);
  const { code, message, status } = servedInterface.conventions.errors[name];
  return restAnswer({ status, body: { code, message } });
}

/**
 * Returns the name of the JSONP callback; undefined if it is not valid. As in WordPress, it has only letters, digits, `_` and
 * dots, so that it cannot contain code.
 */
export function callbackName({ query, servedInterface }: ReceivedCall): string | undefined {
  const name = query.get(servedInterface.conventions.parameters.callback);
  return typeof name === "string" && /^[\w.]+$/.test(name) ? name : undefined;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Throws for an invalid nonce, and for a request that would change data and may be forged. Any page can submit a form with the
 * user's cookies or stored password, and CORS does not prevent this. WordPress ignores the cookie instead, which only the option
 * `authorize` can do, and accepts the password. Returns a promise only if the option `verifyNonce` returns one.
 */
export function refuseForgery(call: ReceivedCall): void | Promise<void> {
  const { request, servedInterface } = call;
  const { verifyNonce, cors } = servedInterface.options;
  const mayChange = cors !== "wordpress" && !safeMethods.has(request.method);
  if (mayChange && mayHaveStoredPassword(request) && pageOrigin(request, servedInterface.options) === "other") {
    throw forgeryError(
      call,
      "The request would change data with a password that a browser may have added, and comes from an origin that is not allowed.",
    );
  }
  const nonce = verifyNonce === undefined ? undefined : nonceOf(call);
  if (nonce !== undefined && verifyNonce !== undefined) {
    const isValid = verifyNonce(nonce, headerMap(request.headers));
    return typeof isValid === "boolean"
      ? requireNonce(isValid, call)
      : isValid.then((result) => requireNonce(result, call));
  }
  if (mayChange && !isTrusted(call)) {
    throw forgeryError(
      call,
      "The request would change data with a cookie, but has neither a valid nonce nor an allowed origin.",
    );
  }
}

function requireNonce(isValid: boolean, call: ReceivedCall): void {
  if (!isValid) {
    throw forgeryError(call, "The nonce is not valid.");
  }
}

/**
 * Whether a request may change data. It may if it has no cookie, if it comes from a program and not a page, or if it comes from a
 * trusted page.
 */
function isTrusted({ request, servedInterface }: ReceivedCall): boolean {
  if (!request.parsedHeaders.hasCookie) {
    return true;
  }
  const origin = pageOrigin(request, servedInterface.options);
  // Browsers send the origin with every request that may change data. A request with credentials but without an origin comes from
  // a program.
  return origin === "none" ? hasCredentials(request) : origin === "trusted";
}

function forgeryError(call: ReceivedCall, reason: string): RefusedRequest {
  const answer = conventionalError("forgedRequest", call.servedInterface.conventions);
  const { match, endpoint } = findCall(call) ?? {};
  return new RefusedRequest(answer, [{ operation: endpoint?.descriptor.name, route: match?.route.key, reason }]);
}
