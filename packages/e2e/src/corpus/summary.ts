import type { Job, JobProblem, JobResult, Outcome } from "./job.js";
import type { TypeErrors } from "./type-check.js";

/** The numbers of one run over one folder. */
export interface Summary {
  readonly sources: number;
  readonly complete: number;
  /** Those that were refused, by their numbers. */
  readonly refused: ReadonlySet<number>;
  readonly operations: number;
  readonly outcomes: ReadonlyMap<Outcome | "type errors", number>;
  readonly kinds: ReadonlyMap<string, number>;
  readonly problems: readonly { readonly name: string; readonly problems: readonly JobProblem[] }[];
  readonly documents: Readonly<Record<"valid" | "invalid", { readonly right: number; readonly all: number }>>;
  readonly instances: Readonly<Record<"messages" | "made" | "judged" | "problems", number>>;
  readonly calls: Readonly<Record<"endpoints" | "called", number>>;
  readonly memory: number;
  readonly slowest: { readonly name: string; readonly seconds: number };
}

/** Adds up results; a source whose output has type errors is not complete. */
export function summarize(jobs: readonly Job[], results: readonly JobResult[], errors: TypeErrors): Summary {
  const named = new Map(jobs.map((job) => [job.id, job.name]));
  const outcomes = new Map<Outcome | "type errors", number>();
  const kinds = new Map<string, number>();
  const problems: { name: string; problems: readonly JobProblem[] }[] = [];
  for (const result of results) {
    const typeErrors = errors.get(result.id) ?? [];
    const outcome = typeErrors.length > 0 ? "type errors" : result.outcome;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const judged = [...result.documents.problems, ...result.instances.problems, ...result.calls.problems];
    const all = [...result.problems, ...typeErrors, ...judged];
    for (const kind of new Set(all.map((problem) => problem.kind))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const shown = outcome === "complete" ? judged : all;
    if (shown.length > 0 || outcome === "accepted")
      problems.push({ name: `${outcome}: ${named.get(result.id)}`, problems: shown });
  }
  const loose = errors.get(-1) ?? [];
  if (loose.length > 0) {
    problems.push({ name: "type errors: the compiler", problems: loose });
    outcomes.set("type errors", (outcomes.get("type errors") ?? 0) + 1);
  }
  const total = (of: (result: JobResult) => number) => results.reduce((sum, result) => sum + of(result), 0);
  const count = (kind: "valid" | "invalid") => ({
    right: total(({ documents }) => documents[kind].right),
    all: total(({ documents }) => documents[kind].all),
  });
  const [slowest] = [...results].sort((a, b) => b.seconds - a.seconds);
  return {
    sources: results.length - (outcomes.get("ineligible") ?? 0),
    complete: outcomes.get("complete") ?? 0,
    refused: new Set(results.filter(({ outcome }) => outcome === "refused").map(({ id }) => id)),
    operations: total(({ operations }) => operations),
    outcomes,
    kinds,
    problems,
    documents: { valid: count("valid"), invalid: count("invalid") },
    instances: {
      messages: total(({ instances }) => instances.messages),
      made: total(({ instances }) => instances.made),
      judged: total(({ instances }) => instances.judged),
      problems: total(({ instances }) => instances.problems.length),
    },
    calls: {
      endpoints: total(({ calls }) => calls.endpoints),
      called: total(({ calls }) => calls.called),
    },
    memory: Math.max(0, ...results.map(({ memory }) => memory)),
    slowest: { name: named.get(slowest?.id ?? -1) ?? "", seconds: slowest?.seconds ?? 0 },
  };
}
