import { schemaText } from "./schema-text.js";
import { encryption, signature } from "./xml-security.js";

export const keyManagement = "http://www.w3.org/2002/03/xkms#";

/** XML Key Management Specification 2.0 §2 to §6. */
export function keyManagementSchema(): string {
  const declarations = [messages(), requests(), results(), bindings(), authentication(), keyPair(), values()];
  return schemaText(keyManagement, declarations.join("\n"), { ds: signature, xenc: encryption });
}

/** §3.1: the common content of all messages. */
function messages(): string {
  const required = `${attribute("Id", "xs:ID")}${attribute("Service", "xs:anyURI")}`;
  return `${abstractType("MessageAbstractType", {
    content: `${ref("ds:Signature", "?")}${ref("MessageExtension", "*")}${ref("OpaqueClientData", "?")}`,
    attributes: `${required}${attribute("Nonce", "xs:base64Binary", "optional")}`,
  })}
<xs:element name="MessageExtension" type="tns:MessageExtensionAbstractType" abstract="true"/>
${abstractType("MessageExtensionAbstractType", {})}
${element("OpaqueClientData")}
<xs:complexType name="OpaqueClientDataType"><xs:sequence maxOccurs="unbounded">${ref("OpaqueData", "?")}</xs:sequence></xs:complexType>
${element("OpaqueData", "xs:base64Binary")}`;
}

/** §3.1.2, §3.3 to §6: requests. */
function requests(): string {
  const names = ["Locate", "Validate", "Register", "Reissue", "Recover", "Revoke"].map((name) => `${name}Request`);
  const renewed = (name: string) => `${ref(`${name}KeyBinding`)}${ref("Authentication")}`;
  const revoked = `${ref("RevokeKeyBinding")}<xs:choice>${ref("Authentication")}${ref("RevocationCode")}</xs:choice>`;
  return `${derivedType("RequestAbstractType", "MessageAbstractType", {
    isAbstract: true,
    content: `${ref("ResponseMechanism", "*")}${ref("RespondWith", "*")}${ref("PendingNotification", "?")}`,
    attributes: `${attribute("OriginalRequestId", "xs:NCName", "optional")}${attribute("ResponseLimit", "xs:integer", "optional")}`,
  })}
${element("PendingNotification")}
${emptyType("PendingNotificationType", `${attribute("Mechanism", "xs:anyURI")}${attribute("Identifier", "xs:anyURI")}`)}
${request("PendingRequest", { attributes: attribute("ResponseId", "xs:NCName") })}
${element("StatusRequest")}
${derivedType("StatusRequestType", "PendingRequestType", {})}
${element("CompoundRequest")}
${derivedType("CompoundRequestType", "RequestAbstractType", { choice: names, isRequired: true })}
${request("LocateRequest", { content: ref("QueryKeyBinding") })}
${request("ValidateRequest", { content: ref("QueryKeyBinding") })}
${request("RegisterRequest", {
  content: `${ref("PrototypeKeyBinding")}${ref("Authentication")}${ref("ProofOfPossession", "?")}`,
})}
${request("ReissueRequest", { content: `${renewed("Reissue")}${ref("ProofOfPossession", "?")}` })}
${request("RecoverRequest", { content: renewed("Recover") })}
${request("RevokeRequest", { content: revoked })}
${element("ReissueKeyBinding", "tns:KeyBindingType")}
${element("RecoverKeyBinding", "tns:KeyBindingType")}
${element("RevokeKeyBinding", "tns:KeyBindingType")}`;
}

