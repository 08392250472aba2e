import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { compareBaseline, readBaseline, writeBaseline } from "./baseline.js";
import { findJobs } from "./find-jobs.js";
import type { Job } from "./job.js";
import type { Options } from "./options.js";
import { runJobs } from "./pool.js";
import { report } from "./report.js";
import { type Summary, summarize } from "./summary.js";
import { type TypeErrors, typeCheck } from "./type-check.js";

/** Runs the corpora; answers the exit code: 1 where something crashed, hung, did not compile, or a number fell. */
export async function corpus(options: Options): Promise<0 | 1> {
  let failed = false;
  for (const folder of options.folders) {
    const name = basename(resolve(folder));
    const jobs = findJobs(resolve(folder)).filter(
      (job) => options.only === undefined || job.name.includes(options.only),
    );
    const now: Record<string, number> = {};
    for (const lenient of [false, true]) {
      if (lenient ? options.strict || (!options.lenient && !mayBeLenient(jobs)) : options.lenient) continue;
      const start = performance.now();
      const summary = await run(folder, { jobs, lenient, options });
      const seconds = (performance.now() - start) / 1000;
      console.log(report(summary, { name, lenient, seconds, verbose: options.verbose }));
      Object.assign(now, numbers(summary, lenient));
      failed ||= isBroken(summary);
    }
    if (options.record) {
      const before = readBaseline();
      writeBaseline({ ...before, [name]: { ...before[name], ...now } });
    } else if (options.only === undefined) {
      for (const text of compareBaseline(readBaseline()[name] ?? {}, now)) {
        console.log(`${name}: ${text}`);
        failed = true;
      }
    }
  }
  return failed ? 1 : 0;
}

/** Leniency is for WSDLs alone. */
function mayBeLenient(jobs: readonly Job[]): boolean {
  return jobs.some(({ kind }) => kind === "wsdl");
}

interface Run {
  readonly jobs: readonly Job[];
  readonly lenient: boolean;
  readonly options: Options;
}

async function run(folder: string, { jobs, lenient, options }: Run): Promise<Summary> {
  const output = options.keep === undefined ? mkdtempSync(join(tmpdir(), "bothends-corpus-")) : resolve(options.keep);
  mkdirSync(output, { recursive: true });
  try {
    const settings = { folder: resolve(folder), output, lenient, instances: options.instances && !lenient };
    const pool = { processes: options.processes, jobsPerProcess: 100, secondsPerJob: 60 };
    const results = await runJobs(jobs, settings, pool);
    const ids = results.filter(({ outcome }) => outcome === "complete" || outcome === "incomplete").map(({ id }) => id);
    const errors: TypeErrors = await typeCheck(output, ids, 400);
    return summarize(jobs, results, errors);
  } finally {
    if (options.keep === undefined) rmSync(output, { recursive: true, force: true });
  }
}

function isBroken({ outcomes, instances }: Summary): boolean {
  return instances.problems > 0 || (["crashed", "timed out", "type errors"] as const).some((one) => outcomes.has(one));
}

function numbers({ complete, operations, documents }: Summary, lenient: boolean): Readonly<Record<string, number>> {
  if (!lenient) {
    return {
      complete,
      ...(documents.valid.all === 0 ? {} : { validDocuments: documents.valid.right }),
      ...(documents.invalid.all === 0 ? {} : { invalidDocuments: documents.invalid.right }),
    };
  }
  return { lenientComplete: complete, lenientOperations: operations };
}
