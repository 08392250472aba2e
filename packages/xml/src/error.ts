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

  constructor(code: XmlErrorCode, message: string, init: XmlErrorInit) {
    super(message);
    this.name = "XmlError";
    this.code = code;
    this.offset = init.offset;
    this.line = init.line;
    this.column = init.column;
    this.limit = init.limit;
  }
}

/** Returns the error for a problem at an offset of a document. */
export function createErrorAt(
  text: string,
  offset: number,
  message: string,
  code: XmlErrorCode = "xml.not-well-formed",
): XmlError {
  return new XmlError(code, message, { offset, ...convertToUtf16Position(text, offset) });
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
