import { expect, test } from "vitest";
import { hideCredentials, withoutCredentials } from "../../src/source/document-addresses.js";
import { generateCase, type Outcome } from "../cases/generate-case.js";

function generated(files: Readonly<Record<string, string>>): Outcome {
  const encoder = new TextEncoder();
  const input = new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));
  return generateCase({ area: "inline", name: "service", folder: "", input, options: {}, usage: undefined });
}

/** Returns all output of the generator: code, served documents, project files and diagnostics. */
function everything({ tree, text, diagnostics }: Outcome): string {
  const messages = diagnostics.map(({ message, help }) => `${message} ${help}`);
  return [...tree.values(), text, ...messages].join("\n");
}

function reported({ diagnostics }: Outcome): readonly string[] {
  return diagnostics
    .filter(({ code }) => code === "SRC012")
    .map(({ severity, span, message }) => `${severity} ${span.source.text.slice(span.start, span.end)}: ${message}`);
}

const operation = (protocol: string) => `<wsdl:operation name="Ask">${protocol}
  <wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>`;

/** A WSDL with three ports, which contains the given texts where real WSDLs have addresses. */
function service(texts: { readonly ports: readonly string[]; readonly location?: string; readonly note?: string }) {
  const [soap11 = "", soap12 = "", http = ""] = texts.ports;
  const note = texts.note ?? "";
  return `<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"
    xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:wsa="http://www.w3.org/2005/08/addressing" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:tns="urn:example" targetNamespace="urn:example" xsi:schemaLocation="urn:example ${note}">
  <wsdl:documentation>Called at ${note} by all.</wsdl:documentation>
  <wsdl:types><xs:schema targetNamespace="urn:example"><xs:element name="Ask"><xs:complexType><xs:sequence>
    <xs:element name="who" type="xs:string"><xs:annotation><xs:documentation>As ${note}</xs:documentation></xs:annotation></xs:element>
  </xs:sequence></xs:complexType></xs:element></xs:schema></wsdl:types>
  <wsdl:message name="Ask"><wsdl:part name="body" element="tns:Ask"/></wsdl:message>
  <wsdl:message name="AskHttp"><wsdl:part name="who" type="xs:string"/></wsdl:message>
  <wsdl:portType name="Port"><wsdl:operation name="Ask"><wsdl:input message="tns:Ask"/></wsdl:operation></wsdl:portType>
  <wsdl:portType name="PortHttp"><wsdl:operation name="Ask"><wsdl:input message="tns:AskHttp"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="Soap11" type="tns:Port"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    ${operation('<soap:operation soapAction="ask"/>')}</wsdl:binding>
  <wsdl:binding name="Soap12" type="tns:Port"><soap12:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    ${operation('<soap12:operation soapAction="ask"/>').replaceAll("soap:", "soap12:")}</wsdl:binding>
  <wsdl:binding name="Http" type="tns:PortHttp"><http:binding verb="GET"/><wsdl:operation name="Ask">
    <http:operation location="${texts.location ?? "/Ask"}"/><wsdl:input><http:urlEncoded/></wsdl:input></wsdl:operation></wsdl:binding>
  <wsdl:service name="Service">
    <wsdl:port name="Soap11" binding="tns:Soap11"><soap:address location="${soap11}"/>
      <wsa:EndpointReference><wsa:Address>${note}</wsa:Address></wsa:EndpointReference></wsdl:port>
    <wsdl:port name="Soap12" binding="tns:Soap12"><soap12:address location="${soap12}"/></wsdl:port>
    <wsdl:port name="Http" binding="tns:Http"><http:address location="${http}"/></wsdl:port>
  </wsdl:service>
</wsdl:definitions>`;
}

const withUser = "https://scott:tiger@a.example/x";

