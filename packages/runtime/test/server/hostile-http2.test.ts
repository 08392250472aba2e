import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as tlsConnect } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import type { CallEvent, Routes, ServerAnswer, ServerIncident, ServerRequest } from "../../src/server/index.js";
import { cert, key } from "../client/certificate.js";
import { served } from "./fixture.js";

const large: Routes = {
  name: "large",
  paths: ["/x"],
  answer: () => ({ status: 200, headers: [], body: "x".repeat(300_000) }),
};

async function started(limits: ListenOptions["limits"]) {
  const incidents: ServerIncident[] = [];
  // Thousands of requests can block an overloaded machine for seconds, which is another incident.
  const onError = (incident: ServerIncident) => void (incident.kind === "stalled" || incidents.push(incident));
  const server = await listen([large], { host: "127.0.0.1", http2: true, limits, onError });
  onTestFinished(async () => void (await server.close()));
  return { server, incidents };
}

/** A frame (RFC 9113 §4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** SETTINGS_INITIAL_WINDOW_SIZE 0: the client receives no bytes of bodies (RFC 9113 §6.5.2). */
const noWindow = frame(4, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
const ping = frame(6, 0, 0, Buffer.alloc(8));
/** `GET /x` with the authority `h`, in HPACK (RFC 7541). */
const fields = Buffer.concat([Buffer.from([0x82, 0x86, 0x44, 2]), Buffer.from("/x"), Buffer.from([0x41, 1, 0x68])]);
const headers = frame(1, 5, 1, fields);

function sendFrames(port: number, frames: readonly Buffer[]): Socket {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  socket.write(Buffer.concat([preface, ...frames]));
  return socket;
}

test("a client that does not read its answer is disconnected, although it sends pings", async () => {
  const { server, incidents } = await started({ requestTimeout: 100, handlerTimeout: 100 });
  const socket = sendFrames(server.port, [noWindow, headers]);
  const pings = setInterval(() => socket.write(ping), 20);
  onTestFinished(() => clearInterval(pings));
  await expect.poll(() => incidents, { timeout: 3_000 }).toHaveLength(1);
  expect(incidents[0]?.message).toContain("did not read its answer for 200 ms");
});

test("clients that do not read their answers are disconnected beyond the limit unreadBytes", async () => {
  const { server, incidents } = await started({ unreadBytes: 500_000 });
  const sockets = [1, 2].map(() => sendFrames(server.port, [noWindow, headers]));
  await delay(1_200);
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  const [answer] = await once(session.request({ ":path": "/x" }), "response");
  expect(answer[":status"]).toBe(200);
  expect(incidents).toMatchObject([{ kind: "limit.unreadBytes", address: "/x" }]);
  expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
});

test("a body that does not arrive within requestTimeout gets 408", async () => {
  const { routes, incidents } = served();
  const limits = { requestTimeout: 100, checkInterval: 50 };
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = await listen([routes], { host: "127.0.0.1", http2: true, limits, onError });
  onTestFinished(async () => void (await server.close()));
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  const sent = { ":method": "POST", ":path": "/api/things.asmx", "content-type": "text/xml" };
  const stream = session.request(sent);
  stream.on("error", () => {});
  stream.write(" ".repeat(100_000));
  const [answer] = await once(stream, "response");
  expect(answer[":status"]).toBe(408);
  const limit = { name: "requestTimeout", value: 100, option: "limits.requestTimeout" };
  expect(incidents).toMatchObject([{ kind: "limit.requestTimeout", limit }]);
  expect(incidents[0]?.message).toContain("The client stopped sending the body: 100000 bytes had arrived,");
});

test("a client that reads its answer slowly receives all of it", async () => {
  // The whole answer takes longer than the timeout of a part, 800 ms, which is much longer than a pause, so that the
  // test also passes on a busy machine.
  const { server, incidents } = await started({ requestTimeout: 400, handlerTimeout: 400 });
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  const stream = client.request({ ":path": "/x" });
  const startedAt = performance.now();
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    await new Promise((resolve) => setTimeout(resolve, 160));
  }
  expect(performance.now() - startedAt).toBeGreaterThan(850);
  expect(size).toBe(300_000);
  expect(incidents).toEqual([]);
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test.each([
  ["cancels its request", frame(3, 0, 1, Buffer.from([0, 0, 0, 8]))],
  ["disconnects", undefined],
])("a client that %s during a slow handler is no incident, and no timer waits for it", async (_, cancellation) => {
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  let answer = (_: ServerAnswer): void => {};
  let request: ServerRequest | undefined;
  const slow: Routes = {
    name: "slow",
    paths: ["/x"],
    answer(received) {
      request = received;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  };
  const server = await listen([slow], {
    host: "127.0.0.1",
    http2: true,
    limits: { requestTimeout: 100, handlerTimeout: 100 },
    onError: (incident) => void incidents.push(incident),
    onCall: (event) => void events.push(event),
  });
  onTestFinished(async () => void (await server.close()));
  const socket = sendFrames(server.port, [frame(4, 0, 0), headers]);
  await vi.waitFor(() => expect(request).toBeDefined());
  if (cancellation === undefined) {
    socket.destroy();
  } else {
    socket.write(cancellation);
  }
  await new Promise((done) => setTimeout(done, 50));
  const before = timers();
  answer({ status: 200, headers: [], body: "x" });
  await new Promise((done) => setTimeout(done, 10));
  expect(timers()).toBe(before);
  expect(events).toMatchObject([{ completed: false }]);
  expect(request?.signal?.aborted).toBe(true);
  await new Promise((done) => setTimeout(done, 300));
  expect(incidents).toEqual([]);
});

const thousands = (code: number) =>
  Array.from({ length: 3_000 }, (_, at) => [
    frame(1, 5, 2 * at + 1, fields),
    frame(3, 0, 2 * at + 1, Buffer.from([0, 0, 0, code])),
  ]).flat();

test.each([
  ["cancels", 8],
  ["closes without an error", 0],
])("a connection whose client %s thousands of requests is closed and reported", async (_, code) => {
  const { server, incidents } = await started({});
  const socket = sendFrames(server.port, [frame(4, 0, 0), ...thousands(code)]);
  await once(socket, "close");
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining("cancelled more than 900") }]);
  expect(incidents[0]?.message).toContain("127.0.0.1");
});

