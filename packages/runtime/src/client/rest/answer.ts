import { DecodeError, ProtocolError, RestError } from "../../answer-errors.js";
import type { JsonValue } from "../../descriptor.js";
import type { BothendsError } from "../../errors.js";
import { isJson, readMediaType } from "../../http/media-type.js";
import type { AnswerProblem } from "../../rest/check-answers.js";
import { isObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";
import { type CallContext, contentFailure, protocolFailure, statusFailure, withoutCookies } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";
import type { ClientLimits } from "../options.js";

// Loaded for answers that `readUsualAnswer` does not read.

/** Reads the JSON of an answer; null if it has no body. Throws the error that the answer reports. */
export function readRestAnswer(
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly context: CallContext },
): JsonValue {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (answer.body.length === 0) {
    if (isSuccess) {
      return null;
    }
    throw statusFailure(answer, call.limits, call.context);
  }
  const mediaType = readMediaType(answer.headers.get("content-type"));
  if (!isJson(mediaType)) {
    if (!isSuccess) {
      throw statusFailure(answer, call.limits, call.context);
    }
    throw protocolFailure(`The answer is "${mediaType.name}", not JSON.`, answer, call);
  }
  let body: JsonValue;
  try {
    body = readJsonBody(utf8Bytes(answer.body, mediaType.parameters.get("charset")), call.limits);
  } catch (error) {
    throw isSuccess ? jsonFailure(error, answer, call) : statusFailure(answer, call.limits, call.context);
  }
  const failure = restError(body, answer, call);
  if (failure !== undefined) {
    throw failure;
  }
  if (!isSuccess) {
    throw statusFailure(answer, call.limits, call.context);
  }
  return body;
}

/** JSON is UTF-8 without a byte-order mark (RFC 8259 §8.1). A mark and other declared charsets are also accepted. */
function utf8Bytes(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  const [first = 0, second] = bytes;
  const mark = first * 0x100 + (second ?? 0);
  if (mark === 0xfeff || mark === 0xfffe) {
    return transcoded(bytes, mark === 0xfeff ? "utf-16be" : "utf-16le");
  }
  if (first === 0xef || !(charset === undefined || /^utf-?8$/i.test(charset))) {
    return transcoded(bytes, first === 0xef ? "utf-8" : charset);
  }
  return bytes;
}

/** Throws for malformed bytes and for charsets that the platform does not support. */
function transcoded(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  // The platform decodes us-ascii as windows-1252.
  if (charset !== undefined && /ascii/i.test(charset) && bytes.some((byte) => byte > 0x7f)) {
    throw new Error("its bytes are not us-ascii");
  }
  return new TextEncoder().encode(new TextDecoder(charset, { fatal: true }).decode(bytes));
}

/** The error for an answer that the option `validate` refuses. */
export function invalidAnswer(
  problem: AnswerProblem,
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly context: CallContext },
): DecodeError {
  return contentFailure(new DecodeError(problem.message, problem), answer, call);
}

/** The error for a list with more pages than the option `maxPages` of `paginate` allows. */
export function pageLimitFailure(maxPages: number): ProtocolError {
  const message = `The server announces more pages than the option maxPages = ${maxPages} allows: increase it, or request longer pages with per_page.`;
  return new ProtocolError(message, { status: 200 });
}

/** The error for an answer to `paginate` that is not a list. */
export function notListFailure(): DecodeError {
  return new DecodeError("The answer is not a list: paginate needs an operation that returns one.", { path: "/" });
}

/** The answer to one request of a batch. */
export type BatchAnswer<Answer = JsonValue> =
  | { readonly ok: true; readonly status: number; readonly body: Answer }
  /** `error` is undefined if the request was not run because another request of the batch is invalid. */
  | { readonly ok: false; readonly error: RestError | undefined };

/** Reads the answers to the requests of a batch. Throws `DecodeError` unless there is one answer per request. */
export function readBatch(answer: unknown, count: number): readonly BatchAnswer[] {
  const responses: unknown = Object(answer).responses;
  if (!Array.isArray(responses) || responses.length !== count) {
    throw new DecodeError("The answer to a batch must have a list of responses, one for each request.", {
      path: "/responses",
    });
  }
  return responses.map(readResponse);
}

function readResponse(response: unknown): BatchAnswer {
  const { status, body } = Object(response) as { readonly status?: unknown; readonly body?: unknown };
  if (typeof status !== "number") {
    return { ok: false, error: undefined };
  }
  if (status < 400) {
    return { ok: true, status, body: body as JsonValue };
  }
  const { code, message, data } = Object(body) as Readonly<Record<string, unknown>>;
  const text = typeof message === "string" ? message : `The request was answered with status ${status}.`;
  const details = typeof data === "object" && data !== null ? { data: data as Readonly<Record<string, unknown>> } : {};
  return { ok: false, error: new RestError({ code: String(code), status, message: text, ...details }) };
}

function jsonFailure(
  error: unknown,
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly context: CallContext },
): unknown {
  if (error instanceof JsonBodyError && error.limit !== undefined) {
    const value = call.limits[error.limit];
    const message = `The answer exceeds the limit ${error.limit} = ${value}. The option limits.${error.limit} sets it.`;
    return protocolFailure(message, answer, call);
  }
  if (!(error instanceof Error)) {
    return error;
  }
  const message = `The answer is not valid JSON: ${error.message}.`;
  return contentFailure(new DecodeError(message, { path: "/", cause: error }), answer, call);
}

/**
 * The error in an error body, `{code, message, data: {status, …}}`. A 2xx answer is an error only if the status in its body is an
 * error status: some proxies always answer 200. If the body exceeds `errorBodyBytes`, only the code and message are kept,
 * truncated.
 */
