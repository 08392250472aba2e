import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job, JobProblem, JobResult, Outcome } from "./job.js";
import type { TypeErrors } from "./type-check.js";

export interface ReportOptions {
  readonly name: string;
  readonly lenient: boolean;
  readonly seconds: number;
  readonly verbose: boolean;
}

/** Formats the result of a run in a few lines. With `verbose`, also lists each problem with its position. */
export function report(summary: Summary, { name, lenient, seconds, verbose }: ReportOptions): string {
  const { sources, complete, outcomes, kinds, documents, instances, calls, memory, slowest } = summary;
  const otherOutcomes = [...outcomes].filter(([outcome]) => outcome !== "complete");
  const frequentKinds = [...kinds].filter(([kind]) => kind !== "ineligible").sort((a, b) => b[1] - a[1]);
  return [
    `${name}${lenient ? " (lenient)" : ""}: ${complete} of ${sources} complete (${formatPercent(complete, sources)}), ${summary.operations} operations`,
    ...otherOutcomes.map(([outcome, count]) => `  ${count} ${outcome}`),
    ...frequentKinds.map(([kind, count]) => `    ${String(count).padStart(4)} ${kind}`),
    ...formatSchemaLines(summary.schemas),
    ...(["valid", "invalid"] as const).flatMap((kind) => {
      const { right, all } = documents[kind];
      const verb = kind === "valid" ? "decoded" : "refused";
      return all === 0 ? [] : [`  ${right} of ${all} ${kind} documents ${verb} (${formatPercent(right, all)})`];
    }),
    ...(instances.messages === 0
      ? []
      : [
          `  ${instances.madeCount} instances of ${instances.messages} messages, ${instances.judgedCount} of them judged by xmllint, ${instances.problems} problems`,
          `  ${instances.unmadeCount} messages without an instance, ${instances.madeCount - instances.judgedCount} instances not judged`,
        ]),
    ...(calls.endpoints === 0
      ? []
      : [
          `  ${calls.called} of ${calls.endpoints} endpoints called with random arguments (${formatPercent(calls.called, calls.endpoints)})`,
        ]),
    `  ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB at most, slowest ${slowest.name} (${slowest.seconds.toFixed(1)} s)`,
    ...(verbose ? listDetails(summary) : []),
  ].join("\n");
}

/** Formats the results for valid schemas, and for schemas that a test of the suite declares invalid. */
function formatSchemaLines({ valid: validSchemas, invalid }: Summary["schemas"]): readonly string[] {
  const { refused, warned, all } = invalid;
  return [
    ...(validSchemas.all === 0
      ? []
      : [
          `  ${validSchemas.right} of ${validSchemas.all} valid schemas complete (${formatPercent(validSchemas.right, validSchemas.all)})`,
        ]),
    ...(all === 0
      ? []
      : [
          `  ${refused + warned} of ${all} invalid schemas reported (${formatPercent(refused + warned, all)}): ${refused} refused, ${warned} with warnings`,
        ]),
  ];
}

/** Formats the totals: the sources that are complete by default, complete with `lenient`, and incomplete. */
export function formatHeadline(name: string, defaultSummary: Summary, lenient: Summary): string {
  const { sources, complete } = defaultSummary;
  const incomplete = (defaultSummary.outcomes.get("incomplete") ?? 0) + (lenient.outcomes.get("incomplete") ?? 0);
  const refusedCount = lenient.outcomes.get("refused") ?? 0;
  const { wsdls } = defaultSummary;
  return [
    `${name}: of ${sources} eligible sources, ${defaultSummary.resolved} have no unresolved references; ${complete} complete without --lenient (${formatPercent(defaultSummary.resolvedComplete, defaultSummary.resolved)} of the sources without unresolved references), ${lenient.complete} complete with --lenient, which reports their mistakes,`,
    `  ${incomplete} incomplete (the problems list the parts that were left out), ${refusedCount} refused: ${formatPercent(complete + lenient.complete, sources)} complete`,
    ...(wsdls.all === 0 || wsdls.all === sources
      ? []
      : [
          `  WSDLs: ${wsdls.resolvedComplete} of ${wsdls.resolved} without unresolved references were generated completely (${formatPercent(wsdls.resolvedComplete, wsdls.resolved)}); with --lenient, ${wsdls.complete + lenient.complete} of all ${wsdls.all} (${formatPercent(wsdls.complete + lenient.complete, wsdls.all)})`,
        ]),
  ].join("\n");
}

