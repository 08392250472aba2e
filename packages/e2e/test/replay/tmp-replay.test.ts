import { test } from "vitest";
import { vehicleRoutes } from "../../../server/src/vehicle/index.js";
import { lookupHandlers, readCases, readDeviations, replay, reportLines } from "../../src/replay/asmx/index.js";

test("replay", async () => {
  const routes = vehicleRoutes(lookupHandlers, { onError: () => {}, illegalCharacters: "replace" });
  const deviations = readDeviations(new URL("../../src/replay/asmx/deviations.json", import.meta.url));
  const report = await replay([routes], { cases: readCases("/work/shared/ground-truth/asmx/cases"), deviations });
  console.log(reportLines(report).join("\n"));
}, 60000);
