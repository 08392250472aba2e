import type { JsonType } from "../model/rest.js";
import type { AnswerDefinition, Endpoint, Route } from "../read/discovery/index.js";
import { segmentsOf } from "./discovery-segments.js";

interface Place {
  readonly definition: AnswerDefinition;
  readonly endpoint: Endpoint;
  readonly route: Route;
  readonly routes: readonly Route[];
}

/**
 * What an endpoint answers, given the object that its route is about, by WordPress's ways: a list of them, one, or what a
 * deletion left. Undefined where that is not certain, as for `GET /wp/v2/types`, which answers a map.
 */
export function answerOfObject(object: JsonType, { definition, endpoint, route, routes }: Place): JsonType | undefined {
  const { methods, args } = endpoint;
  const has = (name: string) => args.some((arg) => arg.name === name);
  const types = definition.schema.types;
  if (types !== undefined && !types.includes("object"))
    return methods.every((each) => each === "GET") ? object : undefined;
  if (methods.every((method) => method === "GET")) {
    if (has("page") || has("per_page") || has("offset")) return { kind: "array", items: object };
    const others = new Set(route.endpoints.flatMap((each) => each.methods));
    const changes = others.has("PUT") || others.has("PATCH");
    if (endsInVariable(route)) return changes || !hasItems(route, routes) ? object : undefined;
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

/** Whether a route leads on to items by one more variable: then it is a collection, whatever it ends in. */
function hasItems(route: Route, routes: readonly Route[]): boolean {
  const length = segmentsOf(route.path).length;
  return routes.some(
    (other) =>
      other.key.startsWith(`${route.key}/(`) && endsInVariable(other) && segmentsOf(other.path).length === length + 1,
  );
}
