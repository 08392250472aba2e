import { isBytes } from "../http/bytes.js";
import { findHeader } from "../http/headers.js";
import { createEarlyPage, type EarlyRefusal, type ServerAnswer } from "../http/server-answer.js";
import {
  CallRecord,
  ParsedRequest,
  type ParsedRequestOptions,
  type RequestSource,
  type ServerRequest,
  toParsedRequest,
} from "../http/server-request.js";
import { isPromise } from "../is-promise.js";
import { type CallEvent, CallMeasurements, type CallObservers, type OnCall, type OnError } from "../observe/events.js";
import {
  createLimitIncident,
  createThrownIncident,
  logIncident,
  OptionError,
  report,
  reportInvalidRequest,
} from "../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../observe/repeated-incidents.js";
import { beginObservation, runOnCall } from "../observe/safe-hooks.js";
import {
  describeUnreachableLimits,
  describeUnusedLimits,
  type LimitError,
  type LimitOptions,
  mergeServerLimits,
  type ServerLimits,
} from "../server-limits.js";
import { Admission, type AdmissionFeatures, CountedUsage, capacityLimits } from "./admission.js";
import { createFailureIncident } from "./body.js";
import { BegunRequest } from "./calls/begun-request.js";
import { describeMisplacedOptions } from "./options/option-places.js";
import { checkRequestIds, checkServerOptions, type RequestIdOptions } from "./options/server-options.js";
import {
  createLateRefusal,
  describeCutOff,
  formatLateRefusal,
  type RouterRefusal,
  refuseRequest,
} from "./refuse-request.js";
import { checkNamedOperations, checkRoutes, type Routes, RoutesByPath } from "./routes.js";
import {
  createProxyResolver,
  type ProxyProblem,
  type ProxyResolver,
  type ResolvedRequest,
  type TrustedProxies,
  unlistedSender,
} from "./trusted-proxies.js";
import { createNotFoundAnswer, ShiftedPaths } from "./unmatched-requests.js";

/** Options for a router, which apply to all its routes. */
export interface RouterOptions {
  readonly limits?: LimitOptions | undefined;
  /**
   * Called for incidents of this router, and of routes without their own `onError`. Default: such incidents are written
   * to standard error; use `() => {}` to ignore them.
   */
  readonly onError?: OnError | undefined;
  /** Called for every request, once its answer has been written. */
  readonly onCall?: OnCall | undefined;
  /** Follows each request from its beginning to its end. Used for traces. */
  readonly observe?: CallObservers | undefined;
  readonly requestIds?: RequestIdOptions | undefined;
  /**
   * Whether requests can have compressed bodies (gzip and deflate). The limit `bodyBytes` of the routes applies to the
   * compressed body; the smaller of `bodyBytes` and `inflatedBytes` applies to the decompressed body. Default false:
   * requests with compressed bodies get status 415.
   */
  readonly compressedRequests?: boolean | undefined;
  /**
   * The proxies in front of the server. Their headers `X-Forwarded-For` and `X-Forwarded-Proto` determine the client's
   * address and the scheme, or those in the member `headers`. Default none: such headers are ignored.
   */
  readonly trustedProxies?: readonly string[] | TrustedProxies | undefined;
  /**
   * Whether `/` lists the services and indexes of this router, unless routes answer it. If so, error pages for unknown
   * addresses suggest similar ones to browsers. Default true. Routes whose own pages are turned off are not listed.
   */
  readonly page?: boolean | undefined;
}

/** Answers every request: refuses invalid requests, and tries the routes in order for the others. */
export interface Router {
  (request: ServerRequest): ServerAnswer | Promise<ServerAnswer>;
  /** Returns the answer to a request that the adapter refuses. Reports nothing. */
  readonly refuse: (request: ServerRequest, refusal: EarlyRefusal) => ServerAnswer;
}

