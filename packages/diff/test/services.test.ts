import { ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { describe, expect, test } from "vitest";
import { diffContracts, levels, type Side } from "../src/index.js";
import { edited } from "./edits/sources.js";
import { type InterfaceSettings, serviceOf, servicesOf } from "./pairs/service.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";

const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];

/** Returns the rules and subjects of the changes, without changes of names in code. */
function changesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ rule }) => rule !== "name-in-code-changed")
    .map(({ rule, subject }) => `${rule} ${subject}`)
    .sort();
}

/** Returns the rules and subjects of the changes, and their consequences for old and new clients. */
function effectsBetween(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after)).changes.map(
    ({ rule, subject, consequences: { oldClients, newClients } }) => `${rule} ${subject}: ${oldClients} ${newClients}`,
  );
}

describe("a service whose operations all moved to another service", () => {
  const joined = serviceOf({ operations: [ask, tell, buy] });

  test("is not reported as removed or added, because each operation is reported", () => {
    const two = servicesOf([ask, tell], [buy]);
    expect(changesOf(two, joined)).toEqual(["operation-moved Buy"]);
    expect(changesOf(joined, two)).toEqual(["operation-moved Buy"]);
  });

  test("is reported if it has a further operation", () => {
    const two = servicesOf([ask, tell], [buy, { name: "Wonder" }]);
    expect(changesOf(two, joined)).toEqual(["operation-moved Buy", "service-removed More"]);
    expect(changesOf(joined, two)).toEqual(["operation-moved Buy", "service-added More"]);
  });
});

describe("an operation that moved to a service with another namespace", () => {
  /** Two services with the namespaces `urn:a` and `urn:b`, in two files. */
  function filesOf(
    operations: Readonly<Record<"a" | "b", NonNullable<InterfaceSettings["operations"]>>>,
    init: (namespace: string) => InterfaceSettings,
  ): Sources {
    return Object.fromEntries(
      (["a", "b"] as const).map((name) => {
        const namespace = `urn:${name}`;
        const settings = { namespace, service: name.toUpperCase(), operations: operations[name], ...init(namespace) };
        return [`${name}.wsdl`, serviceOf(settings)["s.wsdl"] ?? ""];
      }),
    );
  }

  const forms: readonly (readonly [title: string, init: (namespace: string) => InterfaceSettings])[] = [
    ["document style", (namespace) => ({ actionPrefix: `${namespace}/` })],
    ["rpc style", (namespace) => ({ actionPrefix: `${namespace}/`, style: "rpc" })],
    ["SOAP 1.2 as well", (namespace) => ({ actionPrefix: `${namespace}/`, protocols: ["soap11", "soap12"] })],
    ["WS-Addressing", (namespace) => ({ actionPrefix: "", addressing: "required", addressingPrefix: `${namespace}/` })],
    ["an action without the namespace", () => ({})],
  ];

  test.each(forms)("is reported once, with %s", (_, init) => {
    const [before, after] = [filesOf({ a: [ask, tell], b: [buy] }, init), filesOf({ a: [ask], b: [buy, tell] }, init)];
    for (const versions of [[before, after] as const, [after, before] as const]) {
      const [old, current] = versions.map(sideOf) as [Side, Side];
      expect(changesOf(...versions)).toEqual(["operation-moved Tell"]);
      expect(diffContracts(old, current).moves).toHaveLength(1);
    }
  });

  test("is reported with an action that changed in another way", () => {
    const init = (namespace: string) => ({ actionPrefix: `${namespace.replace("urn:", "http://site.example/v")}/` });
    const [before, after] = [filesOf({ a: [ask, tell], b: [buy] }, init), filesOf({ a: [ask], b: [buy, tell] }, init)];
    expect(changesOf(before, after)).toEqual(["operation-moved Tell", "soap-action-changed Tell"]);
  });

  test.each([
    ["another member", { ...tell, members: '<element name="p" type="string"/>' }],
    ["another type of a member", { ...tell, members: '<element name="q" type="int"/>' }],
    ["another result", { ...tell, answer: '<element name="r" type="string"/><element name="s" type="string"/>' }],
    ["no answer", { ...tell, oneWay: true }],
  ])("is removed and added if it has %s", (_, other) => {
    const [before, after] = [
      { a: [ask, tell], b: [buy] },
      { a: [ask], b: [buy, other] },
    ].map((operations) => filesOf(operations, () => ({}))) as [Sources, Sources];
    expect(changesOf(before, after)).toEqual(["operation-added B.Tell", "operation-removed A.Tell"]);
  });
});

