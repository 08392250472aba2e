import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Protocol } from "../../src/descriptor.js";
import {
  combineRoutes,
  createRouter,
  type LimitOptions,
  type Routes,
  rateLimitedRoutes,
  recordedRoutes,
  restRoutes,
  type ServerIncident,
  type ServerRequest,
  soapRoutes,
} from "../../src/server/index.js";
import { checkServerOptions } from "../../src/server/options/server-options.js";
import { content, index, only, site } from "../rest/site.js";
import { bodyOf, find, findBody, gist, headerOf, message, requestOf, served, service, wsdl } from "./fixture.js";

const echo: Routes = {
  name: "echo",
  answer: ({ target }) =>
    target.startsWith("/echo") ? Promise.resolve({ status: 200, headers: [], body: target }) : undefined,
};

function routed(limits: LimitOptions = {}, routes: readonly Routes[] = [echo]) {
  const incidents: ServerIncident[] = [];
  const router = createRouter(routes, { limits, onError: (incident) => incidents.push(incident) });
  return { router, incidents };
}

test("each request is answered by the routes that recognize it", async () => {
  const { routes } = served();
  for (const all of [[routes, echo], [combineRoutes("both", [routes, echo])]]) {
    const { router } = routed({}, all);
    expect(gist(await router(requestOf(message("soap11", findBody))))).toBe("200 FindResponse");
    expect(bodyOf(await router(requestOf({ method: "GET", target: "/echo?x" })))).toBe("/echo?x");
    expect((await router(requestOf({ method: "GET", target: "/nope" }))).status).toBe(404);
  }
});

test.each([
  { name: "limited", wrapped: (routes: Routes) => rateLimitedRoutes(routes, { requests: 9, window: 1_000 }) },
  { name: "recorded", wrapped: (routes: Routes) => recordedRoutes(routes, { write() {} }) },
  { name: "readable by other origins", wrapped: () => served({}, { cors: true }).routes },
])("routes that are $name are listed at /", async ({ wrapped }) => {
  const router = createRouter([wrapped(served().routes)]);
  const page = await router(requestOf({ method: "GET", target: "/", remoteAddress: "192.0.2.1" }));
  expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining("/api/things.asmx")]);
});

