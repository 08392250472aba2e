import type { EndpointTypes, IndexTypes, JsonValue, RestEndpointList } from "../../descriptor.js";
import type { RestCallOptions } from "../options.js";
import type { Selected } from "./answer.js";
import type { Accepted } from "./arguments.js";
import type { RestClient } from "./rest-client.js";

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
type Call<Input, Answer> = <Options extends RestCallOptions>(
  ...parameters: CallParameters<Input, Options>
) => Promise<Selected<Answer, Options>>;

type CallParameters<Input, Options> =
  Partial<Input> extends Input
    ? [input?: Accepted<Input>, options?: Options]
    : [input: Accepted<Input>, options?: Options];

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
