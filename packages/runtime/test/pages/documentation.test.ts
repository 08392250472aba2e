import { expect, test } from "vitest";
import { noDocumentation, readDocumentation } from "../../src/pages/published-wsdl.js";

const wsdl = (inside: string) =>
  `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema">${inside}</w:definitions>`;
const documented = (text: string) => `<w:documentation>${text}</w:documentation>`;
const annotated = (text: string) => `<s:annotation><s:documentation>${text}</s:documentation></s:annotation>`;

test("operations are documented in the port type, and there alone", () => {
  const { operations } = readDocumentation(
    wsdl(
      `<w:portType name="P"><w:operation name="A">${documented("first")}<w:input/></w:operation></w:portType>` +
        `<w:binding name="B"><w:operation name="A">${documented("how")}</w:operation></w:binding>`,
    ),
    "S",
  );
  expect([...operations]).toEqual([["A", "first"]]);
});

test.each([
  { inside: `${documented("all")}<w:service name="S">${documented("own")}</w:service>`, want: "own" },
  { inside: `${documented("all")}<w:service name="T">${documented("other")}</w:service>`, want: "all" },
  { inside: `<w:service name="S">${documented(" \n one\n   two\n")}</w:service>`, want: "one\ntwo" },
  { inside: `${documented("a <b>bold</b> word")}`, want: "a bold word" },
  { inside: "", want: undefined },
])("the service is documented as $want", ({ inside, want }) => {
  expect(readDocumentation(wsdl(inside), "S").service).toBe(want);
});

test("members are documented by the type or element that holds them", () => {
  const schema =
    `<w:types><s:schema targetNamespace="urn:a">` +
    `<s:element name="Find"><s:complexType><s:sequence><s:element name="Key">${annotated("what to find")}</s:element></s:sequence></s:complexType></s:element>` +
    `<s:complexType name="Thing"><s:sequence><s:element name="Size">${annotated("in metres")}</s:element></s:sequence>` +
    `<s:attribute name="unit">${annotated("of size")}</s:attribute></s:complexType>` +
    `</s:schema></w:types>`;
  expect([...readDocumentation(wsdl(schema), "S").members]).toEqual([
    ["{urn:a}Find/Key", "what to find"],
    ["{urn:a}Thing/Size", "in metres"],
    ["{urn:a}Thing/unit", "of size"],
  ]);
});

test.each(["", "not XML", "<a>", "<!DOCTYPE a><a/>"])("a document that cannot be read says nothing: '%s'", (text) => {
  expect(readDocumentation(text, "S")).toEqual(noDocumentation);
});
