import { anyElements, schemaText } from "./schema-text.js";

export const signature = "http://www.w3.org/2000/09/xmldsig#";

const id = '<xs:attribute name="Id" type="xs:ID"/>';
const algorithm = '<xs:attribute name="Algorithm" type="xs:anyURI" use="required"/>';
const other = '<xs:any namespace="##other" processContents="lax"/>';

/** XML-Signature Syntax and Processing §4 and §5. */
export function signatureSchema(): string {
  return schemaText(signature, [core(), methods(), keyInformation(), keyValues(), objects()].join("\n"));
}

/** §4.1 to §4.3: the signature, what is signed, and how it is referred to. */
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

/** A global element whose type has its name. */
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
