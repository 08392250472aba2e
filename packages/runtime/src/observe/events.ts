/**
 * A problem that the operator should know about: an exception in a handler, an exceeded limit, a request or an answer
 * that does not match the schema. Clients never see its details.
 */
export interface ServerIncident {
  /** `client` for an incident on a client; absent for an incident on a server. */
  readonly side?: "client" | undefined;
  /**
   * The kind of problem: `handler`, `encode`, `request`, `tls`, `config`, `stalled`, `limit.bodyBytes`,
   * `limit.handlerTimeout` …
   */
  readonly kind: string;
  /**
   * Describes the problem. Contains no values from the request, except for an origin, a host and a user name that was
   * refused, unknown names, and, if `omitted` is present, the texts of exceptions.
   */
  readonly message: string;
  /**
   * The message without the values from the request. Absent if the message contains none. To group incidents, use
   * `rule ?? message`, so that clients cannot create new groups.
   */
  readonly rule?: string | undefined;
  /**
   * The path of the invalid member, for an incident of the kind `request` or `encode`: `/CheckUSA/State` in SOAP
   * messages, `/State` in parameters, `/include/1` in REST.
   */
  readonly path?: string | undefined;
  /** The exception, if any. */
  readonly error?: unknown;
  /** The operation or endpoint, if known. */
  readonly operation?: string | undefined;
  /** For a REST request: the route's key in the index, if known. */
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The id of the request, if the incident belongs to a request. */
  readonly requestId?: string | undefined;
  readonly method?: string | undefined;
  /** On servers, the path of the request without its query; on clients, the address without credentials or query. */
  readonly address?: string | undefined;
  /** On servers: the address of the client, if the incident belongs to a request. */
  readonly remoteAddress?: string | undefined;
  /** For an exceeded limit: its name, its value, and the path of its option. */
  readonly limit?: { readonly name: string; readonly value: number; readonly option: string } | undefined;
  /**
   * The number of incidents with the same cause that were left out within a minute. If present, the incident reports
   * this number, and belongs to no single request.
   */
  readonly omitted?: number | undefined;
}

/**
 * Called for incidents, for logging: for the first 20 with the same cause within a minute, and at its end with the
 * number of those that were left out. Without this hook, incidents are written to standard error. If the hook
 * throws, both its exception and the incident are written to standard error.
 */
export type OnError = (incident: ServerIncident) => void;

/**
 * A client call that failed. `kind` is `transport`, `timeout`, `abort`, `status`, `protocol`, `decode`, `encode`,
 * `config`, `fault`, or `hook` for any other exception, such as one in a hook. `error` is the error that the caller
 * received, which may contain values from the request or the answer; `message` contains none.
 */
export interface ClientIncident extends ServerIncident {
  readonly side: "client";
}

/** Called for each failed call of a client. Exceptions in this hook are ignored. */
export type OnClientError = (incident: ClientIncident) => void;

/**
 * One call, for logs, metrics and traces. Contains no message values and no credentials. `Principal` is the result type
 * of `authenticate`; a hook can declare it.
 */
