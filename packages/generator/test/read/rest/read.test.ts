import { expect, test } from "vitest";
import { getPosition } from "../../../src/source/span.js";
import { indexOf, lowered } from "../../lower/lower-index.js";

const endpoint = { methods: ["GET"], args: {} };

const refusals = [
  { given: "[]", code: "IDX011", says: "The document is a list" },
  { given: "{}", code: "IDX010", says: "no routes" },
  { given: '{"name":"x"}', code: "IDX010", says: "no routes" },
  { given: '{"routes":[]}', code: "IDX010", says: "has no routes" },
  { given: '{"routes":"none"}', code: "IDX011", says: "/routes is a string" },
  { given: '{"routes":{"/a/b":null}}', code: "IDX011", says: "No route of the index is intact" },
  { given: { routes: { "/a(": { endpoints: [endpoint] } } }, code: "IDX010", says: "No route" },
  { given: '{"routes":{"/a":{"endpoints":[]},"/a":{"endpoints":[]}}}', code: "IDX004", says: "/routes/~1a" },
  { given: '{"routes":{},"__proto__":{}}', code: "IDX005", says: "__proto__" },
  { given: '{"routes":{},"a":{"\\u005f_proto__":1}}', code: "IDX005", says: "__proto__" },
  { given: '{"routes":{},"a":1e400}', code: "IDX006", says: "too large" },
  { given: '{"routes":{},"a":"\\ud800"}', code: "IDX007", says: "surrogate" },
  { given: '{"routes":{},}', code: "IDX002", says: "a comma after the last member" },
  { given: '{"name":"a","routes":{},}', code: "IDX002", says: "a comma after the last member" },
  { given: '{"name":"a","routes":{"/a":{', code: "IDX002", says: "" },
  { given: '<br />Warning: {"name":"a","routes":{},}', code: "IDX002", says: "a comma after the last member" },
  { given: '{"routes":{}/**/}', code: "IDX002", says: "invalid comment token" },
  { given: "", code: "IDX002", says: "empty" },
  { given: `{"routes":${"[".repeat(100_000)}`, code: "IDX008", says: "the limit jsonDepth (64)" },
  {
    given: `{"routes":{},"a":[${"0,".repeat(250_000)}0]}`,
    code: "LIM008",
    says: "the limit jsonItems (250000)",
  },
  {
    given: `{${Array.from({ length: 250_001 }, (_, i) => `"${i}":0`).join()}}`,
    code: "LIM007",
    says: "the limit jsonKeys (250000)",
  },
];

test.each(refusals)("$given is refused with $code", ({ given, code, says }) => {
  const { diagnostics } = lowered(given);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  const found = diagnostics.find((diagnostic) => diagnostic.code === code);
  expect(found).toMatchObject({ severity: "error", message: expect.stringContaining(says) });
});

const good = { endpoints: [endpoint] };

