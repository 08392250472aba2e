import { XmlError } from "@bothends/xml/error";
import { DecodeError, isThrownHere, type RestError, type SoapFault } from "../answer-errors.js";
import { ConfigError, EncodeError } from "../errors.js";
import { LimitError } from "../server-limits.js";
import type { OnError, ServerIncident } from "./events.js";
import { incidentLine } from "./loggers.js";

/** The request during which an incident occurred. */
export interface ReportedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The router's hook, for routes without their own. */
  readonly onError: OnError | undefined;
  readonly record: { error: ServerIncident | undefined } | undefined;
}

/**
 * Reports an incident to the user's hook. An exception or rejection in the hook neither changes an answer nor ends the process.
 * If the incident ends a call, it becomes the `error` of the call's event.
 */
export function report(
  onError: OnError | undefined,
  incident: ServerIncident,
  request?: ReportedRequest,
  { endsCall = true }: { readonly endsCall?: boolean | undefined } = {},
): void {
  const hook = onError ?? request?.onError ?? logIncident;
  let reportedIncident = incident;
  if (request !== undefined) {
    reportedIncident = { ...incident, requestId: request.id, method: request.method, address: request.path };
    if (endsCall && request.record !== undefined) {
      request.record.error ??= reportedIncident;
    }
  }
  new Promise<void>((resolve) => resolve(hook(reportedIncident))).catch((error: unknown) => {
    const message = "The hook onError threw an exception. The incident that it received follows.";
    reportWithoutHook([{ kind: "hook", message, error }, reportedIncident]);
  });
}

function reportWithoutHook(incidents: readonly ServerIncident[]): void {
  try {
    incidents.forEach(logIncident);
  } catch {
    // Ignored: standard error is closed, so the failed write cannot be reported.
  }
}

/**
 * Returns the message for a value that a handler threw. The message names undefined and null, which have no stack for a log.
 */
function handlerMessage(error: unknown): string {
  return error === undefined || error === null ? `The handler threw ${error}.` : "The handler threw an exception.";
}

/** Thrown when the function of an option of the routes throws or takes too long. */
export class OptionError extends Error {
  readonly option: "authenticate" | "authorize" | "verifyNonce" | "wsdl";

  constructor(option: OptionError["option"], cause: unknown) {
    super(`The option "${option}" threw an exception.`, { cause });
    this.name = "OptionError";
    this.option = option;
  }
}

/** Whether an error is that the function of an option exceeded the limit `handlerTimeout`. */
export function isOptionTimeout(error: unknown): error is OptionError {
  return error instanceof OptionError && isTimeout(error.cause);
}

function isTimeout(error: unknown): error is LimitError {
  return error instanceof LimitError && error.limit === "handlerTimeout";
}

function optionTimeoutMessage(name: OptionError["option"], { limit, value, option }: LimitError): string {
  return `The function of the option "${name}" did not answer within ${limit} = ${value} ms. Check what it waits for, such as a database, or increase the option "${option}".`;
}

interface ThrownTo {
  readonly errorForClient: SoapFault | RestError | undefined;
  readonly request: {
    readonly signal: AbortSignal;
    readonly disconnectedAt?: number | undefined;
    readonly abortStatus?: number | undefined;
  };
}

/**
 * Whether an exception was caused by aborting the signal: it is the signal's reason, or an error of Node with this reason as its
 * cause.
 */
export function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return (
    thrown === signal.reason ||
    (thrown instanceof Error && thrown.cause === signal.reason && thrown.name === "AbortError")
  );
}

/**
 * Returns the incident for an exception in a handler, in its middleware, or in an option. `errorForClient` is the exception if it is an
 * error whose text the client receives. Such an exception is an incident only if it has a cause, or if an option threw it.
 */
