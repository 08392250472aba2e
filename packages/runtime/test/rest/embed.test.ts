import { expect, test, vi } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import {
  type CallEvent,
  createRouter,
  type RestContext,
  type RestServerOptions,
  restRoutes,
  type ServerIncident,
} from "../../src/server/index.js";
import { content, endpoints, index, send } from "./site.js";

const base = "http://site.example/en/api";

/** A site whose list has items with links, and whose items contain the input of their request. */
function linked(links: (id: number) => JsonValue, options: RestServerOptions = {}) {
  const calls: unknown[] = [];
  const get = (input: Record<string, JsonValue>) => {
    calls.push(input["id"]);
    return input["id"] === 9 ? null : { id: input["id"], seen: "as embedded" };
  };
  const none = () => null;
  const list = ({ per_page }: { per_page: number }) =>
    Array.from({ length: per_page }, (_, id) => ({ id, _links: links(id) }));
  const items = { list, create: none, get, update: none, delete: none, parts: { create: none, get: none } };
  const routes = restRoutes({ interface: content, endpoints, handlers: { core: { items } }, index }, options);
  return { routes, calls };
}

const author = (id: number) => ({
  self: [{ href: `${base}/core/v2/items/1` }],
  author: [{ embeddable: true, href: `${base}/core/v2/items/${id + 4}` }],
});

test("_embed adds the resources behind embeddable links of this site", async () => {
  const { routes } = linked(author);
  const { json } = await send(routes, "GET /core/v2/items?_embed&per_page=1");
  expect(json[0]).toMatchObject({ id: 0, _embedded: { author: [{ id: 4, seen: "as embedded" }] } });
  expect(Object.keys(json[0]["_embedded"])).toEqual(["author"]);
});

test("a resource that was embedded several times is still answered in full", async () => {
  const contexts: unknown[] = [];
  const root = (input: Record<string, JsonValue>) => contexts.push(input["context"]);
  const list = () => [{ _links: { up: [{ embeddable: true, href: `${base}/` }] } }];
  const items = { list, create: root, get: root, update: root, delete: root, parts: { create: root, get: root } };
  const handlers = { index: root, core: { items } };
  const routes = restRoutes({ interface: content, endpoints, handlers, index });
  for (const _ of [1, 2, 3]) {
    await send(routes, "GET /core/v2/items?_embed");
  }
  await send(routes, "GET /");
  expect(contexts).toEqual(["embed", "embed", "embed", "view"]);
});

test.each([
  { embed: "_embed=author", want: ["author"] },
  { embed: "_embed=other", want: undefined },
  { embed: "_embed[]=author&_embed[]=other", want: ["author"] },
  { embed: "_embed=0", want: ["author"] },
  { embed: "_embed=1&_fields=id", want: undefined },
  { embed: "_embed&_fields=id,_links", want: ["author"] },
  { embed: "per_page=1", want: undefined },
])("the query $embed embeds $want", async ({ embed, want }) => {
  const { json } = await send(linked(author).routes, `GET /core/v2/items?${embed}&per_page=1`);
  expect(json[0]["_embedded"] && Object.keys(json[0]["_embedded"])).toEqual(want);
});

test("links that are not embeddable, lead elsewhere or find nothing keep their positions", async () => {
  const href = (path: string) => ({ embeddable: true, href: path });
  const links = {
    some: [
      href("http://evil.example/en/api/core/v2/items/4"),
      { href: `${base}/core/v2/items/5` },
      href(`${base}/core/v2/items/6`),
    ],
    nothing: [href(`${base}/core/v2/items/9`), href("nonsense")],
    wrong: [href(`${base}/nope`)],
    plain: [href("http://site.example/?rest_route=/core/v2/items/7")],
  };
  const { json } = await send(linked(() => links).routes, "GET /core/v2/items?_embed&per_page=1");
  expect(json[0]["_embedded"]).toEqual({
    some: [[], [], { id: 6, seen: "as embedded" }],
    wrong: [{ code: "rest_no_route", message: expect.any(String), data: { status: 404 } }],
    plain: [{ id: 7, seen: "as embedded" }],
  });
});

test("embedded resources are requested with the headers of the request and context=embed", async () => {
  const link = (query: string) => ({ embeddable: true, href: `${base}/core/v2/items?${query}` });
  const calls: (string | undefined)[] = [];
  const { routes } = linked(() => ({ a: [link("search=x"), link("search=y&context=view")] }), {
    authorize: ({ headers, input }) => {
      calls.push([headers.get("authorization"), headers.get("content-type"), input["search"]].join());
      return input["search"] !== "y";
    },
  });
  const headers = { Authorization: "Basic x", "Content-Type": "text/plain" };
  const { json } = await send(routes, "GET /core/v2/items?_embed&per_page=1", { headers });
  // This index has no such context; whom the site does not let ask, it does not let embed either.
  expect(json[0]["_embedded"]["a"]).toMatchObject([
    { code: "rest_invalid_param", data: { params: { context: expect.any(String) } } },
    { code: "rest_forbidden", data: { status: 403 } },
  ]);
  expect(calls).toContain("Basic x,,y");
});

