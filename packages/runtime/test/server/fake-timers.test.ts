import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { expect, onTestFinished, test, vi } from "vitest";
import { findBody, message, served } from "./fixture.js";
import { startServer } from "./sockets.js";

// Test tools replace timers and `process.nextTick` by fakes, so servers must not need them for an answer.

const { headers = [], body } = message("soap11", findBody);
const bytes = body as Uint8Array;
const sentHeaders = Object.fromEntries(headers);

/** Replaces the timers and records the calls of `process.nextTick` that come from the sources of the runtime. */
function replaceTimers(): readonly string[] {
  const ownCalls: string[] = [];
  vi.useFakeTimers();
  const spy = vi.spyOn(process, "nextTick").mockImplementation((callback, ...values) => {
    const lines = new Error("called").stack?.split("\n") ?? [];
    const caller = lines.find((line) => /node:|\/runtime\/src\//.test(line));
    if (caller?.includes("/runtime/src/") === true) {
      ownCalls.push(caller);
    }
    queueMicrotask(() => callback(...values));
  });
  onTestFinished(() => {
    spy.mockRestore();
    vi.useRealTimers();
  });
  return ownCalls;
}

test("a server answers over HTTP/1.1 while timers are fakes", async () => {
  const server = await startServer([served().routes], {});
  const ownCalls = replaceTimers();
  const status = await new Promise((resolve, reject) => {
    const { port } = server;
    const options = { port, host: "127.0.0.1", path: "/api/things.asmx", method: "POST", headers: sentHeaders };
    const sent = request({ ...options, agent: false }, (answer) => resolve(answer.resume().statusCode));
    sent.on("error", reject).setHeader("Content-Length", bytes.length);
    sent.end(bytes);
  });
  expect(status).toBe(200);
  expect(ownCalls).toEqual([]);
});

test("a server answers over HTTP/2 while timers are fakes", async () => {
  const server = await startServer([served().routes], { http2: true });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  replaceTimers();
  const status = await new Promise((resolve, reject) => {
    const { "Content-Type": type = "text/xml" } = sentHeaders;
    const stream = session.request({ ":method": "POST", ":path": "/api/things.asmx", "content-type": type });
    stream.on("response", (head) => resolve(head[":status"])).on("error", reject);
    stream.end(bytes);
  });
  expect(status).toBe(200);
});
