import type { Endpoint, Route } from "../read/discovery/index.js";
import { namespaceLength, type Segment, segmentsOf, staticWords } from "./discovery-segments.js";

/** An endpoint with what its name is made from. */
export interface NamedEndpoint {
  readonly route: Route;
  readonly endpoint: Endpoint;
  readonly namespace: string;
  /** The segments behind the namespace. */
  readonly segments: readonly Segment[];
}

/** The endpoints of one static path, and the longer paths below it by their next literal segment. */
export interface Group {
  readonly endpoints: NamedEndpoint[];
  readonly groups: Map<string, Group>;
}

export interface RouteTree {
  /** By namespace, in the index's order; only those that have endpoints. "" holds the index route and what has no namespace. */
  readonly namespaces: ReadonlyMap<string, Group>;
}

/** Sorts endpoints by namespace (the longest that begins the path wins) and static segments. */
export function routeTree(
  routes: readonly Route[],
  namespaces: readonly string[],
  isNamed: (route: Route, endpoint: Endpoint) => boolean,
): RouteTree {
  const tree = new Map<string, Group>(["", ...namespaces].map((namespace) => [namespace, emptyGroup()]));
  const used = new Set<string>();
  for (const route of routes) {
    const all = segmentsOf(route.path);
    const { namespace, length } = longestNamespace(all, namespaces);
    const segments = all.slice(length);
    let group = tree.get(namespace) ?? emptyGroup();
    if (route.endpoints.length > 0) used.add(namespace);
    for (const word of staticWords(segments)) {
      const next = group.groups.get(word) ?? emptyGroup();
      group.groups.set(word, next);
      group = next;
    }
    for (const endpoint of route.endpoints) {
      if (!isNamed(route, endpoint)) group.endpoints.push({ route, endpoint, namespace, segments });
    }
  }
  return { namespaces: new Map([...tree].filter(([namespace]) => used.has(namespace))) };
}

/** The namespace that a path lies in, "" for none. */
export function longestNamespace(
  segments: readonly Segment[],
  namespaces: readonly string[],
): { readonly namespace: string; readonly length: number } {
  let longest = { namespace: "", length: 0 };
  for (const namespace of namespaces) {
    const length = namespaceLength(segments, namespace) ?? 0;
    if (length > longest.length) longest = { namespace, length };
  }
  return longest;
}

function emptyGroup(): Group {
  return { endpoints: [], groups: new Map() };
}
