import { xmlNamespace } from "../../../source/xml-names.js";
import { writeAnyElements, writeSchema } from "./xml-and-soap.js";

export const signatureNamespace = "http://www.w3.org/2000/09/xmldsig#";

const id = '<xs:attribute name="Id" type="xs:ID"/>';
const algorithm = '<xs:attribute name="Algorithm" type="xs:anyURI" use="required"/>';
const anyOther = '<xs:any namespace="##other" processContents="lax"/>';

/** The schema of XML-Signature Syntax and Processing (§4 and §5). */
export function writeSignatureSchema(): string {
  return writeSchema(
    signatureNamespace,
    [declareSignature(), declareAlgorithms(), declareKeyInformation(), declareKeyValues(), declareObjects()].join("\n"),
  );
}

/** Declares the signature and the references to signed data (XML-Signature §4.1 to §4.3). */
function declareSignature(): string {
  return `<xs:simpleType name="CryptoBinary"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${declareElement("Signature")}
${declareSequenceType("SignatureType", `${referTo("SignedInfo")}${referTo("SignatureValue")}${referTo("KeyInfo", "?")}${referTo("Object", "*")}`, id)}
${declareElement("SignatureValue")}
<xs:complexType name="SignatureValueType"><xs:simpleContent><xs:extension base="xs:base64Binary">${id}</xs:extension></xs:simpleContent></xs:complexType>
${declareElement("SignedInfo")}
${declareSequenceType("SignedInfoType", `${referTo("CanonicalizationMethod")}${referTo("SignatureMethod")}${referTo("Reference", "+")}`, id)}
${declareElement("Reference")}
${declareSequenceType(
  "ReferenceType",
  `${referTo("Transforms", "?")}${referTo("DigestMethod")}${referTo("DigestValue")}`,
  `${id}<xs:attribute name="URI" type="xs:anyURI"/><xs:attribute name="Type" type="xs:anyURI"/>`,
)}
${declareElement("DigestValue")}
<xs:simpleType name="DigestValueType"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${declareElement("Transforms")}
${declareSequenceType("TransformsType", referTo("Transform", "+"), "")}`;
}

/** Declares algorithms (XML-Signature §4.3.1, §4.3.2, §4.3.3.4, §4.3.3.5). */
function declareAlgorithms(): string {
  return `${declareElement("CanonicalizationMethod")}
${declareMixedType("CanonicalizationMethodType", '<xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>', algorithm)}
${declareElement("SignatureMethod")}
${declareMixedType(
  "SignatureMethodType",
  '<xs:sequence><xs:element name="HMACOutputLength" type="tns:HMACOutputLengthType" minOccurs="0"/>' +
    '<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>',
  algorithm,
)}
<xs:simpleType name="HMACOutputLengthType"><xs:restriction base="xs:integer"/></xs:simpleType>
${declareElement("DigestMethod")}
${declareMixedType("DigestMethodType", `<xs:sequence>${writeAnyElements("##other")}</xs:sequence>`, algorithm)}
${declareElement("Transform")}
${declareMixedType(
  "TransformType",
  `<xs:choice minOccurs="0" maxOccurs="unbounded">${anyOther}<xs:element name="XPath" type="xs:string"/></xs:choice>`,
  algorithm,
)}`;
}

