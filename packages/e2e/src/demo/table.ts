/** One line of the demo's table. */
export interface Row {
  readonly operation: string;
  readonly protocol: string;
  readonly milliseconds: number;
  /** What came back, in short. */
  readonly answer: string;
  /** undefined: right. */
  readonly wrong: string | undefined;
}

const columns = ["operation", "protocol", "ms", "what came back"] as const;

/** The rows as text, in columns as wide as they need, the last one cut at the width. */
export function formatTable(rows: readonly Row[], width: number): string {
  const cells = rows.map((row) => [
    `${row.wrong === undefined ? " " : "!"} ${row.operation}`,
    row.protocol,
    row.milliseconds.toFixed(1),
    row.wrong === undefined ? row.answer : `WRONG: ${row.wrong}`,
  ]);
  const head = [`  ${columns[0]}`, ...columns.slice(1)];
  const widths = head.map((cell, index) => Math.max(cell.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index === 2 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join("  ")
      .trimEnd()
      .slice(0, width);
  return [line(head), ...cells.map(line)].join("\n");
}
