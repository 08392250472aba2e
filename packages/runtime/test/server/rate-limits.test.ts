import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ConfigError } from "../../src/errors.js";
import {
  type CallContext,
  type CallEvent,
  combineRoutes,
  concurrencyLimit,
  createRouter,
  memoryStore,
  type RateLimitStore,
  type RouterOptions,
  type Routes,
  rateLimit,
  rateLimitedRoutes,
  recordedRoutes,
  type ServerIncident,
} from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { findBody, message, requestOf, served } from "./fixture.js";

afterEach(() => void vi.useRealTimers());

function routerOf(routes: Routes, options: RouterOptions = {}) {
  const incidents: ServerIncident[] = [];
  const router = createRouter([routes], { onError: (incident) => void incidents.push(incident), ...options });
  const send = (from: string, headers: readonly (readonly [string, string])[] = []) => {
    const request = message("soap11", findBody);
    return router(requestOf({ ...request, headers: [...(request.headers ?? []), ...headers], remoteAddress: from }));
  };
  const get = (from: string) =>
    router(
      requestOf({ method: "GET", target: "/en/api/core/v2/items", headers: [["Host", "h"]], remoteAddress: from }),
    );
  return { send, get, incidents };
}

const rejecting: RateLimitStore = { count: () => Promise.reject(new Error("redis")) };

const failingStores = [
  { name: "rejects", store: rejecting },
  {
    name: "throws",
    store: {
      count() {
        throw new Error("redis");
      },
    },
  },
  { name: "never answers", store: { count: () => new Promise<never>(() => {}) } },
  { name: "returns no count", store: { count: async () => JSON.parse("{}") } },
] satisfies readonly { name: string; store: RateLimitStore }[];

