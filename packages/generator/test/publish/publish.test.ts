import { readTree, type XmlElement } from "@bothends/xml";
import { expect, test } from "vitest";
import { type PublishInputs, publishWsdl } from "../../src/publish/publish-wsdl.js";
import type { Piece } from "../../src/publish/slots.js";

const declarations =
  'xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:a" targetNamespace="urn:a"';

function definitions(inner: string): string {
  return `<wsdl:definitions ${declarations}>${inner}</wsdl:definitions>`;
}

function published(
  text: string,
  files: Record<string, string> = {},
  operations: readonly string[] = [],
  ports: PublishInputs["services"][number]["ports"] = [],
): readonly Piece[] {
  const trees = new Map(Object.entries(files).map(([path, file]) => [path, readTree(file)]));
  const load = (reference: XmlElement) =>
    trees.get(
      reference.attributes.find(
        (attribute) => attribute.localName === "schemaLocation" || attribute.localName === "location",
      )?.value ?? "",
    );
  const namespaces = [{ slot: "a", namespace: "urn:a" }];
  return wholeDocument(publishWsdl(readTree(text), load, { services: [{ ports }], namespaces, operations }));
}

/** The document of a service. */
function wholeDocument(wsdl: ReturnType<typeof publishWsdl>, service = 0): readonly Piece[] {
  if ("reason" in wsdl) {
    throw new Error(wsdl.reason);
  }
  return [...wsdl.sharedPieces, ...(wsdl.services[service] ?? [])];
}

/** With `[slot name]` for slots, from the first element on. */
function shown(document: readonly Piece[]): string {
  return document
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : `[${[piece.slot, piece.name, piece.port, piece.separator].filter((part) => part !== undefined).join(" ")}]`,
    )
    .join("");
}

test("the address, the namespace and the names of an operation are slots", () => {
  const text = shown(
    published(
      definitions(`
        <wsdl:types><s:schema targetNamespace="urn:a"><s:element name="Ping"><s:complexType/></s:element></s:schema></wsdl:types>
        <wsdl:message name="PingSoapIn"><wsdl:part name="parameters" element="tns:Ping"/></wsdl:message>
        <wsdl:message name="PingPongIn"/>
        <wsdl:portType name="P"><wsdl:operation name="Ping"><wsdl:input message="tns:PingSoapIn"/></wsdl:operation></wsdl:portType>
        <wsdl:binding name="B" type="tns:P"><wsdl:operation name="Ping"><soap:operation soapAction="urn:a/Ping"/></wsdl:operation></wsdl:binding>
        <wsdl:service name="S"><wsdl:port name="P" binding="tns:B"><soap:address location="http://a.example/x"/></wsdl:port></wsdl:service>`),
      {},
      ["Ping"],
    ),
  );
  expect(text).toContain('xmlns:tns="[namespace a]"');
  expect(text).toContain('targetNamespace="[namespace a]">');
  expect(text).toContain('<s:element name="[operation Ping]">');
  expect(text).toContain('<wsdl:message name="[operation Ping]SoapIn">');
  expect(text).toContain('<wsdl:message name="PingPongIn" />');
  expect(text).toContain('soapAction="[namespace a /][operation Ping]"');
  expect(text).toContain('<soap:address location="[address]" />');
});

test.each([
  { addresses: ["/a", "/a"], want: ["[address]", "[address]"] },
  { addresses: ["/a", "/b"], want: ["[address soap11]", "[address soap12]"] },
  { addresses: ["/a", undefined], want: ["[address]", "[address]"] },
])("if ports have several addresses, the slot of an address names the port: $addresses", ({ addresses, want }) => {
  const [first, second = "/other"] = addresses;
  const service = `<wsdl:service name="S">
    <wsdl:port name="P" binding="tns:B"><soap:address location="${first}"/></wsdl:port>
    <wsdl:port name="Q" binding="tns:B"><soap:address location="${second}"/></wsdl:port>
  </wsdl:service>`;
  const text = shown(
    published(
      definitions(service),
      {},
      [],
      [
        { protocol: "soap11", address: addresses[0] },
        { protocol: "soap12", address: addresses[1] },
      ],
    ),
  );
  expect([...text.matchAll(/location="([^"]*)"/g)].map(([, location]) => location)).toEqual(want);
});

test("white space around an address does not hide its port", () => {
  const service = `<wsdl:service name="S">
    <wsdl:port name="P" binding="tns:B"><soap:address location="/a "/></wsdl:port>
    <wsdl:port name="Q" binding="tns:B"><soap:address location="
      /b"/></wsdl:port>
  </wsdl:service>`;
  const ports: PublishInputs["services"][number]["ports"] = [
    { protocol: "soap11", address: "/a" },
    { protocol: "soap12", address: "/b" },
  ];
  const text = shown(published(definitions(service), {}, [], ports));
  expect([...text.matchAll(/location="([^"]*)"/g)].map(([, location]) => location)).toEqual([
    "[address soap11]",
    "[address soap12]",
  ]);
});

