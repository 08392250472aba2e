import { ConfigError } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { splitMethods } from "./pairs/rest.js";
import { sideOf } from "./proof/contracts.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";

const [before, after] = [sideOf(indexOf(splitMethods.before)), sideOf(indexOf(splitMethods.after))];

test("all methods that moved to another endpoint are named, with the calls that the compiler does not find", () => {
  const [change, ...others] = diffContracts(before, after).changes;
  expect(others).toEqual([]);
  expect(change?.message).toBe(
    "PUT, PATCH /shop/v1/things/(?P<id>[\\d]+): Methods of an endpoint have another name in generated code. The compiler does not find calls of the old name with the option `method`; they throw a `ConfigError` (shop.things.update → shop.things.put).",
  );
  expect(change?.consequences).toEqual({ oldClients: "none", newClients: "none", callers: "some", handlers: "breaks" });
});

test("a call of the old name with a method that moved throws a ConfigError", async () => {
  const rest = restOf(after.contract);
  const { transport } = new MemoryServer(rest);
  const client = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport });
  const update = rest.endpoints.find(({ endpoint }) => endpoint.operation.join(".") === "shop.things.update");
  if (update === undefined) {
    throw new Error("There is no such endpoint.");
  }
  const call = (method: "POST" | "PUT") => client.call(update.descriptor, { id: 1 }, { method });
  await expect(call("POST")).resolves.toBeNull();
  await expect(call("PUT")).rejects.toBeInstanceOf(ConfigError);
});

test("a default method that another endpoint accepts reaches the handler of that endpoint", async () => {
  const item = "/shop/v1/things/(?P<id>[\\d]+)";
  const separate = { [item]: [{ methods: ["PATCH"] }, { methods: ["PUT"] }] };
  const joined = { [item]: { methods: ["PUT", "PATCH"] } };
  const [oldSide, newSide] = [sideOf(indexOf(separate)), sideOf(indexOf(joined))];
  const found = diffContracts(oldSide, newSide).changes.filter(({ rule }) => rule === "default-method-changed");
  expect(found.map(({ message, consequences }) => ({ message, consequences }))).toEqual([
    {
      message: "PUT /shop/v1/things/(?P<id>[\\d]+): The default method of an endpoint changed (PATCH → PUT).",
      consequences: { oldClients: "none", newClients: "some", callers: "none", handlers: "none" },
    },
  ]);
  const [client, server] = [restOf(newSide.contract), new MemoryServer(restOf(oldSide.contract))];
  const api = new RestClient(client.descriptor, { siteUrl: "http://site.example", transport: server.transport });
  await Promise.all(client.endpoints.map(({ descriptor }) => api.call(descriptor, { id: 1 })));
  expect(server.received?.method).toBe("PUT");
});
