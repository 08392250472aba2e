import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import { RestError } from "../../answer-errors.js";
import type { AnyEndpointDescriptor, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { HeaderLine } from "../../http/server-messages.js";
import { type BasePath, compileBase, wireKey, wirePath, wireSegments, wireText } from "../../rest/route-paths.js";
import { compileRoute, lowerCase, type Route, shadows } from "../../rest/route-syntax/index.js";
import { type RestConventions, wordpressConventions } from "../../rest/wordpress-conventions.js";
import { type ServerLimits, withLimits } from "../../server-limits.js";
import type { Middleware } from "../call-handler.js";
import type { MissingOption } from "../routes.js";
import { compileArgs, listsLimits, type ServedArg } from "./arguments.js";
import { indexHandlers, ServedIndex } from "./served-index.js";
import type { RestContext, RestHandler, RestServerOptions, RestService } from "./service.js";

export interface ServedEndpoint {
  readonly descriptor: AnyEndpointDescriptor;
  readonly handler: RestHandler;
  /** The arguments of the endpoint, in the order of the index. */
  readonly args: readonly ServedArg[];
}

export interface ServedRoute {
  /** The route's key in the index. */
  readonly key: string;
  /** The key with the renamed segments, which is compared with paths. */
  readonly pattern: string;
  readonly path: AnyEndpointDescriptor["path"];
  readonly endpoints: readonly ServedEndpoint[];
  /** The methods of all endpoints of the route, without duplicates. */
  readonly methods: readonly Method[];
  /** The `Allow` header with all methods of the route. */
  readonly allow: HeaderLine;
  /** Whether this is the route of the index or of a namespace's index. */
  readonly isIndex: boolean;
}

/** A REST interface, prepared once for all requests. */
export interface RestServing {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly limits: ServerLimits;
  readonly conventions: RestConventions;
  readonly base: BasePath;
  readonly index: ServedIndex;
  readonly routes: RouteTable<ServedRoute>;
  readonly middleware: readonly Middleware<RestContext>[];
  /** Returns the headers of all answers, for the address of the index. */
  readonly commonHeaders: (index: string) => readonly HeaderLine[];
  /** The path of the HTML page below the index; undefined if there is no page. */
  readonly pagePath: string | undefined;
}

export function restServing(service: RestService, options: RestServerOptions & MissingOption<"error">): RestServing {
  const limits = withLimits(options.limits);
  const segments = wireSegments(options.wireNames?.segments, service.interface.segments ?? []);
  const index = new ServedIndex(service.index, segments);
  const conventions = conventionsOf(service.index, options);
  const wireName = (namespace: string) => wireText(namespace, segments);
  const builtInHandler = indexHandlers(index, { service, options, conventions, wireName });
  const endpoints = service.endpoints.flat().map((descriptor): ServedEndpoint => {
    const handler =
      handlerOf(descriptor, service.handlers) ??
      builtInHandler(descriptor) ??
      (options.missing === "error" ? notImplemented(descriptor) : undefined);
    if (handler === undefined) {
      throw new ConfigError(`There is no handler for the endpoint ${descriptor.name}.`);
    }
    const args = compileArgs(descriptor, service.index, { conventions, wireName });
    return { descriptor, handler, args };
  });
  const routes = routesOf(endpoints, service.index).map((route): ServedRoute => {
    const methods = [...new Set(route.endpoints.flatMap(({ descriptor }) => descriptor.methods))];
    return {
      ...route,
      pattern: wireKey(route.key, segments),
      path: wirePath(route.path, segments),
      methods,
      allow: ["Allow", methods.join(", ")],
      isIndex: route.key === "/" || index.namespaces.includes(wireName(route.key.slice(1))),
    };
  });
  const table = new RouteTable(routes, limits.segmentChars);
  return {
    service,
    options,
    limits,
    conventions,
    base: compileBase({ ...service.interface, base: options.base ?? service.interface.base }),
    index,
    routes: table,
    middleware: typeof options.use === "function" ? [options.use] : (options.use ?? []),
    commonHeaders: rememberLast((address) => conventions.headers(address)),
    pagePath: pagePath(options.page, table),
  };
}

/** Caches a function's result for the last key, because most requests use the same address. */
function rememberLast<Value>(compute: (key: string) => Value): (key: string) => Value {
  let lastResult: { readonly key: string; readonly value: Value } | undefined;
  return (key) => {
    if (lastResult === undefined || lastResult.key !== key) {
      lastResult = { key, value: compute(key) };
    }
    return lastResult.value;
  };
}

function notImplemented({ name }: AnyEndpointDescriptor): RestHandler {
  return () => {
    const cause = new ConfigError(`There is no handler for the endpoint ${name}.`);
    throw new RestError({ code: "rest_not_implemented", message: `${name} is not implemented.`, status: 501, cause });
  };
}

/**
 * Returns the conventions of a server. If the index lists any limit of an argument, it lists all, so the hidden limits are
 * left out.
 */
function conventionsOf(index: JsonValue, options: RestServerOptions): RestConventions {
  const limitConventions = listsLimits(index) ? { hiddenLimits: {} } : {};
  return { ...wordpressConventions, ...limitConventions, ...options.conventions };
}

/** Returns the handler of an endpoint, found by its name: `core.media.list`. */
function handlerOf({ name }: AnyEndpointDescriptor, handlers: object): RestHandler | undefined {
  const words = name.split(".");
  const memberName = words.pop() ?? "";
  const group = words.reduce<unknown>(handlerMember, handlers);
  const handler = handlerMember(group, memberName);
  return isHandler(handler) ? handler.bind(group) : undefined;
}

/** Returns a member of an object or of its class, but not of `Object.prototype`. */
function handlerMember(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null) {
    return undefined;
  }
  const isInherited = name in Object.prototype && !Object.hasOwn(object, name);
  return isInherited ? undefined : Reflect.get(object, name);
}

