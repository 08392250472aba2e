import { xmlNamespace } from "../../../source/xml-names.js";
import { otherAttributes, writeAnyElements, writeSchema } from "./xml-and-soap.js";

// The schemas of WS-Addressing, WS-Security and WS-Notification.

export const addressingNamespace = "http://www.w3.org/2005/08/addressing";
export const addressing2004Namespace = "http://schemas.xmlsoap.org/ws/2004/08/addressing";

/**
 * The headers whose content is an address (`uris`) or an endpoint reference (`endpoints`), in both versions of
 * WS-Addressing.
 */
const uris = ["MessageID", "To", "Action"];
const endpoints = ["From", "ReplyTo", "FaultTo"];

/**
 * The schema of WS-Addressing 1.0 (Core §2 and §3, SOAP Binding §6), with ProblemHeader from the drafts of March 2006.
 */
export function writeAddressingSchema(): string {
  return writeSchema(
    addressingNamespace,
    `${declareElements(["EndpointReference", ...endpoints], "EndpointReferenceType")}
<xs:complexType name="EndpointReferenceType">
  <xs:sequence>
    <xs:element name="Address" type="tns:AttributedURIType"/>
    <xs:element ref="tns:ReferenceParameters" minOccurs="0"/>
    <xs:element ref="tns:Metadata" minOccurs="0"/>
    ${writeAnyElements("##other")}
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:element name="ReferenceParameters" type="tns:ReferenceParametersType"/>
${declareOpenType("ReferenceParametersType")}
<xs:element name="Metadata" type="tns:MetadataType"/>
${declareOpenType("MetadataType")}
${declareElements([...uris, "ProblemIRI"], "AttributedURIType")}
<xs:element name="RelatesTo" type="tns:RelatesToType"/>
${declareExtendedType("RelatesToType", "xs:anyURI", `<xs:attribute name="RelationshipType" type="tns:RelationshipTypeOpenEnum" default="${addressingNamespace}/reply"/>${otherAttributes}`)}
<xs:simpleType name="RelationshipTypeOpenEnum"><xs:union memberTypes="tns:RelationshipType xs:anyURI"/></xs:simpleType>
${declareEnumeration("RelationshipType", "xs:anyURI", [`${addressingNamespace}/reply`])}
${declareExtendedType("AttributedURIType", "xs:anyURI")}
<xs:attribute name="IsReferenceParameter" type="xs:boolean"/>
<xs:simpleType name="FaultCodesOpenEnumType"><xs:union memberTypes="tns:FaultCodesType xs:QName"/></xs:simpleType>
${declareEnumeration("FaultCodesType", "xs:QName", addressingFaultCodes)}
<xs:element name="RetryAfter" type="tns:AttributedUnsignedLongType"/>
${declareExtendedType("AttributedUnsignedLongType", "xs:unsignedLong")}
<xs:element name="ProblemHeaderQName" type="tns:AttributedQNameType"/>
${declareExtendedType("AttributedQNameType", "xs:QName")}
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

/** The schema of WS-Addressing as submitted in August 2004 (§2 and §3). */
export function writeAddressing2004Schema(): string {
  return writeSchema(
    addressing2004Namespace,
    `${declareElements(["EndpointReference", ...endpoints], "EndpointReferenceType")}
<xs:complexType name="EndpointReferenceType">
  <xs:sequence>
    <xs:element name="Address" type="tns:AttributedURI"/>
    <xs:element name="ReferenceProperties" type="tns:ReferencePropertiesType" minOccurs="0"/>
    <xs:element name="ReferenceParameters" type="tns:ReferenceParametersType" minOccurs="0"/>
    <xs:element name="PortType" type="tns:AttributedQName" minOccurs="0"/>
    <xs:element name="ServiceName" type="tns:ServiceNameType" minOccurs="0"/>
    ${writeAnyElements("##other")}
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:complexType name="ReferencePropertiesType"><xs:sequence>${writeAnyElements("##any")}</xs:sequence></xs:complexType>
<xs:complexType name="ReferenceParametersType"><xs:sequence>${writeAnyElements("##any")}</xs:sequence></xs:complexType>
${declareExtendedType("ServiceNameType", "xs:QName", `<xs:attribute name="PortName" type="xs:NCName"/>${otherAttributes}`)}
${declareElements(uris, "AttributedURI")}
<xs:element name="RelatesTo" type="tns:Relationship"/>
${declareExtendedType("Relationship", "xs:anyURI", `<xs:attribute name="RelationshipType" type="xs:QName"/>${otherAttributes}`)}
${declareEnumeration("RelationshipTypeValues", "xs:QName", ["tns:Reply"])}
<xs:element name="ReplyAfter" type="tns:ReplyAfterType"/>
${declareExtendedType("ReplyAfterType", "xs:nonNegativeInteger")}
${declareEnumeration("FaultSubcodeValues", "xs:QName", faultSubcodes2004)}
<xs:attribute name="Action" type="xs:anyURI"/>
${declareExtendedType("AttributedQName", "xs:QName")}
${declareExtendedType("AttributedURI", "xs:anyURI")}`,
  );
}

const faultSubcodes2004 = [
  "tns:InvalidMessageInformationHeader",
  "tns:MessageInformationHeaderRequired",
  "tns:DestinationUnreachable",
  "tns:ActionNotSupported",
  "tns:EndpointUnavailable",
];

const wssNamespaceStart = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-";
export const secextNamespace = `${wssNamespaceStart}secext-1.0.xsd`;
export const utilityNamespace = `${wssNamespaceStart}utility-1.0.xsd`;

/** The utility schema of Web Services Security (SOAP Message Security 1.0 §4 and §10). */
export function writeUtilitySchema(): string {
  return writeSchema(
    utilityNamespace,
    `<xs:attribute name="Id" type="xs:ID"/>
<xs:attributeGroup name="commonAtts">
  <xs:attribute ref="tns:Id"/>
  ${otherAttributes}
</xs:attributeGroup>
<xs:simpleType name="tTimestampFault"><xs:restriction base="xs:QName"><xs:enumeration value="tns:MessageExpired"/></xs:restriction></xs:simpleType>
${declareExtendedType("AttributedDateTime", "xs:string", '<xs:attributeGroup ref="tns:commonAtts"/>')}
${declareExtendedType("AttributedURI", "xs:anyURI", '<xs:attributeGroup ref="tns:commonAtts"/>')}
<xs:element name="Created" type="tns:AttributedDateTime"/>
<xs:element name="Expires" type="tns:AttributedDateTime"/>
<xs:element name="Timestamp" type="tns:TimestampType"/>
<xs:complexType name="TimestampType">
  <xs:sequence>
    <xs:element ref="tns:Created" minOccurs="0"/>
    <xs:element ref="tns:Expires" minOccurs="0"/>
    ${writeAnyElements("##other")}
  </xs:sequence>
  <xs:attributeGroup ref="tns:commonAtts"/>
</xs:complexType>`,
  );
}

const id = '<xs:attribute ref="wsu:Id"/>';
const valueType = '<xs:attribute name="ValueType" type="xs:anyURI"/>';

/** The schema of Web Services Security (SOAP Message Security 1.0 §5 to §7 and §12, UsernameToken Profile 1.0 §3). */
export function writeSecextSchema(): string {
  return writeSchema(
    secextNamespace,
    `${declareExtendedType("AttributedString", "xs:string", `${id}${otherAttributes}`)}
${declareExtendedType("PasswordString", "tns:AttributedString", '<xs:attribute name="Type" type="xs:anyURI"/>')}
${declareExtendedType("EncodedString", "tns:AttributedString", '<xs:attribute name="EncodingType" type="xs:anyURI"/>')}
<xs:element name="UsernameToken" type="tns:UsernameTokenType"/>
<xs:complexType name="UsernameTokenType">
  <xs:sequence>
    <xs:element name="Username" type="tns:AttributedString"/>
    ${writeAnyElements("##any")}
  </xs:sequence>
  ${id}${otherAttributes}
</xs:complexType>
<xs:element name="Password" type="tns:PasswordString"/>
<xs:element name="Nonce" type="tns:EncodedString"/>
<xs:element name="BinarySecurityToken" type="tns:BinarySecurityTokenType"/>
${declareExtendedType("BinarySecurityTokenType", "tns:EncodedString", valueType)}
<xs:element name="KeyIdentifier" type="tns:KeyIdentifierType"/>
${declareExtendedType("KeyIdentifierType", "tns:EncodedString", valueType)}
<xs:element name="Reference" type="tns:ReferenceType"/>
<xs:complexType name="ReferenceType"><xs:attribute name="URI" type="xs:anyURI"/>${valueType}${otherAttributes}</xs:complexType>
<xs:element name="Embedded" type="tns:EmbeddedType"/>
${declareOpenType("EmbeddedType", valueType)}
<xs:simpleType name="tUsage"><xs:list itemType="xs:anyURI"/></xs:simpleType>
<xs:attribute name="Usage" type="tns:tUsage"/>
<xs:element name="SecurityTokenReference" type="tns:SecurityTokenReferenceType"/>
${declareOpenType("SecurityTokenReferenceType", `${id}<xs:attribute ref="tns:Usage"/>`)}
<xs:element name="Security" type="tns:SecurityHeaderType"/>
${declareOpenType("SecurityHeaderType")}
<xs:element name="TransformationParameters" type="tns:TransformationParametersType"/>
${declareOpenType("TransformationParametersType")}
${declareEnumeration("FaultcodeEnum", "xs:QName", securityFaultCodes)}`,
    { wsu: utilityNamespace },
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

/** Declares elements that all have the same type. `type` is the name of a type in the target namespace. */
function declareElements(names: readonly string[], type: string): string {
  return names.map((name) => `<xs:element name="${name}" type="tns:${type}"/>`).join("\n");
}

/** Defines a complex type that allows any child elements. */
function declareOpenType(name: string, attributes = ""): string {
  return (
    `<xs:complexType name="${name}"><xs:sequence>${writeAnyElements("##any")}</xs:sequence>` +
    `${attributes}${otherAttributes}</xs:complexType>`
  );
}

/** Defines a complex type that adds attributes to a type with simple content. */
function declareExtendedType(name: string, base: string, attributes = otherAttributes): string {
  return (
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="${base}">` +
    `${attributes}</xs:extension></xs:simpleContent></xs:complexType>`
  );
}

