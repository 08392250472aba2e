import type { CallEvent } from "./events.js";

/** The format of log lines: `text` for humans; `json` for programs, with one object per line. */
export type LineFormat = "text" | "json";

/** Returns the log line for a call, without a line break. */
export function formatCallLine(event: CallEvent, format: LineFormat): string {
  const buffer = new LineBuffer(maxUsualLine);
  addCallLine(buffer, event, format);
  return decoder.decode(buffer.bytes);
}

/** The buffer size in bytes that is enough for a line of usual length. */
export const maxUsualLine = 512;

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
const decoder: TextDecoder = /* @__PURE__ */ new TextDecoder();

/** A part of log lines that is written more than once. */
export class LinePart {
  readonly bytes: Uint8Array;
  /** The bytes, and zeros up to a multiple of four bytes. */
  readonly words: DataView;
  readonly length: number;

  constructor(text: string) {
    this.bytes = encoder.encode(text);
    this.length = this.bytes.length;
    const paddedBytes = new Uint8Array(4 * Math.ceil(this.bytes.length / 4));
    paddedBytes.set(this.bytes);
    this.words = new DataView(paddedBytes.buffer);
  }
}

const noPart: LinePart = /* @__PURE__ */ new LinePart("");

/**
 * Adds a call's log line to a buffer, without a line break. Most bytes of the line are the same as in the previous line
 * of the same operation, and are copied from it. Building the line as a string would take 1.5 µs longer, because its
 * thirty parts would be spread over memory.
 */
export function addCallLine(buffer: LineBuffer, event: CallEvent, lineFormat: LineFormat): void {
  const format = formats[lineFormat];
  const { durations, requestBytes, answerBytes, retries, error, requestId } = event;
  const { total, queued, read, handler, written, waiting } = durations;
  const { head, tail } = format.lastParts.forEvent(event);
  format.starts.add(buffer, event.time);
  buffer.addPart(head);
  addStep(buffer, format, noPart, total);
  addStep(buffer, format, format.queued, queued);
  addStep(buffer, format, format.read, read);
  addStep(buffer, format, format.handler, handler);
  addStep(buffer, format, format.written, written);
  addStep(buffer, format, format.waiting, waiting);
  addStep(buffer, format, format.disconnectedAfter, event.disconnectedAfter);
  buffer.addPart(tail);
  addNumber(buffer, format.requestBytes, requestBytes);
  addNumber(buffer, format.answerBytes, answerBytes);
  addNumber(buffer, format.retries, retries);
  if (event.ignoredArguments !== undefined) {
    addText(buffer, format, format.ignoredArguments, event.ignoredArguments.join(","));
  }
  if (error !== undefined) {
    addText(buffer, format, format.error, error.kind);
  }
  addText(buffer, format, format.requestId, requestId);
  buffer.addPart(format.end);
}

// Takes four parameters instead of an object: a line has ten members, and creating an object for each of them would
// take 10% of the time for the line.
function addStep(buffer: LineBuffer, format: Format, prefix: LinePart, value: number | undefined): void {
  if (value !== undefined) {
    buffer.addPart(prefix);
    buffer.addMilliseconds(value);
    if (format.unit !== noPart) {
      buffer.addPart(format.unit);
    }
  }
}

function addNumber(buffer: LineBuffer, prefix: LinePart, value: number | undefined): void {
  if (value !== undefined) {
    buffer.addPart(prefix);
    buffer.addInteger(value);
  }
}

function addText(buffer: LineBuffer, { isQuoted, quote }: Format, prefix: LinePart, value: string): void {
  buffer.addPart(prefix);
  if (!buffer.addPlainText(value, isQuoted)) {
    buffer.addText(quote(value));
  }
}

