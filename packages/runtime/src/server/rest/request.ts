import type { JsonValue, Method } from "../../descriptor.js";
import { isBytes } from "../../http/bytes.js";
import { hasDotSegments, type ParsedRequest } from "../../http/server-request.js";
import type { ServerIncident } from "../../observe/events.js";
import { report } from "../../observe/incidents.js";
import { listIgnoredNames } from "../../observe/misspelled-names.js";
import { RepeatedProblem } from "../../observe/repeated-incidents.js";
import { decodeFormText, readPhpForm, type UploadedFile } from "../../rest/php-form.js";
import { findNeedlessEscapes, needlessEscape, needlessEscapes, readRoutePath } from "../../rest/route-paths.js";
import type { RouteMatch } from "../../rest/route-syntax/index.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";
import { InflateError, readBody } from "../body.js";
import type { Authentication } from "../refuse-request.js";
import { countBodyMemory, countValueMemory } from "../request-memory.js";
import { findMisspelledArgs, findReplacedArg, readRestInput, type Sources } from "./arguments.js";
import { mayHaveArguments, readBodyValues, readWithinLimits } from "./body-values.js";
import type { KnownRequest, RouteTarget } from "./request-target.js";
import { type BaseMatch, type BasePath, formatBase, matchBase } from "./request-target.js";
import {
  createCompressedBodyError,
  createInvalidBodyError,
  RefusedRequest,
  type RequestProblem,
} from "./rest-errors.js";
import type { ServedEndpoint, ServedInterface, ServedRoute, ServedSite } from "./served-interface.js";
import type { RestInput } from "./service.js";

const noFiles: readonly UploadedFile[] = [];

export type { RouteTarget } from "./request-target.js";

/**
 * A request to the interface, as far as it has been read. Each step of reading returns a new value with more members.
 * If an error occurs, the answer is created from the members that exist by then.
 */
export interface ReceivedCall {
  readonly request: ParsedRequest;
  readonly servedInterface: ServedInterface;
  readonly target: RouteTarget;
  readonly site: ServedSite;
  /** The result of the option `authenticate`. An embedded call has that of the call that embeds its answer. */
  readonly authentication: Authentication | undefined;
  /** The endpoint and the arguments, if an earlier request had the same target. */
  readonly knownRequest: KnownRequest<ServedRoute, ServedEndpoint> | undefined;
  /** The values in the query; empty until the query is read. */
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly match?: RouteMatch<ServedRoute>;
  readonly endpoint?: ServedEndpoint;
  /** The method of the endpoint. For a HEAD request, this is GET. */
  readonly method?: Method;
  readonly body?: Uint8Array;
  readonly files?: readonly UploadedFile[];
  readonly input?: RestInput;
}

/** A call whose endpoint is known. */
export interface FoundCall extends ReceivedCall {
  readonly match: RouteMatch<ServedRoute>;
  readonly endpoint: ServedEndpoint;
  readonly method: Method;
}

/** A call that has been read completely. */
export interface RestCall extends FoundCall {
  readonly body: Uint8Array;
  readonly files: readonly UploadedFile[];
  readonly input: RestInput;
}

// Reads a REST request step by step: its address, query, endpoint, body and arguments.

const noVariables: ReadonlyMap<string, string> = new Map();

/**
 * Finds the route's path below the interface's base path, or in the parameter `rest_route`. Returns undefined for
 * requests to other interfaces.
 */
export function readTarget(
  { path, query }: Pick<ParsedRequest, "path" | "query">,
  servedInterface: ServedInterface,
): RouteTarget | undefined {
  const { base, options } = servedInterface;
  const match = matchBase(path, base) ?? matchBelowScript(path, servedInterface);
  if (match !== undefined && (match.routePath === "" || match.routePath.startsWith("/"))) {
    const { routePath, variables } = match;
    if (isAmbiguous(path)) {
      return { path: undefined, isAmbiguous: true, query, variables: noVariables, isRewritten: false };
    }
    const decodedPath = readRoutePath(routePath);
    const isEscaped = decodedPath !== undefined && needlessEscape.test(routePath);
    const escapes = isEscaped ? findNeedlessEscapes(routePath) : undefined;
    return match.isAllowed
      ? { path: decodedPath, escapes, query, variables, isRewritten: false }
      : { path: undefined, query, variables: noVariables, isRewritten: false };
  }
  return options.plainPermalinks !== false && isPlainPath(path, servedInterface.conventions)
    ? readPlainTarget(query, servedInterface)
    : undefined;
}

