import { builtinDatatypes } from "@bothends/datatypes/definitions";
import {
  soap11EncodingNamespace,
  soap12EncodingNamespace,
  xmlNamespace,
  xsdNamespace,
} from "../../../source/xml-names.js";

// Schemas of XML, XML Schema, XLink, binary values and SOAP, and the text that all built-in schemas begin with.

/**
 * Returns a schema document with the given declarations. The prefix `tns` is bound to the target namespace; `imports`
 * maps prefixes to namespaces.
 */
export function writeSchema(
  targetNamespace: string,
  declarations: string,
  imports: Readonly<Record<string, string>> = {},
): string {
  // Namespaces in XML 1.0 §3: only the prefix `xml` may be bound to the XML namespace, so `tns` is not declared for it.
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
export function writeAnyElements(namespace: "##any" | "##other"): string {
  return `<xs:any namespace="${namespace}" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>`;
}

/** A wildcard for attributes of other namespaces, with lax validation. */
export const otherAttributes = '<xs:anyAttribute namespace="##other" processContents="lax"/>';

/** The schema of the attributes `xml:lang`, `xml:space` (XML 1.0 §2.10, §2.12), `xml:base` and `xml:id`. */
export function writeXmlSchema(): string {
  return writeSchema(
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

/**
 * The `schema` element of the schema for schemas. Messages contain this element if a schema is sent with its data, as
 * with .NET DataSets.
 */
export function writeSchemaSchema(): string {
  return writeSchema(xsdNamespace, '<xs:element name="schema"/>');
}

export const xlinkNamespace = "http://www.w3.org/1999/xlink";

/** The attributes of each kind of link (XML Linking Language 1.1 §4.1). */
const kinds: Readonly<Record<string, { readonly required: string; readonly optional: string }>> = {
  simple: { required: "", optional: "href role arcrole title show actuate" },
  extended: { required: "type", optional: "role title" },
  title: { required: "type", optional: "" },
  resource: { required: "type", optional: "role title label" },
  locator: { required: "type href", optional: "role title label" },
  arc: { required: "type", optional: "arcrole title show actuate from to" },
};

/**
 * The attributes of XML Linking Language 1.1, and its attribute groups under both common names (`simpleAttrs`,
 * `simpleLink`).
 */
export function writeXlinkSchema(): string {
  return writeSchema(
    xlinkNamespace,
    `${declareEnumeration("typeType", `${Object.keys(kinds).join(" ")} none`)}
${declareEnumeration("showType", "new replace embed other none")}
${declareEnumeration("actuateType", "onLoad onRequest other none")}
<xs:simpleType name="hrefType"><xs:restriction base="xs:anyURI"/></xs:simpleType>
<xs:simpleType name="roleType"><xs:restriction base="xs:anyURI"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
<xs:simpleType name="arcroleType"><xs:restriction base="xs:anyURI"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
<xs:simpleType name="titleAttrType"><xs:restriction base="xs:string"/></xs:simpleType>
<xs:simpleType name="labelType"><xs:restriction base="xs:NCName"/></xs:simpleType>
<xs:simpleType name="fromType"><xs:restriction base="xs:NCName"/></xs:simpleType>
<xs:simpleType name="toType"><xs:restriction base="xs:NCName"/></xs:simpleType>
${"type show actuate href role arcrole label from to".split(" ").map(declareAttribute).join("\n")}
<xs:attribute name="title" type="tns:titleAttrType"/>
${Object.keys(kinds)
  .flatMap((kind) => [declareGroup(kind, "Attrs"), declareGroup(kind, "Link")])
  .join("\n")}
<xs:attributeGroup name="emptyLink"><xs:attribute name="type" form="qualified" type="xs:string" fixed="none"/></xs:attributeGroup>
${declareLink("simple", anything, '<xs:attributeGroup ref="tns:simpleAttrs"/>')}
${declareLink("extended", anything, '<xs:attributeGroup ref="tns:extendedAttrs"/>')}
<xs:element name="title" type="tns:titleEltType"/>
${declareLink("titleEltType", anything, '<xs:attributeGroup ref="tns:titleAttrs"/><xs:attribute ref="xml:lang"/>')}
<xs:element name="resource" type="tns:resourceType"/>
${declareLink("resourceType", anything, '<xs:attributeGroup ref="tns:resourceAttrs"/>')}
<xs:element name="locator" type="tns:locatorType"/>
${declareLink("locatorType", titles, '<xs:attributeGroup ref="tns:locatorAttrs"/>')}
<xs:element name="arc" type="tns:arcType"/>
${declareLink("arcType", titles, '<xs:attributeGroup ref="tns:arcAttrs"/>')}`,
    // XML predeclares this prefix.
    { xml: xmlNamespace },
  );
}

const anything = '<xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/>';
const titles = '<xs:element ref="tns:title" minOccurs="0" maxOccurs="unbounded"/>';

function declareEnumeration(name: string, values: string): string {
  const items = values.split(" ").map((value) => `<xs:enumeration value="${value}"/>`);
  return `<xs:simpleType name="${name}"><xs:restriction base="xs:token">${items.join("")}</xs:restriction></xs:simpleType>`;
}

function declareAttribute(name: string): string {
  return `<xs:attribute name="${name}" type="tns:${name}Type"/>`;
}

function declareGroup(kind: string, suffix: string): string {
  const { required = "", optional = "" } = kinds[kind] ?? {};
  const uses = [
    ...splitWords(required).map(
      (name) => `<xs:attribute ref="tns:${name}"${name === "type" ? ` fixed="${kind}"` : ""} use="required"/>`,
    ),
    ...(kind === "simple" ? ['<xs:attribute ref="tns:type" fixed="simple"/>'] : []),
    ...splitWords(optional).map((name) => `<xs:attribute ref="tns:${name}"/>`),
  ];
  return `<xs:attributeGroup name="${kind}${suffix}">${uses.join("")}</xs:attributeGroup>`;
}

function splitWords(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

function declareLink(name: string, content: string, attributes: string): string {
  return `<xs:complexType name="${name}" mixed="true"><xs:sequence>${content}</xs:sequence>${attributes}</xs:complexType>`;
}

const attachments = "http://ws-i.org/profiles/basic/1.1/xsd";
const includeNamespace = "http://www.w3.org/2004/08/xop/include";

/** Schemas for binary values: media types, XOP Include, and references to attachments. */
export const binarySchemas: readonly (readonly [string, () => string])[] = [
  ["http://www.w3.org/2005/05/xmlmime", () => createMediaTypeSchema("http://www.w3.org/2005/05/xmlmime")],
  ["http://www.w3.org/2004/11/xmlmime", () => createMediaTypeSchema("http://www.w3.org/2004/11/xmlmime")],
  ["http://www.w3.org/2004/06/xmlmime", () => createMediaTypeSchema("http://www.w3.org/2004/06/xmlmime")],
  [includeNamespace, createIncludeSchema],
  // The schema for references to attachments (Attachments Profile 1.0 §4.4).
  [
    attachments,
    () => writeSchema(attachments, '<xs:simpleType name="swaRef"><xs:restriction base="xs:anyURI"/></xs:simpleType>'),
  ],
];

/**
 * The schema of "Describing Media Content of Binary Data in XML" (appendix A). The drafts of 2004 use another
 * namespace.
 */
function createMediaTypeSchema(namespace: string): string {
  const declareBinary = (type: string) =>
    `<xs:complexType name="${type}"><xs:simpleContent><xs:extension base="xs:${type}">` +
    '<xs:attribute ref="tns:contentType"/></xs:extension></xs:simpleContent></xs:complexType>';
  return writeSchema(
    namespace,
    `<xs:attribute name="contentType">
  <xs:simpleType><xs:restriction base="xs:string"><xs:minLength value="3"/></xs:restriction></xs:simpleType>
</xs:attribute>
<xs:attribute name="expectedContentTypes" type="xs:string"/>
${declareBinary("base64Binary")}
${declareBinary("hexBinary")}`,
  );
}

/** The schema of XOP Include (XML-binary Optimized Packaging §2.1). */
function createIncludeSchema(): string {
  return writeSchema(
    includeNamespace,
    `<xs:element name="Include" type="tns:Include"/>
<xs:complexType name="Include">
  <xs:sequence><xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  <xs:attribute name="href" type="xs:anyURI" use="required"/>
  ${otherAttributes}
</xs:complexType>`,
  );
}

/** The SOAP encodings declare an element and a complex type for each built-in simple type. */
const encodedTypeNames = builtinDatatypes.map(({ name }) => name);

/** The schema of the SOAP 1.1 encoding (SOAP 1.1 §5). */
export function writeSoap11EncodingSchema(): string {
  return writeSchema(
    soap11EncodingNamespace,
    `<xs:attribute name="root"><xs:simpleType><xs:restriction base="xs:boolean"><xs:pattern value="0|1"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attributeGroup name="commonAttributes">
  <xs:attribute name="id" type="xs:ID"/>
  <xs:attribute name="href" type="xs:anyURI"/>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:attributeGroup>
<xs:simpleType name="arrayCoordinate"><xs:restriction base="xs:string"/></xs:simpleType>
<xs:attribute name="arrayType" type="xs:string"/>
<xs:attribute name="offset" type="tns:arrayCoordinate"/>
<xs:attribute name="position" type="tns:arrayCoordinate"/>
<xs:attributeGroup name="arrayAttributes">
  <xs:attribute ref="tns:arrayType"/>
  <xs:attribute ref="tns:offset"/>
</xs:attributeGroup>
<xs:attributeGroup name="arrayMemberAttributes"><xs:attribute ref="tns:position"/></xs:attributeGroup>
<xs:group name="Array"><xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence></xs:group>
<xs:element name="Array" type="tns:Array"/>
<xs:complexType name="Array">
  <xs:group ref="tns:Array" minOccurs="0"/>
  <xs:attributeGroup ref="tns:arrayAttributes"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:element name="Struct" type="tns:Struct"/>
<xs:group name="Struct"><xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence></xs:group>
<xs:complexType name="Struct">
  <xs:group ref="tns:Struct" minOccurs="0"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:simpleType name="base64"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
${encodedTypeNames.map(declareEncodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}

function declareEncodedType(name: string): string {
  return (
    `<xs:element name="${name}" type="tns:${name}"/>\n` +
    `<xs:complexType name="${name}"><xs:simpleContent><xs:extension base="xs:${name === "NOTATION" ? "QName" : name}">` +
    '<xs:attributeGroup ref="tns:commonAttributes"/></xs:extension></xs:simpleContent></xs:complexType>'
  );
}

/** The schema of the SOAP 1.2 encoding (SOAP 1.2 Part 2 §3), with `arrayType`, which some WSDLs use as in SOAP 1.1. */
export function writeSoap12EncodingSchema(): string {
  return writeSchema(
    soap12EncodingNamespace,
    `<xs:simpleType name="arraySizeBase"><xs:list itemType="xs:string"/></xs:simpleType>
<xs:simpleType name="arraySize"><xs:restriction base="tns:arraySizeBase"/></xs:simpleType>
<xs:simpleType name="nodeType"><xs:restriction base="xs:token">
  <xs:enumeration value="array"/>
  <xs:enumeration value="simple"/>
  <xs:enumeration value="struct"/>
</xs:restriction></xs:simpleType>
<xs:attribute name="arraySize" type="tns:arraySize"/>
<xs:attribute name="arrayType" type="xs:string"/>
<xs:attribute name="itemType" type="xs:QName"/>
<xs:attribute name="nodeType" type="tns:nodeType"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attribute name="ref" type="xs:IDREF"/>
<xs:attributeGroup name="commonAttributes">
  <xs:attribute ref="tns:id"/>
  <xs:attribute ref="tns:ref"/>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:attributeGroup>
<xs:attributeGroup name="arrayAttributes">
  <xs:attribute ref="tns:arraySize"/>
  <xs:attribute ref="tns:itemType"/>
</xs:attributeGroup>
<xs:element name="Array" type="tns:Array"/>
<xs:complexType name="Array">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:attributeGroup ref="tns:arrayAttributes"/>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
<xs:element name="Struct" type="tns:Struct"/>
<xs:complexType name="Struct">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:attributeGroup ref="tns:commonAttributes"/>
</xs:complexType>
${encodedTypeNames.map(declareEncodedType).join("\n")}
<xs:element name="anyType"/>`,
  );
}

export const soap11EnvelopeNamespace = "http://schemas.xmlsoap.org/soap/envelope/";
export const soap12EnvelopeNamespace = "http://www.w3.org/2003/05/soap-envelope";

/** The schema of the SOAP 1.1 envelope (SOAP 1.1 §4). */
export function writeSoap11EnvelopeSchema(): string {
  return writeSchema(
    soap11EnvelopeNamespace,
    `<xs:element name="Envelope" type="tns:Envelope"/>
<xs:complexType name="Envelope">
  <xs:sequence>
    <xs:element ref="tns:Header" minOccurs="0"/>
    <xs:element ref="tns:Body"/>
    <xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax"/>
  </xs:sequence>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:complexType>
<xs:element name="Header" type="tns:Header"/>
<xs:complexType name="Header">
  <xs:sequence><xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##other" processContents="lax"/>
</xs:complexType>
<xs:element name="Body" type="tns:Body"/>
<xs:complexType name="Body">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##any" processContents="lax"/>
</xs:complexType>
<xs:attribute name="mustUnderstand"><xs:simpleType><xs:restriction base="xs:boolean"><xs:pattern value="0|1"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attribute name="actor" type="xs:anyURI"/>
<xs:simpleType name="encodingStyle"><xs:list itemType="xs:anyURI"/></xs:simpleType>
<xs:attribute name="encodingStyle" type="tns:encodingStyle"/>
<xs:attributeGroup name="encodingStyle"><xs:attribute ref="tns:encodingStyle"/></xs:attributeGroup>
<xs:element name="Fault" type="tns:Fault"/>
<xs:complexType name="Fault" final="extension">
  <xs:sequence>
    <xs:element name="faultcode" type="xs:QName" form="unqualified"/>
    <xs:element name="faultstring" type="xs:string" form="unqualified"/>
    <xs:element name="faultactor" type="xs:anyURI" minOccurs="0" form="unqualified"/>
    <xs:element name="detail" type="tns:detail" minOccurs="0" form="unqualified"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="detail">
  <xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  <xs:anyAttribute namespace="##any" processContents="lax"/>
</xs:complexType>`,
  );
}

/** The schema of the SOAP 1.2 envelope (SOAP 1.2 Part 1 §5). */
export function writeSoap12EnvelopeSchema(): string {
  const writeAnyElements =
    '<xs:sequence><xs:any namespace="##any" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>';
  const anyAttribute = '<xs:anyAttribute namespace="##other" processContents="lax"/>';
  return writeSchema(
    soap12EnvelopeNamespace,
    `<xs:import namespace="${xmlNamespace}"/>
<xs:element name="Envelope" type="tns:Envelope"/>
<xs:complexType name="Envelope">
  <xs:sequence><xs:element ref="tns:Header" minOccurs="0"/><xs:element ref="tns:Body"/></xs:sequence>
  ${anyAttribute}
</xs:complexType>
<xs:element name="Header" type="tns:Header"/>
<xs:complexType name="Header">${writeAnyElements}${anyAttribute}</xs:complexType>
<xs:element name="Body" type="tns:Body"/>
<xs:complexType name="Body">${writeAnyElements}${anyAttribute}</xs:complexType>
<xs:attribute name="role" type="xs:anyURI"/>
<xs:attribute name="mustUnderstand" type="xs:boolean"/>
<xs:attribute name="relay" type="xs:boolean"/>
<xs:attribute name="encodingStyle" type="xs:anyURI"/>
<xs:element name="Fault" type="tns:Fault"/>
<xs:complexType name="Fault">
  <xs:sequence>
    <xs:element name="Code" type="tns:faultcode"/>
    <xs:element name="Reason" type="tns:faultreason"/>
    <xs:element name="Node" type="xs:anyURI" minOccurs="0"/>
    <xs:element name="Role" type="xs:anyURI" minOccurs="0"/>
    <xs:element name="Detail" type="tns:detail" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="faultreason">
  <xs:sequence><xs:element name="Text" type="tns:reasontext" maxOccurs="unbounded"/></xs:sequence>
</xs:complexType>
<xs:complexType name="reasontext">
  <xs:simpleContent><xs:extension base="xs:string"><xs:attribute ref="xml:lang" use="required"/></xs:extension></xs:simpleContent>
</xs:complexType>
<xs:complexType name="faultcode">
  <xs:sequence>
    <xs:element name="Value" type="xs:QName"/>
    <xs:element name="Subcode" type="tns:subcode" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="subcode">
  <xs:sequence>
    <xs:element name="Value" type="xs:QName"/>
    <xs:element name="Subcode" type="tns:subcode" minOccurs="0"/>
  </xs:sequence>
</xs:complexType>
<xs:complexType name="detail">${writeAnyElements}${anyAttribute}</xs:complexType>`,
  );
}

/** The namespace of the types that Apache SOAP, Axis 1 and PHP use for maps and vectors, often without a schema. */
export const apacheTypesNamespace = "http://xml.apache.org/xml-soap";

/** The declarations that Axis 1 writes into its WSDLs. */
export function writeApacheTypesSchema(): string {
  return writeSchema(
    apacheTypesNamespace,
    `<xs:complexType name="mapItem"><xs:sequence>
  <xs:element name="key" form="unqualified" nillable="true" type="xs:anyType"/>
  <xs:element name="value" form="unqualified" nillable="true" type="xs:anyType"/>
</xs:sequence></xs:complexType>
<xs:complexType name="Map"><xs:sequence>
  <xs:element name="item" form="unqualified" minOccurs="0" maxOccurs="unbounded" type="tns:mapItem"/>
</xs:sequence></xs:complexType>
<xs:complexType name="Vector"><xs:sequence>
  <xs:element name="item" form="unqualified" minOccurs="0" maxOccurs="unbounded" type="xs:anyType"/>
</xs:sequence></xs:complexType>`,
  );
}
