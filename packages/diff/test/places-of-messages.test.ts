import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Edits one line about the messages of an operation. The changes must point to the edited line, or to the
// operation in a version without the line.

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
<types><xs:schema targetNamespace="urn:t" elementFormDefault="qualified">
<xs:element name="Ask"><xs:complexType><xs:sequence>
<xs:element name="list"><xs:complexType><xs:sequence>
<xs:element name="item" maxOccurs="unbounded"><xs:complexType>
<xs:attribute name="id" type="xs:string"/><xs:attribute name="code" type="xs:string"/>
</xs:complexType></xs:element>
</xs:sequence></xs:complexType>
<xs:unique name="U"><xs:selector xpath="t:item"/><xs:field xpath="@id"/></xs:unique>
</xs:element>
</xs:sequence></xs:complexType>
<xs:key name="K"><xs:selector xpath="t:list/t:item"/><xs:field xpath="@id"/></xs:key>
</xs:element>
<xs:element name="Told" type="xs:string"/>
<xs:element name="Broken" type="xs:string"/>
<xs:element name="Stuck" type="xs:string"/>
<xs:element name="Lost"><xs:complexType><xs:sequence><xs:element name="why" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
</xs:schema></types>
<message name="In">
<part name="p" element="t:Ask"/>
</message>
<message name="Out"><part name="p" element="t:Told"/></message>
<message name="BrokenFault">
<part name="f" element="t:Broken"/>
</message>
<message name="StuckFault"><part name="f" element="t:Stuck"/></message>
<portType name="P">
<operation name="Ask">
<input message="t:In"/>
<output message="t:Out"/>
<fault name="Bad" message="t:BrokenFault"/>
</operation>
</portType>
<binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="Ask"><soap:operation soapAction="a"/><input><soap:body use="literal"/></input>
<output><soap:body use="literal"/></output><fault name="Bad"><soap:fault name="Bad" use="literal"/></fault></operation></binding>
<service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/s"/></port></service>
</definitions>`;

function getLine(text: string, { line = 0 }: { readonly line?: number } = {}): string | undefined {
  return text.split("\n")[line - 1];
}

function changesOf(before: string, after: string): readonly Change[] {
  const [base, current]: readonly Sources[] = [{ "t.wsdl": before }, { "t.wsdl": after }];
  return diffContracts(sideOf(base ?? {}), sideOf(current ?? {})).changes;
}

test.each([
  {
    title: "the message of a fault",
    from: '<fault name="Bad" message="t:BrokenFault"/>',
    to: '<fault name="Bad" message="t:StuckFault"/>',
    rule: "fault-element-changed",
  },
  {
    title: "the element of a fault's part",
    from: '<part name="f" element="t:Broken"/>',
    to: '<part name="f" element="t:Stuck"/>',
    rule: "fault-element-changed",
  },
  {
    title: "the element of a fault's part, with a record as its type",
    from: '<part name="f" element="t:Broken"/>',
    to: '<part name="f" element="t:Lost"/>',
    rule: "fault-element-changed",
  },
  {
    title: "the type of a fault's element",
    from: '<xs:element name="Broken" type="xs:string"/>',
    to: '<xs:element name="Broken" type="xs:int"/>',
    rule: "type-",
  },
  {
    title: "an identity constraint of the element of a message",
    from: '<xs:key name="K"><xs:selector xpath="t:list/t:item"/><xs:field xpath="@id"/></xs:key>',
    to: '<xs:key name="K"><xs:selector xpath="t:list/t:item"/><xs:field xpath="@code"/></xs:key>',
    rule: "identity-changed",
  },
  {
    title: "an identity constraint of a member",
    from: '<xs:unique name="U"><xs:selector xpath="t:item"/><xs:field xpath="@id"/></xs:unique>',
    to: '<xs:unique name="U"><xs:selector xpath="t:item"/><xs:field xpath="@code"/></xs:unique>',
    rule: "identity-changed",
  },
  { title: "a removed fault", from: '<fault name="Bad" message="t:BrokenFault"/>', to: "", rule: "fault-" },
  { title: "a removed answer", from: '<output message="t:Out"/>', to: "", rule: "output-" },
])("a change points to the edited line: $title", ({ from, to, rule }) => {
  expect(wsdl).toContain(from);
  let edited = wsdl.replace(from, to);
  if (rule === "fault-" || rule === "output-") {
    edited = edited.replace(
      rule === "fault-" ? /<fault name="Bad"><soap.*?<\/fault>/ : /<output><soap.*?<\/output>/,
      "",
    );
  }
  const operation = '<operation name="Ask">';
  for (const [before, after, texts] of [
    [wsdl, edited, [from, to || operation]],
    [edited, wsdl, [to || operation, from]],
  ] as const) {
    const found = changesOf(before, after).filter((change) => change.rule.startsWith(rule));
    expect(found.length).toBeGreaterThan(0);
    for (const { message, oldPosition, newPosition } of found) {
      expect([getLine(before, oldPosition), getLine(after, newPosition)], message).toEqual(texts);
    }
  }
});

test.each([
  ['<output message="t:Out"/>', "", /<output><soap.*?<\/output>/, "output-removed"],
  ['<part name="f" element="t:Lost"/>', '<part name="f" element="t:Stuck"/>', "", "fault-element-changed"],
] as const)("names that vanish with %s have no entries of their own", (from, to, bound, rule) => {
  const before = wsdl.replace('<part name="f" element="t:Broken"/>', '<part name="f" element="t:Lost"/>');
  const rules = changesOf(before, before.replace(from, to).replace(bound, "")).map((change) => change.rule);
  expect(rules).toContain(rule);
  expect(rules).not.toContain("name-in-code-changed");
});
