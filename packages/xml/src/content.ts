// The content between a document's tags: text, references, comments, processing instructions, CDATA (XML 1.0 §2.4 to §2.8, §4.1).
import { characterError, indexOfIllegalCharacter, isXmlCodePoint } from "./characters.js";
import { errorAt } from "./error.js";
import { expandLongText, longText } from "./long-text.js";
import { isNCName, ncNameEnd } from "./names.js";

/**
 * The text between tags. Keeps the offsets of the next characters that need processing; text before all of them is its own value,
 * at the cost of one comparison.
 */
export class CharacterData {
  readonly #source: string;
  // Offsets, or the length of the source if no such character follows.
  readonly #illegal: number;
  #ampersand = -1;
  #return = -1;
  #bracket = -1;
  #special = -1;

  /** `from`: the offset of the first character that has not been checked. */
  constructor(source: string, from = 0) {
    const illegal = indexOfIllegalCharacter(from === 0 ? source : source.slice(from));
    this.#source = source;
    this.#illegal = illegal < 0 ? source.length : from + illegal;
  }

  /** Throws if there is a forbidden character before an offset. */
  refuseIllegalBefore(end: number): void {
    if (this.#illegal < end) {
      throw characterError(this.#source, this.#illegal);
    }
  }

  /** Whether the text from `start` to `end` is its own value. `start` never decreases from call to call. */
  isPlain(start: number, end: number): boolean {
    if (this.#special < start) {
      this.#lookAhead(start);
    }
    return end <= this.#special;
  }

  /** The value of the text from `start` to `end`, which contains no markup. */
  value(start: number, end: number): string {
    if (this.isPlain(start, end)) {
      return this.#source.slice(start, end);
    }
    this.refuseIllegalBefore(end);
    if (this.#bracket < end) {
      throw errorAt(this.#source, this.#bracket, "Text must not contain ]]>; write ]]&gt;.");
    }
    if (this.#ampersand >= end) {
      return withLineFeeds(this.#source.slice(start, end));
    }
    return expandText(this.#source, start, end);
  }

  /** Each search continues from its last match, so that together they read the document once. */
  #lookAhead(from: number): void {
    if (this.#ampersand < from) {
      this.#ampersand = this.#find("&", from);
    }
    if (this.#return < from) {
      this.#return = this.#find("\r", from);
    }
    if (this.#bracket < from) {
      this.#bracket = this.#find("]]>", from);
    }
    this.#special = Math.min(this.#ampersand, this.#return, this.#bracket, this.#illegal);
  }

  #find(text: string, from: number): number {
    const at = this.#source.indexOf(text, from);
    return at < 0 ? this.#source.length : at;
  }
}

/** The value of a text with references. If a long text contains an unusual reference, the whole text is read by its offsets. */
function expandText(source: string, start: number, end: number): string {
  const expanded = end - start < longText ? undefined : expandLongText(source.slice(start, end));
  return expanded ?? expandReferences(source, { start, end }, withLineFeeds);
}

const knownReference = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/y;
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Replaces the references in `text` between two offsets (XML 1.0 §4.1): characters and the five predefined entities.
 * `literal` normalizes the text between them; characters from references are not normalized (§2.11, §3.3.3).
 */
export function expandReferences(
  text: string,
  range: { readonly start: number; readonly end: number },
  literal: (text: string) => string,
): string {
  let result = "";
  let at = range.start;
  for (;;) {
    const ampersand = text.indexOf("&", at);
    if (ampersand < 0 || ampersand >= range.end) {
      return result + literal(text.slice(at, range.end));
    }
    if (ampersand > at) {
      result += literal(text.slice(at, ampersand));
    }
    result += referenced(text, ampersand);
    at = knownReference.lastIndex;
  }
}

function referenced(text: string, offset: number): string {
  knownReference.lastIndex = offset;
  const match = knownReference.exec(text);
  if (match === null) {
    throw unknownReference(text, offset);
  }
  const [, hexadecimal, decimal, entity] = match;
  if (entity !== undefined) {
    return entities.get(entity) ?? "";
  }
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? "", 10) : Number.parseInt(hexadecimal, 16);
  if (isXmlCodePoint(code)) {
    return String.fromCodePoint(code);
  }
  throw errorAt(text, offset, "The reference is to a character that XML forbids.", "xml.character");
}

function unknownReference(text: string, offset: number): Error {
  const name = /^&([^;&<>\s]{1,64});/.exec(text.slice(offset, offset + 66))?.[1];
  if (name === undefined || !isNCName(name)) {
    return errorAt(text, offset, "This & does not begin a reference; in text, write &amp;.");
  }
  return errorAt(text, offset, `The entity "${name}" is not one of the five predefined ones.`, "xml.entity");
}

/** The first offset at or after `from` that is not white space (XML 1.0 §2.3 [3] S). */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return at;
    }
    at += 1;
  }
}

/** Reads every line end as LF (XML 1.0 §2.11). */
export function withLineFeeds(text: string): string {
  const first = text.indexOf("\r");
  if (first < 0) {
    return text;
  }
  // Between the tags of an indented document there is one line end, followed by spaces.
  if (first === 0 && text.charCodeAt(1) === 0x0a && !text.includes("\r", 2)) {
    return text.slice(1);
  }
  return text.replace(/\r\n?/g, "\n");
}

/** Reads white space in an attribute value as spaces (XML 1.0 §3.3.3). */
export function withSpaces(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, " ");
}

const space = "[ \\t\\r\\n]";
const equals = `${space}*=${space}*`;
const quoted = (value: string): string => `(?:"(?:${value})"|'(?:${value})')`;

// XML 1.0 §2.8 [23] to [26], §4.3.3 [80], §2.9 [32]; every version 1.x is read as 1.0.
const declaration = new RegExp(
  `<\\?xml${space}+version${equals}${quoted("1\\.[0-9]+")}` +
    `(?:${space}+encoding${equals}${quoted("[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${space}+standalone${equals}${quoted("yes|no")})?${space}*\\?>`,
  "y",
);

/** The end of the XML declaration at an offset; the offset itself if there is none. Throws if it is malformed. */
export function declarationEnd(text: string, at: number): number {
  if (!text.startsWith("<?xml", at) || !/[ \t\r\n]/.test(text.charAt(at + 5))) {
    return at;
  }
  declaration.lastIndex = at;
  if (declaration.test(text)) {
    return declaration.lastIndex;
  }
  throw errorAt(text, at, "The XML declaration is malformed.");
}

/**
 * The end of the comment or processing instruction at an offset, which begins with `<!` or `<?`. Any other markup is an error.
 */
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

/** XML 1.0 §2.6 [16] PI; Namespaces in XML §7: the target contains no colon. */
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
