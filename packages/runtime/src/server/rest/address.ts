import { decodeFormText } from "../../rest/php-form.js";
import { matchBase, readRoutePath } from "../../rest/route-paths.js";
import type { ServerRequest } from "../types.js";
import type { RestServing } from "./serving.js";

/** What a request asks for, by its target. */
export interface Place {
  /** The route's path, decoded; undefined for one that no route has. */
  readonly path: string | undefined;
  readonly query: string;
  /** The values of the base's variables. */
  readonly variables: ReadonlyMap<string, string>;
}

const noVariables: ReadonlyMap<string, string> = new Map();

/** Finds the interface's base in a request's target, or `rest_route` in its query. Undefined: the request is for others. */
export function placeOf(request: ServerRequest, serving: RestServing): Place | undefined {
  const mark = request.target.indexOf("?");
  const path = mark < 0 ? request.target : request.target.slice(0, mark);
  const query = mark < 0 ? "" : request.target.slice(mark + 1);
  const { base, options } = serving;
  const match = matchBase(path, base) ?? (path.startsWith("/index.php/") ? matchBase(path.slice(10), base) : undefined);
  if (match !== undefined && (match.rest === "" || match.rest.startsWith("/"))) {
    if (!match.isAllowed) return { path: undefined, query, variables: noVariables };
    return { path: readRoutePath(match.rest), query, variables: match.variables };
  }
  if (options.plainPermalinks === false || !/^\/(?:index\.php)?$/.test(path)) return undefined;
  return plainPlace(query, serving);
}

/** `/?rest_route=/shop/v1/orders&lang=en`: how a site without rewriting is asked. */
function plainPlace(query: string, serving: RestServing): Place | undefined {
  const route = queryValue(query, "rest_route");
  if (route === undefined) return undefined;
  const variables = new Map<string, string>();
  for (const [name, values] of serving.base.values) {
    const value = queryValue(query, name);
    if (value !== undefined && values.includes(value)) variables.set(name, value);
  }
  const path = route.length > 1 && route.endsWith("/") ? route.slice(0, -1) : route;
  return { path: path === "" ? "/" : path, query, variables };
}

function queryValue(query: string, name: string): string | undefined {
  const found = query.split("&").findLast((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? undefined : decodeFormText(found.slice(name.length + 1));
}
