import { expect, test } from "vitest";
import { type BatchOperation, batch, batched } from "../../src/client/rest/batch.js";
import { ConfigError, DecodeError, EncodeError, type EndpointDescriptor, RestError } from "../../src/index.js";

type Post = { readonly id: number };
const site = { descriptorFormat: 2, name: "site", base: "/wp-json" } as const;

const update: EndpointDescriptor<{ id: number; title?: { raw?: string } }, Post> = {
  kind: "endpoint",
  interface: site,
  name: "wp.posts.update",
  route: "/wp/v2/posts/(?P<id>[\\d]+)",
  path: ["/wp/v2/posts/", { variable: "id" }],
  methods: ["POST", "PUT"],
  args: { id: { type: "integer", required: true }, title: { type: "object" } },
};
const list: EndpointDescriptor<object, Post> = { ...update, name: "wp.posts.list", methods: ["GET"] };

function answering(responses: unknown): { readonly sent: unknown[]; readonly operation: BatchOperation } {
  const sent: unknown[] = [];
  const operation: BatchOperation = async (input) => {
    sent.push(input);
    return { responses };
  };
  return { sent, operation };
}

test("a batch contains the paths and the other arguments of its calls", async () => {
  const { sent, operation } = answering([
    { status: 200, headers: {}, body: { id: 4 } },
    { status: 404, headers: {}, body: { code: "rest_post_invalid_id", message: "Invalid.", data: { status: 404 } } },
  ]);
  const [first, second] = await batch(operation, [
    batched(update, { id: 4, title: "A" }),
    batched(update, { id: 5 }, { method: "PUT" }),
  ]);
  expect(sent).toEqual([
    {
      requests: [
        { method: "POST", path: "/wp/v2/posts/4", body: { title: { raw: "A" } } },
        { method: "PUT", path: "/wp/v2/posts/5" },
      ],
    },
  ]);
  const id: number | undefined = first.ok ? first.body.id : undefined;
  expect(id).toBe(4);
  expect(second).toMatchObject({
    ok: false,
    error: { code: "rest_post_invalid_id", status: 404, data: { status: 404 } },
  });
  expect(!second.ok && second.error).toBeInstanceOf(RestError);
});

test("the option fields of a request in a batch is in its path", async () => {
  const { path } = batched(update, { id: 4 }, { fields: ["id", "title.rendered"] });
  expect(path).toBe("/wp/v2/posts/4?_fields=id%2Ctitle.rendered");
  expect(() => batched(update, { id: 4 }, { fields: [] })).toThrow(ConfigError);
  expect(() => batched(update, { id: 4 }, { method: "DELETE" })).toThrow('not "DELETE"');
});

test("requests that were not run have no error", async () => {
  const invalid = { status: 400, headers: {}, body: { code: "rest_invalid_param", message: "No." } };
  const { sent, operation } = answering([null, invalid]);
  const requests = [batched(update, { id: 4 }), batched(update, { id: 5 })] as const;
  const [first] = await batch(operation, requests, { allOrNothing: true });
  expect(first).toEqual({ ok: false, error: undefined });
  expect(sent).toMatchObject([{ validation: "require-all-validate" }]);
});

test("wrong requests and wrong answers are refused", async () => {
  expect(() => batched(update, { id: "4" } as never)).toThrow(EncodeError);
  expect(() => batched(list, {})).toThrow(ConfigError);
  await expect(batch(answering([]).operation, [batched(update, { id: 4 })])).rejects.toBeInstanceOf(DecodeError);
});

test.each<[string, unknown]>([
  ["an object that cannot become a text", { toString: 1, valueOf: 1 }],
  ["a list", [[{ toString: null }]]],
  ["absent", undefined],
])("a code that is %s becomes an error with the code unknown", async (_, code) => {
  const { operation } = answering([{ status: 400, body: { code, message: "No." } }]);
  const [answer] = await batch(operation, [batched(update, { id: 4 })]);
  expect(answer).toMatchObject({ ok: false, error: { code: "unknown", status: 400, message: "No." } });
});

test("a code that is a number becomes a text", async () => {
  const { operation } = answering([{ status: 404, body: { code: 404, message: "No." } }]);
  const [answer] = await batch(operation, [batched(update, { id: 4 })]);
  expect(answer).toMatchObject({ ok: false, error: { code: "404", status: 404 } });
});

test("an error contains at most 64 KiB of its texts, and no larger data", async () => {
  const body = { code: "c".repeat(100_000), message: "m".repeat(100_000), data: { detail: "d".repeat(100_000) } };
  const { operation } = answering([{ status: 400, body }]);
  const [answer] = await batch(operation, [batched(update, { id: 4 })]);
  const { code, reason, data } = (answer.ok ? undefined : answer.error) ?? { code: "", reason: "", data: undefined };
  expect([code.length, reason.length, data]).toEqual([65_536, 65_536, {}]);
});
