import type { RestInterfaceConfig } from "../model/config.js";
import type { RestNamespace } from "../model/rest.js";
import type { Endpoint, Index, Route } from "../read/discovery/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { didYouMean } from "../source/nearest.js";
import type { Span } from "../source/span.js";
import { segmentsOf } from "./discovery-segments.js";
import { longestNamespace } from "./discovery-tree.js";
import { camelWord, camelWords } from "./discovery-words.js";

/** A name that people chose for an endpoint, and where they did. */
export interface GivenName {
  readonly words: readonly string[];
  readonly namespace: string;
  readonly span: Span;
}
export type GivenNames = ReadonlyMap<Endpoint, GivenName>;

/** Finds the endpoints that bothends.json names by `METHOD route`, and checks the names. */
export function readGivenNames(
  config: RestInterfaceConfig,
  index: Index,
  routes: readonly Route[],
  diagnostics: Diagnostics,
): GivenNames {
  const names = new Map<Endpoint, GivenName>();
  const taken = new Set<string>();
  const namespaces = index.namespaces.map((namespace) => namespace.path);
  for (const [key, { name, span, keySpan }] of config.names) {
    const [route, endpoint] = findEndpoint(key, routes) ?? [];
    if (route === undefined || endpoint === undefined) {
      if (findEndpoint(key, index.routes) === undefined) {
        diagnostics.error("IDX041", keySpan, {
          message: `The index lists no endpoint "${key}".`,
          help: didYouMean(key, endpointKeys(index.routes)),
        });
      }
      continue;
    }
    const words = name.split(".");
    const unusable = words.find((word) => camelWord(word) !== word && `_${camelWord(word.slice(1))}` !== word);
    if (unusable !== undefined) {
      diagnostics.error("IDX042", span, { message: `"${unusable}" in "${name}" is not a camel-case word.` });
    } else if (taken.has(name)) {
      diagnostics.error("IDX042", span, { message: `"${name}" is given twice.` });
    } else if ([...taken].some((other) => name.startsWith(`${other}.`) || other.startsWith(`${name}.`))) {
      diagnostics.error("IDX042", span, { message: `"${name}" and another endpoint's name lie one below the other.` });
    } else {
      const { namespace } = longestNamespace(segmentsOf(route.path), namespaces);
      names.set(endpoint, { words, namespace, span });
    }
    taken.add(name);
  }
  return names;
}

/** A given name stays in its namespace: code has a class for each. */
export function checkGivenNames(
  given: GivenNames,
  namespaces: readonly RestNamespace[],
  diagnostics: Diagnostics,
): void {
  const words = new Map(namespaces.map(({ path, words }) => [path, camelWords(words)]));
  const others = new Set(namespaces.filter(({ path }) => path !== "").map(({ words }) => camelWords(words)));
  for (const { words: name, namespace, span } of given.values()) {
    const [first, second] = name;
    const inside =
      namespace === ""
        ? first !== undefined && !others.has(first)
        : second !== undefined && first === words.get(namespace);
    if (inside) continue;
    const wanted = namespace === "" ? "must not begin with a namespace" : `must begin with "${words.get(namespace)}."`;
    diagnostics.error("IDX042", span, { message: `"${name.join(".")}" ${wanted}.` });
  }
}

function endpointKeys(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ key, endpoints }) =>
    endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${key}`)),
  );
}

function findEndpoint(key: string, routes: readonly Route[]): readonly [Route, Endpoint] | undefined {
  const [method, ...rest] = key.split(" ");
  const route = routes.find((candidate) => candidate.key === rest.join(" "));
  const endpoint = route?.endpoints.find((candidate) => candidate.methods.some((listed) => listed === method));
  return route === undefined || endpoint === undefined ? undefined : [route, endpoint];
}
