/** Limits on patterns. They bound the time and memory for compiling and matching a pattern. */
export interface PatternLimits {
  /** The maximum length of the pattern, in UTF-16 units. */
  readonly patternChars: number;
  /** The maximum number of states in the pattern's automaton. */
  readonly patternStates: number;
  /** The maximum nesting depth of groups. */
  readonly patternDepth: number;
}

/** The default limits of a pattern. */
export const patternLimits: PatternLimits = { patternChars: 4096, patternStates: 10_000, patternDepth: 250 };

/**
 * Limits for patterns that the generator has already checked. The length and the number of states are then unlimited;
 * the depth stays limited, because parsing is recursive.
 */
export const checkedPatternLimits: PatternLimits = {
  ...patternLimits,
  patternChars: Infinity,
  patternStates: Infinity,
};

/** The names of the pattern limits that a configuration can raise. */
export type PatternLimit = Exclude<keyof PatternLimits, "patternDepth">;

/** The malformed part of a pattern: a group, the name of a group, or the route as a whole. */
export type PatternFault = "group" | "name" | "route";

/** Thrown for a pattern that violates its grammar or a limit. `offset` is counted in UTF-16 units of the pattern. */
export class PatternError extends Error {
  readonly offset: number;
  /** The limit that the pattern exceeds; undefined for other errors. */
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

  get isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** Whether the unread text begins with `expected`. */
  isAt(expected: string): boolean {
    return this.text.startsWith(expected, this.offset);
  }

  /** Reads `expected` if the unread text begins with it. Returns whether `expected` was read. */
  take(expected: string): boolean {
    if (!this.isAt(expected)) {
      return false;
    }
    this.offset += expected.length;
    return true;
  }

  /** Returns the next code point as text without reading it; `""` at the end. */
  peek(): string {
    const codePoint = this.text.codePointAt(this.offset);
    return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  }

  /** Reads the next code point, and returns it as text. */
  read(): string {
    const character = this.peek();
    this.offset += character.length;
    return character;
  }

  /** Reads consecutive digits as a number; undefined if there is no digit. */
  readNumber(): number | undefined {
    const start = this.offset;
    while (this.text.charCodeAt(this.offset) >= 48 && this.text.charCodeAt(this.offset) <= 57) {
      this.offset++;
    }
    return start === this.offset ? undefined : Number(this.text.slice(start, this.offset));
  }

  /** Returns the error for a problem at an offset, by default the current offset. */
  error(message: string, offset: number = this.offset, fault?: PatternFault): PatternError {
    return new PatternError(message, offset, fault === undefined ? {} : { fault });
  }
}
