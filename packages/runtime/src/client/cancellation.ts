import { TimeoutError } from "../errors.js";

/** A timer of more milliseconds would fire at once; nobody waits 24 days. */
export const longestTimer = 2_147_483_647;

/**
 * Why and when a call ends before its answer: its time is over, or its caller gives up. It costs a timer per call;
 * an `AbortSignal` is made only for a transport that asks for one.
 */
export class Cancellation {
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #signals: readonly AbortSignal[];
  /** A few: a list costs less than a set. */
  readonly #listeners: (() => void)[] = [];
  readonly #timeout: number;
  #cancelled: { readonly reason: unknown } | { readonly timedOut: true } | undefined;
  #controller: AbortController | undefined;

  constructor(timeout: number, signals: readonly AbortSignal[]) {
    this.#timeout = timeout;
    this.#signals = signals;
    if (timeout <= longestTimer) this.#timer = setTimeout(() => this.#cancel({ timedOut: true }), timeout);
    for (const signal of signals) {
      if (signal.aborted) this.#cancelled ??= { reason: signal.reason };
      else watch(signal, this.#onAbort);
    }
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  /** What the caller is told: the reason it gave, as it is, or a `TimeoutError`. */
  failure(place: { readonly operation: string; readonly address: string }): unknown {
    if (this.#cancelled !== undefined && "reason" in this.#cancelled) return this.#cancelled.reason;
    return new TimeoutError(`No answer within ${this.#timeout} ms.`, { ...place, milliseconds: this.#timeout });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.onCancel(() => controller.abort());
    }
    return this.#controller.signal;
  }

  /** Calls a listener when the call is cancelled, at once if it is already. Returns a function that removes the listener. */
  onCancel(listener: () => void): () => void {
    if (this.cancelled) listener();
    else this.#listeners.push(listener);
    return () => this.#forget(listener);
  }

  #forget(listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  /** The outcome of a promise, unless the call ends before it; the promise itself may then go on unheard. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(new CancelledError());
      if (this.cancelled) stop();
      this.#listeners.push(stop);
      promise.then(
        (value) => {
          this.#forget(stop);
          resolve(value);
        },
        (error: unknown) => {
          this.#forget(stop);
          reject(error);
        },
      );
    });
  }

  /** Ends the watch; to be called however the call ends. */
  close(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    for (const signal of this.#signals) unwatch(signal, this.#onAbort);
    this.#listeners.length = 0;
  }

  readonly #onAbort: OnAbort = (reason) => this.#cancel({ reason });

  #cancel(why: { readonly reason: unknown } | { readonly timedOut: true }): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = why;
    for (const listener of [...this.#listeners]) listener();
  }
}

type OnAbort = (reason: unknown) => void;

interface Watch {
  readonly calls: Set<OnAbort>;
  readonly listener: () => void;
}

/** One listener per signal, however many calls share it: platforms warn of signals with many. Empty when no call runs. */
const watches = new WeakMap<AbortSignal, Watch>();

function watch(signal: AbortSignal, onAbort: OnAbort): void {
  let found = watches.get(signal);
  if (found === undefined) {
    const calls = new Set<OnAbort>();
    const listener = () => {
      for (const call of [...calls]) call(signal.reason);
    };
    found = { calls, listener };
    watches.set(signal, found);
    signal.addEventListener("abort", found.listener);
  }
  found.calls.add(onAbort);
}

function unwatch(signal: AbortSignal, onAbort: OnAbort): void {
  const found = watches.get(signal);
  if (found === undefined) return;
  found.calls.delete(onAbort);
  if (found.calls.size > 0) return;
  signal.removeEventListener("abort", found.listener);
  watches.delete(signal);
}

/** Stands for `Cancellation.failure` inside the client. */
export class CancelledError extends Error {
  constructor() {
    super("The call was cancelled.");
    this.name = "CancelledError";
  }
}
