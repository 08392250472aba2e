import { formatHeading, formatThrown, getClassName, getStack, readMember } from "../thrown-values.js";
import { isError } from "../value-problems.js";
import { escapeControls, type LineFormat, quoteIfNeeded, shortenAddress, shortenText } from "./call-lines.js";
import type { ServerIncident } from "./events.js";
import { omitReceivedValues } from "./received-errors.js";

/** The settings of a line. The options of `lineLogger` have the same names. */
export interface LineSettings {
  readonly format: LineFormat;
  readonly reasons?: boolean | undefined;
}

/** Formats an incident as one line. The line's member `cause` contains the stack of the exception. */
export function formatIncident(incident: ServerIncident, { format, reasons = false }: LineSettings): string {
  const { kind, message, rule: _rule, error: _error, limit, ...others } = shortenAddress(incident);
  const instant = new Date().toISOString();
  const level = chooseLevel(incident);
  const error = limit === undefined ? findLoggedError(incident) : undefined;
  // The stack of an error about an answer contains only this package.
  const cause = error === undefined ? undefined : formatError(error, { hasStack: kind !== "encode", reasons });
  const reason = reasons ? findReason(incident) : undefined;
  if (format === "json") {
    return escapeControls(JSON.stringify({ time: instant, level, kind, message, ...others, reason, limit, cause }));
  }
  return `${instant} ${level} ${quoteIfNeeded(kind)}: ${escapeControls(message)}${formatMembers({ ...others, reason, cause })}`;
}

/**
 * Returns the exception that a log contains besides the message. The error of a client's call is left out, because it
 * may contain values from the answer, and the message already explains the problem. Only the program can explain why it
 * aborted a call, so the reason that it gave is returned then.
 */
export function findLoggedError({ side, kind, error }: ServerIncident): unknown {
  if (side !== "client" || kind === "hook") {
    return error;
  }
  const { name, cause } = Object(error ?? {}) as Partial<Error>;
  const isDefaultReason = Object(cause ?? {}).name === "AbortError";
  return name === "AbortError" && !isDefaultReason ? (cause ?? undefined) : undefined;
}

/** The maximum length of a reason from an answer, in UTF-16 units. */
const maxReasonLength = 200;

/**
 * Returns the text of a fault or an error in an answer, for an incident of a client. Undefined for other incidents: the
 * message of an answer that cannot be decoded already has its reason.
 */
export function findReason({ side, kind, error }: ServerIncident): string | undefined {
  const { reason } = Object(error) as { readonly reason?: unknown };
  if (side !== "client" || !/^(?:fault|status|protocol)$/.test(kind) || typeof reason !== "string" || reason === "") {
    return undefined;
  }
  return reason.length <= maxReasonLength ? reason : `${reason.slice(0, maxReasonLength - 1)}…`;
}

/** Returns the level of an incident. Problems that clients cause with their requests are warnings. */
export function chooseLevel({ kind, limit }: ServerIncident): "warning" | "error" {
  return kind === "request" || kind === "tls" || kind === "stalled" || limit !== undefined ? "warning" : "error";
}

/**
 * Returns the text of an exception. Reading the exception can throw, for example in a getter; even then, the incident
 * must not be lost.
 */
function formatError(
  error: unknown,
  { hasStack, reasons }: { readonly hasStack: boolean; readonly reasons: boolean },
): string {
  try {
    return shortenText(formatCause(omitReceivedValues(error, { reasons }), { hasStack }), maxErrorLength);
  } catch {
    return "The exception cannot be logged: reading one of its members threw another exception.";
  }
}

/**
 * The maximum length of an exception in a line, in UTF-16 units. The message of an exception can contain a whole query.
 */
const maxErrorLength = 16_384;

/** The maximum length of the note that `shortenText` adds. */
const maxShorteningLength = 40;

/** The maximum number of causes, and of errors of an `AggregateError`, that are written for an exception. */
const maxCauses = 5;
/** The maximum number of causes that are followed. Errors of retries can have a long chain of them. */
const maxFollowedCauses = 100;

