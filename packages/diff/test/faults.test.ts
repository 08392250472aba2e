import { createDynamicContract, type DynamicSoapInterface } from "@bothends/dynamic";
import { SoapFault } from "@bothends/runtime";
import { fetchTransport, ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { withAnswerHeader, withFault, withTrouble } from "./pairs/header-faults.js";
import { detailed } from "./pairs/operations.js";
import { wsdlOf } from "./pairs/pair.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

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

function levelsOf(before: Sources, after: Sources) {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  return changes.map(({ rule, consequences: { oldClients, newClients } }) => [rule, oldClients, newClients].join(" "));
}

test("clients tolerate changes in the detail of a fault", () => {
  expect(levelsOf(detailed("code:int"), detailed("code:long"))).toEqual(["type-widened tolerated none"]);
  expect(levelsOf(detailed("code:long"), detailed("code:int"))).toEqual(["type-narrowed none tolerated"]);
  expect(levelsOf(detailed("why:string", "code:int"), detailed("why:string"))).toEqual([
    "member-removed-required tolerated tolerated",
  ]);
});

test("a type of a fault that an answer contains as well is judged by the answer", () => {
  const stateOf = (type: string) => {
    const { "t.wsdl": text = "" } = wsdlOf(
      `<complexType name="T"><sequence><element name="a" type="${type}"/></sequence></complexType><element name="Broken" type="t:T"/>`,
    );
    const edits = [
      [
        '<portType name="P">',
        '<message name="BrokenFault"><part name="f" element="t:Broken"/></message><portType name="P">',
      ],
      ['<output message="t:GetOut"/>', '<output message="t:GetOut"/><fault name="f" message="t:BrokenFault"/>'],
    ] as const;
    return { "t.wsdl": edits.reduce((whole, [from, to]) => whole.replace(from, to), text) };
  };
  expect(levelsOf(stateOf("int"), stateOf("long"))).toEqual(["type-widened none some", "type-widened some none"]);
});

test("a header that answers have as well is not reported as a header of faults", () => {
  const [before, after] = [withAnswerHeader(withTrouble([])), withAnswerHeader(withFault())];
  expect(levelsOf(before, after)).toEqual([]);
  expect(levelsOf(withFault(), withAnswerHeader(withFault()))).toEqual(["header-added tolerated none"]);
});

test("the report says what clients do if they cannot read a header of a fault", () => {
  const after = withFault({ attributes: 'type="xs:long"' });
  const reasons = diffContracts(sideOf(withFault()), sideOf(after)).changes.map(({ reason }) => reason);
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toContain("throws the fault without its headers");
});