/**
 * Whether proxies, or servers that parse addresses with `URL`, read a path as another one. The guards of these proxies
 * would not see the path that reaches the route.
 */
function isAmbiguous(path: string): boolean {
  return path.includes("\\") || hasDotSegments(path);
}

/**
 * Returns the paths that may belong to an interface. Returns undefined if its base path begins with a variable, because
 * then any path may belong to it.
 */
export function listInterfacePaths({ base, options, conventions }: ServedInterface): readonly string[] | undefined {
  const literalStart = getLiteralStart(base);
  if (literalStart === "") {
    return undefined;
  }
  return options.plainPermalinks === false ? [literalStart] : [literalStart, "/", conventions.script];
}

/** Returns the segments of a base path before its first variable: `/wp-json`. */
function getLiteralStart({ segments }: BasePath): string {
  let start = "";
  for (const segment of segments) {
    if ("variable" in segment) {
      return start;
    }
    start += `/${segment.literal}`;
  }
  return start;
}

/** Whether a path is one that a site without URL rewriting uses. On such a site, the query contains the route. */
export function isPlainPath(path: string, { script }: RestConventions): boolean {
  return path === "/" || path === script;
}

function matchBelowScript(
  path: string,
  { base, options, conventions: { script } }: ServedInterface,
): BaseMatch | undefined {
  return options.plainPermalinks !== false && path.startsWith(`${script}/`)
    ? matchBase(path.slice(script.length), base)
    : undefined;
}

/** Reads a target that names the route in its query: `/?rest_route=/shop/v1/orders&lang=en`. */
function readPlainTarget(query: string, servedInterface: ServedInterface): RouteTarget | undefined {
  const route = findQueryValue(query, servedInterface.conventions.parameters.route);
  if (route === undefined) {
    return undefined;
  }
  const variables = new Map<string, string>();
  for (const [name, values] of servedInterface.base.values) {
    const value = findQueryValue(query, name);
    if (value !== undefined && values.includes(value)) {
      variables.set(name, value);
    }
  }
  if (isAmbiguous(route)) {
    return { path: undefined, isAmbiguous: true, query, variables, isRewritten: false };
  }
  const path = route.length > 1 && route.endsWith("/") ? route.slice(0, -1) : route;
  return { path: path === "" ? "/" : path, query, variables, isRewritten: false };
}

function findQueryValue(query: string, name: string): string | undefined {
  const lastPair = query.split("&").findLast((pair) => pair.startsWith(`${name}=`));
  return lastPair === undefined ? undefined : decodeFormText(lastPair.slice(name.length + 1));
}

const noValues: ReadonlyMap<string, JsonValue> = new Map();

/** Creates the state of a call before its arguments are read. */
export function receiveCall(
  request: ParsedRequest,
  target: RouteTarget,
  servedInterface: ServedInterface,
  { knownRequest, authentication }: Partial<Pick<ReceivedCall, "knownRequest" | "authentication">> = {},
): ReceivedCall {
  const site = servedInterface.findSite(request, target.variables);
  return { request, servedInterface, target, site, authentication, knownRequest, query: noValues };
}

// The functions below list all members of their results, because spreading an object takes about 3 µs on Node 20.

/** Reads the query of a call. Throws `LimitError`. */
export function readQuery(call: ReceivedCall): ReceivedCall {
  const { request, servedInterface, target, site, authentication, knownRequest } = call;
  const query =
    knownRequest === undefined ? listValuesOfQuery(target.query, servedInterface.limits) : knownRequest.query;
  return { request, servedInterface, target, site, authentication, knownRequest, query };
}