describe("a rate of requests", () => {
  test.each<[string, () => never]>([
    [
      "throws",
      () => {
        throw new Error("no user");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no user")) as never],
    ["returns a promise", () => Promise.resolve("a") as never],
    ["returns an object", () => ({}) as never],
  ])("whose option `by` %s refuses the request, and the incident names the option", async (_, by) => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    onTestFinished(() => void process.off("unhandledRejection", onRejection));
    const rate = { requests: 1, window: 10_000, by };
    const ofCalls: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void ofCalls.push(incident);
    const ofRequests = routerOf(rateLimitedRoutes(served().routes, rate));
    const calls = routerOf(served({}, { use: rateLimit(rate), onError }).routes);
    expect([(await ofRequests.send("a")).status, (await calls.send("a")).status]).toEqual([500, 500]);
    const expected = { kind: "handler", message: 'The function in the option "by" threw an exception.' };
    expect(ofRequests.incidents).toMatchObject([expected]);
    expect(ofCalls).toMatchObject([expected]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(rejections).toEqual([]);
  });

  test("reports once that `by` returned undefined, for requests and for calls", async () => {
    const onlyKnown = (from: string | undefined) => (from === "a" ? "key" : undefined);
    const rate = { requests: 1, window: 10_000 };
    const ofCalls: ServerIncident[] = [];
    const use = rateLimit({ ...rate, by: ({ context }) => onlyKnown(context.remoteAddress) });
    const requests = routerOf(
      rateLimitedRoutes(served().routes, { ...rate, by: ({ remoteAddress }) => onlyKnown(remoteAddress) }),
    );
    const calls = routerOf(served({}, { use, onError: (incident) => void ofCalls.push(incident) }).routes);
    for (const { send } of [requests, calls]) {
      const answers = [await send("a"), await send("b"), await send("c"), await send("a")];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    }
    const message = expect.stringContaining('the function in the option "by" returned undefined');
    expect(requests.incidents).toMatchObject([{ kind: "config", message }, { kind: "limit.rate" }]);
    expect(ofCalls).toMatchObject([{ kind: "hook", message, operation: "Find" }, { kind: "limit.rate" }]);
  });

  test.each([null, "", 5])("counts the key %j", async (value) => {
    const { send, incidents } = routerOf(
      rateLimitedRoutes(served().routes, { requests: 1, window: 10_000, by: () => value as never }),
    );
    expect([(await send("a")).status, (await send("b")).status]).toEqual([200, 429]);
    expect(incidents).toMatchObject([{ kind: "limit.rate" }]);
  });

  test("is counted for each address, and refused with 429 and Retry-After beyond it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { routes, calls } = served();
    const { send, incidents } = routerOf(rateLimitedRoutes(routes, { requests: 2, window: 10_000 }));
    const statuses = [await send("a"), await send("a"), await send("a"), await send("b")].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    expect((await send("a")).headers).toContainEqual(["Retry-After", "10"]);
    expect(calls).toHaveLength(3);
    expect(incidents[0]).toMatchObject({
      kind: "limit.rate",
      limit: { name: "rate", value: 2, option: "requests of rateLimitedRoutes" },
    });
    vi.advanceTimersByTime(10_001);
    expect((await send("a")).status).toBe(200);
  });

  test("does not count the questions of browsers before calls of other pages", async () => {
    const { get } = routerOf(rateLimitedRoutes(site(), { requests: 1, window: 60_000 }));
    const router = createRouter([rateLimitedRoutes(site(), { requests: 1, window: 60_000 })], { onError: () => {} });
    const ask = async (...headers: (readonly [string, string])[]) => {
      const init = { method: "OPTIONS", target: "/en/api/core/v2/items", remoteAddress: "192.0.2.1" };
      return (await router(requestOf({ ...init, headers: [["Host", "h"], ...headers] }))).status;
    };
    const origin = ["Origin", "https://a.example"] as const;
    const method = ["Access-Control-Request-Method", "POST"] as const;
    expect([await ask(origin, method), await ask(origin, method), await ask(origin, method)]).toEqual([200, 200, 200]);
    expect([await ask(origin), await ask(method), await ask()]).toEqual([200, 429, 429]);
    expect([(await get("192.0.2.1")).status, (await get("192.0.2.1")).status]).toEqual([200, 429]);
  });

  test("is reported once a minute for each caller, and for 20 callers, with the number of other refusals", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const events: CallEvent[] = [];
    const { send, incidents } = routerOf(rateLimitedRoutes(served().routes, { requests: 0, window: 10_000 }), {
      onCall: (event) => void events.push(event),
    });
    for (let count = 0; count < 50; count += 1) {
      await send("192.0.2.1");
    }
    expect(incidents).toHaveLength(1);
    expect(incidents[0]?.message).toContain("The same caller is reported once a minute.");
    for (let count = 2; count < 200; count += 1) {
      await send(`192.0.2.${count}`);
    }
    expect(incidents).toHaveLength(20);
    expect(events).toHaveLength(248);
    expect(events.every(({ error }) => error?.kind === "limit.rate")).toBe(true);
    vi.advanceTimersByTime(60_000);
    await send("192.0.2.1");
    expect(incidents).toHaveLength(21);
    expect(incidents[20]?.message).toContain("Since the last report, 179 other requests were refused.");
  });

  test("of calls and of concurrent handlers are reported once a minute, and each call has the error in its event", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const rate = rateLimit({ requests: 0, window: 10_000, by: () => "ada" });
    for (const use of [rate, concurrencyLimit({ operations: { Find: 0 } })]) {
      const { send } = routerOf(served({}, { use, onError }).routes, { onCall: (event) => void events.push(event) });
      for (let count = 0; count < 5; count += 1) {
        await send("a");
      }
      vi.advanceTimersByTime(60_000);
      await send("a");
    }
    const kinds = ["limit.rate", "limit.rate", "limit.concurrency", "limit.concurrency", "limit.concurrency"];
    expect(incidents.map(({ kind }) => kind)).toEqual(kinds);
    expect(incidents.map(({ omitted }) => omitted)).toEqual([undefined, undefined, undefined, 4, undefined]);
    expect(incidents[1]?.message).toContain("Since the last report, 4 other requests were refused.");
    expect(events.map(({ error }) => error?.kind)).toEqual([
      ...new Array<string>(6).fill("limit.rate"),
      ...new Array<string>(6).fill("limit.concurrency"),
    ]);
  });

  test("is the same for all addresses of an IPv6 network, and for an IPv4 address in both forms", async () => {
    const { send } = routerOf(rateLimitedRoutes(served().routes, { requests: 1, window: 10_000 }));
    const addresses = [
      ...["2001:db8:0:1::1", "2001:DB8:0:1:ffff::2", "2001:db8:0:2::1", "fe80::1%eth0", "fe80::2", "::1", "::2"],
      ...["192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2", "0:0:0:0:0:ffff:192.0.2.2", "::ffff:c000:202"],
      ...["2001:0db8:0000:0001::3", "2001:db8:0:1:0:0:192.0.2.1"],
    ];
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await send(address)).status);
    }
    expect(statuses).toEqual([200, 429, 200, 200, 429, 200, 429, 200, 429, 200, 429, 429, 429, 429]);
  });

  test.each([{ requests: Number.NaN }, { requests: -1 }, { window: Number.NaN }, { window: 0 }])(
    "is refused with %j, which would turn it off or refuse everything",
    (rate) => {
      const { routes } = served();
      expect(() => rateLimitedRoutes(routes, { requests: 1, window: 1_000, ...rate })).toThrow(ConfigError);
    },
  );

  test("may be counted by anything else, and by a store of several processes", async () => {
    const counts = new Map<string, number>();
    const store: RateLimitStore = {
      count: async (key, window) => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return { requests: counts.get(key) ?? 0, resetsIn: window };
      },
    };
    const by = ({ headers }: { readonly headers: ReadonlyMap<string, string> }) => headers.get("x-key");
    const { send } = routerOf(rateLimitedRoutes(served().routes, { requests: 1, window: 5_000, by, store }));
    const key = [["X-Key", "k"]] as const;
    const answers = [await send("a", key), await send("b", key), await send("a"), await send("a")];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 200]);
    expect(counts).toEqual(new Map([["k", 2]]));
  });

  test.each(failingStores)("lets requests pass, and reports the error, if its store $name", async ({ store }) => {
    const limits = { requests: 0, window: 1, store, storeTimeout: 20 };
    const { send, incidents } = routerOf(rateLimitedRoutes(served().routes, limits));
    expect((await send("a")).status).toBe(200);
    expect(incidents).toMatchObject([
      { kind: "hook", message: "The rate-limit store failed, so the request was answered without being counted." },
    ]);
  });

  test("refuses requests, and reports the error, if its store fails and the option says so", async () => {
    const rate = { requests: 9, window: 1, store: rejecting, onStoreFailure: "refuse" } as const;
    const { send, incidents } = routerOf(rateLimitedRoutes(served().routes, rate));
    const refused = await send("a");
    expect(refused.status).toBe(503);
    expect(refused.headers).toContainEqual(["Retry-After", "1"]);
    expect(incidents).toMatchObject([{ kind: "hook", error: new Error("redis") }]);
  });

  test.each(["accept", "refuse"] as const)(
    "reports a failing store 20 times a minute, and then the number of the other requests (%s)",
    async (onStoreFailure) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const events: CallEvent[] = [];
      const rate = { requests: 9, window: 1, store: rejecting, onStoreFailure } as const;
      const whole = routerOf(rateLimitedRoutes(served().routes, rate), { onCall: (event) => void events.push(event) });
      const single = served({}, { use: rateLimit({ ...rate, by: () => "all" }) });
      const { send } = routerOf(single.routes);
      for (let count = 0; count < 50; count += 1) {
        await whole.send("a");
        await send("a");
      }
      expect([whole.incidents.length, single.incidents.length]).toEqual([20, 20]);
      vi.advanceTimersByTime(60_000);
      for (const incidents of [whole.incidents, single.incidents]) {
        expect(incidents.slice(20)).toMatchObject([
          {
            kind: "hook",
            message: expect.stringMatching(/store failed.* This occurred 30 more times within a minute/),
          },
        ]);
      }
      // The event of each refused call has its error.
      expect(events.filter(({ error }) => error !== undefined)).toHaveLength(onStoreFailure === "refuse" ? 50 : 0);
    },
  );

  test("reports once that it counts nothing, if the platform gives no address", async () => {
    const onError = vi.fn<(incident: ServerIncident) => void>();
    const router = createRouter([rateLimitedRoutes(served().routes, { requests: 1, window: 10_000 })], { onError });
    for (const _ of [1, 2, 3]) {
      expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
    }
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ kind: "config", message: expect.stringContaining('the option "remoteAddress"') })],
    ]);
  });

  test("keeps the highest counts if there are too many keys", async () => {
    const store = memoryStore(() => 0);
    const countTimes = async (key: string, times: number) => {
      let dropped = 0;
      for (let time = 0; time < times; time += 1) {
        dropped += (await store.count(key, 1)).droppedKeys ?? 0;
      }
      return dropped;
    };
    await countTimes("exhausted", 3);
    let dropped = 0;
    for (let index = 0; index < 150_000; index += 1) {
      dropped += await countTimes(`invented ${index}`, 1);
    }
    expect(dropped).toBe(60_000);
    expect(await store.count("exhausted", 1)).toMatchObject({ requests: 4 });
    expect(await store.count("invented 149999", 1)).toMatchObject({ requests: 2 });
    expect(await store.count("invented 0", 1)).toMatchObject({ requests: 1 });
  });

  test("first forgets the keys whose windows have ended", async () => {
    let time = 0;
    const store = memoryStore(() => time);
    for (let index = 0; index < 100_000; index += 1) {
      store.count(`old ${index}`, 10);
      store.count(`old ${index}`, 10);
    }
    time = 10;
    expect(await store.count("new", 10)).toEqual({ requests: 1, resetsIn: 10, droppedKeys: 0 });
    expect(await store.count("old 1", 10)).toMatchObject({ requests: 1 });
  });

  test("counts long keys by their hashes, so that they neither take much memory nor displace others", async () => {
    const store = memoryStore(() => 0);
    const createKey = (index: number) => String(index).padStart(14_500, "k");
    await store.count("victim", 1);
    for (let index = 0; index < 2_000; index += 1) {
      expect(await store.count(createKey(index), 1)).toMatchObject({ requests: 1, droppedKeys: 0 });
    }
    expect(await store.count("victim", 1)).toMatchObject({ requests: 2 });
    expect(await store.count(createKey(7), 1)).toMatchObject({ requests: 2 });
  });

  test("is reported if its store drops counts, and the requests are answered", async () => {
    const store: RateLimitStore = { count: () => ({ requests: 1, resetsIn: 1, droppedKeys: 10_000 }) };
    const rate = { requests: 1, window: 1, store };
    const { send, incidents } = routerOf(rateLimitedRoutes(served().routes, rate));
    expect((await send("a")).status).toBe(200);
    const message = expect.stringContaining("dropped the lowest counts, of 10000 keys");
    expect(incidents).toMatchObject([{ kind: "hook", message }]);
    const { routes, incidents: reported } = served({}, { use: rateLimit({ ...rate, by: () => "all" }) });
    expect((await routerOf(routes).send("a")).status).toBe(200);
    expect(reported).toMatchObject([{ kind: "hook", message }]);
  });
});

