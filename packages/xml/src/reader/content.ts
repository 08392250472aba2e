// The content between a document's tags: text, references, comments, processing instructions, CDATA (XML 1.0 §2.4 to
// §2.8, §4.1).
import { createErrorAt, createSyntaxError } from "../error.js";
import { expandLongText, longTextLength } from "../long-text.js";
import { isNCName } from "../name-characters.js";
import { findNCNameEnd } from "./scan-name.js";

/** Replaces the references in text. `expandLongText` is faster for long text, but does not support all references. */
export function expandText(source: string, start: number, end: number): string {
  const fastResult = end - start < longTextLength ? undefined : expandLongText(source.slice(start, end));
  return fastResult ?? expandReferences(source, { start, end }, withLineFeeds);
}

const knownReferencePattern = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/y;
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Replaces the character references and the five predefined entities in `text` between two offsets (XML 1.0 §4.1).
 * `normalize` is applied to the text between references, not to the characters that they denote (§2.11, §3.3.3).
 */
export function expandReferences(
  text: string,
  range: { readonly start: number; readonly end: number },
  normalize: (text: string) => string,
): string {
  let result = "";
  let offset = range.start;
  for (;;) {
    const ampersand = text.indexOf("&", offset);
    if (ampersand < 0 || ampersand >= range.end) {
      return result + normalize(text.slice(offset, range.end));
    }
    if (ampersand > offset) {
      result += normalize(text.slice(offset, ampersand));
    }
    result += readReference(text, ampersand);
    offset = knownReferencePattern.lastIndex;
  }
}

function readReference(text: string, offset: number): string {
  knownReferencePattern.lastIndex = offset;
  const match = knownReferencePattern.exec(text);
  if (match === null) {
    throw createUnknownReferenceError(text, offset);
  }
  const [, hexadecimal, decimal, entity] = match;
  if (entity !== undefined) {
    return entities.get(entity) ?? "";
  }
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hexadecimal, 16);
  if (isXmlCodePoint(code)) {
    return String.fromCodePoint(code);
  }
  throw createSyntaxError(text, offset, "forbiddenReference");
}

function createUnknownReferenceError(text: string, offset: number): Error {
  const name = /^&([^;&<>\s]{1,64});/.exec(text.slice(offset, offset + 66))?.[1];
  if (name === undefined || !isNCName(name)) {
    return createSyntaxError(text, offset, "noReference");
  }
  return createSyntaxError(text, offset, "unknownEntity", name);
}

/** Returns the first offset at or after `from` that is not white space (XML 1.0 §2.3 [3] S). */
export function skipSpace(text: string, start: number): number {
  let offset = start;
  for (;;) {
    const code = text.charCodeAt(offset);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return offset;
    }
    offset += 1;
  }
}

/** Reads every line end as LF (XML 1.0 §2.11). */
export function withLineFeeds(text: string): string {
  const firstReturn = text.indexOf("\r");
  if (firstReturn < 0) {
    return text;
  }
  // Fast path for the text between the tags of an indented document: one line end, then spaces.
  if (firstReturn === 0 && text.charCodeAt(1) === 0x0a && !text.includes("\r", 2)) {
    return text.slice(1);
  }
  return text.replace(/\r\n?/g, "\n");
}

/** Reads white space in an attribute value as spaces (XML 1.0 §3.3.3). */
export function withSpaces(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, " ");
}

const spacePattern = "[ \\t\\r\\n]";
const equalsPattern = `${spacePattern}*=${spacePattern}*`;
const quoteName = (value: string): string => `(?:"(?:${value})"|'(?:${value})')`;

// Matches an XML declaration (XML 1.0 §2.8 [23] to [26], §4.3.3 [80], §2.9 [32]). Every version 1.x is read as 1.0.
const declarationPattern = new RegExp(
  `<\\?xml${spacePattern}+version${equalsPattern}${quoteName("1\\.[0-9]+")}` +
    `(?:${spacePattern}+encoding${equalsPattern}${quoteName("[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${spacePattern}+standalone${equalsPattern}${quoteName("yes|no")})?${spacePattern}*\\?>`,
  "y",
);

/**
 * Returns the end of the XML declaration at `offset`, or `offset` if there is none. Throws for a malformed declaration.
 */
export function findDeclarationEnd(text: string, offset: number): number {
  if (!text.startsWith("<?xml", offset) || !/[ \t\r\n]/.test(text.charAt(offset + 5))) {
    return offset;
  }
  declarationPattern.lastIndex = offset;
  if (declarationPattern.test(text)) {
    return declarationPattern.lastIndex;
  }
  throw createSyntaxError(text, offset, "malformedDeclaration");
}

/**
 * Returns the end of the comment or processing instruction that begins at an offset with `<!` or `<?`. Throws for other
 * markup.
 */
export function findMarkupEnd(text: string, offset: number): number {
  if (text.startsWith("<?", offset)) {
    return findInstructionEnd(text, offset);
  }
  if (text.startsWith("<!--", offset)) {
    return findCommentEnd(text, offset);
  }
  if (text.startsWith("<!DOCTYPE", offset)) {
    throw createErrorAt(text, offset, "A document type declaration is not allowed; remove it.", "xml.dtd");
  }
  throw createSyntaxError(text, offset, "unknownMarkup");
}

/** Returns the end of a comment (XML 1.0 §2.5 [15]). */
function findCommentEnd(text: string, offset: number): number {
  const dashesOffset = text.indexOf("--", offset + 4);
  if (dashesOffset < 0) {
    throw createSyntaxError(text, offset, "openComment");
  }
  if (text.startsWith(">", dashesOffset + 2)) {
    return dashesOffset + 3;
  }
  throw createSyntaxError(text, dashesOffset, "hyphensInComment");
}

/**
 * Returns the end of a processing instruction (XML 1.0 §2.6 [16]), whose target contains no colon (Namespaces in XML
 * §7).
 */
function findInstructionEnd(text: string, offset: number): number {
  const nameEnd = findNCNameEnd(text, offset + 2);
  const target = text.slice(offset + 2, nameEnd);
  const end = text.indexOf("?>", nameEnd);
  if (target === "" || end < 0 || (end > nameEnd && skipSpace(text, nameEnd) === nameEnd)) {
    throw createSyntaxError(text, offset, "malformedInstruction");
  }
  if (target.length === 3 && target.toLowerCase() === "xml") {
    throw createSyntaxError(text, offset, "lateDeclaration");
  }
  return end + 2;
}

/** Returns the end of a CDATA section (XML 1.0 §2.7 [18]). */
export function findCdataEnd(text: string, offset: number): number {
  const end = text.indexOf("]]>", offset + 9);
  if (end < 0) {
    throw createSyntaxError(text, offset, "openCdata");
  }
  return end + 3;
}

/** Whether a character reference may name a code point (XML 1.0 §4.1, Legal Character). */
function isXmlCodePoint(code: number): boolean {
  if (code < 0x20) {
    return code === 0x9 || code === 0xa || code === 0xd;
  }
  if (code <= 0xd7ff) {
    return true;
  }
  return (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
