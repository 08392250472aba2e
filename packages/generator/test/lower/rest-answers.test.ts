import { expect, test } from "vitest";
import { indexOf, lowered, type Options } from "./lower-index.js";

const thing = { title: "thing", type: "object", properties: { id: { type: "integer" } } };

/** An index with these endpoints, `METHODS route args`. Its first route has the schema. */
function withSchema(endpoints: readonly string[], schema: unknown): unknown {
  const index = indexOf(endpoints) as { routes: Record<string, { schema?: unknown; endpoints: { args: unknown }[] }> };
  const counts = new Map<string, number>();
  for (const endpoint of endpoints) {
    const [, route = "", args = ""] = endpoint.split(" ");
    const entry = index.routes[route];
    const count = counts.get(route) ?? 0;
    counts.set(route, count + 1);
    const served = entry?.endpoints[count];
    if (served !== undefined && args !== "") {
      served.args = Object.fromEntries(args.split(",").map((name) => [name, {}]));
    }
  }
  const first = Object.values(index.routes)[0];
  if (first !== undefined) {
    first.schema = schema;
  }
  return index;
}

/** The type of the first endpoint's answer, with names instead of ids of named types. */
function answerOf(index: unknown, options: Options = {}): string {
  const { interface: rest, diagnostics } = lowered(index, options);
  const names = new Map(rest?.answers.map(({ id, words }) => [id, words]));
  const text = JSON.stringify(rest?.endpoints[0]?.answer, (key, value: unknown) =>
    key === "id" && typeof value === "string" ? names.get(value) : value,
  );
  return diagnostics.length === 0 ? text : diagnostics.map(({ code }) => code).join();
}

const object = '{"kind":"named","id":"thing"}';
const list = `{"kind":"array","items":${object}}`;

const rules: readonly { readonly given: readonly string[]; readonly want: string | undefined }[] = [
  { given: ["GET /v1/things page"], want: list },
  { given: ["GET /v1/things per_page"], want: list },
  { given: ["GET /v1/things", "POST /v1/things"], want: list },
  { given: ["GET /v1/things"], want: undefined },
  { given: ["GET /v1/settings", "POST,PUT,PATCH /v1/settings"], want: object },
  { given: ["GET /v1/things/(?P<id>\\d+)"], want: object },
  { given: ["GET /v1/kinds/(?P<kind>\\w+)", "GET /v1/kinds/(?P<kind>\\w+)/(?P<name>\\w+)"], want: undefined },
  { given: ["GET /v1/kinds/(?P<kind>\\w+)", "GET /v1/kinds/(?P<kind>\\w+)/parts"], want: object },
  { given: ["POST /v1/things"], want: object },
  { given: ["POST /v1/things/(?P<id>\\d+)/process"], want: object },
  { given: ["PUT,PATCH /v1/things/(?P<id>\\d+)"], want: object },
  { given: ["DELETE /v1/things/(?P<id>\\d+)"], want: undefined },
  { given: ["GET,POST /v1/things"], want: undefined },
];

test.each(rules)("the answer of $given is $want", ({ given, want }) => {
  expect(answerOf(withSchema(given, thing))).toBe(want);
});

test("the answer to a deletion with force is the object, or an object with `deleted` and `previous`", () => {
  const { interface: rest } = lowered(withSchema(["DELETE /v1/things/(?P<id>\\d+) force"], thing));
  const named = { kind: "named" };
  expect(rest?.endpoints[0]?.answer).toMatchObject({
    kind: "union",
    members: [
      named,
      {
        kind: "object",
        properties: [
          { name: "deleted", required: true, type: { kind: "boolean" } },
          { name: "previous", required: true, type: named },
        ],
      },
    ],
  });
});

test("a schema that does not allow objects describes the whole answer", () => {
  const names = { title: "names", type: "array", items: { type: "string" } };
  expect(answerOf(withSchema(["GET /v1/names"], names))).toBe('{"kind":"named","id":"names"}');
  expect(answerOf(withSchema(["POST /v1/names"], names))).toBe(undefined);
});

