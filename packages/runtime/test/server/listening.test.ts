import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { connect as tcpConnect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TLSSocket, connect as tlsConnect } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { ConfigError } from "../../src/errors.js";
import { listen, type RunningServer } from "../../src/server/adapters/node/listen.js";
import type { BegunCall, CallEvent, Routes, ServerIncident } from "../../src/server/index.js";
import { cert, key } from "../client/certificate.js";
import { envelopes, find, findBody, namespace, served, service } from "./fixture.js";
import { startServer } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const soapHeaders = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
const input = { Key: "a", Count: 1, username: "u" };

/** Sends requests over one HTTP/2 session. */
function openSession(url: string) {
  const client = connect(url, { ca: cert });
  onTestFinished(() => client.destroy());
  client.on("error", () => {});
  const send = (headers: Record<string, string>, body?: string | Buffer) =>
    new Promise<{ readonly head: IncomingHttpHeaders; readonly text: string }>((resolve, reject) => {
      const stream = client.request(headers, { endStream: body === undefined });
      let head: IncomingHttpHeaders = {};
      let received = "";
      stream.setEncoding("utf8");
      stream.on("response", (lines) => {
        head = lines;
      });
      stream.on("data", (chunk: string) => {
        received += chunk;
      });
      stream.on("end", () => resolve({ head, text: received }));
      stream.on("error", reject);
      if (body !== undefined) {
        stream.end(body);
      }
    });
  return { client, send };
}

const post = { ":method": "POST", ":path": "/api/things.asmx", ...soapHeaders };

describe("over HTTP/2", () => {
  test.each([
    { name: "with TLS", tls: { key, cert } },
    { name: "without TLS", tls: undefined },
  ])("$name, requests with a body are answered, several at a time", async ({ tls }) => {
    const events: CallEvent[] = [];
    const { routes, calls } = served();
    const server = await startServer([routes], { http2: true, tls, onCall: (event) => void events.push(event) });
    const { send } = openSession(server.url);
    const answers = await Promise.all([send(post, text), send(post, text), send(post, text)]);
    expect(answers.map(({ head }) => head[":status"])).toEqual([200, 200, 200]);
    expect(answers.every((answer) => answer.text.includes("FindResult"))).toBe(true);
    expect(calls[0]?.context.address).toBe(`${server.url}/api/things.asmx`);
    await vi.waitFor(() => expect(events).toHaveLength(3));
    expect(events[0]).toMatchObject({
      completed: true,
      status: 200,
      requestBytes: text.length,
      answerBytes: Buffer.byteLength(answers[0]?.text ?? ""),
      remoteAddress: "127.0.0.1",
    });
  });

  test("a body without a length is read", async () => {
    const server = await startServer([served().routes], { http2: true });
    const { client } = openSession(server.url);
    const stream = client.request(post);
    stream.write(text.slice(0, 40));
    await new Promise((resolve) => setTimeout(resolve, 20));
    stream.end(text.slice(40));
    const status = await new Promise((resolve) => stream.on("response", (head) => resolve(head[":status"])));
    expect(status).toBe(200);
  });

  test("HEAD, GET and unknown paths are answered, with all lines of one name", async () => {
    const lines: Routes = {
      name: "lines",
      paths: ["/lines"],
      answer: () => ({
        status: 200,
        headers: [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
        ],
        body: "text",
      }),
    };
    const { send } = openSession((await startServer([lines], { http2: true })).url);
    const answer = await send({ ":method": "GET", ":path": "/lines" });
    expect(answer).toMatchObject({ text: "text", head: { ":status": 200, "set-cookie": ["a=1", "b=2"] } });
    expect(await send({ ":method": "HEAD", ":path": "/lines" })).toMatchObject({ text: "", head: { ":status": 200 } });
    expect((await send({ ":method": "GET", ":path": "/other" })).head[":status"]).toBe(404);
  });

  test("the authority replaces a Host header, which a proxy may not have checked", async () => {
    const hosts: (readonly string[])[] = [];
    const echo: Routes = {
      name: "echo",
      paths: ["/echo"],
      answer({ headers }) {
        hosts.push(headers.filter(([name]) => name.toLowerCase() === "host").map(([, value]) => value));
        return { status: 200, headers: [], body: undefined };
      },
    };
    const { url } = await startServer([echo], { http2: true });
    const head = { ":method": "GET", ":path": "/echo", ":authority": "api.example", host: "evil.example" };
    await openSession(url).send(head);
    expect(hosts).toEqual([["api.example"]]);
  });

  test("cookies that arrive in fields of their own are joined as in one field", async () => {
    const { routes, calls } = served();
    const observedHeaders: unknown[] = [];
    const begin = (call: BegunCall) => void observedHeaders.push(call.header?.("cookie"), call.headers?.get("cookie"));
    const server = await startServer([routes], { http2: true, observe: { begin } });
    const stream = openSession(server.url).client.request({ ...post, cookie: ["a=1", "b=2"] });
    stream.resume().end(text);
    await once(stream, "close");
    expect([calls[0]?.context.headers.get("cookie"), ...observedHeaders]).toEqual(["a=1; b=2", "a=1; b=2", "a=1; b=2"]);
  });

  test("a body over the limit is refused", async () => {
    const { routes } = served({}, { limits: { bodyBytes: 100 } });
    const { send } = openSession((await startServer([routes], { http2: true })).url);
    const { head } = await send({ ...post, "content-length": "2000" }, Buffer.alloc(2000, 32));
    expect(Number(head[":status"])).toBeGreaterThanOrEqual(400);
    expect((await send(post, "x")).head[":status"]).toBeGreaterThanOrEqual(400);
  });

  test("the handler's signal is aborted when the client cancels its request", async () => {
    let signal: AbortSignal | undefined;
    const { routes } = served({
      find: (_input, context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    });
    const { client } = openSession((await startServer([routes], { http2: true })).url);
    const stream = client.request(post);
    stream.on("error", () => {});
    stream.end(text);
    await vi.waitFor(() => expect(signal).toBeDefined());
    stream.close(8);
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  });

  test("closing the server answers the requests that have begun", async () => {
    const { routes } = served({ find: () => new Promise((resolve) => setTimeout(resolve, 100, { Name: "a" })) });
    const server = await startServer([routes], { http2: true });
    const { send } = openSession(server.url);
    const answer = send(post, text);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const closed = server.close();
    expect((await answer).head[":status"]).toBe(200);
    await closed;
  });

  test.each([
    { name: "CONNECT", headers: { ":method": "CONNECT", ":authority": "user:secret@x:1" }, status: 405 },
    { name: "an unknown expectation", headers: { ":method": "GET", ":path": "/", expect: "foo" }, status: 417 },
  ])("$name is refused and reported", async ({ headers, status }) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const { send } = openSession((await startServer([], { http2: true, onError })).url);
    expect((await send(headers)).head[":status"]).toBe(status);
    expect(incidents).toMatchObject([{ kind: "request", method: headers[":method"] }]);
    expect(JSON.stringify(incidents)).not.toContain("secret");
  });

  test("with TLS, clients of HTTP/1.1 are answered too", async () => {
    const server = await startServer([served().routes], { http2: true, tls: { key, cert } });
    const client = new ServiceClient(service, { baseUrl: server.url, protocol: "soap11", tls: { ca: cert } });
    expect(await client.call(find, input)).toMatchObject({ Name: "a & b" });
    client.close();
  });
});

