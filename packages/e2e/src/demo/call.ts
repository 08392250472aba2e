import { isDeepStrictEqual } from "node:util";

/** One call of the demo, and the expected answer. */
export interface Call {
  readonly operation: string;
  readonly protocol: string;
  readonly run: () => Promise<unknown>;
  /** The expected answer, or a check that returns an error message. */
  readonly expected: { readonly equal: unknown } | { readonly check: (answer: unknown) => string | undefined };
}

/** Makes the calls one after the other. A call that fails has a row with the error. */
export async function runCalls(calls: readonly Call[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of calls) {
    rows.push(await runCall(call));
  }
  return rows;
}

async function runCall(call: Call): Promise<Row> {
  const start = performance.now();
  try {
    const answer = await call.run();
    return createRow(call, start, { answer: shortenText(answer), problem: findProblem(answer, call.expected) });
  } catch (error) {
    return createRow(call, start, {
      answer: "",
      problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    });
  }
}

function createRow(call: Call, start: number, outcome: Pick<Row, "answer" | "problem">): Row {
  return { operation: call.operation, protocol: call.protocol, milliseconds: performance.now() - start, ...outcome };
}

function findProblem(answer: unknown, expected: Call["expected"]): string | undefined {
  if ("check" in expected) {
    return expected.check(answer);
  }
  return isDeepStrictEqual(answer, expected.equal)
    ? undefined
    : `expected ${shortenText(expected.equal)}, got ${shortenText(answer)}`;
}

function shortenText(answer: unknown): string {
  if (answer === undefined) {
    return "nothing";
  }
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/** One row of the demo's table. */
export interface Row {
  readonly operation: string;
  readonly protocol: string;
  readonly milliseconds: number;
  /** A short form of the answer. */
  readonly answer: string;
  /** The error message; undefined if the answer is right. */
  readonly problem: string | undefined;
}

const columns = ["operation", "protocol", "ms", "answer"] as const;

/** Formats the rows as a text table with lines of at most `width` characters. */
export function formatTable(rows: readonly Row[], width: number): string {
  const cells = rows.map((row) => [
    `${row.problem === undefined ? " " : "!"} ${row.operation}`,
    row.protocol,
    row.milliseconds.toFixed(1),
    row.problem === undefined ? row.answer : `WRONG: ${row.problem}`,
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