function listDetails({ problems }: Summary): readonly string[] {
  return problems.flatMap((job) => [job.name, ...job.problems.map(({ kind, text }) => `    ${kind}: ${text}`)]);
}

function formatPercent(part: number, total: number): string {
  return total === 0 ? "-" : `${((100 * part) / total).toFixed(1)} %`;
}

/** The totals of one run over one folder. */
export interface Summary {
  readonly sources: number;
  readonly complete: number;
  /** The number of sources without unresolved references. */
  readonly resolved: number;
  /** The number of sources without unresolved references that are complete. */
  readonly resolvedComplete: number;
  /** The numbers of valid schemas without a WSDL, and of schemas that a test declares invalid. */
  readonly wsdls: Readonly<Record<"all" | "complete" | "resolved" | "resolvedComplete", number>>;
  /** The numbers of schemas without a WSDL: valid ones, and those that a test declares invalid. */
  readonly schemas: {
    readonly valid: { readonly right: number; readonly all: number };
    readonly invalid: { readonly refused: number; readonly warned: number; readonly all: number };
  };
  /** The `id` of each refused job. */
  readonly refused: ReadonlySet<number>;
  readonly operations: number;
  readonly outcomes: ReadonlyMap<Outcome | "type errors", number>;
  readonly kinds: ReadonlyMap<string, number>;
  readonly problems: readonly { readonly name: string; readonly problems: readonly JobProblem[] }[];
  readonly documents: Readonly<Record<"valid" | "invalid", { readonly right: number; readonly all: number }>>;
  readonly instances: Readonly<Record<"messages" | "madeCount" | "judgedCount" | "unmadeCount" | "problems", number>>;
  readonly calls: Readonly<Record<"endpoints" | "called", number>>;
  readonly memory: number;
  readonly slowest: { readonly name: string; readonly seconds: number };
}

/** Adds up the results of jobs. A source counts as incomplete if its output has type errors. */
export function summarize(jobs: readonly Job[], results: readonly JobResult[], errors: TypeErrors): Summary {
  const namesById = new Map(jobs.map((job) => [job.id, job.name]));
  const problemSummary = summarizeProblems(namesById, results, errors);
  const { outcomes } = problemSummary;
  const total = (numberOf: (result: JobResult) => number) => results.reduce((sum, result) => sum + numberOf(result), 0);
  const count = (kind: "valid" | "invalid") => ({
    right: total(({ documents }) => documents[kind].right),
    all: total(({ documents }) => documents[kind].all),
  });
  const isRight = (result: JobResult) => isComplete(result) && !errors.has(result.id);
  const [slowest] = [...results].sort((a, b) => b.seconds - a.seconds);
  return {
    sources: results.length - (outcomes.get("ineligible") ?? 0),
    // An invalid schema with warnings counts as complete, because the warnings report the errors.
    complete: (outcomes.get("complete") ?? 0) + (outcomes.get("warned") ?? 0),
    resolved: results.filter(isResolved).length,
    resolvedComplete: results.filter((result) => isResolved(result) && isRight(result)).length,
    ...summarizeKinds(jobs, results, isRight),
    refused: new Set(results.filter(({ outcome }) => outcome === "refused").map(({ id }) => id)),
    operations: total(({ operations }) => operations),
    ...problemSummary,
    documents: { valid: count("valid"), invalid: count("invalid") },
    instances: {
      messages: total(({ instances }) => instances.messages),
      madeCount: total(({ instances }) => instances.madeCount),
      judgedCount: total(({ instances }) => instances.judgedCount),
      unmadeCount: total(({ instances }) => instances.unmadeCount),
      problems: total(({ instances }) => instances.problems.length),
    },
    calls: {
      endpoints: total(({ calls }) => calls.endpoints),
      called: total(({ calls }) => calls.called),
    },
    memory: Math.max(0, ...results.map(({ memory }) => memory)),
    slowest: { name: namesById.get(slowest?.id ?? -1) ?? "", seconds: slowest?.seconds ?? 0 },
  };
}

