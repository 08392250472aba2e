import { expect, test } from "vitest";
import { RestError } from "../../src/errors.js";
import { wireKey, wireSegments } from "../../src/rest/wire-segments.js";
import { restAnswer, restRoutes, type ServerIncident } from "../../src/server/index.js";
import { content, endpoints, index, send, site } from "./site.js";

const noRoute = {
  code: "rest_no_route",
  message: "No route was found matching the URL and request method.",
  data: { status: 404 },
};
const form = { "Content-Type": "application/x-www-form-urlencoded" };

test.each([
  { request: "GET /core/v2/items", want: "core.items.list GET" },
  { request: "GET /core/v2/items/", want: "core.items.list GET" },
  { request: "GET /CORE/V2/items", want: "core.items.list GET" },
  { request: "POST /core/v2/items", want: "core.items.create POST" },
  { request: "GET /core/v2/items/0004", want: "core.items.get GET" },
  { request: "PATCH /core/v2/items/4", want: "core.items.update PATCH" },
  { request: "DELETE /core/v2/items/4?_method=GET", want: "core.items.delete DELETE" },
  { request: "GET /core/v2/items/4/parts/ab", want: "core.items.parts.get GET" },
  { request: "GET //index.php/en/api/core/v2/items", want: "core.items.list GET" },
  { request: "GET //?rest_route=/core/v2/items", want: "core.items.list GET" },
  { request: "GET //index.php?lang=pt-pt&rest_route=%2Fcore%2Fv2%2Fitems%2F", want: "core.items.list GET" },
])("$request calls $want", async ({ request, want }) => {
  const { json } = await send(site(), request, { headers: { "X-HTTP-Method-Override": "DELETE" } });
  expect(`${json["operation"]} ${json["method"]}`).toBe(want);
});

test.each([
  "GET /nope",
  "PUT /core/v2/items",
  "POST /",
  "GET /core/v2/items/abc",
  "GET //en/api//core/v2/items",
  "GET /core%2Fv2%2Fitems",
  "GET /core/v2/items/4%2fparts",
  "GET /core/v2/items/%zz",
  "GET /core/v2/items/..",
  "GET //fr/api/core/v2/items",
  "FOO /core/v2/items",
  "TRACE /",
  "GET //?rest_route=/nope",
])("%s has no route", async (request) => {
  const answer = await send(site(), request);
  expect(answer.status).toBe(404);
  expect(answer.json).toEqual(noRoute);
  expect(answer.header("Allow")).toBeUndefined();
});

test.each(["/", "/en", "/api/x.asmx", "/en/apis", "/a/b/c", "/?x=1"])("%s is for others", (target) => {
  const { signal } = new AbortController();
  expect(site().answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal })).toBeUndefined();
});

test("an argument comes from the JSON body, then the form, then the query, and has its default", async () => {
  const routes = site();
  const list = "GET /core/v2/items?page=2";
  const inputOf = async (...sent: Parameters<typeof send> extends [unknown, ...infer Rest] ? Rest : never) =>
    (await send(routes, ...sent)).json["input"];
  expect(await inputOf(list)).toEqual({
    context: "view",
    page: 2,
    per_page: 10,
    include: [],
    order: "desc",
    status: ["publish"],
  });
  expect(await inputOf(list, { json: { page: 3 } })).toMatchObject({ page: 3 });
  expect(await inputOf(list, { json: { page: null } })).toMatchObject({ page: 2 });
  expect(await inputOf("POST /core/v2/items?author=1", { headers: form, body: "author=2" })).toEqual({ author: 2 });
  expect(await inputOf("PUT /core/v2/items/4?author=1", { headers: form, body: "author=2" })).toEqual({
    id: 4,
    author: 2,
  });
  expect(
    await inputOf("POST /core/v2/items", {
      headers: { "Content-Type": "application/x.y+json" },
      body: '{"author":"2"}',
    }),
  ).toEqual({ author: 2 });
  expect(
    await inputOf("POST /core/v2/items", { headers: { "Content-Type": "text/plain" }, body: '{"author":2}' }),
  ).toEqual({});
  expect(await inputOf("POST /core/v2/items", { json: [1, 2] })).toEqual({});
});

