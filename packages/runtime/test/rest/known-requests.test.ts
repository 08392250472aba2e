import { expect, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { restAnswer } from "../../src/server/index.js";
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