/** Indexes of real sites that WordPress would not send. Each is read as its site probably means it, with a warning. */
const readAsMeant = [
  { given: { "/a/b": null }, says: "/routes/~1a~1b is null, not an object.", want: [] },
  { given: { "/a": { namespace: "" } }, says: "/routes/~1a has no endpoints. It is left out.", want: [] },
  { given: { "/a": { ...good, endpoints: null } }, says: "/routes/~1a has no endpoints. It is left out.", want: [] },
  {
    given: { "/a": { methods: ["GET", "POST"] } },
    says: "/routes/~1a has no endpoints. Its methods are read as one endpoint without arguments.",
    want: ["GET,POST /a"],
  },
  {
    given: { "/a": { endpoints: endpoint } },
    says: "The list at /routes/~1a/endpoints is written as an object.",
    want: ["GET /a"],
  },
  {
    given: { "/a": { endpoints: [null, endpoint] } },
    says: "/routes/~1a/endpoints/0 is null, not an object.",
    want: ["GET /a"],
  },
  {
    given: { "/a": { endpoints: [{ methods: "GET, POST", args: {} }] } },
    says: "/endpoints/0/methods is a string, not a list.",
    want: ["GET,POST /a"],
  },
  {
    given: { "/a": { methods: "GET", endpoints: [endpoint] } },
    says: "/routes/~1a/methods is a string, not a list.",
    want: ["GET /a"],
  },
  { given: { "/a": { methods: ["GET"], endpoints: [] } }, says: "/routes/~1a has no endpoints.", want: ["GET /a"] },
  { given: { "/a": { methods: null, endpoints: [endpoint] } }, says: "/routes/~1a/methods is null", want: ["GET /a"] },
  { given: { "/a": { endpoints: [{ args: {} }] } }, says: "/endpoints/0 has no methods. It is left out.", want: [] },
  {
    given: { "/a": { methods: ["PUT"], endpoints: [{ methods: null, args: {} }] } },
    says: "/endpoints/0 has no methods. It gets the methods of its route.",
    want: ["PUT /a"],
  },
  {
    given: { "/a": { endpoints: [{ methods: [1, "GET"], args: {} }] } },
    says: "/methods/0 is a number, not a string.",
    want: ["GET /a"],
  },
  { given: { "/a": { endpoints: [{ ...endpoint, args: null }] } }, says: "/args is null", want: ["GET /a"] },
  { given: { "/a": { endpoints: [{ ...endpoint, args: "none" }] } }, says: "/args is a string", want: ["GET /a"] },
  { given: args({ b: null }), says: "/args/b is null, not an object.", want: ["GET /a b?: any"] },
  { given: args({ b: 1 }), says: "/args/b is a number, not an object.", want: ["GET /a b?: any"] },
  {
    given: args({ b: { type: "string", enum: "x" } }),
    says: "/enum is a string, not a list.",
    want: ["GET /a b?: string"],
  },
  {
    given: args({ b: { type: "object", properties: "x" } }),
    says: "/properties is a string",
    want: ["GET /a b?: object"],
  },
  { given: args({ b: { oneOf: "x" } }), says: "/oneOf is a string, not a list.", want: ["GET /a b?: any"] },
  {
    given: args({ b: { anyOf: [null, { type: "integer" }] } }),
    says: "/anyOf/0 is null, not an object.",
    want: ["GET /a b?: any"],
  },
  {
    given: args({ b: { type: "array", items: "string" } }),
    says: "/items is not a single",
    want: ["GET /a b?: array"],
  },
  { given: args({ b: { type: null } }), says: "/type is not a type", want: ["GET /a b?: any"] },
  { given: args({ b: { type: "string", required: "true" } }), says: "read as true", want: ["GET /a b: string"] },
  {
    given: args({ b: { type: "integer", default: "ten", enum: [1, 2] } }),
    says: "/default",
    want: ["GET /a b?: enumeration"],
  },
];

function args(schemas: object): object {
  return { "/a": { endpoints: [{ methods: ["GET"], args: schemas }] } };
}

test.each(readAsMeant)("$given is read, with the warning: $says", ({ given, says, want }) => {
  const { interface: rest, diagnostics } = lowered({ routes: { ...given, "/good": good } });
  const found = rest?.endpoints.map(({ methods, route, args: list }) => {
    const texts = list.map(({ name, required, type }) => ` ${name}${required ? "" : "?"}: ${type.kind}`);
    return `${methods.join()} ${route}${texts.join()}`;
  });
  expect(found).toEqual([...want, "GET /good"]);
  expect(diagnostics).toMatchObject([{ severity: "warning", message: expect.stringContaining(says) }]);
});

