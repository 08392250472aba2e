import { expect, test } from "vitest";
import { fetchTransport, RestClient } from "../../src/client/index.js";
import type { AnyEndpointDescriptor, JsonValue, PathPiece, RestInterfaceDescriptor } from "../../src/descriptor.js";
import { pathPattern, segmentNames } from "../../src/rest/index.js";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import { type RestContext, restAnswer, restRoutes, type ServerIncident } from "../../src/server/index.js";

const files: RestInterfaceDescriptor = {
  descriptorFormat: 2,
  name: "files",
  base: "/api",
  segments: ["status", "find", "folders", "copies"],
  by: segmentNames,
};
const routes: Readonly<Record<string, readonly [route: string, path: readonly PathPiece[]]>> = {
  status: ["/f/status/?", ["/f/status"]],
  find: [
    "/f/find/?(?P<url>.+)?",
    ["/f/find", { optional: ["/", { variable: "url", pattern: ".+", by: pathPattern }] }],
  ],
  folders: [
    "/f/folders(?P<path>[\\w/]*)(\\?.*)?",
    ["/f/folders", { optional: [{ variable: "path", pattern: "[\\w/]*", by: pathPattern }] }],
  ],
  copies: [
    "/f/copies(?:/(?<id>\\d+)(?:/(?P<part>\\w+))?)?",
    [
      "/f/copies",
      {
        optional: [
          "/",
          { variable: "id", pattern: "\\d+" },
          { optional: ["/", { variable: "part", pattern: "\\w+" }] },
        ],
      },
    ],
  ],
};
const types: Readonly<Record<string, "integer" | "string">> = { id: "integer" };
const definitions: Readonly<Record<string, JsonValue>> = {
  status: [{ required: false }, { type: "integer" }],
  copies: { id: { type: "integer" }, page: { type: "integer", default: 0 } },
};

function endpoint(name: string): AnyEndpointDescriptor {
  const [route = "", path = []] = routes[name] ?? [];
  const names = { status: ["0", "1"], find: ["url"], folders: ["path"], copies: ["id", "part", "page"] }[name] ?? [];
  const args = Object.fromEntries(
    names.map((each) => [each, name === "status" ? {} : { type: types[each] ?? "string" }]),
  );
  return { kind: "endpoint", interface: files, name, route, path, methods: ["GET"], args };
}

function site(wireNames?: { readonly segments: Readonly<Record<string, string>> }) {
  const seen: { path?: string; input?: unknown } = {};
  const incidents: ServerIncident[] = [];
  const names = Object.keys(routes);
  const handler = (input: unknown, _: RestContext) => {
    seen.input = input;
    return restAnswer({ body: [], total: 30 });
  };
  const index = {
    namespaces: ["f"],
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, [route]]) => [
        route,
        { namespace: "f", methods: ["GET"], endpoints: [{ methods: ["GET"], args: definitions[name] ?? [] }] },
      ]),
    ),
  };
  const served = restRoutes(
    {
      interface: files,
      endpoints: names.map((name) => endpoint(name)),
      handlers: Object.fromEntries(names.map((name) => [name, handler])),
      index,
    },
    { wireNames, onError: (incident) => void incidents.push(incident) },
  );
  const answer = webHandler([served]);
  const transport = fetchTransport((request) => {
    seen.path = decodeURI(request.url.slice("http://site.example/api/f".length));
    return answer(request);
  });
  const send = (target: string) => {
    const { signal } = new AbortController();
    return served.answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal });
  };
  return {
    seen,
    incidents,
    send,
    client: new RestClient(files, { siteUrl: "http://site.example", transport, wireNames }),
  };
}

