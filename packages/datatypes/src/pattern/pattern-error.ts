import type { PatternLimits } from "./limits.js";

/** The limits of patterns that can be raised. */
export type PatternLimit = Exclude<keyof PatternLimits, "patternDepth">;

/** What is wrong with the form of a pattern, where it is not just something that the grammar lacks. */
export type PatternFault = "group" | "name" | "route";

/** A pattern that its grammar, or a limit, refuses. `offset` is in UTF-16 units of the pattern. */
export class PatternError extends Error {
  readonly offset: number;
  /** The limit that the pattern passes, if it is that. */
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
