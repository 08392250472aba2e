import { skipSpace } from "./character-data.js";
import { errorAt } from "./error.js";
import { ncNameEnd } from "./names.js";

const space = "[ \\t\\r\\n]";
const equals = `${space}*=${space}*`;
const quoted = (value: string): string => `(?:"(?:${value})"|'(?:${value})')`;

// XML 1.0 §2.8 [23] to [26], §4.3.3 [80], §2.9 [32]; every 1.x is read as 1.0.
const declaration = new RegExp(
  `<\\?xml${space}+version${equals}${quoted("1\\.[0-9]+")}` +
    `(?:${space}+encoding${equals}${quoted("[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${space}+standalone${equals}${quoted("yes|no")})?${space}*\\?>`,
  "y",
);

/** Whether an XML declaration, even a malformed one, begins at an offset. */
export function beginsDeclaration(text: string, at: number): boolean {
  return text.startsWith("<?xml", at) && /[ \t\r\n]/.test(text.charAt(at + 5));
}

/** The end of the XML declaration at an offset. */
export function declarationEnd(text: string, at: number): number {
  declaration.lastIndex = at;
  if (declaration.test(text)) {
    return declaration.lastIndex;
  }
  throw errorAt(text, at, "The XML declaration is malformed.");
}

/** The end of the comment or processing instruction at an offset, which has `<!` or `<?`. Any other markup is an error. */
export function markupEnd(text: string, at: number): number {
  if (text.startsWith("<?", at)) {
    return instructionEnd(text, at);
  }
  if (text.startsWith("<!--", at)) {
    return commentEnd(text, at);
  }
  if (text.startsWith("<!DOCTYPE", at)) {
    throw errorAt(text, at, "A document type declaration is not allowed: remove it.", "xml.dtd");
  }
  throw errorAt(text, at, "This is not markup.");
}

/** XML 1.0 §2.5 [15] Comment. */
function commentEnd(text: string, at: number): number {
  const dashes = text.indexOf("--", at + 4);
  if (dashes < 0) {
    throw errorAt(text, at, "The comment is not closed.");
  }
  if (text.startsWith(">", dashes + 2)) {
    return dashes + 3;
  }
  throw errorAt(text, dashes, "A comment must not contain --.");
}

/** XML 1.0 §2.6 [16] PI; Namespaces in XML §7: the target has no colon. */
function instructionEnd(text: string, at: number): number {
  const nameEnd = ncNameEnd(text, at + 2);
  const target = text.slice(at + 2, nameEnd);
  const end = text.indexOf("?>", nameEnd);
  if (target === "" || end < 0 || (end > nameEnd && skipSpace(text, nameEnd) === nameEnd)) {
    throw errorAt(text, at, "The processing instruction is malformed.");
  }
  if (target.length === 3 && target.toLowerCase() === "xml") {
    throw errorAt(text, at, "An XML declaration must be at the very start, in lower case.");
  }
  return end + 2;
}

/** XML 1.0 §2.7 [18] CDSect. */
export function cdataEnd(text: string, at: number): number {
  const end = text.indexOf("]]>", at + 9);
  if (end < 0) {
    throw errorAt(text, at, "The CDATA section is not closed.");
  }
  return end + 3;
}
