import { findJsonEnding } from "../../http/json-mistakes.js";
import type { DescribedError } from "./described-error.js";

// Recognizes what a body is, whatever its Content-Type.

/** Matches the start of a JSON object or list. Other text, such as `[shortcode]`, can also begin with a bracket. */
const jsonStart = /^\s*(?:\{\s*["}]|\[\s*(?:["{[\]-]|\d|true|false|null))/;

/** Whether a body is a JSON object or list, or the start of one. */
export function isJsonText(body: string): boolean {
  return jsonStart.test(body) && (parses(body) || findJsonEnding(body) === "incomplete");
}

/** Whether a body is an XML document other than a page of XHTML. */
export function isXmlText(body: string): boolean {
  return /^\s*<(?:\?xml\s[^>]*>(?!\s*<(?:!doctype html|html)[\s>])|(?:[\w.-]+:)?Envelope[\s>])/i.test(body);
}

/** Whether a body has an element `Fault`. */
export function hasFault(body: string): boolean {
  return /<(?:[\w.-]{1,64}:)?Fault[\s>]/.test(body);
}

type Answer = Pick<DescribedError, "headers" | "body">;

/** Whether an answer is an HTML page. Some programs send JSON or XML with the Content-Type of HTML. */
export function isHtml({ headers, body = "" }: Answer): boolean {
  return (
    /^\s*<(?:!doctype html|html)/i.test(body) || (hasHtmlType({ headers }) && !isJsonText(body) && !isXmlText(body))
  );
}

/** Whether an answer has the Content-Type of HTML. */
export function hasHtmlType({ headers }: Answer): boolean {
  return /^text\/html|^application\/xhtml/i.test(headers?.get("content-type") ?? "");
}

/**
 * Matches a message of PHP without HTML at the start of a body. PHP writes it in this form if `html_errors` is off:
 * `Warning: Undefined variable $a in /var/www/b.php on line 12`
 */
const phpMessage = /^\s*(?:PHP )?(?:[A-Z][a-z]{1,20} ){0,3}[A-Za-z]{1,20}: [\s\S]{0,8000}? on line \d+\s/;

export function beginsWithPhpMessage(body: string): boolean {
  return phpMessage.test(body);
}

/**
 * Whether a body ends with a JSON object or list, or with an XML document, before which it has other text. Only the
 * first brackets are examined, because each of them can take as much time as the whole body.
 */
export function hasTextBefore(body: string): boolean {
  const text = body.trim();
  if (/^[[{]/.test(text)) {
    return false;
  }
  if (!text.startsWith("<") && /<(?:\?xml\s|(?:[\w.-]{1,64}:)?Envelope[\s>])/.test(text)) {
    return true;
  }
  return [...text.matchAll(/[[{]/g)].slice(0, maxBrackets).some(({ index }) => parses(text.slice(index)));
}

const maxBrackets = 32;

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
