import { describe, expect, test } from "vitest";
import { RestClient, ServiceClient } from "../../src/client/index.js";
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

test("an object without a prototype is accepted", async () => {
  const server = await localServer(always(200, "text/xml", good));
  const headers = Object.assign(Object.create(null), Object.fromEntries([header]));
  await new ServiceClient(lookup, { baseUrl: server.url, headers }).call(find, input, { hooks: [] });
  expect(server.received[0]?.headers).toMatchObject({ "x-tenant": "5" });
});
