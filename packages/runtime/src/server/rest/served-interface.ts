import { RestError } from "../../answer-errors.js";
import type { AnyEndpointDescriptor, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { HeaderLine, RoutedRequest } from "../../http/server-messages.js";
import { type BasePath, compileBase, fillBase } from "../../rest/base-path.js";
import { wireKey, wirePath, wireText } from "../../rest/route-paths.js";
import { wireSegments } from "../../rest/segment-names.js";
import { type RestConventions, wordpressConventions } from "../../rest/wordpress-conventions.js";
import { mergeServerLimits, type ServerLimits } from "../../server-limits.js";
import { listMiddleware, type Middleware } from "../call-handler.js";
import { getOrigin, OriginPolicy } from "../origins.js";
import type { MissingOption } from "../routes.js";
import { compileArgs, listsLimits, type ServedArg } from "./arguments.js";
import { KnownRequests } from "./known-requests.js";
import { RouteTable } from "./route-table.js";
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
  readonly allowHeader: HeaderLine;
  /** Whether this is the route of the index or of a namespace's index. */
  readonly isIndex: boolean;
}

/** The addresses of a site, and the headers that contain them. Computed once for consecutive requests to the same host. */
export interface ServedSite {
  /** The site's address, without the base path of the interface. */
  readonly siteUrl: string;
  /** The address of the index. */
  readonly baseUrl: string;
  /** The headers of all answers. */
  readonly commonHeaders: readonly HeaderLine[];
}

/** A REST interface, prepared once for all requests. */
export interface ServedInterface {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly limits: ServerLimits;
  readonly originPolicy: OriginPolicy;
  readonly conventions: RestConventions;
  readonly base: BasePath;
  readonly index: ServedIndex;
  readonly routes: RouteTable<ServedRoute>;
  readonly knownRequests: KnownRequests<ServedRoute, ServedEndpoint>;
  readonly middleware: readonly Middleware<RestContext>[];
  /** Returns the site to which a request was sent. */
  readonly siteOf: (request: RoutedRequest, variables: ReadonlyMap<string, string>) => ServedSite;
  /** The path of the HTML page below the index; undefined if there is no page. */
  readonly pagePath: string | undefined;
}

export function prepareInterface(
  service: RestService,
  options: RestServerOptions & MissingOption<"error">,
): ServedInterface {
  const limits = mergeServerLimits(options.limits);
  const segments = wireSegments(options.wireNames?.segments, service.interface.segments ?? []);
  const index = new ServedIndex(service.index, segments);
  const conventions = getConventions(service.index, options);
  const wireName = (namespace: string) => wireText(namespace, segments);
  const builtInHandler = indexHandlers(index, { service, options, conventions, wireName });
  const endpoints = service.endpoints.flat().map((descriptor): ServedEndpoint => {
    const handler =
      findHandler(descriptor, service.handlers) ??
      builtInHandler(descriptor) ??
      (options.missing === "error" ? notImplementedHandler(descriptor) : undefined);
    if (handler === undefined) {
      throw new ConfigError(
        `There is no handler for the endpoint ${descriptor.name}. Add it, or set the option "missing".`,
      );
    }
    const args = compileArgs(descriptor, service.index, { conventions, wireName });
    return { descriptor, handler, args };
  });
  const routes = listRoutes(endpoints, service.index).map((route): ServedRoute => {
    const methods = [...new Set(route.endpoints.flatMap(({ descriptor }) => descriptor.methods))];
    return {
      ...route,
      pattern: wireKey(route.key, segments),
      path: wirePath(route.path, segments),
      methods,
      allowHeader: ["Allow", methods.join(", ")],
      isIndex: route.key === "/" || index.namespaces.includes(wireName(route.key.slice(1))),
    };
  });
  const table = new RouteTable(routes, limits.segmentChars);
  const base = compileBase({ ...service.interface, base: options.base ?? service.interface.base });
  return {
    service,
    options,
    limits,
    originPolicy: new OriginPolicy(options),
    conventions,
    base,
    index,
    routes: table,
    knownRequests: new KnownRequests(),
    middleware: listMiddleware(options.use),
    siteOf: siteFinder(base, options.url, conventions),
    pagePath: findPagePath(options.page, table),
  };
}

/** Returns a function that finds the site of a request. It caches the last site, because most requests have the same `Host`. */
function siteFinder(base: BasePath, url: string | undefined, conventions: RestConventions): ServedInterface["siteOf"] {
  let lastHost: string | undefined;
  let lastSecure = false;
  let lastVariables: ReadonlyMap<string, string> | undefined;
  let lastSite: ServedSite | undefined;
  return (request, variables) => {
    const { host } = request.parsedHeaders;
    const { secure } = request;
    if (lastSite === undefined || host !== lastHost || secure !== lastSecure || variables !== lastVariables) {
      const siteUrl = getOrigin(request, url, undefined);
      const baseUrl = siteUrl + fillBase(base, variables);
      if (lastSite?.baseUrl !== baseUrl || lastSite.siteUrl !== siteUrl) {
        lastSite = { siteUrl, baseUrl, commonHeaders: conventions.headers(`${baseUrl}/`) };
      }
      lastHost = host;
      lastSecure = secure;
      lastVariables = variables;
    }
    return lastSite;
  };
}

function notImplementedHandler({ name }: AnyEndpointDescriptor): RestHandler {
  return () => {
    const cause = new ConfigError(`There is no handler for the endpoint ${name}.`);
    throw new RestError({ code: "rest_not_implemented", message: `${name} is not implemented.`, status: 501, cause });
  };
}

/**
 * Returns the conventions of a server. An index that lists any limit of an argument lists all limits; the hidden limits are then
 * left out.
 */
function getConventions(index: JsonValue, options: RestServerOptions): RestConventions {
  const limitConventions = listsLimits(index) ? { hiddenLimits: {} } : {};
  return { ...wordpressConventions, ...limitConventions, ...options.conventions };
}

/** Returns the handler of an endpoint, found by its name: `core.media.list`. */
function findHandler({ name }: AnyEndpointDescriptor, handlers: object): RestHandler | undefined {
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
function findPagePath(page: RestServerOptions["page"], routes: RouteTable<ServedRoute>): string | undefined {
  if (page === false || routes.find("/", "GET") === undefined) {
    return undefined;
  }
  const path = typeof page === "string" ? page : defaultPagePath;
  if (!/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new ConfigError(`The path "${path}" of the option "page" is not valid. Use a path such as "/_browse".`);
  }
  if (routes.find(path) === undefined) {
    return path;
  }
  if (typeof page === "string") {
    throw new ConfigError(
      `The option "page" cannot have the path "${path}", because a route of the index has it. Choose another path.`,
    );
  }
  return undefined;
}

/**
 * Returns the endpoints grouped by route, in the order of the index. The order matters: the first route that matches a path
 * answers.
 */
function listRoutes(
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
