import http from "node:http";
import type { Socket } from "node:net";
import { createServer } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { HttpStatusError } from "../../src/answer-errors.js";
import { type ClientRequest, ServiceClient, type SoapClientOptions, type Transport } from "../../src/client/index.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import { ConfigError, TransportError } from "../../src/errors.js";
import { failureOf, localServer } from "./local-server.js";
import { find, lookup, ns } from "./lookup.js";

const input = { Key: "a", Count: 1, user: "u" };
const envelope = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><FindResponse xmlns="${ns}"><FindResult><Name>a</Name><Size>1</Size><Note/></FindResult></FindResponse></s:Body></s:Envelope>`;
const good = {
  status: 200,
  headers: new Map([["content-type", "text/xml"]]),
  body: new TextEncoder().encode(envelope),
};

const unauthorized = { status: 401, headers: new Map<string, string>(), body: new Uint8Array() };

function clientOf(options: SoapClientOptions): ServiceClient {
  return new ServiceClient(lookup, { baseUrl: "http://service.example", protocol: "soap11", ...options });
}

/** A transport that answers with each of some statuses in turn, and then with success. */
function answering(answers: readonly { readonly status: number; readonly headers?: readonly [string, string][] }[]) {
  const times: number[] = [];
  const transport: Transport = {
    send: async () => {
      const answer = answers[times.length];
      times.push(Date.now());
      return answer === undefined
        ? good
        : { status: answer.status, headers: new Map(answer.headers), body: new Uint8Array() };
    },
  };
  return { times, transport };
}

describe("an operation that is declared safe", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([429, 502, 503, 504])("is sent again after status %s", async (status) => {
    const { transport, times } = answering([{ status }]);
    const client = clientOf({ transport, retries: 1, safeOperations: ["Find"] });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(times).toHaveLength(2);
  });

  test("is not sent again after another status", async () => {
    const { transport, times } = answering([{ status: 500 }]);
    const client = clientOf({ transport, retries: 5, safeOperations: ["Find"] });
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(HttpStatusError);
    expect(times).toHaveLength(1);
  });

  test("waits for twice the time before each further attempt, with a random part", async () => {
    vi.useFakeTimers();
    const { transport, times } = answering([{ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 }]);
    const call = clientOf({ transport, retries: 4, safeOperations: ["Find"] }).call(find, input);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call).toMatchObject({ Name: "a" });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(100 * 2 ** index + 1);
    }
  });

  test.each([
    { name: "seconds", header: () => "3" },
    { name: "a date", header: () => new Date(Date.now() + 3_000).toUTCString() },
  ])("waits as long as Retry-After says, in $name", async ({ header }) => {
    vi.useFakeTimers();
    vi.setSystemTime(new Date("2026-01-01T00:00:00Z"));
    const { transport, times } = answering([{ status: 429, headers: [["retry-after", header()]] }]);
    const call = clientOf({ transport, retries: 1, safeOperations: ["Find"] }).call(find, input);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await call).toMatchObject({ Name: "a" });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  test.each(["0", "Fri, 31 Dec 1999 23:59:59 GMT"])(
    "waits as without a header after Retry-After: %s",
    async (header) => {
      vi.useFakeTimers();
      const headers: readonly [string, string][] = [["retry-after", header]];
      const { transport, times } = answering(Array(5).fill({ status: 503, headers }));
      const call = clientOf({ transport, retries: 5, safeOperations: ["Find"] }).call(find, input);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await call).toMatchObject({ Name: "a" });
      for (const [index, time] of times.slice(1).entries()) {
        expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(50 * 2 ** index);
      }
    },
  );

  test("waits longer by a random part than Retry-After says, so that not all clients return together", async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValueOnce(0.999);
    const pauses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { transport, times } = answering([{ status: 503, headers: [["retry-after", "20"]] }]);
      const call = clientOf({ transport, retries: 1, safeOperations: ["Find"] }).call(find, input);
      await vi.advanceTimersByTimeAsync(30_000);
      await call;
      pauses.push((times[1] ?? 0) - (times[0] ?? 0));
    }
    vi.mocked(Math.random).mockRestore();
    expect(pauses).toEqual([20_000, 21_000, 21_998]);
  });

  test("is not repeated if the pause after Retry-After: 0 exceeds the timeout", async () => {
    vi.useFakeTimers();
    const headers: readonly [string, string][] = [["retry-after", "0"]];
    const { transport, times } = answering(Array(9).fill({ status: 503, headers }));
    const client = clientOf({ transport, retries: 9, timeout: 1_000, safeOperations: ["Find"] });
    const failure = failureOf(client.call(find, input));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failure).toMatchObject({ name: "HttpStatusError", status: 503 });
    expect(times.length).toBeLessThan(6);
  });

  test("is not repeated if Retry-After exceeds the timeout: the status is reported at once", async () => {
    const { transport, times } = answering([{ status: 503, headers: [["retry-after", "3600"]] }]);
    const client = clientOf({ transport, retries: 3, timeout: 5_000, safeOperations: ["Find"] });
    expect(await failureOf(client.call(find, input))).toMatchObject({ name: "HttpStatusError", status: 503 });
    expect(times).toHaveLength(1);
  });

  test.each(["99999999", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "is not repeated after Retry-After: %s, also if the call has no timeout",
    async (header) => {
      const { transport, times } = answering([{ status: 503, headers: [["retry-after", header]] }]);
      const client = clientOf({ transport, retries: 3, timeout: Infinity, safeOperations: ["Find"] });
      expect(await failureOf(client.call(find, input))).toMatchObject({ name: "HttpStatusError", status: 503 });
      expect(times).toHaveLength(1);
    },
  );

  test.each(["-1", "-99999", "1.5", "0, 0", "1e9", "Infinity"])(
    "waits as without a header after Retry-After: %s, which is not valid",
    async (header) => {
      vi.useFakeTimers();
      const { transport, times } = answering([{ status: 503, headers: [["retry-after", header]] }]);
      const call = clientOf({ transport, retries: 1, safeOperations: ["Find"] }).call(find, input);
      await vi.advanceTimersByTimeAsync(200);
      expect(await call).toMatchObject({ Name: "a" });
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(50);
    },
  );

  test("stops waiting when the call is aborted", async () => {
    vi.useFakeTimers();
    const { transport, times } = answering([{ status: 503, headers: [["retry-after", "30"]] }]);
    const controller = new AbortController();
    const client = clientOf({ transport, retries: 3, safeOperations: ["Find"], signal: controller.signal });
    const failure = failureOf(client.call(find, input));
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort(new DOMException("The time is up.", "TimeoutError"));
    expect(await failure).toMatchObject({ name: "TimeoutError" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toHaveLength(1);
  });
});

/**
 * A server that answers one request of a connection, and closes the connection when the next one arrives. If
 * `answersFirst` is false, it closes the connection without an answer.
 */
async function closingServer({
  close = (socket: Socket): void => void socket.resetAndDestroy(),
  answersFirst = true,
} = {}) {
  const requests: string[] = [];
  const server = createServer((socket: Socket) => {
    let answered = !answersFirst;
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      if (!/\r\n\r\n/.test(data.toString("latin1"))) {
        return;
      }
      requests.push(data.toString("latin1").split(" ")[0] ?? "");
      if (answered) {
        close(socket);
        return;
      }
      answered = true;
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${envelope.length}\r\n\r\n${envelope}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests };
}

describe("a server that closes an idle connection when a request arrives", () => {
  // The second call waits for the connection of the first one. Node may still be busy with it when the first call ends,
  // and would otherwise open another.
  const oneConnection = { maxSockets: 1 };

  test("receives a safe operation again, over another connection", async () => {
    const server = await closingServer();
    const client = clientOf({ baseUrl: server.url, safeOperations: ["Find"], ...oneConnection });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(server.requests).toHaveLength(3);
  });

  test("receives no other operation again, because it may have run", async () => {
    const server = await closingServer();
    const client = clientOf({ baseUrl: server.url, ...oneConnection });
    await client.call(find, input);
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(TransportError);
    expect(server.requests).toHaveLength(2);
  });
});

describe("a server that resets a connection while its answer is incomplete", () => {
  test("receives no request again, not even of a safe operation", async () => {
    const close = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-");
      setTimeout(() => socket.resetAndDestroy(), 50);
    };
    const server = await closingServer({ close });
    const client = clientOf({ baseUrl: server.url, safeOperations: ["Find"], maxSockets: 1 });
    await client.call(find, input);
    expect(await failureOf(client.call(find, input))).toMatchObject({ name: "TransportError", code: "ECONNRESET" });
    expect(server.requests).toHaveLength(2);
  });
});

describe.each([
  {
    how: "ends",
    close: (socket: Socket) => void socket.end(),
    code: "UND_ERR_SOCKET",
    message: "The server closed the idle connection that the request had reused",
  },
  {
    how: "resets",
    close: (socket: Socket) => void socket.resetAndDestroy(),
    code: "ECONNRESET",
    message:
      "read ECONNRESET. The server, or a proxy or firewall between, closed the connection before the answer was complete.",
  },
])("a server that $how an idle connection of Node's fetch when a request arrives", ({ close, code, message }) => {
  const transport = fetchTransport(fetch);
  const callTwice = async (client: ServiceClient) => {
    await client.call(find, input);
    // undici is still busy with the connection for a moment, and would otherwise open another.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return client.call(find, input);
  };

  test("receives a safe operation again, over another connection", async () => {
    const server = await closingServer({ close });
    const client = clientOf({ baseUrl: server.url, transport, safeOperations: ["Find"] });
    expect(await callTwice(client)).toMatchObject({ Name: "a" });
    expect(server.requests).toHaveLength(3);
  });

  test("receives no other operation again, because it may have run", async () => {
    const server = await closingServer({ close });
    expect(await failureOf(callTwice(clientOf({ baseUrl: server.url, transport })))).toMatchObject({
      name: "TransportError",
      code,
      message: expect.stringContaining(message),
    });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["nothing", ""],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
    ["an interim answer", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
  ])("receives nothing again on a new connection, after %s", async (_, answer) => {
    const closeAfter = (socket: Socket): void => {
      socket.write(answer);
      setTimeout(() => close(socket), 20);
    };
    const server = await closingServer({ close: closeAfter, answersFirst: false });
    const client = clientOf({ baseUrl: server.url, transport, safeOperations: ["Find"] });
    const failure = await failureOf(client.call(find, input));
    expect(failure).toBeInstanceOf(TransportError);
    expect((failure as Error).message).not.toContain("idle connection");
    expect(server.requests).toHaveLength(1);
  });
});

test("a request of which no byte was sent is repeated, also a POST", async () => {
  const attempts: string[] = [];
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const transport = (failure: Error): Transport => ({
    send({ method }) {
      attempts.push(method);
      return Promise.reject(failure);
    },
  });
  await failureOf(clientOf({ baseUrl: "http://h", transport: transport(refused), retries: 2 }).call(find, input));
  expect(attempts).toEqual(["POST", "POST", "POST"]);
  const reset = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  await failureOf(clientOf({ baseUrl: "http://h", transport: transport(reset), retries: 2 }).call(find, input));
  expect(attempts).toHaveLength(4);
});

describe("a POST that the server may have processed is not repeated", () => {
  const refused = () => new TransportError("connect ECONNREFUSED", { code: "ECONNREFUSED" });

  test("if a hook fails to reach another service after the answer", async () => {
    const { transport, times } = answering([]);
    const after = () => Promise.reject(refused());
    expect(await failureOf(clientOf({ transport, retries: 2, hooks: { after } }).call(find, input))).toMatchObject({
      code: "ECONNREFUSED",
    });
    expect(times).toHaveLength(1);
  });

  test("if the request that a hook sends in addition is refused", async () => {
    let requests = 0;
    const transport: Transport = {
      send: () => {
        requests += 1;
        return requests % 2 === 0 ? Promise.reject(refused()) : Promise.resolve(good);
      },
    };
    const client = clientOf({ transport, retries: 2, hooks: { again: (_, request) => request } });
    expect(await failureOf(client.call(find, input))).toMatchObject({ code: "ECONNREFUSED" });
    expect(requests).toBe(2);
  });

  test.each(["EHOSTUNREACH", "ENETUNREACH"])("if an established connection ends with %s", async (code) => {
    let requests = 0;
    const transport: Transport = {
      send: () => {
        requests += 1;
        return Promise.reject(Object.assign(new Error(`read ${code}`), { code, syscall: "read" }));
      },
    };
    expect(await failureOf(clientOf({ transport, retries: 2 }).call(find, input))).toMatchObject({ code });
    expect(requests).toBe(1);
  });
});

describe("an authorization that is a function", () => {
  test("is asked for each request, and once more if the server refuses its value", async () => {
    const refusals: boolean[] = [];
    let token = 0;
    const server = await localServer(({ headers }, response) => {
      const status = headers.authorization === "Bearer 2" ? 200 : 401;
      response.writeHead(status, { "Content-Type": "text/xml" }).end(status === 200 ? envelope : "");
    });
    const client = clientOf({
      baseUrl: server.url,
      authorization: ({ refused }) => {
        refusals.push(refused);
        token += refused || token === 0 ? 1 : 0;
        return Promise.resolve(`Bearer ${token}`);
      },
    });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(refusals).toEqual([false, true, false]);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer 1", "Bearer 2", "Bearer 2"]);
  });

  test("is asked once if many calls are refused at the same time", async () => {
    let validToken = "1";
    let token = "0";
    let refreshes = 0;
    const server = await localServer(({ headers }, response) => {
      const status = headers.authorization === `Bearer ${validToken}` ? 200 : 401;
      response.writeHead(status, { "Content-Type": "text/xml" }).end(status === 200 ? envelope : "");
    });
    const client = clientOf({
      baseUrl: server.url,
      authorization: async ({ refused }) => {
        if (refused) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          refreshes += 1;
          token = validToken;
        }
        return `Bearer ${token}`;
      },
    });
    for (validToken of ["1", "2"]) {
      await Promise.all(Array.from({ length: 20 }, () => client.call(find, input)));
    }
    expect([refreshes, server.received.length]).toEqual([2, 80]);
  });

  test("is asked again by the next call after it failed, which ends all calls that wait for it", async () => {
    let refreshes = 0;
    // Answers in memory arrive together. Over a network, a late one could arrive after the refresh has failed.
    const transport: Transport = {
      send: async ({ headers }) => (headers["Authorization"] === "new" ? good : unauthorized),
    };
    const client = clientOf({
      transport,
      authorization: async ({ refused }) => {
        refreshes += refused ? 1 : 0;
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (refused && refreshes === 1) {
          throw new Error("no token");
        }
        return refused ? "new" : "old";
      },
    });
    const errors = await Promise.all([1, 2, 3].map(() => failureOf(client.call(find, input))));
    expect(errors.map(String)).toEqual(Array(3).fill("Error: no token"));
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(refreshes).toBe(2);
  });

  test("is asked again by the next call if it never ends", async () => {
    // Only the first call may reach its timeout, however long the second one takes.
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let refreshes = 0;
    const transport: Transport = {
      send: async ({ headers }) => (headers["Authorization"] === "new" ? good : unauthorized),
    };
    let endless = (): Promise<string> => Promise.resolve("new");
    const refreshing = new Promise<void>((resolve) => {
      endless = () => {
        resolve();
        return new Promise<string>(() => {});
      };
    });
    const client = clientOf({
      transport,
      timeout: 50,
      authorization: ({ refused }) => {
        refreshes += refused ? 1 : 0;
        return !refused ? "old" : refreshes === 1 ? endless() : "new";
      },
    });
    const failure = failureOf(client.call(find, input));
    await refreshing;
    await vi.advanceTimersByTimeAsync(50);
    expect(String(await failure)).toContain('the function in the option "authorization" had');
    expect(await client.call(find, input)).toMatchObject({ Name: "a" });
    expect(refreshes).toBe(2);
  });

  test.each([
    { name: "throws an error", result: () => Promise.reject(new ConfigError("no token")) },
    { name: "returns an invalid value", result: () => Promise.resolve({ username: "a:b", password: "" }) },
  ])("ends each waiting call with its own error if it $name", async ({ result }) => {
    const transport: Transport = { send: async () => unauthorized };
    let refreshes = 0;
    const client = clientOf({
      transport,
      authorization: async ({ refused }) => {
        refreshes += refused ? 1 : 0;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return refused ? result() : "old";
      },
    });
    const [first, second] = await Promise.all([1, 2].map(() => failureOf(client.call(find, input))));
    expect(first).toBeInstanceOf(ConfigError);
    expect(second).toBeInstanceOf(Error);
    expect(second).not.toBe(first);
    expect(refreshes).toBe(1);
  });

  test("is not confused with a member of hooks", async () => {
    const { transport } = answering([]);
    const sent: string[] = [];
    const hooks = { authorization: "secret", before: ({ url }: ClientRequest) => void sent.push(url) };
    await clientOf({ transport, hooks }).call(find, input);
    expect(sent).toHaveLength(1);
  });

  test("may return a user and a password; its errors end the call", async () => {
    const server = await localServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/xml" }).end(envelope);
    });
    const credentials = clientOf({ baseUrl: server.url, authorization: () => ({ username: "a", password: "b" }) });
    await credentials.call(find, input);
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${btoa("a:b")}`);
    const failure = new Error("no token");
    const failing = clientOf({ baseUrl: server.url, authorization: () => Promise.reject(failure) });
    expect(await failureOf(failing.call(find, input))).toBe(failure);
  });
});

test("a client on Node sends a User-Agent, unless the headers set one", async () => {
  const server = await localServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/xml" }).end(envelope);
  });
  await clientOf({ baseUrl: server.url }).call(find, input);
  await clientOf({ baseUrl: server.url, headers: { "user-agent": "mine/1.0" } }).call(find, input);
  expect(server.received.map(({ headers }) => headers["user-agent"])).toEqual(["bothends", "mine/1.0"]);
});

test("a library that replaces http.request sees the requests of a client", async () => {
  const server = await localServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/xml" }).end(envelope);
  });
  const request = vi.spyOn(http, "request");
  onTestFinished(() => request.mockRestore());
  await clientOf({ baseUrl: server.url }).call(find, input);
  expect(request).toHaveBeenCalledTimes(1);
});
