import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { getHeapStatistics } from "node:v8";
import { gzipSync } from "node:zlib";
import { messageLimits, XmlReader } from "@bothends/xml";
import { START } from "@bothends/xml/reader-events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readAnyElement } from "../../src/codec/kinds/any-element.js";
import {
  createRouter,
  type LimitOptions,
  type RouterOptions,
  type Routes,
  type ServerIncident,
  type ServerRequest,
  serverLimits,
} from "../../src/server/index.js";
import { estimateMemory } from "../../src/server/request-memory.js";
import { heapUsed } from "../heap-used.js";
import { site } from "../rest/site.js";
import { headerOf, message, namespace, requestOf, served } from "./fixture.js";

/** A router whose handlers of `Find` and `core.items.list` wait until they are released. */
function waiting(limits: LimitOptions, options: RouterOptions = {}) {
  const incidents: ServerIncident[] = [];
  const released: (() => void)[] = [];
  const wait = () => new Promise<null>((resolve) => released.push(() => resolve(null)));
  const onError = (incident: ServerIncident): void => void incidents.push(incident);
  const routes: readonly Routes[] = [served({ find: wait }, { onError }).routes, site({ onError }, wait)];
  const router = createRouter(routes, { limits, onError, ...options });
  const release = (): void => {
    for (const end of released.splice(0)) {
      end();
    }
  };
  return { router, incidents, release, released };
}

const large = "k".repeat(20_000);
const findOf = (key: string) =>
  `<Find xmlns="${namespace}"><Key>${key}</Key><Count>1</Count><username>u</username></Find>`;
const form = (key: string): Partial<ServerRequest> => ({
  target: "/api/things.asmx/Find",
  headers: [["Content-Type", "application/x-www-form-urlencoded"]],
  body: new TextEncoder().encode(`Key=${key}&Count=1&username=u`),
});

const protocols = [
  { protocol: "soap11", send: (key: string) => message("soap11", findOf(key)) },
  { protocol: "soap12", send: (key: string) => message("soap12", findOf(key)) },
  { protocol: "httpPost", send: form },
  {
    protocol: "rest",
    send: (key: string): Partial<ServerRequest> => ({
      method: "GET",
      target: `/en/api/core/v2/items?search=${key}`,
      headers: [["Host", "h"]],
      body: new Uint8Array(),
    }),
  },
];

describe("requests in flight that take more memory than inFlightBytes together", () => {
  test.each(protocols)("are refused over $protocol until others have ended", async ({ send }) => {
    const { router, incidents, release } = waiting({ inFlightBytes: 100_000, inFlight: 10, urlBytes: 100_000 });
    const first = router(requestOf(send(large)));
    const answer = await router(requestOf(send(large)));
    expect(answer.status).toBe(503);
    expect(answer.body).toContain("The server is busy. Try again later.");
    expect(headerOf(answer, "retry-after")).toBe("1");
    const limit = { name: "inFlightBytes", value: 100_000, option: "limits.inFlightBytes" };
    expect(incidents).toMatchObject([{ kind: "limit.inFlightBytes", limit }]);
    expect(incidents[0]?.message).toContain("This is reported once a minute.");
    release();
    expect((await first).status).toBe(200);

    const third = router(requestOf(send(large)));
    release();
    expect((await third).status).toBe(200);
    expect(incidents).toHaveLength(1);
  });

  test.each(protocols)("do not keep out small requests over $protocol", async ({ send }) => {
    const { router, incidents, release, released } = waiting({
      inFlightBytes: 100_000,
      inFlight: 10,
      urlBytes: 100_000,
    });
    const answers = [large, ...Array.from({ length: 9 }, () => "k")].map((key) => router(requestOf(send(key))));
    expect(released).toHaveLength(10);
    release();
    for (const answer of answers) {
      expect((await answer).status).toBe(200);
    }
    expect(incidents).toEqual([]);
  });
});

