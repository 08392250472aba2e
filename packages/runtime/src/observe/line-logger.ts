import type { CallEvent, OnCall, OnError, ServerIncident } from "./events.js";

export interface LineLoggerOptions {
  /** `text` for people, `json` for programs: one object per line. Default `text`. */
  readonly format?: "text" | "json" | undefined;
  /** Writes one line, without a line break. Default: calls on standard output, incidents on standard error. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Hooks for servers that log calls and incidents as lines: `listen(routes, lineLogger({ format: "json" }))`. */
export function lineLogger({ format = "text", write }: LineLoggerOptions = {}): {
  readonly onCall: OnCall;
  readonly onError: OnError;
} {
  const writeCall = write ?? ((line) => console.log(line));
  const writeIncident = write ?? ((line) => console.error(line));
  return {
    onCall: (event) => writeCall(callLine(event, format)),
    onError: (incident) => writeIncident(incidentLine(incident, format)),
  };
}

/** One call as a line. Written member by member, because it runs for each call. */
export function callLine(event: CallEvent, format: "text" | "json"): string {
  const { side, requestId, operation, protocol, route, method, address, remoteAddress, status, faultCode } = event;
  const { requestBytes, answerBytes, completed, durations } = event;
  const time = new Date(event.time).toISOString();
  const error = event.error?.kind;
  const total = rounded(durations.total);
  const queued = rounded(durations.queued);
  const read = rounded(durations.read);
  const handler = rounded(durations.handler);
  const written = rounded(durations.written);
  const facts = { operation, protocol, route, remoteAddress, faultCode, requestBytes, answerBytes, error, requestId };
  if (format === "json") {
    const steps = { total, queued, read, handler, written };
    const head = { time, level: "info", side, method, address, status, completed, durations: steps };
    return `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(facts).slice(1)}`;
  }
  const lost = completed ? "" : " incomplete";
  const steps = members({ total, queued, read, handler, written }, "ms");
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
  // Clients cause these by what they send.
  const level = kind === "request" || limit !== undefined ? "warning" : "error";
  const cause = error === undefined || limit !== undefined ? undefined : causeText(error);
  if (format === "json") {
    return JSON.stringify({ time: instant, level, kind, message, ...facts, limit, cause });
  }
  return `${instant} ${level} ${word(kind)}: ${message}${members({ ...facts, cause })}`;
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
