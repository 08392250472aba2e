import type { Endpoint, RestInterface } from "@bothends/generator";
import type { OperationShape } from "../../probable-renames.js";
import { formatJson } from "../json-values.js";

// Describes the requests of routes, as far as a renamed or moved route keeps them.

/** The endpoints of each route. */
export type Routes = ReadonlyMap<string, readonly Endpoint[]>;

/** Returns the routes of an interface, in the order of the index. */
export function getRoutes({ endpoints }: RestInterface): Routes {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const endpointsOfRoute = routes.get(endpoint.route);
    if (endpointsOfRoute === undefined) {
      routes.set(endpoint.route, [endpoint]);
    } else {
      endpointsOfRoute.push(endpoint);
    }
  }
  return routes;
}

/** Describes the requests of a route: the methods, and their arguments without the variables of the path. */
export function describeRequests(endpoints: readonly Endpoint[]): OperationShape {
  const requests = endpoints.map(({ route, methods, args }) => {
    const variables = [...route.matchAll(/\(\?P?<(\w+)>/g)].map(([, variable]) => variable);
    return { methods: methods.join(" "), args: args.filter(({ name }) => !variables.includes(name)) };
  });
  return {
    kind: requests
      .map(({ methods }) => methods)
      .sort()
      .join(", "),
    parts: new Set(requests.flatMap(({ methods, args }) => args.map(({ name }) => `${methods} ${name}`))),
  };
}

/**
 * Describes the routes that list the routes of their namespace. Such routes have the same arguments in all namespaces,
 * so they are as similar as the lists that they answer.
 */
export function describeIndexes(routes: Routes): ReadonlyMap<string, OperationShape> {
  const indexes = new Map<string, { readonly kind: "index"; readonly parts: Set<string> }>();
  for (const [route, [endpoint]] of routes) {
    if (endpoint !== undefined && isIndex(route, endpoint)) {
      indexes.set(route, { kind: "index", parts: new Set() });
    }
  }
  for (const [route, [endpoint]] of routes) {
    const path = `/${endpoint?.namespace}`;
    indexes.get(path)?.parts.add(route === path ? route : route.slice(path.length));
  }
  return indexes;
}

/** Whether a route lists the routes of its namespace. */
export function isIndex(route: string, { namespace }: Endpoint): boolean {
  return route === `/${namespace}`;
}

/** Formats the methods and argument names of endpoints as a string to compare. */
export function formatRequests(endpoints: readonly Endpoint[]): string {
  return formatJson(endpoints.map(({ methods, args }) => [methods, args.map(({ name }) => name).sort()]));
}

/** A route with more segments is compared only as far as this. */
const maxSegments = 32;

/** Returns the paths with which a route begins, up to the route itself: `/core`, `/core/v2`, `/core/v2/blocks`. */
export function listPaths(route: string): readonly string[] {
  const segments = route.split("/").slice(1, maxSegments + 1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}
