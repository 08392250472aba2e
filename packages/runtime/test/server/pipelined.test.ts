import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
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
  const { port } = await listening([{ name: "quick", answer: () => ({ status: 404, headers: [], body: undefined }) }]);
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

test.each([
  { name: "resets", leave: (socket: Socket) => socket.resetAndDestroy() },
  { name: "closes", leave: (socket: Socket) => socket.destroy() },
])("no waiting request runs after the client $name a connection that the server does not read", async ({ leave }) => {
  const seen: string[] = [];
  let answerFirst = () => {};
  const answer = ({ target }: { readonly target: string }): ServerAnswer | Promise<ServerAnswer> => {
    seen.push(target);
    const result: ServerAnswer = { status: 200, headers: [], body: target };
    return target === "/0" ? new Promise((resolve) => (answerFirst = () => resolve(result))) : result;
  };
  const server = await startServer([{ name: "left", answer }], {});
  const connection = raw(server.port);
  connection.send(Array.from({ length: 100 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
  await vi.waitFor(() => expect(seen).toEqual(["/0"]), { interval: 1 });
  leave(connection.socket);
  await connection.all;
  answerFirst();
  await vi.waitFor(async () => expect((await server.state()).connections).toBe(0));
  expect(seen).toEqual(["/0"]);
});

/** Routes that answer with the target of the request when its body has arrived. At `/wait`, they wait for `time`. */
function echoRoutes(wait: () => void | Promise<void>): Routes {
  const answer: Routes["answer"] = async ({ target, body }) => {
    if (target === "/wait") {
      await wait();
    }
    for await (const _ of body) {
      // Reads the whole body.
    }
    return { status: 200, headers: [], body: `<${target}>` };
  };
  return { name: "echo", answer };
}

const timeouts = { headersTimeout: 400, requestTimeout: 400, checkInterval: 20 };
const unfinished = "POST /late HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab";

test("a request that arrives while the server does not read its connection is not too late", async () => {
  const { port, incidents } = await listening([echoRoutes(() => sleep(800))], timeouts);
  const connection = raw(port);
  const heads = ["wait", ...Array(40).keys()].map((name) => `GET /${name} HTTP/1.1\r\nHost: h\r\n\r\n`).join("");
  connection.send(heads + unfinished);
  await sleep(50);
  connection.send("cde");
  const answers = await connection.until("</late>");
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(42);
  expect(answers).not.toMatch(/connection: close/i);
  expect(incidents).toEqual([]);
});

test("a request that arrives while the process is busy is not too late", async () => {
  const block = async () => {
    // Node checks its timeouts after other timers, before it reads what has arrived meanwhile.
    await sleep(100);
    connection.send("cde");
    const until = performance.now() + 600;
    while (performance.now() < until) {}
  };
  const { port, incidents } = await listening([echoRoutes(block)], timeouts);
  const connection = raw(port);
  connection.send(unfinished);
  raw(port).send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
  expect(await connection.until("</late>")).toContain("HTTP/1.1 200 OK");
  expect(incidents).toEqual([]);
});

test("a request that does not arrive after the server has read its connection again is too late", async () => {
  const { port, incidents } = await listening([echoRoutes(() => sleep(500))], timeouts);
  const connection = raw(port);
  const heads = ["wait", ...Array(40).keys()].map((name) => `GET /${name} HTTP/1.1\r\nHost: h\r\n\r\n`).join("");
  connection.send(heads + unfinished);
  const answers = await connection.all;
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(41);
  expect(answers).toContain("HTTP/1.1 408");
  expect(incidents).toMatchObject([{ kind: "limit.requestTimeout" }]);
});
