import { blockingCode, type CallEvent, type OnCall, type OnError, type ServerIncident } from "./events.js";

/** Hooks that log calls and incidents. They write lines, call the methods of `console`, or call a pino logger. */

export interface LineLoggerOptions {
  /** `text` for humans, `json` for programs: one object per line. Default `text`. */
  readonly format?: "text" | "json" | undefined;
  /**
   * Writes one line, without a line break. Default: calls go to standard output, batched for 5 ms, and incidents to standard
   * error.
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
  const writeIncident = write ?? writeError;
  return {
    onCall: write === undefined ? (event) => callLines.add(event, format) : (event) => write(callLine(event, format)),
    onError: (incident) => writeIncident(incidentLine(incident, format)),
  };
}

/** Writes an incident's line at once, after the lines of earlier calls. */
function writeError(line: string): void {
  callLines.flush();
  console.error(line);
}

/** The methods of `console` that `consoleLogger` calls. Other loggers may have them too. */
export interface ConsoleLike {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Hooks for servers and clients that log each call and incident as a line of text, with the logger's method for its level. */
export function consoleLogger(logger: ConsoleLike = console): { readonly onCall: OnCall; readonly onError: OnError } {
  return {
    onCall: (event) => logger.info(callLine(event, "text")),
    onError: (incident) => logger[levelOf(incident) === "warning" ? "warn" : "error"](incidentLine(incident, "text")),
  };
}

/** Formats a call as one line. This takes 0.5 µs; passing an object to `JSON.stringify` would take 3.1 µs. */
export function callLine(event: CallEvent, format: "text" | "json"): string {
  return format === "json" ? jsonLine(event) : textLine(event);
}

function jsonLine(event: CallEvent): string {
  const { durations, requestBytes, answerBytes, retries, error, requestId } = event;
  const { total, queued, read, handler, written, waiting } = durations;
  const { head, tail } = jsonParts.forEvent(event);
  let line = `{"time":"${isoTimes.format(event.time)}${head}${milliseconds(total)}`;
  line += jsonStep(',"queued":', queued) + jsonStep(',"read":', read) + jsonStep(',"handler":', handler);
  line += jsonStep(',"written":', written) + jsonStep(',"waiting":', waiting);
  line += jsonStep(',"disconnectedAfter":', event.disconnectedAfter) + tail;
  line += jsonNumber(',"requestBytes":', requestBytes) + jsonNumber(',"answerBytes":', answerBytes);
  return `${line}${jsonNumber(',"retries":', retries)}${jsonText("error", error?.kind)},"requestId":${quotedText(requestId)}}`;
}

function jsonHead({ side, method, address, status, completed }: CallEvent): string {
  const call = `"level":"info","side":"${side}","method":${quotedText(method)},"address":${quotedText(address)}`;
  return `",${call},"status":${status},"completed":${completed},"durations":{"total":`;
}

function jsonTail({ operation, protocol, route, remoteAddress, userAgent, faultCode }: CallEvent): string {
  const call = `${jsonText("operation", operation)}${jsonText("protocol", protocol)}${jsonText("route", route)}`;
  return `}${call}${jsonText("remoteAddress", remoteAddress)}${jsonText("userAgent", userAgent)}${jsonText("faultCode", faultCode)}`;
}

function jsonStep(prefix: string, value: number | undefined): string {
  return value === undefined ? "" : prefix + milliseconds(value);
}

function jsonNumber(prefix: string, value: number | undefined): string {
  return value === undefined ? "" : prefix + value;
}

function jsonText(name: keyof CallEvent, value: string | undefined): string {
  return value === undefined ? "" : `,"${name}":${quotedText(value)}`;
}

/** Quotes a text as JSON. Nearly all texts need no escaping. */
function quotedText(text: string): string {
  return /[^\x20\x21\x23-\x5b\x5d-\x7e]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function textLine(event: CallEvent): string {
  const { durations, requestBytes, answerBytes, retries, error, requestId } = event;
  const { total, queued, read, handler, written, waiting } = durations;
  const { head, tail } = textParts.forEvent(event);
  let line = `${isoTimes.format(event.time)}${head}${milliseconds(total)}ms`;
  line += textStep(" queued=", queued) + textStep(" read=", read) + textStep(" handler=", handler);
  line += textStep(" written=", written) + textStep(" waiting=", waiting);
  line += textStep(" disconnectedAfter=", event.disconnectedAfter) + tail;
  line += textNumber(" requestBytes=", requestBytes) + textNumber(" answerBytes=", answerBytes);
  return `${line}${textNumber(" retries=", retries)}${textMember("error", error?.kind)} requestId=${quoteIfNeeded(requestId)}`;
}

function textHead({ side, method, address, status, completed }: CallEvent): string {
  return ` ${side} ${quoteIfNeeded(method)} ${quoteIfNeeded(address)} ${status}${completed ? "" : " incomplete"} total=`;
}

function textTail({ operation, protocol, route, remoteAddress, userAgent, faultCode }: CallEvent): string {
  const call = `${textMember("operation", operation)}${textMember("protocol", protocol)}${textMember("route", route)}`;
  return `${call}${textMember("remoteAddress", remoteAddress)}${textMember("userAgent", userAgent)}${textMember("faultCode", faultCode)}`;
}

function textStep(prefix: string, value: number | undefined): string {
  return value === undefined ? "" : `${prefix}${milliseconds(value)}ms`;
}

function textNumber(prefix: string, value: number | undefined): string {
  return value === undefined ? "" : prefix + value;
}

function textMember(name: keyof CallEvent, value: string | undefined): string {
  return value === undefined ? "" : ` ${name}=${quoteIfNeeded(value)}`;
}

/**
 * Two parts of a line that are often the same in consecutive calls of an operation, and the members of the event that they contain.
 */
interface SharedParts extends Pick<CallEvent, SharedMember> {
  readonly head: string;
  readonly tail: string;
}

type SharedMember =
  | "side"
  | "method"
  | "address"
  | "status"
  | "completed"
  | "protocol"
  | "route"
  | "remoteAddress"
  | "userAgent"
  | "faultCode";

/** The maximum number of operations whose parts are cached. */
const maxOperations = 1_000;

/** Caches the parts of each operation's last line. The next line reuses them if its members are the same. */
class LastParts {
  readonly #headOf: (event: CallEvent) => string;
  readonly #tailOf: (event: CallEvent) => string;
  readonly #byOperation = new Map<string | undefined, SharedParts>();

  constructor(headOf: (event: CallEvent) => string, tailOf: (event: CallEvent) => string) {
    this.#headOf = headOf;
    this.#tailOf = tailOf;
  }

  forEvent(event: CallEvent): SharedParts {
    const { side, operation, method, address, status, completed, protocol, route, faultCode } = event;
    const { remoteAddress, userAgent } = event;
    const lastParts = this.#byOperation.get(operation);
    if (
      lastParts !== undefined &&
      lastParts.address === address &&
      lastParts.status === status &&
      lastParts.remoteAddress === remoteAddress &&
      lastParts.userAgent === userAgent &&
      lastParts.method === method &&
      lastParts.protocol === protocol &&
      lastParts.route === route &&
      lastParts.faultCode === faultCode &&
      lastParts.completed === completed &&
      lastParts.side === side
    ) {
      return lastParts;
    }
    const head = this.#headOf(event);
    const tail = this.#tailOf(event);
    const call = { side, method, address, status, completed, protocol, route, faultCode };
    const parts = { ...call, remoteAddress, userAgent, head, tail };
    if (lastParts !== undefined || this.#byOperation.size < maxOperations) {
      this.#byOperation.set(operation, parts);
    }
    return parts;
  }
}

const jsonParts: LastParts = /* @__PURE__ */ new LastParts(jsonHead, jsonTail);
const textParts: LastParts = /* @__PURE__ */ new LastParts(textHead, textTail);

/** Formats a time in milliseconds, with at most three decimals. */
function milliseconds(value: number): string {
  const microseconds = Math.round(value * 1000);
  return microseconds < 1000 ? thousandths(microseconds) : longMilliseconds(microseconds);
}

function longMilliseconds(microseconds: number): string {
  const wholeMilliseconds = Math.floor(microseconds / 1000);
  return wholeMilliseconds + thousandths(microseconds - wholeMilliseconds * 1000).slice(1);
}

/** The texts of 0 to 999 thousandths, created on first use: `0`, `0.001`, `0.25`. */
const thousandthTexts: string[] = [];

function thousandths(count: number): string {
  thousandthTexts[count] ??= String(count / 1000);
  return thousandthTexts[count];
}

/** Formats times in ISO 8601. Reuses the text of the last second, because `toISOString` takes 0.5 µs. */
class IsoTimes {
  #wholeSecond = Number.NaN;
  #start = "";

  format(time: number): string {
    const wholeSecond = Math.floor(time / 1000);
    if (wholeSecond !== this.#wholeSecond) {
      this.#wholeSecond = wholeSecond;
      this.#start = new Date(wholeSecond * 1000).toISOString().slice(0, -4);
    }
    const fraction = Math.floor(time - wholeSecond * 1000);
    return `${this.#start}${fraction < 10 ? "00" : fraction < 100 ? "0" : ""}${fraction}Z`;
  }
}

const isoTimes: IsoTimes = /* @__PURE__ */ new IsoTimes();

/** Formats an incident as one line. The member `cause` is the stack of its exception. */
export function incidentLine(incident: ServerIncident, format: "text" | "json"): string {
  const { kind, message, error, limit, ...others } = incident;
  const instant = new Date().toISOString();
  const level = levelOf(incident);
  // Leaves out the error of a client, because it may contain values from the answer, and the message explains it already.
  const isExplained = error === undefined || limit !== undefined || (incident.side === "client" && kind !== "hook");
  const cause = isExplained ? undefined : errorText(error);
  if (format === "json") {
    return JSON.stringify({ time: instant, level, kind, message, ...others, limit, cause });
  }
  return `${instant} ${level} ${quoteIfNeeded(kind)}: ${message}${formatMembers({ ...others, cause })}`;
}

/** Returns the level of an incident. Problems that clients cause by their requests are warnings. */
function levelOf({ kind, limit }: ServerIncident): "warning" | "error" {
  return kind === "request" || kind === "tls" || kind === "stalled" || limit !== undefined ? "warning" : "error";
}

/** Returns the text of an exception. Its members may be functions that throw, which must not lose the incident. */
function errorText(error: unknown): string {
  try {
    return causeText(error);
  } catch {
    return "The exception cannot be read: one of its members threw another one.";
  }
}

/** The maximum number of causes of an exception in a line. An exception may be its own cause. */
const maxCauses = 5;

/**
 * Returns the stack of an exception, of its causes, and the messages of the errors in an `AggregateError`, whose own message is often
 * empty. A thrown value that is not an Error is returned as text.
 */
function causeText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) {
    return `Not an Error: ${thrownText(error).slice(0, 200)}`;
  }
  let text = error.stack ?? messageText(error);
  if (error instanceof AggregateError) {
    text += error.errors
      .slice(0, maxCauses)
      .map((inner: unknown) => `\nOne of its errors: ${inner instanceof Error ? messageText(inner) : causeText(inner)}`)
      .join("");
  }
  return error.cause instanceof Error && depth < maxCauses
    ? `${text}\nCaused by: ${causeText(error.cause, depth + 1)}`
    : text;
}

function messageText({ name, message }: Error): string {
  return `${name}: ${message}`;
}

/** Returns a thrown value as text. Of an object, only the code and the message, because others may be secret. */
function thrownText(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) {
    return String(thrown);
  }
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  const texts = [code, message].filter((part) => typeof part === "string" || typeof part === "number");
  return texts.length === 0 ? "an object" : texts.join(": ");
}

