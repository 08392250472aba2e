import { XmlError } from "@bothends/xml/error";
import { EncodeError, isReceived, RefusalCause, type RestError, type SoapFault } from "../answer-errors.js";
import { BothendsError, ConfigError } from "../errors.js";
import { formatExceededLimit, LimitError } from "../server-limits.js";
import { isError } from "../value-problems.js";
import { escapeControls } from "./call-lines.js";
import type { AnsweringFunction, DisconnectedBy, OnError, ServerIncident } from "./events.js";
import { writeErrorLine } from "./loggers.js";
import { passLimited, RepeatedProblem } from "./repeated-incidents.js";
import { blockingCode, type WatchedCode } from "./safe-hooks.js";

/** The request during which an incident occurred. */
export interface ReportedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly remoteAddress?: string | undefined;
  /** The router's hook `onError`, for routes without their own `onError`. */
  readonly onError: OnError | undefined;
  readonly record: { error: ServerIncident | undefined };
}

interface ReportSettings {
  /** Whether the incident ends the call. If so, it becomes the `error` of the call's event. Default true. */
  readonly endsCall?: boolean | undefined;
  /**
   * Whether the same problem was reported shortly before. If so, only the call's event receives the incident. Default
   * false.
   */
  readonly isKnown?: boolean | undefined;
  /** The problem, if it is reported only once a minute. The call's event always receives the incident. */
  readonly repeated?: RepeatedProblem | undefined;
}

/**
 * Reports an incident to the user's hook, which receives at most 20 incidents with the same cause within a minute. An
 * exception or rejection in the hook neither changes an answer nor ends the process. If the incident ends a call, it
 * becomes the `error` of the call's event.
 */
export function report(
  onError: OnError | undefined,
  incident: ServerIncident,
  request?: ReportedRequest,
  { endsCall = true, isKnown = false, repeated }: ReportSettings = {},
): void {
  const hook = onError ?? request?.onError ?? logIncident;
  const { kind, error } = incident;
  let reportedIncident =
    kind === "encode" || error instanceof EncodeError ? { ...incident, error: omitValue(error) } : incident;
  if (request !== undefined) {
    const { id: requestId, method, path: address, remoteAddress } = request;
    reportedIncident = { ...reportedIncident, requestId, method, address, remoteAddress };
    if (endsCall) {
      request.record.error ??= reportedIncident;
    }
  }
  const pass: OnError = (passedIncident) =>
    passLimited(hook, passedIncident, (limitedIncident) => runHook(hook, limitedIncident));
  const repeatedProblem = repeated ?? (error instanceof LimitError ? error.repeated : undefined);
  if (repeatedProblem instanceof RepeatedProblem) {
    repeatedProblem.reports.add(repeatedProblem.problem, reportedIncident, pass);
  } else if (!isKnown && !(error instanceof LimitError && error.isKnown)) {
    pass(reportedIncident);
  }
}

function runHook(hook: OnError, incident: ServerIncident): void {
  const run = () => blockingCode.watch(onErrorCode, () => hook(incident));
  new Promise<void>((resolve) => resolve(run())).catch((error: unknown) => {
    const message = "The hook onError threw an exception. The incident that it received follows.";
    reportWithoutHook([{ kind: "hook", message, error }, incident]);
  });
}

/**
 * For an answer that does not match the schema: returns a copy of the error without the invalid value, because logs and
 * traces must not contain values. The path and the reason stay.
 */
function omitValue(error: unknown): unknown {
  if (!(error instanceof EncodeError) || error.value === undefined) {
    return error;
  }
  const { message, path, reason, operation, stack } = error;
  const safeMessage = path === "" ? reason : `${path}: ${reason}`;
  const safeError = new EncodeError(safeMessage, { path, operation });
  safeError.stack = stack?.replace(message, () => safeMessage) ?? safeMessage;
  return safeError;
}

const onErrorCode: WatchedCode = {
  name: "the hook onError, or writing to standard error,",
  advice: "The program or the disk that receives the log may be slow.",
};

