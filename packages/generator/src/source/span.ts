/** A stretch of one source text, by offsets in UTF-16 units. Lines and columns are worked out only when it is reported. */
export interface Span {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

/** One document: where it came from, and what it says. `path` is relative to the root and uses `/`. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}
