import { expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { wordpressConventions } from "../../src/rest/wordpress-conventions.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { restAnswer, type ServerIncident } from "../../src/server/index.js";
import { KnownRequests, type RouteTarget } from "../../src/server/rest/request-target.js";
import { index, listArgs, send, site } from "./site.js";

// A server caches what a GET request means when it arrives for the second time.

const repetitions = [1, 2, 3, 4];
const headers = { Authorization: "Basic eDp5" };

test.each([
  "GET /core/v2/items",
  "HEAD /core/v2/items?page=2",
  "GET /core/v2/items?include=1,2,3&status[]=draft&unknown[a][b]=1",
  "GET /core/v2/items?include[3]=4&_fields=input.include",
  "GET /core/v2/items?_envelope&page=2",
  "GET /core/v2/items?page=x",
  "GET /core/v2/items?_jsonp=f",
  "GET /core/v2/items/4",
  "GET /core/v2/items/4/",
  "GET /core/v2/items/4/parts/ab?page=1",
  "GET /core/v2",
  "GET /",
  "GET //pt-pt/api/core/v2/items?page=2",
  "GET //xx/api/core/v2/items?page=2",
  "GET //?rest_route=/core/v2/items&lang=pt-pt",
  "OPTIONS /core/v2/items?page=2",
  "POST /core/v2/items?author=1",
  "GET /core/v2/missing?page=2",
  "GET /core/v2/items?_method=DELETE&force=true",
  "POST /core/v2/items/4?_method=GET",
  "GET /core/v2/items?__proto__=1&constructor[prototype][x]=1&include[__proto__]=1",
  "GET /core/v2/items?_embed=1",
  "GET /core/v2/items?translation_language=pt-pt",
])("%s is answered alike each time", async (request) => {
  const routes = site({ verifyNonce: () => true });
  const firstAnswer = await send(routes, request);
  for (const _ of repetitions) {
    expect(await send(routes, request)).toEqual({ ...firstAnswer, header: expect.any(Function) });
  }
  const withCredentials = await send(site(), request, { headers });
  expect(await send(routes, request, { headers })).toEqual({ ...withCredentials, header: expect.any(Function) });
});

test("the same target with another method or with a body is another request", async () => {
  const routes = site();
  for (const _ of repetitions) {
    expect((await send(routes, "GET /core/v2/items?page=2")).json["input"]).toMatchObject({ page: 2 });
    expect((await send(routes, "POST /core/v2/items?page=2")).json["operation"]).toBe("core.items.create");
    const withBody = await send(routes, "GET /core/v2/items?page=2", { json: { page: 3 } });
    expect(withBody.json["input"]).toMatchObject({ page: 3 });
  }
});

const untyped = { ...listArgs, any: { required: false }, nested: { required: false, type: "object" } };
const document: JsonValue = JSON.parse(
  JSON.stringify(index).replace(JSON.stringify(listArgs), JSON.stringify(untyped)),
);

test.each([
  "include=1,2",
  "include[]=1&include[]=2&include[]=3",
  "status=publish,draft",
  "any[]=1&any[]=2",
  "any[a]=1&any[b]=2",
  "any[][]=1",
  "nested[a][]=1",
  "page=2",
])("a handler that changes its input from %s does not change later inputs", async (query) => {
  const inputs: string[] = [];
  const routes = site(
    {},
    (input) => {
      inputs.push(JSON.stringify(input));
      for (const value of Object.values(input)) {
        clear(value);
      }
      input["page"] = 77;
      return restAnswer({ body: [], total: 30 });
    },
    document,
  );
  const links = new Set<string | undefined>();
  for (const _ of repetitions) {
    links.add((await send(routes, `GET /core/v2/items?${query}`)).header("X-WP-TotalPages"));
  }
  expect(links.size).toBe(1);
  expect(new Set(inputs).size).toBe(1);
  expect(inputs).toHaveLength(repetitions.length);
});

function clear(value: JsonValue): void {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      clear(member ?? null);
      Reflect.set(value, name, "changed");
    }
    Reflect.set(value, "length", 0);
  }
}

test("many different requests that are repeated have their own inputs", async () => {
  const routes = site();
  for (const _ of repetitions) {
    for (let page = 1; page <= 400; page += 1) {
      const { json } = await send(routes, `GET /core/v2/items?page=${page}&search=${"x".repeat(page)}`);
      expect(json["input"]).toMatchObject({ page, search: "x".repeat(page) });
    }
  }
});

test("the addresses in answers are those of the request's host", async () => {
  const routes = site({}, () => restAnswer({ body: [], total: 30 }));
  for (const host of ["a.example", "b.example", "a.example", "b.example"]) {
    for (const secure of [false, true]) {
      const answer = await send(routes, "GET /core/v2/items?page=2", { headers: { Host: host }, secure });
      const origin = `${secure ? "https" : "http"}://${host}`;
      expect(answer.header("Link")).toContain(`<${origin}/en/api/core/v2/items?page=3>`);
    }
  }
});

