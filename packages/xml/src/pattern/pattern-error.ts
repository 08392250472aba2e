/** A pattern that its grammar, or a limit, refuses. `offset` is in UTF-16 units of the pattern. */
export class PatternError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "PatternError";
    this.offset = offset;
  }
}
