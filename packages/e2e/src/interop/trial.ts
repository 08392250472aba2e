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

/** Where an answer differs first from what is expected, and how; undefined: nowhere. */
export function difference(answer: unknown, expected: unknown, path = ""): string | undefined {
  if (isDeepStrictEqual(answer, expected)) return undefined;
  if (isObject(answer) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(answer)])) {
      const found = difference(answer[key], expected[key], `${path}/${key}`);
      if (found !== undefined) return found;
    }
  }
  return `${path === "" ? "" : `${path}: `}expected ${brief(expected)}, got ${brief(answer)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function brief(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
}