/** §3.1.3, §3.3 to §6: results. */
function results(): string {
  const names = ["Locate", "Validate", "Register", "Reissue", "Recover", "Revoke"].map((name) => `${name}Result`);
  const withKey = `${ref("KeyBinding", "*")}${ref("PrivateKey", "?")}`;
  const counts = ["Success", "Failure", "Pending"].map((name) => attribute(name, "xs:integer", "optional"));
  const major = attribute("ResultMajor", "tns:ResultMajorOpenEnum");
  const minor = attribute("ResultMinor", "tns:ResultMinorOpenEnum", "optional");
  return `${element("Result")}
${derivedType("ResultType", "MessageAbstractType", {
  content: ref("RequestSignatureValue", "?"),
  attributes: `${major}${minor}${attribute("RequestId", "xs:NCName", "optional")}`,
})}
${element("RequestSignatureValue", "ds:SignatureValueType")}
${result("StatusResult", { attributes: counts.join("") })}
${element("CompoundResult")}
${derivedType("CompoundResultType", "ResultType", { choice: names })}
${result("LocateResult", { content: ref("UnverifiedKeyBinding", "*") })}
${result("ValidateResult", { content: ref("KeyBinding", "*") })}
${result("RegisterResult", { content: withKey })}
${result("ReissueResult", { content: ref("KeyBinding", "*") })}
${result("RecoverResult", { content: withKey })}
${result("RevokeResult", { content: ref("KeyBinding", "*") })}`;
}

/** §3.2: keys and their bindings. */
function bindings(): string {
  const reasons = `${ref("ValidReason", "*")}${ref("IndeterminateReason", "*")}${ref("InvalidReason", "*")}`;
  const limits = `${attribute("NotBefore", "xs:dateTime", "optional")}${attribute("NotOnOrAfter", "xs:dateTime", "optional")}`;
  return `${abstractType("KeyBindingAbstractType", {
    content: `${ref("ds:KeyInfo", "?")}<xs:element ref="tns:KeyUsage" minOccurs="0" maxOccurs="3"/>${ref("UseKeyWith", "*")}`,
    attributes: attribute("Id", "xs:ID", "optional"),
  })}
${element("UnverifiedKeyBinding")}
${derivedType("UnverifiedKeyBindingType", "KeyBindingAbstractType", { content: ref("ValidityInterval", "?") })}
${element("KeyBinding")}
${derivedType("KeyBindingType", "UnverifiedKeyBindingType", { content: ref("Status") })}
${element("QueryKeyBinding")}
${derivedType("QueryKeyBindingType", "KeyBindingAbstractType", { content: ref("TimeInstant", "?") })}
${element("PrototypeKeyBinding")}
${derivedType("PrototypeKeyBindingType", "KeyBindingAbstractType", {
  content: `${ref("ValidityInterval", "?")}${ref("RevocationCodeIdentifier", "?")}`,
})}
${element("KeyUsage", "tns:KeyUsageEnum")}
${element("UseKeyWith")}
${emptyType("UseKeyWithType", `${attribute("Application", "xs:anyURI")}${attribute("Identifier", "xs:string")}`)}
${element("Status")}
<xs:complexType name="StatusType"><xs:sequence>${reasons}</xs:sequence>${attribute("StatusValue", "tns:KeyBindingEnum")}</xs:complexType>
${["ValidReason", "IndeterminateReason", "InvalidReason"].map((name) => element(name, "tns:ReasonOpenEnum")).join("\n")}
${element("ValidityInterval")}
${emptyType("ValidityIntervalType", limits)}
${element("TimeInstant")}
${emptyType("TimeInstantType", attribute("Time", "xs:dateTime"))}
${["RevocationCodeIdentifier", "RevocationCode"].map(binaryElement).join("\n")}`;
}

/** §5.1: proofs that a client may change a key. */
function authentication(): string {
  return `${sequenceElement("Authentication", `${ref("KeyBindingAuthentication", "?")}${ref("NotBoundAuthentication", "?")}`)}
${sequenceElement("KeyBindingAuthentication", ref("ds:Signature"))}
${element("NotBoundAuthentication")}
${emptyType("NotBoundAuthenticationType", `${attribute("Protocol", "xs:anyURI")}${attribute("Value", "xs:base64Binary")}`)}
${sequenceElement("ProofOfPossession", ref("ds:Signature"))}
${sequenceElement("PrivateKey", ref("xenc:EncryptedData"))}`;
}

