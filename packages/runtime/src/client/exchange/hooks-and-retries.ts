import type { AuthorizationSource, formatAuthorization } from "../address.js";
import type { ClientAnswer, ClientRequest, HookResult, Hooks, ReportProblem } from "../hooks.js";
import type { AuthorizationHooks, CallHooks, mergeHeaders, Settings } from "../settings.js";
import type { Cancellation } from "./cancellation.js";

// This module is loaded for calls with hooks or the options `retries` and `onUploadProgress`. It imports only types, so
// that a code-splitting bundler need not create a third chunk for shared modules.

/** One call, whose request may be sent several times, each time with its hooks. */
interface RepeatableCallInit {
  readonly settings: Settings;
  readonly cancellation: Pick<Cancellation, "race" | "abort">;
  /** Whether the option `retries` applies to the request. */
  readonly isSafe: boolean;
  readonly send: (request: ClientRequest, onUploadProgress: ReportBytes | undefined) => Promise<ClientAnswer>;
  /** Throws a `ConfigError` with the given message. */
  readonly refuse: (message: string) => never;
  // These functions are passed as values, because this module imports only types.
  readonly mergeHeaders: typeof mergeHeaders;
  readonly formatAuthorization: typeof formatAuthorization;
}

interface RepeatableCall extends RepeatableCallInit {
  /**
   * Settles like the given promise, but rejects if the call is cancelled first, with an error that contains
   * `timeoutDetail`.
   */
  readonly wait: <T>(promise: Promise<T>, timeoutDetail: string) => Promise<T>;
}

type ReportBytes = (sentBytes: number) => void;

/**
 * The statuses after which a request is repeated: too many requests, gateway errors, overload (RFC 6585 §4, RFC 9110
 * §15.6).
 */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstDelayMilliseconds = 100;
const maxDelayMilliseconds = 10_000;
/** The longest delay of a timer: 25 days in milliseconds. A timer with a longer delay would fire immediately. */
const longestTimerDelay = 2_147_483_647;

/**
 * Repeats a call after a failed connection or a retryable status. The delay doubles, with a random part, so that
 * clients that failed together do not retry together. `Retry-After` can only extend the delay. An answer with this
 * header is returned if the call's timeout would expire before the next attempt, or if the delay is more than 25 days.
 */
export async function sendWithRetries(request: ClientRequest, init: RepeatableCallInit): Promise<ClientAnswer> {
  const { settings, isSafe, cancellation } = init;
  const wait: RepeatableCall["wait"] = (promise, step) => cancellation.race(promise, { step });
  const call = { ...init, wait };
  const { timeout, retries, transport } = settings;
  const start = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const { outcome, isSent } = await attemptOnce(request, call);
    if ("error" in outcome) {
      const mayRepeat = isSafe ? isTransportError(outcome.error) : !isSent && isUnsent(outcome.error);
      if (attempt === retries || !mayRepeat || transport.hasUsedAnswer === true) {
        throw outcome.error;
      }
      await pause(wait, computeRetryDelay(attempt));
      continue;
    }
    const { answer } = outcome;
    if (attempt === retries || !isSafe || !retryableStatuses.has(answer.status)) {
      return answer;
    }
    const requestedDelay = readRetryAfter(answer.headers.get("retry-after"));
    const delay = computeRetryDelay(attempt, requestedDelay);
    if (requestedDelay !== undefined && (delay > longestTimerDelay || performance.now() - start + delay >= timeout)) {
      return answer;
    }
    await pause(wait, delay);
  }
}

