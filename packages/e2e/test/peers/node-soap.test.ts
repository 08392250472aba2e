import { join } from "node:path";
import * as soap from "soap";
import { expect, test } from "vitest";
import { createClientSuite } from "../../src/interop/client-suite.js";
import { thirdPartyClients } from "../../src/interop/third-party-clients.js";
import { thirdPartyServers } from "../../src/interop/third-party-servers.js";
import { lookups } from "../../src/sample/lookups.js";
import { root } from "../house/sources.js";

const suites = [...thirdPartyClients.map(createClientSuite), ...thirdPartyServers].filter(({ peer }) =>
  peer.startsWith("node-soap"),
);

test.each(suites)("$peer: every call of every operation over SOAP 1.1 and 1.2 is right", async ({ run }) => {
  const outcomes = await run();
  expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const operations = new Set(lookups.map(({ operation }) => operation));
  expect(operations.size).toBe(18);
  expect(outcomes).toHaveLength(2 * (lookups.length + 1));
});

test.each(["reg", "bespokeapi"])("node-soap reads schemas/vehicle/%s.wsdl", async (service) => {
  const client = await soap.createClientAsync(join(root, `schemas/vehicle/${service}.wsdl`));
  const described = JSON.stringify(client.describe());
  for (const lookup of lookups.filter((candidate) => candidate.service === service)) {
    expect(described).toContain(`"${lookup.operation}"`);
  }
});