function reportWithoutHook(incidents: readonly ServerIncident[]): void {
  try {
    incidents.forEach(logIncident);
  } catch {
    // Ignored: standard error is closed, so the failed write cannot be reported.
  }
}

/**
 * Returns the message for a value that a handler threw. The message names undefined and null, which have no stack for a
 * log.
 */
function formatHandlerMessage(error: unknown): string {
  return error === undefined || error === null ? `The handler threw ${error}.` : "The handler threw an exception.";
}

/** The members of a thrown value that are read to create an incident. Loggers expect that others may throw. */
const readMembers = ["name", "cause", "code", "status", "operation", "address"];

/**
 * Returns a value that a handler or another function of the user threw. If it cannot be examined, as a revoked Proxy or
 * an object whose getters throw, returns an error about this instead: the code that reports the value would throw
 * otherwise.
 */
export function replaceUnreadable(thrown: unknown): unknown {
  try {
    // Calls the traps of a Proxy, and the getters of other objects.
    void (thrown instanceof BothendsError);
    isError(thrown);
    readMembers.forEach((name) => void Reflect.get(Object(thrown), name));
    return thrown;
  } catch (cause) {
    return createUnreadableError(cause);
  }
}

/** Returns the error about a thrown value, or a value in it, that throws when it is read. */
export function createUnreadableError(cause: unknown): TypeError {
  return new TypeError(`The value that was thrown cannot be read. ${unreadableForms}`, { cause });
}

const unreadableForms =
  "It is, or contains, a Proxy that was revoked, or an object of which a member or a trap throws.";

/** Thrown when a function in the routes' options, such as `authenticate`, throws or takes too long. */
export class OptionError extends Error {
  readonly option: "authenticate" | "authorize" | "verifyNonce" | "validate" | "use" | "by" | "wsdl" | "page";

  constructor(option: OptionError["option"], cause: unknown) {
    super(`The option "${option}" threw an exception.`, { cause: replaceUnreadable(cause) });
    this.name = "OptionError";
    this.option = option;
  }
}

/** Thrown when a function in the routes' options returns a value that it must not return. */
export class ResultError extends TypeError {
  constructor(option: OptionError["option"], returned: string, requirement: string) {
    super(`The function in the option "${option}" returned ${returned}. ${requirement}`);
    this.name = "ResultError";
  }
}

/** Thrown when a handler, or a function in the option `use`, returns an Error instead of throwing it. */
export class ReturnedError extends TypeError {
  constructor(returned: Error) {
    super('The handler, or a function in the option "use", returned an Error. It must throw it.', { cause: returned });
    this.name = "ReturnedError";
  }
}

/** Thrown when a handler, or a function in the option `use`, returns a value that cannot be examined. */
export class UnreadableAnswerError extends TypeError {
  constructor(cause: unknown) {
    super(
      'The handler, or a function in the option "use", returned a value that cannot be read: a Proxy that was revoked, or an object of which a member or a trap throws.',
      { cause },
    );
    this.name = "UnreadableAnswerError";
  }
}

/** Thrown when a function in the option `use` returns undefined although the call has an answer. */
export class LostAnswerError extends TypeError {
  override readonly name = "LostAnswerError";
}

/** Whether an error means that a function in the options exceeded the limit `handlerTimeout`. */
export function isOptionTimeout(error: unknown): error is OptionError {
  return error instanceof OptionError && isTimeout(error.cause);
}

function isTimeout(error: unknown): error is LimitError {
  return error instanceof LimitError && error.limit === "handlerTimeout";
}

/** The messages for operators about calls that timed out while they waited for a known cause. */
export const timeoutMessages: WeakMap<LimitError, string> = new WeakMap();

function formatOptionTimeout(name: OptionError["option"], { value, option }: LimitError): string {
  return `The function in the option "${name}" did not answer within ${value} ms. Check what it waits for, such as a database, or increase the option "${option}" of the routes.`;
}

