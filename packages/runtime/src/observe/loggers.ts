import { ConfigError } from "../errors.js";
import { checkOptionsOf } from "../option-checks.js";
import {
  booleanType,
  createChoice,
  createInterface,
  functionType,
  type OptionType,
  type OptionTypes,
} from "../option-types.js";
import { describeValue } from "../value-problems.js";
import {
  addCallLine,
  escapeControls,
  formatCallLine,
  LineBuffer,
  type LineFormat,
  LinePart,
  maxUsualLine,
} from "./call-lines.js";
import type { CallEvent, OnCall, OnError, ServerIncident } from "./events.js";
import { chooseLevel, findLoggedError, findReason, formatIncident, type LineSettings } from "./incident-lines.js";
import { hasWritten, type LossReport, LostLines, type Output, readerStopped, type StreamError } from "./lost-lines.js";
import { copyLoggedError } from "./received-errors.js";
import { blockingCode, collectingHooks } from "./safe-hooks.js";

/**
 * Hooks that log calls and incidents: as lines of text or JSON, with the methods of `console`, or with a pino logger.
 */

/** Options of all loggers. */
export interface LoggerOptions {
  /**
   * Whether the lines of a client's failed calls contain the reason from the answer as `reason`: the text of a fault or
   * an error, at most 200 characters. Servers may repeat values of requests in it. Default false.
   */
  readonly reasons?: boolean | undefined;
}

export interface LineLoggerOptions extends LoggerOptions {
  /** `text` for humans, `json` for programs: one object per line. Default `text`. */
  readonly format?: LineFormat | undefined;
  /**
   * Writes one line, which is passed without a line break. Default: the lines of calls go to standard output, in
   * batches every 20 ms, and the lines of incidents go to standard error.
   */
  readonly write?: ((line: string) => void) | undefined;
}

const loggerTypes: OptionTypes<LoggerOptions> = { reasons: booleanType };
const lineLoggerTypes: OptionTypes<LineLoggerOptions> = {
  format: createChoice("text", "json"),
  write: functionType,
  ...loggerTypes,
};
const consoleLike: OptionType = createInterface("info", "warn", "error");

/** Checks the parameters of `consoleLogger` and `pinoLogger`. */
function checkLogger(owner: string, logger: unknown, options: LoggerOptions): void {
  if (!consoleLike.accepts(logger)) {
    throw new ConfigError(`The logger of ${owner} must be ${consoleLike.description}, not ${describeValue(logger)}.`);
  }
  checkOptionsOf(owner, options, loggerTypes);
}

/**
 * Hooks for servers and clients that log calls and incidents as lines: `listen(routes, lineLogger({ format: "json"
 * }))`, `new VehicleClient(lineLogger())`.
 */
export function lineLogger(options: LineLoggerOptions = {}): { readonly onCall: OnCall; readonly onError: OnError } {
  checkOptionsOf("lineLogger", options, lineLoggerTypes);
  const { format = "text", write, reasons = false } = options;
  if (write !== undefined) {
    return {
      onCall: (event) => write(formatCallLine(event, format)),
      onError: (incident) => write(formatIncident(incident, { format, reasons })),
    };
  }
  const onCall: OnCall = (event) => callLines.add(event, format);
  collectingHooks.add(onCall);
  return {
    onCall,
    onError: (incident) => {
      // The lines of earlier calls are written first.
      callLines.flush();
      writeErrorLine(incident, { format, reasons });
    },
  };
}

/** The maximum time in milliseconds after a failed write until the stream emits its error. */
const maxErrorDelay = 1_000;

/**
 * Writes lines to a standard stream with a method of a console. If the disk is full, or the reader of the stream has
 * gone, the stream emits `error` after the method has returned. Without a listener, this event would end the program; a
 * log line that cannot be written must not stop a server.
 */
class StandardStream {
  readonly #name: "stdout" | "stderr";
  readonly #lostLines: LostLines;
  /** The number of lines that may still wait in the stream. */
  #waitingLines = 0;
  #timer: (ReturnType<typeof setTimeout> & { unref?: () => unknown }) | undefined;

  constructor(name: "stdout" | "stderr", lostLines: LostLines) {
    this.#name = name;
    this.#lostLines = lostLines;
  }

  /**
   * Calls the method, and ignores errors that the stream emits while the line waits, and shortly afterwards. Later
   * errors reach the program as usual. A report of lost lines precedes the line.
   */
  write(method: (line: string) => void, line: string, format: LineFormat = "text"): void {
    const { process }: Partial<NodeParts> = globalThis;
    const stream = process?.[this.#name];
    if (typeof stream?.on !== "function" || typeof stream.removeListener !== "function") {
      method(line);
      return;
    }
    if (!this.#lostLines.mayWrite(stream, () => this.#reportLoss(stream, method, format))) {
      this.#lostLines.add(1, readerStopped);
      this.#announceLoss(readerStopped);
      return;
    }
    this.#ignoreErrors(stream);
    this.#reportLoss(stream, method, format);
    method(line);
    this.#waitingLines = hasWritten(stream) ? 0 : this.#waitingLines + 1;
  }

  #reportLoss(stream: Output, method: (line: string) => void, format: LineFormat): void {
    const report = this.#lostLines.takeReport();
    if (report === undefined) {
      return;
    }
    this.#ignoreErrors(stream);
    method(formatLoss(report, format));
    if (stream.errored) {
      this.#lostLines.restoreReport(report);
    }
  }