describe("two services that are the ports of one service in the other version", () => {
  const { "s.wsdl": text = "" } = serviceOf({ operations: [ask, tell], protocols: ["soap11", "soap12"] });
  const whole = { "s.wsdl": text.replace(/(<soap12:address location="[^"]*)/, "$112") };
  const separate = {
    "s.wsdl": whole["s.wsdl"].replace('<port name="soap12"', '</service><service name="Second"><port name="soap12"'),
  };

  test("are reported as joined or split", () => {
    expect(changesOf(separate, whole)).toEqual(["services-joined S"]);
    expect(changesOf(whole, separate)).toEqual(["service-split S"]);
  });

  test("answer the clients of the other version", async () => {
    for (const [client, server] of [
      [separate, whole],
      [whole, separate],
    ] as const) {
      const [old, current] = [sideOf(client), sideOf(server)];
      const claims = diffContracts(old, current).changes.map(({ consequences }) => consequences);
      expect(Math.max(...claims.map(({ oldClients }) => levels.indexOf(oldClients)))).toBe(levels.indexOf("none"));
      expect(Math.max(...claims.map(({ newClients }) => levels.indexOf(newClients)))).toBe(levels.indexOf("none"));
      expect(await callAll(old, current)).toEqual(["because", "because", "because", "because"]);
    }
  });
});

describe("an address that changed", () => {
  const { "s.wsdl": text = "" } = serviceOf({ protocols: ["soap11", "soap12"] });
  const pathOf = (path: string, ...protocols: readonly string[]): Sources => ({
    "s.wsdl": protocols.reduce(
      (whole, protocol) =>
        whole.replace(`<${protocol}:address location="http://s.example/s"`, (tag) => tag.replace('/s"', path)),
      text,
    ),
  });

  test("names the protocol of the port, whose clients break", () => {
    expect(effectsBetween(pathOf('/s"'), pathOf('/v12"', "soap12"))).toEqual([
      "address-path-changed S (SOAP 1.2): none some",
    ]);
    expect(effectsBetween(pathOf('/v12"', "soap12"), pathOf('/s"'))).toEqual([
      "address-path-changed S (SOAP 1.2): some none",
    ]);
  });

  test("names no port if all ports changed", () => {
    expect(effectsBetween(pathOf('/s"'), pathOf('/t"', "soap", "soap12"))).toEqual([
      "address-path-changed S: breaks breaks",
    ]);
  });

  test("names each of several ports, by its name if another port has the same protocol", () => {
    const withSecondPort = ({ "s.wsdl": text = "" }: Sources, address: string): Sources => ({
      "s.wsdl": text.replace(
        "</service>",
        `<port name="backup" binding="t:soap11"><soap:address location="${address}"/></port></service>`,
      ),
    });
    const before = withSecondPort(pathOf('/s"'), "http://s.example/s");
    expect(effectsBetween(before, withSecondPort(pathOf('/s"'), "http://backup.example/s"))).toEqual([
      "address-host-changed S (port backup): tolerated tolerated",
    ]);
    expect(effectsBetween(before, withSecondPort(pathOf('/t"', "soap", "soap12"), "http://s.example/s"))).toEqual([
      "address-path-changed S (port soap11 and SOAP 1.2): breaks breaks",
    ]);
  });

  test("is that of the first port if another port took its place", () => {
    const first = pathOf('/s"');
    const inserted = { "s.wsdl": first["s.wsdl"]?.replace('<port name="soap11"', `${port("backup", "/b")}$&`) ?? "" };
    expect(effectsBetween(inserted, first)).toEqual([
      "address-path-changed S (SOAP 1.1): breaks none",
      "port-removed S: none none",
    ]);
    expect(effectsBetween(first, inserted)).toEqual([
      "address-path-changed S (SOAP 1.1): none breaks",
      "port-added S: none none",
    ]);
  });

  test("is that of the first port if two ports exchanged their places", () => {
    const ports = [port("A", "/a"), port("B", "/b")];
    const withPorts = (elements: readonly string[]): Sources => ({
      "s.wsdl": (serviceOf()["s.wsdl"] ?? "").replace(/<port name[\s\S]*<\/port>/, elements.join("")),
    });
    expect(effectsBetween(withPorts(ports), withPorts(ports.toReversed()))).toEqual([
      "address-path-changed S (SOAP 1.1): breaks breaks",
    ]);
  });
});

function port(name: string, path: string): string {
  return `<port name="${name}" binding="t:soap11"><soap:address location="http://s.example${path}"/></port>`;
}

