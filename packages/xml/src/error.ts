import type { XmlLimits } from "./limits.js";

/** The stable codes of errors in a document. Diagnostics and faults depend on these codes. */
export type XmlErrorCode =
  | "xml.not-well-formed"
  | "xml.character"
  | "xml.namespace"
  | "xml.dtd"
  | "xml.entity"
  | "xml.encoding"
  | "xml.unexpected-element"
  | `limit.${keyof XmlLimits}`;

/** The position of an error in the document, and the limit that it exceeds. */
export interface XmlErrorInit {
  /** The offset in the text, in UTF-16 units. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The limit that was exceeded, and its value. */
  readonly limit?: { readonly name: keyof XmlLimits; readonly value: number };
  /** The problem with the syntax of the document, if the error has one of `syntaxMessages`. */
  readonly problem?: SyntaxProblem;
}

/** Thrown when a document cannot be read or text cannot be written. Reading stops at the first error. */
export class XmlError extends Error {
  readonly code: XmlErrorCode;
  readonly offset: number;
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The column in UTF-16 units, counted from 1. */
  readonly column: number;
  readonly limit: { readonly name: keyof XmlLimits; readonly value: number } | undefined;
  readonly problem: SyntaxProblem | undefined;

  constructor(code: XmlErrorCode, message: string, init: XmlErrorInit) {
    super(message);
    this.name = "XmlError";
    this.code = code;
    this.offset = init.offset;
    this.line = init.line;
    this.column = init.column;
    this.limit = init.limit;
    this.problem = init.problem;
  }
}

/** Returns the error for a problem at an offset of a document. */
export function createErrorAt(text: string, offset: number, message: string, code: XmlErrorCode): XmlError {
  return new XmlError(code, message, { offset, ...convertToUtf16Position(text, offset) });
}

/**
 * The messages about documents that cannot be read, by the problem. `$name` is replaced by a name from the document.
 * Programs recognize an error by its problem, because a message may contain any text of the document.
 */
const syntaxMessages = {
  textBeforeRoot: "Remove the text before the document element.",
  textAfterRoot: "Remove the text after the document element.",
  secondRoot: "A document must have only one document element; remove the second.",
  noRoot: "The document must contain an element.",
  openElement: "The element <$name> is not closed.",
  otherEndTag: "The end tag of <$name> is expected here.",
  noElementName: "The name of an element is expected here.",
  openTag: "The tag is not closed; end it with >.",
  malformedTag: "White space, an attribute or the end of the tag is expected here.",
  noAttributeValue: "The attribute must have = and a value.",
  unquotedValue: "The attribute value must be in quotes.",
  openValue: "The attribute value is not closed; end it with a quote.",
  lessThanInValue: "An attribute value must not contain <; write &lt;.",
  repeatedAttribute: 'The attribute "$name" appears twice; remove one.',
  undeclaredPrefix: 'The prefix "$name" is not declared.',
  twoByteOrderMarks: "The document begins with two byte order marks; remove one.",
  malformedDeclaration: 'The XML declaration is malformed; write <?xml version="1.0" encoding="utf-8"?>.',
  lateDeclaration: "An XML declaration must be at the start of the document, in lower case.",
  malformedInstruction: "The processing instruction is malformed; write <?target data?>.",
  unknownMarkup: "Markup that begins with <! must be a comment or, inside an element, a CDATA section.",
  openComment: "The comment is not closed; end it with -->.",
  hyphensInComment: "A comment must not contain two hyphens in a row (--).",
  openCdata: "The CDATA section is not closed; end it with ]]>.",
  cdataEndInText: "Text must not contain ]]>; write ]]&gt;.",
  noReference: "This & does not begin a reference; in text, write &amp;.",
  unknownEntity: 'The entity "$name" is not defined; only amp, lt, gt, quot and apos are.',
  forbiddenReference: "This reference denotes a character that XML forbids; remove it.",
  forbiddenCharacter: "XML forbids the character U+$name.",
  nullCharacter: "XML forbids the character U+0000.",
} as const;

/** A problem with the syntax of a document. */
export type SyntaxProblem = keyof typeof syntaxMessages;

/** The codes of problems that have another code than `xml.not-well-formed`. */
const codes: { readonly [Problem in SyntaxProblem]?: XmlErrorCode } = {
  undeclaredPrefix: "xml.namespace",
  unknownEntity: "xml.entity",
  forbiddenReference: "xml.character",
  forbiddenCharacter: "xml.character",
  nullCharacter: "xml.character",
};

/** Returns the error for a problem at an offset of a document. `name` is the name that its message contains. */
export function createSyntaxError(text: string, offset: number, problem: SyntaxProblem, name = ""): XmlError {
  const message = syntaxMessages[problem].replace("$name", () => name);
  const init = { offset, ...convertToUtf16Position(text, offset), problem };
  return new XmlError(codes[problem] ?? "xml.not-well-formed", message, init);
}

/** A position in a text, for messages. */
export interface Position {
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The column in UTF-16 units, counted from 1. */
  readonly column: number;
}

/**
 * Returns the line and column of an offset. CRLF, LF and CR each end a line (XML 1.0 §2.11). Takes linear time, so use
 * it only for messages.
 */
export function convertToUtf16Position(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < offset; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) {
      line += 1;
      lineStart = index + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}
