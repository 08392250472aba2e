import { expect, test } from "vitest";
import { generateCase, type Outcome } from "../cases/generate-case.js";

function generated(files: Readonly<Record<string, string>>): Outcome {
  const encoder = new TextEncoder();
  const input = new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));
  return generateCase({ area: "inline", name: "service", folder: "", input, options: {}, usage: undefined });
}

function reported({ diagnostics }: Outcome): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code, severity, span, message }) => {
      const place = span.source.text.slice(span.start, span.end);
      return `${severity} ${code} at ${place}: ${message}`;
    });
}

const namespaces = `xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:example"
  targetNamespace="urn:example"`;

interface Address {
  readonly address: string;
  readonly transport?: string;
}

/** A WSDL with a SOAP port for each address. */
function soapService(addresses: readonly Address[]): string {
  const bindings = addresses.map(
    ({ transport = "http://schemas.xmlsoap.org/soap/http" }, at) => `<wsdl:binding name="B${at}" type="tns:Port">
      <soap:binding transport="${transport}"/><wsdl:operation name="Ask"><soap:operation soapAction="ask"/>
      <wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation></wsdl:binding>`,
  );
  const ports = addresses.map(
    ({ address }, at) =>
      `<wsdl:port name="P${at}" binding="tns:B${at}"><soap:address location="${address}"/></wsdl:port>`,
  );
  return `<wsdl:definitions ${namespaces}>
    <wsdl:types><xs:schema targetNamespace="urn:example"><xs:element name="Ask" type="xs:string"/></xs:schema></wsdl:types>
    <wsdl:message name="Ask"><wsdl:part name="body" element="tns:Ask"/></wsdl:message>
    <wsdl:portType name="Port"><wsdl:operation name="Ask"><wsdl:input message="tns:Ask"/></wsdl:operation></wsdl:portType>
    ${bindings.join("")}<wsdl:service name="Service">${ports.join("")}</wsdl:service></wsdl:definitions>`;
}

/** A WSDL with an HTTP GET port. */
function httpService(address: string): string {
  return `<wsdl:definitions ${namespaces}>
    <wsdl:message name="Ask"><wsdl:part name="who" type="xs:string"/></wsdl:message>
    <wsdl:portType name="Port"><wsdl:operation name="Ask"><wsdl:input message="tns:Ask"/></wsdl:operation></wsdl:portType>
    <wsdl:binding name="B" type="tns:Port"><http:binding verb="GET"/><wsdl:operation name="Ask"><http:operation location="/Ask"/>
      <wsdl:input><http:urlEncoded/></wsdl:input></wsdl:operation></wsdl:binding>
    <wsdl:service name="Service"><wsdl:port name="P" binding="tns:B"><http:address location="${address}"/></wsdl:port></wsdl:service>
  </wsdl:definitions>`;
}

const jms = "http://www.w3.org/2010/soapjms/";

test.each([
  { address: "javascript:alert(1)", scheme: "javascript" },
  { address: " JavaScript:alert(1)", scheme: "javascript" },
  { address: "java&#10;script:alert(1)", scheme: "javascript" },
  { address: "vbscript:x", scheme: "vbscript" },
  { address: "data:text/html,x", scheme: "data" },
  { address: "file:///etc/passwd", scheme: "file" },
  { address: "C:\\service", scheme: "file" },
  { address: "about:blank", scheme: "about" },
  { address: "classpath:service.wsdl", scheme: "classpath" },
  { address: "javascript:alert(1)", transport: jms, scheme: "javascript" },
])("the address $address of a SOAP port is refused", ({ scheme, ...port }) => {
  const outcome = generated({ "service.wsdl": soapService([port]) });
  expect(outcome.tree.size).toBe(0);
  expect(reported(outcome)).toEqual([
    `error WSDL049 at ${port.address}: The address of the port "P0" has the scheme "${scheme}", which is not a network scheme.`,
  ]);
});

test.each([
  { address: "javascript:alert(1)", because: '"javascript", which is not a network scheme' },
  { address: "jms:queue:x", because: '"jms", but its binding uses HTTP' },
])("the address $address of an HTTP port is refused", ({ address, because }) => {
  const outcome = generated({ "service.wsdl": httpService(address) });
  expect(outcome.tree.size).toBe(0);
  expect(reported(outcome)).toEqual([
    `error WSDL049 at ${address}: The address of the port "P" has the scheme ${because}.`,
  ]);
});