test("routes share a type if their schemas have the same title and content", () => {
  const index = (second: unknown) => {
    const made = indexOf(["GET /v1/things/(?P<id>\\d+)", "GET /v2/things/(?P<id>\\d+)"]) as {
      routes: Record<string, { schema?: unknown }>;
    };
    for (const [at, route] of Object.values(made.routes).entries()) {
      route.schema = at === 0 ? thing : second;
    }
    return lowered(made).interface?.answers.map(({ words, namespace }) => `${namespace} ${words}`);
  };
  expect(index(structuredClone(thing))).toEqual(["v1 thing"]);
  expect(index({ ...thing, properties: {} })).toEqual(["v1 thing", "v2 thing"]);
  const bounded = { ...thing, properties: { id: { type: "integer", maximum: 9 } } };
  expect(index(bounded)).toEqual(["v1 thing", "v2 thing"]);
});

/** `name` for a member that is always present, `name?` for an optional one. */
function membersOf(schema: object): readonly string[] {
  const { interface: rest } = lowered(withSchema(["POST /v1/things"], { title: "thing", type: "object", ...schema }));
  const type = rest?.answers[0]?.type;
  return type?.kind === "object" ? type.properties.map(({ name, required }) => `${name}${required ? "" : "?"}`) : [];
}

const presence = [
  { given: { properties: { a: {} } }, want: ["a?"] },
  { given: { properties: { a: { required: true } } }, want: ["a"] },
  { given: { required: ["a"], properties: { a: {}, b: {} } }, want: ["a", "b?"] },
  { given: { properties: { a: { context: ["view", "edit"] }, b: { context: ["edit"] } } }, want: ["a", "b?"] },
  { given: { properties: { a: { context: ["view"] }, b: {} } }, want: ["a", "b?"] },
  { given: { properties: { a: { context: ["edit"], required: true }, b: { context: ["view"] } } }, want: ["a?", "b?"] },
  { given: { properties: { a: { context: ["view"] }, password: { context: [] } } }, want: ["a"] },
  { given: { properties: [] }, want: [] },
];

test.each(presence)("$given has the members $want", ({ given, want }) => {
  expect(membersOf(given)).toEqual(want);
});

test("a member is required if every context that shows the object shows the member", () => {
  const rendered = { type: "string", context: ["view", "edit", "embed"] };
  const guid = { type: "object", context: ["view", "edit"], properties: { rendered, raw: { context: ["edit"] } } };
  const schema = { title: "thing", type: "object", properties: { id: rendered, guid } };
  const { interface: rest } = lowered(withSchema(["POST /v1/things"], schema));
  expect(rest?.answers[0]?.type).toMatchObject({
    properties: [
      { name: "id", required: true },
      {
        name: "guid",
        required: false,
        type: {
          properties: [
            { name: "rendered", required: true },
            { name: "raw", required: false },
          ],
        },
      },
    ],
  });
});

const types = [
  { given: { type: ["string", "null"] }, want: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] } },
  { given: { const: "a" }, want: { kind: "enumeration", values: ["a"] } },
  { given: true, want: { kind: "any" } },
  { given: { items: { type: "string" } }, want: { kind: "array", items: { kind: "string" } } },
  { given: { additionalProperties: { type: "string" } }, want: { kind: "any" } },
  {
    given: { type: "object", additionalProperties: { type: "string" } },
    want: { kind: "object", additional: { kind: "string" } },
  },
  { given: { type: "object", additionalProperties: true }, want: { kind: "object", additional: { kind: "any" } } },
  {
    given: { patternProperties: { "^a": { type: "string" } }, additionalProperties: { type: "null" } },
    want: { kind: "object", additional: { kind: "union", members: [{ kind: "null" }, { kind: "string" }] } },
  },
  {
    given: { oneOf: [{ type: "string" }, { type: "integer" }] },
    want: { kind: "union", members: [{ kind: "string" }, { kind: "integer" }] },
  },
];

