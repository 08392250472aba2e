import { describe, expect, test } from "vitest";
import type { Protocol } from "../../src/descriptor.js";
import { createOperationFields, listParameters } from "../../src/pages/operation-fields.js";
import { findSample } from "../../src/pages/service-page.js";
import { type PublishedOperation, readPublishedWsdl } from "../../src/pages/wsdl/published-wsdl.js";
import { createBodyNodes, writeSampleNodes } from "../../src/pages/wsdl/sample-message.js";
import { type WsdlParts, wsdlOf } from "./wsdl-text.js";

const address = "http://h.example/a";

function sample(protocol: Protocol, operation: PublishedOperation) {
  return findSample(protocol, operation, { address, fields: createOperationFields(operation).fields });
}

function operationOf(parts: WsdlParts): PublishedOperation {
  const operation = readPublishedWsdl(wsdlOf(parts))?.operations[0];
  if (operation === undefined) {
    throw new Error("The WSDL has no operation.");
  }
  return operation;
}

/** The schema of the element `Op`, whose type has this content. */
const op = (content: string, more = "") =>
  `<x:element name="Op"><x:complexType>${content}</x:complexType></x:element>${more}`;
const sequence = (content: string) => `<x:sequence>${content}</x:sequence>`;

const colour =
  '<x:simpleType name="Colour"><x:restriction base="x:string"><x:enumeration value="red"/><x:enumeration value="blue"/></x:restriction></x:simpleType>';
const point = `<x:complexType name="Point">${sequence('<x:element name="x" type="x:int"/><x:element name="y" type="x:int"/>')}</x:complexType>`;
const node = `<x:complexType name="Node">${sequence('<x:element name="name" type="x:string"/><x:element name="next" type="t:Node" minOccurs="0"/>')}</x:complexType>`;

/** Definitions `G0` to `G40`, each of which refers to the one before it twice, by its name. */
function nested(definitionOf: (name: string, inner: string | undefined) => string): string {
  return Array.from({ length: 41 }, (_, index) =>
    definitionOf(`G${index}`, index === 0 ? undefined : `t:G${index - 1}`),
  ).join("");
}

const twice = (text: string) => text + text;
const group = (name: string, inner?: string) =>
  `<x:group name="${name}">${sequence(inner === undefined ? "" : twice(`<x:group ref="${inner}"/>`))}</x:group>`;
const union = (name: string, inner = "x:int") =>
  `<x:simpleType name="${name}"><x:union memberTypes="${inner} ${inner}"/></x:simpleType>`;
const listOfUnion = (name: string, inner = "x:int") =>
  `<x:simpleType name="${name}"><x:union memberTypes="t:L${name} ${inner}"/></x:simpleType><x:simpleType name="L${name}"><x:list itemType="${inner}"/></x:simpleType>`;

function bodyOf(schema: string, schemaAttributes?: string): string {
  const { soap11 } = operationOf({ schema, ...(schemaAttributes === undefined ? {} : { schemaAttributes }) });
  return soap11 === undefined ? "" : writeSampleNodes(createBodyNodes("soap11", soap11.input));
}

