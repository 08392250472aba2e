import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SoapFault } from "../../src/index.js";
import { consoleLogger, pinoLogger } from "../../src/observe/index.js";
import { listen, type RunningServer } from "../../src/server/adapters/node/listen.js";
import {
  type CallEvent,
  createRouter,
  healthRoutes,
  lineLogger,
  type RouterOptions,
  type Routes,
  type ServerIncident,
} from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { findBody, message, requestOf, served } from "./fixture.js";

const running: RunningServer[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Serves routes over a socket, and collects the parameters of hooks. */
async function observed(routes: readonly Routes[], options: RouterOptions = {}) {
  const events: CallEvent[] = [];
  const incidents: ServerIncident[] = [];
  const server = await listen(routes, {
    host: "127.0.0.1",
    onCall: (event) => void events.push(event),
    onError: (incident) => void incidents.push(incident),
    ...options,
  });
  running.push(server);
  const nextEvent = (count = 1) => vi.waitFor(() => expect(events).toHaveLength(count)).then(() => events[count - 1]);
  return { server, events, incidents, nextEvent };
}

const { headers: lines = [], body } = message("soap11", findBody);
const soapHeaders = Object.fromEntries(lines.filter(([name]) => name !== "Host"));
const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/things.asmx?secret=1`, {
    method: "POST",
    headers: { ...soapHeaders, ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  });

describe("an incident", () => {
  test("is written to standard error if onError throws", async () => {
    const written: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void written.push(line));
    const fails = () => {
      throw new Error("broken logger");
    };
    const { server } = await observed([
      served({ find: () => Promise.reject(new Error("no database")) }, { onError: fails }).routes,
    ]);
    await (await post(server.url)).arrayBuffer();
    await vi.waitFor(() => expect(written).toHaveLength(2));
    expect(written[0]).toContain("broken logger");
    expect(written[1]).toContain("no database");
  });

  test("names an absent value that a handler threw", async () => {
    const { server, incidents } = await observed([site({ onError: undefined }, () => Promise.reject(undefined))]);
    await (await fetch(`${server.url}/en/api/core/v2/items`)).arrayBuffer();
    expect(incidents).toMatchObject([{ kind: "handler", message: "The handler threw undefined." }]);
  });

  test("reports a REST call that authorize refuses", async () => {
    const { server, incidents } = await observed([site({ onError: undefined, authorize: () => false })]);
    expect((await fetch(`${server.url}/en/api/core/v2/items`)).status).toBe(401);
    expect(incidents).toMatchObject([
      {
        kind: "request",
        operation: "core.items.list",
        message:
          'The function in the option "authorize" refused the call. The request has no Authorization header. If the credentials must be in it, the client has not sent it, or a proxy has removed it.',
      },
    ]);
  });
});

describe("a call event", () => {
  test("of SOAP has operation, protocol, sizes and durations, but no query", async () => {
    const { server, nextEvent } = await observed([served().routes]);
    const answer = await (await post(server.url)).arrayBuffer();
    const event = await nextEvent();
    expect(event).toMatchObject({
      side: "server",
      operation: "Find",
      service: "Things",
      protocol: "soap11",
      method: "POST",
      address: "/api/things.asmx",
      httpVersion: "1.1",
      status: 200,
      completed: true,
      requestBytes: (body as Uint8Array).length,
      answerBytes: answer.byteLength,
      remoteAddress: "127.0.0.1",
    });
    expect(JSON.stringify(event)).not.toContain("secret");
    const { total, queued, read, handler, written } = event?.durations ?? { total: -1 };
    expect([queued, read, handler, written].every((step) => step !== undefined && step >= 0)).toBe(true);
    expect((queued ?? 0) + (read ?? 0) + (handler ?? 0) + (written ?? 0)).toBeCloseTo(total, 0);
  });

  test("has the name of the client's program, which may be old, but not all of a long text", async () => {
    const { server, nextEvent } = await observed([served().routes]);
    await (await post(server.url, { "User-Agent": "shop/1.4" })).arrayBuffer();
    expect((await nextEvent())?.userAgent).toBe("shop/1.4");
    await (await post(server.url, { "User-Agent": "a".repeat(9_000) })).arrayBuffer();
    expect((await nextEvent(2))?.userAgent).toBe("a".repeat(200));
  });

  test("contains the time at which the call began", async () => {
    const { server, nextEvent } = await observed([served().routes]);
    const before = Date.now();
    await (await post(server.url)).arrayBuffer();
    const time = (await nextEvent())?.time ?? 0;
    expect(Number.isInteger(time)).toBe(true);
    expect(time).toBeGreaterThanOrEqual(before - 2);
    expect(time).toBeLessThanOrEqual(Date.now() + 2);
  });

  test("follows a clock that was set", async () => {
    const { server, nextEvent } = await observed([served().routes]);
    await (await post(server.url)).arrayBuffer();
    await nextEvent();
    const now = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => now() + 86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await (await post(server.url)).arrayBuffer();
    expect(((await nextEvent(2))?.time ?? 0) - now()).toBeGreaterThan(86_000_000);
  });

  test("counts the time for which a pipelined request waits", async () => {
    const { server, nextEvent } = await observed([site()]);
    const request = "GET /en/api/core/v2/items HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(request.repeat(2)));
    const queued = (await nextEvent(2))?.durations.queued ?? 0;
    socket.destroy();
    expect(queued).toBeGreaterThan(0);
  });

  test("of REST has the endpoint and its route", async () => {
    const { server, nextEvent } = await observed([site()]);
    await fetch(`${server.url}/en/api/core/v2/items?search=secret`);
    expect(await nextEvent()).toMatchObject({
      operation: "core.items.list",
      protocol: "rest",
      route: "/core/v2/items",
      method: "GET",
      address: "/en/api/core/v2/items",
      status: 200,
    });
  });

  test("of a fault has its code, and of an exception the incident", async () => {
    const faulty = served({
      find: () => {
        throw new SoapFault({ code: "Client", reason: "no" });
      },
    });
    const first = await observed([faulty.routes]);
    await post(first.server.url);
    expect(await first.nextEvent()).toMatchObject({ status: 500, faultCode: "Client", error: undefined });
    const broken = served({
      find: () => {
        throw new Error("broken");
      },
    });
    const second = await observed([broken.routes]);
    await post(second.server.url);
    expect(await second.nextEvent()).toMatchObject({
      faultCode: "Server",
      error: { kind: "handler", operation: "Find" },
    });
  });

  test("of a REST error has its code", async () => {
    const { server, nextEvent } = await observed([site()]);
    await fetch(`${server.url}/en/api/core/v2/items?page=x`);
    expect(await nextEvent()).toMatchObject({
      status: 400,
      faultCode: "rest_invalid_param",
      operation: "core.items.list",
    });
  });

  test("exists for a request that no routes answer, and for one that is refused", async () => {
    const { server, events, nextEvent } = await observed([served().routes], { limits: { urlBytes: 50 } });
    await fetch(`${server.url}/other`);
    expect(await nextEvent()).toMatchObject({ status: 404, operation: undefined });
    await fetch(`${server.url}/${"x".repeat(60)}`);
    expect(await nextEvent(2)).toMatchObject({ status: 414, error: { kind: "limit.urlBytes" } });
    expect(events).toHaveLength(2);
  });

  test("is reported without a socket as well, with a hook that throws", async () => {
    const incidents: ServerIncident[] = [];
    const router = createRouter([served().routes], {
      onCall: () => {
        throw new Error("hook");
      },
      onError: (incident) => void incidents.push(incident),
    });
    expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
    expect(incidents).toMatchObject([{ kind: "hook", requestId: expect.any(String) }]);
  });

  const restPath = "/en/api/core/v2/items";
  test.each([
    { what: "a SOAP message without a member", path: "/api/things.asmx", type: "text/xml", text: findBody.slice(0, 9) },
    { what: "XML that is not well-formed", path: "/api/things.asmx", type: "text/xml", text: "<x" },
    { what: "a form", path: "/api/things.asmx/Find", type: "application/x-www-form-urlencoded", text: "Key=k" },
    { what: "JSON that is not valid", path: restPath, type: "application/json", text: "{" },
    { what: "an argument of another type", path: restPath, type: "application/json", text: '{"tags":"x"}' },
  ])("has the size and the durations of $what that is refused", async ({ path, type, text }) => {
    const { server, nextEvent } = await observed([served().routes, site()]);
    const answer = await fetch(server.url + path, { method: "POST", headers: { "Content-Type": type }, body: text });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const event = await nextEvent();
    expect(event).toMatchObject({ requestBytes: text.length, answerBytes: (await answer.arrayBuffer()).byteLength });
    expect(event?.durations).toMatchObject({ read: expect.any(Number), written: expect.any(Number) });
    expect(event?.durations.handler).toBeUndefined();
  });

  test("names the endpoint of a request that is refused because it may be forged", async () => {
    const { server, nextEvent } = await observed([site()]);
    const headers = { "Content-Type": "application/json", Cookie: "session=1" };
    expect((await fetch(server.url + restPath, { method: "POST", headers, body: "{}" })).status).toBe(403);
    expect(await nextEvent()).toMatchObject({ status: 403, operation: "core.items.create", route: "/core/v2/items" });
  });

  test("is reported with a hook that rejects", async () => {
    const incidents: ServerIncident[] = [];
    const thrown = new Error("hook");
    const fail = () => Promise.reject(thrown);
    const router = createRouter([served().routes], {
      onCall: fail,
      observe: { begin: () => ({ end: fail }) },
      onError: (incident) => void incidents.push(incident),
    });
    expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
    await vi.waitFor(() =>
      expect(incidents).toMatchObject([
        { kind: "hook", error: thrown, requestId: expect.any(String) },
        { kind: "hook", error: thrown, requestId: expect.any(String) },
      ]),
    );
  });

  test("is answered if an observer returns a promise in place of an observation", async () => {
    const incidents: ServerIncident[] = [];
    const router = createRouter([served().routes], {
      // JavaScript accepts an asynchronous function here.
      observe: { begin: (() => Promise.reject(new Error("begin"))) as never },
      onError: (incident) => void incidents.push(incident),
    });
    expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
    await vi.waitFor(() => expect(incidents.map(({ error }) => (error as Error).message)).toContain("begin"));
    expect(incidents.map(({ error }) => (error as Error).message)).toContain(
      'The function "begin" of an observer returned a promise instead of an observation.',
    );
  });

  const fail = (_result?: unknown): never => {
    throw new Error("run");
  };
  const noCall = 'The function "run" of an observer did not run the call at once.';
  const otherResult = 'The function "run" of an observer did not return the result of the call.';
  test.each<[string, (call: () => unknown) => unknown, string]>([
    ["throws before the call", () => fail(), "run"],
    ["throws after the call", (call) => fail(call()), "run"],
    ["rejects before the call", () => Promise.reject(new Error("run")), "run"],
    ["rejects after the call", async (call) => fail(await call()), "run"],
    ["never ends", () => new Promise(() => {}), noCall],
    ["returns null", () => null, noCall],
    ["returns another value", (call) => void call(), otherResult],
  ])("is answered once if the function run of an observer %s, which is reported", async (_, run, problem) => {
    const incidents: ServerIncident[] = [];
    const { routes, calls } = served();
    const router = createRouter([routes], {
      observe: [{ begin: () => ({ run: run as never }) }, { begin: () => ({}) }],
      onError: (incident) => void incidents.push(incident),
    });
    expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
    expect(calls).toHaveLength(1);
    await vi.waitFor(() => expect(incidents.map(({ error }) => (error as Error).message)).toContain(problem));
  });

  test("whose handler fails is not an error of an observer that waits for its result", async () => {
    const incidents: ServerIncident[] = [];
    const routes: Routes = { name: "failing", answer: () => Promise.reject(new Error("routes")) };
    const run = async (call: () => unknown) => await call();
    const router = createRouter([routes], {
      observe: { begin: () => ({ run: run as never }) },
      onError: (incident) => void incidents.push(incident),
    });
    expect((await router(requestOf({}))).status).toBe(500);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(incidents).toMatchObject([{ kind: "internal", error: { message: "routes" } }]);
  });

  test("has no error if only an observer threw, which is reported", async () => {
    const events: CallEvent[] = [];
    const incidents: ServerIncident[] = [];
    const router = createRouter([served().routes], {
      observe: {
        begin: () => {
          throw new Error("observer");
        },
      },
      onCall: (event) => void events.push(event),
      onError: (incident) => void incidents.push(incident),
    });
    await router(requestOf(message("soap11", findBody)));
    expect(events).toMatchObject([{ status: 200, error: undefined }]);
    expect(incidents).toMatchObject([
      {
        kind: "hook",
        message: "An observer of calls threw an exception. The same exception is reported once a minute.",
      },
    ]);
  });

  test("and incidents are published to channels, if they have subscribers", async () => {
    const published: unknown[] = [];
    const onMessage = (event: unknown) => void published.push(event);
    subscribe("bothends.server.call", onMessage);
    try {
      const { server } = await observed([served().routes], { onCall: undefined });
      await post(server.url);
      await vi.waitFor(() => expect(published).toMatchObject([{ operation: "Find", status: 200 }]));
    } finally {
      unsubscribe("bothends.server.call", onMessage);
    }
  });
});

describe("the id of a request", () => {
  test("is that of its header, in the context, in incidents and in events", async () => {
    const seen: string[] = [];
    const { routes } = served(
      {
        find: (_, { requestId }) => {
          seen.push(requestId);
          throw new Error("broken");
        },
      },
      { onError: undefined },
    );
    const { server, incidents, nextEvent } = await observed([routes], { requestIds: { inAnswers: true } });
    const answer = await post(server.url, { "X-Request-Id": "abc-1" });
    expect(answer.headers.get("x-request-id")).toBe("abc-1");
    expect(seen).toEqual(["abc-1"]);
    expect(incidents).toMatchObject([{ requestId: "abc-1", method: "POST", address: "/api/things.asmx" }]);
    expect(await nextEvent()).toMatchObject({ requestId: "abc-1" });
  });

  test.each(["a b", "x".repeat(129), ""])("is new if the header is %j", async (header) => {
    const { server, nextEvent } = await observed([served().routes]);
    await post(server.url, { "X-Request-Id": header });
    expect((await nextEvent())?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("incidents", () => {
  test("are written to standard error if there is no hook", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const { routes } = served(
      {
        find: () => {
          throw new Error("database is away");
        },
      },
      { onError: undefined },
    );
    await createRouter([routes])(requestOf(message("soap11", findBody)));
    expect(written).toHaveBeenCalledTimes(1);
    expect(String(written.mock.calls[0]?.[0])).toMatch(/ error handler: .* operation=Find .*database is away/);
  });

  test("of routes without a hook reach the hook of the router", async () => {
    const { routes } = served({ find: () => ({ Name: 7 }) }, { onError: undefined });
    const { server, incidents } = await observed([routes]);
    await post(server.url);
    expect(incidents).toMatchObject([{ kind: "encode", operation: "Find", path: expect.stringContaining("Name") }]);
  });
});

test("an answer that does not fit is reported by every logger and in events without its value", async () => {
  const secret = 19801231;
  const reason = "The value (a number) is not a valid xs:string: it must be a string.";
  const records: object[] = [];
  const add = (record: object): void => void records.push(record);
  for (const handlers of [
    lineLogger({ write: (line) => add({ line }) }),
    lineLogger({ format: "json", write: (line) => add({ line }) }),
    consoleLogger({ info: () => {}, warn: () => {}, error: (line) => add({ line }) }),
    pinoLogger({ info: () => {}, warn: () => {}, error: add }),
    { onError: add },
  ]) {
    const { routes } = served({ find: () => ({ Name: secret }) as never }, handlers);
    const events: CallEvent[] = [];
    await createRouter([routes], { onCall: (event) => void events.push(event) })(
      requestOf(message("soap11", findBody)),
    );
    expect(inspect([records, events], { depth: 9, showHidden: true })).not.toContain(String(secret));
    expect(inspect(events, { depth: 9 })).toContain(reason);
    expect(inspect(records.at(-1), { depth: 9 })).toContain(reason);
    expect(inspect(records.at(-1), { depth: 9 })).toContain("/FindResponse/FindResult/Name");
  }
  expect(records).toHaveLength(5);
});

test("a line logger writes calls and incidents as text or as JSON, on one line each", async () => {
  const text: string[] = [];
  const json: string[] = [];
  for (const [format, written] of [
    ["text", text],
    ["json", json],
  ] as const) {
    const { onCall, onError } = lineLogger({ format, write: (line) => void written.push(line) });
    const { routes } = served(
      {
        find: () => {
          throw new Error("first\nsecond");
        },
      },
      { onError: undefined },
    );
    const { server } = await observed([routes], { onCall, onError });
    await post(server.url, { "X-Request-Id": "id=1" });
    await vi.waitFor(() => expect(written).toHaveLength(2));
  }
  expect(text.every((line) => !line.includes("\n"))).toBe(true);
  expect(text[1]).toMatch(/^\S+ server POST \/api\/things\.asmx 500 total=\S+ms .*operation=Find .*requestId=id=1$/);
  expect(JSON.parse(json[0] ?? "")).toMatchObject({
    level: "error",
    kind: "handler",
    operation: "Find",
    requestId: "id=1",
  });
  expect(JSON.parse(json[1] ?? "")).toMatchObject({
    level: "info",
    status: 500,
    error: "handler",
    durations: { total: expect.any(Number) },
  });
});

test("a request cannot forge a line", async () => {
  const written: string[] = [];
  const { onCall } = lineLogger({ write: (line) => void written.push(line) });
  const router = createRouter([], { onCall });
  await router(requestOf({ method: "GET\nerror", target: '/a" b\u2028c' }));
  expect(written).toHaveLength(1);
  expect(written[0]).toContain(String.raw`server "GET\nerror" "/a\" b`);
  expect(written[0]).not.toContain("\n");
});

