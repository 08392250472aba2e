import { expect, test } from "vitest";
import { index, send, site } from "./site.js";

test("only OPTIONS and the context help get the schema of a route", async () => {
  const schema = { title: "item", type: "object" };
  const entries = Object.entries((index as { routes: Record<string, object> }).routes);
  const withSchemas = Object.fromEntries(entries.map(([key, entry]) => [key, { ...entry, schema }]));
  const routes = site({}, undefined, { namespaces: ["core/v2"], routes: withSchemas });
  const schemaIn = async (request: string) => {
    const { json }: { json: { schema?: unknown; routes?: Record<string, { schema?: unknown }> } } = await send(
      routes,
      request,
    );
    return json.routes === undefined ? json.schema : json.routes["/core/v2/items"]?.schema;
  };
  expect(await schemaIn("OPTIONS /core/v2/items")).toEqual(schema);
  expect(await schemaIn("GET /?context=help")).toEqual(schema);
  expect(await schemaIn("GET /")).toBeUndefined();
  expect(await schemaIn("GET /?context=view")).toBeUndefined();
  expect(await schemaIn("GET /core/v2")).toBeUndefined();
});

test("OPTIONS answers the route's entry, and an empty list for no route", async () => {
  const routes = site({ url: "https://real.example/" });
  const known = await send(routes, "OPTIONS /core/v2/items?page=abc");
  expect(known.json).toMatchObject({
    methods: ["GET", "POST"],
    _links: { self: "https://real.example/en/api/core/v2/items" },
  });
  expect(known.header("Allow")).toBe("GET, POST");
  const item = await send(routes, "OPTIONS /core/v2/items/4");
  expect(item.json).not.toHaveProperty("_links");
  const unknown = await send(routes, "OPTIONS /nope");
  expect([unknown.status, unknown.json]).toEqual([200, []]);
});

test("the index has the site's name and the addresses of its routes", async () => {
  const routes = site({ name: "Site", description: "Words", url: "https://real.example", gmt_offset: "1" });
  const { json } = await send(routes, "GET //pt-pt/api");
  expect(Object.keys(json)).toEqual([
    "name",
    "description",
    "url",
    "home",
    "gmt_offset",
    "timezone_string",
    "namespaces",
    "authentication",
    "routes",
  ]);
  expect(json).toMatchObject({
    name: "Site",
    description: "Words",
    url: "https://real.example",
    home: "https://real.example/pt-pt",
    gmt_offset: "1",
    timezone_string: "",
    authentication: [],
  });
  expect(json["routes"]["/"]["_links"]).toEqual({ self: "https://real.example/pt-pt/api/" });
  expect(json["routes"]["/core/v2"]["_links"]).toEqual({ self: [{ href: "https://real.example/pt-pt/api/core/v2" }] });
});

test("the index of a namespace lists its routes; an unknown one is refused", async () => {
  const { json } = await send(site(), "GET /core/v2");
  expect(Object.keys(json["routes"])).toHaveLength(5);
  expect(json["_links"]).toEqual({ up: [{ href: "http://site.example/en/api/" }] });
  const unknown = await send(site(), "GET /core/v2?namespace=nope");
  expect([unknown.status, unknown.json["code"]]).toEqual([404, "rest_invalid_namespace"]);
});

test("segments can have other names in paths, the index and addresses", async () => {
  const routes = site({ wireNames: { segments: { core: "real-core", parts: "pieces" } } });
  expect((await send(routes, "GET /core/v2/items")).status).toBe(404);
  expect((await send(routes, "GET /real-core/v2/items/4/pieces/ab")).json["operation"]).toBe("core.items.parts.get");
  const { json } = await send(routes, "GET /");
  expect(json["namespaces"]).toEqual(["real-core/v2"]);
  expect(Object.keys(json["routes"])).toContain("/real-core/v2/items/(?P<id>[\\d]+)/pieces/(?P<part>[a-z]+)");
  expect(JSON.stringify(json)).not.toMatch(/"core|\/core|parts/);
  expect((await send(routes, "GET /real-core/v2")).json["namespace"]).toBe("real-core/v2");
  expect(() => site({ wireNames: { segments: { nope: "x" } } })).toThrow("nope");
  expect(() => site({ wireNames: { segments: { "core/v3": "x" } } })).toThrow(
    'cannot rename the segment "core/v3". It can rename ',
  );
  expect(() => site({ wireNames: { segments: { core: "a?b" } } })).toThrow("a?b");
});

test("consecutive segments can have another name; the longest match is used", async () => {
  const routes = site({
    wireNames: { segments: { core: "c", "core/v2": "real/v9", "core/v2/items": "own/v1/things" } },
  });
  expect((await send(routes, "GET /core/v2/items")).status).toBe(404);
  expect((await send(routes, "GET /real/v9/items")).status).toBe(404);
  expect((await send(routes, "GET /own/v1/things/4/parts/ab")).json["operation"]).toBe("core.items.parts.get");
  const { json } = await send(routes, "GET /");
  expect(json["namespaces"]).toEqual(["real/v9"]);
  expect(Object.keys(json["routes"])).toContain("/own/v1/things/(?P<id>[\\d]+)/parts/(?P<part>[a-z]+)");
  expect(json["routes"]["/real/v9"]["namespace"]).toBe("real/v9");
});
