import { judgedPatternLimits, PatternError } from "@bothends/datatypes/pattern";
import type { JsonObject, JsonValue, PathPiece } from "../descriptor.js";
import { isObject } from "../rest/php-values.js";
import { type RoutePiece, routePieces } from "../rest/route-syntax/index.js";
import type { HeaderLine } from "../server/types.js";

/** A discovery index as the pages show it. */
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

/** Reads an index as it is served. What has another form is left out: a page shows what can be shown. */
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
      .filter(({ routes: own }) => own.length > 0),
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

/** What the paths of a route are written from; for a route that is not understood, its key. */
function pathOf(key: string): readonly PathPiece[] {
  try {
    return routePieces(key, judgedPatternLimits)?.map(pathPiece) ?? [key];
  } catch (error) {
    if (error instanceof PatternError) return [key];
    throw error;
  }
}

function pathPiece(piece: RoutePiece): PathPiece {
  if (piece.kind === "variable") return { variable: piece.variable, pattern: piece.pattern };
  return piece.kind === "optional" ? { optional: piece.pieces.map(pathPiece) } : piece.text;
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** PHP writes names that are 0, 1 … as a list. */
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

/** Addresses as the pages name them, relative to themselves, so that they hold behind a proxy that adds to the path. */
export interface BrowseLinks {
  /** This page without a route. */
  readonly overview: string;
  readonly routePage: (key: string) => string;
  /** What the path of a route follows, without its first slash. */
  readonly prefix: string;
  /** What a query follows. */
  readonly joiner: "?" | "&";
}

/** What the pages of one index are made from. */
export interface BrowsedIndex {
  readonly index: IndexDocument;
  readonly links: BrowseLinks;
  readonly robots: readonly HeaderLine[];
}
