import type { PatternLimits } from "./limits.js";

/** The limits of patterns that can be raised. */
export type PatternLimit = Exclude<keyof PatternLimits, "patternDepth">;

/** A pattern that its grammar, or a limit, refuses. `offset` is in UTF-16 units of the pattern. */
export class PatternError extends Error {
  readonly offset: number;
  /** The limit that the pattern passes, if it is that. */
  readonly limit: PatternLimit | undefined;

  constructor(message: string, offset: number, limit?: PatternLimit) {
    super(message);
    this.name = "PatternError";
    this.offset = offset;
    this.limit = limit;
  }
}
