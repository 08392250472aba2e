import { readDefault } from "@bothends/runtime/argument-defaults";
import { suggestName } from "@bothends/xml";
import type { RestInterfaceConfig } from "../../model/config.js";
import type {
  Arg,
  Endpoint,
  JsonPositions,
  JsonType,
  JsonValue,
  PathVariable,
  RestBase,
  RestInterface,
  SiteMember,
} from "../../model/rest.js";
import type { Index, Arg as IndexArg, Endpoint as IndexEndpoint, Route } from "../../read/rest/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonNode, type JsonObjectNode, toJsonValue } from "../../source/json.js";
import { shortenDescription } from "../../source/source-limits.js";
import type { Sources } from "../../source/sources.js";
import { type Span, withParts } from "../../source/span.js";
import { type Answers, lowerAnswers } from "./answers.js";
import { siteMembers } from "./endpoint-conventions.js";
import { nameEndpoints, readConfiguredNames } from "./endpoint-names.js";
import { findLongestNamespace, listSegments, listVariables, type Segment } from "./endpoint-paths.js";
import { lowerSchema, type SchemaContext } from "./json-types.js";

/** Lowers a discovery index and its entry in `bothends.json` to an interface of the Contract. */
export function lowerIndex(
  index: Index,
  config: RestInterfaceConfig,
  { sources, diagnostics }: { readonly sources: Sources; readonly diagnostics: Diagnostics },
): RestInterface {
  const { limits } = sources;
  const routes = selectRoutes(index, config, diagnostics);
  const configuredNames = readConfiguredNames(config, index, routes, diagnostics);
  const { namespaces, operations } = nameEndpoints(index, routes, {
    configuredNames,
    unversioned: config.unversioned,
    diagnostics,
  });
  const answers = lowerAnswers({ index, routes, operations, config, sources, diagnostics, limits });
  const paths = index.namespaces.map((namespace) => namespace.path);
  const routesByKey = new Map(routes.map((route) => [route.key, route]));
  return {
    kind: "rest",
    name: config.name,
    span: index.span,
    documentation: shortenDescription(index.description, limits.descriptionChars),
    base: lowerBase(config),
    namespaces,
    endpoints: routes.flatMap((route) =>
      lowerRoute(route, { operations, namespaces: paths, answers, diagnostics, limits }),
    ),
    answers: answers.types,
    ...(answers.embedded === undefined ? {} : { embedded: answers.embedded }),
    document: lowerDocument(index, routesByKey),
    siteMembers: index.hasOnlyRoutes ? [] : listSiteMembers(index.document),
    segments: lowerSegments(config, routes, diagnostics),
    configured: { span: config.span, names: config.wireNames.segments, settings: config.settings },
  };
}

/** Returns the routes that `bothends.json` lists under `routes`; without such a list, all routes. */
function selectRoutes(index: Index, config: RestInterfaceConfig, diagnostics: Diagnostics): readonly Route[] {
  if (config.routes === undefined) {
    return index.routes;
  }
  const keys = new Set(index.routes.map((route) => route.key));
  for (const { name, span } of config.routes) {
    if (!keys.has(name)) {
      diagnostics.error("IDX044", span, {
        message: `The index lists no route "${name}".`,
        help: suggestName(name, keys),
      });
    }
  }
  const listedRoutes = new Set(config.routes.map((route) => route.name));
  return index.routes.filter((route) => listedRoutes.has(route.key));
}

function lowerBase({ base }: RestInterfaceConfig): RestBase {
  return {
    path: base.path,
    values: [...base.values].map(([variable, values]) => ({ variable, values })),
    language: base.language,
  };
}

interface RouteContext extends SchemaContext {
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
  readonly namespaces: readonly string[];
  readonly answers: Answers;
}

function lowerRoute(route: Route, context: RouteContext): readonly Endpoint[] {
  const { namespace } = findLongestNamespace(listSegments(route.path), context.namespaces);
  return route.endpoints.flatMap((endpoint): readonly Endpoint[] => {
    const [firstMethod, ...otherMethods] = endpoint.methods;
    if (firstMethod === undefined) {
      return [];
    }
    return [
      {
        span: withParts(endpoint.span, [["route", route.span]]),
        documentation: undefined,
        namespace,
        operation: context.operations.get(endpoint) ?? [],
        route: route.key,
        path: route.path,
        methods: [firstMethod, ...otherMethods],
        args: lowerArgs(route, endpoint, context),
        answer: context.answers.typesByEndpoint.get(endpoint),
        configuredAnswer: context.answers.configuredAnswers.get(endpoint),
        context: context.answers.contexts.get(endpoint),
      },
    ];
  });
}

type RouteVariable = ReturnType<typeof listVariables>[number];