test("a path variable comes from the path alone", async () => {
  const { json } = await send(site(), "PUT /core/v2/items/4?id=5", { json: { id: 6, author: "7" } });
  expect(json["input"]).toEqual({ id: 4, author: 7 });
});

test("what the index does not declare does not reach the handler", async () => {
  const { json } = await send(site(), "POST /core/v2/items?b=1", { json: { a: 1, constructor: 1, author: 1 } });
  expect(json["input"]).toEqual({ author: 1 });
});

test("path variables that the index does not declare have the type that the code says", async () => {
  const { json } = await send(site(), "GET /core/v2/items/04/parts/ab");
  expect(json["input"]).toEqual({ id: 4, part: "ab" });
});

test("a null resets an argument that may be null", async () => {
  const { json } = await send(site(), "PUT /core/v2/items/4", { json: { date: null, author: null } });
  expect(json["input"]).toEqual({ id: 4, date: null });
});

test.each([
  { title: "x", want: { raw: "x" } },
  { title: { raw: "x", other: 1 }, want: { raw: "x", other: 1 } },
  { title: 5, want: {} },
  { title: [1], want: {} },
])("a title of $title is seen as $want", async ({ title, want }) => {
  const { json } = await send(site(), "POST /core/v2/items", { json: { title } });
  expect(json["input"]).toEqual({ title: want });
});

const invalid = (names: readonly string[], messages: readonly string[], codes: readonly string[]) => ({
  code: "rest_invalid_param",
  message: `Invalid parameter(s): ${names.join(", ")}`,
  data: {
    status: 400,
    params: Object.fromEntries(names.map((name, at) => [name, messages[at]])),
    details: Object.fromEntries(
      names.map((name, at) => [name, expect.objectContaining({ code: codes[at], message: messages[at] })]),
    ),
  },
});

test.each([
  {
    request: "GET /core/v2/items?page=abc&per_page=1000&context=bad&after=bad",
    names: ["context", "page", "per_page"],
    messages: [
      "context is not one of view and edit.",
      "page is not of type integer.",
      "per_page must be between 1 (inclusive) and 100 (inclusive)",
    ],
    codes: ["rest_not_in_enum", "rest_invalid_type", "rest_out_of_bounds"],
  },
  {
    request: "GET /core/v2/items?before=x&after=y",
    names: ["before", "after"],
    messages: ["Invalid date.", "Invalid date."],
    codes: ["rest_invalid_date", "rest_invalid_date"],
  },
  {
    request: "GET /core/v2/items?include=1,x",
    names: ["include"],
    messages: ["include[1] is not of type integer."],
    codes: ["rest_invalid_type"],
  },
  {
    request: "GET /core/v2/items?status=bogus",
    names: ["status"],
    messages: ["Status is forbidden."],
    codes: ["rest_forbidden_status"],
  },
  {
    request: "DELETE /core/v2/items/4?force=abc",
    names: ["force"],
    messages: ["force is not of type boolean."],
    codes: ["rest_invalid_type"],
  },
])("$request reports $names", async ({ request, names, messages, codes }) => {
  const answer = await send(site(), request);
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual(invalid(names, messages, codes));
  expect(Object.keys(answer.json["data"]["params"])).toEqual(names);
});

test("a refused meta has no details", async () => {
  const { json } = await send(site(), "POST /core/v2/items", { json: { meta: "x" } });
  expect(json["data"]).toEqual({ status: 400, params: { meta: "Invalid parameter." }, details: [] });
});

test("missing arguments are listed together", async () => {
  const answer = await send(site(), "POST /core/v2/items/4/parts");
  expect(answer.json).toEqual({
    code: "rest_missing_callback_param",
    message: "Missing parameter(s): action, data",
    data: { status: 400, params: ["action", "data"] },
  });
});

test("limits that the index hides are those of the conventions", async () => {
  const routes = site({ conventions: { hiddenLimits: {} } });
  expect((await send(routes, "GET /core/v2/items?per_page=1000&after=x")).status).toBe(200);
});