const calls = [
  { name: "status", input: {}, path: "/status", got: {} },
  { name: "status", input: { 0: "a", 1: 2 }, path: "/status?0=a&1=2", got: { 0: "a", 1: 2 } },
  { name: "find", input: {}, path: "/find", got: {} },
  { name: "find", input: { url: "A/b c" }, path: "/find/A/b c", got: { url: "A/b c" } },
  {
    name: "find",
    input: { url: "https://a.example/b" },
    path: "/find/https%3A//a.example/b",
    got: { url: "https://a.example/b" },
  },
  { name: "folders", input: {}, path: "/folders", got: { path: "" } },
  { name: "folders", input: { path: "" }, path: "/folders", got: { path: "" } },
  { name: "folders", input: { path: "/a/b" }, path: "/folders/a/b", got: { path: "/a/b" } },
  { name: "copies", input: {}, path: "/copies", got: {} },
  { name: "copies", input: { id: 5 }, path: "/copies/5", got: { id: 5 } },
  { name: "copies", input: { id: 5, part: "x" }, path: "/copies/5/x", got: { id: 5, part: "x" } },
];

test.each(calls)("$name with $input is called at $path", async ({ name, input, path, got }) => {
  const { seen, client } = site();
  await client.call(endpoint(name), input);
  expect(seen.path).toBe(path);
  expect(seen.input).toEqual(name === "copies" ? { page: 0, ...got } : got);
});

test.each(calls)("$name with $input is called where its segments have other names", async ({ name, input, got }) => {
  const { seen, client } = site({ segments: { status: "state", find: "seek", folders: "dirs", copies: "twins" } });
  await client.call(endpoint(name), input);
  // The rest of a group is not changed.
  expect(seen.path).toMatch(
    { status: /^\/state/, find: /^\/seek/, folders: /^\/folders/, copies: /^\/twins/ }[name] ?? /!/,
  );
  expect(seen.input).toMatchObject(got);
});

test.each([
  { name: "copies", input: { part: "x" }, message: "/id: The value must be" },
  { name: "find", input: { url: "../x" }, message: "/url: A segment" },
  { name: "find", input: { url: "/a" }, message: "/url: A segment" },
  { name: "folders", input: { path: "/a/" }, message: "/path: A segment" },
])("$name refuses $input", async ({ name, input, message }) => {
  await expect(site().client.call(endpoint(name), input)).rejects.toThrow(message);
});

test("variables that a path leaves out may be in the query", async () => {
  const { seen, client } = site();
  await client.call(endpoint("find"), {}, { extra: { url: "https://a.example/?b" } });
  expect(seen.input).toEqual({ url: "https://a.example/?b" });
});

test("pages are linked to by the path of the request", async () => {
  const { client } = site();
  const links = async (input: object) => (await client.callWithAnswer(endpoint("copies"), input)).headers.get("link");
  expect(await links({})).toBe('<http://site.example/api/f/copies?page=1>; rel="next"');
  expect(await links({ id: 5 })).toContain("/f/copies/5?page=1>");
});

test.each([
  "/api/f/find/../copies/5",
  "/api/f/find/..",
  "/api/f/find/a/../../copies/5",
  "/api/f/find/./a",
  "/api/f/find/a/.",
  "/api/f/find/a/./",
  "/api/f/find/%2e%2E/copies/5",
  "/api/f/find/.%2e/copies/5",
  "/api/f/find/..;/copies/5",
  "/api/f/find/..\\copies\\5",
  "/api/f/find/a\\b",
  "/index.php/api/f/find/../copies/5",
  "/?rest_route=/f/find/../copies/5",
  "/?rest_route=%2Ff%2Ffind%2F..%2Fcopies%2F5",
])("no route matches %s, which proxies read as another path", async (target) => {
  const { seen, incidents, send } = site();
  expect((await send(target))?.status).toBe(404);
  expect(seen).toEqual({});
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining('segment "." or ".."') }]);
});

test("each of the paths that no route can have is reported", async () => {
  const { incidents, send } = site();
  for (const path of ["find/../a", "find/../b", "find/a%2Fb", "find/../a"]) {
    await send(`/api/f/${path}`);
  }
  expect(incidents).toHaveLength(3);
});

test.each(["...", ".a", "a.", "a/..b", "a..", "a//b", "a;b"])("a variable can have the value %j", async (url) => {
  const { seen, send } = site();
  expect((await send(`/api/f/find/${url}`))?.status).toBe(200);
  expect(seen.input).toEqual({ url });
});
