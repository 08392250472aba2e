import { xmlNamespace } from "../../../source/names.js";
import { anyElements, schemaText } from "./schema-text.js";

export const signature = "http://www.w3.org/2000/09/xmldsig#";

const id = '<xs:attribute name="Id" type="xs:ID"/>';
const algorithm = '<xs:attribute name="Algorithm" type="xs:anyURI" use="required"/>';
const other = '<xs:any namespace="##other" processContents="lax"/>';

/** XML-Signature Syntax and Processing §4 and §5. */
export function signatureSchema(): string {
  return schemaText(signature, [core(), methods(), keyInformation(), keyValues(), objects()].join("\n"));
}

/** §4.1 to §4.3: the signature and references to the signed data. */
function core(): string {
  return `<xs:simpleType name="CryptoBinary"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${element("Signature")}
${sequence("SignatureType", `${ref("SignedInfo")}${ref("SignatureValue")}${ref("KeyInfo", "0")}${ref("Object", "0", "unbounded")}`, id)}
${element("SignatureValue")}
<xs:complexType name="SignatureValueType"><xs:simpleContent><xs:extension base="xs:base64Binary">${id}</xs:extension></xs:simpleContent></xs:complexType>
${element("SignedInfo")}
${sequence("SignedInfoType", `${ref("CanonicalizationMethod")}${ref("SignatureMethod")}${ref("Reference", "1", "unbounded")}`, id)}
${element("Reference")}
${sequence(
  "ReferenceType",
  `${ref("Transforms", "0")}${ref("DigestMethod")}${ref("DigestValue")}`,
  `${id}<xs:attribute name="URI" type="xs:anyURI"/><xs:attribute name="Type" type="xs:anyURI"/>`,
)}
${element("DigestValue")}
<xs:simpleType name="DigestValueType"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${element("Transforms")}
${sequence("TransformsType", ref("Transform", "1", "unbounded"), "")}`;
}

/** §4.3.1, §4.3.2, §4.3.3.4, §4.3.3.5: algorithms. */
function methods(): string {
  return `${element("CanonicalizationMethod")}
${mixed("CanonicalizationMethodType", '<xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>', algorithm)}
${element("SignatureMethod")}
${mixed(
  "SignatureMethodType",
  '<xs:sequence><xs:element name="HMACOutputLength" type="tns:HMACOutputLengthType" minOccurs="0"/>' +
    '<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>',
  algorithm,
)}
<xs:simpleType name="HMACOutputLengthType"><xs:restriction base="xs:integer"/></xs:simpleType>
${element("DigestMethod")}
${mixed("DigestMethodType", `<xs:sequence>${anyElements("##other")}</xs:sequence>`, algorithm)}
${element("Transform")}
${mixed(
  "TransformType",
  `<xs:choice minOccurs="0" maxOccurs="unbounded">${other}<xs:element name="XPath" type="xs:string"/></xs:choice>`,
  algorithm,
)}`;
}

/** §4.4. */
function keyInformation(): string {
  const names = ["KeyName", "KeyValue", "RetrievalMethod", "X509Data", "PGPData", "SPKIData", "MgmtData"];
  return `${element("KeyInfo")}
${mixed("KeyInfoType", `<xs:choice maxOccurs="unbounded">${names.map((name) => ref(name)).join("")}${other}</xs:choice>`, id)}
<xs:element name="KeyName" type="xs:string"/>
<xs:element name="MgmtData" type="xs:string"/>
${element("KeyValue")}
${mixed("KeyValueType", `<xs:choice>${ref("DSAKeyValue")}${ref("RSAKeyValue")}${other}</xs:choice>`, "")}
${element("RetrievalMethod")}
${sequence(
  "RetrievalMethodType",
  ref("Transforms", "0"),
  '<xs:attribute name="URI" type="xs:anyURI"/><xs:attribute name="Type" type="xs:anyURI"/>',
)}
${element("X509Data")}
<xs:complexType name="X509DataType">
  <xs:sequence maxOccurs="unbounded">
    <xs:choice>
      <xs:element name="X509IssuerSerial" type="tns:X509IssuerSerialType"/>
      <xs:element name="X509SKI" type="xs:base64Binary"/>
      <xs:element name="X509SubjectName" type="xs:string"/>
      <xs:element name="X509Certificate" type="xs:base64Binary"/>
      <xs:element name="X509CRL" type="xs:base64Binary"/>
      ${other}
    </xs:choice>
  </xs:sequence>
</xs:complexType>
${sequence(
  "X509IssuerSerialType",
  '<xs:element name="X509IssuerName" type="xs:string"/><xs:element name="X509SerialNumber" type="xs:integer"/>',
  "",
)}
${element("PGPData")}
<xs:complexType name="PGPDataType">
  <xs:choice>
    <xs:sequence>
      <xs:element name="PGPKeyID" type="xs:base64Binary"/>
      <xs:element name="PGPKeyPacket" type="xs:base64Binary" minOccurs="0"/>
      ${anyElements("##other")}
    </xs:sequence>
    <xs:sequence>
      <xs:element name="PGPKeyPacket" type="xs:base64Binary"/>
      ${anyElements("##other")}
    </xs:sequence>
  </xs:choice>
</xs:complexType>
${element("SPKIData")}
<xs:complexType name="SPKIDataType">
  <xs:sequence maxOccurs="unbounded">
    <xs:element name="SPKISexp" type="xs:base64Binary"/>
    <xs:any namespace="##other" processContents="lax" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>`;
}

