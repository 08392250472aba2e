import type { Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { omitBody, type ServerAnswer } from "../../http/server-answer.js";
import { type ParsedRequest, parseAddressOfTarget, toParsedRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import type { ServerIncident } from "../../observe/events.js";
import { isOptionTimeout, OptionError, report } from "../../observe/incidents.js";
import type { IndexLinks, ServedEntry } from "../../pages/index.js";
import { RestAnswer } from "../../rest/rest-answer.js";
import { readRoutePath } from "../../rest/route-paths.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { DisconnectError } from "../body.js";
import { callHandler } from "../calls/call-handler.js";
import { createProblemReporter, runMiddleware } from "../calls/middleware.js";
import { checkServerOptions } from "../options/server-options.js";
import { isPreflight } from "../origins.js";
import type { MissingOption, PathClaim, Routes } from "../routes.js";
import { findScriptRefusal, withFields, writeAnswer, writeEarlyRefusal } from "./answer.js";
import {
  askPermission,
  createRefusedCaller,
  findAllowedMethods,
  identifyCaller,
  withCaller,
} from "./callers/caller.js";
import { withEmbedded } from "./embed.js";
import { readHandlerResult } from "./handler-result.js";
import { refuseForgery, reportRefusedPreflight } from "./permission.js";
import {
  checkPathLength,
  describeMissingEndpoint,
  type FoundCall,
  findCall,
  isPlainPath,
  listInterfacePaths,
  type ReceivedCall,
  type RestCall,
  type RouteTarget,
  readCall,
  readQuery,
  readTarget,
  receiveCall,
  recordEndpoint,
  withPrincipal,
  withRoute,
} from "./request.js";
import { fillBase, formatBase } from "./request-target.js";
import { makeContextCopyable, RestHandlerContext } from "./rest-context.js";
import { createConventionalError, createErrorAnswer, RefusedRequest } from "./rest-errors.js";
import { prepareInterface, type ServedInterface } from "./served-interface.js";
import type { RestInput, RestServerOptions, RestService } from "./service.js";

/**
 * Serves the endpoints of a discovery index with handlers. The routes also answer OPTIONS, HEAD and requests for the
 * index.
 */
export function restRoutes<Principal = unknown>(
  service: RestService,
  options: RestServerOptions<Principal> & MissingOption<"error"> = {},
): Routes {
  if (service.interface.descriptorFormat !== 2) {
    throw new ConfigError(
      "The generated code is for a different version of @bothends/runtime. Generate the code again.",
    );
  }
  checkServerOptions(options);
  const servedInterface = prepareInterface(service, options);
  return {
    name: service.interface.name,
    paths: listInterfacePaths(servedInterface),
    mayAnswer(target) {
      const query = target.includes("?") ? target.slice(target.indexOf("?") + 1) : "";
      return readTarget({ path: parseAddressOfTarget(target), query }, servedInterface) !== undefined;
    },
    served: listServedEntries(servedInterface),
    claims: listClaims(servedInterface),
    limits: [servedInterface.limits],
    placedOptions: [{ owner: "REST routes", groups: ["routes", "restRoutes"], options }],
    recognizes(request) {
      const target = readTarget(toParsedRequest(request), servedInterface);
      return target?.path !== undefined && servedInterface.routes.find(target.path) !== undefined;
    },
    findMovedPath: (path) => findMovedPath(path, servedInterface),
    guarded: [{ operations: service.endpoints.flat().map(({ name }) => name), use: servedInterface.middleware }],
    answer(receivedRequest) {
      const request = toParsedRequest(receivedRequest);
      const knownRequest = servedInterface.knownRequests.find(request.method, request.target);
      if (knownRequest !== undefined) {
        return answerRequest(receiveCall(request, knownRequest.target, servedInterface, { knownRequest }));
      }
      const target = readTarget(request, servedInterface);
      if (target === undefined) {
        return undefined;
      }
      return isPageRequest(request, target, servedInterface)
        ? answerPage(request, target, servedInterface)
        : answerRequest(receiveCall(request, target, servedInterface));
    },
    refuse(request, refusal) {
      const target = readTarget(request, servedInterface);
      return target && writeEarlyRefusal(refusal, receiveCall(request, target, servedInterface));
    },
  };
}

/** The maximum number of segments of another base path. */
const maxBaseSegments = 8;

/**
 * Finds the route whose path, of two segments or more, is the end of a request's path. Returns the path of the route
 * with the base path of the interface.
 */
function findMovedPath(path: string, { routes, base }: ServedInterface): string | undefined {
  let start = 0;
  for (let count = 0; count <= maxBaseSegments && start >= 0; count += 1) {
    const routePath = readRoutePath(path.slice(start));
    const match = routePath !== undefined && routePath.indexOf("/", 1) > 0 ? routes.find(routePath) : undefined;
    if (match !== undefined) {
      return `${formatBase(base)}${match.route.key}`;
    }
    start = path.indexOf("/", start + 1);
  }
  return undefined;
}

/**
 * Returns the paths that an interface claims. Several interfaces can share the paths at which the query contains the
 * route.
 */
function listClaims({ service, options, base, conventions }: ServedInterface): readonly PathClaim[] {
  const owner = `the interface ${service.interface.name}`;
  const path = formatBase(base);
  const plainPaths = options.plainPermalinks === false || path === "" ? [] : ["/", conventions.script];
  return [{ path, owner }, ...plainPaths.map((plainPath) => ({ path: plainPath, owner, protocols: [path] }))];
}

/**
 * Returns the entry for the index in the list of services. Returns an empty list if the page of the index is turned
 * off, or if a variable of the base path can have any value.
 */
function listServedEntries({ service, options, base, pagePath }: ServedInterface): readonly ServedEntry[] {
  const path = fillBase(base, new Map());
  return pagePath === undefined || path.includes("//") || path.endsWith("/")
    ? []
    : [{ name: options.name ?? service.interface.name, kind: "rest", page: path + pagePath, document: `${path}/` }];
}

function isPageRequest({ method }: ParsedRequest, { path }: RouteTarget, { pagePath }: ServedInterface): boolean {
  return pagePath !== undefined && path === pagePath && (method === "GET" || method === "HEAD");
}

/**
 * Answers with the HTML page of the index. The code of the page is loaded on first use. The page shows the answer that
 * the index route gives to the same request, so a client that may not read the index gets the error of that route.
 */
async function answerPage(
  request: ParsedRequest,
  target: RouteTarget,
  servedInterface: ServedInterface,
): Promise<ServerAnswer> {
  const indexRequest = request.createInnerRequest({ target: request.target, record: request.record });
  const indexTarget = { ...target, path: "/", query: "", isRewritten: true };
  const indexCall = receiveCall(indexRequest, indexTarget, servedInterface);
  const index = await answerRequest(indexCall);
  const answer = index.status === 200 && typeof index.body === "string" ? await createPageAnswer(index.body) : index;
  return request.method === "HEAD" ? omitBody(answer) : answer;

  async function createPageAnswer(text: string): Promise<ServerAnswer> {
    // Only links contain the address, which a client can choose with the Host header.
    const document = text.replaceAll(indexCall.site.siteUrl, "");
    const pages = await import("../../pages/index.js");
    const route = new URLSearchParams(target.query).get("route") ?? undefined;
    return pages.renderIndexPage({
      owner: servedInterface,
      document,
      route,
      links: createPageLinks(request, target, servedInterface.conventions),
    });
  }
}

function createPageLinks(
  request: ParsedRequest,
  { path = "", variables }: RouteTarget,
  conventions: RestConventions,
): IndexLinks {
  const [requestPath = ""] = request.target.split("?", 1);
  if (!isPlainPath(requestPath, conventions)) {
    const levelCount = path.split("/").length - 2 + (requestPath.endsWith("/") ? 1 : 0);
    const routePage = (key: string) => `?route=${encodeURIComponent(key)}`;
    return { overview: "?", routePage, prefix: levelCount === 0 ? "./" : "../".repeat(levelCount), joiner: "?" };
  }
  const values = [...variables].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`);
  const start = `?${values.join("")}${encodeURIComponent(conventions.parameters.route)}=`;
  const routePage = (key: string) => `${start}${path}&route=${encodeURIComponent(key)}`;
  return { overview: start + path, routePage, prefix: `${start}/`, joiner: "&" };
}

/** Answers a request. Returns a promise only if the body is still arriving, or if a handler or a hook returns one. */
function answerRequest(receivedCall: ReceivedCall): ServerAnswer | Promise<ServerAnswer> {
  const result = runSteps(createSteps(receivedCall, false));
  return isPromise(result) ? result.then(writeResult) : writeResult(result);
}

/** A call, as far as it has been read, and its answer. The answer can be an error. */
interface CallResult {
  readonly call: ReceivedCall;
  readonly answer: RestAnswer;
  /** The result of the option `authorize`; undefined if it was not called. */
  readonly authorized: boolean | undefined;
  /**
   * Whether the answer has no header `Allow`, because the caller of a CORS preflight is unknown, the function of an
   * option exceeded its time limit, or `authenticate` refused the caller. Then `authenticate` and `authorize` are not
   * called for this header.
   */
  readonly omitsMethods?: boolean | undefined;
  /** Whether the option `authorize` threw. */
  readonly hasThrown?: boolean | undefined;
  /** Whether the connection must be closed, because a part of the request was not read. */
  readonly close: boolean;
}

/**
 * The steps of a call. This is a generator that yields each promise for which it must wait, and receives the value of
 * the promise.
 */
type Steps = Generator<Promise<unknown>, CallResult>;

/**
 * Answers a call with the same steps as WordPress, in the same order. This is a generator because it must wait only for
 * promises, and most calls have none. To answer a request for a list, an async function would take 17 µs instead of 15
 * µs.
 */
function* createSteps(receivedCall: ReceivedCall, isEmbedded: boolean): Steps {
  let call = receivedCall;
  let authorized: boolean | undefined;
  try {
    call = readQuery(call);
    if (isPreflight(call.request)) {
      // A browser sends no credentials with a preflight, and reads only the CORS headers of its answer.
      call = withRoute(call);
      reportRefusedPreflight(call);
      const answer = withFields(describeRoute(call), call);
      return { call, answer, authorized, omitsMethods: !canListMethods(call), close: false };
    }
    const refusedScript = findScriptRefusal(call);
    if (refusedScript !== undefined) {
      return { call, answer: refusedScript, authorized, close: false };
    }
    const forgeryCheck = isEmbedded ? undefined : refuseForgery(call);
    if (forgeryCheck !== undefined) {
      yield forgeryCheck;
    }
    if (call.request.method === "OPTIONS") {
      call = withRoute(call);
      reportRefusedPreflight(call);
      const identified = withCaller(call);
      call = (isPromise(identified) ? yield identified : identified) as ReceivedCall;
      return { call, answer: withFields(describeRoute(call), call), authorized, close: false };
    }
    const foundCall = findEndpoint(call, isEmbedded);
    call = foundCall;
    const callOrPromise = readCall(foundCall);
    let restCall = (isPromise(callOrPromise) ? yield callOrPromise : callOrPromise) as RestCall;
    call = restCall;
    recordInputRead(restCall);
    const { authenticate, authorize } = restCall.servedInterface.options;
    const startedAt = authenticate === undefined && authorize === undefined ? undefined : performance.now();
    if (authenticate !== undefined && restCall.authentication === undefined) {
      const caller = identifyCaller(restCall, restCall, { authenticate, startedAt });
      restCall = withPrincipal(restCall, isPromise(caller) ? yield caller : caller);
      call = restCall;
    }
    if (authorize !== undefined) {
      authorized = false;
      const permission = askPermission(restCall, { authorize, startedAt });
      // Only true allows the call. In JavaScript, the option could return values that are not booleans.
      const result: unknown = isPromise(permission) ? yield permission : permission;
      authorized = result === true;
      if (!authorized) {
        throw createRefusedCaller(restCall, { isEmbedded, result });
      }
    }
    const valueOrPromise = runHandler(restCall, startedAt);
    const value = isPromise(valueOrPromise) ? yield valueOrPromise : valueOrPromise;
    const answer = withFields(readHandlerResult(value, restCall), restCall);
    recordHandlerEnd(restCall);
    return { call, answer, authorized, close: false };
  } catch (error) {
    recordHandlerEnd(call);
    return createFailedResult(error, call, authorized);
  }
}

function createFailedResult(error: unknown, call: ReceivedCall, authorized: boolean | undefined): CallResult {
  // The client has disconnected and will not receive the answer, so any answer can be used here. A disconnection is
  // not an incident.
  const isDisconnected = error instanceof DisconnectError;
  const refusal = isDisconnected ? createConventionalError("noRoute", call.servedInterface.conventions) : error;
  const omitsMethods = isOptionTimeout(error) || (error instanceof OptionError && error.option === "authenticate");
  // The option `verifyNonce` is called before the endpoint is known. If it fails, the endpoint is found here, because
  // the incident must name it.
  const isEarly = error instanceof OptionError && call.endpoint === undefined;
  const answer = describeError(refusal, isEarly ? (findCall(call) ?? call) : call);
  const hasThrown = error instanceof OptionError && error.option === "authorize";
  // With status 413, the body is too large and has not been read completely, so the connection must be closed.
  return { call, answer, authorized, omitsMethods, hasThrown, close: isDisconnected || answer.status === 413 };
}

/** Whether the header `Allow` of a preflight's answer can be determined without calls that its sender may not cause. */
function canListMethods({ request, servedInterface }: ReceivedCall): boolean {
  return !request.record.isUncounted && servedInterface.options.authenticate === undefined;
}

/** Runs the steps of a call to their end. Returns a promise only if a step has to wait. */
function runSteps(steps: Steps, { done, value } = steps.next()): CallResult | Promise<CallResult> {
  return done === true
    ? value
    : value.then(
        (result) => runSteps(steps, steps.next(result)),
        (error: unknown) => runSteps(steps, steps.throw(error)),
      );
}

/**
 * Finds the endpoint of a call, and records its name for the call's event. Throws the error for an unknown route, or
 * `LimitError`. With `isEmbedded`, an unknown route is not reported, because one of this server's own links leads
 * there.
 */
function findEndpoint(call: ReceivedCall, isEmbedded: boolean): FoundCall {
  const foundCall = findCall(call);
  if (foundCall === undefined) {
    checkPathLength(call);
    const answer = createConventionalError("noRoute", call.servedInterface.conventions);
    throw new RefusedRequest(answer, isEmbedded ? [] : describeMissingEndpoint(call));
  }
  recordEndpoint(foundCall);
  return foundCall;
}

/** Records the instant at which the input of the call has been read. */
function recordInputRead({ request: { record } }: RestCall): void {
  if (record.measurements !== undefined) {
    record.measurements.inputReadAt = performance.now();
  }
}

/** Records the instant at which the handler ended. Does nothing if the input has not been read. */
function recordHandlerEnd({ request: { record } }: ReceivedCall): void {
  if (record.measurements?.inputReadAt !== undefined) {
    record.measurements.handledAt = performance.now();
  }
}

/** Returns the answer to OPTIONS: the route's entry in the index, or an empty list for an unknown route. */
function describeRoute({ match, servedInterface, site }: ReceivedCall): RestAnswer {
  return new RestAnswer({
    body: match === undefined ? [] : servedInterface.index.createEntry(match.route.key, site.baseUrl),
  });
}

/** Calls the handler for a call. Returns a promise only if the handler returns one, or if there is middleware. */
function runHandler(call: RestCall, startedAt: number | undefined): unknown {
  const { request, servedInterface, endpoint, input, method } = call;
  const { descriptor, handler } = endpoint;
  const { name: operation } = descriptor;
  const { middleware, limits } = servedInterface;
  return callHandler(
    (signal) => {
      const context = makeContextCopyable(new RestHandlerContext(call, { operation, method }, signal));
      if (middleware.length === 0) {
        return handler(input, context);
      }
      const reportProblem = createProblemReporter({
        onError: servedInterface.options.onError,
        source: getSource(call),
        request,
      });
      const handlerCall = { operation, input, context, report: reportProblem };
      // Undefined can be a valid answer here, because an answer need not have a body, for example with status 204.
      return runMiddleware(middleware, handlerCall, {
        handler: (value) => handler(value as RestInput, context),
        hasOutput: false,
        signal,
        record: request.record,
      });
    },
    {
      timeout: limits.handlerTimeout,
      startedAt,
      request,
      refusesErrors: true,
      reportLateEnd: (incident) =>
        report(servedInterface.options.onError, { ...incident, ...getSource(call) }, request),
    },
  );
}

/** Returns the members with which incidents identify the operation of a call. */
function getSource({ endpoint, match }: RestCall): Pick<ServerIncident, "operation" | "route" | "protocol"> {
  return { operation: endpoint.descriptor.name, route: match.route.key, protocol: "rest" };
}

/** Converts an error to an answer, and reports the details that the answer leaves out. */
function describeError(error: unknown, { request, servedInterface, endpoint, match }: ReceivedCall): RestAnswer {
  const calledEndpoint = { operation: endpoint?.descriptor.name, route: match?.route.key };
  return createErrorAnswer(error, calledEndpoint, {
    conventions: servedInterface.conventions,
    onError: servedInterface.options.onError,
    request,
  });
}

/** Embeds the linked resources that the request asks for, and writes the answer. */
function writeResult(result: CallResult): ServerAnswer | Promise<ServerAnswer> {
  try {
    const embedded = withEmbedded(result.answer, result.call, answerEmbedded);
    const serverAnswer = isPromise(embedded)
      ? embedded.then((answer) => writeAllowed(answer, result))
      : writeAllowed(embedded, result);
    return isPromise(serverAnswer) ? serverAnswer.catch((error: unknown) => writeFailure(error, result)) : serverAnswer;
  } catch (error) {
    return writeFailure(error, result);
  }
}

/** Answers a request for the address of a link whose target is embedded. */
async function answerEmbedded(receivedCall: ReceivedCall): Promise<RestAnswer> {
  return (await runSteps(createSteps(receivedCall, true))).answer;
}

/** Writes the error that replaces an answer if the answer cannot be embedded or written. */
function writeFailure(error: unknown, result: CallResult): ServerAnswer | Promise<ServerAnswer> {
  return writeAllowed(describeError(error, result.call), result);
}

/** Writes an answer with the header `Allow`, which lists the methods that the client may use on the route. */
function writeAllowed(answer: RestAnswer, result: CallResult): ServerAnswer | Promise<ServerAnswer> {
  const methods = result.omitsMethods === true ? [] : findMethodsOfCaller(result);
  return methods instanceof Promise
    ? methods.then((allowedMethods) => writeWithMethods(answer, result, allowedMethods))
    : writeWithMethods(answer, result, methods);
}

/**
 * Returns the methods that the caller may use. If the call was refused before `authenticate` could identify the caller,
 * this happens now. If `authenticate` fails, this is reported, and the caller may use no method.
 */
function findMethodsOfCaller(result: CallResult): readonly Method[] | Promise<readonly Method[]> {
  const reportFailure = (error: unknown): readonly Method[] => {
    describeError(error, result.call);
    return [];
  };
  try {
    const identified = withCaller(result.call);
    return isPromise(identified)
      ? identified.then((call) => findAllowedMethods(call, result)).catch(reportFailure)
      : findAllowedMethods(identified, result);
  } catch (error) {
    return reportFailure(error);
  }
}

function writeWithMethods(
  answer: RestAnswer,
  { call, close }: CallResult,
  allowedMethods: readonly Method[],
): ServerAnswer {
  const serverAnswer = writeAnswer(answer, call, allowedMethods);
  return close ? { ...serverAnswer, close } : serverAnswer;
}