test.each([
  "http://a.example/x",
  "HTTPS://a.example/x",
  "http://",
  "//a.example/x",
  "/x",
  "x.asmx",
  "localhost:8080/x",
  "a.example:80",
  "https://{{SERVER}}/x",
  "REPLACE_WITH_ACTUAL_URL",
  "",
])("the address %j is accepted from SOAP and HTTP ports", (address) => {
  for (const text of [soapService([{ address }]), httpService(address)]) {
    const outcome = generated({ "service.wsdl": text });
    expect(outcome.tree.size).toBeGreaterThan(0);
    expect(reported(outcome)).toEqual([]);
  }
});

test.each([
  { address: "jms:queue:x", scheme: "jms" },
  { address: "net.tcp://a.example:808/x", scheme: "net.tcp" },
  { address: "mailto:a@b.example", scheme: "mailto" },
  { address: "local://localhost/x", scheme: "local" },
])("the address $address of a SOAP-over-HTTP binding needs a transport", ({ address, scheme }) => {
  const outcome = generated({ "service.wsdl": soapService([{ address }]) });
  expect(outcome.tree.size).toBeGreaterThan(0);
  expect(reported(outcome)).toEqual([
    `warning WSDL029 at ${address}: The port "P0" uses SOAP over ${scheme}, for which clients need the option \`transport\`.`,
  ]);
});

test("an HTTP address has precedence over an address for another transport", () => {
  const addresses = [{ address: "jms:queue:x" }, { address: "http://a.example/x" }];
  const outcome = generated({ "service.wsdl": soapService(addresses) });
  expect(reported(outcome)).toEqual([]);
  expect([...outcome.tree.values()].join()).toContain('address: "http://a.example/x"');
});

test("an address for a declared transport is accepted unchanged", () => {
  const outcome = generated({ "service.wsdl": soapService([{ address: "jms:queue:x", transport: jms }]) });
  expect(reported(outcome)).toEqual([
    `warning WSDL029 at ${jms}: The port "P0" uses SOAP over ${jms}, for which clients need the option \`transport\`.`,
  ]);
  expect([...outcome.tree.values()].join()).toContain('address: "jms:queue:x"');
});

test("in lenient mode, a port with a local address has no address", () => {
  const config = {
    packages: { path: "all", name: "all" },
    interfaces: { service: { wsdl: ["service.wsdl"], lenient: true } },
  };
  const outcome = generated({
    "bothends.json": JSON.stringify(config),
    "service.wsdl": soapService([{ address: "javascript:alert(1)" }]),
  });
  expect(outcome.tree.size).toBeGreaterThan(0);
  expect([...outcome.tree.values()].join()).not.toContain("javascript");
  expect(reported(outcome)).toEqual([
    'warning WSDL049 at javascript:alert(1): The address of the port "P0" has the scheme "javascript", which is not a network scheme. The port has no address.',
  ]);
});

test.each([
  { place: "/url", members: { url: "javascript:alert(1)" } },
  { place: "/home", members: { home: "javascript:alert(1)" } },
  { place: "/_links/help/0/href", members: { _links: { help: [{ href: "javascript:alert(1)" }] } } },
  { place: "/_links/help", members: { _links: { help: "javascript:alert(1)" } } },
  {
    place: "/authentication/keys/endpoints/authorization",
    members: { authentication: { keys: { endpoints: { authorization: "javascript:alert(1)" } } } },
  },
])("a script as the address at $place of an index is refused", ({ place, members }) => {
  const routes = { "/x/v1/a": { methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] } };
  const outcome = generated({ "index.json": JSON.stringify({ ...members, routes }) });
  expect(outcome.tree.size).toBe(0);
  expect(reported(outcome)).toEqual([
    `error IDX017 at "javascript:alert(1)": The address at ${place} has the scheme "javascript", which is not a network scheme.`,
  ]);
});

test("other texts in an index may look like addresses", () => {
  const index = {
    name: "about: us",
    description: "Data: all of it",
    authentication: [],
    _links: { help: [{ href: "https://a.example/", title: "Data: all of it" }] },
    routes: { "/x/v1/a": { methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] } },
  };
  expect(
    reported(generated({ "index.json": JSON.stringify(index) })).filter((line) => line.includes("IDX017")),
  ).toEqual([]);
});
