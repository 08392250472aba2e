import { consoleLines } from "./console-lines.js";
import type { CallEvent, OnCall, OnError, ServerIncident } from "./events.js";

export interface LineLoggerOptions {
  /** `text` for people, `json` for programs: one object per line. Default `text`. */
  readonly format?: "text" | "json" | undefined;
  /**
   * Writes one line, without a line break. Default: calls on standard output, those of 5 ms at once, and incidents on standard error.
   */
  readonly write?: ((line: string) => void) | undefined;
}

/**
 * Hooks for servers and clients that log calls and incidents as lines: `listen(routes, lineLogger({ format: "json" }))`,
 * `new VehicleClient(lineLogger())`.
 */
export function lineLogger({ format = "text", write }: LineLoggerOptions = {}): {
  readonly onCall: OnCall;
  readonly onError: OnError;
} {
  const writeCall = write ?? ((line) => consoleLines.add(line));
  const writeIncident = write ?? writeError;
  return {
    onCall: (event) => writeCall(callLine(event, format)),
    onError: (incident) => writeIncident(incidentLine(incident, format)),
  };
}

/** Writes the line of an incident at once, after those of earlier calls. */
function writeError(line: string): void {
  consoleLines.flush();
  console.error(line);
}

/** The methods of `console`, or of a logger like it, that are called. */
export interface ConsoleLike {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Hooks for servers and clients that log calls and incidents as lines of text with the methods of a logger, by their level. */
export function consoleLogger(logger: ConsoleLike = console): { readonly onCall: OnCall; readonly onError: OnError } {
  return {
    onCall: (event) => logger.info(callLine(event, "text")),
    onError: (incident) => logger[levelOf(incident) === "warning" ? "warn" : "error"](incidentLine(incident, "text")),
  };
}

/** One call as a line. Written member by member, because it runs for each call. */
export function callLine(event: CallEvent, format: "text" | "json"): string {
  const { side, requestId, operation, protocol, route, method, address, remoteAddress, status, faultCode } = event;
  const { requestBytes, answerBytes, completed, durations, retries } = event;
  const time = new Date(event.time).toISOString();
  const error = event.error?.kind;
  const total = rounded(durations.total);
  const queued = rounded(durations.queued);
  const read = rounded(durations.read);
  const handler = rounded(durations.handler);
  const written = rounded(durations.written);
  const waiting = rounded(durations.waiting);
  const facts = {
    operation,
    protocol,
    route,
    remoteAddress,
    faultCode,
    requestBytes,
    answerBytes,
    retries,
    error,
    requestId,
  };
  if (format === "json") {
    const steps = { total, queued, read, handler, written, waiting };
    const head = { time, level: "info", side, method, address, status, completed, durations: steps };
    return `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(facts).slice(1)}`;
  }
  const lost = completed ? "" : " incomplete";
  const steps = members({ total, queued, read, handler, written, waiting }, "ms");
  return `${time} ${side} ${word(method)} ${word(address)} ${status}${lost}${steps}${members(facts)}`;
}

/** Milliseconds with three decimals. */
function rounded(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds * 1000) / 1000;
}

/** One incident as a line. The stack of its exception is a member of the line. */
export function incidentLine(incident: ServerIncident, format: "text" | "json"): string {
  const { kind, message, error, limit, ...facts } = incident;
  const instant = new Date().toISOString();
  const level = levelOf(incident);
  // The error of a client's call may contain values of the answer; the message says what it is.
  const isExplained = error === undefined || limit !== undefined || (incident.side === "client" && kind !== "hook");
  const cause = isExplained ? undefined : causeText(error);
  if (format === "json") {
    return JSON.stringify({ time: instant, level, kind, message, ...facts, limit, cause });
  }
  return `${instant} ${level} ${word(kind)}: ${message}${members({ ...facts, cause })}`;
}

/** Clients cause warnings by what they send. */
function levelOf({ kind, limit }: ServerIncident): "warning" | "error" {
  return kind === "request" || limit !== undefined ? "warning" : "error";
}

/** The stack of an exception with those of its causes; another value that was thrown, as text. */
function causeText(error: unknown): string {
  if (!(error instanceof Error)) {
    return `Not an Error: ${String(error).slice(0, 200)}`;
  }
  const stack = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${stack}\nCaused by: ${causeText(error.cause)}` : stack;
}

/** ` name=value` for each member that is present. */
function members(facts: Readonly<Record<string, unknown>>, unit = ""): string {
  let text = "";
  for (const name in facts) {
    const value = facts[name];
    if (value !== undefined) {
      text += ` ${name}=${word(String(value))}${unit}`;
    }
  }
  return text;
}

/** A value without white space as it is; any other is quoted, so that a request cannot forge a line. */
function word(text: string): string {
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}
