import { createRouter, type Routes, type ServerAnswer } from "@bothends/runtime/server";
import type { Deviation } from "./deviations.js";
import { judge } from "./judge.js";
import type { RecordedAnswer, RecordedCase } from "./recorded-case.js";

/** The results of a recording. */
export interface ReplayReport {
  readonly exact: readonly string[];
  /** Cases with accepted deviations. */
  readonly accepted: readonly string[];
  readonly outOfScope: readonly string[];
  readonly failing: readonly { readonly name: string; readonly difference: string }[];
  /** Listed deviations that no longer occur, or that have no case. */
  readonly stale: readonly string[];
}

export interface ReplayInputs {
  readonly cases: readonly RecordedCase[];
  readonly deviations: readonly Deviation[];
}

/** Sends each recorded request to the routes, and compares the answers according to the rulings. */
export async function replay(routes: readonly Routes[], { cases, deviations }: ReplayInputs): Promise<ReplayReport> {
  const router = createRouter(routes);
  const listed = new Set(deviations.map((deviation) => deviation.case));
  const occurred = new Set<string>();
  const exact: string[] = [];
  const outOfScope: string[] = [];
  const failing: { name: string; difference: string }[] = [];
  for (const recorded of cases) {
    const { name, ruling, request } = recorded;
    const answer = await router({ ...request, signal: new AbortController().signal });
    const difference = ruling === "skip" ? undefined : judge(recorded, foundAnswer(answer, request.method));
    if (ruling === "skip") {
      outOfScope.push(name);
    } else if (difference === undefined) {
      exact.push(name);
    } else if (listed.has(name)) {
      occurred.add(name);
    } else {
      failing.push({ name, difference });
    }
  }
  const stale = [...listed].filter((name) => !occurred.has(name));
  return { exact, accepted: [...occurred], outOfScope, failing, stale };
}

function foundAnswer({ status, headers, body = "" }: ServerAnswer, method: string): RecordedAnswer {
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { status, contentType, body: method === "HEAD" ? new Uint8Array() : bytes };
}

/** The report, with the counts in the last line. */
export function reportLines({ exact, accepted, outOfScope, failing, stale }: ReplayReport): readonly string[] {
  return [
    ...failing.map(({ name, difference }) => `failing ${name}: ${difference}`),
    ...stale.map((name) => `stale deviation ${name}`),
    `exact ${exact.length}, accepted ${accepted.length}, out of scope ${outOfScope.length}, failing ${failing.length}`,
  ];
}