/** Reads the values in a query as PHP does. */
function listValuesOfQuery(query: string, limits: ServerLimits): ReadonlyMap<string, JsonValue> {
  return query === "" ? noValues : readWithinLimits("queryPairs", limits, (form) => readPhpForm(query, form));
}

/** Adds the first route that matches the path of a call, regardless of the route's methods. */
export function withRoute(call: ReceivedCall): ReceivedCall {
  const match = findRoute(call);
  return match === undefined ? call : { ...call, match };
}

/**
 * Finds the endpoint of a call, on the first route that matches the path and has the method. HEAD uses the endpoint for
 * GET. Returns undefined if there is none.
 */
export function findCall(call: ReceivedCall): FoundCall | undefined {
  const { request, servedInterface, target, site, authentication, knownRequest, query } = call;
  if (knownRequest !== undefined) {
    const { match, endpoint } = knownRequest;
    return {
      request,
      servedInterface,
      target,
      site,
      authentication,
      knownRequest,
      query,
      match,
      endpoint,
      method: "GET",
    };
  }
  const requestedMethod = request.method === "HEAD" ? "GET" : request.method;
  const match = findRoute(call, requestedMethod);
  if (match === undefined) {
    return undefined;
  }
  for (const endpoint of match.route.endpoints) {
    const method = endpoint.descriptor.methods.find((candidate) => candidate === requestedMethod);
    if (method !== undefined) {
      return { request, servedInterface, target, site, authentication, knownRequest, query, match, endpoint, method };
    }
  }
  return undefined;
}

/** Throws `LimitError` if a call has no route only because the value of a variable in its path is too long. */
export function checkPathLength({ target: { path, escapes }, servedInterface }: ReceivedCall): void {
  const { routes, limits } = servedInterface;
  if (path !== undefined && routes.isTooLong(path, escapes)) {
    throw new LimitError("segmentChars", limits.segmentChars);
  }
}

/**
 * Describes a call without an endpoint for operators, at most once a minute for each path. If the interface has no base
 * path, returns nothing for a path that no route has, because the interface then also receives the requests of browsers
 * and scanners for other files, such as `/favicon.ico`.
 */
export function describeMissingEndpoint(call: ReceivedCall): readonly RequestProblem[] {
  const { request, target, servedInterface } = call;
  const { service, base, missingEndpoints } = servedInterface;
  const route = findRoute(call)?.route;
  if (route === undefined && formatBase(base) === "") {
    return [];
  }
  const problem =
    route === undefined
      ? `No route of ${service.interface.name} has this path.`
      : `The route accepts only ${route.methods.join(", ")}.`;
  const near = route === undefined ? servedInterface.routes.listNear(target.path ?? "") : [];
  const cause = (route === undefined ? describeUnknownPath(target, base, near) : undefined) ?? otherVersion;
  const reason = `${problem} ${cause} This is reported once a minute for each path.`;
  const repeated = new RepeatedProblem(missingEndpoints, `${request.method} ${target.path ?? request.path}`);
  return [{ route: route?.key, reason, repeated }];
}

const otherVersion = "The client may use another version of the index.";

/** Returns the probable reason why no route has the path of a request, if the path itself is the reason. */
function describeUnknownPath(
  { path, escapes, isAmbiguous: hasOtherReading }: RouteTarget,
  base: BasePath,
  near: readonly ServedRoute[],
): string | undefined {
  if (hasOtherReading === true) {
    return 'It contains a backslash, or a segment "." or "..", which proxies change, so that a client could bypass their guards.';
  }
  if (escapes !== undefined) {
    return `It contains ${needlessEscapes}.`;
  }
  if (path === undefined) {
    return "It contains an escaped slash, backslash or zero byte (%2F, %5C or %00), or an escape that is not valid, which no path of a route has: the client, or a proxy, may have escaped the whole path.";
  }
  if (beginsWithBase(path, base)) {
    return "The path begins with the base path twice: a proxy or the address of the client may contain it already.";
  }
  const similarRoute = near.find((route) => hasSegments(route, path));
  return (
    similarRoute &&
    `The route ${similarRoute.key} differs only in the value of a variable, which the path does not have in the form of its pattern: the client may not have inserted the value, or may use another version of the index.`
  );
}

