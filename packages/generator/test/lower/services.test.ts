import { expect, test } from "vitest";
import { configSpan, problems, reported, schema, wsdl } from "../read/wsdl/reading.js";
import { lower, operationTexts, referenceText, run } from "./lowering.js";
import {
  all,
  bindings,
  complexPart,
  httpBinding,
  messages,
  port,
  service,
  soapBinding,
  types,
} from "./service-documents.js";

test("an operation with four bindings is one operation", () => {
  const { contract } = lower({ "api/svc.wsdl": wsdl(types + messages + bindings + all) });
  const [svc] = contract.services;
  expect(contract.services).toHaveLength(1);
  expect(svc).toMatchObject({ name: "Svc", file: "svc", namespace: "urn:t" });
  expect(svc?.ports.map(({ name, protocol, address }) => `${name} ${protocol} ${address}`)).toEqual([
    "SvcSoap soap11 http://x.example/svc",
    "SvcSoap12 soap12 http://x.example/svc",
    "SvcGet httpGet http://x.example/svc",
    "SvcPost httpPost http://x.example/svc",
  ]);
  expect(svc && operationTexts(svc)).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse.OpResult [soap11 soap12 httpGet httpPost]",
  ]);
  expect(svc?.operations[0]).toMatchObject({
    documentation: "Looks up.",
    bindings: {
      soap11: { action: "urn:t/Op", sendAction: false },
      soap12: { action: "urn:t/Op", sendAction: false },
      httpGet: { location: "/Op", replace: false },
      httpPost: { location: "/Op", replace: false },
    },
  });
});

test("a string parameter has the type of the SOAP element with the same name", () => {
  const { contract } = lower(wsdl(types + messages + bindings + all));
  const http = contract.services[0]?.operations[0]?.http;
  expect(http?.parameters.map(({ key, name, type, list }) => [key, name, referenceText(type), list])).toEqual([
    ["code", "code", "int", false],
    ["who", "who", "string", false],
  ]);
  expect(http?.answer).toMatchObject({
    kind: "xml",
    element: { namespace: "urn:t", local: "Rec" },
    type: { kind: "named", id: "{urn:t}Rec" },
    nillable: true,
  });
});

test.each([
  ["another answer", 'name="Body" element="t:Rec"', 'name="Body" element="t:Other"'],
  ["another parameter", 'name="who" type="xs:string"', 'name="whom" type="xs:string"'],
  ["a parameter less", '<wsdl:part name="who" type="xs:string"/>', ""],
  ["a parameter of another type", 'name="code" type="xs:string"', 'name="code" type="xs:boolean"'],
])("HTTP ports with %s become a separate service", (_, from, to) => {
  const { contract } = lower(wsdl(types + messages.replace(from, to) + bindings + all));
  expect(contract.services.map((svc) => [svc.name, ...operationTexts(svc)].slice(0, 1))).toEqual([["Svc"], ["SvcGet"]]);
  expect(contract.services[1]?.operations[0]?.bindings).toMatchObject({ httpGet: {}, httpPost: {} });
});

test("a service may have only HTTP ports", () => {
  const { contract } = lower(wsdl(types + messages + httpBinding("GET") + service(port("Get", "GET"))));
  expect(contract.services.flatMap(operationTexts)).toEqual(["Op(parts Op@httpInput) -> <Rec> Rec nil [httpGet]"]);
});

/**
 * A service with the operations Op and Ask at four ports. `parameter` is the name of Op's parameter at the HTTP ports.
 */
