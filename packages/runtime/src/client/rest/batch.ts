import type { AnyEndpointDescriptor, EndpointDescriptor, JsonObject, JsonValue, Method } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { checkOptions } from "../check-options.js";
import { awaitLoading } from "../exchange/lazy-code.js";
import type { AnswerIn, BatchAnswer, ContextOr, Selected } from "./answer.js";
import { checkArguments, type InputOf } from "./arguments.js";
import { checkMethod, formatFields, writeEndpointPath } from "./request.js";

// This module is a separate entry point of the package because `batched` needs the argument checks at once, whereas
// clients load them on first use.

export type { BatchAnswer } from "./answer.js";

/** One request of a batch. `Answer` is the type of its answer. */
export interface BatchRequest<Answer = JsonValue> {
  readonly method: Exclude<Method, "GET">;
  readonly path: string;
  readonly body?: JsonObject;
  /** Declares the type of the answer for the compiler. Values do not have this member. */
  readonly answer?: Answer;
}

/** The operation of an interface that sends a batch, such as `site.batch`. */
export type BatchOperation = (input: {
  readonly requests: readonly BatchRequest[];
  readonly validation?: "normal" | "require-all-validate";
}) => Promise<unknown>;

/** Options for a batch of requests. */
export interface BatchOptions {
  /** Whether the server must run none of the requests if one of them is invalid. Default false. */
  readonly allOrNothing?: boolean;
}

/** The answers to a list of requests, each with the type of its endpoint's answer. */
export type BatchAnswers<Requests extends readonly BatchRequest<unknown>[]> = {
  readonly [Index in keyof Requests]: BatchAnswer<AnswerTo<Requests[Index]>>;
};

type AnswerTo<Request> = Request extends BatchRequest<infer Answer> ? Answer : never;

/** Options for one request of a batch. */
export interface BatchedOptions {
  /** One of the HTTP methods of the endpoint. Default: the first. */
  readonly method?: Exclude<Method, "GET">;
  /** Members to request, for example `["id", "title.rendered"]`; default all. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Creates the batch request for a call, as the client's class would send it. The endpoint is a descriptor from
 * `…/operations`. WordPress does not run GET requests in batches, and does not embed resources in the answers of a
 * batch. The client option `wireNames` does not change the paths of a batch. Throws `EncodeError` for invalid
 * arguments.
 */
export function batched<
  Input,
  Answer,
  Contexts,
  Initial extends string,
  const Options extends BatchedOptions,
  const Force extends boolean | undefined = false,
  const Context = Initial,
>(
  endpoint: EndpointDescriptor<Input, Answer, Contexts, Initial>,
  input: InputOf<NoInfer<Input>, Force, Context>,
  options?: Options,
): BatchRequest<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>>;
export function batched(
  endpoint: AnyEndpointDescriptor,
  input: object,
  options: BatchedOptions = {},
): BatchRequest<never> {
  checkOptions(options, ["method", "fields"]);
  if (options.fields !== undefined && !Array.isArray(options.fields)) {
    throw new ConfigError('The option "fields" of batched must be a list of strings.');
  }
  const { method = endpoint.methods[0] } = options;
  checkMethod(endpoint, method);
  if (method === "GET") {
    throw new ConfigError(
      `The endpoint ${endpoint.name} cannot be in a batch, because its method is GET. Call it separately.`,
    );
  }
  const values = new Map(checkArguments(Object(input), endpoint.args));
  const query = options.fields === undefined ? "" : `?${formatFields(options.fields)}`;
  const path = `${writeEndpointPath(endpoint.path, values)}${query}`;
  return values.size === 0 ? { method, path } : { method, path, body: Object.fromEntries(values) };
}

/**
 * Sends several requests as one request. Resolves to an answer for each of them; rejects if the whole batch is refused.
 */
export async function batch<const Requests extends readonly BatchRequest<unknown>[]>(
  operation: BatchOperation,
  requests: Requests,
  options: BatchOptions = {},
): Promise<BatchAnswers<Requests>> {
  checkOptions(options, ["allOrNothing"]);
  if (options.allOrNothing !== undefined && typeof options.allOrNothing !== "boolean") {
    throw new ConfigError('The option "allOrNothing" of batch must be true or false.');
  }
  const { allOrNothing = false } = options;
  const input = { requests: requests as readonly BatchRequest[] };
  const answer = await operation(allOrNothing ? { ...input, validation: "require-all-validate" } : input);
  const { readBatch } = await awaitLoading(import("./answer.js"));
  const answers: unknown = readBatch(answer, input.requests);
  return answers as BatchAnswers<Requests>;
}
