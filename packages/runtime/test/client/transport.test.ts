import { Agent, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fetchTransport, ServiceClient, type Transport } from "../../src/client/index.js";
import { createTransport as nodeTransport } from "../../src/client/transports/node-http.js";
import { createTransport as platformTransport, suggestOption } from "../../src/client/transports/web-fetch.js";
import { ConfigError, HttpStatusError, ProtocolError, TimeoutError, TransportError } from "../../src/index.js";
import { cert, key } from "./certificate.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup } from "./lookup.js";

const input = { Key: "a", user: "u" };
const xml = "text/xml; charset=utf-8";
const good = envelope(found());

const transports: readonly (readonly [name: string, make: () => Transport])[] = [
  ["node:http", () => nodeTransport({})],
  ["fetch", () => platformTransport({})],
  ["fetch of Node", () => fetchTransport(fetch)],
];

function clientOf(url: string, transport: Transport, options: object = {}): ServiceClient {
  return new ServiceClient(lookup, { baseUrl: url, transport, ...options });
}

/** A server that writes bytes as they are. */
async function rawServer(
  write: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly open: () => number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    // Counts only sockets that carry a request, because fetch also opens spare ones.
    socket.once("data", () => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      write(socket);
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
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, open: () => sockets.size };
}

const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
/** Servers whose answers never end and never pause, so that only the timeout of the whole call ends them. */
const dripping = [
  { name: "interim answers", head: "HTTP/1.1 102 Processing\r\n\r\n", piece: "HTTP/1.1 102 Processing\r\n\r\n" },
  { name: "a header", head: `${ok}X: `, piece: "a" },
  { name: "a body", head: `${ok}Content-Length: 9999\r\n\r\n`, piece: " " },
  { name: "chunks", head: chunked, piece: "1\r\n \r\n" },
  { name: "a chunk extension", head: `${chunked}1;a=`, piece: "a" },
  { name: "a trailer", head: `${chunked}0\r\nX: `, piece: "a" },
];

async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; count < 200 && !condition(); count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(condition()).toBe(true);
}

