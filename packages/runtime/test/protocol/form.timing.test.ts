import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { readForm } from "../../src/protocol/http/form-encoding.js";

test("a form is read in linear time", () => {
  const started = processorTime();
  readForm("&".repeat(1_000_000) + "a=%".repeat(100_000));
  expect(processorTime() - started).toBeLessThan(1_000);
});
