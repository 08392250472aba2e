import type { EndpointDescriptor, JsonObject, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { endpointPath } from "./address.js";
import type { BatchAnswer } from "./answer.js";
import { type Accepted, checkedArguments } from "./arguments.js";
import { methodOf } from "./request.js";

/** One request of a batch. `Answer` is the type of its answer. */
export interface BatchRequest<Answer = JsonValue> {
  readonly method: Exclude<Method, "GET">;
  readonly path: string;
  readonly body?: JsonObject;
  /** Never present. */
  readonly answer?: Answer;
}

/** The operation of an interface that sends a batch: `site.batch`. */
export type BatchOperation = (input: {
  readonly requests: readonly BatchRequest[];
  readonly validation?: "normal" | "require-all-validate";
}) => Promise<unknown>;

export interface BatchOptions {
  /** Whether to run no request if one of them is invalid. Default false. */
  readonly allOrNothing?: boolean;
}

/** The answers to a list of requests, each with the type of its endpoint's answer. */
export type BatchAnswers<Requests extends readonly BatchRequest<unknown>[]> = {
  readonly [Index in keyof Requests]: BatchAnswer<AnswerTo<Requests[Index]>>;
};

type AnswerTo<Request> = Request extends BatchRequest<infer Answer> ? Answer : never;

/**
 * Creates the batch request for a call, as the client's class would send it. The endpoint is a descriptor from `…/operations`;
 * WordPress does not run GET in batches. The client option `wireNames` does not change the paths of a batch. Throws `EncodeError`
 * for invalid arguments.
 */
export function batched<Input, Answer = JsonValue>(
  endpoint: EndpointDescriptor<Input, Answer>,
  input: Accepted<Input>,
  options: { readonly method?: Exclude<Method, "GET"> } = {},
): BatchRequest<Answer> {
  const method = methodOf(endpoint, options.method);
  if (method === "GET") {
    throw new ConfigError(`${endpoint.name} cannot be in a batch, because its method is GET.`);
  }
  const values = new Map(checkedArguments(Object(input), endpoint.args));
  const path = endpointPath(endpoint.path, values);
  return values.size === 0 ? { method, path } : { method, path, body: Object.fromEntries(values) };
}

/** Sends several requests as one. Resolves to an answer for each; rejects if the whole batch is refused. */
export async function batch<const Requests extends readonly BatchRequest<unknown>[]>(
  operation: BatchOperation,
  requests: Requests,
  { allOrNothing = false }: BatchOptions = {},
): Promise<BatchAnswers<Requests>> {
  const input = { requests: requests as readonly BatchRequest[] };
  const answer = await operation(allOrNothing ? { ...input, validation: "require-all-validate" } : input);
  const { readBatch } = await import("./answer.js");
  const answers: unknown = readBatch(answer, requests.length);
  return answers as BatchAnswers<Requests>;
}
