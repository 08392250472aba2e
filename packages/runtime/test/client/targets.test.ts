import { expect, test } from "vitest";
import { connect, RestClient, ServiceClient, type SoapClientOptions, soap11, soap12 } from "../../src/client/index.js";
import type { Protocol, ServiceDescriptor } from "../../src/index.js";
import { find, lookup } from "./lookup.js";

// A client finds the usual targets with code that is always loaded, and all others with code that is loaded first.

const addresses: readonly SoapClientOptions["address"][] = [
  undefined,
  "http://one.example/lookup",
  "https://one.example/lookup/?a=1",
  "http://user:secret@one.example",
  "ftp://one.example/lookup",
  "queue:one",
  "/lookup",
  "",
  { Lookup: "http://one.example/lookup" },
  { Lookup: undefined },
  { Other: "http://one.example/other" },
];
const baseUrls = [
  undefined,
  "http://two.example",
  "https://two.example:8443/below/",
  "http://user:secret@two.example/?a=1",
  "queue:two",
  "two.example",
];
const ports = [undefined, "LookupSoap12", "LookupSecure", "LookupNowhere"];
const protocolsOfCalls: readonly (Protocol | undefined)[] = [undefined, "soap11", "soap12", "httpGet"];
const schemaAddresses = [
  "http://three.example/api/lookup.asmx",
  "https://three.example/lookup/?a=1",
  "jms:three",
  "lookup.asmx",
  undefined,
];
const services: readonly ServiceDescriptor[] = [
  ...schemaAddresses.map((address) => {
    const options = address === undefined ? {} : { address };
    return { ...lookup, ports: { soap11: { name: "LookupSoap", ...options } } };
  }),
  lookup,
  { ...lookup, services: ["Lookup", "Another"] },
  { ...lookup, ports: {} },
];

interface Case {
  readonly service: ServiceDescriptor;
  readonly options: SoapClientOptions;
  readonly protocol: Protocol | undefined;
}

function* listCases(): Iterable<Case> {
  for (const service of services) {
    for (const address of addresses) {
      for (const baseUrl of baseUrls) {
        for (const port of ports) {
          for (const protocol of protocolsOfCalls) {
            yield { service, options: { address, baseUrl, port }, protocol };
          }
        }
      }
    }
  }
}

interface Target {
  readonly protocol: Protocol;
  readonly address: object;
}

/** Returns the target, or the error as text. Returns undefined if code must be loaded first. */
async function readTarget(prepare: () => Target | undefined | Promise<Target>): Promise<Target | string | undefined> {
  try {
    const call = await prepare();
    return call && { protocol: call.protocol, address: call.address };
  } catch (error) {
    return String(error);
  }
}

test("a target that is found without loading code is the one that the loaded code finds", async () => {
  let usualTargets = 0;
  for (const { service, options, protocol } of listCases()) {
    const operation = { ...find, service };
    const createConnection = () => connect({ protocols: [soap11, soap12], options });
    const usual = await readTarget(() => createConnection().prepareUsual(operation, protocol));
    if (usual !== undefined) {
      const loaded = await readTarget(() => createConnection().prepareUnusual(operation, protocol));
      expect(usual, JSON.stringify({ options, protocol, ports: service.ports })).toEqual(loaded);
      usualTargets += typeof usual === "object" ? 1 : 0;
    }
  }
  expect(usualTargets).toBeGreaterThan(200);
});

const invalidAddresses = [
  { address: "localhost:8080/x", shown: "localhost:8080/x" },
  { address: "//host/x", shown: "//host/x" },
  { address: "", shown: "" },
  { address: "http://:8080", shown: "http://:8080" },
  { address: "user:secret@host/x?token=secret", shown: "host/x" },
  { address: "http://user:sec/ret@host/x#secret", shown: "host/x" },
  { address: "//user:secret@host/x", shown: "host/x" },
  { address: "mailto:user:secret@host", shown: "host" },
  { address: "ftp://user:s@secret@host/x", shown: "host/x" },
  { address: undefined, shown: "undefined" },
  { address: 8080, shown: "number" },
  { address: Symbol("address"), shown: "symbol" },
];

test.each(invalidAddresses)("the refusal of the address $address contains an example", async ({ address, shown }) => {
  const message = (name: string) => `The option "${name}" must be like https://host/path, not "${shown}".`;
  if (address !== undefined) {
    const client = new ServiceClient(lookup, { baseUrl: address } as never);
    await expect(client.call(find, { Key: "a", Count: 1, user: "b" })).rejects.toThrow(message("baseUrl"));
  }
  const site = { descriptorFormat: 2, name: "site", base: "" } as const;
  expect(() => new RestClient(site, { siteUrl: address } as never)).toThrow(message("siteUrl"));
});
