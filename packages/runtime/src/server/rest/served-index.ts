import type { AnyEndpointDescriptor, JsonObject, JsonValue } from "../../descriptor.js";
import { isJsonObject } from "../../rest/php-json.js";
import { renameInKey, renameInText } from "../../rest/route-paths.js";
import type { WireSegments } from "../../rest/segment-names.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { createConventionalError } from "./rest-errors.js";
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

/** The maximum number of index answers in the cache. */
const maxCachedAnswers = 16;

/**
 * Answers requests for an index or for the index of a namespace. The answers are created from an index document, in
 * which namespaces and segments are renamed.
 */
export class ServedIndex {
  readonly #document: JsonObject;
  readonly #segments: WireSegments;
  /** The routes of the index by key, in the order of the index. */
  readonly #routes: ReadonlyMap<string, JsonObject>;
  readonly namespaces: readonly string[];
  readonly #answers = new Map<string, JsonObject>();
  readonly #writtenAnswers = new WeakMap<JsonObject, string | undefined>();

  constructor(document: JsonValue, segments: WireSegments) {
    this.#document = isJsonObject(document) ? document : {};
    this.#segments = segments;
    const documentNamespaces = this.#document["namespaces"];
    const namespaces = Array.isArray(documentNamespaces)
      ? documentNamespaces.filter((name) => typeof name === "string")
      : [];
    this.namespaces = namespaces.map((name) => renameInText(name, segments));
    const renamedNamespaces = new Map(namespaces.map((name) => [name, renameInText(name, segments)]));
    const routes = this.#document["routes"];
    this.#routes = new Map(
      Object.entries(isJsonObject(routes) ? routes : {}).map(([key, entry]) => [
        key,
        renameEntry(entry, renamedNamespaces),
      ]),
    );
  }

  /** Returns the index entry of a route. `base` is the address of the index. */
  createEntry(key: string, base: string): JsonObject {
    return withAddress(this.#routes.get(key) ?? {}, base + this.#formatKey(key));
  }

  /** Returns the answer to a request for the whole index. */
  getIndex(site: SiteDescription, base: string, context?: JsonValue): JsonObject {
    return this.#getCachedAnswer(`${base} ${site.url} ${site.home} ${isHelp(context)}`, () =>
      this.#createIndex(site, base, context),
    );
  }

  #createIndex(site: SiteDescription, base: string, context: JsonValue | undefined): JsonObject {
    const { namespaces: _, routes: __, ...otherMembers } = this.#document;
    return {
      ...site,
      namespaces: this.namespaces,
      ...otherMembers,
      routes: this.#listEntries(() => true, { base, context }),
      ...("_links" in otherMembers ? { _links: otherMembers["_links"] } : {}),
    };
  }

  /** Returns the answer to a request for the index of a namespace. Returns undefined for an unknown namespace. */
  createNamespaceIndex(namespace: string, base: string, context?: JsonValue): JsonObject | undefined {
    if (!this.namespaces.includes(namespace)) {
      return undefined;
    }
    return this.#getCachedAnswer(`${base} ${namespace} ${isHelp(context)}`, () => ({
      namespace,
      routes: this.#listEntries((entry) => entry["namespace"] === namespace, { base, context }),
      _links: { up: [{ href: `${base}/` }] },
    }));
  }

  /** Returns the JSON text of a cached answer; undefined for any other value. */
  findText(answer: JsonValue): string | undefined {
    if (!isJsonObject(answer) || !this.#writtenAnswers.has(answer)) {
      return undefined;
    }
    const text = this.#writtenAnswers.get(answer) ?? JSON.stringify(answer);
    this.#writtenAnswers.set(answer, text);
    return text;
  }

  /**
   * Returns an answer from the cache, or creates it. Only a few answers are cached, because they contain the Host
   * header, which a client can set to any value.
   */
  #getCachedAnswer(key: string, make: () => JsonObject): JsonObject {
    const cachedAnswer = this.#answers.get(key);
    if (cachedAnswer !== undefined) {
      return cachedAnswer;
    }
    if (this.#answers.size >= maxCachedAnswers) {
      this.#answers.clear();
    }
    const answer = make();
    this.#answers.set(key, answer);
    this.#writtenAnswers.set(answer, undefined);
    return answer;
  }

  /** Returns the index entries of several routes. The entries contain schemas only in the context `help`. */
  #listEntries(
    isIncluded: (entry: JsonObject) => boolean,
    { base: indexUrl, context }: { readonly base: string; readonly context: JsonValue | undefined },
  ): JsonObject {
    const routes = [...this.#routes].filter(([, entry]) => isIncluded(entry));
    return Object.fromEntries(
      routes.map(([key]) => {
        const entry = this.createEntry(key, indexUrl);
        return [this.#formatKey(key), isHelp(context) ? entry : omitSchema(entry)];
      }),
    );
  }

  #formatKey(key: string): string {
    return renameInKey(key, this.#segments);
  }
}

function isHelp(context: JsonValue | undefined): boolean {
  return context === "help";
}

function omitSchema(entry: JsonObject): JsonObject {
  if (!Object.hasOwn(entry, "schema")) {
    return entry;
  }
  const { schema: _, ...otherMembers } = entry;
  return otherMembers;
}

/** Renames the namespace of an index entry, and the default of the argument `namespace` in it. */
function renameEntry(entry: JsonValue | undefined, renamedNamespaces: ReadonlyMap<string, string>): JsonObject {
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

/** Sets the address in the link `self` of a route. The links in the index document have no addresses. */
function withAddress(entry: JsonObject, address: string): JsonObject {
  const links = entry["_links"];
  if (!isJsonObject(links)) {
    return entry;
  }
  const self = links["self"];
  return { ...entry, _links: { ...links, self: typeof self === "string" ? address : [{ href: address }] } };
}

/** The inputs of the handlers of index routes. */
interface Site {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly conventions: RestConventions;
  readonly getWireName: (namespace: string) => string;
}

/** Creates handlers for those index routes for which the user has not written handlers. */
export function createIndexHandlers(
  index: ServedIndex,
  { service, options, conventions, getWireName }: Site,
): (endpoint: AnyEndpointDescriptor) => RestHandler | undefined {
  return (endpoint) => {
    if (!endpoint.methods.includes("GET")) {
      return undefined;
    }
    if (endpoint.route === "/") {
      return (input, context) =>
        index.getIndex(describeSite(options, service, context), context.baseUrl, input["context"]);
    }
    const namespace = getWireName(endpoint.route.slice(1));
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

function describeSite(
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

/**
 * Returns the address of the home page: the address of the site, followed by the language if the paths of the interface
 * contain the language.
 */
function getHome(url: string, { interface: { language } }: RestService, requestedLanguage: string | undefined): string {
  return language?.variable === undefined || requestedLanguage === undefined ? url : `${url}/${requestedLanguage}`;
}
