import type { EndpointDescriptor, OperationDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { CallRecord } from "../../http/server-request.js";
import type { OnError, ServerIncident } from "../../observe/events.js";
import {
  LostAnswerError,
  OptionError,
  type ReportedRequest,
  replaceUnreadable,
  report,
} from "../../observe/incidents.js";
import type { RestResult } from "../../rest/rest-answer.js";
import { describeValue } from "../../value-problems.js";
import type { CallSignal } from "./call-handler.js";

/** A call that is authorized and has a valid input. Its handler has not run yet. */
export interface HandlerCall<Context> {
  /** The operation's name in the schema, or the REST endpoint's name in the generated code. */
  readonly operation: string;
  readonly input: unknown;
  /** The context that the handler receives as its second parameter. */
  readonly context: Context;
  /** Reports a problem with a hook to `onError`, as a `hook` incident for this call. */
  readonly report: (problem: HookProblem) => void;
}

/** A problem that a middleware reports. */
export interface HookProblem {
  /** Describes the problem for the operator. Must contain no values from the request. */
  readonly message: string;
  /** The exception, if any. */
  readonly error?: unknown;
  /** Whether the call is refused because of the problem, which is then the error of the call's event. Default false. */
  readonly endsCall?: boolean | undefined;
  /** Whether the same problem was reported shortly before, so that `onError` must not receive it. Default false. */
  readonly isKnown?: boolean | undefined;
}

interface ReportedCall {
  readonly onError: OnError | undefined;
  readonly source: Pick<ServerIncident, "operation" | "route" | "protocol">;
  readonly request: ReportedRequest;
}

/** Creates the function `report`, with which the middleware of a call reports problems. */
export function createProblemReporter({ onError, source, request }: ReportedCall): (problem: HookProblem) => void {
  return ({ message, error, endsCall = false, isKnown }) =>
    report(onError, { kind: "hook", message, error, ...source }, request, { endsCall, isKnown });
}

/**
 * A function that runs around each handler. `next` calls the next middleware or the handler, and returns its answer; an
 * argument of `next` replaces the input. The middleware returns the answer of `next` or another answer. It can throw
 * the same errors as a handler.
 */
export type Middleware<Context> = {
  // Written as a method, so that a middleware may declare the type of its principal.
  run(call: HandlerCall<Context>, next: (input?: unknown) => Promise<unknown>): unknown;
}["run"];

/**
 * Returns the functions of the option `use`. Throws `ConfigError` for other values, such as a framework's interceptors.
 */
export function listMiddleware<Context>(
  use: Middleware<Context> | readonly Middleware<Context>[] = [],
): readonly Middleware<Context>[] {
  const middleware: unknown = typeof use === "function" ? [use] : use;
  if (!Array.isArray(middleware) || !middleware.every((item) => typeof item === "function")) {
    const form = describeValue(Array.isArray(middleware) ? middleware.find((item) => typeof item !== "function") : use);
    throw new ConfigError(
      `The option "use" must be a function or a list of functions, (call, next) => next(), and not ${form}. Middleware and interceptors of a framework belong to the framework.`,
    );
  }
  return middleware;
}

/** Whether a call is for the operation or endpoint of a descriptor. Narrows the type of its input. */
export function isCallOf<Input, Context>(
  call: HandlerCall<Context>,
  descriptor:
    | OperationDescriptor<Input, never>
    | OperationDescriptor<Input, unknown>
    | EndpointDescriptor<Input, unknown, unknown, string>,
): call is HandlerCall<Context> & { readonly input: Input };

export function isCallOf<Context>(call: HandlerCall<Context>, descriptor: { readonly name: string }): boolean {
  return call.operation === descriptor.name;
}

/** A middleware of one operation or endpoint. It may return the same values as a handler. */
export type OperationMiddleware<Input, Output, Context> = (
  call: HandlerCall<Context> & { readonly input: Input },
  next: (input?: Input) => Promise<Output>,
) => Output | Promise<Output>;

/**
 * Creates a middleware for the operation or endpoint of a descriptor. Its input and answer have the types of that
 * operation. Calls of other operations do not run it.
 */
export function middlewareFor<Input, Output, Context>(
  descriptor: OperationDescriptor<Input, Output>,
  run: OperationMiddleware<Input, Output, Context>,
): Middleware<Context>;

export function middlewareFor<Input, Body, Context>(
  descriptor: EndpointDescriptor<Input, Body, unknown, string>,
  run: OperationMiddleware<Input, RestResult<Body>, Context>,
): Middleware<Context>;

export function middlewareFor<Context>(
  descriptor: { readonly name: string },
  run: Middleware<Context>,
): Middleware<Context> {
  return (call, next) => (call.operation === descriptor.name ? run(call, next) : next());
}

interface HandledOperation {
  readonly handler: (input: unknown) => unknown;
  /**
   * Whether every call of the operation has an answer other than undefined. If false, undefined can be a valid answer.
   */
  readonly hasOutput: boolean;
  /** The signal of the call. Its member `option` shows whether a middleware or the handler is running. */
  readonly signal: CallSignal;
  /** The record of the request, which receives the middleware that made the answer. */
  readonly record: Pick<CallRecord, "answeredBy">;
}

/** Describes what kind of value an input is, for an error message: `an object`. */
function describeForm(input: unknown): string {
  if (input === null) {
    return "null";
  }
  return Array.isArray(input) ? "an array" : typeof input === "object" ? "an object" : `a ${typeof input}`;
}

/** Runs the middleware in order, then the handler. An error of the middleware itself becomes an `OptionError`. */
export async function runMiddleware<Context>(
  middleware: readonly Middleware<Context>[],
  call: HandlerCall<Context>,
  { handler, hasOutput, signal, record }: HandledOperation,
): Promise<unknown> {
  const { operation, context, report } = call;
  let thrownByMiddleware: { readonly error: unknown } | undefined;
  const run = async (index: number, input: unknown): Promise<unknown> => {
    const currentMiddleware = middleware[index];
    if (currentMiddleware === undefined) {
      signal.option = undefined;
      return handler(input);
    }
    signal.option = "use";
    const name = `Function ${index + 1} of the option "use"`;
    const inner = new InnerCall({ input, hasOutput, signal, name, report, run: (value) => run(index + 1, value) });
    try {
      const answer = await currentMiddleware({ operation, context, input, report }, inner.next);
      if (answer === undefined && inner.hasLostAnswer) {
        const handlerState = inner.isCalled ? "" : " and did not call next, so the handler did not run";
        throw new LostAnswerError(
          `${name} returned undefined${handlerState}. It must return the result of next, or another answer.`,
        );
      }
      if (!inner.hasReturned(answer)) {
        record.answeredBy = { position: index + 1 };
      }
      return answer;
    } catch (error) {
      if (!inner.hasThrown(error)) {
        thrownByMiddleware = { error };
      }
      throw error;
    } finally {
      inner.end();
    }
  };
  try {
    return await run(0, call.input);
  } catch (thrown) {
    const isOwnError = thrownByMiddleware !== undefined && thrownByMiddleware.error === thrown;
    const error = replaceUnreadable(thrown);
    throw isOwnError && !(error instanceof OptionError) ? new OptionError("use", error) : error;
  }
}

interface InnerCallInit {
  readonly input: unknown;
  readonly hasOutput: boolean;
  readonly signal: CallSignal;
  /** The middleware, as messages name it. */
  readonly name: string;
  readonly report: (problem: HookProblem) => void;
  /** Runs the next middleware or the handler. */
  readonly run: (input: unknown) => Promise<unknown>;
}

/** The rest of a call as seen by one middleware, which runs it with `next`: all later middleware, and the handler. */
class InnerCall {
  /**
   * Whether an answer is lost if the middleware returns undefined. If the operation has no answer, this becomes true
   * only when `next` is called. It becomes false when `next` returns undefined.
   */
  hasLostAnswer: boolean;
  /** Whether the middleware has called `next`. */
  isCalled = false;
  readonly #init: InnerCallInit;
  #returned: { readonly answer: unknown } | undefined;
  #thrown: { readonly error: unknown } | undefined;
  readonly #failures: { readonly promise: NextPromise; readonly error: unknown }[] = [];
  #hasEnded = false;

  constructor(init: InnerCallInit) {
    this.#init = init;
    this.hasLostAnswer = init.hasOutput;
  }

  /** The function `next` of the middleware. */
  readonly next = (replacement?: unknown): Promise<unknown> => {
    const outcome = this.#continue(replacement);
    const promise = new NextPromise((resolve, reject) => void outcome.then(resolve, reject));
    promise.onFailure((error) => {
      if (this.#hasEnded) {
        this.#reportLost(promise, error);
      } else {
        this.#failures.push({ promise, error });
      }
    });
    return promise;
  };

  /** Whether the next middleware or the handler returned this answer. */
  hasReturned(answer: unknown): boolean {
    return this.#returned !== undefined && Object.is(this.#returned.answer, answer);
  }

  /** Whether the next middleware or the handler threw this error. */
  hasThrown(error: unknown): boolean {
    return this.#thrown !== undefined && this.#thrown.error === error;
  }

  /** Must be called when the middleware has ended. Reports errors of `next` for which the middleware did not wait. */
  end(): void {
    this.#hasEnded = true;
    for (const { promise, error } of this.#failures) {
      this.#reportLost(promise, error);
    }
  }

  #reportLost({ isAwaited }: NextPromise, error: unknown): void {
    if (!isAwaited) {
      const { name, report } = this.#init;
      report({ message: `${name} did not wait for next, which failed.`, error });
    }
  }

  async #continue(replacement: unknown): Promise<unknown> {
    const { input, signal, name, report, run } = this.#init;
    if (this.isCalled) {
      throw new Error("The middleware called next more than once. It may call next only once for each call.");
    }
    if (replacement !== undefined && describeForm(replacement) !== describeForm(input)) {
      throw new TypeError(
        `The middleware called next with ${describeForm(replacement)}, but the handler expects ${describeForm(input)}.`,
      );
    }
    this.isCalled = true;
    this.hasLostAnswer = true;
    if (this.#hasEnded) {
      report({
        message: `${name} called next after it had ended. The handler runs, but the client does not receive its answer.`,
      });
    }
    try {
      const answer = await run(replacement === undefined ? input : replacement);
      this.hasLostAnswer = answer !== undefined;
      this.#returned = { answer };
      return answer;
    } catch (error) {
      this.#thrown = { error };
      throw error;
    } finally {
      signal.option = "use";
    }
  }
}

/**
 * The promise that `next` returns. If it rejects without a listener, the process does not end. Otherwise, if a
 * middleware forgot to wait for `next`, any request could end the process.
 */
class NextPromise extends Promise<unknown> {
  /** Whether any code has begun to wait for the promise. */
  isAwaited = false;

  /** The class of the promises that `then` creates: the normal `Promise`. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls this method, because the class differs from `Promise`.
  override then<Value, Reason>(
    onFulfilled?: ((value: unknown) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Reason | PromiseLike<Reason>) | null,
  ): Promise<Value | Reason> {
    this.isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }

  /** Calls a listener if the promise rejects. This does not count as waiting for the promise. */
  onFailure(listener: (error: unknown) => void): void {
    super.then(undefined, listener);
  }
}
