import { expect, test } from "vitest";
import { problems, reported, schema, wsdl } from "../read/wsdl/reading.js";
import { lower, run, typeText } from "./lowering.js";

const types = schema(`<xs:element name="Op"/><xs:element name="OpResponse"/>`);
const messages = `<wsdl:message name="In"><wsdl:part name="parameters" element="t:Op"/></wsdl:message>
  <wsdl:message name="Out"><wsdl:part name="parameters" element="t:OpResponse"/></wsdl:message>`;
const operation = `<wsdl:operation name="Op"><wsdl:input message="t:In"/><wsdl:output message="t:Out"/></wsdl:operation>`;
const boundOperation = `<wsdl:operation name="Op"><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>`;
const binding = `<wsdl:binding name="B" type="t:P"><soap:binding/>${boundOperation}</wsdl:binding>`;
const portType = `<wsdl:portType name="P">${operation}</wsdl:portType>`;
const whole = wsdl(types + messages + portType + binding);

/** Each is refused by default. When lenient, the operation is lowered, and a warning reports the fallback. */
const unresolved: readonly {
  readonly given: string;
  readonly change: readonly [string, string];
  readonly code: string;
  readonly message: string;
}[] = [
  {
    given: "an unknown message",
    change: ["t:In", "t:Inn"],
    code: "wsdl.unknown-message",
    message: "An empty message is used.",
  },
  {
    given: "an unknown element",
    change: ["t:Op", "t:Opp"],
    code: "wsdl.unknown-element",
    message: "may have any type",
  },
  {
    given: "an unknown type",
    change: ['element="t:Op"', 'type="t:X"'],
    code: "wsdl.unknown-type",
    message: "may have any type",
  },
  { given: "no content", change: ['element="t:Op"', ""], code: "wsdl.part-type", message: "may have any type" },
  { given: "an undeclared prefix", change: ["t:In", "u:In"], code: "wsdl.undeclared-prefix", message: "read as urn:t" },
  { given: "an unknown port type", change: ["t:P", "t:Q"], code: "wsdl.unknown-port-type", message: "empty messages" },
  {
    given: "an unknown operation",
    change: [operation, operation.replace('"Op"', '"Other"')],
    code: "wsdl.unknown-operation",
    message: "an operation with empty messages",
  },
  {
    given: "an operation without messages",
    change: [operation, '<wsdl:operation name="Op"/>'],
    code: "wsdl.silent-operation",
    message: "neither input nor output",
  },
  {
    given: "a notification",
    change: ['<wsdl:input message="t:In"/>', ""],
    code: "unsupported.transmission",
    message: "the response to an empty request",
  },
  {
    given: "a second message of a name",
    change: [messages, messages + messages.replaceAll("t:Op", "t:OpResponse")],
    code: "wsdl.duplicate-name",
    message: "The first definition is used.",
  },
  {
    given: "a second part of a name",
    change: ['element="t:Op"/>', 'element="t:Op"/><wsdl:part name="parameters" type="xs:int"/>'],
    code: "wsdl.duplicate-name",
    message: "The first part is used.",
  },
  {
    given: "an unknown style",
    change: ["<soap:binding/>", '<soap:binding style="literal"/>'],
    code: "wsdl.bad-value",
    message: "The attribute is ignored.",
  },
  {
    given: "a binding of nothing",
    change: [binding, `<wsdl:binding name="A"><soap:binding/></wsdl:binding>${binding}`],
    code: "wsdl.missing-attribute",
    message: "The element is left out.",
  },
  {
    given: "a facet of another type",
    change: [
      '<xs:element name="Op"/>',
      '<xs:element name="Op"><xs:simpleType><xs:restriction base="xs:decimal"><xs:maxLength value="1"/></xs:restriction></xs:simpleType></xs:element>',
    ],
    code: "xsd.facet",
    message: "It is ignored.",
  },
  {
    given: "an all that extends an unknown type",
    change: [
      '<xs:element name="Op"/>',
      '<xs:element name="Op"><xs:complexType><xs:complexContent><xs:extension base="t:No"><xs:all><xs:element name="a"/></xs:all></xs:extension></xs:complexContent></xs:complexType></xs:element>',
    ],
    code: "xsd.unknown-type",
    message: "It is treated as anyType.",
  },
  {
    given: "an element with a name beside its reference",
    change: [
      '<xs:element name="Op"/>',
      '<xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="Op" ref="t:OpResponse"/></xs:sequence></xs:complexType></xs:element>',
    ],
    code: "xsd.conflict",
    message: "The attribute is ignored.",
  },
  {
    given: "an all that extends a sequence",
    change: [
      '<xs:element name="Op"/>',
      '<xs:complexType name="B"><xs:sequence><xs:element name="b"/></xs:sequence></xs:complexType><xs:element name="Op"><xs:complexType><xs:complexContent><xs:extension base="t:B"><xs:all><xs:element name="a"/></xs:all></xs:extension></xs:complexContent></xs:complexType></xs:element>',
    ],
    code: "xsd.all",
    message: "The elements of the base come first, then those of the type.",
  },
  {
    given: "a fault of no parts",
    change: [
      messages + portType,
      `${messages}<wsdl:message name="F"/>${portType.replace("</wsdl:operation>", '<wsdl:fault name="f" message="t:F"/></wsdl:operation>')}`,
    ],
    code: "wsdl.fault-parts",
    message: "It is left undeclared.",
  },
  {
    given: "a schema that imports itself",
    change: ['<xs:element name="Op"/>', '<xs:import namespace="urn:t"/><xs:element name="Op"/>'],
    code: "xsd.own-import",
    message: "The import is left out.",
  },
];