/** The features that an adapter adds to a router. */
export interface AdapterFeatures extends AdmissionFeatures {
  /** Channels for tracing tools, such as those of `node:diagnostics_channel`. */
  readonly channels: { readonly call: Channel; readonly error: Channel };
  /**
   * Whether the address of a request is the address of its socket. If false, ignored headers of a proxy are not
   * reported, because platforms without sockets set these headers on every request, and report the client's address
   * themselves.
   */
  readonly hasSockets: boolean;
}

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/** The adapter that creates a router. */
interface Adapter {
  /** The groups of options that not all adapters have. */
  readonly optionGroups?: readonly ("listen" | "web" | "framework")[] | undefined;
  readonly features?: AdapterFeatures | undefined;
}

/** Creates a router for the routes of several interfaces. Called by adapters. */
export function createRouter(routes: readonly Routes[], options: RouterOptions = {}, adapter: Adapter = {}): Router {
  checkRoutes(routes);
  const servedEntries = options.page === false ? [] : routes.flatMap(({ served: entries = [] }) => entries);
  const shiftedPaths = new ShiftedPaths(routes);
  const { answer, refuse } = new RequestRouter<never>(routes, options, {
    adapter,
    answerUnmatched: (request) => {
      shiftedPaths.report(request);
      return createNotFoundAnswer(request, servedEntries);
    },
  });
  return Object.assign(answer, { refuse });
}

/** A router inside a third-party framework. If no route matches, it returns undefined, and the framework answers. */
export type FrameworkRouter = (request: ServerRequest) => ServerAnswer | undefined | Promise<ServerAnswer | undefined>;

/**
 * Creates the router for an adapter of a framework. It returns undefined for requests that the framework must answer.
 */
export function createFrameworkRouter(
  routes: readonly Routes[],
  options: RouterOptions,
  adapter: Adapter,
): FrameworkRouter {
  checkRoutes(routes);
  const shiftedPaths = new ShiftedPaths(routes);
  const answerUnmatched = (request: ParsedRequest) => shiftedPaths.report(request, { mayBeOthers: true });
  return new RequestRouter<undefined>(routes, options, { adapter, answerUnmatched }).answer;
}

interface RouterInit<Unmatched> {
  readonly adapter: Adapter;
  /** Returns the answer to a request that no route matches. */
  readonly answerUnmatched: (request: ParsedRequest) => ServerAnswer | Unmatched | Promise<ServerAnswer>;
}

/** A router. `Unmatched` is `undefined` if requests can remain without an answer, otherwise `never`. */
class RequestRouter<Unmatched extends undefined> {
  readonly #byPath: RoutesByPath;
  readonly #limits: ServerLimits;
  readonly #admission: Admission;
  readonly #options: RouterOptions;
  readonly #channels: AdapterFeatures["channels"] | undefined;
  readonly #hasSockets: boolean;
  readonly #requestOptions: ParsedRequestOptions;
  readonly #echoedIdHeader: string | undefined;
  readonly #proxies: ProxyResolver | undefined;
  readonly #answerUnmatched: RouterInit<Unmatched>["answerUnmatched"];
  readonly #reportedProxyProblems = new Set<ProxyProblem>();
  readonly #repeatedReports = new RepeatedReports();

  constructor(routes: readonly Routes[], options: RouterOptions, { adapter, answerUnmatched }: RouterInit<Unmatched>) {
    const { optionGroups = [], features } = adapter;
    checkServerOptions(options);
    checkNamedOperations(routes);
    this.#byPath = new RoutesByPath(routes);
    this.#limits = mergeServerLimits(options.limits);
    this.#admission = new Admission(this.#limits, features);
    this.#options = options;
    this.#channels = features?.channels;
    this.#hasSockets = features?.hasSockets === true;
    this.#answerUnmatched = answerUnmatched;
    const limitsOfRoutes = routes.flatMap(({ limits = [] }) => limits);
    const mistakes = [
      ...describeMisplacedOptions([
        { owner: "the server", groups: ["server", ...optionGroups], options },
        ...routes.flatMap((route) => route.placedOptions ?? []),
      ]),
      ...(limitsOfRoutes.length === 0 ? [] : describeUnusedLimits(options.limits, limitsOfRoutes)),
      ...describeUnreachableLimits(options.limits, limitsOfRoutes),
    ];
    for (const message of mistakes) {
      report(this.#onError, { kind: "config", message });
    }
    const { header = "X-Request-Id", inAnswers = false } = checkRequestIds(options.requestIds);
    this.#proxies = options.trustedProxies && createProxyResolver(options.trustedProxies);
    this.#echoedIdHeader = inAnswers ? header : undefined;
    this.#requestOptions = {
      onError: this.#onError,
      requestIdHeader: header.toLowerCase(),
      acceptsCompressed: options.compressedRequests,
      explainListedAddress: this.#proxies?.explainListedAddress,
    };
  }

