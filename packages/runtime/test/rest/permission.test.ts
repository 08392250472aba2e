import { describe, expect, test, vi } from "vitest";
import { RestError, rateLimitedRoutes, type ServerIncident } from "../../src/server/index.js";
import { send, site } from "./site.js";

test("authorize is called with the valid input, and determines the Allow header", async () => {
  const calls: string[] = [];
  const routes = site({
    authorize: ({ operation, method, input }) => {
      calls.push(`${operation} ${method} ${JSON.stringify(input)}`);
      return method === "GET";
    },
  });
  expect((await send(routes, "POST /core/v2/items", { json: { status: "bogus" } })).status).toBe(400);
  const refused = await send(routes, "POST /core/v2/items", { json: { author: 1 } });
  expect(refused.json).toEqual({
    code: "rest_forbidden",
    message: "Sorry, you are not allowed to do that.",
    data: { status: 401 },
  });
  expect(refused.header("Allow")).toBe("GET");
  expect(calls).toContain('core.items.create POST {"author":1}');
  const known = await send(routes, "POST /core/v2/items", { headers: { Authorization: "Basic eA==" } });
  expect(known.status).toBe(403);
  expect((await send(routes, "GET /core/v2/items")).status).toBe(200);
});

test.each([
  ["a known user", { id: 1 }, {}, 403],
  ["a known user with credentials", { id: 1 }, { Authorization: "Basic eA==" }, 403],
  ["an unknown user with credentials", undefined, { Authorization: "Basic eA==" }, 403],
  ["an unknown user", undefined, {}, 401],
])("a refused call of %s gets the status of WordPress", async (_, principal, headers, status) => {
  for (const authenticate of [() => principal, async () => principal]) {
    const routes = site({ authenticate, authorize: () => false });
    expect((await send(routes, "GET /core/v2/items", { headers })).status).toBe(status);
  }
});

test.each([
  [true, 200],
  [false, 401],
])("authorize may return any thenable, of %s", async (isAllowed, status) => {
  // biome-ignore lint/suspicious/noThenProperty: a promise without its method catch
  const thenable = { then: (fulfil: (value: boolean) => void) => fulfil(isAllowed) };
  const routes = site({ authorize: () => thenable as Promise<boolean> });
  expect((await send(routes, "GET /core/v2/items")).status).toBe(status);
});

const noDirectory = (): never => {
  throw new Error("no directory");
};

test.each([
  ["for the Allow header", "GET", 200],
  ["for the call too", "none", 500],
])("if authorize throws %s, this is reported once", async (_, allowed, status) => {
  const incidents: ServerIncident[] = [];
  const routes = site({
    authorize: ({ method }) => method === allowed || noDirectory(),
    onError: (incident) => void incidents.push(incident),
  });
  expect((await send(routes, "GET /core/v2/items/4")).status).toBe(status);
  expect(incidents).toHaveLength(1);
  expect(incidents[0]).toMatchObject({
    kind: "handler",
    message: expect.stringContaining('The function in the option "authorize" threw an exception.'),
    error: new Error("no directory"),
    route: "/core/v2/items/(?P<id>[\\d]+)",
  });
  expect(incidents[0]?.message.includes("header Allow")).toBe(status === 200);
});

test("authorize may refuse methods of the Allow header with errors, which are not reported", async () => {
  const incidents: ServerIncident[] = [];
  const routes = site({
    authorize: ({ method }) => {
      if (method !== "GET") {
        throw new RestError({ code: "rest_no", message: "No.", status: 403 });
      }
      return true;
    },
    onError: (incident) => void incidents.push(incident),
  });
  expect((await send(routes, "GET /core/v2/items")).header("Allow")).toBe("GET");
  expect(incidents).toEqual([]);
});

const methodsOf = ({ name }: { readonly name: string }) => (name === "ada" ? ["GET", "POST", "DELETE"] : ["GET"]);
const ada = { Authorization: "Bearer ada" };

type Identify = (name: string | undefined) => { name: string } | undefined | Promise<{ name: string } | undefined>;
const identities: readonly [string, Identify][] = [
  ["returns the caller", (name) => (name === undefined ? undefined : { name })],
  ["resolves to the caller", async (name) => (name === undefined ? undefined : { name })],
];

describe.each(identities)("if authenticate %s", (_, identify) => {
  const principals: unknown[] = [];
  let identified = 0;
  const routes = site({
    authenticate({ headers }) {
      identified += 1;
      return identify(headers.get("authorization")?.slice(7));
    },
    authorize({ method, principal }) {
      principals.push(principal);
      return methodsOf((principal ?? { name: "" }) as { name: string }).includes(method);
    },
  });

  test.each([
    ["OPTIONS /core/v2/items", 200],
    ["GET /core/v2/items", 200],
    ["GET /core/v2/items?per_page=x", 400],
    ["GET /core/v2/items?_fields=id", 200],
    ["HEAD /core/v2/items", 200],
  ])("the header Allow of %s lists the methods of the caller", async (line, status) => {
    for (const [headers, allowed] of [
      [ada, "GET, POST"],
      [{}, "GET"],
    ] as const) {
      principals.length = 0;
      identified = 0;
      const answer = await send(routes, line, { headers });
      expect([answer.status, answer.header("Allow"), identified]).toEqual([status, allowed, 1]);
      expect(new Set(principals.map((principal) => JSON.stringify(principal))).size).toBe(1);
    }
  });
});