describe("a request that alone takes more memory than inFlightBytes", () => {
  const values = `<Find xmlns="${namespace}">${"<Key>k</Key>".repeat(3_000)}</Find>`;
  test.each([
    ...protocols.map((sent) => ({ ...sent, status: sent.protocol === "rest" ? 413 : 500 })),
    { protocol: "soap12", send: () => message("soap12", values), status: 500 },
  ])("is too large over $protocol, so that its client does not repeat it", async ({ protocol, send, status }) => {
    const { router, incidents, released } = waiting({ inFlightBytes: 30_000, inFlight: 10, urlBytes: 100_000 });
    const answer = await router(requestOf(send(large)));
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(
      status === 413 ? "The request body is too large." : "Maximum request length exceeded.",
    );
    expect(headerOf(answer, "retry-after")).toBeUndefined();
    expect(released).toEqual([]);
    const limit = { name: "inFlightBytes", value: 30_000, option: "limits.inFlightBytes" };
    expect(incidents).toMatchObject([{ kind: "limit.inFlightBytes", limit, protocol }]);
    expect(incidents[0]?.message).toMatch(
      /takes more than 30000 bytes.* "limits\.inFlightBytes" of the server.* "limits\.bodyBytes" of the routes/,
    );
  });

  test.each([
    { memory: { inFlightBytes: 1_000_000 }, bodyBytes: 600_000, name: "inFlightBytes", largest: 500_000 },
    { memory: { arrivingBytes: 300_000 }, bodyBytes: 600_000, name: "arrivingBytes", largest: 300_000 },
    { memory: { inFlightBytes: 1_200_000 }, bodyBytes: 600_000, name: undefined, largest: 0 },
    { memory: { inFlightBytes: 1_000_000 }, bodyBytes: undefined, name: undefined, largest: 0 },
  ])("is reported when the server starts: $memory, $bodyBytes", ({ memory, bodyBytes, name, largest }) => {
    const incidents: ServerIncident[] = [];
    const { routes } = served({}, { limits: { bodyBytes } });
    createRouter([routes], { limits: memory, onError: (incident) => void incidents.push(incident) });
    const text = `allows bodies of 600000 bytes, but the option "limits.${name}" of the server refuses each body of more than ${largest} bytes`;
    expect(incidents).toMatchObject(
      name === undefined ? [] : [{ kind: "config", message: expect.stringContaining(text) }],
    );
  });
});

test("a compressed body counts while it is being decompressed", async () => {
  const { router, incidents, release, released } = waiting(
    { inFlightBytes: 1_000_000, inFlight: 10 },
    { compressedRequests: true },
  );
  const compressed = (text: string) => {
    const { body = new Uint8Array(), headers = [], ...sent } = message("soap11", text);
    return requestOf({
      ...sent,
      headers: [...headers, ["Content-Encoding", "gzip"]],
      body: body instanceof Uint8Array ? gzipSync(body) : body,
    });
  };
  expect((await router(compressed(" ".repeat(1_000_000)))).status).toBe(500);
  expect(incidents).toMatchObject([{ kind: "limit.inFlightBytes" }]);
  const answer = router(compressed(findOf("k".repeat(10_000))));
  await expect.poll(() => released.length).toBe(1);
  release();
  expect((await answer).status).toBe(200);
});