export function thrownIncident(error: unknown, { errorForClient, request }: ThrownTo): ServerIncident | undefined {
  const option = error instanceof OptionError ? error.option : undefined;
  const thrown = error instanceof OptionError ? error.cause : error;
  const limit = limitIncident(errorForClient === undefined ? thrown : errorForClient.cause);
  if (limit !== undefined) {
    return option !== undefined && isTimeout(thrown)
      ? { ...limit, message: optionTimeoutMessage(option, thrown) }
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
    const abortedFunction = option === undefined ? "handler" : `function of the option "${option}"`;
    return { kind: "request", message: `The client disconnected, so the ${abortedFunction} was aborted.` };
  }
  // An error from a call to another service, such as a user directory, means that the option failed, not that it refused the call.
  if (
    option !== undefined &&
    errorForClient !== undefined &&
    isThrownHere(errorForClient) &&
    (errorForClient.status ?? 400) < 500
  ) {
    // The incident has the error, because the error's stack shows which check refused the call.
    return {
      kind: "request",
      message: `The function of the option "${option}" refused the call.`,
      error: errorForClient,
    };
  }
  if (option !== undefined) {
    return { kind: "handler", message: `The function of the option "${option}" threw an exception.`, error: thrown };
  }
  if (errorForClient?.cause instanceof ConfigError) {
    return { kind: "config", message: errorForClient.cause.message };
  }
  if (errorForClient !== undefined && !isThrownHere(errorForClient)) {
    const message =
      "The handler threw an error that it received from another service. The client receives the text of the error.";
    return { kind: "handler", message, error: errorForClient };
  }
  if (errorForClient !== undefined) {
    const message = "The handler threw an error for the client. The client receives the error without its cause.";
    return errorForClient.cause === undefined ? undefined : { kind: "handler", message, error: errorForClient };
  }
  return { kind: "handler", message: handlerMessage(thrown), error: thrown };
}

/** Writes an incident to standard error. This is the default of the option `onError`. */
export function logIncident(incident: ServerIncident): void {
  console.error(incidentLine(incident, "text"));
}

/** Describes a request that does not match the schema, without its values, which may be passwords. */
export interface InvalidRequest {
  /** The operation's name in the schema; absent if the request does not name a known operation. */
  readonly operation?: string | undefined;
  readonly route?: string | undefined;
  readonly protocol?: string | undefined;
  /** The path of the invalid member: `/CheckUSA/State` in SOAP messages, `/State` in parameters. */
  readonly path?: string | undefined;
  readonly reason: string;
}

/** Reports a request that was refused because it does not match the schema. */
export function reportInvalidRequest(
  onError: OnError | undefined,
  { reason, ...source }: InvalidRequest,
  request: ReportedRequest,
): void {
  report(onError, { kind: "request", message: reason, ...source }, request);
}

/** Returns the path of the member at which an answer does not match the schema; undefined for other errors. */
export function encodeErrorPath(error: unknown): string | undefined {
  return error instanceof EncodeError ? error.path : undefined;
}

/** Returns why a request could not be read, and the path of the invalid member if known. Undefined for errors of other kinds. */
export function unreadableDetails(error: unknown): Pick<InvalidRequest, "path" | "reason"> | undefined {
  if (error instanceof DecodeError) {
    return { path: error.path, reason: error.reason };
  }
  if (!(error instanceof XmlError)) {
    return undefined;
  }
  return {
    reason: `${xmlReasons[error.code] ?? "The message is not well-formed"} (line ${error.line}, column ${error.column}).`,
  };
}

/** The reasons why XML cannot be read, without text from the document. */
const xmlReasons: Readonly<Record<string, string>> = {
  "xml.dtd": "The message has a document type declaration, which is never accepted",
  "xml.entity": "The message refers to an entity that is not built in",
  "xml.namespace": "The message has a namespace prefix or declaration that is not valid",
  "xml.encoding": "The message is not in its declared or default encoding",
};

/** Returns the incident for an exceeded limit; undefined for other errors. */
export function limitIncident(error: unknown): ServerIncident | undefined {
  const limit = limitOf(error);
  if (limit === undefined || !(error instanceof Error)) {
    return undefined;
  }
  return { kind: `limit.${limit.name}`, message: error.message, error, limit };
}

function limitOf(error: unknown): ServerIncident["limit"] {
  if (error instanceof LimitError) {
    return { name: error.limit, value: error.value, option: error.option };
  }
  if (error instanceof XmlError && error.limit !== undefined) {
    return { ...error.limit, option: `limits.${error.limit.name}` };
  }
  return undefined;
}
