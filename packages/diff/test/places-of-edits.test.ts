import { expect, test } from "vitest";
import { diffContracts, type SourcePosition } from "../src/index.js";
import { type Sources, sideOf } from "./proof/contracts.js";

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
  xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:t="urn:wsdl"
  xmlns:e="urn:schema"
  targetNamespace="urn:wsdl">
<types>
<schema xmlns="http://www.w3.org/2001/XMLSchema"
  targetNamespace="urn:schema"
  elementFormDefault="qualified">
<element name="Ask"><complexType><sequence><element name="q" type="string"/><element name="user" type="string"/></sequence></complexType></element>
<element name="AskOther"><complexType><sequence><element name="q" type="string"/><element name="user" type="string"/></sequence></complexType></element>
<element name="AskResponse"><complexType><sequence><element name="r" type="string"/></sequence></complexType></element>
</schema>
</types>
<message name="AskIn">
<part name="p" element="e:Ask"/>
</message>
<message name="TellIn"><part name="p" element="e:AskOther"/></message>
<message name="AskOut"><part name="p" element="e:AskResponse"/></message>
<message name="AddIn"><part name="n" type="xs:int"/></message>
<message name="AddOut"><part name="sum" type="xs:decimal"/></message>
<portType name="Documents"><operation name="Ask"><input message="t:AskIn"/><output message="t:AskOut"/></operation><operation name="Tell"><input message="t:TellIn"/><output message="t:AskOut"/></operation></portType>
<portType name="Calls"><operation name="Add"><input message="t:AddIn"/><output message="t:AddOut"/></operation></portType>
<binding name="D" type="t:Documents"><soap12:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>
<operation name="Ask"><soap12:operation soapAction="urn:action/Ask"/>
<input><soap12:body use="literal"/></input>
<output><soap12:body use="literal"/></output></operation>
<operation name="Tell"><soap12:operation soapAction="urn:action/Tell"/>
<input><soap12:body use="literal"/></input><output><soap12:body use="literal"/></output></operation>
</binding>
<binding name="C" type="t:Calls"><soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="rpc"/>
<operation name="Add"><soap:operation soapAction="urn:action/Add"/>
<input>
<soap:body use="literal" namespace="urn:in"/>
</input>
<output>
<soap:body use="literal" namespace="urn:out"/>
</output></operation>
</binding>
<service name="S">
<port name="D" binding="t:D"><soap12:address location="http://s.example/d"/></port>
</service>
<service name="More">
<port name="C" binding="t:C"><soap:address location="http://s.example/c"/></port>
</service>
</definitions>`;

const index = `{ "name": "Shop", "namespaces": ["shop/v1"], "routes": {
"/shop/v1/items": { "namespace": "shop/v1", "methods": ["GET"], "endpoints": [{ "methods": ["GET"], "args": {} }] },
"/shop/v1/sales": { "namespace": "shop/v1", "methods": ["GET"], "endpoints": [{ "methods": ["GET"], "args": {} }] }
} }`;

const settings = `{ "packages": { "path": "generated", "name": "generated" }, "interfaces": {
"orders": {
"wsdl": ["orders.wsdl"],
"ambient": [
"user",
"q"
],
"conventions": "asmx",
"typeMap": {
"decimal": "number"
},
"names": {
"Add": "addUp"
},
"operations": [
"Ask",
"Add",
"Tell"
],
"soap12Action": false,
"tolerate": [
"nil",
"facets"
],
"wireNames": { "operations": [
"Ask"
] } },
"http": { "wsdl": ["http.wsdl"] },
"shop": {
"index": "shop.json",
"routes": [
"/shop/v1/items",
"/shop/v1/sales"
],
"base": {
"path": "/{lang}/{shop}/api",
"values": {
"lang": [
"en",
"pt"
],
"shop": ["a"]
},
"language": {
"variable": "lang"
} },
"wireNames": { "segments": [
"items"
] } } } }`;

// The operations over HTTP GET have the binding of another port type. Both services include a schema that has no target
// namespace.
const httpWsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"
  xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:t="urn:http" targetNamespace="urn:http">
<types><xs:schema targetNamespace="urn:http" elementFormDefault="qualified">
<xs:include schemaLocation="records.xsd"/>
<xs:element name="Ask"><xs:complexType><xs:sequence/></xs:complexType></xs:element>
<xs:element name="AskResponse"><xs:complexType><xs:sequence>
<xs:element name="AskResult" type="t:Car" minOccurs="0"/>
</xs:sequence></xs:complexType></xs:element>
<xs:element name="Car" nillable="true" type="t:Car"/>
<xs:element name="Truck" nillable="true" type="t:Truck"/>
</xs:schema></types>
<message name="AskIn"><part name="p" element="t:Ask"/></message>
<message name="AskOut"><part name="p" element="t:AskResponse"/></message>
<message name="AskGetIn"/>
<message name="AskGetOut">
<part name="Body" element="t:Car"/>
</message>
<portType name="Soap">
<operation name="Ask"><input message="t:AskIn"/><output message="t:AskOut"/></operation>
<operation name="Tell"><input message="t:AskIn"/></operation>
</portType>
<portType name="Get">
<operation name="Ask"><input message="t:AskGetIn"/><output message="t:AskGetOut"/></operation>
<operation name="Tell"><input message="t:AskGetIn"/></operation>
</portType>
<binding name="Soap" type="t:Soap"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="Ask"><soap:operation soapAction="a"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
<operation name="Tell"><soap:operation soapAction="b"/><input><soap:body use="literal"/></input></operation>
</binding>
<binding name="Get" type="t:Get"><http:binding verb="GET"/>
<operation name="Ask"><http:operation location="/Ask"/><input><http:urlEncoded/></input><output>
<mime:mimeXml part="Body"/>
</output></operation>
<operation name="Tell"><http:operation location="/Tell"/><input><http:urlEncoded/></input></operation>
</binding>
<service name="Http">
<port name="Soap" binding="t:Soap"><soap:address location="http://s.example/soap"/></port>
<port name="Get" binding="t:Get"><http:address location="http://s.example/get"/></port>
</service>
</definitions>`;