test("the endpoint reference of a port has the port's address", () => {
  const port = (name: string, location: string) =>
    `<wsdl:port name="${name}" binding="tns:B"><soap:address location="${location}"/><a:EndpointReference xmlns:a="http://www.w3.org/2005/08/addressing"><a:Address>
      http://old.example${location}</a:Address><a:ReferenceParameters/></a:EndpointReference></wsdl:port>`;
  const ports: PublishInputs["services"][number]["ports"] = [
    { protocol: "soap11", address: "/a" },
    { protocol: "soap12", address: "/b" },
  ];
  const service = `<wsdl:service name="S">${port("P", "/a")}${port("Q", "/b")}</wsdl:service>`;
  const document = published(definitions(service), {}, [], ports);
  const text = shown(document);
  expect(text).not.toContain("old.example");
  expect(text).toContain("<a:Address>[address soap11]</a:Address>");
  expect(text).toContain("<a:Address>[address soap12]</a:Address>");
  expect(document.filter((piece) => typeof piece !== "string" && piece.slot === "address").map(escapeOf)).toEqual([
    "attribute",
    "text",
    "attribute",
    "text",
  ]);
});

function escapeOf(piece: Piece): string | undefined {
  return typeof piece === "string" ? undefined : piece.escape;
}

test("components without a namespace move into the including schema and its namespace, with their own form", () => {
  const text = shown(
    published(
      definitions(
        '<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="urn:a"><s:include schemaLocation="r.xsd"/><s:import namespace="urn:b"/><s:element name="e" type="tns:T"/></s:schema></wsdl:types>',
      ),
      {
        "r.xsd":
          '<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:q=""><complexType name="T"><sequence><element name="x" type="string"/></sequence></complexType></schema>'.replace(
            ' xmlns:q=""',
            "",
          ),
      },
    ),
  );
  expect(text).toContain(`    <s:schema elementFormDefault="qualified" targetNamespace="[namespace a]">
      <s:import namespace="urn:b" />
      <s:complexType name="T">
        <s:sequence>
          <s:element name="x" type="s:string" form="unqualified" />
        </s:sequence>
      </s:complexType>
      <s:element name="e" type="tns:T" />
    </s:schema>`);
});

test("unprefixed references of an included schema without a namespace mean the including namespace", () => {
  const text = shown(
    published(
      definitions(
        '<wsdl:types><s:schema targetNamespace="urn:a"><s:include schemaLocation="r.xsd"/></s:schema></wsdl:types><wsdl:message name="m"><wsdl:part name="p" element="tns:e"/></wsdl:message>',
      ),
      {
        "r.xsd":
          '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="e" type="T"/><x:simpleType name="T"><x:restriction base="x:int"/></x:simpleType></x:schema>',
      },
    ),
  );
  expect(text).toContain('<s:element name="e" type="tns:T" />');
  expect(text).toContain('<s:restriction base="s:int" />');
});

test("an imported schema becomes one of the types, once, and the import loses its location", () => {
  const text = shown(
    published(
      definitions(
        '<wsdl:types><s:schema targetNamespace="urn:a"><s:import namespace="urn:b" schemaLocation="b.xsd"/></s:schema><s:schema targetNamespace="urn:c"><s:import namespace="urn:b" schemaLocation="b.xsd"/></s:schema></wsdl:types>',
      ),
      {
        "b.xsd":
          '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:b" targetNamespace="urn:b"><x:element name="e" type="tns:T"/></x:schema>',
      },
    ),
  );
  expect(text.match(/targetNamespace="urn:b"/g)).toHaveLength(1);
  expect(text.match(/<s:import namespace="urn:b" \/>/g)).toHaveLength(2);
  expect(text).toMatch(/<s:element name="e" type="(tns2|ns|ns2):T" \/>/);
});

