import { expect, test } from "vitest";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import type { Routes } from "../../src/server/index.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const url = "http://things.example/api/things.asmx";

function post(body: string | ReadableStream<Uint8Array>): Request {
  const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
  return new Request(url, { method: "POST", headers, body, ...{ duplex: "half" } });
}

test("a web request is answered by a web response", async () => {
  const { routes, calls } = served();
  const answer = await webHandler([routes])(post(text));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/xml; charset=utf-8");
  expect(await answer.text()).toContain("FindResult");
  expect(calls).toMatchObject([{ context: { address: url } }]);
});

test("the limits are those of the routes", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
    cancel: () => {
      cancelled = true;
    },
  });
  const answer = await webHandler([served({}, { limits: { bodyBytes: 5_000 } }).routes])(post(endless));
  expect(answer.status).toBe(500);
  expect(answer.headers.get("connection")).toBe("close");
  expect(cancelled).toBe(true);
});

test.each([
  { method: "GET", status: 204 },
  { method: "GET", status: 304 },
  { method: "HEAD", status: 200 },
])("$method with $status has no body", async ({ method, status }) => {
  const routes: Routes = { name: "r", answer: async () => ({ status, headers: [["A", "b"]], body: "text" }) };
  const answer = await webHandler([routes])(new Request(url, { method }));
  expect([answer.status, answer.body, answer.headers.get("a")]).toEqual([status, null, "b"]);
});

test("bytes and several lines of one header are kept", async () => {
  const routes: Routes = {
    name: "r",
    answer: async () => ({
      status: 200,
      headers: [
        ["Link", "<a>"],
        ["Link", "<b>"],
      ],
      body: Uint8Array.of(1, 255),
    }),
  };
  const answer = await webHandler([routes])(new Request(url));
  expect(answer.headers.get("link")).toBe("<a>, <b>");
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(Uint8Array.of(1, 255));
});

test.each([
  ["Deno", { remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 1 } }, {}],
  [
    "Bun",
    {
      address: "203.0.113.7",
      requestIP() {
        return { address: this.address, family: "IPv4", port: 1 };
      },
    },
    {},
  ],
  ["the option", undefined, { remoteAddress: (request: Request) => request.headers.get("x-client") ?? undefined }],
])("the client's address is that of %s", async (_, platform, options) => {
  const { routes, calls } = served();
  const request = post(text);
  request.headers.set("x-client", "203.0.113.7");
  await webHandler([routes], options)(request, platform);
  expect(calls).toMatchObject([{ context: { remoteAddress: "203.0.113.7" } }]);
});

test.each([undefined, null, {}, { remoteAddr: {} }, { requestIP: () => null }, "x"])(
  "without a known platform (%j), the client's address is unknown",
  async (platform) => {
    const { routes, calls } = served();
    await webHandler([routes])(post(text), platform);
    expect(calls[0]?.context.remoteAddress).toBeUndefined();
  },
);
