import { describe, expect, onTestFinished, test, vi } from "vitest";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import type { Routes, ServerIncident } from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const url = "http://things.example/api/things.asmx";

function post(body: string | ReadableStream<Uint8Array>): Request {
  const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
  return new Request(url, { method: "POST", headers, body, ...{ duplex: "half" } });
}

test("a web request is answered by a web response", async () => {
  const { routes, calls } = served();
  const answer = await webHandler([routes])(post(text));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/xml; charset=utf-8");
  expect(await answer.text()).toContain("FindResult");
  expect(calls).toMatchObject([{ context: { address: url } }]);
});

test("the limits are those of the routes", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
    cancel: () => {
      cancelled = true;
    },
  });
  const answer = await webHandler([served({}, { limits: { bodyBytes: 5_000 } }).routes])(post(endless));
  expect(answer.status).toBe(500);
  expect(answer.headers.get("connection")).toBe("close");
  expect(cancelled).toBe(true);
});

/** A stream that other code has put in place of the body, and that fails after its first bytes. */
function failing(error: unknown): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode("<soap:")];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) {
        controller.error(error);
      } else {
        controller.enqueue(chunk);
      }
    },
  });
}

describe("a body whose stream fails", () => {
  const postJson = (body: ReadableStream<Uint8Array>) =>
    new Request("http://site.example/en/api/core/v2/items", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      ...{ duplex: "half" },
    });

  test.each([
    ["code that decrypts it", new Error("the key is wrong")],
    ["a mistake in middleware", new TypeError("x is undefined")],
    ["a decompression", new TypeError("The compressed data was not valid: incorrect header check.")],
    ["zlib", Object.assign(new Error("incorrect header check"), { code: "Z_DATA_ERROR" })],
    ["a missing file", Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" })],
    ["a key server", new Error("The connection to the key server was closed.")],
    ["a database", new Error("database connection terminated unexpectedly")],
    ["a closed cipher", new Error("the cipher is closed")],
    ["a network of its own", new TypeError("network error while fetching the key")],
    ["a reset counter", new RangeError("counter reset: aborted the upload")],
    ["an error without a value", undefined],
  ])("because of %s is reported with the exception, and the client is not blamed", async (_, error) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const handler = webHandler([served({}, { onError }).routes, site({ onError })], { onError });
    const answers = [await handler(post(failing(error))), await handler(postJson(failing(error)))];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    const incident = { kind: "internal", message: expect.stringContaining("its stream failed"), error };
    expect(incidents).toEqual([
      expect.objectContaining({ ...incident, protocol: "soap11" }),
      expect.objectContaining({ ...incident, protocol: "rest", operation: "core.items.create" }),
    ]);
  });

  test.each([
    ["a code of the operating system", Object.assign(new Error("read"), { code: "ECONNRESET" })],
    ["an abort", new DOMException("This operation was aborted", "AbortError")],
    ["a closed connection in Deno", new Error("error reading a body from connection")],
    ["a lost connection in workers", new Error("Network connection lost.")],
    ["undici's text", new TypeError("terminated")],
    ["Node's text", new Error("aborted")],
    ["a stream of Node", Object.assign(new Error("Premature close"), { code: "ERR_STREAM_PREMATURE_CLOSE" })],
    ["a stream of HTTP/2", Object.assign(new Error("Stream closed"), { code: "ERR_HTTP2_STREAM_ERROR" })],
    ["a cut body in Deno", new TypeError("error reading a body from connection: end of file before message length")],
    ["hyper's text in Deno", new Error("connection closed before message completed")],
    ["the system's text in Deno", new Error("Connection reset by peer (os error 104)")],
    ["a closed connection in Bun", new Error("The connection was closed.")],
    ["Hono on Node", new Error("Client connection prematurely closed.")],
  ])("with %s means that the client disconnected", async (_, error) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const answer = await webHandler([served({}, { onError }).routes], { onError })(post(failing(error)));
    expect([answer.status, incidents.map(({ kind }) => kind)]).toEqual([400, ["request"]]);
    expect(incidents[0]?.message).toContain("The client disconnected before its request was complete");
  });
});