test.each([8, 0])("the limit of cancelled requests is the same on a slow machine (code %i)", async (code) => {
  const { server, incidents } = await started({});
  const socket = connect(server.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  // The first 500 requests use up a part of the burst.
  socket.write(Buffer.concat([preface, frame(4, 0, 0), ...thousands(code).slice(0, 1_000)]));
  await delay(500);
  // Each reading of the clock takes 10 ms, as if the process had to wait for the processor.
  let passed = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => {
    passed += 10;
    return now() + passed;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  socket.write(Buffer.concat(thousands(code).slice(1_000)));
  const messages = () => incidents.map(({ message }) => message).join();
  await expect.poll(messages, { timeout: 3_000 }).toContain("cancelled more than 900");
});

test("a client that cancels some requests keeps its connection", async () => {
  const { server, incidents } = await started({});
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  for (let count = 0; count < 300; count += 1) {
    client
      .request({ ":path": "/x" })
      .on("error", () => {})
      .close(8);
  }
  const stream = client.request({ ":path": "/x" });
  const [head] = await once(stream, "response");
  expect(head[":status"]).toBe(200);
  expect(incidents).toEqual([]);
});

test("answers that the server cannot write do not count as cancelled by the client", async () => {
  const invalid: Routes = { name: "invalid", answer: () => ({ status: 200, headers: [["a b", "c"]], body: "" }) };
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = await listen([invalid], { host: "127.0.0.1", http2: true, onError });
  onTestFinished(async () => void (await server.close()));
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  for (let round = 0; round < 10; round += 1) {
    const streams = Array.from({ length: 100 }, () => client.request({ ":path": "/x" }).on("error", () => {}));
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.on("close", resolve).resume())));
  }
  expect(new Set(incidents.map(({ message }) => message))).toEqual(new Set(["The answer cannot be written."]));
  await server.close();
  expect(incidents[20]).toMatchObject({ message: expect.stringContaining("be written. This"), omitted: 980 });
});

test("a call over HTTP/2 that has not ended when the server stops is reported once", async () => {
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  const find = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<ServerAnswer>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const { routes } = served({ find }, { onError: (incident) => void incidents.push(incident) });
  const server = await listen([routes], {
    host: "127.0.0.1",
    http2: true,
    limits: { drainTimeout: 50 },
    onError: (incident) => void incidents.push(incident),
    onCall: (event) => void events.push(event),
  });
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  client.on("error", () => {});
  client.request({ ":path": "/api/things.asmx/Find?Key=k&username=u&Count=1" }).on("error", () => {});
  await delay(100);
  await server.close();
  await expect.poll(() => events).toMatchObject([{ completed: false, disconnectedAfter: undefined }]);
  expect(incidents).toMatchObject([{ kind: "limit.drainTimeout", address: "/api/things.asmx/Find" }]);
});

async function statusFrom(port: number, localAddress: string): Promise<unknown> {
  const createConnection = () => connect({ port, host: "127.0.0.1", localAddress });
  const client = connectHttp2(`http://127.0.0.1:${port}`, { createConnection });
  onTestFinished(() => client.destroy());
  client.on("error", () => {});
  const stream = client.request({ ":path": "/x" });
  const [head] = await once(stream, "response");
  return head[":status"];
}

