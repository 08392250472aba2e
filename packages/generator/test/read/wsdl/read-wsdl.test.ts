import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Definitions } from "../../../src/read/wsdl/documents.js";
import { type Files, problems, read, reported, wsdl } from "./reading.js";

function definitions(files: Files): Definitions {
  const [root] = read(files).documents.roots;
  if (root === undefined) {
    throw new Error("no root");
  }
  return root.definitions[0];
}

test("reads messages, port types, bindings and services in the terms of WSDL", () => {
  const { messages, portTypes, bindings, services } = definitions({
    "a.wsdl": wsdl(`
      <wsdl:message name="In"><wsdl:part name="p" element="t:E"/></wsdl:message>
      <wsdl:message name="Out"><wsdl:part name="q" type="xs:int"/></wsdl:message>
      <wsdl:portType name="P"><wsdl:operation name="Op" parameterOrder="p q">
        <wsdl:documentation>Does  it.</wsdl:documentation>
        <wsdl:input name="i" message="t:In"/><wsdl:output message="t:Out"/><wsdl:fault name="f" message="t:Out"/>
      </wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P">
        <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
        <wsdl:operation name="Op">
          <soap:operation soapAction="urn:do" style="document"/>
          <wsdl:input><soap:header message="t:In" part="p" use="literal"><soap:headerfault message="t:Out" part="q" use="literal"/></soap:header>
            <soap:body parts="p  q" use="encoded" namespace="urn:n"/></wsdl:input>
          <wsdl:output><soap:body/></wsdl:output>
          <wsdl:fault name="f"><soap:fault name="f" use="literal"/></wsdl:fault>
        </wsdl:operation>
      </wsdl:binding>
      <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><soap:address location="http://x.example/"/></wsdl:port></wsdl:service>`),
  });
  expect(messages.map(({ name, parts }) => [name.text, parts[0]?.element?.local, parts[0]?.type?.namespace])).toEqual([
    ["In", "E", undefined],
    ["Out", undefined, "http://www.w3.org/2001/XMLSchema"],
  ]);
  expect(portTypes[0]?.operations[0]).toMatchObject({
    documentation: "Does  it.",
    primitive: "request-response",
    parameterOrder: ["p", "q"],
    input: { name: { text: "i" }, message: { namespace: "urn:t", local: "In" } },
    faults: [{ name: { text: "f" } }],
  });
  expect(bindings[0]?.protocolBinding).toMatchObject({ kind: "soapBinding", version: "1.1", style: "rpc" });
  expect(bindings[0]?.operations[0]).toMatchObject({
    protocolOperation: { kind: "soapOperation", soapAction: { text: "urn:do" }, style: "document" },
    input: {
      extensions: [
        { kind: "soapHeader", part: { text: "p" }, headerFaults: [{ part: { text: "q" } }] },
        {
          kind: "soapBody",
          parts: { names: ["p", "q"] },
          use: "encoded",
          namespace: expect.objectContaining({ text: "urn:n" }),
        },
      ],
    },
    output: { extensions: [{ kind: "soapBody", parts: undefined, use: "literal" }] },
    faults: [{ soapFault: { use: "literal" } }],
  });
  expect(services[0]?.ports[0]).toMatchObject({
    binding: { local: "B" },
    address: { kind: "soapAddress", version: "1.1", location: { text: "http://x.example/" } },
  });
});

test("reads HTTP bindings with MIME content", () => {
  const { bindings, services } = definitions({
    "a.wsdl": wsdl(`
      <wsdl:binding name="B" type="t:P"><http:binding verb="GET"/>
        <wsdl:operation name="Op"><http:operation location="/op"/>
          <wsdl:input><http:urlEncoded/></wsdl:input>
          <wsdl:output><mime:mimeXml part="Body"/><mime:content type="image/*"/></wsdl:output></wsdl:operation>
        <wsdl:operation name="Op2"><http:operation location="/(a)"/>
          <wsdl:input><http:urlReplacement/></wsdl:input>
          <wsdl:output><mime:multipartRelated><mime:part><soap12:body/></mime:part><mime:part><mime:content part="x"/></mime:part></mime:multipartRelated></wsdl:output></wsdl:operation>
      </wsdl:binding>
      <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><http:address location="http://x.example/"/></wsdl:port></wsdl:service>`),
  });
  expect(bindings[0]?.protocolBinding).toMatchObject({ kind: "httpBinding", verb: { text: "GET" } });
  expect(bindings[0]?.operations).toMatchObject([
    {
      protocolOperation: { kind: "httpOperation", location: { text: "/op" } },
      input: { extensions: [{ kind: "urlEncoded" }] },
      output: { extensions: [{ kind: "mimeXml" }, { kind: "mimeContent", type: { text: "image/*" } }] },
    },
    {
      input: { extensions: [{ kind: "urlReplacement" }] },
      output: {
        extensions: [
          {
            kind: "mimeMultipartRelated",
            parts: [{ extensions: [{ version: "1.2" }] }, { extensions: [{ kind: "mimeContent" }] }],
          },
        ],
      },
    },
  ]);
  expect(services[0]?.ports[0]?.address?.kind).toBe("httpAddress");
});

