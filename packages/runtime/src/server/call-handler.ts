import { LimitError } from "./limits.js";

/** What limits a handler. */
export interface HandlerLimits {
  /** Milliseconds. */
  readonly timeout: number;
  /** Its signal is aborted when the client disconnects. It may be created on first use. */
  readonly request: { readonly signal: AbortSignal };
}

/**
 * The signal of one call, created on first use: most handlers never ask for it. It has a controller of its own because
 * Node keeps an `AbortSignal.any` that somebody listens to until it is aborted, and all that its listeners refer to.
 */
export class CallSignal {
  readonly #request: HandlerLimits["request"];
  #controller: AbortController | undefined;
  #ended = false;
  #reason: Error | undefined;

  constructor(request: HandlerLimits["request"]) {
    this.#request = request;
  }

  /** Aborted when the client disconnects while the handler works, and when the handler times out. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const { signal } = this.#request;
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      else if (signal.aborted) this.#controller.abort(signal.reason);
      else if (!this.#ended) signal.addEventListener("abort", this.#disconnect);
    }
    return this.#controller.signal;
  }

  expire(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** The handler has ended: the request's signal, which may outlive the call, lets go of it. */
  end(): void {
    this.#ended = true;
    if (this.#controller !== undefined) this.#request.signal.removeEventListener("abort", this.#disconnect);
  }

  readonly #disconnect = (): void => this.#controller?.abort(this.#request.signal.reason);
}

/**
 * Calls a handler and waits for its answer until the timeout: then a `LimitError` is thrown at once, whatever the handler
 * does later. A disconnected client only aborts the signal, because the handler knows what can be left undone. An answer
 * that is not a promise is returned at once.
 */
export function callHandler<T>(
  call: (signal: CallSignal) => T | Promise<T>,
  { timeout, request }: HandlerLimits,
): T | Promise<T> {
  if (timeout <= 0) throw new LimitError("handlerTimeout", timeout);
  const callSignal = new CallSignal(request);
  let answer: T | Promise<T>;
  try {
    answer = call(callSignal);
  } catch (error) {
    callSignal.end();
    throw error;
  }
  if (isPromise(answer)) return within(answer, timeout, callSignal);
  callSignal.end();
  return answer;
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function within<T>(answer: Promise<T>, timeout: number, signal: CallSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new LimitError("handlerTimeout", timeout);
      signal.expire(error);
      signal.end();
      reject(error);
    }, timeout);
    const ended = (): void => {
      clearTimeout(timer);
      signal.end();
    };
    answer.then(
      (value) => {
        ended();
        resolve(value);
      },
      (error: unknown) => {
        ended();
        reject(error);
      },
    );
  });
}
