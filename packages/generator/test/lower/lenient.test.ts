import { expect, test } from "vitest";
import { problems, reported, schema, wsdl } from "../read/wsdl/reading.js";
import { lower, run, typeText } from "./lowering.js";

const types = schema(`<xs:element name="Op"/><xs:element name="OpResponse"/>`);
const messages = `<wsdl:message name="In"><wsdl:part name="parameters" element="t:Op"/></wsdl:message>
  <wsdl:message name="Out"><wsdl:part name="parameters" element="t:OpResponse"/></wsdl:message>`;
const operation = `<wsdl:operation name="Op"><wsdl:input message="t:In"/><wsdl:output message="t:Out"/></wsdl:operation>`;
const boundOperation = `<wsdl:operation name="Op"><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>`;
const emptyOperation = '<wsdl:operation name="Op"><wsdl:input/><wsdl:output/></wsdl:operation>';
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
    message: "operation is generated with empty messages",
  },
  {
    given: "an operation without messages",
    change: [operation, '<wsdl:operation name="Op"/>'],
    code: "wsdl.silent-operation",
    message: "neither input nor output",
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
    change: ["<soap:binding/>", '<soap:binding style="doc"/>'],
    code: "wsdl.bad-value",
    message: "The attribute is ignored.",
  },
  {
    given: "an unknown extension that is required",
    change: ["<soap:binding/>", '<soap:binding/><e:x xmlns:e="urn:e" wsdl:required="true"/>'],
    code: "unsupported.extension",
    message: "The extension is ignored. A service that requires it refuses the messages.",
  },
  {
    given: "a fault of two parts",
    change: [
      messages + portType,
      `${messages}<wsdl:message name="F"><wsdl:part name="a" element="t:Op"/><wsdl:part name="b" element="t:Op"/></wsdl:message>${portType.replace("</wsdl:operation>", '<wsdl:fault name="f" message="t:F"/></wsdl:operation>')}`,
    ],
    code: "wsdl.fault-parts",
    message: "No class is generated for the fault.",
  },
  ...[
    {
      given: "a value of another form",
      declaration: '<xs:element name="Op" nillable="maybe"/>',
      code: "xsd.invalid-value",
      message: "The attribute is ignored.",
    },
    {
      given: "facets that contradict each other",
      declaration: restricted("xs:string", '<xs:minLength value="5"/><xs:maxLength value="3"/>'),
      code: "xsd.facet",
      message: "The facet is ignored.",
    },
    {
      given: "an enumeration value of another type",
      declaration: restricted("xs:int", '<xs:enumeration value="one"/>'),
      code: "xsd.facet-value",
      message: "The value is ignored.",
    },
    {
      given: "an invalid pattern",
      declaration: restricted("xs:string", '<xs:pattern value="(?=a)"/>'),
      code: "xsd.pattern",
      message: "The pattern is ignored.",
    },
    {
      given: "a group that contains itself",
      declaration:
        '<xs:group name="G"><xs:sequence><xs:group ref="t:G"/></xs:sequence></xs:group><xs:element name="Op"><xs:complexType><xs:group ref="t:G"/></xs:complexType></xs:element>',
      code: "xsd.circular",
      message: "The reference is left out.",
    },
    {
      given: "complex content that restricts a simple type",
      declaration:
        '<xs:element name="Op"><xs:complexType><xs:complexContent><xs:restriction base="xs:int"/></xs:complexContent></xs:complexType></xs:element>',
      code: "xsd.base",
      message: "The type is read without a base.",
    },
  ].map(({ declaration, ...rest }) => ({ ...rest, change: ['<xs:element name="Op"/>', declaration] as const })),
  {
    given: "a binding of nothing",
    change: [binding, `<wsdl:binding name="A"><soap:binding/></wsdl:binding>${binding}`],
    code: "wsdl.missing-attribute",
    message: "The element is left out.",
  },
  {
    given: "an all that extends an unknown type",
    change: [
      '<xs:element name="Op"/>',
      '<xs:element name="Op"><xs:complexType><xs:complexContent><xs:extension base="t:No"><xs:all><xs:element name="a"/></xs:all></xs:extension></xs:complexContent></xs:complexType></xs:element>',
    ],
    code: "xsd.unknown-type",
    message: "The type is read as anyType.",
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
];

test.each(unresolved)("$given is refused, or a warning when lenient", ({ change: [from, to], code, message }) => {
  const text = whole.replace(from, to);
  expect(problems(run(text).diagnostics).join("\n")).toContain(code);
  const { contract, diagnostics } = lower(text, { lenient: true });
  expect(contract.services.flatMap((service) => service.operations.map(({ name }) => name))).toEqual(["Op"]);
  const warnings = reported(diagnostics).filter((line) => line.includes(` warning ${code}: `));
  expect(warnings.join("\n")).toContain(message);
});

/** An element with a restricted simple type. */
function restricted(base: string, facets: string): string {
  return `<xs:element name="Op"><xs:simpleType><xs:restriction base="${base}">${facets}</xs:restriction></xs:simpleType></xs:element>`;
}