describe("the estimated memory of values", () => {
  const repeated = (create: (index: number) => unknown, count = 50_000) =>
    Array.from({ length: count }, (_, index) => create(index));
  /** The text of an object with `count` members. */
  const objectText = (count: number, value: string) =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":${value}`).join()}}`;
  const parsed = (text: string) => (): unknown => JSON.parse(text);

  test.each([
    { name: "empty lists", create: () => repeated(() => []) },
    { name: "empty objects", create: () => repeated(() => ({})) },
    { name: "objects with null", create: () => repeated(parsed(objectText(50, "null"))) },
    { name: "objects with fractions", create: () => repeated(parsed(objectText(3, "0.5"))) },
    { name: "objects with many members", create: () => repeated(parsed(objectText(1_000, "null")), 1_000) },
    {
      name: "objects with one name each",
      create: () => repeated((index) => JSON.parse(`{"k${index}":0}`) as unknown, 20_000),
    },
    {
      name: "objects with ten names each",
      create: () =>
        repeated((index) => JSON.parse(objectText(10, "0").replaceAll("m", `k${index}x`)) as unknown, 2_000),
    },
    {
      name: "objects with a hundred names each",
      create: () => repeated((index) => JSON.parse(objectText(100, "0").replaceAll("m", `k${index}x`)) as unknown, 200),
    },
    {
      name: "objects with ten thousand names each",
      create: () =>
        repeated((index) => JSON.parse(objectText(10_000, "{}").replaceAll("m", `k${index}x`)) as unknown, 10),
    },
    {
      name: "objects with the same names in other orders",
      create: () =>
        repeated((index) => {
          const names = Array.from({ length: 8 }, (_, at) => `n${(index * (at + 3) + at) % 23}`);
          return JSON.parse(`{${[...new Set(names)].map((name) => `"${name}":0`).join()}}`) as unknown;
        }, 5_000),
    },
    {
      name: "objects with numbers as names",
      create: () => repeated((index) => JSON.parse(`{"${100_000 + index}":0,"${index * 7}":1}`) as unknown, 20_000),
    },
    { name: "small numbers", create: () => repeated(parsed(objectText(5, "7"))) },
    { name: "texts", create: () => repeated(parsed(JSON.stringify("a text of some length"))) },
    { name: "fractions", create: () => repeated((index) => index + 0.5) },
    { name: "bytes", create: () => repeated(() => new Uint8Array(1)) },
    { name: "lists of two items", create: () => repeated(parsed("[1,2]")) },
    { name: "deep lists", create: () => JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown },
    { name: "maps", create: () => repeated((index) => new Map([[String(index), "value"]])) },
  ])("is at most three times, and not less than, the real memory of $name", async ({ create }) => {
    // Objects of the tests that ran before may be released during a measurement, so two measurements must agree.
    const measurements: number[] = [];
    let used = Number.NaN;
    let values: unknown;
    while (measurements.filter((measured) => Math.abs(measured - used) < 50_000).length < 2) {
      expect(measurements.length).toBeLessThan(10);
      values = undefined;
      const before = await heapUsed();
      values = create();
      used = (await heapUsed()) - before;
      measurements.push(used);
    }
    const estimate = estimateMemory([values]);
    // Half a megabyte more or less may be due to the tests that ran before.
    expect(estimate).toBeGreaterThan(0.9 * used - 500_000);
    expect(estimate).toBeLessThan(3 * used + 500_000);
  });

  const readElements = (count: number, write: (index: number) => string) => {
    const text = Array.from({ length: count }, (_, index) => write(index)).join("");
    const reader = new XmlReader(
      `<p:all xmlns:p="${"n".repeat(5_000)}" xmlns:q="${"m".repeat(5_000)}">${text}</p:all>`,
      { ...messageLimits, namespaceChars: 5_000 },
    );
    reader.next();
    const elements: unknown[] = [];
    while (reader.next() === START) {
      elements.push(readAnyElement(reader));
    }
    return elements;
  };

  test.each([
    { name: "one name", write: () => "<p:a/>" },
    { name: "names in two namespaces", write: () => "<p:a><q:b/></p:a>" },
  ])("counts a long namespace once for wildcard elements with $name", ({ write }) => {
    expect(estimateMemory([readElements(5_000, write)])).toBeLessThan(3_000_000);
  });

  test.each([
    { name: "different names", write: (index: number) => `<p:a${index}/>` },
    { name: "attributes", write: () => '<a p:b=""/>' },
  ])("counts a long namespace each time for wildcard elements with $name", ({ write }) => {
    expect(estimateMemory([readElements(5_000, write)])).toBeGreaterThan(20_000_000);
  });

  test("does not count twice the body of which values are parts", () => {
    const body = new Uint8Array(1_000_000);
    expect(estimateMemory([body.subarray(0, 900_000)])).toBeLessThan(1_000);
    expect(estimateMemory([body])).toBeGreaterThan(1_000_000);
  });
});

