import { describe, expect, test } from "vitest";
import { type Accepted, RestClient } from "../../src/client/index.js";
import {
  ConfigError,
  DecodeError,
  EncodeError,
  type EndpointDescriptor,
  HttpStatusError,
  type JsonValue,
  ProtocolError,
  RestError,
  type RestInterfaceDescriptor,
} from "../../src/index.js";
import { pathPattern, segmentNames } from "../../src/rest/index.js";
import { always, failureOf, localServer } from "./local-server.js";

const things: RestInterfaceDescriptor = {
  descriptorFormat: 2,
  name: "things",
  base: "/{lang}/api",
  baseValues: { lang: ["en", "pt-pt"] },
  segments: ["core", "core/v2", "v2/themes"],
  by: segmentNames,
};
interface List {
  status?: readonly string[] | undefined;
  page?: number | undefined;
  meta?: { readonly [name: string]: JsonValue } | undefined;
  sticky?: boolean | undefined;
  search?: string | null | undefined;
  any?: JsonValue | undefined;
}
const list: EndpointDescriptor<List> = {
  kind: "endpoint",
  interface: things,
  name: "core.things.list",
  route: "/core/v2/things",
  path: ["/core/v2/things"],
  methods: ["GET"],
  args: {
    status: { type: "array", items: { type: "string", enum: ["draft", "publish"] } },
    page: { type: "integer" },
    meta: { type: "object", properties: { size: { type: "integer" } } },
    sticky: { type: "boolean" },
    search: { type: ["string", "null"] },
    any: {},
  },
};
interface Update {
  id: number;
  title?: { readonly raw: string } | undefined;
  status?: string | undefined;
}
const update: EndpointDescriptor<Update> = {
  kind: "endpoint",
  interface: things,
  name: "core.things.update",
  route: "/core/v2/things/(?P<id>[\\d]+)",
  path: ["/core/v2/things/", { variable: "id", pattern: "[\\d]+" }],
  methods: ["POST", "PUT", "PATCH"],
  args: { id: { type: "integer" }, title: { type: "object" }, status: { type: "string", enum: ["draft", "publish"] } },
};
interface Theme {
  stylesheet: string;
  force?: boolean | undefined;
}
const theme: EndpointDescriptor<Theme> = {
  kind: "endpoint",
  interface: things,
  name: "core.themes.delete",
  route: "/core/v2/themes/(?P<stylesheet>[^.\\/]+(?:\\/[^.\\/]+)?)",
  path: ["/core/v2/themes/", { variable: "stylesheet", pattern: "[^.\\/]+(?:\\/[^.\\/]+)?", by: pathPattern }],
  methods: ["DELETE"],
  args: { stylesheet: { type: "string" }, force: { type: "boolean", required: true } },
};
const json = "application/json; charset=UTF-8";

async function answering(status: number, contentType: string | undefined, body: string, options: object = {}) {
  const server = await localServer(always(status, contentType, body, { "X-WP-Total": "abc" }));
  return { server, client: new RestClient(things, { siteUrl: server.url, ...options }) };
}

