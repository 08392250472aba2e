import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { inSchema, resolve } from "./resolve-schemas.js";

test("ten thousand unknown names are reported in linear time", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `<x:element name="e${index}" type="t:Unknown${index}"/>`);
  const time = processorTimeOf(() => {
    expect(resolve({ "a.xsd": inSchema(names.join("")) }).diagnostics.all).toHaveLength(10_000);
  });
  expect(time).toBeLessThan(5_000);
});
