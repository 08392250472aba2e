import { expect, test } from "vitest";
import { RestError, type RestErrorInit } from "../../src/answer-errors.js";
import { restAnswer, restRoutes, type ServerIncident } from "../../src/server/index.js";
import { content, endpoint, endpoints, index, only, send, site } from "./site.js";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

test("the language in the argument has precedence over that in the path", async () => {
  expect((await send(site(), "GET //pt-pt/api/core/v2/items")).json["language"]).toBe("pt-pt");
  expect((await send(site(), "GET //pt-pt/api/core/v2/items?translation_language=en")).json["language"]).toBe("en");
  expect((await send(site(), "GET //?rest_route=/core/v2/items&lang=pt-pt")).json["language"]).toBe("pt-pt");
  expect((await send(site(), "GET //?rest_route=/core/v2/items&lang=fr")).json["language"]).toBe("en");
});

test("HEAD runs the handler of GET and has no body", async () => {
  const seen: string[] = [];
  const routes = site({}, (_, { method }) => {
    seen.push(method);
    return [];
  });
  const answer = await send(routes, "HEAD /core/v2/items");
  expect([answer.status, answer.body, seen]).toEqual([200, undefined, ["GET"]]);
  expect((await send(routes, "HEAD /core/v2/items?page=x")).status).toBe(400);
});

test("a RestError of authorize or of a handler is the answer", async () => {
  const error = new RestError({
    code: "rest_post_invalid_id",
    message: "Invalid post ID.",
    status: 404,
    data: { status: 1, term_id: 2 },
    headers: new Map([["Retry-After", "5"]]),
  });
  const thrower = () => {
    throw error;
  };
  for (const routes of [site({ authorize: thrower }), site({}, thrower)]) {
    const answer = await send(routes, "GET /core/v2/items");
    expect(answer.json).toEqual({
      code: "rest_post_invalid_id",
      message: "Invalid post ID.",
      data: { status: 404, term_id: 2 },
    });
    expect(answer.header("Retry-After")).toBe("5");
  }
});

const cookies: (readonly [string, string])[] = [
  ["Set-Cookie", "a=1; Path=/"],
  ["Set-Cookie", "b=2, c"],
  ["Retry-After", "5"],
];
const forms: readonly (readonly [string, () => NonNullable<RestErrorInit["headers"]>])[] = [
  ["pairs", () => cookies],
  ["the class Headers", () => new Headers(cookies.map(([name, value]): [string, string] => [name, value]))],
];

test.each(forms)("a RestError can set several cookies with %s", async (_, headers) => {
  const thrower = () => {
    throw new RestError({ code: "x", message: "x", status: 403, headers: headers() });
  };
  const answer = await send(site({}, thrower), "GET /core/v2/items");
  const lines = answer.headers.filter(([name]) => /^(?:set-cookie|retry-after)$/i.test(name));
  expect(lines.map(([name, value]) => [name.toLowerCase(), value]).sort()).toEqual([
    ["retry-after", "5"],
    ["set-cookie", "a=1; Path=/"],
    ["set-cookie", "b=2, c"],
  ]);
});

test("a RestError keeps the headers of an iterator", async () => {
  const error = new RestError({
    code: "x",
    message: "x",
    status: 403,
    headers: new Map([["Retry-After", "5"]]).entries(),
  });
  expect(error.headers.get("Retry-After")).toBe("5");
  const answer = await send(
    site({}, () => Promise.reject(error)),
    "GET /core/v2/items",
  );
  expect(answer.header("Retry-After")).toBe("5");
});

test("headers of an error from another server are not sent", async () => {
  const error = new RestError({
    code: "x",
    message: "x",
    status: 404,
    address: "http://a.example",
    headers: new Map([["set-cookie", "a=b"]]),
  });
  const answer = await send(
    site({}, () => Promise.reject(error)),
    "GET /core/v2/items",
  );
  expect([answer.status, answer.header("Set-Cookie")]).toEqual([500, undefined]);
});

const cyclic: { self?: unknown } = {};

cyclic.self = cyclic;