interface ThrownContext {
  readonly errorForClient: SoapFault | RestError | undefined;
  readonly request: {
    readonly signal: AbortSignal;
    readonly disconnectedAt?: number | undefined;
    readonly disconnectedBy?: DisconnectedBy | undefined;
    readonly abortStatus?: number | undefined;
  };
}

const disconnections: Readonly<Record<DisconnectedBy, string>> = {
  client: "The client disconnected",
  reset: "The client, or a proxy or firewall between, reset the connection",
  network: "The client or the network no longer answered, so the connection failed",
  server: "The server closed the connection",
  process: "Other code of this process closed the connection",
};

/** Says who closed a connection, as the beginning of a sentence. */
export function describeDisconnection(disconnectedBy: DisconnectedBy = "client"): string {
  return disconnections[disconnectedBy];
}

/**
 * Whether an exception was caused by the abort of a signal: it is the signal's reason, or a Node error whose cause is
 * this reason.
 */
export function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return (
    thrown === signal.reason ||
    (thrown instanceof Error && thrown.cause === signal.reason && thrown.name === "AbortError")
  );
}

/** A call whose client disconnected, or whose time limit expired, before the handler ended. */
interface LateCall {
  /** The time in milliseconds from the call of the handler until the client disconnected, if it did. */
  readonly disconnectedAfter: number | undefined;
  readonly disconnectedBy: DisconnectedBy | undefined;
  /** The time in milliseconds from the call of the handler until the handler ended. */
  readonly endedAfter: number;
  /** The exception that the handler threw, if any. */
  readonly error: unknown;
  /** Whether the time limit had expired. */
  readonly hasTimedOut: boolean;
  /** The signal of the call, if any code used it. */
  readonly signal: AbortSignal | undefined;
}

/** The members of the incident that `describeLateEnd` returns. */
export type LateEnd = Pick<ServerIncident, "kind" | "message" | "error">;

/**
 * Returns the incident for a handler whose client disconnected, with the handler's reaction, or for a handler that
 * threw after its time limit. Undefined if the handler ended after its time limit without an error of its own.
 */
export function describeLateEnd(call: LateCall): LateEnd | undefined {
  const { disconnectedAfter = 0, endedAfter, hasTimedOut, signal } = call;
  const error = call.error instanceof OptionError ? call.error.cause : call.error;
  const wasStopped = error !== undefined && signal !== undefined && isAbort(error, signal);
  if (hasTimedOut) {
    const message = `The handler or its middleware threw an exception after ${Math.round(endedAfter)} ms, when its time limit had expired. The exception may name what it waited for.`;
    return error === undefined || wasStopped ? undefined : { kind: "handler", message, error };
  }
  const start = `${describeDisconnection(call.disconnectedBy)} after ${Math.round(disconnectedAfter)} ms`;
  if (signal === undefined) {
    const message = `${start}. The handler ran until ${Math.round(endedAfter)} ms: it does not use context.signal, which is aborted when the client disconnects.`;
    return { kind: "request", message };
  }
  const message = wasStopped
    ? `${start}, and the handler, whose signal was aborted, stopped.`
    : `${start}. The handler's signal was aborted, and the handler ended after ${Math.round(endedAfter)} ms.`;
  return { kind: "request", message };
}

/**
 * Returns the incident for an exception in a handler, in its middleware, or in an option. `errorForClient` is the
 * exception if the client receives its message. In this case, there is an incident only if the exception has a cause,
 * or if an option threw it.
 */