describe("requests", () => {
  test.each<{ readonly name: string; readonly input: Accepted<List>; readonly query: string }>([
    { name: "nothing", input: {}, query: "" },
    { name: "undefined members", input: { page: undefined }, query: "" },
    { name: "lists", input: { status: ["draft", "publish"] }, query: "?status%5B%5D=draft&status%5B%5D=publish" },
    { name: "one item of a list", input: { status: "draft" }, query: "?status%5B%5D=draft" },
    { name: "an empty list", input: { status: [] }, query: "?status=" },
    {
      name: "objects",
      input: { meta: { size: 1, b: { c: [true] }, list: [{ d: 1 }] } },
      query: "?meta%5Bsize%5D=1&meta%5Bb%5D%5Bc%5D%5B%5D=true&meta%5Blist%5D%5B0%5D%5Bd%5D=1",
    },
    {
      name: "scalars",
      input: { page: 2, sticky: false, search: "ł é&" },
      query: "?page=2&sticky=false&search=%C5%82%20%C3%A9%26",
    },
    { name: "null", input: { search: null }, query: "?search=" },
  ])("a GET with $name has it in the query", async ({ input, query }) => {
    const { server, client } = await answering(200, json, "[]");
    expect(await client.call(list, input)).toEqual([]);
    expect(server.received[0]).toMatchObject({ method: "GET", path: `/en/api/core/v2/things${query}`, body: "" });
    expect(server.received[0]?.headers).not.toHaveProperty("content-type");
    expect(server.received[0]?.headers.accept).toBe("application/json");
  });

  test("a method that the endpoint does not have is refused", async () => {
    const { client, server } = await answering(200, json, '{"id":7}');
    const error = await failureOf(client.call(update, { id: 7 }, { method: "DELETE" }));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`has only the methods POST, PUT, PATCH, not "DELETE". [DELETE ${server.url}/`),
    });
    expect(server.received).toEqual([]);
  });

  test("a POST sends JSON without the path variables; the method can be chosen, and arguments added", async () => {
    const { server, client } = await answering(200, json, '{"id":7}');
    const input: Update = { id: 7, title: { raw: "é" }, status: "draft" };
    expect(await client.call(update, input)).toEqual({ id: 7 });
    await client.call(update, { id: 7 }, { method: "PATCH", extra: { my_arg: [1, null] } });
    await client.call(update, { id: 7 }, { method: "PUT" });
    expect(server.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/en/api/core/v2/things/7", '{"title":{"raw":"é"},"status":"draft"}'],
      ["PATCH", "/en/api/core/v2/things/7", '{"my_arg":[1,null]}'],
      ["PUT", "/en/api/core/v2/things/7", ""],
    ]);
    expect(server.received[0]?.headers["content-type"]).toBe("application/json");
    expect(server.received[2]?.headers).not.toHaveProperty("content-type");
    expect(await failureOf(client.call(update, { id: 7 }, { method: "GET" }))).toBeInstanceOf(ConfigError);
  });

  test("a text is sent for a title as an object", async () => {
    const { server, client } = await answering(200, json, "{}");
    await client.call(update, { id: 4, title: "Żaba", status: "draft" });
    expect(server.received[0]?.body).toBe('{"title":{"raw":"Żaba"},"status":"draft"}');
  });

  test("a DELETE has all other arguments in the query", async () => {
    const { server, client } = await answering(200, json, "true");
    await client.call(theme, { stylesheet: "twenty", force: true }, { extra: { a: "b" } });
    expect(server.received[0]).toMatchObject({
      method: "DELETE",
      path: "/en/api/core/v2/themes/twenty?force=true&a=b",
      body: "",
    });
  });

  test.each([
    { options: { lang: "pt-pt" }, path: "/pt-pt/api/core/v2/things?page=1" },
    { options: { wireNames: { segments: { core: "wp" } } }, path: "/en/api/wp/v2/things?page=1" },
    { options: { wireNames: { segments: { core: "wp", "core/v2": "own/v7" } } }, path: "/en/api/own/v7/things?page=1" },
    { options: { plainPermalinks: true, lang: "pt-pt" }, path: "/pt-pt/?rest_route=/core/v2/things&page=1" },
  ])("the address with $options", async ({ options, path }) => {
    const { server, client } = await answering(200, json, "[]", options);
    await client.call(list, { page: 1 });
    expect(server.received[0]?.path).toBe(path);
  });

  test("a site in a folder, whose address has a query", async () => {
    const server = await localServer(always(200, json, "[]"));
    const plain = { ...things, base: "/wp-json" };
    await new RestClient(plain, { siteUrl: `${server.url}/blog/?key=1` }).call(list, {});
    await new RestClient(plain, { siteUrl: `${server.url}/blog/?key=1`, plainPermalinks: true }).call(list, {});
    expect(server.received.map((request) => request.path)).toEqual([
      "/blog/wp-json/core/v2/things?key=1",
      "/blog/?key=1&rest_route=/core/v2/things",
    ]);
  });
});

