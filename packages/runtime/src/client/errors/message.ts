import { type DescribedError, hintFor, isHtml } from "./hints.js";

/** Each error is described once, even if a hook of another call passes it on. */
const described = new WeakSet<object>();

const longestExcerpt = 120;

/**
 * Completes the message of an error: `operation: reason hint [method address, status, excerpt of the body]`. This module is
 * loaded with the first error, so that the texts are not in the first chunk of every program.
 */
export function describeError(error: DescribedError): void {
  if (described.has(error)) {
    return;
  }
  described.add(error);
  if (error.reason === "" && error.body !== undefined) {
    error.reason = reasonIn(error);
  }
  const original = error.message;
  const parts = [reasonText(error), hintFor(error) ?? "", factsOf(error)].filter((part) => part !== "");
  const prefix = error.operation === undefined ? "" : `${error.operation}: `;
  const message = prefix + parts.join(" ");
  // The stack contains the message as it was when the error was created.
  const { stack } = error;
  error.message = message;
  if (typeof stack === "string") {
    error.stack = stack.replace(original, () => message);
  }
}

/** The message, and the reason that an unsuccessful answer contains. */
function reasonText({ name, message, reason, code }: DescribedError): string {
  if (name === "HttpStatusError" && typeof reason === "string" && reason !== "") {
    return `${message.replace(/\.$/, "")}: ${sentence(reason)}`;
  }
  return name === "RestError" ? `${sentence(message)} (${code})` : sentence(message === "" ? name : message);
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function factsOf({ method, address, status, body }: DescribedError): string {
  const target = [method, address].filter((text) => text !== undefined).join(" ");
  const excerpt = body === undefined ? "" : shortened(withoutProlog(body));
  const facts = [
    target,
    status === undefined || status === 0 ? "" : `status ${status}`,
    excerpt === "" ? "" : `body: ${excerpt}`,
  ].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : `[${facts.join(", ")}]`;
}

function withoutProlog(body: string): string {
  return body.replace(/^\s*<\?xml[^>]*\?>/, "");
}

/** The reason in a body: the first line of a text, the title of an HTML page, the fault string or text of an XML document. */
function reasonIn({ body = "", headers }: DescribedError): string {
  const start = body.slice(0, 16_384);
  if (isHtml({ headers, body: start })) {
    return shortened(textOf(/<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? start));
  }
  if (/^\s*</.test(start)) {
    const element = /<(?:[\w.-]+:)?(?:faultstring|Text|Reason|Message|message)(?:\s[^>]*)?>([^<]+)</.exec(start);
    return shortened(textOf(element?.[1] ?? start));
  }
  return /^[[{]/.test(start.trim()) ? "" : shortened(start.trim().split(/[\r\n]/, 1)[0] ?? "");
}

/** The text of a document, without its markup. */
function textOf(markup: string): string {
  return markup
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|apos|amp|#39);/g, (_, name: string) => entities[name] ?? "");
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", "#39": "'" };

/** The first words, on one line and without control characters. */
function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt - 1)}…`;
}
