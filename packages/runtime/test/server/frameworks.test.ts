import { createServer, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { BegunCall, CallEvent, ServerIncident } from "../../src/observe/index.js";
import { expressMiddleware } from "../../src/server/adapters/express.js";
import { type FastifyLike, fastifyPlugin } from "../../src/server/adapters/fastify.js";
import { webMiddleware } from "../../src/server/adapters/web-fetch.js";
import type { RouterOptions, Routes } from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs functions one after the other, as Express does. */
function express(...chain: readonly ReturnType<typeof expressMiddleware>[]): RequestListener {
  return (incoming, outgoing) => {
    const step = (index: number, error?: unknown): void => {
      if (error !== undefined) {
        void outgoing.writeHead(500).end(String(error));
      } else if (chain[index] === undefined) {
        void outgoing.writeHead(404).end("express");
      } else {
        chain[index](incoming, outgoing, (failure) => step(index + 1, failure));
      }
    };
    step(0);
  };
}

/** Registers a plugin and calls what it leaves, as Fastify does. */
async function fastify(plugin: (instance: FastifyLike) => Promise<void>): Promise<RequestListener> {
  const handled: Parameters<FastifyLike["route"]>[0][] = [];
  const parsers: string[] = ["application/json"];
  await plugin({
    removeAllContentTypeParsers: () => parsers.splice(0),
    addContentTypeParser: (type) => parsers.push(type),
    route: (options) => handled.push(options),
  });
  expect(parsers).toEqual(["*"]);
  return (raw, outgoing) => {
    let payload: unknown;
    const reply = {
      raw: outgoing,
      code: (status: number) => {
        outgoing.statusCode = status;
      },
      header: (name: string, value: string | string[]) => void outgoing.setHeader(name, value),
      getHeader: () => undefined,
      send: (body?: string | Uint8Array) => {
        payload = body;
        return reply;
      },
      callNotFound: () => outgoing.writeHead(404).end("fastify"),
    };
    for (const { handler, onSend } of handled) {
      handler({ raw }, reply)
        .then(() => onSend({ raw }, reply, payload))
        .then(
          (sent) => (sent instanceof Readable ? sent.pipe(outgoing) : outgoing.end(sent)),
          (error) => outgoing.writeHead(500).end(String(error)),
        );
    }
  };
}

const frameworks: Readonly<
  Record<string, (routes: readonly Routes[], options?: RouterOptions) => Promise<RequestListener>>
> = {
  express: async (routes, options) => express(expressMiddleware(routes, options)),
  fastify: (routes, options) => fastify(fastifyPlugin(routes, options)),
};

test.each(Object.entries(frameworks))(
  "%s lets the routes answer their requests, and no others",
  async (name, listen) => {
    const { routes, calls } = served();
    const url = await serve(await listen([routes]));
    const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
    const answer = await fetch(`${url}/api/things.asmx`, { method: "POST", headers, body: text });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
    expect(await answer.text()).toContain("FindResult");
    expect(calls).toHaveLength(1);
    const other = await fetch(`${url}/elsewhere`);
    expect([other.status, await other.text()]).toEqual([404, name]);
  },
);

describe("with request ids in answers", () => {
  const requestIds = { inAnswers: true };

  test.each(Object.entries(frameworks))(
    "%s still answers unmatched requests itself, without a call",
    async (name, listen) => {
      const events: CallEvent[] = [];
      const url = await serve(
        await listen([served().routes], { requestIds, onCall: (event) => void events.push(event) }),
      );
      const other = await fetch(`${url}/elsewhere`);
      expect([other.status, await other.text()]).toEqual([404, name]);
      const matched = await fetch(`${url}/api/things.asmx`, { method: "PUT" });
      expect([matched.status, matched.headers.has("x-request-id")]).toEqual([405, true]);
      await vi.waitFor(() => expect(events.map(({ address }) => address)).toEqual(["/api/things.asmx"]));
    },
  );

  test("a web framework still answers unmatched requests itself, without a call", async () => {
    const events: CallEvent[] = [];
    const answer = webMiddleware([served().routes], { requestIds, onCall: (event) => void events.push(event) });
    expect(await answer(new Request("http://h/elsewhere"))).toBeUndefined();
    const matched = await answer(new Request("http://h/api/things.asmx", { method: "PUT" }));
    expect([matched?.status, matched?.headers.has("x-request-id")]).toEqual([405, true]);
    expect(events.map(({ address }) => address)).toEqual(["/api/things.asmx"]);
  });
});

describe.each(Object.entries(frameworks))(
  "with %s, a time in which the process could not run is reported",
  (_, listen) => {
    const block = () => {
      for (const end = performance.now() + 2_100; performance.now() < end; ) {}
    };
    const start = async (find: () => Promise<null>) => {
      const incidents: ServerIncident[] = [];
      const onError = (incident: ServerIncident) => void incidents.push(incident);
      const url = await serve(await listen([served({ find }).routes], { onError }));
      const call = async () => {
        const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
        await (await fetch(`${url}/api/things.asmx`, { method: "POST", headers, body: text })).text();
      };
      return { incidents, url, call };
    };

    test.each([0, 300])("with the operation that blocked it %i ms after its beginning", async (wait) => {
      const { incidents, call } = await start(async () => {
        await new Promise((resolve) => setTimeout(resolve, wait));
        block();
        return null;
      });
      await call();
      await vi.waitFor(() => expect(incidents).toMatchObject([{ kind: "stalled", operation: "Find" }]), 5_000);
    });

    test("if code of the app blocked it", async () => {
      const { incidents, call } = await start(() => Promise.resolve(null));
      await call();
      await new Promise((resolve) => setTimeout(resolve, 300));
      block();
      const message = expect.stringContaining("No request was in progress, so code other than a handler ran.");
      await vi.waitFor(() => expect(incidents).toMatchObject([{ kind: "stalled", message }]), 5_000);
    });
  },
);

test("observers learn that a call is passed on to the framework", async () => {
  const steps: string[] = [];
  const observe = {
    begin({ address }: BegunCall) {
      steps.push(`begin ${address}`);
      return { end: () => void steps.push("end"), cancel: () => void steps.push("cancel") };
    },
  };
  const answer = webMiddleware([served().routes], { observe });
  await answer(new Request("http://h/elsewhere"));
  await answer(new Request("http://h/api/things.asmx", { method: "PUT" }));
  expect(steps).toEqual(["begin /elsewhere", "cancel", "begin /api/things.asmx", "end"]);
});

test("a body that was read before is an error only for requests of the routes", async () => {
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  const url = await serve(
    express(
      (incoming, _outgoing, next) => {
        incoming.on("end", () => next()).resume();
      },
      expressMiddleware([served().routes, site()], {
        onCall: (event) => void events.push(event),
        onError: (incident) => void incidents.push(incident),
      }),
    ),
  );
  const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
  const answer = await fetch(`${url}/api/things.asmx`, { method: "POST", headers, body: text });
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("before any body parser")]);
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await fetch(`${url}/en/api/core/v2/items`, json)).status).toBe(500);
  const incident = { kind: "config", message: expect.stringContaining("before any body parser") };
  expect(incidents).toMatchObject([incident, { ...incident, operation: "core.items.create" }]);
  await vi.waitFor(() => expect(events).toMatchObject([500, 500].map((status) => ({ status, error: incident }))));
  const other = await fetch(`${url}/elsewhere`, { method: "POST", body: text });
  expect([other.status, await other.text()]).toEqual([404, "express"]);
});