/** Sends a request once, with the hooks before and after it. */
async function sendWithHooks(originalRequest: ClientRequest, call: RepeatableCall): Promise<ClientAnswer> {
  const { wait } = call;
  const hooksOutermostFirst = call.settings.hooks.map((hooks) => createHookSteps(hooks, call));
  const { refuse } = call;
  const reportProblem: ReportProblem = (message, error) => call.settings.recorder?.reportProblem(message, error);
  const send = async (requestToSend: ClientRequest) => {
    checkAddress(requestToSend, call);
    return call.send(requestToSend, createProgressReporter(requestToSend, call));
  };
  let request = originalRequest;
  for (const { hooks, timeoutDetail } of hooksOutermostFirst) {
    const { before } = hooks;
    if (before !== undefined) {
      const replacement = await wait(
        awaitHook(() => before(request, reportProblem)),
        timeoutDetail,
      );
      request = checkRequest(replacement, "before", refuse) ?? request;
    }
  }
  let answer = await send(request);
  const hooksInnermostFirst = hooksOutermostFirst.toReversed();
  // If several hooks return another request to send, the request of the innermost hook is used.
  for (const { hooks, timeoutDetail } of hooksInnermostFirst) {
    const { again } = hooks;
    const replacement =
      again &&
      (await wait(
        awaitHook(() => again(answer, request)),
        timeoutDetail,
      ));
    const checkedReplacement = checkRequest(replacement, "again", refuse);
    if (checkedReplacement !== undefined) {
      request = checkedReplacement;
      answer = await send(request);
      break;
    }
  }
  for (const { hooks, timeoutDetail } of hooksInnermostFirst) {
    const { after } = hooks;
    if (after !== undefined) {
      const replacement = await wait(
        awaitHook(() => after(answer, request, reportProblem)),
        timeoutDetail,
      );
      answer = checkAnswer(replacement, refuse) ?? answer;
    }
  }
  return answer;
}

/** Refuses a hook result that is not a request. In JavaScript programs, the types of hooks are not checked. */
function checkRequest(
  replacement: ClientRequest | undefined,
  hook: "before" | "again",
  refuse: RepeatableCall["refuse"],
): ClientRequest | undefined {
  const { url, headers } = Object(replacement ?? noRequest);
  // The names and values in a Map or in `Headers` are not members of the object, so they would not be sent.
  if (Symbol.iterator in Object(headers)) {
    refuse(
      `The hook "${hook}" must return a request whose headers are an object, { name: value }. Convert them with Object.fromEntries(headers).`,
    );
  }
  return typeof url === "string" && typeof headers === "object" && headers !== null
    ? replacement
    : refuse(`The hook "${hook}" must return a request, with the members of its parameter, or nothing.`);
}

const noRequest = { url: "", headers: {} };

/** Refuses a hook result that is not an answer. */
function checkAnswer(
  replacement: ClientAnswer | undefined,
  refuse: RepeatableCall["refuse"],
): ClientAnswer | undefined {
  const { status, headers, body } = Object(replacement ?? noAnswer);
  return typeof status === "number" && typeof headers?.get === "function" && ArrayBuffer.isView(body)
    ? replacement
    : refuse('The hook "after" must return an answer, with the members of its first parameter, or nothing.');
}

const noAnswer = { status: 0, headers: new Map(), body: new Uint8Array() };

const anyAddressPattern = /^[a-z][a-z0-9+.-]*:/i;
const httpAddressPattern = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;

/** Refuses an invalid address from a hook. */
function checkAddress({ url }: ClientRequest, { settings, refuse }: RepeatableCall): void {
  const pattern = settings.hasCustomTransport ? anyAddressPattern : httpAddressPattern;
  if (!pattern.test(url)) {
    refuse("The address of the request must be an http or https address without credentials.");
  }
}

/** Hooks, and the text to append to the error's message if the call times out while the hooks run. */
interface HookSteps {
  readonly hooks: Hooks;
  readonly timeoutDetail: string;
}

