import type { ServerHttp2Session } from "node:http2";
import type { ServerLimits } from "../../../server-limits.js";
import { limitTimeout, type RunningClock } from "../../limits/running-clock.js";
import type { RefusedHeads } from "./refused-heads.js";

/** Whether an error of `node:http` means that a request has not arrived completely within its timeout. */
export function isTimeout(error: Error): boolean {
  return "code" in error && error.code === "ERR_HTTP_REQUEST_TIMEOUT";
}

/** A request that has not arrived within its timeout. */
export interface LateRequest {
  /** The timeout in milliseconds. */
  readonly timeout: number;
  /** The milliseconds for which its body has been arriving, without stalls of the process; 0 if this is not known. */
  readonly arrivalTime: number;
  readonly hasArrived: () => boolean;
  /** Called if the request has still not arrived. */
  readonly refuse: () => void;
}

/**
 * Gives a late request as much more time as this process could not run while the request was arriving, because its
 * bytes were not read during this time. Then, Node reads the bytes that have arrived before the callback of
 * `setImmediate` runs.
 */
export function awaitLateRequest(clock: RunningClock, request: LateRequest): void {
  const { timeout, arrivalTime, hasArrived, refuse } = request;
  const stalledTime = clock.stalledSince(performance.now() - timeout);
  const missedTime = Math.min(stalledTime, arrivalTime === 0 ? timeout : timeout - arrivalTime);
  const deadline = clock.now() + missedTime;
  const refuseIfLate = (): void => {
    if (hasArrived()) {
      return;
    }
    const remainingTime = deadline - clock.now();
    if (remainingTime > 0) {
      setTimeout(() => setImmediate(refuseIfLate), limitTimeout(remainingTime)).unref();
    } else {
      refuse();
    }
  };
  setImmediate(refuseIfLate);
}

/** Describes a request that has not arrived completely within its timeout. */
export function describeLateRequest(address: string): string {
  return `A request from ${address} did not arrive completely in time. The client or its network is slow, or it sent less than its Content-Length, or no last chunk. The options "limits.headersTimeout" and "limits.requestTimeout" of the server set the timeouts.`;
}

/**
 * Closes an HTTP/2 connection on which no request arrives, because `node:http2` has no such timeouts. The head of a
 * request must be complete within `headersTimeout`, counted from the start of the connection for the first one; when
 * all requests have been answered, the next one must begin within `keepAliveTimeout`. Other frames, such as pings, do
 * not count.
 */
export class SessionTimeouts {
  readonly #session: ServerHttp2Session;
  readonly #heads: RefusedHeads;
  readonly #clock: RunningClock;
  readonly #headersTimeout: number;
  readonly #keepAliveTimeout: number;
  readonly #onLate: () => void;
  #openStreams = 0;
  /** When the connection was opened, or its last stream closed. */
  #idleSince: number;
  /** When a head was first seen that is being read; undefined if there is none. */
  #awaitedSince: number | undefined;

  constructor(
    session: ServerHttp2Session,
    { headersTimeout, requestTimeout, keepAliveTimeout }: ServerLimits,
    {
      heads,
      clock,
      onLate,
    }: { readonly heads: RefusedHeads; readonly clock: RunningClock; readonly onLate: () => void },
  ) {
    this.#session = session;
    this.#heads = heads;
    this.#clock = clock;
    this.#headersTimeout = Math.min(headersTimeout, requestTimeout);
    this.#keepAliveTimeout = keepAliveTimeout;
    this.#onLate = onLate;
    this.#idleSince = clock.now();
    session.on("stream", (stream) => {
      this.#openStreams += 1;
      stream.once("close", () => {
        this.#openStreams -= 1;
        this.#idleSince = clock.now();
      });
    });
  }

  /** Whether requests of the connection have not been answered. */
  get hasOpenRequests(): boolean {
    return this.#openStreams > 0;
  }

  /** Closes the connection if a timeout has expired. Reads first what has arrived. */
  check(): void {
    if (this.#findExpired() !== undefined) {
      setImmediate(() => this.#close(this.#findExpired()));
    }
  }

  #close(expired: "headers" | "idle" | undefined): void {
    if (expired === undefined || this.#session.closed || this.#session.destroyed) {
      return;
    }
    if (expired === "headers") {
      this.#heads.forget();
      this.#onLate();
    }
    this.#session.goaway();
    this.#session.destroy();
  }

  #findExpired(): "headers" | "idle" | undefined {
    const now = this.#clock.now();
    this.#awaitedSince = this.#heads.isAwaited ? (this.#awaitedSince ?? now) : undefined;
    if (this.#awaitedSince !== undefined) {
      return now - this.#awaitedSince > this.#headersTimeout ? "headers" : undefined;
    }
    if (this.#openStreams > 0) {
      return undefined;
    }
    const idleTime = now - this.#idleSince;
    if (this.#heads.hasReadHead) {
      return idleTime > this.#keepAliveTimeout ? "idle" : undefined;
    }
    return idleTime > this.#headersTimeout ? "headers" : undefined;
  }
}
