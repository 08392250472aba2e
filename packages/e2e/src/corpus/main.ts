import { runCorpus } from "./corpus.js";
import { readOptions, usage } from "./find-jobs.js";

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  console.log(usage);
  process.exitCode = 2;
} else {
  process.exitCode = await runCorpus(options);
}
