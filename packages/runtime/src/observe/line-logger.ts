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

/** One call as a line. */
export function callLine(event: CallEvent, format: "text" | "json"): string {
  const { time, durations, error, principal, ...facts } = event;
  const instant = new Date(time).toISOString();
  const rounded = Object.entries(durations).flatMap(([step, milliseconds]: [string, number | undefined]) =>
    milliseconds === undefined ? [] : [[step, Math.round(milliseconds * 1000) / 1000] as const],
  );
  const kind = error?.kind;
  if (format === "json") {
    return JSON.stringify({
      time: instant,
      level: "info",
      ...facts,
      error: kind,
      durations: Object.fromEntries(rounded),
    });
  }
  const { method, address, status, side, completed, requestId, ...others } = facts;
  const steps = rounded.map(([step, milliseconds]) => `${step}=${milliseconds}ms`).join(" ");
  const lost = completed ? "" : " incomplete";
  return `${instant} ${side} ${word(method)} ${word(address)} ${status}${lost} ${steps}${members({ ...others, error: kind, requestId })}`;
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

function members(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${word(String(value))}`)
    .join("");
}

/** A value without white space as it is; any other is quoted, so that a request cannot forge a line. */
function word(text: string): string {
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}
