import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as http2Connect } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as tlsConnect } from "node:tls";
import { type CallEvent, lineLogger } from "@bothends/runtime/observe";
import { healthRoutes, type Routes, rateLimitedRoutes } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { lambdaHandler } from "@bothends/runtime/server/lambda";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { regRoutes } from "@bothends/server/vehicle";
import express from "express";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { cert, key } from "../../../runtime/test/client/certificate.js";

// Faults between clients and servers: proxies, load balancers, protocols. Operators see only the lines of the log.

const path = "/api/reg.asmx";
const message = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><c:CheckUSA xmlns:c="http://vehicle.example/reg"><c:RegistrationNumber>a</c:RegistrationNumber><c:State>NY</c:State><c:username>u</c:username></c:CheckUSA></s:Body></s:Envelope>`;
const headers = { "Content-Type": "text/xml", SOAPAction: '"http://vehicle.example/reg/CheckUSA"' };
const head = `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\n`;
const vehicle = (description = "") => ({ vehicleJson: description });
const regWith = (answer?: string) =>
  regRoutes({ checkUSA: () => (answer === undefined ? null : vehicle(answer)) }, { missing: "fault", path });

function log() {
  const lines: string[] = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line) });
  return { lines, onError };
}

async function loggingServer(options: ListenOptions = {}, routes: Routes = regWith()) {
  const { lines, onError } = log();
  const server = await listen([routes], { host: "127.0.0.1", onError, ...options });
  onTestFinished(async () => void (await server.close()));
  return { server, lines };
}

async function onlyLine(lines: readonly string[]): Promise<string> {
  await vi.waitFor(() => expect(lines).not.toEqual([]), 4_000);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

/** Sends bytes to a port, and closes the connection after the answer or a short time. */
function send(port: number, bytes: string | Uint8Array): void {
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("error", () => {}).resume();
  setTimeout(() => socket.destroy(), 200);
}

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

test.each([
  ["has no Host header", `GET ${path} HTTP/1.1\r\n\r\n`, "has no Host header, which HTTP/1.1 requires"],
  [
    "begins with the PROXY protocol",
    `PROXY TCP4 203.0.113.7 10.0.0.2 51234 80\r\n${head}\r\n`,
    "sends the PROXY protocol",
  ],
  [
    "begins with version 2 of the PROXY protocol",
    Buffer.from("0d0a0d0a000d0a515549540a21110000", "hex"),
    "sends the PROXY protocol",
  ],
  ["is HTTP/2", preface, 'set the option "http2"'],
  ["has two lengths", `${head}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`, "a proxy may have added one"],
  [
    "has a length and chunks",
    `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    "a proxy may have added one",
  ],
  [
    "is longer than its Content-Length",
    `GET ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n<a/>`,
    "the Content-Length of the request before was too small",
  ],
  [
    "has a space in its address",
    `GET ${path}?a=b c HTTP/1.1\r\nHost: h\r\n\r\n`,
    "the address may contain a space, which must be sent as %20",
  ],
  [
    "has a chunk without a length",
    `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    "does not begin with its length: the body may not be divided into chunks",
  ],
  [
    "has an address of another server",
    `GET http://other.example/a HTTP/1.1\r\nHost: h\r\n\r\n`,
    "the client may take this server for a proxy",
  ],
  ["is cut off", `${head}Content-Length: 500\r\n\r\n${"x".repeat(70)}`, "70 of the 500 bytes of the body had arrived"],
])("when a request %s, one line names the cause and the client", async (_, bytes, cause) => {
  const { server, lines } = await loggingServer();
  send(server.port, bytes);
  const line = await onlyLine(lines);
  expect(line).toContain(cause);
  expect(line).toContain("127.0.0.1");
});

test("when a request of HTTP/1.1 comes to a server of HTTP/2, one line says so", async () => {
  const { server, lines } = await loggingServer({ http2: true });
  send(server.port, `${head}\r\n`);
  expect(await onlyLine(lines)).toContain("may use HTTP/1.1, TLS or the PROXY protocol");
});

test("when a client of HTTP/2 ends its connection with an error, one line names it", async () => {
  const { server, lines } = await loggingServer({ http2: true });
  const session = http2Connect(server.url).on("error", () => {});
  await once(session, "connect");
  session.goaway(2);
  expect(await onlyLine(lines)).toContain("error code 2 (INTERNAL_ERROR)");
  session.destroy();
});