/** Returns the hooks of a call. The function in the option `authorization` becomes a hook. */
function createHookSteps(hooks: CallHooks, call: RepeatableCall): HookSteps {
  if (isAuthorization(hooks)) {
    const authorizationHooks = createAuthorizationHooks(hooks[0], createSharedRefresh(hooks), call);
    return { hooks: authorizationHooks, timeoutDetail: authorizationDetail };
  }
  for (const name of ["before", "again", "after"] as const) {
    const hook: unknown = hooks[name];
    if (hook !== undefined && typeof hook !== "function") {
      call.refuse(`The hook "${name}" must be a function.`);
    }
  }
  // Other members, such as those of an object of a class, are not for the client.
  const members = Object.getPrototypeOf(hooks) === Object.prototype ? Object.entries(hooks) : [];
  const [unknownName] = members.find(([name, value]) => typeof value === "function" && !hookNames.includes(name)) ?? [];
  if (unknownName !== undefined) {
    call.refuse(`There is no hook "${unknownName}". Use ${hookNames.join(", ")}.`);
  }
  return { hooks, timeoutDetail: "a hook had not ended" };
}

const hookNames: readonly string[] = ["before", "again", "after", "addresses"];

const authorizationDetail = 'the function in the option "authorization" had not ended';

function isAuthorization(hooks: CallHooks): hooks is AuthorizationHooks {
  return Array.isArray(hooks);
}

/**
 * The refreshed authorization of a client. All calls of the client share it, so that many refused calls cause a single
 * refresh.
 */
interface Refresh {
  /** The result of the running refresh; undefined if no refresh is running. */
  pendingResult: Promise<AuthorizationResult> | undefined;
  /**
   * The header from the last refresh. Cleared when the function in the option `authorization` returns a different
   * header for a new request.
   */
  header: string | undefined;
}

type AuthorizationResult = Awaited<ReturnType<AuthorizationSource>>;

const refreshes = new WeakMap<CallHooks, Refresh>();

function createSharedRefresh(hooks: CallHooks): Refresh {
  const refresh = refreshes.get(hooks) ?? { pendingResult: undefined, header: undefined };
  refreshes.set(hooks, refresh);
  return refresh;
}

/**
 * Creates hooks that call the function in the option `authorization` for each request, and again if the server answers
 * 401.
 */
function createAuthorizationHooks(
  source: AuthorizationSource,
  refresh: Refresh,
  { mergeHeaders, formatAuthorization, wait, refuse, settings }: RepeatableCall,
): Hooks {
  const readHeader = (result: AuthorizationResult): string =>
    typeof result === "string" || (typeof result === "object" && result !== null)
      ? formatAuthorization(result)
      : refuse(
          `The function in the option "authorization" returned ${result}. It must return the value of the header, or an object with username and password.`,
        );
  const callSource = async (refused: boolean): Promise<AuthorizationResult> => {
    try {
      return await source({ refused });
    } catch (error) {
      settings.recorder?.addFailedFunction("authorization", error);
      throw error;
    }
  };
  const withAuthorization = (request: ClientRequest, header: string): ClientRequest => ({
    ...request,
    headers: mergeHeaders(request.headers, { Authorization: header }),
  });
  const refreshHeader = async (): Promise<string> => {
    const isShared = refresh.pendingResult !== undefined;
    refresh.pendingResult ??= callSource(true);
    const { pendingResult } = refresh;
    try {
      refresh.header = readHeader(await wait(pendingResult, authorizationDetail));
      return refresh.header;
    } catch (error) {
      throw isShared ? wrapSharedError(error) : error;
    } finally {
      // A call that was cancelled no longer waits for the refresh. Later calls must not wait for it either, because it
      // may never end on edge platforms.
      if (refresh.pendingResult === pendingResult) {
        refresh.pendingResult = undefined;
      }
    }
  };
  return {
    async before(request) {
      const header = readHeader(await callSource(false));
      if (header !== refresh.header) {
        refresh.header = undefined;
      }
      return withAuthorization(request, header);
    },
    async again(answer, request) {
      if (answer.status !== 401) {
        return undefined;
      }
      if (refresh.header !== undefined && refresh.header !== request.headers["Authorization"]) {
        return withAuthorization(request, refresh.header);
      }
      return withAuthorization(request, await refreshHeader());
    },
  };
}