/** Whether the segments of a path are those of a route with any values of its variables. */
function hasSegments({ path: pieces }: ServedRoute, path: string): boolean {
  if (!pieces.every((piece) => typeof piece === "string" || "variable" in piece)) {
    return false;
  }
  const segments = pieces
    .map((piece) => (typeof piece === "string" ? piece.toLowerCase() : "\0"))
    .join("")
    .split("/");
  const values = path.toLowerCase().split("/");
  return (
    segments.length === values.length &&
    segments.every((segment, index) => segment === values[index] || (segment.includes("\0") && values[index] !== ""))
  );
}

/** Whether a path below the base path begins with the base path again. A base path of variables matches any path. */
function beginsWithBase(path: string, base: BasePath): boolean {
  return base.segments.some((segment) => "literal" in segment) && matchBase(path, base) !== undefined;
}

/** Reports a problem after which the call continues, at most once a minute for each `problem`. */
export function reportContinued(
  { request, servedInterface, endpoint, match }: FoundCall,
  problem: string,
  incident: Pick<ServerIncident, "kind" | "message" | "path">,
): void {
  const { options, continuedReports } = servedInterface;
  const source = { operation: endpoint.descriptor.name, route: match.route.key, protocol: "rest" };
  const repeated = new RepeatedProblem(continuedReports, problem);
  report(options.onError, { ...incident, ...source }, request, { endsCall: false, repeated });
}

/** Records a call's endpoint for the call's event and for incidents. */
export function recordEndpoint({ request, endpoint, match }: FoundCall): void {
  const { record } = request;
  record.operation = endpoint.descriptor.name;
  record.protocol = "rest";
  record.route = match.route.key;
}

function findRoute({ target, servedInterface }: ReceivedCall, method?: string): RouteMatch<ServedRoute> | undefined {
  const { path, escapes } = target;
  return path === undefined ? undefined : servedInterface.routes.find(path, method, escapes);
}

/**
 * Reads the body and the arguments of a call. Throws `RefusedRequest` or `LimitError`. Returns a promise only if the
 * body is still arriving.
 */
export function readCall(call: FoundCall): RestCall | Promise<RestCall> {
  const { request, servedInterface } = call;
  if (request.parsedHeaders.isCompressed) {
    throw createCompressedBodyError(servedInterface.conventions, request.parsedHeaders);
  }
  const body = readBody(request, servedInterface.limits);
  return isBytes(body)
    ? withBody(call, body)
    : body.then(
        (bytes) => withBody(call, bytes),
        (error: unknown) => {
          throw error instanceof InflateError
            ? createInvalidBodyError(servedInterface.conventions, error.message)
            : error;
        },
      );
}

/** Reads the arguments of a call, and reports those with misspelled names. */
function readInput(call: FoundCall, sources: Sources): RequestInput {
  const { servedInterface, endpoint } = call;
  const input = readRestInput(endpoint.args, sources, servedInterface);
  const misspelledArgs = findMisspelledArgs(endpoint.args, sources, servedInterface.conventions);
  for (const { path, reason } of misspelledArgs) {
    const message = `${reason} This is reported once a minute for each endpoint and name.`;
    reportContinued(call, `${endpoint.descriptor.name} ${path}`, { kind: "request", message, path });
  }
  const replacedArg = findReplacedArg(endpoint.args, sources);
  if (replacedArg !== undefined) {
    reportContinued(call, `${endpoint.descriptor.name} replaced`, {
      kind: "request",
      message: replacedBytesMessage,
      path: `/${replacedArg}`,
    });
  }
  return { input, files: noFiles, isRegular: misspelledArgs.length === 0 && replacedArg === undefined };
}

const replacedBytesMessage =
  "Bytes in the query or the form that are not UTF-8 were read as U+FFFD, so texts may be wrong. The client probably sends another encoding, such as windows-1252 or ISO-8859-1. This is reported once a minute for each endpoint.";