test("an index without an intact route is refused", () => {
  for (const route of [
    null,
    {},
    { endpoints: [{ methods: "GET" }] },
    { endpoints: [{ methods: ["GET"], args: [1] }] },
  ]) {
    const { interface: rest, diagnostics } = lowered({ routes: { "/a": route } });
    expect(rest).toBeUndefined();
    const messages = diagnostics.filter(({ code }) => code === "IDX011").map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^No route of the index is intact\. The (?:value|route) at \/routes\/~1a/),
    ]);
  }
});

test("the published index has the methods that were read", () => {
  const published = (route: object) => {
    const { interface: rest } = lowered({ routes: { "/a": route, "/good": good } });
    return Object(Object(rest?.document).routes)["/a"].endpoints;
  };
  const b = { type: "string" };
  expect(published({ methods: ["GET"] })).toEqual([{ methods: ["GET"], args: {} }]);
  expect(published({ endpoints: [null, { methods: "GET, POST", args: { b } }] })).toEqual([
    { methods: ["GET", "POST"], args: { b } },
  ]);
  expect(published({ endpoints: { methods: ["GET"], args: { b } } })).toEqual([{ methods: ["GET"], args: { b } }]);
  expect(published({ endpoints: { 1: { methods: ["GET"], args: [] } } })).toEqual({
    1: { methods: ["GET"], args: [] },
  });
});

const harmless: readonly { readonly given: object; readonly want: string }[] = [
  { given: { type: "array" }, want: "array" },
  { given: { type: "array", items: [] }, want: "array" },
  { given: { oneOf: [] }, want: "any" },
  { given: { type: "string", enum: { 0: "a", 2: "b" } }, want: "enumeration" },
  { given: { type: "string", format: "phone" }, want: "string" },
  { given: { type: "integer", default: "10", minimum: "1" }, want: "integer" },
  { given: { type: "object", default: { a: [] } }, want: "object" },
];

test.each(harmless)("the argument $given is read without a message", ({ given, want }) => {
  const { interface: rest, diagnostics } = lowered({ routes: args({ b: given }) });
  expect(rest?.endpoints[0]?.args.map(({ type }) => type.kind)).toEqual([want]);
  expect(diagnostics).toEqual([]);
});

test("a missing or malformed list of namespaces is replaced by the namespaces in routes", () => {
  const routes = { "/a/v1/b": { namespace: "a/v1", endpoints: [endpoint] } };
  const namespacePaths = (index: object) => lowered(index).interface?.namespaces.map(({ path }) => path);
  expect(namespacePaths({ routes })).toEqual(["a/v1"]);
  for (const namespaces of [null, "a/v1", [null]]) {
    expect(namespacePaths({ namespaces, routes })).toEqual(["a/v1"]);
    expect(lowered({ namespaces, routes }).diagnostics).toMatchObject([{ severity: "warning", code: "IDX018" }]);
  }
});

test.each([
  { before: "<br />\n<b>Warning</b>:  Undefined index: {x} in <b>/a.php</b> on line <b>3</b><br />\n", after: "" },
  { before: "", after: "\n<!-- Cached by {a plug-in} -->" },
  { before: "\uFEFFNotice: x\n", after: "\n\n" },
])("text around an index is ignored, with a warning: $before…$after", ({ before, after }) => {
  const text = `${before}${JSON.stringify({ name: "a", routes: { "/a": null, "/good": good } })}${after}`;
  const { interface: rest, diagnostics } = lowered(text);
  expect(rest?.endpoints.map(({ route }) => route)).toEqual(["/good"]);
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["warning IDX019", "warning IDX018"]);
  const span = diagnostics[1]?.span;
  expect(span?.source.text.slice(span.start, span.end)).toBe("null");
});

