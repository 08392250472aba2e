import { ncNameEnd } from "./names.js";
import { refusal } from "./refusal.js";
import { skipSpace } from "./space.js";

/** Where the comment, processing instruction or other markup that begins with `<!` or `<?` at an offset ends. Nothing else passes. */
export function markupEnd(text: string, at: number): number {
  if (text.startsWith("<?", at)) return instructionEnd(text, at);
  if (text.startsWith("<!--", at)) return commentEnd(text, at);
  if (text.startsWith("<!DOCTYPE", at)) {
    throw refusal(text, at, "A document type declaration is refused, always: remove it.", "xml.dtd");
  }
  throw refusal(text, at, "This is no markup.");
}

/** XML 1.0 §2.5 [15] Comment. */
function commentEnd(text: string, at: number): number {
  const dashes = text.indexOf("--", at + 4);
  if (dashes < 0) throw refusal(text, at, "The comment is not closed.");
  if (text.startsWith(">", dashes + 2)) return dashes + 3;
  throw refusal(text, dashes, "A comment cannot contain --.");
}

/** XML 1.0 §2.6 [16] PI; Namespaces in XML §7: the target has no colon. */
function instructionEnd(text: string, at: number): number {
  const nameEnd = ncNameEnd(text, at + 2);
  const target = text.slice(at + 2, nameEnd);
  const end = text.indexOf("?>", nameEnd);
  if (target === "" || end < 0 || (end > nameEnd && skipSpace(text, nameEnd) === nameEnd)) {
    throw refusal(text, at, "The processing instruction is malformed.");
  }
  if (target.length === 3 && target.toLowerCase() === "xml") {
    throw refusal(text, at, "An XML declaration stands only at the very start, in lower case.");
  }
  return end + 2;
}

/** XML 1.0 §2.7 [18] CDSect. */
export function cdataEnd(text: string, at: number): number {
  const end = text.indexOf("]]>", at + 9);
  if (end < 0) throw refusal(text, at, "The CDATA section is not closed.");
  return end + 3;
}