test("headers decide about each request with the same target", async () => {
  const target = "GET /core/v2/items?page=2";
  const routes = site(
    {
      authenticate: ({ headers: received }) => received.get("x-user"),
      authorize: ({ headers: received }) => received.get("x-user") !== "mallory",
      verifyNonce: (nonce) => nonce === "good",
    },
    (input, { headers: received, principal, requestId, params }) => {
      const language = received.get("accept-language") ?? null;
      return { input, principal, requestId, params, language, cookie: received.get("cookie") ?? null } as JsonValue;
    },
  );
  for (const _ of repetitions) {
    for (const user of ["ada", "bob"]) {
      const userHeaders = { "X-User": user, "X-Request-Id": `r-${user}`, Cookie: `c=${user}`, "Accept-Language": user };
      const override = { "X-HTTP-Method-Override": "DELETE", "X-Method-Override": "POST" };
      const { json } = await send(routes, target, { headers: { ...userHeaders, ...override } });
      expect(json).toMatchObject({ principal: user, requestId: `r-${user}`, cookie: `c=${user}`, language: user });
      expect(json["input"]).toMatchObject({ page: 2 });
    }
    expect((await send(routes, target, { headers: { "X-User": "mallory" } })).status).toBe(403);
    expect((await send(routes, target, { headers: { "X-WP-Nonce": "bad" } })).status).toBe(403);
    expect((await send(routes, target, { headers: { "X-WP-Nonce": "good" } })).status).toBe(200);
    expect((await send(routes, target, { headers: { Cookie: "a=1" } })).header("Cache-Control")).toContain("no-cache");
    expect((await send(routes, target)).header("Cache-Control")).toBeUndefined();
    expect((await send(routes, target.replace("GET", "HEAD"))).body).toBeUndefined();
  }
});

test("the origin of a page decides about each request with the same target", async () => {
  const routes = site({ allowOrigin: (origin) => origin === "https://good.example" });
  for (const _ of repetitions) {
    for (const origin of ["https://good.example", "https://bad.example"]) {
      const { header } = await send(routes, "GET /core/v2/items", { headers: { Origin: origin } });
      expect(header("Access-Control-Allow-Origin")).toBe(origin.includes("good") ? origin : undefined);
    }
  }
});

test("changes to the context of a call do not change later calls", async () => {
  const seen = new Set<string>();
  const routes = site({}, (_input, context) => {
    const { params } = context;
    seen.add(JSON.stringify({ params, language: context.language, route: context.route }));
    Reflect.set(params, "lang", "changed");
    Reflect.set(context, "route", "changed");
    return [];
  });
  for (const _ of repetitions) {
    await send(routes, "GET /core/v2/items?page=2");
  }
  expect(seen.size).toBe(1);
});

test("a prototype in a query is neither an argument nor a prototype", async () => {
  let prototypes = 0;
  const routes = site({}, (input) => {
    prototypes += Object.getPrototypeOf(input) === Object.prototype ? 1 : 0;
    return { keys: Object.keys(input), polluted: "polluted" in {} };
  });
  for (const _ of repetitions) {
    const { json } = await send(routes, "GET /core/v2/items?__proto__[polluted]=1&constructor=1&page=2");
    expect(json["polluted"]).toBe(false);
    expect(json["keys"]).not.toContain("constructor");
  }
  expect(prototypes).toBe(repetitions.length);
});

test("the cache keeps no more than 128 requests and no long targets", () => {
  const known = new KnownRequests<string, string>();
  const add = (text: string) => {
    const target: RouteTarget = { path: "/", query: "", variables: new Map(), isRewritten: false };
    const match = { route: "", variables: new Map<string, string>() };
    known.cacheRequest({
      request: { method: "GET", target: text },
      target,
      match,
      endpoint: "",
      query: new Map(),
      input: {},
    });
  };
  const texts = Array.from({ length: 5_000 }, (_, index) => `/${index}?${"x".repeat(index % 1_500)}`);
  for (const text of texts) {
    add(text);
    add(text);
  }
  const kept = texts.filter((text) => known.find("GET", text) !== undefined);
  expect(kept.length).toBeGreaterThan(64);
  expect(kept.length).toBeLessThanOrEqual(128);
  expect(Math.max(...kept.map((text) => text.length))).toBeLessThanOrEqual(1_000);
});

test("requests with another method are not cached", () => {
  const known = new KnownRequests<string, string>();
  for (const method of ["POST", "OPTIONS", "DELETE", "get"]) {
    expect(known.find(method, "/")).toBeUndefined();
  }
});

test.each<readonly [string, () => unknown, number]>([
  ["throw", () => [], 1],
  ["return no list", () => undefined, 2],
  ["are not allowed in HTTP", () => [["X-A", "a\r\nX-B: b"]], 1],
])("conventions whose headers %s cause an error of the server", async (name, headersOf, incidentCount) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const headersOrThrow = (): never => {
    if (name === "throw") {
      throw new Error("no headers");
    }
    return headersOf() as never;
  };
  const conventions = { ...wordpressConventions, createHeaders: headersOrThrow };
  const server = await listen([site({ conventions, onError })], { port: 0, onError });
  onTestFinished(async () => void (await server.close()));
  for (const _ of repetitions) {
    const answer = await fetch(`${server.url}/en/api/core/v2/items?page=2`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("X-B")).toBeNull();
    expect(await answer.text()).not.toContain("no headers");
  }
  expect(incidents).toHaveLength(repetitions.length * incidentCount);
});
