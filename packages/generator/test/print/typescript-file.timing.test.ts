import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { code, type Declaration, identifier, TypeScriptFile } from "../../src/print/index.js";

test("ten thousand declarations are printed in linear time", () => {
  const declarations = (count: number): readonly Declaration[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: "interface",
      name: `T${index}`,
      code: code`
        export interface ${identifier(`T${index}`)} {
          a: string;
        }`,
    }));
  const start = processorTime();
  const file = new TypeScriptFile({ package: "@p/client", path: "packages/client/src/v/a.ts" });
  file.add(declarations(10_000));
  file.print();
  expect(processorTime() - start).toBeLessThan(5_000);
});