test.each([
  ["idle", []],
  ["with incomplete requests", [frame(1, 4, 1, fields)]],
])("connections of one address that are %s do not block another address", async (_, frames) => {
  const { server, incidents } = await started({ connections: 5 });
  const sockets = Array.from({ length: 5 }, () => sendFrames(server.port, [frame(4, 0, 0), ...frames]));
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  expect(await statusFrom(server.port, "127.0.0.2")).toBe(200);
  expect(incidents.map(({ kind }) => kind)).toEqual(["limit.connections"]);
});

test.each([
  ["floods of frames", Array<Buffer>(5_000).fill(frame(4, 0, 0)), "Flooding was detected"],
  [
    "endless headers",
    [frame(4, 0, 0), frame(1, 0, 1, fields), ...Array<Buffer>(50).fill(frame(9, 0, 1))],
    "Too many CONTINUATION",
  ],
  ["requests of HTTP/1.1", undefined, "bad client magic"],
])("%s close the connection and are reported", async (_, frames, reason) => {
  const { server, incidents } = await started({});
  const socket = frames === undefined ? connect(server.port, "127.0.0.1") : sendFrames(server.port, frames);
  socket.on("error", () => {}).resume();
  if (frames === undefined) {
    socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  }
  await once(socket, "close");
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining(reason) }]);
  expect(incidents[0]?.message).toContain("127.0.0.1");
});

test.each([
  ["data of stream 0", [frame(0, 1, 0, Buffer.from("x"))]],
  ["data of a stream that does not exist", [frame(0, 1, 9, Buffer.from("x"))]],
  ["settings of a wrong length", [frame(4, 0, 0, Buffer.from([0, 2, 0]))]],
  ["a frame that is too long", [frame(0, 1, 1, Buffer.alloc(20_000))]],
  ["headers that cannot be decompressed", [frame(1, 5, 1, Buffer.alloc(6, 0xff))]],
  ["a continuation without headers", [frame(9, 4, 1, fields)]],
  ["a cancellation of a wrong length", [frame(3, 0, 1, Buffer.alloc(5))]],
  ["data between headers and their continuation", [frame(1, 0, 1, fields), frame(0, 1, 1, Buffer.from("x"))]],
  ["an answer that is not read, and data of stream 0", [noWindow, headers, frame(0, 1, 0, Buffer.from("x"))]],
])("a connection that the HTTP/2 library of Node ended after %s is closed and reported", async (_, frames) => {
  const { server, incidents } = await started({ requestTimeout: 100, handlerTimeout: 100 });
  const socket = sendFrames(server.port, [frame(4, 0, 0), ...frames]);
  await once(socket, "close");
  await expect
    .poll(() => incidents.map(({ message }) => message).join(), { timeout: 2_000 })
    .toMatch(/An HTTP\/2 connection from 127\.0\.0\.1 was closed/);
  expect(incidents).toHaveLength(1);
});

test.each([
  ["is idle", []],
  ["waits for the window of its answer", [noWindow, headers]],
  ["has sent nothing after the preface", undefined],
])("a connection whose client %s is not reported as ended by the library", async (_, frames) => {
  const { server, incidents } = await started({ requestTimeout: 100, handlerTimeout: 100 });
  const socket = sendFrames(server.port, frames === undefined ? [] : [frame(4, 0, 0), ...frames]);
  await once(socket, "close");
  expect(incidents.filter(({ message }) => message.startsWith("An HTTP/2 connection"))).toEqual([]);
});

const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
/** The head of a form for the operation `Find`. */
const posted = Buffer.concat([
  Buffer.of(0x83, 0x86, 0x44),
  text("/api/things.asmx/Find"),
  Buffer.of(0x41),
  text("h"),
  Buffer.of(0x0f, 0x10),
  text("application/x-www-form-urlencoded"),
]);
const postedWithLength = Buffer.concat([posted, Buffer.of(0x0f, 0x0d), text("40")]);
const form = Buffer.from("Key=k&username=u&Count=1");
const pathInTrailers = Buffer.concat([Buffer.of(0x44), text("/y")]);

/** Sends frames to the operation `Find` of an HTTP/2 server. Frames after `pause` follow when the others were read. */
async function sendToFind(frames: readonly (Buffer | "pause")[]) {
  const { routes, calls } = served();
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  const server = await listen([routes], {
    host: "127.0.0.1",
    http2: true,
    onError: (incident) => void incidents.push(incident),
    onCall: (event) => void events.push(event),
  });
  onTestFinished(() => void server.close());
  const socket = sendFrames(server.port, [frame(4, 0, 0)]);
  for (const part of frames) {
    if (part === "pause") {
      await delay(50);
    } else {
      socket.write(part);
    }
  }
  await delay(100);
  return { socket, calls, incidents, events };
}

