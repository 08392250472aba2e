import { describe, expect, test } from "vitest";
import type { ServerIncident } from "../../src/server/index.js";
import { send, site } from "./site.js";

const noRoute = {
  code: "rest_no_route",
  message: "No route was found matching the URL and request method.",
  data: { status: 404 },
};

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
])("no route matches %s", async (request) => {
  const answer = await send(site(), request);
  expect(answer.status).toBe(404);
  expect(answer.json).toEqual(noRoute);
  expect(answer.header("Allow")).toBeUndefined();
});

describe("an escape of a character that needs none", () => {
  test.each([
    "GET /%63ore/v2/items",
    "GET /core/v2/item%73",
    "GET /CORE/v2/%49tems",
    "GET /core/v%32/items/4",
    "GET /core/v2/%69tems/4",
    "GET /core/v2/items/4/%70arts/ab",
    "GET /core/v2/items/4/%70arts/parts",
    "GET //en/%61pi/core/v2/items",
    "GET //index.php/en/api/%63ore/v2/items",
  ])("hides the route from guards, so no route matches %s", async (request) => {
    const incidents: ServerIncident[] = [];
    const answer = await send(site({ onError: (incident) => void incidents.push(incident) }), request).catch(() => {});
    expect([404, undefined]).toContain(answer?.status);
    expect(incidents.every(({ message }) => message.includes("It contains escapes of characters"))).toBe(true);
    expect(incidents).toHaveLength(answer === undefined ? 0 : 1);
  });

  test.each([
    ["GET /core/v2/items/%34", { operation: "core.items.get" }],
    ["GET /core/v2/items/4/parts/%61%62", { operation: "core.items.parts.get" }],
    ["GET /core/v2/items/%34/parts/%70art", { operation: "core.items.parts.get" }],
  ])("is allowed in variables: %s", async (request, want) => {
    expect((await send(site(), request)).json).toMatchObject(want);
  });
});

test("without plain permalinks, no address without URL rewriting reaches a route", async () => {
  const routes = site({ plainPermalinks: false });
  for (const target of ["/?rest_route=/core/v2/items", "/index.php/en/api/core/v2/items"]) {
    const { signal } = new AbortController();
    expect(routes.answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal })).toBeUndefined();
  }
});

test.each(["/", "/en", "/api/x.asmx", "/en/apis", "/a/b/c", "/?x=1"])("%s is not for this interface", (target) => {
  const { signal } = new AbortController();
  expect(site().answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal })).toBeUndefined();
});
