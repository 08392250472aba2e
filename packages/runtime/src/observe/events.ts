/**
 * An event that the operator should know about, and that answers describe only in part: an exception of a handler, an
 * exceeded limit, a request or an answer that does not fit the schema.
 */
export interface ServerIncident {
  /** Absent on servers. */
  readonly side?: "client" | undefined;
  /** `handler`, `encode`, `request`, `tls`, `limit.bodyBytes`, `limit.handlerTimeout` … */
  readonly kind: string;
  /** Describes the problem. Never contains a value of the request. */
  readonly message: string;
  /** For `request` and `encode`: the member that does not fit, if it is known: `/CheckUSA/State`, or `/include/1` of a REST request. */
  readonly path?: string | undefined;
  /** The exception, if there is one. */
  readonly error?: unknown;
  /** The operation or endpoint, if it is known. */
  readonly operation?: string | undefined;
  /** For a REST request: the route's key in the index, if it is known. */
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The id, the method and the path of the request, if the incident belongs to one. */
  readonly requestId?: string | undefined;
  readonly method?: string | undefined;
  readonly address?: string | undefined;
  /** For limits. */
  readonly limit?: { readonly name: string; readonly value: number; readonly option: string } | undefined;
}

/**
 * Called for every incident, for logging. Errors that it throws are ignored. Without this hook, incidents are written to
 * standard error.
 */
export type OnError = (incident: ServerIncident) => void;

/**
 * A call of a client that failed. `kind` is `transport`, `timeout`, `abort`, `status`, `protocol`, `decode`, `encode`, `config`,
 * `fault`, or `hook` for an exception of other code. `error` is the error of the caller, which may contain values; the message
 * contains none.
 */
export interface ClientIncident extends ServerIncident {
  readonly side: "client";
}

/** Called for each failed call of a client. Errors that it throws are ignored. */
export type OnClientError = (incident: ClientIncident) => void;

/**
 * One call, for logs, metrics and traces. Contains no value of a message and no credentials. `Principal` is the type of the result of
 * `authenticate`, which a hook may declare.
 */
export interface CallEvent<Principal = unknown> {
  readonly side: "server" | "client";
  /** When the call began, in milliseconds since 1970. */
  readonly time: number;
  readonly requestId: string;
  /** The operation or endpoint; absent if the request is not a call, or names none. */
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  /** For REST: the route's key in the index. */
  readonly route?: string | undefined;
  readonly method: string;
  /** On servers the path without its query; on clients the address without credentials and query. */
  readonly address: string;
  readonly remoteAddress?: string | undefined;
  /** The result of the option `authenticate`. */
  readonly principal?: Principal | undefined;
  /** On clients 0 if there was no answer. */
  readonly status: number;
  /** The code of a SOAP fault or of a REST error. */
  readonly faultCode?: string | undefined;
  readonly durations: CallDurations;
  /** On clients: how often the request was sent again. */
  readonly retries?: number | undefined;
  /** The size of the bodies, if it is known; that of the answer as it was sent. */
  readonly requestBytes?: number | undefined;
  readonly answerBytes?: number | undefined;
  /** Whether the whole answer was written. False if the client disconnected. On clients: whether it was received. */
  readonly completed: boolean;
  /** What went wrong; on servers the first incident of the call. */
  readonly error?: ServerIncident | undefined;
}

/**
 * In milliseconds. A step that the call did not reach is absent. On servers the steps are `queued`, `read`, `handler`,
 * `written`; on clients `written`, `queued`, `waiting`, `read`.
 */
export interface CallDurations {
  readonly total: number;
  /** Until the request was its connection's next one. On clients: until a connection was available. */
  readonly queued?: number | undefined;
  /** Until the body had arrived and the input was decoded. On clients: until the answer was decoded. */
  readonly read?: number | undefined;
  /** Until the handler, with authentication and authorization, had ended. */
  readonly handler?: number | undefined;
  /** Until the answer was written to the connection. On clients: until the request was encoded and its hooks had run. */
  readonly written?: number | undefined;
  /** On clients: until the whole answer had arrived, retries included. */
  readonly waiting?: number | undefined;
}

/** Called for every call, after its answer has been written. Errors that it throws are reported to `onError`. */
export type OnCall = { hook(event: CallEvent): void }["hook"];

/** A call at its beginning. */
export interface BegunCall {
  readonly side: "server" | "client";
  readonly requestId: string;
  readonly method: string;
  /** As in `CallEvent`. */
  readonly address: string;
  /** On clients: the operation or endpoint. A server does not know it yet. */
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  readonly route?: string | undefined;
  /** On servers: the headers of the request, by lower-case name. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** On servers: the request came over TLS. */
  readonly secure?: boolean | undefined;
  readonly remoteAddress?: string | undefined;
}

/** What an observer does with one call. */
export interface CallObservation {
  /** On clients: headers to send with the call, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Runs the call, for example in the context of a trace. Must return the result of `call`. */
  run?<Result>(call: () => Result): Result;
  /** Called when the call has ended. */
  end?(event: CallEvent): void;
}

/** Follows calls from their beginning to their end, for traces. Its exceptions are reported to `onError`. */
export interface CallObserver {
  begin(call: BegunCall): CallObservation | undefined;
}

/** What becomes known about a call while it is answered. Exists only if somebody observes calls. */
export class CallRecord {
  readonly begun: number = performance.now();
  readonly time: number = wallClock.at(this.begun);
  /** When the head of the request had arrived. */
  readonly received: number;
  operation: string | undefined;
  protocol: string | undefined;
  route: string | undefined;
  requestBytes: number | undefined;
  /** When the input was decoded, and when the handler had ended. */
  inputRead: number | undefined;
  handled: number | undefined;
  error: ServerIncident | undefined;
  observation: CallObservation | undefined;

  constructor(received: number | undefined) {
    this.received = received ?? this.begun;
  }

  durations(): CallDurations {
    const now = performance.now();
    const { received, begun, inputRead, handled } = this;
    return {
      total: now - received,
      queued: begun - received,
      read: inputRead === undefined ? undefined : inputRead - begun,
      handler: handled === undefined || inputRead === undefined ? undefined : handled - inputRead,
      written: handled === undefined ? undefined : now - handled,
    };
  }
}

/**
 * The time of day at an instant of `performance.now()`, by a difference that is measured once a second: each reading of a clock adds
 * 0.1 to 0.3 µs to a call.
 */
class WallClock {
  #difference = 0;
  #measured = Number.NEGATIVE_INFINITY;

  at(instant: number): number {
    if (instant - this.#measured > 1000) {
      this.#measured = instant;
      this.#difference = Date.now() - performance.now();
    }
    return Math.round(instant + this.#difference);
  }
}

const wallClock: WallClock = /* @__PURE__ */ new WallClock();