function twoOperations(parameter: string): string {
  const each = (text: (name: string) => string) => ["Op", "Ask"].map(text).join("");
  const portType = (kind: string) =>
    `<wsdl:portType name="${kind}">${each(
      (name) =>
        `<wsdl:operation name="${name}"><wsdl:input message="t:${name}${kind}In"/><wsdl:output message="t:${name}${kind}Out"/></wsdl:operation>`,
    )}</wsdl:portType>`;
  const soapBindings = ["soap", "soap12"].map(
    (prefix) =>
      `<wsdl:binding name="${prefix}" type="t:Soap"><${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http"/>${each(
        (name) =>
          `<wsdl:operation name="${name}"><${prefix}:operation soapAction="urn:t/${name}"/><wsdl:input><${prefix}:body use="literal"/></wsdl:input><wsdl:output><${prefix}:body use="literal"/></wsdl:output></wsdl:operation>`,
      )}</wsdl:binding>`,
  );
  const httpBindings = [
    { verb: "GET", input: "<http:urlEncoded/>" },
    { verb: "POST", input: '<mime:content type="application/x-www-form-urlencoded"/>' },
  ].map(
    ({ verb, input }) =>
      `<wsdl:binding name="${verb}" type="t:Http"><http:binding verb="${verb}"/>${each(
        (name) =>
          `<wsdl:operation name="${name}"><http:operation location="/${name}"/><wsdl:input>${input}</wsdl:input><wsdl:output><mime:mimeXml part="Body"/></wsdl:output></wsdl:operation>`,
      )}</wsdl:binding>`,
  );
  return wsdl(
    [
      schema(
        each(
          (name) =>
            `<xs:element name="${name}"><xs:complexType><xs:sequence><xs:element name="who" type="xs:string" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
             <xs:element name="${name}Response"><xs:complexType><xs:sequence><xs:element name="${name}Result" type="t:Rec" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>`,
        ).concat('<xs:complexType name="Rec"/><xs:element name="Rec" nillable="true" type="t:Rec"/>'),
      ),
      each(
        (name) =>
          `<wsdl:message name="${name}SoapIn"><wsdl:part name="parameters" element="t:${name}"/></wsdl:message>
           <wsdl:message name="${name}SoapOut"><wsdl:part name="parameters" element="t:${name}Response"/></wsdl:message>
           <wsdl:message name="${name}HttpIn"><wsdl:part name="${name === "Op" ? parameter : "who"}" type="xs:string"/></wsdl:message>
           <wsdl:message name="${name}HttpOut"><wsdl:part name="Body" element="t:Rec"/></wsdl:message>`,
      ),
      portType("Soap"),
      portType("Http"),
      ...soapBindings,
      ...httpBindings,
      service(port("SvcSoap", "soap"), port("SvcSoap12", "soap12"), port("SvcGet", "GET"), port("SvcPost", "POST")),
    ].join(""),
  );
}

test("an operation that differs over HTTP gets another name, and the others keep theirs", () => {
  const operations = ({ contract }: ReturnType<typeof lower>) =>
    contract.services.map((svc) =>
      svc.operations.map(({ uniqueName, bindings: each }) => [uniqueName, ...Object.keys(each)]),
    );
  const four = ["soap11", "soap12", "httpGet", "httpPost"];
  expect(operations(lower(twoOperations("who")))).toEqual([
    [
      ["Op", ...four],
      ["Ask", ...four],
    ],
  ]);
  const after = lower(twoOperations("whom"));
  expect(operations(after)).toEqual([
    [
      ["Op", "soap11", "soap12"],
      ["Ask", ...four],
      ["OpHttpGet", "httpGet", "httpPost"],
    ],
  ]);
  expect(reported(after.diagnostics)).toEqual([
    expect.stringContaining(
      'At this port, it becomes the separate operation "OpHttpGet"; the operation "Op" does not change.',
    ),
  ]);
});

test("a second port with the same protocol and messages is another port of the service, with a note", () => {
  const { contract, diagnostics } = lower(
    wsdl(
      types + messages + soapBinding("Soap") + service(port("One", "Soap"), port("Two", "Soap", "http://y.example/")),
    ),
  );
  const [svc] = contract.services;
  expect(contract.services).toHaveLength(1);
  expect(svc?.ports.map(({ name, address }) => [name, address])).toEqual([["One", "http://x.example/svc"]]);
  expect(svc?.otherPorts.map(({ name, address }) => [name, address])).toEqual([["Two", "http://y.example/"]]);
  expect(reported(diagnostics)).toEqual([
    expect.stringContaining('info wsdl.second-address: The port "Two" repeats an earlier port at a different address.'),
  ]);
});

test("two different ports with the same protocol are two services, of which the first keeps the name", () => {
  const { contract } = lower(
    wsdl(
      types + messages + soapBinding("A") + soapBinding("B", "urn:other") + service(port("One", "A"), port("Two", "B")),
    ),
  );
  expect(contract.services.map(({ name }) => name)).toEqual(["Svc", "Two"]);
});

test("without a service, each binding is a service without an address", () => {
  const { contract } = lower(wsdl(types + messages + soapBinding("Soap") + httpBinding("GET")));
  expect(contract.services.map(({ name, ports }) => [name, ports[0]?.address])).toEqual([
    ["Soap", undefined],
    ["GET", undefined],
  ]);
});

