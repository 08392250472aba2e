import { expect, test } from "vitest";
import { argOf, indexOf, lowered } from "./lower-index.js";

const types = [
  { given: {}, want: { kind: "any" } },
  { given: [], want: { kind: "any" } },
  { given: { type: "string" }, want: { kind: "string" } },
  { given: { type: ["integer"] }, want: { kind: "integer" } },
  { given: { type: ["string", "null"] }, want: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] } },
  { given: { type: ["string", "string"] }, want: { kind: "string" } },
  { given: { type: "array" }, want: { kind: "array", items: { kind: "any" } } },
  { given: { type: "array", items: [] }, want: { kind: "array", items: { kind: "any" } } },
  { given: { type: "array", items: { type: "integer" } }, want: { kind: "array", items: { kind: "integer" } } },
  { given: { type: "string", enum: ["a", "b"] }, want: { kind: "enumeration", values: ["a", "b"] } },
  { given: { enum: ["a", 1, null, true] }, want: { kind: "enumeration", values: ["a", 1, null, true] } },
  { given: { enum: { x: "a", y: "b" } }, want: { kind: "enumeration", values: ["a", "b"] } },
  { given: { type: ["string", "null"], enum: ["a"] }, want: { kind: "enumeration", values: ["a", null] } },
  { given: { type: "object", enum: [{}] }, want: { kind: "object", properties: [] } },
  {
    given: { type: "array", items: { type: "string", enum: ["a"] } },
    want: { kind: "array", items: { kind: "enumeration", values: ["a"] } },
  },
  {
    given: { type: "object", properties: { p: { type: "string", required: true, description: "d" }, q: {} } },
    want: {
      kind: "object",
      properties: [
        { name: "p", required: true, type: { kind: "string" }, documentation: "d" },
        { name: "q", required: false, type: { kind: "any" }, documentation: undefined },
      ],
    },
  },
  {
    given: { type: "object", required: ["p"], properties: { p: { type: "null" } } },
    want: {
      kind: "object",
      properties: [{ name: "p", required: true, type: { kind: "null" }, documentation: undefined }],
    },
  },
  {
    given: { type: ["object", "array"], oneOf: [{ type: "array" }, { type: "object" }] },
    want: {
      kind: "union",
      members: [
        { kind: "array", items: { kind: "any" } },
        { kind: "object", properties: [] },
      ],
    },
  },
  { given: { anyOf: [{ type: "string" }, {}] }, want: { kind: "any" } },
];

test.each(types)("$given is of type $want", ({ given, want }) => {
  expect(argOf(given)).toMatchObject({ arg: { type: want }, codes: [] });
});

const warnings = [
  { given: { type: "mixed" }, code: "IDX030", type: { kind: "any" } },
  { given: { type: ["string", "mixed"] }, code: "IDX030", type: { kind: "any" } },
  { given: { type: "integer", enum: [1, "b"] }, code: "IDX031", type: { kind: "enumeration", values: [1, "b"] } },
  { given: { enum: ["a", "a"] }, code: "IDX031", type: { kind: "enumeration", values: ["a"] } },
  { given: { type: "string", enum: [] }, code: "IDX031", type: { kind: "string" } },
  { given: { enum: ["a"], default: "b" }, code: "IDX032", type: { kind: "enumeration", values: ["a"] } },
  { given: { type: "string", default: 10 }, code: "IDX032", type: { kind: "string" } },
  { given: { type: "string", default: { a: [] } }, code: "IDX032", type: { kind: "string" } },
  { given: { type: "integer", maximum: 5, default: 10 }, code: "IDX032", type: { kind: "integer" } },
  { given: { required: "1" }, code: "IDX033", type: { kind: "any" } },
  { given: { type: "array", items: [{}] }, code: "IDX034", type: { kind: "array", items: { kind: "any" } } },
  { given: { default: 2 ** 60 }, code: "IDX009", type: { kind: "any" } },
];

test.each(warnings)("$given is kept with a warning", ({ given, code, type }) => {
  expect(argOf(given)).toMatchObject({ arg: { type }, codes: [`warning ${code}`] });
});

test("a default outside its enumeration causes only a note if WordPress publishes this default", () => {
  const args = { context: { type: "string", enum: ["edit"], default: "view" } };
  const endpoints = [{ methods: ["GET"], args }];
  const paths = ["/wp/v2/block-renderer", "/wp/v2/posts", "/wp/v2/settings", "/wp/v2/product", "/shop/v1/posts"];
  const { diagnostics } = lowered({ routes: Object.fromEntries(paths.map((path) => [path, { endpoints }])) });
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    ...["info IDX032", "info IDX032", "info IDX032"],
    ...["warning IDX032", "warning IDX032"],
  ]);
});

const meant = [
  { given: "int", want: "integer" },
  { given: "Integer", want: "integer" },
  { given: "bool", want: "boolean" },
  { given: "float", want: "number" },
  { given: "date-time", want: "string" },
  { given: "email", want: "string" },
];

test.each(meant)("the type $given is read as $want, with a note", ({ given, want }) => {
  expect(argOf({ type: given })).toMatchObject({ arg: { type: { kind: want } }, codes: ["info IDX030"] });
  expect(argOf({ type: ["null", given] })).toMatchObject({ codes: ["info IDX030"] });
});