test.each(types)("$given is of type $want", ({ given, want }) => {
  const schema = { title: "thing", type: "object", properties: { a: given } };
  const { interface: rest, diagnostics } = lowered(withSchema(["POST /v1/things"], schema));
  expect(rest?.answers[0]?.type).toMatchObject({ properties: [{ type: want }] });
  expect(diagnostics).toEqual([]);
});

const item = "/v1/things/(?P<id>\\d+)";
const endpoints = ["GET /v1/things", "POST /v1/things", `GET ${item}`];
const other = { type: "object", properties: { name: { type: "string" } } };

const overlays: readonly (Options & { readonly want: string | undefined })[] = [
  { responses: { "v1.things.list": "other.json" }, want: '{"kind":"named","id":"other"}' },
  { responses: { "GET /v1/things": "other.json" }, want: '{"kind":"named","id":"other"}' },
  { responses: { "v1.things": "other.json" }, want: '{"kind":"array","items":{"kind":"named","id":"other"}}' },
  { responses: { "/v1/things": "other.json" }, want: '{"kind":"array","items":{"kind":"named","id":"other"}}' },
  { responses: { "/v1/things": "other.json", "v1.things.list": "all.json" }, want: '{"kind":"named","id":"all"}' },
  { responses: { "v1.things.get": "other.json" }, want: undefined },
  { responses: { "v1.things": "all.json#/$defs/part" }, want: '{"kind":"array","items":{"kind":"named","id":"part"}}' },
  {
    responses: { "v1.things": "nothing.json", "v1.things.list": "other.json", "/v1/things": "other.json" },
    want: "ANS009",
  },
];

test.each(overlays)("with $responses, the answer of the list is $want", ({ responses, want }) => {
  const files = {
    "other.json": other,
    "nothing.json": other,
    "all.json": { type: "array", items: { $ref: "#/$defs/part" }, $defs: { part: other } },
  };
  expect(answerOf(indexOf(endpoints, ["v1"]), { responses: responses ?? {}, files })).toBe(want);
});

test("a long chain of references is not a cycle", () => {
  const chain = Array.from({ length: 9_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }] as const);
  const { diagnostics } = lowered(indexOf([`GET ${item}`], ["v1"]), {
    responses: { "v1.things.get": "chain.json" },
    files: { "chain.json": { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(chain), d9000: other } } },
  });
  expect(diagnostics).toEqual([]);
});

test("files may refer to themselves and to each other in cycles", () => {
  const files = {
    "a.json": { type: "object", properties: { b: { $ref: "sub/b.json#/$defs/b%20b" }, self: { $ref: "#" } } },
    "sub/b.json": { $defs: { "b b": { type: "object", properties: { a: { $ref: "../a.json" } } } } },
  };
  const { interface: rest, diagnostics } = lowered(indexOf([`GET ${item}`], ["v1"]), {
    responses: { "v1.things.get": "a.json" },
    files,
  });
  expect(diagnostics).toEqual([]);
  expect(rest?.answers.map(({ id, words }) => [id, words])).toEqual([
    ["a.json#", "a"],
    ["sub/b.json#/$defs/b b", "b b"],
  ]);
});

test("a long chain of references does not count as depth", () => {
  const count = 8_000;
  const part = (at: number) => ({ type: "object", properties: { next: { $ref: `#/$defs/part${at + 1}` } } });
  const $defs = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`part${at}`, at + 1 < count ? part(at) : {}]),
  );
  const { interface: rest } = lowered(withSchema(["POST /v1/things"], { $ref: "#/$defs/part0", $defs }));
  expect(rest?.answers).toHaveLength(count + 1);
});