test("the default limits on memory follow the limit of the heap", () => {
  const quarter = Math.floor(getHeapStatistics().heap_size_limit / 4);
  expect(serverLimits.inFlightBytes).toBe(quarter);
  expect(serverLimits.unreadBytes).toBe(Math.min(268_435_456, quarter));
});

test("the default limits on memory do not change with the limit of the heap, which changes in Bun", async () => {
  vi.resetModules();
  let limit = 1_000_000_000;
  const getHeapStatistics = () => ({ heap_size_limit: ++limit });
  vi.spyOn(process, "getBuiltinModule").mockReturnValue({ getHeapStatistics } as never);
  onTestFinished(() => {
    vi.restoreAllMocks();
    // Other tests of this process must not get the module that keeps this limit of the heap.
    vi.resetModules();
  });
  const { describeUnusedLimits, mergeServerLimits } = await import("../../src/server-limits.js");
  expect(mergeServerLimits().inFlightBytes).toBe(mergeServerLimits().inFlightBytes);
  expect(describeUnusedLimits({}, [mergeServerLimits()])).toEqual([]);
});

/** A server whose handler keeps any element for a second. Its process has a heap of 64 MB. */
const smallServer = `
  const { listen } = await import("RUNTIME/server/adapters/node/listen.js");
  const { soapRoutes } = await import("RUNTIME/server/soap/soap-routes.js");
  const xs = await import("RUNTIME/xs.js");
  const namespace = "urn:small";
  const ports = { soap11: { name: "Small", address: "http://small.example/small" } };
  const service = { descriptorFormat: 2, name: "Small", namespace, ports };
  const record = { kind: "record", name: "{urn:small}Keep", namespace, fields: { any: { type: xs.anyType } } };
  const keep = {
    kind: "operation", service, name: "Keep", bindings: { soap11: { action: "keep" } },
    input: { body: { element: "{urn:small}Keep", type: () => record } },
    output: { body: { element: "{urn:small}Kept", type: () => record } },
  };
  const wait = () => new Promise((resolve) => setTimeout(() => resolve({ any: "kept" }), 2_000));
  const routes = soapRoutes({ service, operations: { keep }, handlers: { keep: wait } });
  const server = await listen([routes], { port: 0, host: "127.0.0.1", onError() {} });
  setTimeout(() => process.exit(), 50_000).unref();
  console.log(server.port);
`;

test("a process with a small heap survives many large calls at once, and answers small calls meanwhile", async () => {
  const runtime = new URL("../../dist", import.meta.url).href;
  const code = smallServer.replaceAll("RUNTIME", runtime);
  const child = spawn(process.execPath, ["--max-old-space-size=64", "--input-type=module", "-e", code]);
  const [port] = await once(child.stdout, "data");
  const call = (content: string) =>
    new Promise<number | undefined>((resolve) => {
      const text = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><Keep xmlns="urn:small"><any>${content}</any></Keep></e:Body></e:Envelope>`;
      const headers = { "Content-Type": "text/xml", SOAPAction: "keep" };
      const sent = request({ port: Number(port), host: "127.0.0.1", path: "/small", method: "POST", headers });
      sent.on("response", (answer) => resolve(answer.resume().statusCode));
      sent.on("error", () => resolve(undefined));
      sent.end(text);
    });
  const largeCalls = Array.from({ length: 20 }, () => call('<a z=""/>'.repeat(20_000)));
  const smallCalls = Array.from({ length: 20 }, () => call("<a/>"));
  expect(new Set(await Promise.all(smallCalls))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(largeCalls))).toEqual(new Set([200, 503]));
  expect(child.exitCode).toBeNull();
  child.kill();
});
