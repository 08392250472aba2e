import { expect, test } from "vitest";
import { RestClient } from "../../src/client/index.js";
import type { AnswerSchemas, EndpointDescriptor } from "../../src/index.js";
import { checkAnswers, RestError, restAnswer, restRoutes, type ServerIncident } from "../../src/server/index.js";
import { failureOf, localServer } from "../client/local-server.js";

const schemas: AnswerSchemas = {
  descriptorFormat: 2,
  types: {
    Thing: {
      type: "object",
      properties: {
        id: { type: "integer", required: true },
        title: { type: "object", properties: { rendered: { type: "string", required: true } } },
        status: { type: ["string"], enum: ["draft", "publish"] },
        parent: { anyOf: [{ named: "Thing" }, { type: "null" }] },
        meta: { type: "object", additional: { type: "number" } },
        "a/b~c": { type: "boolean" },
      },
    },
  },
  endpoints: {
    "things.list": { type: "array", items: { named: "Thing" } },
    "things.delete": {
      anyOf: [
        { named: "Thing" },
        {
          type: "object",
          properties: { deleted: { type: "boolean", required: true }, previous: { named: "Thing", required: true } },
        },
      ],
    },
  },
};
const check = checkAnswers(schemas);

const good: readonly unknown[] = [
  [],
  [{ id: 1 }],
  [{ id: 1, unknown_one: {} }],
  [{ id: 1, meta: [] }],
  [{ id: 1, meta: { a: 1, b: 1.5 } }],
  [{ id: 1, title: undefined }],
  [{ id: 1, parent: { id: 2, parent: null } }],
];

test.each(good.map((body) => ({ body })))("the answer $body matches its schema", ({ body }) => {
  expect(check({ operation: "things.list", body, partial: false })).toBeUndefined();
});

const wrong = [
  { body: {}, path: "", message: "The value is of type object, not array." },
  { body: [{}], path: "/0/id", message: "The member is missing." },
  { body: [{ id: 1.5 }], path: "/0/id", message: "The value is of type number, not integer." },
  { body: [{ id: null }], path: "/0/id", message: "The value is of type null, not integer." },
  {
    body: [{ id: 1 }, { id: 2, title: {} }],
    path: "/1/title/rendered",
    message: "The member is missing.",
  },
  { body: [{ id: 1, status: "gone" }], path: "/0/status", message: 'The value is not one of "draft", "publish".' },
  { body: [{ id: 1, meta: { a: "1" } }], path: "/0/meta/a", message: "The value is of type string, not number." },
  { body: [{ id: 1, "a/b~c": 1 }], path: "/0/a~1b~0c", message: "The value is of type integer, not boolean." },
  {
    body: [{ id: 1, parent: { id: "2" } }],
    path: "/0/parent/id",
    message: "The value is of type string, not integer.",
  },
];

test.each(wrong)("$body is refused at $path", ({ body, path, message }) => {
  expect(check({ operation: "things.list", body, partial: false })).toEqual({ path, message });
});

test("one matching alternative is enough; otherwise the one that matches furthest reports the problem", () => {
  const problem = (body: unknown) => check({ operation: "things.delete", body, partial: false });
  expect(problem({ id: 1 })).toBeUndefined();
  expect(problem({ deleted: true, previous: { id: 1 } })).toBeUndefined();
  expect(problem({ deleted: true, previous: {} })?.path).toBe("/previous/id");
});

test("only selected members must be present and valid", () => {
  const problem = (body: unknown) => check({ operation: "things.list", body, partial: true });
  expect(problem([{}, { title: {} }])).toBeUndefined();
  expect(problem([{ id: "1" }])?.path).toBe("/0/id");
});

test("an answer without a schema is not checked, whatever the name of the operation", () => {
  for (const operation of ["things.get", "toString", "__proto__"]) {
    expect(check({ operation, body: 1, partial: false })).toBeUndefined();
  }
});