test("a document without bindings is refused", () => {
  expect(problems(run(wsdl(types)).diagnostics)).toEqual([
    "a.wsdl:1:1 error wsdl.nothing-bound: No operation is bound to SOAP or HTTP.",
  ]);
});

test("two WSDLs with one namespace keep their own messages", () => {
  const first = wsdl(types + messages + soapBinding("Soap") + service(port("One", "Soap")));
  const second = wsdl(
    messages.replaceAll("SvcSoap", "SvcTwo") +
      soapBinding("Soap").replace("SvcSoap", "SvcTwo") +
      service(port("Two", "Soap")).replace('"Svc"', '"Svc2"'),
  );
  const { contract, diagnostics } = run({ "a.wsdl": first, "b.wsdl": second }, {}, ["a.wsdl", "b.wsdl"]);
  expect(problems(diagnostics)).toEqual([]);
  expect(contract?.services.map(({ name, file }) => [name, file])).toEqual([
    ["Svc", "a"],
    ["Svc2", "b"],
  ]);
});

const overJms = (name: string, text = soapBinding(name)) =>
  text.replace("http://schemas.xmlsoap.org/soap/http", "http://www.w3.org/2010/soapjms/");

test("a binding to SOAP over another transport is read as SOAP, with a warning", () => {
  const { contract, diagnostics } = lower(wsdl(types + messages + overJms("Jms") + service(port("Two", "Jms"))));
  expect(contract.services[0]?.ports.map(({ name, protocol }) => [name, protocol])).toEqual([["Two", "soap11"]]);
  expect(reported(diagnostics)).toEqual([
    expect.stringContaining(
      'warning wsdl.other-transport: The port "Two" uses SOAP over http://www.w3.org/2010/soapjms/, for which clients need the option `transport`.',
    ),
  ]);
});

test("a port over another transport that repeats a port over HTTP is not the first, in any order", () => {
  const { contract, diagnostics } = lower(
    wsdl(types + messages + overJms("Jms") + soapBinding("Soap") + service(port("Two", "Jms"), port("One", "Soap"))),
  );
  expect(contract.services.flatMap(({ ports }) => ports.map(({ name }) => name))).toEqual(["One"]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("info wsdl.second-address")]);
});

const named = (name: string) => ({ name, span: configSpan });

test("the interface has the ambient arguments and slots of the configuration", () => {
  const { contract } = lower(wsdl(types + messages + bindings + all), {
    ambient: [named("who")],
    soap12Action: true,
    wireNames: { namespaces: [{ slot: "t", namespace: "urn:t", span: configSpan }], operations: [named("Op")] },
  });
  expect(contract.ambient).toEqual(["who"]);
  expect(contract.slots).toEqual({ namespaces: [{ slot: "t", namespace: "urn:t" }], operations: ["Op"] });
  expect(contract.services[0]?.operations[0]?.bindings).toMatchObject({
    soap11: { sendAction: false },
    soap12: { sendAction: true },
  });
});

test("names in the configuration that no WSDL has are reported", () => {
  const { diagnostics } = run(wsdl(types + messages + bindings + all), {
    ambient: [named("whoo")],
    operations: [named("Op"), named("Opp")],
    wireNames: { namespaces: [{ slot: "t", namespace: "urn:tt", span: configSpan }], operations: [named("OP")] },
  });
  expect(problems(diagnostics)).toEqual([
    'bothends.json:1:1 error wsdl.unknown-operation: No WSDL binds an operation "Opp". Did you mean "Op"?',
    'bothends.json:1:1 error wsdl.unknown-argument: No operation has an argument "whoo". Did you mean "who"?',
    'bothends.json:1:1 error wsdl.unknown-namespace: No document has the namespace "urn:tt". Did you mean "urn:t"?',
    'bothends.json:1:1 error wsdl.unknown-operation: The WSDLs have no operation "OP". Did you mean "Op"?',
  ]);
});