describe("a sample body", () => {
  test.each([
    {
      what: "a plain list",
      schema: op(sequence('<x:element name="a" type="x:string"/><x:element name="b" type="x:decimal"/>')),
      want: "  <a>string</a>\n  <b>1.5</b>\n",
    },
    {
      what: "an enumeration",
      schema: op(sequence('<x:element name="c" type="t:Colour"/>'), colour),
      want: "  <c>red</c>\n",
    },
    {
      what: "a restriction of an enumeration",
      schema: op(
        sequence('<x:element name="c" type="t:Short"/>'),
        `${colour}<x:simpleType name="Short"><x:restriction base="t:Colour"><x:maxLength value="3"/></x:restriction></x:simpleType>`,
      ),
      want: "  <c>red</c>\n",
    },
    {
      what: "a list and a union",
      schema: op(
        sequence(
          '<x:element name="a"><x:simpleType><x:list itemType="x:int"/></x:simpleType></x:element>' +
            '<x:element name="b"><x:simpleType><x:union memberTypes="x:int t:Colour"/></x:simpleType></x:element>',
        ),
        colour,
      ),
      want: "  <a>1 1</a>\n  <b>1</b>\n",
    },
    {
      what: "a repeated element",
      schema: op(sequence('<x:element name="a" type="x:int" maxOccurs="unbounded"/>')),
      want: "  <a>1</a>\n  <a>1</a>\n",
    },
    {
      what: "a record in it",
      schema: op(sequence('<x:element name="p" type="t:Point"/>'), point),
      want: "  <p>\n    <x>1</x>\n    <y>1</y>\n  </p>\n",
    },
    {
      what: "an extension",
      schema: op(
        `<x:complexContent><x:extension base="t:Point">${sequence('<x:element name="z" type="x:int"/>')}</x:extension></x:complexContent>`,
        point,
      ),
      want: "  <x>1</x>\n  <y>1</y>\n  <z>1</z>\n",
    },
    {
      what: "a fixed value",
      schema: op(sequence('<x:element name="a" type="x:string" fixed="&lt;1&gt;"/>')),
      want: "  <a>&lt;1&gt;</a>\n",
    },
    {
      what: "no namespace",
      schema: op(sequence('<x:element name="a" type="x:string" form="unqualified"/>')),
      want: '  <a xmlns="">string</a>\n',
    },
    {
      what: "a reference to an element",
      schema: op(sequence('<x:element ref="t:E"/>'), '<x:element name="E" type="x:date"/>'),
      want: "  <E>2026-01-31</E>\n",
    },
    {
      what: "a substitution group",
      schema: op(
        sequence('<x:element ref="t:Head"/>'),
        '<x:element name="Head" type="x:int" abstract="true"/><x:element name="M" substitutionGroup="t:Head"/><x:element name="N" type="x:byte" substitutionGroup="t:Head"/>',
      ),
      want: "  <M>1</M>\n  <!-- or N -->\n",
    },
    {
      what: "a group",
      schema: op(
        sequence('<x:group ref="t:G"/>'),
        `<x:group name="G">${sequence('<x:element name="a" type="x:int"/>')}</x:group>`,
      ),
      want: "  <a>1</a>\n",
    },
    { what: "any element", schema: op(sequence("<x:any/>")), want: "  <!-- any element -->\n" },
    {
      what: "any type",
      schema: op(sequence('<x:element name="a" type="x:anyType"/>')),
      want: "  <a>text</a>\n",
    },
    {
      what: "a choice",
      schema: op(
        '<x:choice><x:element name="a" type="x:int"/><x:element name="b" type="x:int"/><x:element name="c" type="x:int"/></x:choice>',
      ),
      want: "  <a>1</a>\n  <!-- or b, or c -->\n",
    },
    {
      what: "a type that may contain itself",
      schema: op(sequence('<x:element name="n" type="t:Node"/>'), node),
      want: "  <n>\n    <name>string</name>\n  </n>\n",
    },
    {
      what: "a type that must contain itself",
      schema: op(sequence('<x:element name="n" type="t:Node"/>'), node.replace(' minOccurs="0"', "")),
      want: "  <n>\n    <name>string</name>\n    <next />\n  </n>\n",
    },
  ])("of $what", ({ schema, want }) => {
    expect(bodyOf(schema)).toBe(`<Op xmlns="urn:a">\n${want}</Op>\n`);
  });

  test("of an element of another namespace", () => {
    const other =
      '</x:schema><x:schema targetNamespace="urn:b"><x:element name="a" type="x:string"/></x:schema><x:schema>';
    const schema = op(sequence('<x:element xmlns:b="urn:b" ref="b:a"/>'), other);
    expect(bodyOf(schema)).toBe('<Op xmlns="urn:a">\n  <a xmlns="urn:b">string</a>\n</Op>\n');
  });

  test("of attributes and text", () => {
    const simple =
      '<x:simpleContent><x:extension base="x:double"><x:attribute name="unit" type="x:token" default="m"/></x:extension></x:simpleContent>';
    expect(bodyOf(op(simple))).toBe('<Op xmlns="urn:a" unit="m">1.5</Op>\n');
  });

  test("of attributes with namespaces", () => {
    const attributes =
      '<x:attribute name="a" type="x:int" form="qualified"/><x:attribute ref="xml:lang"/><x:attribute name="no" use="prohibited"/>';
    expect(bodyOf(op(attributes))).toBe('<Op xmlns="urn:a" xmlns:a0="urn:a" a0:a="1" xml:lang="string" />\n');
  });

  test("of an abstract type has the type of a value", () => {
    const shape =
      '<x:complexType name="Shape" abstract="true"/>' +
      `<x:complexType name="Point"><x:complexContent><x:extension base="t:Shape">${sequence('<x:element name="x" type="x:int"/>')}</x:extension></x:complexContent></x:complexType>`;
    expect(bodyOf(`<x:element name="Op" type="t:Shape"/>${shape}`)).toContain(
      '<Op xmlns="urn:a" xsi:type="Point">\n  <x>1</x>',
    );
  });

  test("is limited, however types are nested", () => {
    const types = Array.from({ length: 30 }, (_, index) => {
      const inner = index === 29 ? "x:int" : `t:T${index + 1}`;
      const elements = `<x:element name="a" type="${inner}"/><x:element name="b" type="${inner}"/>`;
      return `<x:complexType name="T${index}">${sequence(elements)}</x:complexType>`;
    });
    expect(bodyOf(`<x:element name="Op" type="t:T0"/>${types.join("")}`).length).toBeLessThan(60_000);
  });

  test("has each attribute once, however groups of attributes are nested", () => {
    const groups = Array.from({ length: 40 }, (_, index) => {
      const reference = `<x:attributeGroup ref="t:G${index + 1}"/>`;
      const content = index === 39 ? '<x:attribute name="a" type="x:int"/>' : reference.repeat(2);
      return `<x:attributeGroup name="G${index}">${content}</x:attributeGroup>`;
    });
    expect(bodyOf(op('<x:attributeGroup ref="t:G0"/>', groups.join("")))).toBe('<Op xmlns="urn:a" a="1" />\n');
  });

  test("is written for many nested groups of attributes", () => {
    const groups = Array.from(
      { length: 20_000 },
      (_, index) => `<x:attributeGroup name="G${index}"><x:attributeGroup ref="t:G${index + 1}"/></x:attributeGroup>`,
    );
    expect(bodyOf(op('<x:attributeGroup ref="t:G0"/>', groups.join("")))).toBe('<Op xmlns="urn:a" />\n');
  });

  test("is limited, however empty groups are nested", () => {
    const groups = Array.from({ length: 30 }, (_, index) => {
      const reference = `<x:group ref="t:G${index + 1}"/>`;
      return `<x:group name="G${index}">${sequence(index === 29 ? "" : reference.repeat(2))}</x:group>`;
    });
    expect(bodyOf(op(sequence('<x:group ref="t:G0"/>'), groups.join("")))).toBe('<Op xmlns="urn:a" />\n');
  });

  // Without a limit, each of these takes longer than the universe has existed.
  test.each([
    { what: "groups", schema: op('<x:group ref="t:G40"/>', nested(group)), wanted: "<Op" },
    { what: "unions", schema: `<x:element name="Op" type="t:G40"/>${nested(union)}`, wanted: ">1</Op>" },
    { what: "lists", schema: `<x:element name="Op" type="t:G40"/>${nested(listOfUnion)}`, wanted: "<Op" },
  ])("is written at once if $what refer to others twice", ({ schema, wanted }) => {
    const operation = operationOf({ schema });
    expect(bodyOf(schema)).toContain(wanted);
    expect(bodyOf(schema).length).toBeLessThan(2_000);
    expect(createOperationFields(operation)).toBeDefined();
    expect(JSON.stringify(listParameters(operation)).length).toBeLessThan(10_000);
  });

  test.each([
    {
      what: "types",
      schema:
        '<x:complexType name="A"><x:complexContent><x:extension base="t:A"/></x:complexContent></x:complexType><x:element name="Op" type="t:A"/>',
    },
    {
      what: "groups",
      schema: op('<x:group ref="t:G"/>', '<x:group name="G"><x:sequence><x:group ref="t:G"/></x:sequence></x:group>'),
    },
    {
      what: "simple types",
      schema: '<x:simpleType name="A"><x:restriction base="t:A"/></x:simpleType><x:element name="Op" type="t:A"/>',
    },
    { what: "elements", schema: '<x:element name="Op" substitutionGroup="t:Op"/>' },
    {
      what: "attribute groups",
      schema: op(
        '<x:attributeGroup ref="t:G"/>',
        '<x:attributeGroup name="G"><x:attributeGroup ref="t:G"/></x:attributeGroup>',
      ),
    },
  ])("is written for $what that refer to themselves", ({ schema }) => {
    expect(bodyOf(schema)).toMatch(/^<Op xmlns="urn:a"/);
  });
});

