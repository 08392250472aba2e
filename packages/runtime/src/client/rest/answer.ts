import { decodeText } from "@bothends/xml";
import type { JsonObject, JsonValue } from "../../descriptor.js";
import { type BothendsError, DecodeError, RestError } from "../../errors.js";
import { isJson, readMediaType } from "../../media-type.js";
import { JsonBodyError, readJsonBody } from "../../rest/json-body.js";
import type { ClientLimits } from "../client-limits.js";
import { type CallPlace, contentFailure, protocolFailure, statusFailure, withoutCookies } from "../failures.js";
import type { ClientAnswer } from "../hooks.js";

/** The JSON of an answer; null where there is none. Throws what the answer says instead. */
export function readRestAnswer(
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly place: CallPlace },
): JsonValue {
  const good = answer.status >= 200 && answer.status < 300;
  if (answer.body.length === 0) {
    if (good) return null;
    throw statusFailure(answer, call.limits, call.place);
  }
  const mediaType = readMediaType(answer.headers.get("content-type"));
  if (!isJson(mediaType)) {
    if (!good) throw statusFailure(answer, call.limits, call.place);
    throw protocolFailure(`The answer is "${mediaType.name}", not JSON.`, answer, call);
  }
  let body: JsonValue;
  try {
    body = readJsonBody(withoutMark(answer.body, mediaType.parameters.get("charset")), call.limits);
  } catch (error) {
    throw good ? jsonFailure(error, answer, call) : statusFailure(answer, call.limits, call.place);
  }
  const failure = restError(body, answer, call);
  if (failure !== undefined) throw failure;
  if (!good) throw statusFailure(answer, call.limits, call.place);
  return body;
}

/** JSON is UTF-8 (RFC 8259 §8.1); a byte-order mark, or another charset that is named, is taken all the same. */
function withoutMark(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  if (bytes[0] !== 0xef && bytes[0] !== 0xfe && bytes[0] !== 0xff && isUtf8(charset)) return bytes;
  return new TextEncoder().encode(decodeText(bytes, charset));
}

function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function jsonFailure(
  error: unknown,
  answer: ClientAnswer,
  call: { readonly limits: ClientLimits; readonly place: CallPlace },
): unknown {
  if (error instanceof JsonBodyError && error.limit !== undefined) {
    const value = call.limits[error.limit];
    const message = `The answer passes the limit ${error.limit} = ${value}; the option limits.${error.limit} sets it.`;
    return protocolFailure(message, answer, call);
  }
  if (!(error instanceof Error)) return error;
  const message = `The answer is not JSON that can be taken: ${error.message}.`;
  return contentFailure(new DecodeError(message, { path: "/", cause: error }), answer, call);
}

/**
 * The error of an error body, `{code, message, data: {status, …}}`. A 2xx answer is an error only if the status in its
 * body is one: some proxies always answer 200. Of a body longer than `errorBodyBytes`, code and message are kept, cut.
 */
function restError(
  body: JsonValue,
  answer: ClientAnswer,
  { limits, place }: { readonly limits: ClientLimits; readonly place: CallPlace },
): BothendsError | undefined {
  if (!isObject(body) || typeof body["code"] !== "string" || typeof body["message"] !== "string") return undefined;
  const data = isObject(body["data"]) ? body["data"] : {};
  const { status: own, ...rest } = data;
  const bad = answer.status < 200 || answer.status > 299;
  if (!bad && !(typeof own === "number" && own >= 400 && own <= 599)) return undefined;
  return new RestError({
    ...place,
    code: body["code"].slice(0, limits.errorBodyBytes),
    message: body["message"].slice(0, limits.errorBodyBytes),
    status: bad ? answer.status : Number(own),
    data: answer.body.length > limits.errorBodyBytes ? {} : rest,
    headers: withoutCookies(answer.headers),
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a call resolves to: where it chooses `fields`, any member may be missing. */
export type Selected<Answer, Options> = Options extends { readonly fields: readonly string[] } ? Some<Answer> : Answer;

type Some<Value> = JsonValue extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Some<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: Some<Value[Name]> | undefined }
      : Value;
