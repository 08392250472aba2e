import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Options } from "./find-jobs.js";
import { findJobs } from "./find-jobs.js";
import type { Job } from "./job.js";
import { runJobs } from "./pool.js";
import {
  compareBaseline,
  formatHeadline,
  readBaseline,
  report,
  type Summary,
  summarize,
  writeBaseline,
} from "./report.js";
import { checkTypes, type TypeErrors } from "./type-check.js";

/** Runs the corpora and returns the exit code: 1 if a job crashed, hung or did not compile, or if a total decreased. */
export async function runCorpus(options: Options): Promise<0 | 1> {
  let hasFailed = false;
  for (const folder of options.folders) {
    const name = basename(resolve(folder));
    const jobs = findJobs(resolve(folder)).filter(
      (job) => options.only === undefined || job.name.includes(options.only),
    );
    const currentTotals: Record<string, number> = {};
    let defaultSummary: Summary | undefined;
    if (!options.lenient) {
      defaultSummary = await reportRun(run(folder, { jobs, lenient: false, options }), {
        name,
        lenient: false,
        options,
      });
      Object.assign(currentTotals, countDefaultTotals(defaultSummary));
      hasFailed ||= isBroken(defaultSummary);
    }
    // Runs only refused WSDLs again with `lenient`, because it would not change the result of an accepted source.
    const lenientJobs =
      defaultSummary === undefined
        ? jobs
        : jobs.filter(({ id, kind }) => kind === "wsdl" && defaultSummary?.refused.has(id));
    if (!options.strict && lenientJobs.length > 0) {
      const lenient = await reportRun(run(folder, { jobs: lenientJobs, lenient: true, options }), {
        name,
        lenient: true,
        options,
      });
      hasFailed ||= isBroken(lenient);
      if (defaultSummary !== undefined) {
        Object.assign(currentTotals, countLenientTotals(defaultSummary, lenient));
        console.log(formatHeadline(name, defaultSummary, lenient));
      }
    }
    if (options.record) {
      const baseline = readBaseline();
      writeBaseline({ ...baseline, [name]: { ...baseline[name], ...currentTotals } });
    } else if (options.only === undefined) {
      for (const text of compareBaseline(readBaseline()[name] ?? {}, currentTotals)) {
        console.log(`${name}: ${text}`);
        hasFailed = true;
      }
    }
  }
  return hasFailed ? 1 : 0;
}

/** Waits for a run, measures its time, and prints its report. */
async function reportRun(
  pendingRun: Promise<Summary>,
  { name, lenient, options }: { readonly name: string; readonly lenient: boolean; readonly options: Options },
): Promise<Summary> {
  const start = performance.now();
  const summary = await pendingRun;
  const seconds = (performance.now() - start) / 1000;
  console.log(report(summary, { name, lenient, seconds, verbose: options.verbose }));
  return summary;
}

interface CorpusRun {
  readonly jobs: readonly Job[];
  readonly lenient: boolean;
  readonly options: Options;
}

async function run(folder: string, { jobs, lenient, options }: CorpusRun): Promise<Summary> {
  const outputFolder =
    options.outputFolder === undefined
      ? mkdtempSync(join(tmpdir(), "bothends-corpus-"))
      : resolve(options.outputFolder);
  mkdirSync(outputFolder, { recursive: true });
  try {
    const settings = { corpusFolder: resolve(folder), outputFolder, lenient, withInstances: options.instances };
    const pool = { processes: options.processes, jobsPerProcess: 400, secondsPerJob: 60 };
    const results = await runJobs(jobs, settings, pool);
    const ids = results.filter(({ outcome }) => outcome === "complete" || outcome === "incomplete").map(({ id }) => id);
    const errors: TypeErrors = await checkTypes(outputFolder, ids, 400);
    return summarize(jobs, results, errors);
  } finally {
    if (options.outputFolder === undefined) {
      rmSync(outputFolder, { recursive: true, force: true });
    }
  }
}

function isBroken({ outcomes, instances }: Summary): boolean {
  return (
    instances.problems > 0 ||
    (["crashed", "timed out", "type errors"] as const).some((outcome) => outcomes.has(outcome))
  );
}

function countDefaultTotals({ complete, documents, calls }: Summary): Readonly<Record<string, number>> {
  return {
    complete,
    ...(calls.endpoints === 0 ? {} : { endpointsCalled: calls.called }),
    ...(documents.valid.all === 0 ? {} : { validDocuments: documents.valid.right }),
    ...(documents.invalid.all === 0 ? {} : { invalidDocuments: documents.invalid.right }),
  };
}

/** Returns the totals of the sources that are complete, either without or with `lenient`. */
function countLenientTotals(defaultSummary: Summary, lenient: Summary): Readonly<Record<string, number>> {
  return {
    lenientComplete: defaultSummary.complete + lenient.complete,
    lenientOperations: defaultSummary.operations + lenient.operations,
  };
}