/**
 * Returns the arguments of an endpoint: first the path variables that the index does not declare as arguments, then the
 * declared arguments.
 */
function lowerArgs(route: Route, { args }: IndexEndpoint, context: SchemaContext): readonly Arg[] {
  const variables = new Map(listVariables(route.path).map((variable) => [variable.variable.variable, variable]));
  const declaredNames = new Set(args.map((arg) => arg.name));
  const undeclaredVariables = [...variables.values()].filter(({ variable }) => !declaredNames.has(variable.variable));
  return [
    ...undeclaredVariables.map((variable) => findVariableArg(variable, route)),
    ...args.map((arg) => lowerArg(arg, variables.get(arg.name), context)),
  ];
}

function findVariableArg({ variable, required }: RouteVariable, { span }: Route): Arg {
  return {
    name: variable.variable,
    inPath: true,
    required,
    type: getVariableType(variable),
    default: undefined,
    span,
    documentation: undefined,
  };
}

function lowerArg(arg: IndexArg, variable: RouteVariable | undefined, context: SchemaContext): Arg {
  const { description, format, default: defaultValue } = arg.schema;
  const type = lowerSchema(arg.schema, context);
  checkDefault(arg, context.diagnostics);
  return {
    name: arg.name,
    inPath: variable !== undefined,
    required: arg.required || variable?.required === true,
    // A path contains only strings, so a variable without a type must not get the type "any JSON value".
    type: variable !== undefined && type.kind === "any" ? getVariableType(variable.variable) : type,
    default: defaultValue === undefined ? undefined : toJsonValue(defaultValue),
    ...(format === undefined ? {} : { format }),
    span: arg.span,
    positions: listPositions(arg.definition, arg.span),
    documentation: shortenDescription(description, context.limits.descriptionChars),
  };
}

/** Returns the position of a value and those of its parts. The position of a member is that of its name. */
function listPositions(node: JsonNode, span: Span): JsonPositions {
  if (node.kind === "scalar") {
    return { span };
  }
  const parts =
    node.kind === "object"
      ? [...node.members.values()].map(({ name, nameSpan, value }) => [name, listPositions(value, nameSpan)] as const)
      : node.items.map((item, index) => [String(index), listPositions(item, item.span)] as const);
  return { span, parts: Object.fromEntries(parts) };
}

/**
 * Reports a default that the argument's schema refuses. Two cases are reported elsewhere: `lowerSchema` reports a
 * default that `enum` does not list, and the reader reports a number that is too large.
 */
function checkDefault({ name, schema, definition }: IndexArg, diagnostics: Diagnostics): void {
  const node = schema.default;
  if (node === undefined || schema.enum !== undefined || (node.kind === "scalar" && node.value === Infinity)) {
    return;
  }
  const result = readDefault(name, toJsonValue(definition));
  if (result !== undefined && "problem" in result) {
    const message = `The default at ${node.pointer} is not valid: ${result.problem}`;
    diagnostics.warning("IDX032", node.span, { message });
  }
}

/** Patterns that match only digits: `\d+`, `[\d]{1,5}`, `[0-9]+`. */
const digitsOnly = /^(?:\\d|\[\\d\]|\[0-9\])(?:\+|\{\d+(?:,\d*)?\})?$/;

function getVariableType({ pattern }: PathVariable): JsonType {
  return { kind: digitsOnly.test(pattern) ? "integer" : "string" };
}

/**
 * Returns the index as a server publishes it, without the members that describe the site. The addresses of routes are
 * empty, in the notation of the index: `""`, or `[{ "href": "" }]`. The server fills them in.
 */
function lowerDocument(index: Index, routes: ReadonlyMap<string, Route>): JsonValue {
  if (index.hasOnlyRoutes) {
    const namespaces = index.namespaces.map((namespace) => namespace.path);
    return { namespaces, authentication: [], routes: lowerRoutes(index.document, routes) };
  }
  const members: [string, JsonValue][] = [];
  for (const { name, value } of index.document.members.values()) {
    if (name === "routes" && value.kind === "object") {
      members.push([name, lowerRoutes(value, routes)]);
    } else if (name === "_links" && value.kind === "object") {
      members.push(...listExternalLinks(value, index));
    } else if (!siteMembers.has(name)) {
      members.push([name, toJsonValue(value)]);
    }
  }
  return Object.fromEntries(members);
}

function listSiteMembers({ members }: JsonObjectNode): readonly SiteMember[] {
  return ["authentication", "_links"].flatMap((name): readonly SiteMember[] => {
    const member = members.get(name);
    if (member === undefined) {
      return [];
    }
    const children = member.value.kind === "object" ? [...member.value.members.values()] : [];
    return [
      { path: [name], span: member.nameSpan },
      ...children.map((child): SiteMember => ({ path: [name, child.name], span: child.nameSpan })),
    ];
  });
}

