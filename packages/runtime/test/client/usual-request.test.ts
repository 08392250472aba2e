import { expect, test } from "vitest";
import { RestClient, type Transport } from "../../src/client/index.js";
import { writeRequest } from "../../src/client/rest/request.js";
import {
  createRestHeaders,
  RestAddress,
  unusualRequest,
  writeUsualRequest,
} from "../../src/client/rest/usual-request.js";
import type { AnyEndpointDescriptor, ArgDescriptor, Method, PathPiece } from "../../src/index.js";

const site = { descriptorFormat: 2, name: "site", base: "/wp-json" } as const;
const target = {
  address: new RestAddress(site, { siteUrl: "https://a.example/blog?x=1" }),
  headers: createRestHeaders("Basic YTpi"),
};
const noOptions = { extra: undefined, upload: undefined, fields: undefined, embed: undefined };

const types: readonly ArgDescriptor[] = [
  {},
  { type: "string" },
  { type: "integer" },
  { type: "number" },
  { type: "boolean" },
  { type: "null" },
  { type: "object" },
  { type: "array" },
  { type: ["string", "array"], items: { type: "integer", enum: [1, 2] } },
  { type: ["integer", "string"], enum: [1, "a", null] },
  { enum: ["a", true] },
  { type: "array", enum: ["a"] },
];
const values: readonly unknown[] = [
  ...["", "a", "a b/c", "/", ".", "..", "...", "é'(*", "\ud83d", "\ud83d\ude00", "title"],
  ...[0, -0, -1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY, true, false, 5n, null, undefined],
  ...[[], ["a", "b/é"], [1, 2], [1, "a"], [3], [[1]], [{ a: 1 }], [null], [undefined], new Array(2), ["\ude00"]],
  ...[{}, { a: 1 }, { raw: "a" }, new Date(0), new Map(), new Uint8Array(1), Object("a"), () => 1, Symbol("a")],
];
const paths: readonly (readonly PathPiece[])[] = [
  ["/items"],
  ["/café items/", { variable: "id" }],
  ["/items/.", { variable: "id" }, "/parts"],
  ["/items/", { variable: "id" }, { variable: "id" }],
  ["/items", { optional: ["/", { variable: "id" }] }],
];

function endpointOf(arg: ArgDescriptor, path: readonly PathPiece[]): AnyEndpointDescriptor {
  const args = { id: arg, title: { type: ["object", "string"] }, other: { required: true } } as const;
  return { kind: "endpoint", interface: site, name: "items", route: "/items", path, methods: ["GET", "POST"], args };
}

/** Returns the request, or undefined if it is unusual or invalid. */
function usualRequest(endpoint: AnyEndpointDescriptor, input: unknown, method: Method) {
  try {
    return writeUsualRequest(endpoint, { input, method, ...noOptions }, target);
  } catch (error) {
    expect(error).toBe(unusualRequest);
    return undefined;
  }
}

test("a usual request is the same as that of the code for all requests", async () => {
  let usualCount = 0;
  for (const method of ["GET", "POST"] as const) {
    for (const path of paths) {
      for (const endpoint of types.map((type) => endpointOf(type, path))) {
        for (const value of values) {
          for (const input of [{ other: 1, id: value }, { id: value }, { title: value, other: value }, value]) {
            const request = usualRequest(endpoint, input, method);
            if (request !== undefined) {
              usualCount += 1;
              expect(request).toEqual(await writeRequest(endpoint, { input, method, ...noOptions }, target));
            }
          }
        }
      }
    }
  }
  expect(usualCount).toBeGreaterThan(450);
});

const texts = endpointOf({ type: "string" }, ["/items/", { variable: "id" }]);

test.each([
  { input: { id: "a", other: 5 }, method: "GET", url: "/items/a?x=1&other=5", body: undefined },
  {
    input: { id: "a", other: [1, "b c"] },
    method: "GET",
    url: "/items/a?x=1&other%5B%5D=1&other%5B%5D=b%20c",
    body: undefined,
  },
  { input: { id: "a", other: [] }, method: "GET", url: "/items/a?x=1&other=", body: undefined },
  { input: { id: "a", other: true }, method: "POST", url: "/items/a?x=1", body: '{"other":true}' },
] as const)("$method with $input is usual", ({ input, method, url, body }) => {
  const request = usualRequest(texts, input, method);
  expect(request).toMatchObject({ url: `https://a.example/blog/wp-json${url}`, body });
});

test.each([
  { extra: { more: 1 } },
  { fields: [] },
  { embed: false },
  { upload: { content: new Uint8Array(), type: "a/b", name: "a" } },
])("the option in %j makes a request unusual", (options) => {
  const parts = { input: { id: "a", other: 5 }, method: "POST", ...noOptions, ...options } as const;
  expect(() => writeUsualRequest(texts, parts, target)).toThrow(unusualRequest);
});

test("an unusual input that its caller changes after the call is sent as it was", async () => {
  const bodies: unknown[] = [];
  const transport: Transport = {
    async send({ body }) {
      bodies.push(body);
      return { status: 200, headers: new Map(), body: new Uint8Array() };
    },
  };
  const client = new RestClient(site, { siteUrl: "https://a.example", transport });
  const input = { id: "a", other: { list: [1], object: Object.assign(Object.create(null), { a: 1 }) } };
  const extra = { more: { a: 1 } };
  const call = client.call(texts, input, { method: "POST", extra });
  input.other.list.push(2);
  input.other.object.a = 2;
  input.id = "b";
  extra.more.a = 2;
  await call;
  expect(bodies).toEqual(['{"other":{"list":[1],"object":{"a":1}},"more":{"a":1}}']);
});