/** Declares KeyInfo, which describes a key (XML-Signature §4.4). */
function declareKeyInformation(): string {
  const names = ["KeyName", "KeyValue", "RetrievalMethod", "X509Data", "PGPData", "SPKIData", "MgmtData"];
  return `${declareElement("KeyInfo")}
${declareMixedType("KeyInfoType", `<xs:choice maxOccurs="unbounded">${names.map((name) => referTo(name)).join("")}${anyOther}</xs:choice>`, id)}
<xs:element name="KeyName" type="xs:string"/>
<xs:element name="MgmtData" type="xs:string"/>
${declareElement("KeyValue")}
${declareMixedType("KeyValueType", `<xs:choice>${referTo("DSAKeyValue")}${referTo("RSAKeyValue")}${anyOther}</xs:choice>`, "")}
${declareElement("RetrievalMethod")}
${declareSequenceType(
  "RetrievalMethodType",
  referTo("Transforms", "?"),
  '<xs:attribute name="URI" type="xs:anyURI"/><xs:attribute name="Type" type="xs:anyURI"/>',
)}
${declareElement("X509Data")}
<xs:complexType name="X509DataType">
  <xs:sequence maxOccurs="unbounded">
    <xs:choice>
      <xs:element name="X509IssuerSerial" type="tns:X509IssuerSerialType"/>
      <xs:element name="X509SKI" type="xs:base64Binary"/>
      <xs:element name="X509SubjectName" type="xs:string"/>
      <xs:element name="X509Certificate" type="xs:base64Binary"/>
      <xs:element name="X509CRL" type="xs:base64Binary"/>
      ${anyOther}
    </xs:choice>
  </xs:sequence>
</xs:complexType>
${declareSequenceType(
  "X509IssuerSerialType",
  '<xs:element name="X509IssuerName" type="xs:string"/><xs:element name="X509SerialNumber" type="xs:integer"/>',
  "",
)}
${declareElement("PGPData")}
<xs:complexType name="PGPDataType">
  <xs:choice>
    <xs:sequence>
      <xs:element name="PGPKeyID" type="xs:base64Binary"/>
      <xs:element name="PGPKeyPacket" type="xs:base64Binary" minOccurs="0"/>
      ${writeAnyElements("##other")}
    </xs:sequence>
    <xs:sequence>
      <xs:element name="PGPKeyPacket" type="xs:base64Binary"/>
      ${writeAnyElements("##other")}
    </xs:sequence>
  </xs:choice>
</xs:complexType>
${declareElement("SPKIData")}
<xs:complexType name="SPKIDataType">
  <xs:sequence maxOccurs="unbounded">
    <xs:element name="SPKISexp" type="xs:base64Binary"/>
    <xs:any namespace="##other" processContents="lax" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>`;
}

/** Declares key values (XML-Signature §4.4.2). */
function declareKeyValues(): string {
  const declareBinary = (name: string, minOccurs = "1") =>
    `<xs:element name="${name}" type="tns:CryptoBinary" minOccurs="${minOccurs}"/>`;
  const declarePair = (first: string, second: string) =>
    `<xs:sequence minOccurs="0">${declareBinary(first)}${declareBinary(second)}</xs:sequence>`;
  return `${declareElement("DSAKeyValue")}
${declareSequenceType("DSAKeyValueType", `${declarePair("P", "Q")}${declareBinary("G", "0")}${declareBinary("Y")}${declareBinary("J", "0")}${declarePair("Seed", "PgenCounter")}`, "")}
${declareElement("RSAKeyValue")}
${declareSequenceType("RSAKeyValueType", `${declareBinary("Modulus")}${declareBinary("Exponent")}`, "")}`;
}

/** Declares objects, manifests and signature properties (XML-Signature §4.5 and §5). */
function declareObjects(): string {
  return `${declareElement("Object")}
${declareMixedType(
  "ObjectType",
  '<xs:sequence minOccurs="0" maxOccurs="unbounded"><xs:any namespace="##any" processContents="lax"/></xs:sequence>',
  `${id}<xs:attribute name="MimeType" type="xs:string"/><xs:attribute name="Encoding" type="xs:anyURI"/>`,
)}
${declareElement("Manifest")}
${declareSequenceType("ManifestType", referTo("Reference", "+"), id)}
${declareElement("SignatureProperties")}
${declareSequenceType("SignaturePropertiesType", referTo("SignatureProperty", "+"), id)}
${declareElement("SignatureProperty")}
${declareMixedType(
  "SignaturePropertyType",
  `<xs:choice maxOccurs="unbounded">${anyOther}</xs:choice>`,
  `<xs:attribute name="Target" type="xs:anyURI" use="required"/>${id}`,
)}`;
}

