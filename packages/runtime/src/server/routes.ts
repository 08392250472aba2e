import { suggestNearest } from "@bothends/xml/nearest-name";
import { ConfigError } from "../errors.js";
import type { EarlyRefusal, ServerAnswer } from "../http/server-answer.js";
import {
  type ParsedRequest,
  parseAddressOfTarget,
  type ServerRequest,
  toParsedRequest,
} from "../http/server-request.js";
import { isPromise } from "../is-promise.js";
import type { ServedEntry } from "../pages/index.js";
import type { ServerLimits } from "../server-limits.js";
import { describeValue } from "../value-problems.js";
import type { PlacedOptions } from "./options/option-places.js";

/** A set of routes. It answers the requests for one or more services or interfaces. */
export interface Routes {
  readonly name: string;
  /**
   * The paths that these routes answer. Each path includes all paths below it, except that "/" means only the root. If
   * this member is absent, the routes can answer any path. A router calls `answer` only for these paths, so additional
   * sets of routes cost nothing.
   */
  readonly paths?: readonly string[] | undefined;
  /** Whether the routes may answer a request with this target. Default: decided by `paths`. */
  readonly mayAnswer?: ((target: string) => boolean) | undefined;
  /** The entries for these routes on the page at `/`, and in the suggestions for unknown addresses. */
  readonly served?: readonly ServedEntry[] | undefined;
  /** The operations of these routes, and the middleware that runs around their handlers. */
  readonly guarded?: readonly GuardedOperations[] | undefined;
  /**
   * The paths below which these routes answer every request. If two sets of routes claim the same path, the second is
   * never called.
   */
  readonly claims?: readonly PathClaim[] | undefined;
  /** Whether a request is for the service of these routes. Called if several services share a path. */
  readonly recognizes?: ((request: ServerRequest) => boolean) | undefined;
  /**
   * For the path of a request that no routes match: if it consists of another base path and the path of one of these
   * routes, returns the whole path of the route. Called to explain the request to the operator.
   */
  readonly findMovedPath?: ((path: string) => string | undefined) | undefined;
  /** The limits of these routes: one item for each service or interface. */
  readonly limits?: readonly ServerLimits[] | undefined;
  /** The options of these routes: one item for each service or interface. */
  readonly placedOptions?: readonly PlacedOptions[] | undefined;
  /** Answers a request. If no route matches, returns undefined, or a promise of undefined, without reading the body. */
  answer(request: ServerRequest): ServerAnswer | undefined | Promise<ServerAnswer | undefined>;
  /**
   * Writes the refusal of a request that is not read, in the form of the protocol, with the headers that let pages of
   * other origins read it. Returns undefined if no route matches.
   */
  readonly refuse?: ((request: ParsedRequest, refusal: EarlyRefusal) => ServerAnswer | undefined) | undefined;
  /**
   * Answers a request at once although the server is at the limit of requests in flight or of unread answers. Must
   * neither read the body nor call functions of the user. Returns undefined if the request must be refused.
   */
  readonly answerBusy?: ((request: ParsedRequest) => ServerAnswer | undefined) | undefined;
}

/** A path at and below which a service or an interface answers every request. */
export interface PathClaim {
  /** The path, without a slash at its end. "" claims all paths of the server. */
  readonly path: string;
  /** The service or interface, as messages name it: `the service Quotes`. */
  readonly owner: string;
  /**
   * The protocols to which the claim is limited. Services with different protocols can share a path. Default: the claim
   * is for all requests.
   */
  readonly protocols?: readonly string[] | undefined;
}

/**
 * Operations, and the functions of the option `use` that run around their handlers. A function can be limited to some
 * of the operations.
 */
export interface GuardedOperations {
  readonly operations: readonly string[];
  /**
   * The functions of the option `use`. If a function is limited to some operations, its member `namedOperations` lists
   * their names.
   */
  readonly use: readonly object[];
}

/** Throws `ConfigError` for values that are not lists of routes, such as a function that creates routes. */
export function checkRoutes(routes: unknown): void {
  const advice = "such as [vehicleRoutes(handlers)]";
  if (!Array.isArray(routes)) {
    throw new ConfigError(`The routes must be a list, ${advice}, and not ${describeValue(routes)}.`);
  }
  const index = routes.findIndex((item: unknown) => !isRoutes(item));
  if (index !== -1) {
    const form = describeValue(routes[index]);
    throw new ConfigError(
      `Item ${index + 1} of the list of routes is ${form}. Pass the results of functions, ${advice}.`,
    );
  }
}