test("only the operations in the configuration are lowered", () => {
  const two = (text: string) =>
    text.replace(
      /<wsdl:operation name="Op">.*<\/wsdl:operation>/s,
      (operation) => operation + operation.replace('"Op"', '"No"'),
    );
  const port1 = wsdl(
    types +
      two(messages.slice(0, messages.indexOf('<wsdl:portType name="SvcHttp"'))) +
      two(soapBinding("Soap")) +
      service(port("One", "Soap")),
  );
  expect(lower(port1).contract.services[0]?.operations.map(({ name }) => name)).toEqual(["Op", "No"]);
  expect(lower(port1, { operations: [named("No")] }).contract.services[0]?.operations.map(({ name }) => name)).toEqual([
    "No",
  ]);
});

test("nothing is reported about an operation that the configuration leaves out", () => {
  const operations = ["Kept", "LeftOut"];
  const text = wsdl(`${schema('<xs:element name="Rec" type="xs:string"/>')}
    <wsdl:message name="In"/><wsdl:message name="Out"><wsdl:part name="Body" element="t:Rec"/></wsdl:message>
    <wsdl:portType name="P">${operations
      .map(
        (name) =>
          `<wsdl:operation name="${name}"><wsdl:input message="t:In"/><wsdl:output message="t:Out"/></wsdl:operation>`,
      )
      .join("")}</wsdl:portType>
    <wsdl:binding name="B" type="t:P"><http:binding verb="GET"/>${operations
      .map(
        (name) =>
          `<wsdl:operation name="${name}"><http:operation location="/${name}"/><wsdl:input><http:urlEncoded/></wsdl:input><wsdl:output><mime:mimeXml part="${name === "Kept" ? "Body" : "Unknown"}"/></wsdl:output></wsdl:operation>`,
      )
      .join("")}</wsdl:binding>
    <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><http:address location="http://x.example/"/></wsdl:port></wsdl:service>`);
  expect(reported(lower(text).diagnostics)).toEqual([expect.stringContaining('names the part "Unknown"')]);
  expect(reported(lower(text, { operations: [named("Kept")] }).diagnostics)).toEqual([]);
});

test("a binding with an unsupported HTTP method is no error if the configuration leaves out its other operations", () => {
  const operation = (name: string) => `<wsdl:operation name="${name}">`;
  const both = (content: string) => `${operation("Kept")}${content}${operation("LeftOut")}${content}`;
  const text = wsdl(`<wsdl:message name="In"/>
    <wsdl:portType name="P">${both('<wsdl:input message="t:In"/></wsdl:operation>')}</wsdl:portType>
    <wsdl:binding name="Put" type="t:P"><http:binding verb="PUT"/>${both('<http:operation location="/"/></wsdl:operation>')}</wsdl:binding>
    <wsdl:binding name="Get" type="t:P"><http:binding verb="GET"/>${operation("Kept")}<http:operation location="/"/><wsdl:input><http:urlEncoded/></wsdl:input></wsdl:operation></wsdl:binding>
    <wsdl:service name="S"><wsdl:port name="PutPort" binding="t:Put"/><wsdl:port name="GetPort" binding="t:Get"/></wsdl:service>`);
  expect(problems(run(text).diagnostics)).toEqual([
    expect.stringContaining('No other binding serves the operation "LeftOut".'),
  ]);
  expect(problems(run(text, { operations: [named("Kept")] }).diagnostics)).toEqual([]);
});

test("an unsupported HTTP operation can be called through another binding, with a warning", () => {
  const { contract, diagnostics } = lower(wsdl(types + complexPart + bindings + all));
  expect(contract.services.flatMap(operationTexts)).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse.OpResult [soap11 soap12]",
  ]);
  expect(reported(diagnostics)).toEqual([
    expect.stringContaining(
      'warning unsupported.http-parameter: The part "who" is a parameter of an HTTP binding, but is neither a simple value nor an element whose children are simple values. Clients can only call it through another binding.',
    ),
  ]);
});

test.each([
  ["a parameter that is not text", complexPart, httpBinding("GET"), "unsupported.http-parameter"],
  [
    "a body that is no form",
    messages,
    httpBinding("POST").replace("application/x-www-form-urlencoded", "text/xml"),
    "unsupported.http-body",
  ],
  [
    "an answer that the binding does not tell",
    messages,
    httpBinding("GET").replace('<mime:mimeXml part="Body"/>', ""),
    "unsupported.http-answer",
  ],
])("%s is refused where SOAP does not have the operation", (_, content, binding, kind) => {
  const { diagnostics } = run(
    wsdl(types + content + binding + service(port("Http", binding.includes("GET") ? "GET" : "POST"))),
  );
  expect(problems(diagnostics)[0]).toContain(`error ${kind}: `);
});