test.each([
  ["<wsdl:input message='t:M'/>", "one-way"],
  ["<wsdl:input message='t:M'/><wsdl:output message='t:M'/>", "request-response"],
  ["<wsdl:output message='t:M'/><wsdl:input message='t:M'/>", "solicit-response"],
  ["<wsdl:output message='t:M'/>", "notification"],
])("an operation with %s is %s", (messages, primitive) => {
  const { portTypes } = definitions({
    "a.wsdl": wsdl(`<wsdl:portType name="P"><wsdl:operation name="Op">${messages}</wsdl:operation></wsdl:portType>`),
  });
  expect(portTypes[0]?.operations[0]?.primitive).toBe(primitive);
});

test("follows imports of WSDLs and schemas, including cycles, and reads each document once", () => {
  const { documents, diagnostics } = read({
    "a/a.wsdl": wsdl(`<wsdl:import namespace="urn:t" location="../b.wsdl"/>
      <wsdl:import namespace="urn:s" location="s.xsd"/><wsdl:import namespace="urn:t" location="c.wsdl"/>`),
    "b.wsdl": wsdl(`<wsdl:import namespace="urn:t" location="a/a.wsdl"/><wsdl:message name="M"/>`),
    "a/c.wsdl": wsdl(`<wsdl:import namespace="urn:t" location="../b.wsdl"/>`),
    "a/s.xsd": `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:s"/>`,
  });
  expect(problems(diagnostics)).toEqual([]);
  expect(documents.roots[0]?.definitions.map(({ source }) => source.path)).toEqual(["a/a.wsdl", "b.wsdl", "a/c.wsdl"]);
  expect(documents.schemas.roots.map((schema) => schema.targetNamespace)).toEqual(["urn:s"]);
});

const notWsdl: readonly (readonly [string, string | Uint8Array, string])[] = [
  ["WSDL 2.0", '<description xmlns="http://www.w3.org/ns/wsdl"/>', "a WSDL 2.0 description"],
  ["a schema", '<schema xmlns="http://www.w3.org/2001/XMLSchema"/>', "an XML Schema"],
  ["another root", "<definitions/>", "the element <definitions> without a namespace"],
  ["HTML", "<!DOCTYPE html><html></html>", "an HTML page"],
  ["JSON", '{"a": 1}', "JSON"],
  ["an empty file", "", "an empty file"],
  ["gzip", gzipSync("<a/>"), "gzip data"],
  ["PDF", "%PDF-1.7", "a PDF document"],
  ["one byte", "x", "text that is not XML"],
];

test.each(notWsdl)("%s is refused", (_, content, found) => {
  const { documents, diagnostics } = read({ "a.wsdl": content });
  expect(documents.roots).toEqual([]);
  expect(problems(diagnostics).join()).toContain(`Expected a WSDL 1.1 document, but found ${found}.`);
});

const refused: readonly (readonly [string, string])[] = [
  [
    '<wsdl:message name="M"><wsdl:part name="p" element="x:E"/></wsdl:message>',
    'a.wsdl:2:53 error wsdl.undeclared-prefix: The prefix "x" of "x:E" is not declared. Declare xmlns:x, or use a prefix that is declared. With --lenient, the prefix is read as urn:t.',
  ],
  [
    "<wsdl:message/>",
    'a.wsdl:2:1 error wsdl.missing-attribute: <wsdl:message> has no attribute "name". Add the missing attribute. With --lenient, the element is left out.',
  ],
  [
    '<e:x xmlns:e="urn:e" wsdl:required="true"/>',
    'a.wsdl:2:1 error unsupported.extension: <e:x> in <wsdl:definitions> is marked as required but is not supported (urn:e). If clients can work without the extension, remove the element or its attribute wsdl:required="true". With --lenient, the extension is ignored. A service that requires it refuses the messages.',
  ],
  [
    '<wsdl:binding name="B" type="t:P"><soap:binding style="doc"/></wsdl:binding>',
    'a.wsdl:2:56 error wsdl.bad-value: The value "doc" of "style" on <soap:binding> is not one of "document", "rpc". Use one of the values that the message lists. With --lenient, the attribute is ignored.',
  ],
];