/**
 * Returns the stacks of an exception, of its causes, and of the errors in an `AggregateError`, whose own message is
 * often empty. A thrown value that is not an Error is returned as text.
 */
function formatCause(error: unknown, { isNested = false, hasStack = true } = {}): string {
  if (!isError(error)) {
    return `Not an Error: ${formatThrown(error).slice(0, 200)}`;
  }
  const causes = listCauses(error);
  // The last cause says most.
  const shownCauses = causes.length <= maxCauses ? causes : [...causes.slice(0, maxCauses - 1), ...causes.slice(-1)];
  const leftOut = causes.length - shownCauses.length;
  // A long message must not displace the causes.
  const maxLength = Math.floor(maxErrorLength / (shownCauses.length + 1)) - maxShorteningLength;
  const causeTexts = shownCauses.map((cause, index) => {
    const omission = leftOut > 0 && index === shownCauses.length - 1 ? `\n… ${leftOut} causes are left out.` : "";
    const text = isError(cause)
      ? shortenText(formatOneError(cause), maxLength) + formatInnerErrors(cause, isNested)
      : formatThrown(cause).slice(0, 200);
    return `${omission}\nCaused by: ${text}`;
  });
  const ownText = shortenText(formatOneError(error, hasStack), maxLength);
  return ownText + formatInnerErrors(error, isNested) + causeTexts.join("");
}

/** Returns the causes of an error, the nearest first. A cause need not be an Error. */
function listCauses(error: Error): readonly unknown[] {
  const chain: unknown[] = [error];
  for (let next = readMember(error, "cause"); chain.length <= maxFollowedCauses; next = readMember(next, "cause")) {
    if (next === undefined || next === null || chain.includes(next)) {
      break;
    }
    chain.push(next);
    if (!isError(next)) {
      break;
    }
  }
  return chain.slice(1);
}

/** Returns the texts of the errors in an `AggregateError`. Those of an `AggregateError` in another one are left out. */
function formatInnerErrors(error: Error, isNested: boolean): string {
  const errors = readMember(error, "errors");
  const innerErrors: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return isNested
    ? ""
    : innerErrors
        .slice(0, maxCauses)
        .map((inner) => `\nOne of its errors: ${formatCause(inner, { isNested: true })}`)
        .join("");
}

/** Returns the stack of an error, or only its message. Adds its class and its code, which a stack need not contain. */
function formatOneError(error: Error, hasStack = true): string {
  const text = (hasStack ? getStack(error) : undefined) ?? formatHeading(error);
  const [heading = ""] = text.split("\n    at ", 1);
  const className = readMember(error, "name") === "Error" ? getClassName(error) : "";
  // Bundlers give classes short names, which say nothing.
  const isNamed = className.length > 2 && className !== "Error" && /^Error\b/.test(text);
  const namedText = isNamed ? text.replace("Error", () => className) : text;
  const code = findCode(readMember(error, "code"));
  if (code === undefined || heading.includes(code)) {
    return namedText;
  }
  const [start = ""] = /^[\w$.]+(?=:|\n|$)/.exec(namedText) ?? [];
  return start === "" ? `[${code}] ${namedText}` : `${start} [${code}]${namedText.slice(start.length)}`;
}

/** Returns the code of an error, such as `ETIMEDOUT`; undefined if it does not look like a code. */
function findCode(code: unknown): string | undefined {
  const text = typeof code === "string" || typeof code === "number" ? String(code) : "";
  return /^[\w.:-]{1,64}$/.test(text) ? text : undefined;
}

/** Formats the members that are present: ` name=value name=value`. */
function formatMembers(record: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const name in record) {
    const value = record[name];
    if (value !== undefined && Object.hasOwn(record, name)) {
      text += ` ${name}=${quoteIfNeeded(String(value))}`;
    }
  }
  return text;
}
