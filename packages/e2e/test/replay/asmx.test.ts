import { fileURLToPath } from "node:url";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { expect, test } from "vitest";
import { lookupHandlers, readCases, readDeviations, replay, reportLines } from "../../src/replay/asmx/index.js";

const cases = readCases(fileURLToPath(new URL("../../recorded/asmx", import.meta.url)));

test("the generated server answers as the recorded service does", async () => {
  const routes = vehicleRoutes(lookupHandlers, { illegalCharacters: "replace" });
  const report = await replay([routes], {
    cases,
    deviations: readDeviations(new URL("../../src/replay/asmx/deviations.json", import.meta.url)),
  });
  console.log(reportLines(report).join("\n"));
  expect(report.failingCases).toEqual([]);
  expect(report.staleDeviations).toEqual([]);
  expect(cases).toHaveLength(381);
  expect(report.exactCases).toHaveLength(372);
});

test("an answer that differs fails, and so does a deviation that no longer occurs", async () => {
  const [first] = cases.filter((recorded) => recorded.name === "10-CheckUSA-soap11");
  if (first === undefined) {
    throw new Error("the recording has lost its first case");
  }
  const routes = vehicleRoutes(lookupHandlers);
  const other = { ...first, answer: { ...first.answer, status: 201 } };
  expect((await replay([routes], { cases: [other], deviations: [] })).failingCases).toHaveLength(1);
  const listed = [{ case: first.name, difference: "nothing", reason: "none", permittedBy: "nothing" }];
  expect((await replay([routes], { cases: [first], deviations: listed })).staleDeviations).toHaveLength(1);
});
