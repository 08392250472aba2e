/**
 * A problem that the operator should know of: an exception in a handler, an exceeded limit, a request or an answer that does not
 * match the schema. Clients never see its details.
 */
export interface ServerIncident {
  /** Absent on servers. */
  readonly side?: "client" | undefined;
  /** `handler`, `encode`, `request`, `tls`, `config`, `limit.bodyBytes`, `limit.handlerTimeout` … */
  readonly kind: string;
  /** Describes the problem. Never contains values from the request. */
  readonly message: string;
  /** For `request` and `encode`: the invalid member, if known: `/CheckUSA/State`, or `/include/1` in a REST request. */
  readonly path?: string | undefined;
  /** The exception, if any. */
  readonly error?: unknown;
  /** The operation or endpoint, if known. */
  readonly operation?: string | undefined;
  /** For a REST request: the route's key in the index, if known. */
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The request's id, method and path, if the incident belongs to a request. */
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
 * A client call that failed. `kind` is `transport`, `timeout`, `abort`, `status`, `protocol`, `decode`, `encode`, `config`,
 * `fault`, or `hook` for an exception in other code. `error` is the caller's error, which may contain values; the message
 * contains none.
 */
export interface ClientIncident extends ServerIncident {
  readonly side: "client";
}

/** Called for each failed call of a client. Errors that it throws are ignored. */
export type OnClientError = (incident: ClientIncident) => void;

/**
 * One call, for logs, metrics and traces. Contains no message values and no credentials. `Principal` is the type of the result of
 * `authenticate`, which a hook may declare.
 */
export interface CallEvent<Principal = unknown> {
  readonly side: "server" | "client";
  /** The time at which the call began, in milliseconds since 1970. */
  readonly time: number;
  readonly requestId: string;
  /** The operation or endpoint; absent if the request is not a call or does not name one. */
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  /** For REST: the route's key in the index. */
  readonly route?: string | undefined;
  readonly method: string;
  /** On servers, the path without its query; on clients, the address without credentials and query. */
  readonly address: string;
  readonly remoteAddress?: string | undefined;
  /** The result of the option `authenticate`. */
  readonly principal?: Principal | undefined;
  /** On clients, 0 if there was no answer. */
  readonly status: number;
  /** The code of a SOAP fault or of a REST error. */
  readonly faultCode?: string | undefined;
  readonly durations: CallDurations;
  /** On clients: how often the request was repeated. */
  readonly retries?: number | undefined;
  /** The sizes of the bodies, if known; the answer's size is the size as sent. */
  readonly requestBytes?: number | undefined;
  readonly answerBytes?: number | undefined;
  /** Whether the whole answer was written; false if the client disconnected. On clients: whether it was received. */
  readonly completed: boolean;
  /** The error; on servers, the first incident of the call, except problems after which the call continued. */
  readonly error?: ServerIncident | undefined;
}

/**
 * In milliseconds. A step that the call did not reach is absent. The order is `queued`, `read`, `handler`, `written` on servers,
 * and `written`, `queued`, `waiting`, `read` on clients.
 */
export interface CallDurations {
  readonly total: number;
  /** The time until the request was the next on its connection. On clients: until a connection was available. */
  readonly queued?: number | undefined;
  /** The time until the body had arrived and the input was decoded. On clients: until the answer was decoded. */
  readonly read?: number | undefined;
  /** The time until the handler, including authentication and authorization, had ended. */
  readonly handler?: number | undefined;
  /** The time until the answer was written to the connection. On clients: until the request was encoded and its hooks had run. */
  readonly written?: number | undefined;
  /** On clients: the time until the whole answer had arrived, including retries. */
  readonly waiting?: number | undefined;
}

/** Called for every call after its answer has been written. Errors that it throws are reported to `onError`. */
export type OnCall = { hook(event: CallEvent): void }["hook"];

/** A call that has just begun. */
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
  /** On servers: the headers of the request, by lower-case name. Created on first use. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** On servers: returns the value of a header. The name must be in lower case. */
  header?(name: string): string | undefined;
  /** On servers: whether the request came over TLS. */
  readonly secure?: boolean | undefined;
  readonly remoteAddress?: string | undefined;
}

/** The actions of an observer for one call. */
export interface CallObservation {
  /** On clients: headers to send with the call, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Runs the call, for example in the context of a trace. Must return the result of `call`. */
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

/** One observer, or several; the first is the outermost. */
export type CallObservers = CallObserver | readonly CallObserver[];

/**
 * Starts observing a call with all observers, as one observation. Exceptions in observers are passed to `failed`, and the call
 * continues.
 */
export function beginObservation(
  observers: CallObservers,
  call: BegunCall,
  failed: (error: unknown) => void,
): CallObservation {
  const begun: CallObservation[] = [];
  for (const observer of isList(observers) ? observers : [observers]) {
    try {
      const observation = observer.begin(call);
      if (observation !== undefined) {
        begun.push(observation);
      }
    } catch (error) {
      failed(error);
    }
  }
  return new Observations(begun, failed);
}

/** Several observations as one. A class rather than closures, because one is created for each call. */
class Observations implements CallObservation {
  readonly #begun: readonly CallObservation[];
  readonly #failed: (error: unknown) => void;

  constructor(begun: readonly CallObservation[], failed: (error: unknown) => void) {
    this.#begun = begun;
    this.#failed = failed;
  }

  get headers(): Readonly<Record<string, string>> {
    return Object.assign({}, ...this.#begun.map(({ headers }) => headers));
  }

  run<Result>(task: () => Result): Result {
    const [first] = this.#begun;
    return first?.run !== undefined && this.#begun.length === 1 ? first.run(task) : runAt(this.#begun, 0, task);
  }

  end(event: CallEvent): void {
    for (const observation of this.#begun) {
      try {
        observation.end?.(event);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  cancel(): void {
    for (const observation of this.#begun) {
      try {
        observation.cancel?.();
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}

function runAt<Result>(begun: readonly CallObservation[], index: number, task: () => Result): Result {
  const observation = begun[index];
  if (observation === undefined) {
    return task();
  }
  const next = () => runAt(begun, index + 1, task);
  return observation.run === undefined ? next() : observation.run(next);
}

function isList(observers: CallObservers): observers is readonly CallObserver[] {
  return Array.isArray(observers);
}

/** The record of a call while it is answered. Exists only if calls are observed. */
export class CallRecord {
  readonly begun: number = performance.now();
  readonly time: number = wallClock.at(this.begun);
  /** The time at which the head of the request had arrived. */
  readonly received: number;
  operation: string | undefined;
  protocol: string | undefined;
  route: string | undefined;
  requestBytes: number | undefined;
  /** The times at which the input was decoded and the handler had ended. */
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
 * Converts instants of `performance.now()` to times of day, using a difference measured once a second: each reading of a clock
 * adds 0.1 to 0.3 µs to a call.
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