test("credentials in the addresses of ports are removed, each with a warning", () => {
  const ports = [withUser, "http://scott:tiger@a.example/y", "//scott:tiger@a.example/z"];
  const outcome = generated({ "service.wsdl": service({ ports }) });
  expect(everything(outcome)).not.toMatch(/scott|tiger/);
  expect(everything(outcome)).toContain('address: "https://a.example/x"');
  expect(everything(outcome)).toContain('address: "http://a.example/y"');
  expect(everything(outcome)).toContain('address: "//a.example/z"');
  expect(reported(outcome)).toEqual(
    ports.map((port) => `warning ${port}: The address in "location" contains credentials, which are removed.`),
  );
});

test("credentials elsewhere in a WSDL are removed from generated code and served documents", () => {
  const ports = ["http://a.example/x", "http://a.example/x", "http://a.example/x"];
  const outcome = generated({ "service.wsdl": service({ ports, location: withUser, note: withUser }) });
  expect(outcome.tree.size).toBeGreaterThan(0);
  expect(everything(outcome)).toContain("Called at https://a.example/x by all.");
  expect(everything(outcome)).not.toMatch(/scott|tiger/);
  expect(reported(outcome)).toEqual([
    `warning urn:example ${withUser}: The address in "schemaLocation" contains credentials, which are removed.`,
    "warning scott:tiger: An address in this text contains credentials, which are removed.",
    "warning scott:tiger: An address in this text contains credentials, which are removed.",
    `warning ${withUser}: The address in "location" contains credentials, which are removed.`,
    "warning scott:tiger: An address in this text contains credentials, which are removed.",
  ]);
});

test("addresses of ports that differ only in credentials are one address", () => {
  const ports = ["http://a:1@a.example/x", "http://b:2@a.example/x", "http://a.example/x"];
  const outcome = generated({ "service.wsdl": service({ ports }) });
  expect(everything(outcome)).toContain('slot: "address", escape');
});

test.each([
  '<wsdl:import namespace="urn:example" location="https://scott:tiger@a.example"/>',
  '<wsdl:types><xs:schema><xs:import namespace="urn:b" schemaLocation="https://scott:tiger@a.example/b.xsd"/></xs:schema></wsdl:types>',
  '<wsdl:message name="https://scott:tiger@a.example/b"/>',
])("a diagnostic at %s shows no credentials", (content) => {
  const declarations = 'xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema"';
  const outcome = generated({ "service.wsdl": `<wsdl:definitions ${declarations}>${content}</wsdl:definitions>` });
  expect(outcome.diagnostics.length).toBeGreaterThan(0);
  expect(everything(outcome)).not.toMatch(/scott|tiger/);
  expect(outcome.text).toContain("a.example");
});

