// WS-Addressing and WS-Security. Both use simple types with attributes, and types that allow any content.

import { anyElements, otherAttributes, schemaText } from "./schema-text.js";

export const addressing = "http://www.w3.org/2005/08/addressing";
export const addressing2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing";

/** Headers with addresses, and headers with endpoint references, in both versions. */
const uris = ["MessageID", "To", "Action"];
const endpoints = ["From", "ReplyTo", "FaultTo"];

/** Web Services Addressing 1.0, Core §2 and §3, SOAP Binding §6, with ProblemHeader from the drafts of March 2006. */
export function addressingSchema(): string {
  return schemaText(
    addressing,
    `${elements(["EndpointReference", ...endpoints], "EndpointReferenceType")}
<xs:complexType name="EndpointReferenceType">
  <xs:sequence>
    <xs:element name="Address" type="tns:AttributedURIType"/>
    <xs:element ref="tns:ReferenceParameters" minOccurs="0"/>
    <xs:element ref="tns:Metadata" minOccurs="0"/>
    ${anyElements("##other")}
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:element name="ReferenceParameters" type="tns:ReferenceParametersType"/>
${open("ReferenceParametersType")}
<xs:element name="Metadata" type="tns:MetadataType"/>
${open("MetadataType")}
${elements([...uris, "ProblemIRI"], "AttributedURIType")}
<xs:element name="RelatesTo" type="tns:RelatesToType"/>
${extended("RelatesToType", "xs:anyURI", `<xs:attribute name="RelationshipType" type="tns:RelationshipTypeOpenEnum" default="${addressing}/reply"/>${otherAttributes}`)}
<xs:simpleType name="RelationshipTypeOpenEnum"><xs:union memberTypes="tns:RelationshipType xs:anyURI"/></xs:simpleType>
${enumeration("RelationshipType", "xs:anyURI", [`${addressing}/reply`])}
${extended("AttributedURIType", "xs:anyURI")}
<xs:attribute name="IsReferenceParameter" type="xs:boolean"/>
<xs:simpleType name="FaultCodesOpenEnumType"><xs:union memberTypes="tns:FaultCodesType xs:QName"/></xs:simpleType>
${enumeration("FaultCodesType", "xs:QName", addressingFaultCodes)}
<xs:element name="RetryAfter" type="tns:AttributedUnsignedLongType"/>
${extended("AttributedUnsignedLongType", "xs:unsignedLong")}
<xs:element name="ProblemHeaderQName" type="tns:AttributedQNameType"/>
${extended("AttributedQNameType", "xs:QName")}
<xs:element name="ProblemHeader" type="tns:AttributedAnyType"/>
<xs:complexType name="AttributedAnyType">
  <xs:sequence><xs:any namespace="##any" processContents="lax"/></xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:element name="ProblemAction" type="tns:ProblemActionType"/>
<xs:complexType name="ProblemActionType">
  <xs:sequence>
    <xs:element ref="tns:Action" minOccurs="0"/>
    <xs:element name="SoapAction" type="xs:anyURI" minOccurs="0"/>
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>`,
  );
}

const addressingFaultCodes = [
  "tns:InvalidAddressingHeader",
  "tns:InvalidAddress",
  "tns:InvalidEPR",
  "tns:InvalidCardinality",
  "tns:MissingAddressInEPR",
  "tns:DuplicateMessageID",
  "tns:ActionMismatch",
  "tns:MessageAddressingHeaderRequired",
  "tns:DestinationUnreachable",
  "tns:ActionNotSupported",
  "tns:EndpointUnavailable",
];

/** WS-Addressing as submitted in August 2004, §2 and §3. */
export function addressing2004Schema(): string {
  return schemaText(
    addressing2004,
    `${elements(["EndpointReference", ...endpoints], "EndpointReferenceType")}
<xs:complexType name="EndpointReferenceType">
  <xs:sequence>
    <xs:element name="Address" type="tns:AttributedURI"/>
    <xs:element name="ReferenceProperties" type="tns:ReferencePropertiesType" minOccurs="0"/>
    <xs:element name="ReferenceParameters" type="tns:ReferenceParametersType" minOccurs="0"/>
    <xs:element name="PortType" type="tns:AttributedQName" minOccurs="0"/>
    <xs:element name="ServiceName" type="tns:ServiceNameType" minOccurs="0"/>
    ${anyElements("##other")}
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:complexType name="ReferencePropertiesType"><xs:sequence>${anyElements("##any")}</xs:sequence></xs:complexType>
<xs:complexType name="ReferenceParametersType"><xs:sequence>${anyElements("##any")}</xs:sequence></xs:complexType>
${extended("ServiceNameType", "xs:QName", `<xs:attribute name="PortName" type="xs:NCName"/>${otherAttributes}`)}
${elements(uris, "AttributedURI")}
<xs:element name="RelatesTo" type="tns:Relationship"/>
${extended("Relationship", "xs:anyURI", `<xs:attribute name="RelationshipType" type="xs:QName"/>${otherAttributes}`)}
${enumeration("RelationshipTypeValues", "xs:QName", ["tns:Reply"])}
<xs:element name="ReplyAfter" type="tns:ReplyAfterType"/>
${extended("ReplyAfterType", "xs:nonNegativeInteger")}
${enumeration("FaultSubcodeValues", "xs:QName", faultSubcodes2004)}
<xs:attribute name="Action" type="xs:anyURI"/>
${extended("AttributedQName", "xs:QName")}
${extended("AttributedURI", "xs:anyURI")}`,
  );
}

const faultSubcodes2004 = [
  "tns:InvalidMessageInformationHeader",
  "tns:MessageInformationHeaderRequired",
  "tns:DestinationUnreachable",
  "tns:ActionNotSupported",
  "tns:EndpointUnavailable",
];

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
${enumeration("FaultcodeEnum", "xs:QName", securityFaultCodes)}`,
    { wsu: utility },
  );
}

const securityFaultCodes = [
  "tns:UnsupportedSecurityToken",
  "tns:UnsupportedAlgorithm",
  "tns:InvalidSecurity",
  "tns:InvalidSecurityToken",
  "tns:FailedAuthentication",
  "tns:FailedCheck",
  "tns:SecurityTokenUnavailable",
];

/** Elements of one type of the schema. */
export function elements(names: readonly string[], type: string): string {
  return names.map((name) => `<xs:element name="${name}" type="tns:${type}"/>`).join("\n");
}

/** A complex type that allows any content, with attributes. */
function open(name: string, attributes = ""): string {
  return (
    `<xs:complexType name="${name}"><xs:sequence>${anyElements("##any")}</xs:sequence>` +
    `${attributes}${otherAttributes}</xs:complexType>`
  );
}

/** A complex type that extends a type with simple content by attributes. */
function extended(name: string, base: string, attributes = otherAttributes): string {
  return (
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">` +
    `${attributes}</xs:extension></xs:simpleContent></xs:complexType>`
  );
}

function enumeration(name: string, base: string, values: readonly string[]): string {
  const items = values.map((value) => `<xs:enumeration value="${value}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="${base}">${items.join("")}</xs:restriction></xs:simpleType>`;
}