function declareEnumeration(name: string, base: string, values: readonly string[]): string {
  const items = values.map((value) => `<xs:enumeration value="${value}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="${base}">${items.join("")}</xs:restriction></xs:simpleType>`;
}

// The schemas of WS-Notification, and of the topics and faults to which they refer.

const oasisPrefix = "http://docs.oasis-open.org/";
export const notificationNamespace = `${oasisPrefix}wsn/b-2`;
export const topicsNamespace = `${oasisPrefix}wsn/t-1`;
export const baseFaultsNamespace = `${oasisPrefix}wsrf/bf-2`;
export const resourcesNamespace = `${oasisPrefix}wsrf/r-2`;

/** The schema of Web Services Base Faults 1.2 (§2.1). */
export function writeBaseFaultsSchema(): string {
  return writeSchema(
    baseFaultsNamespace,
    `<xs:element name="BaseFault" type="tns:BaseFaultType"/>
<xs:complexType name="BaseFaultType">
  <xs:sequence>
    ${writeAnyElements("##other")}
    <xs:element name="Timestamp" type="xs:dateTime"/>
    <xs:element name="Originator" type="wsa:EndpointReferenceType" minOccurs="0"/>
    <xs:element name="ErrorCode" minOccurs="0">
      <xs:complexType><xs:complexContent mixed="true">
        <xs:extension base="xs:anyType"><xs:attribute name="dialect" type="xs:anyURI" use="required"/></xs:extension>
      </xs:complexContent></xs:complexType>
    </xs:element>
    <xs:element name="Description" minOccurs="0" maxOccurs="unbounded">
      <xs:complexType><xs:simpleContent>
        <xs:extension base="xs:string"><xs:attribute ref="xml:lang"/></xs:extension>
      </xs:simpleContent></xs:complexType>
    </xs:element>
    <xs:element name="FaultCause" minOccurs="0">
      <xs:complexType><xs:sequence><xs:any namespace="##other" processContents="lax"/></xs:sequence></xs:complexType>
    </xs:element>
  </xs:sequence>
  ${otherAttributes}
</xs:complexType>`,
    { wsa: addressingNamespace, xml: xmlNamespace },
  );
}

/** The schema of Web Services Resource 1.2 (§5). */
export function writeResourcesSchema(): string {
  return writeSchema(
    resourcesNamespace,
    ["ResourceUnknown", "ResourceUnavailable"].map((name) => declareFault(name)).join("\n"),
    {
      bf: baseFaultsNamespace,
    },
  );
}

const topicName = "([\\i-[:]][\\c-[:]]*:)?[\\i-[:]][\\c-[:]]*";
const topicStep = `(${topicName}|\\*|[.])`;
const topicPath = `([\\i-[:]][\\c-[:]]*:)?(//)?([\\i-[:]][\\c-[:]]*|\\*)((/|//)${topicStep})*`;

/** The schema of Web Services Topics 1.3 (§5 to §8). */
export function writeTopicsSchema(): string {
  const declareDocumentedType = (name: string, members: string, attributes: string) =>
    `<xs:complexType name="${name}"><xs:complexContent><xs:extension base="tns:ExtensibleDocumented">` +
    `<xs:sequence>${members}${writeAnyElements("##other")}</xs:sequence>${attributes}</xs:extension></xs:complexContent></xs:complexType>`;
  const finalAttribute = '<xs:attribute name="final" type="xs:boolean" default="false"/>';
  const declareExpression = (name: string, pattern: string) =>
    `<xs:simpleType name="${name}"><xs:restriction base="xs:token"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType>`;
  return writeSchema(
    topicsNamespace,
    `<xs:complexType name="Documentation" mixed="true"><xs:sequence>${writeAnyElements("##any")}</xs:sequence></xs:complexType>
<xs:complexType name="ExtensibleDocumented" abstract="true">
  <xs:sequence><xs:element name="documentation" type="tns:Documentation" minOccurs="0"/></xs:sequence>
  ${otherAttributes}
</xs:complexType>
<xs:complexType name="QueryExpressionType" mixed="true">
  <xs:sequence><xs:any minOccurs="0" processContents="lax"/></xs:sequence>
  <xs:attribute name="Dialect" type="xs:anyURI" use="required"/>
</xs:complexType>
${declareDocumentedType(
  "TopicNamespaceType",
  `<xs:element name="Topic" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:complexContent>
    <xs:extension base="tns:TopicType"><xs:attribute name="parent" type="tns:ConcreteTopicExpression"/></xs:extension>
  </xs:complexContent></xs:complexType></xs:element>`,
  `<xs:attribute name="name" type="xs:NCName"/><xs:attribute name="targetNamespace" type="xs:anyURI" use="required"/>${finalAttribute}`,
)}
<xs:element name="TopicNamespace" type="tns:TopicNamespaceType"/>
<xs:attribute name="topicNamespaceLocation" type="xs:anyURI"/>
${declareDocumentedType(
  "TopicType",
  `<xs:element name="MessagePattern" type="tns:QueryExpressionType" minOccurs="0"/>
  <xs:element name="Topic" type="tns:TopicType" minOccurs="0" maxOccurs="unbounded"/>`,
  `<xs:attribute name="name" type="xs:NCName" use="required"/>
  <xs:attribute name="messageTypes"><xs:simpleType><xs:list itemType="xs:QName"/></xs:simpleType></xs:attribute>${finalAttribute}`,
)}
${declareDocumentedType("TopicSetType", "", "")}
<xs:element name="TopicSet" type="tns:TopicSetType"/>
<xs:attribute name="topic" type="xs:boolean" default="false"/>
${declareExpression("FullTopicExpression", `${topicPath}(\\|${topicPath})*`)}
${declareExpression("ConcreteTopicExpression", `(${topicName})(/${topicName})*`)}
<xs:simpleType name="SimpleTopicExpression"><xs:restriction base="xs:QName"/></xs:simpleType>`,
  );
}

const anyAttributes = "<xs:anyAttribute/>";

/** The schema of Web Services Base Notification 1.3 (§3 to §7). */
export function writeNotificationSchema(): string {
  const time =
    '<xs:element name="MinimumTime" type="xs:dateTime"/><xs:element name="MaximumTime" type="xs:dateTime" minOccurs="0"/>';
  const declareUnknown = (name: string, min: number) =>
    `<xs:element name="${name}" type="xs:QName" minOccurs="${min}" maxOccurs="unbounded"/>`;
  const emptyElements = ["Unsubscribe", "UnsubscribeResponse", ...["Pause", "Resume"].flatMap(withResponse)];
  const emptyWithAttributes = ["DestroyPullPoint", "DestroyPullPointResponse", "CreatePullPoint"];
  return writeSchema(
    notificationNamespace,
    `<xs:complexType name="QueryExpressionType" mixed="true">
  <xs:sequence><xs:any minOccurs="0" processContents="lax"/></xs:sequence>
  <xs:attribute name="Dialect" type="xs:anyURI" use="required"/>
</xs:complexType>
<xs:complexType name="TopicExpressionType" mixed="true">
  <xs:sequence><xs:any minOccurs="0" processContents="lax"/></xs:sequence>
  <xs:attribute name="Dialect" type="xs:anyURI" use="required"/>
  ${anyAttributes}
</xs:complexType>
<xs:complexType name="FilterType"><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
<xs:complexType name="SubscriptionPolicyType"><xs:sequence>${writeAnyElements("##any")}</xs:sequence></xs:complexType>
<xs:simpleType name="AbsoluteOrRelativeTimeType"><xs:union memberTypes="xs:dateTime xs:duration"/></xs:simpleType>
${declareElements(["TopicExpression", "Topic"], "TopicExpressionType")}
<xs:element name="FixedTopicSet" type="xs:boolean" default="true"/>
<xs:element name="TopicExpressionDialect" type="xs:anyURI"/>
${declareMessage("NotificationProducerRP", `${referTo("TopicExpression", 0, "unbounded")}${referTo("FixedTopicSet", 0)}${referTo("TopicExpressionDialect", 0, "unbounded")}<xs:element ref="wstop:TopicSet" minOccurs="0"/>`)}
${["ConsumerReference", "SubscriptionReference", "ProducerReference"].map((name) => declareEndpoint(name)).join("\n")}
<xs:element name="Filter" type="tns:FilterType"/>
<xs:element name="SubscriptionPolicy" type="tns:SubscriptionPolicyType"/>
<xs:element name="CreationTime" type="xs:dateTime"/>
${declareMessage("SubscriptionManagerRP", `${referTo("ConsumerReference")}${referTo("Filter", 0)}${referTo("SubscriptionPolicy", 0)}${referTo("CreationTime", 0)}`)}
<xs:complexType name="NotificationMessageHolderType">
  <xs:sequence>
    ${referTo("SubscriptionReference", 0)}${referTo("Topic", 0)}${referTo("ProducerReference", 0)}
    <xs:element name="Message"><xs:complexType><xs:sequence><xs:any processContents="lax"/></xs:sequence></xs:complexType></xs:element>
  </xs:sequence>
</xs:complexType>
<xs:element name="NotificationMessage" type="tns:NotificationMessageHolderType"/>
${declareMessage("Notify", referTo("NotificationMessage", 1, "unbounded") + writeAnyElements("##other"))}
<xs:element name="CurrentTime" type="xs:dateTime"/>
<xs:element name="TerminationTime" type="xs:dateTime" nillable="true"/>
${declareElements(["ProducerProperties", "MessageContent"], "QueryExpressionType")}
<xs:element name="UseRaw"><xs:complexType/></xs:element>
${declareMessage(
  "Subscribe",
  `${declareEndpoint("ConsumerReference")}
  <xs:element name="Filter" type="tns:FilterType" minOccurs="0"/>
  <xs:element name="InitialTerminationTime" type="tns:AbsoluteOrRelativeTimeType" nillable="true" minOccurs="0"/>
  <xs:element name="SubscriptionPolicy" minOccurs="0"><xs:complexType><xs:sequence>${writeAnyElements("##any")}</xs:sequence></xs:complexType></xs:element>
  ${writeAnyElements("##other")}`,
)}
${declareMessage("SubscribeResponse", declareEndpoint("SubscriptionReference") + referTo("CurrentTime", 0) + referTo("TerminationTime", 0) + writeAnyElements("##other"))}
${declareMessage("GetCurrentMessage", `<xs:element name="Topic" type="tns:TopicExpressionType"/>${writeAnyElements("##other")}`)}
${declareMessage("GetCurrentMessageResponse", writeAnyElements("##other"))}
${declareMessage("GetMessages", `<xs:element name="MaximumNumber" type="xs:nonNegativeInteger" minOccurs="0"/>${writeAnyElements("##other")}`, anyAttributes)}
${declareMessage("GetMessagesResponse", referTo("NotificationMessage", 0, "unbounded") + writeAnyElements("##other"), anyAttributes)}
${declareMessage("CreatePullPointResponse", declareEndpoint("PullPoint") + writeAnyElements("##other"), anyAttributes)}
${declareMessage("Renew", `<xs:element name="TerminationTime" type="tns:AbsoluteOrRelativeTimeType" nillable="true"/>${writeAnyElements("##other")}`)}
${declareMessage("RenewResponse", referTo("TerminationTime") + referTo("CurrentTime", 0) + writeAnyElements("##other"))}
${emptyElements.map((name) => declareMessage(name, writeAnyElements("##other"))).join("\n")}
${emptyWithAttributes.map((name) => declareMessage(name, writeAnyElements("##other"), anyAttributes)).join("\n")}
${plainFaults.map((name) => declareFault(name)).join("\n")}
${declareFault("InvalidFilter", declareUnknown("UnknownFilter", 1))}
${declareFault("UnrecognizedPolicyRequest", declareUnknown("UnrecognizedPolicy", 0))}
${declareFault("UnsupportedPolicyRequest", declareUnknown("UnsupportedPolicy", 0))}
${declareFault("UnacceptableInitialTerminationTime", time)}
${declareFault("UnacceptableTerminationTime", time)}`,
    { wsa: addressingNamespace, bf: baseFaultsNamespace, wstop: topicsNamespace },
  );
}

const withResponse = (verb: string) => [`${verb}Subscription`, `${verb}SubscriptionResponse`];

const plainFaults = [
  "SubscribeCreationFailed",
  "TopicExpressionDialectUnknown",
  "InvalidTopicExpression",
  "TopicNotSupported",
  "MultipleTopicsSpecified",
  "InvalidProducerPropertiesExpression",
  "InvalidMessageContentExpression",
  "NotifyMessageNotSupported",
  "NoCurrentMessageOnTopic",
  "UnableToGetMessages",
  "UnableToDestroyPullPoint",
  "UnableToCreatePullPoint",
  "UnableToDestroySubscription",
  "PauseFailed",
  "ResumeFailed",
];

/** Declares the element and the type of a fault that extends the base fault. */
function declareFault(name: string, members = ""): string {
  const content = members === "" ? "" : `<xs:sequence>${members}</xs:sequence>`;
  return (
    `<xs:element name="${name}Fault" type="tns:${name}FaultType"/><xs:complexType name="${name}FaultType">` +
    `<xs:complexContent><xs:extension base="bf:BaseFaultType">${content}</xs:extension></xs:complexContent></xs:complexType>`
  );
}

/** Declares an element with an anonymous type. */
function declareMessage(name: string, members: string, attributes = ""): string {
  return `<xs:element name="${name}"><xs:complexType><xs:sequence>${members}</xs:sequence>${attributes}</xs:complexType></xs:element>`;
}

function declareEndpoint(name: string): string {
  return `<xs:element name="${name}" type="wsa:EndpointReferenceType"/>`;
}

function referTo(name: string, min = 1, max: 1 | "unbounded" = 1): string {
  return `<xs:element ref="tns:${name}" minOccurs="${min}" maxOccurs="${max}"/>`;
}
