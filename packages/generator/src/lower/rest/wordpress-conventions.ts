import type { JsonType } from "../../model/rest.js";
import type { AnswerDefinition, Endpoint as IndexEndpoint, Route } from "../../read/discovery/index.js";
import { camelWord, camelWords, type NamedEndpoint, type Segment, segmentsOf } from "./route-paths.js";

/** `list`, `get`, `create`, `update`, `delete`, or `index`: from the default method, and from how the path ends. */
export function verbOf({ endpoint, segments }: NamedEndpoint): string {
  const onItem = endsInVariable(segments);
  switch (endpoint.methods[0]) {
    case "GET":
      if (segments.length === 0) return "index";
      return onItem ? "get" : "list";
    case "DELETE":
      return "delete";
    case "POST":
      return onItem || endpoint.methods.some((method) => method === "PUT" || method === "PATCH") ? "update" : "create";
    default:
      return "update";
  }
}

/** The verb, with `All` where it is about a collection whose items have the same verb. */
export function plainVerb(endpoint: NamedEndpoint, itemVerbs: ReadonlySet<string>): string {
  const verb = verbOf(endpoint);
  const ofAll = (verb === "update" || verb === "delete") && !isOnItem(endpoint) && itemVerbs.has(verb);
  return ofAll ? `${verb}All` : verb;
}

/** Whether the path ends in a variable, and so leads to one item. */
export function isOnItem({ segments }: NamedEndpoint): boolean {
  return endsInVariable(segments);
}

function endsInVariable(segments: readonly Segment[]): boolean {
  return (segments.at(-1)?.variables.length ?? 0) > 0;
}

/**
 * Other names for an endpoint whose verb an earlier one has: the method, for endpoints of one route; else what the path
 * asks for, `getByNamespaceAndName`.
 */
export function otherVerbs(
  endpoint: NamedEndpoint,
  verb: string,
  earlier: NamedEndpoint | undefined,
): readonly string[] {
  const others: string[] = [];
  if (earlier?.route === endpoint.route) others.push(endpoint.endpoint.methods[0]?.toLowerCase() ?? verb);
  const variables = endpoint.segments.flatMap((segment) =>
    segment.variables.map(({ variable }) => camelWord(variable)),
  );
  if (variables.length > 0)
    others.push(camelWords([verb, "by", ...variables.flatMap((name) => ["and", name]).slice(1)]));
  return others;
}

interface Place {
  readonly definition: AnswerDefinition;
  readonly endpoint: IndexEndpoint;
  readonly route: Route;
  readonly collections: ReadonlySet<string>;
}

/**
 * What an endpoint answers, given the object that its route is about, by WordPress's ways: a list of them, one, or what a
 * deletion left. Undefined where that is not certain, as for `GET /wp/v2/types`, which answers a map.
 */
export function answerOfObject(
  object: JsonType,
  { definition, endpoint, route, collections }: Place,
): JsonType | undefined {
  const { methods, args } = endpoint;
  const has = (name: string) => args.some((arg) => arg.name === name);
  const types = definition.schema.types;
  if (types !== undefined && !types.includes("object"))
    return methods.every((each) => each === "GET") ? object : undefined;
  if (methods.every((method) => method === "GET")) {
    if (has("page") || has("per_page") || has("offset")) return { kind: "array", items: object };
    const others = new Set(route.endpoints.flatMap((each) => each.methods));
    const changes = others.has("PUT") || others.has("PATCH");
    if (endsInVariable(segmentsOf(route.path))) return changes || !collections.has(route.key) ? object : undefined;
    if (changes) return object;
    return others.has("POST") ? { kind: "array", items: object } : undefined;
  }
  if (methods.every((method) => method === "DELETE")) {
    return has("force") ? { kind: "union", members: [object, deleted(object)] } : undefined;
  }
  return methods.every((method) => method === "POST" || method === "PUT" || method === "PATCH") ? object : undefined;
}

/** What a deletion for good answers. */
function deleted(object: JsonType): JsonType {
  const property = (name: string, type: JsonType) => ({ name, required: true, type, documentation: undefined });
  return {
    kind: "object",
    properties: [property("deleted", { kind: "boolean" }), property("previous", object)],
  };
}

/** The keys of routes that lead on to items by one more variable: collections, whatever they end in. */
export function collectionsOf(routes: readonly Route[]): ReadonlySet<string> {
  const collections = new Set<string>();
  for (const { key, path } of routes) {
    const last = path.at(-1);
    if (last === undefined || typeof last === "string" || !("variable" in last)) continue;
    const name = Math.max(key.lastIndexOf(`<${last.variable}>`), key.lastIndexOf(`'${last.variable}'`));
    const before = key.slice(0, key.lastIndexOf("(", name));
    if (before.endsWith("/")) collections.add(before.slice(0, -1));
  }
  return collections;
}
