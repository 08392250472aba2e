import { checkedPatternLimits, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonValue, PathPiece } from "../descriptor.js";
import { isJsonObject } from "../rest/php-json.js";
import { type RoutePiece, splitRoute } from "../rest/route-syntax/index.js";

/** The parts of a discovery index that pages show. */
interface IndexDocument {
  readonly name: string;
  readonly description: string;
  readonly namespaces: readonly { readonly name: string; readonly routes: readonly IndexRoute[] }[];
}

/** A route of the published index. */
export interface IndexRoute {
  readonly key: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly IndexEndpoint[];
  readonly path: readonly PathPiece[];
}

/** An endpoint of a route: methods with the same arguments. */
export interface IndexEndpoint {
  readonly methods: readonly string[];
  readonly args: readonly IndexArg[];
}

/** An argument of an endpoint, with its JSON Schema in the index. */
export interface IndexArg {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Reads a discovery index. Members whose values have an unexpected type are left out. */
export function readIndex(document: JsonValue): IndexDocument {
  const index = isJsonObject(document) ? document : {};
  const routes = Object.entries(getObjectIn(index, "routes")).map(([key, entry]) => ({
    namespace: isJsonObject(entry) ? getTextIn(entry, "namespace") : "",
    route: parseRoute(key, isJsonObject(entry) ? entry : {}),
  }));
  const routesByNamespace = new Map<string, IndexRoute[]>();
  for (const name of ["", ...listTextsIn(index["namespaces"])]) {
    routesByNamespace.set(name, []);
  }
  for (const { namespace, route } of routes) {
    const group = routesByNamespace.get(namespace);
    if (group === undefined) {
      routesByNamespace.set(namespace, [route]);
    } else {
      group.push(route);
    }
  }
  return {
    name: getTextIn(index, "name"),
    description: getTextIn(index, "description"),
    namespaces: [...routesByNamespace]
      .map(([name, routesOfNamespace]) => ({ name, routes: routesOfNamespace }))
      .filter((namespace) => namespace.routes.length > 0),
  };
}

function parseRoute(key: string, entry: JsonObject): IndexRoute {
  const { endpoints } = entry;
  return {
    key,
    path: listPathPieces(key),
    methods: listTextsIn(entry["methods"]),
    endpoints: (Array.isArray(endpoints) ? endpoints : []).filter(isJsonObject).map((endpoint) => ({
      methods: listTextsIn(endpoint["methods"]),
      args: findArgsIn(endpoint).map(([name, schema]) => ({
        name,
        schema: isJsonObject(schema) ? schema : {},
      })),
    })),
  };
}

/**
 * Splits the key of a route into the literals, variables and optional parts of its path. A key that cannot be read is
 * returned as a single literal.
 */
function listPathPieces(key: string): readonly PathPiece[] {
  try {
    return splitRoute(key, checkedPatternLimits)?.map(createPathPiece) ?? [key];
  } catch (error) {
    if (error instanceof PatternError) {
      return [key];
    }
    throw error;
  }
}

function createPathPiece(piece: RoutePiece): PathPiece {
  if (piece.kind === "variable") {
    return { variable: piece.variable, pattern: piece.pattern };
  }
  return piece.kind === "optional" ? { optional: piece.pieces.map(createPathPiece) } : piece.text;
}

/** Returns the string in a member; empty if the member is absent or of another type. */
export function getTextIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/**
 * Returns the arguments of an endpoint as pairs of name and definition. PHP writes arguments with the names 0, 1 … as a
 * list, so a list is also accepted.
 */
function findArgsIn({ args }: JsonObject): readonly (readonly [string, JsonValue | undefined])[] {
  return typeof args === "object" && args !== null ? Object.entries(args) : [];
}

function getObjectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** Returns the strings in a list. Empty if the value is not a list. */
export function listTextsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/**
 * The addresses to which the pages of an index link. They are relative, so that they work behind a proxy that changes
 * the path.
 */
export interface IndexLinks {
  /** The address of the page that lists the routes of the index. */
  readonly overview: string;
  /** Returns the address of a route's page. */
  readonly routePage: (key: string) => string;
  /** The address of the index. To call a route, append the route's path without its first slash. */
  readonly prefix: string;
  /** The character to write between an address and its query: `&` if the address already has a query. */
  readonly joiner: "?" | "&";
}

/** An index and the addresses of its pages. */
export interface PublishedIndex {
  readonly index: IndexDocument;
  readonly links: IndexLinks;
}