/** A growing buffer for the bytes of log lines. Strings and numbers can be added to it. */
export class LineBuffer {
  #bytes: Uint8Array;
  /** The memory of `#bytes`. */
  #view: DataView;
  #length = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** The bytes that were added. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Copies a short part in steps of four bytes, which takes a third of the time that a loop over its bytes takes. */
  addPart({ bytes, words, length }: LinePart): void {
    this.#reserve(length + 3);
    const start = this.#length;
    this.#length += length;
    if (length > maxCopiedBytes) {
      this.#bytes.set(bytes, start);
      return;
    }
    const view = this.#view;
    for (let index = 0; index < length; index += 4) {
      view.setUint32(start + index, words.getUint32(index));
    }
  }

  addText(text: string): void {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(3 * text.length);
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /**
   * Adds a string, in quotation marks if `isQuoted` is true. Adds nothing if the string would need escapes in JSON, or
   * quotation marks in a line of text. Returns whether the string was added.
   */
  addPlainText(text: string, isQuoted: boolean): boolean {
    const { length } = text;
    this.#reserve(length + 2);
    const bytes = this.#bytes;
    const mark = isQuoted ? 1 : 0;
    const start = this.#length + mark;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 0x21 || code > 0x7e || code === 0x22 || code === 0x5c) {
        return false;
      }
      bytes[start + index] = code;
    }
    if (isQuoted) {
      bytes[start - 1] = 0x22;
      bytes[start + length] = 0x22;
    }
    this.#length += length + 2 * mark;
    return length > 0 || isQuoted;
  }

  addInteger(value: number): void {
    if (isSmall(value)) {
      this.#reserve(maxDigits);
      this.#addDigits(value, countDigits(value));
    } else {
      this.addText(String(value));
    }
  }

  /** Adds a time in milliseconds, with at most three decimals. */
  addMilliseconds(value: number): void {
    const microseconds = Math.round(value * 1000);
    if (!isSmall(microseconds)) {
      this.addText(String(microseconds / 1000));
      return;
    }
    this.#reserve(maxDigits + 4);
    const wholeMilliseconds = (microseconds / 1000) | 0;
    this.#addDigits(wholeMilliseconds, countDigits(wholeMilliseconds));
    const fraction = microseconds - 1000 * wholeMilliseconds;
    if (fraction !== 0) {
      this.#addFraction(fraction);
    }
  }

  /** Adds thousandths without trailing zeros. All three digits are written, and the next part replaces the zeros. */
  #addFraction(thousandths: number): void {
    const bytes = this.#bytes;
    const start = this.#length;
    const tenths = (thousandths / 100) | 0;
    const hundredths = (thousandths / 10) | 0;
    const secondDigit = hundredths - 10 * tenths;
    const thirdDigit = thousandths - 10 * hundredths;
    bytes[start] = 0x2e;
    bytes[start + 1] = 0x30 + tenths;
    bytes[start + 2] = 0x30 + secondDigit;
    bytes[start + 3] = 0x30 + thirdDigit;
    this.#length += thirdDigit !== 0 ? 4 : secondDigit !== 0 ? 3 : 2;
  }

  /** Adds the last `count` digits of a number, padded with leading zeros. The number must be an integer, 0 or more. */
  addDigits(value: number, count: number): void {
    this.#reserve(count);
    this.#addDigits(value, count);
  }

  // Divides with bit operations, which keep the results small integers, because `Math.floor` takes three times as long.
  #addDigits(value: number, count: number): void {
    const bytes = this.#bytes;
    this.#length += count;
    let remainder = value;
    for (let index = this.#length - 1; index >= this.#length - count; index -= 1) {
      const tenth = (remainder / 10) | 0;
      bytes[index] = 0x30 + remainder - 10 * tenth;
      remainder = tenth;
    }
  }

  #reserve(count: number): void {
    const requiredLength = this.#length + count;
    if (requiredLength > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(requiredLength, 2 * this.#bytes.length));
      bytes.set(this.bytes);
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
  }
}

/** The number of bytes up to which a loop copies faster than `set`. */
const maxCopiedBytes = 40;
/** The number of digits in the largest small integer, 2³¹ - 1. */
const maxDigits = 10;

/** Whether a number is an integer from 0 to 2³¹ - 1, which bit operations support. */
function isSmall(value: number): boolean {
  return (value | 0) === value && value >= 0;
}