test("with a web framework, only requests for the routes fail if their body was read before", async () => {
  const answer = webMiddleware([served().routes]);
  const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
  const used = async (path: string) => {
    const request = new Request(`http://h${path}`, { method: "POST", headers, body: text });
    await request.text();
    return answer(request);
  };
  await expect(used("/api/things.asmx")).rejects.toThrow("before any middleware that reads it");
  expect(await used("/elsewhere")).toBeUndefined();
});

test("an answer that cannot be written is reported, and its client gets 500", async () => {
  const incidents: string[] = [];
  const routes: Routes = {
    name: "r",
    answer: async () => ({ status: 200, headers: [["Bad", "a\nb"]], body: "" }),
  };
  const url = await serve(express(expressMiddleware([routes], { onError: ({ message }) => incidents.push(message) })));
  const answer = await fetch(url);
  expect([answer.status, await answer.text(), answer.headers.get("connection")]).toEqual([500, "", "close"]);
  expect(incidents).toEqual(["The answer cannot be written."]);
});

test.each([
  "/api/%74hings.asmx",
  "/%61pi/things.asmx",
  "/api/things%2Easmx",
  "/api/things.asmx;a=b",
  "//api/things.asmx",
  "/./api/things.asmx",
  "/api//things.asmx",
  "/api%2Fthings.asmx",
])("a spelling of the path that a guard does not recognize reaches no handler: %s", async (target) => {
  const { routes, calls } = served();
  const { statusCode } = await new Promise<{ statusCode?: number | undefined }>((resolve, reject) => {
    void serve(express(expressMiddleware([routes], { onError: () => {} }))).then((url) => {
      const headers = { "content-type": "text/xml", soapaction: `"${namespace}/Find"` };
      request(url, { method: "POST", path: target, headers }, resolve).on("error", reject).end(text);
    }, reject);
  });
  expect([statusCode, calls]).toEqual([404, []]);
});