test.each([
  ["is too long for its Content-Length", [frame(1, 4, 1, postedWithLength), frame(0, 1, 1, Buffer.alloc(41, 0x61))]],
  [
    "is found to be too long later",
    [frame(1, 4, 1, postedWithLength), frame(0, 0, 1, form), "pause" as const, frame(0, 1, 1, form)],
  ],
  ["is too short for its Content-Length", [frame(1, 4, 1, postedWithLength), frame(0, 1, 1, form)]],
  [
    "is found to be too short later",
    [frame(1, 4, 1, postedWithLength), "pause" as const, frame(0, 0, 1, form), "pause" as const, frame(0, 1, 1)],
  ],
])("a request whose body %s is reported once", async (_, frames) => {
  const { calls, incidents, events } = await sendToFind(frames);
  expect(calls).toEqual([]);
  // A request that is refused together with its head never becomes a call.
  expect(events.every(({ completed, error }) => !completed && error !== undefined)).toBe(true);
  expect(incidents).toMatchObject([{ kind: "request", method: "POST", address: "/api/things.asmx/Find" }]);
  expect(incidents[0]?.message).toContain("127.0.0.1");
  expect(incidents[0]?.message).toContain("its Content-Length, 40, differs from the length of its body");
});

test("a request whose trailers HTTP/2 does not allow is reported", async () => {
  const frames = [frame(1, 4, 1, posted), frame(0, 0, 1, form), "pause" as const, frame(1, 5, 1, pathInTrailers)];
  const { incidents } = await sendToFind(frames);
  expect(incidents).toMatchObject([{ kind: "request", address: "/api/things.asmx/Find" }]);
  expect(incidents[0]?.message).toContain("trailers");
  expect(incidents[0]?.message).not.toContain("Content-Length");
});

test("at most 20 requests of a server that HTTP/2 does not allow are reported in a minute", async () => {
  const streams = Array.from({ length: 30 }, (_, at) => 2 * at + 1);
  const frames = streams.flatMap((id) => [frame(1, 4, id, postedWithLength), frame(0, 1, id, form)]);
  const { incidents } = await sendToFind(frames);
  expect(incidents).toHaveLength(20);
});

/** A header field that is not in a table (RFC 7541 §6.2.2). */
const field = (name: string, value: string) => Buffer.concat([Buffer.of(0), text(name), text(value)]);
const get = (id: number, ...more: readonly Buffer[]) => frame(1, 5, id, Buffer.concat([fields, ...more]));
const refused = (id: number) => get(id, field("te", "gzip"));
/** The acknowledgement of the ping that a server sends. */
const isPing = (received: Buffer) => received.length === 17 && received[3] === 6;

/** Sends frames to a server that checks its connections every 50 ms. The client acknowledges pings. */
async function reportedOver(frames: readonly (Buffer | "pause")[]): Promise<readonly ServerIncident[]> {
  const { server, incidents } = await started({ checkInterval: 50 });
  const socket = sendFrames(server.port, [frame(4, 0, 0)]);
  const pings: Buffer[] = [];
  socket.on("data", (received) => void (isPing(received) && pings.push(received)));
  const acknowledge = () => {
    for (const received of pings.splice(0)) {
      socket.write(frame(6, 1, 0, received.subarray(9)));
    }
  };
  for (const part of frames) {
    if (part === "pause") {
      await delay(200);
    } else {
      socket.write(part);
    }
  }
  // No other frame may be sent in the middle of a head, so pings are acknowledged only now.
  const acknowledging = setInterval(acknowledge, 10);
  await delay(300);
  clearInterval(acknowledging);
  const beforeEnd = incidents.length;
  socket.end();
  await once(socket, "close");
  await delay(50);
  // What is reported while the connection is open is not reported again at its end.
  expect(incidents).toHaveLength(beforeEnd);
  return incidents;
}

test.each([
  ["a header of HTTP/1.1 connections", field("connection", "close")],
  ["te: gzip", field("te", "gzip")],
  ["a name in upper case", field("Abc", "1")],
  ["a second path", field(":path", "/y")],
  ["a length without a body", field("content-length", "5")],
])("a request whose head HTTP/2 does not allow is reported: %s", async (_, forbidden) => {
  const incidents = await reportedOver([get(1, forbidden)]);
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining("A request from 127.0.0.1") }]);
});

test.each([
  ["a path without a slash", "x", "h", "a :path that does not begin with / or contains a space"],
  ["a path with a space", "/x x", "h", "a :path that does not begin with / or contains a space"],
  ["an authority that is not a host", "/x", "<script>", "an :authority that is not a host and a port"],
])("a request with %s is reported with this cause", async (_, path, authority, cause) => {
  const head = [Buffer.of(0x82, 0x86, 0x44), text(path), Buffer.of(0x41), text(authority)];
  const incidents = await reportedOver([frame(1, 5, 1, Buffer.concat(head))]);
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining(cause) }]);
});

