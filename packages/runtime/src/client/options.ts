import type { XmlLimits } from "@bothends/xml";
import { messageLimits, type ReferenceLimits, referenceLimits } from "@bothends/xml/limits";
import { suggestOption } from "#transport";
import type { Tolerance } from "../answer-errors.js";
import type { DeclaredElements } from "../codec/codec-options.js";
import type { ToleratedDifference } from "../codec/tolerant-reader.js";
import type { AnyElement, JsonObject, Method, Protocol } from "../descriptor.js";
import { type BothendsError, ConfigError } from "../errors.js";
import type { CallObservers, OnCall, OnClientError } from "../observe/events.js";
import type { AnswerCheck } from "../rest/check-answers.js";
import type { WireNameOptions } from "../wire-names.js";
import type { AuthorizationSource, Credentials } from "./address.js";
import type { Hooks } from "./hooks.js";
import type { AnswerStream, Transport, TransportOptions } from "./transport.js";

/** Headers, keyed by name. The case of names is ignored. */
export type HeaderOptions = Readonly<Record<string, string | undefined>>;

/** Client options that each call can override. */
export interface SharedOptions {
  /**
   * Milliseconds for the whole call, from connecting to the last byte of the answer, hooks and retries included.
   * Default 60,000; `Infinity` for no limit.
   */
  readonly timeout?: number | undefined;
  /**
   * Aborts the call, which then rejects with an `AbortError` whose `cause` is the signal's reason. A client's signal
   * aborts all its calls.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Additional HTTP headers. Headers of a call override headers of the client, which override headers of the protocol.
   */
  readonly headers?: HeaderOptions | undefined;
  /**
   * User and password for Basic authentication, or the value of the `Authorization` header, or a function that returns
   * one of these.
   */
  readonly authorization?: string | Credentials | AuthorizationSource | undefined;
  /**
   * Functions that run before and after each request. The first hook in a list runs its `before` first and its `after`
   * last.
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  readonly limits?: ClientLimitOptions | undefined;
  /**
   * The number of times to repeat a read-only request after a failed connection or an answer with the status 429, 502,
   * 503 or 504: 0 to 10. The delays double, with a random part, and `Retry-After` extends them. Default 0. Applies to
   * GET and to `safeOperations`; other requests are repeated only if no connection was established, so that no byte was
   * sent.
   */
  readonly retries?: number | undefined;
  /**
   * The id of the call, sent as `X-Request-Id`. A handler can pass its `context.requestId`. Calls that are observed by
   * `onCall`, `onError` or `observe` have a new id by default. In browsers, a new id is not sent to other origins,
   * because WordPress and many other servers do not allow it.
   */
  readonly requestId?: string | undefined;
  /** Reads the answer item by item. Set by `streamOf`. */
  readonly stream?: AnswerStream | undefined;
  /**
   * Called while the body of a request is sent, with the number of bytes sent so far. The count restarts if the request
   * is repeated. Needs a transport that reports progress: `node:http`, or `fetchTransport(fetch, { uploadStream })`. An
   * exception or a rejection aborts the call.
   */
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** The part of a request's body that has been passed to the connection. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** The option that makes a call return errors instead of rejecting with them. */
export interface ResultOption<Result extends boolean = boolean> {
  /**
   * With `true`, the call resolves to `{ data }` or `{ error }` instead of rejecting with a `BothendsError`. Default
   * false.
   */
  readonly result?: Result | undefined;
}

/** The result of a call that does not throw: either `data` or `error` is present. */
export type CallResult<Data> =
  | { readonly data: Data; readonly error?: undefined }
  | { readonly data?: undefined; readonly error: BothendsError };

/**
 * The type of the value that a call resolves to: a `CallResult` if the call's option `result` is true, otherwise
 * `Data`. `Result` is the type of that option.
 */
export type OutcomeOf<Data, Result> = [Result] extends [true] ? CallResult<Data> : Data;

/** Options of any client. */
export interface ConnectionOptions extends SharedOptions, TransportOptions {
  /**
   * Sends the requests. Default: `node:http` on Node, `fetch` elsewhere. Cannot be combined with the options of the
   * default, such as `proxy` and `tls`.
   */
  readonly transport?: Transport | undefined;
  /** Milliseconds within which a new connection must be established. Default 10,000. */
  readonly connectTimeout?: number | undefined;
  /**
   * The names of read-only operations that are sent with POST, as in SOAP. `retries` applies to these operations, and
   * their requests are sent again if the server closed an idle connection.
   */
  readonly safeOperations?: readonly string[] | undefined;
  /** Called once for each call, after the call has ended. */
  readonly onCall?: OnCall | undefined;
  /** Called for each call that fails, before it rejects. */
  readonly onError?: OnClientError | undefined;
  /** Follows calls from their beginning to their end, for traces. */
  readonly observe?: CallObservers | undefined;
}

/** Options of a client for SOAP and HTTP services. */
export interface SoapClientOptions extends ConnectionOptions {
  /**
   * The base URL of the services. It replaces the scheme and host of each address in the WSDL; the path of that address
   * is appended.
   */
  readonly baseUrl?: string | undefined;
  /**
   * The complete address of the service. For an interface of several services: an object with an address for each
   * service name.
   */
  readonly address?: string | Readonly<Record<string, string | undefined>> | undefined;
  /**
   * The WSDL port to call. It determines the address and, unless `protocol` is set, the protocol. For an interface of
   * several services: an object with a port for each service name. Default: the first port.
   */
  readonly port?: string | Readonly<Record<string, string | undefined>> | undefined;
  /** The protocol of all calls. Default: the protocol of the first port in the WSDL that has the operation. */
  readonly protocol?: Protocol | undefined;
  /** The names on the wire that replace placeholder names in the schema. */
  readonly wireNames?: WireNameOptions | undefined;
  /** How to treat elements in an answer that the schema does not declare. Default `ignore`. */
  readonly unknown?: "ignore" | "error" | undefined;
  /**
   * Differences between answers and the schema that are accepted, for example `["enumeration", "nil"]`. By default,
   * each difference causes a `DecodeError`, whose `tolerance` names the value that would accept it.
   */
  readonly tolerate?: readonly Tolerance[] | undefined;
  /** Called for each accepted difference. The rejection of an asynchronous function is ignored. */
  readonly onTolerated?: ((difference: ToleratedDifference) => void) | undefined;
  /** How to treat characters of an input that XML cannot contain. Default `refuse`. */
  readonly illegalCharacters?: "refuse" | "replace" | undefined;
  /**
   * Additional checks for answers: `identity` checks the unique, key and keyref constraints of the schema, and the
   * answer's IDs and IDREFs; `wildcards` checks elements that match wildcards against their declarations in
   * `messageElements(operations)`.
   */
  readonly validate?:
    | { readonly identity?: boolean | undefined; readonly wildcards?: DeclaredElements | undefined }
    | undefined;
}

/** Options of one call of an operation. */
export interface CallOptions<
  SoapHeaders extends object = Readonly<Record<string, unknown>>,
  AnswerHeaders extends object = Readonly<Record<string, unknown>>,
> extends SharedOptions {
  readonly protocol?: Protocol | undefined;
  /** The header blocks that the operation declares. */
  readonly soapHeaders?: SoapHeaders | undefined;
  /** Header blocks that the schema does not declare, for example security tokens. */
  readonly extraSoapHeaders?: readonly AnyElement[] | undefined;
  /**
   * Called with status and headers before a result is returned or a SOAP fault is thrown. An exception rejects the
   * call. The call does not wait for an asynchronous function, and ignores its rejection.
   */
  readonly onAnswer?: ((answer: AnswerHead<AnswerHeaders>) => void) | undefined;
}

/** Status and headers of an answer, and the operation and address of its call. */
export interface AnswerHead<SoapHeaders extends object = Readonly<Record<string, unknown>>> {
  /** The operation or endpoint, as the schema names it. */
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** The address of the call, without credentials and query. */
  readonly address?: string | undefined;
  readonly status: number;
  /** Headers, keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The declared SOAP header blocks of the answer, keyed by member name. */
  readonly soapHeaders: SoapHeaders;
}

/** Options of a REST client. The variables in the interface's base path, such as `lang`, are options as well. */
export interface RestClientOptions extends ConnectionOptions {
  /** The address of the site. The base path of the interface is appended. */
  readonly siteUrl: string;
  readonly wireNames?: { readonly segments?: Readonly<Record<string, string | undefined>> | undefined } | undefined;
  /** Sends routes in the query, `?rest_route=/…`, for a site without pretty permalinks. Default false. */
  readonly plainPermalinks?: boolean | undefined;
  /**
   * Validates every answer that has a type, for example with `checkAnswers(contentAnswers)`. By default, answers are
   * not validated.
   */
  readonly validate?: AnswerCheck | undefined;
}

/** A file to be uploaded. */
export interface Upload {
  /** Bytes, a `Blob`, or the `File` of a form. A blob is read into memory. */
  readonly content: Uint8Array | { readonly arrayBuffer: () => Promise<ArrayBuffer> };
  /** Media type, for example `image/png`. */
  readonly type: string;
  /** File name, for example `sample.png`. */
  readonly name: string;
}

/** Options of one call of an endpoint. */
export interface RestCallOptions extends SharedOptions, ResultOption {
  /** One of the HTTP methods of the endpoint. Default: the first. */
  readonly method?: Method | undefined;
  /** Arguments that the index does not list. */
  readonly extra?: JsonObject | undefined;
  /** Sent as the body to an endpoint that accepts a file (`POST /wp/v2/media`); the arguments are sent in the query. */
  readonly upload?: Upload | undefined;
  /** Members to request, for example `["id", "title.rendered"]`; default all. Sent as `_fields`. */
  readonly fields?: readonly string[] | undefined;
  /**
   * Requests that the answer contain linked resources in `_embedded`: all of them, or those with the listed relations.
   * Sent as `_embed`.
   */
  readonly embed?: boolean | readonly string[] | undefined;
  /**
   * Called with status and headers before the body is returned. An exception rejects the call. The call does not wait
   * for an asynchronous function, and ignores its rejection.
   */
  readonly onAnswer?: ((answer: Omit<AnswerHead, "soapHeaders">) => void) | undefined;
}

/** Limits for one answer. A limit of 0 allows nothing; an absent limit has its default. */
export interface ClientLimits extends XmlLimits, ReferenceLimits {
  /** The maximum size of an answer's body in bytes, uncompressed; checked while the body arrives. */
  readonly bodyBytes: number;
  /** The maximum number of bytes of the body that an error contains. */
  readonly errorBodyBytes: number;
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
}

/** The default limits of clients: sizes in bytes, and numbers of items. */
export const clientLimits: ClientLimits = {
  ...messageLimits,
  ...referenceLimits,
  bodyBytes: 16_777_216,
  errorBodyBytes: 65_536,
  jsonDepth: 64,
  jsonKeys: 100_000,
  jsonItems: 100_000,
};

/** The option `limits` of clients. Limits that it leaves out have their defaults in `clientLimits`. */
export type ClientLimitOptions = { readonly [Name in keyof ClientLimits]?: number | undefined };

/** The type `Input`, except that members which the client's options always provide are optional. */
export type Supplied<Input, Options> = Input extends unknown
  ? Omit<Input, SuppliedNames<Options> & keyof Input> & Partial<Pick<Input, SuppliedNames<Options> & keyof Input>>
  : never;

type SuppliedNames<Options> = Exclude<
  { [Name in keyof Options]-?: undefined extends Options[Name] ? never : Name }[keyof Options],
  keyof SoapClientOptions
>;

const sharedOptionNames = [
  "timeout",
  "signal",
  "headers",
  "authorization",
  "hooks",
  "limits",
  "retries",
  "requestId",
  "stream",
  "onUploadProgress",
];
/** The options of the platform's transport. */
export const transportOptions = ["agent", "proxy", "tls", "maxSockets", "maxQueued", "socketPath"] as const;
const connectionOptionNames = [
  ...sharedOptionNames,
  "transport",
  "connectTimeout",
  ...transportOptions,
  "safeOperations",
  "onCall",
  "onError",
  "observe",
];

// The names of the options that each kind of client supports. Other names are refused, because they may be misspelled.
// The lists are separate constants, so that a bundle contains only those that it needs.
export const soapClientOptions: readonly string[] = /* @__PURE__ */ connectionOptionNames.concat([
  "baseUrl",
  "address",
  "port",
  "protocol",
  "wireNames",
  "unknown",
  "tolerate",
  "onTolerated",
  "illegalCharacters",
  "validate",
]);

/** The names of the options of a SOAP call, for the check of misspelled options. */
export const soapCallOptions: readonly string[] = /* @__PURE__ */ sharedOptionNames.concat([
  "protocol",
  "soapHeaders",
  "extraSoapHeaders",
  "onAnswer",
  "result",
]);

/** The names of the options of a REST client. */
export const restClientOptions: readonly string[] = /* @__PURE__ */ connectionOptionNames.concat([
  "siteUrl",
  "wireNames",
  "plainPermalinks",
  "validate",
]);

/** The names of the options of a REST call. */
export const restCallOptions: readonly string[] = /* @__PURE__ */ sharedOptionNames.concat([
  "method",
  "extra",
  "upload",
  "fields",
  "embed",
  "onAnswer",
  "result",
]);

/**
 * Returns the value of an option. Throws `ConfigError` for a negative number and for other types. `Infinity` is
 * allowed.
 */
export function checkMilliseconds(value: number, name: string): number {
  if (typeof value !== "number" || !(value >= 0)) {
    throw new ConfigError(`The option "${name}" must be 0 or more milliseconds.`);
  }
  return value;
}

/** Returns the value of the option `retries`. Throws `ConfigError` if it is not an integer from 0 to 10. */
export function checkRetries(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 10) {
    return value;
  }
  throw new ConfigError('The option "retries" must be an integer from 0 to 10.');
}

/** Returns the default limits, overridden by the limits in the options. */
export function mergeClientLimits(options: ClientLimitOptions | undefined, defaults: ClientLimits): ClientLimits {
  if (options === undefined) {
    return defaults;
  }
  const limits = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of limits) {
    if (!Object.hasOwn(clientLimits, name)) {
      throw new ConfigError(`There is no limit "${name}".${suggestOption(name, Object.keys(clientLimits))}`);
    }
    if (typeof value !== "number" || !(value >= 0)) {
      throw new ConfigError(`The limit "${name}" must be 0 or more.`);
    }
  }
  return { ...defaults, ...Object.fromEntries(limits) };
}

interface DescribedInterface {
  readonly name: string;
  readonly descriptorFormat: number;
}

/** Refuses generated code with a different descriptor format. */
export function checkFormat({ name, descriptorFormat }: DescribedInterface): void {
  if (descriptorFormat !== 2) {
    throw new ConfigError(
      `${name} has descriptor format ${descriptorFormat}, but this runtime reads format 2. Generate it again.`,
    );
  }
}
