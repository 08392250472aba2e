import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { served } from "./fixture.js";

test("a form of a million pairs is refused quickly", async () => {
  const started = processorTime();
  await served().send({
    target: "/api/things.asmx/Find",
    headers: [
      ["Host", "127.0.0.1:8080"],
      ["Content-Type", "application/x-www-form-urlencoded"],
    ],
    body: Buffer.from("a=1&".repeat(1_000_000), "latin1"),
  });
  expect(processorTime() - started).toBeLessThan(500);
});
