import { BothendsError } from "../errors.js";
import type { CallResult, OutcomeOf, ResultOption } from "./options.js";
import type { RestClientResults, RestEndpoint, ResultCall } from "./rest/rest-endpoint.js";

/** A client whose calls resolve to a `CallResult`. */
export type Results<Client> =
  Client extends Record<keyof RestClientResults, unknown>
    ? RestClientResults
    : { readonly [Name in keyof Client]: ResultsOf<Client[Name]> };

type ResultsOf<Member> = Member extends (...parameters: never) => unknown
  ? "endpoint" extends keyof Member
    ? EndpointResults<Member>
    : Member extends (...parameters: infer Parameters) => Promise<infer Data>
      ? (...parameters: Parameters) => Promise<CallResult<Data>>
      : Member
  : Member extends object
    ? Results<Member>
    : Member;

type EndpointResults<Endpoint> =
  Endpoint extends RestEndpoint<infer Input, infer Answer, infer Contexts, infer Initial>
    ? ResultCall<Input, Answer, Contexts, Initial>
    : Endpoint;

/**
 * Returns a view of a client whose calls resolve to `{ data, error }` instead of rejecting with a `BothendsError`:
 * `const { data, error } = await results(client).reg.checkUSA(…)`. Other exceptions, such as those of your hooks, still
 * reject.
 */
export function results<Client extends object>(client: Client): Results<Client> {
  const views = new WeakMap<object, unknown>();
  const getView = (target: object): unknown => {
    const existingView = views.get(target);
    if (existingView !== undefined) {
      return existingView;
    }
    const newView = new Proxy(target, {
      get(_, name) {
        // Class methods use private members, which a proxy does not have, so the methods are called on the original
        // client.
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") {
          return (...parameters: readonly unknown[]) => {
            const outcome: unknown = Reflect.apply(value, target, parameters);
            return outcome instanceof Promise ? callResult(outcome) : outcome;
          };
        }
        return typeof value === "object" && value !== null ? getView(value) : value;
      },
    });
    views.set(target, newView);
    return newView;
  };
  // The proxy has the same members as the client.
  return getView(client) as Results<Client>;
}

/** Converts the outcome of a call to a `CallResult`. */
export function callResult<Data>(call: Promise<Data>): Promise<CallResult<Data>> {
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

/**
 * Returns the outcome of a call. If the call's option `result` is true, the outcome is converted to a `CallResult`.
 * `Result` is the type of that option.
 */
export function convertOutcome<Data, Result>(
  call: Promise<Data>,
  options: ResultOption | undefined,
): Promise<OutcomeOf<Data, Result>> {
  const outcome: Promise<unknown> = options?.result === true ? callResult(call) : call;
  // The type assertion is safe, because the option `result` determines the type `OutcomeOf` as well as the value.
  return outcome as Promise<OutcomeOf<Data, Result>>;
}
