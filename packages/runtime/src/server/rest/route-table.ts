import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import type { JsonValue, RestInterfaceDescriptor } from "../../descriptor.js";
import { compileRoute, lowerCase, type Route, shadows } from "../../rest/route-syntax/index.js";
import type { RestInput } from "./service.js";

// Finds the route of a request by its path: first the interface by its base path, and then the route below this path.

/** The members of a route that are needed to find it by path and method. */
export interface TableRoute {
  /** A regular expression that must match a path from start to end, ignoring case. */
  readonly pattern: string;
  readonly methods: readonly string[];
}

/** A route that matches a path, and the values of its variables in this path. */
export interface RouteMatch<T> {
  readonly route: T;
  readonly variables: ReadonlyMap<string, string>;
}

interface CompiledRoute<T> {
  readonly route: T;
  readonly compiledRoute: Route;
  /** The position of the route, which decides between routes that match the same path. */
  position: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the first route that matches a path, as WordPress does. Unlike in WordPress, a route that an earlier route
 * would hide is moved before that earlier route. Routes without variables are looked up by their complete path. Routes
 * with variables are looked up by the literal segments at their start.
 */
export class RouteTable<T extends TableRoute> {
  readonly #byPath = new Map<string, CompiledRoute<T>[]>();
  /** For the path of each literal route: the routes with variables that may match the same path. */
  readonly #candidatesByPath = new Map<string, readonly CompiledRoute<T>[]>();
  /**
   * The routes with variables, by the literal prefix of their paths up to a slash. The list for a prefix also contains
   * the routes of its shorter prefixes.
   */
  readonly #byPrefix = new Map<string, CompiledRoute<T>[]>();
  /** The length of the longest prefix. Longer prefixes of a path are not looked up: clients choose how many it has. */
  readonly #maxPrefixLength: number;
  readonly #maxVariableLength: number;

  /** `maxVariableLength` is the maximum length of a variable's value. */
  constructor(routes: readonly T[], maxVariableLength: number) {
    this.#maxVariableLength = maxVariableLength;
    const compiledRoutes = routes.map((route, position) => ({
      route,
      compiledRoute: compileRoute(route.pattern, checkedPatternLimits),
      position,
    }));
    const routesByStart = new Map<string, CompiledRoute<T>[]>();
    for (const candidate of compiledRoutes) {
      const { start, isLiteral } = candidate.compiledRoute;
      const key = isLiteral ? removeFinalSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
      const lists = isLiteral ? this.#byPath : routesByStart;
      const list = lists.get(key);
      if (list === undefined) {
        lists.set(key, [candidate]);
      } else {
        list.push(candidate);
      }
    }
    for (const start of routesByStart.keys()) {
      const routesWithShorterPrefixes = listPrefixes(start).flatMap(
        (candidate): readonly CompiledRoute<T>[] => routesByStart.get(candidate) ?? noRoutes,
      );
      this.#byPrefix.set(start, routesWithShorterPrefixes.sort(comparePosition));
    }
    this.#maxPrefixLength = Math.max(0, ...[...this.#byPrefix.keys()].map((prefix) => prefix.length));
    this.#moveHiddenRoutes(compiledRoutes);
    for (const path of this.#byPath.keys()) {
      this.#candidatesByPath.set(path, this.#findCandidates(path));
    }
  }

  /** Moves each hidden route to the position before the first route that hides it. */
  #moveHiddenRoutes(routes: readonly CompiledRoute<T>[]): void {
    const rankedRoutes = [...routes];
    for (const candidate of routes) {
      const hidingPositions = this.#findHidingRoutes(candidate).map((earlier) => rankedRoutes.indexOf(earlier));
      const firstHidingPosition = Math.min(...hidingPositions);
      const position = rankedRoutes.indexOf(candidate);
      if (firstHidingPosition < position) {
        rankedRoutes.splice(firstHidingPosition, 0, ...rankedRoutes.splice(position, 1));
      }
    }
    for (const [order, candidate] of rankedRoutes.entries()) {
      candidate.position = order;
    }
    for (const list of this.#byPrefix.values()) {
      list.sort(comparePosition);
    }
  }

