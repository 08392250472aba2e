import { didYouMean } from "@bothends/xml";
import type { RestInterfaceConfig } from "../../model/config.js";
import type { RestNamespace } from "../../model/rest.js";
import type { Index, Endpoint as IndexEndpoint, Route } from "../../read/discovery/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { Span } from "../../source/span.js";
import {
  camelWord,
  camelWords,
  freeName,
  type Group,
  isVersion,
  longestNamespace,
  type NamedEndpoint,
  namespaceWords,
  routeTree,
  segmentsOf,
} from "./route-paths.js";
import { isOnItem, otherVerbs, plainVerb, verbOf } from "./wordpress-conventions.js";

/** A name that people chose for an endpoint, and where they did. */
interface GivenName {
  readonly words: readonly string[];
  readonly namespace: string;
  readonly span: Span;
}
type GivenNames = ReadonlyMap<IndexEndpoint, GivenName>;

/** Finds the endpoints that bothends.json names by `METHOD route`, and checks the names. */
export function readGivenNames(
  config: RestInterfaceConfig,
  index: Index,
  routes: readonly Route[],
  diagnostics: Diagnostics,
): GivenNames {
  const names = new Map<IndexEndpoint, GivenName>();
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
function checkGivenNames(given: GivenNames, namespaces: readonly RestNamespace[], diagnostics: Diagnostics): void {
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

function findEndpoint(key: string, routes: readonly Route[]): readonly [Route, IndexEndpoint] | undefined {
  const [method, ...rest] = key.split(" ");
  const route = routes.find((candidate) => candidate.key === rest.join(" "));
  const endpoint = route?.endpoints.find((candidate) => candidate.methods.some((listed) => listed === method));
  return route === undefined || endpoint === undefined ? undefined : [route, endpoint];
}

/** What code calls the namespaces and endpoints of an index. */
interface RestNames {
  readonly namespaces: readonly RestNamespace[];
  /** `["shop", "orders", "list"]`; every endpoint has one, and no two are equal. */
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
}

/**
 * Names every endpoint `<namespace>.<static segments>.<verb>`. The first of several that would bear one name keeps it;
 * the later ones are told apart by their path variables, or else numbered. A group of endpoints that would bear the
 * name of an endpoint beside it gets an underscore.
 */
export function nameEndpoints(
  index: Index,
  routes: readonly Route[],
  given: GivenNames,
  diagnostics: Diagnostics,
): RestNames {
  const paths = index.namespaces.map((namespace) => namespace.path);
  const tree = routeTree(routes, paths, (_route, endpoint) => given.has(endpoint));
  const naming = new Naming(given, diagnostics);
  const root = tree.namespaces.get("");
  const taken = root === undefined ? new Set<string>() : naming.nameGroup(root, []);

  const namespaces: RestNamespace[] = root === undefined ? [] : [{ path: "", words: [] }];
  for (const [path, group] of tree.namespaces) {
    if (path === "") continue;
    const words = naming.namespaceName(path, taken);
    taken.add(camelWords(words));
    namespaces.push({ path, words });
    naming.nameGroup(group, [camelWords(words)]);
  }
  checkGivenNames(given, namespaces, diagnostics);
  return { namespaces, operations: naming.operations };
}

/** Where a name is looked for: what its group is called, and the verbs taken in it. */
interface Place {
  readonly verbs: ReadonlyMap<string, NamedEndpoint>;
  readonly prefix: readonly string[];
}

class Naming {
  readonly operations: Map<IndexEndpoint, readonly string[]>;
  readonly #diagnostics: Diagnostics;
  /** The names that people chose, and the groups they lie in, as dotted text. */
  readonly #givenNames: ReadonlySet<string>;
  readonly #givenGroups: ReadonlySet<string>;

  constructor(given: GivenNames, diagnostics: Diagnostics) {
    this.operations = new Map([...given].map(([endpoint, { words }]) => [endpoint, words]));
    this.#diagnostics = diagnostics;
    const names = [...given.values()].map(({ words }) => words);
    this.#givenNames = new Set(names.map((words) => words.join(".")));
    this.#givenGroups = new Set(names.flatMap((words) => words.map((_, count) => words.slice(0, count).join("."))));
  }

  /** The words of a namespace; a second one of the same words says its version too. */
  namespaceName(path: string, taken: ReadonlySet<string>): readonly string[] {
    const words = namespaceWords(path).map(camelWord);
    const isTaken = (name: string) => taken.has(name) || this.#givenNames.has(name);
    if (!isTaken(camelWords(words))) return words;

    const versioned = path
      .split("/")
      .map((piece) => (isVersion(piece) ? piece.replaceAll(".", "_") : camelWord(piece)));
    if (!isTaken(camelWords(versioned))) return versioned;
    return [freeName(camelWords(versioned), isTaken)];
  }

  /** Names the endpoints of a group, then the groups below it. Returns the names taken in it. */
  nameGroup(group: Group, prefix: readonly string[]): Set<string> {
    const verbs = new Map<string, NamedEndpoint>();
    const itemVerbs = new Set(group.endpoints.filter(isOnItem).map(verbOf));
    for (const endpoint of group.endpoints) {
      const verb = this.#freeVerb(endpoint, plainVerb(endpoint, itemVerbs), { verbs, prefix });
      verbs.set(verb, endpoint);
      this.operations.set(endpoint.endpoint, [...prefix, verb]);
    }
    const taken = new Set(verbs.keys());
    for (const [segment, below] of group.groups) {
      const word = this.#groupWord(segment, below, taken, { verbs, prefix });
      taken.add(word);
      this.nameGroup(below, [...prefix, word]);
    }
    return taken;
  }

  #freeVerb(endpoint: NamedEndpoint, verb: string, { verbs, prefix }: Place): string {
    const isTaken = (name: string) =>
      verbs.has(name) || this.#isGiven(prefix, name) || this.#givenGroups.has([...prefix, name].join("."));
    if (!isTaken(verb)) return verb;
    const other = otherVerbs(endpoint, verb, verbs.get(verb)).find((name) => !isTaken(name));
    if (other !== undefined) return other;

    const numbered = freeName(verb, isTaken);
    this.#reportClash(endpoint.route, [...prefix, verb], [...prefix, numbered]);
    return numbered;
  }

  #groupWord(segment: string, group: Group, taken: ReadonlySet<string>, { verbs, prefix }: Place): string {
    const plain = camelWord(segment);
    const word = verbs.has(plain) || this.#isGiven(prefix, plain) ? `${plain}_` : plain;
    const isTaken = (name: string) => taken.has(name) || this.#isGiven(prefix, name);
    if (!isTaken(word)) return word;

    const numbered = freeName(word, isTaken);
    const route = firstRoute(group);
    if (route !== undefined) this.#reportClash(route, [...prefix, word], [...prefix, numbered]);
    return numbered;
  }

  #isGiven(prefix: readonly string[], name: string): boolean {
    return this.#givenNames.has([...prefix, name].join("."));
  }

  #reportClash(route: Route, wanted: readonly string[], got: readonly string[]): void {
    this.#diagnostics.warning("IDX040", route.span, {
      message: `${route.key} would be ${wanted.join(".")}, as an earlier route is; it is ${got.join(".")}.`,
      help: "Name it under `names` in bothends.json.",
    });
  }
}

function firstRoute(group: Group): Route | undefined {
  const own = group.endpoints[0]?.route;
  if (own !== undefined) return own;
  for (const below of group.groups.values()) {
    const route = firstRoute(below);
    if (route !== undefined) return route;
  }
  return undefined;
}