const byPrincipal = ({ context }: { readonly context: CallContext }) => context.principal as string | undefined;

describe("a rate of calls", () => {
  test("is counted for each principal of a SOAP service, and refused with a fault that is reported", async () => {
    const { routes, incidents } = served(
      {},
      {
        authenticate: ({ headers }) => headers.get("x-user"),
        use: rateLimit({ requests: 1, window: 60_000, by: byPrincipal }),
      },
    );
    const { send } = routerOf(routes);
    const user = (name: string) => [["X-User", name]] as const;
    const answers = [await send("a", user("ada")), await send("b", user("ada")), await send("a", user("bob"))];
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(answers[1]?.headers).toContainEqual(["Retry-After", "60"]);
    expect(String(answers[1]?.body)).toContain("<faultcode>soap:Server</faultcode>");
    expect(String(answers[1]?.body)).toContain("Too many requests");
    expect(incidents).toMatchObject([{ kind: "limit.rate", operation: "Find" }]);
  });

  test("is refused with 429 over REST", async () => {
    const incidents: ServerIncident[] = [];
    const use = rateLimit({ requests: 1, window: 30_000, by: ({ context }) => context.remoteAddress });
    const { get } = routerOf(site({ use, onError: (incident) => void incidents.push(incident) }));
    expect((await get("a")).status).toBe(200);
    const refused = await get("a");
    expect(refused).toMatchObject({ status: 429, faultCode: "rest_too_many_requests" });
    expect(refused.headers).toContainEqual(["Retry-After", "30"]);
    expect(incidents).toMatchObject([{ kind: "limit.rate" }]);
  });
});