const pause = "pause" as const;

test.each([
  ["before other requests", [get(1), pause, refused(3), pause, get(5), get(7)], 1],
  ["as the first", [refused(1), pause, get(3)], 1],
  ["after others", [get(1), get(3), pause, refused(5)], 1],
  ["each before another request", [get(1), pause, refused(3), pause, get(5), pause, refused(7), pause, get(9)], 2],
])("a refused request is reported once: %s", async (_, frames, count) => {
  expect(await reportedOver(frames)).toHaveLength(count);
});

test("a refused request is reported with the next one if another request ended between them", async () => {
  const { server, incidents } = await started({ checkInterval: 60_000 });
  // The first request cannot end, because its client accepts no body, until the client cancels it.
  const socket = sendFrames(server.port, [noWindow, get(1)]);
  await delay(100);
  socket.write(Buffer.concat([refused(3), frame(3, 0, 1, Buffer.of(0, 0, 0, 8))]));
  await delay(100);
  expect(incidents).toEqual([]);
  socket.write(get(5));
  await expect.poll(() => incidents).toMatchObject([{ message: expect.stringContaining("did not reach the server") }]);
});

test("a refused request is reported when its client disconnects, even if it acknowledges no pings", async () => {
  const { server, incidents } = await started({ checkInterval: 50 });
  const socket = sendFrames(server.port, [frame(4, 0, 0), refused(1)]);
  await delay(200);
  expect(incidents).toEqual([]);
  socket.destroy();
  await expect.poll(() => incidents).toHaveLength(1);
  expect(incidents[0]?.message).toContain("HTTP/2");
});

test("a refused request over TLS is reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const server = await listen([large], { host: "127.0.0.1", http2: true, tls: { key, cert }, onError });
  onTestFinished(async () => void (await server.close()));
  const socket = tlsConnect({ port: server.port, ca: cert, ALPNProtocols: ["h2"] });
  socket.end(Buffer.concat([preface, frame(4, 0, 0), refused(1)]));
  socket.resume();
  await expect.poll(() => incidents).toMatchObject([{ message: expect.stringContaining("did not reach the server") }]);
});

const slowHead = [frame(1, 1, 3, fields.subarray(0, 3)), pause, frame(9, 4, 3, fields.subarray(3))];

test.each([
  ["sends all requests at once", [get(1), get(3), get(5)]],
  ["begins with a higher number, as OkHttp and Netty do", [get(3), get(5)]],
  ["skips numbers of requests that it cancelled before it sent them", [get(1), get(7), pause, get(11)]],
  ["sends a head slowly", [get(1), ...slowHead, get(5)]],
  ["sends no request", []],
  ["cancels a request", [get(1), frame(3, 0, 1, Buffer.of(0, 0, 0, 8)), pause, get(3)]],
])("no request is reported as refused if a client %s", async (_, frames) => {
  expect(await reportedOver(frames)).toEqual([]);
});

test.each([
  ["cancels its request", [frame(3, 0, 1, Buffer.of(0, 0, 0, 8))]],
  ["closes its request without an error", [frame(3, 0, 1, Buffer.of(0, 0, 0, 0))]],
  ["disconnects", []],
])("a client that %s in the middle of a body is not reported as refused", async (_, frames) => {
  const begun = [frame(1, 4, 1, postedWithLength), frame(0, 0, 1, form), "pause" as const, ...frames];
  const { socket, incidents } = await sendToFind(begun);
  socket.destroy();
  await expect.poll(() => incidents).toHaveLength(1);
  expect(incidents[0]?.message).toContain("The client disconnected before its request was complete");
});

test.each([
  ["cancels", 8],
  ["closes without an error", 0],
])("a request that its client %s before it is complete reaches no handler", async (_, code) => {
  const { routes, calls, incidents } = served();
  const server = await listen([routes], { host: "127.0.0.1", http2: true });
  onTestFinished(async () => void (await server.close()));
  // What arrived is a valid form: only its end is missing.
  const begun = frame(0, 0, 1, form);
  const socket = sendFrames(server.port, [frame(4, 0, 0), frame(1, 4, 1, posted), begun]);
  await delay(100);
  socket.write(frame(3, 0, 1, Buffer.of(0, 0, 0, code)));
  await delay(100);
  expect(calls).toEqual([]);
  socket.write(Buffer.concat([frame(1, 4, 3, posted), frame(0, 1, 3, Buffer.from("Key=k&username=u&Count=1000"))]));
  await expect.poll(() => calls, { timeout: 3_000 }).toHaveLength(1);
  expect(incidents).toEqual([]);
});