test.each([
  ["OPTIONS", "/core/v2/items", 401],
  ["GET", "/core/v2/items", 401],
  ["GET", "/core/v2/items?per_page=x", 400],
])(
  "if authenticate refuses the caller of %s %s, it is called once, and there is no Allow",
  async (method, path, status) => {
    const refusals: (() => never)[] = [
      () => {
        throw new RestError({ code: "incorrect_password", message: "Wrong.", status: 401 });
      },
      (() => Promise.reject(new RestError({ code: "incorrect_password", message: "Wrong.", status: 401 }))) as never,
    ];
    for (const refuse of refusals) {
      let count = 0;
      const authenticate = () => {
        count += 1;
        return refuse();
      };
      const authorize = vi.fn(() => true);
      const answer = await send(site({ authenticate, authorize, onError: () => {} }), `${method} ${path}`);
      expect([answer.status, answer.header("Allow"), count]).toEqual([status, undefined, 1]);
      expect(authorize).not.toHaveBeenCalled();
    }
  },
);

test("if authenticate fails while the header Allow is created, this is reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const routes = site({ authenticate: noDirectory, authorize: () => true, onError });
  expect((await send(routes, "GET /core/v2/items?per_page=x")).status).toBe(400);
  expect(incidents).toMatchObject([{ kind: "request" }, { kind: "handler", error: new Error("no directory") }]);
});

test("the input of authorize has the types of the arguments, also for the header Allow", async () => {
  const inputs: unknown[] = [];
  const routes = site({
    authorize({ method, input }) {
      inputs.push([method, input["id"]]);
      return input["id"] === 4;
    },
  });
  for (const line of ["OPTIONS /core/v2/items/4", "GET /core/v2/items/4"]) {
    inputs.length = 0;
    const answer = await send(routes, line);
    expect(answer.header("Allow")).toBe("GET, POST, PUT, PATCH, DELETE");
    expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(5);
    expect(inputs.every((input) => (input as unknown[])[1] === 4)).toBe(true);
  }
  inputs.length = 0;
  // JavaScript would round the integer, so each call would be refused.
  expect((await send(routes, "OPTIONS /core/v2/items/9007199254740993")).header("Allow")).toBeUndefined();
  expect(inputs).toEqual([]);
});

describe("a preflight request", () => {
  const preflight = { Origin: "https://a.example", "Access-Control-Request-Method": "DELETE" };
  const authenticate = vi.fn(() => ({ name: "ada" }));
  const authorize = vi.fn(() => true);
  const verifyNonce = vi.fn(() => true);
  const by = vi.fn(() => "all");
  const routes = site({ authenticate, authorize, verifyNonce, allowOrigin: () => true });
  const limited = rateLimitedRoutes(routes, { requests: 1, window: 60_000, by });
  const lines = [
    "OPTIONS /core/v2/items/4",
    "OPTIONS /core/v2/items/4?_wpnonce=n",
    "OPTIONS /core/v2/items?_jsonp=f",
    "OPTIONS /core/v2/unknown",
  ];

  const targets = {
    "with a rate limit": limited,
    "with two rate limits": rateLimitedRoutes(limited, { requests: 1, window: 60_000, by }),
    "without a rate limit": routes,
  };
  const cases = Object.entries(targets).flatMap(([name, target]) =>
    lines.map((line) => [`${line} ${name}`, target, line] as const),
  );

  test.each(cases)("calls only allowOrigin: %s", async (_, target, line) => {
    const answer = await send(target, line, { headers: { ...preflight, Cookie: "a=1" } });
    expect([answer.status, answer.header("Allow")]).toEqual([200, undefined]);
    expect(answer.header("Access-Control-Allow-Origin")).toBe("https://a.example");
    expect(answer.header("Access-Control-Allow-Methods")).toContain("DELETE");
    for (const option of [authenticate, authorize, verifyNonce, by]) {
      expect(option).not.toHaveBeenCalled();
    }
  });

  test.each([
    [
      "throws a RestError",
      () => {
        throw new RestError({ code: "rest_login", message: "Log in.", status: 401 });
      },
    ],
    [
      "throws",
      () => {
        throw new Error("The database is down.");
      },
    ],
    ["refuses", () => null as never],
    ["never ends", () => new Promise<never>(() => {})],
  ])("is answered if authenticate %s", async (_, authenticate) => {
    const answer = await send(site({ authenticate, authorize: () => true }), lines[0] ?? "", { headers: preflight });
    expect(answer.status).toBe(200);
  });

  test("gets the header Allow without a rate limit and without authenticate, as in WordPress", async () => {
    const answer = await send(site({ authorize }), "OPTIONS /core/v2/items", { headers: preflight });
    expect([answer.status, answer.header("Allow")]).toEqual([200, "GET, POST"]);
  });
});
