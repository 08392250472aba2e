import { createRouter, type Routes, type ServerAnswer } from "@bothends/runtime/server";
import type { Deviation } from "./deviations.js";
import { judge } from "./judge.js";
import type { RecordedAnswer, RecordedCase } from "./recorded-case.js";

/** The results of replaying a recording, as names of cases. */
export interface ReplayReport {
  readonly exactCases: readonly string[];
  /** The cases whose answers differ in an accepted way. */
  readonly acceptedCases: readonly string[];
  readonly outOfScopeCases: readonly string[];
  readonly failingCases: readonly { readonly name: string; readonly difference: string }[];
  /** The accepted deviations that no longer occur, or that have no case. */
  readonly staleDeviations: readonly string[];
}

/** The recorded cases, and the accepted deviations from them. */
export interface ReplayInputs {
  readonly cases: readonly RecordedCase[];
  readonly deviations: readonly Deviation[];
}

/**
 * Sends each recorded request to the routes, and compares each answer as closely as the `ruling` of its case requires.
 */
export async function replay(routes: readonly Routes[], { cases, deviations }: ReplayInputs): Promise<ReplayReport> {
  const router = createRouter(routes);
  const listedCases = new Set(deviations.map((deviation) => deviation.case));
  const occurredCases = new Set<string>();
  const exactCases: string[] = [];
  const outOfScopeCases: string[] = [];
  const failingCases: { name: string; difference: string }[] = [];
  for (const recordedCase of cases) {
    const { name, ruling, request } = recordedCase;
    const answer = await router({ ...request, signal: new AbortController().signal });
    const difference = ruling === "skip" ? undefined : judge(recordedCase, readActualAnswer(answer, request.method));
    if (ruling === "skip") {
      outOfScopeCases.push(name);
    } else if (difference === undefined) {
      exactCases.push(name);
    } else if (listedCases.has(name)) {
      occurredCases.add(name);
    } else {
      failingCases.push({ name, difference });
    }
  }
  const staleDeviations = [...listedCases].filter((name) => !occurredCases.has(name));
  return { exactCases, acceptedCases: [...occurredCases], outOfScopeCases, failingCases, staleDeviations };
}

function readActualAnswer({ status, headers, body = "" }: ServerAnswer, method: string): RecordedAnswer {
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { status, contentType, body: method === "HEAD" ? new Uint8Array() : bytes };
}

/** Formats the report. The last line has the counts. */
export function reportLines({
  exactCases,
  acceptedCases,
  outOfScopeCases,
  failingCases,
  staleDeviations,
}: ReplayReport): readonly string[] {
  return [
    ...failingCases.map(({ name, difference }) => `failing ${name}: ${difference}`),
    ...staleDeviations.map((name) => `stale deviation ${name}`),
    `exact ${exactCases.length}, accepted ${acceptedCases.length}, out of scope ${outOfScopeCases.length}, failing ${failingCases.length}`,
  ];
}