/** Throws `ConfigError` if the first argument of a function, such as `rateLimitedRoutes`, is not one set of routes. */
export function checkWrappedRoutes(owner: string, routes: unknown): void {
  if (isRoutes(routes)) {
    return;
  }
  const advice = Array.isArray(routes)
    ? `To use ${owner} for several sets of routes, combine them with combineRoutes.`
    : `Pass the result of a function, such as vehicleRoutes(handlers).`;
  throw new ConfigError(
    `The first argument of ${owner} must be one set of routes, not ${describeValue(routes)}. ${advice}`,
  );
}

function isRoutes(value: unknown): boolean {
  return typeof Object(value).answer === "function";
}

/**
 * Throws if a function in the option `use` names unknown operations. If several routes share a function, it can name
 * the operations of all of them.
 */
export function checkNamedOperations(routes: readonly Routes[]): void {
  const guardedOperations = routes.flatMap((route) => route.guarded ?? []);
  for (const middleware of new Set(guardedOperations.flatMap(({ use }) => use))) {
    const namedOperations = "namedOperations" in middleware ? middleware.namedOperations : undefined;
    const operations = guardedOperations
      .filter(({ use }) => use.includes(middleware))
      .flatMap((guardedService) => guardedService.operations);
    const names: readonly unknown[] = Array.isArray(namedOperations) ? namedOperations : [];
    const misspelledName = names.map(String).find((name) => !operations.includes(name));
    if (misspelledName !== undefined) {
      const suggestion = suggestNearest(misspelledName, operations);
      throw new ConfigError(
        `The option "operations" of concurrencyLimit contains "${misspelledName}", which is not an operation of these routes.${suggestion}`,
      );
    }
  }
}

/**
 * Throws for two sets of routes that would answer the same requests below a path, because the second would never be
 * called.
 */
function checkClaims(routes: readonly Routes[]): void {
  const earlierClaims: PathClaim[] = [];
  for (const claim of routes.flatMap(({ claims = [] }) => claims)) {
    const earlierClaim = earlierClaims.find((earlier) => areEqualClaims(earlier, claim));
    if (earlierClaim !== undefined) {
      const { path, owner } = claim;
      const subject =
        owner === earlierClaim.owner
          ? `There are two sets of routes for ${owner} with`
          : `Both ${earlierClaim.owner} and ${owner} have`;
      throw new ConfigError(
        `${subject} the path ${path || "/"}, so the second would never be called. ${[owner, earlierClaim.owner].includes(healthChecks) ? adviceOnHealthPaths : adviceOnPaths}`,
      );
    }
    earlierClaims.push(claim);
  }
}

/** The owner of the claims of `healthRoutes`. */
export const healthChecks = "health checks";
const adviceOnHealthPaths =
  'Call healthRoutes once, with all checks, or set its options "healthPath" and "readyPath" to paths that no other routes have.';
const adviceOnPaths =
  'Create the routes of each service or interface separately, and give them different paths: with the option "path" of SOAP routes or "base" of REST routes.';

/** Whether two claims include the same requests. */
function areEqualClaims(left: PathClaim, right: PathClaim): boolean {
  const { protocols } = left;
  const isShared =
    protocols === undefined ||
    right.protocols === undefined ||
    right.protocols.some((protocol) => protocols.includes(protocol));
  return left.path === right.path && isShared;
}

/** The result of a handler, or a promise for it. */
export type Answer<T> = T | Promise<T>;

/** Combines several sets of routes into one, for example those of all services of an interface. */
export function combineRoutes(name: string, routes: readonly Routes[]): Routes {
  checkRoutes(routes);
  const byPath = new RoutesByPath(routes);
  return {
    name,
    paths: byPath.paths,
    mayAnswer: (target) => mayAnswer(routes, target),
    served: routes.flatMap(({ served = [] }) => served),
    guarded: routes.flatMap(({ guarded = [] }) => guarded),
    claims: routes.flatMap(({ claims = [] }) => claims),
    limits: routes.flatMap(({ limits = [] }) => limits),
    placedOptions: routes.flatMap(({ placedOptions = [] }) => placedOptions),
    recognizes: (request) => routes.some((route) => route.recognizes?.(request) === true),
    findMovedPath: (path) => findFirstMovedPath(routes, path),
    answer: (request) => byPath.answer(toParsedRequest(request)),
    refuse: (request, refusal) => byPath.refuse(request, refusal),
    answerBusy: (request) => byPath.answerBusy(request),
  };
}

/** Returns routes that differ from `routes` only in the functions that answer and refuse requests. */
export function withAnswer(routes: Routes, answer: Routes["answer"], refuse = routes.refuse): Routes {
  // The members are listed, because a spread would lose those that the routes of another program inherit.
  const {
    name,
    paths,
    mayAnswer,
    served,
    guarded,
    claims,
    limits,
    placedOptions,
    recognizes,
    findMovedPath,
    answerBusy,
  } = routes;
  return {
    name,
    paths,
    mayAnswer,
    served,
    guarded,
    claims,
    limits,
    placedOptions,
    recognizes,
    findMovedPath,
    answer,
    refuse,
    answerBusy,
  } satisfies Record<keyof Routes, unknown>;
}