/** Formats the members that are present: ` name=value name=value`. */
function formatMembers(record: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const name in record) {
    const value = record[name];
    if (value !== undefined) {
      text += ` ${name}=${quoteIfNeeded(String(value))}`;
    }
  }
  return text;
}

/** Quotes a text unless it consists of printable ASCII characters without spaces, so that a request cannot forge a log line. */
function quoteIfNeeded(text: string): string {
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}

/** The methods of a pino logger that `pinoLogger` calls. Other loggers may have them too. */
export interface PinoLike {
  info(record: object, message: string): void;
  warn(record: object, message: string): void;
  error(record: object, message: string): void;
}

/**
 * Hooks for servers and clients that log calls and incidents with pino: `listen(routes, pinoLogger(pino()))`. The
 * exception of an incident becomes the member `err`, which pino writes with its stack.
 */
export function pinoLogger(logger: PinoLike): { readonly onCall: OnCall; readonly onError: OnError } {
  return {
    onCall(event) {
      const { error, ...others } = event;
      const call = error === undefined ? others : { ...others, error: error.kind };
      logger.info(call, `${event.method} ${event.address} ${event.status}`);
    },
    onError(incident) {
      const { message, error, ...others } = incident;
      const loggedFields = error === undefined || incident.side === "client" ? others : { ...others, err: error };
      if (levelOf(incident) === "warning") {
        logger.warn(loggedFields, message);
      } else {
        logger.error(loggedFields, message);
      }
    },
  };
}