export interface CallEvent<Principal = unknown> {
  readonly side: "server" | "client";
  /** The time at which the call began, in milliseconds since 1970. */
  readonly time: number;
  readonly requestId: string;
  /**
   * The operation or endpoint. Absent if the request is not a call, or if the server has no such operation or endpoint.
   */
  readonly operation?: string | undefined;
  /** For SOAP and the HTTP bindings: the service of the operation. */
  readonly service?: string | undefined;
  readonly protocol?: string | undefined;
  /** For REST: the route's key in the index. */
  readonly route?: string | undefined;
  readonly method: string;
  /** On servers, the path without its query; on clients, the address without credentials or query. */
  readonly address: string;
  readonly remoteAddress?: string | undefined;
  /**
   * On servers: the value of `User-Agent`, at most 200 characters. If client programs put their name and version there,
   * the value shows which clients are outdated.
   */
  readonly userAgent?: string | undefined;
  /** The result of the option `authenticate`. */
  readonly principal?: Principal | undefined;
  /** The version of HTTP of the connection, such as `1.1` or `2.0`, if known. */
  readonly httpVersion?: string | undefined;
  /** The HTTP status of the answer. On clients, 0 if there was no answer. */
  readonly status: number;
  /**
   * The code of a SOAP fault or of a REST error. On clients, absent if the code of a REST error is not an identifier of
   * at most 64 characters, because servers choose it.
   */
  readonly faultCode?: string | undefined;
  readonly durations: CallDurations;
  /** On clients: the number of times that the request was repeated. */
  readonly retries?: number | undefined;
  /** The size of the request's body in bytes, if known. */
  readonly requestBytes?: number | undefined;
  /**
   * The size of the answer's body in bytes, after any compression. Absent if the size is not known. If `completed` is
   * false, the client received only a part of the body.
   */
  readonly answerBytes?: number | undefined;
  /**
   * On servers: whether the complete answer was written; false if the client disconnected first. On clients: whether
   * the complete answer was received.
   */
  readonly completed: boolean;
  /**
   * On servers: the time in milliseconds from the start of the call until the client disconnected. Absent if the client
   * stayed connected until its answer was complete.
   */
  readonly disconnectedAfter?: number | undefined;
  /** On servers: who closed the connection before the answer was complete. Absent if it was complete. */
  readonly disconnectedBy?: DisconnectedBy | undefined;
  /**
   * On servers, for REST: the names in the body that the endpoint does not have, at most eight. As in WordPress, such
   * arguments are ignored. Absent if there are none.
   */
  readonly ignoredArguments?: readonly string[] | undefined;
  /**
   * The error that ended the call. On servers: the first incident of the call, except for problems after which the call
   * continued.
   */
  readonly error?: ServerIncident | undefined;
}

/**
 * Who closed a connection. `client`: the client, or a proxy in front of the server; with HTTP/2, it may have cancelled
 * only its request. `reset`: the client, or a proxy or firewall between; also a client that leaves while its
 * answer arrives. `network`: the client or the network no longer answered. `server`: the server itself, for the reason
 * in `error`. `process`: other code, such as a framework.
 */
export type DisconnectedBy = "client" | "reset" | "network" | "server" | "process";

/**
 * The duration of a call and of each of its steps, in milliseconds. Each step begins when the previous one ends. A
 * member is absent if the call ended before that step. The order of the steps is `queued`, `read`, `handler`, `written`
 * on servers, and `written`, `queued`, `waiting`, `read` on clients.
 */
export interface CallDurations {
  readonly total: number;
  /**
   * On servers: the time until the earlier requests on the connection had been answered. On clients: the time until a
   * connection was available.
   */
  readonly queued?: number | undefined;
  /**
   * On servers: the time until the body had arrived and the input was decoded. On clients: the time until the answer
   * was decoded.
   */
  readonly read?: number | undefined;
  /** On servers: the time until the handler had ended, including authentication and authorization. */
  readonly handler?: number | undefined;
  /**
   * On servers: the time until the answer was written to the connection. On clients: the time until the hooks had run
   * and the request was encoded.
   */
  readonly written?: number | undefined;
  /** On clients: the time until the complete answer had arrived, including retries. */
  readonly waiting?: number | undefined;
}

/**
 * Called for every call after its answer has been written. If the hook throws or rejects, the error is reported to
 * `onError`. On servers, a repeated error is reported only once a minute.
 */
export type OnCall = { hook(event: CallEvent): void }["hook"];

/** A call at its beginning, as observers receive it. */
export interface BegunCall {
  readonly side: "server" | "client";
  readonly requestId: string;
  readonly method: string;
  /** On servers, the path without its query; on clients, the address without credentials or query. */
  readonly address: string;
  /** On clients: the operation or endpoint. Absent on servers, which do not know it yet. */
  readonly operation?: string | undefined;
  /** On clients, for SOAP and the HTTP bindings: the service of the operation. */
  readonly service?: string | undefined;
  readonly protocol?: string | undefined;
  readonly route?: string | undefined;
  /** On servers: the headers of the request, by lower-case name. Created on first use. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** On servers: returns the value of a header. The name must be in lower case. */
  header?(name: string): string | undefined;
  /** On servers: whether the request came over TLS. */
  readonly secure?: boolean | undefined;
  readonly remoteAddress?: string | undefined;
}

