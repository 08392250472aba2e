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

/** A service with a fault `Problem`, whose element is `Broken` or `Stuck`. `Stuck` has other members. */
function stateWith(fault: "Broken" | "Stuck", members: { readonly Broken: string; readonly Stuck: string }): Sources {
  const { "s.wsdl": text = "" } = serviceOf({ operations: [{ name: "Ask", fault }] });
  const replaced = (["Broken", "Stuck"] as const).reduce(
    (whole, name) =>
      whole.replace(
        new RegExp(
          `<element name="${name}">.*?</element></sequence></complexType></element>|<element name="${name}">.*?</complexType></element>`,
        ),
        members[name].startsWith("<")
          ? `<element name="${name}"><complexType><sequence>${members[name]}</sequence></complexType></element>`
          : `<element name="${name}" type="e:${members[name]}"/>`,
      ),
    text,
  );
  const types = ["A", "B"].map(
    (name) =>
      `<complexType name="${name}"><sequence><element name="${name.toLowerCase()}" type="string"/></sequence></complexType>`,
  );
  return { "s.wsdl": replaced.replace('<element name="Session"', `${types.join("")}<element name="Session"`) };
}

const why = '<element name="why" type="string"/>';
const since = '<element name="since" type="date"/>';

test.each([
  { title: "other members", Broken: why, Stuck: since, want: "(Broken → Stuck)" },
  { title: "a further member", Broken: why, Stuck: why + since, want: "(Broken → Stuck)" },
  {
    title: "a further optional member",
    Broken: why,
    Stuck: `${why}<element name="n" type="int" minOccurs="0"/>`,
    want: "(Broken → Stuck)",
  },
  { title: "the same members", Broken: why, Stuck: why, want: undefined },
  { title: "another named type", Broken: "A", Stuck: "B", want: "(A → B)" },
  { title: "the same named type", Broken: "A", Stuck: "A", want: undefined },
  { title: "an anonymous type", Broken: "A", Stuck: since, want: "(A → Stuck)" },
])("a fault whose element was replaced by one with $title has another type", ({ Broken, Stuck, want }) => {
  const members = { Broken, Stuck };
  const states = [stateWith("Broken", members), stateWith("Stuck", members)] as const;
  for (const [before, after] of [states, [states[1], states[0]] as const]) {
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    expect(changes.filter(({ rule }) => /^(?:member|type)-/.test(rule)).map(({ rule }) => rule)).toEqual(
      want === undefined ? [] : ["type-replaced"],
    );
    expect(changes.filter(({ rule }) => rule === "fault-element-changed")).toHaveLength(1);
    const messages = changes.map(({ message }) => message).join("\n");
    expect(messages).toContain("Ask (fault Problem): The name of a fault's element changed");
    if (want !== undefined && before === states[0]) {
      expect(messages).toContain(`Ask (fault Problem): The complex type was replaced with another one ${want}.`);
    }
  }
});