const badRoutes = [
  { route: "a", code: "IDX020", at: "a" },
  { route: "/a/(?P<id>\\d+", code: "IDX020", at: "(?P<id>\\d+" },
  { route: "/a)/b", code: "IDX020", at: ")" },
  { route: "/a/../b", code: "IDX020", at: "/a/../b" },
  { route: "/a/(?P<id>b)/.", code: "IDX020", at: "/a/(?P<id>b)/." },
  { route: "/a/(?:b|(?P<c>d))", code: "IDX021", at: "(?P<c>d)" },
  { route: "/a|/(?P<b>c)", code: "IDX021", at: "(?P<b>c)" },
  { route: "/a/(?:(?P<b>c),?)+", code: "IDX021", at: "(?P<b>c)" },
  { route: "/a/(?P<b>c){2}", code: "IDX021", at: "(?P<b>c)" },
  { route: "/a/(?<=b)c", code: "IDX022", at: "(?<=b)" },
  { route: "/a/(?<=[[:b])c[:d:]", code: "IDX022", at: "(?<=[[:b])" },
  { route: "/a/b?$c?", code: "IDX022", at: "$" },
  { route: "/a/b++", code: "IDX022", at: "+" },
  { route: "/(?P<__proto__>x)", code: "IDX023", at: "(?P<__proto__>" },
  { route: "/(?P<a-b>x)", code: "IDX023", at: "(?P<a-b>" },
  { route: "/a/(?P<id>(?=b)c)", code: "IDX022", at: "(?=b)" },
  { route: "/a/(?P<id>x(?<!b)c)", code: "IDX022", at: "(?<!b)" },
  { route: "/a/(?P<id>(b)\\1)", code: "IDX022", at: "\\1" },
  { route: "/(?P<a>x)/(?P<a>y)", code: "IDX023", at: "(?P<a>" },
];

test.each(badRoutes)("the route $route is left out, with the position of the problem", ({ route, code, at }) => {
  // Slashes are escaped as in PHP, which changes all offsets.
  const routes = { [route]: { endpoints: [endpoint] }, "/good": { endpoints: [endpoint] } };
  const text = JSON.stringify({ routes }).replaceAll("/", "\\/");
  const { interface: lower, diagnostics } = lowered(text);
  expect(diagnostics).toMatchObject([{ severity: "warning", code }]);
  expect(lower?.endpoints.map((each) => each.route)).toEqual(["/good"]);
  const span = diagnostics[0]?.span;
  expect(JSON.parse(`"${text.slice(span?.start, span?.end)}"`)).toBe(at);
});

test("a method that clients cannot send is left out, and an endpoint without any other", () => {
  const methods = [["GET", "LINK", "HEAD"], ["ALL"]].map((list) => ({ methods: list, args: {} }));
  const { interface: lower, diagnostics } = lowered({ routes: { "/a": { endpoints: methods } } });
  expect(lower?.endpoints.map((each) => each.methods)).toEqual([["GET"]]);
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(Array(3).fill("warning IDX012"));
});

const goodRoutes = [
  { route: "/a/(?P<id>(\\d+)+)", path: ["/a/", { variable: "id", pattern: "(\\d+)+" }] },
  { route: "/a.b/1.0", path: ["/a.b/1.0"] },
  { route: "/a\\/b\\.c", path: ["/a/b.c"] },
  { route: "/a/(?P<id>[\\d]+)", path: ["/a/", { variable: "id", pattern: "[\\d]+" }] },
  { route: "/a/(?<id>\\d+)/b", path: ["/a/", { variable: "id", pattern: "\\d+" }, "/b"] },
  { route: "/a/(?'id'\\d+)", path: ["/a/", { variable: "id", pattern: "\\d+" }] },
  { route: "/a/(?P<u>(?:[\\d]+|me))", path: ["/a/", { variable: "u", pattern: "(?:[\\d]+|me)" }] },
  { route: "/a/(?P<u>[)(]\\)x)", path: ["/a/", { variable: "u", pattern: "[)(]\\)x" }] },
  {
    route: "/a/(?P<u>[]\\]()]+)-(?P<v>b)",
    path: ["/a/", { variable: "u", pattern: "[]\\]()]+" }, "-", { variable: "v", pattern: "b" }],
  },
];