test.each([
  { sent: { body: "{bad" }, code: 4, text: "Syntax error" },
  { sent: { body: '{"a":{"__proto__":{"x":1}}}' }, code: 9, text: "The decoded property name is invalid" },
  { sent: { body: "[".repeat(100) }, code: 1, text: "Maximum stack depth exceeded" },
])("a JSON body $sent.body is refused, on GET too", async ({ sent, code, text }) => {
  const headers = { "Content-Type": "application/json" };
  for (const request of ["GET /core/v2/items", "POST /core/v2/items"]) {
    const answer = await send(site(), request, { ...sent, headers });
    expect(answer.json).toEqual({
      code: "rest_invalid_json",
      message: "Invalid JSON body passed.",
      data: { status: 400, json_error_code: code, json_error_message: text },
    });
  }
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("the language of the argument wins over that of the path", async () => {
  expect((await send(site(), "GET //pt-pt/api/core/v2/items")).json["language"]).toBe("pt-pt");
  expect((await send(site(), "GET //pt-pt/api/core/v2/items?translation_language=en")).json["language"]).toBe("en");
  expect((await send(site(), "GET //?rest_route=/core/v2/items&lang=pt-pt")).json["language"]).toBe("pt-pt");
  expect((await send(site(), "GET //?rest_route=/core/v2/items&lang=fr")).json["language"]).toBe("en");
});

test("every answer has the headers of WordPress", async () => {
  const { headers } = await send(site(), "GET /core/v2/items");
  expect(headers).toEqual([
    ["Content-Type", "application/json; charset=UTF-8"],
    ["X-Robots-Tag", "noindex"],
    ["Link", '<http://site.example/en/api/>; rel="https://api.w.org/"'],
    ["X-Content-Type-Options", "nosniff"],
    ["Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link"],
    ["Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type"],
    ["Allow", "GET, POST"],
    ["Vary", "Origin"],
  ]);
});

test("an answer to a request with credentials is not kept", async () => {
  const answer = await send(site(), "GET /core/v2/items", { headers: { Authorization: "Basic eA==" } });
  expect(answer.header("Cache-Control")).toBe("no-cache, must-revalidate, max-age=0");
  expect(answer.header("Vary")).toBeUndefined();
});

test("a nonce is told to the handler, the query's before the header's, and its answer is not kept", async () => {
  const routes = site({}, (_, { nonce }) => ({ nonce: nonce ?? null }));
  const headers = { "X-WP-Nonce": "h" };
  const answer = await send(routes, "GET /core/v2/items", { headers });
  expect(answer.json).toEqual({ nonce: "h" });
  expect(answer.header("Cache-Control")).toBe("no-cache, must-revalidate, max-age=0");
  expect(answer.header("Vary")).toBe("Origin");
  expect((await send(routes, "GET /core/v2/items?_wpnonce=q", { headers })).json).toEqual({ nonce: "q" });
  const none = await send(routes, "GET /core/v2/items");
  expect(none.json).toEqual({ nonce: null });
  expect(none.header("Cache-Control")).toBeUndefined();
});

test("links to other pages are written as PHP writes them, with the route's own letters", async () => {
  const routes = site({}, () => restAnswer({ body: [], total: 20 }));
  const answer = await send(routes, "GET /CORE/v2/items?search=a+b%20~!'()*c:d&status[]=draft");
  expect(answer.header("Link")).toBe(
    "<http://site.example/en/api/core/v2/items?search=a+b+%7E%21%27%28%29%2Ac%3Ad&status%5B0%5D=draft&page=2>; " +
      'rel="next"',
  );
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

test("the schema of a route is told to OPTIONS and to the context help alone", async () => {
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

test("the index tells the site's facts and the addresses of its routes", async () => {
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

test("segments may bear other names, everywhere", async () => {
  const routes = site({ wireNames: { segments: { core: "real-core", parts: "pieces" } } });
  expect((await send(routes, "GET /core/v2/items")).status).toBe(404);
  expect((await send(routes, "GET /real-core/v2/items/4/pieces/ab")).json["operation"]).toBe("core.items.parts.get");
  const { json } = await send(routes, "GET /");
  expect(json["namespaces"]).toEqual(["real-core/v2"]);
  expect(Object.keys(json["routes"])).toContain("/real-core/v2/items/(?P<id>[\\d]+)/pieces/(?P<part>[a-z]+)");
  expect(JSON.stringify(json)).not.toMatch(/"core|\/core|parts/);
  expect((await send(routes, "GET /real-core/v2")).json["namespace"]).toBe("real-core/v2");
  expect(() => site({ wireNames: { segments: { nope: "x" } } })).toThrow("nope");
  expect(() => site({ wireNames: { segments: { "core/v3": "x" } } })).toThrow('Did you mean "core/v2"?');
  expect(() => site({ wireNames: { segments: { core: "a?b" } } })).toThrow("a?b");
});

test("several segments in a row may bear another name; the longest that fits counts", async () => {
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

test.each([
  { names: { "a/b": "x", b: "y" }, given: "/a/b/b/a/b", want: "/x/y/x" },
  { names: { "a/b": "x/y/z", a: "q" }, given: "/a/a/b/a", want: "/q/x/y/z/q" },
  { names: { "b/c": "x" }, given: "/a/b-(?P<v>c)/c/b/c/(?P<w>c)/b/c", want: "/a/b-(?P<v>c)/c/x/(?P<w>c)/x" },
  { names: { "b/c": "x" }, given: "/a-b/c/b/(?P<v>c)c/b/cc", want: "/a-b/c/b/(?P<v>c)c/b/cc" },
])("$given is $want by the names $names", ({ names, given, want }) => {
  expect(wireKey(given, wireSegments(names, Object.keys(names)))).toBe(want);
});

test.each([
  {
    given: "/core/v2/x-(?P<a>\\d)core/core(?P<b>[()\\]])/core",
    want: "/real/v2/x-(?P<a>\\d)core/core(?P<b>[()\\]])/real",
  },
  { given: "/a/(?P<b>core/(core)[]()])/core/(?P<c>core)", want: "/a/(?P<b>core/(core)[]()])/real/(?P<c>core)" },
])("$given is $want on the wire", ({ given, want }) => {
  expect(wireKey(given, wireSegments({ core: "real" }, ["core"]))).toBe(want);
});

test("authorize is asked with the valid input, and decides the Allow header", async () => {
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

test("headers of an error that another server answered stay behind", async () => {
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
  expect([answer.status, answer.header("Set-Cookie")]).toEqual([404, undefined]);
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
  { kind: "answers a cycle", handler: () => cyclic },
  { kind: "answers a bigint", handler: () => ({ a: 1n }) },
  { kind: "sends a header with a line end", handler: () => restAnswer({ headers: { a: "b\r\nc: secret" } }) },
  {
    kind: "throws an error of no status",
    handler: () => {
      throw new RestError({ code: "x", message: "secret", status: 99 });
    },
  },
])("a handler that $kind is a fixed 500, and reported", async ({ handler }) => {
  const incidents: ServerIncident[] = [];
  const answer = await send(site({ onError: (incident) => incidents.push(incident) }, handler), "GET /core/v2/items");
  expect(answer.json).toEqual({
    code: "internal_server_error",
    message: "The server cannot answer.",
    data: { status: 500 },
  });
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(incidents).toMatchObject([{ kind: "handler", operation: "core.items.list" }]);
});

test("a handler that takes too long is 503, and its signal fires", async () => {
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

test("what is over a limit is refused, and reported with the limit", async () => {
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

test("a compressed body is refused unread", async () => {
  const answer = await send(site(), "POST /core/v2/items", { headers: { "Content-Encoding": "gzip" }, body: "x" });
  expect(answer.status).toBe(415);
});

test("an answer may have a status, headers, and bytes of another type", async () => {
  const body = new Uint8Array([60, 62]);
  const routes = site({}, () =>
    restAnswer({ status: 202, headers: { "content-type": "text/xml", Location: "/x" }, body }),
  );
  const answer = await send(routes, "GET /core/v2/items");
  expect([answer.status, answer.body, answer.header("Content-Type"), answer.header("Location")]).toEqual([
    202,
    body,
    "text/xml",
    "/x",
  ]);
});

test.each([
  {
    request: "GET /core/v2/items",
    total: 0,
    pages: "0",
    link: '<http://site.example/en/api/>; rel="https://api.w.org/"',
  },
  {
    request: "GET /core/v2/items",
    total: 25,
    pages: "3",
    link: '<http://site.example/en/api/core/v2/items?page=2>; rel="next"',
  },
  {
    request: "GET /core/v2/items?page=2&include=7,8&x",
    total: 25,
    pages: "3",
    link:
      '<http://site.example/en/api/core/v2/items?page=1&include%5B0%5D=7&include%5B1%5D=8&x>; rel="prev", ' +
      '<http://site.example/en/api/core/v2/items?page=3&include%5B0%5D=7&include%5B1%5D=8&x>; rel="next"',
  },
])("a collection of $total has $pages pages, with links", async ({ request, total, pages, link }) => {
  const answer = await send(
    site({}, () => restAnswer({ body: [], total })),
    request,
  );
  expect(answer.header("X-WP-Total")).toBe(String(total));
  expect(answer.header("X-WP-TotalPages")).toBe(pages);
  expect(answer.header("Link")).toBe(link);
});

const apiLink = '<http://site.example/en/api/>; rel="https://api.w.org/"';

test("links to other pages are left out where they are longer than addresses may be", async () => {
  const routes = site({ limits: { urlBytes: 400 } }, () => restAnswer({ body: [], total: 25 }));
  const list = (count: number) => `GET /core/v2/items?page=2&include=${"7,".repeat(count)}`;
  expect((await send(routes, list(2))).header("Link")).toContain('rel="next"');
  expect((await send(routes, list(10))).header("Link")).toBe(apiLink);
  const given = { json: { include: "7,".repeat(90_000) } };
  const answer = await send(routes, "GET /core/v2/items?page=2&include=7", given);
  expect([answer.status, answer.header("Link")]).toEqual([200, apiLink]);
});

test.each([
  { fields: "_fields=a,t.r,nope", want: { a: 1, t: { r: 2 } } },
  { fields: "_fields[]=a&_fields[]=b", want: { a: 1, b: null } },
  { fields: "_fields=t,t.r", want: { t: { r: 2, q: 3 } } },
  { fields: "_fields=", want: { a: 1, b: null, t: { r: 2, q: 3 } } },
  { fields: "_fields=nope", want: [] },
])("$fields keeps $want", async ({ fields, want }) => {
  const routes = site({}, () => ({ a: 1, b: null, t: { r: 2, q: 3 } }));
  expect((await send(routes, `GET /core/v2/items?${fields}`)).json).toEqual(want);
});

test("_fields picks from each item of a list, and leaves errors alone", async () => {
  expect(
    (
      await send(
        site({}, () => [{ a: 1 }, { b: 1 }]),
        "GET /core/v2/items?_fields=a",
      )
    ).json,
  ).toEqual([{ a: 1 }, []]);
  expect((await send(site(), "GET /core/v2/items?_fields=code&page=x")).json).toHaveProperty("message");
});

test("_envelope puts status and headers into the body", async () => {
  const answer = await send(
    site({}, () => restAnswer({ body: [1], total: 1 })),
    "GET /core/v2/items?_envelope",
  );
  expect([answer.status, answer.json]).toEqual([
    200,
    { body: [1], status: 200, headers: { "X-WP-Total": 1, "X-WP-TotalPages": 1, Allow: "GET, POST" } },
  ]);
  const error = await send(site(), "GET /nope?_envelope");
  expect([error.status, error.json]).toEqual([200, { body: noRoute, status: 404, headers: [] }]);
});

test("a handler is told its headers, route, path and body", async () => {
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

test("a missing handler is found at once; what every object has is none", () => {
  const service = { interface: content, endpoints, handlers: { core: {} }, index };
  expect(() => restRoutes(service)).toThrow("There is no handler for core.items.list.");
  const odd = { toString: endpoints.core.items.list };
  expect(() => restRoutes({ ...service, endpoints: odd, handlers: {} })).toThrow("There is no handler");
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
    endpoints: { core: { items: { list: endpoints.core.items.list } } },
    handlers: { core: { items: new Items() } },
    index,
  });
  expect((await send(routes, "GET /core/v2/items")).json).toEqual(["a"]);
});
