import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readDeviations } from "../../src/replay/asmx/index.js";
import { probeRoutes, readRecordedCases, readRecordedIndex, replay } from "../../src/replay/wordpress/index.js";

const recorded = (name: string) => fileURLToPath(new URL(`../../recorded/wordpress/${name}`, import.meta.url));

test("a server answers as the recorded site does, as far as an index can tell", async () => {
  const report = await replay([probeRoutes(readRecordedIndex(recorded("index.json")))], {
    cases: readRecordedCases(recorded("cases.json")),
    deviations: readDeviations(new URL("../../src/replay/wordpress/deviations.json", import.meta.url)),
  });
  expect(report.failing).toEqual([]);
  expect(report.stale).toEqual([]);
  expect(report.exact.length).toBeGreaterThan(470);
});