export function findFirstMovedPath(routes: readonly Routes[], path: string): string | undefined {
  for (const { findMovedPath } of routes) {
    const movedPath = findMovedPath?.(path);
    if (movedPath !== undefined) {
      return movedPath;
    }
  }
  return undefined;
}

/** Whether at least one of several sets of routes may answer a request with this target. */
export function mayAnswer(routes: readonly Routes[], target: string): boolean {
  const path = parseAddressOfTarget(target);
  return routes.some((route) => {
    if (route.mayAnswer !== undefined) {
      return route.mayAnswer(target);
    }
    // A path with `%` can be a different spelling of a path that the routes answer, so the routes may answer it.
    return path.includes("%") || route.paths?.some((routePath) => isAtOrBelow(path, routePath)) !== false;
  });
}

export function isAtOrBelow(path: string, ancestorPath: string): boolean {
  return path === ancestorPath || (ancestorPath !== "/" && path.startsWith(`${ancestorPath}/`));
}

/**
 * Decodes a percent-encoded path. Encoded slashes stay encoded, because a decoded slash would split a segment. Escapes
 * of characters that need none stay encoded too, as in `/%61pi`: frameworks and proxies in front of these routes do not
 * decode them, so a guard for `/api` would be bypassed (RFC 3986 §2.3, §6.2.2.2).
 */