  #ignoreErrors(stream: Output): void {
    if (this.#timer === undefined) {
      stream.on("error", this.#onError);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      stream.removeListener("error", this.#onError);
      if (!hasWritten(stream)) {
        this.#ignoreErrors(stream);
      }
    }, maxErrorDelay);
    this.#timer.unref?.();
  }

  readonly #onError = (error: StreamError): void => {
    this.#lostLines.add(Math.max(1, this.#waitingLines), error.message);
    this.#waitingLines = 0;
    if (isLoss(error)) {
      this.#announceLoss(error.message);
    }
  };

  /** Reports on standard error that lines on standard output are lost. A loss on standard error cannot be reported. */
  #announceLoss(reason: string): void {
    if (this.#name === "stdout") {
      announceLoss(this.#lostLines, reason);
    }
  }
}

/**
 * Whether an error of standard output must be reported. A closed pipe need not be reported, because its reader wants no
 * more lines.
 */
function isLoss({ code }: StreamError): boolean {
  return code !== "EPIPE";
}

/** Reports on standard error, at most once a minute, that lines are being lost. */
function announceLoss(lostLines: LostLines, reason: string): void {
  if (lostLines.mayAnnounce()) {
    const message = `Lines about calls cannot be written to standard output and are lost: ${reason}`;
    writeErrorLine({ kind: "hook", message });
  }
}

function formatLoss({ message }: LossReport, format: LineFormat): string {
  return formatIncident({ kind: "hook", message }, { format });
}

// Shared by all servers and loggers, because a process has only one of each stream.
const lostOutputLines: LostLines = /* @__PURE__ */ new LostLines("standard output");
const lostErrorLines: LostLines = /* @__PURE__ */ new LostLines("standard error");
const standardOutput: StandardStream = /* @__PURE__ */ new StandardStream("stdout", lostOutputLines);
const standardError: StandardStream = /* @__PURE__ */ new StandardStream("stderr", lostErrorLines);

/** Returns the number of lines that could not be written to the standard streams since the program started. */
export function countLostLines(): number {
  return lostOutputLines.total + lostErrorLines.total;
}

/** Writes an incident to standard error. A failed write does not end the program. */
export function writeErrorLine(incident: ServerIncident, settings: LineSettings = { format: "text" }): void {
  standardError.write((line) => console.error(line), formatIncident(incident, settings), settings.format);
}

/** The methods that `consoleLogger` calls. Besides `console`, many loggers have these methods. */
export interface ConsoleLike {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/**
 * Hooks for servers and clients that log each call and incident as a line of text. The line is written with the
 * logger's method for its level. Most loggers write to the standard streams; if such a write fails, the program
 * continues.
 */
export function consoleLogger(
  logger: ConsoleLike = console,
  options: LoggerOptions = {},
): { readonly onCall: OnCall; readonly onError: OnError } {
  checkLogger("consoleLogger", logger, options);
  const { reasons = false } = options;
  return {
    onCall: (event) => standardOutput.write((line) => logger.info(line), formatCallLine(event, "text")),
    onError(incident) {
      const level = chooseLevel(incident) === "warning" ? "warn" : "error";
      standardError.write((line) => logger[level](line), formatIncident(incident, { format: "text", reasons }));
    },
  };
}

/** The methods that `pinoLogger` calls. Some loggers other than pino also have these methods. */
export interface PinoLike {
  info(record: object, message: string): void;
  warn(record: object, message: string): void;
  error(record: object, message: string): void;
}

/**
 * Hooks for servers and clients that log calls and incidents with pino: `listen(routes, pinoLogger(pino()))`. The
 * exception of an incident becomes the member `err`, which pino writes with its stack.
 */
export function pinoLogger(
  logger: PinoLike,
  options: LoggerOptions = {},
): { readonly onCall: OnCall; readonly onError: OnError } {
  checkLogger("pinoLogger", logger, options);
  const { reasons = false } = options;
  return {
    onCall(event) {
      // Pino writes the time of the line as `time`, so the time at which the call began has another name.
      const { time: startTime, error, ...others } = event;
      const call = error === undefined ? { startTime, ...others } : { startTime, ...others, error: error.kind };
      logger.info(call, `${event.method} ${event.address} ${event.status}`);
    },
    onError(incident) {
      const { message, error: _error, ...others } = incident;
      const reason = reasons ? findReason(incident) : undefined;
      const fields = reason === undefined ? others : { ...others, reason: escapeControls(reason) };
      const error = findLoggedError(incident);
      const loggedFields = error === undefined ? fields : { ...fields, err: copyLoggedError(error, { reasons }) };
      if (chooseLevel(incident) === "warning") {
        logger.warn(loggedFields, message);
      } else {
        logger.error(loggedFields, message);
      }
    },
  };
}

/** The parts of Node that are used to write log lines, and to write the remaining lines when the process ends. */
interface NodeParts {
  readonly process: {
    readonly stdout?: Output;
    readonly stderr?: Output;
    on?(event: "exit", listener: () => void): unknown;
  };
  readonly Buffer: { from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array };
}

/**
 * The maximum time in milliseconds until the line of a call is written. With 5 ms, a batch of a busy server would have
 * only 30 to 70 lines. Half of the time for a write does not depend on its size, so such small batches would add 1 µs
 * to each call.
 */
const maxWait = 20;
/** When this many calls are waiting, their lines are written at once. */
const maxWaitingCalls = 128;

/**
 * Writes the lines of calls to standard output in batches, because each write is a system call that takes 7 to 10 µs of
 * the 60 µs that a SOAP call takes. The lines of a batch are also formatted together: if each line were formatted after
 * its call, the processor's cache would have lost the formatting code by then. Writes directly to the process's stream,
 * because `console.log` also passes each line to the inspector, which takes 0.6 µs. Pending lines are written when the
 * process ends. If a program cannot observe its end, as on edge platforms, each line is written at once.
 */
class CallLines {
  #waitingEvents: CallEvent[] = [];
  #format: LineFormat = "text";
  /** The number of batches that the stream has not written yet. */
  #pendingWrites = 0;
  /** Whether the stream has the listener `ignoreError`. */
  #ignoresErrors = false;
  #timer: { unref?: () => unknown } | undefined;
  /** The stream of standard output; undefined before the first line, null on a platform without such a stream. */
  #output: Output | null | undefined;
  /** Node's class `Buffer`. Defined if `#output` is a stream. */
  #bufferClass: NodeParts["Buffer"] | undefined;

