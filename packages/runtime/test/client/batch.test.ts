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
