import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Routes, ServerAnswer } from "../../src/server/index.js";
import { heapUsed } from "../heap-used.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { listening, raw, startServer } from "./sockets.js";

/** Routes whose answers take 5 ms of the processor, and their number. */
function slowRoutes() {
  let count = 0;
  const answer = (): ServerAnswer => {
    count += 1;
    const until = performance.now() + 5;
    while (performance.now() < until) {}
    return { status: 200, headers: [], body: "slow" };
  };
  const routes: Routes = { name: "slow", paths: ["/x"], answer };
  return { routes, count: () => count };
}

test("a connection answers 128 waiting requests, and closes", async () => {
  const { routes, count } = slowRoutes();
  const { port } = await listening([routes]);
  const pipelined = raw(port);
  pipelined.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n".repeat(200));
  const answers = await pipelined.all;
  expect(answers.match(/slow/g)).toHaveLength(129);
  expect(answers.match(/connection: close/gi)).toHaveLength(1);
  expect(count()).toBe(129);
});

test("Node creates no requests that a connection does not answer", async () => {
  const { port } = await listening([{ name: "quick", answer: () => ({ status: 404, headers: [] }) }]);
  const channel = "http.server.request.start";
  let createdCount = 0;
  const onRequest = () => {
    createdCount += 1;
  };
  subscribe(channel, onRequest);
  onTestFinished(() => void unsubscribe(channel, onRequest));
  const connections = Array.from({ length: 10 }, () => raw(port));
  for (const connection of connections) {
    connection.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n".repeat(2_000));
  }
  await Promise.all(connections.map(({ all }) => all));
  expect(createdCount).toBeGreaterThanOrEqual(10);
  // Ignored requests begin with the one after the last answer. Node creates that one.
  expect(createdCount).toBeLessThanOrEqual(10 * 130);
});

test("requests that arrive while pipelined requests wait are answered in order", async () => {
  const seen: string[] = [];
  const answer = ({ target }: { readonly target: string }): ServerAnswer => {
    seen.push(target);
    const until = performance.now() + 4;
    while (performance.now() < until) {}
    return { status: 200, headers: [], body: target };
  };
  const { port } = await listening([{ name: "ordered", answer }]);
  const connection = raw(port);
  const targets = Array.from({ length: 100 }, (_, index) => `/${index}`);
  for (let index = 0; index < targets.length; index += 10) {
    const group = targets.slice(index, index + 10);
    connection.send(group.map((target) => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
    await new Promise((resolve) => setTimeout(resolve, 7));
  }
  await connection.until("\r\n\r\n/99");
  expect(seen).toEqual(targets);
});

test("a server that stops answers pipelined requests that wait", async () => {
  const { routes, count } = slowRoutes();
  const server = await startServer([routes], {});
  const pipelined = raw(server.port);
  pipelined.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n".repeat(50));
  await vi.waitFor(() => expect(count()).toBeGreaterThan(0), { interval: 1 });
  const started = performance.now();
  expect(await server.close()).toMatchObject({ answered: 50, unanswered: 0 });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await pipelined.all).match(/slow/g)).toHaveLength(50);
});

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;

test.each([
  { name: "long cookies", lines: `Cookie: ${"c".repeat(15_000)}\r\n` },
  { name: "many headers", lines: "a:b\r\n".repeat(90) },
])("1,000 pipelined requests with $name leave nothing counted", async ({ lines }) => {
  const server = await startServer([served().routes], {});
  onTestFinished(() => server.close().then(() => {}));
  const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;
  const body = text.replace("<Key>", `<Key>${"k".repeat(3_000)}`);
  const connection = raw(server.port);
  connection.send(`${head}${lines}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(1_000));
  const answers = await connection.all;
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1_000);
  expect(await server.state()).toMatchObject({ inFlight: 0, inFlightBytes: 0, answered: 1_000 });
});

test.each([
  { name: "no headers", request: "GET / HTTP/1.1\r\n\r\n" },
  {
    name: "thousands of headers",
    request: `GET / HTTP/1.1\r\nHost: h\r\n${"a:\r\n".repeat(3_000)}\r\n`,
    perRequest: 30_000,
  },
])("requests with $name that wait on many connections take little memory", async ({ request }) => {
  const answer = () => new Promise<ServerAnswer>(() => {});
  const { port, incidents } = await listening([{ name: "waiting", answer }]);
  const before = await heapUsed();
  const flood = `GET /x HTTP/1.1\r\nHost: h\r\n\r\n${request.repeat(Math.ceil(100_000 / request.length))}`;
  const connections = Array.from({ length: 40 }, () => raw(port));
  for (const connection of connections) {
    connection.send(flood);
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  // Without the limits, the requests take 150 MB or more until they are answered.
  await expect.poll(async () => (await heapUsed()) - before, { interval: 500 }).toBeLessThan(40_000_000);
  expect(incidents.every(({ kind }) => kind === "request" || kind === "stalled")).toBe(true);
});

test("an honest client that pipelines a hundred requests receives all answers", async () => {
  const { port, incidents } = await listening([
    { name: "waiting", answer: async ({ target }) => ({ status: 200, headers: [], body: `<${target}>` }) },
  ]);
  const connection = raw(port);
  const targets = Array.from({ length: 100 }, (_, index) => `/${index}`);
  connection.send(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
  const answers = await connection.until("</99>");
  expect([...answers.matchAll(/<(\/\d+)>/g)].map(([, target]) => target)).toEqual(targets);
  expect(incidents).toEqual([]);
});
