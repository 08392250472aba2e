import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { describeError } from "../../src/client/errors/error-messages.js";
import { ServiceClient } from "../../src/client/index.js";
import { createTransport as nodeTransport } from "../../src/client/transports/node-http.js";
import { createTransport as fetchTransport } from "../../src/client/transports/web-fetch.js";
import { TimeoutError } from "../../src/index.js";
import { find, lookup } from "./lookup.js";

/** A server that answers each request with these bytes repeatedly, or never if there are no bytes. */
async function hangingServer(head: string, piece: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(head);
      const timer = setInterval(() => socket.write(piece), 20);
      socket.on("close", () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";
const servers = [
  { hangs: "before the headers", head: "", piece: "" },
  { hangs: "in a header", head: `${ok}X: `, piece: "a" },
  { hangs: "in the body", head: `${ok}Content-Length: 9999\r\n\r\n`, piece: " " },
  { hangs: "in chunks", head: `${ok}Transfer-Encoding: chunked\r\n\r\n`, piece: "1\r\n \r\n" },
];
const transports = [
  { transport: "node:http", create: () => nodeTransport({}) },
  { transport: "fetch", create: () => fetchTransport({}) },
];
const cases = servers.flatMap((server) => transports.map((transport) => ({ ...server, ...transport })));

test.each(cases)("a server that hangs $hangs is given up in time over $transport", async ({ head, piece, create }) => {
  const baseUrl = await hangingServer(head, piece);
  const client = new ServiceClient(lookup, { baseUrl, transport: create(), timeout: 150 });
  const started = performance.now();
  await expect(client.call(find, { Key: "a", user: "u" })).rejects.toBeInstanceOf(TimeoutError);
  expect(performance.now() - started).toBeLessThan(1_500);
});

test("an error whose body consists of unclosed brackets is described quickly", () => {
  const headers = new Map([["content-type", "text/html"]]);
  const error = { name: "HttpStatusError", message: "", reason: "", status: 500, headers, body: "<".repeat(65_536) };
  expect(processorTimeOf(() => describeError(error))).toBeLessThan(100);
});
