import { expect, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { index, send, site } from "./site.js";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

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

test("a path variable comes only from the path", async () => {
  const { json } = await send(site(), "PUT /core/v2/items/4?id=5", { json: { id: 6, author: "7" } });
  expect(json["input"]).toEqual({ id: 4, author: 7 });
});

test("arguments that the index does not declare do not reach the handler", async () => {
  const { json } = await send(site(), "POST /core/v2/items?b=1", { json: { a: 1, constructor: 1, author: 1 } });
  expect(json["input"]).toEqual({ author: 1 });
});

test("path variables that the index does not declare have the type of their pattern", async () => {
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
])("a title sent as $title reaches the handler as $want", async ({ title, want }) => {
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

test("the conventions have the limits that the index does not list", async () => {
  const routes = site({ conventions: { hiddenLimits: {} } });
  expect((await send(routes, "GET /core/v2/items?per_page=1000&after=x")).status).toBe(200);
});

test("an integer that JavaScript cannot represent exactly is refused in paths, queries, lists and JSON", async () => {
  const message =
    "must be between -9007199254740991 (inclusive) and 9007199254740991 (inclusive), the integers that this server represents exactly.";
  const json = { "Content-Type": "application/json" };
  const cases: readonly (readonly [string, string, { headers?: typeof json; body?: string }])[] = [
    ["GET /core/v2/items/9007199254740993", "id", {}],
    ["GET /core/v2/items?include[]=9007199254740993", "include[0]", {}],
    ["GET /core/v2/items?include=7,9007199254740993", "include[1]", {}],
    ["POST /core/v2/items", "author", { headers: json, body: '{"author":9007199254740993}' }],
    ["POST /core/v2/items", "tags[1]", { headers: json, body: '{"tags":[1,9007199254740993]}' }],
    [
      "POST /core/v2/items/4/parts",
      "data[*][0]",
      { headers: json, body: '{"action":"cut","data":{"ids":[9007199254740993]}}' },
    ],
  ];
  for (const [request, path, sent] of cases) {
    const answer = await send(site(), request, sent);
    const [name = ""] = path.split("[");
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(invalid([name], [`${path} ${message}`], ["rest_out_of_bounds"]));
  }
});

test("a default in the index may be an integer that is rounded", async () => {
  const document = structuredClone(index) as { routes: Record<string, { endpoints: { args: unknown }[] }> };
  const [listEndpoint] = document.routes["/core/v2/items"]?.endpoints ?? [];
  Object.assign(listEndpoint ?? {}, {
    args: {
      page: { type: "integer", default: 2 ** 63 },
      include: { type: "array", items: { type: "integer" }, default: [2 ** 60] },
    },
  });
  const { json } = await send(site({}, undefined, document as JsonValue), "GET /core/v2/items");
  expect(json["input"]).toEqual({ page: 2 ** 63, include: [2 ** 60] });
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
