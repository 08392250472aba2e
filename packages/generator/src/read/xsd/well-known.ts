import { readTree, schemaLimits } from "@bothends/xml";
import { xmlNamespace, xsdNamespace } from "./namespaces.js";
import type { SchemaElement } from "./read-schema.js";

const soap11Encoding = "http://schemas.xmlsoap.org/soap/encoding/";
const soap12Encoding = "http://www.w3.org/2003/05/soap-encoding";

/** Simple types of XSD for which SOAP's encodings declare an element and a complex type. */
const encodedTypes = (
  "duration dateTime NOTATION time date gYearMonth gYear gMonthDay gDay gMonth boolean base64Binary hexBinary float double " +
  "QName anyURI string normalizedString token language Name NMTOKEN NCName NMTOKENS ID IDREF ENTITY IDREFS ENTITIES decimal " +
  "integer nonPositiveInteger negativeInteger long int short byte nonNegativeInteger unsignedLong unsignedInt unsignedShort " +
  "unsignedByte positiveInteger"
).split(" ");

/** Schemas that everybody refers to and nobody supplies, as texts: resolved by namespace, never fetched. */
const texts: ReadonlyMap<string, () => string> = new Map([
  [xmlNamespace, xmlSchema],
  [soap11Encoding, soap11EncodingSchema],
  [soap12Encoding, soap12EncodingSchema],
  ["http://schemas.xmlsoap.org/soap/envelope/", soap11EnvelopeSchema],
  ["http://www.w3.org/2003/05/soap-envelope", soap12EnvelopeSchema],
  [
    "http://schemas.xmlsoap.org/wsdl/",
    () => schema("http://schemas.xmlsoap.org/wsdl/", '<xs:attribute name="arrayType" type="xs:string"/>'),
  ],
  ...["soap/", "soap12/", "http/", "mime/"].map((extension): [string, () => string] => {
    const namespace = `http://schemas.xmlsoap.org/wsdl/${extension}`;
    return [namespace, () => schema(namespace, "")];
  }),
]);

/** Namespaces whose schemas are brought along. */
export const wellKnownNamespaces: readonly string[] = [...texts.keys()];

/** Whether a namespace's schema is brought along. */
export function isWellKnown(namespace: string): boolean {
  return texts.has(namespace);
}

/** The schema brought along for a namespace. */
export function wellKnownSchema(namespace: string): SchemaElement | undefined {
  const text = texts.get(namespace)?.();
  if (text === undefined) return undefined;
  return { element: readTree(text, schemaLimits), source: { path: `<${namespace}>`, text }, inline: false };
}

function schema(targetNamespace: string, declarations: string): string {
  // Namespaces in XML 1.0 §3: no prefix but `xml` stands for its namespace.
  const prefix = targetNamespace === xmlNamespace ? "" : ` xmlns:tns="${targetNamespace}"`;
  return (
    `<xs:schema xmlns:xs="${xsdNamespace}"${prefix} targetNamespace="${targetNamespace}"` +
    ` elementFormDefault="qualified">\n${declarations}\n</xs:schema>\n`
  );
}

/** XML 1.0 §2.10, §2.12; XML Base; xml:id. */
function xmlSchema(): string {
  return schema(
    xmlNamespace,
    `<xs:attribute name="lang">
  <xs:simpleType><xs:union memberTypes="xs:language">
    <xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value=""/></xs:restriction></xs:simpleType>
  </xs:union></xs:simpleType>
</xs:attribute>
<xs:attribute name="space">
  <xs:simpleType><xs:restriction base="xs:NCName">
    <xs:enumeration value="default"/>
    <xs:enumeration value="preserve"/>
  </xs:restriction></xs:simpleType>
</xs:attribute>
<xs:attribute name="base" type="xs:anyURI"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attributeGroup name="specialAttrs">
  <xs:attribute ref="xml:base"/>
  <xs:attribute ref="xml:lang"/>
  <xs:attribute ref="xml:space"/>
  <xs:attribute ref="xml:id"/>
</xs:attributeGroup>`,
  );
}

/** SOAP 1.1 §5. */
function soap11EncodingSchema(): string {
  return schema(
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
${encodedTypes.map(encodedType).join("\n")}
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

/** SOAP 1.2 Part 2 §3; and arrayType, which descriptions carry over from SOAP 1.1. */
function soap12EncodingSchema(): string {
  return schema(
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
${encodedTypes.map(encodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}

/** SOAP 1.1 §4. */
function soap11EnvelopeSchema(): string {
  return schema(
    "http://schemas.xmlsoap.org/soap/envelope/",
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
function soap12EnvelopeSchema(): string {
  const anything =
    '<xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>';
  const anyAttribute = '<xs:anyAttribute namespace="##other" processContents="lax"/>';
  return schema(
    "http://www.w3.org/2003/05/soap-envelope",
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
