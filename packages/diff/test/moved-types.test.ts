import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { type Sources, sideOf } from "./proof/contracts.js";

type Form = "qualified" | "unqualified";
type File = "orders" | "common";

const line =
  '<xs:complexType name="Line"><xs:sequence><xs:element name="sku" type="xs:string"/><xs:element name="count" type="xs:int"/></xs:sequence></xs:complexType>';

/** A service with two schemas in separate files, of which one declares the type `Line`. */
function sourcesOf(owner: File, forms: Readonly<Record<File, Form>>): Sources {
  const schema = (file: File, content: string) =>
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:o="urn:orders" xmlns:c="urn:common" targetNamespace="urn:${file}" elementFormDefault="${forms[file]}">\n${content}${owner === file ? `\n${line}` : ""}\n</xs:schema>`;
  const prefix = owner === "orders" ? "o" : "c";
  return {
    "orders.xsd": schema(
      "orders",
      `<xs:import namespace="urn:common" schemaLocation="common.xsd"/><xs:element name="Put"><xs:complexType><xs:sequence><xs:element name="line" type="${prefix}:Line"/><xs:element name="name" type="c:Name"/></xs:sequence></xs:complexType></xs:element>`,
    ),
    "common.xsd": schema(
      "common",
      '<xs:complexType name="Name"><xs:sequence><xs:element name="first" type="xs:string"/></xs:sequence></xs:complexType>',
    ),
    "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:o="urn:orders" xmlns:t="urn:t" targetNamespace="urn:t">
<types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:orders" schemaLocation="orders.xsd"/></xs:schema></types>
<message name="PutIn"><part name="p" element="o:Put"/></message>
<portType name="P"><operation name="Put"><input message="t:PutIn"/></operation></portType>
<binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/><operation name="Put"><soap:operation soapAction="urn:put"/><input><soap:body use="literal"/></input></operation></binding>
<service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/s"/></port></service>
</definitions>`,
  };
}

const allForms: readonly Readonly<Record<File, Form>>[] = [
  { orders: "qualified", common: "qualified" },
  { orders: "qualified", common: "unqualified" },
  { orders: "unqualified", common: "qualified" },
];

test.each(allForms)("a type that moves to the schema of another namespace is named (%o)", (forms) => {
  const [before, after] = [sourcesOf("orders", forms), sourcesOf("common", forms)].map(sideOf);
  if (before === undefined || after === undefined) {
    throw new Error("There are no versions.");
  }
  for (const changes of [diffContracts(before, after).changes, diffContracts(after, before).changes]) {
    expect(changes.map(({ rule, subject, newPosition }) => [rule, subject, newPosition?.path])).toEqual([
      ["declaration-moved", "Line", expect.stringMatching(/^(?:orders|common)\.xsd$/)],
    ]);
    expect(changes[0]?.consequences).toMatchObject({ oldClients: "breaks", newClients: "breaks" });
  }
});

test("the elements of a schema that gets another form are reported as such", () => {
  const qualified = sideOf(sourcesOf("orders", { orders: "qualified", common: "qualified" }));
  const unqualified = sideOf(sourcesOf("orders", { orders: "unqualified", common: "qualified" }));
  expect(diffContracts(qualified, unqualified).changes.map(({ rule, subject }) => [rule, subject])).toEqual([
    ["namespace-changed", "urn:orders"],
  ]);
});
