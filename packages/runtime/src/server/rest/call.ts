import type { JsonValue, Method } from "../../descriptor.js";
import { headerMap, headerValue, type RoutedRequest } from "../../http/server-messages.js";
import type { UploadedFile } from "../../rest/php-form.js";
import { type CallSignal, copyable, gettersAsMembers } from "../call-handler.js";
import type { RestCallToAuthorize, RestContext, RestInput } from "./service.js";
import type { RestServing, RouteMatch, ServedEndpoint, ServedRoute } from "./serving.js";

const noFiles: readonly UploadedFile[] = [];
const noBytes = new Uint8Array();

/** The target of a request, split into its parts. */
export interface RequestTarget {
  /** The decoded path of the route; undefined for a path that no route can have. */
  readonly path: string | undefined;
  readonly query: string;
  /** The values of the variables in the base path. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * A request to the interface, as far as it has been read. Each step returns a new value with more members; an error answer uses
 * the members that were read before it.
 */
export interface ReceivedCall {
  readonly request: RoutedRequest;
  readonly serving: RestServing;
  readonly target: RequestTarget;
  /** The site's address, without the base path of the interface. */
  readonly siteUrl: string;
  /** The address of the index. */
  readonly baseUrl: string;
  /** The values in the query; empty until the query is read. */
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly match?: RouteMatch<ServedRoute>;
  readonly endpoint?: ServedEndpoint;
  /** The endpoint's method that the request uses; GET for a HEAD request. */
  readonly method?: Method;
  readonly body?: Uint8Array;
  readonly files?: readonly UploadedFile[];
  readonly input?: RestInput;
}

/** A call whose endpoint is known. */
export interface FoundCall extends ReceivedCall {
  readonly match: RouteMatch<ServedRoute>;
  readonly endpoint: ServedEndpoint;
  readonly method: Method;
}

/** A call that has been read completely. */
export interface RestCall extends FoundCall {
  readonly body: Uint8Array;
  readonly files: readonly UploadedFile[];
  readonly input: RestInput;
}

/** The nonce of a session: as in WordPress, the query has precedence over the header. */
export function nonceOf({ query, request, serving }: ReceivedCall): string | undefined {
  const { parameters, nonceHeader } = serving.conventions;
  const queryNonce = query.get(parameters.nonce);
  return typeof queryNonce === "string" ? queryNonce : headerValue(request.headers, nonceHeader);
}

/** The language of a call: from the argument for it, otherwise from the path. */
function languageOf({ serving, target, input }: ReceivedCall): string | undefined {
  const { argument, variable } = serving.service.interface.language ?? {};
  const value = argument === undefined ? undefined : input?.[argument];
  if (typeof value === "string") {
    return value;
  }
  if (variable === undefined) {
    return undefined;
  }
  return target.variables.get(variable) ?? serving.base.values.get(variable)?.[0];
}

/**
 * The endpoint and method of a context: those of the call, or another endpoint of the same route, to ask whether it is allowed.
 */
interface ContextEndpoint {
  readonly operation: string;
  readonly method: Method;
}

/** The context of a handler. Rarely used members are computed on first use. */
export class RestHandlerContext implements RestContext {
  readonly operation: string;
  readonly method: Method;
  readonly remoteAddress: string | undefined;
  readonly #call: ReceivedCall;
  readonly #signal: CallSignal | undefined;
  #headers: ReadonlyMap<string, string> | undefined;

  /** Without a `signal`, the context uses the request's signal. */
  constructor(call: ReceivedCall, { operation, method }: ContextEndpoint, signal?: CallSignal) {
    this.operation = operation;
    this.method = method;
    this.remoteAddress = call.request.remoteAddress;
    this.#call = call;
    this.#signal = signal;
  }

  get language(): string | undefined {
    return languageOf(this.#call);
  }

  get route(): string {
    return this.#call.match?.route.key ?? "";
  }

  get body(): Uint8Array {
    return this.#call.body ?? noBytes;
  }

  get files(): readonly UploadedFile[] {
    return this.#call.files ?? noFiles;
  }

  get principal(): unknown {
    return this.#call.request.authentication?.principal;
  }

  get requestId(): string {
    return this.#call.request.id;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= headerMap(this.#call.request.headers);
    return this.#headers;
  }

  get baseUrl(): string {
    return this.#call.baseUrl;
  }

  get signal(): AbortSignal {
    return this.#signal?.signal ?? this.#call.request.signal;
  }

  get nonce(): string | undefined {
    return nonceOf(this.#call);
  }

  get params(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#call.match?.variables ?? []);
  }
}

const contextGetters = /* @__PURE__ */ gettersAsMembers(RestHandlerContext.prototype);

/** Wraps a context so that it can be copied: `{ ...context }`. */
export function copyableContext<Context extends RestHandlerContext>(context: Context): Context {
  return copyable(context, contextGetters);
}

/** The context of the option `authorize`. */
export class AuthorizationContext extends RestHandlerContext implements RestCallToAuthorize {
  readonly input: RestInput;

  constructor(call: ReceivedCall, endpoint: ContextEndpoint, input: RestInput) {
    super(call, endpoint);
    this.input = input;
  }
}