test("a service that is named after its port is not renamed if another port becomes its first", () => {
  const protocols = ["soap11", "soap12"] as const;
  const { "s.wsdl": text = "" } = serviceOf({ protocols, operations: [ask], otherOperations: [tell] });
  const securePort = '<port name="secure" binding="t:soap12"><soap12:address location="http://s.example/s"/></port>';
  const secure = { "s.wsdl": text.replace('<port name="soap12"', `${securePort}$&`) };
  expect(changesOf(secure, { "s.wsdl": text })).toEqual(["port-removed soap12"]);
  expect(changesOf({ "s.wsdl": text }, secure)).toEqual(["port-added secure"]);
});

describe("a SOAPAction that changed", () => {
  const effectsOf = (settings: InterfaceSettings) =>
    effectsBetween(serviceOf(settings), serviceOf({ ...settings, actionPrefix: "urn:other/" }));

  /** Returns the operations whose action changed, each with the only protocols that the message names. */
  const protocolsBetween = (before: Sources, after: Sources) =>
    diffContracts(sideOf(before), sideOf(after)).changes.map(
      ({ subject, message }) => `${subject} ${/clients that use (.*) are affected/.exec(message)?.[1]}`,
    );

  test("affects all clients if all protocols send it", () => {
    expect(effectsOf({ protocols: ["soap11"] })).toEqual(["soap-action-changed Ask: breaks breaks"]);
  });

  test("affects only clients of SOAP 1.1 if clients can use SOAP 1.2, which does not send it", () => {
    expect(effectsOf({ protocols: ["soap11", "soap12"] })).toEqual(["soap-action-changed Ask: some some"]);
  });

  test("affects nobody if no request contains it", () => {
    expect(effectsOf({ protocols: ["soap12"] })).toEqual(["soap-action-changed Ask: none none"]);
  });

  test("affects clients of SOAP 1.2 if two operations exchanged it", () => {
    const rename = (from: string, to: string) => ({
      file: "reg.wsdl",
      from: new RegExp(`(soapAction="[^"]*/)${from}"`, "g"),
      to: `$1${to}"`,
    });
    const sending = { file: "bothends.json", from: /"wsdl":/g, to: '"soap12Action": true, "wsdl":' };
    const exchange = [rename("CheckUSA", "Other"), rename("CheckPeru", "CheckUSA"), rename("Other", "CheckPeru")];
    expect(protocolsBetween(edited("vehicle", [sending]), edited("vehicle", [sending, ...exchange]))).toEqual([
      "CheckUSA SOAP 1.1 or SOAP 1.2",
      "CheckPeru SOAP 1.1 or SOAP 1.2",
    ]);
    expect(protocolsBetween(edited("vehicle", []), edited("vehicle", exchange))).toEqual([
      "CheckUSA SOAP 1.1",
      "CheckPeru SOAP 1.1",
    ]);
  });

  test("names the protocol if the action changed in only one", () => {
    const { "s.wsdl": text = "" } = serviceOf({ protocols: ["soap11", "soap12"] });
    const changed = text.replace('<soap:operation soapAction="urn:action/', '<soap:operation soapAction="urn:other/');
    expect(effectsBetween({ "s.wsdl": text }, { "s.wsdl": changed })).toEqual([
      "soap-action-changed Ask (SOAP 1.1): some some",
    ]);
  });

  test("affects only clients of SOAP 1.1 if its prefix changed in several operations", () => {
    expect(effectsOf({ protocols: ["soap11", "soap12"], operations: [ask, tell] })).toEqual([
      "soap-action-changed SOAPAction: some some",
    ]);
  });
});

/** Calls each operation of each service over each of its protocols. */
async function callAll(client: Side, server: Side): Promise<readonly unknown[]> {
  const [ours, theirs] = [client, server].map(({ contract }) => dynamicContractOf(contract).interfaces[0]);
  if (ours?.kind !== "soap" || theirs?.kind !== "soap") {
    throw new Error("There is no SOAP interface.");
  }
  const transport = memoryTransport(
    theirs.services.map((service) => {
      const named = service.operations.map(({ operation, descriptor }) => [operation.uniqueName, descriptor] as const);
      return soapRoutes({
        service: service.descriptor,
        operations: Object.fromEntries(named),
        handlers: Object.fromEntries(named.map(([name]) => [name, () => "because"])),
        settings: theirs.settings,
      });
    }),
  );
  const answers: unknown[] = [];
  for (const service of ours.services) {
    for (const protocol of Object.keys(service.descriptor.ports) as ("soap11" | "soap12")[]) {
      const api = new ServiceClient(service.descriptor, { transport, protocol }, ours.settings);
      for (const { descriptor } of service.operations) {
        answers.push(await api.call(descriptor, { q: "why" }));
      }
    }
  }
  return answers;
}