test("when a client accepts only HTTP/2, which the server does not offer, one line names the option", async () => {
  const { server, lines } = await loggingServer({ tls: { key, cert } });
  tlsConnect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["h2"] }).on(
    "error",
    () => {},
  );
  expect(await onlyLine(lines)).toContain('For clients that use only HTTP/2, set the option "http2"');
});

test("when the port is in use, the error says what to do", async () => {
  const { server } = await loggingServer();
  await expect(listen([regWith()], { host: "127.0.0.1", port: server.port })).rejects.toThrow(
    'Another program listens there: stop it, or set the option "port" to another port.',
  );
});

test("when the chunks of a body do not end, one line says so", async () => {
  const limits = { requestTimeout: 200, headersTimeout: 200, checkInterval: 50 };
  const { server, lines } = await loggingServer({ limits });
  const socket = connect(server.port, "127.0.0.1", () =>
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
  );
  onTestFinished(() => void socket.on("error", () => {}).destroy());
  expect(await onlyLine(lines)).toContain("or it sent less than its Content-Length, or no last chunk");
});

test("when a message is in an unknown charset, one line lists those that are supported", async () => {
  const { server, lines } = await loggingServer();
  const utf7 = { ...headers, "Content-Type": "text/xml; charset=utf-7" };
  await (await fetch(server.url + path, { method: "POST", headers: utf7, body: message })).text();
  expect(await onlyLine(lines)).toContain("Supported: UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII.");
});

test("when a killed process has left its Unix socket, the error says what to do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bothends-socket-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, "left.sock");
  const program = `require("net").createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, "SIGKILL"))`;
  await once(spawn(process.execPath, ["-e", program]), "exit");
  await expect(listen([regWith()], { path: socketPath })).rejects.toThrow("was killed left the file, remove it");
  await expect(listen([regWith()], { path: join(folder, "none", "a.sock") })).rejects.toThrow("the folder must exist");
});

const block = () => {
  const end = performance.now() + 3_000;
  while (performance.now() < end) {}
};

test.each([
  ["the hook onCall", { onCall: block }],
  ["an observer of calls", { observe: { begin: () => ({ end: block }) } }],
] as const)("when %s blocks the process, the log does not blame a handler", async (name, options) => {
  const { server, lines } = await loggingServer(options);
  await (await fetch(`${server.url}${path}`, { method: "POST", headers, body: message })).text();
  const line = await onlyLine(lines);
  expect(line).toContain(`${name} blocked it for 3`);
  expect(line).not.toContain("CheckUSA");
});

test("when other code in Express has already answered, one line says so", async () => {
  const { lines, onError } = log();
  const events: CallEvent[] = [];
  const app = express();
  app.use((_request, response, next) => {
    response.status(204).end();
    next();
  });
  app.use(expressMiddleware([regWith()], { onError, onCall: (event) => void events.push(event) }));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: message })).text();
  const line = await onlyLine(lines);
  expect(line).toContain("Other code has already answered the request");
  expect(line).toContain("operation=CheckUSA");
  await expect.poll(() => events).toHaveLength(1);
  const error = { kind: "config", message: expect.stringContaining("Other code has already answered"), method: "POST" };
  expect(events).toMatchObject([{ status: 204, operation: "CheckUSA", error }]);
});

const upload = { ":method": "POST", ":path": path, "content-type": "text/xml", soapaction: headers.SOAPAction };

test("when a client of HTTP/2 does not read its answer, a server that stops says so", async () => {
  const { server, lines } = await loggingServer(
    { http2: true, limits: { drainTimeout: 300 } },
    regWith("x".repeat(3_000_000)),
  );
  const session = http2Connect(server.url).on("error", () => {});
  const stream = session.request(upload).on("error", () => {});
  stream.end(message);
  await once(stream, "response");
  await server.close();
  const line = await onlyLine(lines);
  expect(line).toContain("before the client at 127.0.0.1 had received its whole answer");
  expect(line).toContain("operation=CheckUSA");
  session.destroy();
});

test("a client of HTTP/2 that does not read the answer to a refused upload does not delay the end of the server", async () => {
  const { server } = await loggingServer({ http2: true, limits: { drainTimeout: 20_000 } });
  const session = http2Connect(server.url).on("error", () => {});
  const stream = session.request({ ...upload, "content-length": "5000000" }).on("error", () => {});
  stream.write("x");
  await once(stream, "response");
  const { duration } = await server.close();
  expect(duration).toBeLessThan(5_000);
  session.destroy();
});

