import type { Segment } from "./discovery-segments.js";
import type { NamedEndpoint } from "./discovery-tree.js";
import { camelWord, camelWords } from "./discovery-words.js";

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
