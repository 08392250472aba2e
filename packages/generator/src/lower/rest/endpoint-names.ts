import { didYouMean } from "@bothends/xml";
import type { RestInterfaceConfig } from "../../model/config.js";
import type { RestNamespace } from "../../model/rest.js";
import type { Index, Endpoint as IndexEndpoint, Route } from "../../read/discovery/index.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { Span } from "../../source/span.js";
import {
  camelWord,
  camelWords,
  type EndpointGroup,
  type EndpointPath,
  endsInVariable,
  groupEndpoints,
  isVersion,
  longestNamespace,
  namespaceWords,
  segmentsOf,
  uniqueName,
} from "./route-paths.js";
import { CoreRoutes } from "./wordpress/core-routes.js";
import type { CoreRoute } from "./wordpress/fixed-routes.js";
import { actionsOf, collectionRoutes, isItem, isSingle, verbBesideItems, verbOf } from "./wordpress-conventions.js";

/** The name of an endpoint in `bothends.json`. */
interface ConfiguredName {
  readonly words: readonly string[];
  readonly namespace: string;
  readonly span: Span;
}

type ConfiguredNames = ReadonlyMap<IndexEndpoint, ConfiguredName>;

/** Finds the endpoints that `bothends.json` names by `METHOD route`, and checks their names. */
export function readConfiguredNames(
  config: RestInterfaceConfig,
  index: Index,
  routes: readonly Route[],
  diagnostics: Diagnostics,
): ConfiguredNames {
  const names = new Map<IndexEndpoint, ConfiguredName>();
  const taken = new Set<string>();
  const namespaces = index.namespaces.map((namespace) => namespace.path);
  for (const [key, { name, span, keySpan }] of config.names) {
    const [route, endpoint] = findEndpoint(key, routes) ?? [];
    if (route === undefined || endpoint === undefined) {
      // An endpoint of a route that is not generated may also have a name.
      if (findEndpoint(key, index.routes) === undefined) {
        reportUnknownEndpoint(key, keySpan, { index, diagnostics });
      }
      continue;
    }
    const problem = nameProblem(name, taken);
    if (problem === undefined) {
      const { namespace } = longestNamespace(segmentsOf(route.path), namespaces);
      names.set(endpoint, { words: name.split("."), namespace, span });
    } else {
      diagnostics.error("IDX042", span, { message: problem });
    }
    taken.add(name);
  }
  return names;
}

function findEndpoint(key: string, routes: readonly Route[]): readonly [Route, IndexEndpoint] | undefined {
  const [method, ...rest] = key.split(" ");
  const route = routes.find((candidate) => candidate.key === rest.join(" "));
  const endpoint = route?.endpoints.find(({ methods }) => methods.some((listed) => listed === method));
  return route === undefined || endpoint === undefined ? undefined : [route, endpoint];
}

function reportUnknownEndpoint(
  key: string,
  span: Span,
  { index, diagnostics }: { readonly index: Index; readonly diagnostics: Diagnostics },
): void {
  diagnostics.warning("IDX041", span, {
    message: `The index lists no endpoint "${key}", so its name is not used.`,
    help: didYouMean(key, endpointKeys(index.routes)),
  });
}