describe("routes of which some would never be called", () => {
  const things = (path?: string) => served({}, { path }).routes;
  const restBelow = (base: string) => site({ base });
  const limited = (routes: Routes) => rateLimitedRoutes(routes, { requests: 9, window: 1_000 });
  test.each([
    {
      what: "a service twice",
      routes: () => [things(), things()],
      want: "two sets of routes for the service Things with the path /api/things.asmx,",
    },
    {
      what: "two interfaces",
      routes: () => [restBelow("/api/"), restBelow("/api")],
      want: "two sets of routes for the interface content with the path /api,",
    },
    { what: "two interfaces below a variable", routes: () => [site(), site()], want: "the path /{lang}/api," },
    {
      what: "a service and an interface",
      routes: () => [things("/api"), restBelow("/api")],
      want: "Both the service Things and the interface content have the path /api,",
    },
    {
      what: "combined, limited and readable routes",
      routes: () => [
        combineRoutes("all", [limited(served({}, { cors: true }).routes)]),
        recordedRoutes(things(), { write() {} }),
      ],
      want: "/api/things.asmx,",
    },
    { what: "two interfaces at the root", routes: () => [restBelow(""), restBelow("/")], want: "the path /," },
  ])("are refused: $what", ({ routes, want }) => {
    expect(() => createRouter(routes())).toThrow(want);
    expect(() => combineRoutes("all", routes())).toThrow("would never be called. Create the routes");
  });

  test.each([
    { above: () => things("/api"), target: "/api/inner" },
    { above: () => things("/a b"), target: "/a%20b/inner" },
    { above: () => restBelow("/api"), target: "/api/inner" },
    { above: () => restBelow(""), target: "/inner" },
    { above: () => combineRoutes("all", [restBelow("/api"), restBelow("/other")]), target: "/api/inner" },
  ])("are called first if their path is longer: $target", async ({ above, target }) => {
    const inner = things(decodeURIComponent(target));
    for (const routes of [
      [above(), inner],
      [inner, above()],
    ]) {
      const router = createRouter(routes);
      expect(gist(await router(requestOf({ ...message("soap11", findBody), target })))).toBe("200 FindResponse");
    }
  });

  test("are arranged once, not for each request whose path contains %", async () => {
    let readings = 0;
    const counted: Routes = {
      ...echo,
      get claims() {
        readings += 1;
        return [{ path: "/echo", owner: "echo" }];
      },
    };
    const { router } = routed({}, [counted]);
    const readingsAtStart = readings;
    expect((await router(requestOf({ method: "GET", target: "/%65cho" }))).status).toBe(404);
    expect(readings).toBe(readingsAtStart);
  });

  test("other routes keep their positions before and after them", async () => {
    const answered = (name: string): Routes => ({ name, answer: () => ({ status: 200, headers: [], body: name }) });
    const request = { ...requestOf(message("soap11", findBody)), target: "/api/inner" };
    const inner = things("/api/inner");
    expect(bodyOf(await createRouter([answered("first"), things("/api"), inner])(request))).toBe("first");
    expect(gist(await createRouter([things("/api"), inner, answered("last")])(request))).toBe("200 FindResponse");
  });

  test("are not services with different protocols: each answers its calls, and the first one all other requests", async () => {
    const port = { name: "Port", address: "/shared" };
    const serviceWith = (name: string, protocols: readonly Protocol[]) => {
      const ports = Object.fromEntries(protocols.map((protocol) => [protocol, port]));
      const handlers = { find: () => ({ Name: name }) };
      return soapRoutes({ service: { ...service, name, ports }, operations: { find }, handlers, wsdl });
    };
    const soap = serviceWith("Soap", ["soap11", "soap12"]);
    const http = serviceWith("Http", ["httpGet", "httpPost"]);
    const call = { method: "GET", target: "/shared/Find?Key=k&Count=1&username=u" };
    for (const routes of [
      [soap, http],
      [http, soap],
      [combineRoutes("one", [http]), soap],
    ]) {
      const router = createRouter(routes);
      const nameIn = async (request: Partial<ServerRequest>) =>
        /<Name>(\w+)/.exec(bodyOf(await router(requestOf(request))))?.[1];
      expect(await nameIn({ ...message("soap11", findBody), target: "/shared" })).toBe("Soap");
      expect(await nameIn({ ...message("soap12", findBody), target: "/%73hared" })).toBeUndefined();
      expect(await nameIn(call)).toBe("Http");
      expect((await router(requestOf({ method: "GET", target: "/shared" }))).status).toBe(200);
      expect((await router(requestOf({ method: "GET", target: "/shared/Nope" }))).status).toBe(404);
    }
    const posts = serviceWith("Posts", ["httpPost"]);
    expect(() => createRouter([http, posts])).toThrow(
      "Both the service Http and the service Posts have the path /shared,",
    );
  });

  test("are not interfaces whose routes are named by the query of the same address", async () => {
    const first = restRoutes({ interface: content, endpoints: only.index, handlers: {}, index }, { base: "/a" });
    const router = createRouter([first, site({ base: "/b" }), things("/c"), served({}, { path: "/" }).routes]);
    const get = async (target: string) =>
      (await router(requestOf({ method: "GET", target, body: new Uint8Array() }))).status;
    expect(await get("/?rest_route=/core/v2/items")).toBe(200);
    expect(await get("/index.php?rest_route=/core/v2/items")).toBe(200);
    expect(await get("/?rest_route=/core/v2/nope")).toBe(404);
    expect(await get("/?wsdl")).toBe(200);
    expect(gist(await router(requestOf({ ...message("soap11", findBody), target: "/" })))).toBe("200 FindResponse");
  });

  test("are not those of a service with several ports at one path", async () => {
    const { router } = routed({}, [things(), things("/other")]);
    for (const version of ["soap11", "soap12"] as const) {
      expect(gist(await router(requestOf(message(version, findBody))))).toBe("200 FindResponse");
    }
    const target = "/other/Find?Key=k&Count=1&username=u";
    expect((await router(requestOf({ method: "GET", target }))).status).toBe(200);
  });
});

test("a route that fails is answered with 500 and reported", async () => {
  const broken: Routes = { name: "broken", answer: () => Promise.reject(new Error("secret")) };
  const { router, incidents } = routed({}, [broken]);
  const answer = await router(requestOf({}));
  expect(answer.status).toBe(500);
  expect(bodyOf(answer)).not.toContain("secret");
  expect(incidents).toMatchObject([{ kind: "internal" }]);
});