describe("an HTTP/2 client is disconnected in time that", () => {
  const limits = { headersTimeout: 400, requestTimeout: 400, keepAliveTimeout: 300, checkInterval: 50 };
  const settings = frame(4, 0, 0);
  const openHead = frame(1, 0, 1, fields.subarray(0, 1));

  test.each<[string, readonly Buffer[]]>([
    ["sends nothing", []],
    ["sends half of the preface", [preface.subarray(0, 10)]],
    ["sends only the preface", [preface]],
    ["sends only settings", [preface, settings]],
    ["sends only the beginning of a head", [preface, settings, openHead]],
    ["sends only the beginning of a frame", [preface, settings, headers.subarray(0, 12)]],
    ["sends only the beginning of a second head", [preface, settings, headers, frame(1, 0, 3, fields.subarray(0, 1))]],
  ])("%s", async (_, frames) => {
    const { server, incidents } = await started(limits);
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}).resume();
    socket.write(Buffer.concat(frames));
    const pings = setInterval(() => frames.length === 2 && socket.write(ping), 20);
    onTestFinished(() => clearInterval(pings));
    const begunAt = performance.now();
    await expect.poll(() => socket.closed, { timeout: 2_000, interval: 20 }).toBe(true);
    expect(performance.now() - begunAt).toBeGreaterThan(350);
    const message = expect.stringContaining("did not arrive completely in time");
    expect(incidents).toMatchObject([{ kind: "request", message }]);
  });

  test("sends no second request, although it sends pings", async () => {
    const { server, incidents } = await started(limits);
    const socket = sendFrames(server.port, [settings, headers]);
    const windows = setInterval(
      () => socket.write(Buffer.concat([ping, frame(8, 0, 0, Buffer.from([0, 0, 99, 9]))])),
      20,
    );
    onTestFinished(() => clearInterval(windows));
    socket.write(frame(8, 0, 1, Buffer.from([0, 9, 99, 9])));
    await expect.poll(() => socket.closed, { timeout: 2_000, interval: 20 }).toBe(true);
    expect(incidents).toEqual([]);
  });

  test("sends a request now and then stays connected", async () => {
    const { server, incidents } = await started(limits);
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    onTestFinished(() => session.destroy());
    for (let sent = 0; sent < 6; sent++) {
      const stream = session.request({ ":path": "/x" }).resume();
      await once(stream, "close");
      await delay(200);
    }
    expect(session.destroyed).toBe(false);
    expect(incidents).toEqual([]);
  });
});

test.each([
  ["sends nothing", ""],
  ["sends only the beginning of a request", "GET /x HTTP/1.1\r\nHo"],
  ["sends only the beginning of a body", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na"],
  ["sends no second request", "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"],
])("an HTTP/1.1 client of a server for HTTP/2 that %s is disconnected", async (_, sent) => {
  const limits = { headersTimeout: 200, requestTimeout: 200, keepAliveTimeout: 100, checkInterval: 50 };
  const server = await listen([large], {
    host: "127.0.0.1",
    http2: true,
    tls: { key, cert },
    limits,
    onError: () => {},
  });
  onTestFinished(async () => void (await server.close()));
  const socket = tlsConnect({ port: server.port, host: "127.0.0.1", ca: cert, ALPNProtocols: ["http/1.1"] });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  await once(socket, "secureConnect");
  socket.write(sent);
  await expect.poll(() => socket.closed, { timeout: 3_000 }).toBe(true);
});

test("an HTTP/1.1 client of a server for HTTP/2 may send as many headers as the router allows", async () => {
  let count = 0;
  const counting: Routes = {
    name: "counting",
    paths: ["/x"],
    answer: ({ headers }) => {
      count = [...headers].length;
      return { status: 200, headers: [], body: "x" };
    },
  };
  const limits = { headers: 3_000, headerBytes: 100_000 };
  const server = await listen([counting], { host: "127.0.0.1", http2: true, tls: { key, cert }, limits });
  onTestFinished(async () => void (await server.close()));
  const socket = tlsConnect({ port: server.port, host: "127.0.0.1", ca: cert, ALPNProtocols: ["http/1.1"] });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  socket.write(`GET /x HTTP/1.1\r\nHost: h\r\n${"A: b\r\n".repeat(2_500)}\r\n`);
  await expect.poll(() => count).toBe(2_501);
});

test.each([
  [90, 200],
  [100, 200],
  [101, 431],
  [104, 431],
  [130, 431],
  [300, 431],
])(
  "a request over HTTP/2 with %i headers of at most 100 is answered %i, and no header is lost",
  async (sent, status) => {
    const incidents: ServerIncident[] = [];
    const received: string[] = [];
    const routes: Routes = {
      name: "names",
      paths: ["/x"],
      answer: ({ headers }) => {
        received.push(...headers.map(([name]) => name));
        return { status: 200, headers: [], body: "x" };
      },
    };
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const server = await listen([routes], { host: "127.0.0.1", http2: true, onError });
    onTestFinished(async () => void (await server.close()));
    const client = connectHttp2(server.url);
    onTestFinished(() => client.destroy());
    // The pseudo-header ":authority" becomes the header "host".
    const names = Array.from({ length: sent - 1 }, (_, index) => `h${index}`);
    const stream = client.request({ ":path": "/x", ...Object.fromEntries(names.map((name) => [name, "1"])) });
    const [answer] = await once(stream, "response");
    expect(answer[":status"]).toBe(status);
    expect(received).toEqual(status === 200 ? ["host", ...names] : []);
    expect(incidents.map(({ kind }) => kind)).toEqual(status === 200 ? [] : ["limit.headers"]);
  },
);

test("a request over HTTP/2 whose headers exceed headerBytes is reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const limits = { headerBytes: 2_000, checkInterval: 50 };
  const server = await listen([large], { host: "127.0.0.1", http2: true, limits, onError });
  onTestFinished(async () => void (await server.close()));
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  // The limit applies after the client has acknowledged it.
  await once(client.request({ ":path": "/x" }), "response");
  const stream = client.request({ ":path": "/x", a: "x".repeat(3_000) });
  await expect(once(stream, "response")).rejects.toThrow();
  await expect.poll(() => incidents).toMatchObject([{ kind: "request" }]);
  expect(incidents[0]?.message).toContain('the option "limits.headerBytes" of the server allows, which is 2000');
});