test.each([
  ["http://x.example/svc", "Op", "/Op"],
  ["http://x.example/svc/", "Op", "/Op"],
  ["http://x.example/svc", "svc/Op", "/Op"],
  ["http://x.example/svc?a=b", "svc/Op", "/Op"],
  ["http://x.example/svc", "?op=Op", "?op=Op"],
])("below %s, the location %s is %s", (address, location, want) => {
  const binding = httpBinding("GET").replace("/Op", location);
  const { contract } = lower(wsdl(types + messages + binding + service(port("Http", "GET", address))));
  expect(contract.services[0]?.operations[0]?.bindings.httpGet?.location).toBe(want);
});

test.each([
  ['<mime:content part="Body" type="text/plain"/>', { kind: "text", type: { kind: "builtin", name: "string" } }],
  ['<mime:content type="image/png"/>', { kind: "bytes", mediaType: "image/png" }],
  ['<mime:content part="Body" type="text/xml"/>', { kind: "xml", element: { namespace: "urn:t", local: "Rec" } }],
])("the HTTP answer %s", (output, answer) => {
  const binding = httpBinding("GET").replace('<mime:mimeXml part="Body"/>', output);
  const { contract } = lower(wsdl(types + messages + binding + service(port("Http", "GET"))));
  expect(contract.services[0]?.operations[0]?.http?.answer).toMatchObject(answer);
});

test("parts of the path are parameters", () => {
  const binding = httpBinding("GET")
    .replace('location="/Op"', 'location="/Op/(who)"')
    .replace("urlEncoded", "urlReplacement");
  const { contract } = lower(wsdl(types + messages + binding + service(port("Http", "GET"))));
  expect(contract.services[0]?.operations[0]?.bindings.httpGet).toMatchObject({ location: "/Op/(who)", replace: true });
});

test("the only part of an HTTP answer is used under another name, with a warning", () => {
  const misspelled = httpBinding("GET").replace('part="Body"', 'part="Bodi"');
  const { contract, diagnostics } = lower(wsdl(types + messages + misspelled + service(port("Get", "GET"))));
  expect(contract.services.flatMap(operationTexts)).toEqual(["Op(parts Op@httpInput) -> <Rec> Rec nil [httpGet]"]);
  expect(diagnostics.all.map(({ severity, code }) => `${severity} ${code}`)).toContain("warning WSDL017");
});

test("an HTTP answer with an unknown part among several is refused", () => {
  const misspelled = httpBinding("GET").replace('part="Body"', 'part="Bodi"');
  const second = '<wsdl:part name="Body" element="t:Rec"/><wsdl:part name="Other" type="xs:string"/>';
  const several = messages.replace('<wsdl:part name="Body" element="t:Rec"/>', second);
  expect(() => lower(wsdl(types + several + misspelled + service(port("Get", "GET"))))).toThrow(
    'The answer of the operation "Op" names the part "Bodi", which the message "GetOut" does not have.',
  );
});

test("an HTTP binding may post the element of its part as an XML document", () => {
  const form = '<mime:content type="application/x-www-form-urlencoded"/>';
  const posting = httpBinding("POST", "SvcSoap").replace(form, '<mime:content type="text/xml"/>');
  const { contract } = lower(wsdl(types + messages + posting));
  const [operation] = contract.services[0]?.operations ?? [];
  expect(operation?.http).toMatchObject({ parameters: [], body: { element: { namespace: "urn:t", local: "Op" } } });
  expect(operation?.input.body).toMatchObject({ kind: "element", element: operation?.http?.body?.element });
});

test("if ports become three services of one protocol, all three are named after their ports, without the word Port", () => {
  const parts = ["RepricePort", "PricePort", "SeatPort"].map((name, index) => {
    const element = ["Op", "Rec", "Other"][index];
    return `<wsdl:message name="${name}In"><wsdl:part name="p" element="t:${element}"/></wsdl:message>
      <wsdl:portType name="${name}"><wsdl:operation name="service"><wsdl:input message="t:${name}In"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="${name}" type="t:${name}"><soap:binding/><wsdl:operation name="service"><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation></wsdl:binding>`;
  });
  const services = (...names: readonly string[]) =>
    lower(wsdl(types + parts.join("") + service(...names.map((name) => port(name, name))))).contract.services;
  expect(services("RepricePort", "PricePort", "SeatPort").map(({ name }) => name)).toEqual([
    "Reprice",
    "Price",
    "Seat",
  ]);
  expect(
    services("RepricePort", "PricePort")
      .slice(0, 2)
      .map(({ name }) => name),
  ).toEqual(["Svc", "Price"]);
});

