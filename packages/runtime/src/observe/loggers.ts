import type { CallEvent, OnCall, OnError, ServerIncident } from "./events.js";

/** Hooks that log calls and incidents: as lines, with the methods of `console`, and with pino. */

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

/** The methods of a pino logger, or of one like it, that are called. */
export interface PinoLike {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/**
 * Hooks for servers and clients that log calls and incidents with pino: `listen(routes, pinoLogger(pino()))`. The exception of
 * an incident is its member `err`, which pino writes with its stack.
 */
export function pinoLogger(logger: PinoLike): { readonly onCall: OnCall; readonly onError: OnError } {
  return {
    onCall(event) {
      const { error, ...facts } = event;
      const call = error === undefined ? facts : { ...facts, error: error.kind };
      logger.info(call, `${event.method} ${event.address} ${event.status}`);
    },
    onError(incident) {
      const { message, error, ...facts } = incident;
      const logged = error === undefined || incident.side === "client" ? facts : { ...facts, err: error };
      if (incident.kind === "request" || incident.limit !== undefined) {
        logger.warn(logged, message);
      } else {
        logger.error(logged, message);
      }
    },
  };
}

/** A process that can write what is left before it ends. */
interface Process {
  on(event: "exit", listener: () => void): unknown;
}

/** Milliseconds that a line may wait, and the characters that are written at once. */
const longestWait = 5;
const mostCharacters = 65_536;

/**
 * Writes lines to standard output, those of a few milliseconds at once: a line by itself costs a call of the system, 7 to 10 µs of
 * a SOAP call of 60. What is left is written when the process ends. Where a program cannot wait for its end, as on edge platforms,
 * each line is written at once.
 */
class ConsoleLines {
  #waiting: string[] = [];
  #characters = 0;
  #timer: { unref?: () => unknown } | undefined;
  #flushesAtExit: boolean | undefined;

  add(line: string): void {
    this.#flushesAtExit ??= this.#flushAtExit();
    if (!this.#flushesAtExit) {
      console.log(line);
      return;
    }
    this.#waiting.push(line);
    this.#characters += line.length;
    if (this.#characters >= mostCharacters) {
      this.flush();
    } else if (this.#timer === undefined) {
      const timer: unknown = setTimeout(() => this.flush(), longestWait);
      this.#timer = typeof timer === "object" && timer !== null ? timer : {};
      this.#timer.unref?.();
    }
  }

  /** Writes the lines that wait. A timer that is still running writes those that follow. */
  flush(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0) {
      const lines = this.#waiting.join("\n");
      this.#waiting = [];
      this.#characters = 0;
      console.log(lines);
    }
  }

  #flushAtExit(): boolean {
    const platform: { readonly process?: Partial<Process> } = globalThis;
    if (typeof platform.process?.on !== "function") {
      return false;
    }
    platform.process.on("exit", () => this.flush());
    return true;
  }
}

/** One for all loggers, because a process has one standard output and warns about many listeners. */
export const consoleLines: ConsoleLines = /* @__PURE__ */ new ConsoleLines();