function declareSequenceType(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}"><xs:sequence>${content}</xs:sequence>${attributes}</xs:complexType>`;
}

function declareMixedType(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}" mixed="true">${content}${attributes}</xs:complexType>`;
}

export const encryptionNamespace = "http://www.w3.org/2001/04/xmlenc#";
const uri = '<xs:attribute name="URI" type="xs:anyURI" use="required"/>';
const anyOthers = '<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/>';

/** The schema of XML Encryption Syntax and Processing (§3 and §5.5). */
export function writeEncryptionSchema(): string {
  return writeSchema(
    encryptionNamespace,
    `<xs:complexType name="EncryptedType" abstract="true">
  <xs:sequence>
    <xs:element name="EncryptionMethod" type="tns:EncryptionMethodType" minOccurs="0"/>
    <xs:element ref="ds:KeyInfo" minOccurs="0"/>
    <xs:element ref="tns:CipherData"/>
    <xs:element ref="tns:EncryptionProperties" minOccurs="0"/>
  </xs:sequence>
  ${id}
  <xs:attribute name="Type" type="xs:anyURI"/>
  <xs:attribute name="MimeType" type="xs:string"/>
  <xs:attribute name="Encoding" type="xs:anyURI"/>
</xs:complexType>
<xs:complexType name="EncryptionMethodType" mixed="true">
  <xs:sequence>
    <xs:element name="KeySize" type="tns:KeySizeType" minOccurs="0"/>
    <xs:element name="OAEPparams" type="xs:base64Binary" minOccurs="0"/>
    ${anyOthers}
  </xs:sequence>
  ${algorithm}
</xs:complexType>
<xs:simpleType name="KeySizeType"><xs:restriction base="xs:integer"/></xs:simpleType>
<xs:element name="CipherData" type="tns:CipherDataType"/>
<xs:complexType name="CipherDataType">
  <xs:choice>
    <xs:element name="CipherValue" type="xs:base64Binary"/>
    <xs:element ref="tns:CipherReference"/>
  </xs:choice>
</xs:complexType>
<xs:element name="CipherReference" type="tns:CipherReferenceType"/>
<xs:complexType name="CipherReferenceType">
  <xs:choice><xs:element name="Transforms" type="tns:TransformsType" minOccurs="0"/></xs:choice>
  ${uri}
</xs:complexType>
<xs:complexType name="TransformsType"><xs:sequence><xs:element ref="ds:Transform" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
<xs:element name="EncryptedData" type="tns:EncryptedDataType"/>
<xs:complexType name="EncryptedDataType"><xs:complexContent><xs:extension base="tns:EncryptedType"/></xs:complexContent></xs:complexType>
<xs:element name="EncryptedKey" type="tns:EncryptedKeyType"/>
<xs:complexType name="EncryptedKeyType">
  <xs:complexContent>
    <xs:extension base="tns:EncryptedType">
      <xs:sequence>
        <xs:element ref="tns:ReferenceList" minOccurs="0"/>
        <xs:element name="CarriedKeyName" type="xs:string" minOccurs="0"/>
      </xs:sequence>
      <xs:attribute name="Recipient" type="xs:string"/>
    </xs:extension>
  </xs:complexContent>
</xs:complexType>
<xs:element name="AgreementMethod" type="tns:AgreementMethodType"/>
<xs:complexType name="AgreementMethodType" mixed="true">
  <xs:sequence>
    <xs:element name="KA-Nonce" type="xs:base64Binary" minOccurs="0"/>
    ${anyOthers}
    <xs:element name="OriginatorKeyInfo" type="ds:KeyInfoType" minOccurs="0"/>
    <xs:element name="RecipientKeyInfo" type="ds:KeyInfoType" minOccurs="0"/>
  </xs:sequence>
  ${algorithm}
</xs:complexType>
<xs:element name="DHKeyValue" type="tns:DHKeyValueType"/>
<xs:complexType name="DHKeyValueType">
  <xs:sequence>
    <xs:sequence minOccurs="0">${declareNumbers("P", "Q", "Generator")}</xs:sequence>
    ${declareNumbers("Public")}
    <xs:sequence minOccurs="0">${declareNumbers("seed", "pgenCounter")}</xs:sequence>
  </xs:sequence>
</xs:complexType>
<xs:element name="ReferenceList">
  <xs:complexType>
    <xs:choice maxOccurs="unbounded">
      <xs:element name="DataReference" type="tns:ReferenceType"/>
      <xs:element name="KeyReference" type="tns:ReferenceType"/>
    </xs:choice>
  </xs:complexType>
</xs:element>
<xs:complexType name="ReferenceType"><xs:sequence>${anyOthers}</xs:sequence>${uri}</xs:complexType>
<xs:element name="EncryptionProperties" type="tns:EncryptionPropertiesType"/>
<xs:complexType name="EncryptionPropertiesType">
  <xs:sequence><xs:element ref="tns:EncryptionProperty" maxOccurs="unbounded"/></xs:sequence>
  ${id}
</xs:complexType>
<xs:element name="EncryptionProperty" type="tns:EncryptionPropertyType"/>
<xs:complexType name="EncryptionPropertyType" mixed="true">
  <xs:choice maxOccurs="unbounded"><xs:any namespace="##other" processContents="lax"/></xs:choice>
  <xs:attribute name="Target" type="xs:anyURI"/>
  ${id}
  <xs:anyAttribute namespace="${xmlNamespace}"/>
</xs:complexType>`,
    { ds: signatureNamespace },
  );
}

