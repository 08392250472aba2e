import { DecodeError, ProtocolError, RestError } from "../../answer-errors.js";
import type { JsonValue } from "../../descriptor.js";
import type { BothendsError } from "../../errors.js";
import { isJson, readMediaType } from "../../http/media-type.js";
import type { AnswerProblem } from "../../rest/check-answers.js";
import { isJsonObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";
import { isError } from "../../value-problems.js";
import {
  type CallDescription,
  createContentFailure,
  createProtocolFailure,
  createStatusFailure,
  withFacts,
  withoutCookies,
} from "../errors/failures.js";
import type { ClientAnswer } from "../hooks.js";
import type { ClientLimits } from "../options.js";

// This module is loaded for answers that `readUsualAnswer` cannot read, for requests that `writeUsualRequest` cannot
// write, and for requests that fail. It is a single module, because a code-splitting bundler would create further
// chunks for code that several modules share.

export { createTransportFailure } from "../errors/failures.js";
export { writeRequest } from "./request.js";

/** The call to which an answer belongs. */
interface RestCall {
  readonly limits: ClientLimits;
  readonly context: CallDescription;
  /** Whether the answer must have a body. */
  readonly answerRequired?: true | undefined;
}

/** Returns the JSON of an answer, or null if the answer has no body. Throws the error that the answer reports. */
export function readRestAnswer(answer: ClientAnswer, call: RestCall): JsonValue {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (answer.body.length === 0) {
    if (!isSuccess) {
      throw createStatusFailure(answer, call.limits, call.context);
    }
    if (call.answerRequired) {
      throw createProtocolFailure("The answer has no body, but its schema does not allow null.", answer, {
        ...call,
        problem: "null",
      });
    }
    return null;
  }
  const mediaType = readMediaType(answer.headers.get("content-type"));
  if (!isJson(mediaType)) {
    if (!isSuccess) {
      throw createStatusFailure(answer, call.limits, call.context);
    }
    throw createProtocolFailure(`The answer is "${mediaType.name}", not JSON.`, answer, {
      ...call,
      problem: "mediaType",
    });
  }
  let body: JsonValue;
  try {
    body = readJsonBody(convertToUtf8(answer.body, mediaType.parameters.get("charset")), call.limits);
  } catch (error) {
    if (isSuccess) {
      throw createJsonFailure(error, answer, call);
    }
    const failure = createStatusFailure(answer, call.limits, call.context);
    throw error instanceof JsonBodyError ? withFacts(failure, { exceededLimit: error.limit }) : failure;
  }
  const failure = findRestError(body, answer, call);
  if (failure !== undefined) {
    throw failure;
  }
  if (!isSuccess) {
    throw createStatusFailure(answer, call.limits, call.context);
  }
  return body;
}

/** Converts JSON in another charset, which some servers use, to UTF-8 without a byte-order mark (RFC 8259 §8.1). */
function convertToUtf8(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  const [firstByte = 0, secondByte] = bytes;
  const byteOrderMark = firstByte * 0x100 + (secondByte ?? 0);
  if (byteOrderMark === 0xfeff || byteOrderMark === 0xfffe) {
    return toUtf8(bytes, byteOrderMark === 0xfeff ? "utf-16be" : "utf-16le");
  }
  if (firstByte === 0xef || !(charset === undefined || /^utf-?8$/i.test(charset))) {
    return toUtf8(bytes, firstByte === 0xef ? "utf-8" : charset);
  }
  return bytes;
}

/** Converts bytes to UTF-8. Throws for malformed bytes and for charsets that the platform does not support. */
function toUtf8(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  // The platform would decode us-ascii as windows-1252, so bytes above ASCII are refused here.
  if (charset !== undefined && /ascii/i.test(charset) && bytes.some((byte) => byte > 0x7f)) {
    throw new Error("its bytes are not us-ascii");
  }
  return new TextEncoder().encode(new TextDecoder(charset, { fatal: true }).decode(bytes));
}

/** Returns the error for an answer that the option `validate` refuses. */
export function createInvalidAnswer(
  problem: AnswerProblem,
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly context: CallDescription },
): DecodeError {
  const message = answer.body.length === 0 ? `The answer has no body. ${problem.message}` : problem.message;
  return createContentFailure(new DecodeError(message, problem), answer, call);
}

/** Returns the error for a list with more pages than the option `maxPages` of `paginate` allows. */
export function createPageLimitFailure(maxPages: number): ProtocolError {
  const message = `The server announces more pages than the ${maxPages} that the option "maxPages" allows. Increase the option, or request longer pages with the argument "per_page".`;
  return new ProtocolError(message, { status: 200 });
}

/**
 * Returns the error for a number of pages that cannot be read. Ignoring the number would lose the items after the first
 * page.
 */
export function createPageCountFailure(): ProtocolError {
  return new ProtocolError("The header X-WP-TotalPages of the answer is not a number of pages.", { status: 200 });
}

/** Returns the error for an answer to `paginate` that is not a list. */
export function createNotListFailure(): DecodeError {
  return new DecodeError("The answer is not a list: paginate needs an operation that returns one.", { path: "/" });
}