/**
 * Wraps an error that several calls share, so that each call rejects with a separate error that contains the operation
 * and address of that call.
 */
function wrapSharedError(error: unknown): unknown {
  return error instanceof Error && "operation" in error && error.operation === undefined
    ? new Error(error.message, { cause: error })
    : error;
}

async function awaitHook<T>(hook: () => HookResult<T>): Promise<T | undefined> {
  return (await hook()) ?? undefined;
}

function pause(wait: RepeatableCall["wait"], milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return wait(delay, "the call was waiting before its next attempt").finally(() => clearTimeout(timer));
}

interface Attempt {
  readonly outcome: { readonly answer: ClientAnswer } | { readonly error: unknown };
  /**
   * Whether a byte of the request may have been sent. An attempt can fail even after that, for example because a hook
   * throws an error.
   */
  readonly isSent: boolean;
}

async function attemptOnce(request: ClientRequest, call: RepeatableCall): Promise<Attempt> {
  let isSent = false;
  const send: RepeatableCall["send"] = async (requestToSend, onUploadProgress) => {
    try {
      const answer = await call.send(requestToSend, onUploadProgress);
      isSent = true;
      return answer;
    } catch (error) {
      isSent ||= !isUnsent(error);
      throw error;
    }
  };
  try {
    const answer = await sendWithHooks(request, { ...call, send });
    return { outcome: { answer }, isSent };
  } catch (error) {
    return { outcome: { error }, isSent };
  }
}

function isTransportError(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}

/**
 * The codes of errors that occur only before a connection exists: the name was not resolved, or the connection was
 * refused. `EHOSTUNREACH` and `ENETUNREACH` are not included, because they also end established connections.
 */
const connectFailureCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether no byte of the request was sent. In this case, any request may be repeated. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && isTransportError(error) && "code" in error && connectFailureCodes.has(error.code);
}

/**
 * Returns the delay before the next attempt. It is not shorter than without `Retry-After`, and longer than this header
 * requests by a random part of up to a tenth: all clients may have received the same value.
 */
function computeRetryDelay(attempt: number, requestedDelay = 0): number {
  const longestDelay = Math.min(maxDelayMilliseconds, firstDelayMilliseconds * 2 ** attempt);
  const random = Math.random();
  return Math.max(
    longestDelay * (0.5 + random / 2),
    requestedDelay + random * Math.max(longestDelay, requestedDelay / 10),
  );
}

/**
 * Converts the value of `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to milliseconds. Returns undefined if the
 * header is absent or invalid.
 */
function readRetryAfter(header: string | undefined): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) {
    return Number(text) * 1_000;
  }
  // A date in a header begins with the name of a day. `Date.parse` accepts many other strings, such as "-1" and "1.5".
  const milliseconds = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/**
 * Returns a function that passes the number of bytes sent so far to `onUploadProgress`; undefined without that option.
 * If `onUploadProgress` throws, the call is aborted.
 */
function createProgressReporter(
  { body }: ClientRequest,
  { settings, cancellation, refuse }: RepeatableCall,
): ReportBytes | undefined {
  const { onUploadProgress, transport } = settings;
  if (onUploadProgress === undefined || body === undefined) {
    return undefined;
  }
  if (transport.reportsUploads !== true) {
    refuse(
      'The option "onUploadProgress" needs node:http, or fetchTransport with the option "uploadStream": other transports do not report progress.',
    );
  }
  const totalBytes = typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
  const abort = (error: unknown): void => {
    settings.recorder?.addFailedFunction("onUploadProgress", error);
    cancellation.abort(error);
  };
  return (sentBytes) => {
    try {
      const result: unknown = onUploadProgress({ sentBytes, totalBytes });
      Promise.resolve(result).catch(abort);
    } catch (error) {
      abort(error);
    }
  };
}
