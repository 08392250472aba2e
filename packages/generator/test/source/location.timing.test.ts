import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { resolveLocation } from "../../src/source/document-addresses.js";
import { getPosition } from "../../src/source/span.js";

test("a location of many question marks is read in linear time", () => {
  const started = processorTime();
  expect(resolveLocation(`${"?".repeat(200_000)}\nb.xsd`, "a.wsdl")).toMatchObject({ kind: "path" });
  expect(processorTime() - started).toBeLessThan(1_000);
});

test("many positions in one long line are found in linear time", () => {
  const source = { path: "index.json", text: "a\u{1F600}".repeat(500_000) };
  const offsets = Array.from({ length: 10_000 }, (_, index) => index * 150);
  const started = processorTime();
  for (const offset of offsets) {
    expect(getPosition(source, offset).column).toBe((offset / 3) * 2 + 1);
  }
  expect(processorTime() - started).toBeLessThan(2_000);
});