/**
 * Follows one call for an observer: adds headers, wraps the call, and is notified when the call ends. All members are
 * optional.
 */
export interface CallObservation {
  /** On clients: headers to send with the call, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Runs the call, for example in the context of a trace. Must call `call` at once, and return its result. */
  run?<Result>(call: () => Result): Result;
  /** Called when the call has ended. */
  end?(event: CallEvent): void;
  /** Called instead of `end` if the request matches no route and a framework such as Express answers it. */
  cancel?(): void;
}

/** Follows calls from beginning to end, for traces. Its exceptions are reported to `onError`. */
export interface CallObserver {
  begin(call: BegunCall): CallObservation | undefined;
}

/** One observer or several. The first is the outermost: its `run` encloses the `run` of the others. */
export type CallObservers = CallObserver | readonly CallObserver[];

/** The observation of a call by all observers. Its methods do not throw, except for errors of the call. */
export interface SafeCallObservation extends CallObservation {
  /** Whether an observer encloses the call. If not, the call can run without `run`. */
  readonly hasRun: boolean;
  run<Result>(call: () => Result): Result;
  /** `startedAt` is the current instant by `performance.now()`, if the caller knows it. */
  end(event: CallEvent, startedAt?: number): void;
  cancel(): void;
}

/** Collects the size of a request and the instants of the steps of its call, for the call's event. */
export class CallMeasurements {
  /** The instant at which the router began to answer, by `performance.now()`. */
  readonly begunAt: number = performance.now();
  readonly time: number = wallClock.at(this.begunAt);
  /** The instant at which the head of the request had arrived, by `performance.now()`. */
  readonly receivedAt: number;
  requestBytes: number | undefined;
  /** For REST: the names in the body that the endpoint does not have. */
  ignoredArguments: readonly string[] | undefined;
  /** The instant at which the body had arrived, by `performance.now()`. */
  bodyReadAt: number | undefined;
  /** The instant at which the input had been decoded, by `performance.now()`. */
  inputReadAt: number | undefined;
  /** The instant at which the handler had ended, by `performance.now()`. */
  handledAt: number | undefined;
  /** The instant at which an answer that no handler returned, such as a refusal, was ready, by `performance.now()`. */
  answeredAt: number | undefined;

  constructor(receivedAt: number | undefined) {
    this.receivedAt = receivedAt ?? this.begunAt;
  }

  /** Records the size of a body, and the instant `readAt` (by `performance.now()`) at which the body was complete. */
  addBody(body: Uint8Array, readAt: number): void {
    this.requestBytes = body.length;
    this.bodyReadAt = readAt;
  }

  /** Returns the durations of a call that has ended at the instant `now`, by `performance.now()`. */
  computeDurations(now: number): CallDurations {
    const { receivedAt, begunAt, inputReadAt, handledAt } = this;
    const readAt = inputReadAt ?? this.bodyReadAt;
    const answeredAt = handledAt ?? this.answeredAt;
    return {
      total: now - receivedAt,
      queued: begunAt - receivedAt,
      read: readAt === undefined ? undefined : readAt - begunAt,
      handler: handledAt === undefined || inputReadAt === undefined ? undefined : handledAt - inputReadAt,
      written: answeredAt === undefined ? undefined : now - answeredAt,
    };
  }
}

/**
 * Converts instants of `performance.now()` to milliseconds since 1970. The difference between the two clocks is
 * measured at most once a second, because each reading of a clock takes 0.1 to 0.3 µs.
 */
class WallClock {
  #difference = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  at(instant: number): number {
    // A long call may have begun more than a second before the last measurement.
    if (Math.abs(instant - this.#measuredAt) > 1000) {
      this.#measuredAt = instant;
      this.#difference = Date.now() - performance.now();
    }
    return Math.round(instant + this.#difference);
  }
}

const wallClock: WallClock = /* @__PURE__ */ new WallClock();

/** A function of the option `use` that replaced the answer of the handler, or answered without calling it. */
export interface AnsweringFunction {
  /** The position of the function in the list, counted from 1. */
  readonly position: number;
}