function endpointKeys(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ key, endpoints }) =>
    endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${key}`)),
  );
}

function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  const unusable = name.split(".").find((word) => camelWord(word) !== word && `_${camelWord(word.slice(1))}` !== word);
  if (unusable !== undefined) {
    return `"${unusable}" in "${name}" is not a camel-case word.`;
  }
  if (taken.has(name)) {
    return `The name "${name}" is used twice.`;
  }
  const isNested = [...taken].some((other) => name.startsWith(`${other}.`) || other.startsWith(`${name}.`));
  return isNested ? `"${name}" and the name of another endpoint contain each other.` : undefined;
}

/** Reports names outside the endpoint's namespace: the code has a class for each namespace. */
function checkConfiguredNames(
  names: ConfiguredNames,
  namespaces: readonly RestNamespace[],
  diagnostics: Diagnostics,
): void {
  const prefixes = new Map(namespaces.map(({ path, words }) => [path, camelWords(words)]));
  const namedPrefixes = new Set([...prefixes].filter(([path]) => path !== "").map(([, prefix]) => prefix));
  for (const { words, namespace, span } of names.values()) {
    const [first, second] = words;
    const prefix = prefixes.get(namespace);
    const isInside =
      namespace === "" ? first !== undefined && !namedPrefixes.has(first) : second !== undefined && first === prefix;
    if (!isInside) {
      const rule = namespace === "" ? "must not begin with a namespace" : `must begin with "${prefix}."`;
      diagnostics.error("IDX042", span, { message: `"${words.join(".")}" ${rule}.` });
    }
  }
}

/** The names of namespaces and endpoints in code. */
interface RestNames {
  readonly namespaces: readonly RestNamespace[];
  /** `["shop", "orders", "list"]` for every endpoint; all are different. */
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
}

/**
 * Names every endpoint `<namespace>.<static segments>.<verb>`. If several endpoints would get the same name, the first gets it;
 * the names of the others include their method or path variables, or a number. Endpoints below an action are named after both;
 * another group with the same name as an endpoint beside it gets an underscore.
 */
export function nameEndpoints(
  index: Index,
  routes: readonly Route[],
  { configured, unversioned, diagnostics }: NameSettings,
): RestNames {
  const paths = index.namespaces.map((namespace) => namespace.path);
  const groups = groupEndpoints(routes, paths, (endpoint) => !configured.has(endpoint));
  const core = new CoreRoutes(index.routes);
  const naming = new Naming({
    configured,
    diagnostics,
    collections: collectionRoutes(routes),
    findCore: (route) => core.find(route),
  });
  const versioned = versionedNamespaces([...groups.keys()], unversioned);
  reportUnknownNamespaces(unversioned, paths, diagnostics);
  const root = groups.get("");
  const taken = root === undefined ? new Set<string>() : naming.nameGroup(root, []);

  const namespaces: RestNamespace[] = root === undefined ? [] : [{ path: "", words: [] }];
  for (const [path, group] of groups) {
    if (path !== "") {
      const words = naming.namespaceName(path, taken, versioned.has(path));
      taken.add(camelWords(words));
      namespaces.push({ path, words });
      naming.nameGroup(group, [camelWords(words)]);
    }
  }
  checkConfiguredNames(configured, namespaces, diagnostics);
  return { namespaces, operations: naming.operations };
}

interface NameSettings {
  readonly configured: ConfiguredNames;
  /** The namespaces that `bothends.json` names without their version. */
  readonly unversioned: RestInterfaceConfig["unversioned"];
  readonly diagnostics: Diagnostics;
}

/**
 * The namespaces with several versions in the index. Their names include the version, so that a new version does not change the
 * meaning of a name, unless `bothends.json` names them without it.
 */
function versionedNamespaces(
  paths: readonly string[],
  unversioned: RestInterfaceConfig["unversioned"],
): ReadonlySet<string> {
  const nameOf = (path: string) => camelWords(namespaceWords(path).map(camelWord));
  const plain = new Set(unversioned.map(({ name }) => name));
  return new Set(
    paths.filter((path) => !plain.has(path) && paths.some((other) => other !== path && nameOf(other) === nameOf(path))),
  );
}

function reportUnknownNamespaces(
  unversioned: RestInterfaceConfig["unversioned"],
  paths: readonly string[],
  diagnostics: Diagnostics,
): void {
  for (const { name, span } of unversioned) {
    if (!paths.includes(name)) {
      diagnostics.error("IDX044", span, {
        message: `The index has no namespace "${name}".`,
        help: didYouMean(name, paths),
      });
    }
  }
}

/** The group in which a name must be unique. */
interface NameScope {
  readonly prefix: readonly string[];
  readonly verbs: ReadonlyMap<string, EndpointPath>;
}

interface NamingInputs {
  readonly configured: ConfiguredNames;
  readonly diagnostics: Diagnostics;
  /** The keys of routes that list the items of other routes. */
  readonly collections: ReadonlySet<string>;
  /** Finds the kind of answer of WordPress's own routes. */
  readonly findCore: (route: Route) => Pick<CoreRoute, "read"> | undefined;
}

class Naming {
  readonly operations: Map<IndexEndpoint, readonly string[]>;
  readonly #diagnostics: Diagnostics;
  /** Configured names, and the groups that contain them, as dotted text. */
  readonly #configuredNames: ReadonlySet<string>;
  readonly #configuredGroups: ReadonlySet<string>;

  readonly #collections: ReadonlySet<string>;
  readonly #findCore: NamingInputs["findCore"];

  constructor({ configured, diagnostics, collections, findCore }: NamingInputs) {
    this.#collections = collections;
    this.#findCore = findCore;
    this.operations = new Map([...configured].map(([endpoint, { words }]) => [endpoint, words]));
    this.#diagnostics = diagnostics;
    const names = [...configured.values()].map(({ words }) => words);
    this.#configuredNames = new Set(names.map((words) => words.join(".")));
    this.#configuredGroups = new Set(
      names.flatMap((words) => words.map((_, count) => words.slice(0, count).join("."))),
    );
  }

  /** The words of a namespace, with the version if it has several or if the words are taken, and otherwise numbered. */
  namespaceName(path: string, taken: ReadonlySet<string>, hasVersions: boolean): readonly string[] {
    const words = namespaceWords(path).map(camelWord);
    const isTaken = (name: string) => taken.has(name) || this.#configuredNames.has(name);
    if (!hasVersions && !isTaken(camelWords(words))) {
      return words;
    }
    const versioned = path
      .split("/")
      .map((segment) => (isVersion(segment) ? segment.replaceAll(".", "_") : camelWord(segment)));
    const name = camelWords(versioned);
    return isTaken(name) ? [uniqueName(name, isTaken)] : versioned;
  }

  /** Names the endpoints of a group and of the groups below it. Returns the names taken in the group. */
  nameGroup(group: EndpointGroup, prefix: readonly string[]): Set<string> {
    const verbs = new Map<string, EndpointPath>();
    const plainVerb = (endpoint: EndpointPath) => this.#plainVerb(endpoint);
    const itemVerbs = new Set(group.endpoints.filter(isItem).map(plainVerb));
    // Objects come before their other forms, so that `update` belongs to `/checkout` and not to `/checkout/123`.
    const objects = group.endpoints.filter((endpoint) => this.#isObject(endpoint));
    const others = group.endpoints.filter((endpoint) => !objects.includes(endpoint));
    const collections = others.filter((endpoint) => !isItem(endpoint));
    for (const endpoint of [...objects, ...collections, ...others.filter(isItem)]) {
      const plain = plainVerb(endpoint);
      const wish = objects.includes(endpoint) ? plain : verbBesideItems(endpoint, plain, itemVerbs);
      const verb = this.#uniqueVerb(endpoint, wish, { verbs, prefix });
      verbs.set(verb, endpoint);
      this.operations.set(endpoint.endpoint, [...prefix, verb]);
    }
    const remaining: (readonly [string, EndpointGroup])[] = [];
    const groups: (readonly [string, EndpointGroup])[] = [...group.groups];
    for (const [segment, child] of groups) {
      const plain = camelWord(segment);
      // `POST /notes/update` beside `POST /notes/ID` changes several objects.
      const isForAll = itemVerbs.has(plain) && (plain === "update" || plain === "delete");
      const actions = verbs.has(plain) && !isForAll ? [] : actionsOf(segment, child);
      if (actions.length === 0) {
        remaining.push([segment, child]);
        continue;
      }
      for (const action of actions) {
        const verb = this.#uniqueVerb(action, isForAll ? `${plain}All` : plain, { verbs, prefix });
        verbs.set(verb, action);
        this.operations.set(action.endpoint, [...prefix, verb]);
      }
      // An action has no members: `/import/status` beside the action `import` is `importStatus`.
      groups.push(...[...child.groups].map(([inner, below]) => [`${segment}-${inner}`, below] as const));
    }
    const taken = new Set(verbs.keys());
    for (const [segment, child] of remaining) {
      const word = this.#groupWord(segment, child, taken, { verbs, prefix });
      taken.add(word);
      this.nameGroup(child, [...prefix, word]);
    }
    return taken;
  }

  /** Whether an endpoint concerns a single object rather than one of several. */
  #isObject({ route, segments }: EndpointPath): boolean {
    return !endsInVariable(segments) && isSingle(route, this.#collections);
  }

  #plainVerb({ endpoint, route, segments }: EndpointPath): string {
    const verb = verbOf(endpoint.methods, segments);
    const read = this.#findCore(route)?.read;
    if (endpoint.methods[0] === "GET" && read !== undefined) {
      return read === "object" ? "get" : "list";
    }
    if (verb === "get" && this.#isListed(route)) {
      return "list";
    }
    if ((verb !== "list" && verb !== "create") || !isSingle(route, this.#collections)) {
      return verb;
    }
    return verb === "list" ? "get" : "update";
  }

  /** Whether a route that ends in a variable lists the objects of longer routes, as `/settings/GROUP` those of `/settings/GROUP/ID`. */
  #isListed({ key, endpoints }: Route): boolean {
    const isReadOnly = endpoints.every(({ methods }) => methods.every((method) => method === "GET"));
    return isReadOnly && this.#collections.has(key);
  }

  #uniqueVerb(endpoint: EndpointPath, verb: string, { verbs, prefix }: NameScope): string {
    const isTaken = (name: string) =>
      verbs.has(name) || this.#isConfigured(prefix, name) || this.#configuredGroups.has([...prefix, name].join("."));
    if (!isTaken(verb)) {
      return verb;
    }
    const alternative = alternativeVerbs(endpoint, verb, verbs.get(verb)).find((name) => !isTaken(name));
    if (alternative !== undefined) {
      return alternative;
    }
    const numbered = uniqueName(verb, isTaken);
    this.#reportClash(endpoint.route, [...prefix, verb], [...prefix, numbered]);
    return numbered;
  }

  #groupWord(segment: string, group: EndpointGroup, taken: ReadonlySet<string>, { verbs, prefix }: NameScope): string {
    const plain = camelWord(segment);
    const word = verbs.has(plain) || this.#isConfigured(prefix, plain) ? `${plain}_` : plain;
    const isTaken = (name: string) => taken.has(name) || this.#isConfigured(prefix, name);
    if (!isTaken(word)) {
      return word;
    }
    const numbered = uniqueName(word, isTaken);
    const route = firstRoute(group);
    if (route !== undefined) {
      this.#reportClash(route, [...prefix, word], [...prefix, numbered]);
    }
    return numbered;
  }

  #isConfigured(prefix: readonly string[], name: string): boolean {
    return this.#configuredNames.has([...prefix, name].join("."));
  }

  #reportClash(route: Route, taken: readonly string[], name: readonly string[]): void {
    this.#diagnostics.warning("IDX040", route.span, {
      message: `${route.key} is named ${name.join(".")}, because an earlier route is named ${taken.join(".")}.`,
      help: "To choose another name, add it to `names` in bothends.json.",
    });
  }
}

/**
 * Verbs for an endpoint whose plain verb is taken: with its method, if the earlier endpoint has the same route, and with its path
 * variables, `getByNamespaceAndName`.
 */
function alternativeVerbs(
  { route, endpoint, segments }: EndpointPath,
  verb: string,
  earlier: EndpointPath | undefined,
): readonly string[] {
  const verbs: string[] = [];
  if (earlier?.route === route) {
    verbs.push(endpoint.methods[0]?.toLowerCase() ?? verb);
  }
  const variables = segments.flatMap((segment) => segment.variables.map(({ variable }) => camelWord(variable)));
  if (variables.length > 0) {
    verbs.push(camelWords([verb, "by", ...variables.flatMap((name) => ["and", name]).slice(1)]));
  }
  return verbs;
}

function firstRoute({ endpoints, groups }: EndpointGroup): Route | undefined {
  const [first] = endpoints;
  if (first !== undefined) {
    return first.route;
  }
  for (const child of groups.values()) {
    const route = firstRoute(child);
    if (route !== undefined) {
      return route;
    }
  }
  return undefined;
}
