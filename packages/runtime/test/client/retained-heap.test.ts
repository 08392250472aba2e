import { expect, test } from "vitest";
import { BodyCollector, fetchTransport, ServiceClient, type Transport } from "../../src/client/index.js";
import { heapUsed, memoryUsed } from "../heap-used.js";
import { always, localServer } from "./local-server.js";
import { envelope, find, found, lookup } from "./lookup.js";

const good = envelope(found());
const xml = "text/xml; charset=utf-8";
/** A signal with one listener takes 1,200 bytes. */
const bound = 500;

const answering: Transport = {
  async send({ signal }) {
    signal.addEventListener("abort", () => {});
    return { status: 200, headers: new Map([["content-type", xml]]), body: new TextEncoder().encode(good) };
  },
};
const inMemory = fetchTransport(async () => new Response(good, { headers: { "Content-Type": xml } }));

/** Measures the bytes that each call leaves on the heap if all calls share a signal. */
async function retainedPerCall(options: { readonly transport?: Transport; readonly baseUrl: string }, calls: number) {
  const { signal } = new AbortController();
  const client = new ServiceClient(lookup, options);
  const call = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      await client.call(find, { Key: "a", user: "u" }, { signal });
    }
  };
  // Node and its compiler keep 0.9 MB of the first calls.
  await call(4_000);
  const before = await heapUsed();
  await call(calls);
  return ((await heapUsed()) - before) / calls;
}

test.each([
  { name: "a transport that listens to the request's signal", transport: answering },
  { name: "fetch", transport: inMemory },
])("a long-lived signal keeps nothing of the calls over $name", async ({ transport }) => {
  expect(await retainedPerCall({ transport, baseUrl: "http://own.example" }, 10_000)).toBeLessThan(bound);
});

test("a long-lived signal keeps nothing of the calls over node:http", async () => {
  const server = await localServer((_, response) => {
    always(200, xml, good)(_, response);
    // The server's own record of what it received.
    Object.assign(server.received, { length: 0 });
  });
  expect(await retainedPerCall({ baseUrl: server.url }, 2_000)).toBeLessThan(bound);
});

test("a body that arrives byte by byte takes little more memory than its bytes", async () => {
  const count = 1_000_000;
  const body = new BodyCollector(count);
  const before = await memoryUsed();
  for (let sent = 0; sent < count; sent++) {
    body.add(new Uint8Array([sent]));
  }
  expect((await memoryUsed()) - before).toBeLessThan(4 * count);
  const bytes = body.bytes();
  expect(bytes.length).toBe(count);
  expect(bytes.every((byte, index) => byte === index % 256)).toBe(true);
});

test.each([undefined, 4_000_000])(
  "the buffer of a body with the announced length %s has at most twice its bytes",
  (length) => {
    const body = new BodyCollector(4_000_000, { length });
    for (let sent = 1_000; sent <= 3_000_000; sent += 1_000) {
      body.add(new Uint8Array(1_000));
      expect(body.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * sent);
    }
  },
);