function countDigits(value: number): number {
  let count = 1;
  for (let power = 10; value >= power; power *= 10) {
    count += 1;
  }
  return count;
}

/**
 * Writes the start of a line: a prefix and the time in ISO 8601. Reuses the bytes of the previous time if it is in the
 * same second, because `toISOString` takes 0.5 µs.
 */
class LineStarts {
  readonly #prefix: string;
  #wholeSecond = Number.NaN;
  #start = noPart;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(buffer: LineBuffer, time: number): void {
    const wholeSecond = Math.floor(time / 1000);
    if (wholeSecond !== this.#wholeSecond) {
      this.#wholeSecond = wholeSecond;
      this.#start = new LinePart(this.#prefix + new Date(wholeSecond * 1000).toISOString().slice(0, -4));
    }
    buffer.addPart(this.#start);
    buffer.addDigits(Math.floor(time - 1000 * wholeSecond), 3);
  }
}

/** The fixed parts of a line in one format, and the functions that write the variable parts. */
interface Format extends Readonly<Record<PrefixedMember, LinePart>> {
  readonly starts: LineStarts;
  /** The unit that follows each time. Empty in JSON. */
  readonly unit: LinePart;
  /** Whether strings without special characters are written in quotation marks. */
  readonly isQuoted: boolean;
  readonly end: LinePart;
  readonly lastParts: LastParts;
  /** Quotes a string that may have special characters. */
  quote(text: string): string;
}

const prefixedMembers = [
  "queued",
  "read",
  "handler",
  "written",
  "waiting",
  "disconnectedAfter",
  "requestBytes",
  "answerBytes",
  "retries",
  "ignoredArguments",
  "error",
  "requestId",
] as const;
type PrefixedMember = (typeof prefixedMembers)[number];

interface FormatInit {
  readonly texts: Readonly<Record<"start" | "unit" | "end", string>>;
  readonly isQuoted: boolean;
  readonly prefix: (name: string) => string;
  readonly quote: (text: string) => string;
  readonly formatHead: (event: CallEvent) => string;
  readonly formatTail: (event: CallEvent) => string;
}

function createFormat({ texts, isQuoted, prefix, quote, formatHead, formatTail }: FormatInit): Format {
  const prefixes = prefixedMembers.map((name) => [name, new LinePart(prefix(name))] as const);
  return {
    ...(Object.fromEntries(prefixes) as Record<PrefixedMember, LinePart>),
    starts: new LineStarts(texts.start),
    unit: texts.unit === "" ? noPart : new LinePart(texts.unit),
    isQuoted,
    end: new LinePart(texts.end),
    lastParts: new LastParts(formatHead, formatTail),
    quote,
  };
}

/**
 * The parts `head` and `tail` of a line, which are often the same in consecutive calls of an operation, and the members
 * of the event that these parts contain.
 */
interface SharedParts extends Pick<CallEvent, SharedMember> {
  readonly head: LinePart;
  readonly tail: LinePart;
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
  | "faultCode"
  | "disconnectedBy";

/** The maximum number of operations whose parts are cached. */
const maxOperations = 1_000;

/**
 * Caches the shared parts of each operation's last line. The next line reuses these parts if the members that they
 * contain are the same.
 */
class LastParts {
  readonly #formatHead: (event: CallEvent) => string;
  readonly #formatTail: (event: CallEvent) => string;
  readonly #byOperation = new Map<string | undefined, SharedParts>();

  constructor(formatHead: (event: CallEvent) => string, formatTail: (event: CallEvent) => string) {
    this.#formatHead = formatHead;
    this.#formatTail = formatTail;
  }