describe("a rate of calls whose store fails", () => {
  const limit = (onStoreFailure: "accept" | "refuse", store: RateLimitStore) =>
    rateLimit({ requests: 0, window: 1, by: () => "all", store, onStoreFailure, storeTimeout: 20 });
  const failure = {
    kind: "hook",
    message: "The rate-limit store failed, so the request was answered without being counted.",
  };
  const refusal = { kind: "hook", message: "The rate-limit store failed, so the request was refused." };

  test.each(failingStores)("is reported with its call, which continues, if the store $name", async ({ store }) => {
    const { routes, incidents } = served({}, { use: limit("accept", store) });
    expect((await routerOf(routes).send("a")).status).toBe(200);
    expect(incidents).toMatchObject([{ ...failure, operation: "Find", protocol: "soap11", method: "POST" }]);
  });

  test("is reported with the route of a REST call", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const { get } = routerOf(site({ use: limit("accept", rejecting), onError }));
    expect((await get("a")).status).toBe(200);
    expect(incidents).toMatchObject([{ ...failure, protocol: "rest", route: expect.stringContaining("/items") }]);
  });

  test("is the error of the call's event only if it ends the call", async () => {
    const events: CallEvent[] = [];
    const onCall = (event: CallEvent) => void events.push(event);
    const throwing = () => {
      throw new Error("handler");
    };
    const rate = { requests: 9, window: 1, store: rejecting };
    for (const routes of [
      served({}, { use: limit("accept", rejecting) }).routes,
      served({ find: throwing }, { use: limit("accept", rejecting) }).routes,
      served({}, { use: limit("refuse", rejecting) }).routes,
      rateLimitedRoutes(served().routes, rate),
      rateLimitedRoutes(served().routes, { ...rate, onStoreFailure: "refuse" }),
    ]) {
      await routerOf(routes, { onCall }).send("a");
    }
    const { get } = routerOf(site({ use: limit("accept", rejecting), onError: () => {} }), { onCall });
    await get("a");
    expect(events.map(({ status, error }) => `${status} ${error?.message}`)).toEqual([
      "200 undefined",
      "500 The handler threw an exception.",
      `503 ${refusal.message}`,
      "200 undefined",
      `503 ${refusal.message}`,
      "200 undefined",
    ]);
  });

  test("refuses calls with 503 if the option says so", async () => {
    const { routes, incidents } = served({}, { use: limit("refuse", rejecting) });
    const refused = await routerOf(routes).send("a");
    expect(refused.status).toBe(503);
    expect(refused.headers).toContainEqual(["Retry-After", "1"]);
    expect(incidents).toMatchObject([refusal]);
  });

  test("refuses calls with 503 over REST if the option says so", async () => {
    const { get } = routerOf(site({ use: limit("refuse", rejecting), onError: () => {} }));
    expect(await get("a")).toMatchObject({ status: 503, faultCode: "rest_busy" });
  });
});

