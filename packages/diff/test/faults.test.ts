import { createDynamicContract, type DynamicSoapInterface } from "@bothends/dynamic";
import { SoapFault } from "@bothends/runtime";
import { fetchTransport, ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import { expect, test } from "vitest";
import { serviceOf } from "./pairs/service.js";
import { sideOf } from "./proof/contracts.js";

function soapOf(fault: "Broken" | "Stuck" | undefined): DynamicSoapInterface {
  const operations = [fault === undefined ? { name: "Ask" } : { name: "Ask", fault }];
  const [soap] = createDynamicContract(sideOf(serviceOf({ operations })).contract).interfaces;
  if (soap?.kind !== "soap") {
    throw new Error("There is no SOAP interface.");
  }
  return soap;
}

/** Calls a server that throws the fault `Broken` with a client of another contract. Returns the client's error. */
async function caught(client: DynamicSoapInterface, server: DynamicSoapInterface) {
  const [[theirs], [ours]] = [server.services, client.services];
  const [operation] = theirs?.operations ?? [];
  const [called] = ours?.operations ?? [];
  if (theirs === undefined || ours === undefined || operation === undefined || called === undefined) {
    throw new Error("There is no operation.");
  }
  const ask = () => {
    const detail = [{ name: "{urn:s}Broken", content: [{ name: "{urn:s}why", content: ["tired"] }] }];
    throw new SoapFault({ code: "Server", reason: "broken", detail });
  };
  const routes = soapRoutes({
    service: theirs.descriptor,
    operations: { ask: operation.descriptor },
    handlers: { ask },
    settings: server.settings,
  });
  const transport = fetchTransport(webHandler([routes]));
  const api = new ServiceClient(ours.descriptor, { transport }, client.settings);
  const error: unknown = await api.call(called.descriptor, { q: "why" }).catch((reason: unknown) => reason);
  const declared = called.descriptor.faults?.[0]?.error();
  return { error, isDeclared: declared !== undefined && error instanceof declared };
}

test("a client that declares a fault catches its class, one that does not catches a general fault", async () => {
  const declaring = await caught(soapOf("Broken"), soapOf("Broken"));
  expect(declaring.isDeclared).toBe(true);
  const plain = await caught(soapOf(undefined), soapOf("Broken"));
  expect([plain.isDeclared, plain.error instanceof SoapFault]).toEqual([false, true]);
  const other = await caught(soapOf("Stuck"), soapOf("Broken"));
  expect([other.isDeclared, other.error instanceof SoapFault]).toEqual([false, true]);
});
