import { readDeviations } from "../../src/replay/asmx/index.js";
import { test } from "vitest";
import { probeRoutes, readRecordedCases, readRecordedIndex, replay, reportLines } from "../../src/replay/wordpress/index.js";
test("x", async () => {
  const dir = process.env["WP"] ?? "";
  const r = await replay([probeRoutes(readRecordedIndex(`${dir}/index.json`))], { cases: readRecordedCases(`${dir}/cases.json`), deviations: readDeviations("packages/e2e/src/replay/wordpress/deviations.json") });
  console.log(reportLines(r).join("\n"));
});