describe.each(transports)("over %s", (name, make) => {
  test("a call is answered, again and again", async () => {
    const server = await localServer(always(200, xml, good));
    const client = clientOf(server.url, make());
    for (let count = 0; count < 3; count += 1) {
      expect(await client.call(find, input)).toEqual(item);
    }
    if (name === "node:http") {
      expect(server.sockets()).toBe(1);
    }
  });

  test("a refused connection", async () => {
    const error = await failureOf(clientOf("http://127.0.0.1:1", make()).call(find, input));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ operation: "Find", address: "http://127.0.0.1:1/api/lookup.asmx" });
    // `fetch` refuses some ports.
    if ((error as TransportError).code !== undefined) {
      expect(error).toMatchObject({ code: "ECONNREFUSED", cause: { code: "ECONNREFUSED" } });
    }
  });

  test("a name that is not found", async () => {
    const error = await failureOf(clientOf("http://nowhere.invalid", make()).call(find, input));
    expect(error).toBeInstanceOf(TransportError);
    expect((error as TransportError).code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  test("a connection that is reset", async () => {
    const server = await rawServer((socket) => socket.resetAndDestroy());
    const error = await failureOf(clientOf(server.url, make()).call(find, input));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
  });

  test.each<{ readonly name: string; readonly write: (socket: Socket) => void }>([
    { name: "before the headers", write: () => {} },
    { name: "in the headers", write: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-") },
    {
      name: "in the body",
      write: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 99\r\n\r\n<a"),
    },
    ...dripping.map(({ name, head, piece }) => ({
      name: `dripping ${name}`,
      write: (socket: Socket) => {
        socket.write(head);
        const timer = setInterval(() => socket.write(piece), 20);
        socket.on("close", () => clearInterval(timer));
      },
    })),
  ])("the timeout limits the whole answer of a server that hangs $name", async ({ write }) => {
    const server = await rawServer(write);
    const error = await failureOf(clientOf(server.url, make(), { timeout: 150 }).call(find, input));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ milliseconds: 150, operation: "Find" });
    await until(() => server.open() === 0);
  });

  test.each([
    { name: "a body that is cut off", answer: "Content-Length: 99\r\n\r\n<a>" },
    { name: "a chunk that is cut off", answer: "Transfer-Encoding: chunked\r\n\r\n5\r\n<a>" },
    { name: "a bad chunk", answer: "Transfer-Encoding: chunked\r\n\r\nzz\r\n<a>\r\n" },
  ])("$name causes a TransportError", async ({ answer }) => {
    const server = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n${answer}`));
    expect(await failureOf(clientOf(server.url, make()).call(find, input))).toBeInstanceOf(TransportError);
  });

  test.each([301, 302, 303, 307, 308])("a redirect with %d is not followed", async (status) => {
    const other = await localServer(always(200, xml, good));
    for (const location of [`${other.url}/x`, "/same", "file:///etc/passwd"]) {
      const server = await localServer(always(status, "text/html", "moved", { Location: location }));
      const client = clientOf(server.url, make(), { headers: { Authorization: "Bearer secret" } });
      const error = await failureOf(client.call(find, input));
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error).toMatchObject({ status });
      expect(server.received).toHaveLength(1);
    }
    expect(other.received).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])("a redirect with %d after other answers is not followed", async (status) => {
    const other = await localServer(always(200, xml, good));
    let isMoved = false;
    const server = await localServer((request, response) =>
      isMoved
        ? always(status, "text/html", "moved", { Location: `${other.url}/new` })(request, response)
        : always(200, xml, good)(request, response),
    );
    const transport = make();
    const events: unknown[] = [];
    const options = { retries: 2, safeOperations: ["Find"], onCall: (event: object) => events.push(event) };
    const client = clientOf(server.url, transport, options);
    expect(await client.call(find, input)).toEqual(item);
    expect(await client.call(find, input)).toEqual(item);
    isMoved = true;
    const [first, second] = [await failureOf(client.call(find, input)), await failureOf(client.call(find, input))];
    for (const error of [first, second]) {
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error).toMatchObject({
        message: expect.stringMatching(/^Find: The server (?:now )?answer.* a redirect/),
      });
    }
    expect(events.at(-2)).toMatchObject({ retries: 0, error: { kind: "protocol" } });
    expect(second).toMatchObject({ status, message: expect.stringContaining(`leads to ${other.url}/new`) });
    isMoved = false;
    expect(await client.call(find, input)).toEqual(item);
    // Each call was sent once.
    expect(server.received.map(({ body }) => body.includes("Find"))).toEqual([true, true, true, true, true]);
    expect(other.received).toEqual([]);
  });

  test("a body that inflates beyond the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const server = await localServer(always(200, xml, bomb, { "Content-Encoding": "gzip" }));
    expect(await failureOf(clientOf(server.url, make()).call(find, input))).toBeInstanceOf(ProtocolError);
  });

  test("a body whose Content-Length is too large", async () => {
    const server = await rawServer((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 17825792\r\n\r\n<a"),
    );
    const error = await failureOf(clientOf(server.url, make()).call(find, input));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ status: 200, message: expect.stringContaining("limits.bodyBytes") });
    await until(() => server.open() === 0);
  });

  test("a body without end", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n");
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) {}
      };
      socket.on("drain", more);
      more();
    });
    expect(await failureOf(clientOf(server.url, make()).call(find, input))).toBeInstanceOf(ProtocolError);
    await until(() => server.open() === 0);
  });

  test("limits can be set for a call, and 0 means zero", async () => {
    const server = await localServer(always(200, xml, good));
    const client = clientOf(server.url, make(), { limits: { bodyBytes: 1_000_000 } });
    expect(await failureOf(client.call(find, input, { limits: { bodyBytes: 10 } }))).toBeInstanceOf(ProtocolError);
    expect(await failureOf(client.call(find, input, { limits: { depth: 2 } }))).toMatchObject({
      name: "ProtocolError",
      message: expect.stringContaining("limits.depth"),
    });
    expect(await failureOf(client.call(find, input, { limits: { errorBodyBytes: 0, bodyBytes: 0 } }))).toMatchObject({
      body: "",
    });
    expect(await client.call(find, input)).toEqual(item);
  });

  test.each([new Error("enough"), "a text", { an: "object" }])(
    "a call that is aborted rejects with an AbortError, whose cause is the reason of the signal",
    async (reason) => {
      const server = await rawServer(() => {});
      const client = clientOf(server.url, make());
      const before = AbortSignal.abort(reason);
      expect(await failureOf(client.call(find, input, { signal: before }))).toMatchObject(aborted(reason));
      expect(server.open()).toBe(0);
      const during = new AbortController();
      setTimeout(() => during.abort(reason), 30);
      expect(await failureOf(client.call(find, input, { signal: during.signal }))).toMatchObject(aborted(reason));
      await until(() => server.open() === 0);
    },
  );

  test("a signal after the answer changes nothing, and its listeners are removed", async () => {
    const server = await localServer(always(200, xml, good));
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...parameters: Parameters<AbortSignal["addEventListener"]>) => {
      listeners += 1;
      add(...parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<AbortSignal["removeEventListener"]>) => {
      listeners -= 1;
      remove(...parameters);
    };
    const client = clientOf(server.url, make(), { signal });
    for (let count = 0; count < 50; count += 1) {
      await client.call(find, input);
    }
    expect(listeners).toBe(0);
    controller.abort();
    expect(await failureOf(client.call(find, input))).toMatchObject(aborted(signal.reason));
  });

  test("header values reach the server, in Latin-1", async () => {
    const server = await localServer(always(200, xml, good));
    const client = clientOf(server.url, make(), { headers: { "X-A": "client", "X-B": "b" } });
    await client.call(find, input, { headers: { "x-a": "call", "X-B": undefined, "X-C": "é" } });
    expect(server.received[0]?.headers).toMatchObject({ "x-a": "call", "x-b": "b", "x-c": "é" });
  });
});

test.each([
  { encoding: "gzip", compress: gzipSync },
  { encoding: "x-gzip", compress: gzipSync },
  { encoding: "br", compress: brotliCompressSync },
])("node:http asks for compressed answers and reads $encoding", async ({ encoding, compress }) => {
  const server = await localServer(always(200, xml, compress(good), { "Content-Encoding": encoding }));
  const client = clientOf(server.url, nodeTransport({}));
  expect(await client.call(find, input)).toEqual(item);
  expect(server.received[0]?.headers["accept-encoding"]).toBe("gzip, br");
});

test("a compressed body that is cut off or not valid is a ProtocolError", async () => {
  for (const body of [gzipSync(good).subarray(0, 40), Buffer.from(good)]) {
    const server = await localServer(always(200, xml, body, { "Content-Encoding": "gzip" }));
    const error = await failureOf(clientOf(server.url, nodeTransport({})).call(find, input));
    expect(error).toBeInstanceOf(ProtocolError);
    expect((error as Error).message).toContain('the content encoding "gzip", and its body is not valid');
  }
});

const changed = (data: Buffer, index: number) => Buffer.from(data.map((byte, at) => (at === index ? byte ^ 1 : byte)));
const gzipped = gzipSync(good);
const wasCutOff = "It ends before the end of the compressed data: the server or a proxy may have cut it off.";
const wasDecompressed = "A proxy may have decompressed the body without removing the header.";
const wasChanged = "It begins like compressed data, but its bytes were changed:";

test.each([
  { what: "ends early", encoding: "gzip", body: gzipped.subarray(0, 40), hint: wasCutOff },
  { what: "ends early", encoding: "br", body: brotliCompressSync(good).subarray(0, 40), hint: wasCutOff },
  { what: "has a wrong checksum", encoding: "gzip", body: changed(gzipped, gzipped.length - 6), hint: wasChanged },
  { what: "was read as UTF-8", encoding: "gzip", body: Buffer.from(gzipped.toString("utf8")), hint: wasChanged },
  {
    what: "is followed by a line",
    encoding: "gzip",
    body: Buffer.concat([gzipped, Buffer.from("\r\n")]),
    hint: "Other bytes follow the compressed data:",
  },
  { what: "is zlib", encoding: "gzip", body: deflateSync(good), hint: "It is compressed in another format than" },
  { what: "is not compressed", encoding: "gzip", body: Buffer.from(good), hint: wasDecompressed },
  { what: "is not compressed", encoding: "br", body: Buffer.from(good), hint: wasDecompressed },
  { what: "is other text", encoding: "gzip", body: Buffer.from("Bad gateway"), hint: wasDecompressed },
])("the error about a body with $encoding that $what names the cause", async ({ encoding, body, hint }) => {
  const server = await localServer(always(200, xml, body, { "Content-Encoding": encoding }));
  const client = clientOf(server.url, nodeTransport({}));
  const isInvalid = `the content encoding "${encoding}", and its body is not valid. ${hint}`;
  expect(await failureOf(client.call(find, input))).toMatchObject({ message: expect.stringContaining(isInvalid) });
});

test.each([
  ["node:http", () => nodeTransport({})],
  ["fetch", () => fetchTransport(fetch)],
])("the error about an answer that is reset after its head has no advice about TLS, with %s", async (_, transport) => {
  const server = await localServer((__, response) => {
    response.writeHead(200, { "Content-Type": xml, "Content-Length": 1_000 });
    response.write(good.slice(0, 40));
    setTimeout(() => response.socket?.resetAndDestroy(), 100);
  });
  const error = await failureOf(clientOf(server.url, transport()).call(find, input));
  expect(error).toBeInstanceOf(TransportError);
  expect(error).toMatchObject({
    message: expect.stringContaining(
      "The server, or a proxy or firewall between, closed the connection before the answer was complete. If the operation may",
    ),
  });
});

test("node:http refuses encodings that it did not ask for", async () => {
  for (const encoding of ["deflate", "gzip, gzip, gzip", "x-own"]) {
    const server = await localServer(always(200, xml, gzipSync(good), { "Content-Encoding": encoding }));
    const error = await failureOf(clientOf(server.url, nodeTransport({})).call(find, input));
    expect(error).toBeInstanceOf(ProtocolError);
    expect((error as Error).message).toContain(encoding);
  }
});

test("a connection that is not established in time", async () => {
  // The lookup of the host name never ends, so no connection is established.
  const transport = nodeTransport({ agent: new Agent({ lookup: () => {} }) });
  const client = clientOf("http://never.invalid", transport, { connectTimeout: 50 });
  expect(await failureOf(client.call(find, input))).toMatchObject({ name: "TimeoutError", milliseconds: 50 });
});

test("an agent of the user's own carries the calls", async () => {
  const server = await localServer(always(200, xml, good));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const client = new ServiceClient(lookup, { baseUrl: server.url, agent });
  await Promise.all([client.call(find, input), client.call(find, input), client.call(find, input)]);
  expect(server.sockets()).toBe(1);
  expect(() => platformTransport({ agent })).toThrow(ConfigError);
});

test("a message about an unknown name lists the known names in browsers", () => {
  expect(`There is no option "tmeout".${suggestOption("tmeout", ["timeout", "signal"])}`).toBe(
    'There is no option "tmeout". Use one of timeout, signal.',
  );
});

test("ten thousand calls leave no timers, and little memory in use", async () => {
  const transport: Transport = {
    send: async () => ({
      status: 200,
      headers: new Map([["content-type", "text/xml"]]),
      body: new TextEncoder().encode(good),
    }),
  };
  const client = clientOf("http://own.example", transport, { signal: new AbortController().signal });
  const calls = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 50) {
      await Promise.all(Array.from({ length: 50 }, () => client.call(find, input)));
    }
  };
  await calls(2_000);
  const before = process.memoryUsage().heapUsed;
  await calls(8_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBeLessThan(20);
});

describe("TLS", () => {
  async function secureServer(): Promise<string> {
    const server = createSecureServer({ key, cert }, (_, response) => {
      response.writeHead(200, { "Content-Type": xml }).end(good);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return `https://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  }

  test("an untrusted certificate", async () => {
    const url = await secureServer();
    const error = await failureOf(clientOf(url, nodeTransport({})).call(find, input));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
  });

  test("a certificate that the options trust", async () => {
    const client = new ServiceClient(lookup, { baseUrl: await secureServer(), tls: { ca: cert } });
    expect(await client.call(find, input)).toEqual(item);
    expect(await client.call(find, input)).toEqual(item);
    client.close();
  });
});

describe("retries", () => {
  const failing = (times: number, fail: (response: ServerResponse) => void) => {
    let count = 0;
    return (_: unknown, response: ServerResponse): void => {
      count += 1;
      if (count <= times) {
        fail(response);
      } else {
        response
          .writeHead(200, { "Content-Type": "text/xml" })
          .end("<Item xmlns='http://lookup.example/v1'><Name>a</Name><Size>1</Size><Note/></Item>");
      }
    };
  };
  const get = { protocol: "httpGet" } as const;
  const http = { Key: "a", Count: 1, user: "u" };

  test("a GET is sent again when the connection or a gateway fails", async () => {
    const reset = await localServer(failing(1, (response) => response.socket?.destroy()));
    expect(await clientOf(reset.url, nodeTransport({}), { retries: 1 }).call(find, http, get)).toMatchObject({
      Name: "a",
    });
    const gateway = await localServer(failing(2, (response) => response.writeHead(503).end()));
    expect(await clientOf(gateway.url, nodeTransport({})).call(find, http, { ...get, retries: 2 })).toMatchObject({
      Name: "a",
    });
    expect(gateway.received).toHaveLength(3);
  });

  test("no request is sent again by default, and a POST never", async () => {
    const server = await localServer(failing(9, (response) => response.writeHead(503).end()));
    expect(await failureOf(clientOf(server.url, nodeTransport({})).call(find, http, get))).toBeInstanceOf(
      HttpStatusError,
    );
    for (const protocol of ["soap11", "httpPost"] as const) {
      await failureOf(clientOf(server.url, nodeTransport({}), { retries: 2 }).call(find, http, { protocol }));
    }
    expect(server.received).toHaveLength(3);
  });

  test("the timeout covers all retries", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let sent = 0;
    const unavailable: Transport = {
      send: async () => {
        sent += 1;
        return { status: 503, headers: new Map(), body: new Uint8Array() };
      },
    };
    const failure = failureOf(
      clientOf("http://own.example", unavailable, { retries: 2, timeout: 150 }).call(find, http, get),
    );
    await vi.advanceTimersByTimeAsync(149);
    expect(sent).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ name: "TimeoutError", milliseconds: 150 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toBe(2);
  });
});

describe("a transport of the user's own", () => {
  test("waits for the given time, even for a month", async () => {
    const later: Transport = {
      send: () =>
        new Promise((resolve) => setTimeout(resolve, 20, { status: 202, headers: new Map(), body: new Uint8Array(0) })),
    };
    for (const timeout of [2_678_400_000, Number.POSITIVE_INFINITY]) {
      expect(await failureOf(clientOf("http://own.example", later, { timeout }).call(find, input))).toBeInstanceOf(
        ProtocolError,
      );
    }
  });

  test("is the only transport that is called", async () => {
    const seen: unknown[] = [];
    const transport: Transport = {
      send: async (request) => {
        seen.push([request.method, request.url, request.connectTimeout, request.bodyBytes, request.signal.aborted]);
        return { status: 200, headers: new Map([["content-type", "text/xml"]]), body: new TextEncoder().encode(good) };
      },
    };
    expect(await clientOf("http://own.example", transport).call(find, input)).toEqual(item);
    expect(seen).toEqual([["POST", "http://own.example/api/lookup.asmx", 10_000, 16_777_216, false]]);
  });

  test("must respect limits, redirects and timeouts", async () => {
    const answering = (status: number, size: number): Transport => ({
      send: async () => ({ status, headers: new Map(), body: new Uint8Array(size) }),
    });
    expect(await failureOf(clientOf("http://own.example", answering(302, 0)).call(find, input))).toBeInstanceOf(
      ProtocolError,
    );
    const small = { limits: { bodyBytes: 10 } };
    expect(await failureOf(clientOf("http://own.example", answering(200, 11), small).call(find, input))).toBeInstanceOf(
      ProtocolError,
    );
    const never: Transport = { send: () => new Promise(() => {}) };
    expect(await failureOf(clientOf("http://own.example", never, { timeout: 30 }).call(find, input))).toBeInstanceOf(
      TimeoutError,
    );
    const throwing: Transport = { send: () => Promise.reject("out of order") };
    expect(await failureOf(clientOf("http://own.example", throwing).call(find, input))).toMatchObject({
      name: "TransportError",
      cause: "out of order",
    });
  });
});

describe("fetch of Node and an answer 421, after which Node sends the request again", () => {
  /** A server that answers with the statuses one after another, and the requests that had their whole body. */
  async function answering(statuses: number[]) {
    const bodies: string[] = [];
    const server = await localServer(({ body }, response) => {
      bodies.push(body);
      response.writeHead(statuses.shift() ?? 200, { "Content-Type": "text/xml" }).end(good);
    });
    return { client: clientOf(server.url, fetchTransport(fetch)), bodies };
  }

  test("always reports the status of a server that always answers so", async () => {
    const { client } = await answering(new Array<number>(8).fill(421));
    for (let count = 0; count < 3; count += 1) {
      await expect(client.call(find, input)).rejects.toMatchObject({ name: "HttpStatusError", status: 421 });
    }
  });

  test("fails once after an earlier answer, and the next call is sent with its body", async () => {
    const { client, bodies } = await answering([200, 421]);
    await client.call(find, input);
    await expect(client.call(find, input)).rejects.toBeInstanceOf(TransportError);
    await client.call(find, input);
    expect(bodies.filter((body) => body !== "").length).toBe(3);
  });
});

test("fetch of Node names the target of a redirect with the call after the first that it hides", async () => {
  const answers = [always(200, xml, good), always(301, "text/html", "", { Location: "https://new.example/x" })];
  const server = await localServer((request, response) =>
    (answers.length > 1 ? answers.shift() : answers[0])?.(request, response),
  );
  const client = clientOf(server.url, fetchTransport(fetch));
  await client.call(find, input);
  expect(await failureOf(client.call(find, input))).toMatchObject({
    name: "ProtocolError",
    status: 0,
    message:
      "Find: The server now answers with a redirect, which is not followed. The error of the next call names the target. " +
      `[POST ${server.url}/api/lookup.asmx]`,
  });
  expect(await failureOf(client.call(find, input))).toMatchObject({
    name: "ProtocolError",
    status: 301,
    message: expect.stringContaining("The redirect leads to https://new.example/x"),
  });
});

test.each(["bun", "deno", "electron"])("fetch of %s is never called with redirect: error", async (platform) => {
  vi.stubGlobal("process", { ...process, versions: { ...process.versions, [platform]: "1.0" } });
  const fetchSpy = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => {
    vi.unstubAllGlobals();
    fetchSpy.mockRestore();
  });
  const server = await localServer(always(200, xml, good));
  const client = clientOf(server.url, fetchTransport(fetch));
  await client.call(find, input);
  await client.call(find, input);
  expect(fetchSpy.mock.calls.map(([, init]) => init?.redirect)).toEqual(["manual", "manual"]);
});