test("text keeps its references, and mixed content its spaces", () => {
  const text = shown(
    published(
      definitions("<wsdl:documentation>a &amp;lt; &lt; c</wsdl:documentation><wsdl:m>a <s:b>b</s:b> c</wsdl:m>"),
    ),
  );
  expect(text).toContain("<wsdl:documentation>a &amp;lt; &lt; c</wsdl:documentation>");
  expect(text).toContain("<wsdl:m>a <s:b>b</s:b> c</wsdl:m>");
});

const parts = (inner: string) => `<d:definitions xmlns:d="http://schemas.xmlsoap.org/wsdl/" xmlns:b="urn:b"
  xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:b">${inner}</d:definitions>`;

test("definitions of an imported WSDL move into the namespace of the importing WSDL, but declarations of its schemas do not", () => {
  const text = shown(
    published(
      definitions(`<wsdl:types><s:schema targetNamespace="urn:a"/></wsdl:types>
        <wsdl:import namespace="urn:b" location="b.wsdl"/><wsdl:import namespace="urn:b" location="b.xsd"/>
        <wsdl:binding name="B" type="o:P" xmlns:o="urn:b"><soap:header message="o:M" part="p"/></wsdl:binding>`),
      {
        "b.wsdl": parts(`<d:documentation>Left out.</d:documentation>
          <d:types><x:schema targetNamespace="urn:b"><x:element name="P" type="x:int"/></x:schema></d:types>
          <d:message name="M"><d:part name="p" element="b:P"/><d:part name="q" type="b:P"/></d:message>
          <d:portType name="P"><d:operation name="O"><d:input message="b:M"/></d:operation></d:portType>`),
        "b.xsd": '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:d"/>',
      },
    ),
  );
  expect(text.match(/<wsdl:types>/g)).toHaveLength(1);
  expect([...text.matchAll(/<s:schema targetNamespace="([^"]*)"/g)].map(([, each]) => each)).toEqual([
    "[namespace a]",
    "urn:b",
    "urn:d",
  ]);
  expect(text).toContain('<wsdl:part name="p" element="o:P" />');
  expect(text).toContain('<wsdl:part name="q" type="o:P" />');
  expect(text).toContain('<wsdl:input message="tns:M" />');
  expect(text).toContain('<wsdl:binding name="B" type="tns:P">');
  expect(text).toContain('<soap:header message="tns:M" part="p" />');
  expect(text).not.toContain("Left out.");
});

test("a WSDL with two definitions of one name, or an import of another kind of document, is not published", () => {
  const importing = definitions('<wsdl:import location="b.wsdl"/><wsdl:message name="M"/><wsdl:portType name="O"/>');
  expect(() => published(importing, { "b.wsdl": parts('<d:message name="M"/>') })).toThrow("import");
  expect(() => published(importing, { "b.wsdl": "<html/>" })).toThrow("import");
  expect(shown(published(importing, { "b.wsdl": parts('<d:message name="O"/>') }))).toContain(
    '<wsdl:message name="O" />',
  );
});

const redefining = (inner: string) =>
  definitions(
    `<wsdl:types><s:schema targetNamespace="urn:a"><s:redefine schemaLocation="r.xsd">${inner}</s:redefine><s:element name="e" type="tns:T"/></s:schema></wsdl:types>`,
  );
const redefined =
  '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:a" targetNamespace="urn:a"><x:complexType name="T"><x:sequence><x:group ref="t:G"/></x:sequence></x:complexType><x:complexType name="T_redefined"/><x:group name="G"><x:sequence/></x:group><x:complexType name="U"><x:complexContent><x:extension base="t:T"/></x:complexContent></x:complexType></x:schema>';

