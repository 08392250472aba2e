import { type AnswerErrorInit, DecodeError, HttpStatusError, ProtocolError } from "../../answer-errors.js";
import { BothendsError, TimeoutError, TransportError } from "../../errors.js";
import type { BodyLimitError } from "../../http/body-collector.js";
import { findCompressionMistake } from "../../http/compression-mistakes.js";
import { isError } from "../../value-problems.js";
import type { ClientLimits } from "../options.js";
import type { ConnectTimeoutError, EncodingError, ProxyError, TransportAnswer, TransportHead } from "../transport.js";
import type { FailureFacts } from "./described-error.js";

/** The call to which an error belongs. Every error contains this description. */
export interface CallDescription {
  readonly operation: string;
  readonly method: string;
  /** The address of the call, without credentials and query. */
  readonly address: string;
}

/** Returns the error for an answer with a status outside 2xx that contains neither a fault nor an error body. */
export function createStatusFailure(
  answer: TransportAnswer,
  limits: ClientLimits,
  context: CallDescription,
): HttpStatusError {
  const message = `The server answered with status ${answer.status}.`;
  const failure = new HttpStatusError(message, createAnswerInit(answer, limits, context));
  return answer.refusal === undefined ? failure : withFacts(failure, { refusal: answer.refusal });
}

/** Adds facts that hints use to an error, as a member that is not enumerable. */
export function withFacts<Failure extends BothendsError>(failure: Failure, facts: FailureFacts): Failure {
  return Object.defineProperty(failure, "facts", { value: facts, configurable: true });
}

interface AnsweredCall {
  readonly limits: ClientLimits;
  readonly context: CallDescription;
}

/** Returns the error for an answer that breaks the protocol. */
export function createProtocolFailure(
  message: string,
  answer: TransportAnswer,
  { limits, context, problem }: AnsweredCall & Pick<FailureFacts, "problem">,
): ProtocolError {
  const failure = new ProtocolError(message, createAnswerInit(answer, limits, context));
  return problem === undefined ? failure : withFacts(failure, { problem });
}

/** Returns the error for an answer of which only the head was read. */
function createHeadFailure(message: string, head: TransportHead, context: CallDescription): ProtocolError {
  return new ProtocolError(message, { ...context, status: head.status, headers: withoutCookies(head.headers) });
}

function createAnswerInit(answer: TransportAnswer, limits: ClientLimits, context: CallDescription): AnswerErrorInit {
  const body = new TextDecoder().decode(answer.body.subarray(0, limits.errorBodyBytes));
  return { ...context, status: answer.status, headers: withoutCookies(answer.headers), body };
}

/** Removes the cookies from an answer's headers, because errors contain these headers and may be logged. */
export function withoutCookies(headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...headers].filter(([name]) => name !== "set-cookie" && name !== "set-cookie2"));
}

/** Converts a transport's error to a typed error. */
export function createTransportFailure(
  error: unknown,
  head: TransportHead | undefined,
  context: CallDescription,
): BothendsError {
  if (error instanceof BothendsError) {
    return error;
  }
  const receivedHead = head ?? { status: 0, headers: new Map<string, string>() };
  if (receivedHead.status === 304) {
    return createHeadFailure("The server answered with status 304, without content.", receivedHead, context);
  }
  if (receivedHead.status >= 300 && receivedHead.status < 400) {
    const message = `The server answered with status ${receivedHead.status}, a redirect, which is not followed.`;
    return createHeadFailure(message, receivedHead, context);
  }
  if (isHiddenRedirect(error)) {
    const message =
      "The server now answers with a redirect, which is not followed. The error of the next call names the target.";
    return new ProtocolError(message, { ...context, status: 0, cause: error });
  }
  if (hasName<BodyLimitError>(error, "BodyLimitError")) {
    return createHeadFailure(
      `The body of the answer is larger than the limit bodyBytes = ${error.bytes}. To accept it, increase the option "limits.bodyBytes".`,
      receivedHead,
      context,
    );
  }
  if (hasName<EncodingError>(error, "EncodingError")) {
    const { encoding, cause, start } = error;
    const compression = encoding === "br" ? "br" : "gzip";
    const compressionMistake = start && findCompressionMistake(cause, start, compression);
    const isUndecodable = cause !== undefined;
    return withFacts(createHeadFailure(error.message, receivedHead, context), { compressionMistake, isUndecodable });
  }
  if (hasName<ProxyError>(error, "ProxyError")) {
    const { step, status, authenticate, cause } = error;
    const failure = hasName<ConnectTimeoutError>(cause, "ConnectTimeoutError")
      ? createTimeout(error.message, cause, context)
      : createSystemFailure(error, step === "answer" ? cause : error, context);
    return withFacts(failure, { proxyStep: step, proxyStatus: status, proxyAuthenticate: authenticate });
  }
  if (hasName<ConnectTimeoutError>(error, "ConnectTimeoutError")) {
    const facts = { isHandshake: error.isHandshake, isConnectTimeout: !error.isHandshake };
    return withFacts(createTimeout(error.message, error, context), facts);
  }
  if (isHiddenStatus(error)) {
    const message = "The platform's fetch failed without a reason";
    return withFacts(new TransportError(message, { ...context, cause: error }), { hidesStatus: true });
  }
  // The message of a `StaleConnectionError` says more than that of its cause.
  const isStale = Object(error).name === "StaleConnectionError";
  const failure = createSystemFailure(error, isStale ? error : findSystemError(error), context);
  return withFacts(failure, {
    hasSocketPath: isAboutSocketPath(failure.cause),
    hasHead: head !== undefined,
    isStale,
    isTruncated: Object(error).name === "TruncatedError",
    hasUsedAnswer: Object(error).hasUsedAnswer === true,
  });
}