/** Counts the outcomes and the kinds of problems, and lists the problems of each source. */
function summarizeProblems(
  namesById: ReadonlyMap<number, string>,
  results: readonly JobResult[],
  errors: TypeErrors,
): Pick<Summary, "outcomes" | "kinds" | "problems"> {
  const outcomes = new Map<Outcome | "type errors", number>();
  const kinds = new Map<string, number>();
  const problems: { name: string; problems: readonly JobProblem[] }[] = [];
  for (const result of results) {
    const typeErrors = errors.get(result.id) ?? [];
    const outcome = typeErrors.length > 0 ? "type errors" : result.outcome;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const judgedProblems = [...result.documents.problems, ...result.instances.problems, ...result.calls.problems];
    const allProblems = [...result.problems, ...typeErrors, ...judgedProblems];
    for (const kind of new Set(allProblems.map((problem) => problem.kind))) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const listedProblems = outcome === "complete" ? judgedProblems : allProblems;
    if (listedProblems.length > 0 || outcome === "accepted") {
      problems.push({ name: `${outcome}: ${namesById.get(result.id)}`, problems: listedProblems });
    }
  }
  const otherErrors = errors.get(-1) ?? [];
  if (otherErrors.length > 0) {
    problems.push({ name: "type errors: the compiler", problems: otherErrors });
    outcomes.set("type errors", (outcomes.get("type errors") ?? 0) + 1);
  }
  return { outcomes, kinds, problems };
}

/** Counts the results of WSDLs, valid schemas and invalid schemas. */
function summarizeKinds(
  jobs: readonly Job[],
  results: readonly JobResult[],
  isRight: (result: JobResult) => boolean,
): Pick<Summary, "wsdls" | "schemas"> {
  const listResults = (kind: Job["kind"], areInvalid = false) => {
    const ids = new Set(jobs.filter((job) => job.kind === kind && job.isInvalid === areInvalid).map(({ id }) => id));
    return results.filter(({ id, outcome }) => ids.has(id) && outcome !== "ineligible");
  };
  const wsdls = listResults("wsdl");
  const validSchemas = listResults("schemas");
  const invalidSchemas = listResults("schemas", true);
  return {
    wsdls: {
      all: wsdls.length,
      complete: wsdls.filter(isRight).length,
      resolved: wsdls.filter(isResolved).length,
      resolvedComplete: wsdls.filter((result) => isResolved(result) && isRight(result)).length,
    },
    schemas: {
      valid: { right: validSchemas.filter(isRight).length, all: validSchemas.length },
      invalid: {
        refused: invalidSchemas.filter(({ outcome }) => outcome === "complete").length,
        warned: invalidSchemas.filter(({ outcome }) => outcome === "warned").length,
        all: invalidSchemas.length,
      },
    },
  };
}

/**
 * Whether a source is eligible and has no unresolved references. For a WSDL, an independent check decides; for any
 * other source, the diagnostics do.
 */
function isResolved({ outcome, isResolved: isResolvedWsdl, problems }: JobResult): boolean {
  const resolves = isResolvedWsdl ?? !problems.some(({ kind }) => /\.(?:unknown-|undeclared-prefix$)/.test(kind));
  return outcome !== "ineligible" && resolves;
}

function isComplete({ outcome }: JobResult): boolean {
  return outcome === "complete" || outcome === "warned";
}

const path = join(import.meta.dirname, "..", "..", "corpus-baseline.json");

/** Totals that must not decrease, by the name of the corpus's folder. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Reads the totals of the last accepted run. Empty if there is no such run. */
export function readBaseline(): Baseline {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

export function writeBaseline(baseline: Baseline): void {
  const sortedBaseline = Object.fromEntries(Object.entries(baseline).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sortedBaseline, null, 2)}\n`);
}

/** Describes the totals that decreased. */
export function compareBaseline(
  before: Readonly<Record<string, number>>,
  currentTotals: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(before).flatMap(([name, least]) => {
    const value = currentTotals[name];
    return value !== undefined && value < least ? [`${name} decreased from ${least} to ${value}`] : [];
  });
}