test("a redefinition becomes an ordinary component, and the original component gets a new name", () => {
  const text = shown(
    published(
      redefining(`<s:annotation/>
        <s:complexType name="T"><s:complexContent><s:extension base="tns:T"/></s:complexContent></s:complexType>
        <s:group name="G"><s:sequence><s:group ref="tns:G"/><s:element name="more"/></s:sequence></s:group>`),
      { "r.xsd": redefined },
    ),
  );
  expect(text.replace(/\s*\n\s*/g, "")).toContain(
    '<s:complexType name="T_redefined2"><s:sequence><s:group ref="tns:G" /></s:sequence></s:complexType>' +
      '<s:group name="G_redefined"><s:sequence /></s:group>' +
      '<s:complexType name="U"><s:complexContent><s:extension base="tns:T" /></s:complexContent></s:complexType>' +
      '<s:complexType name="T"><s:complexContent><s:extension base="tns:T_redefined2" /></s:complexContent></s:complexType>' +
      '<s:group name="G"><s:sequence><s:group ref="tns:G_redefined" /><s:element name="more" /></s:sequence></s:group>',
  );
  expect(() => published(redefining('<s:group name="H"/>'), { "r.xsd": redefined })).toThrow("redefine");
});

test("the documents of a WSDL's services differ only in their services, each with its ports", () => {
  const service = (name: string) =>
    `<wsdl:service name="${name}"><wsdl:port name="${name}1"/><wsdl:port name="${name}2"/></wsdl:service>`;
  const serving = (...ports: readonly string[]) => ({
    ports: [],
    isServed: (port: XmlElement) => port.attributes.some(({ value }) => ports.includes(value)),
  });
  const wsdl = publishWsdl(
    readTree(definitions(`${service("A")}<wsdl:message name="M"/>${service("B")}${service("C")}`)),
    () => undefined,
    { services: [serving("A2"), serving("B1", "B2")], namespaces: [], operations: [] },
  );
  const named = (index: number) =>
    [...shown(wholeDocument(wsdl, index)).matchAll(/<wsdl:(?:message|service|port) name="(\w+)"/g)].map(
      ([, name]) => name,
    );
  expect(named(0)).toEqual(["M", "A", "A2"]);
  expect(named(1)).toEqual(["M", "B", "B1", "B2"]);
  expect("sharedPieces" in wsdl && shown(wsdl.sharedPieces)).toContain('<wsdl:message name="M" />');
});

test("attributes keep their namespaces", () => {
  const text = shown(
    published(
      definitions(
        '<wsdl:documentation xml:lang="en" u:Id="1" xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd">a</wsdl:documentation>',
      ),
    ),
  );
  expect(text).toContain('<wsdl:documentation xml:lang="en" u:Id="1">a</wsdl:documentation>');
  expect(text).toContain(
    'xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"',
  );
});

test("attributes and text keep their white space, so that a reader gets the values of the source", () => {
  const value = "a&#10;b&#13;c&#9;d";
  const text = shown(
    published(
      definitions(
        `<wsdl:types><s:schema><s:simpleType name="E"><s:annotation><s:documentation>${value}</s:documentation></s:annotation><s:restriction base="s:string"><s:enumeration value="${value}"/></s:restriction></s:simpleType></s:schema></wsdl:types>`,
      ),
    ),
  );
  expect(text).toContain(`<s:enumeration value="${value}" />`);
  expect(text).toContain("<s:documentation>a\nb&#13;c\td</s:documentation>");
});

test("the root's attributes keep their references, and white space in them is a space", () => {
  const text = shown(
    published(
      definitions("").replace(
        'targetNamespace="urn:a"',
        'name="a &amp;lt; &amp;amp; &lt;&quot;&gt; b&#13;c&#10;d&#9;e" targetNamespace="urn:&amp;quot;a"',
      ),
    ),
  );
  expect(text).toContain('name="a &amp;lt; &amp;amp; &lt;&quot;&gt; b c d e"');
  expect(text).toContain('targetNamespace="urn:&amp;quot;a"');
  expect(readTree(text).attributes.map(({ value }) => value)).toEqual(['a &lt; &amp; <"> b c d e', "urn:&quot;a"]);
});

const script = '<h:script xmlns:h="http://www.w3.org/1999/xhtml">run()</h:script>';
const svg = '<v:svg xmlns:v="http://www.w3.org/2000/svg" onload="run()"/>';

