import type { XmlLimits } from "./limits.js";

/** What can be wrong with a document. Stable: diagnostics and faults are chosen by it. */
export type XmlErrorCode =
  | "xml.not-well-formed"
  | "xml.character"
  | "xml.namespace"
  | "xml.dtd"
  | "xml.entity"
  | "xml.encoding"
  | "xml.unexpected-element"
  | `limit.${keyof XmlLimits}`;

export interface XmlErrorInit {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The limit that was passed, and its value. */
  readonly limit?: { readonly name: keyof XmlLimits; readonly value: number };
}

/** A document that cannot be read, or a text that cannot be written. Reading stops at the first. */
export class XmlError extends Error {
  readonly code: XmlErrorCode;
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  /** UTF-16 units, counted from 1. */
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
