import type {
  BegunCall,
  CallEvent,
  CallObservation,
  CallObserver,
  CallObservers,
  OnCall,
  SafeCallObservation,
} from "./events.js";

// Hooks and observers are code of users. Their errors are reported, and do not change calls.

/**
 * Starts observing a call, and returns one observation for all observers. Exceptions in observers are passed to
 * `reportFailure`, and the call continues.
 */
export function beginObservation(
  observers: CallObservers,
  call: BegunCall,
  reportFailure: (error: unknown) => void,
): SafeCallObservation {
  if (!isList(observers)) {
    return new SafeObservation(beginSafely(observers, call, reportFailure), reportFailure);
  }
  return new Observations(
    observers.map((observer) => new SafeObservation(beginSafely(observer, call, reportFailure), reportFailure)),
  );
}

function beginSafely(
  observer: CallObserver,
  call: BegunCall,
  reportFailure: (error: unknown) => void,
): CallObservation | undefined {
  try {
    const observation = observer.begin(call);
    if (!isThenable(observation)) {
      return observation;
    }
    reportRejection(observation, reportFailure);
    reportFailure(new TypeError('The function "begin" of an observer returned a promise instead of an observation.'));
  } catch (error) {
    reportFailure(error);
  }
  return undefined;
}

/**
 * If the hook is asynchronous and fails, passes its error to `reportFailure`. Otherwise, the unhandled rejection would
 * end the process.
 */
