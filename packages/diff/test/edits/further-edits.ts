import type { Edit } from "./edits.js";
import type { Replacement } from "./sources.js";

const at = (file: string, from: string | RegExp, to: string): readonly Replacement[] => [{ file, from, to }];
const simple = (facets: string, base = "s:string") =>
  `<s:simpleType><s:restriction base="${base}">${facets}</s:restriction></s:simpleType></s:element>`;
const optional = (name: string) => `<s:element minOccurs="0" maxOccurs="1" name="${name}" type="s:string" />`;

/** Further edits: facets, content models, messages and headers of other services, and the objects of an index. */
export const furtherEdits: readonly Edit[] = [
  {
    title: "a greatest length in the answer",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      optional("ABICode"),
      `<s:element minOccurs="0" name="ABICode">${simple('<s:maxLength value="10"/>')}`,
    ),
    want: ["length-tightened (output) VehicleData.ABICode: N S N N"],
  },
  {
    title: "words instead of text in the answer",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      optional("IndicativeValue"),
      `<s:element minOccurs="0" name="IndicativeValue">${simple('<s:enumeration value="low"/><s:enumeration value="high"/>')}`,
    ),
    want: ["enum-closed (output) VehicleData.IndicativeValue: N S S B"],
  },
  {
    title: "a pattern in a request",
    project: "vehicle",
    replacements: at(
      "bespokeapi.wsdl",
      /(<s:element name="CheckUSAMinimal">[\s\S]*?)<s:element minOccurs="1" maxOccurs="1" name="state" type="s:string" \/>/,
      `$1<s:element name="state">${simple('<s:pattern value="[A-Z]{2}"/>')}`,
    ),
    want: ["pattern-added (input) CheckUSAMinimal.state: S N N N"],
  },
  {
    title: "one field of several",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(<s:complexType name="IrishTaxi">[\s\S]*?)<s:sequence>([\s\S]*?)<\/s:sequence>/,
      "$1<s:choice>$2</s:choice>",
    ),
    want: ["sequence-to-choice (output) IrishTaxi: N S S B"],
  },
  {
    title: "fields in any order",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(<s:complexType name="IrishTaxi">[\s\S]*?)<s:sequence>([\s\S]*?)<\/s:sequence>/,
      "$1<s:all>$2</s:all>",
    ),
    want: ["sequence-to-all (output) IrishTaxi: T N N N"],
  },
  {
    title: "any further elements in the answer",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(name="DriverSide" type="Pair" \/>)/,
      '$1<s:any minOccurs="0" maxOccurs="unbounded" namespace="##other" processContents="lax"/>',
    ),
    want: ["wildcard-opened (output) VehicleData.any: T N N N"],
  },
  {
    title: "an attribute of the answer",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(name="DriverSide" type="Pair" \/>\s*<\/s:sequence>)/,
      '$1<s:attribute name="version" type="s:int"/>',
    ),
    want: ["member-added-optional (output) VehicleData.version: T N N N"],
  },
  {
    title: "a member becomes an attribute",
    project: "vehicle",
    replacements: at("records.xsd", optional("LicenceHolder"), "").concat(
      at(
        "records.xsd",
        /(<s:complexType name="IrishTaxi">[\s\S]*?<\/s:sequence>)/,
        '$1<s:attribute name="LicenceHolder" type="s:string"/>',
      ),
    ),
    want: ["member-element-to-attribute (output) IrishTaxi.LicenceHolder: T T N N"],
  },
  {
    title: "a smaller number",
    project: "vehicle",
    replacements: at("reg.wsdl", 'name="NatCode" type="s:int"', 'name="NatCode" type="s:short"'),
    want: ["type-narrowed (input) CheckAustria.NatCode: S N N N"],
  },
  {
    title: "a renamed argument",
    project: "vehicle",
    replacements: at("reg.wsdl", 'name="KBANumber" type="s:string"', 'name="Kba" type="s:string"'),
    want: ["member-renamed (input) CheckGermany.Kba: B B B B", "operation-split CheckGermanyHttpGet: N N S B"],
  },
  {
    title: "an answer of another type at HTTP GET",
    project: "vehicle",
    replacements: [
      ...at(
        "reg.wsdl",
        '<s:element name="Vehicle" nillable="true" type="tns:Vehicle" />',
        '<s:element name="VehicleData" nillable="true" type="tns:VehicleData" />$&',
      ),
      ...at("reg.wsdl", /(CheckMaltaHttpGetOut">\s*<wsdl:part name="Body" element="tns:Vehicle)/, "$1Data"),
    ],
    want: [
      "output-element-changed CheckMaltaHttpGet (HTTP answer): B B N N",
      "operation-split CheckMaltaHttpGet: N N S B",
      "type-replaced (output) CheckMaltaHttpGet (HTTP answer): T T N N",
    ],
  },
  {
    title: "an operation without HTTP POST",
    project: "vehicle",
    replacements: at(
      "reg.wsdl",
      /(<wsdl:binding name="RegHttpPost"[\s\S]*?)<wsdl:operation name="CheckPeru">[\s\S]*?<\/wsdl:operation>/,
      "$1",
    ).concat(
      at(
        "reg.wsdl",
        /(<wsdl:portType name="RegHttpPost"[\s\S]*?)<wsdl:operation name="CheckPeru">[\s\S]*?<\/wsdl:operation>/,
        "$1",
      ),
    ),
    want: ["protocol-removed CheckPeru: S N S N"],
  },
  {
    title: "another host",
    project: "vehicle",
    replacements: at("reg.wsdl", /http:\/\/vehicle\.example\/api/g, "http://cars.example/api"),
    notCalled: ["address-host-changed"],
    want: ["address-host-changed Reg: T T N N"],
  },
  {
    title: "HTTPS",
    project: "vehicle",
    replacements: at("reg.wsdl", /http:\/\/vehicle\.example\/api/g, "https://vehicle.example/api"),
    want: ["address-scheme-changed Reg: S S N N"],
  },
  {
    title: "a result that is always there",
    project: "vehicle",
    replacements: at(
      "bespokeapi.wsdl",
      '<s:element minOccurs="0" maxOccurs="1" name="CheckUSADynamicResult"',
      '<s:element minOccurs="1" maxOccurs="1" name="CheckUSADynamicResult"',
    ),
    want: ["member-became-required (output) CheckUSADynamicResponse.CheckUSADynamicResult: N S N S"],
  },
  {
    title: "no time zone of a moment, as text",
    project: "vehicle",
    replacements: at("records.xsd", 'name="Expiry" type="s:dateTime"', 'name="Expiry" type="s:string"'),
    want: ["name-in-code-changed DateTime: N N B B", "type-widened (output) InsuranceDetails.Expiry: S N N N"],
  },
  {
    title: "a flag as a number",
    project: "vehicle",
    replacements: at("records.xsd", 'name="IsInsured" type="s:boolean"', 'name="IsInsured" type="s:int"'),
    want: ["type-overlaps (output) InsuranceDetails.IsInsured: S B B B"],
  },
  {
    title: "a nil member of the answer",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      'name="vehicleData" type="VehicleData"',
      'name="vehicleData" nillable="true" type="VehicleData"',
    ),
    want: ["member-became-nillable (output) Vehicle.vehicleData: T N B N"],
  },
  {
    title: "a decimal with fewer digits",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:element name="Weight" type="s:decimal"/>',
      `<s:element name="Weight">${simple('<s:fractionDigits value="2"/>', "s:decimal")}`,
    ),
    want: ["digits-tightened (input) Parcel.Weight: S N N N", "digits-tightened (output) Parcel.Weight: N S N N"],
  },
  {
    title: "an attribute no longer required",
    project: "parcels",
    replacements: at("parcels.wsdl", 'type="s:string" use="required"', 'type="s:string"'),
    want: [
      "member-became-optional (input) Money.currency: N S N B",
      "member-became-optional (output) Money.currency: S N B N",
    ],
  },
  {
    title: "a derived type removed",
    project: "parcels",
    replacements: at("parcels.wsdl", /<s:complexType name="Book">.*<\/s:complexType>/, ""),
    want: ["derived-type-removed (input) Item: S N B S", "derived-type-removed (output) Item: N S S B"],
  },
  {
    title: "a base type that may be used itself",
    project: "parcels",
    replacements: at("parcels.wsdl", 'name="Item" abstract="true"', 'name="Item"'),
    want: ["type-became-concrete (input) Item: N S N S", "type-became-concrete (output) Item: S N S N"],
  },
  {
    title: "a list that is required",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      'name="Notes" type="s:string" minOccurs="0" maxOccurs="unbounded"',
      'name="Notes" type="s:string" minOccurs="1" maxOccurs="unbounded"',
    ),
    want: [
      "member-became-required (input) Parcel.Notes: S N B N",
      "member-became-required (output) Parcel.Notes: N S N B",
    ],
  },
  {
    title: "a shorter list",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      'name="Notes" type="s:string" minOccurs="0" maxOccurs="unbounded"',
      'name="Notes" type="s:string" minOccurs="0" maxOccurs="3"',
    ),
    want: [
      "member-occurs-narrowed (input) Parcel.Notes: T N N N",
      "member-occurs-narrowed (output) Parcel.Notes: N T N N",
    ],
  },
  {
    title: "a choice that may be absent",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:choice><s:element name="Van"',
      '<s:choice minOccurs="0"><s:element name="Van"',
    ),
    want: ["group-became-optional (input) Parcel: N S N S", "group-became-optional (output) Parcel: S N S N"],
  },
  {
    title: "another encoding of bytes",
    project: "parcels",
    replacements: at("parcels.wsdl", 'name="Picture" type="s:base64Binary"', 'name="Picture" type="s:hexBinary"'),
    want: ["type-overlaps (input) Parcel.Picture: S S N N", "type-overlaps (output) Parcel.Picture: S S N N"],
  },
  {
    title: "an unsigned number with a sign",
    project: "parcels",
    replacements: at("parcels.wsdl", 'name="Big" type="s:unsignedLong"', 'name="Big" type="s:long"'),
    want: ["type-overlaps (input) Parcel.Big: S S N N", "type-overlaps (output) Parcel.Big: S S N N"],
  },
  {
    title: "another member of a fault",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:element name="Code" type="s:int"/></s:sequence>',
      '<s:element name="Code" type="s:int"/><s:element name="Hint" type="s:string"/></s:sequence>',
    ),
    notCalled: ["member-added-required"],
    want: ["member-added-required (output) RefusedInfo.Hint: T T N B"],
  },
  {
    title: "another element of a fault",
    project: "parcels",
    replacements: at("parcels.wsdl", /"Refused" type="tns:RefusedInfo"/, '"Denied" type="tns:RefusedInfo"').concat(
      at("parcels.wsdl", 'element="tns:Refused"', 'element="tns:Denied"'),
    ),
    notCalled: ["fault-element-changed"],
    want: ["fault-element-changed Refuse (fault Refused): T T N N"],
  },
  {
    title: "SOAP 1.2 instead of 1.1",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      "http://schemas.xmlsoap.org/wsdl/soap/",
      "http://schemas.xmlsoap.org/wsdl/soap12/",
    ),
    want: ["soap-version-changed Parcels: B B S N"],
  },
  {
    title: "a renamed port",
    project: "parcels",
    replacements: at("parcels.wsdl", '<wsdl:port name="ParcelsSoap"', '<wsdl:port name="ParcelsPort"'),
    want: ["port-renamed Parcels: N N S N"],
  },
  {
    title: "a renamed message",
    project: "parcels",
    replacements: at("parcels.wsdl", /\bEchoIn\b/g, "EchoRequest"),
    want: [],
  },
  {
    title: "another namespace of an rpc body",
    project: "sums",
    replacements: at("rpc-literal.wsdl", /namespace="urn:sums"/g, 'namespace="urn:sums:2"'),
    want: ["namespace-changed urn:sums:2: B B N N"],
  },
  {
    title: "another media type of an attachment",
    project: "album",
    replacements: at("attachments.wsdl", /image\/png/g, "image/gif"),
    want: [
      "attachment-types-changed (input) Add.photo: S S N N",
      "attachment-types-changed (output) Show.photo: S S N N",
      "attachment-types-changed (input) Label.photo: S S N N",
      "attachment-types-changed (output) Label.photo: S S N N",
    ],
  },
  {
    title: "a header in a request",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<wsdl:message name="EchoIn">',
      '<wsdl:message name="Headers"><wsdl:part name="why" element="tns:Refused"/></wsdl:message><wsdl:message name="EchoIn">',
    ).concat(
      at(
        "parcels.wsdl",
        '<wsdl:input><soap:body use="literal"/></wsdl:input>',
        '<wsdl:input><soap:header message="tns:Headers" part="why" use="literal"/><soap:body use="literal"/></wsdl:input>',
      ),
    ),
    want: ["header-added (input) Echo (header).Refused: N T N N"],
  },
  {
    title: "another action of addressing",
    project: "posted",
    replacements: at("addressing.wsdl", 'wsam:Action="urn:posted:ask"', 'wsam:Action="urn:posted:question"'),
    want: ["addressing-changed Ask: T T N N"],
  },
  {
    title: "a method of a route removed",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks\/\(\?P<id>\[\\\\d\]\+\)": \{[\s\S]*?"endpoints"[\s\S]*?)"PUT",\s*/,
      "$1",
    ),
    notCalled: ["method-removed"],
    want: ["method-removed PUT /core/v2/blocks/(?P<id>[\\d]+): B N S N"],
  },
  {
    title: "an argument of another type",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"offset": \{[\s\S]*?"type": )"integer"/,
      '$1"string"',
    ),
    want: ["type-widened (input) GET /core/v2/blocks offset: N S B B"],
  },
  {
    title: "an object of an answer that may be null",
    project: "vehicle",
    replacements: at(
      "objects.json",
      /("modified": \{\s*"description": "[^"]*",\s*"type": )"string"/,
      '$1["string", "null"]',
    ),
    want: ["member-became-nillable (output) media.modified: S N B N"],
  },
  {
    title: "another property of an answer",
    project: "vehicle",
    replacements: at(
      "objects.json",
      /("media": \{[\s\S]*?"properties": \{)/,
      '$1 "rating": { "type": "integer", "context": ["view", "edit", "embed"] },',
    ),
    notCalled: ["member-added-required"],
    want: ["member-added-required (output) media.rating: T S N B"],
  },
  {
    title: "a removed argument of WordPress",
    project: "wordpress",
    replacements: at("index.json", /("\/wp\/v2\/posts":\{[\s\S]*?)"offset":\{[^{}]*\},/, "$1"),
    want: ["argument-removed-optional (input) GET /wp/v2/posts offset: T N B B"],
  },
  {
    title: "a list instead of a single value of a query",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"offset": \{[\s\S]*?"type": )"integer"/,
      '$1"array", "items": { "type": "integer" }',
    ),
    // A call may pass one number or text in place of a list.
    want: ["type-widened (input) GET /core/v2/blocks offset: N B S B"],
  },
  {
    title: "a list of any values instead of a number of a query",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"offset": \{[\s\S]*?"type": )"integer"/,
      '$1"array"',
    ),
    want: ["type-widened (input) GET /core/v2/blocks offset: N B B B"],
  },
  {
    title: "a list of texts, which are split at commas, instead of a text of a query",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"search": \{[\s\S]*?"type": )"string"/,
      '$1"array", "items": { "type": "string" }',
    ),
    want: ["type-widened (input) GET /core/v2/blocks search: T S S B"],
  },
  {
    title: "a list of numbers instead of a text of a query",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"search": \{[\s\S]*?"type": )"string"/,
      '$1"array", "items": { "type": "integer" }',
    ),
    want: ["type-overlaps (input) GET /core/v2/blocks search: S S B B"],
  },
  {
    title: "a number instead of text in a query",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"search": \{[\s\S]*?"type": )"string"/,
      '$1"integer"',
    ),
    want: ["type-narrowed (input) GET /core/v2/blocks search: S N B B"],
  },
  {
    title: "elements of an included schema without a namespace",
    project: "vehicle",
    replacements: at("records.xsd", 'elementFormDefault="qualified"', 'elementFormDefault="unqualified"'),
    want: [
      "namespace-changed http://vehicle.example/bespoke/: S S N N",
      "namespace-changed http://vehicle.example/reg: S S N N",
    ],
  },
  {
    title: "one of two members that may be nil",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(<s:complexType name="Pair">[\s\S]*?)<s:sequence>([\s\S]*?)<\/s:sequence>/,
      "$1<s:choice>$2</s:choice>",
    ),
    want: ["sequence-to-choice (output) Pair: T B B B"],
  },
];