describe("middleware that changes how the request is read", () => {
  async function call(middleware: ReturnType<typeof expressMiddleware>, options: RouterOptions = {}) {
    const incidents: ServerIncident[] = [];
    const routes = [served().routes, site()];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const url = await serve(express(middleware, expressMiddleware(routes, { onError, ...options })));
    const headers = { "content-type": "text/xml", soapaction: `${namespace}/Find` };
    const soap = await fetch(`${url}/api/things.asmx`, { method: "POST", headers, body: text });
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"title":"a"}' };
    const rest = await fetch(`${url}/en/api/core/v2/items`, json);
    await Promise.all([soap.text(), rest.text()]);
    return { statuses: [soap.status, rest.status], incidents };
  }

  test.each(["utf8", "latin1", "hex"] as const)("to text in %s is named", async (encoding) => {
    const { statuses, incidents } = await call((incoming, _, next) => {
      incoming.setEncoding(encoding);
      next();
    });
    expect(statuses).toEqual([500, 500]);
    const incident = { kind: "config", message: expect.stringContaining("Other code has called setEncoding") };
    expect(incidents).toMatchObject([incident, incident]);
  });

  test("does not matter if it paused the request", async () => {
    const other = await call((_incoming, _outgoing, next) => next());
    const paused = await call((incoming, _, next) => {
      incoming.pause();
      next();
    });
    expect(paused.statuses).toEqual(other.statuses);
    expect(paused.statuses[0]).toBe(200);
  });

  test.each<[string, (incoming: IncomingMessage) => unknown]>([
    [
      "passes the request to a stream that does not read it",
      (incoming) => incoming.pipe(new PassThrough({ highWaterMark: 1 })),
    ],
    ["pauses the request later", (incoming) => queueMicrotask(() => incoming.pause())],
    ["removes the listeners of the request", (incoming) => queueMicrotask(() => incoming.removeAllListeners())],
  ])("is named if it %s", async (_, change) => {
    const { statuses, incidents } = await call(
      (incoming, _outgoing, next) => {
        change(incoming);
        next();
      },
      { limits: { bodyRateGracePeriod: 200 } },
    );
    expect(statuses).toEqual([408, 408]);
    const message = expect.stringContaining("Other code, such as middleware, has paused the request");
    expect(incidents).toMatchObject([{ kind: "limit.bodyRate", message }, { message }]);
  });
});

