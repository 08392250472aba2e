import { describe, expect, test } from "vitest";
import { RestClient, ServiceClient } from "../../src/client/index.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import { fetchTransport } from "../../src/client/transports/fetch-transport.js";
import { ConfigError } from "../../src/index.js";
import { content, endpoint } from "../rest/site.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, lookup } from "./lookup.js";

// Mistakes in the options of clients that TypeScript does not find, or that JavaScript allows.

const input = { Key: "a", user: "u" };
const good = envelope(found());
const listItems = endpoint("items.list", ["GET"], ["/items"]);
const header = ["X-Tenant", "5"] as const;

/** Objects with names and values that are not members of the object. */
const collections: readonly (readonly [type: string, value: object])[] = [
  ["Headers", new Headers([[...header]])],
  ["Map", new Map([header])],
  ["URLSearchParams", new URLSearchParams([[...header]])],
  ["FormData", new FormData()],
  ["Set", new Set([header])],
];

describe.each(collections)("%s in place of an object", (type, value) => {
  test.each(["headers", "hooks", "limits", "tls", "wireNames"])("is refused as the option %s of a client", (name) => {
    const reason = `The option "${name}" must be an object, not a value of type ${type}.`;
    const options = { baseUrl: "http://127.0.0.1:1", [name]: value };
    expect(() => new ServiceClient(lookup, options as never)).toThrow(reason);
    const restOptions = { siteUrl: "http://127.0.0.1:1", [name]: value };
    expect(() => new RestClient(content, restOptions as never)).toThrow(reason);
  });

  test.each([
    ["headers", "soap"],
    ["headers", "rest"],
    ["limits", "soap"],
    ["soapHeaders", "soap"],
    ["extra", "rest"],
  ])("is refused as the option %s of a call over %s", async (name, protocol) => {
    const server = await localServer(always(200, "text/xml", good));
    const options = { [name]: value } as never;
    const call =
      protocol === "soap"
        ? new ServiceClient(lookup, { baseUrl: server.url }).call(find, input, options)
        : new RestClient(content, { siteUrl: server.url }).call(listItems, {}, options);
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(`The option "${name}" must be an object, not a value of type ${type}.`);
    expect(server.received).toEqual([]);
  });

  test.each(["before", "again"])("is refused as the headers of a request that the hook %s returns", async (hook) => {
    const server = await localServer(always(200, "text/xml", good));
    const change = (...parameters: readonly object[]) => ({
      ...parameters.at(-1 - Number(hook === "before")),
      headers: value,
    });
    const client = new ServiceClient(lookup, { baseUrl: server.url, hooks: { [hook]: change } });
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(
      `The hook "${hook}" must return a request whose headers are an object, { name: value }. Convert them with Object.fromEntries(headers).`,
    );
  });
});

test.each([{ befor: () => {} }, { after: () => {}, onError: () => {} }])(
  "an unknown hook is refused: %j",
  async (hooks) => {
    const server = await localServer(always(200, "text/xml", good));
    for (const options of [{ hooks }, { hooks: [{}, hooks] }]) {
      const error = await failureOf(
        new ServiceClient(lookup, { baseUrl: server.url, ...options } as never).call(find, input),
      );
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(/There is no hook "(befor|onError)"\. Use before, again, after, addresses\./);
    }
    expect(server.received).toEqual([]);
  },
);

test("hooks of a class may have other members", async () => {
  class CountingHooks {
    count = 0;
    add = () => {
      this.count += 1;
    };
    before = () => this.add();
  }
  const server = await localServer(always(200, "text/xml", good));
  const hooks = new CountingHooks();
  await new ServiceClient(lookup, { baseUrl: server.url, hooks }).call(find, input);
  expect(hooks.count).toBe(1);
});

test("an object without a prototype is accepted", async () => {
  const server = await localServer(always(200, "text/xml", good));
  const headers = Object.assign(Object.create(null), Object.fromEntries([header]));
  await new ServiceClient(lookup, { baseUrl: server.url, headers }).call(find, input, { hooks: [] });
  expect(server.received[0]?.headers).toMatchObject({ "x-tenant": "5" });
});

