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
${extended("RelatesToType", "xs:anyURI", `<xs:attribute name="RelationshipType" type="tns:RelationshipTypeOpenEnum" default="${addressing}/reply"/>`)}
<xs:simpleType name="RelationshipTypeOpenEnum"><xs:union memberTypes="tns:RelationshipType xs:anyURI"/></xs:simpleType>
${enumeration("RelationshipType", "xs:anyURI", [`${addressing}/reply`])}
${extended("AttributedURIType", "xs:anyURI")}
<xs:attribute name="IsReferenceParameter" type="xs:boolean"/>
<xs:simpleType name="FaultCodesOpenEnumType"><xs:union memberTypes="tns:FaultCodesType xs:QName"/></xs:simpleType>
${enumeration("FaultCodesType", "xs:QName", faultCodes)}
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

const faultCodes = [
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
${extended("ServiceNameType", "xs:QName", '<xs:attribute name="PortName" type="xs:NCName"/>')}
${elements(uris, "AttributedURI")}
<xs:element name="RelatesTo" type="tns:Relationship"/>
${extended("Relationship", "xs:anyURI", '<xs:attribute name="RelationshipType" type="xs:QName"/>')}
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

function elements(names: readonly string[], type: string): string {
  return names.map((name) => `<xs:element name="${name}" type="tns:${type}"/>`).join("\n");
}

/** A complex type that allows any content. */
function open(name: string): string {
  return `<xs:complexType name="${name}"><xs:sequence>${anyElements("##any")}</xs:sequence>${otherAttributes}</xs:complexType>`;
}

/** A complex type with simple content and attributes. */
function extended(name: string, base: string, attributes = ""): string {
  return (
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">` +
    `${attributes}${otherAttributes}</xs:extension></xs:simpleContent></xs:complexType>`
  );
}

function enumeration(name: string, base: string, values: readonly string[]): string {
  const items = values.map((value) => `<xs:enumeration value="${value}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="${base}">${items.join("")}</xs:restriction></xs:simpleType>`;
}
