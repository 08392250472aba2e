import { createHeaderMap, type HeaderLine } from "../../http/headers.js";
import type { ParsedRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import { report, reportInvalidRequest } from "../../observe/incidents.js";
import { describeValue } from "../../value-problems.js";
import {
  addedRequestHeaders,
  describeRefusedOrigin,
  exposedHeaders,
  isSingleOrigin,
  mayHaveStoredPassword,
  readRequestedHeaders,
} from "../origins.js";
import { callOption } from "./callers/caller.js";
import { findCall, type ReceivedCall, recordEndpoint } from "./request.js";
import { findNonce } from "./rest-context.js";
import { createConventionalError, RefusedRequest } from "./rest-errors.js";

// Decides whether pages of other origins may send a request and read its answer. Looks for forged requests, and checks
// nonces.

/** Whether a request has the header `Authorization`. Cookies do not count. */
export function hasCredentials(request: ParsedRequest): boolean {
  return request.parsedHeaders.hasAuthorization;
}

const varyOrigin: HeaderLine = ["Vary", "Origin"];
const onlyVaryOrigin: readonly HeaderLine[] = [varyOrigin];
const noHeaders: readonly HeaderLine[] = [];

/**
 * Returns the headers with which pages of other origins can read an answer. Without credentials, every page can read
 * the answer; with credentials, only pages of the origins that `allowOrigin` allows. In WordPress, pages of every
 * origin can send credentials.
 */
export function createOriginHeaders({ request, servedInterface }: ReceivedCall): readonly HeaderLine[] {
  const { allowOrigin, cors } = servedInterface.options;
  const { origin } = request.parsedHeaders;
  if (origin === undefined) {
    return request.method === "GET" && !hasCredentials(request) ? onlyVaryOrigin : noHeaders;
  }
  if (!isSingleOrigin(origin) || servedInterface.originPolicy.refuses(origin, request)) {
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

/**
 * Adds names to a header line about headers that pages of other origins may send or read: those that WordPress does not
 * list although clients and tracing tools add them, and all that a page asks for whose origin `allowOrigin` allows.
 * With the option `cors: "wordpress"`, only the latter.
 */
export function extendCorsLine([name, value]: HeaderLine, call: ReceivedCall): HeaderLine {
  switch (name) {
    case "Access-Control-Expose-Headers":
      return [name, isLikeWordpress(call) ? value : `${value}, ${exposedHeaders}`];
    case "Access-Control-Allow-Headers":
      return [name, [...listAllowedHeaders(value, call), ...listTrustedHeaders(call)].join(", ")];
    default:
      return [name, value];
  }
}

function isLikeWordpress({ servedInterface }: ReceivedCall): boolean {
  return servedInterface.options.cors === "wordpress";
}

function listAllowedHeaders(headersOfWordPress: string, call: ReceivedCall): readonly string[] {
  const names = headersOfWordPress.split(", ");
  return isLikeWordpress(call) ? names : [...names, ...addedRequestHeaders];
}

/** Returns the headers that a preflight request asks for, if `allowOrigin` allows its origin. */
function listTrustedHeaders({ request, servedInterface }: ReceivedCall): readonly string[] {
  const { origin } = request.parsedHeaders;
  const isTrusted =
    request.method === "OPTIONS" &&
    origin !== undefined &&
    servedInterface.options.allowOrigin !== undefined &&
    !servedInterface.originPolicy.refuses(origin, request);
  return isTrusted ? readRequestedHeaders(request) : [];
}

/**
 * Reports a preflight request from a page that may not call, or that may not send one of its headers, because the
 * browser does not tell the user the reason.
 */
export function reportRefusedPreflight(call: ReceivedCall): void {
  const { request, servedInterface, match, site } = call;
  const { onError, allowOrigin } = servedInterface.options;
  const { origin } = request.parsedHeaders;
  if (origin === undefined) {
    return;
  }
  const source = { protocol: "rest", route: match?.route.key } as const;
  if (servedInterface.originPolicy.refuses(origin, request)) {
    if (!servedInterface.originPolicy.isFailure(request)) {
      reportInvalidRequest(onError, { ...source, ...describeRefusedOrigin(request) }, request);
    }
  } else if (allowOrigin === undefined) {
    const [, value = ""] = site.commonHeaders.find(([name]) => name === "Access-Control-Allow-Headers") ?? [];
    const allowedHeaders = new Set(listAllowedHeaders(value, call).map((name) => name.toLowerCase()));
    const refusedHeaders = readRequestedHeaders(request).filter((name) => !allowedHeaders.has(name.toLowerCase()));
    if (refusedHeaders.length > 0) {
      const reason =
        'A browser asked whether a page of another origin may send headers that this server does not allow, so the page cannot call. With the option "allowOrigin", the pages of the origins that it allows may send any header.';
      const details = `The refused headers: ${refusedHeaders.join(", ").slice(0, maxHeaderNames)}.`;
      reportInvalidRequest(onError, { ...source, reason, details }, request);
    }
  }
}

/** The maximum length of the names of refused headers in a message. It is limited because clients choose them. */
const maxHeaderNames = 200;

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Throws for an invalid nonce, and for a request that would change data but may be forged. Forgery is possible because
 * any page can submit a form with the user's cookies or stored password, which CORS does not prevent. WordPress
 * differs: it accepts such a password, and ignores such a cookie instead of refusing the request; here, only the option
 * `authorize` can ignore a cookie. Returns a promise only if the option `verifyNonce` returns one.
 */
export function refuseForgery(call: ReceivedCall): void | Promise<void> {
  const { request, servedInterface } = call;
  const { verifyNonce, cors } = servedInterface.options;
  const mayChangeData = cors !== "wordpress" && !safeMethods.has(request.method);
  if (
    mayChangeData &&
    mayHaveStoredPassword(request) &&
    servedInterface.originPolicy.findPageOrigin(request) === "other"
  ) {
    throw createPageError(
      call,
      'The request would change data with a password that a browser may have added, and comes from a page that the option "allowOrigin" does not allow.',
    );
  }
  const nonce = verifyNonce === undefined ? undefined : findNonce(call);
  if (nonce !== undefined && verifyNonce !== undefined) {
    const run = () => verifyNonce(nonce, createHeaderMap(request.headers));
    const isValid = callOption("verifyNonce", call, { startedAt: undefined, run });
    return isPromise(isValid) ? isValid.then((result) => requireNonce(result, call)) : requireNonce(isValid, call);
  }
  if (mayChangeData && !isTrusted(call)) {
    throw createPageError(
      call,
      'The request would change data with a cookie, but has neither a nonce that the option "verifyNonce" accepts nor an origin that the option "allowOrigin" allows.',
    );
  }
}

/**
 * Throws unless the option `verifyNonce` has accepted the nonce. It accepts a nonce with true, or with 1 or 2 like
 * `wp_verify_nonce`. In JavaScript, it can also return other values, such as an object that contains the result; any of
 * these except false is reported as a mistake in the function.
 */
function requireNonce(result: unknown, call: ReceivedCall): void {
  if (result === true || result === 1 || result === 2) {
    return;
  }
  if (result === false) {
    throw createForgeryError(call, `The function in the option "verifyNonce" refused the nonce. ${nonceAdvice}`);
  }
  const error = new TypeError(
    `The function in the option "verifyNonce" returned ${describeValue(result)}. It must return true, 1 or 2 for a valid nonce, otherwise false, or a promise of them. In wordpressAuthentication, this is the function "nonce".`,
  );
  const refusal = createForgeryError(call, "");
  const [{ operation, route } = {}] = refusal.problems;
  const message = 'The function in the option "verifyNonce" failed, so the nonce was refused.';
  const { onError } = call.servedInterface.options;
  report(onError, { kind: "handler", message, error, operation, route, protocol: "rest" }, call.request);
  throw new RefusedRequest(refusal.answer, []);
}

/**
 * Whether a request is trusted to change data: it has no cookie, or comes from a program and not from a page, or comes
 * from a trusted page.
 */
function isTrusted({ request, servedInterface }: ReceivedCall): boolean {
  if (!request.parsedHeaders.hasCookie) {
    return true;
  }
  const origin = servedInterface.originPolicy.findPageOrigin(request);
  // Browsers send the origin with every request that can change data. So a request without an origin but with
  // credentials comes from a program.
  return origin === "none" ? hasCredentials(request) : origin === "trusted";
}

/** Returns the error for a request from an untrusted page. It reports no reason if `allowOrigin` failed. */
function createPageError(call: ReceivedCall, reason: string): RefusedRequest {
  const { originPolicy } = call.servedInterface;
  const error = createForgeryError(call, reason, originPolicy.describePage(call.request));
  return originPolicy.isFailure(call.request) ? new RefusedRequest(error.answer, []) : error;
}

export const nonceAdvice = "It may have expired, or belong to another session: the page must get a new one.";

function createForgeryError(call: ReceivedCall, reason: string, details?: string): RefusedRequest {
  const answer = createConventionalError("forgedRequest", call.servedInterface.conventions);
  const foundCall = findCall(call);
  if (foundCall !== undefined) {
    recordEndpoint(foundCall);
  }
  const { match, endpoint } = foundCall ?? {};
  return new RefusedRequest(answer, [
    { operation: endpoint?.descriptor.name, route: match?.route.key, reason, details },
  ]);
}
