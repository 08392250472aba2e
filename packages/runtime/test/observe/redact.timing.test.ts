import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { Redactor } from "../../src/observe/redact.js";

test("redaction takes linear time", () => {
  const redact = (text: string) => new Redactor({}).body(new TextEncoder().encode(text), undefined);
  const time = processorTimeOf(() => {
    redact(`<${"a".repeat(30_000)} ${'"password'.repeat(5_000)}`);
    redact(`{"${"password".repeat(8_000)}`);
  });
  expect(time).toBeLessThan(2_000);
});
