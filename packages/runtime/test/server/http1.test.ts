import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createRouter,
  type Routes,
  type ServerAnswer,
  type ServerIncident,
  type ServerRequest,
} from "../../src/server/index.js";
import { envelopes, findBody, namespace, requestOf, served } from "./fixture.js";
import { listening, raw, startServer, statusOf } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;
const good = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;

/** Answers 200 when the whole body has been read. */
const reading: Routes = {
  name: "reading",
  answer: async ({ body }) => {
    let length = 0;
    for await (const chunk of body instanceof Uint8Array ? [body] : body) {
      length += chunk.length;
    }
    return { status: 200, headers: [["Content-Type", "text/plain"]], body: `${length}` };
  },
};
/** Answers every request at once, without reading its body. */
const hasty: Routes = { name: "hasty", answer: async () => ({ status: 200, headers: [], body: "hasty" }) };
/** Answers while Node is still in the event of the request. */
const synchronous: Routes = { name: "synchronous", answer: () => ({ status: 200, headers: [], body: "hasty" }) };

async function opened(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
  }
  return text;
}

describe("over a socket", () => {
  test("a message is answered, and the connection stays open", async () => {
    const { port, url } = await listening([served().routes]);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const connection = raw(port);
    connection.send(good + good);
    const answers = await connection.until("</soap:Envelope>HTTP/1.1 200 OK");
    expect(answers).toContain("FindResult");
    expect(answers).toContain("Content-Type: text/xml; charset=utf-8");
  });

  test.each([
    { method: "GET", body: "hasty" },
    { method: "DELETE", body: "hasty" },
    { method: "HEAD", body: "" },
  ])("$method without a body leaves the connection open", async ({ method, body }) => {
    const { port } = await listening([synchronous]);
    const connection = raw(port);
    connection.send(`${method} /first HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(await connection.until("\r\n\r\n")).not.toMatch(/connection: close/i);
    connection.send(good);
    expect(await connection.until(`\r\n\r\n${body}HTTP/1.1 200 OK`)).toContain("HTTP/1.1 200 OK");
  });

  test("Connection: close is honored", async () => {
    const { port } = await listening([served().routes]);
    const connection = raw(port);
    connection.send(good.replace("Host: h", "Host: h\r\nConnection: close"));
    const answer = await connection.all;
    expect(statusOf(answer)).toBe(200);
    expect(answer).toMatch(/connection: close/i);
  });

  test.each([
    [
      "after Connection: close",
      "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
    ],
    ["that is no request", "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "\0\0\r\n\r\n"],
  ])("data %s does not take the answer from the request before it", async (_, request, data) => {
    const slow: Routes = {
      name: "slow",
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { status: 200, headers: [], body: "slow" };
      },
    };
    const { port } = await listening([slow]);
    const connection = raw(port);
    connection.send(request + data);
    const answers = await connection.all;
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answers).toMatch(/connection: close[\s\S]*slow$/i);
    expect(answers.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test("data that is no request gets 400 on an idle connection that has already answered one", async () => {
    const { port } = await listening([synchronous]);
    const connection = raw(port);
    connection.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
    await connection.until("hasty");
    connection.send("\0\0\r\n\r\n");
    expect(await connection.all).toMatch(/hastyHTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
  });

  test("HTTP/1.0 without a Host is answered", async () => {
    const { port } = await listening([served().routes]);
    const connection = raw(port);
    connection.send("GET /api/things.asmx?wsdl HTTP/1.0\r\n\r\n");
    expect(await connection.all).toContain('location="http://things.example/api/things.asmx"');
  });

  test("HEAD has a length and no body", async () => {
    const { port } = await listening([hasty]);
    const connection = raw(port);
    connection.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const answer = await connection.all;
    expect(answer).toMatch(/content-length: 5\r\n/i);
    expect(answer.endsWith("\r\n\r\n")).toBe(true);
  });

  test.each([
    { what: "CL with TE", head: "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", want: 400 },
    { what: "two CL", head: "Content-Length: 3\r\nContent-Length: 4\r\n", want: 400 },
    { what: "a signed CL", head: "Content-Length: +5\r\n", want: 400 },
    { what: "obs-fold", head: "A: b\r\n c\r\n", want: 400 },
    { what: "a bare LF", head: "A: b\n", want: 400 },
    { what: "NUL", head: "A: \0\r\n", want: 400 },
    { what: "two Host lines", head: "Host: i\r\n", want: 400 },
    { what: "another coding", head: "Transfer-Encoding: gzip, chunked\r\n", want: 501 },
    { what: "another coding with data that is no chunk", head: "Transfer-Encoding: gzip\r\n\r\n0\r\n", want: 501 },
    { what: "17 KB of headers", head: `A: ${"b".repeat(17_000)}\r\n`, want: 431 },
    { what: "101 headers", head: "A: b\r\n".repeat(101), want: 431 },
    { what: "3,000 headers", head: "A:b\r\n".repeat(3_000), want: 431 },
    { what: "an unknown expectation", head: "Expect: the-worst\r\n", want: 417 },
  ])("$what is refused with $want (S08, S10)", async ({ head: lines, want }) => {
    const { port } = await listening([hasty]);
    const connection = raw(port);
    connection.send(`GET / HTTP/1.1\r\nHost: h\r\n${lines}\r\n`);
    expect(statusOf(await connection.until("\r\n\r\n"))).toBe(want);
  });

  test.each([
    { line: "GET http://evil/ HTTP/1.1", want: 400 },
    { line: `GET /${"a".repeat(9_000)} HTTP/1.1`, want: 414 },
    { line: "OPTIONS * HTTP/1.1", want: 400 },
  ])("the request line $line is refused with $want", async ({ line, want }) => {
    const { port } = await listening([hasty]);
    const connection = raw(port);
    connection.send(`${line}\r\nHost: h\r\n\r\n`);
    expect(statusOf(await connection.all)).toBe(want);
  });
});

describe("Expect: 100-continue", () => {
  test("is answered when the body is about to be read", async () => {
    const { port } = await listening([served().routes]);
    const connection = raw(port);
    connection.send(`${head}Expect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`);
    await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(text);
    const answer = await connection.until("</soap:Envelope>");
    expect(answer).toContain("FindResult");
    expect(answer.match(/ 100 Continue/g)).toHaveLength(1);
  });

  test("is not answered when the headers are refused", async () => {
    const { port } = await listening([served({}, { limits: { bodyBytes: 10 } }).routes]);
    const connection = raw(port);
    connection.send(`${head}Expect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`);
    const answer = await connection.until("</soap:Envelope>");
    expect(answer).not.toContain("100 Continue");
    expect(statusOf(answer)).toBe(500);
  });
});

describe("a body", () => {
  test("over the limit by Content-Length is answered before it is sent (S04)", async () => {
    const { port } = await listening([served({}, { limits: { bodyBytes: 100 } }).routes]);
    const connection = raw(port);
    connection.send(`${head}Content-Length: 1000000000000\r\n\r\n`);
    const answer = await connection.until("</soap:Envelope>");
    expect(statusOf(answer)).toBe(500);
    expect(answer).toMatch(/connection: close/i);
  });

  test("over the limit in chunks is answered at the limit, then the connection ends (S05)", async () => {
    const { port } = await listening([served({}, { limits: { bodyBytes: 1_000 } }).routes]);
    const connection = raw(port);
    connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `3e8\r\n${"a".repeat(1_000)}\r\n`;
    const timer = setInterval(() => connection.send(chunk), 5);
    const answer = await connection.all;
    clearInterval(timer);
    expect(statusOf(answer)).toBe(500);
    expect(answer).toContain("soap:Server");
  });

  test("that the routes do not read does not block the connection", async () => {
    const { port } = await listening([hasty]);
    const connection = raw(port);
    connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc");
    const answer = await connection.all;
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain("hasty");
  });

  test.each([
    { what: "never comes", drip: false },
    { what: "comes byte by byte", drip: true },
  ])("that $what ends with 408 (S06)", async ({ drip }) => {
    const { port } = await listening([reading], { requestTimeout: 300, headersTimeout: 200, checkInterval: 20 });
    const connection = raw(port);
    connection.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000000\r\n\r\n");
    const timer = drip ? setInterval(() => connection.send("a"), 20) : undefined;
    const answer = await connection.all;
    clearInterval(timer);
    expect(statusOf(answer)).toBe(408);
  });

  test("headers that come byte by byte end with 408 (S06)", async () => {
    const { port } = await listening([reading], { requestTimeout: 300, headersTimeout: 200, checkInterval: 20 });
    const connection = raw(port);
    const timer = setInterval(() => connection.send("G"), 50);
    connection.send("GET / HTTP/1.1\r\nA: ");
    expect(statusOf(await connection.all)).toBe(408);
    clearInterval(timer);
  });

  // Each of the limits would hide that another one is not applied.
  const hour = 3_600_000;
  test.each([
    {
      limit: "headersTimeout",
      limits: { headersTimeout: 200, requestTimeout: hour },
      sent: "POST / HTTP/1.1\r\nHost:",
    },
    {
      limit: "requestTimeout",
      limits: { requestTimeout: 200, bodyRate: 0 },
      sent: `${head}Content-Length: 100\r\n\r\n<`,
    },
    {
      limit: "bodyRate",
      limits: { requestTimeout: hour, bodyRateGracePeriod: 200 },
      sent: `${head}Content-Length: 100\r\n\r\n<`,
    },
  ])("a request that stops arriving ends with 408 by $limit alone", { timeout: 10_000 }, async ({ limits, sent }) => {
    const { port } = await listening([reading], { checkInterval: 20, ...limits });
    const connection = raw(port);
    connection.send(sent);
    expect(statusOf(await connection.all)).toBe(408);
  });
});

describe("bodies that are still arriving", () => {
  const slow = `${head}Content-Length: ${text.length}\r\n\r\n${text.slice(0, 1)}`;

  test("do not count as in flight: 256 of them do not affect other calls (S06)", async () => {
    const { port } = await listening([served().routes]);
    for (let opened = 0; opened < 256; opened++) {
      raw(port).send(slow);
    }
    await later(100);
    const other = raw(port);
    other.send(good);
    expect(statusOf(await other.until("</soap:Envelope>"))).toBe(200);
  });

  test("are bounded by arrivingBodies", async () => {
    const { routes, incidents: ofRoutes } = served();
    const { port, incidents } = await listening([routes], { arrivingBodies: 1 });
    raw(port).send(slow);
    await later(50);
    const second = raw(port);
    second.send(slow);
    expect(statusOf(await second.until("\r\n\r\n"))).toBe(503);
    expect(incidents).toMatchObject([
      { kind: "limit.arrivingBodies", limit: { value: 1, option: "limits.arrivingBodies" } },
    ]);
    expect(ofRoutes).toEqual([]);
    const get = raw(port);
    get.send("GET /api/things.asmx?wsdl HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(statusOf(await get.until("</definitions>"))).toBe(200);
  });

  test("are bounded by arrivingBytes in all: the one that took most memory for longest gets 503", async () => {
    const { port, incidents } = await listening([served().routes], { arrivingBytes: 100_000 });
    const announced = `${head}Content-Length: 4000000\r\n\r\n${text.slice(0, 50)}`;
    const [first, second] = [raw(port), raw(port)];
    first.send(announced + " ".repeat(60_000));
    await later(100);
    second.send(announced + " ".repeat(60_000));
    const refused = await first.all;
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/^Retry-After: 1\r$/m);
    expect(incidents).toMatchObject([
      { kind: "limit.arrivingBytes", limit: { value: 100_000, option: "limits.arrivingBytes" } },
    ]);
    const healthy = raw(port);
    healthy.send(good.slice(0, -20));
    await later(20);
    healthy.send(good.slice(-20));
    expect(statusOf(await healthy.until("</soap:Envelope>"))).toBe(200);
    expect(incidents).toHaveLength(1);
  });

  test("no longer count toward arrivingBytes when they are complete or cut off", async () => {
    const { port, incidents } = await listening([served().routes], { arrivingBytes: 2 * text.length });
    for (let sent = 0; sent < 6; sent++) {
      const [whole, cut] = [raw(port), raw(port)];
      whole.send(good.slice(0, -20));
      cut.send(good.slice(0, -20));
      await later(20);
      cut.socket.destroy();
      await later(20);
      whole.send(good.slice(-20));
      expect(statusOf(await whole.until("</soap:Envelope>"))).toBe(200);
    }
    expect(incidents.filter(({ kind }) => kind.startsWith("limit."))).toEqual([]);
  });

  test("that are complete only after they were refused do not stay in flight", async () => {
    const limits = { bodyRate: 10_000, bodyRateGracePeriod: 20, checkInterval: 10, inFlight: 1 };
    const { port } = await listening([served().routes], limits);
    const connection = raw(port);
    connection.send(good.slice(0, -20));
    await connection.until("408");
    connection.send(good.slice(-20));
    await connection.all;
    const next = raw(port);
    next.send(good);
    expect(statusOf(await next.until("\r\n\r\n"))).toBe(200);
  });

  test("end with 408 when they are slower than bodyRate after bodyRateGracePeriod", async () => {
    const limits = { bodyRate: 500, bodyRateGracePeriod: 100, checkInterval: 20 };
    const { port, incidents } = await listening([served().routes], limits);
    const connection = raw(port);
    connection.send(slow);
    const started = performance.now();
    const timer = setInterval(() => connection.send(" "), 20);
    expect(statusOf(await connection.all)).toBe(408);
    clearInterval(timer);
    expect(performance.now() - started).toBeGreaterThan(90);
    expect(incidents).toMatchObject([{ kind: "limit.bodyRate" }]);
    expect(incidents[0]?.message).toMatch(
      /^The body arrives more slowly than 500 bytes per second\. .* \d+ of the \d+ bytes of the body had arrived\.$/,
    );
  });

  test.each([
    { limit: "bodyRate", limits: { bodyRate: 10_000, bodyRateGracePeriod: 100 } },
    { limit: "requestTimeout", limits: { bodyRate: 0, requestTimeout: 200 } },
  ])("are reported as stopped if no more bytes arrive before $limit ends them", async ({ limit, limits }) => {
    const stopped = (arrived: string, mistake: string) => ({
      kind: `limit.${limit}`,
      message: expect.stringMatching(
        new RegExp(
          `^The client stopped sending the body: ${arrived} had arrived, and none in the last \\d+ ms, so the server ended the request \\(option "limits.${limit}"\\)\\. The client or its network may have failed, or ${mistake}`,
        ),
      ),
    });
    const headers: [string, string][] = [
      ["Host", "h"],
      ["Content-Type", "text/xml"],
    ];
    const answered = async (length: string | undefined) => {
      const messages: ServerIncident[] = [];
      const onError = (incident: ServerIncident) => void messages.push(incident);
      const router = createRouter([served().routes], { limits: { checkInterval: 20, ...limits }, onError });
      const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("<a>")) });
      const lines: [string, string][] = length === undefined ? headers : [...headers, ["Content-Length", length]];
      const { status } = await router(requestOf({ headers: lines, body }));
      expect(status).toBe(408);
      return messages;
    };
    expect(await answered("6")).toMatchObject([stopped("3 of the 6 bytes", "its Content-Length is too large")]);
    expect(await answered(undefined)).toMatchObject([stopped("3 bytes", "it did not send the end of the body")]);
  });

  test("are answered when they are faster than bodyRate", async () => {
    const { port } = await listening([reading], { bodyRate: 100, bodyRateGracePeriod: 50, checkInterval: 20 });
    const connection = raw(port);
    connection.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (let sent = 0; sent < 10; sent++) {
      connection.send(`32\r\n${"a".repeat(50)}\r\n`);
      await later(20);
    }
    connection.send("0\r\n\r\n");
    expect(await connection.until("\r\n\r\n500")).toContain("200 OK");
  });
});

describe("a client that disconnects (S07)", () => {
  test("in the middle of a body leaves no request behind", async () => {
    const { routes, incidents, calls } = served();
    const { port } = await listening([routes]);
    const connection = raw(port);
    connection.send(`${head}Content-Length: ${text.length}\r\n\r\n${text.slice(0, 50)}`);
    await later(50);
    connection.socket.destroy();
    await later(50);
    expect([incidents, calls]).toEqual([[], []]);
  });

  test("while the handler runs aborts its signal", async () => {
    let reportAbort: (reason: unknown) => void = () => {};
    const abortReason = new Promise((resolve) => {
      reportAbort = resolve;
    });
    const find = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          reportAbort(signal.reason);
          resolve(null);
        });
        connection.socket.destroy();
      });
    const { port } = await listening([served({ find }).routes]);
    const connection = raw(port);
    connection.send(good);
    expect(await abortReason).toMatchObject({ name: "AbortError" });
  });

  test("before the handler reads its signal leaves the signal aborted", async () => {
    let fired: boolean | undefined;
    const find = async (_: unknown, context: { signal: AbortSignal }) => {
      connection.socket.destroy();
      await later(50);
      fired = context.signal.aborted;
      return null;
    };
    const { port } = await listening([served({ find }).routes]);
    const connection = raw(port);
    connection.send(good);
    await later(150);
    expect(fired).toBe(true);
  });
});

describe("an answer", () => {
  const long: Routes = {
    name: "long",
    answer: async () => ({ status: 200, headers: [["Content-Type", "text/xml"]], body: `<a>${"b".repeat(5_000)}</a>` }),
  };
  test("is compressed on request", async () => {
    const { port } = await listening([long]);
    const connection = raw(port);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n");
    const answer = await connection.all;
    expect(answer).toMatch(/content-encoding: gzip/i);
    expect(answer).toMatch(/vary: accept-encoding/i);
    const body = Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1");
    expect(body.length).toBeLessThan(200);
    expect(gunzipSync(body).length).toBe(5_007);
  });

  test("is not compressed if the client does not accept it, or if it is short", async () => {
    const { port } = await listening([long, hasty]);
    const connection = raw(port);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const answer = await connection.all;
    expect(answer).not.toMatch(/content-encoding/i);
    expect(answer).toMatch(/vary: accept-encoding/i);
    const short: Routes = {
      name: "short",
      answer: async () => ({ status: 200, headers: [["Content-Type", "text/xml"]], body: "<a/>" }),
    };
    const other = raw((await listening([short])).port);
    other.send("GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
    const shortAnswer = await other.all;
    expect(shortAnswer).not.toMatch(/content-encoding/i);
    expect(shortAnswer).toMatch(/\r\n\r\n<a\/>$/);
  });
});

describe("connections", () => {
  test("over the limit are refused with 503", async () => {
    const { port, incidents } = await listening([hasty], { connections: 1 });
    const first = raw(port);
    first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    await first.until("hasty");
    const second = raw(port);
    second.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    const answer = await second.all;
    expect(statusOf(answer)).toBe(503);
    expect(answer).toMatch(/retry-after/i);
    expect(incidents).toMatchObject([
      {
        kind: "limit.connections",
        message:
          'The server already has 1 open connections. To accept more, increase the option "limits.connections" of the server. 1 of them are from 127.0.0.1. The new connection, from 127.0.0.1, was refused.',
      },
    ]);
    first.socket.destroy();
    await later(50);
    const third = raw(port);
    third.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    await third.until("hasty");
  });

  test("of one address do not keep out another address", async () => {
    const { port, incidents } = await listening([hasty], { connections: 4 });
    const hoarded = await Promise.all(Array.from({ length: 4 }, () => opened(port, "127.0.0.1")));
    hoarded[0]?.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n<");
    const other = await opened(port, "127.0.0.2");
    other.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    expect(await textOf(other)).toContain("hasty");
    expect(incidents.map(({ kind }) => kind)).toEqual(["limit.connections"]);
    expect(incidents[0]?.message).toContain(
      'increase the option "limits.connections" of the server. 4 of them are from 127.0.0.1. A connection from 127.0.0.1 was closed for the new one, from 127.0.0.2.',
    );
    const further = await opened(port, "127.0.0.1");
    await opened(port, "127.0.0.1");
    further.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    expect(await textOf(further)).toContain("hasty");
  });

  test("with a complete request are not closed for another address", async () => {
    const waiting: Routes = { name: "waiting", answer: () => new Promise(() => {}) };
    const { port } = await listening([waiting], { connections: 2 });
    const working = await Promise.all(Array.from({ length: 2 }, () => opened(port, "127.0.0.1")));
    for (const socket of working) {
      socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    await later(50);
    const other = await opened(port, "127.0.0.2");
    other.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(statusOf(await textOf(other))).toBe(503);
    expect(working.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  test("whose requests are not valid HTTP, or arrive too late, are reported", async () => {
    const { port, incidents } = await listening([hasty], { headersTimeout: 100, checkInterval: 20 });
    const invalid = raw(port);
    invalid.send("GET / HTTP/1.1\r\nHost: h\r\nA B: c\r\n\r\n");
    expect(statusOf(await invalid.all)).toBe(400);
    const encrypted = raw(port);
    encrypted.send("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
    await encrypted.all;
    const long = raw(port);
    long.send(`GET / HTTP/1.1\r\nHost: h\r\nA: ${"b".repeat(20_000)}\r\n\r\n`);
    expect(statusOf(await long.all)).toBe(431);
    const slow = raw(port);
    slow.send("GET / HTTP/1.1\r\n");
    expect(statusOf(await slow.all)).toBe(408);
    expect(incidents.map(({ message }) => message)).toEqual([
      "A request from 127.0.0.1 is not valid HTTP: HPE_INVALID_HEADER_TOKEN. A header is not valid: it has no colon, a space in its name, a control character, or continues on the next line.",
      'A request from 127.0.0.1 is not valid HTTP: HPE_INVALID_METHOD. The client uses TLS, but the option "tls" of the server is not set.',
      'A request from 127.0.0.1 was refused: HPE_HEADER_OVERFLOW. The headers of the request are larger than 16384 bytes together. To accept such requests, increase the option "limits.headerBytes" of the server.',
      'A request from 127.0.0.1 did not arrive completely in time. The client or its network is slow, or it sent less than its Content-Length, or no last chunk. The options "limits.headersTimeout" and "limits.requestTimeout" of the server set the timeouts.',
    ]);
    const limit = { name: "headerBytes", value: 16_384, option: "limits.headerBytes" };
    expect(incidents[2]).toMatchObject({ kind: "limit.headerBytes", limit });
  });

  test.each(["connections", "requestsPerSocket"])("that are limited to zero %s are refused", async (name) => {
    const { port } = await listening([hasty], { [name]: 0 });
    const connection = raw(port);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(statusOf(await connection.all)).toBe(503);
  });

  test("end after as many requests as allowed", async () => {
    const { port } = await listening([hasty], { requestsPerSocket: 2 });
    const connection = raw(port);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    await connection.until("hasty");
    connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    const answers = await connection.all;
    expect(answers.match(/200 OK/g)?.length).toBe(2);
  });

  test("that are idle end", async () => {
    const { port } = await listening([hasty], { keepAliveTimeout: 50, checkInterval: 20 });
    const connection = raw(port);
    connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(await connection.all).toContain("hasty");
  });
});

test("a port that is in use is an error", async () => {
  const { port } = await listening([hasty]);
  const { listen } = await import("../../src/server/adapters/node/listen.js");
  await expect(listen([hasty], { host: "127.0.0.1", port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

test("a client that does not read its answer is disconnected", async () => {
  const body = new Uint8Array(32_000_000);
  const large: Routes = { name: "large", answer: () => ({ status: 200, headers: [], body }) };
  const { port } = await listening([large], { requestTimeout: 200, handlerTimeout: 100, checkInterval: 20 });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  socket.on("error", () => {});
  await later(700);
  let received = 0;
  socket.on("data", (chunk: Uint8Array) => {
    received += chunk.length;
  });
  await new Promise((resolve) => socket.on("close", resolve));
  expect(received).toBeLessThan(body.length);
});

test("clients that do not read their answers are disconnected beyond the limit unreadBytes, and new requests get 503 until then", async () => {
  const answer = (request: ServerRequest) => ({
    status: 200,
    headers: [],
    body: request.target === "/small" ? "small" : new Uint8Array(16_000_000),
  });
  const { port, incidents } = await listening([{ name: "large", answer }], { unreadBytes: 40_000_000 });
  const clients = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = await opened(port, "127.0.0.1");
      client.pause().write("GET /large HTTP/1.1\r\nHost: h\r\n\r\n");
      return client;
    }),
  );
  const getSmall = () => fetch(`http://127.0.0.1:${port}/small`);
  await expect.poll(async () => (await getSmall()).status).toBe(503);
  expect((await getSmall()).headers.get("Retry-After")).toBe("1");
  await later(1_100);
  expect((await getSmall()).status).toBe(200);
  const limit = { name: "unreadBytes", value: 40_000_000, option: "limits.unreadBytes" };
  expect(incidents).toMatchObject([
    { kind: "limit.unreadBytes", limit, address: "/small" },
    { kind: "limit.unreadBytes", limit, address: "/large" },
  ]);
  expect(incidents[1]?.message).toContain("had not received its answer of 16000000 bytes after 1");
  const sizes = clients.map(() => 0);
  for (const [index, client] of clients.entries()) {
    client
      .on("error", () => {})
      .on("data", ({ length }) => {
        sizes[index] = (sizes[index] ?? 0) + length;
      });
    client.resume();
  }
  const isComplete = (size: number) => size > 16_000_000;
  await expect.poll(() => sizes.filter(isComplete), { timeout: 5_000 }).toHaveLength(2);
  await later(100);
  expect(sizes.filter(isComplete)).toHaveLength(2);
});

test("large answers that are ready while the limit unreadBytes is exceeded are replaced by 503, and small ones are not", async () => {
  const release: (() => void)[] = [];
  const answer = ({ target }: ServerRequest) =>
    new Promise<ServerAnswer>((resolve) => {
      const body = target === "/small" ? "small" : new Uint8Array(16_000_000);
      release.push(() => resolve({ status: 200, headers: [], body }));
    });
  const statuses: (number | undefined)[] = [];
  const incidents: ServerIncident[] = [];
  const { port } = await startServer([{ name: "large", answer }], {
    limits: { unreadBytes: 20_000_000, drainTimeout: 200 },
    onError: (incident) => void incidents.push(incident),
    onCall: ({ status }) => void statuses.push(status),
  });
  const clients = await Promise.all(
    ["/large", "/large", "/large", "/small"].map(async (target) => {
      const client = await opened(port, "127.0.0.1");
      client.pause().write(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`);
      return client;
    }),
  );
  await expect.poll(() => release.length).toBe(4);
  for (const end of release) {
    end();
  }
  await expect.poll(() => clients.every((client) => client.readableLength >= 12), { timeout: 5_000 }).toBe(true);
  expect(clients.map((client) => String(client.read(12)))).toEqual([
    "HTTP/1.1 200",
    "HTTP/1.1 200",
    "HTTP/1.1 503",
    "HTTP/1.1 200",
  ]);
  expect(incidents).toMatchObject([{ kind: "limit.unreadBytes", address: "/large" }]);
  expect(incidents[0]?.message).toContain("A large answer was replaced by status 503.");
  // The two large answers have not been received yet.
  expect(statuses.sort()).toEqual([200, 503]);
});

describe("a client that sends requests faster than they are answered", () => {
  const request = `GET /x HTTP/1.1\r\nHost: h\r\nA: ${"a".repeat(16_000)}\r\n\r\n`;

  test.each([
    { what: "within the limit of requests", requestsPerSocket: 10_000 },
    { what: "beyond the limit of requests", requestsPerSocket: 100 },
  ])("is read only so far, $what", async ({ requestsPerSocket }) => {
    const silent: Routes = { name: "silent", answer: () => new Promise(() => {}) };
    const { port } = await listening([silent], { requestsPerSocket });
    const client = await opened(port, "127.0.0.1");
    let sentCount = 0;
    const send = async () => {
      for (; sentCount < 3_000; sentCount += 1) {
        if (!client.write(request)) {
          await once(client, "drain");
        }
      }
    };
    send().catch(() => {});
    await delay(1_500);
    // Much of it is in the buffers of the operating system.
    expect(sentCount).toBeLessThan(1_500);
  });

  test("receives all answers", async () => {
    const answers: Routes = {
      name: "answers",
      answer: async ({ target }) => {
        await delay(1);
        return { status: 200, headers: [], body: `<${target}>` };
      },
    };
    const { port } = await listening([answers]);
    const client = connect(port, "127.0.0.1");
    onTestFinished(() => void client.destroy());
    let text = "";
    client.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    const targets = Array.from({ length: 500 }, (_, index) => `/${index}`);
    client.write(targets.map((target) => request.replace("/x", target)).join(""));
    await expect.poll(() => text, { timeout: 20_000 }).toContain("</499>");
    expect([...text.matchAll(/<(\/\d+)>/g)].map(([, target]) => target)).toEqual(targets);
  });
});