describe("a request that no server should answer is refused", () => {
  const host: [string, string] = ["Host", "h"];
  test.each([
    { what: "two Host headers", headers: [host, host], want: 400 },
    { what: "a Host of more than a host", headers: [["Host", "h/x?"]], want: 400 },
    { what: "a Host with user information", headers: [["Host", "u@h"]], want: 400 },
    { what: "an address instead of a path", target: "http://evil/echo", headers: [host], want: 400 },
    { what: "an asterisk", target: "*", headers: [host], want: 400 },
    { what: "Transfer-Encoding: gzip, chunked", headers: [host, ["Transfer-Encoding", "gzip, chunked"]], want: 501 },
    { what: "a long address", target: `/echo?${"a".repeat(8_192)}`, headers: [host], want: 414 },
    { what: "many headers", headers: Array.from({ length: 101 }, (): [string, string] => ["a", "b"]), want: 431 },
    { what: "long headers", headers: [["a", "b".repeat(17_000)]], want: 431 },
  ] satisfies { what: string; target?: string; headers: [string, string][]; want: number }[])(
    "for $what",
    async ({ target = "/echo", headers, want }) => {
      const answer = await routed().router(requestOf({ method: "GET", target, headers }));
      expect(answer.status).toBe(want);
      expect(answer.close).toBe(true);
    },
  );

  test.each([
    { headers: [] },
    { headers: [["Host", ""]] },
    { headers: [["Host", "a-b.example:80"]] },
    { headers: [["Host", "[::1]:80"]] },
    {
      headers: [
        ["Host", "h"],
        ["Transfer-Encoding", "Chunked"],
      ],
    },
  ] satisfies { headers: [string, string][] }[])("but not for $headers", async ({ headers }) => {
    expect((await routed().router(requestOf({ target: "/echo", headers }))).status).toBe(200);
  });
});

test("the limit of requests in flight is used fully, and further requests are refused", async () => {
  const open: (() => void)[] = [];
  const slow: Routes = {
    name: "slow",
    answer: () => new Promise((resolve) => open.push(() => resolve({ status: 204, headers: [], body: undefined }))),
  };
  const { router, incidents } = routed({ inFlight: 2 }, [slow]);
  const first = router(requestOf({}));
  const second = router(requestOf({}));
  const third = await router(requestOf({}));
  expect(third.status).toBe(503);
  expect(headerOf(third, "retry-after")).toBe("1");
  expect(incidents).toMatchObject([
    { kind: "limit.inFlight", limit: { name: "inFlight", value: 2, option: "limits.inFlight" } },
  ]);
  for (const answer of open) {
    answer();
  }
  expect([(await first).status, (await second).status]).toEqual([204, 204]);
  const fourth = router(requestOf({}));
  open[2]?.();
  expect((await fourth).status).toBe(204);
});

test("a request whose body arrives is not in flight before the body is complete", async () => {
  const reading: Routes = {
    name: "reading",
    async answer({ body }) {
      for await (const _ of body instanceof Uint8Array ? [body] : body) {
      }
      return { status: 200, headers: [], body: "read" };
    },
  };
  let finish: () => void = () => {};
  const slow: Routes = {
    name: "slow",
    answer: ({ target }) =>
      target === "/slow"
        ? new Promise((resolve) => {
            finish = () => resolve({ status: 204, headers: [], body: undefined });
          })
        : undefined,
  };
  const { router, incidents } = routed({ inFlight: 1 }, [slow, reading]);
  const first = arrivingBody();
  const second = arrivingBody();
  const answers = [router(requestOf({ body: first.body })), router(requestOf({ body: second.body }))];
  first.complete();
  expect((await answers[0])?.status).toBe(200);
  expect(incidents).toEqual([]);

  const working = router(requestOf({ target: "/slow" }));
  second.complete();
  expect((await answers[1])?.status).toBe(503);
  finish();
  expect((await working).status).toBe(204);
  expect(incidents).toMatchObject([{ kind: "limit.inFlight" }]);
});

function arrivingBody() {
  let complete: () => void = () => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  async function* body() {
    yield new Uint8Array(1);
    await completed;
  }
  return { body: body(), complete };
}

test("zero means zero for every limit, and an unknown limit is an error", async () => {
  for (const name of ["inFlight", "urlBytes", "headers", "headerBytes"] as const) {
    expect((await routed({ [name]: 0 }).router(requestOf({ target: "/echo" }))).status).toBeGreaterThanOrEqual(400);
  }
  expect(() => routed(JSON.parse('{"bodySize": 1}'))).toThrowError(/bodySize/);
});

test("the name of every option of servers is suggested if it is misspelled", () => {
  const report = readFileSync(new URL("../../api.txt", import.meta.url), "utf8");
  const interfaces = report.matchAll(
    /^interface (?:(?:Router|SoapServer|RestServer|Listen|WebHandler|Fastify)Options|ServerAddress|MissingOption)\b.* \{\n([\s\S]*?)^\}/gm,
  );
  const members = [...interfaces].flatMap(([, body = ""]) => [...body.matchAll(/^ {2}readonly (\w+)/gm)]);
  const names = new Set(members.map(([, name = ""]) => name));
  expect(names.size).toBeGreaterThan(30);
  for (const name of names) {
    const misspelled = `${name}_`;
    expect(() => checkServerOptions({ [misspelled]: true })).toThrow(
      `There is no option "${misspelled}". Did you mean "${name}"?`,
    );
  }
});
