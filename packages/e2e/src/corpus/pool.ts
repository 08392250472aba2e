import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type Job, type JobResult, type JobSettings, noCalls, noDocuments, noInstances } from "./job.js";

/** The number of processes, the number of jobs after which a process is replaced, and the time limit for a job. */
export interface PoolOptions {
  readonly processes: number;
  readonly jobsPerProcess: number;
  readonly secondsPerJob: number;
}

/** Runs jobs in several processes. A job that crashes or hangs ends only its own process. */
export async function runJobs(
  jobs: readonly Job[],
  settings: JobSettings,
  options: PoolOptions,
): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  const queue = [...jobs];
  await Promise.all(Array.from({ length: options.processes }, () => runQueue(queue, results, { settings, options })));
  return results.sort((a, b) => a.id - b.id);
}

interface PoolRun {
  readonly settings: JobSettings;
  readonly options: PoolOptions;
}

async function runQueue(queue: Job[], results: JobResult[], run: PoolRun): Promise<void> {
  while (queue.length > 0) {
    const child = startWorker(run.settings);
    for (let count = 0; count < run.options.jobsPerProcess; count += 1) {
      const job = queue.shift();
      if (job === undefined) {
        break;
      }
      const result = await runIn(child, job, run.options);
      results.push(result);
      if (result.outcome === "crashed" || result.outcome === "timed out") {
        break;
      }
    }
    child.kill("SIGKILL");
  }
}

function startWorker(settings: JobSettings): ChildProcess {
  return fork(join(import.meta.dirname, "worker.js"), [JSON.stringify(settings)], {
    execArgv: ["--max-old-space-size=4096"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

function runIn(child: ChildProcess, job: Job, { secondsPerJob }: PoolOptions): Promise<JobResult> {
  return new Promise((resolve) => {
    let output = "";
    const settleFailure = (outcome: "crashed" | "timed out", text: string) =>
      settle({
        id: job.id,
        outcome,
        problems: [{ kind: outcome, text }],
        documents: noDocuments,
        instances: noInstances,
        calls: noCalls,
        operations: 0,
        seconds: secondsPerJob,
        memory: 0,
      });
    const timer = setTimeout(
      () => settleFailure("timed out", `The job did not end within ${secondsPerJob} s.`),
      secondsPerJob * 1000,
    );
    const onData = (data: Buffer) => {
      output = (output + data.toString("utf8")).slice(0, 4_000);
    };
    // The output of a process may arrive after the event `exit`, but not after `close`.
    const onClose = (code: number | null) =>
      settleFailure("crashed", output.trim() || `The process ended with exit code ${code}.`);
    const settle = (result: JobResult) => {
      clearTimeout(timer);
      child.off("message", settle);
      child.off("close", onClose);
      child.stderr?.off("data", onData);
      resolve(result);
    };
    child.on("message", settle);
    child.on("close", onClose);
    child.stderr?.on("data", onData);
    child.send(job);
  });
}