/** §4.4.2. */
function keyValues(): string {
  const binary = (name: string, minOccurs = "1") =>
    `<xs:element name="${name}" type="tns:CryptoBinary" minOccurs="${minOccurs}"/>`;
  const pair = (first: string, second: string) =>
    `<xs:sequence minOccurs="0">${binary(first)}${binary(second)}</xs:sequence>`;
  return `${element("DSAKeyValue")}
${sequence("DSAKeyValueType", `${pair("P", "Q")}${binary("G", "0")}${binary("Y")}${binary("J", "0")}${pair("Seed", "PgenCounter")}`, "")}
${element("RSAKeyValue")}
${sequence("RSAKeyValueType", `${binary("Modulus")}${binary("Exponent")}`, "")}`;
}

/** §4.5 and §5. */
function objects(): string {
  return `${element("Object")}
${mixed(
  "ObjectType",
  '<xs:sequence minOccurs="0" maxOccurs="unbounded"><xs:any namespace="##any" processContents="lax"/></xs:sequence>',
  `${id}<xs:attribute name="MimeType" type="xs:string"/><xs:attribute name="Encoding" type="xs:anyURI"/>`,
)}
${element("Manifest")}
${sequence("ManifestType", ref("Reference", "1", "unbounded"), id)}
${element("SignatureProperties")}
${sequence("SignaturePropertiesType", ref("SignatureProperty", "1", "unbounded"), id)}
${element("SignatureProperty")}
${mixed(
  "SignaturePropertyType",
  `<xs:choice maxOccurs="unbounded">${other}</xs:choice>`,
  `<xs:attribute name="Target" type="xs:anyURI" use="required"/>${id}`,
)}`;
}

/** A global element whose type has the same name. */
function element(name: string): string {
  return `<xs:element name="${name}" type="tns:${name}Type"/>`;
}

function ref(name: string, minOccurs = "1", maxOccurs = "1"): string {
  return `<xs:element ref="tns:${name}" minOccurs="${minOccurs}" maxOccurs="${maxOccurs}"/>`;
}

function sequence(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}"><xs:sequence>${content}</xs:sequence>${attributes}</xs:complexType>`;
}

function mixed(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}" mixed="true">${content}${attributes}</xs:complexType>`;
}

export const encryption = "http://www.w3.org/2001/04/xmlenc#";
const uri = '<xs:attribute name="URI" type="xs:anyURI" use="required"/>';
const others = '<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/>';

/** XML Encryption Syntax and Processing §3 and §5.5. */
export function encryptionSchema(): string {
  return schemaText(
    encryption,
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
    ${others}
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
    ${others}
    <xs:element name="OriginatorKeyInfo" type="ds:KeyInfoType" minOccurs="0"/>
    <xs:element name="RecipientKeyInfo" type="ds:KeyInfoType" minOccurs="0"/>
  </xs:sequence>
  ${algorithm}
</xs:complexType>
<xs:element name="DHKeyValue" type="tns:DHKeyValueType"/>
<xs:complexType name="DHKeyValueType">
  <xs:sequence>
    <xs:sequence minOccurs="0">${numbers("P", "Q", "Generator")}</xs:sequence>
    ${numbers("Public")}
    <xs:sequence minOccurs="0">${numbers("seed", "pgenCounter")}</xs:sequence>
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
<xs:complexType name="ReferenceType"><xs:sequence>${others}</xs:sequence>${uri}</xs:complexType>
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
    { ds: signature },
  );
}

function numbers(...names: readonly string[]): string {
  return names.map((name) => `<xs:element name="${name}" type="ds:CryptoBinary"/>`).join("");
}