test("fetch of Node hides redirects only for addresses that have answered, and for requests with a body", async () => {
  const fetchSpy = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetchSpy.mockRestore());
  const server = await localServer(always(200, xml, good));
  const transport = fetchTransport(fetch);
  for (const path of ["/a?1", "/a?2", "/b"]) {
    await clientOf(server.url, transport, { address: server.url + path }).call(find, input);
  }
  const used = fetchSpy.mock.calls.map(([url, init]) => `${String(url).slice(server.url.length)} ${init?.redirect}`);
  expect(used).toEqual(["/a?1 manual", "/a?2 error", "/b manual"]);
});

describe("the input of node:http", () => {
  async function heard(request: { readonly method: string; readonly headers?: object; readonly body?: string }) {
    const server = await localServer(always(200, xml, good));
    await nodeTransport({}).send({
      url: `${server.url}/a?b=c`,
      headers: {},
      body: undefined,
      bodyBytes: 1000,
      connectTimeout: 1000,
      signal: AbortSignal.any([]),
      onCancel: () => () => {},
      checkHead() {},
      ...(request as { readonly method: string }),
    });
    return { ...server.received[0], host: new URL(server.url).host };
  }

  test("the host and the length, in bytes", async () => {
    const { host, path, headers } = await heard({ method: "POST", body: "é" });
    expect(path).toBe("/a?b=c");
    expect(headers).toMatchObject({ host, "content-length": "2" });
    expect(headers).not.toHaveProperty("transfer-encoding");
  });

  test.each([
    { method: "POST", length: "0" },
    { method: "PATCH", length: "0" },
    { method: "GET", length: undefined },
    { method: "DELETE", length: undefined },
  ])("$method without a body has the length $length", async ({ method, length }) => {
    const { headers } = await heard({ method });
    expect(headers?.["content-length"]).toBe(length);
    expect(headers).not.toHaveProperty("transfer-encoding");
  });

  test("keeps a host header that the caller set", async () => {
    const { headers } = await heard({ method: "GET", headers: { HOST: "other.example" } });
    expect(headers?.host).toBe("other.example");
  });
});

function aborted(reason: unknown): object {
  return { name: "AbortError", operation: "Find", cause: reason };
}