test("embedding ends when the time for an answer is over", async () => {
  let calls = 0;
  const untilTold = (_: unknown, { signal }: RestContext) => {
    calls += 1;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve(null);
      } else {
        signal.addEventListener("abort", () => resolve(null));
      }
    });
  };
  const list = () => Array.from({ length: 20 }, (_, id) => ({ id, _links: author(id) }));
  const none = () => null;
  const items = { list, create: none, get: untilTold, update: none, delete: none, parts: { create: none, get: none } };
  const limits = { handlerTimeout: 50 };
  const routes = restRoutes({ interface: content, endpoints, handlers: { core: { items } }, index }, { limits });
  expect((await send(routes, "GET /core/v2/items?_embed")).status).toBe(503);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(calls).toBe(1);
});

test("each address is requested once, up to the limit", async () => {
  const { routes, calls } = linked(() => author(0));
  expect((await send(routes, "GET /core/v2/items?_embed&per_page=5")).status).toBe(200);
  expect(calls).toEqual([4]);
  const incidents: ServerIncident[] = [];
  const few = linked(author, { limits: { embeds: 2 }, onError: (incident) => incidents.push(incident) });
  expect((await send(few.routes, "GET /core/v2/items?_embed&per_page=2")).status).toBe(200);
  expect((await send(few.routes, "GET /core/v2/items?_embed&per_page=3")).status).toBe(414);
  expect(incidents.map(({ kind }) => kind)).toEqual(["limit.embeds"]);
  const zero = linked(author, { limits: { embeds: 0 } });
  expect((await send(zero.routes, "GET /core/v2/items?_embed&per_page=1")).status).toBe(414);
});

/** The requests that a server makes itself to answer another request, and the incident that each of them causes. */
const innerRequests = [
  { cause: "a handler that throws", target: "/core/v2/items?_embed&per_page=1", href: `${base}/core/v2/items/4` },
  {
    cause: "an invalid argument",
    target: "/core/v2/items?_embed&per_page=1",
    href: `${base}/core/v2/items?page=x&context=view`,
  },
  { cause: "an authorize that throws", target: "/core/v2/items?_embed&per_page=1", href: `${base}/core/v2/items/5` },
  { cause: "a page whose index is refused", target: "/_browse", href: "" },
];

test.each(innerRequests)(
  "the router's onError receives the incident of $cause, with the id of the request",
  async ({ target, href }) => {
    const standardError = vi.spyOn(console, "error").mockImplementation(() => {});
    const none = () => null;
    const get = () => {
      throw new Error("no database");
    };
    const list = () => [{ _links: { up: [{ embeddable: true, href }] } }];
    const items = { list, create: none, get, update: none, delete: none, parts: { create: none, get: none } };
    const authorize = ({ operation, input }: { operation: string; input: Record<string, JsonValue> }) => {
      if (operation === "index" || input["id"] === 5) {
        throw new Error("no directory");
      }
      return true;
    };
    const routes = restRoutes(
      { interface: content, endpoints, handlers: { core: { items } }, index },
      { authorize, page: "/_browse" },
    );
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    const router = createRouter([routes], {
      onError: (incident) => incidents.push(incident),
      onCall: (event) => events.push(event),
      requestIds: { header: "X-Correlation-Id" },
    });
    const answer = await router({
      method: "GET",
      target: `/en/api${target}`,
      headers: Object.entries({ Host: "site.example", "X-Correlation-Id": "id-of-the-client" }),
      body: new Uint8Array(),
      signal: new AbortController().signal,
      remoteAddress: "192.0.2.1",
    });
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(incidents).toMatchObject([{ requestId: "id-of-the-client", remoteAddress: "192.0.2.1" }]);
    // The answer is complete although an embedded resource is an error. A page is only as good as its index.
    expect(events).toMatchObject([{ status: answer.status, error: href === "" ? incidents[0] : undefined }]);
    expect(standardError).not.toHaveBeenCalled();
  },
);

test("an embedded call whose client has disconnected reports it as any other call", async () => {
  const incidents: ServerIncident[] = [];
  const connection = { disconnectedAt: undefined as number | undefined, controller: new AbortController() };
  const none = () => null;
  const get = async () => {
    connection.disconnectedAt = performance.now();
    connection.controller.abort(new Error("closed"));
    return null;
  };
  const list = () => [{ _links: { up: [{ embeddable: true, href: `${base}/core/v2/items/4` }] } }];
  const items = { list, create: none, get, update: none, delete: none, parts: { create: none, get: none } };
  const routes = restRoutes({ interface: content, endpoints, handlers: { core: { items } }, index });
  await createRouter([routes], { onError: (incident) => incidents.push(incident) })({
    method: "GET",
    target: "/en/api/core/v2/items?_embed&per_page=1",
    headers: [["Host", "site.example"]],
    body: new Uint8Array(),
    signal: connection.controller.signal,
    get disconnectedAt() {
      return connection.disconnectedAt;
    },
  });
  expect(incidents).toMatchObject([
    { kind: "request", message: expect.stringContaining("does not use context.signal") },
  ]);
});