function declareNumbers(...names: readonly string[]): string {
  return names.map((name) => `<xs:element name="${name}" type="ds:CryptoBinary"/>`).join("");
}

export const keyManagementNamespace = "http://www.w3.org/2002/03/xkms#";

/** The schema of XML Key Management Specification 2.0 (§2 to §6). */
export function writeKeyManagementSchema(): string {
  const declarations = [
    declareMessages(),
    declareRequests(),
    declareResults(),
    declareBindings(),
    declareAuthentication(),
    declareKeyPair(),
    declareValues(),
  ];
  return writeSchema(keyManagementNamespace, declarations.join("\n"), {
    ds: signatureNamespace,
    xenc: encryptionNamespace,
  });
}

/** Declares the common content of all messages (XML Key Management §3.1). */
function declareMessages(): string {
  const requiredAttributes = `${declareAttribute("Id", "xs:ID")}${declareAttribute("Service", "xs:anyURI")}`;
  return `${declareAbstractType("MessageAbstractType", {
    content: `${referTo("ds:Signature", "?")}${referTo("MessageExtension", "*")}${referTo("OpaqueClientData", "?")}`,
    attributes: `${requiredAttributes}${declareAttribute("Nonce", "xs:base64Binary", "optional")}`,
  })}
<xs:element name="MessageExtension" type="tns:MessageExtensionAbstractType" abstract="true"/>
${declareAbstractType("MessageExtensionAbstractType", {})}
${declareElement("OpaqueClientData")}
<xs:complexType name="OpaqueClientDataType"><xs:sequence maxOccurs="unbounded">${referTo("OpaqueData", "?")}</xs:sequence></xs:complexType>
${declareElement("OpaqueData", "xs:base64Binary")}`;
}

