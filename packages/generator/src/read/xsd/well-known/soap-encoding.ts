import { builtInTypes } from "@bothends/datatypes/definitions";
import { schemaText } from "./schema-text.js";

export const soap11Encoding = "http://schemas.xmlsoap.org/soap/encoding/";
export const soap12Encoding = "http://www.w3.org/2003/05/soap-encoding";

/** SOAP's encodings declare an element and a complex type for each built-in simple type. */
const encodedTypes = builtInTypes.map(({ name }) => name);

/** SOAP 1.1 §5. */
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
${encodedTypes.map(encodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}