describe("over a Unix socket", () => {
  const socketFile = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "bothends-socket-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "service.sock");
  };

  test("a client calls a server", async () => {
    const path = socketFile();
    const server = await startServer([served().routes], { path });
    expect(server).toMatchObject({ url: `unix:${path}`, port: 0 });
    const options = { baseUrl: "http://service.example", protocol: "soap11", socketPath: path } as const;
    expect(await new ServiceClient(service, options).call(find, input)).toMatchObject({ Name: "a & b" });
  });

  test("neither end accepts options that contradict the socket", async () => {
    await expect(listen([], { path: socketFile(), port: 80 })).rejects.toBeInstanceOf(ConfigError);
    const options = { socketPath: "/x", proxy: "http://proxy.example" };
    expect(() => new ServiceClient(service, options)).toThrow(ConfigError);
  });
});

test("the state of a server shows its requests, connections and memory, and delays of the event loop", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const began = vi.fn();
  const find = async () => {
    began();
    await finished;
    return { Name: "a", Pair: { Code: null, Text: "" } };
  };
  const server = await startServer([served({ find }).routes], {});
  expect(await server.state()).toMatchObject({ inFlight: 0, connections: 0, answered: 0, eventLoopDelay: 0 });
  const answer = fetch(`${server.url}/api/things.asmx`, { method: "POST", headers: soapHeaders, body: text });
  await vi.waitFor(() => expect(began).toHaveBeenCalled());
  const { heapUsed, rss, ...counts } = await server.state();
  expect(counts).toMatchObject({ inFlight: 1, connections: 1, answered: 0 });
  expect(heapUsed).toBeLessThan(rss);
  finish();
  expect((await answer).status).toBe(200);
  const blockedUntil = performance.now() + 300;
  while (performance.now() < blockedUntil) {}
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { eventLoopDelay, ...later } = await server.state();
  expect(later).toMatchObject({ inFlight: 0, answered: 1 });
  expect(eventLoopDelay).toBeGreaterThan(200);
});