/** Declares requests (XML Key Management §3.1.2, §3.3 to §6). */
function declareRequests(): string {
  const names = ["Locate", "Validate", "Register", "Reissue", "Recover", "Revoke"].map((name) => `${name}Request`);
  const createRenewalContent = (name: string) => `${referTo(`${name}KeyBinding`)}${referTo("Authentication")}`;
  const revocationContent = `${referTo("RevokeKeyBinding")}<xs:choice>${referTo("Authentication")}${referTo("RevocationCode")}</xs:choice>`;
  return `${declareDerivedType("RequestAbstractType", "MessageAbstractType", {
    isAbstract: true,
    content: `${referTo("ResponseMechanism", "*")}${referTo("RespondWith", "*")}${referTo("PendingNotification", "?")}`,
    attributes: `${declareAttribute("OriginalRequestId", "xs:NCName", "optional")}${declareAttribute("ResponseLimit", "xs:integer", "optional")}`,
  })}
${declareElement("PendingNotification")}
${declareTypeWithoutContent("PendingNotificationType", `${declareAttribute("Mechanism", "xs:anyURI")}${declareAttribute("Identifier", "xs:anyURI")}`)}
${declareRequest("PendingRequest", { attributes: declareAttribute("ResponseId", "xs:NCName") })}
${declareElement("StatusRequest")}
${declareDerivedType("StatusRequestType", "PendingRequestType", {})}
${declareElement("CompoundRequest")}
${declareDerivedType("CompoundRequestType", "RequestAbstractType", { choice: names, isRequired: true })}
${declareRequest("LocateRequest", { content: referTo("QueryKeyBinding") })}
${declareRequest("ValidateRequest", { content: referTo("QueryKeyBinding") })}
${declareRequest("RegisterRequest", {
  content: `${referTo("PrototypeKeyBinding")}${referTo("Authentication")}${referTo("ProofOfPossession", "?")}`,
})}
${declareRequest("ReissueRequest", { content: `${createRenewalContent("Reissue")}${referTo("ProofOfPossession", "?")}` })}
${declareRequest("RecoverRequest", { content: createRenewalContent("Recover") })}
${declareRequest("RevokeRequest", { content: revocationContent })}
${declareElement("ReissueKeyBinding", "tns:KeyBindingType")}
${declareElement("RecoverKeyBinding", "tns:KeyBindingType")}
${declareElement("RevokeKeyBinding", "tns:KeyBindingType")}`;
}

/** Declares results (XML Key Management §3.1.3, §3.3 to §6). */
function declareResults(): string {
  const names = ["Locate", "Validate", "Register", "Reissue", "Recover", "Revoke"].map((name) => `${name}Result`);
  const withKey = `${referTo("KeyBinding", "*")}${referTo("PrivateKey", "?")}`;
  const countAttributes = ["Success", "Failure", "Pending"].map((name) =>
    declareAttribute(name, "xs:integer", "optional"),
  );
  const resultMajor = declareAttribute("ResultMajor", "tns:ResultMajorOpenEnum");
  const resultMinor = declareAttribute("ResultMinor", "tns:ResultMinorOpenEnum", "optional");
  return `${declareElement("Result")}
${declareDerivedType("ResultType", "MessageAbstractType", {
  content: referTo("RequestSignatureValue", "?"),
  attributes: `${resultMajor}${resultMinor}${declareAttribute("RequestId", "xs:NCName", "optional")}`,
})}
${declareElement("RequestSignatureValue", "ds:SignatureValueType")}
${declareResult("StatusResult", { attributes: countAttributes.join("") })}
${declareElement("CompoundResult")}
${declareDerivedType("CompoundResultType", "ResultType", { choice: names })}
${declareResult("LocateResult", { content: referTo("UnverifiedKeyBinding", "*") })}
${declareResult("ValidateResult", { content: referTo("KeyBinding", "*") })}
${declareResult("RegisterResult", { content: withKey })}
${declareResult("ReissueResult", { content: referTo("KeyBinding", "*") })}
${declareResult("RecoverResult", { content: withKey })}
${declareResult("RevokeResult", { content: referTo("KeyBinding", "*") })}`;
}

