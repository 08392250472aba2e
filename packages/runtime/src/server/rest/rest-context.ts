import type { Method } from "../../descriptor.js";
import type { ClientCertificate } from "../../http/client-certificate.js";
import { createHeaderMap, findHeader } from "../../http/headers.js";
import type { UploadedFile } from "../../rest/php-form.js";
import type { CallSignal } from "../calls/call-handler.js";
import { exposeGetters, makeCopyable } from "../calls/copyable-context.js";
import type { ReceivedCall } from "./request.js";
import type { RestCallToAuthorize, RestContext, RestInput } from "./service.js";

const noFiles: readonly UploadedFile[] = [];
const noBytes = new Uint8Array();

/** Returns the nonce of a session. As in WordPress, a nonce in the query takes precedence over one in the header. */
export function findNonce({ query, request, servedInterface }: ReceivedCall): string | undefined {
  const { parameters, nonceHeader } = servedInterface.conventions;
  const queryNonce = query.get(parameters.nonce);
  return typeof queryNonce === "string" ? queryNonce : findHeader(request.headers, nonceHeader);
}

/**
 * The endpoint and method that a context describes. Usually they are those of the call. They belong to another endpoint
 * of the route if the context is only used to ask whether that endpoint is allowed.
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

  /** `signal` is the signal of the handler. Default: the signal of the request. */
  constructor(call: ReceivedCall, { operation, method }: ContextEndpoint, signal?: CallSignal) {
    this.operation = operation;
    this.method = method;
    this.remoteAddress = call.request.remoteAddress;
    this.#call = call;
    this.#signal = signal;
  }

  get language(): string | undefined {
    return findLanguage(this.#call);
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
    return this.#call.authentication?.principal;
  }

  get requestId(): string {
    return this.#call.request.id;
  }

  get clientCertificate(): ClientCertificate | undefined {
    return this.#call.request.clientCertificate;
  }

  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= createHeaderMap(this.#call.request.headers);
    return this.#headers;
  }

  get baseUrl(): string {
    return this.#call.site.baseUrl;
  }

  get signal(): AbortSignal {
    return this.#signal?.signal ?? this.#call.request.signal;
  }

  get nonce(): string | undefined {
    return findNonce(this.#call);
  }

  get params(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#call.match?.variables ?? []);
  }
}

/** Returns the language of a call, from the argument that contains the language, or else from the path. */
function findLanguage({ servedInterface, target, input }: ReceivedCall): string | undefined {
  const { argument, variable } = servedInterface.service.interface.language ?? {};
  const value = argument === undefined ? undefined : input?.[argument];
  if (typeof value === "string") {
    return value;
  }
  if (variable === undefined) {
    return undefined;
  }
  return target.variables.get(variable) ?? servedInterface.base.values.get(variable)?.[0];
}

const contextGetters = /* @__PURE__ */ exposeGetters(RestHandlerContext.prototype);

/** Wraps a context so that a copy, `{ ...context }`, contains all its members. */
export function makeContextCopyable<Context extends RestHandlerContext>(context: Context): Context {
  return makeCopyable(context, contextGetters);
}

interface AuthorizedEndpoint extends ContextEndpoint {
  readonly input: RestInput;
  readonly signal: CallSignal;
}

/** The context that is passed to the option `authorize`. */
export class AuthorizationContext extends RestHandlerContext implements RestCallToAuthorize {
  readonly input: RestInput;

  constructor(call: ReceivedCall, { input, signal, ...endpoint }: AuthorizedEndpoint) {
    super(call, endpoint, signal);
    this.input = input;
  }
}