test.each(goodRoutes)("the route $route is split into literal text and variables", ({ route, path }) => {
  const { interface: lower, diagnostics } = lowered(indexOf([`GET ${route}`]));
  expect(diagnostics).toEqual([]);
  expect(lower?.endpoints[0]?.path).toEqual(path);
});

test("a problem has a line and a column", () => {
  const text = '{\n  "routes": {\n    "/a": { "endpoints": [{ "methods": "GET" }] }\n  }\n}';
  const span = lowered(text).diagnostics[0]?.span;
  expect(span && getPosition(span.source, span.start)).toEqual({ line: 3, column: 40 });
});

test("all problems are reported at once", () => {
  const routes = { "/a": null, "/b": 1, "/c": { endpoints: [{ methods: "GET" }] } };
  expect(lowered({ routes: { ...routes, "/good": good } }).diagnostics).toHaveLength(3);
});

test("a byte-order mark is accepted", () => {
  expect(lowered(`\uFEFF${JSON.stringify(indexOf(["GET /a"]))}`).diagnostics).toEqual([]);
});

test("bytes that are not UTF-8 are refused", () => {
  expect(lowered(new Uint8Array([0x7b, 0xff, 0x7d])).diagnostics).toMatchObject([{ severity: "error" }]);
});

test("empty arguments and properties can be lists, as PHP writes them", () => {
  const args = { a: { type: "object", properties: [] } };
  const routes = {
    "/a": {
      endpoints: [
        { methods: ["GET"], args: [] },
        { methods: ["POST"], args },
      ],
    },
  };
  const { interface: lower, diagnostics } = lowered({ routes });
  expect(diagnostics).toEqual([]);
  expect(lower?.endpoints[1]?.args).toMatchObject([{ type: { kind: "object", properties: [] } }]);
});

test("the methods of an endpoint can be an object, with a warning", () => {
  const routes = {
    "/a": { endpoints: [{ methods: { "0": "GET", "2": "POST" } }] },
    "/b": { endpoints: [{ methods: { PUT: true, PATCH: true } }] },
  };
  const { interface: lower, diagnostics } = lowered({ routes });
  expect(lower?.endpoints.map((endpoint) => endpoint.methods)).toEqual([
    ["GET", "POST"],
    ["PUT", "PATCH"],
  ]);
  expect(diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code}`)).toEqual([
    "warning IDX013",
    "warning IDX013",
  ]);
});

test("a method of an earlier endpoint is removed with a warning", () => {
  const routes = {
    "/a": { methods: ["GET", "POST"], endpoints: [endpoint, { methods: ["GET", "POST", "POST"] }, endpoint] },
  };
  const { interface: lower, diagnostics } = lowered({ routes });
  expect(lower?.endpoints.map((endpoint) => endpoint.methods)).toEqual([["GET"], ["POST"]]);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["IDX014", "IDX014"]);
});

test("a route whose list lacks a method of its endpoints causes a warning", () => {
  const { diagnostics } = lowered({
    routes: { "/a": { methods: ["GET", "GET"], endpoints: [endpoint, { methods: ["POST"] }] } },
  });
  expect(diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code} ${diagnostic.message}`)).toEqual([
    "warning IDX015 The list at /routes/~1a/methods lacks POST, which endpoints of the route have.",
  ]);
});

test("an object of routes without an index around it is accepted", () => {
  const { interface: lower, diagnostics } = lowered({
    "/": { namespace: "", methods: ["GET"], endpoints: [endpoint] },
    "/x/v1": { namespace: "x/v1", methods: ["GET"], endpoints: [endpoint] },
  });
  expect(diagnostics).toEqual([]);
  expect(lower?.namespaces).toEqual([
    { path: "", words: [] },
    { path: "x/v1", words: ["x"] },
  ]);
  expect(lower?.document).toMatchObject({ namespaces: ["x/v1"], authentication: [] });
});