  /** Returns the earlier routes that hide this route, because they match all its paths and also other paths. */
  #findHidingRoutes({ route, compiledRoute, position: order }: CompiledRoute<T>): readonly CompiledRoute<T>[] {
    const { example } = compiledRoute;
    if (example === undefined) {
      return noRoutes;
    }
    const lowerCasePath = lowerCase(example);
    return this.#findCandidates(lowerCasePath).filter((earlier) => {
      const { start, match } = earlier.compiledRoute;
      if (
        earlier.position >= order ||
        !lowerCasePath.startsWith(start) ||
        match(example.slice(start.length)) === undefined
      ) {
        return false;
      }
      if (!route.methods.some((method) => hasMethod(earlier, method))) {
        return false;
      }
      const [earlierPattern, pattern] = [earlier.route.pattern, route.pattern];
      return (
        shadows(earlierPattern, pattern, checkedPatternLimits) &&
        !shadows(pattern, earlierPattern, checkedPatternLimits)
      );
    });
  }

  /**
   * Returns the first route that matches the path and has the method. Without a method, returns the first route that
   * matches the path. The path must be decoded and must not end in a slash. `escapes` contains the offsets of
   * characters that were escaped although they need no escape. Returns undefined if one of them is not in the value of
   * a variable.
   */
  find(path: string, method?: string, escapes: readonly number[] = noEscapes): RouteMatch<T> | undefined {
    const lowerCasePath = lowerCase(path);
    const literalRoute = this.#byPath.get(lowerCasePath)?.find((candidate) => hasMethod(candidate, method));
    const candidates = this.#candidatesByPath.get(lowerCasePath) ?? this.#findCandidates(lowerCasePath);
    for (const { route, compiledRoute, position: order } of candidates) {
      if (literalRoute !== undefined && literalRoute.position < order) {
        break;
      }
      if (!hasMethod({ route }, method) || !lowerCasePath.startsWith(compiledRoute.start)) {
        continue;
      }
      const variables = compiledRoute.match(path.slice(compiledRoute.start.length));
      if (variables !== undefined && this.#fitLimits(variables)) {
        return hasPlainLiterals(compiledRoute, path, escapes) ? { route, variables } : undefined;
      }
    }
    return escapes.length > 0 ? undefined : literalRoute && { route: literalRoute.route, variables: noVariables };
  }

  #findCandidates(lowerCasePath: string): readonly CompiledRoute<T>[] {
    for (
      let end = lowerCasePath.lastIndexOf("/", this.#maxPrefixLength - 1);
      end >= 0;
      end = end === 0 ? -1 : lowerCasePath.lastIndexOf("/", end - 1)
    ) {
      const routes = this.#byPrefix.get(lowerCasePath.slice(0, end + 1));
      if (routes !== undefined) {
        return routes;
      }
    }
    return this.#byPrefix.get("") ?? noRoutes;
  }

  #fitLimits(variables: ReadonlyMap<string, string>): boolean {
    for (const text of variables.values()) {
      if (text.length > this.#maxVariableLength) {
        return false;
      }
    }
    return true;
  }
}

const noEscapes: readonly number[] = [];
const noVariables: ReadonlyMap<string, string> = new Map();

/** Whether the characters at all these offsets of a path are in the values of the route's variables. */
function hasPlainLiterals({ start, findRanges }: Route, path: string, escapes: readonly number[]): boolean {
  if (escapes.length === 0) {
    return true;
  }
  const ranges = findRanges(path.slice(start.length)) ?? [];
  return escapes.every((position) => {
    const offset = position - start.length;
    return ranges.some((range) => range.start <= offset && offset < range.end);
  });
}

