import type { RoutedRequest } from "../../http/server-messages.js";
import { decodeFormText } from "../../rest/php-form.js";
import { type BaseMatch, matchBase, readRoutePath } from "../../rest/route-paths.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import type { RestServing } from "./serving.js";

/** The target of a request, split into its parts. */
export interface RequestTarget {
  /** The route's path, decoded; undefined for a path that no route can have. */
  readonly path: string | undefined;
  readonly query: string;
  /** The values of the base's variables. */
  readonly variables: ReadonlyMap<string, string>;
}

const noVariables: ReadonlyMap<string, string> = new Map();

/** Finds the base in a request's target, or `rest_route` in its query. Undefined: the request is not for this interface. */
export function readTarget({ path, query }: RoutedRequest, serving: RestServing): RequestTarget | undefined {
  const { base, options } = serving;
  const match = matchBase(path, base) ?? matchBelowScript(path, serving);
  if (match !== undefined && (match.rest === "" || match.rest.startsWith("/"))) {
    return match.isAllowed
      ? { path: readRoutePath(match.rest), query, variables: match.variables }
      : { path: undefined, query, variables: noVariables };
  }
  return options.plainPermalinks !== false && isPlainPath(path, serving.conventions)
    ? readPlainTarget(query, serving)
    : undefined;
}

/** The paths of an interface for the router; undefined if its base begins with a variable. */
export function interfacePaths({ base, options, conventions }: RestServing): readonly string[] | undefined {
  const { literalStart } = base;
  if (literalStart === "") {
    return undefined;
  }
  return options.plainPermalinks === false ? [literalStart] : [literalStart, "/", conventions.script];
}

/** Whether a path is that of a site without rewriting, whose routes are in the query. */
export function isPlainPath(path: string, { script }: RestConventions): boolean {
  return path === "/" || path === script;
}

function matchBelowScript(path: string, { base, conventions: { script } }: RestServing): BaseMatch | undefined {
  return path.startsWith(`${script}/`) ? matchBase(path.slice(script.length), base) : undefined;
}

/** Reads `/?rest_route=/shop/v1/orders&lang=en`. */
function readPlainTarget(query: string, serving: RestServing): RequestTarget | undefined {
  const route = queryValue(query, serving.conventions.parameters.route);
  if (route === undefined) {
    return undefined;
  }
  const variables = new Map<string, string>();
  for (const [name, values] of serving.base.values) {
    const value = queryValue(query, name);
    if (value !== undefined && values.includes(value)) {
      variables.set(name, value);
    }
  }
  const path = route.length > 1 && route.endsWith("/") ? route.slice(0, -1) : route;
  return { path: path === "" ? "/" : path, query, variables };
}

function queryValue(query: string, name: string): string | undefined {
  const last = query.split("&").findLast((pair) => pair.startsWith(`${name}=`));
  return last === undefined ? undefined : decodeFormText(last.slice(name.length + 1));
}
