import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/server/adapters/node/listen.js";
import type { CallEvent, OperationContext, Routes, ServerIncident } from "../../src/server/index.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { listening, raw, startServer, statusOf } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;
const good = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;

describe("close (S37)", () => {
  test("lets requests in flight finish, and ends their connections", async () => {
    let finish: (value: null) => void = () => {};
    let started: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      started = resolve;
    });
    const find = () => {
      started();
      return new Promise<null>((resolve) => {
        finish = resolve;
      });
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 5_000 });
    const idle = raw(port);
    const connection = raw(port);
    connection.send(good);
    await working;
    const closed = close();
    await idle.all;
    finish(null);
    const answer = await connection.all;
    expect(statusOf(answer)).toBe(200);
    expect(answer).toMatch(/connection: close/i);
    await closed;
    const late = raw(port);
    expect(await late.all).toBe("");
  });

  test("answers the requests that wait behind one in flight", async () => {
    const finish: ((value: null) => void)[] = [];
    let started: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      started = resolve;
    });
    const find = () => {
      started();
      return finish.length > 0 ? null : new Promise<null>((resolve) => finish.push(resolve));
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 5_000 });
    const connection = raw(port);
    connection.send(good + good + good);
    await working;
    await later(20); // Node runs the ticks of the first request before it parses the next.
    const closed = close();
    finish[0]?.(null);
    const answer = await connection.all;
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(answer.match(/connection: close/gi)).toHaveLength(1);
    await closed;
  });

  test("answers a request that had arrived but was not read yet", async () => {
    const { port, close } = await listening([served().routes], { drainTimeout: 5_000 });
    const connection = raw(port);
    connection.send(good);
    await connection.until("Envelope>");
    connection.send(good);
    const closed = close();
    const answer = await connection.all;
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(answer).toMatch(/connection: close/i);
    await closed;
  });

  const emptyAnswer = { status: 200, headers: [], body: "" };
  const large: Routes = {
    name: "large",
    paths: ["/x"],
    answer: () => ({ status: 200, headers: [], body: Buffer.alloc(30_000_000) }),
  };

  test("lets a client that reads slowly receive all of its answer", async () => {
    const { port, close, incidents } = await listening([large], { drainTimeout: 20_000 });
    const connection = raw(port);
    connection.socket.pause();
    connection.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    await later(100);
    const closed = close();
    await later(100);
    connection.socket.resume();
    expect((await connection.all).length).toBeGreaterThan(30_000_000);
    expect(await closed).toMatchObject({ unanswered: 0 });
    expect(incidents).toEqual([]);
  });

  test("does not wait for clients that keep their connections open after the answer", async () => {
    const { port, close } = await listening([large], { drainTimeout: 20_000, keepAliveTimeout: 20_000 });
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    await later(100);
    const closed = close();
    socket.resume();
    expect((await closed).duration).toBeLessThan(10_000);
  });

  test.each(["HTTP/1.1", "HTTP/2"])("an answer over %s that its client has not received in time", async (version) => {
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    let begun = false;
    const answer = () => {
      begun = true;
      return { ...emptyAnswer, body: Buffer.alloc(30_000_000) };
    };
    const server = await startServer(
      [
        { ...large, answer },
        { ...large, name: "small", paths: ["/y"], answer: () => emptyAnswer },
      ],
      {
        http2: version === "HTTP/2",
        limits: { drainTimeout: 50 },
        onError: (incident) => incidents.push(incident),
        onCall: (event) => events.push(event),
      },
    );
    if (version === "HTTP/2") {
      const client = connectHttp2(server.url).on("error", () => {});
      onTestFinished(() => client.destroy());
      await once(
        client
          .request({ ":path": "/y" })
          .on("error", () => {})
          .resume(),
        "close",
      );
      client.request({ ":path": "/x" }).on("error", () => {});
    } else {
      const connection = raw(server.port);
      connection.send("GET /y HTTP/1.1\r\nHost: h\r\n\r\n");
      await connection.until("\r\n\r\n");
      connection.socket.pause();
      connection.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    await expect.poll(() => begun).toBe(true);
    await later(50);
    expect(await server.close()).toMatchObject({ answered: 1, answeredWhileStopping: 0, unanswered: 1 });
    const message = expect.stringContaining("had received its whole answer");
    expect(incidents).toMatchObject([{ kind: "limit.drainTimeout", message, address: "/x" }]);
    await expect.poll(() => events).toHaveLength(2);
    expect(events[0]).toMatchObject({ status: 200, completed: true, error: undefined, disconnectedAfter: undefined });
    expect(events[1]).toMatchObject({ status: 200, completed: false, error: incidents[0] });
    expect(events[1]?.disconnectedAfter).toBeGreaterThan(40);
  });

  test("does not count an answer that was still being compressed", async () => {
    const answer = { status: 200, headers: [["Content-Type", "text/xml"]] as const, body: "x".repeat(30_000_000) };
    const server = await startServer([{ ...large, answer: () => answer }], { limits: { drainTimeout: 1 } });
    const connection = raw(server.port);
    connection.send("GET /x HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n");
    await expect.poll(async () => (await server.state()).inFlight).toBe(1);
    expect(await server.close()).toMatchObject({ answered: 0, unanswered: 1 });
    await later(500);
    expect(await server.state()).toMatchObject({ answered: 0 });
  });

  test("ends requests that do not finish in time", async () => {
    let signal: AbortSignal | undefined;
    const find = (_: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return new Promise(() => {});
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 50 });
    const connection = raw(port);
    connection.send(good);
    await later(50);
    await Promise.all([close(), close()]);
    await later(20);
    expect(signal?.aborted).toBe(true);
  });
});

