import { expect, test } from "vitest";
import { problems, reported, wsdl } from "../read/wsdl/reading.js";
import { lower, operationTexts, run } from "./lowering.js";
import {
  all,
  bindings,
  complexPart,
  httpBinding,
  messages,
  port,
  service,
  soap12Binding,
  soapBinding,
  types,
} from "./service-documents.js";

const four = "Op(<Op> Op) -> <OpResponse> OpResponse.OpResult [soap11 soap12 httpGet httpPost]";
const soapOnly = "Op(<Op> Op) -> <OpResponse> OpResponse.OpResult [soap11 soap12]";

test.each([
  ["neither an element nor a type", '<wsdl:part name="who"/>', "wsdl.part-type"],
  ["an element that no schema declares", '<wsdl:part name="who" element="t:Nobody"/>', "wsdl.unknown-element"],
  ["a type that no schema defines", '<wsdl:part name="who" type="t:Nobody"/>', "wsdl.unknown-type"],
])("a part of an HTTP binding with %s removes the operation from its HTTP ports", (_, part, kind) => {
  const content = messages.replace('<wsdl:part name="who" type="xs:string"/>', part);
  const { contract, diagnostics } = lower(wsdl(types + content + bindings + all));
  expect(contract.services.flatMap(operationTexts)).toEqual([soapOnly]);
  expect(contract.services[0]?.ports.map(({ name }) => name)).toEqual(["SvcSoap", "SvcSoap12"]);
  expect(reported(diagnostics)).toEqual([
    expect.stringMatching(
      new RegExp(`warning ${kind}: .* Operations with the message "GetIn" can only be called over SOAP\\.`),
    ),
  ]);
});

test("an unsupported part of an HTTP binding is an error if SOAP lacks the operation or uses the message", () => {
  const content = messages.replace('<wsdl:part name="who" type="xs:string"/>', '<wsdl:part name="who"/>');
  const alone = run(wsdl(types + content + httpBinding("GET") + service(port("SvcGet", "GET"))));
  expect(problems(alone.diagnostics)).toEqual([expect.stringContaining("error wsdl.part-type: ")]);
  const shared = content.replace('<wsdl:input message="t:SoapIn"/>', '<wsdl:input message="t:GetIn"/>');
  const { diagnostics } = run(wsdl(types + shared + bindings + all));
  expect(problems(diagnostics)).toEqual([expect.stringContaining("error wsdl.part-type: ")]);
});

const required = '<e:x xmlns:e="urn:e" wsdl:required="true"/>';

test.each([
  ["binding", '<http:binding verb="GET"/>'],
  ["operation of a binding", '<http:operation location="/Op"/>'],
  ["message of a binding", "<http:urlEncoded/>"],
])("an unknown required extension in a %s over HTTP leaves its operations to SOAP", (_, element) => {
  const changed = httpBinding("GET").replace(element, `${element}${required}`);
  const content = soapBinding("Soap") + soap12Binding + changed + httpBinding("POST");
  const { contract, diagnostics } = lower(wsdl(types + messages + content + all));
  expect(contract.services.flatMap(operationTexts)).toEqual([four.replace("httpGet ", "")]);
  expect(reported(diagnostics)).toEqual([
    expect.stringMatching(/warning unsupported\.extension: <e:x> in .* is marked as required .* left out/),
  ]);
});

test("an unknown required extension in a binding or port over SOAP leaves its operations to another port over SOAP", () => {
  const soap12 = soap12Binding.replace("<soap12:binding", `${required}<soap12:binding`);
  const inBinding = lower(
    wsdl(types + messages + soapBinding("Soap") + soap12 + service(port("A", "Soap"), port("B", "Soap12"))),
  );
  expect(inBinding.contract.services.flatMap(operationTexts)).toEqual([four.replace(" soap12 httpGet httpPost", "")]);
  const ports = service(port("A", "Soap"), port("B", "Soap12").replace("<soap:address", `${required}<soap:address`));
  const inPort = lower(wsdl(types + messages + soapBinding("Soap") + soap12Binding + ports));
  expect(inPort.contract.services.flatMap(operationTexts)).toEqual([four.replace(" soap12 httpGet httpPost", "")]);
  expect(reported(inPort.diagnostics)).toEqual([
    expect.stringContaining("warning unsupported.extension: <e:x> in <wsdl:port>"),
  ]);
});

test("an unknown required extension is an error if no other binding over SOAP serves the operation", () => {
  const soap = soapBinding("Soap").replace("<soap:binding", `${required}<soap:binding`);
  const { diagnostics } = run(
    wsdl(types + messages + soap + httpBinding("GET") + service(port("A", "Soap"), port("B", "GET"))),
  );
  expect(problems(diagnostics)).toEqual([
    expect.stringContaining("error unsupported.extension: <e:x> in <wsdl:binding>"),
  ]);
});

function twoServices(second: string): string {
  const other = '<wsdl:message name="OtherIn"><wsdl:part name="p" element="t:Other"/></wsdl:message>';
  const portType = `<wsdl:portType name="SvcOther"><wsdl:operation name="Op"><wsdl:input message="t:OtherIn"/></wsdl:operation></wsdl:portType>`;
  const services = service(port("A", "Soap")) + service(port("B", "Second")).replace('"Svc"', '"Other"');
  return wsdl(types + messages + other + portType + soapBinding("Soap") + second + services);
}