describe("the fields of an operation", () => {
  const annotation = "<x:annotation><x:documentation>what it is</x:documentation></x:annotation>";
  const element = (attributes: string, more = "") =>
    op(sequence(`<x:element name="a" ${attributes}>${annotation}</x:element>`), more);

  test.each([
    { schema: element('type="x:string"'), want: { kind: "string", control: "text", documentation: "what it is" } },
    {
      schema: element('type="x:string" minOccurs="0"'),
      want: { kind: "string", isRequired: false, soap: { optional: true } },
    },
    { schema: element('type="x:int" maxOccurs="3"'), want: { kind: "int, one per line", control: "lines" } },
    { schema: element('type="t:Colour"', colour), want: { control: "choice", choices: ["red", "blue"] } },
    { schema: element('type="x:boolean"'), want: { control: "choice", choices: ["true", "false"] } },
    {
      schema: element('type="t:Point"', point),
      want: { control: "xml", value: "<a>\n  <x>1</x>\n  <y>1</y>\n</a>", soap: { start: "", end: "" } },
    },
  ])("are $want for $schema", ({ schema, want }) => {
    expect(createOperationFields(operationOf({ schema }))).toMatchObject({
      fields: [want],
      wrapper: ['<Op xmlns="urn:a">', "</Op>"],
    });
  });

  test.each([
    op(`${sequence('<x:element name="b" type="x:int"/>')}<x:attribute name="a" type="x:int"/>`),
    op('<x:simpleContent><x:extension base="x:int"/></x:simpleContent>'),
    op('<x:choice><x:element name="a" type="x:int"/><x:element name="b" type="x:int"/></x:choice>'),
    op(sequence("<x:any/>")),
    '<x:element name="Op" type="x:string"/>',
  ])("are the body as XML if it is not a plain list: %s", (schema) => {
    const { fields, wrapper } = createOperationFields(operationOf({ schema }));
    expect(fields).toMatchObject([{ name: "Body", control: "xml" }]);
    expect(fields[0]?.value).toMatch(/^<Op xmlns="urn:a"/);
    expect(wrapper).toEqual(["", ""]);
  });

  test("are the parameters if there is no SOAP", () => {
    const strings =
      '<x:complexType name="Strings"><x:complexContent><x:restriction base="enc:Array"><x:attribute ref="enc:arrayType" w:arrayType="x:string[]"/></x:restriction></x:complexContent></x:complexType>';
    const operation = operationOf({
      schema: strings,
      parts: '<w:part name="A" type="x:string"/><w:part name="b" type="t:Strings"/>',
      answerParts: '<w:part name="Body" type="x:string"/>',
      bindings: [
        {
          protocol: "httpGet",
          operation: '<http:operation location="/Op"/>',
          input: "<http:urlEncoded/>",
          output: '<mime:content type="text/plain"/>',
        },
      ],
    });
    expect(createOperationFields(operation).fields).toMatchObject([
      { name: "A", parameter: "A", control: "text" },
      { name: "b", parameter: "b", control: "lines" },
    ]);
    expect(sample("httpGet", operation)?.response).toMatch(/text\/plain[\s\S]*string$/);
  });

  test("include each header block", () => {
    const operation = operationOf({
      schema: op("", '<x:element name="Session" type="x:string"/>'),
      messages: '<w:message name="H"><w:part name="h" element="t:Session"/></w:message>',
      bindings: [
        { protocol: "soap11", input: '<soap:body use="literal"/><soap:header message="t:H" part="h" use="literal"/>' },
      ],
    });
    expect(createOperationFields(operation).fields).toMatchObject([
      {
        name: "Session",
        control: "xml",
        value: '<Session xmlns="urn:a">string</Session>',
        soap: { place: "header", optional: true },
      },
    ]);
  });

  test("an encoded body has the types of its values", () => {
    const operation = operationOf({
      schema: point,
      schemaAttributes: "",
      parts: '<w:part name="a" type="x:int"/><w:part name="p" type="t:Point"/>',
      bindings: [{ protocol: "soap11", style: "rpc", input: '<soap:body use="encoded" namespace="urn:a"/>' }],
    });
    const text = sample("soap11", operation)?.request;
    expect(text).toContain('soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"');
    expect(text).toContain('<Op xmlns="urn:a">');
    expect(text).toContain('<a xmlns="" xsi:type="xsd:int">1</a>');
    expect(text).toContain('<p xmlns="" xmlns:q="urn:a" xsi:type="q:Point">');
    expect(createOperationFields(operation).fields[0]?.soap?.start).toBe('<a xmlns="" xsi:type="xsd:int">');
  });

  test.each([
    { protocol: "soap11", want: 'xsi:type="soapenc:Array" soapenc:arrayType="xsd:int[2]"' },
    { protocol: "soap12", want: 'xsi:type="soapenc:Array" soapenc:itemType="xsd:int" soapenc:arraySize="2"' },
  ] as const)("an array has the type of its items in $protocol", ({ protocol, want }) => {
    const numbers =
      '<x:complexType name="Numbers"><x:complexContent><x:restriction base="enc:Array"><x:attribute ref="enc:arrayType" w:arrayType="x:int[]"/></x:restriction></x:complexContent></x:complexType>';
    const prefix = protocol === "soap11" ? "soap" : "soap12";
    const operation = operationOf({
      schema: numbers,
      parts: '<w:part name="list" type="t:Numbers"/>',
      bindings: [{ protocol, style: "rpc", input: `<${prefix}:body use="encoded" namespace="urn:a"/>` }],
    });
    const text = sample(protocol, operation)?.request;
    expect(text).toContain(want);
    expect(text?.match(/<item xsi:type="xsd:int">1<\/item>/g)).toHaveLength(2);
    expect(createOperationFields(operation).fields[0]).toMatchObject({ name: "list", control: "xml" });
  });

  test("a required action is in the content type of SOAP 1.2", () => {
    const operation = operationOf({
      schema: op(""),
      bindings: [
        {
          protocol: "soap12",
          operation: '<soap12:operation soapAction="urn:a/Op" soapActionRequired="true"/>',
          input: '<soap12:body use="literal"/>',
        },
      ],
    });
    const text = sample("soap12", operation)?.request;
    expect(text).toContain('Content-Type: application/soap+xml; charset=utf-8; action="urn:a/Op"\n');
  });
});

