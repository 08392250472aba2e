import { xmlNamespace } from "../namespaces.js";
import { schemaText } from "./schema-text.js";

export const soap11Envelope = "http://schemas.xmlsoap.org/soap/envelope/";
export const soap12Envelope = "http://www.w3.org/2003/05/soap-envelope";

/** SOAP 1.1 §4. */
export function soap11EnvelopeSchema(): string {
  return schemaText(
    soap11Envelope,
    `<xs:element name="Envelope" type="tns:Envelope"/>
<xs:complexType name="Envelope">
  <xs:sequence>
    <xs:element ref="tns:Header" minOccurs="0"/>
    <xs:element ref="tns:Body"/>
    <xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>
  </xs:sequence>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:complexType>
<xs:element name="Header" type="tns:Header"/>
<xs:complexType name="Header">
  <xs:sequence><xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:complexType>
<xs:element name="Body" type="tns:Body"/>
<xs:complexType name="Body">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##any" processContents="lax"/>
</xs:complexType>
<xs:attribute name="mustUnderstand"><xs:simpleType><xs:restriction base="xs:boolean"><xs:pattern value="0|1"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attribute name="actor" type="xs:anyURI"/>
<xs:simpleType name="encodingStyle"><xs:list itemType="xs:anyURI"/></xs:simpleType>
<xs:attribute name="encodingStyle" type="tns:encodingStyle"/>
<xs:attributeGroup name="encodingStyle"><xs:attribute ref="tns:encodingStyle"/></xs:attributeGroup>
<xs:element name="Fault" type="tns:Fault"/>
<xs:complexType name="Fault" final="extension">
  <xs:sequence>
    <xs:element name="faultcode" type="xs:QName" form="unqualified"/>
    <xs:element name="faultstring" type="xs:string" form="unqualified"/>
    <xs:element name="faultactor" type="xs:anyURI" minOccurs="0" form="unqualified"/>
    <xs:element name="detail" type="tns:detail" minOccurs="0" form="unqualified"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="detail">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##any" processContents="lax"/>
</xs:complexType>`,
  );
}

/** SOAP 1.2 Part 1 §5. */
export function soap12EnvelopeSchema(): string {
  const anything =
    '<xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>';
  const anyAttribute = '<xs:anyAttribute namespace="##other" processContents="lax"/>';
  return schemaText(
    soap12Envelope,
    `<xs:import namespace="${xmlNamespace}"/>
<xs:element name="Envelope" type="tns:Envelope"/>
<xs:complexType name="Envelope">
  <xs:sequence><xs:element ref="tns:Header" minOccurs="0"/><xs:element ref="tns:Body"/></xs:sequence>
  ${anyAttribute}
</xs:complexType>
<xs:element name="Header" type="tns:Header"/>
<xs:complexType name="Header">${anything}${anyAttribute}</xs:complexType>
<xs:element name="Body" type="tns:Body"/>
<xs:complexType name="Body">${anything}${anyAttribute}</xs:complexType>
<xs:attribute name="role" type="xs:anyURI"/>
<xs:attribute name="mustUnderstand" type="xs:boolean"/>
<xs:attribute name="relay" type="xs:boolean"/>
<xs:attribute name="encodingStyle" type="xs:anyURI"/>
<xs:element name="Fault" type="tns:Fault"/>
<xs:complexType name="Fault">
  <xs:sequence>
    <xs:element name="Code" type="tns:faultcode"/>
    <xs:element name="Reason" type="tns:faultreason"/>
    <xs:element name="Node" type="xs:anyURI" minOccurs="0"/>
    <xs:element name="Role" type="xs:anyURI" minOccurs="0"/>
    <xs:element name="Detail" type="tns:detail" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="faultreason">
  <xs:sequence><xs:element name="Text" type="tns:reasontext" maxOccurs="unbounded"/></xs:sequence>
</xs:complexType>
<xs:complexType name="reasontext">
  <xs:simpleContent><xs:extension base="xs:string"><xs:attribute ref="xml:lang" use="required"/></xs:extension></xs:simpleContent>
</xs:complexType>
<xs:complexType name="faultcode">
  <xs:sequence>
    <xs:element name="Value" type="xs:QName"/>
    <xs:element name="Subcode" type="tns:subcode" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="subcode">
  <xs:sequence>
    <xs:element name="Value" type="xs:QName"/>
    <xs:element name="Subcode" type="tns:subcode" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="detail">${anything}${anyAttribute}</xs:complexType>`,
  );
}