  add(event: CallEvent, format: LineFormat): void {
    this.#output ??= this.#openOutput();
    if (this.#output === null) {
      console.log(formatCallLine(event, format));
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

  /** Writes the pending lines. A running timer is not stopped, and will write any later lines. */
  flush(): void {
    const output = this.#output;
    if (this.#waitingEvents.length === 0 || !output) {
      return;
    }
    const events = this.#waitingEvents;
    this.#waitingEvents = [];
    if (!lostOutputLines.mayWrite(output, () => this.#write(output, []))) {
      lostOutputLines.add(events.length, readerStopped);
      announceLoss(lostOutputLines, readerStopped);
      return;
    }
    this.#write(output, events);
  }

  /** Writes the lines of calls, and before them a report of lost lines. */
  #write(output: Output, events: readonly CallEvent[]): void {
    const report = lostOutputLines.takeReport();
    if (report === undefined && events.length === 0) {
      return;
    }
    const buffer = new LineBuffer(events.length * maxUsualLine);
    if (report !== undefined) {
      buffer.addText(`${formatLoss(report, this.#format)}\n`);
    }
    for (const event of events) {
      addCallLine(buffer, event, this.#format);
      buffer.addPart(lineBreak);
    }
    // The chunk is a `Buffer`, because other code that reads the chunks of this stream expects strings or instances of
    // `Buffer`.
    const { buffer: memory, byteOffset, length } = buffer.bytes;
    const lines = this.#bufferClass?.from(memory, byteOffset, length) ?? buffer.bytes;
    if (!this.#ignoresErrors) {
      // This listener keeps a closed pipe from ending the program, as with `console.log`.
      output.on("error", ignoreError);
      this.#ignoresErrors = true;
    }
    this.#pendingWrites += 1;
    blockingCode.watch(outputCode, () =>
      output.write(lines, (error) => {
        if (error) {
          lostOutputLines.restoreReport(report);
          lostOutputLines.add(events.length, error.message);
        }
        this.#onWritten(output, error);
      }),
    );
  }

  #onWritten(output: Output, error: StreamError | null | undefined): void {
    this.#pendingWrites -= 1;
    if (this.#pendingWrites === 0 && !error) {
      // An `error` event of an earlier write may occur after this callback, so the listener is removed later.
      setTimeout(() => this.#stopIgnoringErrors(output), 0);
    }
    if (error && isLoss(error)) {
      announceLoss(lostOutputLines, error.message);
    }
  }

  #stopIgnoringErrors(output: Output): void {
    if (this.#pendingWrites === 0) {
      output.removeListener("error", ignoreError);
      this.#ignoresErrors = false;
    }
  }

  #openOutput(): Output | null {
    const platform: Partial<NodeParts> = globalThis;
    const { process, Buffer } = platform;
    if (typeof process?.on !== "function" || typeof process.stdout?.write !== "function" || Buffer === undefined) {
      return null;
    }
    this.#bufferClass = Buffer;
    process.on("exit", () => this.flush());
    return process.stdout;
  }
}

const lineBreak: LinePart = /* @__PURE__ */ new LinePart("\n");

const outputCode = {
  name: "writing the log to standard output",
  advice: "The program or the disk that receives the log is slow.",
};

function ignoreError(): void {}

/**
 * Shared by all loggers, because a process has only one standard output, and a stream warns if it has many listeners.
 */
export const callLines: CallLines = /* @__PURE__ */ new CallLines();
