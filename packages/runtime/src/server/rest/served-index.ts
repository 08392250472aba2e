import type { AnyEndpointDescriptor, JsonObject, JsonValue } from "../../descriptor.js";
import { isJsonObject } from "../../rest/php-json.js";
import { wireKey, wireText } from "../../rest/route-paths.js";
import type { WireSegments } from "../../rest/segment-names.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { createConventionalError } from "./errors.js";
import type { RestContext, RestHandler, RestServerOptions, RestService } from "./service.js";

/** The members of the index that describe the site. */
interface SiteDescription {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  readonly gmt_offset: string;
  readonly timezone_string: string;
}

/** The maximum number of answers in the cache. */
const maxCachedAnswers = 16;

/** Answers the index routes from an index document, and renames the namespaces and segments in it. */
export class ServedIndex {
  readonly #document: JsonObject;
  readonly #segments: WireSegments;
  /** The entries of routes by their key in the index, in the order of the index. */
  readonly #routes: ReadonlyMap<string, JsonObject>;
  readonly namespaces: readonly string[];
  readonly #answers = new Map<string, JsonObject>();
  readonly #texts = new WeakMap<JsonObject, string | undefined>();

  constructor(document: JsonValue, segments: WireSegments) {
    this.#document = isJsonObject(document) ? document : {};
    this.#segments = segments;
    const documentNamespaces = this.#document["namespaces"];
    const namespaces = Array.isArray(documentNamespaces)
      ? documentNamespaces.filter((name) => typeof name === "string")
      : [];
    this.namespaces = namespaces.map((name) => wireText(name, segments));
    const renamedNamespaces = new Map(namespaces.map((name) => [name, wireText(name, segments)]));
    const routes = this.#document["routes"];
    this.#routes = new Map(
      Object.entries(isJsonObject(routes) ? routes : {}).map(([key, entry]) => [
        key,
        wireEntry(entry, renamedNamespaces),
      ]),
    );
  }

  /** Returns the entry of a route. `indexUrl` is the address of the index. */
  entry(key: string, base: string): JsonObject {
    return withAddress(this.#routes.get(key) ?? {}, base + this.#key(key));
  }

  /** Returns the answer of the index route. */
  index(site: SiteDescription, base: string, context?: JsonValue): JsonObject {
    return this.#cachedAnswer(`${base} ${site.url} ${site.home} ${isHelp(context)}`, () =>
      this.#index(site, base, context),
    );
  }

  #index(site: SiteDescription, base: string, context: JsonValue | undefined): JsonObject {
    const { namespaces: _, routes: __, ...otherMembers } = this.#document;
    return {
      ...site,
      namespaces: this.namespaces,
      ...otherMembers,
      routes: this.#entries(() => true, { base, context }),
      ...("_links" in otherMembers ? { _links: otherMembers["_links"] } : {}),
    };
  }

  /** Returns the answer of a namespace's index route; undefined for an unknown namespace. */
  createNamespaceIndex(namespace: string, base: string, context?: JsonValue): JsonObject | undefined {
    if (!this.namespaces.includes(namespace)) {
      return undefined;
    }
    return this.#cachedAnswer(`${base} ${namespace} ${isHelp(context)}`, () => ({
      namespace,
      routes: this.#entries((entry) => entry["namespace"] === namespace, { base, context }),
      _links: { up: [{ href: `${base}/` }] },
    }));
  }

  /** Returns the JSON text of a cached answer; undefined for any other value. */
  findText(answer: JsonValue): string | undefined {
    if (!isJsonObject(answer) || !this.#texts.has(answer)) {
      return undefined;
    }
    const text = this.#texts.get(answer) ?? JSON.stringify(answer);
    this.#texts.set(answer, text);
    return text;
  }

  /** Caches a few answers. Their number is limited because they contain the Host header, which a client may set to anything. */
  #cachedAnswer(key: string, make: () => JsonObject): JsonObject {
    const cachedAnswer = this.#answers.get(key);
    if (cachedAnswer !== undefined) {
      return cachedAnswer;
    }
    if (this.#answers.size >= maxCachedAnswers) {
      this.#answers.clear();
    }
    const answer = make();
    this.#answers.set(key, answer);
    this.#texts.set(answer, undefined);
    return answer;
  }

  /** Returns the entries of routes in an answer. Their schemas are included only for the context `help`. */
  #entries(
    isIncluded: (entry: JsonObject) => boolean,
    { base: indexUrl, context }: { readonly base: string; readonly context: JsonValue | undefined },
  ): JsonObject {
    const routes = [...this.#routes].filter(([, entry]) => isIncluded(entry));
    return Object.fromEntries(
      routes.map(([key]) => {
        const entry = this.entry(key, indexUrl);
        return [this.#key(key), isHelp(context) ? entry : withoutSchema(entry)];
      }),
    );
  }

  #key(key: string): string {
    return wireKey(key, this.#segments);
  }
}

function isHelp(context: JsonValue | undefined): boolean {
  return context === "help";
}

function withoutSchema(entry: JsonObject): JsonObject {
  if (!Object.hasOwn(entry, "schema")) {
    return entry;
  }
  const { schema: _, ...otherMembers } = entry;
  return otherMembers;
}

/** Renames the namespace of an entry, and the default of its `namespace` argument. */
function wireEntry(entry: JsonValue | undefined, renamedNamespaces: ReadonlyMap<string, string>): JsonObject {
  if (!isJsonObject(entry)) {
    return {};
  }
  const namespace = entry["namespace"];
  const name = typeof namespace === "string" ? renamedNamespaces.get(namespace) : undefined;
  if (name === undefined || name === namespace) {
    return entry;
  }
  const endpoints = entry["endpoints"];
  return {
    ...entry,
    namespace: name,
    ...(Array.isArray(endpoints)
      ? { endpoints: endpoints.map((endpoint) => withNamespaceDefault(endpoint, namespace ?? null, name)) }
      : {}),
  };
}

function withNamespaceDefault(endpoint: JsonValue, oldNamespace: JsonValue, newNamespace: string): JsonValue {
  const args = isJsonObject(endpoint) ? endpoint["args"] : undefined;
  const argument = isJsonObject(args) ? args["namespace"] : undefined;
  if (
    !isJsonObject(endpoint) ||
    !isJsonObject(args) ||
    !isJsonObject(argument) ||
    argument["default"] !== oldNamespace
  ) {
    return endpoint;
  }
  return { ...endpoint, args: { ...args, namespace: { ...argument, default: newNamespace } } };
}

/** Adds the address of a route to its link `self`. The links in the document have no addresses. */
function withAddress(entry: JsonObject, address: string): JsonObject {
  const links = entry["_links"];
  if (!isJsonObject(links)) {
    return entry;
  }
  const self = links["self"];
  return { ...entry, _links: { ...links, self: typeof self === "string" ? address : [{ href: address }] } };
}

interface Site {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly conventions: RestConventions;
  readonly wireName: (namespace: string) => string;
}

/** Handlers for the index routes that the user does not implement. */
export function indexHandlers(
  index: ServedIndex,
  { service, options, conventions, wireName }: Site,
): (endpoint: AnyEndpointDescriptor) => RestHandler | undefined {
  return (endpoint) => {
    if (!endpoint.methods.includes("GET")) {
      return undefined;
    }
    if (endpoint.route === "/") {
      return (input, context) =>
        index.index(siteDescription(options, service, context), context.baseUrl, input["context"]);
    }
    const namespace = wireName(endpoint.route.slice(1));
    if (!index.namespaces.includes(namespace)) {
      return undefined;
    }
    return (input, { baseUrl }): JsonValue => {
      const answer = index.createNamespaceIndex(String(input["namespace"] ?? namespace), baseUrl, input["context"]);
      if (answer !== undefined) {
        return answer;
      }
      throw createConventionalError("unknownNamespace", conventions);
    };
  };
}

function siteDescription(
  options: RestServerOptions,
  service: RestService,
  { baseUrl, language }: RestContext,
): SiteDescription {
  const origin = /^[^:]*:\/\/[^/]*/.exec(baseUrl)?.[0] ?? "";
  const url = (options.url ?? origin).replace(/\/+$/, "");
  return {
    name: options.name ?? service.interface.name,
    description: options.description ?? "",
    url,
    home: options.home ?? getHome(url, service, language),
    gmt_offset: options.gmt_offset ?? "0",
    timezone_string: options.timezone_string ?? "",
  };
}

/** Returns the address of the home page: the site's address, followed by the language if the path contains it. */
function getHome(url: string, { interface: { language } }: RestService, requestedLanguage: string | undefined): string {
  return language?.variable === undefined || requestedLanguage === undefined ? url : `${url}/${requestedLanguage}`;
}
