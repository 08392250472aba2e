import { join } from "node:path";
import { Diagnostics, generate, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { expect, test } from "vitest";

const templates = readFolder(join(import.meta.dirname, "..", "..", "..", "..", "templates"));

/** Returns a WSDL with `count` services, each with two operations. The services share all types. */
function manyServices(count: number): string {
  const each = (text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join("\n");
  const record = (index: number) =>
    `<x:complexType name="Record${index}"><x:annotation><x:documentation>The record of ${index}.</x:documentation></x:annotation><x:sequence>
      ${Array.from({ length: 30 }, (_, member) => `<x:element name="member${member}" type="${member === 0 ? `t:Record${(index + 1) % (count * 4)}` : "x:string"}" minOccurs="0"/>`).join("\n")}
    </x:sequence></x:complexType>`;
  const operation = (index: number, bound: boolean) =>
    ["Get", "Put"]
      .map((verb) => {
        const content = bound
          ? `<s:operation soapAction="urn:t/${verb}${index}"/><w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output>`
          : `<w:input message="t:${verb}${index}In"/><w:output message="t:${verb}${index}Out"/>`;
        return `<w:operation name="${verb}${index}">${content}</w:operation>`;
      })
      .join("");
  const elements = (index: number) =>
    ["Get", "Put"]
      .flatMap((verb) => [`${verb}${index}`, `${verb}${index}Response`])
      .map(
        (name) =>
          `<x:element name="${name}"><x:complexType><x:sequence><x:element name="record" type="t:Record${index}"/></x:sequence></x:complexType></x:element>`,
      )
      .join("\n");
  const messages = (index: number) =>
    ["Get", "Put"]
      .map(
        (verb) =>
          `<w:message name="${verb}${index}In"><w:part name="p" element="t:${verb}${index}"/></w:message><w:message name="${verb}${index}Out"><w:part name="p" element="t:${verb}${index}Response"/></w:message>`,
      )
      .join("\n");
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
<w:types><x:schema targetNamespace="urn:t" elementFormDefault="qualified">
${Array.from({ length: count * 4 }, (_, index) => record(index)).join("\n")}
${each(elements)}
</x:schema></w:types>
${each(messages)}
${each((index) => `<w:portType name="P${index}">${operation(index, false)}</w:portType>`)}
${each((index) => `<w:binding name="B${index}" type="t:P${index}"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>${operation(index, true)}</w:binding>`)}
${each((index) => `<w:service name="Service${index}"><w:port name="Port${index}" binding="t:B${index}"><s:address location="http://x.example/${index}"/></w:port></w:service>`)}
</w:definitions>`;
}

function outputOf(text: string): ReadonlyMap<string, string> {
  const diagnostics = new Diagnostics();
  const flags = { wsdl: ["many.wsdl"], index: undefined, name: undefined, lenient: false };
  const config = readConfigFromFlags(flags, diagnostics, { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error("the flags are wrong");
  }
  const bytes = new TextEncoder().encode(text);
  const { tree, diagnostics: reported } = generate({ readFile: () => ({ kind: "file", bytes }), templates, config });
  expect(reported.filter(({ severity }) => severity === "error")).toEqual([]);
  return tree;
}

/** Returns the paths of the files that contain a text. */
function filesWith(text: string, tree: ReadonlyMap<string, string>): readonly string[] {
  return [...tree].filter(([, content]) => content.includes(text)).map(([path]) => path);
}

test("the output for a WSDL of 24 services is at most six times its size, with each type and the document only once", () => {
  const wsdl = manyServices(24);
  const tree = outputOf(wsdl);
  const sizes = [...tree.values()].map((content) => Buffer.byteLength(content));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  console.log(`${wsdl.length} bytes of WSDL, ${size} bytes of output in ${tree.size} files`);
  expect(size).toBeLessThanOrEqual(6 * wsdl.length);
  expect(filesWith("export interface Record0 {", tree)).toEqual(["contract/src/many/types.ts"]);
  expect(filesWith("export const record0Descriptor", tree)).toHaveLength(1);
  // The document's schema is in the file that the services share, and each service's file has only its wsdl:service.
  expect(
    filesWith('<x:complexType name=\\"Record0\\">', tree).length +
      filesWith('<x:complexType name="Record0">', tree).length,
  ).toBe(1);
});
