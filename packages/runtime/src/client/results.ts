import { BothendsError } from "../errors.js";
import type { CallResult, Outcome, RestCallOptions, ResultOption } from "./options.js";
import type { Selected } from "./rest/answer.js";

/** A client whose calls return results. */
export type Results<Client> = {
  readonly [Name in keyof Client]: Client[Name] extends (...parameters: infer Parameters) => Promise<infer Data>
    ? ResultMethod<Parameters, Data>
    : Client[Name] extends (...parameters: never) => unknown
      ? Client[Name]
      : Client[Name] extends object
        ? Results<Client[Name]>
        : Client[Name];
};

/** With the REST option `fields`, the answer contains only the named members. */
type ResultMethod<Parameters extends readonly unknown[], Data> = "fields" extends keyof NonNullable<Parameters[1]>
  ? RestResultMethod<Parameters, Data>
  : (...parameters: Parameters) => Promise<CallResult<Data>>;

interface RestResultMethod<Parameters extends readonly unknown[], Data> {
  <const Options extends RestCallOptions & { readonly fields: readonly string[] }>(
    input: Parameters[0],
    options: Options,
  ): Promise<CallResult<Selected<Data, Options>>>;
  (...parameters: Parameters): Promise<CallResult<Data>>;
}

/**
 * A view of a client whose calls resolve to `{ data, error }` instead of rejecting with a `BothendsError`: `const { data, error }
 * = await results(client).reg.checkUSA(…)`. Other exceptions, such as those of your hooks, still reject.
 */
export function results<Client extends object>(client: Client): Results<Client> {
  const views = new WeakMap<object, unknown>();
  const view = (target: object): unknown => {
    const existing = views.get(target);
    if (existing !== undefined) {
      return existing;
    }
    const created = new Proxy(target, {
      get(_, name) {
        // Methods of classes use private members, so they are called on the original client.
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") {
          return (...parameters: readonly unknown[]) => {
            const outcome: unknown = Reflect.apply(value, target, parameters);
            return outcome instanceof Promise ? resultOf(outcome) : outcome;
          };
        }
        return typeof value === "object" && value !== null ? view(value) : value;
      },
    });
    views.set(target, created);
    return created;
  };
  // The proxy has the members of the client.
  return view(client) as Results<Client>;
}

/** Converts the outcome of a call to a result. */
export function resultOf<Data>(call: Promise<Data>): Promise<CallResult<Data>> {
  return call.then(
    (data) => ({ data }),
    (error: unknown) => {
      if (error instanceof BothendsError) {
        return { error };
      }
      throw error;
    },
  );
}

/** The outcome of a call, as a result if its option `result` is set. */
export function outcomeOf<Data, Options extends ResultOption>(
  call: Promise<Data>,
  options: Options | undefined,
): Promise<Outcome<Data, Options>> {
  const outcome: Promise<unknown> = options?.result === true ? resultOf(call) : call;
  // The option also determines the type.
  return outcome as Promise<Outcome<Data, Options>>;
}
