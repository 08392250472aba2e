import type { BegunCall, CallEvent, CallObservation, CallObserver } from "./events.js";

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