test.each([
  {
    what: "a script in documentation",
    given: `<wsdl:documentation>See <b onclick="run()">this</b>${script}<s:element name="e">.</s:element></wsdl:documentation>`,
    want: "<wsdl:documentation>See thisrun().</wsdl:documentation>",
  },
  {
    what: "a script in a schema's documentation",
    given: `<wsdl:types><s:schema><s:annotation><s:documentation>See${svg}${script}</s:documentation></s:annotation></s:schema></wsdl:types>`,
    want: "<wsdl:types><s:schema><s:annotation><s:documentation>Seerun()</s:documentation></s:annotation></s:schema></wsdl:types>",
  },
  {
    what: "information for programs in a schema",
    given: `<wsdl:types><s:schema><s:annotation><s:appinfo>a<s:element name="e"/></s:appinfo><s:documentation>b</s:documentation></s:annotation></s:schema></wsdl:types>`,
    want: "<wsdl:types><s:schema><s:annotation><s:appinfo /><s:documentation>b</s:documentation></s:annotation></s:schema></wsdl:types>",
  },
  {
    what: "what other tools put into appinfo",
    given: `<wsdl:types><s:schema><s:annotation><s:appinfo>${script}</s:appinfo><s:documentation>a</s:documentation></s:annotation></s:schema></wsdl:types>`,
    want: "<wsdl:types><s:schema><s:annotation><s:appinfo /><s:documentation>a</s:documentation></s:annotation></s:schema></wsdl:types>",
  },
  {
    what: "extension elements",
    given: `${script}<wsdl:types>${script}<s:schema>${svg}<s:element name="e">${script}</s:element></s:schema></wsdl:types><wsdl:message name="m">${svg}</wsdl:message>`,
    want: '<wsdl:types><s:schema><s:element name="e" /></s:schema></wsdl:types><wsdl:message name="m" />',
  },
  {
    what: "extension attributes",
    given: '<wsdl:message name="m" h:onclick="run()" xml:base="javascript:" xmlns:h="http://www.w3.org/1999/xhtml"/>',
    want: '<wsdl:message name="m" />',
  },
  {
    what: "processing instructions and comments",
    given: '<?xml-stylesheet href="data:text/xsl,x"?><!-- a --><wsdl:message name="m"/>',
    want: '<wsdl:message name="m" />',
  },
])("$what is not published", ({ given, want }) => {
  const text = shown(published(definitions(given))).replace(/\s*\n\s*/g, "");
  expect(text.replace(/^.*?<wsdl:definitions [^<]*>/, "").replace(/<\/wsdl:definitions>$/, "")).toBe(want);
});

test("policies and addressing are published without unknown assertions", () => {
  const policy =
    '<p:Policy xmlns:p="http://www.w3.org/ns/ws-policy" xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd" u:Id="a"><sp:TransportBinding xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"/><x:Own xmlns:x="urn:x"/></p:Policy>';
  const addressing = '<a:UsingAddressing xmlns:a="http://www.w3.org/2006/05/addressing/wsdl" wsdl:required="false"/>';
  const text = shown(published(definitions(policy + addressing))).replace(/\s*\n\s*/g, "");
  expect(text).toContain('<p:Policy u:Id="a"><sp:TransportBinding /></p:Policy>');
  expect(text).toContain('<a:UsingAddressing wsdl:required="false" />');
  expect(text).not.toContain("Own");
});

test("only known elements of other documents are published, too", () => {
  const schema = (namespace: string, inner: string) =>
    `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" ${namespace}>${svg}${inner}<x:annotation><x:documentation>d${script}</x:documentation></x:annotation></x:schema>`;
  const type = `<x:complexType name="T">${script}<x:sequence/></x:complexType>`;
  const text = shown(
    published(
      definitions(`<wsdl:import location="b.wsdl"/><wsdl:types><s:schema targetNamespace="urn:a">
        <s:import namespace="urn:i" schemaLocation="i.xsd">${script}</s:import><s:include schemaLocation="c.xsd"/>
        <s:redefine schemaLocation="r.xsd">${script}<s:complexType name="R">${svg}<s:complexContent><s:extension base="tns:R"/></s:complexContent></s:complexType></s:redefine>
        <s:element name="e" type="tns:T"/></s:schema><s:schema><s:import schemaLocation="page.xsd"/></s:schema></wsdl:types>`),
      {
        "b.wsdl": parts(`${script}<d:message name="M">${svg}</d:message>`),
        "i.xsd": schema('targetNamespace="urn:i"', type),
        "c.xsd": schema("", type),
        "r.xsd": schema('targetNamespace="urn:a"', type.replaceAll('"T"', '"R"')),
        "page.xsd": script,
      },
    ),
  );
  expect(text).toContain('<wsdl:message name="M" />');
  expect(text.match(/<s:documentation>drun\(\)<\/s:documentation>/g)).toHaveLength(1);
  expect(text).not.toMatch(/script|svg|xhtml|onload/);
});

