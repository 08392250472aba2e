import { isDeepStrictEqual } from "node:util";
import type { Row } from "./table.js";

/** One call of the demo: what is called, over what, and whether the answer is right. */
export interface Call {
  readonly operation: string;
  readonly protocol: string;
  readonly run: () => Promise<unknown>;
  /** The expected answer, or a check that says what is wrong. */
  readonly expected: { readonly equal: unknown } | { readonly check: (answer: unknown) => string | undefined };
}

/** Makes the calls one after the other; a call that fails is a wrong row, not the end. */
export async function runCalls(calls: readonly Call[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of calls) rows.push(await runCall(call));
  return rows;
}

async function runCall(call: Call): Promise<Row> {
  const start = performance.now();
  try {
    const answer = await call.run();
    return row(call, start, { answer: brief(answer), wrong: problemOf(answer, call.expected) });
  } catch (error) {
    return row(call, start, {
      answer: "",
      wrong: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    });
  }
}

function row(call: Call, start: number, outcome: Pick<Row, "answer" | "wrong">): Row {
  return { operation: call.operation, protocol: call.protocol, milliseconds: performance.now() - start, ...outcome };
}

function problemOf(answer: unknown, expected: Call["expected"]): string | undefined {
  if ("check" in expected) return expected.check(answer);
  return isDeepStrictEqual(answer, expected.equal)
    ? undefined
    : `expected ${brief(expected.equal)}, got ${brief(answer)}`;
}

function brief(answer: unknown): string {
  if (answer === undefined) return "nothing";
  return JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