const misplaced = [
  { given: "string", says: "/properties/a is a string, not an object.", want: '{"kind":"any"}' },
  { given: null, says: "/properties/a is null, not an object.", want: '{"kind":"any"}' },
  { given: { type: "string", enum: "x" }, says: "/enum is a string, not a list.", want: '{"kind":"string"}' },
  { given: { type: "array", items: "x" }, says: "/items is a string", want: '{"kind":"array","items":{"kind":"any"}}' },
  {
    given: { type: "array", items: [{}] },
    says: "/items is a list, not a schema.",
    want: '{"kind":"array","items":{"kind":"any"}}',
  },
  {
    given: { type: "object", properties: "x" },
    says: "/properties is a string",
    want: '{"kind":"object","properties":[]}',
  },
  { given: { anyOf: "x" }, says: "/anyOf is a string, not a list.", want: '{"kind":"any"}' },
  { given: { type: "string", context: "edit" }, says: "/context is a string", want: '{"kind":"string"}' },
];

test.each(misplaced)("a member with the schema $given is read, with a warning that $says", ({ given, says, want }) => {
  const schema = { title: "thing", type: "object", properties: { a: given, b: { type: "integer" } } };
  const { interface: rest, diagnostics } = lowered(withSchema(["GET /v1/things/(?P<id>\\d+)"], schema));
  const type = rest?.answers[0]?.type;
  const members = type?.kind === "object" ? type.properties : [];
  expect(members.map((member) => JSON.stringify(member.type))).toEqual([want, '{"kind":"integer"}']);
  expect(diagnostics).toMatchObject([{ severity: "warning", message: expect.stringContaining(says) }]);
});

test("an unusable schema in the index leaves only its answers untyped", () => {
  const { interface: rest, diagnostics } = lowered(withSchema(["POST /v1/things"], { allOf: [thing] }));
  expect(rest?.endpoints[0]?.answer).toBeUndefined();
  expect(rest?.answers).toEqual([]);
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["warning ANS007"]);
});

test("the published document contains the schema without links to the original site", () => {
  const { interface: rest } = lowered(
    withSchema(["POST /v1/things"], { ...thing, links: [{ href: "http://a.example" }] }),
  );
  expect(rest?.document).toMatchObject({ routes: { "/v1/things": { schema: thing } } });
  expect(JSON.stringify(rest?.document)).not.toContain("a.example");
});

const formats = [
  { type: "date-time", want: "date-time" },
  { type: "DateTime", want: "date-time" },
  { type: ["null", "date"], want: "date" },
  { type: ["date-time", "datetime"], want: "date-time" },
  { type: ["string", "date-time"], want: undefined },
  { type: ["email", "date-time"], want: undefined },
  { type: "url", want: "uri" },
  { type: "email", want: "email" },
  { type: "hex-color", want: "hex-color" },
  { type: "string", want: undefined },
  { type: "slug", want: undefined },
];

test.each(formats)("a member of type $type is a text of format $want", ({ type, want }) => {
  const schema = { title: "thing", type: "object", properties: { at: { type } } };
  const { interface: rest } = lowered(withSchema(["GET /x/(?P<id>\\d+)"], schema));
  const [answer] = rest?.answers ?? [];
  const [member] = answer?.type.kind === "object" ? answer.type.properties : [];
  expect(member?.annotations?.format).toBe(want);
});

test("items of lists and values of maps are shown in the contexts of their member", () => {
  const line = { type: "object", properties: { sku: { type: "string", context: ["view", "edit"] } } };
  const inContexts = { context: ["view", "edit"] };
  const properties = {
    id: { type: "integer", context: ["view", "edit", "embed"] },
    lines: { type: "array", items: line, ...inContexts },
    byName: { type: "object", additionalProperties: line, ...inContexts },
    either: { anyOf: [line, { type: "null" }], ...inContexts },
  };
  const { interface: rest } = lowered(withSchema(["POST /x/(?P<id>\\d+)"], { title: "order", properties }));
  const members = rest?.answers[0]?.type.kind === "object" ? rest.answers[0].type.properties : [];
  const sku = { name: "sku", required: true };
  expect(members.map(({ type }) => type).slice(1)).toMatchObject([
    { items: { properties: [sku] } },
    { additional: { properties: [sku] } },
    { members: [{ properties: [sku] }, { kind: "null" }] },
  ]);
});