function lowerRoutes(node: JsonObjectNode, routes: ReadonlyMap<string, Route>): JsonValue {
  const members = [...node.members.values()].flatMap(({ name, value }) => {
    const route = routes.get(name);
    return route === undefined ? [] : [[name, writeRouteDocument(value, route)] as const];
  });
  return Object.fromEntries(members);
}

function writeRouteDocument(node: JsonNode, route: Route): JsonValue {
  if (node.kind !== "object") {
    return toJsonValue(node);
  }
  const members: [string, JsonValue][] = [];
  if (!node.members.has("endpoints")) {
    members.push(["endpoints", route.endpoints.map(({ methods }) => ({ methods, args: {} }))]);
  }
  for (const { name, value } of node.members.values()) {
    if (name === "endpoints") {
      members.push([name, createEndpointsDocument(value, route)]);
    } else if (name === "schema" && value.kind === "object") {
      members.push([name, omitLinks(value)]);
    } else if (name !== "_links") {
      members.push([name, toJsonValue(value)]);
    } else if (value.kind === "object") {
      const selfLink = value.members.get("self")?.value;
      if (selfLink !== undefined) {
        members.push([name, { self: selfLink.kind === "scalar" ? "" : [{ href: "" }] }]);
      }
    }
  }
  return Object.fromEntries(members);
}

/**
 * Writes the endpoints of a route as a list of objects with `methods`, because servers look up the arguments of an
 * endpoint by method.
 */
function createEndpointsDocument(node: JsonNode, { endpoints }: Route): JsonValue {
  const hasMethods = node.kind === "object" && node.members.has("methods");
  const endpointNodes =
    node.kind === "array"
      ? node.items
      : node.kind === "object"
        ? [...node.members.values()].map(({ value }) => value)
        : [];
  if (!hasMethods && node.kind !== "scalar" && endpointNodes.every(hasMethodList)) {
    return toJsonValue(node);
  }
  return endpoints.map(({ span, methods }) => {
    const endpointNode = [node, ...endpointNodes].find(
      (candidate) => candidate.kind === "object" && candidate.span.start === span.start,
    );
    return { args: {}, ...(endpointNode?.kind === "object" ? Object(toJsonValue(endpointNode)) : {}), methods };
  });
}

function hasMethodList(endpoint: JsonNode): boolean {
  const methods = endpoint.kind === "object" ? endpoint.members.get("methods")?.value : undefined;
  return methods !== undefined && methods.kind !== "scalar";
}

/** Returns a schema without its `links`, which are addresses of the original site. */
function omitLinks(schema: JsonObjectNode): JsonValue {
  const members = [...schema.members.values()].filter(({ name }) => name !== "links");
  return Object.fromEntries(members.map(({ name, value }) => [name, toJsonValue(value)]));
}

/** Copies the `_links` of the index, except links to the original site; returns no member if no link is left. */
function listExternalLinks(links: JsonObjectNode, index: Index): readonly [string, JsonValue][] {
  const siteAddresses = ["url", "home"].flatMap((name) => {
    const node = index.document.members.get(name)?.value;
    return node?.kind === "scalar" && typeof node.value === "string" && node.value !== "" ? [node.value] : [];
  });
  const keptLinks = [...links.members.values()].filter(({ value }) => {
    const text = JSON.stringify(toJsonValue(value));
    return !siteAddresses.some((address) => text.includes(JSON.stringify(address).slice(1, -1)));
  });
  if (keptLinks.length === 0) {
    return [];
  }
  return [["_links", Object.fromEntries(keptLinks.map(({ name, value }) => [name, toJsonValue(value)]))]];
}

/** Returns the path segments that programs can replace at run time. Reports a segment that no route contains. */
function lowerSegments(
  config: RestInterfaceConfig,
  routes: readonly Route[],
  diagnostics: Diagnostics,
): readonly string[] {
  const paths = routes.map((route) => `/${listSegments(route.path).map(getLiteralText).join("/")}/`);
  for (const { name, span } of config.wireNames.segments) {
    if (name.split("/").includes("") || !paths.some((path) => path.includes(`/${name}/`))) {
      const segments = new Set(paths.flatMap((path) => path.split("/").filter((text) => text !== "")));
      diagnostics.error("IDX043", span, {
        message: `No route has the literal segment "${name}".`,
        help: suggestName(name, segments),
      });
    }
  }
  return config.wireNames.segments.map((segment) => segment.name);
}

/** Returns the literal text of a segment; "" if the segment contains a variable. */
function getLiteralText({ text, variables }: Segment): string {
  return variables.length === 0 ? text : "";
}