describe("path arguments", () => {
  test.each([
    { value: "a b", want: "a%20b" },
    { value: "a?x#y", want: "a%3Fx%23y" },
    { value: "%2f", want: "%252f" },
    { value: "a/b", want: "a/b" },
    { value: "a/b/c", want: "a%2Fb%2Fc" },
    { value: "é", want: "%C3%A9" },
  ])("$value is encoded", async ({ value, want }) => {
    const { server, client } = await answering(200, json, "1");
    await client.call(theme, { stylesheet: value, force: true });
    expect(server.received[0]?.path).toBe(`/en/api/core/v2/themes/${want}?force=true`);
  });

  test.each(["", ".", "..", "\ud800"])("%j is refused", async (value) => {
    const { server, client } = await answering(200, json, "1");
    const error = await failureOf(client.call(theme, { stylesheet: value, force: true }));
    expect(error).toBeInstanceOf(EncodeError);
    expect(error).toMatchObject({ path: "/stylesheet", operation: "core.themes.delete" });
    expect(server.received).toEqual([]);
  });

  test("a slash is written only where the pattern has one, and a dot segment nowhere", async () => {
    const { server, client } = await answering(200, json, "1");
    const open: EndpointDescriptor<{ path: string }> = {
      ...theme,
      path: ["/core/v2/files/", { variable: "path", pattern: ".+", by: pathPattern }],
      args: { path: { type: "string" } },
    };
    const word = { ...open, path: ["/w/", { variable: "path", pattern: "[\\w-]+" }, "x"] } as const;
    await client.call(open, { path: "a/b" });
    await client.call(word, { path: "a/b" });
    expect(server.received.map((request) => request.path)).toEqual(["/en/api/core/v2/files/a/b", "/en/api/w/a%2Fbx"]);
    for (const path of ["a/../b", "a//", "/", "./a"]) {
      expect(await failureOf(client.call(open, { path }))).toBeInstanceOf(EncodeError);
    }
    const dots = { ...word, path: ["/w/.", { variable: "path", pattern: ".*", by: pathPattern }] } as const;
    expect(await failureOf(client.call(dots, { path: "." }))).toBeInstanceOf(EncodeError);
    for (const literal of ["/w/../x", "/w/."]) {
      const route = { ...word, path: [literal] } as const;
      expect(await failureOf(client.call(route, { path: "a" }))).toBeInstanceOf(EncodeError);
    }
    expect(server.received).toHaveLength(2);
  });

  test("the id of a template is written with both of its slashes", async () => {
    const { server, client } = await answering(200, json, "1");
    const template: EndpointDescriptor<{ id: string }> = {
      ...theme,
      path: [
        "/core/v2/templates/",
        { variable: "id", pattern: '([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+', by: pathPattern },
      ],
      args: { id: { type: "string" } },
    };
    await client.call(template, { id: "twentytwentythree//single" });
    expect(server.received.map((request) => request.path)).toEqual([
      "/en/api/core/v2/templates/twentytwentythree//single",
    ]);
    const error = await failureOf(client.call({ ...template, route: "/core/v2/templates/(?P<id>.+)" }, { id: "" }));
    expect(error).toMatchObject({
      message: expect.stringMatching(/\[DELETE http:\/\/[^ ]+\/en\/api\/core\/v2\/templates\/\]$/),
    });
  });
});

