import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { readJsonBody } from "../../src/rest/php-json.js";

test("runs of digits are read once", () => {
  const body = new TextEncoder().encode(`[${Array<string>(7_000).fill("2".repeat(299)).join()}]`);
  const started = processorTime();
  expect(readJsonBody(body, { jsonDepth: 3, jsonKeys: 4, jsonItems: 7_000 })).toHaveLength(7_000);
  expect(processorTime() - started).toBeLessThan(1_000);
});
