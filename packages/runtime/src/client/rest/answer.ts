import type { JsonValue } from "../../descriptor.js";
import { type BothendsError, DecodeError, RestError } from "../../errors.js";
import { isJson, readMediaType } from "../../http/media-type.js";
import { isObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";

import type { ClientLimits } from "../client-limits.js";
import {
  type CallContext,
  contentFailure,
  protocolFailure,
  statusFailure,
  withoutCookies,
} from "../errors/failures.js";
import type { ClientAnswer } from "../hooks.js";

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

/** JSON is UTF-8 without a byte-order mark (RFC 8259 §8.1); a mark and other declared charsets are accepted too. */
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

/** Throws for malformed bytes, and for a charset that the platform does not know. */
function transcoded(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  // The platform decodes us-ascii as windows-1252.
  if (charset !== undefined && /ascii/i.test(charset) && bytes.some((byte) => byte > 0x7f)) {
    throw new Error("its bytes are not us-ascii");
  }
  return new TextEncoder().encode(new TextDecoder(charset, { fatal: true }).decode(bytes));
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
 * The error in an error body, `{code, message, data: {status, …}}`. A 2xx answer is an error only if the status in its
 * body is one: some proxies always answer 200. For a body longer than `errorBodyBytes`, only the code and message are
 * kept, and cut.
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