export function decodePath(path: string): string {
  if (!path.includes("%")) {
    return path;
  }
  return path.replace(neededEscapes, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Matches escapes that `needlessEscape` does not match, except those of slashes and percent signs. */
const neededEscapes = /(?:%(?:[0189A-F][0-9A-F]|2[0-46-9A-C]|3[A-F]|40|5[B-E]|60|7[B-DF]))+/gi;

/** Finds the sets of routes that may answer a request, by its path. */
export class RoutesByPath {
  /** The paths of all routes; undefined if some routes may answer any path. */
  readonly paths: readonly string[] | undefined;
  /** The sets of routes that can answer any path. */
  readonly #routesForAnyPath: readonly Routes[];
  /**
   * For each path, the sets of routes that may answer it, because their paths include it or because they can answer any
   * path.
   */
  readonly #byPath: LongestPaths<readonly Routes[]>;
  /**
   * For each claimed path, all sets of routes in the order in which they are tried. Used for request paths that contain
   * `%`.
   */
  readonly #byDecodedPath: LongestPaths<readonly Routes[]>;

  constructor(routes: readonly Routes[]) {
    checkClaims(routes);
    this.#routesForAnyPath = routes.filter(({ paths }) => paths === undefined);
    const listedPaths = new Set(routes.flatMap(({ paths = [] }) => paths));
    this.paths = this.#routesForAnyPath.length === 0 ? [...listedPaths] : undefined;
    this.#byPath = new LongestPaths(listedPaths, (path) => {
      const candidates = routes.filter(
        ({ paths }) => paths === undefined || paths.some((ancestorPath) => isAtOrBelow(path, ancestorPath)),
      );
      return arrangeRoutes(candidates, path);
    });
    // The order in which the routes are tried differs only below claimed paths. The path "" includes all other paths.
    const claimedPaths = new Set(["", ...routes.flatMap(({ claims = [] }) => claims.map(({ path }) => path))]);
    this.#byDecodedPath = new LongestPaths(claimedPaths, (path) => arrangeRoutes(routes, path));
  }

  /** Returns the answer of the first set of routes that answers the request. */
  answer(request: ParsedRequest): ReturnType<Routes["answer"]> {
    return findFirstAnswer(this.#findCandidates(request.path), 0, request);
  }

  /** Returns the refusal of a request in the form of the first set of routes that answers the request. */
  refuse(request: ParsedRequest, refusal: EarlyRefusal): ServerAnswer | undefined {
    return refuseByFirst(this.#findCandidates(request.path), request, refusal);
  }

  /** Returns the answer of the first set of routes that answers the request although the server is busy. */
  answerBusy(request: ParsedRequest): ServerAnswer | undefined {
    for (const routes of this.#findCandidates(request.path)) {
      const answer = routes.answerBusy?.(request);
      if (answer !== undefined) {
        return answer;
      }
    }
    return undefined;
  }

  #findCandidates(path: string): readonly Routes[] {
    const foundRoutes = path.includes("%") ? this.#byDecodedPath.find(decodePath(path)) : this.#byPath.find(path);
    return foundRoutes ?? this.#routesForAnyPath;
  }
}

/** A value for each of several paths. For any path, finds the value of the longest of these paths that includes it. */
class LongestPaths<Value> {
  readonly #values: ReadonlyMap<string, Value>;
  readonly #maxLength: number;

  constructor(paths: ReadonlySet<string>, createValue: (path: string) => Value) {
    this.#values = new Map([...paths].map((path) => [path, createValue(path)]));
    this.#maxLength = Math.max(0, ...[...paths].map((path) => path.length));
  }

  find(path: string): Value | undefined {
    let end = path.length > this.#maxLength ? path.lastIndexOf("/", this.#maxLength) : path.length;
    while (end > 0) {
      const value = this.#values.get(path.slice(0, end));
      if (value !== undefined) {
        return value;
      }
      end = path.lastIndexOf("/", end - 1);
    }
    return this.#values.get("");
  }
}

/**
 * Returns the sets of routes in the order in which they are tried for a path. Routes that claim a longer path come
 * before routes that claim a shorter path, because routes for `/api` would also answer every request to `/api/quotes`.
 * All others keep their order.
 */
function arrangeRoutes(routes: readonly Routes[], path: string): readonly Routes[] {
  const getClaimedLength = ({ claims = [] }: Routes) =>
    Math.max(-1, ...claims.map((claim) => (isAtOrBelow(path, claim.path) ? claim.path.length : -1)));
  const groups = new Map<number, Routes[]>();
  for (const route of routes) {
    const length = getClaimedLength(route);
    if (length >= 0) {
      groups.set(length, [...(groups.get(length) ?? []), route]);
    }
  }
  const orderedGroups = [...groups].sort(([left], [right]) => right - left).map(([, group]) => shareClaim(group));
  return routes.flatMap((route) => (getClaimedLength(route) < 0 ? route : (orderedGroups.shift() ?? [])));
}

/**
 * Combines the routes of services that share a path. A request is answered by the service that recognizes it. If no
 * service does, all of them are tried, and the first answer is used.
 */
function shareClaim(services: readonly Routes[]): Routes {
  const [first] = services;
  if (first === undefined || services.length === 1) {
    return first ?? { name: "none", answer: () => undefined };
  }
  const findService = (request: ParsedRequest) =>
    services.find((candidate) => candidate.recognizes?.(request) === true);
  const answer: Routes["answer"] = (receivedRequest) => {
    const request = toParsedRequest(receivedRequest);
    return findService(request)?.answer(request) ?? findFirstAnswer(services, 0, request);
  };
  return withAnswer(first, answer, (request, refusal) =>
    refuseByFirst([findService(request) ?? first, ...services], request, refusal),
  );
}

function refuseByFirst(
  candidates: readonly Routes[],
  request: ParsedRequest,
  refusal: EarlyRefusal,
): ServerAnswer | undefined {
  for (const routes of candidates) {
    const answer = routes.refuse?.(request, refusal);
    if (answer !== undefined) {
      return answer;
    }
  }
  return undefined;
}

/**
 * Tries sets of routes in order, beginning at the index `start`. Returns the answer of the first set in which a route
 * matches the request.
 */
function findFirstAnswer(
  candidates: readonly Routes[],
  start: number,
  request: ParsedRequest,
): ReturnType<Routes["answer"]> {
  for (let index = start; index < candidates.length; index += 1) {
    const answer = candidates[index]?.answer(request);
    if (isPromise(answer) && index + 1 < candidates.length) {
      return answer.then((value) => value ?? findFirstAnswer(candidates, index + 1, request));
    }
    if (answer !== undefined) {
      return answer;
    }
  }
  return undefined;
}

/**
 * Handlers for operations, endpoints or groups. Some of the handlers can be missing. If the option `missing` is set,
 * generated functions accept this type instead of a complete set of handlers.
 */
export type PartialHandlers<Handlers> = {
  readonly [Name in keyof Handlers]?:
    | (Handlers[Name] extends ((...args: never) => unknown) | undefined
        ? Handlers[Name]
        : PartialHandlers<Handlers[Name]>)
    | undefined;
};

/** The handlers of a service. If the option `missing` is set, some may be missing. */
export type HandlersOf<Handlers, Missing extends string> = [Missing] extends [never]
  ? Handlers
  : PartialHandlers<Handlers>;

/**
 * The handlers of several services, by the name of the service in its interface. If the option `missing` is set, some
 * may be missing.
 */
export type HandlersOfServices<Handlers, Missing extends string> = {
  readonly [Name in keyof Handlers]: HandlersOf<Handlers[Name], Missing>;
};

/** The option for servers that do not handle every operation. */
export interface MissingOption<Missing extends string> {
  /**
   * The answer to a call of an operation that has no handler. With `"fault"`, for SOAP, it is a Server fault; with
   * `"error"`, for REST, it is an error with status 501. Default: if handlers are missing, the server cannot be
   * created.
   */
  readonly missing?: Missing | undefined;
}
