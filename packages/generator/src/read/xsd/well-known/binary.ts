import { otherAttributes, schemaText } from "./schema-text.js";

const attachments = "http://ws-i.org/profiles/basic/1.1/xsd";
const include = "http://www.w3.org/2004/08/xop/include";

/** What says that a value is binary, or where it travels: media types, XOP's Include, references to attachments. */
export const binarySchemas: readonly (readonly [string, () => string])[] = [
  ["http://www.w3.org/2005/05/xmlmime", () => mediaTypeSchema("http://www.w3.org/2005/05/xmlmime")],
  ["http://www.w3.org/2004/11/xmlmime", () => mediaTypeSchema("http://www.w3.org/2004/11/xmlmime")],
  [include, includeSchema],
  // Attachments Profile 1.0 §4.4.
  [
    attachments,
    () => schemaText(attachments, '<xs:simpleType name="swaRef"><xs:restriction base="xs:anyURI"/></xs:simpleType>'),
  ],
];

/** Describing Media Content of Binary Data in XML, appendix A; the drafts of 2004 differ in the namespace. */
function mediaTypeSchema(namespace: string): string {
  const binary = (type: string) =>
    `<xs:complexType name="${type}"><xs:simpleContent><xs:extension base="xs:${type}">` +
    '<xs:attribute ref="tns:contentType"/></xs:extension></xs:simpleContent></xs:complexType>';
  return schemaText(
    namespace,
    `<xs:attribute name="contentType">
  <xs:simpleType><xs:restriction base="xs:string"><xs:minLength value="3"/></xs:restriction></xs:simpleType>
</xs:attribute>
<xs:attribute name="expectedContentTypes" type="xs:string"/>
${binary("base64Binary")}
${binary("hexBinary")}`,
  );
}

/** XML-binary Optimized Packaging §2.1. */
function includeSchema(): string {
  return schemaText(
    include,
    `<xs:element name="Include" type="tns:Include"/>
<xs:complexType name="Include">
  <xs:sequence><xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute name="href" type="xs:anyURI" use="required"/>
  ${otherAttributes}
</xs:complexType>`,
  );
}