  forEvent(event: CallEvent): SharedParts {
    const { side, operation, method, address, status, completed, protocol, route, faultCode } = event;
    const { remoteAddress, userAgent, disconnectedBy } = event;
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
      lastParts.disconnectedBy === disconnectedBy &&
      lastParts.side === side
    ) {
      return lastParts;
    }
    const head = new LinePart(this.#formatHead(shortenAddress(event)));
    const tail = new LinePart(this.#formatTail(event));
    const call = { side, method, address, status, completed, protocol, route, faultCode };
    const parts = { ...call, remoteAddress, userAgent, disconnectedBy, head, tail };
    if (lastParts !== undefined || this.#byOperation.size < maxOperations) {
      this.#byOperation.set(operation, parts);
    }
    return parts;
  }
}

/** The maximum length of an address in a line, in UTF-16 units. Clients can send a path of 8 KB with each request. */
const maxAddressLength = 200;

/** Shortens the address of a call or an incident for a line, and adds the number of characters that are left out. */
export function shortenAddress<Logged extends { readonly address?: string | undefined }>(logged: Logged): Logged {
  const { address = "" } = logged;
  return address.length <= maxAddressLength ? logged : { ...logged, address: shortenText(address, maxAddressLength) };
}

/** Shortens text to a number of UTF-16 units, and adds the number of those that are left out. */
export function shortenText(text: string, maxLength: number): string {
  const omittedLength = text.length - maxLength;
  return omittedLength <= 0 ? text : `${text.slice(0, maxLength)}… (${omittedLength} more characters)`;
}

function formatJsonHead({ side, method, address, status, completed }: CallEvent): string {
  const call = `"level":"info","side":"${side}","method":${quote(method)},"address":${quote(address)}`;
  return `Z",${call},"status":${status},"completed":${completed},"durations":{"total":`;
}

function formatJsonTail(event: CallEvent): string {
  return `}${tailMembers.map((name) => formatJsonMember(name, event[name])).join("")}`;
}

/** The members of an event that are written after its durations, in this order. */
const tailMembers = [
  "disconnectedBy",
  "operation",
  "protocol",
  "route",
  "remoteAddress",
  "userAgent",
  "faultCode",
] as const;

function formatJsonMember(name: string, value: string | undefined): string {
  return value === undefined ? "" : `,"${name}":${quote(value)}`;
}

function formatTextHead({ side, method, address, status, completed }: CallEvent): string {
  return `Z ${side} ${quoteIfNeeded(method)} ${quoteIfNeeded(address)} ${status}${completed ? "" : " incomplete"} total=`;
}

function formatTextTail(event: CallEvent): string {
  return tailMembers.map((name) => formatTextMember(name, event[name])).join("");
}

function formatTextMember(name: string, value: string | undefined): string {
  return value === undefined ? "" : ` ${name}=${quoteIfNeeded(value)}`;
}

/**
 * Quotes a string unless it consists of printable ASCII characters without spaces, so that a request cannot forge a log
 * line.
 */
export function quoteIfNeeded(text: string): string {
  return /^[\x21\x23-\x7e]+$/.test(text) ? text : quote(text);
}

/** Returns a string as JSON without control characters. */
function quote(text: string): string {
  return escapeControls(JSON.stringify(text));
}

/**
 * Control characters, separators of lines and paragraphs, and `Bidi_Control` of Unicode. Written with `\p`, this
 * pattern would take V8 0.6 ms when the module is loaded, in which it reads all characters of these properties.
 */
const controlPattern = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes the characters that can change the terminal that shows a line, or the order of its text. `JSON.stringify`
 * escapes only those below U+0020.
 */
export function escapeControls(line: string): string {
  return line.replace(controlPattern, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const formats: Readonly<Record<LineFormat, Format>> = /* @__PURE__ */ (() => ({
  json: createFormat({
    texts: { start: '{"time":"', unit: "", end: "}" },
    isQuoted: true,
    prefix: (name) => `,"${name}":`,
    quote,
    formatHead: formatJsonHead,
    formatTail: formatJsonTail,
  }),
  text: createFormat({
    texts: { start: "", unit: "ms", end: "" },
    isQuoted: false,
    prefix: (name) => ` ${name}=`,
    quote: quoteIfNeeded,
    formatHead: formatTextHead,
    formatTail: formatTextTail,
  }),
}))();
