interface DiscoveryArgument {
  readonly required?: boolean;
  readonly description?: string;
  readonly [key: string]: unknown;
}

interface DiscoveryRoute {
  readonly endpoints?: readonly {
    readonly methods: readonly string[];
    readonly args?: Readonly<Record<string, DiscoveryArgument>>;
  }[];
}

/** Converts the routes of a discovery index to an OpenAPI document, for generators that read OpenAPI. */
export function createOpenApi({ routes }: { readonly routes: Readonly<Record<string, DiscoveryRoute>> }) {
  const paths = Object.entries(routes).map(([route, { endpoints = [] }]) => {
    const path = route.replaceAll(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, "{$1}");
    const operations = endpoints.flatMap(({ methods, args = {} }) =>
      methods.map((method) => [method.toLowerCase(), describeOperation(path, args)] as const),
    );
    return [path, Object.fromEntries(operations)] as const;
  });
  return { openapi: "3.1.0", info: { title: "Content", version: "1" }, paths: Object.fromEntries(paths) };
}

function describeOperation(path: string, args: Readonly<Record<string, DiscoveryArgument>>) {
  const pathVariables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const parameters = Object.entries(args).map(([name, { required, description, ...schema }]) => ({
    name,
    in: pathVariables.includes(name) ? "path" : "query",
    required: pathVariables.includes(name) || required === true,
    ...(description !== undefined && { description }),
    schema,
  }));
  const undeclaredNames = pathVariables.filter((name) => !(name in args));
  return {
    parameters: [
      ...parameters,
      ...undeclaredNames.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ],
    responses: { 200: { description: "The answer.", content: { "application/json": { schema: {} } } } },
  };
}
