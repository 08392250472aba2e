import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { memoryStore } from "../../src/server/index.js";
import { memoryReplayCache } from "../../src/ws/index.js";

test("a full store of a rate limit drops its keys quickly", () => {
  const store = memoryStore(() => 0);
  const started = processorTime();
  for (let index = 0; index < 300_000; index += 1) {
    store.count(String(index), 1_000);
  }
  expect(processorTime() - started).toBeLessThan(1_500);
});

test("a replay cache with many messages forgets the expired ones quickly", () => {
  let time = 0;
  const cache = memoryReplayCache({ now: () => time });
  const started = processorTime();
  for (; time < 300_000; time += 1) {
    cache.add(String(time), 90_000);
  }
  expect(processorTime() - started).toBeLessThan(1_500);
});
