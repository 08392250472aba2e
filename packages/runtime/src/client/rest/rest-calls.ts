import type { EndpointTypes, IndexTypes, JsonValue, RestEndpointList } from "../../descriptor.js";
import type { RestCallOptions } from "../options.js";
import type { Accepted } from "./arguments.js";
import type { RestClient } from "./rest-client.js";
import type { Forced, Selected } from "./selected.js";

/**
 * An endpoint in the interfaces that declare the tree of endpoints: the function that calls it. The input may be left out if
 * all its members are optional. Servers derive the type of its handler from it.
 */
export interface RestEndpoint<Input, Answer = JsonValue> extends Call<Input, Answer> {
  /** Never present. */
  readonly endpoint?: EndpointTypes<Input, Answer>;
}

/** The endpoint of the index, or of a namespace in it: without a handler, servers answer from the index document. */
export interface RestIndexEndpoint<Input, Answer = JsonValue> extends RestEndpoint<Input, Answer> {
  readonly endpoint?: IndexTypes<Input, Answer>;
}

// With a call signature of its own, the definition of each call would be that signature as well as the endpoint.
type Call<Input, Answer> = <const Options extends RestCallOptions, const Force extends boolean = false>(
  ...parameters: CallParameters<Accepted<Input> & ForceIn<Input, Force>, Options>
) => Promise<Selected<Forced<Answer, Force>, Options>>;

/** Infers the argument `force` of endpoints that have it. */
type ForceIn<Input, Force> = "force" extends keyof Input ? { readonly force?: Force | undefined } : unknown;

type CallParameters<Input, Options> =
  Partial<Input> extends Input ? [input?: Input, options?: Options] : [input: Input, options?: Options];

/** The calls of endpoints, nested by the words of their names. */
export function restCalls(client: RestClient, endpoints: RestEndpointList): Calls {
  const calls: Calls = {};
  for (const endpoint of endpoints.flat()) {
    const words = endpoint.name.split(".");
    const last = words.pop() ?? "";
    const group = words.reduce(groupOf, calls);
    group[last] = (input: object, options?: RestCallOptions) => client.call(endpoint, input, options);
  }
  return calls;
}

type Calls = Record<string, unknown>;

function groupOf(calls: Calls, word: string): Calls {
  calls[word] ??= {};
  return calls[word] as Calls;
}