test.each([
  ["GET", undefined, 0],
  ["POST", "", 0],
  ["POST", "x".repeat(200_000), 200_000],
])("routes can iterate over the body of a request (%s)", async (method, body, size) => {
  const counting: Routes = {
    name: "counting",
    paths: ["/x"],
    async answer({ body: chunks }) {
      let count = 0;
      for await (const { length } of chunks instanceof Uint8Array ? [chunks] : chunks) {
        count += length;
      }
      return { status: 200, headers: [], body: String(count) };
    },
  };
  const server = await listen([counting], { host: "127.0.0.1", http2: true });
  onTestFinished(async () => void (await server.close()));
  const client = connectHttp2(server.url);
  onTestFinished(() => client.destroy());
  const stream = client.request({ ":path": "/x", ":method": method });
  if (body !== undefined) {
    stream.end(body);
  }
  const [chunk] = await once(stream, "data");
  expect(String(chunk)).toBe(String(size));
});

test.each([
  ["announces its length", { "content-length": "300000" }],
  ["does not announce its length", {}],
])(
  "an answered request whose body is too long and %s does not delay the end of the server",
  async (_, lengthHeader) => {
    const events: CallEvent[] = [];
    const reading: Routes = {
      name: "reading",
      paths: ["/x"],
      async answer({ body, headers }) {
        if (!headers.some(([name]) => name === "content-length") && !(body instanceof Uint8Array)) {
          await body[Symbol.asyncIterator]().next();
        }
        return { status: 413, headers: [], body: "The body is too long." };
      },
    };
    const server = await listen([reading], {
      host: "127.0.0.1",
      http2: true,
      limits: { drainTimeout: 2_000 },
      onError: () => {},
      onCall: (event) => void events.push(event),
    });
    const client = connectHttp2(server.url);
    onTestFinished(() => client.destroy());
    const stream = client.request({ ":path": "/x", ":method": "POST", ...lengthHeader });
    let text = "";
    stream
      .on("error", () => {})
      .on("data", (chunk) => {
        text += String(chunk);
      });
    stream.write(Buffer.alloc(200_000));
    await once(stream, "end");
    expect(text).toBe("The body is too long.");
    const { duration, unanswered } = await server.close();
    expect([duration < 1_000, unanswered]).toEqual([true, 0]);
    expect(stream.rstCode).toBe(0);
    expect(events.map(({ status, completed }) => [status, completed])).toEqual([[413, true]]);
  },
);

test.each([
  { name: "with TLS", tls: { key, cert } },
  { name: "without TLS", tls: undefined },
])("$name, the answer to an upload that is too large ends before its stream is closed", async ({ tls }) => {
  const { routes } = served({}, { limits: { bodyBytes: 500_000 } });
  const server = await listen([routes], { host: "127.0.0.1", http2: true, tls, onError: () => {} });
  onTestFinished(async () => void (await server.close()));
  const client = connectHttp2(server.url, { ca: cert });
  onTestFinished(() => client.destroy());
  for (const size of [510_000, 700_000, 1_000_000, 2_000_000]) {
    const headers = { ":path": "/api/things.asmx", ":method": "POST", "content-type": "text/xml" };
    const stream = client.request(headers);
    stream.resume().end(Buffer.alloc(size, 32));
    // Node's client does not close a stream that the server closes before the end of the answer.
    await once(stream, "close", { signal: AbortSignal.timeout(2_000) });
    expect([stream.rstCode, stream.readableEnded]).toEqual([0, true]);
  }
});