describe("the options of a rate", () => {
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test.each([Number.POSITIVE_INFINITY, 3e9])(
    "with a storeTimeout of %s wait for a slow store",
    async (storeTimeout) => {
      const store: RateLimitStore = { count: () => pause(30).then(() => ({ requests: 2, resetsIn: 1 })) };
      const rate = { requests: 1, window: 1, store, storeTimeout };
      const { send, incidents } = routerOf(rateLimitedRoutes(served().routes, rate));
      expect((await send("a")).status).toBe(429);
      expect(incidents).toMatchObject([{ kind: "limit.rate" }]);
    },
  );

  test.each([
    [Number.NaN, "1"],
    [-1, "1"],
    [1e12, "1000000000"],
    [1e30, "2147483647"],
    [Number.POSITIVE_INFINITY, "2147483647"],
  ])("write a whole number into Retry-After if the store returns resetsIn %s", async (resetsIn, seconds) => {
    const store: RateLimitStore = { count: () => ({ requests: 2, resetsIn }) };
    const { send } = routerOf(rateLimitedRoutes(served().routes, { requests: 1, window: 1, store }));
    expect((await send("a")).headers).toContainEqual(["Retry-After", seconds]);
  });

  test("may have a window that does not end", async () => {
    const { send } = routerOf(rateLimitedRoutes(served().routes, { requests: 1, window: Number.POSITIVE_INFINITY }));
    await send("a");
    expect((await send("a")).headers).toContainEqual(["Retry-After", "2147483647"]);
  });

  test.each([
    '{ "storeTimeout": 0 }',
    '{ "storeTimeout": -1 }',
    '{ "storeTimeout": "1000" }',
    '{ "storeTimeout": null }',
    '{ "onStoreFailure": "reject" }',
    '{ "onStoreFailure": null }',
  ])("must not be %s", (text) => {
    const rate = { requests: 1, window: 1, ...JSON.parse(text) };
    expect(() => rateLimitedRoutes(served().routes, rate)).toThrow(ConfigError);
    expect(() => rateLimit({ ...rate, by: () => "all" })).toThrow(ConfigError);
  });

  test.each([undefined, "user"])("refuses %s in place of the function by", (by) => {
    expect(() => rateLimit({ requests: 1, window: 1_000, by: by as never })).toThrow(
      new ConfigError(
        `The option "by" of rateLimit must be a function, not ${by === undefined ? "undefined" : "a string"}.`,
      ),
    );
  });

  test("must not have the storeTimeout NaN", () => {
    const rate = { requests: 1, window: 1, storeTimeout: Number.NaN };
    expect(() => rateLimitedRoutes(served().routes, rate)).toThrow(/storeTimeout/);
  });
});

