import { expect, onTestFinished, test } from "vitest";
import type { ServerIncident } from "../../src/server/index.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { listening, raw, startServer } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;

test("a client that reads nothing is disconnected after the timeout, although it sends bytes", async () => {
  const incidents: ServerIncident[] = [];
  const answer = () => ({ status: 200, headers: [], body: Buffer.alloc(30_000_000) });
  const { port } = await startServer([{ name: "large", answer }], {
    limits: { requestTimeout: 500, handlerTimeout: 500, keepAliveTimeout: 60_000 },
    onError: (incident) => void incidents.push(incident),
  });
  const { socket } = raw(port);
  socket.pause();
  socket.write("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
  const begun = performance.now();
  const timer = setInterval(() => socket.write("\r\n"), 20);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => incidents, { interval: 10, timeout: 5_000 }).toHaveLength(1);
  const duration = performance.now() - begun;
  expect(incidents[0]?.message).toContain("did not read its answer for 1000 ms");
  expect([duration > 950, duration < 1_400, duration]).toEqual([true, true, duration]);
});

test("a server that closes waits no longer than drainTimeout for a call", async () => {
  let called = () => {};
  const isCalled = new Promise<void>((resolve) => {
    called = resolve;
  });
  const find = () => {
    called();
    return new Promise(() => {});
  };
  const { port, close } = await listening([served({ find }).routes], { drainTimeout: 50 });
  raw(port).send(`${head}Content-Length: ${text.length}\r\n\r\n${text}`);
  await isCalled;
  const started = performance.now();
  await Promise.all([close(), close()]);
  expect(performance.now() - started).toBeLessThan(1_000);
});
