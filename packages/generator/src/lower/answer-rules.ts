import type { JsonType } from "../model/rest.js";
import type { AnswerDefinition, Endpoint, Route } from "../read/discovery/index.js";
import { segmentsOf } from "./discovery-segments.js";

interface Place {
  readonly definition: AnswerDefinition;
  readonly endpoint: Endpoint;
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
    if (endsInVariable(route)) return changes || !collections.has(route.key) ? object : undefined;
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

function endsInVariable({ path }: Route): boolean {
  return (segmentsOf(path).at(-1)?.variables.length ?? 0) > 0;
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