test("an undeclared prefix in a WSDL without a target namespace is read as no namespace", () => {
  const { diagnostics } = read({
    "a.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><message name="M"><part name="p" element="x:E"/></message></definitions>`,
  });
  expect(problems(diagnostics).join()).toContain("With --lenient, the name is read without a namespace.");
});

test.each(refused)("%s is refused at its position", (content, text) => {
  expect(problems(read({ "a.wsdl": wsdl(content) }).diagnostics)).toEqual([text]);
});

test.each([
  ["<soap:body use='literal' style='rpc'/>", "style", "soap:binding or soap:operation"],
  ["<soap:body use='literal' part='a'/>", "part", "soap:header or soap:headerfault"],
])("an attribute that belongs to another element is reported: %s", (body, name, owners) => {
  const binding = `<wsdl:binding name="B" type="t:P"><soap:binding/><wsdl:operation name="O"><wsdl:input>${body}</wsdl:input></wsdl:operation></wsdl:binding>`;
  expect(reported(read({ "a.wsdl": wsdl(binding) }).diagnostics)).toEqual([
    expect.stringContaining(
      `warning wsdl.misplaced-attribute: The attribute "${name}" is not allowed on <soap:body>. It is ignored. Move the attribute to ${owners}, or remove it.`,
    ),
  ]);
});

test("extensions that are not required are reported and ignored", () => {
  const content = '<p:Policy xmlns:p="http://www.w3.org/ns/ws-policy"/><x:y xmlns:x="urn:x"/>';
  expect(reported(read({ "a.wsdl": wsdl(content) }).diagnostics)).toEqual([
    "a.wsdl:2:1 info wsdl.ignored-extension: <p:Policy> in <wsdl:definitions> is ignored (WS-Policy).",
    "a.wsdl:2:53 info wsdl.ignored-extension: <x:y> in <wsdl:definitions> is ignored (an extension of urn:x).",
  ]);
});

test("a missing file is reported at the location that names it", () => {
  expect(problems(read({ "a.wsdl": wsdl('<wsdl:import location="b.wsdl"/>') }).diagnostics)).toEqual([
    expect.stringMatching(/^a\.wsdl:2:24 error .*b\.wsdl/),
  ]);
});

test("a fault without a name gets the name of its message, with a warning", () => {
  const files = {
    "a.wsdl": wsdl(
      '<wsdl:portType name="P"><wsdl:operation name="Op"><wsdl:input message="t:M"/><wsdl:fault message="t:F"/></wsdl:operation></wsdl:portType>',
    ),
  };
  expect(definitions(files).portTypes[0]?.operations[0]?.faults[0]?.name.text).toBe("F");
  expect(reported(read(files).diagnostics)).toEqual([
    'a.wsdl:2:78 warning wsdl.nameless-fault: <wsdl:fault> has no attribute "name". The name of its message, "F", is used.',
  ]);
});

test("an operation without messages is refused", () => {
  const files = { "a.wsdl": wsdl('<wsdl:portType name="P"><wsdl:operation name="Op"/></wsdl:portType>') };
  expect(problems(read(files).diagnostics)).toEqual([
    'a.wsdl:2:25 error wsdl.silent-operation: <wsdl:operation> "Op" has neither input nor output. Add an input, and also an output unless the operation is one-way. With --lenient, an empty input is used.',
  ]);
});

test("types of a working draft of XSD are read as types of XSD 1.0", () => {
  const { messages } = definitions({
    "a.wsdl": wsdl(
      '<wsdl:message name="M"><wsdl:part name="p" type="d:int" xmlns:d="http://www.w3.org/2000/10/XMLSchema"/></wsdl:message>',
    ),
  });
  expect(messages[0]?.parts[0]?.type?.namespace).toBe("http://www.w3.org/2001/XMLSchema");
});
