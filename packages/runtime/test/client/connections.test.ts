import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type ConnectionOptions, RestClient, ServiceClient, type Transport } from "../../src/client/index.js";
import { createTransport as nodeTransport } from "../../src/client/transports/node-http.js";
import { ntlmTransport } from "../../src/client/transports/ntlm.js";
import { createTransport as fetchTransport } from "../../src/client/transports/web-fetch.js";
import { ConfigError, TimeoutError, TransportError } from "../../src/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "a", user: "u" };
const answerWell = always(200, "text/xml; charset=utf-8", envelope(found()));

/** A server that notes how many connections were open at most, and answers after a moment. */
async function busyServer() {
  let most = 0;
  const server = await localServer((received, response) => {
    most = Math.max(most, server.sockets());
    setTimeout(() => answerWell(received, response), 2);
  });
  return { url: server.url, received: server.received, most: () => most };
}

/** A server that answers when it is notified to. */
async function holdingServer() {
  const held: ServerResponse[] = [];
  const server = await localServer((_, response) => held.push(response));
  const answer = () => {
    const response = held.shift();
    if (response === undefined) {
      throw new Error("No request waits.");
    }
    answerWell(server.received[0] ?? { method: "", path: "", headers: {}, body: "" }, response);
  };
  const waitFor = async (count: number) => expect.poll(() => server.received.length).toBe(count);
  return { url: server.url, received: server.received, answer, waitFor };
}

function clientOf(url: string, options: Partial<ConnectionOptions> = {}): ServiceClient {
  const client = new ServiceClient(lookup, { baseUrl: url, ...options });
  onTestFinished(() => client.close());
  return client;
}

test.each([
  { what: "64 by default", options: {}, calls: 1_000, most: 64 },
  { what: "as many as maxSockets", options: { maxSockets: 3 }, calls: 100, most: 3 },
  { what: "one", options: { maxSockets: 1 }, calls: 20, most: 1 },
  {
    what: "as many as NTLM may have",
    options: { transport: ntlmTransport({ username: "u", password: "p", maxSockets: 2 }) },
    calls: 50,
    most: 2,
  },
])("concurrent calls reuse a few connections: $what", async ({ options, calls, most }) => {
  const server = await busyServer();
  const client = clientOf(server.url, options);
  const answers = await Promise.all(Array.from({ length: calls }, () => client.call(find, input)));
  expect(answers).toEqual(Array(calls).fill(item));
  expect(server.most()).toBe(most);
});

test("a call that waits for a connection ends at its timeout and by its signal, and the next one moves up", async () => {
  const server = await holdingServer();
  const client = clientOf(server.url, { maxSockets: 1 });
  const first = client.call(find, input);
  await server.waitFor(1);
  const reason = new Error("enough");
  const late = failureOf(client.call(find, input, { timeout: 20 }));
  const cancelled = failureOf(client.call(find, input, { signal: AbortSignal.abort(reason) }));
  const controller = new AbortController();
  const stopped = failureOf(client.call(find, input, { signal: controller.signal }));
  const last = client.call(find, input);
  controller.abort(reason);
  expect(await late).toBeInstanceOf(TimeoutError);
  expect(await cancelled).toMatchObject({ name: "AbortError", cause: reason });
  expect(await stopped).toMatchObject({ name: "AbortError", cause: reason });
  server.answer();
  expect(await first).toEqual(item);
  await server.waitFor(2);
  server.answer();
  expect(await last).toEqual(item);
  expect(server.received).toHaveLength(2);
});

test("the time for connecting begins when a connection is available for the call", async () => {
  const server = await holdingServer();
  const client = clientOf(server.url, { maxSockets: 1, connectTimeout: 30 });
  const both = [client.call(find, input), client.call(find, input)];
  await server.waitFor(1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  server.answer();
  await server.waitFor(2);
  server.answer();
  expect(await Promise.all(both)).toEqual([item, item]);
});

test("calls that fail release their connections", async () => {
  let behavior: "hang up" | "wait" | "answer" = "answer";
  const server = await localServer((received, response) => {
    if (behavior === "hang up") {
      response.destroy();
    } else if (behavior === "answer") {
      answerWell(received, response);
    }
  });
  const client = clientOf(server.url, { maxSockets: 2 });
  const failures = [
    { server: "hang up", options: {} },
    { server: "answer", options: { headers: { "X-Bad": "\u0100" } } },
    { server: "wait", options: { timeout: 1 } },
    { server: "answer", options: { limits: { bodyBytes: 0 } } },
  ] as const;
  for (const { server: next, options } of failures) {
    behavior = next;
    const calls = Array.from({ length: 5 }, () => failureOf(client.call(find, input, options)));
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(Error);
    }
  }
  behavior = "answer";
  expect(await client.call(find, input)).toEqual(item);
});

