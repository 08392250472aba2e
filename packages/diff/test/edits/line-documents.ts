import { indexOf } from "../pairs/index-document.js";
import type { Sources } from "../proof/contracts.js";

// Documents whose lines are edited. Each declaration has a line of its own.

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"
  xmlns:wsp="http://www.w3.org/ns/ws-policy" xmlns:p="urn:policy"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:orders" targetNamespace="urn:orders">
<types>
<xs:schema targetNamespace="urn:orders" elementFormDefault="qualified">
<xs:element name="Place" type="t:Order"/>
<xs:element name="PlaceResponse" type="t:Receipt"/>
<xs:element name="Refused">
  <xs:complexType>
    <xs:sequence>
      <xs:element name="reason" type="t:Reason"/>
      <xs:element name="until" type="xs:date" minOccurs="0"/>
    </xs:sequence>
  </xs:complexType>
</xs:element>
<xs:element name="Session">
  <xs:complexType>
    <xs:attribute name="key" type="xs:string" use="required"/>
  </xs:complexType>
</xs:element>
<xs:element name="note" type="xs:string" nillable="true"/>
<xs:complexType name="Order">
  <xs:sequence>
    <xs:element name="id" type="xs:long"/>
    <xs:element name="code" type="t:Code" minOccurs="0"/>
    <xs:element name="line" type="t:Line" maxOccurs="unbounded"/>
    <xs:element ref="t:note" minOccurs="0"/>
    <xs:choice>
      <xs:element name="card" type="xs:string"/>
      <xs:element name="account" type="xs:int"/>
    </xs:choice>
    <xs:sequence minOccurs="0">
      <xs:element name="street" type="xs:string"/>
      <xs:element name="town" type="xs:string"/>
    </xs:sequence>
    <xs:element name="rank">
      <xs:simpleType>
        <xs:restriction base="xs:int">
          <xs:minInclusive value="1"/>
          <xs:maxInclusive value="9"/>
        </xs:restriction>
      </xs:simpleType>
    </xs:element>
    <xs:any namespace="##other" processContents="lax" minOccurs="0"/>
  </xs:sequence>
  <xs:attribute name="version" type="xs:int"/>
  <xs:attribute name="kind" type="t:Reason" use="required"/>
</xs:complexType>
<xs:complexType name="Line">
  <xs:sequence>
    <xs:element name="item" type="xs:string"/>
    <xs:element name="price" type="t:Price"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="Discounted">
  <xs:complexContent>
    <xs:extension base="t:Line">
      <xs:sequence>
        <xs:element name="percent" type="xs:int" default="5"/>
      </xs:sequence>
    </xs:extension>
  </xs:complexContent>
</xs:complexType>
<xs:complexType name="Price">
  <xs:simpleContent>
    <xs:extension base="xs:decimal">
      <xs:attribute name="currency" type="t:Reason" use="required"/>
    </xs:extension>
  </xs:simpleContent>
</xs:complexType>
<xs:complexType name="Receipt">
  <xs:all>
    <xs:element name="number" type="xs:long" minOccurs="0"/>
    <xs:element name="codes" type="t:Codes"/>
    <xs:element name="value" type="t:Value"/>
    <xs:element name="best" type="t:Discounted" nillable="true"/>
  </xs:all>
</xs:complexType>
<xs:simpleType name="Code">
  <xs:restriction base="xs:string">
    <xs:minLength value="2"/>
    <xs:maxLength value="8"/>
    <xs:pattern value="[A-Z]+"/>
  </xs:restriction>
</xs:simpleType>
<xs:simpleType name="Reason">
  <xs:restriction base="xs:string">
    <xs:enumeration value="stock"/>
    <xs:enumeration value="limit"/>
    <xs:enumeration value="other"/>
  </xs:restriction>
</xs:simpleType>
<xs:simpleType name="Codes">
  <xs:list itemType="t:Code"/>
</xs:simpleType>
<xs:simpleType name="Value">
  <xs:union memberTypes="xs:int t:Reason"/>
</xs:simpleType>
</xs:schema>
</types>
<message name="PlaceIn">
  <part name="body" element="t:Place"/>
  <part name="session" element="t:Session"/>