describe("arguments that do not fit never reach a socket", () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  test.each<{ readonly input: object; readonly path: string }>([
    { input: { page: "1" }, path: "/page" },
    { input: { page: 1.5 }, path: "/page" },
    { input: { page: Number.NaN }, path: "/page" },
    { input: { page: null }, path: "/page" },
    { input: { page: 1n }, path: "/page" },
    { input: { any: () => 1 }, path: "/any" },
    { input: { any: Symbol("a") }, path: "/any" },
    { input: { any: new Date(0) }, path: "/any" },
    { input: { any: new Map() }, path: "/any" },
    { input: { any: Number.POSITIVE_INFINITY }, path: "/any" },
    { input: { any: "\udc00" }, path: "/any" },
    { input: { any: [undefined] }, path: "/any/0" },
    { input: { status: {} }, path: "/status" },
    { input: { status: "gone" }, path: "/status/0" },
    { input: { status: ["gone"] }, path: "/status/0" },
    { input: { meta: [] }, path: "/meta" },
    { input: { meta: { size: "1" } }, path: "/meta/size" },
    { input: { Page: 1 }, path: "/" },
    { input: JSON.parse('{"__proto__": {"page": 1}}') as object, path: "/" },
  ])("$input is refused at $path", async ({ input, path }) => {
    const { server, client } = await answering(200, json, "[]");
    const error = await failureOf(client.call(list, input as List));
    expect(error).toBeInstanceOf(EncodeError);
    expect(error).toMatchObject({ path, operation: "core.things.list" });
    expect(server.received).toEqual([]);
  });

  test("circular, missing, inherited, added twice", async () => {
    const { server, client } = await answering(200, json, "[]");
    const any = circular as never;
    expect(await failureOf(client.call(list, { any }))).toBeInstanceOf(EncodeError);
    expect(await failureOf(client.call(theme, { stylesheet: "a" }))).toMatchObject({ path: "/force" });
    expect(await failureOf(client.call(update, Object.create({ id: 7 }) as Update))).toMatchObject({ path: "/id" });
    expect(await failureOf(client.call(update, { id: 7, status: "draft" }, { extra: { status: "x" } }))).toMatchObject({
      path: "/status",
    });
    expect(await failureOf(client.call(list, "page" as never))).toBeInstanceOf(EncodeError);
    expect(server.received).toEqual([]);
  });
});

