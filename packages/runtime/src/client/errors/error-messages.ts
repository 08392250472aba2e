import { findNearestName } from "@bothends/xml/nearest-name";
import { hasFault, isHtml, isXmlText } from "./body-kinds.js";
import type { DescribedError, HintSettings } from "./described-error.js";
import { findHint } from "./hints.js";
import { findJsonReason } from "./json-reasons.js";

// This module is loaded when the first error occurs, so that the first chunk of a program does not contain error
// messages.

/** The parts of an error's message that contain neither values of the call nor text of the server, for logs. */
export interface MessageParts {
  /** The reason. Empty for an error whose reason is a text of the server. */
  readonly reason: string;
  /** The advice on how to resolve the error; empty if there is none. */
  readonly hint: string;
  /** The method, the address and the status, in brackets. Empty if none of them is known. */
  readonly context: string;
}

const maxExcerptLength = 120;

/**
 * Completes the message of an error: `operation: reason hint [method address, status, excerpt of the body]`. Adds the
 * parts for logs as the member `messageParts`, which is not enumerable. A hook may throw the error of another call,
 * whose message must not be completed twice, so an error with this member stays unchanged.
 */
export function describeError(error: DescribedError, settings: HintSettings = {}): void {
  if ("messageParts" in error) {
    return;
  }
  if (error.reason === "" && error.body !== undefined) {
    error.reason = findReason(error);
  }
  const originalMessage = error.message;
  const { operation = "" } = error;
  const { safeOperations = [] } = settings;
  const isListed = safeOperations.includes(operation);
  const similarName = isListed
    ? undefined
    : safeOperations.find((name) => findNearestName(name, [operation]) !== undefined);
  const hint = findHint(error, settings, similarName) ?? "";
  const context = listContext(error, settings);
  const parts: MessageParts = { reason: formatSafeReason(error), hint, context: formatContext(context) };
  Object.defineProperty(error, "messageParts", { value: parts });
  const texts = [formatReason(error), hint, formatContext([...context, formatExcerpt(error)])];
  const prefix = error.operation === undefined ? "" : `${error.operation}: `;
  const message = toOneLine(prefix + texts.filter((text) => text !== "").join(" "));
  // The stack contains the original message, so the message is replaced in the stack too.
  const { stack } = error;
  error.message = message;
  if (typeof stack === "string") {
    error.stack = stack.replace(originalMessage, () => message);
  }
}

/** Returns the message of an error, followed by the reason from the body of an unsuccessful answer. */
function formatReason({ name, message, reason, code }: DescribedError): string {
  if (name === "HttpStatusError" && typeof reason === "string" && reason !== "") {
    return `${message.replace(/\.$/, "")}: ${withFullStop(reason)}`;
  }
  const text = cleanServerText(message);
  return name === "RestError" ? `${withFullStop(text)} (${cleanServerText(code ?? "")})` : withFullStop(text || name);
}

/** The maximum length of the reason of an unreadable answer in a log, in characters. */
const maxSafeReasonLength = 500;

/** Returns the reason of an error without values of the call and text of the server. */
function formatSafeReason({ name, message, reason, subcodes }: DescribedError): string {
  if (name === "RestError" || subcodes !== undefined) {
    return "";
  }
  const safeText =
    (name === "DecodeError" || name === "EncodeError") && typeof reason === "string"
      ? reason.slice(0, maxSafeReasonLength)
      : message;
  return withFullStop(cleanServerText(safeText) || name);
}

/** The maximum length of a text from a server in an error message, in characters. The complete text is in `reason`. */
const maxReasonLength = 10_000;

/** Shortens text from a server, and replaces control characters, which could change the terminal that shows it. */
function cleanServerText(text: string): string {
  const shortText = text.length <= maxReasonLength ? text : `${text.slice(0, maxReasonLength - 1)}…`;
  return shortText.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

/**
 * Replaces line breaks, with which a server could write another line into a log, and characters that change the
 * direction of the text after them.
 */
function toOneLine(text: string): string {
  return text.replace(/[\n\u2028\u2029]+/g, " ").replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Lists the method with the address, the proxy and the status, as far as they are known. */
function listContext({ method, address, status }: DescribedError, { transport }: HintSettings): readonly string[] {
  return [
    [method, address].filter((text) => text !== undefined).join(" "),
    transport?.proxy === undefined || address === undefined ? "" : `through the proxy ${transport.proxy}`,
    status === undefined || status === 0 ? "" : `status ${status}`,
  ];
}

/** Returns the beginning of the body of an answer, without an XML declaration. */
function formatExcerpt({ body = "" }: DescribedError): string {
  const excerpt = shorten(body.replace(/^\s*<\?xml[^>]*\?>/, ""));
  return excerpt === "" ? "" : `body: ${excerpt}`;
}

function formatContext(texts: readonly string[]): string {
  const knownTexts = texts.filter((text) => text !== "");
  return knownTexts.length === 0 ? "" : `[${knownTexts.join(", ")}]`;
}

/**
 * Returns the reason in a body: the first line of plain text, the title of an HTML page, the fault string or text of an
 * XML document, or the text of an error in JSON. A successful answer in JSON or XML has values instead of a reason,
 * even if it is refused.
 */
function findReason({ body = "", headers, status = 0 }: DescribedError): string {
  const isError = status < 200 || status >= 300;
  const json = parseJson(body);
  if (json !== undefined) {
    return isError ? shorten(findJsonReason(json.value)) : "";
  }
  const start = body.slice(0, 16_384);
  if (isHtml({ headers, body: start })) {
    return shorten(withoutMarkup(/<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? start));
  }
  if (/^\s*</.test(start)) {
    if (!isError && isXmlText(start) && !hasFault(start)) {
      return "";
    }
    const element = /<(?:[\w.-]+:)?(?:faultstring|Text|Reason|Message|message)(?:\s[^>]*)?>([^<]+)</.exec(start);
    return shorten(withoutMarkup(element?.[1] ?? start));
  }
  return /^[[{]/.test(start.trim()) ? "" : shorten(start.trim().split(/[\r\n]/, 1)[0] ?? "");
}

function parseJson(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the text of a document without its markup. The pattern for tags does not match "<" inside a tag: otherwise,
 * 16 KB of unclosed tags would take 0.2 s.
 */
function withoutMarkup(markup: string): string {
  return markup
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(lt|gt|quot|apos|amp|#39);/g, (_, name: string) => entities[name] ?? "");
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", "#39": "'" };

/** Returns the beginning of a server's text, on one line and without control characters. */
function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return line.length <= maxExcerptLength ? line : `${line.slice(0, maxExcerptLength - 1)}…`;
}
