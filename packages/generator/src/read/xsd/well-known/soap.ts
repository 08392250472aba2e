import { builtInTypes } from "@bothends/datatypes/definitions";
import { xmlNamespace } from "../../../source/names.js";
import { schemaText } from "./xml.js";

export const soap11Encoding = "http://schemas.xmlsoap.org/soap/encoding/";
export const soap12Encoding = "http://www.w3.org/2003/05/soap-encoding";

/** The SOAP encodings declare an element and a complex type for each built-in simple type. */
const encodedTypeNames = builtInTypes.map(({ name }) => name);

/** The schema of the SOAP 1.1 encoding (SOAP 1.1 §5). */
export function soap11EncodingSchema(): string {
  return schemaText(
    soap11Encoding,
    `<xs:attribute name="root"><xs:simpleType><xs:restriction base="xs:boolean"><xs:pattern value="0|1"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attributeGroup name="commonAttributes">
  <xs:attribute name="id" type="xs:ID"/>
  <xs:attribute name="href" type="xs:anyURI"/>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:attributeGroup>
<xs:simpleType name="arrayCoordinate"><xs:restriction base="xs:string"/></xs:simpleType>
<xs:attribute name="arrayType" type="xs:string"/>
<xs:attribute name="offset" type="tns:arrayCoordinate"/>
<xs:attribute name="position" type="tns:arrayCoordinate"/>
<xs:attributeGroup name="arrayAttributes">
  <xs:attribute ref="tns:arrayType"/>
  <xs:attribute ref="tns:offset"/>
</xs:attributeGroup>
<xs:attributeGroup name="arrayMemberAttributes"><xs:attribute ref="tns:position"/></xs:attributeGroup>
<xs:group name="Array"><xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence></xs:group>
<xs:element name="Array" type="tns:Array"/>
<xs:complexType name="Array">
  <xs:group ref="tns:Array" minOccurs="0"/>
  <xs:attributeGroup ref="tns:arrayAttributes"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:element name="Struct" type="tns:Struct"/>
<xs:group name="Struct"><xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence></xs:group>
<xs:complexType name="Struct">
  <xs:group ref="tns:Struct" minOccurs="0"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:simpleType name="base64"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${encodedTypeNames.map(encodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}

function encodedType(name: string): string {
  return (
    `<xs:element name="${name}" type="tns:${name}"/>\n` +
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="xs:${name === "NOTATION" ? "QName" : name}">` +
    '<xs:attributeGroup ref="tns:commonAttributes"/></xs:extension></xs:simpleContent></xs:complexType>'
  );
}

/** The schema of the SOAP 1.2 encoding (SOAP 1.2 Part 2 §3), with `arrayType`, which some WSDLs use as in SOAP 1.1. */
export function soap12EncodingSchema(): string {
  return schemaText(
    soap12Encoding,
    `<xs:simpleType name="arraySizeBase"><xs:list itemType="xs:string"/></xs:simpleType>
<xs:simpleType name="arraySize"><xs:restriction base="tns:arraySizeBase"/></xs:simpleType>
<xs:simpleType name="nodeType"><xs:restriction base="xs:token">
  <xs:enumeration value="array"/>
  <xs:enumeration value="simple"/>
  <xs:enumeration value="struct"/>
</xs:restriction></xs:simpleType>
<xs:attribute name="arraySize" type="tns:arraySize"/>
<xs:attribute name="arrayType" type="xs:string"/>
<xs:attribute name="itemType" type="xs:QName"/>
<xs:attribute name="nodeType" type="tns:nodeType"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attribute name="ref" type="xs:IDREF"/>
<xs:attributeGroup name="commonAttributes">
  <xs:attribute ref="tns:id"/>
  <xs:attribute ref="tns:ref"/>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:attributeGroup>
<xs:attributeGroup name="arrayAttributes">
  <xs:attribute ref="tns:arraySize"/>
  <xs:attribute ref="tns:itemType"/>
</xs:attributeGroup>
<xs:element name="Array" type="tns:Array"/>
<xs:complexType name="Array">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:attributeGroup ref="tns:arrayAttributes"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:element name="Struct" type="tns:Struct"/>
<xs:complexType name="Struct">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
${encodedTypeNames.map(encodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}

export const soap11Envelope = "http://schemas.xmlsoap.org/soap/envelope/";
export const soap12Envelope = "http://www.w3.org/2003/05/soap-envelope";

/** The schema of the SOAP 1.1 envelope (SOAP 1.1 §4). */
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

/** The schema of the SOAP 1.2 envelope (SOAP 1.2 Part 1 §5). */
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

/** The namespace of the types that Apache SOAP, Axis 1 and PHP use for maps and vectors, often without a schema. */
export const apacheTypes = "http://xml.apache.org/xml-soap";

/** The declarations that Axis 1 writes into its WSDLs. */
export function apacheTypesSchema(): string {
  return schemaText(
    apacheTypes,
    `<xs:complexType name="mapItem"><xs:sequence>
  <xs:element name="key" form="unqualified" nillable="true" type="xs:anyType"/>
  <xs:element name="value" form="unqualified" nillable="true" type="xs:anyType"/>
</xs:sequence></xs:complexType>
<xs:complexType name="Map"><xs:sequence>
  <xs:element name="item" form="unqualified" minOccurs="0" maxOccurs="unbounded" type="tns:mapItem"/>
</xs:sequence></xs:complexType>
<xs:complexType name="Vector"><xs:sequence>
  <xs:element name="item" form="unqualified" minOccurs="0" maxOccurs="unbounded" type="xs:anyType"/>
</xs:sequence></xs:complexType>`,
  );
}