function restError(
  body: JsonValue,
  answer: ClientAnswer,
  { limits, context }: { readonly limits: ClientLimits; readonly context: CallContext },
): BothendsError | undefined {
  if (!isObject(body) || typeof body["code"] !== "string" || typeof body["message"] !== "string") {
    return undefined;
  }
  const data = isObject(body["data"]) ? body["data"] : {};
  const { status: bodyStatus, ...rest } = data;
  const isError = answer.status < 200 || answer.status > 299;
  if (!isError && !(typeof bodyStatus === "number" && bodyStatus >= 400 && bodyStatus <= 599)) {
    return undefined;
  }
  return new RestError({
    ...context,
    code: body["code"].slice(0, limits.errorBodyBytes),
    message: body["message"].slice(0, limits.errorBodyBytes),
    status: isError ? answer.status : Number(bodyStatus),
    data: answer.body.length > limits.errorBodyBytes ? {} : rest,
    headers: withoutCookies(answer.headers),
  });
}

/**
 * The answer of a call with these options: with `fields`, the requested members; with `embed`, the embedded resources. If the
 * compiler does not know the field names, any member may be missing.
 */
export type Selected<Answer, Options> = Options extends { readonly fields: readonly (infer Field)[] }
  ? WithEmbedded<string extends Field ? Some<Answer> : Picked<Answer, Field>, Options>
  : WithEmbedded<Answer, Options>;

/** The answer to a deletion: with `force`, the deleted object in `previous`; otherwise the object in the trash. */
export type Forced<Answer, Force> = [Force] extends [true]
  ? Extract<Answer, Deleted>
  : [Force] extends [false]
    ? TrashedOf<Answer>
    : Answer;

interface Deleted {
  readonly deleted: unknown;
  readonly previous: unknown;
}

/** Endpoints without a trash have only one kind of answer. */
type TrashedOf<Answer> = [Exclude<Answer, Deleted>] extends [never] ? Answer : Exclude<Answer, Deleted>;

/**
 * An answer in a context, such as `edit`: without the members that this context leaves out, while members that only other
 * contexts leave out are required. `Contexts` lists the names that each context leaves out. In an unknown context all members are
 * optional.
 */
export type InContext<Value, Contexts, Context> = Context extends keyof Contexts
  ? Shown<Value, { all: Contexts[keyof Contexts]; absent: Contexts[Context]; previous: NotInPrevious<Contexts> }>
  : Value;

type NotInPrevious<Contexts> = Contexts extends { readonly previous: infer Names } ? Names : never;

/** Names of members such as `content` or `title.raw`. */
interface LeftOut {
  /** Names that at least one context leaves out. */
  readonly all: unknown;
  /** Names that this context leaves out. */
  readonly absent: unknown;
  /** Names that a deleted object, in `previous`, leaves out. */
  readonly previous: unknown;
}

type Shown<Value, Names extends LeftOut> = [Names["all"]] extends [never]
  ? Value
  : JsonValue extends Value
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Shown<Item, Names>[]
      : Value extends Deleted
        ? ShownDeleted<Value, Names>
        : Value extends object
          ? [KnownName<Value>] extends [never]
            ? { readonly [Name in keyof Value]: Shown<Value[Name], Names> }
            : ShownMembers<Value, Names["all"], Names["absent"]>
          : Value;

type ShownDeleted<Value extends Deleted, Names extends LeftOut> = {
  readonly [Name in keyof Value]: Name extends "previous"
    ? Shown<Value[Name], { all: Names["all"]; absent: Names["absent"] | Names["previous"]; previous: never }>
    : Value[Name];
};

type ShownMembers<Value, All, Absent> = {
  readonly [Name in keyof Value as Name extends All ? never : Name]: ShownBelow<Value[Name], Name, All, Absent>;
} & {
  readonly [Name in keyof Value as Name extends Exclude<All, Absent> ? Name : never]-?: ShownBelow<
    Exclude<Value[Name], undefined>,
    Name,
    All,
    Absent
  >;
};

type ShownBelow<Value, Name, All, Absent> = Shown<
  Value,
  { all: Below<Name, All>; absent: Below<Name, Absent>; previous: never }
>;

/** The names of members that a type declares explicitly; never for an object with an index signature. */
type KnownName<Value> = keyof { [Name in keyof Value as string extends Name ? never : Name]: unknown };

type Some<Value> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Some<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: Some<Value[Name]> | undefined }
      : Value;

/** The members that fields name, such as `id` or `title.rendered`. */
type Picked<Value, Field> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Picked<Item, Field>[]
    : Value extends object
      ? PickedMembers<Value, keyof Value & NameIn<Field>, Field>
      : Value;

type PickedMembers<Value, Names extends keyof Value, Field> = {
  readonly [Name in Names]: Name extends Field ? Value[Name] : Picked<Value[Name], Below<Name, Field>>;
};

type NameIn<Field> = Field extends `${infer Name}.${string}` ? Name : Field;
type Below<Name, Field> = Field extends `${Name & string}.${infer Rest}` ? Rest : never;

/** Linked resources by relation name; absent for a resource without links. */
interface Embedded {
  readonly _embedded?: { readonly [relation: string]: readonly JsonValue[] | undefined };
}

type WithEmbedded<Answer, Options> = Options extends { readonly embed: true | readonly string[] }
  ? JsonValue extends Answer
    ? Answer
    : Answer extends readonly (infer Item)[]
      ? readonly (Item & Embedded)[]
      : Answer & Embedded
  : Answer;
