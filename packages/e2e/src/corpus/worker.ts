import type { Job, JobSettings } from "./job.js";
import { runJob } from "./run-job.js";

// Runs jobs in a separate process, so that a crash does not end the run.
const [settingsText = "{}"] = process.argv.slice(2);
const settings: JobSettings = JSON.parse(settingsText);
process.on("message", async (job: Job) => {
  process.send?.(await runJob(job, settings));
});
