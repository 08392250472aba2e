import { expect, test } from "vitest";
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

test.each(["/", "/en", "/api/x.asmx", "/en/apis", "/a/b/c", "/?x=1"])("%s is not for this interface", (target) => {
  const { signal } = new AbortController();
  expect(site().answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal })).toBeUndefined();
});
