import {
  type AnswerPlace,
  BothendsError,
  DecodeError,
  EncodeError,
  HttpStatusError,
  ProtocolError,
  TimeoutError,
  TransportError,
} from "../errors.js";
import type { ClientLimits } from "./settings.js";
import {
  BodyLimitError,
  ConnectTimeoutError,
  EncodingError,
  type TransportAnswer,
  type TransportHead,
} from "./transport.js";

/** The call an error belongs to. */
export interface CallPlace {
  readonly operation: string;
  /** As errors show it. */
  readonly address: string;
}

/** What an answer outside 2xx is, unless it is a fault or an error body. */
export function statusFailure(answer: TransportAnswer, limits: ClientLimits, place: CallPlace): HttpStatusError {
  return new HttpStatusError(`The server answers ${answer.status}.`, answerPlace(answer, limits, place));
}

/** What an answer is that its status does not explain. */
export function protocolFailure(
  message: string,
  answer: TransportAnswer,
  { limits, place }: { readonly limits: ClientLimits; readonly place: CallPlace },
): ProtocolError {
  return new ProtocolError(message, answerPlace(answer, limits, place));
}

export function headFailure(message: string, head: TransportHead, place: CallPlace): ProtocolError {
  return new ProtocolError(message, { ...place, status: head.status, headers: shownHeaders(head.headers) });
}

function answerPlace(answer: TransportAnswer, limits: ClientLimits, place: CallPlace): AnswerPlace {
  const body = new TextDecoder().decode(answer.body.subarray(0, limits.errorBodyBytes));
  return { ...place, status: answer.status, headers: shownHeaders(answer.headers), body };
}

/** An error may end up in a log: cookies do not. */
export function shownHeaders(headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...headers].filter(([name]) => name !== "set-cookie" && name !== "set-cookie2"));
}

/** The typed error for what a transport rejected with. */
export function transportFailure(error: unknown, head: TransportHead | undefined, place: CallPlace): BothendsError {
  if (error instanceof BothendsError) return error;
  const known = head ?? { status: 0, headers: new Map<string, string>() };
  if (error instanceof BodyLimitError) {
    return headFailure(
      `The answer passes the limit bodyBytes = ${error.bytes}; the option limits.bodyBytes sets it.`,
      known,
      place,
    );
  }
  if (error instanceof EncodingError) return headFailure(error.message, known, place);
  if (error instanceof ConnectTimeoutError) {
    return new TimeoutError(error.message, { ...place, milliseconds: error.milliseconds });
  }
  const cause = systemError(error);
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message : "The transport failed.";
  return new TransportError(code === undefined || message.includes(code) ? message : `${message} (${code})`, {
    ...place,
    code,
    cause,
  });
}

/** The error of the system: `fetch` wraps it. */
function systemError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error.cause instanceof Error && (codeOf(error.cause) !== undefined || codeOf(error) === undefined)
    ? error.cause
    : error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What is wrong with the content of an answer, with as much of the answer as an error keeps. */
export function contentFailure(
  { message, path, reason, value, cause }: DecodeError,
  answer: TransportAnswer,
  { limits, place }: { readonly limits: ClientLimits; readonly place: CallPlace },
): DecodeError {
  const { status, body } = answerPlace(answer, limits, place);
  return new DecodeError(message, { ...place, path, reason, value, status, body, cause });
}

/** An error of a codec, which knows nothing of calls, with the call it belongs to. */
export function placed(error: unknown, place: CallPlace): unknown {
  if (error instanceof EncodeError && error.operation === undefined) {
    return new EncodeError(error.message, { ...place, path: error.path, cause: error.cause });
  }
  if (error instanceof DecodeError && error.operation === undefined) {
    const { path, reason, value, cause } = error;
    return new DecodeError(error.message, { ...place, path, reason, value, cause });
  }
  return error;
}