/** Declares keys and their bindings (XML Key Management §3.2). */
function declareBindings(): string {
  const reasons = `${referTo("ValidReason", "*")}${referTo("IndeterminateReason", "*")}${referTo("InvalidReason", "*")}`;
  const limits = `${declareAttribute("NotBefore", "xs:dateTime", "optional")}${declareAttribute("NotOnOrAfter", "xs:dateTime", "optional")}`;
  return `${declareAbstractType("KeyBindingAbstractType", {
    content: `${referTo("ds:KeyInfo", "?")}<xs:element ref="tns:KeyUsage" minOccurs="0" maxOccurs="3"/>${referTo("UseKeyWith", "*")}`,
    attributes: declareAttribute("Id", "xs:ID", "optional"),
  })}
${declareElement("UnverifiedKeyBinding")}
${declareDerivedType("UnverifiedKeyBindingType", "KeyBindingAbstractType", { content: referTo("ValidityInterval", "?") })}
${declareElement("KeyBinding")}
${declareDerivedType("KeyBindingType", "UnverifiedKeyBindingType", { content: referTo("Status") })}
${declareElement("QueryKeyBinding")}
${declareDerivedType("QueryKeyBindingType", "KeyBindingAbstractType", { content: referTo("TimeInstant", "?") })}
${declareElement("PrototypeKeyBinding")}
${declareDerivedType("PrototypeKeyBindingType", "KeyBindingAbstractType", {
  content: `${referTo("ValidityInterval", "?")}${referTo("RevocationCodeIdentifier", "?")}`,
})}
${declareElement("KeyUsage", "tns:KeyUsageEnum")}
${declareElement("UseKeyWith")}
${declareTypeWithoutContent("UseKeyWithType", `${declareAttribute("Application", "xs:anyURI")}${declareAttribute("Identifier", "xs:string")}`)}
${declareElement("Status")}
<xs:complexType name="StatusType"><xs:sequence>${reasons}</xs:sequence>${declareAttribute("StatusValue", "tns:KeyBindingEnum")}</xs:complexType>
${["ValidReason", "IndeterminateReason", "InvalidReason"].map((name) => declareElement(name, "tns:ReasonOpenEnum")).join("\n")}
${declareElement("ValidityInterval")}
${declareTypeWithoutContent("ValidityIntervalType", limits)}
${declareElement("TimeInstant")}
${declareTypeWithoutContent("TimeInstantType", declareAttribute("Time", "xs:dateTime"))}
${["RevocationCodeIdentifier", "RevocationCode"].map(declareBinaryElement).join("\n")}`;
}

/** Declares proofs that a client may change a key (XML Key Management §5.1). */
function declareAuthentication(): string {
  return `${declareSequenceElement("Authentication", `${referTo("KeyBindingAuthentication", "?")}${referTo("NotBoundAuthentication", "?")}`)}
${declareSequenceElement("KeyBindingAuthentication", referTo("ds:Signature"))}
${declareElement("NotBoundAuthentication")}
${declareTypeWithoutContent("NotBoundAuthenticationType", `${declareAttribute("Protocol", "xs:anyURI")}${declareAttribute("Value", "xs:base64Binary")}`)}
${declareSequenceElement("ProofOfPossession", referTo("ds:Signature"))}
${declareSequenceElement("PrivateKey", referTo("xenc:EncryptedData"))}`;
}

/** Declares the parameters of an RSA key pair (XML Key Management §6). */
function declareKeyPair(): string {
  const names = ["Modulus", "Exponent", "P", "Q", "DP", "DQ", "InverseQ", "D"];
  const parameters = names.map((name) => declareElement(name, "ds:CryptoBinary")).join("\n");
  return `${declareSequenceElement("RSAKeyPair", names.map((name) => referTo(name)).join(""))}\n${parameters}`;
}

/**
 * The values of each enumeration, separated by spaces. The values are URIs, written here without their common
 * beginning.
 */
const enumerations: Readonly<Record<string, string>> = {
  ResponseMechanism: "Pending Represent RequestSignatureValue",
  RespondWith: "KeyName KeyValue X509Cert X509Chain X509CRL RetrievalMethod PGP PGPWeb SPKI PrivateKey",
  ResultMajor: "Success VersionMismatch Sender Receiver Represent Pending",
  ResultMinor:
    "NoMatch TooManyResponses Incomplete Failure Refused NoAuthentication MessageNotSupported UnknownResponseId " +
    "RepresentRequired NotSynchronous OptionalElementNotSupported ProofOfPossessionRequired TimeInstantNotSupported " +
    "TimeInstantOutOfRange",
  Reason: "IssuerTrust RevocationStatus ValidityInterval Signature",
};