const observers = "an object with the function begin, or a list of such objects";
const addresses = "a string, or an object with a string for each service";
const ports = "the name of a port, or an object with a name for each service";

test.each<[string, unknown, string]>([
  ["onError", "x", "a function"],
  ["onError", { log: () => {} }, "a function"],
  ["onCall", {}, "a function"],
  ["onTolerated", null, "a function"],
  ["onUploadProgress", "x", "a function"],
  ["observe", "x", observers],
  ["observe", () => {}, observers],
  ["observe", [{ begin: 1 }], observers],
  ["safeOperations", "Find", "a list of strings"],
  ["safeOperations", [5], "a list of strings"],
  ["requestId", 5, "a string"],
  ["unknown", "err", '"ignore" or "error"'],
  ["illegalCharacters", true, '"refuse" or "replace"'],
  ["address", ["http://a.example"], addresses],
  ["address", new URL("http://a.example"), addresses],
  ["address", { Lookup: 5 }, addresses],
  ["port", 5, ports],
])("the option %s of a client must not be %j", (name, value, type) => {
  const reason = `The option "${name}" must be ${type}.`;
  expect(() => new ServiceClient(lookup, { baseUrl: "http://a.example", [name]: value } as never)).toThrow(reason);
});

test.each<[string, unknown]>([
  ["observe", [{ begin: () => undefined }]],
  ["address", { Lookup: "http://a.example", Other: undefined }],
  ["unknown", undefined],
])("the option %s of a client may be %j", (name, value) => {
  expect(() => new ServiceClient(lookup, { baseUrl: "http://a.example", [name]: value } as never)).not.toThrow();
});

describe("the first argument of streamOf", () => {
  const client = new ServiceClient(lookup, { baseUrl: "http://127.0.0.1:1" });

  test.each<[string, unknown]>([
    ["a client", client],
    ["a promise", Promise.resolve([])],
    ["undefined", undefined],
  ])("must not be %s", (_, call) => {
    expect(() => streamOf(call as never)).toThrow(ConfigError);
    expect(() => streamOf(call as never)).toThrow(
      "The first argument of streamOf must be a function that makes the call",
    );
  });

  test("may be a function that does not return a promise, or throws, with an error of the loop", async () => {
    await expect(streamOf((() => [1]) as never).next()).rejects.toThrow("must pass its options to the call");
    const fail = () => {
      throw new RangeError("no client");
    };
    await expect(streamOf(fail).next()).rejects.toThrow(RangeError);
  });
});

describe("the function that fetchTransport calls", () => {
  test.each<[string, unknown]>([
    ["an object", {}],
    ["a promise", Promise.resolve(fetch)],
    ["undefined", undefined],
  ])("must not be %s", (_, value) => {
    expect(() => fetchTransport(value as never)).toThrow(ConfigError);
    expect(() => fetchTransport(value as never)).toThrow("The first argument of fetchTransport must be a function");
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a string", "[]"],
    ["an object of a mock", { ok: true, json: async () => [] }],
    ["an object without headers", { status: 200, body: null }],
    ["an object with a list of headers", { status: 200, headers: [], body: null }],
    ["an object with a text as its body", { status: 200, headers: new Headers(), body: "[]" }],
  ])("must not return %s", async (_, response) => {
    const transport = fetchTransport((async () => response) as never);
    const error = await failureOf(
      new RestClient(content, { siteUrl: "http://a.example", transport }).call(listItems, {}),
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain("items.list: The function that fetchTransport calls must return a Response");
  });

  test("may return the response of another class", async () => {
    const { body, headers } = new Response("[]", { headers: { "content-type": "application/json" } });
    const transport = fetchTransport((() => ({ status: 200, headers, body })) as never);
    expect(await new RestClient(content, { siteUrl: "http://a.example", transport }).call(listItems, {})).toEqual([]);
  });
});
