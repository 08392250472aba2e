import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { Project } from "./project.js";
import { projectOf, schemaCases } from "./schema-cases.js";

test.each(schemaCases)("$name costs less than 4 s of processor time", async (row) => {
  const { files, from } = projectOf(row);
  const project = new Project(files);
  const started = processorTime();
  await project.run("generate", ...from, "--out", "made", "--dry-run");
  expect(processorTime() - started).toBeLessThan(4_000);
});