/** The answer to one request of a batch. */
export type BatchAnswer<Answer = JsonValue> =
  | { readonly ok: true; readonly status: number; readonly body: Answer }
  /** `error` is undefined if the request was not run because another request of the batch is invalid. */
  | { readonly ok: false; readonly error: RestError | undefined };

/** A request of a batch, as its errors name it. */
interface BatchedRequest {
  readonly method: string;
  readonly path: string;
}

/** Reads the answers to the requests of a batch. Throws `DecodeError` unless there is one answer per request. */
export function readBatch(answer: unknown, requests: readonly BatchedRequest[]): readonly BatchAnswer[] {
  const responses: unknown = Object(answer).responses;
  if (!Array.isArray(responses) || responses.length !== requests.length) {
    throw new DecodeError("The answer to a batch must have a list of responses, one for each request.", {
      path: "/responses",
    });
  }
  return requests.map((request, index) => readResponse(responses[index], request));
}

function readResponse(response: unknown, { method, path }: BatchedRequest): BatchAnswer {
  const { status, body } = Object(response) as { readonly status?: unknown; readonly body?: unknown };
  if (typeof status !== "number") {
    return { ok: false, error: undefined };
  }
  if (status < 400) {
    return { ok: true, status, body: body as JsonValue };
  }
  const { code, message, data } = Object(body) as Readonly<Record<string, unknown>>;
  const text = typeof message === "string" ? message : `The request was answered with status ${status}.`;
  const isSmall = (JSON.stringify(body) ?? "").length <= maxErrorChars;
  const details =
    isSmall && typeof data === "object" && data !== null ? { data: data as Readonly<Record<string, unknown>> } : {};
  return {
    ok: false,
    error: new RestError({
      ...{ operation: "batch", method, address: path.replace(/\?.*/s, "") },
      // WordPress allows numbers as codes, so numbers are converted to strings.
      code: typeof code === "string" || typeof code === "number" ? String(code).slice(0, maxErrorChars) : "unknown",
      status,
      message: text.slice(0, maxErrorChars),
      ...details,
    }),
  };
}

/**
 * The default of the limit `errorBodyBytes`. It is always used here, because a batch does not know its client's limits.
 */
const maxErrorChars = 65_536;

function createJsonFailure(
  error: unknown,
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly context: CallDescription },
): unknown {
  if (error instanceof JsonBodyError && error.limit !== undefined) {
    const value = call.limits[error.limit];
    const message = `The answer exceeds the limit ${error.limit} = ${value}. To accept it, increase the option "limits.${error.limit}".`;
    return createProtocolFailure(message, answer, call);
  }
  if (!isError(error)) {
    return error;
  }
  const message = `The answer is not valid JSON: ${error.message}.`;
  return createContentFailure(new DecodeError(message, { path: "/", cause: error }), answer, {
    ...call,
    problem: "json",
  });
}

/**
 * Returns the error in an error body, `{code, message, data: {status, …}}`. A 2xx answer is an error only if the status
 * in its body is an error status, because some proxies always answer 200. If the body exceeds `errorBodyBytes`, the
 * error contains only the code and message, truncated.
 */
function findRestError(
  body: JsonValue,
  answer: ClientAnswer,
  { limits, context }: { readonly limits: ClientLimits; readonly context: CallDescription },
): BothendsError | undefined {
  if (!isJsonObject(body) || typeof body["code"] !== "string" || typeof body["message"] !== "string") {
    return undefined;
  }
  const data = isJsonObject(body["data"]) ? body["data"] : {};
  const { status: bodyStatus, ...otherData } = data;
  const isError = answer.status < 200 || answer.status > 299;
  if (!isError && !(typeof bodyStatus === "number" && bodyStatus >= 400 && bodyStatus <= 599)) {
    return undefined;
  }
  return new RestError({
    ...context,
    code: body["code"].slice(0, limits.errorBodyBytes),
    message: body["message"].slice(0, limits.errorBodyBytes),
    status: isError ? answer.status : Number(bodyStatus),
    data: answer.body.length > limits.errorBodyBytes ? {} : otherData,
    headers: withoutCookies(answer.headers),
  });
}

/**
 * The answer of a call with these options: with `fields`, the requested members; with `embed`, also the embedded
 * resources. If the compiler does not know the field names, any member may be missing.
 */
export type Selected<Answer, Options> = Options extends { readonly fields: readonly (infer Field)[] }
  ? WithEmbedded<string extends Field ? DeepPartial<Answer> : Picked<Answer, Field>, Options, Answer>
  : WithEmbedded<Answer, Options, Answer>;

/** The answer to a deletion: with `force`, the deleted resource in `previous`; otherwise the resource in the trash. */
type Forced<Answer, Force> = [Force] extends [true]
  ? Extract<Answer, Deleted>
  : [Force] extends [false | undefined]
    ? TrashedOf<Answer>
    : Answer;

interface Deleted {
  readonly deleted: unknown;
  readonly previous: unknown;
}

