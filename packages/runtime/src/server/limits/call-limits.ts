import { RestError } from "../../answer-errors.js";
import { ConfigError } from "../../errors.js";
import type { ClientCertificate } from "../../http/client-certificate.js";
import { createHeaderMap } from "../../http/headers.js";
import { getNetwork } from "../../http/ip-addresses.js";
import { busyRefusal, createEarlyPage, type EarlyRefusal, type ServerAnswer } from "../../http/server-answer.js";
import { type ParsedRequest, toParsedRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import { createLimitIncident, OptionError, report, timeoutMessages } from "../../observe/incidents.js";
import { RepeatedProblem, RepeatedReports, reportInterval } from "../../observe/repeated-incidents.js";
import { checkOptionsOf } from "../../option-checks.js";
import {
  createChoice,
  createInterface,
  createRecord,
  functionType,
  notNegativeType,
  type OptionTypes,
  positiveMillisecondsType,
  required,
} from "../../option-types.js";
import { LimitError } from "../../server-limits.js";
import { startTimer } from "../calls/call-handler.js";
import { createProblemReporter, type HandlerCall, type HookProblem, type Middleware } from "../calls/middleware.js";
import { isPreflight } from "../origins.js";
import type { RestContext } from "../rest/service.js";
import { checkWrappedRoutes, type Routes, withAnswer } from "../routes.js";
import type { OperationContext } from "../soap/service.js";
import { memoryStore, type RateCount, type RateLimitStore } from "./rate-limit-store.js";
import { longestTimerDelay } from "./running-clock.js";

// Limits for routes and handlers: the number of requests in a time window (`rateLimitedRoutes`, `rateLimit`), and the
// number of concurrent handlers (`concurrencyLimit`).

/** Allows at most `requests` requests in each window of `window` milliseconds. */
export interface Rate {
  readonly requests: number;
  /** The length of a window in milliseconds. */
  readonly window: number;
  /** The store that counts requests. Default: the memory of this process. */
  readonly store?: RateLimitStore | undefined;
  /**
   * The behavior if the store throws, rejects, returns no count, or does not answer within `storeTimeout`: `accept`
   * continues without counting, `refuse` answers 503. In both cases, `onError` receives the failure.
   * Default `accept`.
   */
  readonly onStoreFailure?: "accept" | "refuse" | undefined;
  /** The maximum time in milliseconds to wait for the store; `Infinity` for no limit. Default 1,000. */
  readonly storeTimeout?: number | undefined;
}

/** The properties of a request that the option `by` can use to create a key. */
export interface RequestToCount {
  readonly remoteAddress: string | undefined;
  /** The certificate of the client, if the server asks for certificates and accepts this one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly method: string;
  readonly path: string;
  /** The headers of the request by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A rate of requests. They are counted before their bodies are read. */
export interface RequestRate extends Rate {
  /**
   * Returns the key under which a request is counted. Requests for which it returns undefined are not counted. Default:
   * the client's IPv4 address, or the first 64 bits of its IPv6 address.
   */
  readonly by?: ((request: RequestToCount) => string | undefined) | undefined;
}

/** A rate of calls. They are counted before their handlers run. */
export interface CallRate extends Rate {
  /**
   * Returns the key under which a call is counted. Calls for which it returns undefined are not counted. Example: `({
   * context }) => context.principal.id`.
   */
  readonly by: (call: HandlerCall<CallContext>) => string | undefined;
}

/** The context of a SOAP or a REST call. */
export type CallContext = OperationContext | RestContext;

/**
 * Answers 429 to the requests that exceed a rate, before their bodies are read. Behind a proxy, the server needs the
 * option `trustedProxies`; otherwise, all clients have the address of the proxy.
 */
export function rateLimitedRoutes(routes: Routes, options: RequestRate): Routes {
  checkWrappedRoutes("rateLimitedRoutes", routes);
  checkOptionsOf("rateLimitedRoutes", options, { ...rateTypes, by: functionType });
  const { by, ...rate } = options;
  let isReported = false;
  const refusals = new RefusalReports();
  const { store = memoryStore() } = rate;
  return withAnswer(routes, (receivedRequest) => {
    const request = toParsedRequest(receivedRequest);
    // A browser sends a preflight before a call of another page. If it were refused, the page could not learn why.
    if (isPreflight(request)) {
      request.record.isUncounted = true;
      return routes.answer(request);
    }
    const { remoteAddress, clientCertificate, method, path } = request;
    const key =
      by === undefined
        ? remoteAddress && getNetwork(remoteAddress)
        : callBy(by, { remoteAddress, clientCertificate, method, path, headers: createHeaderMap(request.headers) });
    if (key === undefined && !isReported) {
      isReported = true;
      const message = by === undefined ? formatMissingAddress(request) : missingKeyMessage;
      report(undefined, { kind: "config", message }, request, { endsCall: false });
    }
    if (key === undefined) {
      return routes.answer(request);
    }
    const countOrPromise = countRequest(store, {
      key,
      rate,
      report: createProblemReporter({ onError: undefined, source: {}, request }),
    });
    const answerRequest = (count: RateCount | undefined) => {
      if (count === undefined) {
        return refuseAndClose(routes, request, busyRefusal);
      }
      if (count.requests <= rate.requests) {
        return routes.answer(request);
      }
      const incident = createLimitIncident(createRateError(rate, "rateLimitedRoutes"));
      if (incident !== undefined) {
        const sentences = [incident.message];
        if (by === undefined) {
          sentences.push(formatCountedAddress(request));
        }
        const summary = refusals.add(key);
        sentences.push(summary ?? "");
        const message = sentences.join(" ");
        report(undefined, { ...incident, message }, request, { isKnown: summary === undefined });
      }
      const headers = [["Retry-After", formatSeconds(count)]] as const;
      return refuseAndClose(routes, request, { ...tooManyRequests, headers });
    };
    return isPromise(countOrPromise) ? countOrPromise.then(answerRequest) : answerRequest(countOrPromise);
  });
}

/** The maximum number of callers that are reported per minute for exceeding a rate. */
const maxReportedCallers = 20;

/** Limits how often refused requests are reported, because the reports would fill the log during an attack. */
class RefusalReports {
  #startedAt = Number.NEGATIVE_INFINITY;
  #unreportedCount = 0;
  readonly #reportedKeys = new Set<string>();

  /**
   * Counts a refused request. Returns a sentence to add to the report about the request. Returns undefined if the
   * request must not be reported.
   */
  add(key: string): string | undefined {
    const now = performance.now();
    if (now - this.#startedAt >= reportInterval) {
      this.#startedAt = now;
      this.#reportedKeys.clear();
    }
    if (this.#reportedKeys.has(key) || this.#reportedKeys.size >= maxReportedCallers) {
      this.#unreportedCount += 1;
      return undefined;
    }
    this.#reportedKeys.add(key);
    const unreportedCount = this.#unreportedCount;
    this.#unreportedCount = 0;
    const note = "The same caller is reported once a minute.";
    return unreportedCount === 0
      ? note
      : `${note} Since the last report, ${unreportedCount} other requests were refused.`;
  }
}

/** Returns sentences for the operator that name the address under which requests are counted. */
function formatCountedAddress({ remoteAddress, listedAddressReason }: ParsedRequest): string {
  const advice = listedAddressReason ?? 'If this is a proxy, list it in the option "trustedProxies" of the server.';
  return `Requests are counted by the client address, which is ${remoteAddress}. ${advice}`;
}

/** The message for the operator about a request or a call that is not counted because it has no key. */
const missingKeyMessage =
  'A rate limit does not count a request, because the function in the option "by" returned undefined. If it reads a header, a client avoids the limit by leaving the header out: return a common key, such as "none", or the address. This is reported once.';

/** Returns the message for the operator about a request that is not counted because the client's address is unknown. */
function formatMissingAddress({ listedAddressReason }: ParsedRequest): string {
  const advice =
    listedAddressReason ??
    'Set the option "remoteAddress" of the handler, the option "trustedProxies" of the server, or the option "by" of the rate limit.';
  return `A rate limit does not count requests, because the address of the client is unknown. ${advice} This is reported once.`;
}

/**
 * Returns a function for the option `use` that limits the rate of calls per principal, or per any other property of a
 * call. Calls that exceed the rate get status 429 or, over SOAP, a fault with this status.
 */
export function rateLimit(options: CallRate): Middleware<CallContext> {
  refuseCall("rateLimit", options);
  checkOptionsOf("rateLimit", options, { ...rateTypes, by: required(functionType) });
  const { by, ...rate } = options;
  const refusals = new RefusalReports();
  const { store = memoryStore() } = rate;
  let isReported = false;
  return async (call, next) => {
    const key = callBy(by, call);
    if (key === undefined && !isReported) {
      isReported = true;
      call.report({ message: missingKeyMessage });
    }
    if (key !== undefined) {
      const count = await countRequest(store, { key, rate, report: call.report });
      if (count === undefined) {
        throw new RestError({ ...serverBusy, headers: new Map([["Retry-After", "1"]]) });
      }
      if (count.requests > rate.requests) {
        const message = "Too many requests. Try again later.";
        const refusalInit = { code: "rest_too_many_requests", message, status: 429, retryAfter: formatSeconds(count) };
        const cause = createRateError(rate);
        const summary = refusals.add(key);
        cause.isKnown = summary === undefined;
        cause.message += summary === undefined ? "" : ` ${summary}`;
        throw createRefusalError({ ...refusalInit, cause });
      }
    }
    return next();
  };
}

/**
 * Calls the function in the option `by`. Throws an `OptionError` if the function throws or returns an object. Each
 * object would be a different key with its own count, so the limit would have no effect.
 */
function callBy<Request>(by: (request: Request) => string | undefined, request: Request): string | undefined {
  try {
    const key: unknown = by(request);
    if (typeof key === "object" && key !== null) {
      Promise.resolve(key).catch(() => {});
      const result = isPromise(key) ? "a promise" : "an object";
      throw new TypeError(`The option "by" of a rate limit must return a string or undefined, not ${result}.`);
    }
    return key as string | undefined;
  } catch (error) {
    throw new OptionError("by", error);
  }
}

const rateTypes: OptionTypes<Rate> = {
  requests: required(notNegativeType),
  window: required(positiveMillisecondsType),
  store: createInterface("count"),
  onStoreFailure: createChoice("accept", "refuse"),
  storeTimeout: positiveMillisecondsType,
};

interface RequestCount {
  readonly key: string;
  readonly rate: Rate;
  readonly report: (problem: HookProblem) => void;
}

/** The count if the store fails and requests are accepted. */
const noCount: RateCount = { requests: 0, resetsIn: 0 };

/**
 * Counts a request. Returns undefined if the store fails and the option `onStoreFailure` requires the request to be
 * refused.
 */
function countRequest(
  store: RateLimitStore,
  { key, rate, report }: RequestCount,
): RateCount | undefined | Promise<RateCount | undefined> {
  const reportFailure = (error: unknown): RateCount | undefined => {
    const endsCall = rate.onStoreFailure === "refuse";
    const consequence = endsCall ? "refused" : "answered without being counted";
    report({ message: `The rate-limit store failed, so the request was ${consequence}.`, error, endsCall });
    return endsCall ? undefined : noCount;
  };
  const readCount = (count: RateCount): RateCount => {
    checkCount(count);
    if (count.droppedKeys !== undefined && count.droppedKeys > 0) {
      report({ message: formatDroppedKeys(count.droppedKeys) });
    }
    return count;
  };
  try {
    const count = store.count(key, rate.window);
    return isPromise(count)
      ? withTimeout(count, rate.storeTimeout ?? defaultStoreTimeout)
          .then(readCount)
          .catch(reportFailure)
      : readCount(count);
  } catch (error) {
    return reportFailure(error);
  }
}

function formatDroppedKeys(count: number): string {
  return `The store of a rate limit is full. It dropped the lowest counts, of ${count} keys, so their callers can send more requests than the limit. If clients can invent keys, change the option "by"; otherwise, set the option "store".`;
}

/** The default of the option `storeTimeout`, in milliseconds. */
const defaultStoreTimeout = 1_000;

/** Throws if a function that creates middleware is itself in the option `use`, so that it receives a call. */
function refuseCall(owner: string, options: unknown): void {
  const { operation, context } = Object(options ?? {}) as Partial<HandlerCall<unknown>>;
  if (operation !== undefined && context !== undefined) {
    throw new ConfigError(
      `The option "use" contains ${owner} instead of its result. Call it with its options: use: [${owner}({ … })].`,
    );
  }
}

/** Rejects if the store does not answer in time. */
function withTimeout(count: Promise<RateCount>, timeout: number): Promise<RateCount> {
  if (timeout > longestTimerDelay) {
    return count;
  }
  return new Promise((resolve, reject) => {
    const rejectLate = () =>
      reject(new Error(`The store did not answer within ${timeout} ms (option "storeTimeout").`));
    const timer = startTimer(rejectLate, timeout);
    count.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Throws if the result of a store does not contain the number of requests. Without this check, every request would be
 * accepted.
 */
function checkCount(count: RateCount): void {
  if (!Number.isFinite(count?.requests)) {
    throw new TypeError('The result of the function "count" of the store has no number in its member "requests".');
  }
}

function createRateError({ requests }: Rate, name = "rateLimit"): LimitError {
  return new LimitError("rate", requests, `requests of ${name}`);
}

/** The largest number of seconds in `Retry-After`: clients may read it as an integer of 32 bits. */
const longestWait = 2_147_483_647;

function formatSeconds({ resetsIn }: RateCount): string {
  const seconds = Math.min(Math.ceil(resetsIn / 1_000), longestWait);
  return Number.isNaN(seconds) ? "1" : String(Math.max(1, seconds));
}

/** The refusal of a request that exceeds a rate (RFC 6585 §4). */
const tooManyRequests: EarlyRefusal = { status: 429, text: "Too many requests. Try again later." };

function refuseAndClose(routes: Routes, request: ParsedRequest, refusal: EarlyRefusal): ServerAnswer {
  return { ...(routes.refuse?.(request, refusal) ?? createEarlyPage(refusal)), close: true };
}

/** The maximum numbers of handlers that run, and of calls that wait for them. */
export interface ConcurrencyLimit {
  /**
   * The maximum number of handlers that run at the same time, by operation name. Operations that are not listed have no
   * limit.
   */
  readonly operations: Readonly<Record<string, number>>;
  /**
   * The maximum number of calls that wait per operation. Default 0: calls that exceed the limit are refused at once.
   */
  readonly queue?: number | undefined;
}

const concurrencyTypes: OptionTypes<ConcurrencyLimit> = {
  operations: required(
    createRecord(
      (limit) => Number.isInteger(limit) && Number(limit) >= 0,
      "an object whose values are whole numbers, 0 or more, such as { Find: 4 }",
    ),
  ),
  queue: notNegativeType,
};

/** The running and the waiting calls of an operation. */
interface Turns {
  readonly limit: number;
  readonly runningCalls: Set<CallContext>;
  readonly waitingCalls: Set<() => void>;
}

/**
 * Returns a function for the option `use` that limits how many handlers of an operation run at the same time: `use:
 * concurrencyLimit({ operations: { CheckUSA: 4 }, queue: 20 })`. All further calls get status 503 or, over SOAP, a
 * fault with this status. The time that a call waits counts toward the timeout of its handler. A handler that has timed
 * out counts until it ends.
 */
export function concurrencyLimit(options: ConcurrencyLimit): Middleware<CallContext> {
  refuseCall("concurrencyLimit", options);
  checkOptionsOf("concurrencyLimit", options, concurrencyTypes);
  const { operations, queue = 0 } = options;
  const limits = new Map(Object.entries(operations));
  const byOperation = new Map<string, Turns>();
  const reports = new RepeatedReports();
  const limitCall: Middleware<CallContext> = async ({ operation, context }, next) => {
    const limit = limits.get(operation);
    if (limit === undefined) {
      return next();
    }
    let turns = byOperation.get(operation);
    if (turns === undefined) {
      turns = { limit, runningCalls: new Set(), waitingCalls: new Set() };
      byOperation.set(operation, turns);
    }
    if (turns.runningCalls.size >= limit) {
      if (turns.waitingCalls.size >= queue || limit === 0) {
        const cause = new LimitError("concurrency", limit, "operations of concurrencyLimit");
        cause.repeated = new RepeatedProblem(reports, operation);
        cause.message += describeTimedOutCalls(turns);
        throw createRefusalError({ ...serverBusy, retryAfter: "1", cause });
      }
      await waitForTurn(turns, context);
    } else {
      turns.runningCalls.add(context);
    }
    try {
      return await next();
    } finally {
      endTurn(turns, context);
    }
  };
  return Object.assign(limitCall, { namedOperations: [...limits.keys()] });
}

/** Waits until a call may run. Rejects when the client disconnects or when the handler times out. */
function waitForTurn(turns: Turns, context: CallContext): Promise<void> {
  const { runningCalls, waitingCalls } = turns;
  const { signal } = context;
  return new Promise((resolve, reject) => {
    const beginTurn = (): void => {
      signal.removeEventListener("abort", stopWaiting);
      runningCalls.add(context);
      resolve();
    };
    const stopWaiting = (): void => {
      waitingCalls.delete(beginTurn);
      if (signal.reason instanceof LimitError) {
        timeoutMessages.set(signal.reason, formatWaitTimeout(turns, signal.reason));
      }
      reject(signal.reason);
    };
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    waitingCalls.add(beginTurn);
    signal.addEventListener("abort", stopWaiting, { once: true });
  });
}

/** Ends a call, and lets the next waiting call run. */
function endTurn({ runningCalls, waitingCalls }: Turns, context: CallContext): void {
  runningCalls.delete(context);
  const [startNext] = waitingCalls;
  if (startNext !== undefined) {
    waitingCalls.delete(startNext);
    startNext();
  }
}

function formatWaitTimeout(turns: Turns, { value }: LimitError): string {
  const advice =
    describeTimedOutCalls(turns) ||
    ' Check whether they are slow, or increase the value in the option "operations" of concurrencyLimit.';
  return `The call waited in the queue of concurrencyLimit until its time limit of ${value} ms: the operation already had ${turns.limit} running handlers.${advice}`;
}

/** Returns sentences about the running handlers that have timed out; "" if there are none. */
function describeTimedOutCalls({ runningCalls }: Turns): string {
  const timedOutCalls = [...runningCalls].filter(({ signal }) => signal.reason instanceof LimitError);
  return timedOutCalls.length === 0
    ? ""
    : ` ${timedOutCalls.length} of them have exceeded their time limit, and keep their places until they end. Check what they wait for, such as a database, and stop them when context.signal is aborted.`;
}

const serverBusy = { code: "rest_busy", message: "The server is busy. Try again later.", status: 503 } as const;

interface RefusedCall {
  /** The code of the error in a REST answer. */
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** The value of the header `Retry-After`, in seconds. */
  readonly retryAfter: string;
  readonly cause: LimitError;
}

/** Returns the error for a call that exceeds a limit. Over SOAP, the error becomes a fault with the same status. */
function createRefusalError({ code, message, status, retryAfter, cause }: RefusedCall): RestError {
  return new RestError({ code, message, status, headers: new Map([["Retry-After", retryAfter]]), cause });
}
