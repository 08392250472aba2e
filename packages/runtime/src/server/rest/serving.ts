import type { AnyEndpointDescriptor, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { type BasePath, compileBase } from "../../rest/route-paths.js";
import { RouteTable } from "../../rest/route-table.js";
import { wireKey, wirePath, wireSegments, wireText } from "../../rest/wire-segments.js";
import { type RestConventions, wordpressConventions } from "../../rest/wordpress-conventions.js";
import { type ServerLimits, withLimits } from "../limits.js";
import { compileArgs, listsLimits, type ServedArg } from "./arguments.js";
import { browsePath } from "./browse.js";
import { indexHandlers, ServedIndex } from "./served-index.js";

import type { RestContext, RestServerOptions, RestService } from "./service.js";

export type RestHandler = (input: never, context: RestContext) => unknown;

export interface ServedEndpoint {
  readonly descriptor: AnyEndpointDescriptor;
  readonly handler: (input: Readonly<Record<string, JsonValue>>, context: RestContext) => unknown;
  /** In the order of the index. */
  readonly args: readonly ServedArg[];
}

export interface ServedRoute {
  /** Its key in the index. */
  readonly key: string;
  /** The key with the names of the wire: what paths match. */
  readonly pattern: string;
  readonly path: AnyEndpointDescriptor["path"];
  readonly endpoints: readonly ServedEndpoint[];
  /** The methods of all endpoints, each once. */
  readonly methods: readonly Method[];
  /** It answers an index. */
  readonly isIndex: boolean;
}

/** A REST interface, prepared once: what every request is answered from. */
export interface RestServing {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly limits: ServerLimits;
  readonly base: BasePath;
  readonly index: ServedIndex;
  readonly routes: RouteTable<ServedRoute>;
  /** Where the page for people is, below the base. */
  readonly browse: string | undefined;
}

export function restServing(service: RestService, options: RestServerOptions): RestServing {
  const limits = withLimits(options.limits);
  const segments = wireSegments(options.wireNames?.segments, service.interface.segments ?? []);
  const index = new ServedIndex(service.index, segments);
  const conventions = conventionsOf(service.index, options);
  const wireName = (namespace: string) => wireText(namespace, segments);
  const builtIn = indexHandlers(index, { service, options, wireName });
  const endpoints = endpointsOf(service.endpoints, service.handlers).map(({ descriptor, handler }): ServedEndpoint => {
    const run = handler ?? builtIn(descriptor);
    if (run === undefined) throw new ConfigError(`There is no handler for ${descriptor.name}.`);
    const args = compileArgs(descriptor, service.index, { conventions, wireName });
    return { descriptor, handler: run, args };
  });
  const routes = routesOf(endpoints, service.index).map((route) => ({
    ...route,
    pattern: wireKey(route.key, segments),
    path: wirePath(route.path, segments),
    methods: [...new Set(route.endpoints.flatMap(({ descriptor }) => descriptor.methods))],
    isIndex: route.key === "/" || index.namespaces.includes(wireName(route.key.slice(1))),
  }));
  const table = new RouteTable(routes, limits.segmentChars);
  return {
    service,
    options,
    limits,
    base: compileBase({ ...service.interface, base: options.base ?? service.interface.base }),
    index,
    routes: table,
    browse: browsePath(options.page, table),
  };
}

/** An index that lists limits hides none. */
function conventionsOf(index: JsonValue, options: RestServerOptions): RestConventions {
  const own = listsLimits(index) ? { hiddenLimits: {} } : {};
  return { ...wordpressConventions, ...own, ...options.conventions };
}

interface Found {
  readonly descriptor: AnyEndpointDescriptor;
  readonly handler: ServedEndpoint["handler"] | undefined;
}

/** Every endpoint of the tree with the handler at the same place. */
function endpointsOf(tree: object, handlers: unknown): readonly Found[] {
  return Object.entries(tree).flatMap(([name, node]: [string, unknown]): readonly Found[] => {
    const handler = ownMember(handlers, name);
    if (!isEndpoint(node)) return typeof node === "object" && node !== null ? endpointsOf(node, handler) : [];
    return [{ descriptor: node, handler: isHandler(handler) ? handler.bind(handlers) : undefined }];
  });
}

/** A member of a plain object, or a method of a class's instance, but nothing that every object has. */
function ownMember(of: unknown, name: string): unknown {
  if (typeof of !== "object" || of === null || (name in Object.prototype && !Object.hasOwn(of, name))) return undefined;
  return (of as Readonly<Record<string, unknown>>)[name];
}

function isHandler(value: unknown): value is ServedEndpoint["handler"] {
  return typeof value === "function";
}

function isEndpoint(value: unknown): value is AnyEndpointDescriptor {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "endpoint";
}

/** Endpoints by route, in the order of the index: the first that matches answers. */
function routesOf(
  endpoints: readonly ServedEndpoint[],
  index: JsonValue,
): readonly Pick<ServedRoute, "key" | "path" | "endpoints">[] {
  const routes = new Map<string, ServedEndpoint[]>(routeKeys(index).map((key) => [key, []]));
  for (const endpoint of endpoints) {
    const known = routes.get(endpoint.descriptor.route);
    if (known === undefined) routes.set(endpoint.descriptor.route, [endpoint]);
    else known.push(endpoint);
  }
  return [...routes].flatMap(([key, list]) => {
    const [first] = list;
    return first === undefined ? [] : [{ key, path: first.descriptor.path, endpoints: list }];
  });
}

function routeKeys(index: JsonValue): readonly string[] {
  if (typeof index !== "object" || index === null || Array.isArray(index) || !("routes" in index)) return [];
  return typeof index.routes === "object" && index.routes !== null ? Object.keys(index.routes) : [];
}