/** Each has one sensible reading, which a warning reports. The operation is lowered by default. */
const sensible: readonly {
  readonly given: string;
  readonly change: readonly [string, string];
  readonly code: string;
  readonly message: string;
}[] = [
  {
    given: "a style that belongs to `use`",
    change: ["<soap:binding/>", '<soap:binding style="literal"/>'],
    code: "wsdl.bad-value",
    message: "It is ignored.",
  },
  {
    given: "a use in another case",
    change: ['use="literal"', 'use="Literal"'],
    code: "wsdl.bad-value",
    message: 'It is read as "literal".',
  },
  {
    given: "a fault of no parts",
    change: [
      messages + portType,
      `${messages}<wsdl:message name="F"/>${portType.replace("</wsdl:operation>", '<wsdl:fault name="f" message="t:F"/></wsdl:operation>')}`,
    ],
    code: "wsdl.fault-parts",
    message: "No class is generated for the fault.",
  },
  {
    given: "an operation that is bound twice alike",
    change: [boundOperation, boundOperation.repeat(2)],
    code: "wsdl.duplicate-name",
    message: "Both occurrences are the same.",
  },
  ...[
    {
      given: "an operation that is bound again without extensions",
      change: (bound: string, empty: string) => bound + empty,
    },
    {
      given: "an operation that is bound first without extensions",
      change: (bound: string, empty: string) => empty + bound,
    },
  ].map(({ given, change }) => ({
    given,
    change: [boundOperation, change(boundOperation, emptyOperation)] as const,
    code: "wsdl.duplicate-name",
    message: "This occurrence contains no description of the messages and is ignored.",
  })),
  {
    given: "an operation that is defined twice with the same messages",
    change: [operation, operation.repeat(2)],
    code: "wsdl.duplicate-name",
    message: "The first definition is used.",
  },
  {
    given: "a part with a built-in type in another case",
    change: ['element="t:Op"', 'type="xs:base64binary"'],
    code: "wsdl.unknown-type",
    message: 'It is read as "base64Binary".',
  },
  {
    given: "a notification",
    change: ['<wsdl:input message="t:In"/>', ""],
    code: "unsupported.transmission",
    message: "the response to an empty request",
  },
  ...[
    {
      given: "an attribute of another vocabulary on an enumeration",
      declaration: restricted("xs:string", '<xs:enumeration value="a" label="A"/>'),
      code: "xsd.misplaced-attribute",
      message: 'The attribute "label" is not allowed',
    },
    {
      given: "a facet in another case",
      declaration: restricted("xs:string", '<xs:maxlength value="1"/>'),
      code: "xsd.misplaced-element",
      message: "It is read as <maxLength>.",
    },
    {
      given: "an attribute in another case",
      declaration: '<xs:element name="Op" Nillable="true"/>',
      code: "xsd.misplaced-attribute",
      message: 'The attribute "Nillable" is not allowed',
    },
    {
      given: "a keyword in another case",
      declaration: '<xs:element name="Op" nillable="True"/>',
      code: "xsd.invalid-value",
      message: "is not true or false",
    },
    {
      given: "attributes before the content",
      declaration:
        '<xs:element name="Op"><xs:complexType><xs:attribute name="a"/><xs:sequence/></xs:complexType></xs:element>',
      code: "xsd.misplaced-element",
      message: "It is read as if it were at the right position.",
    },
    {
      given: "a misspelled name in an annotation",
      declaration:
        '<xs:element name="Op"><xs:annotation><xs:dokumentation>d</xs:dokumentation></xs:annotation></xs:element>',
      code: "xsd.misplaced-element",
      message: "It is ignored.",
    },
    {
      given: "an element of another vocabulary",
      declaration: '<e:hint xmlns:e="urn:e"/><xs:element name="Op"/>',
      code: "xsd.misplaced-element",
      message: "It is ignored.",
    },
    {
      given: "a facet of another type",
      declaration: restricted("xs:decimal", '<xs:maxLength value="1"/>'),
      code: "xsd.facet",
      message: "It is ignored.",
    },
    {
      given: "a block of surrogates in a pattern",
      declaration: restricted("xs:string", '<xs:pattern value="[^\\p{IsHighSurrogates}]*"/>'),
      code: "xsd.pattern",
      message: "It is read as an empty class.",
    },
    {
      given: "a hexBinary default with the prefix 0x",
      declaration: '<xs:element name="Op" type="xs:hexBinary" default="0xFFAA"/>',
      code: "xsd.value",
      message: "It is read as FFAA.",
    },
    {
      given: "a built-in type in another case",
      declaration: '<xs:element name="Op" type="xs:base64binary"/>',
      code: "xsd.unknown-type",
      message: 'It is read as "base64Binary".',
    },
    {
      given: "complex content that extends a simple type with attributes",
      declaration:
        '<xs:element name="Op"><xs:complexType><xs:complexContent><xs:extension base="xs:int"><xs:attribute name="a"/></xs:extension></xs:complexContent></xs:complexType></xs:element>',
      code: "xsd.base",
      message: "The definition is read as an extension with simple content.",
    },
    {
      given: "a simple type that restricts a type of the SOAP encoding",
      declaration: restricted("e:int", '<xs:maxInclusive value="9"/>').replace(
        "<xs:element",
        '<xs:element xmlns:e="http://schemas.xmlsoap.org/soap/encoding/"',
      ),
      code: "xsd.base",
      message: "It is read as int.",
    },
    {
      given: "an all that extends a sequence",
      declaration:
        '<xs:complexType name="B"><xs:sequence><xs:element name="b"/></xs:sequence></xs:complexType><xs:element name="Op"><xs:complexType><xs:complexContent><xs:extension base="t:B"><xs:all><xs:element name="a"/></xs:all></xs:extension></xs:complexContent></xs:complexType></xs:element>',
      code: "xsd.all",
      message: "An <all> must be the whole content",
    },
    {
      given: "a schema that imports itself",
      declaration: '<xs:import namespace="urn:t"/><xs:element name="Op"/>',
      code: "xsd.own-import",
      message: "The import is ignored.",
    },
  ].map(({ declaration, ...rest }) => ({ ...rest, change: ['<xs:element name="Op"/>', declaration] as const })),
];