test("values that are part of messages are kept with a warning", () => {
  const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:example" targetNamespace="urn:example">
    <xs:element name="Subject"><xs:complexType><xs:attribute name="at" type="xs:anyURI" default="${withUser}"/></xs:complexType></xs:element>
  </xs:schema>`;
  const wsdl = service({ ports: [] }).replace(
    /<xs:schema.*<\/xs:schema>/s,
    '<xs:schema><xs:import namespace="urn:example" schemaLocation="a.xsd"/></xs:schema>',
  );
  const outcome = generated({
    "service.wsdl": wsdl
      .replaceAll('tns:Ask"', 'tns:Subject"')
      .replaceAll('message="tns:Subject"', 'message="tns:Ask"'),
    "a.xsd": schema,
  });
  expect(reported(outcome)).toEqual([
    `warning ${withUser}: The address in "default" contains credentials, which are kept because the value is part of the interface.`,
  ]);
  expect(everything(outcome)).toContain(`default: "${withUser}"`);
});

test("credentials in an index are removed, each with a warning", () => {
  const index = {
    url: "https://scott:tiger@site.example",
    home: "https://site.example",
    description: `Called at ${withUser}.`,
    namespaces: ["x/v1"],
    authentication: { keys: { endpoints: { authorization: "https://scott:tiger@site.example/keys" } } },
    routes: {
      "/x/v1/a": {
        methods: ["GET"],
        endpoints: [{ methods: ["GET"], args: { at: { type: "string", description: `As ${withUser}` } } }],
      },
    },
    _links: {
      help: [{ href: "https://scott:tiger@help.example/" }],
      icon: [{ href: "https://scott:tiger@site.example/icon" }],
    },
  };
  const escaped = JSON.stringify(index).replaceAll("/", "\\/");
  for (const text of [JSON.stringify(index, null, 2), escaped]) {
    const outcome = generated({ "index.json": text });
    expect(outcome.tree.size).toBeGreaterThan(0);
    expect(everything(outcome)).not.toMatch(/scott|tiger/);
    expect(everything(outcome)).toContain("https://help.example/");
    expect([...outcome.tree.values()].join()).not.toContain("/icon");
    expect(reported(outcome).map((line) => line.replace(/.*: /s, ""))).toHaveLength(6);
  }
});

test("the default of an argument is kept with a warning", () => {
  const args = { at: { type: "string", default: withUser, pattern: "^//[^@]*@" } };
  const outcome = generated({
    "index.json": JSON.stringify({ routes: { "/x/v1/a": { endpoints: [{ methods: ["GET"], args }] } } }),
  });
  expect(reported(outcome)).toEqual([
    `warning "${withUser}": The address at /routes/~1x~1v1~1a/endpoints/0/args/at/default contains credentials, which are kept because the value is part of the interface.`,
  ]);
  expect(everything(outcome)).toContain(withUser);
});

test.each([
  ["http://u:p@h/x", "http://h/x"],
  ["HTTPS://token@h", "HTTPS://h"],
  ["//u:p@h/x", "//h/x"],
  ["net.tcp://u:p@h:808/x", "net.tcp://h:808/x"],
  ["http://u:p@ss@h/x", "http://h/x"],
  ["http://u:@h/x", "http://h/x"],
  ["http:\\\\u:p@h/x", "http:\\\\h/x"],
  ["http:u:p@h/x", "http://h/x"],
  ["http:/u:p@h/x", "http://h/x"],
  ["ht\ntp:/\n/u:p@h/x", "http://h/x"],
  ["http://u:p q@h/x", "http://h/x"],
  ["see http://u:p@h/x and http://v:q@i/y.", "see http://h/x and http://i/y."],
])("%j is %j without credentials", (address, want) => {
  expect(withoutCredentials(address)).toBe(want);
});

test.each([
  "http://h/x?mail=a@b",
  "http://h/@a",
  "http://h#a@b",
  "mailto:a@b.example",
  "jms:queue:a@b",
  '<a href="http://h">a@b</a>',
  "REPLACE_WITH_ACTUAL_URL",
  "",
])("%j has no credentials", (text) => {
  expect(withoutCredentials(text)).toBe(text);
  expect(hideCredentials(text)).toBe(text);
});

test.each([
  ['location="http://u:p@h/x"', 'location="http://***@h/x"'],
  ['location="http://scott:long-secret@h/x"', 'location="http://***@h/x"'],
  ['"http:\\/\\/u:p@h\\/x"', '"http:\\/\\/***@h\\/x"'],
  ["http://u&#58;p&#x40;h/x", "http://***&#x40;h/x"],
  ["http:&#47;&#x2F;u:p@h", "http:&#47;&#x2F;***@h"],
  ['location="http:/u:p@h/x"', 'location="http:/***@h/x"'],
  ['location="HTTPS:u:p@h/x"', 'location="HTTPS:***@h/x"'],
  ["ftp:\\u:p@h/x", "ftp:\\***@h/x"],
  ['"http:\\/u:p@h"', '"http:\\/***@h"'],
  ['"\\u002f\\u002fu\\u003ap\\u0040h"', '"\\u002f\\u002f***\\u0040h"'],
])("%s is shown as %s", (address, want) => {
  expect(hideCredentials(address)).toBe(want);
});
