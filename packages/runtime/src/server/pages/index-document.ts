import type { JsonObject, JsonValue } from "../../descriptor.js";
import { isObject } from "../../rest/values.js";
import { splitKey } from "../../rest/wire-segments.js";

/** A discovery index as the pages show it. */
export interface IndexDocument {
  readonly name: string;
  readonly description: string;
  readonly namespaces: readonly { readonly name: string; readonly routes: readonly IndexRoute[] }[];
}

export interface IndexRoute {
  readonly key: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly IndexEndpoint[];
  readonly path: readonly (string | RouteVariable)[];
}

export interface RouteVariable {
  readonly variable: string;
  readonly pattern: string;
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
    path: splitKey(key).map((piece) =>
      typeof piece === "string" ? piece.replace(/\\(.)/g, "$1") : variableOf(piece.group),
    ),
    methods: textsIn(entry["methods"]),
    endpoints: (Array.isArray(endpoints) ? endpoints : []).filter(isObject).map((endpoint) => ({
      methods: textsIn(endpoint["methods"]),
      args: Object.entries(objectIn(endpoint, "args")).map(([name, schema]) => ({
        name,
        schema: isObject(schema) ? schema : {},
      })),
    })),
  };
}

/** `(?P<id>[\d]+)`: a group with a name; one without is text that the index does not name. */
function variableOf(group: string): RouteVariable {
  const [, variable = "", pattern = group] = /^\(\?P?<([^>]*)>(.*)\)$/s.exec(group) ?? [];
  return { variable, pattern };
}

export function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return value !== undefined && isObject(value) ? value : {};
}

export function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