</message>
<message name="PlaceOut">
  <part name="body" element="t:PlaceResponse"/>
</message>
<message name="Refused">
  <part name="fault" element="t:Refused"/>
</message>
<message name="AddIn">
  <part name="a" type="xs:int"/>
  <part name="b" type="xs:int"/>
</message>
<message name="AddOut">
  <part name="sum" type="xs:int"/>
</message>
<portType name="Orders">
  <operation name="Place">
    <input message="t:PlaceIn"/>
    <output message="t:PlaceOut"/>
    <fault name="Refused" message="t:Refused"/>
  </operation>
</portType>
<portType name="Sums">
  <operation name="Add">
    <input message="t:AddIn"/>
    <output message="t:AddOut"/>
  </operation>
</portType>
<binding name="Orders" type="t:Orders">
  <wsp:Policy>
    <p:Signed level="1"/>
    <p:Token>
      <wsp:Policy>
        <p:User/>
      </wsp:Policy>
    </p:Token>
  </wsp:Policy>
  <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
  <operation name="Place">
    <soap:operation soapAction="urn:place"/>
    <input>
      <soap:header message="t:PlaceIn" part="session" use="literal"/>
      <soap:body parts="body" use="literal"/>
    </input>
    <output>
      <soap:body use="literal"/>
    </output>
    <fault name="Refused">
      <soap:fault name="Refused" use="literal"/>
    </fault>
  </operation>
</binding>
<binding name="Sums" type="t:Sums">
  <http:binding verb="GET"/>
  <operation name="Add">
    <http:operation location="/add/(a)/(b)"/>
    <input>
      <http:urlReplacement/>
    </input>
    <output>
      <mime:mimeXml part="sum"/>
    </output>
  </operation>
</binding>
<service name="Orders">
  <port name="Orders" binding="t:Orders">
    <soap:address location="http://s.example/orders"/>
  </port>
</service>
<service name="Sums">
  <port name="Sums" binding="t:Sums">
    <http:address location="http://s.example/sums"/>
  </port>
</service>
</definitions>`;

const thing = {
  $schema: "http://json-schema.org/draft-04/schema#",
  title: "thing",
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { description: "Identifier.", type: "integer", minimum: 1, readonly: true, context: ["view", "edit"] },
    name: { description: "Name.", type: "string", maxLength: 20, context: ["view", "edit"] },
    status: { type: "string", enum: ["draft", "public"], context: ["view", "edit"] },
    size: { type: ["integer", "null"], context: ["edit"] },
    changed: { type: "string", format: "date-time", context: ["view", "edit"] },
    tags: { type: "array", items: { type: "string", enum: ["new", "old"] }, context: ["view"] },
    title: {
      type: "object",
      properties: { raw: { type: "string", context: ["edit"] }, rendered: { type: "string" } },
      context: ["view", "edit"],
    },
    either: { oneOf: [{ type: "string", maxLength: 5 }, { type: "integer" }] },
  },
};

const args = {
  context: { type: "string", enum: ["view", "edit"], default: "view" },
  page: { description: "Page.", type: "integer", minimum: 1, maximum: 100, default: 1 },
  search: { type: "string", minLength: 2, pattern: "^[a-z]+$" },
  order: { type: "string", enum: ["asc", "desc"], default: "asc" },
  ids: { type: "array", items: { type: "integer", minimum: 1 }, maxItems: 10 },
  filter: {
    type: "object",
    properties: { since: { type: "string", format: "date-time" } },
    additionalProperties: false,
  },
  required: { type: "boolean", required: true },
};

const index = indexOf(
  {
    "/shop/v1/things": { args },
    "/shop/v1/things/(?P<id>[\\d]+)": {
      args: { id: { type: "integer", required: true }, context: args.context },
    },
  },
  { "/shop/v1/things/(?P<id>[\\d]+)": thing },
);

/** The documents that are edited, by name. */
export const lineDocuments: Readonly<Record<string, Sources>> = { orders: { "orders.wsdl": wsdl }, shop: index };
