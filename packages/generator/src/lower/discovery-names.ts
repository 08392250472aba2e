import type { RestNamespace } from "../model/rest.js";
import type { Endpoint, Index, Route } from "../read/discovery/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { checkGivenNames, type GivenNames } from "./discovery-given-names.js";
import { namespaceWords } from "./discovery-segments.js";
import { type Group, type NamedEndpoint, routeTree } from "./discovery-tree.js";
import { isOnItem, otherVerbs, plainVerb, verbOf } from "./discovery-verbs.js";
import { camelWord, camelWords, freeName, isVersion } from "./discovery-words.js";

/** What code calls the namespaces and endpoints of an index. */
export interface RestNames {
  readonly namespaces: readonly RestNamespace[];
  /** `["shop", "orders", "list"]`; every endpoint has one, and no two are equal. */
  readonly operations: ReadonlyMap<Endpoint, readonly string[]>;
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
  readonly operations: Map<Endpoint, readonly string[]>;
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
