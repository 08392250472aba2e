import { fileURLToPath } from "node:url";
import { generateSite, readDeviations, readExpectedCalls, readRecordedCases, replay, reportLines } from "./index.js";

/** Replays the recorded cases against a server generated from the recorded index. */
// The list is in the source folder because it is not compiled.
const folder = fileURLToPath(new URL("../../../recorded/wordpress", import.meta.url));
const report = await replay(await generateSite(`${folder}/index.json`), {
  cases: readRecordedCases(folder),
  calls: readExpectedCalls(folder),
  deviations: readDeviations(new URL("../../../src/replay/wordpress/deviations.json", import.meta.url)),
});
process.stdout.write(`${reportLines(report).join("\n")}\n`);
process.exitCode = report.failingCases.length + report.staleDeviations.length === 0 ? 0 : 1;