function declareValues(): string {
  const openTypes = Object.entries(enumerations).map(
    ([name, words]) => `${declareEnumeration(`${name}Enum`, words)}
<xs:simpleType name="${name}OpenEnum"><xs:union memberTypes="tns:${name}Enum xs:anyURI"/></xs:simpleType>`,
  );
  return `${openTypes.join("\n")}
${declareElement("ResponseMechanism", "tns:ResponseMechanismOpenEnum")}
${declareElement("RespondWith", "tns:RespondWithOpenEnum")}
${declareEnumeration("KeyUsageEnum", "Encryption Signature Exchange")}
${declareEnumeration("KeyBindingEnum", "Valid Invalid Indeterminate")}`;
}

function declareEnumeration(name: string, words: string): string {
  const facets = words.split(" ").map((word) => `<xs:enumeration value="${keyManagementNamespace}${word}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:anyURI">${facets.join("")}</xs:restriction></xs:simpleType>`;
}

const unbounded = ' maxOccurs="unbounded"';
const bounds = { "": "", "?": ' minOccurs="0"', "*": ` minOccurs="0"${unbounded}`, "+": unbounded } as const;

/** Declares a global element. By default, its type has the name of the element and the suffix `Type`. */
function declareElement(name: string, type = `tns:${name}Type`): string {
  return `<xs:element name="${name}" type="${type}"/>`;
}

function declareBinaryElement(name: string): string {
  return `${declareElement(name)}
<xs:simpleType name="${name}Type"><xs:restriction base="xs:base64Binary"/></xs:simpleType>`;
}

function declareSequenceElement(name: string, content: string): string {
  return `${declareElement(name)}
<xs:complexType name="${name}Type"><xs:sequence>${content}</xs:sequence></xs:complexType>`;
}

function referTo(name: string, occurs: keyof typeof bounds = ""): string {
  return `<xs:element ref="${name.includes(":") ? name : `tns:${name}`}"${bounds[occurs]}/>`;
}

function declareAttribute(name: string, type: string, use: "required" | "optional" = "required"): string {
  return `<xs:attribute name="${name}" type="${type}" use="${use}"/>`;
}

interface TypeParts {
  readonly content?: string;
  readonly attributes?: string;
}

function declareAbstractType(name: string, { content = "", attributes = "" }: TypeParts): string {
  const sequence = content === "" ? "" : `<xs:sequence>${content}</xs:sequence>`;
  return `<xs:complexType name="${name}" abstract="true">${sequence}${attributes}</xs:complexType>`;
}

function declareTypeWithoutContent(name: string, attributes: string): string {
  return `<xs:complexType name="${name}">${attributes}</xs:complexType>`;
}

interface DerivedParts extends TypeParts {
  readonly isAbstract?: boolean;
  /**
   * The names of the elements in a repeated choice. With `isRequired`, the choice must contain at least one element.
   */
  readonly choice?: readonly string[];
  readonly isRequired?: boolean;
}

function declareDerivedType(name: string, base: string, parts: DerivedParts): string {
  const { content = "", attributes = "", isAbstract = false, choice, isRequired = false } = parts;
  const items = choice?.map((name) => referTo(name)).join("");
  const group =
    items === undefined
      ? content && `<xs:sequence>${content}</xs:sequence>`
      : `<xs:choice${isRequired ? "" : ' minOccurs="0"'} maxOccurs="unbounded">${items}</xs:choice>`;
  return (
    `<xs:complexType name="${name}"${isAbstract ? ' abstract="true"' : ""}><xs:complexContent>` +
    `<xs:extension base="tns:${base}">${group}${attributes}</xs:extension></xs:complexContent></xs:complexType>`
  );
}

function declareRequest(name: string, parts: TypeParts): string {
  return `${declareElement(name)}\n${declareDerivedType(`${name}Type`, "RequestAbstractType", parts)}`;
}

function declareResult(name: string, parts: TypeParts): string {
  return `${declareElement(name)}\n${declareDerivedType(`${name}Type`, "ResultType", parts)}`;
}