/** The members of Node's `process` that are used to write pending lines before the process ends. */
interface Process {
  readonly stdout: Output;
  on(event: "exit", listener: () => void): unknown;
}

/** A Node stream. */
interface Output {
  write(text: string, written: (error?: Error | null) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
}

/** The maximum time in milliseconds until the line of a call is written. */
const maxWait = 5;
/** When this number of calls wait, their lines are written at once. */
const maxWaitingCalls = 128;

/**
 * Writes the lines of calls to standard output, in batches of a few milliseconds: each write is a system call, which takes 7 to 10
 * of the 60 µs of a SOAP call. The lines of a batch are also formatted together, because between two calls the processor's cache
 * loses the code that formats them. They are written to the stream of the process, because `console.log` also passes lines to the
 * inspector, which takes 0.6 µs per line. Pending lines are written when the process ends. If a program cannot observe its end, as
 * on edge platforms, each line is written at once.
 */
class CallLines {
  #waitingEvents: CallEvent[] = [];
  #format: "text" | "json" = "text";
  #isLosingLines = false;
  /** The number of batches that the stream has not written yet. */
  #pendingWrites = 0;
  /** Whether the stream has the listener `ignoreError`. */
  #ignoresErrors = false;
  #timer: { unref?: () => unknown } | undefined;
  /** Standard output; undefined before the first line, null on a platform without it. */
  #output: Output | null | undefined;