describe("answers", () => {
  test.each([
    { status: 200, contentType: json, body: '{"a":[1,null,"é"]}', want: { a: [1, null, "é"] } },
    { status: 201, contentType: "application/hal+json", body: "true", want: true },
    { status: 200, contentType: json, body: "\ufeff[]", want: [] },
    { status: 204, contentType: undefined, body: "", want: null },
    { status: 200, contentType: "text/html", body: "", want: null },
    { status: 200, contentType: json, body: '{"code":"a","message":"b"}', want: { code: "a", message: "b" } },
  ])("the answer $status with the body $body is $want", async ({ status, contentType, body, want }) => {
    const { client } = await answering(status, contentType, body);
    expect(await client.call(list, {})).toEqual(want);
  });

  test("headers and status are returned with the body on request", async () => {
    const { client } = await answering(200, json, "[1]");
    const answer = await client.callWithAnswer(list, {});
    expect([answer.status, answer.headers.get("x-wp-total"), answer.body]).toEqual([200, "abc", [1]]);
    let seen = 0;
    await client.call(list, {}, { onAnswer: (answer) => (seen = answer.status) });
    expect(seen).toBe(200);
  });

  test.each([404, 200])("an error body with status %d", async (status) => {
    const body = '{"code":"rest_no_route","message":"No route","data":{"status":404,"params":{"a":"b"}}}';
    const { client, server } = await answering(status, json, body);
    const error = await failureOf(client.call(list, {}));
    expect(error).toBeInstanceOf(RestError);
    expect(error).toMatchObject({
      code: "rest_no_route",
      reason: "No route",
      status: 404,
      data: { params: { a: "b" } },
      operation: "core.things.list",
      address: `${server.url}/en/api/core/v2/things`,
    });
    expect((error as RestError).headers.get("x-wp-total")).toBe("abc");
  });

  test("an error keeps no more of a long error body than errorBodyBytes allows", async () => {
    const long = "x".repeat(100_000);
    const body = JSON.stringify({ code: `a_${long}`, message: long, data: { status: 400, trace: long } });
    const { client } = await answering(400, json, body);
    const error = await failureOf(client.call(list, {}, { limits: { errorBodyBytes: 1_000 } }));
    expect(error).toBeInstanceOf(RestError);
    const { code, reason, status, data } = error as RestError;
    expect([code.length, reason.length, status, data]).toEqual([1_000, 1_000, 400, {}]);
  });

  test.each([
    { name: "invalid JSON", status: 200, contentType: json, body: "{", want: DecodeError },
    { name: "a number that overflows", status: 200, contentType: json, body: "[1e400]", want: DecodeError },
    {
      name: "a name that reaches for a prototype",
      status: 200,
      contentType: json,
      body: '{"__proto__":1}',
      want: DecodeError,
    },
    { name: "deep", status: 200, contentType: json, body: "[".repeat(65) + "]".repeat(65), want: ProtocolError },
    {
      name: "many items",
      status: 200,
      contentType: json,
      body: `[${"1,".repeat(100_001)}1]`,
      want: ProtocolError,
    },
    {
      name: "malformed bytes",
      status: 200,
      contentType: "application/json; charset=us-ascii",
      body: '"é"',
      want: DecodeError,
    },
    { name: "HTML", status: 200, contentType: "text/html", body: "<html>", want: ProtocolError },
    { name: "an HTML error", status: 500, contentType: "text/html", body: "<html>", want: HttpStatusError },
    { name: "an error without a body", status: 404, contentType: undefined, body: "", want: HttpStatusError },
    { name: "JSON of another kind", status: 404, contentType: json, body: '{"error":"x"}', want: HttpStatusError },
    { name: "broken JSON", status: 500, contentType: json, body: "{", want: HttpStatusError },
    { name: "a redirect", status: 302, contentType: json, body: "{}", want: ProtocolError },
  ])("$name causes an error with operation and status", async ({ status, contentType, body, want }) => {
    const { client } = await answering(status, contentType, body);
    const error = await failureOf(client.call(list, {}));
    expect(error).toBeInstanceOf(want);
    expect(error).toMatchObject({ operation: "core.things.list", status });
  });

  test("an answer changes no prototype", async () => {
    const { client } = await answering(200, json, '{"constructor":{"prototype":{"polluted":1}}}');
    expect(await failureOf(client.call(list, {}))).toBeInstanceOf(DecodeError);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("options that do not fit", () => {
  test.each([
    { options: { siteUrl: "x" }, message: "siteUrl" },
    { options: {}, message: "siteUrl" },
    { options: { siteUrl: "http://x", lang: "de" }, message: "lang" },
    { options: { siteUrl: "http://x", lamg: "en" }, message: 'Did you mean "lang"?' },
    { options: { siteUrl: "http://x", wireNames: { segments: { v2: "v3" } } }, message: "v2" },
    { options: { siteUrl: "http://x", wireNames: { segments: { core: "../x y" } } }, message: "segment" },
  ])("$options are refused", ({ options, message }) => {
    const construct = (): unknown => new RestClient(things, options as never);
    expect(construct).toThrow(ConfigError);
    expect(construct).toThrow(message);
  });

  test("a variable without listed values is one segment", async () => {
    const server = await localServer(always(200, json, "[]"));
    const free = { ...things, base: "/{site}/wp-json", baseValues: {} };
    await new RestClient(free, { siteUrl: server.url, site: "a/b" } as never).call(list, {});
    expect(server.received[0]?.path).toBe("/a%2Fb/wp-json/core/v2/things");
    for (const site of ["..", "", undefined]) {
      expect(() => new RestClient(free, { siteUrl: server.url, site } as never)).toThrow(ConfigError);
    }
  });

  test("user information of the site becomes a header", async () => {
    const server = await localServer(always(200, json, "[]"));
    await new RestClient(things, { siteUrl: server.url.replace("//", "//me:app%20pw@") }).call(list, {});
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${btoa("me:app pw")}`);
  });

  test("a call's options", async () => {
    const { client } = await answering(200, json, "[]");
    expect(await failureOf(client.call(list, {}, { metod: "GET" } as never))).toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining('Did you mean "method"?'),
    });
  });
});
