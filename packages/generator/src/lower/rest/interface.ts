import { didYouMean } from "@bothends/xml";
import type { RestInterfaceConfig } from "../../model/config.js";
import type { Arg, Endpoint, JsonType, JsonValue, PathVariable, RestBase, RestInterface } from "../../model/rest.js";
import type { Index, Endpoint as IndexEndpoint, Route } from "../../read/discovery/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonNode, type JsonObjectNode, jsonValue } from "../../source/json.js";
import { shortened } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import { lowerAnswers } from "./answers.js";
import { nameEndpoints, readGivenNames } from "./endpoint-names.js";
import { lowerSchema, type TypeLowering } from "./json-types.js";
import { longestNamespace, segmentsOf, variablesOf } from "./route-paths.js";

/** Patterns that digits alone match: `\d+`, `[\d]{1,5}`, `[0-9]+`. */
const digitsOnly = /^(?:\\d|\[\\d\]|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})?$/;

/** The arguments of an endpoint: path variables that none declares first, then the declared ones in order. */
function lowerArgs(route: Route, endpoint: IndexEndpoint, lowering: TypeLowering): readonly Arg[] {
  const variables = new Map(variablesOf(route.path).map((each) => [each.variable.variable, each]));
  const declared = new Set(endpoint.args.map((arg) => arg.name));
  const undeclared = [...variables.values()].filter(({ variable }) => !declared.has(variable.variable));
  return [
    ...undeclared.map(({ variable, required }): Arg => {
      const type = { kind: variableKind(variable) };
      return {
        name: variable.variable,
        inPath: true,
        required,
        type,
        default: undefined,
        span: route.span,
        documentation: undefined,
      };
    }),
    ...endpoint.args.map((arg): Arg => {
      const variable = variables.get(arg.name);
      const type = lowerSchema(arg.schema, lowering);
      return {
        name: arg.name,
        inPath: variable !== undefined,
        required: arg.required || variable?.required === true,
        // Text in a path is never just anything: where the argument has no type, the pattern tells.
        type: variable !== undefined && type.kind === "any" ? { kind: variableKind(variable.variable) } : type,
        default: arg.schema.default === undefined ? undefined : jsonValue(arg.schema.default),
        span: arg.span,
        documentation: shortened(arg.schema.description, lowering.limits.descriptionChars),
      };
    }),
  ];
}

function variableKind(variable: PathVariable): "integer" | "string" {
  return digitsOnly.test(variable.pattern) ? "integer" : "string";
}

/** What every site says of itself: a server fills it in when it answers. */
const siteFacts = new Set(["name", "description", "url", "home", "gmt_offset", "timezone_string"]);

/**
 * The index as a server serves it, without the site's own facts. Addresses of routes are left blank, in the shape the
 * index has them (`""`, or `[{ "href": "" }]`), so that a server can fill them in.
 */
function lowerDocument(index: Index, keeps: (route: string) => boolean): JsonValue {
  if (index.routesOnly) {
    const namespaces = index.namespaces.map((namespace) => namespace.path);
    return { namespaces, authentication: [], routes: routes(index.document, keeps) };
  }
  const members: [string, JsonValue][] = [];
  for (const { name, value } of index.document.members.values()) {
    if (siteFacts.has(name)) continue;
    if (name === "routes" && value.kind === "object") members.push([name, routes(value, keeps)]);
    else if (name === "_links" && value.kind === "object") members.push(...foreignLinks(value, index));
    else members.push([name, jsonValue(value)]);
  }
  return Object.fromEntries(members);
}

function routes(node: JsonObjectNode, keeps: (route: string) => boolean): JsonValue {
  const kept = [...node.members.values()].filter((member) => keeps(member.name));
  return Object.fromEntries(kept.map(({ name, value }) => [name, route(value)]));
}

function route(node: JsonNode): JsonValue {
  if (node.kind !== "object") return jsonValue(node);
  const members: [string, JsonValue][] = [];
  for (const { name, value } of node.members.values()) {
    if (name === "schema" && value.kind === "object") members.push([name, withoutLinks(value)]);
    else if (name !== "_links") members.push([name, jsonValue(value)]);
    else if (value.kind === "object") {
      const self = value.members.get("self")?.value;
      if (self !== undefined) members.push([name, { self: self.kind === "scalar" ? "" : [{ href: "" }] }]);
    }
  }
  return Object.fromEntries(members);
}

/** The links of a schema lead to the site that the index is from. */
function withoutLinks(schema: JsonObjectNode): JsonValue {
  const kept = [...schema.members.values()].filter(({ name }) => name !== "links");
  return Object.fromEntries(kept.map(({ name, value }) => [name, jsonValue(value)]));
}

/** Links of the whole index, without those that lead back to the site. */
function foreignLinks(links: JsonObjectNode, index: Index): readonly [string, JsonValue][] {
  const own = ["url", "home"].flatMap((name) => {
    const node = index.document.members.get(name)?.value;
    return node?.kind === "scalar" && typeof node.value === "string" && node.value !== "" ? [node.value] : [];
  });
  const foreign = [...links.members.values()].filter(({ value }) => {
    const text = JSON.stringify(jsonValue(value));
    return !own.some((address) => text.includes(JSON.stringify(address).slice(1, -1)));
  });
  if (foreign.length === 0) return [];
  return [["_links", Object.fromEntries(foreign.map(({ name, value }) => [name, jsonValue(value)]))]];
}

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
