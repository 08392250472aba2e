import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { checkHandlerNames } from "../../src/server/handler-names.js";
import {
  combineRoutes,
  concurrencyLimit,
  createRouter,
  healthRoutes,
  type Routes,
  rateLimit,
  rateLimitedRoutes,
  recordedRoutes,
  restAnswer,
  type ServerIncident,
  SoapFault,
} from "../../src/server/index.js";
import { send, site } from "../rest/site.js";
import { bodyOf, findBody, gist, message, requestOf, served } from "./fixture.js";

// Mistakes in the code around a server that TypeScript does not find, or that JavaScript allows.

test.each([
  [{ name: "x" }, "The routes must be a list, such as [vehicleRoutes(handlers)], and not an object."],
  [[() => ({})], "Item 1 of the list of routes is a function. Pass the results of functions, such as [vehicle"],
  [[undefined], "Item 1 of the list of routes is undefined."],
])("a router of %j is refused", (routes, text) => {
  expect(() => createRouter(routes as unknown as Routes[])).toThrow(text);
});

describe.each<[string, (routes: Routes) => Routes]>([
  ["rateLimitedRoutes", (routes) => rateLimitedRoutes(routes, { requests: 1, window: 1_000 })],
  ["recordedRoutes", (routes) => recordedRoutes(routes, { write: () => {} })],
])("%s", (owner, wrap) => {
  const advice = "Pass the result of a function, such as vehicleRoutes(handlers).";
  test.each<[string, unknown, string]>([
    [
      "a list",
      [served().routes],
      `an array. To use ${owner} for several sets of routes, combine them with combineRoutes.`,
    ],
    ["an empty list", [], `an array. To use ${owner} for several sets of routes, combine them with combineRoutes.`],
    ["undefined", undefined, `undefined. ${advice}`],
    ["null", null, `null. ${advice}`],
    ["a function that creates routes", healthRoutes, `a function. ${advice}`],
    ["a promise", Promise.resolve(served().routes), `a promise (await it). ${advice}`],
    ["handlers", { find: () => [] }, `an object. ${advice}`],
    ["a text", "/reg.asmx", `a string. ${advice}`],
  ])("refuses %s", (_, routes, text) => {
    expect(() => wrap(routes as Routes)).toThrow(
      `The first argument of ${owner} must be one set of routes, not ${text}`,
    );
  });

  test("accepts several sets of routes that are combined", () => {
    expect(() => wrap(combineRoutes("all", [served().routes, healthRoutes()]))).not.toThrow();
  });
});

describe("two sets of routes for health checks", () => {
  const mine = () => true;
  const advice = 'Call healthRoutes once, with all checks, or set its options "healthPath" and "readyPath"';

  test.each<[string, readonly Routes[]]>([
    ["/health", [healthRoutes({ checks: { mine } }), healthRoutes()]],
    ["/ready", [healthRoutes(), healthRoutes({ healthPath: "/alive", checks: { mine } })]],
    ["/health", [healthRoutes(), served().routes, healthRoutes({ readyPath: "/other" })]],
    ["/health", [combineRoutes("all", [healthRoutes(), served().routes]), healthRoutes({ readyPath: "/other" })]],
    ["/ready", [healthRoutes(), rateLimitedRoutes(healthRoutes({ healthPath: "/a" }), { requests: 1, window: 9 })]],
    ["/ready", [healthRoutes({ healthPath: "/ready", readyPath: "/b" }), healthRoutes({ healthPath: "/a" })]],
  ])("are refused if both have %s", (path, routes) => {
    expect(() => createRouter(routes)).toThrow(
      `There are two sets of routes for health checks with the path ${path}, so the second would never be called. ${advice}`,
    );
  });

  test("are refused beside a service with the same path", () => {
    expect(() => createRouter([served({}, { path: "/health" }).routes, healthRoutes()])).toThrow(
      `Both the service Things and health checks have the path /health, so the second would never be called. ${advice}`,
    );
  });

  test("with different paths are answered", async () => {
    const other = healthRoutes({ healthPath: "/a", readyPath: "/b", checks: { mine: () => false } });
    const router = createRouter([healthRoutes(), served().routes, other], { onError: () => {} });
    const statuses = await Promise.all(
      ["/health", "/ready", "/a", "/b", "/a/b"].map(async (target) => {
        const answer = await router({ ...requestOf(message("soap11", "")), method: "GET", target });
        return answer.status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 503, 404]);
  });

  test("in one call need two paths", () => {
    expect(() => healthRoutes({ readyPath: "/health" })).toThrow(
      'The options "healthPath" and "readyPath" of healthRoutes must differ, and not both be /health.',
    );
  });
});

test("combineRoutes refuses routes that are not in a list", () => {
  expect(() => combineRoutes("all", served().routes as unknown as Routes[])).toThrow("The routes must be a list");
});

test("handlers that are a promise are refused", () => {
  expect(() => checkHandlerNames(Promise.resolve({}), { names: ["find"], owner: "Things" })).toThrow(
    "The handlers of Things are a promise. Await it",
  );
});

test("a Proxy with every handler is not taken for a promise", () => {
  const handlers = new Proxy({}, { get: () => () => [], has: () => true });
  expect(() => checkHandlerNames(handlers, { names: ["find"], owner: "Things" })).not.toThrow();
});

test.each([undefined, null])("an option that throws %s is reported with this value", async (thrown) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const { routes } = served({}, { onError, authenticate: () => Promise.reject(thrown) });
  await createRouter([routes])(requestOf(message("soap11", findBody)));
  expect(incidents).toMatchObject([
    { kind: "handler", message: `The function in the option "authenticate" threw ${thrown}.` },
  ]);
});