test.each(sensible)("$given is read, with a warning", ({ change: [from, to], code, message }) => {
  const { contract, diagnostics } = lower(whole.replace(from, to));
  expect(contract.services.flatMap((service) => service.operations.map(({ name }) => name))).toEqual(["Op"]);
  const warnings = reported(diagnostics).filter((line) => line.includes(` warning ${code}: `));
  expect(warnings.join("\n")).toContain(message);
});

test("if two documents are imported for a namespace, the declarations of the first one are used", () => {
  const other = (type: string) =>
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o"><xs:element name="e" type="${type}"/></xs:schema>`;
  const imports =
    '<xs:import namespace="urn:o" schemaLocation="b.xsd"/><xs:import namespace="urn:o" schemaLocation="c.xsd"/>';
  const files = {
    "a.wsdl": whole.replace('<xs:element name="Op"/>', `${imports}<xs:element name="Op"/>`),
    "b.xsd": other("xs:int"),
    "c.xsd": other("xs:string"),
  };
  const { contract, diagnostics } = lower(files);
  expect(contract.services).toHaveLength(1);
  expect(reported(diagnostics)).toEqual([
    expect.stringMatching(/^c\.xsd.* warning xsd\.duplicate: .*That declaration is used/),
  ]);
});

test("a service that an import repeats is read once, as in the importing document", () => {
  const service = (address: string) =>
    `<wsdl:service name="S"><wsdl:port name="A" binding="t:B"><soap:address location="${address}"/></wsdl:port></wsdl:service>`;
  const files = {
    "a.wsdl": wsdl(`<wsdl:import namespace="urn:t" location="b.wsdl"/>${service("http://a.example/")}`),
    "b.wsdl": wsdl(types + messages + portType + binding + service("http://b.example/")),
  };
  const { contract, diagnostics } = run(files);
  expect(contract?.services.map(({ name, ports }) => [name, ports[0]?.address])).toEqual([["S", "http://a.example/"]]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("The definition that was read first is used.")]);
});

test("equal definitions are merged", () => {
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

test("an import of a document with the same namespace is an include", () => {
  const files = {
    "a.wsdl": whole.replace(
      types,
      schema('<xs:import namespace="urn:t" schemaLocation="b.xsd"/><xs:element name="Op"/>'),
    ),
    "b.xsd": `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t"><xs:element name="OpResponse"/></xs:schema>`,
  };
  const { contract, diagnostics } = run(files);
  expect(contract?.services[0]?.operations.map(({ name }) => name)).toEqual(["Op"]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("The import is read as an include.")]);
});

test("when lenient, a port with an unknown binding is left out, and the binding becomes a service", () => {
  const service = `<wsdl:service name="S"><wsdl:port name="X" binding="t:Other"/></wsdl:service>`;
  const text = wsdl(types + messages + portType + binding + service);
  expect(problems(run(text).diagnostics).join("\n")).toContain("wsdl.unknown-binding");
  const { contract, diagnostics } = lower(text, { lenient: true });
  expect(contract.services.map(({ name }) => name)).toEqual(["B"]);
  expect(reported(diagnostics)).toEqual([
    expect.stringContaining("The port is left out."),
    expect.stringContaining('info wsdl.unnamed-binding: No port uses the binding "B"'),
  ]);
});

const unprefixed = [
  {
    given: "message",
    text: whole.replace("t:In", "In"),
    message: "The name In has no prefix. It is read as a name in urn:t.",
  },
  {
    given: "element",
    text: whole.replace("t:Op", "Op"),
    message: "The name Op has no prefix. It is read as a name in urn:t.",
  },
  {
    given: "port type, with WSDL's namespace as default",
    text: whole
      .replace("t:P", "P")
      .replace("<wsdl:definitions", '<wsdl:definitions xmlns="http://schemas.xmlsoap.org/wsdl/"'),
    message: "The name P has no prefix. It is read as a name in urn:t.",
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