test.each(unresolved)("$given is refused, or a warning when lenient", ({ change: [from, to], code, message }) => {
  const text = whole.replace(from, to);
  expect(problems(run(text).diagnostics).join("\n")).toContain(code);
  const { contract, diagnostics } = lower(text, { lenient: true });
  expect(contract.services.flatMap((service) => service.operations.map(({ name }) => name))).toEqual(["Op"]);
  const warnings = reported(diagnostics).filter((line) => line.includes(` warning ${code}: `));
  expect(warnings.join("\n")).toContain(message);
});

test("equal definitions are one", () => {
  const { contract, diagnostics } = lower(whole.replace(messages + portType, (messages + portType).repeat(2)));
  expect(contract.services[0]?.operations.map(({ name }) => name)).toEqual(["Op"]);
  expect(reported(diagnostics)).toEqual(
    ["message", "message", "port type"].map((what) =>
      expect.stringMatching(
        new RegExp(` warning wsdl.duplicate-name: The ${what} "\\w+" is defined twice. Both definitions are the same.`),
      ),
    ),
  );
});

test("when lenient, an import of a document with the same namespace is an include", () => {
  const files = {
    "a.wsdl": whole.replace(
      types,
      schema('<xs:import namespace="urn:t" schemaLocation="b.xsd"/><xs:element name="Op"/>'),
    ),
    "b.xsd": `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"><xs:element name="OpResponse"/></xs:schema>`,
  };
  const { contract, diagnostics } = run(files, { lenient: true });
  expect(contract?.services[0]?.operations.map(({ name }) => name)).toEqual(["Op"]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("The document is included.")]);
});

test("when lenient, a port with an unknown binding is left out, and the binding becomes a service", () => {
  const service = `<wsdl:service name="S"><wsdl:port name="X" binding="t:Other"/></wsdl:service>`;
  const text = wsdl(types + messages + portType + binding + service);
  expect(problems(run(text).diagnostics).join("\n")).toContain("wsdl.unknown-binding");
  const { contract, diagnostics } = lower(text, { lenient: true });
  expect(contract.services.map(({ name }) => name)).toEqual(["B"]);
  expect(reported(diagnostics)).toEqual([
    expect.stringContaining("The port is left out."),
    expect.stringContaining('info wsdl.unnamed-binding: No port names binding "B"'),
  ]);
});

const unprefixed = [
  { given: "message", text: whole.replace("t:In", "In"), message: "In has no prefix and is read as a name in urn:t." },
  { given: "element", text: whole.replace("t:Op", "Op"), message: "Op has no prefix and is read as a name in urn:t." },
  {
    given: "port type, with WSDL's namespace as default",
    text: whole
      .replace("t:P", "P")
      .replace("<wsdl:definitions", '<wsdl:definitions xmlns="http://schemas.xmlsoap.org/wsdl/"'),
    message: "P has no prefix and is read as a name in urn:t.",
  },
];

test.each(unprefixed)("a $given without a prefix is in the target namespace", ({ text, message }) => {
  const { contract, diagnostics } = lower(text);
  expect(contract.types.map(typeText)).toEqual(lower(whole).contract.types.map(typeText));
  expect(reported(diagnostics)).toEqual([expect.stringContaining(`warning wsdl.unprefixed: ${message}`)]);
});

test("an output before an input is read as a request-response operation", () => {
  const text = whole.replace(/(<wsdl:input message[^>]*>)(<wsdl:output message[^>]*>)/, "$2$1");
  const { contract, diagnostics } = lower(text);
  expect(contract.services[0]?.operations).toMatchObject([{ name: "Op", output: {} }]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("It is read as a request-response operation.")]);
});
