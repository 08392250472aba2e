import { anyElements, otherAttributes, schemaText } from "./schema-text.js";

const namespaces = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-";
export const secext = `${namespaces}secext-1.0.xsd`;
export const utility = `${namespaces}utility-1.0.xsd`;

/** Web Services Security: SOAP Message Security 1.0 §4 and §10. */
export function utilitySchema(): string {
  return schemaText(
    utility,
    `<xs:attribute name="Id" type="xs:ID"/>
<xs:attributeGroup name="commonAtts">
  <xs:attribute ref="tns:Id"/>
  ${otherAttributes}
</xs:attributeGroup>
<xs:simpleType name="tTimestampFault"><xs:restriction base="xs:QName"><xs:enumeration value="tns:MessageExpired"/></xs:restriction></xs:simpleType>
${extended("AttributedDateTime", "xs:string", '<xs:attributeGroup ref="tns:commonAtts"/>')}
${extended("AttributedURI", "xs:anyURI", '<xs:attributeGroup ref="tns:commonAtts"/>')}
<xs:element name="Created" type="tns:AttributedDateTime"/>
<xs:element name="Expires" type="tns:AttributedDateTime"/>
<xs:element name="Timestamp" type="tns:TimestampType"/>
<xs:complexType name="TimestampType">
  <xs:sequence>
    <xs:element ref="tns:Created" minOccurs="0"/>
    <xs:element ref="tns:Expires" minOccurs="0"/>
    ${anyElements("##other")}
  </xs:sequence>
  <xs:attributeGroup ref="tns:commonAtts"/>
</xs:complexType>`,
  );
}

const id = '<xs:attribute ref="wsu:Id"/>';
const valueType = '<xs:attribute name="ValueType" type="xs:anyURI"/>';

/** Web Services Security: SOAP Message Security 1.0 §5 to §7 and §12, UsernameToken Profile 1.0 §3. */
export function secextSchema(): string {
  return schemaText(
    secext,
    `${extended("AttributedString", "xs:string", `${id}${otherAttributes}`)}
${extended("PasswordString", "tns:AttributedString", '<xs:attribute name="Type" type="xs:anyURI"/>')}
${extended("EncodedString", "tns:AttributedString", '<xs:attribute name="EncodingType" type="xs:anyURI"/>')}
<xs:element name="UsernameToken" type="tns:UsernameTokenType"/>
<xs:complexType name="UsernameTokenType">
  <xs:sequence>
    <xs:element name="Username" type="tns:AttributedString"/>
    ${anyElements("##any")}
  </xs:sequence>
  ${id}${otherAttributes}
</xs:complexType>
<xs:element name="Password" type="tns:PasswordString"/>
<xs:element name="Nonce" type="tns:EncodedString"/>
<xs:element name="BinarySecurityToken" type="tns:BinarySecurityTokenType"/>
${extended("BinarySecurityTokenType", "tns:EncodedString", valueType)}
<xs:element name="KeyIdentifier" type="tns:KeyIdentifierType"/>
${extended("KeyIdentifierType", "tns:EncodedString", valueType)}
<xs:element name="Reference" type="tns:ReferenceType"/>
<xs:complexType name="ReferenceType"><xs:attribute name="URI" type="xs:anyURI"/>${valueType}${otherAttributes}</xs:complexType>
<xs:element name="Embedded" type="tns:EmbeddedType"/>
${open("EmbeddedType", valueType)}
<xs:simpleType name="tUsage"><xs:list itemType="xs:anyURI"/></xs:simpleType>
<xs:attribute name="Usage" type="tns:tUsage"/>
<xs:element name="SecurityTokenReference" type="tns:SecurityTokenReferenceType"/>
${open("SecurityTokenReferenceType", `${id}<xs:attribute ref="tns:Usage"/>`)}
<xs:element name="Security" type="tns:SecurityHeaderType"/>
${open("SecurityHeaderType")}
<xs:element name="TransformationParameters" type="tns:TransformationParametersType"/>
${open("TransformationParametersType")}
<xs:simpleType name="FaultcodeEnum">
  <xs:restriction base="xs:QName">${faultCodes.map((code) => `<xs:enumeration value="tns:${code}"/>`).join("")}</xs:restriction>
</xs:simpleType>`,
    { wsu: utility },
  );
}

const faultCodes = [
  "UnsupportedSecurityToken",
  "UnsupportedAlgorithm",
  "InvalidSecurity",
  "InvalidSecurityToken",
  "FailedAuthentication",
  "FailedCheck",
  "SecurityTokenUnavailable",
];

/** Extends a type with simple content by attributes. */
function extended(name: string, base: string, attributes: string): string {
  return (
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">` +
    `${attributes}</xs:extension></xs:simpleContent></xs:complexType>`
  );
}

/** A complex type that allows any content, with attributes. */
function open(name: string, attributes = ""): string {
  return (
    `<xs:complexType name="${name}"><xs:sequence>${anyElements("##any")}</xs:sequence>` +
    `${attributes}${otherAttributes}</xs:complexType>`
  );
}
