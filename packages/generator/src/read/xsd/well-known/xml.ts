import { xmlNamespace, xsdNamespace } from "../namespaces.js";
import { schemaText } from "./schema-text.js";

/** XML 1.0 §2.10, §2.12; XML Base; xml:id. */
export function xmlSchema(): string {
  return schemaText(
    xmlNamespace,
    `<xs:attribute name="lang">
  <xs:simpleType><xs:union memberTypes="xs:language">
    <xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value=""/></xs:restriction></xs:simpleType>
  </xs:union></xs:simpleType>
</xs:attribute>
<xs:attribute name="space">
  <xs:simpleType><xs:restriction base="xs:NCName">
    <xs:enumeration value="default"/>
    <xs:enumeration value="preserve"/>
  </xs:restriction></xs:simpleType>
</xs:attribute>
<xs:attribute name="base" type="xs:anyURI"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attributeGroup name="specialAttrs">
  <xs:attribute ref="xml:base"/>
  <xs:attribute ref="xml:lang"/>
  <xs:attribute ref="xml:space"/>
  <xs:attribute ref="xml:id"/>
</xs:attributeGroup>`,
  );
}

/** Of the schema for schemas, the element that messages have: a schema that travels beside data, as DataSets of .NET do. */
export function schemaSchema(): string {
  return schemaText(xsdNamespace, '<xs:element name="schema"/>');
}
