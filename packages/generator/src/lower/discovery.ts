import type { RestInterfaceConfig } from "../model/config.js";
import type { Endpoint, JsonType, RestBase, RestInterface } from "../model/rest.js";
import type { Index, Route } from "../read/discovery/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { shortened } from "../source/limits.js";
import { didYouMean } from "../source/nearest.js";
import type { Sources } from "../source/sources.js";
import { lowerAnswers } from "./discovery-answers.js";
import { lowerArgs } from "./discovery-args.js";
import { lowerDocument } from "./discovery-document.js";
import { readGivenNames } from "./discovery-given-names.js";
import { nameEndpoints } from "./discovery-names.js";
import { segmentsOf } from "./discovery-segments.js";
import { longestNamespace } from "./discovery-tree.js";
import type { TypeLowering } from "./discovery-types.js";

/** Lowers a discovery index, with what bothends.json adds to it, to an interface. */
export function lowerDiscovery(
  index: Index,
  config: RestInterfaceConfig,
  { sources, diagnostics }: { readonly sources: Sources; readonly diagnostics: Diagnostics },
): RestInterface {
  const { limits } = sources;
  const routes = chosenRoutes(index, config, diagnostics);
  const given = readGivenNames(config, index, routes, diagnostics);
  const names = nameEndpoints(index, routes, given, diagnostics);
  const namespaces = index.namespaces.map((namespace) => namespace.path);
  const answers = lowerAnswers({ index, routes, operations: names.operations, config, sources, diagnostics, limits });
  const chosen = new Set(routes.map((route) => route.key));
  return {
    kind: "rest",
    name: config.name,
    span: index.span,
    documentation: shortened(index.description, limits.descriptionChars),
    base: lowerBase(config),
    namespaces: names.namespaces,
    endpoints: routes.flatMap((route) =>
      lowerRoute(route, { names: names.operations, namespaces, answers: answers.of, diagnostics, limits }),
    ),
    answers: answers.types,
    document: lowerDocument(index, (route) => chosen.has(route)),
    segments: lowerSegments(config, routes, diagnostics),
  };
}

interface RouteContext extends TypeLowering {
  readonly names: ReadonlyMap<object, readonly string[]>;
  readonly namespaces: readonly string[];
  readonly answers: ReadonlyMap<object, JsonType>;
}

function lowerRoute(route: Route, { names, namespaces, answers, ...lowering }: RouteContext): readonly Endpoint[] {
  const { namespace } = longestNamespace(segmentsOf(route.path), namespaces);
  return route.endpoints.flatMap((endpoint): readonly Endpoint[] => {
    const [first, ...others] = endpoint.methods;
    if (first === undefined) return [];
    return [
      {
        span: endpoint.span,
        documentation: undefined,
        namespace,
        operation: names.get(endpoint) ?? [],
        route: route.key,
        path: route.path,
        methods: [first, ...others],
        args: lowerArgs(route, endpoint, lowering),
        answer: answers.get(endpoint),
      },
    ];
  });
}

function lowerBase({ base }: RestInterfaceConfig): RestBase {
  return {
    path: base.path,
    values: [...base.values].map(([variable, values]) => ({ variable, values })),
    language: base.language,
  };
}

/** The routes that bothends.json asks for; all where it asks for none in particular. */
function chosenRoutes(index: Index, config: RestInterfaceConfig, diagnostics: Diagnostics): readonly Route[] {
  if (config.routes === undefined) return index.routes;
  const known = new Set(index.routes.map((route) => route.key));
  for (const { name, span } of config.routes) {
    if (known.has(name)) continue;
    diagnostics.error("IDX044", span, {
      message: `The index lists no route "${name}".`,
      help: didYouMean(name, known),
    });
  }
  const wanted = new Set(config.routes.map((route) => route.name));
  return index.routes.filter((route) => wanted.has(route.key));
}

function lowerSegments(config: RestInterfaceConfig, routes: readonly Route[], diagnostics: Diagnostics): string[] {
  const literal = routes.map((route) => `/${literalSegments(route).join("/")}/`);
  for (const { name, span } of config.wireNames.segments) {
    if (name.split("/").includes("") || !literal.some((path) => path.includes(`/${name}/`))) {
      diagnostics.error("IDX043", span, { message: `No route has the literal segment "${name}".` });
    }
  }
  return config.wireNames.segments.map((segment) => segment.name);
}

/** The segments of a route; one that is not text alone is empty. */
function literalSegments(route: Route): readonly string[] {
  return segmentsOf(route.path).map((segment) => (segment.variables.length === 0 ? segment.text : ""));
}
