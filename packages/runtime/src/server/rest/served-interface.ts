import { RestError } from "../../answer-errors.js";
import type { AnyEndpointDescriptor, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { HeaderLine } from "../../http/headers.js";
import type { ParsedRequest } from "../../http/server-request.js";
import { RepeatedReports } from "../../observe/repeated-incidents.js";
import { checkNames } from "../../option-checks.js";
import { listsLimits } from "../../rest/argument-limits.js";
import { readWireSegments, renameInKey, renameInPath, renameInText } from "../../rest/route-paths.js";
import { RouteTable } from "../../rest/route-syntax/index.js";
import { type RestConventions, wordpressConventions } from "../../rest/wordpress-conventions.js";
import { mergeServerLimits, type ServerLimits } from "../../server-limits.js";
import { listMiddleware, type Middleware } from "../calls/middleware.js";
import { checkGroupNames, describeSimilarInGroup, getHandlerMember } from "../handler-names.js";
import { checkPath, checkServerAddress } from "../options/server-options.js";
import { getOrigin, OriginPolicy } from "../origins.js";
import type { MissingOption } from "../routes.js";
import { compileArgs, type ServedArg } from "./arguments.js";
import { type BasePath, compileBase, fillBase, KnownRequests } from "./request-target.js";
import { createIndexHandlers, ServedIndex } from "./served-index.js";
import type { RestContext, RestHandler, RestServerOptions, RestService } from "./service.js";

/** An endpoint with its handler. */
export interface ServedEndpoint {
  readonly descriptor: AnyEndpointDescriptor;
  readonly handler: RestHandler;
  /** The arguments of the endpoint, in the order of the index. */
  readonly args: readonly ServedArg[];
}

/** A route with the endpoints that have handlers. */
export interface ServedRoute {
  /** The route's key in the index. */
  readonly key: string;
  /** The key of the route after its segments have been renamed. The paths of requests are compared with it. */
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

/**
 * The addresses of a site, and the headers that contain these addresses. They are reused as long as requests have the
 * same host.
 */
export interface ServedSite {
  /** The site's address, without the base path of the interface. */
  readonly siteUrl: string;
  /** The address of the index. */
  readonly baseUrl: string;
  /** The headers that all answers have. */
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
  /** The requests to unknown routes that were reported. */
  readonly missingEndpoints: RepeatedReports;
  /** The problems of requests and answers after which the call continued, as far as they were reported. */
  readonly continuedReports: RepeatedReports;
  readonly middleware: readonly Middleware<RestContext>[];
  /** Returns the site to which a request was sent. */
  readonly findSite: (request: ParsedRequest, variables: ReadonlyMap<string, string>) => ServedSite;
  /** The path of the HTML page, relative to the index. Undefined if there is no page. */
  readonly pagePath: string | undefined;
}

/** Checks the options of a REST service, and prepares its routes and its index for requests. */
export function prepareInterface(
  service: RestService,
  options: RestServerOptions & MissingOption<"error">,
): ServedInterface {
  const limits = mergeServerLimits(options.limits);
  const segments = readWireSegments(service.interface, options.wireNames?.segments);
  const index = new ServedIndex(service.index, segments);
  const conventions = getConventions(service.index, options);
  const renameOnWire = (namespace: string) => renameInText(namespace, segments);
  const builtInHandler = createIndexHandlers(index, { service, options, conventions, getWireName: renameOnWire });
  const descriptors = service.endpoints.flat();
  const paths = descriptors.map(({ name }) => name.split("."));
  checkGroupNames(service.handlers, paths, service.interface.name);
  const endpoints = descriptors.map((descriptor): ServedEndpoint => {
    const handler =
      findHandler(descriptor, service.handlers) ??
      builtInHandler(descriptor) ??
      (options.missing === "error" ? createNotImplementedHandler(descriptor, service.handlers, paths) : undefined);
    if (handler === undefined) {
      const suggestion = describeSimilarInGroup(service.handlers, descriptor.name.split("."), paths);
      throw new ConfigError(
        `There is no handler for the endpoint ${descriptor.name}. Add it, or set the option "missing".${suggestion}`,
      );
    }
    const args = compileArgs(descriptor, service.index, { conventions, getWireName: renameOnWire });
    return { descriptor, handler, args };
  });
  const routes = listRoutes(endpoints, service.index).map((route): ServedRoute => {
    const methods = [...new Set(route.endpoints.flatMap(({ descriptor }) => descriptor.methods))];
    return {
      ...route,
      pattern: renameInKey(route.key, segments),
      path: renameInPath(route.path, segments),
      methods,
      allowHeader: ["Allow", methods.join(", ")],
      isIndex: route.key === "/" || index.namespaces.includes(renameOnWire(route.key.slice(1))),
    };
  });
  const table = new RouteTable(routes, limits.segmentChars);
  if (options.base !== undefined) {
    checkPath("base", options.base);
  }
  checkServerAddress("url", options.url, "it begins the addresses in the index, and its pages may call with a cookie");
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
    missingEndpoints: new RepeatedReports(),
    continuedReports: new RepeatedReports(),
    middleware: listMiddleware(options.use),
    findSite: createSiteFinder(base, options.url, conventions),
    pagePath: findPagePath(options.page, table),
  };
}

/**
 * Returns a function that finds the site of a request. The function caches the last site, because most requests have
 * the same `Host`.
 */
function createSiteFinder(
  base: BasePath,
  url: string | undefined,
  conventions: RestConventions,
): ServedInterface["findSite"] {
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
        lastSite = { siteUrl, baseUrl, commonHeaders: conventions.createHeaders(`${baseUrl}/`) };
      }
      lastHost = host;
      lastSecure = secure;
      lastVariables = variables;
    }
    return lastSite;
  };
}