  add(event: CallEvent, format: "text" | "json"): void {
    this.#output ??= this.#findOutput();
    if (this.#output === null) {
      console.log(callLine(event, format));
      return;
    }
    if (format !== this.#format) {
      this.flush();
      this.#format = format;
    }
    this.#waitingEvents.push(event);
    if (this.#waitingEvents.length >= maxWaitingCalls) {
      this.flush();
    } else if (this.#timer === undefined) {
      const timer: unknown = setTimeout(this.#onTimer, maxWait);
      this.#timer = typeof timer === "object" && timer !== null ? timer : {};
      this.#timer.unref?.();
    }
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.flush();
  };

  /** Writes the pending lines. A timer that is still running writes later lines. */
  flush(): void {
    const output = this.#output;
    if (this.#waitingEvents.length === 0 || !output) {
      return;
    }
    let lines = "";
    for (const event of this.#waitingEvents) {
      lines += `${callLine(event, this.#format)}\n`;
    }
    this.#waitingEvents = [];
    if (!this.#ignoresErrors) {
      // As with `console.log`, a closed pipe does not end the program.
      output.on("error", ignoreError);
      this.#ignoresErrors = true;
    }
    this.#pendingWrites += 1;
    blockingCode.watch(outputCode, () => output.write(lines, (error) => this.#afterWrite(output, error)));
  }

  #afterWrite(output: Output, error: Error | null | undefined): void {
    this.#pendingWrites -= 1;
    if (this.#pendingWrites === 0 && !error) {
      // The event `error` of an earlier write may occur after this callback.
      setTimeout(() => this.#stopIgnoringErrors(output), 0);
    }
    this.#reportLoss(error);
  }

  #stopIgnoringErrors(output: Output): void {
    if (this.#pendingWrites === 0) {
      output.removeListener("error", ignoreError);
      this.#ignoresErrors = false;
    }
  }

  /**
   * Reports that lines are lost, for example because the disk is full. Reports this once, and again only after lines could be
   * written. A closed pipe is not reported, because its reader wants no more lines.
   */
  #reportLoss(error: (Error & { readonly code?: string }) | null | undefined): void {
    const isLosing = error !== null && error !== undefined && error.code !== "EPIPE";
    if (isLosing && !this.#isLosingLines) {
      const message = `Lines about calls cannot be written to standard output and are lost: ${error.message}`;
      console.error(incidentLine({ kind: "hook", message }, "text"));
    }
    this.#isLosingLines = isLosing;
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

const outputCode = {
  name: "writing the log to standard output",
  advice: "The program or the disk that receives the log is slow.",
};

function ignoreError(): void {}

/** Shared by all loggers, because a process has only one standard output, and a stream warns if it has many listeners. */
export const callLines: CallLines = /* @__PURE__ */ new CallLines();