/** Values that throw when they are examined. */
const unreadable: readonly (readonly [string, () => unknown])[] = [
  [
    "a revoked Proxy",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  ["a Proxy whose traps throw", () => new Proxy(new SoapFault({ reason: "No." }), { get: failTrap })],
];

function failTrap(): never {
  throw new Error("trap");
}

describe.each(unreadable)("%s that is thrown", (_, create) => {
  function fail(): never {
    throw create();
  }
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  beforeEach(() => void incidents.splice(0));

  test.each([
    { by: "by the handler", handlers: { find: fail }, options: {}, want: "The handler threw an exception." },
    { by: "later by the handler", handlers: { find: async () => fail() }, options: {}, want: "The handler threw an" },
    { by: "by authenticate", handlers: {}, options: { authenticate: fail }, want: 'The function in the option "auth' },
    { by: "by a middleware", handlers: {}, options: { use: fail }, want: 'The function in the option "use" threw an' },
  ])("$by is answered with a fault", async ({ handlers, options, want }) => {
    const { routes } = served(handlers, { onError, ...options });
    const answer = await createRouter([routes])(requestOf(message("soap11", findBody)));
    expect(gist(answer)).toBe("500 soap:Server +detail");
    expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message: expect.stringContaining(want) }]);
    expect(String(incidents[0]?.error)).toContain("The value that was thrown cannot be read");
  });

  test.each([
    { by: "by the handler", handler: fail, options: {} },
    { by: "by authenticate", handler: () => [], options: { authenticate: fail } },
  ])("$by is answered with an error of REST", async ({ handler, options }) => {
    const answer = await send(site({ onError, ...options }, handler), "GET /core/v2/items");
    expect([answer.status, String(answer.body)]).toEqual([500, expect.stringContaining('"code":')]);
    expect(incidents).toMatchObject([{ kind: "handler" }]);
  });

  test("after the client has disconnected ends no process", async () => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    onTestFinished(() => void process.off("unhandledRejection", onRejection));
    const controller = new AbortController();
    const { routes } = served({ find: () => delay(5).then(fail) }, { onError });
    const { signal } = controller;
    const answer = createRouter([routes])({ ...requestOf(message("soap11", findBody)), signal, disconnectedAt: 1 });
    controller.abort();
    expect(gist(await answer)).toBe("500 soap:Server +detail");
    await delay(5);
    expect(rejections).toEqual([]);
  });
});

test("a header block that the operation does not declare is reported once", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const wrong = { Serverr: { Id: 1 }, unset: undefined };
  const fault = new SoapFault({ code: "Client", reason: "No.", soapHeaders: wrong });
  let calls = 0;
  const { routes } = served(
    {
      find: (_, { sendSoapHeaders }) => {
        calls += 1;
        if (calls === 3) {
          throw fault;
        }
        sendSoapHeaders(calls === 1 ? { unset: undefined } : wrong);
        return {};
      },
    },
    { onError },
  );
  const router = createRouter([routes]);
  for (const count of [0, 1, 1]) {
    const answer = await router(requestOf(message("soap11", findBody)));
    expect(bodyOf(answer)).not.toContain("Serverr");
    expect(incidents).toHaveLength(count);
  }
  expect(incidents).toMatchObject([
    {
      kind: "handler",
      operation: "Find",
      message: expect.stringContaining('The handler set the header block "Serverr", which the operation does not'),
    },
  ]);
});

test("bytes without a Content-Type are reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const bytes = new TextEncoder().encode("[1]");
  for (const [result, count] of [
    [restAnswer({ body: bytes, headers: { "content-type": "text/plain" } }), 0],
    [bytes, 1],
  ] as const) {
    const answer = await send(
      site({ onError }, () => result as never),
      "GET /core/v2/items",
    );
    expect(answer.status).toBe(200);
    expect(incidents).toHaveLength(count);
  }
  expect(incidents[0]?.message).toContain("The handler's answer is bytes without the header Content-Type");
});

test("a stream in an answer is refused", async () => {
  const { Readable } = await import("node:stream");
  for (const stream of [Readable.from(["a"]), new ReadableStream(), { items: (async function* () {})() }]) {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const answer = await send(
      site({ onError }, () => stream as never),
      "GET /core/v2/items",
    );
    expect(answer.status).toBe(500);
    expect(String(incidents[0]?.error)).toContain("is a stream or another asynchronous list, which JSON cannot");
  }
});

test("a result of allowOrigin that is not a boolean is reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const origin = "https://page.example";
  const routes = site({ onError, allowOrigin: () => origin as never });
  const answer = await send(routes, "GET /core/v2/items", { headers: { Origin: origin } });
  expect(answer.status).toBe(200);
  expect(incidents).toMatchObject([{ kind: "handler" }]);
  expect(String(incidents[0]?.error)).toContain("The function returned a string. It must return true or false.");
});

test.each([
  ["rateLimit", rateLimit],
  ["concurrencyLimit", concurrencyLimit],
])("%s in the option use, without a call, is named", async (owner, use) => {
  const incidents: ServerIncident[] = [];
  const { routes } = served({}, { use: use as never, onError: (incident) => void incidents.push(incident) });
  expect(gist(await createRouter([routes])(requestOf(message("soap11", findBody))))).toBe("500 soap:Server +detail");
  expect(String(incidents[0]?.error)).toContain(
    `The option "use" contains ${owner} instead of its result. Call it with its options: use: [${owner}({ … })].`,
  );
});