test.each([
  { method: "GET", status: 204 },
  { method: "GET", status: 304 },
  { method: "HEAD", status: 200 },
])("$method with $status has no body", async ({ method, status }) => {
  const routes: Routes = { name: "r", answer: async () => ({ status, headers: [["A", "b"]], body: "text" }) };
  const answer = await webHandler([routes])(new Request(url, { method }));
  expect([answer.status, answer.body, answer.headers.get("a")]).toEqual([status, null, "b"]);
});

test("bytes and several lines of one header are kept", async () => {
  const routes: Routes = {
    name: "r",
    answer: async () => ({
      status: 200,
      headers: [
        ["Link", "<a>"],
        ["Link", "<b>"],
      ],
      body: Uint8Array.of(1, 255),
    }),
  };
  const answer = await webHandler([routes])(new Request(url));
  expect(answer.headers.get("link")).toBe("<a>, <b>");
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(Uint8Array.of(1, 255));
});

test.each([
  ["Deno", { remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 1 } }, {}],
  [
    "Bun",
    {
      address: "203.0.113.7",
      requestIP(this: { readonly address: string }): object {
        return { address: this.address, family: "IPv4", port: 1 };
      },
    },
    {},
  ],
  ["Hono on Node", { incoming: { socket: { remoteAddress: "203.0.113.7" } } }, {}],
  ["Hono on Node beside other values", { server: { incoming: { socket: { remoteAddress: "203.0.113.7" } } } }, {}],
  ["the option", undefined, { remoteAddress: (request: Request) => request.headers.get("x-client") ?? undefined }],
])("the client's address is that of %s", async (_, platform, options) => {
  const { routes, calls } = served();
  const request = post(text);
  request.headers.set("x-client", "203.0.113.7");
  await webHandler([routes], options)(request, platform);
  expect(calls).toMatchObject([{ context: { remoteAddress: "203.0.113.7" } }]);
});

