import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { ParsedRequest } from "../../src/http/server-request.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { NodeRequest } from "../../src/server/adapters/node/node-request.js";
import { webHandler, webMiddleware } from "../../src/server/adapters/web-fetch.js";
import { readBody } from "../../src/server/body.js";
import { heapUsed, memoryAllocated, memoryUsed } from "../heap-used.js";
import { send, site } from "../rest/site.js";
import { findBody, message, requestOf, served } from "./fixture.js";

const requests = 20_000;
/** A signal with one listener takes 1,200 bytes; what engine and test runner leave behind takes up to 200. */
const bound = 500;

/** Measures the bytes that each request leaves on the heap after it was answered. */
async function retainedPerRequest(answer: () => Promise<unknown>): Promise<number> {
  const repeat = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      await answer();
    }
  };
  await repeat(1_000);
  const before = await heapUsed();
  await repeat(requests);
  let retained = ((await heapUsed()) - before) / requests;
  // On a busy machine, the finalizers of `fetch` run later than the collection. What is really retained stays.
  for (let attempt = 0; attempt < 10 && retained >= bound; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    retained = ((await heapUsed()) - before) / requests;
  }
  return retained;
}

/** Calls an operation over SOAP whose handler receives the signal of its call. */
function soapCall(useSignal: (signal: AbortSignal) => null | Promise<null>): () => Promise<void> {
  const { routes, calls } = served({ find: (_, { signal }) => useSignal(signal) });
  return async () => {
    await routes.answer(requestOf(message("soap11", findBody)));
    calls.length = 0;
  };
}

function listenTo(signal: AbortSignal): null {
  signal.addEventListener("abort", () => {});
  return null;
}

test("a SOAP handler that listens to context.signal keeps nothing of its request", async () => {
  expect(await retainedPerRequest(soapCall(listenTo))).toBeLessThan(bound);
}, 300_000);

test("a REST handler that listens to context.signal keeps nothing of its request", async () => {
  const routes = site({}, (_, { signal }) => listenTo(signal));
  expect(await retainedPerRequest(() => send(routes, "GET /core/v2/items"))).toBeLessThan(bound);
}, 300_000);

test("a SOAP handler that passes context.signal to fetch keeps nothing of its request", async () => {
  const call = soapCall(async (signal) => {
    await (await fetch("data:text/plain,answer", { signal })).text();
    return null;
  });
  expect(await retainedPerRequest(call)).toBeLessThan(bound);
}, 300_000);

test.each([
  { what: "returns at once", ends: () => null },
  { what: "returns later", ends: async () => null },
  {
    what: "throws",
    ends: () => {
      throw new Error("No.");
    },
  },
  { what: "rejects", ends: () => Promise.reject(new Error("No.")) },
])("no listener of a handler that $what remains on a signal of the request", async ({ ends }) => {
  const { signal } = new AbortController();
  const { routes } = served({
    find(_, context) {
      listenTo(context.signal);
      return ends();
    },
  });
  await routes.answer({ ...requestOf(message("soap11", findBody)), signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test.each([
  ["an answer", "http://in-memory.example/api/things.asmx?wsdl"],
  ["no answer", "http://in-memory.example/other"],
])("no listener remains on the signal of a web request with %s", async (_, url) => {
  const { routes } = served({});
  const options = { onCall() {}, onError() {} };
  for (const handle of [webHandler([routes], options), webMiddleware([routes], options)]) {
    const request = new Request(url);
    await (await handle(request))?.arrayBuffer();
    expect(getEventListeners(request.signal, "abort")).toEqual([]);
  }
});

test("an open connection keeps nothing of its last request", async () => {
  const principals: WeakRef<object>[] = [];
  const authenticate = (): object => {
    const principal = {};
    principals.push(new WeakRef(principal));
    return principal;
  };
  const { routes, calls } = served({}, { authenticate });
  const server = await listen([routes], { host: "127.0.0.1", limits: { keepAliveTimeout: 60_000 } });
  onTestFinished(async () => void (await server.close()));
  const { headers, body } = message("soap11", findBody);
  const answer = await fetch(`${server.url}/api/things.asmx`, {
    method: "POST",
    headers: (headers ?? []).filter(([name]) => name !== "Host").map(([name, value]) => [name, value]),
    body: body as Uint8Array<ArrayBuffer>,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("FindResult")]);
  calls.length = 0;
  await heapUsed();
  expect((await server.state()).connections).toBe(1);
  expect(principals.map((principal) => principal.deref())).toEqual([undefined]);
});

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) {
    cleanUp();
  }
});

test("a body that arrives byte by byte takes little more memory than its bytes", async () => {
  const count = 500_000;
  let used = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const before = await memoryUsed();
    for (let sent = 0; sent < count; sent++) {
      yield new Uint8Array([sent]);
    }
    used = (await memoryUsed()) - before;
  }
  const bytes = await readBody(new ParsedRequest(requestOf({ body: chunks() })), limitsOf(2 * count));
  expect(used).toBeLessThan(4 * count);
  expect(bytes.every((byte, index) => byte === index % 256)).toBe(true);
  expect(bytes.length).toBe(count);
});

test("chunks of one byte take little more memory than their bytes over node:http", async () => {
  const count = 200_000;
  let read: Promise<Uint8Array> | Uint8Array = new Uint8Array();
  const server = createServer((incoming, outgoing) => {
    read = readBody(
      new ParsedRequest(new NodeRequest(incoming, outgoing, { expectsContinue: false, reportsWritten: false })),
      limitsOf(2 * count),
    );
    Promise.resolve(read).then(
      () => outgoing.end(),
      () => {},
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  cleanups.push(
    () => socket.destroy(),
    () => server.close(),
  );
  const before = await memoryUsed();
  const request = once(server, "request");
  socket.write("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  const [incoming] = await request;
  let received = 0;
  const complete = new Promise<void>((resolve) => {
    incoming.on("data", (chunk: Uint8Array) => {
      received += chunk.length;
      if (received === count) {
        resolve();
      }
    });
  });
  socket.write("1\r\na\r\n".repeat(count));
  await complete;
  expect((await memoryUsed()) - before).toBeLessThan(20 * count);
  socket.write("0\r\n\r\n");
  expect((await read).length).toBe(count);
});

test("the body of an announced length takes one buffer of that length", async () => {
  const length = 300_000;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < length; sent += 1_000) {
      yield new Uint8Array(1_000).fill(7);
    }
  }
  const headers = [["Content-Length", String(length)]] as const;
  const bytes = await readBody(new ParsedRequest(requestOf({ headers, body: chunks() })), limitsOf(4_194_304));
  expect(bytes.buffer.byteLength).toBe(length);
  expect(bytes.every((byte) => byte === 7)).toBe(true);
});

test("announcing a length allocates no memory", async () => {
  const used: number[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const before = memoryAllocated();
    yield new Uint8Array(1);
    yield new Uint8Array(1);
    used.push(memoryAllocated() - before);
  }
  const headers = [["Content-Length", "4194304"]] as const;
  // A garbage collection may happen during a read, so the median counts. A buffer of the announced length would take 4
  // MB.
  for (let read = 0; read < 5; read++) {
    await readBody(new ParsedRequest(requestOf({ headers, body: chunks() })), limitsOf(4_194_304));
  }
  expect(used.sort((a, b) => a - b)[2]).toBeLessThan(1_000_000);
});

function limitsOf(bodyBytes: number) {
  return { bodyBytes, inflatedBytes: 0 };
}
