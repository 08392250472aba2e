import { LimitError } from "./limits.js";

/** A handler's time is limited, and it can learn when nobody waits for it any more. */
export interface HandlerPatience {
  /** Milliseconds. */
  readonly timeout: number;
  /** Its signal is aborted when the client goes away; asking for it makes it. */
  readonly request: { readonly signal: AbortSignal };
}

/** The signal of one call, made when somebody asks for it: most handlers never do. */
export class CallSignal {
  readonly #request: HandlerPatience["request"];
  #controller: AbortController | undefined;
  #any: AbortSignal | undefined;
  #reason: Error | undefined;

  constructor(request: HandlerPatience["request"]) {
    this.#request = request;
  }

  /** Fires when the client goes away and when the time is over. */
  get signal(): AbortSignal {
    if (this.#any === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      this.#any = AbortSignal.any([this.#request.signal, this.#controller.signal]);
    }
    return this.#any;
  }

  expire(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Waits for a handler no longer than its time: then a `LimitError` is thrown at once, whatever the handler does later.
 * The client's going away is told to the handler, which alone knows what can be left undone.
 */
export async function callHandler<T>(
  call: (signal: CallSignal) => T | Promise<T>,
  { timeout, request }: HandlerPatience,
): Promise<T> {
  if (timeout <= 0) throw new LimitError("handlerTimeout", timeout);
  const own = new CallSignal(request);
  const answer = call(own);
  return isPromise(answer) ? within(answer, timeout, own) : answer;
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function within<T>(answer: Promise<T>, timeout: number, signal: CallSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new LimitError("handlerTimeout", timeout);
      signal.expire(error);
      reject(error);
    }, timeout);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