export function createThrownIncident(
  error: unknown,
  { errorForClient, request }: ThrownContext,
): ServerIncident | undefined {
  const thrown = error instanceof OptionError ? error.cause : error;
  // Middleware can refuse calls, as handlers can.
  const isRefusal = error instanceof OptionError && error.option === "use" && errorForClient !== undefined;
  const option = error instanceof OptionError && !isRefusal ? error.option : undefined;
  const limit = createLimitIncident(errorForClient === undefined ? thrown : errorForClient.cause);
  if (limit !== undefined) {
    return option !== undefined && isTimeout(thrown)
      ? { ...limit, message: timeoutMessages.get(thrown) ?? formatOptionTimeout(option, thrown) }
      : limit;
  }
  const { signal } = request;
  if (signal.aborted && isAbort(thrown, signal)) {
    if (request.abortStatus !== undefined) {
      return undefined;
    }
    if (option === undefined && request.disconnectedAt !== undefined) {
      // The event of the call reports the disconnection, with its times, so no incident is needed.
      return undefined;
    }
    const abortedFunction = option === undefined ? "handler" : `function in the option "${option}"`;
    return {
      kind: "request",
      message: `${describeDisconnection(request.disconnectedBy)}, so the ${abortedFunction} was aborted.`,
    };
  }
  if (option !== undefined && errorForClient !== undefined) {
    const refusal = createRefusalIncident(option, errorForClient);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  if (thrown instanceof LostAnswerError) {
    return { kind: "hook", message: thrown.message };
  }
  if (thrown instanceof ResultError) {
    return { kind: "handler", message: thrown.message };
  }
  if (thrown instanceof ReturnedError || thrown instanceof UnreadableAnswerError) {
    return { kind: "handler", message: thrown.message, error: thrown.cause };
  }
  if (option !== undefined) {
    const form = thrown === undefined || thrown === null ? String(thrown) : "an exception";
    return { kind: "handler", message: `The function in the option "${option}" threw ${form}.`, error: thrown };
  }
  if (errorForClient?.cause instanceof ConfigError) {
    return { kind: "config", message: errorForClient.cause.message };
  }
  if (errorForClient !== undefined) {
    const message = "The handler threw an error for the client. The client receives the error without its cause.";
    return errorForClient.cause === undefined ? undefined : { kind: "handler", message, error: errorForClient };
  }
  const message = isReceived(thrown)
    ? `The handler threw an error that it received from another service. ${receivedErrorAdvice}`
    : formatHandlerMessage(thrown);
  return { kind: "handler", message, error: thrown };
}

/** What to do about an error that a client received from another service, and that reached this server. */
const receivedErrorAdvice =
  "The client receives the text of an internal error. To pass on a part of the error, create a SoapFault or RestError without the operation and the address of this error.";

/** Returns the incident for a call that an option refused. Undefined if the error means that the option failed. */
function createRefusalIncident(option: string, error: SoapFault | RestError): ServerIncident | undefined {
  const message = `The function in the option "${option}" refused the call.`;
  const { cause } = error;
  if (cause instanceof RefusalCause) {
    const { limit } = cause;
    return { kind: limit === undefined ? "request" : `limit.${limit.name}`, ...describeRefusal(message, cause), limit };
  }
  // A status of 500 or more comes from a call to another service, such as a user directory.
  if ((error.status ?? 400) >= 500) {
    return undefined;
  }
  // The incident contains an error of the user's own, because its stack shows which check refused the call.
  return { kind: "request", message, error };
}

/** The maximum number of UTF-16 units of a user name in a message. It is limited because clients choose the name. */
const maxUserName = 64;

function describeRefusal(
  refusal: string,
  { message, username }: RefusalCause,
): Pick<ServerIncident, "message" | "rule"> {
  const rule = `${refusal} ${message}`;
  if (username === undefined) {
    return { message: rule };
  }
  const shortName = username.length > maxUserName ? `${username.slice(0, maxUserName)}…` : username;
  return { message: `${rule} The user name in the request is ${escapeControls(JSON.stringify(shortName))}.`, rule };
}

/** Writes an incident to standard error. This is the default of the option `onError`. */
export function logIncident(incident: ServerIncident): void {
  writeErrorLine(incident);
}

/**
 * Describes a request that does not match the schema. Does not contain the values in the request, which may be
 * passwords.
 */
export interface InvalidRequest {
  /** The operation's name in the schema; absent if the request does not name a known operation. */
  readonly operation?: string | undefined;
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The path of the invalid member: `/CheckUSA/State` in SOAP messages, `/State` in parameters. */
  readonly path?: string | undefined;
  readonly reason: string;
  /** Sentences with values that the client chose, such as its origin. They follow the reason in the message. */
  readonly details?: string | undefined;
  /** The problem, if it is reported only once a minute. */
  readonly repeated?: RepeatedProblem | undefined;
}

/** Reports a request that was refused because it does not match the schema. */
export function reportInvalidRequest(
  onError: OnError | undefined,
  { reason, details, repeated, ...source }: InvalidRequest,
  request: ReportedRequest,
): void {
  const rule = source.path === undefined ? reason : omitChosenNames(reason, source.path);
  const message = details === undefined ? reason : `${reason} ${details}`;
  const text = rule === message ? { message } : { message, rule };
  report(onError, { kind: "request", ...text, ...source }, request, { repeated });
}

/**
 * Leaves out of a reason the names and values that the client may have chosen: names in Clark notation, tags, values in
 * quotation marks, and the path. A namespace or a value can itself contain such characters, so that everything up to
 * the last of them is left out. The name of an unexpected element or attribute without a namespace is the last step of
 * the path.
 */
function omitChosenNames(reason: string, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace("@", "");
  const isName = (word: string, wordBefore = "") =>
    word === name ? /^(?:element|attribute)$/.test(wordBefore) : word === `${name}.` && wordBefore === "not";
  return reason
    .replace(path, "…")
    .replace(/\{.*\}\S*/s, "…")
    .replace(/<.*>/s, "<…>")
    .replace(/".*"/s, '"…"')
    .split(" ")
    .map((word, index, words) => (isName(word, words[index - 1]) ? "…" : word))
    .join(" ");
}

/**
 * Reports an answer that does not fit the schema, with advice if one is known. Names the function of the option `use`
 * that made the answer.
 */
export function reportUnfitAnswer(onError: OnError | undefined, error: unknown, answered: AnsweredRequest): void {
  const { request, path = findEncodeErrorPath(error), ...source } = answered;
  const { answeredBy } = request.record;
  const incident = {
    kind: "encode",
    message: `${nameAnswer(answeredBy)} does not fit the schema.`,
    path,
    error,
    ...source,
  };
  report(onError, incident, request);
}

/** The request and the operation of an answer that does not fit. */
interface AnsweredRequest extends Pick<ServerIncident, "operation" | "route" | "protocol" | "path"> {
  readonly request: ReportedRequest & { readonly record: { readonly answeredBy: AnsweringFunction | undefined } };
}

/** Names the answer of a call in messages to operators. */
export function nameAnswer(answeredBy: AnsweringFunction | undefined): string {
  return answeredBy === undefined
    ? "The handler's answer"
    : `The answer of function ${answeredBy.position} of the option "use"`;
}

/** Returns the path of the member at which an answer does not match the schema; undefined for other errors. */
export function findEncodeErrorPath(error: unknown): string | undefined {
  return error instanceof EncodeError && error.path !== "" ? error.path : undefined;
}

/** Returns the incident for an exceeded limit; undefined for other errors. */
export function createLimitIncident(error: unknown): ServerIncident | undefined {
  const limit = findLimit(error);
  if (limit === undefined || !(error instanceof Error)) {
    return undefined;
  }
  const { name, value, option } = limit;
  const message =
    error instanceof XmlError
      ? formatExceededLimit(name, value, option, ` This is at line ${error.line}, column ${error.column}.`)
      : error.message;
  return { kind: `limit.${name}`, message, error, limit };
}

function findLimit(error: unknown): ServerIncident["limit"] {
  if (error instanceof LimitError) {
    return { name: error.limit, value: error.value, option: error.option };
  }
  if (error instanceof XmlError && error.limit !== undefined) {
    return { ...error.limit, option: `limits.${error.limit.name}` };
  }
  return undefined;
}
