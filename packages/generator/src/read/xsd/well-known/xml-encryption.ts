import { xmlNamespace } from "../namespaces.js";
import { schemaText } from "./schema-text.js";
import { signature } from "./xml-signature.js";

export const encryption = "http://www.w3.org/2001/04/xmlenc#";

const id = '<xs:attribute name="Id" type="xs:ID"/>';
const uri = '<xs:attribute name="URI" type="xs:anyURI" use="required"/>';
const algorithm = '<xs:attribute name="Algorithm" type="xs:anyURI" use="required"/>';
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
