import { ConfigError } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { indexOf } from "./pairs/index-document.js";
import { splitMethods } from "./pairs/rest.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
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

const item = "/shop/v1/things/(?P<id>[\\d]+)";
const args = { id: { type: "integer", required: true }, name: { type: "string" } };
const endpointsOf = (...methods: readonly (readonly string[])[]) =>
  indexOf({ [item]: methods.map((list) => ({ methods: list, args })) });

const splits = [
  { title: "PUT", separate: endpointsOf(["POST", "PATCH"], ["PUT"]), names: { update: "POST", put: "PUT" } },
  { title: "PATCH", separate: endpointsOf(["POST", "PUT"], ["PATCH"]), names: { update: "POST", patch: "PATCH" } },
  {
    title: "all methods",
    separate: endpointsOf(["POST"], ["PUT"], ["PATCH"]),
    names: { update: "POST", put: "PUT", patch: "PATCH" },
  },
] as const;
const joined = endpointsOf(["POST", "PUT", "PATCH"]);

test("callers compile after a split of an endpoint with the same arguments, but not after the reverse", () => {
  const callsOf = (names: readonly string[], methods: readonly string[]) =>
    names.flatMap((name) => [
      `api.shop.things.${name}({ id: 1 })`,
      ...methods.map((method) => `api.shop.things.${name}({ id: 1 }, { method: "${method}" })`),
    ]);
  const programOf = (call: string) =>
    `import type { ApiClient } from "./client/src/api/index.js";\ndeclare const api: ApiClient;\nexport const answer = ${call};`;
  const files = new Map<string, string>();
  const add = (folder: string, sources: Sources, calls: readonly string[]) => {
    for (const [path, text] of modulesIn(folder, sources)) {
      files.set(path, text);
    }
    for (const [index, call] of calls.entries()) {
      files.set(`${folder}/call${index}.ts`, programOf(call));
    }
  };
  for (const { title, separate, names } of splits) {
    const folder = title.replace(" ", "-");
    add(`split-${folder}`, separate, callsOf(["update"], ["POST", "PUT", "PATCH"]));
    add(`joined-${folder}`, joined, callsOf(Object.keys(names), []));
  }
  const errors = [...compileErrors(files)].map(([path, error]) => `${path} ${error}`);
  expect(errors.filter((error) => error.startsWith("split-"))).toEqual([]);
  for (const { title, separate, names } of splits) {
    const folder = `joined-${title.replace(" ", "-")}/call`;
    // The name `update` still exists, so only the other names are lost.
    expect(errors.filter((error) => error.startsWith(folder))).toHaveLength(Object.keys(names).length - 1);
    const levelsOf = (from: Sources, to: Sources) =>
      findWorstLevel(diffContracts(sideOf(from), sideOf(to)).changes.map(({ consequences }) => consequences.callers));
    expect({ title, split: levelsOf(joined, separate), join: levelsOf(separate, joined) }).toEqual({
      title,
      split: "some",
      join: "breaks",
    });
  }
}, 300_000);
