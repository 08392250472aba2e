export interface Position {
  /** Counted from 1. */
  readonly line: number;
  /** UTF-16 units, counted from 1. */
  readonly column: number;
}

/** The line and column of an offset. CRLF, LF and CR each end a line (XML 1.0 §2.11). Linear: for messages only. */
export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
      line += 1;
      lineStart = at + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}
