import { ConfigError, type Method } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { replacedMethods } from "./pairs/rest.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
import { MemoryServer, restOf } from "./proof/rest-calls.js";
import { defaultMethods } from "./proof/special-calls.js";

// Other methods replace all methods of an endpoint. The generated code stays the same if the endpoint keeps its name.

const routes = ["/shop/v1/things", "/shop/v1/things/(?P<id>[\\d]+)"];
const methodLists: readonly (readonly Method[])[] = [
  ["POST"],
  ["PUT"],
  ["PATCH"],
  ["DELETE"],
  ["PUT", "PATCH"],
  ["POST", "PUT"],
];
const id = { type: "integer", required: true };
const states = routes.flatMap((route) =>
  methodLists.map((methods) => ({
    route,
    methods,
    sources: indexOf({ [route]: { methods, args: { id, search: { type: "string" } } } }),
  })),
);
const pairs = states.flatMap((before) =>
  states
    .filter(({ route, methods }) => route === before.route && !methods.some((each) => before.methods.includes(each)))
    .map((after) => ({ before, after })),
);
const nameOf = (sources: Sources) => restOf(sideOf(sources).contract).endpoints[0]?.endpoint.operation.at(-1) ?? "";

test("code of an endpoint whose methods were replaced fails exactly where the diff says so", () => {
  const files = new Map(states.flatMap(({ sources }, index) => [...modulesIn(`${index}`, sources)]));
  const programs = pairs.map(({ before, after }) => {
    const name = nameOf(before.sources);
    const texts = {
      callers: `import type { ApiClient } from "./client/src/api/index.js";
export const use = (client: ApiClient) => client.shop.things.${name}({ id: 1, search: "a" }, { method: "${before.methods[0]}" });`,
      handlers: `import type { ApiHandlers } from "./server/src/api/index.js";
export const handlers: ApiHandlers["shop"]["things"] = { ${name}: ({ search }) => search ?? 1 };`,
    };
    const paths = (["callers", "handlers"] as const).map((party) => {
      const pathIn = (state: typeof before) => `${states.indexOf(state)}/${party}-${states.indexOf(before)}.ts`;
      files.set(pathIn(before), texts[party]);
      files.set(pathIn(after), texts[party]);
      return { party, old: pathIn(before), current: pathIn(after) };
    });
    return { paths, before, after };
  });
  const errors = compileErrors(files);
  expect(programs.flatMap(({ paths }) => paths.flatMap(({ old }) => errors.get(old) ?? []))).toEqual([]);
  const claims = programs.flatMap(({ paths, before, after }) => {
    const { changes } = diffContracts(sideOf(before.sources), sideOf(after.sources));
    return paths.map(({ party, current }) => {
      // A call with the option `method` compiles, but throws an error.
      const want = errors.has(current) ? "breaks" : party === "callers" ? "some" : "none";
      const methods = `${before.methods} -> ${after.methods} of ${before.route}`;
      return { methods, party, claim: worstOf(changes, party), want };
    });
  });
  expect(claims.filter(({ claim, want }) => claim !== want)).toEqual([]);
  expect(new Set(claims.map(({ want }) => want))).toEqual(new Set(["none", "some", "breaks"]));
}, 300_000);

test("calls of an endpoint whose methods were replaced fail, and the diff says so", async () => {
  for (const { before, after } of pairs) {
    const [oldSide, newSide] = [sideOf(before.sources), sideOf(after.sources)];
    const { changes } = diffContracts(oldSide, newSide);
    const isKept = nameOf(before.sources) === nameOf(after.sources);
    for (const [party, client, server] of [
      ["oldClients", oldSide, newSide],
      ["newClients", newSide, oldSide],
    ] as const) {
      const seen = await defaultMethods(client, server);
      expect(seen).toMatchObject({ errors: 1, total: 1 });
      expect([worstOf(changes, party), isKept]).toEqual([isKept || party === "oldClients" ? "breaks" : "some", isKept]);
    }
  }
});

test("a call with the option `method` and a replaced method throws a ConfigError", async () => {
  const rest = restOf(sideOf(indexOf(replacedMethods[1])).contract);
  const { transport } = new MemoryServer(rest);
  const client = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport });
  const [update] = rest.endpoints;
  if (update === undefined) {
    throw new Error("There is no endpoint.");
  }
  await expect(client.call(update.descriptor, { id: 1 }, { method: "POST" })).resolves.toBeNull();
  await expect(client.call(update.descriptor, { id: 1 }, { method: "PATCH" })).rejects.toBeInstanceOf(ConfigError);
});