test("a circular answer is refused", () => {
  const parent: Record<string, unknown> = { id: 1 };
  parent["parent"] = parent;
  expect(check({ operation: "things.list", body: [parent], partial: false })?.message).toContain("deeper than 128");
});

const list: EndpointDescriptor<object, readonly { readonly id: number }[]> = {
  kind: "endpoint",
  interface: { descriptorFormat: 2, name: "things", base: "/wp-json" },
  name: "things.list",
  route: "/things",
  path: ["/things"],
  methods: ["GET"],
  args: {},
};

test("a client checks answers only with the option validate", async () => {
  const server = await localServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end('[{"id":"1"},{}]');
  });
  const site = { siteUrl: server.url };
  expect(await new RestClient(list.interface, site).call(list, {})).toEqual([{ id: "1" }, {}]);
  const error = await failureOf(new RestClient(list.interface, { ...site, validate: check }).call(list, {}));
  expect(error).toMatchObject({ name: "DecodeError", path: "/0/id", operation: "things.list", status: 200 });
  const missing = {
    validate: checkAnswers({ ...schemas, types: { Thing: { properties: { id: { required: true } } } } }),
  };
  const checked = new RestClient(list.interface, { ...site, ...missing });
  expect(await failureOf(checked.call(list, {}))).toMatchObject({ path: "/1/id" });
  for (const options of [{ fields: ["title"] }, { extra: { _fields: "title" } }]) {
    expect(await checked.call(list, {}, options)).toHaveLength(2);
  }
});

test.each([200, 204])(
  "an answer %d without a body is null, which a client that checks answers refuses",
  async (status) => {
    const { url } = await localServer((_request, response) => void response.writeHead(status).end());
    const site = { siteUrl: url };
    expect(await new RestClient(list.interface, site).call(list, {})).toBeNull();
    const error = await failureOf(new RestClient(list.interface, { ...site, validate: check }).call(list, {}));
    expect(error).toMatchObject({ name: "DecodeError", status });
    expect(String(error)).toContain("The answer has no body. The value is of type null, not array.");
  },
);

test.each([200, 201, 204])(
  "an answer %d without a body is refused if its schema does not allow null",
  async (status) => {
    const { url } = await localServer((_request, response) => void response.writeHead(status).end());
    for (const options of [{ siteUrl: url }, { siteUrl: url, validate: check }]) {
      const error = await failureOf(
        new RestClient(list.interface, options).call({ ...list, answerRequired: true }, {}),
      );
      expect(error).toMatchObject({ name: "ProtocolError", operation: "things.list", status, body: "" });
      expect(String(error)).toContain(
        "The answer has no body, but its schema does not allow null. The server may have failed",
      );
    }
  },
);

test("a server that checks its handlers answers 500 for a wrong body, and reports the position", async () => {
  const incidents: unknown[] = [];
  const answered = async (answer: unknown, query = "") => {
    const routes = restRoutes(
      {
        interface: list.interface,
        endpoints: [list],
        handlers: { things: { list: () => answer } },
        index: { routes: {} },
      },
      { validate: check, onError: ({ error }) => incidents.push(error) },
    );
    const request = { method: "GET", target: `/wp-json/things${query}`, headers: [], body: new Uint8Array() };
    return (await routes.answer({ ...request, signal: new AbortController().signal }))?.status;
  };
  expect(await answered([{ id: 1 }])).toBe(200);
  expect(await answered([{ id: 1 }], "?_fields=title")).toBe(200);
  expect(await answered(restAnswer({ status: 200, body: [{ id: 1 }] }))).toBe(200);
  expect(await answered(restAnswer({ body: new Uint8Array([1]) }))).toBe(200);
  expect(await answered(restAnswer({ status: 404, body: {} }))).toBe(404);
  incidents.length = 0;
  expect(await answered([{ id: "x" }])).toBe(500);
  expect(incidents).toMatchObject([{ name: "EncodeError", path: "/0/id", operation: "things.list" }]);
});

