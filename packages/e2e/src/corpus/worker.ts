import type { Job, JobSettings } from "./job.js";
import { runJob } from "./run-job.js";

// A process of its own: whatever a source does to it, the run goes on.
const [settingsText = "{}"] = process.argv.slice(2);
const settings: JobSettings = JSON.parse(settingsText);
process.on("message", async (job: Job) => {
  process.send?.(await runJob(job, settings));
});
