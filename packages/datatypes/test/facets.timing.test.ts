import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { processorTime } from "../../../testing/processor-time.js";
import { readText } from "./reading.js";

test("an enumeration of ten thousand values is read at once", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
  const type = xs.restriction([xs.token], [[xs.enumeration, values]], "many");
  const start = processorTime();
  for (let index = 0; index < 10_000; index++) {
    readText(type, `v${index}`);
  }
  expect(processorTime() - start).toBeLessThan(500);
});