test.each([
  {
    kind: "throws an error",
    handler: () => {
      throw new Error("secret");
    },
  },
  {
    kind: "throws a string",
    handler: () => {
      throw "secret";
    },
  },
  {
    kind: "throws undefined",
    handler: () => {
      throw undefined;
    },
  },
  {
    kind: "rejects late",
    handler: async () => {
      await Promise.resolve();
      throw new Error("secret");
    },
  },
  { kind: "answers a cycle", handler: () => cyclic, incident: "encode" },
  { kind: "returns nothing", handler: () => undefined, incident: "encode" },
  { kind: "resolves to nothing", handler: async () => undefined, incident: "encode" },
  { kind: "answers a bigint", handler: () => ({ a: 1n }), incident: "encode" },
  {
    kind: "sends a header with a line end",
    handler: () => restAnswer({ headers: { a: "b\r\nc: secret" } }),
    incident: "encode",
  },
  {
    kind: "throws an error of no status",
    handler: () => {
      throw new RestError({ code: "x", message: "secret", status: 99 });
    },
  },
])("a handler that $kind is answered with a constant 500, and reported", async ({ handler, incident = "handler" }) => {
  const incidents: ServerIncident[] = [];
  const answer = await send(site({ onError: (incident) => incidents.push(incident) }, handler), "GET /core/v2/items");
  expect(answer.json).toEqual({
    code: "internal_server_error",
    message: "The server failed to answer the request.",
    data: { status: 500 },
  });
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(incidents).toMatchObject([{ kind: incident, operation: "core.items.list" }]);
});

test.each([
  [99, "99"],
  [100, "100"],
  [600, "600"],
  [200.5, "200.5"],
  [Number.NaN, "NaN"],
  ["201" as never, "a string"],
])("a handler that answers with the status %s is answered with a constant 500, and blamed", async (status, shown) => {
  const incidents: ServerIncident[] = [];
  const handler = () => restAnswer({ status, body: [] });
  const answer = await send(site({ onError: (incident) => incidents.push(incident) }, handler), "GET /core/v2/items");
  expect([answer.status, answer.json]).toMatchObject([500, { code: "internal_server_error", data: { status: 500 } }]);
  const message = `The status of the answer must be an integer from 200 to 599, not ${shown}.`;
  expect(incidents).toMatchObject([{ kind: "encode", operation: "core.items.list", error: { message } }]);
});

test.each([
  ["X-A", "a\nb", 'HTTP does not allow a character in the value of the header "X-A".'],
  ["X-A", "\u20ac", 'HTTP does not allow a character in the value of the header "X-A".'],
  ["X A", "a", 'HTTP does not allow the name of the header "X A".'],
  ["X-A", undefined, 'The value of the header "X-A" must be a string, not undefined. Leave it out if it has no value.'],
  ["X-A", ["a"], 'The value of the header "X-A" must be a string, not an array. Leave it out if it has no value.'],
])("an answer with the header %j: %j is replaced by a constant 500, and reported", async (name, value, message) => {
  const incidents: ServerIncident[] = [];
  const handler = () => restAnswer({ headers: { [name]: value as never }, body: [] });
  const answer = await send(site({ onError: (incident) => incidents.push(incident) }, handler), "GET /core/v2/items");
  expect([answer.status, answer.json]).toMatchObject([500, { code: "internal_server_error", data: { status: 500 } }]);
  expect(incidents).toMatchObject([{ kind: "encode", operation: "core.items.list", error: { message } }]);
});

test("a handler may answer with null, or with a status and no body", async () => {
  for (const [handler, status, body] of [
    [() => null, 200, null],
    [() => restAnswer({}), 200, null],
    [() => restAnswer({ status: 204 }), 204, undefined],
  ] as const) {
    const answer = await send(site({}, handler), "GET /core/v2/items");
    expect([answer.status, answer.json]).toEqual([status, body]);
  }
});

test("a handler that takes too long is answered with 503, and its signal is aborted", async () => {
  let aborted = false;
  const routes = site({ limits: { handlerTimeout: 20 } }, (_, { signal }) => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  });
  const answer = await send(routes, "GET /core/v2/items");
  expect([answer.status, answer.header("Retry-After"), aborted]).toEqual([503, "1", true]);
});

const never = () => new Promise<never>(() => undefined);

