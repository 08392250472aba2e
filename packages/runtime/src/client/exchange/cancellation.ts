import { AbortError, type BothendsError, TimeoutError } from "../../errors.js";
import type { CallDescription } from "../errors/failures.js";

interface CancellationSettings {
  /** The timeout of the call in milliseconds. */
  readonly timeout: number;
  readonly deadlines: Deadlines | undefined;
  readonly signals: readonly AbortSignal[];
  readonly watchSignal: WatchSignal;
}

/** Calls a function when a signal is aborted. Returns a function that stops watching the signal. */
export type WatchSignal = (signal: AbortSignal, onAbort: () => void) => () => void;

/** The timeout of a call and the signals that abort it. An `AbortSignal` is created only if the transport uses one. */
export class Cancellation implements Deadline {
  expiresAt = 0;
  previous: Deadline | undefined;
  next: Deadline | undefined;
  readonly #settings: CancellationSettings;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** An array, because a call has few listeners, for which an array is cheaper than a set. */
  #listeners: (() => void)[] | undefined;
  /** Functions that remove the listeners on the signals. */
  #endWatches: readonly (() => void)[] | undefined;
  #isExpired = false;
  #cause: { readonly reason: unknown } | { readonly timedOut: true } | undefined;
  #controller: AbortController | undefined;

  constructor(settings: CancellationSettings) {
    this.#settings = settings;
    const { deadlines, timeout, signals } = settings;
    if (deadlines !== undefined) {
      deadlines.add(this);
    } else if (timeout <= longestTimerDelay) {
      this.#timer = setTimeout(() => this.expire(), timeout);
    }
    if (signals.length > 0) {
      this.#watch(signals);
    }
  }

  #watch(signals: readonly AbortSignal[]): void {
    this.#endWatches = signals.map((signal) => {
      const onAbort = () => this.#cancel({ reason: signal.reason });
      if (signal.aborted) {
        onAbort();
      }
      return this.#settings.watchSignal(signal, onAbort);
    });
  }

  /** Cancels the call because its timeout has expired. */
  expire(): void {
    this.#isExpired = true;
    this.#cancel({ timedOut: true });
  }

  /** Cancels the call for a reason, as an abort signal does. */
  abort(reason: unknown): void {
    this.#cancel({ reason });
  }

  get isCancelled(): boolean {
    return this.#cause !== undefined;
  }

  /**
   * Returns the error for the caller. A signal created by `AbortSignal.timeout` produces the same error as the option
   * `timeout`. `cancelled` is the error of the step that was cancelled.
   */
  createFailure(context: CallDescription, cancelled?: unknown): BothendsError {
    const step = cancelled instanceof CancelledError ? `: ${cancelled.message}` : "";
    if (this.#cause !== undefined && "reason" in this.#cause) {
      const { reason } = this.#cause;
      const init = { ...context, cause: reason };
      return Object(reason).name === "TimeoutError"
        ? new TimeoutError(`The timeout of the signal expired${step}.`, init)
        : new AbortError(`The call was aborted${step}.`, init);
    }
    const { timeout } = this.#settings;
    return new TimeoutError(`No answer within ${timeout} ms${step}.`, { ...context, milliseconds: timeout });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.onCancel(() => controller.abort());
    }
    return this.#controller.signal;
  }

  /**
   * Calls a listener when the call is cancelled, or at once if the call is already cancelled. Returns a function that
   * removes the listener.
   */
  onCancel(listener: () => void): () => void {
    if (this.isCancelled) {
      listener();
    }
    this.#listeners ??= [];
    const listeners = this.#listeners;
    listeners.push(listener);
    return () => {
      const index = listeners.indexOf(listener);
      if (index >= 0) {
        listeners.splice(index, 1);
      }
    };
  }

  /**
   * Settles like the promise, or rejects if the call is cancelled first. In this case, the outcome of the promise is
   * ignored, and the error contains the `step` at which the call was cancelled.
   */
  race<T>(promise: Promise<T>, call: { readonly step: string }): Promise<T> {
    return new Promise((resolve, reject) => {
      const removeListener = this.onCancel(() => reject(new CancelledError(call.step)));
      promise.then(resolve, reject).finally(removeListener);
    });
  }

  /** Removes the timer and the listeners. Must be called when the call ends. */
  close(): void {
    const { deadlines } = this.#settings;
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
    } else if (!this.#isExpired) {
      deadlines?.remove(this);
    }
    for (const endWatch of this.#endWatches ?? []) {
      endWatch();
    }
    this.#listeners = undefined;
  }

  #cancel(cause: { readonly reason: unknown } | { readonly timedOut: true }): void {
    if (this.#cause !== undefined) {
      return;
    }
    this.#cause = cause;
    for (const listener of [...(this.#listeners ?? [])]) {
      listener();
    }
  }
}

interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * For Node: all running calls that share a signal also share one listener on it, because Node warns if a signal has
 * many listeners.
 */
export const watchSharedSignal: WatchSignal = (signal, onAbort) => {
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(onAbort);
  return () => {
    watch.callbacks.delete(onAbort);
    if (watch.callbacks.size === 0) {
      signal.removeEventListener("abort", watch.listener);
      watches.delete(signal);
    }
  };
};

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of [...callbacks]) {
      callback();
    }
  };
  const watch = { callbacks, listener };
  watches.set(signal, watch);
  signal.addEventListener("abort", listener);
  return watch;
}

/**
 * Marks a cancelled call inside the client. Its message is the step that was cancelled: `the answer had not begun`.
 * Callers receive the error of `Cancellation.createFailure` instead.
 */
export class CancelledError extends Error {
  override name = "cancelled";
}

/** A call with a deadline. Deadlines form a linked list, so that adding and removing one takes little time. */
export interface Deadline {
  /** Called when the deadline has passed. */
  expire(): void;
  /** The value of `performance.now()` at which the deadline passes. Set by `Deadlines`. */
  expiresAt: number;
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

/** The longest delay of a timer, in milliseconds: a longer one would fire immediately. */
export const longestTimerDelay = 2_147_483_647;

/**
 * The deadlines of all calls with the same timeout. They expire in the order in which they were added, so one timer,
 * for the earliest, is enough. A timer per call would cost more than all other bookkeeping of the call.
 */
export class Deadlines {
  readonly timeout: number;
  #firstDeadline: Deadline | undefined;
  #lastDeadline: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.timeout = timeout;
  }

  add(deadline: Deadline): void {
    deadline.expiresAt = performance.now() + this.timeout;
    deadline.previous = this.#lastDeadline;
    if (this.#lastDeadline === undefined) {
      this.#firstDeadline = deadline;
      this.#start();
    } else {
      this.#lastDeadline.next = deadline;
    }
    this.#lastDeadline = deadline;
  }

  /** Removes a deadline that has not expired. */
  remove(deadline: Deadline): void {
    const { previous, next } = deadline;
    if (previous === undefined) {
      this.#firstDeadline = next;
    } else {
      previous.next = next;
    }
    if (next === undefined) {
      this.#lastDeadline = previous;
    } else {
      next.previous = previous;
    }
    // A removed deadline must not refer to the next deadline, because the whole chain would then stay in memory longer.
    deadline.previous = undefined;
    deadline.next = undefined;
    if (this.#firstDeadline === undefined) {
      // Keeps the timer for the next call, but lets the process exit.
      this.#timer?.unref();
    }
  }

  #start(): void {
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#expire(), this.timeout);
    } else {
      this.#timer.ref();
    }
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    // A timer may fire up to a millisecond early, so deadlines within the next millisecond expire too.
    while (this.#firstDeadline !== undefined && this.#firstDeadline.expiresAt <= now + 1) {
      const expiredDeadline = this.#firstDeadline;
      this.remove(expiredDeadline);
      expiredDeadline.expire();
    }
    if (this.#firstDeadline !== undefined) {
      this.#timer = setTimeout(() => this.#expire(), this.#firstDeadline.expiresAt - now);
    }
  }
}
