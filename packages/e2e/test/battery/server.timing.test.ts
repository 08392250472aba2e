import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { sendRaw } from "./raw.js";
import { type Served, serveBattery } from "./served.js";
import { serverCases } from "./server-cases.js";

let served: Served;
beforeAll(async () => {
  served = await serveBattery();
});
afterAll(() => served.server.close());

describe.each(serverCases)("$kind costs less than 800 ms of processor time", ({ rows }) => {
  test.each(rows)("$id", async ({ sent }) => {
    const started = processorTime();
    await sendRaw(served.server.port, sent);
    expect(processorTime() - started).toBeLessThan(800);
  });
});
