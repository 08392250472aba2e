import type { Sources } from "../proof/contracts.js";

/** An endpoint of the pairs about REST: its methods, and the definitions of its arguments. */
export interface EndpointInit {
  readonly methods?: readonly string[];
  readonly args?: Readonly<Record<string, object>>;
  /** Further members, such as `allow_batch`. */
  readonly more?: object;
}

/** A discovery index with routes; a route may have a schema for its answers. */
export function indexOf(
  routes: Readonly<Record<string, EndpointInit | readonly EndpointInit[]>>,
  schemas: Readonly<Record<string, object>> = {},
  site: object = {},
): Sources {
  const namespaces = new Set(Object.keys(routes).map((route) => route.split("/").slice(1, 3).join("/")));
  const described = Object.entries(routes).map(([route, init]) => {
    const list: readonly EndpointInit[] = Array.isArray(init) ? init : [init as EndpointInit];
    const endpoints = list.map(({ methods = ["GET"], args = {}, more = {} }) => ({ methods, args, ...more }));
    const schema = schemas[route];
    return [
      route,
      {
        namespace: route.split("/").slice(1, 3).join("/"),
        methods: endpoints.flatMap(({ methods }) => methods),
        endpoints,
        ...(schema === undefined ? {} : { schema }),
      },
    ] as const;
  });
  return {
    "index.json": JSON.stringify(
      { name: "t", ...site, namespaces: [...namespaces], routes: Object.fromEntries(described) },
      null,
      1,
    ),
  };
}
