import { RefusalCause, RestError } from "../../answer-errors.js";
import type { Method } from "../../descriptor.js";
import { BothendsError } from "../../errors.js";
import { decodeBase64 } from "../../http/bytes.js";
import { createHeaderMap, type HeaderLine } from "../../http/headers.js";
import type { ParsedRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import {
  createThrownIncident,
  isOptionTimeout,
  OptionError,
  replaceUnreadable,
  report,
  reportInvalidRequest,
} from "../../observe/incidents.js";
import { checkOptionsOf, requireAny } from "../../option-checks.js";
import { functionType, type OptionTypes } from "../../option-types.js";
import { describeValue } from "../../value-problems.js";
import { type CallSignal, callHandler } from "../calls/call-handler.js";
import {
  addedRequestHeaders,
  describeRefusedOrigin,
  exposedHeaders,
  isSingleOrigin,
  mayHaveStoredPassword,
  readRequestedHeaders,
} from "../origins.js";
import { findCall, type ReceivedCall, recordEndpoint } from "./request.js";
import { AuthorizationContext, findNonce, makeContextCopyable } from "./rest-context.js";
import { createConventionalError, RefusedRequest } from "./rest-errors.js";
import type { ServedEndpoint } from "./served-interface.js";
import type { NonceResult, RestContext, RestServerOptions } from "./service.js";

// Decides whether a request may call an endpoint. Looks for forged requests, and checks authentication, nonces and
// permissions.

/** Whether a request has the header `Authorization`. Cookies do not count. */
export function hasCredentials(request: ParsedRequest): boolean {
  return request.parsedHeaders.hasAuthorization;
}

/**
 * Calls a function in the options. The time limit for handlers applies, counted from `startedAt`. Throws an
 * `OptionError` if the function throws or exceeds this limit. Returns a promise only if the function returns one.
 */
export function callOption<T>(
  option: "authenticate" | "authorize" | "verifyNonce",
  { request, servedInterface }: ReceivedCall,
  { startedAt, run }: { readonly startedAt: number | undefined; readonly run: (signal: CallSignal) => T | Promise<T> },
): T | Promise<T> {
  const throwOptionError = (error: unknown): never => {
    throw new OptionError(option, error);
  };
  return callHandler(
    (signal) => {
      signal.option = option;
      try {
        const result = run(signal);
        return isPromise(result) ? Promise.resolve(result).catch(throwOptionError) : result;
      } catch (error) {
        return throwOptionError(error);
      }
    },
    { timeout: servedInterface.limits.handlerTimeout, startedAt, request },
  );
}

/** The result of the option `authorize` for a call, as far as it is known. */
interface Authorization {
  /** The result of the option, so that it need not be called again. Undefined if the option was not called. */
  readonly authorized: boolean | undefined;
  /** Whether the function of the option threw an exception. If so, the exception has already been reported. */
  readonly hasThrown?: boolean | undefined;
}

/** Returns the methods of a call's route that its client may use, for the `Allow` header. */
export function findAllowedMethods(
  call: ReceivedCall,
  authorization: Authorization,
): readonly Method[] | Promise<readonly Method[]> {
  const { match, servedInterface } = call;
  if (match === undefined) {
    return [];
  }
  return servedInterface.options.authorize === undefined
    ? match.route.methods
    : findAuthorizedMethods(call, authorization);
}

async function findAuthorizedMethods(
  call: ReceivedCall,
  { authorized, hasThrown = false }: Authorization,
): Promise<readonly Method[]> {
  const { endpoints = [], methods = [] } = call.match?.route ?? {};
  const allowedMethods = new Set<Method>();
  const startedAt = performance.now();
  let hasTimedOut = false;
  let isReported = hasThrown;
  for (const endpoint of endpoints) {
    for (const method of endpoint.descriptor.methods) {
      const isCalled = endpoint === call.endpoint && method === call.method && authorized !== undefined;
      if (isCalled ? authorized : !hasTimedOut && (await isAuthorized(endpoint, method))) {
        allowedMethods.add(method);
      }
    }
  }
  return methods.filter((method) => allowedMethods.has(method));

  /**
   * Whether the option `authorize` allows the client to call an endpoint of the route. False if the option throws, or
   * if the time limit for all methods together has expired. Such a failure, unlike a refusal, is reported once per
   * call.
   */
  async function isAuthorized({ descriptor }: ServedEndpoint, method: Method): Promise<boolean> {
    const { request, servedInterface, match } = call;
    const { authorize, onError } = servedInterface.options;
    const operation = descriptor.name;
    const input = Object.fromEntries(match?.variables ?? []);
    const run = (signal: CallSignal) =>
      authorize?.(makeContextCopyable(new AuthorizationContext(call, { operation, method, input, signal })));
    try {
      return (await callOption("authorize", call, { startedAt, run })) === true;
    } catch (error) {
      hasTimedOut = isOptionTimeout(error);
      const { cause } = error as Error;
      const errorForClient = cause instanceof RestError ? cause : undefined;
      const incident = isReported ? undefined : createThrownIncident(error, { errorForClient, request });
      if (incident !== undefined && incident.kind !== "request") {
        isReported = true;
        const message = `${incident.message} It was called to list the methods for the header Allow, which therefore omits this method.`;
        const source = { operation, route: match?.route.key, protocol: "rest" } as const;
        report(onError, { ...incident, message, ...source }, request, { endsCall: false });
      }
      return false;
    }
  }
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

/**
 * Functions that identify the users of a site as WordPress does. If one of them is missing, its kind of authentication
 * is turned off.
 */
export interface WordpressUsers<User extends NonNullable<unknown>> {
  /**
   * Finds the user who has a login name or e-mail address and an application password. WordPress shows these passwords
   * in groups of four characters; the function receives them without the spaces. Return undefined or null if the user
   * is unknown or the password is wrong. Compare hashes, in constant time.
   */
  readonly applicationPassword?:
    | ((login: string, password: string) => User | undefined | null | Promise<User | undefined | null>)
    | undefined;
  /**
   * Finds the user of the session to which the cookies of a request belong. The values of the cookies are not decoded.
   * Return undefined or null if there is no session.
   */
  readonly session?:
    | ((cookies: ReadonlyMap<string, string>) => User | undefined | null | Promise<User | undefined | null>)
    | undefined;
  /**
   * Returns whether a nonce is valid for a user, with the same results as `verifyNonce`. The user is undefined for an
   * anonymous caller. Required if `session` is set.
   */
  readonly nonce?: ((nonce: string, user: User | undefined) => NonceResult | Promise<NonceResult>) | undefined;
}

/** The options of a REST server that `wordpressAuthentication` returns. */
export type WordpressAuthentication<User extends NonNullable<unknown>> = Required<
  Pick<RestServerOptions<User | undefined>, "authenticate" | "verifyNonce">
>;

const userTypes: OptionTypes<WordpressUsers<NonNullable<unknown>>> = {
  applicationPassword: functionType,
  session: functionType,
  nonce: functionType,
};

/**
 * Authenticates callers as WordPress does: programs with an application password (Basic), and pages with a session
 * cookie and a nonce (`X-WP-Nonce`, or `_wpnonce` in the query). Pass the result as options: `contentRoutes(handlers, {
 * ...wordpressAuthentication({ session, nonce }), authorize })`.
 *
 * The principal is the user, or undefined for an anonymous caller. As in WordPress, a cookie without a nonce is
 * ignored, an invalid nonce is refused with `rest_cookie_invalid_nonce` (403), and a wrong password is refused with
 * `incorrect_password` (401). Basic credentials take precedence over a cookie. `Authorization` headers of other schemes
 * are ignored.
 */
export function wordpressAuthentication<User extends NonNullable<unknown>>(
  users: WordpressUsers<User>,
): WordpressAuthentication<User> {
  checkOptionsOf("wordpressAuthentication", users, userTypes);
  requireAny("wordpressAuthentication", users, ["applicationPassword", "session"], "no caller is known");
  if (users.session !== undefined) {
    requireAny("wordpressAuthentication", users, ["nonce"], "no session is accepted");
  }
  const { applicationPassword, session, nonce: isValid = () => false } = nameFailures(users);

  async function findSessionUser(headers: ReadonlyMap<string, string>): Promise<User | undefined> {
    const header = headers.get("cookie");
    return header === undefined ? undefined : (await session?.(listCookiesIn(header))) || undefined;
  }

  async function findUser({ headers, nonce }: Pick<RestContext, "headers" | "nonce">): Promise<User | undefined> {
    const credentials = applicationPassword && findBasicCredentials(headers.get("authorization"));
    if (applicationPassword !== undefined && credentials !== undefined) {
      const user = await applicationPassword(credentials.login, credentials.password.replace(/\s/g, ""));
      // In JavaScript, the function could also return false.
      if (!user) {
        throw createWrongPasswordError(credentials.login);
      }
      return user;
    }
    if (nonce === undefined) {
      return undefined;
    }
    const user = await findSessionUser(headers);
    const result = await isValid(nonce, user);
    if (result !== true && result !== 1 && result !== 2) {
      throw createInvalidNonceError();
    }
    return user;
  }

  return {
    authenticate: findUser,
    // As in WordPress, a request with a password needs no nonce. A request to which a browser may have added the
    // password for a page of another site has already been refused.
    verifyNonce: async (nonce, headers) =>
      (applicationPassword !== undefined && findBasicCredentials(headers.get("authorization")) !== undefined) ||
      isValid(nonce, await findSessionUser(headers)),
  };
}

/** Returns the functions of a site. If one throws, the error names it, unless it is an error for the client. */
function nameFailures<User extends NonNullable<unknown>>(users: WordpressUsers<User>): WordpressUsers<User> {
  const name = <Parameters extends readonly unknown[], Result>(
    option: keyof WordpressUsers<User>,
    run: ((...parameters: Parameters) => Result | Promise<Result>) | undefined,
  ) =>
    run &&
    (async (...parameters: Parameters): Promise<Result> => {
      try {
        return await run(...parameters);
      } catch (error) {
        if (error instanceof BothendsError) {
          throw error;
        }
        const message = `The function "${option}" of wordpressAuthentication threw an exception.`;
        throw new Error(message, { cause: replaceUnreadable(error) });
      }
    });
  return {
    applicationPassword: name("applicationPassword", users.applicationPassword),
    session: name("session", users.session),
    nonce: name("nonce", users.nonce),
  };
}

function createWrongPasswordError(login: string): RestError {
  const message = "The provided password is an invalid application password.";
  const cause = new RefusalCause("The user is unknown, or the application password is wrong.", login);
  return new RestError({ code: "incorrect_password", message, status: 401, cause });
}

const nonceAdvice = "It may have expired, or belong to another session: the page must get a new one.";

function createInvalidNonceError(): RestError {
  const cause = new RefusalCause(`The nonce was refused. ${nonceAdvice}`);
  return new RestError({ code: "rest_cookie_invalid_nonce", message: "Cookie check failed", status: 403, cause });
}

/**
 * Reads the credentials of Basic authentication, in UTF-8 (RFC 7617 §2). Returns undefined for another scheme and for
 * invalid credentials.
 */
function findBasicCredentials(
  header: string | undefined,
): { readonly login: string; readonly password: string } | undefined {
  const [, encodedCredentials] = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(header ?? "") ?? [];
  if (encodedCredentials === undefined) {
    return undefined;
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(decodeBase64(encodedCredentials));
    const colon = text.indexOf(":");
    return colon < 1 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
}

/** Reads a `Cookie` header (RFC 6265 §4.2). If several cookies have the same name, the first is used. */
function listCookiesIn(header: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== "" && !cookies.has(name)) {
      cookies.set(name, pair.slice(equals + 1).trim());
    }
  }
  return cookies;
}