test("a server with invalidAnswers: report sends a wrong answer, and reports its path once a minute", async () => {
  const incidents: ServerIncident[] = [];
  const routes = restRoutes(
    {
      interface: list.interface,
      endpoints: [list],
      handlers: { things: { list: () => [{ id: 1 }, { id: "s3cret" }] } },
      index: { routes: {} },
    },
    { validate: check, invalidAnswers: "report", onError: (incident) => void incidents.push(incident) },
  );
  const request = { method: "GET", target: "/wp-json/things", headers: [], body: new Uint8Array() };
  for (let count = 0; count < 3; count += 1) {
    const answer = await routes.answer({ ...request, signal: new AbortController().signal });
    expect([answer?.status, answer?.body]).toEqual([200, '[{"id":1},{"id":"s3cret"}]']);
  }
  expect(incidents).toMatchObject([
    { kind: "encode", path: "/1/id", operation: "things.list", route: "/things", protocol: "rest" },
  ]);
  expect(incidents[0]?.message).toContain("The value is of type string, not integer.");
  expect(JSON.stringify(incidents)).not.toContain("s3cret");
});

test("alternatives that refer to themselves are checked once for each value", () => {
  const node = (name: string) =>
    ({ type: "object", properties: { child: { named: "Tree" }, [name]: { type: "string" } } }) as const;
  const trees = checkAnswers({
    descriptorFormat: 2,
    types: {
      Tree: { anyOf: [node("a"), node("b"), { named: "Knot" }] },
      Knot: { anyOf: [{ named: "Knot" }, { named: "Knot" }, { type: "null" }] },
    },
    endpoints: { tree: { named: "Tree" } },
  });
  const chain = (levels: number, leaf: unknown): unknown => {
    let body = leaf;
    for (let level = 0; level < levels; level += 1) {
      body = { child: body };
    }
    return body;
  };
  const judge = (body: unknown) => trees({ operation: "tree", body, partial: false });
  expect(judge(chain(30, null))).toBeUndefined();
  expect(judge(chain(30, 5))).toEqual({
    path: "/child".repeat(30),
    message: "The value is of type integer, not object.",
  });
  const shared = { child: 5 };
  expect(judge({ child: { child: shared } })?.path).toBe("/child/child/child");
});

const fail = (error: Error): never => {
  throw error;
};
const refusal = new RestError({ code: "rest_no", message: "No.", status: 403 });

const thrown = 'The function in the option "validate" threw an exception.';
const returned = 'The function in the option "validate" returned ';

test.each([
  ["throws", () => fail(new Error("cannot read")), thrown, "cannot read"],
  ["throws an error for clients", () => fail(refusal), thrown, "No."],
  ["rejects", async () => Promise.reject(new Error("late")), `${returned}a promise. It must not be async.`, undefined],
  ["is async", async () => undefined, `${returned}a promise. It must not be async.`, undefined],
  ["returns a boolean", () => true, `${returned}a boolean. It must return an object`, undefined],
  ["returns a string", () => "wrong", `${returned}a string.`, undefined],
  ["returns null", () => null, `${returned}null.`, undefined],
  ["returns another object", () => ({ valid: true }), `${returned}an object.`, undefined],
])(
  "if the option validate of a server %s, the answer is 500, and an incident names the option",
  async (_, run, message, cause) => {
    const incidents: ServerIncident[] = [];
    const validate = run as never;
    const routes = restRoutes(
      { interface: list.interface, endpoints: [list], handlers: { things: { list: () => [] } }, index: { routes: {} } },
      { validate, onError: (incident) => void incidents.push(incident) },
    );
    const request = { method: "GET", target: "/wp-json/things", headers: [], body: new Uint8Array() };
    const answer = await routes.answer({ ...request, signal: new AbortController().signal });
    expect(answer?.status).toBe(500);
    expect(incidents).toMatchObject([
      {
        kind: "handler",
        message: expect.stringContaining(message),
        operation: "things.list",
        route: "/things",
      },
    ]);
    expect(String(incidents[0]?.error)).toContain(String(cause));
  },
);
