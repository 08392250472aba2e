import { suggestName } from "@bothends/xml";
import type { RestInterfaceConfig } from "../../model/config.js";
import type { RestNamespace } from "../../model/rest.js";
import type { Index, Endpoint as IndexEndpoint, Route } from "../../read/rest/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { Span } from "../../source/span.js";
import {
  chooseVerb,
  chooseVerbBesideItems,
  isItem,
  isSingleObject,
  listActions,
  listCollectionRoutes,
} from "./endpoint-conventions.js";
import {
  type EndpointGroup,
  type EndpointPath,
  endsInVariable,
  findLongestNamespace,
  findReservation,
  groupEndpoints,
  isVersion,
  listNamespaceWords,
  listSegments,
  makeNameUnique,
  toCamelWord,
  toCamelWords,
} from "./endpoint-paths.js";
import { CoreRoutes } from "./wordpress/core-routes.js";
import type { CoreRoute } from "./wordpress/known-routes.js";

/** A name that `bothends.json` gives to an endpoint. */
interface ConfiguredName {
  readonly words: readonly string[];
  readonly namespace: string;
  readonly span: Span;
}

type ConfiguredNames = ReadonlyMap<IndexEndpoint, ConfiguredName>;

/**
 * Finds the endpoints to which `bothends.json` gives names, and checks these names. The keys in `bothends.json` have
 * the format `METHOD route`.
 */
export function readConfiguredNames(
  config: RestInterfaceConfig,
  index: Index,
  routes: readonly Route[],
  diagnostics: Diagnostics,
): ConfiguredNames {
  const names = new Map<IndexEndpoint, ConfiguredName>();
  const takenNames = new Set<string>();
  const namespaces = index.namespaces.map((namespace) => namespace.path);
  for (const [key, { name, span, keySpan }] of config.names) {
    const [route, endpoint] = findEndpoint(key, routes) ?? [];
    if (route === undefined || endpoint === undefined) {
      // `names` may also contain endpoints of routes that `routes` in bothends.json does not list, so only keys that
      // the whole index does not contain are reported.
      if (findEndpoint(key, index.routes) === undefined) {
        reportUnknownEndpoint(key, keySpan, { index, diagnostics });
      }
      continue;
    }
    const problem = findNameProblem(name, takenNames);
    if (problem === undefined) {
      const { namespace } = findLongestNamespace(listSegments(route.path), namespaces);
      names.set(endpoint, { words: name.split("."), namespace, span });
    } else {
      diagnostics.error("IDX042", span, problem);
    }
    takenNames.add(name);
  }
  return names;
}

function findEndpoint(key: string, routes: readonly Route[]): readonly [Route, IndexEndpoint] | undefined {
  const [method, ...routeWords] = key.split(" ");
  const route = routes.find((candidate) => candidate.key === routeWords.join(" "));
  const endpoint = route?.endpoints.find(({ methods }) => methods.some((listedMethod) => listedMethod === method));
  return route === undefined || endpoint === undefined ? undefined : [route, endpoint];
}

function reportUnknownEndpoint(
  key: string,
  span: Span,
  { index, diagnostics }: { readonly index: Index; readonly diagnostics: Diagnostics },
): void {
  diagnostics.warning("IDX041", span, {
    message: `The index lists no endpoint "${key}", so the name in bothends.json is not used.`,
    help: suggestName(key, listEndpointKeys(index.routes)),
  });
}