describe("health routes", () => {
  test("answer 200 while all checks pass, and 503 with their names if one fails", async () => {
    const incidents: ServerIncident[] = [];
    let works = true;
    const routes = healthRoutes({
      checks: { database: () => works, queue: async () => undefined },
      onError: (incident) => void incidents.push(incident),
    });
    const { server } = await observed([routes]);
    const ready = async () => {
      const answer = await fetch(`${server.url}/ready`);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ready()).toEqual({ status: 200, body: { status: "ok", checks: { database: "ok", queue: "ok" } } });
    works = false;
    expect(await ready()).toEqual({
      status: 503,
      body: { status: "failed", checks: { database: "failed", queue: "ok" } },
    });
    expect(incidents).toMatchObject([{ kind: "check", message: expect.stringContaining("database") }]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/health`, { method: "POST" })).status).toBe(405);
  });

  test("run checks once for all requests that arrive meanwhile, of which few wait", async () => {
    let runs = 0;
    let end = (_passed: boolean): void => {};
    const check = () => {
      runs += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    };
    const router = createRouter([healthRoutes({ checks: { database: check } })], { limits: { inFlight: 32 } });
    const ready = () => router(requestOf({ method: "GET", target: "/ready" }));
    const waiting = Array.from({ length: 16 }, ready);
    for (let count = 0; count < 100; count += 1) {
      expect((await ready()).body).toBe('{"status":"checking"}');
    }
    end(true);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect(runs).toBe(1);
    const later = ready();
    end(false);
    expect([(await later).status, runs]).toEqual([503, 2]);
  });

  test("fail a check that throws or takes too long", async () => {
    const incidents: ServerIncident[] = [];
    const routes = healthRoutes({
      timeout: 20,
      checks: {
        slow: () => new Promise(() => {}),
        broken: () => {
          throw new Error("secret");
        },
      },
      onError: (incident) => void incidents.push(incident),
    });
    const answer = await createRouter([routes])(requestOf({ method: "GET", target: "/ready" }));
    expect(answer.status).toBe(503);
    expect(answer.body).not.toContain("secret");
    expect(incidents).toHaveLength(2);
  });

  test("wait for a check without a limit, and refuse a limit that is not valid", async () => {
    const check = () => new Promise((resolve) => setTimeout(resolve, 20));
    const routes = healthRoutes({ timeout: Number.POSITIVE_INFINITY, checks: { check } });
    expect((await createRouter([routes])(requestOf({ method: "GET", target: "/ready" }))).status).toBe(200);
    for (const timeout of [0, -1, Number.NaN, "1" as never]) {
      expect(() => healthRoutes({ timeout })).toThrow('The option "timeout" of healthRoutes must be a positive number');
    }
  });

  test("answer 503 for readiness while the server is stopping, before it accepts no more requests", async () => {
    const server = await listen([healthRoutes()], { host: "127.0.0.1", drainDelay: 150 });
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    const closed = server.close();
    const answer = await fetch(`${server.url}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: "stopping" }]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await closed;
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  });
});
