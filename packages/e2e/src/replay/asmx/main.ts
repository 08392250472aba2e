import { vehicleRoutes } from "@bothends/server/vehicle";
import { lookupHandlers, readCases, readDeviations, replay, reportLines } from "./index.js";

/** Replays the recorded cases in a folder against the generated server: `node …/main.js CASES`. */
const [directory] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write("usage: main.js CASES\n");
  process.exitCode = 2;
} else {
  const report = await replay([vehicleRoutes(lookupHandlers, { illegalCharacters: "replace" })], {
    cases: readCases(directory),
    // The list is in the source folder because it is not compiled.
    deviations: readDeviations(new URL("../../../src/replay/asmx/deviations.json", import.meta.url)),
  });
  process.stdout.write(`${reportLines(report).join("\n")}\n`);
  process.exitCode = report.failingCases.length + report.staleDeviations.length === 0 ? 0 : 1;
}
