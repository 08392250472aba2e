import type { AnyEndpointDescriptor, EndpointDescriptor, JsonObject, JsonValue, Method } from "../../descriptor.js";
import { ConfigError, describeValue, EncodeError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { ClientRequest } from "../hooks.js";
import type { RestCallOptions } from "../options.js";
import { endpointPath, type RestAddress } from "./address.js";
import type { AnswerIn, BatchAnswer, ContextOr, Selected } from "./answer.js";
import { argumentError, checkedArguments, extraArguments, type InputOf } from "./arguments.js";
import type { UploadedFile } from "./upload.js";

/** The parts of a request: the input and the options of a call. */
interface RequestParts extends RestCallOptions {
  readonly input: unknown;
  readonly method: Method;
  /** The file of the option `upload`. */
  readonly uploaded: UploadedFile | undefined;
}

/** The headers of requests without and with a JSON body. */
export interface RestHeaders {
  readonly withoutBody: Headers;
  readonly withBody: Headers;
}

type Headers = Readonly<Record<string, string>>;

/** Writes the request of a call. Throws `EncodeError` or `ConfigError`. */
export function writeRequest(
  endpoint: AnyEndpointDescriptor,
  { input, method, extra, uploaded, ...selection }: RequestParts,
  { address, headers }: { readonly address: RestAddress; readonly headers: RestHeaders },
): ClientRequest {
  if (typeof input !== "object" || input === null) {
    throw new EncodeError(`The input must be an object with the arguments, not ${describeValue(input)}.`, {
      path: "/",
    });
  }
  const values = new Map(checkedArguments(input, endpoint.args));
  const route = endpointPath(address.renamePath(endpoint.path), values);
  for (const [name, value] of extraArguments(extra ?? {})) {
    if (values.has(name)) {
      throw argumentError(`/${name}`, 'The argument is in the input and in the option "extra". Remove one of them.');
    }
    values.set(name, value);
  }
  const hasNoBody = method === "GET" || method === "DELETE";
  if (hasNoBody && uploaded !== undefined) {
    throw new ConfigError(`The option "upload" needs a method whose requests have a body, not ${method}.`);
  }
  const isInQuery = hasNoBody || uploaded !== undefined;
  const query = writeQuery([...(isInQuery ? values : []), ...selectionParameters(selection)]);
  const request = { operation: endpoint.name, method, url: address.url(route, query) };
  if (uploaded !== undefined) {
    return { ...request, headers: { ...headers.withoutBody, ...uploaded.headers }, body: uploaded.body };
  }
  return isInQuery || values.size === 0
    ? { ...request, headers: headers.withoutBody, body: undefined }
    : { ...request, headers: headers.withBody, body: JSON.stringify(Object.fromEntries(values)) };
}

export function restHeaders(authorization: string | undefined): RestHeaders {
  const withoutBody = {
    Accept: "application/json",
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  return {
    withoutBody: Object.freeze(withoutBody),
    withBody: Object.freeze({ ...withoutBody, "Content-Type": "application/json" }),
  };
}

/** Returns the method of a call: the requested one, or the endpoint's first. */
export function methodOf({ name, methods }: AnyEndpointDescriptor, requestedMethod: Method | undefined): Method {
  if (requestedMethod === undefined) {
    return methods[0];
  }
  if (methods.includes(requestedMethod)) {
    return requestedMethod;
  }
  throw new ConfigError(`${name} has only the methods ${methods.join(", ")}, not "${String(requestedMethod)}".`);
}

/**
 * Writes arguments as a query that PHP can read: a list as `k[]=a&k[]=b`, objects and lists of objects as `k[a]=b`. Null, empty
 * lists and empty objects become `k=`, which WordPress reads as an empty list.
 */
function writeQuery(values: Iterable<readonly [string, JsonValue]>): string {
  const pairs: string[] = [];
  for (const [name, value] of values) {
    writeParameter(encodePart(name), value, pairs);
  }
  return pairs.join("&");
}

function writeParameter(name: string, value: JsonValue, pairs: string[]): void {
  if (typeof value !== "object" || value === null) {
    pairs.push(`${name}=${value === null ? "" : encodePart(String(value))}`);
    return;
  }
  const countBefore = pairs.length;
  if (isJsonList(value)) {
    const isFlat = value.every((item) => typeof item !== "object" || item === null);
    for (const [index, item] of value.entries()) {
      writeParameter(`${name}%5B${isFlat ? "" : index}%5D`, item, pairs);
    }
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) {
        writeParameter(`${name}%5B${encodePart(key)}%5D`, member, pairs);
      }
    }
  }
  if (pairs.length === countBefore) {
    pairs.push(`${name}=`);
  }
}

function isJsonList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the query that selects members of an answer. */
export function fieldsQuery(fields: readonly string[]): string {
  return writeQuery(selectionParameters({ fields }));
}

/** Returns the parameters that select members of an answer, or embed linked resources in it. */
function selectionParameters({
  fields,
  embed,
}: Pick<RestCallOptions, "fields" | "embed">): readonly (readonly [string, string])[] {
  const isEmbedding = embed !== undefined && embed !== false;
  // WordPress embeds resources only if the answer contains `_links`.
  const linksField = isEmbedding ? ",_links" : "";
  return [
    ...(fields === undefined ? [] : [["_fields", `${joinNames(fields, "fields")}${linksField}`] as const]),
    ...(isEmbedding ? [["_embed", embed === true ? "1" : joinNames(embed, "embed")] as const] : []),
  ];
}

function joinNames(names: readonly string[], option: string): string {
  const isInvalid = (name: unknown) => typeof name !== "string" || name === "" || name.includes(",");
  if (!Array.isArray(names) || names.length === 0 || names.some(isInvalid)) {
    throw new ConfigError(`The option "${option}" must be a non-empty list of names without commas.`);
  }
  return names.join(",");
}

/** One request of a batch. `Answer` is the type of its answer. */
export interface BatchRequest<Answer = JsonValue> {
  readonly method: Exclude<Method, "GET">;
  readonly path: string;
  readonly body?: JsonObject;
  /** Declares the type of the answer for the compiler. Values do not have this member. */
  readonly answer?: Answer;
}

/** The operation of an interface that sends a batch: `site.batch`. */
export type BatchOperation = (input: {
  readonly requests: readonly BatchRequest[];
  readonly validation?: "normal" | "require-all-validate";
}) => Promise<unknown>;

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
 * Creates the batch request for a call, as the client's class would send it. The endpoint is a descriptor from `…/operations`;
 * WordPress does not run GET in batches, and does not embed resources in their answers. The client option `wireNames` does not
 * change the paths of a batch. Throws `EncodeError` for invalid arguments.
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
  const method = methodOf(endpoint, options.method);
  if (method === "GET") {
    throw new ConfigError(
      `The endpoint ${endpoint.name} cannot be in a batch, because its method is GET. Call it separately.`,
    );
  }
  const values = new Map(checkedArguments(Object(input), endpoint.args));
  const query = options.fields === undefined ? "" : `?${fieldsQuery(options.fields)}`;
  const path = `${endpointPath(endpoint.path, values)}${query}`;
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
