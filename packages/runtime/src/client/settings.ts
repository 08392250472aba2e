import { channels, createDeadlines, createTransport, watchSignal } from "#transport";
import { ConfigError } from "../errors.js";
import { type AuthorizationSource, formatAuthorization } from "./address.js";
import { checkOptions } from "./check-options.js";
import type { CallDescription } from "./errors/failures.js";
import type { Deadlines, WatchSignal } from "./exchange/cancellation.js";
import type { Hooks } from "./hooks.js";
import {
  type ClientLimits,
  type ConnectionOptions,
  checkMilliseconds,
  checkRetries,
  clientLimits,
  type HeaderOptions,
  mergeClientLimits,
  type SharedOptions,
} from "./options.js";
import type { Transport, TransportAnswer, TransportHead, TransportRequest } from "./transport.js";

/** The options of a client and of one call, merged and checked. */
export interface Settings {
  readonly transport: Transport;
  /** Whether the option `transport` is set: a custom transport may accept addresses of any scheme. */
  readonly hasCustomTransport: boolean;
  readonly connectTimeout: number;
  readonly timeout: number;
  /** The deadlines of the client's calls with this timeout; undefined if each call has its own timer. */
  readonly deadlines: Deadlines | undefined;
  readonly retries: number;
  /** The names of operations that may be sent again although their method is POST. */
  readonly safeOperations: readonly string[] | undefined;
  readonly limits: ClientLimits;
  /** The signal of the client, then the signal of the call. */
  readonly signals: readonly AbortSignal[];
  readonly watchSignal: WatchSignal;
  readonly headers: readonly HeaderOptions[];
  /** Caches merged headers: maps the frozen headers of a protocol to these headers merged with `headers`. */
  readonly mergedHeaders: WeakMap<object, Readonly<Record<string, string>>>;
  readonly hooks: readonly CallHooks[];
  readonly onUploadProgress: SharedOptions["onUploadProgress"];
  /** The option `requestId` of the call, or of the client if the call has none. */
  readonly requestId: string | undefined;
  /** The options for observing calls; undefined if there are none. */
  readonly observers: Observers | undefined;
  /** Records the requests and the answer of one call, if the call is observed. */
  readonly recorder?: CallRecorder;
  readonly loadFailures: LoadFailures;
}

/**
 * Loads the code that creates the errors of failed requests. The same module contains the code for unusual answers of
 * the protocol.
 */
export type LoadFailures = () => Promise<{
  createTransportFailure(error: unknown, head: TransportHead | undefined, context: CallDescription): unknown;
}>;

/** The options with which a user observes calls. */
export type Observers = Pick<ConnectionOptions, "onCall" | "onError" | "observe">;

/** Records the requests and the answer of an observed call. */
export interface CallRecorder {
  /** Records that a request is passed to the transport, and sets its `onConnection`. */
  addRequest(request: TransportRequest): void;
  addAnswer(answer: TransportAnswer): void;
  /** Records that the function in an option threw. The error of the call is this exception, or has it as its cause. */
  addFailedFunction(option: "authorization" | "onUploadProgress", error: unknown): void;
  /** Passes a problem with a hook to the client's `onError`. */
  reportProblem(message: string, error: unknown): void;
}

/** Computes the settings of a client from its options. */
export function createSettings(options: ConnectionOptions, loadFailures: LoadFailures): Settings {
  const { transport, connectTimeout = 10_000, timeout = 60_000, requestId } = options;
  const defaults: Settings = {
    transport: createTransport(options),
    hasCustomTransport: transport !== undefined,
    connectTimeout: checkMilliseconds(connectTimeout, "connectTimeout"),
    timeout: checkMilliseconds(timeout, "timeout"),
    deadlines: createDeadlines(timeout),
    retries: 0,
    safeOperations: options.safeOperations,
    limits: clientLimits,
    signals: [],
    watchSignal,
    headers: createRequestIdHeader(requestId),
    mergedHeaders: new WeakMap(),
    hooks: [],
    onUploadProgress: undefined,
    requestId,
    observers: selectObservers(options),
    loadFailures,
  };
  // The headers of a client override its request id, but the request id of a call overrides all headers.
  return createCallSettings(defaults, { ...options, requestId: undefined });
}

/** The channels of `node:diagnostics_channel` to which clients publish their calls. Only Node has them. */
export interface ClientChannels {
  readonly hasSubscribers: boolean;
  readonly call: Channel;
  readonly error: Channel;
}

interface Channel {
  publish(message: unknown): void;
}

/** Whether a call must be observed: the call has observers, and is not recorded yet. */
export function isObserved({ observers, recorder }: Settings): boolean {
  return recorder === undefined && (observers !== undefined || channels?.hasSubscribers === true);
}