test.each([
  ["authenticate", { authenticate: never }],
  ["authorize", { authorize: never }],
  ["verifyNonce", { verifyNonce: never }],
] as const)(
  "%s that takes too long is answered with 503 as a handler is, and its incident names it",
  async (option, options) => {
    const incidents: ServerIncident[] = [];
    let calls = 0;
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const routes = site({ ...options, onError, limits: { handlerTimeout: 20 } }, () => ++calls);
    const answer = await send(routes, "GET /core/v2/items", { headers: { "X-WP-Nonce": "x" } });
    expect([answer.status, answer.header("Retry-After"), calls]).toEqual([503, "1", 0]);
    const text = `The function in the option "${option}" did not answer within 20 ms.`;
    const limit = { name: "handlerTimeout", value: 20, option: "limits.handlerTimeout" };
    const endpoint = { operation: "core.items.list", route: "/core/v2/items" };
    expect(incidents).toMatchObject([
      { kind: "limit.handlerTimeout", message: expect.stringContaining(text), ...endpoint, limit },
    ]);
  },
);

test("the signal of authenticate and authorize is aborted when they take too long", async () => {
  for (const option of ["authenticate", "authorize"] as const) {
    let aborted: AbortSignal | undefined;
    const hook = ({ signal }: { readonly signal: AbortSignal }) => {
      aborted ??= signal;
      return never();
    };
    const routes = site({ [option]: hook, limits: { handlerTimeout: 20 } });
    expect((await send(routes, "GET /core/v2/items")).status).toBe(503);
    expect(aborted?.aborted).toBe(true);
  }
});

test("a handler has the time of a limit that is longer than a timer allows", async () => {
  const wait = () => new Promise((resolve) => setTimeout(() => resolve([]), 20));
  const routes = site({ limits: { handlerTimeout: Number.POSITIVE_INFINITY } }, wait);
  expect((await send(routes, "GET /core/v2/items")).status).toBe(200);
});

test("authenticate, authorize and the handler share the time of one call", async () => {
  const wait = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 60));
  const options = { authenticate: wait, authorize: wait };
  const routes = site({ ...options, limits: { handlerTimeout: 150 } }, wait);
  expect((await send(routes, "GET /core/v2/items")).status).toBe(503);
});

test("the header Allow omits the methods for which authorize takes too long, and the answer is sent", async () => {
  const incidents: ServerIncident[] = [];
  const checkedMethods: string[] = [];
  const authorize = ({ method }: { readonly method: string }) => {
    checkedMethods.push(method);
    return method === "GET" || never();
  };
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const routes = site({ authorize, onError, limits: { handlerTimeout: 20 } });
  const answer = await send(routes, "GET /core/v2/items");
  expect([answer.status, answer.header("Allow")]).toEqual([200, "GET"]);
  expect(checkedMethods).toEqual(["GET", "POST"]);
  expect(incidents).toMatchObject([
    { kind: "limit.handlerTimeout", operation: "core.items.create", message: expect.stringContaining('"authorize"') },
  ]);
  expect((await send(routes, "OPTIONS /core/v2/items")).status).toBe(200);
});

test("a request over a limit is refused, and reported with the limit", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const routes = site({ onError, limits: { bodyBytes: 10, queryPairs: 2, formPairs: 2, jsonDepth: 1 } });
  const large = await send(routes, "POST /core/v2/items", { json: { author: 11111 } });
  expect([large.status, large.close]).toEqual([413, true]);
  expect((await send(routes, "GET /core/v2/items?a=1&b=2&c=3")).status).toBe(414);
  expect((await send(routes, "POST /core/v2/items", { headers: form, body: "a&b&c" })).status).toBe(413);
  expect((await send(routes, "POST /core/v2/items", { json: [[1]] })).status).toBe(400);
  expect(incidents.map(({ kind }) => kind)).toEqual([
    "limit.bodyBytes",
    "limit.queryPairs",
    "limit.formPairs",
    "limit.jsonDepth",
  ]);
});

test("a compressed body is refused before it is read", async () => {
  const answer = await send(site(), "POST /core/v2/items", { headers: { "Content-Encoding": "gzip" }, body: "x" });
  expect(answer.status).toBe(415);
});

test("the context of a handler has the headers, route, path and body", async () => {
  const items = {
    ...Object.fromEntries(["list", "create", "get", "delete"].map((name) => [name, () => null])),
    update: (
      _: unknown,
      context: { headers: ReadonlyMap<string, string>; route: string; params: object; body: Uint8Array },
    ) => ({
      header: context.headers.get("x-a"),
      route: context.route,
      params: context.params,
      body: new TextDecoder().decode(context.body),
    }),
    parts: { create: () => null, get: () => null },
  };
  const routes = restRoutes({ interface: content, endpoints, handlers: { core: { items } }, index });
  const { json } = await send(routes, "PUT /core/v2/items/04", {
    headers: { "X-A": "1", "Content-Type": "image/png" },
    body: "png",
  });
  expect(json).toEqual({ header: "1", route: "/core/v2/items/(?P<id>[\\d]+)", params: { id: "04" }, body: "png" });
});

