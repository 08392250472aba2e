import type { CallDurations, CallEvent, OnCall, OnError, ServerIncident } from "./events.js";

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

/**
 * One call as a line. Its text is put together member by member, because it runs for each call: as two objects for
 * `JSON.stringify`, a line took 3.1 µs, and takes 1.0.
 */
export function callLine(event: CallEvent, format: "text" | "json"): string {
  return format === "json" ? jsonLine(event) : textLine(event);
}

function jsonLine(event: CallEvent): string {
  const { side, operation, protocol, route, method, address, remoteAddress, faultCode, requestId, durations } = event;
  const { total, queued, read, handler, written, waiting } = durations;
  const steps = `{"total":${milliseconds(total)}${jsonStep("queued", queued)}${jsonStep("read", read)}${jsonStep("handler", handler)}${jsonStep("written", written)}${jsonStep("waiting", waiting)}}`;
  const head = `{"time":"${isoTimes.of(event.time)}","level":"info","side":"${side}","method":${quoted(method)},"address":${quoted(address)},"status":${event.status},"completed":${event.completed},"durations":${steps}`;
  const call = `${jsonText("operation", operation)}${jsonText("protocol", protocol)}${jsonText("route", route)}`;
  const peer = `${jsonText("remoteAddress", remoteAddress)}${jsonText("faultCode", faultCode)}`;
  const sizes = `${jsonNumber("requestBytes", event.requestBytes)}${jsonNumber("answerBytes", event.answerBytes)}`;
  const end = `${jsonNumber("retries", event.retries)}${jsonText("error", event.error?.kind)},"requestId":${quoted(requestId)}}`;
  return head + call + peer + sizes + end;
}

function jsonStep(name: keyof CallDurations, value: number | undefined): string {
  return value === undefined ? "" : `,"${name}":${milliseconds(value)}`;
}

function jsonText(name: keyof CallEvent, value: string | undefined): string {
  return value === undefined ? "" : `,"${name}":${quoted(value)}`;
}

function jsonNumber(name: keyof CallEvent, value: number | undefined): string {
  return value === undefined ? "" : `,"${name}":${value}`;
}

/** A text as JSON. Nearly all have nothing to escape. */
function quoted(text: string): string {
  return /[^\x20\x21\x23-\x5b\x5d-\x7e]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function textLine(event: CallEvent): string {
  const { side, operation, protocol, route, method, address, remoteAddress, faultCode, requestId, durations } = event;
  const { total, queued, read, handler, written, waiting } = durations;
  const head = `${isoTimes.of(event.time)} ${side} ${word(method)} ${word(address)} ${event.status}${event.completed ? "" : " incomplete"}`;
  const steps = ` total=${milliseconds(total)}ms${textStep("queued", queued)}${textStep("read", read)}${textStep("handler", handler)}${textStep("written", written)}${textStep("waiting", waiting)}`;
  const call = `${textFact("operation", operation)}${textFact("protocol", protocol)}${textFact("route", route)}`;
  const peer = `${textFact("remoteAddress", remoteAddress)}${textFact("faultCode", faultCode)}`;
  const sizes = `${textNumber("requestBytes", event.requestBytes)}${textNumber("answerBytes", event.answerBytes)}`;
  const end = `${textNumber("retries", event.retries)}${textFact("error", event.error?.kind)} requestId=${word(requestId)}`;
  return head + steps + call + peer + sizes + end;
}

function textStep(name: keyof CallDurations, value: number | undefined): string {
  return value === undefined ? "" : ` ${name}=${milliseconds(value)}ms`;
}

function textFact(name: keyof CallEvent, value: string | undefined): string {
  return value === undefined ? "" : ` ${name}=${word(value)}`;
}

function textNumber(name: keyof CallEvent, value: number | undefined): string {
  return value === undefined ? "" : ` ${name}=${value}`;
}

/** Milliseconds with at most three decimals, as text. From whole microseconds it takes a third of what a fraction takes. */
function milliseconds(value: number): string {
  const microseconds = Math.round(value * 1000);
  const whole = Math.floor(microseconds / 1000);
  const rest = microseconds - whole * 1000;
  return rest === 0 ? `${whole}` : `${whole}.${decimals(rest)}`;
}

/** The decimals of a whole number of thousandths below 1,000, without zeros at the end. */
function decimals(thousandths: number): string {
  if (thousandths % 100 === 0) {
    return `${thousandths / 100}`;
  }
  if (thousandths % 10 === 0) {
    return thousandths < 100 ? `0${thousandths / 10}` : `${thousandths / 10}`;
  }
  return thousandths < 10 ? `00${thousandths}` : thousandths < 100 ? `0${thousandths}` : `${thousandths}`;
}

/** Instants as texts. The calls of one second differ in their milliseconds only; `toISOString` takes 0.5 µs. */
class IsoTimes {
  #second = Number.NaN;
  #start = "";

  of(time: number): string {
    const second = Math.floor(time / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#start = new Date(second * 1000).toISOString().slice(0, -4);
    }
    const rest = Math.floor(time - second * 1000);
    return `${this.#start}${rest < 10 ? "00" : rest < 100 ? "0" : ""}${rest}Z`;
  }
}

const isoTimes: IsoTimes = /* @__PURE__ */ new IsoTimes();

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
  return kind === "request" || kind === "tls" || limit !== undefined ? "warning" : "error";
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
  readonly stdout: Output;
  on(event: "exit", listener: () => void): unknown;
}

/** A stream of Node. */
interface Output {
  write(text: string, written: (error?: Error | null) => void): unknown;
  once(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
}

/** Milliseconds that a line may wait, and the characters that are written at once. */
const longestWait = 5;
const mostCharacters = 65_536;

/**
 * Writes lines to standard output, those of a few milliseconds at once: a line by itself costs a call of the system, 7 to 10 µs of
 * a SOAP call of 60. They are written to the stream, because `console.log` also passes them to the inspector, 0.6 µs for each line.
 * What is left is written when the process ends. Where a program cannot wait for its end, as on edge platforms, each line is
 * written at once.
 */
class ConsoleLines {
  #waiting: string[] = [];
  #characters = 0;
  #timer: { unref?: () => unknown } | undefined;
  /** Undefined: not looked for yet. Null: there is none. */
  #output: Output | null | undefined;

  add(line: string): void {
    this.#output ??= this.#findOutput();
    if (this.#output === null) {
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
    const output = this.#output;
    if (this.#waiting.length > 0 && output) {
      this.#waiting.push("");
      const lines = this.#waiting.join("\n");
      this.#waiting = [];
      this.#characters = 0;
      // As with `console.log`, a closed pipe does not end the program. The event comes after the call with the error.
      output.once("error", ignore);
      output.write(lines, (error) => {
        if (!error) {
          output.removeListener("error", ignore);
        }
      });
    }
  }

  #findOutput(): Output | null {
    const platform: { readonly process?: Partial<Process> } = globalThis;
    const { process } = platform;
    if (typeof process?.on !== "function" || typeof process.stdout?.write !== "function") {
      return null;
    }
    process.on("exit", () => this.flush());
    return process.stdout;
  }
}

function ignore(): void {}

/** One for all loggers, because a process has one standard output and warns about many listeners. */
export const consoleLines: ConsoleLines = /* @__PURE__ */ new ConsoleLines();