test.each<readonly [string, () => unknown, number, number]>([
  ["replaces an answer", () => "replaced", 200, 8],
  ["throws", () => Promise.reject(new Error("broken")), 500, 69],
])(
  "when a hook of Fastify %s, the event has the status and the size that were sent",
  async (_, payload, status, size) => {
    const events: CallEvent[] = [];
    const app = Fastify();
    app.addHook("onSend", async () => payload());
    await app.register(fastifyPlugin([regWith()], { onCall: (event) => void events.push(event) }));
    onTestFinished(() => app.close());
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: message });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([status, size]);
    await vi.waitFor(() => expect(events).toMatchObject([{ status, answerBytes: size, completed: true }]));
  },
);

test.each([
  ["too large for Lambda", 7_000_000, {}, 1],
  ["too large for a load balancer", 2_000_000, { elb: {} }, 1],
  ["small enough for Lambda", 2_000_000, {}, 0],
])("an answer that is %s has as many lines as it has problems", async (_, size, context, count) => {
  const { lines, onError } = log();
  const event = {
    httpMethod: "POST",
    path,
    headers: { host: "h", ...headers },
    body: message,
    requestContext: context,
  };
  await lambdaHandler([regWith("x".repeat(size))], { onError })(event);
  expect(lines.filter((line) => line.includes("passes on at most"))).toHaveLength(count);
});

test("when a check of readiness fails for a long time, this is reported once a minute, and again after it passed", async () => {
  let passes = false;
  const { server, lines } = await loggingServer({}, healthRoutes({ checks: { database: () => passes } }));
  const ready = async () => (await fetch(`${server.url}/ready`)).status;
  expect([await ready(), await ready(), await ready()]).toEqual([503, 503, 503]);
  expect(await onlyLine(lines)).toContain('The check "database" returned false. /ready answers 503 until it passes');
  passes = true;
  expect(await ready()).toBe(200);
  passes = false;
  expect(await ready()).toBe(503);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("is reported once a minute. This occurred 2 more times within a minute.");
});

test.each([`/gateway${path}`, "/reg.asmx", "/API/Reg.asmx/"])(
  "when a proxy sends %s, one line names the path of the routes",
  async (sentPath) => {
    const { server, lines } = await loggingServer();
    for (let count = 0; count < 3; count += 1) {
      await (await fetch(`${server.url}${sentPath}`, { method: "POST", headers, body: message })).text();
    }
    expect(await onlyLine(lines)).toContain(`routes have ${path}: a proxy may have added, removed`);
  },
);

test("an unknown path that is not similar to those of the routes is not reported", async () => {
  const { server, lines } = await loggingServer();
  await (await fetch(`${server.url}/wp-login.php`)).text();
  await (await fetch(`${server.url}/`)).text();
  expect(lines).toEqual([]);
});

test("when a scanner tries many paths below a service, the log has twenty lines a minute and a number", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { lines, onError } = log();
  const routes = regRoutes({ checkUSA: () => null }, { missing: "fault", path, onError });
  const signal = new AbortController().signal;
  for (let number = 0; number < 300; number += 1) {
    await routes.answer({
      method: "GET",
      target: `${path}/${number}.php`,
      headers: [],
      body: new Uint8Array(),
      signal,
    });
  }
  expect(lines).toHaveLength(20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toHaveLength(21);
  expect(lines[20]).toContain(
    "No operation has this address and method. This occurred 280 more times within a minute.",
  );
});

test("when a rate is exceeded, the log names the address that was counted, and the option for proxies", async () => {
  const { server, lines } = await loggingServer({}, rateLimitedRoutes(regWith(), { requests: 0, window: 60_000 }));
  await (await fetch(`${server.url}${path}`, { method: "POST", headers, body: message })).text();
  const line = await onlyLine(lines);
  expect(line).toContain(
    'the option "requests" of rateLimitedRoutes. Requests are counted by the client address, which is 127.0.0.1.',
  );
  expect(line).toContain('option "trustedProxies"');
});

test.each([
  ["that is not Base64", { body: "<a>", isBase64Encoded: true }, "isBase64Encoded is true, but the body is not Base64"],
  ["with a dot segment", { path: "/a/../b" }, "its path has a dot segment"],
])("an event of Lambda %s is named in one line", async (_, change, cause) => {
  const { lines, onError } = log();
  const event = { httpMethod: "POST", path, headers: { host: "h", ...headers }, requestContext: {}, ...change };
  expect(await lambdaHandler([regWith()], { onError })(event)).toMatchObject({ statusCode: 400 });
  expect(await onlyLine(lines)).toContain(cause);
});