export function reportRejection(result: unknown, reportFailure: (error: unknown) => void): void {
  if (isThenable(result)) {
    result.then(undefined, reportFailure);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/**
 * Runs a task inside the function `run` of an observer. Whatever `run` does, the task runs exactly once and its result
 * is returned. Passes an error to `reportFailure` if `run` throws an error of its own, returns another value, or does
 * not call the task.
 */
function runOnce<Result>(
  task: () => Result,
  run: (call: () => Result) => unknown,
  reportFailure: (error: unknown) => void,
): Result {
  let outcome: { readonly result: Result } | { readonly error: unknown } | undefined;
  const runTask = (): Result => {
    if (outcome === undefined) {
      try {
        outcome = { result: task() };
      } catch (error) {
        outcome = { error };
      }
    }
    if ("error" in outcome) {
      throw outcome.error;
    }
    return outcome.result;
  };
  try {
    const returnedValue = run(runTask);
    if (outcome === undefined) {
      reportRejection(returnedValue, reportFailure);
      reportFailure(new TypeError('The function "run" of an observer did not run the call at once.'));
    } else if (!("result" in outcome && outcome.result === returnedValue)) {
      reportWrongResult(returnedValue, runTask, reportFailure);
    }
  } catch (error) {
    if (!(outcome !== undefined && "error" in outcome && outcome.error === error)) {
      reportFailure(error);
    }
  }
  return runTask();
}

/**
 * Reports that an observer's `run` returned a value other than the call's result. A promise is accepted unless it
 * rejects with an error other than the call's.
 */
function reportWrongResult(returned: unknown, runTask: () => unknown, reportFailure: (error: unknown) => void): void {
  if (!isThenable(returned)) {
    reportFailure(new TypeError('The function "run" of an observer did not return the result of the call.'));
    return;
  }
  Promise.resolve(returned).catch(async (error: unknown) => {
    const errorOfCall = await Promise.resolve()
      .then(runTask)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    if (errorOfCall !== error) {
      reportFailure(error);
    }
  });
}

/** The rules of `checkHeaders` in `client/settings.ts`, which this module cannot import, because servers use it too. */
const headerNamePattern =
  /^(?!(?:content-length|transfer-encoding|connection|upgrade|te|trailer|__proto__|\d+)$)[!#$%&'*+.^`|~\w-]+$/i;
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

function isHeader(name: string, value: unknown): boolean {
  return headerNamePattern.test(name) && typeof value === "string" && headerValuePattern.test(value);
}

const observerCode: WatchedCode = {
  name: "an observer of calls",
  advice: "If it exports spans, it should send them in batches, as the BatchSpanProcessor of OpenTelemetry does.",
};

/**
 * The observation of a call by one observer. Catches the observer's exceptions and reports them. This is a class,
 * because an instance is created for each call.
 */
class SafeObservation implements SafeCallObservation {
  readonly #observation: CallObservation | undefined;
  readonly #reportFailure: (error: unknown) => void;

  constructor(observation: CallObservation | undefined, reportFailure: (error: unknown) => void) {
    this.#observation = observation;
    this.#reportFailure = reportFailure;
  }

  /** The headers to send with the call, without those that cannot be sent, which are reported. */
  get headers(): Readonly<Record<string, string>> | undefined {
    try {
      const { headers } = this.#observation ?? {};
      return headers && Object.fromEntries(Object.entries(headers).filter((header) => this.#checkHeader(header)));
    } catch (error) {
      this.#reportFailure(error);
      return undefined;
    }
  }

  #checkHeader([name, value]: readonly [string, unknown]): boolean {
    if (value === undefined || isHeader(name, value)) {
      return true;
    }
    const message = `An observer of calls set the header ${JSON.stringify(name)}, which cannot be sent and is left out: its name or value is not valid, or the transport writes this header.`;
    this.#reportFailure(new TypeError(message));
    return false;
  }

  get hasRun(): boolean {
    return this.#observation?.run !== undefined;
  }

  run<Result>(task: () => Result): Result {
    const observation = this.#observation;
    return observation?.run === undefined
      ? task()
      : runOnce(task, (call) => observation.run?.(call), this.#reportFailure);
  }

  end(event: CallEvent, startedAt: number = performance.now()): void {
    try {
      reportRejection(this.#observation?.end?.(event), this.#reportFailure);
    } catch (error) {
      this.#reportFailure(error);
    } finally {
      blockingCode.checkTime(observerCode, startedAt);
    }
  }

  cancel(): void {
    try {
      reportRejection(this.#observation?.cancel?.(), this.#reportFailure);
    } catch (error) {
      this.#reportFailure(error);
    }
  }
}

/** Combines the observations of one call by several observers. */
class Observations implements SafeCallObservation {
  readonly #observations: readonly SafeObservation[];

  constructor(observations: readonly SafeObservation[]) {
    this.#observations = observations;
  }

  get headers(): Readonly<Record<string, string>> {
    return Object.assign({}, ...this.#observations.map(({ headers }) => headers));
  }

  get hasRun(): boolean {
    return this.#observations.some((observation) => observation.hasRun);
  }

  /** Runs a task inside the `run` functions of all observations. The first is the outermost. */
  run<Result>(task: () => Result): Result {
    return this.#observations.reduceRight((inner, observation) => () => observation.run(inner), task)();
  }

  end(event: CallEvent): void {
    for (const observation of this.#observations) {
      observation.end(event);
    }
  }

  cancel(): void {
    for (const observation of this.#observations) {
      observation.cancel();
    }
  }
}

function isList(observers: CallObservers): observers is readonly CallObserver[] {
  return Array.isArray(observers);
}

const onCallCode: WatchedCode = {
  name: "the hook onCall",
  advice: "The hook should only collect events, and write them later.",
};

/**
 * Hooks that only collect events, and measure how long they block the process when they write them. Their calls are not
 * measured, because a reading of the clock takes 0.05 to 0.1 µs of the 0.5 to 1 µs that an event takes.
 */
export const collectingHooks: WeakSet<OnCall> = /* @__PURE__ */ new WeakSet();

/** Calls the hook `onCall`. `startedAt` is the current instant by `performance.now()`. */
export function runOnCall(
  onCall: OnCall,
  event: CallEvent,
  { startedAt, reportFailure }: { readonly startedAt: number; readonly reportFailure: (error: unknown) => void },
): void {
  try {
    reportRejection(onCall(event), reportFailure);
  } catch (error) {
    reportFailure(error);
  } finally {
    if (!collectingHooks.has(onCall)) {
      blockingCode.checkTime(onCallCode, startedAt);
    }
  }
}

/** Code is remembered if it blocks the process for at least this time, in milliseconds. */
const blockingTime = 1_000;

/** A hook or logger whose code may block the process. */
export interface WatchedCode {
  /** The name of the hook or logger in messages: `the hook onCall`. */
  readonly name: string;
  /** Advice for the operator if the code blocks the process. */
  readonly advice: string;
}

/**
 * Remembers which hook or logger last blocked the process. Otherwise, the report of a stall would blame a handler,
 * because hooks run when a call has just ended.
 */
class BlockingCode {
  #last: (WatchedCode & { readonly duration: number; readonly endedAt: number }) | undefined;

  /** Runs a task, and measures how long it blocks the process. */
  watch<Result>(code: WatchedCode, task: () => Result): Result {
    const startedAt = performance.now();
    try {
      return task();
    } finally {
      this.checkTime(code, startedAt);
    }
  }

  /** Remembers code that has run since the instant `startedAt` (by `performance.now()`), if it blocked the process. */
  checkTime(code: WatchedCode, startedAt: number): void {
    const endedAt = performance.now();
    if (endedAt - startedAt >= blockingTime) {
      this.#last = { ...code, duration: endedAt - startedAt, endedAt };
    }
  }

  /**
   * Returns the hook or logger that blocked the process for at least `duration` milliseconds and ended after the
   * instant `since`. Returns undefined if there is none.
   */
  find(since: number, duration: number): (WatchedCode & { readonly duration: number }) | undefined {
    return this.#last !== undefined && this.#last.endedAt > since && this.#last.duration >= duration
      ? this.#last
      : undefined;
  }
}

/** Shared by all servers and loggers of a process, because each of them can block the others. */
export const blockingCode: BlockingCode = /* @__PURE__ */ new BlockingCode();