describe("a connection whose client does not read its answers", () => {
  const manyHeaders = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => frame(1, 5, 2 * (first + index) + 1, fields));

  test("gets 503 beyond a sixteenth of unreadBytes, and is reported once", async () => {
    const answer = vi.fn((): ServerAnswer => ({ status: 200, headers: [], body: "x".repeat(300_000) }));
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    const server = await listen([{ name: "large", paths: ["/x"], answer }], {
      host: "127.0.0.1",
      http2: true,
      limits: { unreadBytes: 32_000_000 },
      onError: (incident) => void incidents.push(incident),
      onCall: (event) => void events.push(event),
    });
    onTestFinished(async () => void (await server.close()));
    const socket = sendFrames(server.port, [noWindow, ...manyHeaders(0, 10)]);
    await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(10));
    await delay(1_100);
    socket.write(Buffer.concat(manyHeaders(10, 40)));
    await expect.poll(() => incidents.length).toBe(1);
    await delay(100);
    expect(answer).toHaveBeenCalledTimes(10);
    expect(incidents).toMatchObject([{ kind: "limit.unreadBytes", address: "/x", remoteAddress: "127.0.0.1" }]);
    expect(incidents[0]?.message).toMatch(/^The client has read nothing on this connection for \d+ ms, /);
    // Other clients are not affected.
    const session = connectHttp2(server.url);
    onTestFinished(() => session.destroy());
    const [head] = await once(session.request({ ":path": "/x" }), "response");
    expect(head[":status"]).toBe(200);
  });

  test("does not get 503 if it reads slowly, or has few bytes to read", async () => {
    const { server, incidents } = await started({ unreadBytes: 32_000_000 });
    const client = connectHttp2(server.url, { settings: { initialWindowSize: 65_536 } });
    onTestFinished(() => client.destroy());
    const paused = client.request({ ":path": "/x" });
    await once(paused, "response");
    await delay(1_100);
    const [second] = await once(client.request({ ":path": "/x" }).resume(), "response");
    expect(second[":status"]).toBe(200);
    const slow = Array.from({ length: 20 }, () => client.request({ ":path": "/x" }));
    await Promise.all(slow.map((stream) => once(stream, "response")));
    const reading = setInterval(() => slow.forEach((stream) => void stream.read()), 200);
    onTestFinished(() => clearInterval(reading));
    await delay(1_100);
    const [last] = await once(client.request({ ":path": "/x" }).resume(), "response");
    expect(last[":status"]).toBe(200);
    expect(incidents).toEqual([]);
  });

  test("does not get 503 if it reads all answers but those of some users who have stopped reading", async () => {
    const { server, incidents } = await started({ unreadBytes: 4_000_000 });
    const proxy = connectHttp2(server.url);
    onTestFinished(() => proxy.destroy());
    await once(proxy, "connect");
    proxy.setLocalWindowSize(10_000_000);
    const stopped = [1, 2].map(() => proxy.request({ ":path": "/x" }));
    await Promise.all(stopped.map((stream) => once(stream, "response")));
    const statuses: unknown[] = [];
    for (const pause of [1_200, 100, 1_200]) {
      await delay(pause);
      const stream = proxy.request({ ":path": "/x" });
      const [head] = await once(stream, "response");
      statuses.push(head[":status"]);
      await once(stream.resume(), "close");
    }
    expect(statuses).toEqual([200, 200, 200]);
    expect(incidents).toEqual([]);
  });
});

test("other requests are answered while thousands of HTTP/2 requests wait", async () => {
  const answeredAfter: number[] = [];
  let count = 0;
  const slow: Routes = {
    name: "slow",
    paths: ["/x", "/health"],
    answer({ target }) {
      if (target === "/health") {
        answeredAfter.push(count);
        return { status: 200, headers: [], body: "ok" };
      }
      count += 1;
      const until = performance.now() + 5;
      while (performance.now() < until) {}
      return { status: 200, headers: [], body: "x" };
    },
  };
  const server = await listen([slow], { host: "127.0.0.1", http2: true, onError: () => {} });
  onTestFinished(async () => void (await server.close()));
  const health = connectHttp2(server.url);
  onTestFinished(() => health.destroy());
  await once(health, "remoteSettings");
  const requests = Array.from({ length: 100 }, (_, index) => frame(1, 5, 2 * index + 1, fields));
  for (let connection = 0; connection < 5; connection += 1) {
    sendFrames(server.port, [frame(4, 0, 0), ...requests]);
  }
  await vi.waitFor(() => expect(count).toBeGreaterThan(0));
  const [head] = await once(health.request({ ":path": "/health" }).resume(), "response");
  expect(head[":status"]).toBe(200);
  expect(answeredAfter[0]).toBeLessThan(250);
});