const records = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
<xs:complexType name="Car"><xs:sequence>
<xs:element name="colour" type="xs:string"/>
<xs:element name="make" type="xs:string"/>
</xs:sequence></xs:complexType>
<xs:complexType name="Truck"><xs:sequence>
<xs:element name="load" type="xs:string"/>
</xs:sequence></xs:complexType>
</xs:schema>`;

const httpEdits: readonly Edit[] = [
  {
    file: "http.wsdl",
    replacements: {
      '<message name="AskGetIn"/>': '<message name="AskGetIn">\n<part name="n" type="xs:int"/>\n</message>',
    },
    rules: ["member-added-", "member-removed-"],
  },
  {
    file: "http.wsdl",
    replacements: { '<part name="Body" element="t:Car"/>': '<part name="Body" element="t:Truck"/>' },
    rules: ["output-element-changed", "type-replaced"],
  },
  {
    file: "http.wsdl",
    replacements: { '<xs:element name="Car" nillable="true"': '<xs:element name="Car"' },
    rules: ["member-became-"],
  },
  {
    file: "http.wsdl",
    replacements: {
      '<xs:element name="Car" nillable="true" type="t:Car"': '<xs:element name="Car" nillable="true" type="t:Truck"',
    },
    rules: ["type-replaced"],
  },
  {
    file: "http.wsdl",
    replacements: { '<mime:mimeXml part="Body"/>': '<mime:content part="Body" type="image/png"/>' },
    rules: ["output-element-changed"],
  },
  {
    file: "http.wsdl",
    replacements: {
      '\n<operation name="Tell"><input message="t:AskGetIn"/></operation>': "",
      '\n<operation name="Tell"><http:operation location="/Tell"/><input><http:urlEncoded/></input></operation>': "",
    },
    rules: ["protocol-removed", "protocol-added"],
  },
  {
    file: "records.xsd",
    replacements: { ' elementFormDefault="qualified"': "" },
    rules: ["namespace-changed"],
  },
];

/**
 * An edit of one file: each text is replaced, and the beginnings of the rules whose entries must have the
 * position of an edited line.
 */
interface Edit {
  readonly file: "orders.wsdl" | "http.wsdl" | "records.xsd" | "bothends.json";
  readonly replacements: Readonly<Record<string, string>>;
  readonly rules: readonly string[];
}

const wsdlEdits: readonly Omit<Edit, "file">[] = [
  {
    replacements: {
      'targetNamespace="urn:wsdl"': 'targetNamespace="urn:wsdl2"',
      'xmlns:t="urn:wsdl"': 'xmlns:t="urn:wsdl2"',
    },
    rules: ["service-namespace-changed"],
  },
  {
    replacements: {
      'targetNamespace="urn:schema"': 'targetNamespace="urn:schema2"',
      'xmlns:e="urn:schema"': 'xmlns:e="urn:schema2"',
    },
    rules: ["namespace-changed"],
  },
  {
    replacements: { 'elementFormDefault="qualified"': 'elementFormDefault="unqualified"' },
    rules: ["namespace-changed"],
  },
  { replacements: { 'namespace="urn:in"': 'namespace="urn:in2"' }, rules: ["input-element-changed"] },
  { replacements: { 'namespace="urn:out"': 'namespace="urn:out2"' }, rules: ["output-element-changed"] },
  {
    replacements: { 'use="literal" namespace="urn:in"': 'use="encoded" namespace="urn:in"' },
    rules: ["encoding-changed"],
  },
  {
    replacements: { 'use="literal" namespace="urn:out"': 'use="encoded" namespace="urn:out"' },
    rules: ["encoding-changed"],
  },
  { replacements: { 'element="e:Ask"': 'element="e:AskOther"' }, rules: ["input-element-changed"] },
];

const settingEdits: readonly Omit<Edit, "file">[] = [
  { replacements: { '"user",\n': "" }, rules: ["ambient-"] },
  { replacements: { '"user",\n"q"': '"user"' }, rules: ["ambient-"] },
  { replacements: { '"decimal": "number"': '"decimal": "string"' }, rules: ["type-in-code-changed"] },
  { replacements: { '"Add": "addUp"': '"Add": "addAll"' }, rules: ["name-in-code-changed"] },
  { replacements: { '"Add",\n"Tell"': '"Add"' }, rules: ["operation-removed", "operation-added"] },
  { replacements: { '"/shop/v1/items",\n"/shop/v1/sales"': '"/shop/v1/items"' }, rules: ["route-"] },
  { replacements: { '"conventions": "asmx"': '"conventions": "standard"' }, rules: ["conventions-changed"] },
  { replacements: { '"soap12Action": false': '"soap12Action": true' }, rules: ["soap-action-became-"] },
  { replacements: { '"nil",\n': "" }, rules: ["tolerance-changed"] },
  { replacements: { '"facets"': '"fixed"' }, rules: ["tolerance-changed"] },
  {
    replacements: { '[\n"Ask"\n]': '[\n"Add"\n]' },
    rules: ["wire-name-"],
  },
  { replacements: { '/api"': '/v2"' }, rules: ["base-path-changed"] },
  { replacements: { "/{shop}/": "/{store}/", '"shop": ["a"]': '"store": ["a"]' }, rules: ["base-variable-renamed"] },
  { replacements: { '"pt"\n': '"de"\n' }, rules: ["base-values-changed"] },
  { replacements: { '"shop": ["a"]': '"shop": ["a", "b"]' }, rules: ["base-values-changed"] },
  { replacements: { '"variable": "lang"': '"variable": "shop"' }, rules: ["base-language-changed"] },
  { replacements: { '"variable": "lang"': '"argument": "lang"' }, rules: ["base-language-changed"] },
  { replacements: { '\n"items"\n': '\n"shop"\n' }, rules: ["wire-name-"] },
];

test.each([
  ...wsdlEdits.map((edit): Edit => ({ file: "orders.wsdl", ...edit })),
  ...httpEdits,
  ...settingEdits.map((edit): Edit => ({ file: "bothends.json", ...edit })),
])("an entry has the position of the edited line: $replacements", ({ file, replacements, rules }) => {
  const before: Sources = {
    "bothends.json": settings,
    "orders.wsdl": wsdl,
    "http.wsdl": httpWsdl,
    "records.xsd": records,
    "shop.json": index,
  };
  let text = before[file] ?? "";
  for (const [found, replacement] of Object.entries(replacements)) {
    expect(text).toContain(found);
    text = text.replaceAll(found, replacement);
  }
  const after: Sources = { ...before, [file]: text };
  for (const [old, current] of [
    [before, after],
    [after, before],
  ] as const) {
    const { changes } = diffContracts(sideOf(old), sideOf(current));
    const listed = changes.filter(({ rule }) => rules.some((start) => rule.startsWith(start)));
    expect(listed.length, JSON.stringify(changes.map(({ rule }) => rule))).toBeGreaterThan(0);
    for (const { rule, before: oldValue, after: newValue, oldPosition, newPosition } of listed) {
      const isEdited = (position: SourcePosition | undefined, text = "", other = "") => {
        const line = text.split("\n")[(position?.line ?? 0) - 1] ?? "";
        return position?.path === file && !other.split("\n").includes(line);
      };
      const [oldEdited, newEdited] = [
        isEdited(oldPosition, old[file], current[file]) ||
          !hasOwnLine(old[file], current[file]) ||
          oldValue === undefined,
        isEdited(newPosition, current[file], old[file]) ||
          !hasOwnLine(current[file], old[file]) ||
          newValue === undefined,
      ];
      expect({ rule, oldEdited, newEdited }).toEqual({ rule, oldEdited: true, newEdited: true });
    }
  }
});

/** Whether a text has a line that the other one does not have. */
function hasOwnLine(text = "", other = ""): boolean {
  return text.split("\n").some((line) => !other.split("\n").includes(line));
}