function hasMethod({ route }: { readonly route: TableRoute }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** Returns all prefixes of a path that end in a slash, and the empty prefix. */
function listPrefixes(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function comparePosition(left: CompiledRoute<TableRoute>, right: CompiledRoute<TableRoute>): number {
  return left.position - right.position;
}

function removeFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** The target of a request, split into its parts. */
export interface RouteTarget {
  /** The decoded path of the route; undefined for a path that no route can have. */
  readonly path: string | undefined;
  /** The offsets in `path` of characters that were escaped although they need no escape, if there are any. */
  readonly escapes?: readonly number[] | undefined;
  /** Whether the path contains dot segments or backslashes, so that no route can have it. */
  readonly isAmbiguous?: boolean;
  readonly query: string;
  /** The values that the base path has for its variables. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the server rewrote the path or query of the request. If so, the call is not cached. */
  readonly isRewritten: boolean;
}

/** A request whose arguments have been read. */
interface ReadRequest<Route, Endpoint> {
  readonly request: { readonly method: string; readonly target: string };
  readonly target: RouteTarget;
  readonly match: RouteMatch<Route>;
  readonly endpoint: Endpoint;
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly input: RestInput;
}

/**
 * The endpoint and arguments of a GET request without a body. They can be cached because they depend only on the target
 * of the request.
 */
export interface KnownRequest<Route, Endpoint> {
  /** The target as received. */
  readonly text: string;
  readonly target: RouteTarget;
  readonly match: RouteMatch<Route>;
  readonly endpoint: Endpoint;
  /**
   * The values in the query. Handlers can change their input, so they receive copies of these values from
   * `createInput`.
   */
  readonly query: ReadonlyMap<string, JsonValue>;
  /** Returns a new input that contains copies of the arguments. */
  createInput(): RestInput;
}

/**
 * The maximum length of a target in the cache. Together with the number of cached requests, this length limits the
 * memory that clients can occupy.
 */
const maxTargetChars = 1_000;
const bucketCount = 32;
const bucketSize = 4;
const newTargetCount = 128;

/**
 * Caches the endpoints and arguments of GET requests, because the clients of a site often repeat the same few requests.
 * Finding an endpoint and reading 13 arguments takes 3 of 22 µs; copying the arguments takes 0.3 µs. A request is
 * cached only when it arrives for the second time, so that requests that are all different do not fill the cache. The
 * cache makes such requests 1 % slower; a `Map`, which hashes all characters of a target, would make them 3 % slower.
 */
export class KnownRequests<Route, Endpoint> {
  readonly #buckets: readonly KnownRequest<Route, Endpoint>[][] = Array.from({ length: bucketCount }, () => []);
  /** Targets that have arrived only once. Each new target replaces the target that was in the same slot. */
  readonly #newTargets: string[] = Array.from({ length: newTargetCount }, () => "");

  find(method: string, target: string): KnownRequest<Route, Endpoint> | undefined {
    if (!isCacheable(method, target)) {
      return undefined;
    }
    const bucket = this.#buckets[hashText(target) % bucketCount] ?? [];
    for (let index = 0; index < bucket.length; index += 1) {
      const knownRequest = bucket[index];
      if (knownRequest?.text === target) {
        return knownRequest;
      }
    }
    return undefined;
  }

  /** Caches a valid call without a body if its target arrives for the second time. */
  cacheRequest({ request, target, match, endpoint, query, input }: ReadRequest<Route, Endpoint>): void {
    const { method, target: text } = request;
    if (target.isRewritten || !isCacheable(method, text)) {
      return;
    }
    const hash = hashText(text);
    if (this.#newTargets[hash % newTargetCount] !== text) {
      this.#newTargets[hash % newTargetCount] = text;
      return;
    }
    const names = Object.keys(input);
    const values = Object.values(input);
    const bucket = this.#buckets[hash % bucketCount];
    if (bucket === undefined || !values.every(isCopyable) || ![...query.values()].every(isCopyable)) {
      return;
    }
    if (bucket.length >= bucketSize) {
      bucket.shift();
    }
    const copiedValues = values.map(copyList);
    bucket.push({
      text,
      target,
      match,
      endpoint,
      query: new Map([...query].map(([name, value]) => [name, copyList(value)])),
      createInput: () => createInput(names, copiedValues),
    });
  }
}

function isCacheable(method: string, target: string): boolean {
  return (method === "GET" || method === "HEAD") && target.length <= maxTargetChars;
}

/** The maximum number of characters from which `hashText` computes a hash. */
const hashedChars = 32;

/** Returns a hash that depends on a target's length and on some of its characters. */
function hashText(text: string): number {
  const step = Math.ceil(text.length / hashedChars);
  let hash = text.length;
  for (let offset = 0; offset < text.length; offset += step) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(offset)) & 0xff_ffff;
  }
  return hash;
}