/** §6: the parameters of an RSA key pair. */
function keyPair(): string {
  const names = ["Modulus", "Exponent", "P", "Q", "DP", "DQ", "InverseQ", "D"];
  const parameters = names.map((name) => element(name, "ds:CryptoBinary")).join("\n");
  return `${sequenceElement("RSAKeyPair", names.map((name) => ref(name)).join(""))}\n${parameters}`;
}

/** The URIs of each enumeration, without their common namespace. */
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

function values(): string {
  const open = Object.entries(enumerations).map(
    ([name, words]) => `${enumeration(`${name}Enum`, words)}
<xs:simpleType name="${name}OpenEnum"><xs:union memberTypes="tns:${name}Enum xs:anyURI"/></xs:simpleType>`,
  );
  return `${open.join("\n")}
${element("ResponseMechanism", "tns:ResponseMechanismOpenEnum")}
${element("RespondWith", "tns:RespondWithOpenEnum")}
${enumeration("KeyUsageEnum", "Encryption Signature Exchange")}
${enumeration("KeyBindingEnum", "Valid Invalid Indeterminate")}`;
}

function enumeration(name: string, words: string): string {
  const facets = words.split(" ").map((word) => `<xs:enumeration value="${keyManagement}${word}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:anyURI">${facets.join("")}</xs:restriction></xs:simpleType>`;
}

function element(name: string, type = `tns:${name}Type`): string {
  return `<xs:element name="${name}" type="${type}"/>`;
}

function binaryElement(name: string): string {
  return `${element(name)}
<xs:simpleType name="${name}Type"><xs:restriction base="xs:base64Binary"/></xs:simpleType>`;
}

function sequenceElement(name: string, content: string): string {
  return `${element(name)}
<xs:complexType name="${name}Type"><xs:sequence>${content}</xs:sequence></xs:complexType>`;
}

function ref(name: string, occurs: "" | "?" | "*" = ""): string {
  const bounds = { "": "", "?": ' minOccurs="0"', "*": ' minOccurs="0" maxOccurs="unbounded"' }[occurs];
  return `<xs:element ref="${name.includes(":") ? name : `tns:${name}`}"${bounds}/>`;
}

function attribute(name: string, type: string, use: "required" | "optional" = "required"): string {
  return `<xs:attribute name="${name}" type="${type}" use="${use}"/>`;
}

interface TypeParts {
  readonly content?: string;
  readonly attributes?: string;
}

function abstractType(name: string, { content = "", attributes = "" }: TypeParts): string {
  const sequence = content === "" ? "" : `<xs:sequence>${content}</xs:sequence>`;
  return `<xs:complexType name="${name}" abstract="true">${sequence}${attributes}</xs:complexType>`;
}

function emptyType(name: string, attributes: string): string {
  return `<xs:complexType name="${name}">${attributes}</xs:complexType>`;
}

interface DerivedParts extends TypeParts {
  readonly isAbstract?: boolean;
  /** The names of the elements of a repeated choice, which must not be empty if it is required. */
  readonly choice?: readonly string[];
  readonly isRequired?: boolean;
}

function derivedType(name: string, base: string, parts: DerivedParts): string {
  const { content = "", attributes = "", isAbstract = false, choice, isRequired = false } = parts;
  const items = choice?.map((each) => ref(each)).join("");
  const group =
    items === undefined
      ? content && `<xs:sequence>${content}</xs:sequence>`
      : `<xs:choice${isRequired ? "" : ' minOccurs="0"'} maxOccurs="unbounded">${items}</xs:choice>`;
  return (
    `<xs:complexType name="${name}"${isAbstract ? ' abstract="true"' : ""}><xs:complexContent>` +
    `<xs:extension base="tns:${base}">${group}${attributes}</xs:extension></xs:complexContent></xs:complexType>`
  );
}

function request(name: string, parts: TypeParts): string {
  return `${element(name)}\n${derivedType(`${name}Type`, "RequestAbstractType", parts)}`;
}

function result(name: string, parts: TypeParts): string {
  return `${element(name)}\n${derivedType(`${name}Type`, "ResultType", parts)}`;
}
