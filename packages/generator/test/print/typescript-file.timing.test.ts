import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { type Declaration, TypeScriptFile } from "../../src/print/index.js";

test("ten thousand declarations are printed in linear time", () => {
  const declarations = (count: number): readonly Declaration[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: "interface",
      name: `T${index}`,
      extends: [],
      members: [{ kind: "property", name: "a", type: { kind: "keyword", name: "string" } }],
    }));
  const start = processorTime();
  const file = new TypeScriptFile({ package: "@p/client", path: "packages/client/src/v/a.ts" });
  file.add(...declarations(10_000));
  file.print();
  expect(processorTime() - start).toBeLessThan(5_000);
});
