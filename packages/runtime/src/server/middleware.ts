import type { EndpointDescriptor, OperationDescriptor } from "../descriptor.js";

/** A call before its handler, allowed and with a valid input. */
export interface HandlerCall<Context> {
  /** The operation's name in the schema, or the endpoint's in code. */
  readonly operation: string;
  readonly input: unknown;
  /** What the handler gets as its second parameter. */
  readonly context: Context;
}

/**
 * Runs around each handler. `next` calls the handler, or the next middleware, and returns its answer; its parameter replaces
 * the input. The middleware returns the answer, the same or another one. It may throw what a handler may throw.
 */
export type Middleware<Context> = (call: HandlerCall<Context>, next: (input?: unknown) => Promise<unknown>) => unknown;

/** Whether a call is one of an operation or endpoint, whose input then has its type. */
export function isCallOf<Input, Context>(
  call: HandlerCall<Context>,
  descriptor:
    | OperationDescriptor<Input, never>
    | OperationDescriptor<Input, unknown>
    | EndpointDescriptor<Input, never>,
): call is HandlerCall<Context> & { readonly input: Input };
export function isCallOf<Context>(call: HandlerCall<Context>, descriptor: { readonly name: string }): boolean {
  return call.operation === descriptor.name;
}

/** Runs the middleware in order, then the handler. */
export async function runMiddleware<Context>(
  middleware: readonly Middleware<Context>[],
  call: HandlerCall<Context>,
  handler: (input: unknown) => unknown,
): Promise<unknown> {
  const run = async (index: number, input: unknown): Promise<unknown> => {
    const current = middleware[index];
    if (current === undefined) {
      return handler(input);
    }
    let isCalled = false;
    const { operation, context } = call;
    return current({ operation, context, input }, (replacement) => {
      if (isCalled) {
        return Promise.reject(new Error("The middleware called next more than once."));
      }
      isCalled = true;
      return run(index + 1, replacement === undefined ? input : replacement);
    });
  };
  return run(0, call.input);
}