test("a null default need not be enumerated", () => {
  expect(argOf({ enum: ["a"], default: null })).toMatchObject({ arg: { default: null }, codes: [] });
});

test("a default may have any type", () => {
  expect(argOf({ type: "array", default: "publish" })).toMatchObject({ arg: { default: "publish" }, codes: [] });
});

test("a value of required that is not a boolean is converted as in PHP", () => {
  expect(argOf({ required: "1" }).arg?.required).toBe(true);
  expect(argOf({ required: "0" }).arg?.required).toBe(false);
});

function argsOf(route: string, args: unknown) {
  const index = { routes: { [route]: { endpoints: [{ methods: ["GET"], args }] } } };
  return lowered(index).interface?.endpoints[0]?.args.map(({ name, inPath, required, type }) => ({
    name,
    inPath,
    required,
    type,
  }));
}

test("an undeclared path variable comes first and is typed by its pattern", () => {
  const route = "/a/(?P<slug>[\\w-]+)/(?P<id>[\\d]{1,9})/(?P<n>\\d+)/(?P<k>[0-9]+)/(?P<m>[\\d]+|me)";
  expect(argsOf(route, { parent: { type: "integer" } })).toEqual([
    { name: "slug", inPath: true, required: true, type: { kind: "string" } },
    { name: "id", inPath: true, required: true, type: { kind: "integer" } },
    { name: "n", inPath: true, required: true, type: { kind: "integer" } },
    { name: "k", inPath: true, required: true, type: { kind: "integer" } },
    { name: "m", inPath: true, required: true, type: { kind: "string" } },
    { name: "parent", inPath: false, required: false, type: { kind: "integer" } },
  ]);
});

test("a declared path variable keeps its position and type, and is required", () => {
  const args = { context: { type: "string" }, id: { type: "string", required: false }, n: {} };
  expect(argsOf("/a/(?P<id>[\\d]+)/(?P<n>\\d+)", args)).toEqual([
    { name: "context", inPath: false, required: false, type: { kind: "string" } },
    { name: "id", inPath: true, required: true, type: { kind: "string" } },
    { name: "n", inPath: true, required: true, type: { kind: "integer" } },
  ]);
});

const document = {
  name: "Site",
  description: "Just another site",
  url: "http://site.example",
  home: "http://site.example",
  gmt_offset: "0",
  timezone_string: "",
  namespaces: ["x/v1"],
  authentication: [],
  routes: {
    "/x/v1": {
      namespace: "x/v1",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: [] }],
      _links: { self: [{ href: "http://site.example/wp-json/x/v1" }] },
    },
    "/x/v1/a": {
      namespace: "x/v1",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: { b: { default: 1, extra: [null] } } }],
      _links: { self: "http://site.example/wp-json/x/v1/a" },
    },
    "/x/v1/(?P<id>\\d+)": { namespace: "x/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args: [] }] },
  },
  _links: { help: [{ href: "http://help.example/" }], icon: [{ href: "http://site.example/i" }] },
};

test("the published document is the index without the members and addresses of the site", () => {
  const served = lowered(document).interface?.document;
  expect(served).toEqual({
    namespaces: ["x/v1"],
    authentication: [],
    routes: {
      "/x/v1": { ...document.routes["/x/v1"], _links: { self: [{ href: "" }] } },
      "/x/v1/a": { ...document.routes["/x/v1/a"], _links: { self: "" } },
      "/x/v1/(?P<id>\\d+)": document.routes["/x/v1/(?P<id>\\d+)"],
    },
    _links: { help: [{ href: "http://help.example/" }] },
  });
  expect(JSON.stringify(served)).not.toContain("site.example");
});

test("only the chosen routes are in the document and have endpoints", () => {
  const { interface: lower } = lowered(document, { routes: ["/x/v1/a"] });
  expect(lower?.endpoints.map((endpoint) => endpoint.route)).toEqual(["/x/v1/a"]);
  expect(lower?.document).toMatchObject({ routes: { "/x/v1/a": {} } });
  expect(JSON.stringify(lower?.document)).not.toContain("(?P<id>");
});

test("a route or segment that the index does not have is an error", () => {
  const index = indexOf(["GET /a/(?P<b>c)"]);
  expect(lowered(index, { routes: ["/b"] }).diagnostics).toMatchObject([{ code: "IDX044" }]);
  expect(lowered(index, { segments: ["a", "c"] }).diagnostics).toMatchObject([{ code: "IDX043" }]);
});

test("a misspelled segment is answered with the segment that was meant", () => {
  const index = indexOf(["GET /orders/(?P<id>\\d+)"]);
  const help = 'Did you mean "orders"?';
  expect(lowered(index, { segments: ["order"] }).diagnostics).toMatchObject([{ code: "IDX043", help }]);
});

test.each([
  { segments: ["a", "a/b", "d/e"], unknown: [] },
  { segments: ["b/d"], unknown: ["b/d"] },
  { segments: ["b/", "", "a/b/"], unknown: ["b/", "", "a/b/"] },
  { segments: ["x-"], unknown: ["x-"] },
])("segments $segments are consecutive in a route, or are unknown", ({ segments, unknown }) => {
  const index = indexOf(["GET /a/b/(?P<c>c)/d/e/x-(?P<y>y)"]);
  const { diagnostics } = lowered(index, { segments });
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
    unknown.map((name) => `IDX043 No route has the literal segment "${name}".`),
  );
});