/** Keeps this process from reading, as other programs do on a busy machine. */
function stall(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {}
}

describe("a client that sends only line breaks", () => {
  const limits = { keepAliveTimeout: 60, headersTimeout: 100, requestTimeout: 100, checkInterval: 20 };

  test.each([
    ["after its request is disconnected", limits],
    // Only the idle timeout is short, so that neither the timeouts of Node nor the longer ones end the connection.
    ["after its request is disconnected soon", { keepAliveTimeout: 60, requestTimeout: 60_000, checkInterval: 20 }],
  ])("%s", async (_, limitsOfServer) => {
    const { port, incidents } = await listening([served().routes], limitsOfServer);
    const connection = raw(port);
    connection.send(good);
    const timer = setInterval(() => connection.send("\r\n"), 20);
    onTestFinished(() => clearInterval(timer));
    expect((await connection.all).match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    expect(incidents).toEqual([]);
  });

  test("before its first request is disconnected", async () => {
    const { port } = await listening([served().routes], limits);
    const connection = raw(port);
    const timer = setInterval(() => connection.send("\r\n"), 20);
    onTestFinished(() => clearInterval(timer));
    expect(await connection.all).not.toContain(" 200 ");
  });
});

test("a head that arrives slowly after another request is read within headersTimeout", async () => {
  const { port } = await listening([served().routes], {
    keepAliveTimeout: 60,
    requestTimeout: 5_000,
    checkInterval: 20,
  });
  const connection = raw(port);
  connection.send(good);
  await connection.until("Envelope>");
  connection.send("\r\n");
  const lines = good.replace("HTTP/1.1\r\n", "HTTP/1.1\r\nConnection: close\r\n").split("\r\n");
  for (const [index, line] of lines.entries()) {
    connection.send(index === 0 ? line : `\r\n${line}`);
    await later(50);
  }
  expect((await connection.all).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

test("a client that sends a request now and then stays connected", async () => {
  const limits = { keepAliveTimeout: 150, headersTimeout: 50, requestTimeout: 50, checkInterval: 20 };
  const { port } = await listening([served().routes], limits);
  const connection = raw(port);
  for (let sent = 0; sent < 10; sent++) {
    connection.send(good);
    await later(60);
  }
  connection.send(good.replace("HTTP/1.1\r\n", "HTTP/1.1\r\nConnection: close\r\n"));
  expect((await connection.all).match(/HTTP\/1\.1 200/g)).toHaveLength(11);
});

describe("a server that could not run for some time", () => {
  test("answers a request that arrived in an idle connection meanwhile", async () => {
    const { port } = await listening([served().routes], { keepAliveTimeout: 50 });
    const connection = raw(port);
    connection.send(good);
    await connection.until("Envelope>");
    connection.send(good);
    stall(1_500);
    const answer = await connection.all;
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test("does not count this time to the rate of a body", async () => {
    const { port } = await listening([served().routes], {
      bodyRateGracePeriod: 50,
      checkInterval: 10,
      bodyRate: 10_000,
    });
    const connection = raw(port);
    connection.send(good.slice(0, -10));
    await later(30);
    // The loop must not be in the phase of timers, which reads the clock only once.
    await new Promise(setImmediate);
    connection.send(good.slice(-10));
    stall(500);
    expect(await connection.until("Envelope>")).toMatch(/^HTTP\/1\.1 200/);
  });

  test.each([
    ["requestTimeout", good.indexOf("Envelope")],
    ["headersTimeout", 40],
  ])("does not count this time to %s", { timeout: 10_000 }, async (timeout, cut) => {
    const large = text.replace("</soap:Body>", `</soap:Body><!--${"n".repeat(1_500_000)}-->`);
    const request = `${head}Content-Length: ${large.length}\r\n\r\n${large}`;
    const limits = { requestTimeout: 1_000, headersTimeout: 1_000, [timeout]: 600, checkInterval: 50, bodyRate: 0 };
    const { port, incidents } = await listening([served().routes], limits);
    const connection = raw(port);
    connection.send(request.slice(0, cut));
    await later(200);
    await new Promise(setImmediate);
    connection.send(request.slice(cut, cut + 20));
    stall(2_500);
    await later(100);
    connection.send(request.slice(cut + 20));
    expect(statusOf(await connection.until("Envelope>"))).toBe(200);
    expect(incidents.filter(({ kind }) => kind !== "stalled")).toEqual([]);
  });

  test("still refuses requests that do not arrive", async () => {
    const limits = { requestTimeout: 200, headersTimeout: 200, checkInterval: 20 };
    const { port } = await listening([served().routes], limits);
    const late = [good.slice(0, 40), good.slice(0, -10)].map((part) => {
      const connection = raw(port);
      connection.send(part);
      return connection;
    });
    await later(100);
    stall(500);
    for (const connection of late) {
      expect(statusOf(await connection.all)).toBe(408);
    }
  });

  test("still closes idle connections and refuses slow bodies", async () => {
    const { port } = await listening([served().routes], {
      keepAliveTimeout: 50,
      bodyRateGracePeriod: 50,
      checkInterval: 10,
    });
    const idle = raw(port);
    idle.send(good);
    const slow = raw(port);
    slow.send(good.slice(0, -10));
    stall(500);
    expect(await idle.all).toMatch(/^HTTP\/1\.1 200/);
    expect(statusOf(await slow.all)).toBe(408);
  });
});

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe("a request that the server ends itself is reported once, with the right status", () => {
  const received = async (find: (input: unknown, context: OperationContext) => unknown, sent: string) => {
    const events: CallEvent[] = [];
    const incidents: ServerIncident[] = [];
    const server = await listen([served({ find }, { onError: (incident) => void incidents.push(incident) }).routes], {
      host: "127.0.0.1",
      limits: { drainTimeout: 50, headersTimeout: 100, requestTimeout: 200, checkInterval: 20 },
      onError: (incident) => void incidents.push(incident),
      onCall: (event) => void events.push(event),
    });
    onTestFinished(async () => void (await server.close()));
    const connection = raw(server.port);
    connection.send(sent);
    return { server, connection, events, incidents };
  };
  const ended = [{ completed: false, disconnectedAfter: undefined }];
  const call = { operation: "Find", protocol: "soap11" };

  test.each([
    ["that does not arrive in time", "Content-Length: 100\r\n\r\nabc", 408, "did not arrive completely in time"],
    [
      "to be closed afterwards",
      "Connection: close\r\nContent-Length: 100\r\n\r\nabc",
      408,
      "did not arrive completely in time",
    ],
    ["with an invalid chunk", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nZZ\r\n", 400, "is not valid HTTP"],
  ])("%s", async (_, body, status, message) => {
    const { connection, events, incidents } = await received(() => null, `${head}${body}`);
    expect(statusOf(await connection.all)).toBe(status);
    await expect.poll(() => events).toMatchObject([{ ...ended[0], status, ...call, error: { kind: "request" } }]);
    const { address, requestId } = events[0] ?? {};
    const source = { ...call, address, requestId, method: "POST" };
    expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining(message), ...source }]);
  });

  test("whose body has not arrived when the server stops", async () => {
    const { server, events, incidents } = await received(() => null, `${head}Content-Length: 100\r\n\r\nabc`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    await expect.poll(() => events).toMatchObject([{ ...ended[0], status: 503 }]);
    expect(incidents).toMatchObject([{ kind: "limit.drainTimeout" }]);
  });

  test("whose handler has not ended when the server stops", async () => {
    const find = (_: unknown, { signal }: OperationContext) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { server, events, incidents } = await received(find, good);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    await expect.poll(() => events).toMatchObject(ended);
    expect(incidents).toMatchObject([{ kind: "limit.drainTimeout", ...call, requestId: events[0]?.requestId }]);
  });
});
