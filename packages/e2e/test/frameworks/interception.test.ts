import { gzipSync } from "node:zlib";
import { ContentClient } from "@bothends/client/content";
import { VehicleClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { streamOf } from "@bothends/runtime/client/stream";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import nock from "nock";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { afterEach, expect, onTestFinished, test } from "vitest";

const baseUrl = "http://service.example";
const fault = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>intercepted</faultstring></s:Fault></s:Body></s:Envelope>`;

afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

test("msw intercepts calls over SOAP and REST", async () => {
  const bodies: string[] = [];
  const server = setupServer(
    http.post(`${baseUrl}/api/bespokeapi.asmx`, async ({ request }) => {
      bodies.push(await request.text());
      return HttpResponse.text(fault, { status: 500, headers: { "Content-Type": "text/xml" } });
    }),
    http.get(`${baseUrl}/en/api/core/v2/blocks`, () => HttpResponse.json([{ id: 7 }])),
  );
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  const vehicle = new VehicleClient({ baseUrl, protocol: "soap11" });
  await expect(vehicle.bespokeapi.checkIrishTaxi({ regNumber: "05D1" })).rejects.toThrow("intercepted");
  expect(bodies[0]).toContain("<regNumber>05D1</regNumber>");
  const content = new ContentClient({ siteUrl: baseUrl, lang: "en" });
  expect(await content.core.blocks.list()).toEqual([{ id: 7 }]);
});

const text = new TextEncoder().encode("[1,2,");
const gzipped = gzipSync("[1,2,3]").subarray(0, 12);
test.each<[name: string, chunks: readonly Uint8Array[], encoding: string | undefined]>([
  ["before its first byte", [], undefined],
  ["after a part", [text], undefined],
  ["after a compressed part", [gzipped], "gzip"],
])("an answer of msw that fails %s ends the call at once", async (_, chunks, encoding) => {
  const headers = { "Content-Type": "application/json", ...(encoding && { "Content-Encoding": encoding }) };
  const server = setupServer(
    http.get(`${baseUrl}/*`, () => {
      const body = new ReadableStream({
        async start(controller) {
          for (const chunk of chunks) {
            controller.enqueue(chunk);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          controller.error(new Error("cut"));
        },
      });
      return new HttpResponse(body, { headers });
    }),
  );
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  const options = { siteUrl: baseUrl, lang: "en", timeout: 30_000 } as const;
  for (const content of [
    new ContentClient(options),
    new ContentClient({ ...options, transport: fetchTransport(fetch) }),
  ]) {
    const startedAt = performance.now();
    await expect(content.core.blocks.list()).rejects.toMatchObject({ name: "TransportError" });
    const items = async () => {
      for await (const _item of streamOf((stream) => content.core.blocks.list({}, stream))) {
      }
    };
    await expect(items()).rejects.toMatchObject({ name: "TransportError" });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});

test("a dispatcher of undici can be passed to the fetch of Node", async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  onTestFinished(() => agent.close());
  const reply = agent.get(baseUrl).intercept({ path: "/en/api/core/v2/blocks" });
  reply.reply(200, [{ id: 8 }], { headers: { "Content-Type": "application/json" } });
  const transport = fetchTransport((request) => fetch(request, { dispatcher: agent } as unknown as RequestInit));
  const content = new ContentClient({ siteUrl: baseUrl, lang: "en", transport });
  expect(await content.core.blocks.list()).toEqual([{ id: 8 }]);
});

test("nock intercepts calls over SOAP and REST", async () => {
  if (!nock.isActive()) {
    nock.activate();
  }
  const headers = { "Content-Type": "text/xml" };
  nock(baseUrl).post("/api/bespokeapi.asmx", /05D1/).reply(500, fault, headers);
  nock(baseUrl)
    .get("/en/api/core/v2/blocks")
    .reply(200, [{ id: 7 }]);
  const vehicle = new VehicleClient({ baseUrl, protocol: "soap11" });
  await expect(vehicle.bespokeapi.checkIrishTaxi({ regNumber: "05D1" })).rejects.toThrow("intercepted");
  const content = new ContentClient({ siteUrl: baseUrl, lang: "en" });
  expect(await content.core.blocks.list()).toEqual([{ id: 7 }]);
  expect(nock.isDone()).toBe(true);
});

test("undici's MockAgent intercepts calls over the platform's fetch", async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const before = getGlobalDispatcher();
  setGlobalDispatcher(agent);
  onTestFinished(async () => {
    setGlobalDispatcher(before);
    await agent.close();
  });
  const pool = agent.get(baseUrl);
  pool
    .intercept({ method: "POST", path: "/api/bespokeapi.asmx" })
    .reply(500, fault, { headers: { "Content-Type": "text/xml" } });
  pool
    .intercept({ path: "/en/api/core/v2/blocks" })
    .reply(200, [{ id: 7 }], { headers: { "Content-Type": "application/json" } });
  const transport = fetchTransport(fetch);
  const vehicle = new VehicleClient({ baseUrl, protocol: "soap11", transport });
  await expect(vehicle.bespokeapi.checkIrishTaxi({ regNumber: "05D1" })).rejects.toThrow("intercepted");
  const content = new ContentClient({ siteUrl: baseUrl, lang: "en", transport });
  expect(await content.core.blocks.list()).toEqual([{ id: 7 }]);
  agent.assertNoPendingInterceptors();
});
