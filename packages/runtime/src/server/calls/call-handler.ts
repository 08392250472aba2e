import { isPromise } from "../../is-promise.js";
import type { DisconnectedBy } from "../../observe/events.js";
import {
  describeLateEnd,
  type LateEnd,
  OptionError,
  ReturnedError,
  replaceUnreadable,
  UnreadableAnswerError,
} from "../../observe/incidents.js";
import { LimitError } from "../../server-limits.js";
import { isError } from "../../value-problems.js";
import { limitTimeout } from "../limits/running-clock.js";

/** The limits of a handler. */
export interface HandlerLimits {
  /** The time limit for the handler, in milliseconds. */
  readonly timeout: number;
  /** The instant at which the time limit began to run, by `performance.now()`. Default: when the handler is called. */
  readonly startedAt?: number | undefined;
  /**
   * The request. Its signal is aborted when the client disconnects. The signal can be created on first use.
   */
  readonly request: {
    readonly signal: AbortSignal;
    /** The time at which the client disconnected, by `performance.now()`. */
    readonly disconnectedAt?: number | undefined;
    readonly disconnectedBy?: DisconnectedBy | undefined;
    /** The time before which the platform requires an answer, by `performance.now()`. */
    readonly answerBefore?: number | undefined;
  };
  /**
   * Reports a handler that ends within its timeout, but after the client disconnected, and a handler that throws after
   * its timeout.
   */
  readonly reportLateEnd?: ((incident: LateEnd) => void) | undefined;
  /** Whether the answer must not be an Error, which a handler must throw. */
  readonly refusesErrors?: boolean | undefined;
}

/**
 * The signal of one call. It is created on first use, because most handlers do not need it. `AbortSignal.any` is not
 * used, because Node keeps such a signal, and everything that its listeners refer to, in memory until the signal is
 * aborted.
 */
export class CallSignal {
  /**
   * The option whose function is currently running, before the handler. If the time limit expires, the incident names
   * this option. Undefined while the handler is running.
   */
  option: OptionError["option"] | undefined;
  readonly #request: HandlerLimits["request"];
  #controller: AbortController | undefined;
  #hasEnded = false;
  #reason: Error | undefined;

  constructor(request: HandlerLimits["request"]) {
    this.#request = request;
  }

  /** Aborted when the client disconnects before the handler ends, or when the handler times out. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const { signal } = this.#request;
      if (this.#reason !== undefined) {
        this.#controller.abort(this.#reason);
      } else if (signal.aborted) {
        this.#controller.abort(signal.reason);
      } else if (!this.#hasEnded) {
        signal.addEventListener("abort", this.#disconnect);
      }
    }
    return this.#controller.signal;
  }

  /** Whether any code has used the signal. */
  get isUsed(): boolean {
    return this.#controller !== undefined;
  }

  /** Aborts the signal because the handler timed out. */
  expire(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /**
   * Called when the handler has ended. Removes the listener from the request's signal, because that signal may exist
   * longer than the call.
   */
  end(): void {
    this.#hasEnded = true;
    if (this.#controller !== undefined) {
      this.#request.signal.removeEventListener("abort", this.#disconnect);
    }
  }

  readonly #disconnect = (): void => this.#controller?.abort(this.#request.signal.reason);
}

/**
 * Calls a handler. Throws a `LimitError` if the handler times out. If the client disconnects, the signal is aborted,
 * and the handler decides whether to stop. A synchronous answer is returned as such, without a promise.
 */
export function callHandler<T>(call: (signal: CallSignal) => T | Promise<T>, limits: HandlerLimits): T | Promise<T> {
  const { timeout, request } = limits;
  if (timeout <= 0) {
    throw new LimitError("handlerTimeout", timeout);
  }
  const callSignal = new CallSignal(request);
  let answer: T | Promise<T>;
  try {
    answer = call(callSignal);
  } catch (error) {
    callSignal.end();
    throw replaceUnreadable(error);
  }
  if (isPromiseOf(answer, callSignal)) {
    return withTimeout(answer, limits, callSignal);
  }
  callSignal.end();
  return checkAnswer(answer, limits);
}

/** Whether an answer is a promise. Ends the call and throws if this is unknown, because reading the answer throws. */
function isPromiseOf<T>(answer: T | Promise<T>, signal: CallSignal): answer is Promise<T> {
  try {
    return isPromise(answer);
  } catch (cause) {
    signal.end();
    throw new UnreadableAnswerError(cause);
  }
}

/** Returns an answer. Throws for an Error, which a handler must throw, and for a value that cannot be examined. */
function checkAnswer<T>(answer: T, { refusesErrors = false }: HandlerLimits): T {
  if (!refusesErrors) {
    return answer;
  }
  let isReturnedError: boolean;
  try {
    isReturnedError = isError(answer);
  } catch (cause) {
    throw new UnreadableAnswerError(cause);
  }
  if (isReturnedError) {
    throw new ReturnedError(answer as Error);
  }
  return answer;
}

/**
 * Starts a timer that does not keep a process running: when its server is closed, nobody waits for the function whose
 * time the timer limits.
 */
export function startTimer(callback: () => void, delay: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(callback, limitTimeout(delay));
  // Only timers of Node have this method.
  Object(timer).unref?.();
  return timer;
}

/** Returns the error for a handler that has run until shortly before the platform ends the process. */
function createPlatformTimeout(milliseconds: number): LimitError {
  const error = new LimitError("handlerTimeout", milliseconds);
  error.message = `The handler did not end within ${milliseconds} ms. The platform would have ended the function soon afterwards, without an answer: increase the time limit of the function, or check what the handler waits for.`;
  return error;
}

function withTimeout<T>(answer: Promise<T>, limits: HandlerLimits, signal: CallSignal): Promise<T> {
  const { timeout, request, reportLateEnd } = limits;
  const begunAt = performance.now();
  // The delay is rounded up, because Node rounds it down, and an embedded call would then end before the call that
  // embeds it.
  const handlerTime = Math.ceil(timeout - (begunAt - (limits.startedAt ?? begunAt)));
  const platformTime = request.answerBefore === undefined ? Infinity : Math.ceil(request.answerBefore - begunAt);
  let hasTimedOut = false;
  return new Promise((resolve, reject) => {
    const timer = startTimer(
      () => {
        hasTimedOut = true;
        const isOfPlatform = platformTime < handlerTime;
        const error = isOfPlatform ? createPlatformTimeout(platformTime) : new LimitError("handlerTimeout", timeout);
        signal.expire(error);
        signal.end();
        reject(signal.option === undefined ? error : new OptionError(signal.option, error));
      },
      Math.min(handlerTime, platformTime),
    );
    const endCall = (error?: unknown): void => {
      clearTimeout(timer);
      signal.end();
      const { disconnectedAt } = request;
      if (hasTimedOut || disconnectedAt !== undefined) {
        const incident = describeLateEnd({
          disconnectedAfter: disconnectedAt === undefined ? undefined : disconnectedAt - begunAt,
          disconnectedBy: request.disconnectedBy,
          endedAfter: performance.now() - begunAt,
          error,
          hasTimedOut,
          signal: signal.isUsed ? signal.signal : undefined,
        });
        if (incident !== undefined) {
          reportLateEnd?.(incident);
        }
      }
    };
    answer.then(
      (value) => {
        // An exception here would leave the call without an answer, and end the process.
        try {
          endCall();
          resolve(checkAnswer(value, limits));
        } catch (error) {
          reject(error);
        }
      },
      (thrown: unknown) => {
        const error = replaceUnreadable(thrown);
        endCall(error);
        reject(error);
      },
    );
  });
}
