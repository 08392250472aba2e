import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { planFiles } from "../../src/plan/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { configOf, contractOf, enumeration, ns, soapInterface } from "../emit/fixtures.js";

test("twenty thousand types of one name are planned in linear time", () => {
  const types = Array.from({ length: 20_000 }, (_, index) => ({
    ...enumeration("Same", ["a"]),
    id: `{${ns}}Same${index}`,
  }));
  const start = processorTime();
  planFiles(contractOf(soapInterface([], types)), configOf(), new Diagnostics());
  expect(processorTime() - start).toBeLessThan(5_000);
});
