import type { JsonValue, Method } from "../../descriptor.js";
import type { UploadedFile } from "../../rest/php-form.js";
import { fillBase } from "../../rest/route-paths.js";
import type { RouteMatch } from "../../rest/route-table.js";
import type { CallSignal } from "../call-handler.js";
import { headerMap, headerValue, originOf } from "../headers.js";
import type { ServerRequest } from "../types.js";
import type { Place } from "./address.js";
import type { RestCallToAuthorize, RestContext } from "./service.js";
import type { RestServing, ServedEndpoint, ServedRoute } from "./serving.js";

type Input = Readonly<Record<string, JsonValue>>;

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const noInput: Input = {};
const noBytes = new Uint8Array();

/** The route of a request, and the endpoint of it that has the method. */
interface CalledRoute {
  readonly match: RouteMatch<ServedRoute>;
  readonly endpoint: ServedEndpoint;
  readonly method: Method;
}

/** A request that is being answered. What is found out about it is filled in on the way, and an error's answer uses it. */
export class Exchange {
  readonly request: ServerRequest;
  readonly place: Place;
  readonly serving: RestServing;
  query: ReadonlyMap<string, JsonValue> = noValues;
  input: Input = noInput;
  match: RouteMatch<ServedRoute> | undefined;
  /** The endpoint that is called, once it is known. */
  endpoint: ServedEndpoint | undefined;
  method: Method = "GET";
  body: Uint8Array = noBytes;
  files: readonly UploadedFile[] = [];
  #baseUrl: string | undefined;
  /** What the user's hook said of the call; undefined: it was not asked. */
  authorized: boolean | undefined;

  constructor(request: ServerRequest, place: Place, serving: RestServing) {
    this.request = request;
    this.place = place;
    this.serving = serving;
  }

  /** Finds the first route that the path leads to and that has the method; HEAD is GET without a body. */
  find(): ServedEndpoint | undefined {
    const found = this.lookUp();
    if (found === undefined) return undefined;
    this.match = found.match;
    this.endpoint = found.endpoint;
    this.method = found.method;
    return found.endpoint;
  }

  lookUp(): CalledRoute | undefined {
    const wanted = this.request.method === "HEAD" ? "GET" : this.request.method;
    const match = this.#find(wanted);
    if (match === undefined) return undefined;
    for (const endpoint of match.route.endpoints) {
      const method = endpoint.descriptor.methods.find((known) => known === wanted);
      if (method !== undefined) return { match, endpoint, method };
    }
    return undefined;
  }

  /** The nonce of a session: the query's goes before the header's, as in WordPress. */
  get nonce(): string | undefined {
    const given = this.query.get("_wpnonce");
    return typeof given === "string" ? given : headerValue(this.request.headers, "x-wp-nonce");
  }

  /** Finds the first route that the path leads to, whatever its methods. */
  findRoute(): ServedRoute | undefined {
    this.match = this.#find();
    return this.match?.route;
  }

  /** The address of the index: the site's as configured, else as the client says. */
  get baseUrl(): string {
    const { base, options } = this.serving;
    this.#baseUrl ??= originOf(this.request, options.url, undefined) + fillBase(base, this.place.variables);
    return this.#baseUrl;
  }

  /** What the paths of requests stand behind in addresses. */
  get siteUrl(): string {
    const { base } = this.serving;
    return this.baseUrl.slice(0, this.baseUrl.length - fillBase(base, this.place.variables).length);
  }

  /** The language of the argument, else that of the path. */
  get language(): string | undefined {
    const { argument, variable } = this.serving.service.interface.language ?? {};
    const given = argument === undefined ? undefined : this.input[argument];
    if (typeof given === "string") return given;
    if (variable === undefined) return undefined;
    return this.place.variables.get(variable) ?? this.serving.base.values.get(variable)?.[0];
  }

  #find(method?: string): RouteMatch<ServedRoute> | undefined {
    return this.place.path === undefined ? undefined : this.serving.routes.find(this.place.path, method);
  }
}

/** What one call tells its handler. What few handlers ask for is made when one does. */
export class CallContext implements RestContext {
  readonly operation: string;
  readonly method: Method;
  readonly language: string | undefined;
  readonly route: string;
  readonly body: Uint8Array;
  readonly files: readonly UploadedFile[];
  readonly remoteAddress: string | undefined;
  readonly #exchange: Exchange;
  readonly #signal: CallSignal | undefined;
  #headers: ReadonlyMap<string, string> | undefined;

  /** Without a `signal`, that of the request counts. */
  constructor(
    exchange: Exchange,
    called: { readonly operation: string; readonly method: Method },
    signal?: CallSignal,
  ) {
    this.operation = called.operation;
    this.method = called.method;
    this.language = exchange.language;
    this.route = exchange.match?.route.key ?? "";
    this.body = exchange.body;
    this.files = exchange.files;
    this.remoteAddress = exchange.request.remoteAddress;
    this.#exchange = exchange;
    this.#signal = signal;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= headerMap(this.#exchange.request.headers);
    return this.#headers;
  }

  get baseUrl(): string {
    return this.#exchange.baseUrl;
  }

  get signal(): AbortSignal {
    return this.#signal?.signal ?? this.#exchange.request.signal;
  }

  get nonce(): string | undefined {
    return this.#exchange.nonce;
  }

  get params(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#exchange.match?.variables ?? []);
  }
}

/** A call before it is made, as the user's hook sees it. */
export class CallBefore extends CallContext implements RestCallToAuthorize {
  readonly input: Input;

  constructor(exchange: Exchange, called: { readonly operation: string; readonly method: Method }, input: Input) {
    super(exchange, called);
    this.input = input;
  }
}