/** Whether a value is a string, number, boolean or null, or a list of such values. */
function isCopyable(value: JsonValue | undefined): boolean {
  return typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isScalar));
}

function isScalar(item: JsonValue): boolean {
  return typeof item !== "object" || item === null;
}

function copyList<Value extends JsonValue | undefined>(value: Value): Value | JsonValue[] {
  return Array.isArray(value) ? value.slice() : value;
}

/**
 * Returns an input with copies of the values. Sets the members one by one, because a spread is slow when objects have
 * more than four shapes.
 */
function createInput(names: readonly string[], values: readonly (JsonValue | undefined)[]): RestInput {
  const input: Record<string, JsonValue> = {};
  for (let index = 0; index < names.length; index += 1) {
    const value = values[index];
    if (value !== undefined) {
      input[names[index] ?? ""] = copyList(value);
    }
  }
  return input;
}

/** The base path of an interface, with which all paths of the interface begin: `/{lang}/wp-json`. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The allowed values of the variables, by name. A variable that is not listed accepts any value. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

type BaseSegment = { readonly literal: string } | { readonly variable: string };

/** Splits the base path of an interface into segments. A segment `{name}` is a variable. */
export function compileBase({ base, baseValues = {} }: Pick<RestInterfaceDescriptor, "base" | "baseValues">): BasePath {
  const segments = base
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment): BaseSegment => {
      const variable = /^\{(.+)\}$/.exec(segment)?.[1];
      return variable === undefined ? { literal: segment } : { variable };
    });
  return { segments, values: new Map(Object.entries(baseValues)) };
}

/** Returns a base path as text, without a slash at its end: `/{lang}/wp-json`. */
export function formatBase({ segments }: BasePath): string {
  return segments.map((segment) => ("literal" in segment ? `/${segment.literal}` : `/{${segment.variable}}`)).join("");
}

/** The parts of a request's path that begins with a base path. */
export interface BaseMatch {
  /** The part of the path that follows the base path, percent-encoded. It is empty or begins with a slash. */
  readonly routePath: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether each variable of the base path has a value that is allowed. */
  readonly isAllowed: boolean;
}

/** Compares the beginning of a percent-encoded path with a base path. Returns undefined if it does not match. */
export function matchBase(path: string, base: BasePath): BaseMatch | undefined {
  let variables: Map<string, string> | undefined;
  let isAllowed = true;
  let offset = 0;
  for (const segment of base.segments) {
    if (path.charAt(offset) !== "/") {
      return undefined;
    }
    const slash = path.indexOf("/", offset + 1);
    const end = slash < 0 ? path.length : slash;
    const text = path.slice(offset + 1, end);
    if ("literal" in segment) {
      if (text !== segment.literal) {
        return undefined;
      }
    } else {
      if (text === "") {
        return undefined;
      }
      variables ??= new Map();
      variables.set(segment.variable, text);
      isAllowed &&= base.values.get(segment.variable)?.includes(text) ?? true;
    }
    offset = end;
  }
  return { routePath: path.slice(offset), variables: variables ?? noVariables, isAllowed };
}

/** Writes a base path with the values of its variables. Variables without a value get their default. */
export function fillBase(base: BasePath, variables: ReadonlyMap<string, string>): string {
  let path = "";
  for (const segment of base.segments) {
    path += `/${"literal" in segment ? segment.literal : getVariableValue(segment.variable, base, variables)}`;
  }
  return path;
}

function getVariableValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}
