import { once } from "node:events";
import { connect, constants } from "node:http2";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { BothendsError, VehicleClient } from "@bothends/client/vehicle";
import { listen } from "@bothends/runtime/server/node";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { blocks, bodyAttacks, file, queryAttacks, xmlAttacks } from "./attack-cases.js";
import { sendRaw } from "./raw.js";
import { envelope, soap, usa } from "./requests.js";
import { type Served, serveBattery } from "./served.js";

let served: Served;
beforeAll(async () => {
  served = await serveBattery();
});
afterAll(() => served.server.close());
afterEach(async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect((await sendRaw(served.server.port, soap(envelope(usa())))).status).toBe(200);
  served.calls.length = 0;
});

const message = envelope(usa());
const chunked = `${message.length.toString(16)}\r\n${message}\r\n0\r\n\r\n`;
const post = (lines: string, body = chunked) =>
  `POST ${file} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n${lines}\r\n\r\n${body}`;
const chunkOf = (size: string) => post("Transfer-Encoding: chunked", `${size}\r\na\r\n0\r\n\r\n`);

describe("smuggled and malformed requests reach no handler", () => {
  test.each([
    ["both lengths", post("Transfer-Encoding: chunked\r\nContent-Length: 4")],
    ["two codings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity")],
    ["chunked twice", post("Transfer-Encoding: chunked, chunked")],
    ["a space before the colon", post("Transfer-Encoding : chunked")],
    ["an unknown coding", post("Transfer-Encoding: xchunked")],
    ["a vertical tab", post("Transfer-Encoding: \x0bchunked")],
    ["a list of lengths", post("Content-Length: 5, 5", "abcde")],
    ["a hexadecimal length", post("Content-Length: 0x5", "abcde")],
    ["a negative length", post("Content-Length: -1", "")],
    ["a length of 23 digits", post("Content-Length: 99999999999999999999999", "")],
    ["a bare CR", `POST ${file} HTTP/1.1\r\nHost: h\rX: y\r\n\r\n`],
    ["a NUL", `POST ${file} HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n`],
    ["a line without a colon", `POST ${file} HTTP/1.1\r\nHost: h\r\nXYZ\r\n\r\n`],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    [
      "a length in the trailers",
      post("Transfer-Encoding: chunked", chunked.replace(/\r\n$/, "Content-Length: 5\r\n\r\n")),
    ],
    ["1 MB of chunk extension", chunkOf(`1;${"a".repeat(1e6)}`)],
    ...["0x10", "-1", "FFFFFFFFFFFFFFFFF", "1_0", "+1", ""].map((size) => [`the chunk size "${size}"`, chunkOf(size)]),
  ])("%s", async (_, sent) => {
    const { status } = await sendRaw(served.server.port, sent as string);
    expect(served.calls).toEqual([]);
    expect([0, 400, 413, 501]).toContain(status);
  });

  test("a request after one that closes the connection", async () => {
    const first = `GET ${file}?wsdl HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(served.server.port, first + post("Transfer-Encoding: chunked"))).status).toBe(200);
    expect(served.calls).toEqual([]);
  });
});

test.each([
  ...["//evil.example/", "/\\evil.example", `${file}/../../etc/passwd`, "/%2e%2e/%2e%2e/etc/passwd", `${file}/..;/x`],
  ...[`${file}%00`, `${blocks}%2f..%2f..`, "/__proto__", `${file}/constructor`, `${blocks}/__proto__`],
])("the address %s reaches no handler, and is not redirected", async (address) => {
  const { status, head, text } = await sendRaw(served.server.port, `GET ${address} HTTP/1.1\r\nHost: h\r\n\r\n`);
  expect([400, 404, 500]).toContain(status);
  expect(head).not.toMatch(/^(?:location|set-cookie):/im);
  expect(text).not.toMatch(/root:|\n +at /);
  expect(served.calls).toEqual([]);
});

async function send(method: string, address: string, init: RequestInit = {}) {
  const answer = await fetch(served.server.url + address, { method, redirect: "manual", ...init });
  const text = await answer.text();
  return { status: answer.status, text, headers: answer.headers };
}

describe("pages of other origins", () => {
  test.each([
    ["an opaque origin", "POST", file, { Origin: "null", "Content-Type": "text/xml" }],
    [
      "a host that begins like ours",
      "POST",
      file,
      { Origin: "http://127.0.0.1.evil.example", "Content-Type": "text/xml" },
    ],
    ["a form without an origin", "POST", blocks, { "Content-Type": "text/plain" }],
    ["another method", "DELETE", `${blocks}/1`, { Origin: "https://evil.example" }],
  ])("%s cannot use the cookie of a user", async (_, method, address, headers) => {
    const body = method === "DELETE" ? null : address === file ? message : "{}";
    expect((await send(method, address, { headers: { ...headers, Cookie: "a=b" } as HeadersInit, body })).status).toBe(
      403,
    );
    expect(served.calls).toEqual([]);
  });

  test("cannot read answers with the user's cookies", async () => {
    const { headers } = await send("GET", blocks, { headers: { Origin: "https://evil.example", Cookie: "a=b" } });
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });
});

test.each(bodyAttacks)("%s is answered and changes nothing", async (_, headers, body) => {
  const { status, text } = await send("POST", blocks, { headers, body });
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/polluted|\n +at /);
});

test.each(queryAttacks)("the query %.20s is answered", async (query) => {
  const { status, text } = await send("GET", `${blocks}?${query}`);
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/^\/\*\*\/|\n +at /);
});

test.each(xmlAttacks)("%s in XML is refused, and nothing is read", async (_, body) => {
  const { status, text } = await send("POST", file, { headers: { "Content-Type": "text/xml" }, body });
  expect([400, 413, 500]).toContain(status);
  expect(text).not.toMatch(/root:|\n +at /);
  expect(served.calls).toEqual([]);
});

test.each([
  ["a bomb", gzipSync(Buffer.alloc(1e8, 32)), "gzip", { status: 500, incident: "limit.inflatedBytes" }],
  [
    "several members",
    Buffer.concat(Array.from({ length: 4 }, () => gzipSync(Buffer.alloc(3e6, 32)))),
    "gzip",
    { status: 500, incident: "limit.inflatedBytes" },
  ],
  ["a cut body", gzipSync(message).subarray(0, 60), "gzip", { status: 400, incident: "request" }],
  ["two encodings", gzipSync(gzipSync(message)), "gzip, gzip", { status: 415, incident: "request" }],
])("%s is refused by a server that accepts compressed requests", async (_, body, encoding, { status, incident }) => {
  const { server, calls, incidents } = await serveBattery({ compressedRequests: true });
  onTestFinished(() => server.close());
  const headers = { "Content-Type": "text/xml", "Content-Encoding": encoding };
  const answer = await fetch(server.url + file, { method: "POST", headers, body });
  expect(answer.status).toBe(status);
  expect(incidents).toEqual([incident]);
  expect(calls).toEqual([]);
});

test("after an HTTP/2 client cancels 10,000 requests at once, the server answers other clients", async () => {
  const server = await listen([vehicleRoutes(vehicleSample)], { host: "127.0.0.1", http2: true, onError: () => {} });
  onTestFinished(async () => void (await server.close()));
  const attacker = connect(server.url);
  attacker.on("error", () => {});
  await once(attacker, "connect");
  for (let count = 0; count < 10_000 && !attacker.destroyed; count += 1) {
    attacker
      .request({ ":path": "/x" })
      .on("error", () => {})
      .close(constants.NGHTTP2_CANCEL);
    if (count % 500 === 0) {
      await new Promise(setImmediate);
    }
  }
  attacker.destroy();
  const other = connect(server.url);
  onTestFinished(() => other.destroy());
  const stream = other.request({ ":path": `${file}?wsdl` });
  const [head] = await once(stream, "response");
  expect(head[":status"]).toBe(200);
});

/** Starts a server that calls `answer` when a connection receives data. Returns the server's address. */
async function peer(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.on("error", () => {}).on("data", () => answer(socket)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const lookup = { RegistrationNumber: "a", State: "NY", username: "u" };
const bomb = brotliCompressSync(Buffer.alloc(3e7));
const xml = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";

test.each([
  ["100,000 headers", `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(1e5)}\r\n`],
  ["both lengths", `${xml}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [
    "a brotli bomb",
    Buffer.concat([Buffer.from(`${xml}Content-Encoding: br\r\nContent-Length: ${bomb.length}\r\n\r\n`), bomb]),
  ],
  ["the status 999", "HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"],
  ["another protocol on request", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
  [
    "100,000 parts",
    `HTTP/1.1 200 OK\r\nContent-Type: multipart/related; boundary=x\r\nConnection: close\r\n\r\n${"--x\r\n\r\na\r\n".repeat(1e5)}--x--`,
  ],
])("after an answer with %s, the client throws a typed error within the time limit", async (_, bytes) => {
  const url = await peer((socket) => void socket.end(bytes));
  const call = new VehicleClient({ baseUrl: url, timeout: 3_000 }).reg.checkUSA(lookup);
  await expect(call).rejects.toBeInstanceOf(BothendsError);
});

test("a second answer that nobody requested is not read as the answer to the next request", async () => {
  const body = (name: string) => `${envelope(`<${name} xmlns="http://vehicle.example/reg"/>`)}`;
  const answer = (name: string) => `${xml}Content-Length: ${body(name).length}\r\n\r\n${body(name)}`;
  const url = await peer((socket) => void socket.write(answer("CheckUSAResponse") + answer("Poison")));
  const client = new VehicleClient({ baseUrl: url, timeout: 2_000 });
  for (const _ of [1, 2, 3]) {
    const result = await client.reg.checkUSA(lookup).catch((error: unknown) => String(error));
    expect(String(result)).not.toContain("Poison");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