/** The arguments and the files of a request. */
interface RequestInput {
  readonly input: RestInput;
  readonly files: readonly UploadedFile[];
  /** Whether all arguments have known names, so that an equal request can be answered without reading it. */
  readonly isRegular: boolean;
}

function withBody(call: FoundCall, body: Uint8Array): RestCall {
  const { request, servedInterface, target, site, authentication, knownRequest, query, match, endpoint, method } = call;
  countBodyMemory(request, body.length);
  const { input, files, isRegular } = body.length === 0 ? readQueryInput(call) : readBodyInput(call, body);
  countValueMemory(request, body.length, [input, files, query]);
  const restCall = {
    request,
    servedInterface,
    target,
    site,
    authentication,
    knownRequest,
    query,
    match,
    endpoint,
    method,
    body,
    files,
    input,
  };
  if (knownRequest === undefined && body.length === 0 && isRegular) {
    servedInterface.knownRequests.cacheRequest(restCall);
  }
  return restCall;
}

/** Adds the result of the option `authenticate` to a call, and records it for the call's event. */
export function withPrincipal(call: RestCall, principal: unknown): RestCall {
  const { request, servedInterface, target, site, knownRequest, query, match, endpoint, method } = call;
  const { body, files, input } = call;
  request.record.principal = principal;
  return {
    request,
    servedInterface,
    target,
    site,
    authentication: { principal },
    knownRequest,
    query,
    match,
    endpoint,
    method,
    body,
    files,
    input,
  };
}

/** Reads the arguments of a call without a body. */
function readQueryInput(call: FoundCall): RequestInput {
  const { request, knownRequest, query, match, method } = call;
  const lacksBody = method !== "GET" && request.parsedHeaders.contentType !== undefined;
  return knownRequest === undefined
    ? readInput(call, { path: match.variables, json: undefined, form: undefined, query, lacksBody })
    : { input: knownRequest.createInput(), files: noFiles, isRegular: true };
}

/**
 * Reads the arguments of a call with a body. The values in the query are read again, because the input must not share
 * values with the cache.
 */
function readBodyInput(call: FoundCall, body: Uint8Array): RequestInput {
  const { request, servedInterface, target, match, endpoint } = call;
  const { limits, conventions } = servedInterface;
  const { method, headers } = request;
  const { contentType } = request.parsedHeaders;
  const values = readBodyValues(body, { headers, contentType, method, limits, conventions });
  const { json, form, files, unreadCause, partProblem } = values;
  const explanation =
    unreadCause === undefined
      ? partProblem
      : `The body was not read, because ${unreadCause}. Arguments are read from JSON and forms.`;
  const query = listValuesOfQuery(target.query, limits);
  try {
    const requestInput = readInput(call, { path: match.variables, json, form, query });
    const { measurements } = request.record;
    if (measurements !== undefined) {
      const sentNames = json === undefined ? (form?.keys() ?? []) : Object.keys(json);
      const isKnown = (sentName: string) => endpoint.args.some(({ name }) => name === sentName);
      measurements.ignoredArguments = listIgnoredNames(sentNames, isKnown);
    }
    if (explanation !== undefined && (partProblem !== undefined || mayHaveArguments(body, contentType))) {
      const consequence = partProblem === undefined ? " The call has no arguments from its body." : "";
      const message = `${explanation}${consequence} This is reported once a minute.`;
      reportContinued(call, `${endpoint.descriptor.name} ${explanation}`, { kind: "request", message });
    }
    return { input: requestInput.input, files, isRegular: requestInput.isRegular };
  } catch (error) {
    throw explanation === undefined ? error : explainUnreadBody(error, explanation);
  }
}

/** Adds to the problems of a refused request that its body was not read. */
function explainUnreadBody(error: unknown, explanation: string): unknown {
  if (!(error instanceof RefusedRequest)) {
    return error;
  }
  return new RefusedRequest(
    error.answer,
    error.problems.map(({ reason, ...problem }) => ({ ...problem, reason: `${reason} ${explanation}` })),
  );
}
