import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { blocks, bodyAttacks, file, queryAttacks, xmlAttacks } from "./attack-cases.js";
import { sendRaw } from "./raw.js";
import { get } from "./requests.js";
import { type Served, serveBattery } from "./served.js";
import { serverCases } from "./server-cases.js";

let served: Served;
beforeAll(async () => {
  served = await serveBattery();
});
afterAll(() => served.server.close());

describe.each(serverCases)("$kind costs less than 800 ms of processor time", ({ rows }) => {
  test.each(rows)("the request $name", async ({ sent }) => {
    const started = processorTime();
    await sendRaw(served.server.port, sent);
    expect(processorTime() - started).toBeLessThan(800);
  });
});

/** Measures the processor time from a request to the end of its answer. */
async function timeOf(address: string, init?: RequestInit): Promise<number> {
  const started = processorTime();
  await (await fetch(served.server.url + address, init)).text();
  return processorTime() - started;
}

describe("an attack costs less than 800 ms of processor time", () => {
  test.each(bodyAttacks)("the body with %s", async (_, headers, body) => {
    expect(await timeOf(blocks, { method: "POST", headers, body })).toBeLessThan(800);
  });

  test.each(queryAttacks)("the query %.20s", async (query) => {
    expect(await timeOf(`${blocks}?${query}`)).toBeLessThan(800);
  });

  test.each(xmlAttacks)("%s in XML", async (_, body) => {
    expect(await timeOf(file, { method: "POST", headers: { "Content-Type": "text/xml" }, body })).toBeLessThan(800);
  });
});

test("a Forwarded header with a long space costs less than 200 ms of processor time", async () => {
  const proxied = await serveBattery({ trustedProxies: { addresses: ["127.0.0.1"], headers: "forwarded" } });
  onTestFinished(() => proxied.server.close());
  const sent = get("/api/reg.asmx?wsdl", [`Forwarded: for=192.0.2.1,${" ".repeat(16_000)}x`]);
  const started = processorTime();
  await sendRaw(proxied.server.port, sent);
  expect(processorTime() - started).toBeLessThan(200);
});
