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
