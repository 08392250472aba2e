import { describe, expect, test } from "vitest";
import type { DifferenceWithOperations } from "../src/compare/difference.js";
import { type Change, diffContracts } from "../src/index.js";
import { mergeDifferences } from "../src/merge-differences.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { type InterfaceSettings, serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

type Operations = NonNullable<InterfaceSettings["operations"]>;

function changesOf(before: Operations, after: Operations): readonly Change[] {
  return diffContracts(sideOf(serviceOf({ operations: before })), sideOf(serviceOf({ operations: after }))).changes;
}

/** Describes the removed faults, one line each. */
function texts(changes: readonly Change[]): readonly string[] {
  return changes
    .filter(({ rule }) => rule === "fault-removed")
    .map(({ before, level, operations }) => `${before}, ${level}: ${[...operations].sort().join(", ")}`);
}

function fingerprintsOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ fingerprint }) => fingerprint);
}

describe("removed faults with one name", () => {
  const before: Operations = [
    { name: "A", fault: "Broken" },
    { name: "B", fault: "Stuck" },
    { name: "C", fault: "Broken" },
  ];

  test("are a change for each element, with its own consequences", () => {
    const changes = changesOf(before, [{ name: "A" }, { name: "B" }, { name: "C", fault: "Broken" }]);
    expect(texts(changes)).toEqual(["{urn:s}Stuck, breaks: B", "{urn:s}Broken, tolerated: A"]);
  });

  test("are a loss for code if another operation declares the fault", () => {
    const [change] = changesOf(before, [{ name: "A" }, ...before.slice(1)]);
    expect(change?.consequences).toEqual({
      oldClients: "none",
      newClients: "tolerated",
      callers: "tolerated",
      handlers: "tolerated",
    });
  });

  test("are one change if the operations have one element", () => {
    const changes = changesOf(before, [{ name: "A" }, { name: "B", fault: "Stuck" }, { name: "C" }]);
    expect(texts(changes)).toEqual(["{urn:s}Broken, breaks: A, C"]);
  });
});

test("the worst consequences of merged changes are reported, in either order", () => {
  const difference = (name: string, variant: string | undefined): DifferenceWithOperations => ({
    rule: "encoding-changed",
    subject: `${name} (encoding)`,
    before: "literal",
    after: "encoded",
    variant,
    operations: [],
  });
  const [plain, members] = [difference("A", undefined), difference("B", "members")];
  expect(mergeDifferences([plain, members], () => false).map(({ variant }) => variant)).toEqual(["members"]);
  expect(mergeDifferences([members, plain], () => false).map(({ variant }) => variant)).toEqual(["members"]);
});

describe("the fingerprint of a change of several operations", () => {
  const [a, b, c] = ["A", "B", "C"].map((name) => ({ name, fault: "Broken" }) as const) as [
    Operations[0],
    Operations[0],
    Operations[0],
  ];
  const without = ({ name }: Operations[0]) => ({ name });

  test("differs if the change affects further operations or becomes worse", () => {
    const tolerated = changesOf([a, b, c], [without(a), without(b), c]);
    const breaking = changesOf([a, b, c], [without(a), without(b), without(c)]);
    const onlyA = changesOf([a, b, c], [without(a), b, c]);
    expect(new Set([tolerated, breaking, onlyA].flatMap(fingerprintsOf)).size).toBe(3);
    // Only the consequences differ: no other operation declares the fault.
    expect(fingerprintsOf(changesOf([a, b], [without(a), without(b)]))).not.toEqual(fingerprintsOf(tolerated));
  });

  test("stays the same if operations are added, or change otherwise", () => {
    const [change] = changesOf([a, b], [without(a), without(b)]);
    const added = changesOf([a, b], [without(a), without(b), { name: "D", header: true }]);
    const changed = changesOf([a, b, { name: "D" }], [without(a), without(b), { name: "D", header: true }]);
    const reordered = changesOf([b, a], [without(a), without(b)]);
    for (const changes of [added, changed, reordered]) {
      expect(fingerprintsOf(changes)).toContain(change?.fingerprint);
    }
  });

  test("of a header is not that of the header in further operations", () => {
    const plain: Operations = [{ name: "A" }, { name: "B" }];
    const single = changesOf(plain, [{ name: "A", header: true }, { name: "B" }]);
    const both = changesOf(
      plain,
      plain.map(({ name }) => ({ name, header: true })),
    );
    expect([single.length, both.length]).toEqual([1, 1]);
    expect(fingerprintsOf(single)).not.toEqual(fingerprintsOf(both));
  });
});