test("the state of a server shows the memory that counts toward inFlightBytes, and its highest value", async () => {
  let finish = () => {};
  const finished = new Promise<null>((resolve) => {
    finish = () => resolve(null);
  });
  const { routes, calls } = served({ find: () => finished });
  const server = await startServer([routes], { limits: { inFlightBytes: 1_000_000, inFlight: 100 } });
  const send = (key: string) =>
    fetch(`${server.url}/api/things.asmx`, {
      method: "POST",
      headers: soapHeaders,
      body: text.replace(findBody, findBody.replace("</Key>", `${key}</Key>`)),
    });
  const small = send("");
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(await server.state()).toMatchObject({ inFlight: 1, inFlightBytes: 0, highestInFlightBytes: 0 });
  const large = send("k".repeat(50_000));
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  const { inFlightBytes, highestInFlightBytes } = await server.state();
  expect(inFlightBytes).toBeGreaterThan(150_000);
  expect(highestInFlightBytes).toBe(inFlightBytes);
  finish();
  expect((await Promise.all([small, large])).map(({ status }) => status)).toEqual([200, 200]);
  expect(await server.state()).toMatchObject({ inFlight: 0, inFlightBytes: 0, highestInFlightBytes: inFlightBytes });
});

test("the socket of a server with TLS is secure", async () => {
  let secure: boolean | undefined;
  const routes: Routes = {
    name: "probe",
    answer: (received) => {
      secure = received.secure;
      return { status: 204, headers: [], body: undefined };
    },
  };
  const server = await startServer([routes], { http2: true, tls: { key, cert } });
  const { send, client } = openSession(server.url);
  await send({ ":path": "/" });
  expect((client.socket as TLSSocket).encrypted).toBe(true);
  expect(secure).toBe(true);
});

describe("a request for a proxy", () => {
  /** Sends a request, and never closes its half of the connection. */
  async function sent({ url, port }: RunningServer, head: string): Promise<string> {
    const target = { port, host: "127.0.0.1", allowHalfOpen: true, ca: cert, checkServerIdentity: () => undefined };
    const socket = url.startsWith("https:") ? tlsConnect(target) : tcpConnect(target);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write(head, "latin1");
    return new Promise((resolve) => {
      socket.once("data", (bytes: Buffer) => resolve(bytes.toString("latin1")));
      socket.once("close", () => resolve("closed without an answer"));
    });
  }
  const connecting = "CONNECT user:secret@x:443 HTTP/1.1\r\nHost: x\r\n\r\n";

  test.each([
    { name: "HTTP", options: {} },
    { name: "HTTPS", options: { tls: { key, cert } } },
    { name: "HTTPS with HTTP/2", options: { tls: { key, cert }, http2: true } },
  ])("over $name does not hold a connection whose client never closes it", async ({ options }) => {
    const server = await startServer([], { ...options, limits: { connections: 1 }, onError: () => {} });
    expect(await sent(server, connecting)).toContain(" 405 ");
    await expect.poll(() => sent(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toContain(" 404 ");
  });

  test.each([
    { name: "CONNECT", head: connecting, address: undefined },
    { name: "a URL", head: "GET http://user:secret@h/x?secret HTTP/1.1\r\nHost: h\r\n\r\n", address: "http://h/x" },
    {
      name: "a URL with an expectation",
      head: "GET http://user:secret@h/x HTTP/1.1\r\nHost: h\r\nExpect: foo\r\n\r\n",
      address: "http://h/x",
    },
    {
      name: "a URL with @ in its password",
      head: "GET http://user:s@secret@h/x HTTP/1.1\r\nHost: h\r\n\r\n",
      address: "http://h/x",
    },
  ])("is reported without the credentials in $name", async ({ head, address }) => {
    const reported: (ServerIncident | CallEvent)[] = [];
    const hook = (event: ServerIncident | CallEvent) => void reported.push(event);
    await sent(await startServer([], { onError: hook, onCall: hook }), head);
    await vi.waitFor(() => expect(reported.length).toBeGreaterThan(0));
    expect(reported[0]?.address).toBe(address);
    expect(JSON.stringify(reported)).not.toContain("secret");
  });
});