test("a missing handler is an error at the start; members of Object.prototype are not handlers", () => {
  const service = { interface: content, endpoints, handlers: { core: {} }, index };
  expect(() => restRoutes(service)).toThrow(
    'There is no handler for the endpoint core.items.list. Add it, or set the option "missing".',
  );
  const odd = [
    endpoint("toString", ["GET"], ["/core/v2/items"]),
    endpoint("core.valueOf", ["GET"], ["/core/v2/items"]),
  ];
  expect(() => restRoutes({ ...service, endpoints: odd.slice(0, 1) })).toThrow(
    'There is no handler for the endpoint toString. Add it, or set the option "missing".',
  );
  expect(() => restRoutes({ ...service, endpoints: odd.slice(1) })).toThrow(
    'There is no handler for the endpoint core.valueOf. Add it, or set the option "missing".',
  );
});

test('an endpoint without a handler answers 501 with `missing: "error"`', async () => {
  const routes = restRoutes({ interface: content, endpoints, handlers: {}, index }, { missing: "error" });
  const { status, json } = await send(routes, "GET /core/v2/items");
  expect([status, json["code"], json["message"]]).toEqual([
    501,
    "rest_not_implemented",
    "core.items.list is not implemented.",
  ]);
});

test.each([
  {
    handlers: { core: { items: { lsit: () => [] } } },
    want: 'The handler "lsit" belongs to no operation of content. Did you mean "list"?',
  },
  {
    handlers: { core: { itmes: { list: () => [] } } },
    want: 'The handler "itmes" belongs to no operation of content. Did you mean "items"?',
  },
  { handlers: { indx: () => null }, want: 'Did you mean "index"?' },
])("a handler of no endpoint with a similar name is refused: $want", ({ handlers, want }) => {
  expect(() => restRoutes({ interface: content, endpoints, handlers, index }, { missing: "error" })).toThrow(want);
});

test.each([
  { what: "function", core: () => ({ items: Object.assign(Object.create(null), { lsit: () => [] }) }), to: "lsit" },
  { what: "group", core: () => Object.assign(Object.create(null), { itmes: { list: () => [] } }), to: "itmes" },
])("a $what of a module with a similar name is named when the endpoint is called", async ({ core, to }) => {
  const incidents: ServerIncident[] = [];
  const handlers = { core: core() };
  const routes = restRoutes(
    { interface: content, endpoints, handlers, index },
    { missing: "error", onError: (incident) => void incidents.push(incident) },
  );
  expect(incidents).toEqual([]);
  expect((await send(routes, "GET /core/v2/items")).status).toBe(501);
  const message = expect.stringContaining(`core.items.list. If the name ${to} is a misspelling of `);
  expect(incidents).toMatchObject([{ kind: "config", operation: "core.items.list", message }]);
});

test("handlers may be methods of a class", async () => {
  class Items {
    readonly #names = ["a"];
    list() {
      return this.#names;
    }
  }
  const routes = restRoutes({
    interface: content,
    endpoints: only.list,
    handlers: { core: { items: new Items() } },
    index,
  });
  expect((await send(routes, "GET /core/v2/items")).json).toEqual(["a"]);
});

test.each([undefined, null, 1, "yes"])(
  "an authorize hook without types that returns %j refuses the call",
  async (value) => {
    const answer = await send(site({ authorize: () => value as never }), "GET /core/v2/items");
    expect(answer.status).toBe(401);
  },
);

test("an error that authenticate throws for the client is reported", async () => {
  const incidents: ServerIncident[] = [];
  const authenticate = () => {
    throw new RestError({ code: "no_session", message: "Log in.", status: 401 });
  };
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  expect(await send(site({ authenticate, onError }), "GET /core/v2/items")).toMatchObject({ status: 401 });
  expect(incidents).toMatchObject([
    {
      kind: "request",
      message: 'The function in the option "authenticate" refused the call.',
      operation: "core.items.list",
    },
  ]);
});
