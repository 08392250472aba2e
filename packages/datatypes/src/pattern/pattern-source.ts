/** Limits for patterns, so that no pattern is expensive to compile or to run. */
export interface PatternLimits {
  /** Characters of the pattern. */
  readonly patternChars: number;
  /** States of its automaton. */
  readonly patternStates: number;
  /** The nesting depth of groups. */
  readonly patternDepth: number;
}

export const patternLimits: PatternLimits = { patternChars: 4096, patternStates: 10_000, patternDepth: 250 };

/** Limits for patterns that were checked when their code was generated. Parsing is recursive, so the depth stays limited. */
export const checkedPatternLimits: PatternLimits = {
  ...patternLimits,
  patternChars: Infinity,
  patternStates: Infinity,
};

/** The pattern limits that can be raised. */
export type PatternLimit = Exclude<keyof PatternLimits, "patternDepth">;

/** The malformed part of a pattern, unless it is merely an unsupported construct. */
export type PatternFault = "group" | "name" | "route";

/** Thrown for a pattern that violates its grammar or a limit. `offset` is in UTF-16 units of the pattern. */
export class PatternError extends Error {
  readonly offset: number;
  /** The limit that the pattern exceeds. */
  readonly limit: PatternLimit | undefined;
  readonly fault: PatternFault | undefined;

  constructor(
    message: string,
    offset: number,
    { limit, fault }: { readonly limit?: PatternLimit; readonly fault?: PatternFault } = {},
  ) {
    super(message);
    this.name = "PatternError";
    this.offset = offset;
    this.limit = limit;
    this.fault = fault;
  }
}

/** The text of a pattern while it is parsed, one code point at a time. */
export class PatternSource {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** Whether the rest begins with `expected`. */
  at(expected: string): boolean {
    return this.text.startsWith(expected, this.offset);
  }

  /** Skips `expected` if the rest begins with it. */
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

  /** Reads a number; undefined if there is no digit. */
  readNumber(): number | undefined {
    const start = this.offset;
    while (this.text.charCodeAt(this.offset) >= 48 && this.text.charCodeAt(this.offset) <= 57) {
      this.offset++;
    }
    return start === this.offset ? undefined : Number(this.text.slice(start, this.offset));
  }

  /** The error for a problem at an offset, by default the current one. */
  error(message: string, offset: number = this.offset, fault?: PatternFault): PatternError {
    return new PatternError(message, offset, fault === undefined ? {} : { fault });
  }
}