describe.each(Object.entries(frameworks))("with %s, a connection that is closed during a call", (_, create) => {
  async function call(close: (server: Server, client: Socket, incoming: IncomingMessage) => void) {
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    let incoming: IncomingMessage | undefined;
    let start = () => {};
    let end = (_value: null) => {};
    const isStarted = new Promise<void>((resolve) => {
      start = resolve;
    });
    const result = new Promise<null>((resolve) => {
      end = resolve;
    });
    const find = () => {
      start();
      return result;
    };
    const options = {
      onError: (incident: ServerIncident) => void incidents.push(incident),
      onCall: (event: CallEvent) => void events.push(event),
    };
    const listener = await create([served({ find }).routes], options);
    const server = createServer((request, answer) => {
      incoming = request;
      listener(request, answer);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("error", () => {}).resume();
    client.write(
      `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: "${namespace}/Find"\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    await isStarted;
    if (incoming === undefined) {
      throw new Error("No request has arrived.");
    }
    const { socket } = incoming;
    const isClosed = new Promise((resolve) => socket.once("close", resolve));
    close(server, client, incoming);
    // A client that ends only its direction of the connection still waits for the answer.
    await Promise.race([
      isClosed,
      ...(client.writableEnded ? [new Promise((resolve) => setTimeout(resolve, 150))] : []),
    ]);
    setTimeout(() => end(null), 20);
    await vi.waitFor(() => expect(events).toHaveLength(1), { timeout: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return incidents.map(({ message }) => message);
  }
  const closedHere = expect.stringMatching(/^Other code of this process closed the connection after \d+ ms, before/);

  test.each<[string, Parameters<typeof call>[0]]>([
    ["by a timeout of the answer", (_server, _client, { socket }) => void socket.setTimeout(20)],
    ["by middleware that destroys the socket", (_server, _client, { socket }) => void socket.destroy()],
    ["by closing all connections", (server) => server.closeAllConnections()],
  ])("%s is not blamed on the client", async (_what, close) => {
    expect(await call(close)).toEqual([closedHere]);
  });

  test.each<[string, Parameters<typeof call>[0]]>([
    ["with FIN", (_server, client) => void client.end()],
    ["with FIN for both directions", (_server, client) => void client.destroy()],
    ["with RST", (_server, client) => void client.resetAndDestroy()],
  ])("by the client %s is not blamed on this process", async (_what, close) => {
    for (const message of await call(close)) {
      expect(message).toContain("The client disconnected after");
    }
  });
});

describe("middleware that Express mounts below a path", () => {
  /** Removes the beginning of the path, as `app.use` of Express does. */
  const mount =
    (path: string): ReturnType<typeof expressMiddleware> =>
    (incoming, _outgoing, next) => {
      const { url: originalUrl = "" } = incoming;
      Object.assign(incoming, { originalUrl, url: originalUrl.slice(path.length).replace(/^\/?/, "/") });
      next();
    };

  async function call(path: string, target: string) {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const url = await serve(express(mount(path), expressMiddleware([served().routes, site()], { onError })));
    const answers = [await fetch(url + target), await fetch(url + target)];
    return { statuses: answers.map(({ status }) => status), messages: incidents.map(({ message }) => message) };
  }

  test.each([
    ["/api/things.asmx", "/api/things.asmx"],
    ["/api/things.asmx", "/api/things.asmx?wsdl"],
    ["/en/api", "/en/api"],
  ])("is named once a minute if it is mounted at %s, for a request to %s", async (path, target) => {
    const { statuses, messages } = await call(path, target);
    expect(statuses).toEqual([404, 404]);
    expect(messages).toEqual([expect.stringContaining("Its whole path is one of the routes")]);
  });

  test.each([
    ["/services", "/services/other"],
    ["/api", "/api/other"],
    ["/api", "/api/things.asmx"],
  ])("is not named if it is mounted at %s, for a request to %s", async (path, target) => {
    expect(await call(path, target)).toEqual({ statuses: [404, 404], messages: [] });
  });
});