test("an operation of the same name in another service does not replace a binding with a required extension", () => {
  const binding = soapBinding("Second")
    .replace("t:SvcSoap", "t:SvcOther")
    .replace(/<wsdl:output>.*<\/wsdl:output>/, "");
  const { contract } = lower(twoServices(binding));
  expect(contract.services.map(({ name }) => name)).toEqual(["Svc", "Other"]);
  for (const place of ["<soap:binding", "<soap:operation"]) {
    const { diagnostics } = run(twoServices(binding.replace(place, `${required}${place}`)));
    expect(problems(diagnostics)).toEqual([expect.stringContaining("error unsupported.extension: <e:x> in ")]);
  }
});

test("an operation of the same name in another service does not replace a message over HTTP", () => {
  const untyped = messages.replace('<wsdl:part name="who" type="xs:string"/>', '<wsdl:part name="who"/>');
  const content = untyped + soapBinding("Soap") + httpBinding("GET");
  const second = service(port("B", "GET")).replace('"Svc"', '"Other"');
  const { diagnostics } = run(wsdl(types + content + service(port("A", "Soap")) + second));
  expect(problems(diagnostics)).toEqual([expect.stringContaining("error wsdl.part-type: ")]);
  const both = run(
    wsdl(
      types +
        content +
        service(port("A", "Soap")) +
        service(port("A", "Soap"), port("B", "GET")).replace('"Svc"', '"Other"'),
    ),
  );
  expect(problems(both.diagnostics)).toEqual([]);
});

test("an operation of the same name under another port type of a service does not replace a binding over SOAP", () => {
  const second = soapBinding("Second")
    .replace("t:SvcSoap", "t:SvcOther")
    .replace("<soap:binding", `${required}<soap:binding`);
  const content = twoServices(second.replace(/<wsdl:output>.*<\/wsdl:output>/, "")).replace(/<wsdl:service.*/s, "");
  const ports = `${service(port("A", "Soap"), port("B", "Second"))}</wsdl:definitions>`;
  expect(problems(run(content + ports).diagnostics)).toEqual([
    expect.stringContaining("error unsupported.extension: <e:x> in <wsdl:binding>"),
  ]);
});

test("without a port, a binding with a required extension is replaced only by one of the same port type", () => {
  const soap12 = soap12Binding.replace("<soap12:binding", `${required}<soap12:binding`);
  const same = run(wsdl(types + messages + soapBinding("Soap") + soap12));
  expect(reported(same.diagnostics)).toEqual([
    expect.stringContaining('The binding "Soap12" is left out, because other bindings serve its operations over SOAP.'),
  ]);
  const http = httpBinding("GET").replace("<http:binding", `${required}<http:binding`);
  const other = run(wsdl(types + messages + soapBinding("Soap") + http));
  expect(problems(other.diagnostics)).toEqual([expect.stringContaining("error unsupported.extension: <e:x> in ")]);
});

test("a binding without operations is not replaced by other bindings", () => {
  const empty = `<wsdl:binding name="Empty" type="t:SvcSoap">${required}<soap:binding/></wsdl:binding>`;
  const ports = service(port("A", "Soap"), port("B", "Empty"));
  const { diagnostics } = run(wsdl(types + messages + soapBinding("Soap") + empty + ports));
  expect(problems(diagnostics)).toEqual([
    expect.stringContaining("error unsupported.extension: <e:x> in <wsdl:binding>"),
  ]);
  const portWithExtension = ports.replace(/(name="B".*?>)/, `$1${required}`);
  const inPort = run(wsdl(types + messages + soapBinding("Soap") + empty.replace(required, "") + portWithExtension));
  expect(problems(inPort.diagnostics)).toEqual([
    expect.stringContaining("error unsupported.extension: <e:x> in <wsdl:port>"),
  ]);
});

test("an operation does not replace the operation of the same name in its binding", () => {
  const inputs = ["SoapIn", "OtherIn"];
  const overloads = (content: (input: string) => string) =>
    inputs.map((input) => `<wsdl:operation name="Op">${content(input)}</wsdl:operation>`).join("");
  const content = `<wsdl:message name="SoapIn"><wsdl:part name="p" element="t:Op"/></wsdl:message>
    <wsdl:message name="OtherIn"><wsdl:part name="p" element="t:Other"/></wsdl:message>
    <wsdl:portType name="P">${overloads((input) => `<wsdl:input name="${input}" message="t:${input}"/>`)}</wsdl:portType>
    <wsdl:binding name="B" type="t:P"><soap:binding/>${overloads((input) => `${input === "OtherIn" ? required : ""}<wsdl:input name="${input}"><soap:body use="literal"/></wsdl:input>`)}</wsdl:binding>`;
  expect(problems(run(wsdl(types + content + service(port("A", "B")))).diagnostics)).toEqual([
    expect.stringContaining("error unsupported.extension: <e:x> in <wsdl:operation>"),
  ]);
});

test("an unsupported operation over HTTP is refused if only another service has one of its name", () => {
  const bound = soapBinding("Soap") + httpBinding("GET");
  const apart = service(port("A", "Soap")) + service(port("B", "GET")).replace('"Svc"', '"Other"');
  expect(problems(run(wsdl(types + complexPart + bound + apart)).diagnostics)).toEqual([
    expect.stringContaining('error unsupported.http-parameter: The part "who" is a parameter of an HTTP binding'),
  ]);
  const other = bound.replaceAll("GET", "PUT");
  expect(problems(run(wsdl(types + messages + other + apart.replace("GET", "PUT"))).diagnostics)).toEqual([
    expect.stringContaining('No other binding serves the operation "Op".'),
  ]);
});