describe("the list of parameters", () => {
  const repeated = '<x:element name="list" type="x:int" minOccurs="0" maxOccurs="unbounded"/>';
  test.each([
    {
      what: "a plain list",
      schema: op(sequence(`<x:element name="a" type="x:int"/>${repeated}`)),
      want: ["a* int", "list int[]"],
    },
    {
      what: "types with names",
      schema: op(sequence('<x:element name="p" type="t:Point"/><x:element name="c" type="t:Colour"/>'), point + colour),
      want: ["p* Point", "c* Colour"],
    },
    {
      what: "a choice, a group and attributes",
      schema: op(
        `${sequence('<x:choice><x:element name="a" type="x:int"/><x:element name="b" type="x:int"/></x:choice><x:group ref="t:G"/><x:any/>')}<x:attribute name="c" type="x:int"/>`,
        `<x:group name="G">${sequence('<x:element name="d" type="x:anyType"/>')}</x:group>`,
      ),
      want: ["a int", "b int", "d* any"],
    },
    { what: "an element with text", schema: '<x:element name="Op" type="x:string"/>', want: ["Op* string"] },
    { what: "an empty element", schema: op(""), want: [] },
  ])("has the elements of $what", ({ schema, want }) => {
    const parameters = listParameters(operationOf({ schema }));
    expect(parameters.map(({ name, kind, isRequired }) => `${name}${isRequired ? "*" : ""} ${kind}`)).toEqual(want);
  });
});