test("an answer before the end of its request, which the server never reads, releases the connection", async () => {
  let isFirst = true;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.once("data", () => {
      if (isFirst) {
        isFirst = false;
        socket.pause();
        socket.write("HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno");
      } else {
        const body = envelope(found());
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const { port } = server.address() as AddressInfo;
  const client = clientOf(`http://127.0.0.1:${port}`, { maxSockets: 1, timeout: 3_000 });
  const large = { ...input, Key: "x".repeat(20_000_000) };
  expect(await failureOf(client.call(find, large))).toMatchObject({ status: 413 });
  expect(await client.call(find, input)).toEqual(item);
});

test("a call beyond the maximum number of waiting calls is refused", async () => {
  const server = await holdingServer();
  const client = clientOf(server.url, { maxSockets: 1, maxQueued: 1 });
  const both = [client.call(find, input), client.call(find, input)];
  const error = await failureOf(client.call(find, input));
  expect(error).toBeInstanceOf(TransportError);
  expect(String(error)).toContain(
    'The call cannot wait for a connection, because the queue of waiting calls is full (maxQueued = 1). Increase the option "maxQueued" or "maxSockets".',
  );
  for (const count of [1, 2]) {
    await server.waitFor(count);
    server.answer();
  }
  expect(await Promise.all(both)).toEqual([item, item]);
});

const requestOf = (url: string) => ({
  method: "POST",
  url,
  headers: {},
  body: "x",
  bodyBytes: 1000,
  connectTimeout: 1000,
  signal: new AbortController().signal,
  onCancel: () => () => {},
  checkHead() {},
});

test("a request whose call ended before it was sent is not sent", async () => {
  const server = await localServer(answerWell);
  const request = {
    ...requestOf(server.url),
    signal: AbortSignal.abort(),
    onCancel(listener: () => void) {
      listener();
      return () => {};
    },
  };
  expect(String(await failureOf(nodeTransport({}).send(request)))).toContain("cancelled");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.received).toEqual([]);
});

test("a request that node:http refuses rejects, and releases its connection", async () => {
  const server = await localServer((_, response) => void response.end());
  const transport = nodeTransport({ maxSockets: 1, maxQueued: 0 });
  const request = requestOf(server.url);
  // The first request of a transport loads node:http. Further requests are refused synchronously.
  for (const _ of [1, 2, 3]) {
    expect(await failureOf(transport.send({ ...request, method: "NO METHOD" }))).toMatchObject({
      code: "ERR_INVALID_HTTP_TOKEN",
    });
  }
  expect(await transport.send(request)).toMatchObject({ status: 200 });
});

test("a transport that begins to listen when its call is over is called back at once", async () => {
  let notified: Promise<string> | undefined;
  const transport: Transport = {
    async send(request) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      notified = new Promise((resolve) => request.onCancel(() => resolve("over")));
      return { status: 202, headers: new Map(), body: new Uint8Array(0) };
    },
  };
  const error = await failureOf(clientOf("http://own.example", { transport, timeout: 5 }).call(find, input));
  expect(error).toBeInstanceOf(TimeoutError);
  await expect.poll(() => notified).toBeDefined();
  expect(await notified).toBe("over");
});

test.each([{ maxSockets: 0 }, { maxSockets: 1.5 }, { maxQueued: -1 }, { maxSockets: 2, agent: {} }])(
  "a Node transport with the options %j is refused",
  (options) => {
    expect(() => nodeTransport(options)).toThrow(ConfigError);
  },
);

const ownTransport: Transport = { send: () => Promise.reject(new Error("unused")) };

test.each([
  { agent: {} },
  { proxy: "http://proxy.example" },
  { tls: { minVersion: "TLSv1.3" } },
  { maxSockets: 2 },
  { maxQueued: 2 },
  { socketPath: "/tmp/socket" },
] as const)("the option %j of a client that has a transport is refused, because it has no effect", (option) => {
  const [name = ""] = Object.keys(option);
  const options = { transport: ownTransport, ...option };
  const problem = `The options "transport" and "${name}" cannot be combined, because a transport makes its own`;
  expect(() => new ServiceClient(lookup, { baseUrl: "http://h", ...options })).toThrow(problem);
  expect(
    () => new RestClient({ descriptorFormat: 2, name: "shop", base: "/" }, { siteUrl: "http://h", ...options }),
  ).toThrow(problem);
  expect(() => fetchTransport(options)).toThrow(`The option "${name}" is supported on Node only`);
  expect(fetchTransport({ transport: ownTransport })).toBe(ownTransport);
});

test("fetch uses separate connections", () => {
  expect(() => fetchTransport({ maxSockets: 2 })).toThrow('The option "maxSockets" is supported on Node only');
});