function isHandler(value: unknown): value is RestHandler {
  return typeof value === "function";
}

const defaultPagePath = "/_browse";

/**
 * Returns the path of the HTML page below the index; undefined if there is no page. A route with the default path has
 * precedence.
 */
function pagePath(page: RestServerOptions["page"], routes: RouteTable<ServedRoute>): string | undefined {
  if (page === false || routes.find("/", "GET") === undefined) {
    return undefined;
  }
  const path = typeof page === "string" ? page : defaultPagePath;
  if (!/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new ConfigError(`The path "${path}" of the option page is not valid. Use a path such as "/_browse".`);
  }
  if (routes.find(path) === undefined) {
    return path;
  }
  if (typeof page === "string") {
    throw new ConfigError(
      `The option page cannot have the path "${path}", because a route of the index has it. Choose another path.`,
    );
  }
  return undefined;
}

/**
 * Returns the endpoints grouped by route, in the order of the index. The order matters: the first route that matches a path
 * answers.
 */
function routesOf(
  endpoints: readonly ServedEndpoint[],
  index: JsonValue,
): readonly Pick<ServedRoute, "key" | "path" | "endpoints">[] {
  const routes = new Map<string, ServedEndpoint[]>(routeKeys(index).map((key) => [key, []]));
  for (const endpoint of endpoints) {
    const list = routes.get(endpoint.descriptor.route);
    if (list === undefined) {
      routes.set(endpoint.descriptor.route, [endpoint]);
    } else {
      list.push(endpoint);
    }
  }
  return [...routes].flatMap(([key, list]) => {
    const [endpoint] = list;
    return endpoint === undefined ? [] : [{ key, path: endpoint.descriptor.path, endpoints: list }];
  });
}

function routeKeys(index: JsonValue): readonly string[] {
  if (typeof index !== "object" || index === null || Array.isArray(index) || !("routes" in index)) {
    return [];
  }
  return typeof index.routes === "object" && index.routes !== null ? Object.keys(index.routes) : [];
}

/** The members of a route that the route table reads. */
export interface TableRoute {
  /** A regular expression that must match a path from start to end, ignoring case. */
  readonly pattern: string;
  readonly methods: readonly string[];
}

/** A route with the values of its variables. */
export interface RouteMatch<T> {
  readonly route: T;
  readonly variables: ReadonlyMap<string, string>;
}

interface CompiledRoute<T> {
  readonly route: T;
  readonly compiledRoute: Route;
  /** The route's position among all routes. */
  position: number;
}

const noRoutes: readonly never[] = [];

