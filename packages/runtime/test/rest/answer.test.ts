import { expect, test } from "vitest";
import { type RestContext, restAnswer, type ServerIncident } from "../../src/server/index.js";
import { send, site } from "./site.js";

const noRoute = {
  code: "rest_no_route",
  message: "No route was found matching the URL and request method.",
  data: { status: 404 },
};

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

test("an answer to a request with credentials is not cached", async () => {
  const answer = await send(site(), "GET /core/v2/items", { headers: { Authorization: "Basic eA==" } });
  expect(answer.header("Cache-Control")).toBe("no-cache, must-revalidate, max-age=0");
  expect(answer.header("Vary")).toBeUndefined();
});

test("the handler gets the nonce of the query, else of the header, and the answer is not cached", async () => {
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

test("links to other pages are left out if they are longer than addresses may be", async () => {
  const routes = site({ limits: { urlBytes: 400 } }, () => restAnswer({ body: [], total: 25 }));
  const list = (count: number) => `GET /core/v2/items?page=2&include=${"7,".repeat(count)}`;
  expect((await send(routes, list(2))).header("Link")).toContain('rel="next"');
  expect((await send(routes, list(10))).header("Link")).toBe(apiLink);
  const request = { json: { include: "7,".repeat(90_000) } };
  const answer = await send(routes, "GET /core/v2/items?page=2&include=7", request);
  expect([answer.status, answer.header("Link")]).toEqual([200, apiLink]);
});

test.each([
  { fields: "_fields=a,t.r,nope", want: { a: 1, t: { r: 2 } } },
  { fields: "_fields[]=a&_fields[]=b", want: { a: 1, b: null } },
  { fields: "_fields=t,t.r", want: { t: { r: 2, q: 3 } } },
  { fields: "_fields=", want: { a: 1, b: null, t: { r: 2, q: 3 } } },
  { fields: "_fields=nope", want: [] },
])("the query $fields keeps $want", async ({ fields, want }) => {
  const routes = site({}, () => ({ a: 1, b: null, t: { r: 2, q: 3 } }));
  expect((await send(routes, `GET /core/v2/items?${fields}`)).json).toEqual(want);
});

test("_fields applies to each item of a list, and not to errors", async () => {
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

const cannot = "which JSON cannot represent";
const ofType = (name: string) => `is of the type ${name}, ${cannot}.`;

test.each<readonly [string, unknown, string | undefined, string]>([
  ["a promise", { item: Promise.resolve(1) }, "/item", `${ofType("Promise")} Await the promise.`],
  ["a promise in a list", [1, { item: Promise.resolve(1) }], "/1/item", `${ofType("Promise")} Await the promise.`],
  ["a map", { tags: new Map([["a", 1]]) }, "/tags", `${ofType("Map")} Convert it to a plain object or a list.`],
  [
    "an error",
    { a: new Error("x") },
    "/a",
    "is an Error, which JSON cannot represent. Throw it, or return its message.",
  ],
  ["an invalid date", { at: new Date(Number.NaN) }, "/at", "is an invalid Date. Return null."],
  ["an undefined item", { a: [1, undefined] }, "/a/1", `is undefined, ${cannot} in a list. Return null.`],
  ["a function", { a: 1, run: () => 1 }, "/run", `is a function, ${cannot}. Leave it out.`],
  [
    "a function in a list of objects",
    [{ a: 1 }, { b: { run() {} } }],
    "/1/b/run",
    `is a function, ${cannot}. Leave it out.`,
  ],
  ["only a function", { run: () => 1 }, "/run", `is a function, ${cannot}. Leave it out.`],
  ["a function beside null", { a: null, run: () => 1 }, "/run", `is a function, ${cannot}. Leave it out.`],
  ["a function in a list", [() => 1], "/0", `is a function, ${cannot}. Leave it out.`],
  ["a symbol", { a: { id: Symbol("a") } }, "/a/id", `is a symbol, ${cannot}. Leave it out.`],
  // biome-ignore lint/suspicious/noSparseArray: JavaScript allows them.
  ["a missing item", [, 1], "/0", `is undefined, ${cannot} in a list. Return null.`],
])("an answer that contains %s is refused, because JSON would lose it", async (_, body, path, text) => {
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) }, () => body as never);
  const answer = await send(routes, "GET /core/v2/items");
  expect(answer.status).toBe(500);
  const error = expect.objectContaining({ message: `The answer's value ${text}` });
  expect(incidents).toEqual([expect.objectContaining({ kind: "encode", path, error })]);
});

/** Long answers are searched completely only if JSON writes null. */
const manyValues = Array<number>(2_000).fill(1);

test.each<readonly [string, unknown, string]>([
  ["a number", Number.NaN, "is not a finite number."],
  ["an infinite number", { a: -Infinity }, "is not a finite number."],
  ["an invalid date", { at: new Date(Number.NaN) }, "is an invalid Date."],
  ["an undefined item", [1, undefined], `is undefined, ${cannot} in a list.`],
  ["a function in a list", [() => 1], `is a function, ${cannot}.`],
  ["a symbol in a list", [Symbol("a")], `is a symbol, ${cannot}.`],
])("%s that JSON writes as null is refused wherever it is", async (_, value, text) => {
  const bodies = [value, [value], { first: value, manyValues }, { manyValues, last: value }, [null, manyValues, value]];
  for (const body of bodies) {
    const incidents: ServerIncident[] = [];
    const routes = site({ onError: (incident) => void incidents.push(incident) }, () => body as never);
    expect((await send(routes, "GET /core/v2/items")).status).toBe(500);
    const message = expect.stringContaining(`The answer's value ${text}`);
    expect(incidents).toEqual([expect.objectContaining({ error: expect.objectContaining({ message }) })]);
  }
});

test("an answer may contain empty objects, and objects with toJSON", async () => {
  const cases = [
    {},
    { a: {}, b: [{}], c: Object.create(null) },
    { at: new Date(0), text: "{}", none: undefined, boxed: [new Number(5)] },
    { text: "null", none: [null, "", false], at: [new Date(0)], optional: undefined },
    { run: Object.assign(() => 1, { toJSON: () => "a" }), list: Array(2_000).fill({ a: 1 }) },
  ];
  for (const body of cases) {
    const answer = await send(
      site({}, () => body as never),
      "GET /core/v2/items",
    );
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(body)));
  }
});

test("an answer to a call with a principal is not cached, whatever the credentials are", async () => {
  const options = { authenticate: ({ headers }: RestContext) => headers.get("x-api-key"), authorize: () => true };
  const cacheControlOf = async (headers: Record<string, string>) =>
    (await send(site(options), "GET /core/v2/items", { headers })).header("Cache-Control");

  expect(await cacheControlOf({ "X-API-Key": "k1" })).toBe("no-cache, must-revalidate, max-age=0");
  expect(await cacheControlOf({})).toBeUndefined();
});
