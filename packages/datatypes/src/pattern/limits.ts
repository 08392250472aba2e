/** How much of a pattern is taken on, so that no pattern costs much to prepare or to run. */
export interface PatternLimits {
  /** Characters of the pattern. */
  readonly patternChars: number;
  /** States of its automaton. */
  readonly patternStates: number;
  /** Groups inside groups. */
  readonly patternDepth: number;
}

export const patternLimits: PatternLimits = { patternChars: 4096, patternStates: 10_000, patternDepth: 250 };

/** For patterns that were judged when their code was generated. Depth is bounded all the same, as parsing recurses. */
export const judgedPatternLimits: PatternLimits = { ...patternLimits, patternChars: Infinity, patternStates: Infinity };