function createNotImplementedHandler(
  { name }: AnyEndpointDescriptor,
  handlers: object,
  paths: readonly (readonly string[])[],
): RestHandler {
  return () => {
    const suggestion = describeSimilarInGroup(handlers, name.split("."), paths);
    const cause = new ConfigError(`There is no handler for the endpoint ${name}.${suggestion}`);
    throw new RestError({ code: "rest_not_implemented", message: `${name} is not implemented.`, status: 501, cause });
  };
}

/**
 * Returns the conventions of a server. If the index lists the limits of arguments, the hidden limits of the default
 * conventions are left out, because such an index lists all limits.
 */
function getConventions(index: JsonValue, options: RestServerOptions): RestConventions {
  checkNames(options.conventions ?? {}, Object.keys(wordpressConventions), 'The option "conventions"');
  const limitConventions = listsLimits(index) ? { hiddenLimits: {} } : {};
  return { ...wordpressConventions, ...limitConventions, ...options.conventions };
}

/** Returns the handler with the name of an endpoint, such as `core.media.list`. Returns undefined if there is none. */
function findHandler({ name }: AnyEndpointDescriptor, handlers: object): RestHandler | undefined {
  const words = name.split(".");
  const memberName = words.pop() ?? "";
  const group = words.reduce<unknown>(getHandlerMember, handlers);
  const handler = getHandlerMember(group, memberName);
  return isHandler(handler) ? handler.bind(group) : undefined;
}

function isHandler(value: unknown): value is RestHandler {
  return typeof value === "function";
}

const defaultPagePath = "/_browse";

/**
 * Returns the path of the HTML page, relative to the index. Returns undefined if there is no page. If a route has the
 * default path of the page, the route takes precedence.
 */
function findPagePath(page: RestServerOptions["page"], routes: RouteTable<ServedRoute>): string | undefined {
  if (page === false || routes.find("/", "GET") === undefined) {
    return undefined;
  }
  const path = typeof page === "string" ? page : defaultPagePath;
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
 * Returns the endpoints, grouped by route and in the order of the index. The order matters because a request is
 * answered by the first route that matches.
 */
function listRoutes(
  endpoints: readonly ServedEndpoint[],
  index: JsonValue,
): readonly Pick<ServedRoute, "key" | "path" | "endpoints">[] {
  const routes = new Map<string, ServedEndpoint[]>(listRouteKeys(index).map((key) => [key, []]));
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

function listRouteKeys(index: JsonValue): readonly string[] {
  if (typeof index !== "object" || index === null || Array.isArray(index) || !("routes" in index)) {
    return [];
  }
  return typeof index.routes === "object" && index.routes !== null ? Object.keys(index.routes) : [];
}