/**
 * Finds the first route that matches a path, as WordPress does. Unlike in WordPress, a route that an earlier one would hide is
 * moved before that one. Routes without variables are looked up by their path, routes with variables by the literal segments at
 * their start.
 */
export class RouteTable<T extends TableRoute> {
  readonly #byPath = new Map<string, CompiledRoute<T>[]>();
  /** The routes with variables by literal prefix, up to a slash. Each list includes the routes of all shorter prefixes. */
  readonly #byPrefix = new Map<string, CompiledRoute<T>[]>();
  readonly #maxVariableLength: number;

  /** `maxVariableLength` is the maximum length of a variable's value. */
  constructor(routes: readonly T[], maxVariableLength: number) {
    this.#maxVariableLength = maxVariableLength;
    const compiledRoutes = routes.map((route, position) => ({
      route,
      compiledRoute: compileRoute(route.pattern, checkedPatternLimits),
      position,
    }));
    const starts = new Map<string, CompiledRoute<T>[]>();
    for (const candidate of compiledRoutes) {
      const { start, isLiteral } = candidate.compiledRoute;
      const key = isLiteral ? withoutSlash(start) : start.slice(0, start.lastIndexOf("/") + 1);
      const lists = isLiteral ? this.#byPath : starts;
      const list = lists.get(key);
      if (list === undefined) {
        lists.set(key, [candidate]);
      } else {
        list.push(candidate);
      }
    }
    for (const start of starts.keys()) {
      const withShorterPrefixes = prefixesOf(start).flatMap(
        (candidate): readonly CompiledRoute<T>[] => starts.get(candidate) ?? noRoutes,
      );
      this.#byPrefix.set(start, withShorterPrefixes.sort(byPosition));
    }
    this.#moveShadowedRoutes(compiledRoutes);
  }

  /** Moves each hidden route before the first route that hides it. */
  #moveShadowedRoutes(routes: readonly CompiledRoute<T>[]): void {
    const rankedRoutes = [...routes];
    for (const candidate of routes) {
      const shadowing = this.#findHidingRoutes(candidate).map((earlier) => rankedRoutes.indexOf(earlier));
      const target = Math.min(...shadowing);
      const position = rankedRoutes.indexOf(candidate);
      if (target < position) {
        rankedRoutes.splice(target, 0, ...rankedRoutes.splice(position, 1));
      }
    }
    for (const [order, candidate] of rankedRoutes.entries()) {
      candidate.position = order;
    }
    for (const list of this.#byPrefix.values()) {
      list.sort(byPosition);
    }
  }

  /** Returns the earlier routes that hide a route: they match all its paths, and other paths as well. */
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
   * Returns the first route that matches the path and has the method; without a method, the first that matches. The path is
   * decoded, without a trailing slash.
   */
  find(path: string, method?: string): RouteMatch<T> | undefined {
    const lowerCasePath = lowerCase(path);
    const literal = this.#byPath.get(lowerCasePath)?.find((candidate) => hasMethod(candidate, method));
    for (const { route, compiledRoute, position: order } of this.#findCandidates(lowerCasePath)) {
      if (literal !== undefined && literal.position < order) {
        break;
      }
      if (!hasMethod({ route }, method) || !lowerCasePath.startsWith(compiledRoute.start)) {
        continue;
      }
      const variables = compiledRoute.match(path.slice(compiledRoute.start.length));
      if (variables !== undefined && this.#fitLimits(variables)) {
        return { route, variables };
      }
    }
    return literal && { route: literal.route, variables: noVariables };
  }

  #findCandidates(lowerCasePath: string): readonly CompiledRoute<T>[] {
    for (
      let end = lowerCasePath.lastIndexOf("/");
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

const noVariables: ReadonlyMap<string, string> = new Map();

function hasMethod({ route }: { readonly route: TableRoute }, method: string | undefined): boolean {
  return method === undefined || route.methods.includes(method);
}

/** Returns the prefixes of a text up to each slash, including the empty prefix. */
function prefixesOf(start: string): readonly string[] {
  return Array.from(start.matchAll(/^|(?<=\/)/g), ({ index }) => start.slice(0, index));
}

function byPosition(left: CompiledRoute<TableRoute>, right: CompiledRoute<TableRoute>): number {
  return left.position - right.position;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
