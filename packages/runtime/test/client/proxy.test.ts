import { createServer as createProxy } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { ServiceClient, type SoapClientOptions } from "../../src/client/index.js";
import { createTransport as fetchTransport } from "../../src/client/transports/web-fetch.js";
import { ConfigError, HttpStatusError, TimeoutError, TransportError } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import { cert, key } from "./certificate.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "A", user: "u" };
const xml = "text/xml; charset=utf-8";
const good = envelope(found());
const ask = (options: SoapClientOptions) => new ServiceClient(lookup, options).call(find, input);

/** A proxy that opens every tunnel unless configured otherwise. */
async function tunnels(refuse?: (socket: Socket) => void) {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createProxy();
  server.on("connect", (request, socket: Socket) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
    sockets.add(socket);
    if (refuse !== undefined) {
      return refuse(socket);
    }
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const to = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(to).pipe(socket);
    });
    sockets.add(to);
    for (const end of [socket, to]) {
      end.on("error", () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A server that optionally requires client certificates. */
async function secure(requestCert = false) {
  const seen: string[] = [];
  const server = createSecureServer(
    { key, cert, ca: cert, requestCert, rejectUnauthorized: requestCert },
    (request, response) => {
      seen.push(`${request.headers.host} ${(request.socket as TLSSocket).authorized}`);
      response.writeHead(200, { "Content-Type": xml }).end(good);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

test("a plain request is sent to the proxy with its whole address and the proxy's headers", async () => {
  const proxy = await localServer(always(200, xml, good));
  const options = { baseUrl: "http://service.invalid:8080", proxy: proxy.url.replace("//", "//us%40er:pw@") };
  expect(await ask({ ...options, authorization: "Bearer t" })).toEqual(item);
  expect(proxy.received[0]).toMatchObject({
    method: "POST",
    path: "http://service.invalid:8080/api/lookup.asmx",
    headers: {
      host: "service.invalid:8080",
      authorization: "Bearer t",
      "proxy-authorization": `Basic ${btoa("us@er:pw")}`,
    },
  });
});

test("a secure request goes through a tunnel, which serves several", async () => {
  const [proxy, server] = [await tunnels(), await secure()];
  const options = { baseUrl: server.url, proxy: proxy.url.replace("//", "//a:b@"), tls: { ca: cert } };
  const client = new ServiceClient(lookup, options);
  onTestFinished(() => client.close());
  expect(await client.call(find, input)).toEqual(item);
  expect(await client.call(find, input)).toEqual(item);
  const host = server.url.slice("https://".length);
  expect(proxy.seen).toEqual([`CONNECT ${host} Basic ${btoa("a:b")}`]);
  expect(server.seen[0]).toBe(`${host} false`);
});

test("calls that begin at the same time share at most maxSockets tunnels", async () => {
  const [proxy, server] = [await tunnels(), await secure()];
  const options = { baseUrl: server.url, proxy: proxy.url, tls: { ca: cert }, maxSockets: 4 };
  const client = new ServiceClient(lookup, options);
  onTestFinished(() => client.close());
  await Promise.all(Array.from({ length: 24 }, () => client.call(find, input)));
  expect(server.seen).toHaveLength(24);
  expect(proxy.seen).toHaveLength(4);
});

test("a certificate behind a tunnel is checked as usual", async () => {
  const [proxy, server] = [await tunnels(), await secure()];
  expect(await failureOf(ask({ baseUrl: server.url, proxy: proxy.url }))).toMatchObject({
    name: "TransportError",
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
});

/** The line that the default log of a client writes for a failed call. */
async function lineOf(options: SoapClientOptions): Promise<string> {
  const lines: string[] = [];
  const log = lineLogger({ format: "text", write: (line) => void lines.push(line) });
  const client = new ServiceClient(lookup, { ...options, ...log });
  onTestFinished(() => client.close());
  const error = await failureOf(client.call(find, input));
  expect(error instanceof TransportError || error instanceof TimeoutError || error instanceof HttpStatusError).toBe(
    true,
  );
  const failures = lines.filter((line) => line.includes(" error "));
  expect(failures).toHaveLength(1);
  return failures[0] ?? "";
}

const opened = "HTTP/1.1 200 OK\r\n\r\n";

test.each<{ name: string; refuse(socket: Socket): unknown; connectTimeout?: number; reason: string; hint: string }>([
  {
    name: "requires a password",
    refuse: (socket) => socket.end("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"),
    reason: "The proxy {proxy} refused to open a tunnel and answered with status 407.",
    hint: "The proxy requires a user and a password",
  },
  {
    name: "does not allow the host",
    refuse: (socket) => socket.end("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"),
    reason: "The proxy {proxy} refused to open a tunnel and answered with status 403.",
    hint: "The proxy does not allow connections to this host and port",
  },
  {
    name: "does not reach the server",
    refuse: (socket) => socket.end("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n"),
    reason: "The proxy {proxy} refused to open a tunnel and answered with status 502.",
    hint: "The proxy did not reach the host of the address",
  },
  {
    name: "is a web server",
    refuse: (socket) => socket.end("HTTP/1.1 302 X\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n"),
    reason: "The proxy {proxy} refused to open a tunnel and answered with status 302.",
    hint: 'Check that the option "proxy" has the address of an HTTP proxy',
  },
  {
    name: "hangs up",
    refuse: (socket) => socket.destroy(),
    reason: "The proxy {proxy} did not open a tunnel: socket hang up (ECONNRESET).",
    hint: "The proxy closed the connection without an answer",
  },
  {
    name: "says nothing",
    refuse: () => {},
    connectTimeout: 80,
    reason: "The proxy {proxy} did not open a tunnel within 80 ms.",
    hint: "The proxy accepted the connection, but did not answer",
  },
  {
    name: "does not speak HTTP",
    refuse: (socket) => socket.write("SSH-2.0\r\n\r\n"),
    reason: "The proxy {proxy} did not open a tunnel: Parse Error: Expected HTTP/",
    hint: "does not answer as an HTTP proxy does",
  },
  {
    name: "opens a tunnel in which nobody answers",
    refuse: (socket) => socket.write(opened),
    connectTimeout: 80,
    reason: "The proxy {proxy} opened a tunnel, but the TLS handshake in it did not end within 80 ms.",
    hint: "The proxy may not reach the host of the address",
  },
  {
    name: "sends other bytes with its answer",
    refuse: (socket) => socket.write(`${opened}${"garbage".repeat(100)}`),
    reason: "wrong version number",
    hint: "The bytes in the tunnel are not TLS",
  },
  {
    name: "closes the tunnel",
    refuse: (socket) => socket.end(opened),
    reason: "Client network socket disconnected before secure TLS connection was established (ECONNRESET).",
    hint: "The proxy opened a tunnel and then closed it",
  },
])("the log names a proxy that $name", async ({ refuse, connectTimeout = 10_000, reason, hint }) => {
  const proxy = await tunnels(refuse);
  const line = await lineOf({ baseUrl: "https://service.invalid", proxy: proxy.url, connectTimeout });
  const name = new URL(proxy.url).host;
  expect(line).toContain(reason.replace("{proxy}", name));
  expect(line).toContain(` ${hint}`);
  expect(line).toContain(`[POST https://service.invalid/api/lookup.asmx, through the proxy ${name}`);
  expect(proxy.seen).toEqual(["CONNECT service.invalid:443 -"]);
});

test.each([
  {
    name: "does not reach the server",
    answer: "HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n",
    want: "status 502. The proxy, or a gateway behind it, did not reach the server",
  },
  { name: "does not speak HTTP", answer: "SSH-2.0\r\n\r\n", want: "does not answer as an HTTP proxy does" },
  { name: "says nothing", answer: "", want: 'The answer took longer than the option "timeout" allows.' },
])("the log names a proxy for http: that $name", async ({ answer, want }) => {
  const server = createServer((socket) => void socket.on("error", () => {}).once("data", () => socket.write(answer)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const line = await lineOf({ baseUrl: "http://service.invalid", proxy: `http://u:secret@${name}`, timeout: 200 });
  expect(line).toContain(want);
  expect(line).toContain(`[POST http://service.invalid/api/lookup.asmx, through the proxy ${name}`);
  expect(line).not.toContain("secret");
});

test.each([
  { name: "says nothing", refuse: () => {} },
  {
    name: "opens tunnels to a server that says nothing",
    refuse: (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n"),
  },
])("the tunnels of calls that have ended are closed if a proxy $name", async ({ refuse }) => {
  let open = 0;
  let most = 0;
  const proxy = await tunnels((socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.resume().once("end", () => {
      open -= 1;
    });
    refuse(socket);
  });
  const options = { baseUrl: "https://service.invalid", proxy: proxy.url, maxSockets: 2 };
  const client = new ServiceClient(lookup, options);
  onTestFinished(() => client.close());
  // On a busy machine, several timers can fire together. The times differ so much that no call ends before its tunnel
  // was opened.
  const calls = Array.from({ length: 6 }, (_, index) =>
    failureOf(client.call(find, input, { timeout: 300 + 250 * index })),
  );
  expect((await Promise.all(calls)).every((error) => error instanceof TimeoutError)).toBe(true);
  await expect.poll(() => open).toBe(0);
  expect(proxy.seen).toHaveLength(6);
  // The proxy may notice that a tunnel is closed after it has received the next one.
  expect(most).toBeLessThan(4);
});

test("a proxy that does not exist", async () => {
  for (const scheme of ["http", "https"]) {
    expect(await failureOf(ask({ baseUrl: `${scheme}://service.invalid`, proxy: "http://127.0.0.1:1" }))).toMatchObject(
      {
        name: "TransportError",
        code: "ECONNREFUSED",
        message: expect.stringMatching(/The proxy 127\.0\.0\.1:1 cannot .* Check the option "proxy", and whether/),
      },
    );
  }
});

test.each([{ proxy: "socks5://x" }, { proxy: "https://x" }, { proxy: "x" }, { proxy: "http://x", agent: {} }])(
  "a client with the proxy options %j is refused",
  (options) => {
    expect(() => new ServiceClient(lookup, options)).toThrow(ConfigError);
    expect(() => fetchTransport(options)).toThrow(ConfigError);
  },
);

test("a server that wants a certificate gets the client's", async () => {
  const server = await secure(true);
  const tls = { ca: cert, cert, key };
  expect(await ask({ baseUrl: server.url, tls })).toEqual(item);
  expect(server.seen).toEqual([expect.stringMatching(/ true$/)]);
  expect(await failureOf(ask({ baseUrl: server.url, tls: { ca: cert } }))).toBeInstanceOf(TransportError);
});
