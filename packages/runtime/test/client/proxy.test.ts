import { createServer as createProxy } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { ServiceClient, type SoapClientOptions } from "../../src/client/index.js";
import { createTransport as fetchTransport } from "../../src/client/transports/web-fetch.js";
import { ConfigError, TimeoutError, TransportError } from "../../src/index.js";
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

test.each([
  {
    name: "says no",
    refuse: (socket: Socket) => socket.end("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"),
    connectTimeout: 10_000,
    want: { name: "TransportError", message: expect.stringContaining("The proxy requires a user and a password") },
  },
  {
    name: "hangs up",
    refuse: (socket: Socket) => socket.destroy(),
    connectTimeout: 10_000,
    want: { name: "TransportError" },
  },
  { name: "says nothing", refuse: () => {}, connectTimeout: 80, want: { name: "TimeoutError", milliseconds: 80 } },
])("a proxy that $name", async ({ refuse, connectTimeout, want }) => {
  const proxy = await tunnels(refuse);
  const error = await failureOf(ask({ baseUrl: "https://service.invalid", proxy: proxy.url, connectTimeout }));
  expect(error instanceof TransportError || error instanceof TimeoutError).toBe(true);
  expect(error).toMatchObject(want);
  expect(proxy.seen).toEqual(["CONNECT service.invalid:443 -"]);
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
        message: expect.stringContaining("The proxy 127.0.0.1:1 cannot"),
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
