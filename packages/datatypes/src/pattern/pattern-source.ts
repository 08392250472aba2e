import { PatternError, type PatternFault } from "./pattern-error.js";

/** A pattern's text while it is parsed, one code point at a time. */
export class PatternSource {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** Whether the text goes on with `expected` here. */
  at(expected: string): boolean {
    return this.text.startsWith(expected, this.offset);
  }

  /** Skips `expected` if it stands here. */
  take(expected: string): boolean {
    if (!this.at(expected)) {
      return false;
    }
    this.offset += expected.length;
    return true;
  }

  /** The next code point, as text; "" at the end. */
  peek(): string {
    const codePoint = this.text.codePointAt(this.offset);
    return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  }

  /** Reads the next code point. */
  read(): string {
    const next = this.peek();
    this.offset += next.length;
    return next;
  }

  /** Reads a number; undefined when no digit stands here. */
  readNumber(): number | undefined {
    const start = this.offset;
    while (this.text.charCodeAt(this.offset) >= 48 && this.text.charCodeAt(this.offset) <= 57) {
      this.offset++;
    }
    return start === this.offset ? undefined : Number(this.text.slice(start, this.offset));
  }

  /** A refusal at an offset; without one, here. */
  error(message: string, offset: number = this.offset, fault?: PatternFault): PatternError {
    return new PatternError(message, offset, fault === undefined ? {} : { fault });
  }
}
