import { join } from "node:path";
import { Diagnostics, generate, type ReadFile, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";

const templates = readFolder(join(import.meta.dirname, "..", "..", "..", "..", "templates"));

/** Returns the WSDL of a service with `size` operations, records, choices, enumerations and derived types. */
function service(size: number): string {
  const each = (text: (index: number) => string) => Array.from({ length: size }, (_, index) => text(index)).join("\n");
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t" name="Large">
<w:types><x:schema targetNamespace="urn:t" elementFormDefault="qualified">
${each(
  (
    index,
  ) => `<x:element name="Op${index}"><x:complexType><x:sequence><x:element name="in" type="t:Record${index}"/><x:element name="other" type="t:Record${(index * 7) % size}" minOccurs="0"/></x:sequence></x:complexType></x:element>
<x:complexType name="Record${index}"><x:annotation><x:documentation>The record of ${index}.</x:documentation></x:annotation><x:sequence>
  <x:element name="a" type="x:string"/><x:element name="b" type="x:int" minOccurs="0"/><x:element name="c" type="t:Colour${index}" maxOccurs="unbounded"/>
  <x:choice><x:element name="d" type="x:date"/><x:element name="e" type="x:decimal"/></x:choice></x:sequence><x:attribute name="f" type="x:boolean"/></x:complexType>
<x:complexType name="Derived${index}"><x:complexContent><x:extension base="t:Record${index - (index % 10)}"><x:sequence><x:element name="more" type="x:string"/></x:sequence></x:extension></x:complexContent></x:complexType>
<x:simpleType name="Colour${index}"><x:restriction base="x:string"><x:enumeration value="red"/><x:enumeration value="green"/></x:restriction></x:simpleType>`,
)}
</x:schema></w:types>
${each((index) => `<w:message name="In${index}"><w:part name="p" element="t:Op${index}"/></w:message>`)}
<w:portType name="P">${each((index) => `<w:operation name="Op${index}"><w:input message="t:In${index}"/></w:operation>`)}</w:portType>
<w:binding name="B" type="t:P"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>${each((index) => `<w:operation name="Op${index}"><s:operation soapAction="urn:t/Op${index}"/><w:input><s:body use="literal"/></w:input></w:operation>`)}</w:binding>
<w:service name="Large"><w:port name="P" binding="t:B"><s:address location="http://large.example/"/></w:port></w:service>
</w:definitions>`;
}

/**
 * Returns a WSDL with `size` types derived from one base type, and `size` elements that may have each of these types.
 */
function family(size: number): string {
  const each = (text: (index: number) => string) => Array.from({ length: size }, (_, index) => text(index)).join("\n");
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t" name="Large">
<w:types><x:schema targetNamespace="urn:t" elementFormDefault="qualified">
<x:element name="Op"><x:complexType><x:sequence>${each((index) => `<x:element name="m${index}" type="t:Base"/>`)}</x:sequence></x:complexType></x:element>
<x:complexType name="Base"><x:sequence><x:element name="a" type="x:int"/></x:sequence></x:complexType>
${each((index) => `<x:complexType name="D${index}"><x:complexContent><x:extension base="t:Base"/></x:complexContent></x:complexType>`)}
</x:schema></w:types>
<w:message name="In"><w:part name="p" element="t:Op"/></w:message>
<w:portType name="P"><w:operation name="Op"><w:input message="t:In"/></w:operation></w:portType>
<w:binding name="B" type="t:P"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/><w:operation name="Op"><w:input><s:body use="literal"/></w:input></w:operation></w:binding>
</w:definitions>`;
}

/** Generates from a WSDL. Returns the processor time in milliseconds. */
function cost(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const readFile: ReadFile = () => ({ kind: "file", bytes });
  const flags = { wsdl: ["large.wsdl"], index: undefined, name: undefined };
  const config = readConfigFromFlags(flags, new Diagnostics(), { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error("no configuration");
  }
  const start = processorTime();
  const { tree, diagnostics } = generate({ readFile, templates, config });
  const time = processorTime() - start;
  expect(tree.size, JSON.stringify(diagnostics[0]?.message)).toBeGreaterThan(0);
  return time;
}

/**
 * Returns the ratio of the shortest times for four times a size and for the size. Other load can only increase a
 * measurement, so more rounds approach the true ratio.
 */
function growth(text: (size: number) => string, size: number): number {
  const [small, large] = [text(size), text(4 * size)];
  for (let round = 0; round < 3; round += 1) {
    cost(small);
  }
  let least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 6; round += 1) {
    least = { small: Math.min(least.small, cost(small)), large: Math.min(least.large, cost(large)) };
    if (round > 0 && least.large / least.small <= bound) {
      break;
    }
  }
  return least.large / least.small;
}

/** The maximum ratio. Linear growth has a ratio of 4. */
const bound = 4.5;

test.each([
  ["operations and their types", service, 100],
  ["types derived from one", family, 500],
])("four times the input costs at most 4.5 times the time: %s", { timeout: 120_000 }, (_, text, size) => {
  expect(growth(text, size)).toBeLessThanOrEqual(bound);
});