test.each([
  undefined,
  null,
  {},
  { remoteAddr: {} },
  { requestIP: () => null },
  { server: null },
  { incoming: {} },
  "x",
])("without a known platform (%j), the client's address is unknown", async (platform) => {
  const { routes, calls } = served();
  await webHandler([routes])(post(text), platform);
  expect(calls[0]?.context.remoteAddress).toBeUndefined();
});

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("no header");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no header"))],
  ["returns an object", () => ({})],
])("if the option remoteAddress %s, the answer is 500, and the incident names the option", async (_, remoteAddress) => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  onTestFinished(() => void process.off("unhandledRejection", onRejection));
  const incidents: ServerIncident[] = [];
  const { routes, calls } = served();
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const handler = webHandler([routes], { remoteAddress: remoteAddress as never, onError });
  expect((await handler(post(text))).status).toBe(500);
  expect(incidents).toMatchObject([
    {
      kind: "handler",
      message: 'The function in the option "remoteAddress" threw an exception.',
      address: "/api/things.asmx",
    },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([calls, rejections]).toEqual([[], []]);
});

test("if the option remoteAddress returns null, the client's address is unknown", async () => {
  const { routes, calls } = served();
  await webHandler([routes], { remoteAddress: () => null as never })(post(text));
  expect(calls[0]?.context.remoteAddress).toBeUndefined();
});

describe("bodies over the limit arrivingBytes", () => {
  /** Sends bodies to one handler. Each is a stream that the client keeps open. */
  function uploads() {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const answerRequest = webHandler([served({}, { onError }).routes], {
      limits: { arrivingBytes: 1_000, checkInterval: 20 },
      onError,
    });
    const begin = () => {
      let send = (_: number): void => {};
      const upload = { status: 0, isCancelled: false, send: (bytes: number) => send(bytes) };
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (bytes) => controller.enqueue(new Uint8Array(bytes));
        },
        cancel: () => {
          upload.isCancelled = true;
        },
      });
      answerRequest(post(body)).then(({ status }) => {
        upload.status = status;
      });
      return upload;
    };
    return { begin, incidents };
  }
  const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test.each([
    { when: "between two reads", pause: 0 },
    { when: "during a read", pause: 20 },
  ])("are refused and cancelled $when", async ({ pause }) => {
    const { begin, incidents } = uploads();
    const [first, second] = [begin(), begin()];
    await later(20);
    first.send(600);
    if (pause > 0) {
      await later(pause);
    }
    second.send(600);
    await expect.poll(() => first).toMatchObject({ status: 503, isCancelled: true });
    expect(second).toMatchObject({ status: 0, isCancelled: false });
    expect(incidents).toMatchObject([{ kind: "limit.arrivingBytes" }]);
  });

  test("are refused before bodies without bytes, also while the clock stands still", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
    onTestFinished(() => clock.mockRestore());
    const { begin } = uploads();
    const [empty, large] = [begin(), begin()];
    await later(20);
    large.send(600);
    await later(20);
    large.send(600);
    await later(50);
    expect([empty.status, large.status]).toEqual([0, 500]);
  });

  test("are refused by size and time, also if they began while the process could not run", async () => {
    const { begin } = uploads();
    const small = begin();
    small.send(10);
    await later(30);
    const end = performance.now() + 300;
    while (performance.now() < end) {
      // The process cannot run anything else.
    }
    const large = begin();
    await later(100);
    large.send(900);
    await later(1);
    large.send(95);
    await expect.poll(() => large.status).toBe(503);
    expect(small.status).toBe(0);
  });

  test("are too large, and not refused for a while, if they alone exceed it", async () => {
    const { begin, incidents } = uploads();
    const upload = begin();
    upload.send(1_001);
    await expect.poll(() => upload).toMatchObject({ status: 500, isCancelled: true });
    expect(incidents).toMatchObject([{ kind: "limit.arrivingBytes", limit: { value: 1_000 } }]);
    expect(incidents[0]?.message).toMatch(/"limits\.arrivingBytes" of the server.* "limits\.bodyBytes" of the routes/);
  });
});

test("an answer that cannot be written is reported, and its client gets 500", async () => {
  // Some platforms, such as Hono on Node, replace `Response` by one that does not check its headers.
  class UncheckedResponse {
    readonly status: number;
    constructor(_body: unknown, { status }: { readonly status: number }) {
      this.status = status;
    }
  }
  vi.stubGlobal("Response", UncheckedResponse);
  onTestFinished(() => void vi.unstubAllGlobals());
  const incidents: string[] = [];
  const routes: Routes = { name: "r", answer: () => ({ status: 200, headers: [["Bad", "a\nb"]], body: "" }) };
  const handler = webHandler([routes], { onError: ({ message }) => incidents.push(message) });
  expect((await handler(new Request("http://h/x"))).status).toBe(500);
  expect(incidents).toEqual(["The answer cannot be written."]);
});

describe("a time in which the process could not run", () => {
  const block = () => {
    for (const end = performance.now() + 2_100; performance.now() < end; ) {}
  };
  const stalledCall = (find: () => Promise<null>) => {
    const incidents: ServerIncident[] = [];
    const answer = webHandler([served({ find }).routes], { onError: (incident) => void incidents.push(incident) });
    const call = () => answer(post(text));
    return { call, incidents };
  };

  test.each([0, 300])("is reported with the operation that blocked it %i ms after its beginning", async (wait) => {
    const { call, incidents } = stalledCall(async () => {
      await new Promise((resolve) => setTimeout(resolve, wait));
      block();
      return null;
    });
    await call();
    await call();
    expect(incidents).toMatchObject([{ kind: "stalled", operation: "Find" }]);
  });

  test("is not reported between two requests, in which platforms may stop the process", async () => {
    const { call, incidents } = stalledCall(async () => null);
    await call();
    block();
    await call();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(incidents).toEqual([]);
  });
});