test("unused included components are left out, but not types derived from a used type", () => {
  const text = shown(
    published(
      definitions(
        '<wsdl:types><s:schema targetNamespace="urn:a"><s:include schemaLocation="r.xsd"/><s:element name="e" type="tns:A"/><s:complexType name="Own"/></s:schema></wsdl:types>',
      ),
      {
        "r.xsd":
          '<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:a" targetNamespace="urn:a"><x:complexType name="Unused"/><x:complexType name="B"><x:complexContent><x:extension base="t:A"><x:attribute name="c" type="t:C"/></x:extension></x:complexContent></x:complexType><x:simpleType name="C"><x:restriction base="x:int"/></x:simpleType><x:complexType name="A"/></x:schema>',
      },
    ),
  );
  expect([...text.matchAll(/Type name="(\w+)"/g)].map((match) => match[1])).toEqual(["B", "C", "A", "Own"]);
});

test("a document is published as it is read: names without a prefix, an include that is an import", () => {
  const text = shown(
    published(
      `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:a">
        <types><s:schema><s:include schemaLocation="b.xsd"/></s:schema></types>
        <message name="M"><part name="p" type="T"/></message>
        <portType name="P"><operation name="O"><input message="M"/></operation></portType>
      </definitions>`,
      { "b.xsd": '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:b"/>' },
    ),
  );
  expect(text).toContain('<wsdl:part name="p" type="ns:T" />');
  expect(text).toContain('<wsdl:input message="ns:M" />');
  expect(text).toContain('xmlns:ns="[namespace a]"');
  expect(text).toContain('<s:schema targetNamespace="urn:b" />');
  expect(text).toContain('<s:import namespace="urn:b" />');
});

test("an imported schema that no document declares is added, with those that it imports", () => {
  const schemas: Record<string, string> = {
    "urn:known": `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:known" targetNamespace="urn:known"><x:import namespace="urn:more"/><x:element name="K" type="tns:T"/></x:schema>`,
    "urn:more": `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:more"/>`,
    "urn:own": "<never/>",
  };
  const schemaOf = (namespace: string) => schemas[namespace] && readTree(schemas[namespace]);
  const inlineSchema = '<s:schema targetNamespace="urn:own"/>';
  const wsdl = publishWsdl(
    readTree(
      definitions(
        `<wsdl:types>${inlineSchema}<s:schema targetNamespace="urn:a"><s:import namespace="urn:known" schemaLocation="http://known.example/k.xsd"/><s:import namespace="urn:own"/><s:import namespace="urn:other"/></s:schema></wsdl:types>`,
      ),
    ),
    () => undefined,
    {
      services: [{ ports: [] }],
      namespaces: [],
      operations: [],
      loadSchema: (namespace) => schemaOf(namespace) || undefined,
    },
  );
  const text = shown(wholeDocument(wsdl));
  expect(text.match(/targetNamespace="urn:\w+"/g)?.map((attribute) => attribute.slice(21, -1))).toEqual([
    "a",
    "known",
    "more",
    "own",
    "a",
  ]);
  expect(text).toMatch(/<s:element name="K" type="(\w+):T" \/>/);
  expect(text).not.toContain("known.example");
});

test("the limits count a file once for each namespace that includes it", () => {
  const file = `<s:schema ${declarations.replace(/ targetNamespace="[^"]*"/, "")}>${"<s:simpleType/>".repeat(1_000)}</s:schema>`;
  const schemas = Array.from(
    { length: 1_000 },
    (_, index) => `<s:schema targetNamespace="urn:n${index}"><s:include schemaLocation="c"/></s:schema>`,
  );
  const root = readTree(definitions(`<wsdl:types>${schemas.join("")}</wsdl:types>`));
  const included = readTree(file);
  const publish = (limits: { readonly nodes: number; readonly outputBytes: number }) =>
    publishWsdl(root, () => included, { services: [{ ports: [] }], namespaces: [], operations: [], limits });
  const nodes = 100_000;
  const outputBytes = 1_000_000;
  for (const limits of [
    { nodes, outputBytes: Number.POSITIVE_INFINITY },
    { nodes: Number.POSITIVE_INFINITY, outputBytes },
  ]) {
    expect(publish(limits)).toMatchObject({ reason: "size" });
  }
});
