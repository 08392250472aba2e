import type { RunningClock } from "../../limits/running-clock.js";

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
      setTimeout(() => setImmediate(refuseIfLate), remainingTime).unref();
    } else {
      refuse();
    }
  };
  setImmediate(refuseIfLate);
}
