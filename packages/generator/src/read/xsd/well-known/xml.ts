import { xmlNamespace, xsdNamespace } from "../../../source/names.js";

// Schemas of XML, XML Schema, XLink and binary values, and the text that all built-in schemas begin with.

/** Returns a schema document with the given declarations. The prefix `tns` is bound to its namespace; `imports` maps prefixes to namespaces. */
export function schemaText(
  targetNamespace: string,
  declarations: string,
  imports: Readonly<Record<string, string>> = {},
): string {
  // Namespaces in XML 1.0 §3: only the prefix `xml` may be bound to its namespace.
  const targetPrefix = targetNamespace === xmlNamespace ? "" : ` xmlns:tns="${targetNamespace}"`;
  const importEntries = Object.entries(imports);
  const prefixes = importEntries.map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`);
  const links = importEntries.map(([, namespace]) => `<xs:import namespace="${namespace}"/>\n`);
  return (
    `<xs:schema xmlns:xs="${xsdNamespace}"${targetPrefix}${prefixes.join("")} targetNamespace="${targetNamespace}"` +
    ` elementFormDefault="qualified">\n${links.join("")}${declarations}\n</xs:schema>\n`
  );
}

/** A wildcard for any number of elements, with lax validation. */
export function anyElements(namespace: "##any" | "##other"): string {
  return `<xs:any namespace="${namespace}" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>`;
}

/** A wildcard for attributes of other namespaces, with lax validation. */
export const otherAttributes = '<xs:anyAttribute namespace="##other" processContents="lax"/>';

/** The schema of the attributes `xml:lang`, `xml:space` (XML 1.0 §2.10, §2.12), `xml:base` and `xml:id`. */
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

/** The `schema` element of the schema for schemas. Messages contain it if a schema is sent with its data, as with .NET DataSets. */
export function schemaSchema(): string {
  return schemaText(xsdNamespace, '<xs:element name="schema"/>');
}

export const xlink = "http://www.w3.org/1999/xlink";

/** The attributes of each kind of link (XML Linking Language 1.1 §4.1). */
const kinds: Readonly<Record<string, { readonly required: string; readonly optional: string }>> = {
  simple: { required: "", optional: "href role arcrole title show actuate" },
  extended: { required: "type", optional: "role title" },
  title: { required: "type", optional: "" },
  resource: { required: "type", optional: "role title label" },
  locator: { required: "type href", optional: "role title label" },
  arc: { required: "type", optional: "arcrole title show actuate from to" },
};

/** XML Linking Language 1.1: its attributes, and attribute groups by both common names (`simpleAttrs`, `simpleLink`). */
export function xlinkSchema(): string {
  return schemaText(
    xlink,
    `${enumeration("typeType", `${Object.keys(kinds).join(" ")} none`)}
${enumeration("showType", "new replace embed other none")}
${enumeration("actuateType", "onLoad onRequest other none")}
<xs:simpleType name="hrefType"><xs:restriction base="xs:anyURI"/></xs:simpleType>
<xs:simpleType name="roleType"><xs:restriction base="xs:anyURI"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
<xs:simpleType name="arcroleType"><xs:restriction base="xs:anyURI"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
<xs:simpleType name="titleAttrType"><xs:restriction base="xs:string"/></xs:simpleType>
<xs:simpleType name="labelType"><xs:restriction base="xs:NCName"/></xs:simpleType>
<xs:simpleType name="fromType"><xs:restriction base="xs:NCName"/></xs:simpleType>
<xs:simpleType name="toType"><xs:restriction base="xs:NCName"/></xs:simpleType>
${"type show actuate href role arcrole label from to".split(" ").map(attribute).join("\n")}
<xs:attribute name="title" type="tns:titleAttrType"/>
${Object.keys(kinds)
  .flatMap((kind) => [group(kind, "Attrs"), group(kind, "Link")])
  .join("\n")}
<xs:attributeGroup name="emptyLink"><xs:attribute name="type" form="qualified" type="xs:string" fixed="none"/></xs:attributeGroup>
${link("simple", anything, '<xs:attributeGroup ref="tns:simpleAttrs"/>')}
${link("extended", anything, '<xs:attributeGroup ref="tns:extendedAttrs"/>')}
<xs:element name="title" type="tns:titleEltType"/>
${link("titleEltType", anything, '<xs:attributeGroup ref="tns:titleAttrs"/><xs:attribute ref="xml:lang"/>')}
<xs:element name="resource" type="tns:resourceType"/>
${link("resourceType", anything, '<xs:attributeGroup ref="tns:resourceAttrs"/>')}
<xs:element name="locator" type="tns:locatorType"/>
${link("locatorType", titles, '<xs:attributeGroup ref="tns:locatorAttrs"/>')}
<xs:element name="arc" type="tns:arcType"/>
${link("arcType", titles, '<xs:attributeGroup ref="tns:arcAttrs"/>')}`,
    // XML predeclares this prefix.
    { xml: xmlNamespace },
  );
}

const anything = '<xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/>';
const titles = '<xs:element ref="tns:title" minOccurs="0" maxOccurs="unbounded"/>';

function enumeration(name: string, values: string): string {
  const items = values.split(" ").map((value) => `<xs:enumeration value="${value}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:token">${items.join("")}</xs:restriction></xs:simpleType>`;
}

function attribute(name: string): string {
  return `<xs:attribute name="${name}" type="tns:${name}Type"/>`;
}

function group(kind: string, suffix: string): string {
  const { required = "", optional = "" } = kinds[kind] ?? {};
  const uses = [
    ...words(required).map(
      (name) => `<xs:attribute ref="tns:${name}"${name === "type" ? ` fixed="${kind}"` : ""} use="required"/>`,
    ),
    ...(kind === "simple" ? ['<xs:attribute ref="tns:type" fixed="simple"/>'] : []),
    ...words(optional).map((name) => `<xs:attribute ref="tns:${name}"/>`),
  ];
  return `<xs:attributeGroup name="${kind}${suffix}">${uses.join("")}</xs:attributeGroup>`;
}

function words(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

function link(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}" mixed="true"><xs:sequence>${content}</xs:sequence>${attributes}</xs:complexType>`;
}

const attachments = "http://ws-i.org/profiles/basic/1.1/xsd";
const include = "http://www.w3.org/2004/08/xop/include";

/** Schemas for binary values: media types, XOP Include, and references to attachments. */
export const binarySchemas: readonly (readonly [string, () => string])[] = [
  ["http://www.w3.org/2005/05/xmlmime", () => mediaTypeSchema("http://www.w3.org/2005/05/xmlmime")],
  ["http://www.w3.org/2004/11/xmlmime", () => mediaTypeSchema("http://www.w3.org/2004/11/xmlmime")],
  ["http://www.w3.org/2004/06/xmlmime", () => mediaTypeSchema("http://www.w3.org/2004/06/xmlmime")],
  [include, includeSchema],
  // Attachments Profile 1.0 §4.4.
  [
    attachments,
    () => schemaText(attachments, '<xs:simpleType name="swaRef"><xs:restriction base="xs:anyURI"/></xs:simpleType>'),
  ],
];

/** The schema of Describing Media Content of Binary Data in XML (appendix A). The drafts of 2004 have another namespace. */
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

/** The schema of XOP Include (XML-binary Optimized Packaging §2.1). */
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