  readonly answer = (directRequest: ServerRequest): ServerAnswer | Unmatched | Promise<ServerAnswer | Unmatched> => {
    const receivedRequest: ResolvedRequest = this.#proxies?.resolve(directRequest) ?? directRequest;
    const isObserved = this.#isObserved;
    const record = new CallRecord(isObserved ? new CallMeasurements(receivedRequest.receivedAt) : undefined);
    const usage = new CountedUsage(receivedRequest, this.#admission, record);
    const request = new ParsedRequest(receivedRequest, this.#requestOptions, { record, usage });
    directRequest.setParsedRequest?.(request);
    const proxyProblem = receivedRequest === directRequest ? "ignored" : receivedRequest.problem;
    if (request.parsedHeaders.isForwarded && proxyProblem !== undefined && this.#hasSockets) {
      this.#reportProxy(proxyProblem, request, directRequest);
    }
    if (isObserved) {
      this.#beginObservation(request);
    }
    const exceededLimit = this.#admission.findExceededLimit(directRequest);
    const busyAnswer = exceededLimit && this.#byPath.answerBusy(request);
    if (busyAnswer !== undefined) {
      this.#reportLimit(busyAnswer.status < 500 ? undefined : exceededLimit, request);
      return this.#observeAnswer(busyAnswer, request);
    }
    const refusal = refuseRequest(request, this.#limits, exceededLimit);
    if (refusal !== undefined) {
      this.#reportRefusal(refusal, request);
      return this.#observeAnswer(this.refuse(request, refusal), request);
    }
    this.#admission.begin(usage);
    try {
      const { observation } = record;
      const answer = observation?.hasRun === true ? observation.run(() => this.#route(request)) : this.#route(request);
      return isPromise(answer)
        ? answer.then(
            (value) => (value === undefined ? this.#answerLate(request) : this.#endRequest(value, request)),
            (error: unknown) => this.#failRequest(error, request),
          )
        : this.#endRequest(answer, request);
    } catch (error) {
      return this.#failRequest(error, request);
    }
  };

  /** Refuses a request in the form of its routes, and closes the connection, because the body has not been read. */
  readonly refuse = (request: ServerRequest, refusal: EarlyRefusal): ServerAnswer => {
    let answer: ServerAnswer | undefined;
    try {
      answer = this.#byPath.refuse(toParsedRequest(request), refusal);
    } catch {
      // The routes or their conventions fail for each request, which is reported for those that are not refused.
    }
    return { ...(answer ?? createEarlyPage(refusal)), close: true };
  };

  #route(request: ParsedRequest): ServerAnswer | Unmatched | Promise<ServerAnswer | undefined> {
    return this.#byPath.answer(request) ?? this.#answerUnmatched(request);
  }

  /**
   * Returns the answer to a request if it becomes known only later that no route matches, for example because the
   * routes had to wait for the store of a rate limit.
   */
  async #answerLate(request: ParsedRequest): Promise<ServerAnswer | Unmatched> {
    try {
      return this.#endRequest(await this.#answerUnmatched(request), request);
    } catch (error) {
      return this.#failRequest(error, request);
    }
  }

  #beginObservation(request: ParsedRequest): void {
    const { observe } = this.#options;
    if (observe === undefined) {
      return;
    }
    request.record.observation = beginObservation(observe, new BegunRequest(request), (error) =>
      this.#reportHook("An observer of calls threw an exception.", error, request),
    );
  }

  /** Reports an exception in a hook. A repeated exception, for example about a full disk, is reported once a minute. */
  #reportHook(message: string, error: unknown, request: ParsedRequest): void {
    const incident = { kind: "hook", message: `${message} The same exception is reported once a minute.`, error };
    const problem = `${message} ${error instanceof Error ? error.message : ""}`;
    const repeated = new RepeatedProblem(this.#repeatedReports, problem);
    report(this.#onError, incident, request, { endsCall: false, repeated });
  }

  /** Passes incidents of the router, and of routes without their own `onError`, to the channel and to `onError`. */
  readonly #onError: OnError = (incident) => {
    if (this.#channels?.error.hasSubscribers === true) {
      this.#channels.error.publish(incident);
    }
    if (this.#options.onError === undefined) {
      logIncident(incident);
      return undefined;
    }
    return this.#options.onError(incident);
  };

  get #isObserved(): boolean {
    const { onCall, observe } = this.#options;
    return onCall !== undefined || observe !== undefined || this.#channels?.call.hasSubscribers === true;
  }

  #endRequest(answer: ServerAnswer | Unmatched, request: ParsedRequest): ServerAnswer | Unmatched {
    request.usage?.end();
    const { record, usage } = request;
    const usedBodyError = usage?.body?.usedBodyError;
    if (usedBodyError !== undefined) {
      const { message } = usedBodyError;
      report(this.#onError, { kind: "config", message, error: usedBodyError, ...getSource(request) }, request);
      return this.#observeAnswer({ ...this.refuse(request, failedRefusal), close: false }, request);
    }
    const refusal = usage?.refusal;
    if (refusal !== undefined) {
      this.#reportLimit(refusal, request, formatLateRefusal(refusal, request));
      return this.#observeAnswer(this.refuse(request, createLateRefusal(refusal)), request);
    }
    if (usage?.body?.isCutOff === true) {
      const { abortStatus } = request;
      if (abortStatus === undefined) {
        reportInvalidRequest(this.#onError, { ...getSource(request), reason: describeCutOff(request) }, request);
      } else {
        // The reason has already been reported, so this incident only goes into the event of the call.
        record.error ??= { kind: "request", message: "The request did not arrive completely." };
      }
      const text = "The request ended before it was complete.";
      return this.#observeAnswer(this.refuse(request, { status: abortStatus ?? 400, text }), request);
    }
    if (answer === undefined) {
      // The framework answers this request, so it is not a call of this server.
      record.observation?.cancel?.();
      return answer;
    }
    return this.#observeAnswer(answer, request);
  }

  #failRequest(error: unknown, request: ParsedRequest): ServerAnswer | Unmatched {
    const { usage } = request;
    if (usage?.refusal === undefined && usage?.body?.usedBodyError === undefined) {
      const incident =
        error instanceof OptionError ? createThrownIncident(error, { errorForClient: undefined, request }) : undefined;
      report(this.#onError, incident ?? createFailureIncident(error), request);
    }
    return this.#endRequest(this.refuse(request, failedRefusal), request);
  }

  /**
   * Reports once that the headers of a proxy are ignored, and once that they hide the address of the client. Then
   * addresses in published WSDLs may be wrong, or all clients seem to have the address of the proxy.
   */
  #reportProxy(problem: ProxyProblem, request: ParsedRequest, directRequest: ServerRequest): void {
    if (this.#reportedProxyProblems.has(problem)) {
      return;
    }
    this.#reportedProxyProblems.add(problem);
    const { remoteAddress = "a Unix socket" } = problem === "hidden" ? request : directRequest;
    const reason =
      problem === "hidden"
        ? `The address of a client is unknown, so that of its proxy, ${remoteAddress}, is used instead. ${request.listedAddressReason}`
        : `Headers of a proxy, such as X-Forwarded-For, came from ${remoteAddress} and are ignored: ${this.#proxies?.explainIgnoredHeaders(directRequest) ?? unlistedSender}`;
    reportInvalidRequest(this.#onError, { reason: `${reason} This is reported once.` }, request);
  }

  #reportRefusal({ error, reason }: RouterRefusal, request: ParsedRequest): void {
    if (reason !== undefined) {
      reportInvalidRequest(this.#onError, { reason }, request);
    }
    this.#reportLimit(error, request);
  }

  #reportLimit(error: LimitError | undefined, request: ParsedRequest, message = error?.message ?? ""): void {
    const incident = createLimitIncident(error);
    if (error === undefined || incident === undefined) {
      return;
    }
    const { kind, message: rule } = incident;
    const isRepeated = capacityLimits.has(error.limit);
    // The operations are not listed for each refused request, because a server at its limit has no time for this.
    const use =
      isRepeated && this.#repeatedReports.willReport(kind) ? this.#admission.describeUse(error.limit) : undefined;
    const described = use === undefined ? {} : { message: `${message} ${use}`, rule };
    report(this.#onError, { ...incident, message, ...described, ...getSource(request) }, request, {
      repeated: isRepeated ? new RepeatedProblem(this.#repeatedReports, kind) : undefined,
    });
  }

  /** Adds the request's id to an answer if the option asks for it, and reports the call once the answer is written. */
  #observeAnswer(answer: ServerAnswer, request: ParsedRequest): ServerAnswer {
    const { measurements } = request.record;
    if (measurements !== undefined) {
      if (measurements.handledAt === undefined) {
        measurements.answeredAt = performance.now();
      }
      request.whenWritten((bytes, status = answer.status) =>
        this.#reportCall(answer, { request, measurements, status, bytes }),
      );
    }
    return this.#echoedIdHeader === undefined
      ? answer
      : { ...answer, headers: [...answer.headers, [this.#echoedIdHeader, request.id]] };
  }

  #reportCall({ faultCode, body }: ServerAnswer, { request, measurements, status, bytes }: ObservedCall): void {
    const endedAt = performance.now();
    const { operation, service, protocol, route, principal, error, observation } = request.record;
    const { time, requestBytes, receivedAt } = measurements;
    const event: CallEvent = {
      side: "server",
      time,
      requestId: request.id,
      operation,
      service,
      protocol,
      route,
      method: request.method,
      address: request.path,
      remoteAddress: request.remoteAddress,
      userAgent: findHeader(request.headers, "user-agent")?.slice(0, maxUserAgent),
      principal,
      httpVersion: request.httpVersion,
      status,
      faultCode,
      durations: measurements.computeDurations(endedAt),
      requestBytes,
      answerBytes: bytes ?? request.answerBytes ?? (isBytes(body) ? body.length : undefined),
      completed: bytes !== undefined || (!request.knowsWhenWritten && request.disconnectedAt === undefined),
      disconnectedAfter: request.disconnectedAt && request.disconnectedAt - receivedAt,
      disconnectedBy: request.disconnectedBy,
      ignoredArguments: measurements.ignoredArguments,
      error,
    };
    if (this.#channels?.call.hasSubscribers === true) {
      this.#channels.call.publish(event);
    }
    observation?.end(event, endedAt);
    if (this.#options.onCall !== undefined) {
      const startedAt = observation === undefined ? endedAt : performance.now();
      const reportFailure = (thrown: unknown) =>
        this.#reportHook("The hook onCall threw an exception.", thrown, request);
      runOnCall(this.#options.onCall, event, { startedAt, reportFailure });
    }
  }
}

const failedRefusal: EarlyRefusal = { status: 500, text: "The server failed to answer the request." };

/** The maximum length of `userAgent` in events, in UTF-16 units. It is limited because clients choose the value. */
const maxUserAgent = 200;

/** Returns the operation, route and protocol of a request, as far as they are known. */
function getSource({ record }: ParsedRequest): Pick<RequestSource, "operation" | "route" | "protocol"> {
  const { operation, route, protocol } = record;
  return { operation, route, protocol };
}

interface ObservedCall {
  readonly request: ParsedRequest;
  readonly measurements: CallMeasurements;
  /** The status that was sent. */
  readonly status: number;
  /** The bytes of the answer; undefined if the client has disconnected, or if the adapter does not count them. */
  readonly bytes: number | undefined;
}
