import { join } from "node:path";
import { type Contract, Diagnostics, generate, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";

const header = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:t="urn:shop" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:shop">`;

/** Writes a WSDL with any number of operations, each with two elements and a type. */
export function writeSyntheticWsdl(operations: number): string {
  const repeatText = (text: (index: number) => string): string =>
    Array.from({ length: operations }, (_, i) => text(i)).join("\n");
  return `${header}
<types><xs:schema targetNamespace="urn:shop" elementFormDefault="qualified">
${repeatText(
  (i) => `<xs:complexType name="Item${i}"><xs:sequence>${writeFields(i)}</xs:sequence></xs:complexType>
<xs:element name="Find${i}"><xs:complexType><xs:sequence><xs:element name="Key" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="Find${i}Response"><xs:complexType><xs:sequence><xs:element name="Found" type="t:Item${i}" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>`,
)}
</xs:schema></types>
${repeatText(
  (i) => `<message name="Find${i}In"><part name="parameters" element="t:Find${i}"/></message>
<message name="Find${i}Out"><part name="parameters" element="t:Find${i}Response"/></message>`,
)}
<portType name="Shop">${repeatText((i) => `<operation name="Find${i}"><input message="t:Find${i}In"/><output message="t:Find${i}Out"/></operation>`)}</portType>
<binding name="ShopSoap" type="t:Shop"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
${repeatText((i) => `<operation name="Find${i}"><soap:operation soapAction="urn:shop/Find${i}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`)}
</binding>
<service name="Shop"><port name="ShopSoap" binding="t:ShopSoap"><soap:address location="http://shop.example/"/></port></service>
</definitions>`;
}

function writeFields(index: number): string {
  const previousElement = index === 0 ? "" : `<xs:element name="Like" type="t:Item${index - 1}" minOccurs="0"/>`;
  const textFields = ["Name", "Colour", "Size", "Maker", "Note"].map(
    (name) => `<xs:element name="${name}" type="xs:string" minOccurs="0"/>`,
  );
  return `${textFields.join("")}<xs:element name="Count" type="xs:int"/>${previousElement}`;
}

const templates = readFolder(join(import.meta.dirname, "..", "..", "..", "templates"));

/** Generates from a synthetic WSDL in memory, without writing. */
export function generateSynthetic(operations: number): void {
  readSyntheticContract(operations);
}

/** Reads the contract of a synthetic WSDL. */
export function readSyntheticContract(operations: number): Contract {
  const diagnostics = new Diagnostics();
  const config = readConfigFromFlags(
    { wsdl: ["shop.wsdl"], index: undefined, name: "shop", lenient: false },
    diagnostics,
    {
      runtime: "^0.1.0",
    },
  );
  if (config === undefined) {
    throw new Error("The generator refused the configuration of the synthetic WSDL.");
  }
  const bytes = new TextEncoder().encode(writeSyntheticWsdl(operations));
  const { plan, contract } = generate({ readFile: () => ({ kind: "file", bytes }), templates, config });
  if (plan === undefined) {
    throw new Error("The generator refused the synthetic WSDL.");
  }
  return contract;
}