function listEndpointKeys(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ key, endpoints }) =>
    endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${key}`)),
  );
}

interface NameProblem {
  readonly message: string;
  readonly help?: string;
}

function findNameProblem(name: string, takenNames: ReadonlySet<string>): NameProblem | undefined {
  const unusableWord = name
    .split(".")
    .find((word) => toCamelWord(word) !== word && `_${toCamelWord(word.slice(1))}` !== word);
  if (unusableWord !== undefined) {
    return describeUnusableWord(unusableWord, name);
  }
  if (takenNames.has(name)) {
    return { message: `The name "${name}" is used twice.` };
  }
  const conflictingName = [...takenNames].find((other) => name.startsWith(`${other}.`) || other.startsWith(`${name}.`));
  return conflictingName === undefined
    ? undefined
    : {
        message: `The names "${name}" and "${conflictingName}" conflict: an endpoint cannot also be a group of endpoints.`,
      };
}

function describeUnusableWord(word: string, name: string): NameProblem {
  const reservation = findReservation(word);
  return reservation === undefined
    ? { message: `The word "${word}" in the name "${name}" is not in camel case.` }
    : {
        message: `The word "${word}" in the name "${name}" is reserved, because ${reservation}.`,
        help: `Choose another word, such as "${word}_".`,
      };
}

/** The TypeScript names of namespaces and endpoints. */
interface RestNames {
  readonly namespaces: readonly RestNamespace[];
  /** The unique name of each endpoint: `["shop", "orders", "list"]`. */
  readonly operations: ReadonlyMap<IndexEndpoint, readonly string[]>;
}

/**
 * Names every endpoint `<namespace>.<static segments>.<verb>`. If several endpoints would get the same name, the first
 * one gets it, and the names of the later ones include the method, the path variables or a number. If `import` is an
 * action, `/import/status` becomes `importStatus`. Any other group with the same name as an endpoint gets an
 * underscore: `import_.list`.
 */
export function nameEndpoints(
  index: Index,
  routes: readonly Route[],
  { configuredNames, unversioned, diagnostics }: NameSettings,
): RestNames {
  const paths = index.namespaces.map((namespace) => namespace.path);
  const groups = groupEndpoints(routes, paths, (endpoint) => !configuredNames.has(endpoint));
  const coreRoutes = new CoreRoutes(index.routes);
  const endpointNamer = new EndpointNamer({
    configuredNames,
    diagnostics,
    collections: listCollectionRoutes(routes),
    findCoreRoute: (route) => coreRoutes.find(route),
  });
  const versionedPaths = findVersionedNamespaces([...groups.keys()], unversioned);
  reportUnknownNamespaces(unversioned, paths, diagnostics);
  const root = groups.get("");
  const takenNames = root === undefined ? new Set<string>() : endpointNamer.nameGroup(root, []);

  const namespaces: RestNamespace[] = root === undefined ? [] : [{ path: "", words: [] }];
  for (const [path, group] of groups) {
    if (path !== "") {
      const words = endpointNamer.nameNamespace(path, takenNames, versionedPaths.has(path));
      takenNames.add(toCamelWords(words));
      namespaces.push({ path, words });
      endpointNamer.nameGroup(group, [toCamelWords(words)]);
    }
  }
  checkConfiguredNames(configuredNames, namespaces, diagnostics);
  return { namespaces, operations: endpointNamer.operations };
}

/**
 * Reports configured names that do not begin with the endpoint's namespace, because generated code has one class for
 * each namespace.
 */
function checkConfiguredNames(
  names: ConfiguredNames,
  namespaces: readonly RestNamespace[],
  diagnostics: Diagnostics,
): void {
  const prefixes = new Map(namespaces.map(({ path, words }) => [path, toCamelWords(words)]));
  const namedPrefixes = new Set([...prefixes].filter(([path]) => path !== "").map(([, prefix]) => prefix));
  for (const { words, namespace, span } of names.values()) {
    const [firstWord, secondWord] = words;
    const prefix = prefixes.get(namespace);
    const isInside =
      namespace === ""
        ? firstWord !== undefined && !namedPrefixes.has(firstWord)
        : secondWord !== undefined && firstWord === prefix;
    if (!isInside) {
      const prefixRule = namespace === "" ? "must not begin with a namespace" : `must begin with "${prefix}."`;
      diagnostics.error("IDX042", span, { message: `The name "${words.join(".")}" ${prefixRule}.` });
    }
  }
}

interface NameSettings {
  readonly configuredNames: ConfiguredNames;
  /** The namespaces whose names omit the version, as set in `bothends.json`. */
  readonly unversioned: RestInterfaceConfig["unversioned"];
  readonly diagnostics: Diagnostics;
}

/**
 * Returns the namespaces that have several versions in the index, unless `bothends.json` omits their version. The names
 * of these namespaces include the version, so that a new version does not change the meaning of a name.
 */
function findVersionedNamespaces(
  paths: readonly string[],
  unversioned: RestInterfaceConfig["unversioned"],
): ReadonlySet<string> {
  const deriveName = (path: string) => toCamelWords(listNamespaceWords(path).map(toCamelWord));
  const unversionedPaths = new Set(unversioned.map(({ name }) => name));
  return new Set(
    paths.filter(
      (path) =>
        !unversionedPaths.has(path) && paths.some((other) => other !== path && deriveName(other) === deriveName(path)),
    ),
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
        help: suggestName(name, paths),
      });
    }
  }
}

/** A group of endpoints in which names must be unique, with the names taken so far. */
interface NameScope {
  readonly prefix: readonly string[];
  readonly verbs: ReadonlyMap<string, EndpointPath>;
}

interface NamingInputs {
  readonly configuredNames: ConfiguredNames;
  readonly diagnostics: Diagnostics;
  /**
   * The keys of routes that are collections. A route is a collection if another route has one more variable, for an
   * item.
   */
  readonly collections: ReadonlySet<string>;
  /**
   * Returns whether GET at a WordPress route answers with an object, a list or a map. Returns undefined for routes of
   * plug-ins.
   */
  readonly findCoreRoute: (route: Route) => Pick<CoreRoute, "readForm"> | undefined;
}

class EndpointNamer {
  readonly operations: Map<IndexEndpoint, readonly string[]>;
  readonly #diagnostics: Diagnostics;
  /** The names in `bothends.json`, with dots: `shop.orders.list`. */
  readonly #configuredNames: ReadonlySet<string>;
  /** The groups of the names in `bothends.json`: `shop` and `shop.orders`. */
  readonly #configuredGroups: ReadonlySet<string>;

  readonly #collections: ReadonlySet<string>;
  readonly #findCoreRoute: NamingInputs["findCoreRoute"];

  constructor({ configuredNames, diagnostics, collections, findCoreRoute }: NamingInputs) {
    this.#collections = collections;
    this.#findCoreRoute = findCoreRoute;
    this.operations = new Map([...configuredNames].map(([endpoint, { words }]) => [endpoint, words]));
    this.#diagnostics = diagnostics;
    const names = [...configuredNames.values()].map(({ words }) => words);
    this.#configuredNames = new Set(names.map((words) => words.join(".")));
    this.#configuredGroups = new Set(
      names.flatMap((words) => words.map((_, count) => words.slice(0, count).join("."))),
    );
  }

  /**
   * Names a namespace, if possible without its version. The version is added if the namespace has several versions or
   * the name is taken. If the longer name is also taken, a number is added.
   */
  nameNamespace(path: string, takenNames: ReadonlySet<string>, hasVersions: boolean): readonly string[] {
    const words = listNamespaceWords(path).map(toCamelWord);
    const isTaken = (name: string) => takenNames.has(name) || this.#configuredNames.has(name);
    if (!hasVersions && !isTaken(toCamelWords(words))) {
      return words;
    }
    const versionedWords = path
      .split("/")
      .map((segment) => (isVersion(segment) ? segment.replaceAll(".", "_") : toCamelWord(segment)));
    const name = toCamelWords(versionedWords);
    return isTaken(name) ? [makeNameUnique(name, isTaken)] : versionedWords;
  }

  /** Names the endpoints of a group and of the groups below it. Returns the names that are now taken in the group. */
  nameGroup(group: EndpointGroup, prefix: readonly string[]): Set<string> {
    const verbs = new Map<string, EndpointPath>();
    const getPlainVerb = (endpoint: EndpointPath) => this.#chooseVerb(endpoint);
    const itemVerbs = new Set(group.endpoints.filter(isItem).map(getPlainVerb));
    // Names single objects first, so that `/checkout` gets the name `update`, and `/checkout/123` does not.
    const objects = group.endpoints.filter((endpoint) => this.#isObject(endpoint));
    const otherEndpoints = group.endpoints.filter((endpoint) => !objects.includes(endpoint));
    const collections = otherEndpoints.filter((endpoint) => !isItem(endpoint));
    for (const endpoint of [...objects, ...collections, ...otherEndpoints.filter(isItem)]) {
      const defaultVerb = getPlainVerb(endpoint);
      const preferredVerb = objects.includes(endpoint)
        ? defaultVerb
        : chooseVerbBesideItems(endpoint, defaultVerb, itemVerbs);
      const verb = this.#makeVerbUnique(endpoint, preferredVerb, { verbs, prefix });
      verbs.set(verb, endpoint);
      this.operations.set(endpoint.endpoint, [...prefix, verb]);
    }
    const remainingGroups: (readonly [string, EndpointGroup])[] = [];
    const groups: (readonly [string, EndpointGroup])[] = [...group.groups];
    for (const [segment, child] of groups) {
      const segmentName = toCamelWord(segment);
      // `POST /notes/update` does not name an item, so it changes several objects, unlike `POST /notes/ID`.
      const isForAll = itemVerbs.has(segmentName) && (segmentName === "update" || segmentName === "delete");
      const actions = verbs.has(segmentName) && !isForAll ? [] : listActions(segment, child);
      if (actions.length === 0) {
        remainingGroups.push([segment, child]);
        continue;
      }
      for (const action of actions) {
        const verb = this.#makeVerbUnique(action, isForAll ? `${segmentName}All` : segmentName, { verbs, prefix });
        verbs.set(verb, action);
        this.operations.set(action.endpoint, [...prefix, verb]);
      }
      // An action becomes a method, which cannot have members. If `import` is an action, `/import/status` therefore
      // becomes `importStatus`.
      groups.push(...[...child.groups].map(([next, grandchild]) => [`${segment}-${next}`, grandchild] as const));
    }
    const takenNames = new Set(verbs.keys());
    for (const [segment, child] of remainingGroups) {
      const word = this.#chooseGroupWord(segment, child, takenNames, { verbs, prefix });
      takenNames.add(word);
      this.nameGroup(child, [...prefix, word]);
    }
    return takenNames;
  }

  /** Whether an endpoint is for the only object of its kind, such as the settings. */
  #isObject({ route, segments }: EndpointPath): boolean {
    return !endsInVariable(segments) && isSingleObject(route, this.#collections);
  }

  #chooseVerb({ endpoint, route, segments }: EndpointPath): string {
    const verb = chooseVerb(endpoint.methods, segments);
    const readForm = this.#findCoreRoute(route)?.readForm;
    if (endpoint.methods[0] === "GET" && readForm !== undefined) {
      return readForm === "object" ? "get" : "list";
    }
    if (verb === "get" && this.#isListed(route)) {
      return "list";
    }
    if ((verb !== "list" && verb !== "create") || !isSingleObject(route, this.#collections)) {
      return verb;
    }
    return verb === "list" ? "get" : "update";
  }

  /**
   * Whether a route that ends in a variable returns a list of objects: `/settings/GROUP` lists the objects of
   * `/settings/GROUP/ID`.
   */
  #isListed({ key, endpoints }: Route): boolean {
    const isReadOnly = endpoints.every(({ methods }) => methods.every((method) => method === "GET"));
    return isReadOnly && this.#collections.has(key);
  }

  #makeVerbUnique(endpoint: EndpointPath, verb: string, { verbs, prefix }: NameScope): string {
    const isTaken = (name: string) =>
      verbs.has(name) || this.#isConfigured(prefix, name) || this.#configuredGroups.has([...prefix, name].join("."));
    if (!isTaken(verb)) {
      return verb;
    }
    const alternative = listAlternativeVerbs(endpoint, verb, verbs.get(verb)).find((name) => !isTaken(name));
    if (alternative !== undefined) {
      return alternative;
    }
    const numberedVerb = makeNameUnique(verb, isTaken);
    this.#reportClash(endpoint.route, [...prefix, verb], [...prefix, numberedVerb]);
    return numberedVerb;
  }

  #chooseGroupWord(
    segment: string,
    group: EndpointGroup,
    takenNames: ReadonlySet<string>,
    { verbs, prefix }: NameScope,
  ): string {
    const preferredWord = toCamelWord(segment);
    const word =
      verbs.has(preferredWord) || this.#isConfigured(prefix, preferredWord) ? `${preferredWord}_` : preferredWord;
    const isTaken = (name: string) => takenNames.has(name) || this.#isConfigured(prefix, name);
    if (!isTaken(word)) {
      return word;
    }
    const numberedWord = makeNameUnique(word, isTaken);
    const route = findFirstRoute(group);
    if (route !== undefined) {
      this.#reportClash(route, [...prefix, word], [...prefix, numberedWord]);
    }
    return numberedWord;
  }

  #isConfigured(prefix: readonly string[], name: string): boolean {
    return this.#configuredNames.has([...prefix, name].join("."));
  }

  #reportClash(route: Route, takenName: readonly string[], name: readonly string[]): void {
    this.#diagnostics.warning("IDX040", route.span, {
      message: `The route ${route.key} is named ${name.join(".")}, because an earlier route is named ${takenName.join(".")}.`,
      help: "To choose another name, add it to `names` in bothends.json.",
    });
  }
}

/**
 * Returns alternative verbs for an endpoint whose verb is taken: first its method, if the earlier endpoint has the same
 * route, then a verb with the path variables: `getByNamespaceAndName`.
 */
function listAlternativeVerbs(
  { route, endpoint, segments }: EndpointPath,
  verb: string,
  earlierEndpoint: EndpointPath | undefined,
): readonly string[] {
  const verbs: string[] = [];
  if (earlierEndpoint?.route === route) {
    verbs.push(endpoint.methods[0]?.toLowerCase() ?? verb);
  }
  const variables = segments.flatMap((segment) => segment.variables.map(({ variable }) => toCamelWord(variable)));
  if (variables.length > 0) {
    verbs.push(toCamelWords([verb, "by", ...variables.flatMap((name) => ["and", name]).slice(1)]));
  }
  return verbs;
}

function findFirstRoute({ endpoints, groups }: EndpointGroup): Route | undefined {
  const [firstEndpoint] = endpoints;
  if (firstEndpoint !== undefined) {
    return firstEndpoint.route;
  }
  for (const child of groups.values()) {
    const route = findFirstRoute(child);
    if (route !== undefined) {
      return route;
    }
  }
  return undefined;
}