describe("a limit of concurrency", () => {
  /** A service whose handler ends on request. */
  function slow(queue: number) {
    const ends: (() => void)[] = [];
    const { routes, incidents } = served(
      { find: () => new Promise((resolve) => ends.push(() => resolve({ Name: "a" }))) },
      { use: concurrencyLimit({ operations: { Find: 1 }, queue }), limits: { handlerTimeout: 200 } },
    );
    return { ...routerOf(routes), reported: incidents, ends };
  }
  const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

  test("refuses further calls of the operation with a fault, which is reported", async () => {
    const { send, ends, reported } = slow(0);
    const first = send("a");
    await tick();
    const second = await send("a");
    expect(second.status).toBe(503);
    expect(second.headers).toContainEqual(["Retry-After", "1"]);
    expect(String(second.body)).toContain("The server is busy");
    expect(reported).toMatchObject([{ kind: "limit.concurrency", limit: { value: 1 } }]);
    ends[0]?.();
    expect((await first).status).toBe(200);
    const third = send("a");
    await tick();
    ends[1]?.();
    expect((await third).status).toBe(200);
  });

  test("lets as many wait as the queue has places, in order", async () => {
    const { send, ends } = slow(1);
    const [first, second] = [send("a"), send("a")];
    await tick();
    expect((await send("a")).status).toBe(503);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect((await first).status).toBe(200);
    await tick();
    ends[1]?.();
    expect((await second).status).toBe(200);
  });

  test("frees the place of a call that waits for too long", async () => {
    const { send, ends } = slow(1);
    const answers = await Promise.all([send("a"), send("a")]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await tick();
    const third = send("a");
    await tick();
    ends[1]?.();
    expect((await third).status).toBe(200);
  });

  test("names handlers that keep their places although they have timed out", async () => {
    const { send, ends, reported } = slow(1);
    await send("a");
    expect((await send("a")).status).toBe(500);
    const refused = [send("a"), send("a")];
    await Promise.all(refused);
    const held = "1 of them have exceeded their time limit, and keep their places until they end.";
    expect(reported.map(({ kind }) => kind).sort()).toEqual([
      "limit.concurrency",
      "limit.handlerTimeout",
      "limit.handlerTimeout",
      "limit.handlerTimeout",
    ]);
    const [first, ...others] = reported;
    expect(first?.message).toMatch(/^The handler did not answer within 200 ms\./);
    for (const { kind, message } of others) {
      expect(message).toContain(held);
      expect(message).not.toContain('"use"');
      if (kind === "limit.handlerTimeout") {
        expect(message).toContain("The call waited in the queue of concurrencyLimit until its time limit of 200 ms");
      }
    }
    expect(ends).toHaveLength(1);
    ends[0]?.();
  });

  test("says that handlers are slow if a call timed out while it waited for one that is in time", async () => {
    const { send, ends, reported } = slow(1);
    await send("a");
    const waiting = send("a");
    await tick();
    ends[0]?.();
    await tick();
    const last = send("a");
    await Promise.all([waiting, last]);
    expect(reported.map(({ message }) => message.replace(/:.*handlers\./, ""))).toEqual([
      expect.stringContaining("The handler did not answer"),
      expect.stringContaining("The handler did not answer"),
      expect.stringContaining("exceeded their time limit"),
    ]);
  });

  test("must name operations of the routes that share it", () => {
    const limited = (names: readonly string[]) =>
      concurrencyLimit({ operations: Object.fromEntries(names.map((name) => [name, 1])) });
    const routesWith = (use: ReturnType<typeof limited>) => served({}, { use }).routes;
    expect(() => createRouter([routesWith(limited(["Find", "Ping"]))])).not.toThrow();
    const misspelled = routesWith(limited(["Fnid"]));
    for (const routes of [
      misspelled,
      combineRoutes("all", [misspelled]),
      recordedRoutes(misspelled, { write: () => {} }),
    ]) {
      expect(() => createRouter([routes])).toThrow(
        /"Fnid", which is not an operation of these routes\. Did you mean "Find"\?/,
      );
    }
    const shared = limited(["Find", "items.list"]);
    expect(() => createRouter([routesWith(shared)])).toThrow(/"items\.list"/);
    const items = { name: "items", guarded: [{ operations: ["items.list"], use: [shared] }], answer: () => undefined };
    expect(() => createRouter([routesWith(shared), items])).not.toThrow();
  });

  test("must be a whole number", () => {
    expect(() => concurrencyLimit({ operations: { Find: 1.5 } })).toThrow(ConfigError);
  });
});