/**
 * The names of the services of `wsdl:service` Svc with these ports, each of which has another operation over SOAP 1.1.
 */
function namesOfServices(...names: readonly string[]): readonly string[] {
  const parts = names.map((name, index) => {
    const operation = `Op${index}`;
    return `<wsdl:message name="${name}In"><wsdl:part name="p" element="t:Op"/></wsdl:message>
      <wsdl:portType name="${name}"><wsdl:operation name="${operation}"><wsdl:input message="t:${name}In"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="${name}" type="t:${name}"><soap:binding/><wsdl:operation name="${operation}"><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation></wsdl:binding>`;
  });
  const { services } = lower(wsdl(types + parts.join("") + service(...names.map((name) => port(name, name))))).contract;
  expect(services.flatMap(({ operations }) => operations.map(({ name }) => name))).toEqual(
    names.map((_, index) => `Op${index}`),
  );
  return services.map(({ name }) => name);
}

test.each([
  [
    ["SvcHttpPort", "SvcPort"],
    ["Svc", "SvcPort"],
  ],
  [
    ["Air", "AirPort", "Air_Port"],
    ["Air", "AirPort", "Air_Port"],
  ],
  [
    ["AirPort", "Air_Port", "SeatPort"],
    ["AirPort", "Air_Port", "Seat"],
  ],
  [
    ["SvcPort", "AirPort", "SeatPort"],
    ["Svc", "Air", "Seat"],
  ],
  [
    ["One", "Svc"],
    ["Svc", "Svc2"],
  ],
  [
    ["RetrieveBindingPort", "PricePort", "Seat_Port"],
    ["Retrieve", "Price", "Seat"],
  ],
])("the ports %j are the services %j: no name replaces another", (ports, names) => {
  expect(namesOfServices(...ports)).toEqual(names);
});

test("the report about a separate service has its name", () => {
  const differing = messages.replace('name="who" type="xs:string"', 'name="whom" type="xs:string"');
  const ports = service(port("SvcSoap", "Soap"), port("SvcPort", "GET"));
  const { contract, diagnostics } = lower(wsdl(types + differing + bindings + ports));
  const names = contract.services.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(["Svc", "SvcPort"]);
  expect(reported(diagnostics)).toContainEqual(
    expect.stringContaining(
      'The port becomes the separate service "SvcPort"; the service of the port "SvcSoap" does not',
    ),
  );
});

/** The WSDL of two services whose operations `Op` differ in their messages: one over SOAP, one with this binding. */

test("SOAP 1.2 requests with the same element contain the action, even if the actions are equal in SOAP 1.1", () => {
  const operations = ["Put", "Drop"];
  const bindings = [
    { prefix: "soap", actionOf: () => "" },
    { prefix: "soap12", actionOf: (name: string) => `urn:t/${name}` },
  ].map(
    ({ prefix, actionOf }) =>
      `<wsdl:binding name="${prefix}" type="t:P"><${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http"/>${operations
        .map(
          (name) =>
            `<wsdl:operation name="${name}"><${prefix}:operation soapAction="${actionOf(name)}"/><wsdl:input><${prefix}:body use="literal"/></wsdl:input></wsdl:operation>`,
        )
        .join("")}</wsdl:binding>`,
  );
  const { contract, diagnostics } = lower(
    wsdl(
      `${schema('<xs:element name="Item" type="xs:string"/>')}<wsdl:message name="In"><wsdl:part name="p" element="t:Item"/></wsdl:message><wsdl:portType name="P">${operations
        .map((name) => `<wsdl:operation name="${name}"><wsdl:input message="t:In"/></wsdl:operation>`)
        .join("")}</wsdl:portType>${bindings.join("")}${service(port("One", "soap"), port("Two", "soap12"))}`,
    ),
  );
  expect(contract.services[0]?.operations.map(({ bindings: { soap12 } }) => soap12?.sendAction)).toEqual([true, true]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("warning wsdl.same-requests")]);
});
