import { BothendsError } from "../errors.js";
import type { RestCallOptions } from "./options.js";
import type { Selected } from "./rest/answer.js";

/** The result of a call that does not throw: either `data` or `error` is present. */
export type CallResult<Data> =
  | { readonly data: Data; readonly error?: undefined }
  | { readonly data?: undefined; readonly error: BothendsError };

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

/** With the option `fields` of REST, the answer has the members that it names. */
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
 * A view of a client whose calls resolve to `{ data, error }` in place of rejecting with a `BothendsError`:
 * `const { data, error } = await results(client).reg.checkUSA(…)`. Other exceptions, such as those of your hooks, still reject.
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
        // Methods of classes use private members, so they are called on the client itself.
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") {
          return (...parameters: readonly unknown[]) => resultOf(() => Reflect.apply(value, target, parameters));
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

function resultOf(call: () => unknown): unknown {
  const outcome = call();
  if (!(outcome instanceof Promise)) {
    return outcome;
  }
  return outcome.then(
    (data: unknown) => ({ data }),
    (error: unknown) => {
      if (error instanceof BothendsError) {
        return { error };
      }
      throw error;
    },
  );
}