function selectObservers(options: Observers): Observers | undefined {
  const { onCall, onError, observe } = options;
  return (onCall ?? onError ?? observe) === undefined ? undefined : options;
}

function createRequestIdHeader(requestId: string | undefined): readonly HeaderOptions[] {
  return requestId === undefined ? [] : [{ "X-Request-Id": requestId }];
}

/**
 * Returns the settings of one call: the settings of its client, overridden by the options of the call. Refuses options
 * with other names than `allowedNames`.
 */
export function createCallSettings(
  settings: Settings,
  options: SharedOptions | undefined,
  allowedNames?: readonly string[],
): Settings {
  if (options === undefined) {
    return settings;
  }
  if (allowedNames !== undefined) {
    checkOptions(options, allowedNames);
  }
  const { timeout = settings.timeout, retries = settings.retries, requestId } = options;
  const headers = [...listOptionHeaders(options), ...createRequestIdHeader(requestId)];
  return {
    ...settings,
    timeout: checkMilliseconds(timeout, "timeout"),
    deadlines: timeout === settings.timeout ? settings.deadlines : undefined,
    retries: checkRetries(retries),
    limits: mergeClientLimits(options.limits, settings.limits),
    signals: [...settings.signals, options.signal, options.stream?.signal].filter((signal) => signal !== undefined),
    headers: [...settings.headers, ...headers],
    mergedHeaders: headers.length === 0 ? settings.mergedHeaders : new WeakMap(),
    hooks: [...settings.hooks, ...listOptionHooks(options)],
    onUploadProgress: options.onUploadProgress ?? settings.onUploadProgress,
    requestId: requestId ?? settings.requestId,
  };
}

function listOptionHeaders({ authorization, headers }: SharedOptions): readonly HeaderOptions[] {
  const isConstant = authorization !== undefined && typeof authorization !== "function";
  const headerOptions: HeaderOptions[] = isConstant ? [{ Authorization: formatAuthorization(authorization) }] : [];
  if (headers !== undefined) {
    headerOptions.push(headers);
  }
  return headerOptions;
}

/** Hooks, or an option that is applied like hooks. */
export type CallHooks = Hooks | AuthorizationHooks;

/**
 * The option `authorization`, if it is a function. The function is in an array, so that it can be distinguished from
 * hooks.
 */
export type AuthorizationHooks = readonly [AuthorizationSource] & { readonly addresses?: undefined };

function listOptionHooks({ hooks, authorization }: SharedOptions): readonly CallHooks[] {
  const hookList = [hooks ?? []].flat();
  return typeof authorization === "function" ? [[authorization], ...hookList] : hookList;
}

/**
 * The names that a header may have (RFC 9110 §5.6.2). Refuses headers about the connection and the body, which the
 * transport writes, a name that would replace the prototype of headers, and numbers: they are the names of an array's
 * items.
 */
const headerNamePattern =
  /^(?!(?:content-length|transfer-encoding|connection|upgrade|te|trailer|__proto__|\d+)$)[!#$%&'*+.^`|~\w-]+$/i;
/**
 * The values that a header may have: visible characters, spaces, tabs, and bytes above ASCII (RFC 9110 §5.5). CR and LF
 * are refused, because they could begin another header.
 */
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Merges headers. If two headers have the same name, ignoring case, the later one is used. */
export function mergeHeaders(
  baseHeaders: Readonly<Record<string, string>>,
  ...overrides: readonly (HeaderOptions | undefined)[]
): Readonly<Record<string, string>> {
  if (overrides.every((headers) => headers === undefined)) {
    return baseHeaders;
  }
  const headersByName = new Map<string, readonly [string, string]>();
  for (const headers of [baseHeaders, ...overrides]) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      if (value !== undefined) {
        headersByName.set(name.toLowerCase(), [name, value]);
      }
    }
  }
  return Object.fromEntries(headersByName.values());
}

/**
 * Frozen headers that have already been checked. Each call of a protocol passes the same object, which is checked only
 * once.
 */
const checkedHeaders = new WeakSet<object>();

/** Refuses headers that HTTP does not allow, before anything is sent. */
export function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  if (checkedHeaders.has(headers)) {
    return;
  }
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (!headerNamePattern.test(name) || typeof value !== "string" || !headerValuePattern.test(value)) {
      // `errors/error-messages.ts` adds the reason.
      throw new ConfigError(`The header ${JSON.stringify(name)} is not allowed.`);
    }
  }
  if (Object.isFrozen(headers)) {
    checkedHeaders.add(headers);
  }
}
