import { checkedPatternLimits, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonValue, PathPiece } from "../descriptor.js";
import { isObject } from "../rest/php-json.js";
import { type RoutePiece, routePieces } from "../rest/route-syntax/index.js";

/** The parts of a discovery index shown on pages. */
interface IndexDocument {
  readonly name: string;
  readonly description: string;
  readonly namespaces: readonly { readonly name: string; readonly routes: readonly IndexRoute[] }[];
}

export interface IndexRoute {
  readonly key: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly IndexEndpoint[];
  readonly path: readonly PathPiece[];
}

export interface IndexEndpoint {
  readonly methods: readonly string[];
  readonly args: readonly IndexArg[];
}

/** An argument, and the schema it has in the index. */
export interface IndexArg {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Reads a served index. Unexpected parts are left out. */
export function readIndex(document: JsonValue): IndexDocument {
  const index = isObject(document) ? document : {};
  const routes = Object.entries(objectIn(index, "routes")).map(([key, entry]) => ({
    namespace: isObject(entry) ? textIn(entry, "namespace") : "",
    route: routeOf(key, isObject(entry) ? entry : {}),
  }));
  const names = [...new Set(["", ...textsIn(index["namespaces"]), ...routes.map(({ namespace }) => namespace)])];
  return {
    name: textIn(index, "name"),
    description: textIn(index, "description"),
    namespaces: names
      .map((name) => ({ name, routes: routes.filter(({ namespace }) => namespace === name).map(({ route }) => route) }))
      .filter((namespace) => namespace.routes.length > 0),
  };
}

function routeOf(key: string, entry: JsonObject): IndexRoute {
  const { endpoints } = entry;
  return {
    key,
    path: pathOf(key),
    methods: textsIn(entry["methods"]),
    endpoints: (Array.isArray(endpoints) ? endpoints : []).filter(isObject).map((endpoint) => ({
      methods: textsIn(endpoint["methods"]),
      args: argsIn(endpoint).map(([name, schema]) => ({
        name,
        schema: isObject(schema) ? schema : {},
      })),
    })),
  };
}

/** The pieces of a route's path; the key as a single piece if the route cannot be read. */
function pathOf(key: string): readonly PathPiece[] {
  try {
    return routePieces(key, checkedPatternLimits)?.map(pathPiece) ?? [key];
  } catch (error) {
    if (error instanceof PatternError) {
      return [key];
    }
    throw error;
  }
}

function pathPiece(piece: RoutePiece): PathPiece {
  if (piece.kind === "variable") {
    return { variable: piece.variable, pattern: piece.pattern };
  }
  return piece.kind === "optional" ? { optional: piece.pieces.map(pathPiece) } : piece.text;
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** PHP writes an array with the keys 0, 1 … as a list. */
function argsIn({ args }: JsonObject): readonly (readonly [string, JsonValue | undefined])[] {
  return typeof args === "object" && args !== null ? Object.entries(args) : [];
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return value !== undefined && isObject(value) ? value : {};
}

export function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Addresses relative to the page, so that they work behind a proxy that changes the path. */
export interface IndexLinks {
  /** The page of the index. */
  readonly overview: string;
  readonly routePage: (key: string) => string;
  /** The address to which a route's path is appended, without its first slash. */
  readonly prefix: string;
  /** The character before a query. */
  readonly joiner: "?" | "&";
}

/** An index and the addresses of its pages. */
export interface PublishedIndex {
  readonly index: IndexDocument;
  readonly links: IndexLinks;
}