describe("equal changes in the messages of several operations", () => {
  const names = ["Ask", "Tell", "Wonder"];
  const side = (from: string | RegExp, to: string, style: "rpc" | "document" = "rpc") => {
    const { "s.wsdl": text = "" } = serviceOf({ operations: names.map((name) => ({ name })), style });
    return sideOf({ "s.wsdl": text.replace(from, to) });
  };
  const summarize = (changes: readonly Change[]) =>
    changes.map(({ message, direction, operations }) => `${message} ${direction} ${operations.join(", ")}`);
  const plain = side("", "");
  const member = '<element name="q" type="string"/>';

  test("are one change: a renamed part", () => {
    const { changes } = diffContracts(plain, side(/In"><part name="q"/g, 'In"><part name="question"'));
    expect(summarize(changes)).toEqual([
      "q removed, question added in several operations: renamed? input Ask, Tell, Wonder",
    ]);
  });

  test("are one change: an added member of elements", () => {
    const [before, after] = [
      side("", "", "document"),
      side(new RegExp(member, "g"), `${member}${member.replace("q", "token")}`, "document"),
    ];
    expect(summarize(diffContracts(before, after).changes)).toEqual([
      "token in several operations: A required member was added. input Ask, Tell, Wonder",
    ]);
    expect(summarize(diffContracts(after, before).changes)).toEqual([
      "token in several operations: A required member was removed. input Ask, Tell, Wonder",
    ]);
  });

  test("are separate changes if their values differ, and a change of one operation names it", () => {
    const numbers = side(/(AskIn"><part name="q" type=")xs:string/, "$1xs:int");
    const both = side(/(AskIn|TellIn)("><part name="q" type=")xs:string/g, "$1$2xs:int");
    expect(summarize(diffContracts(plain, numbers).changes)).toEqual([
      "Ask.q: A type allows fewer values (string → int). input Ask",
    ]);
    expect(summarize(diffContracts(numbers, both).changes)).toEqual([
      "Tell.q: A type allows fewer values (string → int). input Tell",
    ]);
  });

  test("are one change: the type of a header, at the position of each header", () => {
    const headers = ["Session", "Trace"];
    const sideWith = (type: string) => {
      const { "s.wsdl": text = "" } = serviceOf({ operations: names.map((name) => ({ name })) });
      const elements = headers.map((name) => `<element name="${name}" type="${type}"/>`).join("");
      const lines = headers.map((name) => `\n<soap:header message="t:${name}" part="h" use="literal"/>`).join("");
      const messages = headers.map((name) => `<message name="${name}"><part name="h" element="e:${name}"/></message>`);
      return sideOf({
        "s.wsdl": text
          .replace('<element name="Session" type="string"/>', elements)
          .replace("</types>", `</types>${messages.join("")}`)
          .replaceAll('<input><soap:body use="literal"/>', `<input>${lines}\n<soap:body use="literal"/>`),
      });
    };
    const { changes } = diffContracts(sideWith("string"), sideWith("int"));
    expect(summarize(changes)).toEqual([
      "header Session: A type allows fewer values (string → int). input Ask, Tell, Wonder",
      "header Trace: A type allows fewer values (string → int). input Ask, Tell, Wonder",
    ]);
    const [first, second] = changes.map(({ newPosition }) => newPosition?.line ?? 0);
    expect((second ?? 0) - (first ?? 0)).toBe(1);
  });

  test("have a fingerprint that differs if they affect further operations", () => {
    const [two, three] = ["(AskIn|TellIn)", "(AskIn|TellIn|WonderIn)"].map(
      (parts) =>
        diffContracts(plain, side(new RegExp(`${parts}("><part name="q" type=")xs:string`, "g"), "$1$2xs:int")).changes,
    );
    expect(two?.map(({ subject }) => subject)).toEqual(["q in several operations"]);
    expect(three?.map(({ subject }) => subject)).toEqual(["q in several operations"]);
    expect(fingerprintsOf(two ?? [])).not.toEqual(fingerprintsOf(three ?? []));
  });
});

test.each(["AZ", "ZA"])(
  "a member that becomes nillable in a literal operation is not lost beside an encoded one, in the order %s",
  (order) => {
    const operation = (name: string, use: string) =>
      `<operation name="${name}"><soap:operation soapAction="urn:a/${name}"/><input><soap:body use="${use}" namespace="urn:t"/></input><output><soap:body use="literal" namespace="urn:t"/></output></operation>`;
    const side = (use: string, nillable: string) =>
      sideOf({
        "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" targetNamespace="urn:t">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"><complexType name="T"><sequence><element name="a" type="string"${nillable}/></sequence></complexType></schema></types>
  <message name="In"><part name="p" type="t:T"/></message><message name="Out"/>
  <portType name="P">${[...order].map((name) => `<operation name="${name}"><input message="t:In"/><output message="t:Out"/></operation>`).join("")}</portType>
  <binding name="B" type="t:P"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>${[...order].map((name) => operation(name, name === "A" ? use : "literal")).join("")}</binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/s"/></port></service>
</definitions>`,
      });
    const { changes } = diffContracts(side("encoded", ""), side("literal", ' nillable="true"'));
    const nillable = changes.filter(({ rule }) => rule === "member-became-nillable");
    expect(nillable.map(({ subject, operations }) => [subject, operations])).toEqual([["T.a", ["Z"]]]);
    expect(changes.map(({ rule }) => rule).filter((rule) => rule !== "member-became-nillable")).toEqual([
      "encoding-changed",
    ]);
  },
);

test("the documentation of a type that replaced another one did not change", () => {
  const documented = (name: string, text: string, ...members: readonly string[]) => {
    const documentation = `<annotation><documentation>${text}</documentation></annotation>`;
    const content = ["a", ...members].map((member) => element(member).replace("/>", `>${documentation}</element>`));
    return `<complexType name="${name}">${documentation}<sequence>${content.join("")}</sequence></complexType>`;
  };
  const types = documented("Size", "A value.") + documented("SizeWithUnit", "A value with its unit.", "unit");
  const others = [element("b:t:Size"), element("c:t:SizeWithUnit")];
  const sideWith = (type: string) => sideOf(wsdlOf(types + sequence(element(`size:t:${type}`), ...others)));
  const rules = diffContracts(sideWith("Size"), sideWith("SizeWithUnit")).changes.map(({ rule }) => rule);
  expect(rules).toContain("type-replaced");
  expect(rules).not.toContain("documentation-changed");
});

describe("default actions of WS-Addressing, which begin with the target namespace", () => {
  const versionOf = (namespace: string): Sources => {
    const operations = [{ name: "Ask", fault: "Broken" } as const, { name: "Tell" }];
    const sources = serviceOf({ namespace, elements: "urn:elements", operations, addressing: "required" });
    return { "s.wsdl": (sources["s.wsdl"] ?? "").replaceAll(/ wsam:Action="[^"]*"/g, "") };
  };
  const linesOf = (before: Sources, after: Sources) =>
    diffContracts(sideOf(before), sideOf(after)).changes.map(
      ({ rule, subject, before, after, operations, consequences: { oldClients, newClients } }) =>
        `${rule} ${subject} (${before} → ${after}): ${oldClients} ${newClients} ${operations.join()}`,
    );

  test("are reported once if the target namespace changes", () => {
    expect(linesOf(versionOf("urn:a"), versionOf("http://b.example/v2"))).toEqual([
      "addressing-changed wsa:Action (urn:a → http://b.example/v2): tolerated tolerated Ask,Tell",
      "service-namespace-changed S (urn:a → http://b.example/v2): none none ",
    ]);
  });

  test("are reported apart if they do not have the same beginning", () => {
    const { "s.wsdl": text = "" } = versionOf("urn:a");
    const changed = text
      .replace('<output message="t:AskOut"', '<output wsam:Action="urn:x" message="t:AskOut"')
      .replace('<output message="t:TellOut"', '<output wsam:Action="urn:y" message="t:TellOut"');
    expect(linesOf({ "s.wsdl": text }, { "s.wsdl": changed }).length).toBe(2);
  });
});