/**
 * Whether an error of a transport has the name of a class. The transport may belong to another copy of the runtime, so
 * `instanceof` would not recognize its errors.
 */
function hasName<T extends Error>(error: unknown, name: T["name"]): error is T {
  return Object(error).name === name;
}

function createTimeout(message: string, { milliseconds }: ConnectTimeoutError, context: CallDescription): TimeoutError {
  return new TimeoutError(message, { ...context, milliseconds });
}

/** Creates the error for an error of the system. `described` is the error with the better message. */
function createSystemFailure(error: unknown, described: unknown, context: CallDescription): TransportError {
  const cause = findSystemError(error);
  const code = findCode(cause);
  const message = findMessage(described) || "The connection failed without a message";
  const text = code === undefined || message.includes(code) ? message : `${message} (${code})`;
  return new TransportError(text, { ...context, code, cause });
}

/** Whether a connection to a Unix socket or a named pipe failed. Node then sets the member `address` to its path. */
function isAboutSocketPath(cause: unknown): boolean {
  return isError(cause) && "address" in cause && /[/\\]/.test(String(cause.address));
}

/**
 * Whether `fetch` failed without a code and a message. Node's `fetch` fails in this way if an answer has the status
 * 407, which it does not return (Fetch standard, HTTP-network-or-cache fetch).
 */
function isHiddenStatus(error: unknown): boolean {
  return (
    isTypeError(error) &&
    isError(error.cause) &&
    error.cause.message === "" &&
    findCode(error.cause) === undefined &&
    !isAggregateError(error.cause)
  );
}

/**
 * Whether `fetch` was called with `redirect: "error"` and received a redirect. The error of Node's `fetch` then has
 * neither status nor target.
 */
function isHiddenRedirect(error: unknown): boolean {
  return isTypeError(error) && isError(error.cause) && error.cause.message === "unexpected redirect";
}

// These functions recognize errors of another realm. In Jest, all errors of Node are from another realm.

function isTypeError(error: unknown): error is TypeError {
  return isError(error) && error.name === "TypeError";
}

function isAggregateError(error: Error): error is AggregateError {
  return error.name === "AggregateError" && "errors" in error;
}

/** Returns the error of the system, which `fetch` hides in the `cause` of another error. */
function findSystemError(error: unknown): unknown {
  if (!isError(error)) {
    return error;
  }
  return isError(error.cause) && (findCode(error.cause) !== undefined || findCode(error) === undefined)
    ? error.cause
    : error;
}

/**
 * Whether a parser of HTTP/1.1 has received an alert of TLS, which begins with the byte 21 (RFC 8446 §5.1). The errors
 * of `node:http` contain the bytes that they refuse as `rawPacket`, those of `fetch` as `data`.
 */
function receivedTlsAlert(error: Error): boolean {
  if ("rawPacket" in error && error.rawPacket instanceof Uint8Array) {
    return error.rawPacket[0] === 21;
  }
  return "data" in error && typeof error.data === "string" && error.data.startsWith("\x15");
}

/**
 * Returns the message of a system error, without the credentials and queries of addresses. An `AggregateError` of
 * several connection attempts has no message; the message of its first error is used.
 */
function findMessage(error: unknown): string | undefined {
  if (!isError(error)) {
    return typeof error === "string" ? error : undefined;
  }
  if (receivedTlsAlert(error)) {
    return "The server sent an alert of TLS instead of an answer of HTTP";
  }
  return error.message === "" && isAggregateError(error)
    ? findMessage(error.errors[0])
    : error.message.replace(openSslContext, "$1$2").replace(addressPattern, "$1$2");
}

/**
 * Matches addresses, whose user information and queries are then removed. Messages of Deno's errors contain the address
 * of the call.
 */
const addressPattern = /(https?:\/\/)(?:[^\s/@]*@)?([^\s?#)]*)[^\s)]*/gi;

/**
 * Matches a message of OpenSSL, in which the reason is surrounded by numbers and source positions: `write EPROTO
 * 80C7:error:0A00:SSL routines:f:wrong version number:../x.c:350:`
 */
const openSslContext = /^(\w+ \w+ )?[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):[\s\S]*$/;

function findCode(error: unknown): string | undefined {
  return isError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Adds the call and the beginning of the answer's body to a decoding error. */
export function createContentFailure(
  { message, path, reason, value, tolerance, cause }: DecodeError,
  answer: TransportAnswer,
  { limits, context, problem }: AnsweredCall & Pick<FailureFacts, "problem">,
): DecodeError {
  const { status, body } = createAnswerInit(answer, limits, context);
  const failure = new DecodeError(message, { ...context, path, reason, value, tolerance, status, body, cause });
  return problem === undefined ? failure : withFacts(failure, { problem });
}
