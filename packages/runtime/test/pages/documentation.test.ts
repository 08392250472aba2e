import { expect, test } from "vitest";
import { readPublishedWsdl } from "../../src/pages/wsdl/published-wsdl.js";
import { definitions, wsdlOf } from "./wsdl-text.js";

const documented = (text: string) => `<w:documentation>${text}</w:documentation>`;
const annotated = (text: string) => `<x:annotation><x:documentation>${text}</x:documentation></x:annotation>`;

test("operations are documented in the port type, and not in the binding", () => {
  const wsdl = wsdlOf({})
    .replace('<w:operation name="Op"><w:input message', `<w:operation name="Op">${documented("first")}<w:input message`)
    .replace('<w:operation name="Op"><soap', `<w:operation name="Op">${documented("how")}<soap`);
  expect(wsdl).toContain("how");
  expect(readPublishedWsdl(wsdl)?.operations).toMatchObject([{ name: "Op", documentation: "first" }]);
});

test.each([
  { inside: `${documented("all")}<w:service name="S">${documented("own")}</w:service>`, want: "own" },
  { inside: `${documented("all")}<w:service name="S"/>`, want: "all" },
  { inside: `<w:service name="S">${documented(" \n one\n   two\n")}</w:service>`, want: "one\ntwo" },
  { inside: `${documented("a <b>bold</b> word")}<w:service name="S"/>`, want: "a bold word" },
  { inside: '<w:service name="S"/>', want: undefined },
])("the service is documented as $want", ({ inside, want }) => {
  expect(readPublishedWsdl(definitions(inside))?.documentation).toBe(want);
});

test("elements are documented by the type that contains them, or by the element that they refer to", () => {
  const schema =
    `<x:element name="Op"><x:complexType><x:sequence><x:element name="Key" type="x:int">${annotated("what to find")}</x:element>` +
    `<x:element ref="t:Size"/></x:sequence></x:complexType></x:element>` +
    `<x:element name="Size" type="x:int">${annotated("in metres")}</x:element>`;
  const body = readPublishedWsdl(wsdlOf({ schema }))?.operations[0]?.soap11?.input.body[0];
  const type = body?.kind === "element" ? body.element.readType() : undefined;
  const documentation =
    type?.kind === "complex"
      ? type.readContent().map((particle) => particle.kind === "element" && particle.element.documentation)
      : [];
  expect(documentation).toEqual(["what to find", "in metres"]);
});

test.each(["", "not XML", "<a>", "<a/>", "<!DOCTYPE a><a/>", definitions("")])(
  "a document without a service is not read: '%s'",
  (text) => {
    expect(readPublishedWsdl(text)).toBeUndefined();
  },
);
