import { ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";

// Compares every set of ambient arguments with every other one. Handlers find the values of these arguments in
// `context.ambient`.

const sets = [[], ["user"], ["site"], ["user", "site"]] as const;
const pairs = sets.flatMap((before) => sets.filter((after) => after !== before).map((after) => ({ before, after })));

const packages = Object.fromEntries(["contract", "client", "server"].map((path) => [path, { path, name: path }]));

function versionOf(ambient: readonly string[]): Sources {
  const members = ["q", "user", "site"].map((name) => `<element name="${name}" type="string"/>`).join("");
  return {
    ...serviceOf({ operations: [{ name: "Ask", members }] }),
    "bothends.json": JSON.stringify({ packages, interfaces: { api: { wsdl: ["s.wsdl"], ambient } } }),
  };
}

/** Calls the operation with all arguments, and returns the names that the handler finds in `context.ambient`. */
async function findNamesInHandler(ambient: readonly string[]): Promise<readonly string[]> {
  const [soap] = dynamicContractOf(sideOf(versionOf(ambient)).contract).interfaces;
  const service = soap?.kind === "soap" ? soap.services[0] : undefined;
  const operation = service?.operations[0];
  if (soap?.kind !== "soap" || service === undefined || operation === undefined) {
    throw new Error("There is no operation.");
  }
  let names: readonly string[] = [];
  const routes = soapRoutes({
    service: service.descriptor,
    operations: { ask: operation.descriptor },
    handlers: {
      ask(_input: unknown, context: { readonly ambient: object }) {
        names = Object.keys(context.ambient);
        return "because";
      },
    },
    settings: soap.settings,
  });
  const client = new ServiceClient(service.descriptor, { transport: memoryTransport([routes]) }, soap.settings);
  await client.call(operation.descriptor, { q: "why", user: "u", site: "s" });
  return names;
}

test.each(pairs)("from $before to $after, handlers that read a missing value may break", async ({ before, after }) => {
  const { changes } = diffContracts(sideOf(versionOf(before)), sideOf(versionOf(after)));
  const [oldNames, newNames] = await Promise.all([findNamesInHandler(before), findNamesInHandler(after)]);
  expect([...oldNames].sort()).toEqual([...before].sort());
  const actual = changes.map(({ subject, consequences }) => [subject, consequences.handlers]);
  const expected = ["user", "site"].flatMap((name) => {
    const [wasFound, isFound] = [oldNames.includes(name), newNames.includes(name)];
    return wasFound === isFound ? [] : [[name, isFound ? "none" : "some"]];
  });
  expect(actual.sort()).toEqual(expected.sort());
});
