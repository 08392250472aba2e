import { isDeepStrictEqual } from "node:util";
import type { Outcome } from "./outcome.js";

/** Makes one call: it is right when it resolves to nothing, wrong by the text it resolves to or what it throws. */
export async function tryCall(
  { peer, call, over }: Pick<Outcome, "peer" | "call" | "over">,
  run: () => Promise<string | undefined>,
): Promise<Outcome> {
  const start = performance.now();
  const wrong = await run().catch(textOf);
  return { peer, call, over, milliseconds: performance.now() - start, wrong };
}

/** What is wrong with an answer, if anything is. */
export function difference(answer: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(answer, expected)) return undefined;
  return `expected ${brief(expected)}, got ${brief(answer)}`;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function brief(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