/**
 * The answer to a deletion without `force`: the resource in the trash; for an endpoint without a trash, its only
 * answer.
 */
type TrashedOf<Answer> = [Exclude<Answer, Deleted>] extends [never] ? Answer : Exclude<Answer, Deleted>;

/**
 * The type of the answer in a context, such as `edit`: the member of `Contexts` with this name. If the context is
 * unknown, the type is the union of all members.
 */
export type InContext<Answer, Contexts, Context> = unknown extends Contexts
  ? Answer
  : Context extends keyof Contexts
    ? Contexts[Context]
    : Contexts[keyof Contexts];

/** The type of a handler's answer, which may have the members of any context. */
export type HandlerAnswer<Answer, Contexts> = unknown extends Contexts
  ? Answer
  : Contexts extends ListContexts<infer Items>
    ? readonly InAnyContext<Items>[]
    : InAnyContext<Contexts>;

/** An object in any of the contexts: members that only some contexts show are optional. */
export type InAnyContext<Contexts> = AnyObject<Contexts[keyof Contexts]>;

type AnyObject<Value> = {
  readonly [Name in Exclude<NamesIn<Value>, AbsentIn<Value, NamesIn<Value>>>]: AnyOf<ValueAt<Value, Name>>;
} & {
  readonly [Name in AbsentIn<Value, NamesIn<Value>>]?: AnyOf<ValueAt<Value, Name>> | undefined;
};

type AnyOf<Value> = JsonValue extends Value
  ? Value
  :
      | Exclude<Value, object>
      | AnyOfLists<Extract<Value, readonly unknown[]>>
      | AnyOfObjects<Exclude<Extract<Value, object>, readonly unknown[]>>;

type AnyOfLists<List extends readonly unknown[]> = [List] extends [never] ? never : readonly AnyOf<List[number]>[];
type AnyOfObjects<Value> = [Value] extends [never] ? never : AnyObject<Value>;

type NamesIn<Value> = Value extends unknown ? Exclude<keyof Value, symbol> : never;

/** The names of members that an object may lack. */
type AbsentIn<Value, Names extends PropertyKey> = Value extends unknown
  ? { [Name in Names]: Name extends keyof Value ? (object extends Pick<Value, Name> ? Name : never) : Name }[Names]
  : never;

type ValueAt<Value, Name> = Value extends unknown ? (Name extends keyof Value ? Value[Name] : never) : never;

/** The answer of a call with the given arguments `context` and `force`. */
export type AnswerIn<Answer, Contexts, Context, Force> = Forced<InContext<Answer, Contexts, Context>, Force>;

/** The argument `context` of a call, or the initial context if the argument is `undefined`. */
export type ContextOr<Initial, Context> = Context extends undefined ? Initial : Context;

/** Maps each context of a list to the type of the list's answer: a list of the resources in that context. */
export type ListContexts<Contexts> = { readonly [Context in keyof Contexts]: readonly Contexts[Context][] };

type DeepPartial<Value> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: DeepPartial<Value[Name]> | undefined }
      : Value;

/** The members of a value that the option `fields` requests, such as `id` or `title.rendered`. */
type Picked<Value, Field> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Picked<Item, Field>[]
    : [Extract<Field, `${string}.${string}`>] extends [never]
      ? Pick<Value, keyof Value & Field>
      : Members<Value, Field>;

/**
 * The requested members of a value. The type is written inline, so that editors show the members instead of a type
 * name.
 */
type Members<Value, Field> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Members<Item, Field>[]
    : Value extends object
      ? {
          [Name in keyof Pick<Value, keyof Value & NameIn<Field>>]: Name extends Field
            ? Value[Name]
            : Members<Value[Name], FieldBelow<Name, Field>>;
        }
      : Value;

type NameIn<Field> = Field extends `${infer Name}.${string}` ? Name : Field;
type FieldBelow<Name, Field> = Field extends `${Name & string}.${infer Rest}` ? Rest : never;

declare const embedded: unique symbol;

/**
 * Adds to the type of `_links` the types of the resources that the option `embed` adds. Only the compiler sees the
 * member: values never have it.
 */
export type LinksTo<Resources> = { readonly [embedded]?: Resources };

/** An embedded resource, or the error for a resource that the caller is not allowed to read. */
export type EmbeddedResource<Resource> = Partial<Resource> & {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
};

/** Linked resources by relation name; absent for a resource without links. */
type Embedded<Resource> = Resource extends { readonly _links: LinksTo<infer Resources> }
  ? { readonly _embedded?: unknown extends Resources ? AnyEmbedded : Resources }
  : { readonly _embedded?: AnyEmbedded };

type AnyEmbedded = { readonly [relation: string]: readonly JsonValue[] | undefined };

type WithEmbedded<Answer, Options, WholeAnswer> = Options extends { readonly embed: true | readonly string[] }
  ? JsonValue extends Answer
    ? Answer
    : Answer extends readonly (infer Item)[]
      ? readonly (Item & Embedded<WholeAnswer extends readonly (infer Object)[] ? Object : WholeAnswer>)[]
      : Answer & Embedded<WholeAnswer>
  : Answer;
