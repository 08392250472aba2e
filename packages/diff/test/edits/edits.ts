import type { ProjectName, Replacement } from "./sources.js";

/** An edit, and the changes that it makes: `rule subject`, and whom each affects, as in a verdict. */
export interface Edit {
  readonly title: string;
  readonly project: ProjectName;
  readonly replacements: readonly Replacement[];
  /** Old clients, new clients, callers, handlers. */
  readonly want: readonly string[];
  /**
   * Rules whose consequences these calls do not show; the pairs of the rules show them, or their comment says why not.
   */
  readonly notCalled?: readonly string[];
}

const element = (name: string, type = "s:string", min = 0) =>
  `<s:element minOccurs="${min}" maxOccurs="1" name="${name}" type="${type}" />`;
const at = (file: string, from: string | RegExp, to: string): readonly Replacement[] => [{ file, from, to }];
const abi = element("ABICode");
const usa = /(<s:element name="CheckUSA">\s*<s:complexType>\s*<s:sequence>\s*)/;

const usaEnd = /(<s:element name="CheckUSA">[\s\S]*?name="username" type="s:string" \/>)/;

export const edits: readonly Edit[] = [
  {
    title: "a parameter that is optional in SOAP messages",
    project: "vehicle",
    replacements: [
      ...at("reg.wsdl", usaEnd, `$1${element("History", "s:boolean")}`),
      ...at(
        "reg.wsdl",
        /(<wsdl:message name="CheckUSAHttp(?:Get|Post)In">\s*)/g,
        '$1<wsdl:part name="History" type="s:string" />',
      ),
    ],
    want: [
      "member-added-required (input) CheckUSA (HTTP).History: B T N N",
      "member-added-optional (input) CheckUSA.History: N T N N",
    ],
    // The calls are SOAP messages.
    notCalled: ["member-added-required"],
  },
  {
    title: "an optional field in the answer",
    project: "vehicle",
    replacements: at("records.xsd", abi, `${abi}${element("Colour")}`),
    want: ["member-added-optional (output) VehicleData.Colour: T N N N"],
  },
  {
    title: "a required field in the answer",
    project: "vehicle",
    replacements: at("records.xsd", abi, `${abi}${element("Colour", "s:string", 1)}`),
    want: ["member-added-required (output) VehicleData.Colour: T B N B"],
  },
  {
    title: "a removed field",
    project: "vehicle",
    replacements: at("records.xsd", abi, ""),
    want: ["member-removed-optional (output) VehicleData.ABICode: N T B B"],
  },
  {
    title: "a renamed field",
    project: "vehicle",
    replacements: at("records.xsd", 'name="BodyStyle"', 'name="BodyStyles"'),
    want: ["member-renamed (output) VehicleData.BodyStyles: T T B B"],
  },
  {
    title: "a field becomes required",
    project: "vehicle",
    replacements: at("records.xsd", abi, element("ABICode", "s:string", 1)),
    want: ["member-became-required (output) VehicleData.ABICode: N S N B"],
  },
  {
    title: "a field may no longer be nil",
    project: "vehicle",
    replacements: at("records.xsd", 'name="CurrentValue" nillable="true"', 'name="CurrentValue"'),
    want: ["member-became-not-nillable (output) Pair.CurrentValue: N S N B"],
  },
  {
    title: "a field is a list now",
    project: "vehicle",
    replacements: at("records.xsd", 'maxOccurs="1" name="CarModel"', 'maxOccurs="unbounded" name="CarModel"'),
    want: ["member-became-repeated (output) VehicleData.CarModel: S N B B"],
  },
  {
    title: "text becomes a number",
    project: "vehicle",
    replacements: at("records.xsd", element("RegistrationYear"), element("RegistrationYear", "s:int")),
    want: ["type-narrowed (output) VehicleData.RegistrationYear: N S B B"],
  },
  {
    title: "text becomes a date",
    project: "vehicle",
    replacements: at("records.xsd", 'name="Expiry" type="s:dateTime"', 'name="Expiry" type="s:date"'),
    want: ["type-changed (output) InsuranceDetails.Expiry: B B N N", "name-in-code-changed DateTime: N N B B"],
  },
  {
    title: "a number gets wider",
    project: "vehicle",
    replacements: at("reg.wsdl", 'name="NatCode" type="s:int"', 'name="NatCode" type="s:long"'),
    want: ["type-widened (input) CheckAustria.NatCode: N S B B"],
  },
  {
    title: "fields change places",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(<s:element[^>]*name="ABICode"[^>]*>\s*)(<s:element[^>]*name="Description"[^>]*>)/,
      "$2$1",
    ),
    want: ["sequence-order-changed (output) VehicleData: T T N N"],
  },
  {
    title: "an optional argument",
    project: "vehicle",
    replacements: at("reg.wsdl", usaEnd, `$1${element("Colour")}`),
    want: ["operation-split CheckUSAHttpGet: N N S B", "member-added-optional (input) CheckUSA.Colour: N T N N"],
  },
  {
    title: "a required argument",
    project: "vehicle",
    replacements: at("reg.wsdl", usa, `$1${element("Colour", "s:string", 1)}`),
    want: ["member-added-required (input) CheckUSA.Colour: B T B N", "operation-split CheckUSAHttpGet: N N S B"],
  },
  {
    title: "a renamed type",
    project: "vehicle",
    replacements: at("records.xsd", 'name="IrishTaxi"', 'name="Taxi"').concat(
      at("bespokeapi.wsdl", /type="tns:IrishTaxi"/g, 'type="tns:Taxi"'),
    ),
    want: ["type-renamed Taxi: N N B B"],
  },
  {
    title: "a renamed operation",
    project: "vehicle",
    replacements: at("reg.wsdl", /CheckMexico/g, "CheckMexicanCar"),
    want: [
      "operation-renamed CheckMexicanCar: B B B B",
      "name-in-code-changed CheckMexicanCar: N N B B",
      "name-in-code-changed CheckMexicanCarResponse: N N B B",
    ],
  },
  {
    title: "another country instead of one",
    project: "vehicle",
    replacements: at("reg.wsdl", /CheckMalta/g, "CheckNorway"),
    want: ["operation-added CheckNorway: N S N B", "operation-removed CheckMalta: B N B S"],
  },
  {
    title: "another SOAPAction",
    project: "vehicle",
    replacements: at("reg.wsdl", /soapAction="http:\/\/vehicle.example\/reg\/CheckUSA"/g, 'soapAction="urn:usa"'),
    want: ["soap-action-changed CheckUSA: S S N N"],
  },
  {
    title: "another namespace",
    project: "vehicle",
    replacements: at("reg.wsdl", /http:\/\/vehicle\.example\/reg\b(?!\.)/g, "http://vehicle.example/reg2").concat(
      at("bothends.json", "http://vehicle.example/reg", "http://vehicle.example/reg2"),
    ),
    want: [
      "namespace-changed http://vehicle.example/reg2: B B N N",
      "soap-action-changed SOAPAction: S S N N",
      "service-namespace-changed Reg: N N N N",
    ],
  },
  {
    title: "another path",
    project: "vehicle",
    replacements: at("reg.wsdl", /api\/reg\.asmx/g, "api/v2/reg.asmx"),
    want: ["address-path-changed Reg: B B N N"],
  },
  {
    title: "no HTTP GET",
    project: "vehicle",
    replacements: at("reg.wsdl", /<wsdl:port name="RegHttpGet"[\s\S]*?<\/wsdl:port>/, "").concat(
      at("reg.wsdl", /<wsdl:binding name="RegHttpGet"[\s\S]*?<\/wsdl:binding>/, ""),
    ),
    want: ["protocol-removed Reg: S N S N"],
  },
  {
    title: "documentation",
    project: "vehicle",
    replacements: at("records.xsd", "A vehicle description.", "A description of a vehicle."),
    want: ["documentation-changed Vehicle: N N N N"],
  },
  {
    title: "operations in another order",
    project: "vehicle",
    replacements: at(
      "reg.wsdl",
      /(<s:element name="CheckPakistan">[\s\S]*?<\/s:element>\s*)(<s:element name="CheckPakistanResponse">[\s\S]*?<\/s:complexType>\s*<\/s:element>)/,
      "$2$1",
    ),
    want: [],
  },
  {
    title: "a removed route",
    project: "vehicle",
    replacements: at(
      "index.json",
      /"\/forms\/v1\/contact-forms\/\(\?P<id>\[\\\\d\]\+\)\/refill": \{[\s\S]*?\n {4}\},?\n/,
      "",
    ),
    want: ["route-removed /forms/v1/contact-forms/(?P<id>[\\d]+)/refill: B N B S"],
  },
  {
    title: "a required argument of a route",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/seo\/v1\/file_size"[\s\S]*?"args": \{)/,
      '$1 "size": { "required": true, "type": "integer" },',
    ),
    want: ["argument-added-required (input) GET /seo/v1/file_size size: B T B N"],
  },
  {
    title: "an optional argument of a route",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/seo\/v1\/file_size"[\s\S]*?"args": \{)/,
      '$1 "size": { "required": false, "type": "integer" },',
    ),
    want: ["argument-added-optional (input) GET /seo/v1/file_size size: N T N N"],
  },
  {
    title: "an argument becomes optional",
    project: "vehicle",
    replacements: at("index.json", /("\/seo\/v1\/file_size"[\s\S]*?"url": \{\s*"required": )true/, "$1false"),
    want: ["argument-became-optional (input) GET /seo/v1/file_size url: N S N B"],
  },
  {
    title: "another default",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"per_page": \{\s*"required": false,\s*"default": )10/,
      "$120",
    ),
    want: ["default-changed (input) GET /core/v2/blocks per_page: T T N N"],
  },
  {
    title: "another value of an argument",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/core\/v2\/blocks": [\s\S]*?"order": \{[\s\S]*?"enum": \[\s*"asc",\s*"desc")/,
      '$1, "rand"',
    ),
    want: ["enum-value-added (input) GET /core/v2/blocks order: N S S S"],
  },
  {
    title: "a removed property of an answer",
    project: "vehicle",
    replacements: at("objects.json", /"slug": \{[\s\S]*?\},\s*/, ""),
    notCalled: ["member-removed-required"],
    want: ["member-removed-required (output) media.slug: S T B S"],
  },
  {
    title: "another variable name in a route",
    project: "vehicle",
    replacements: ["index.json", "bothends.json"].flatMap((file) =>
      at(file, /\/forms\/v1\/contact-forms\/\(\?P<id>/g, "/forms/v1/contact-forms/(?P<form>"),
    ),
    notCalled: ["route-parameter-renamed"],
    want: [
      "route-parameter-renamed /forms/v1/contact-forms/(?P<form>[\\d]+): N N B B",
      "route-parameter-renamed /forms/v1/contact-forms/(?P<form>[\\d]+)/feedback: N N B B",
      "route-parameter-renamed /forms/v1/contact-forms/(?P<form>[\\d]+)/refill: N N B B",
    ],
  },
  {
    title: "a renamed group of routes, whose names are not similar",
    project: "vehicle",
    replacements: ["index.json", "bothends.json"].flatMap((file) => at(file, /contact-forms/g, "inquiries")),
    want: [
      "route-renamed /forms/v1/inquiries: B B B B",
      "route-renamed /forms/v1/inquiries/(?P<id>[\\d]+): B B B B",
      "route-renamed /forms/v1/inquiries/(?P<id>[\\d]+)/feedback: B B B B",
      // The configuration contains the name of the method.
      "route-renamed /forms/v1/inquiries/(?P<id>[\\d]+)/refill: B B N N",
      "name-in-code-changed FormsInquiriesCreate: N N B B",
      "name-in-code-changed FormsInquiriesList: N N B B",
      "name-in-code-changed FormsInquiriesDelete: N N B B",
      "name-in-code-changed FormsInquiriesGet: N N B B",
      "name-in-code-changed FormsInquiriesUpdate: N N B B",
      "name-in-code-changed FormsInquiriesFeedbackCreate: N N B B",
      "name-in-code-changed FormsInquiriesFeedbackEndpoints: N N B B",
    ],
  },
  {
    title: "a route in another namespace",
    project: "vehicle",
    replacements: at(
      "index.json",
      /"\/seo\/v1\/file_size": \{\s+"namespace": "seo\/v1"/,
      '"/core/v2/file_size": { "namespace": "core/v2"',
    ),
    want: [
      "route-renamed /core/v2/file_size: B B B B",
      "name-in-code-changed CoreFileSizeEndpoints: N N B B",
      "name-in-code-changed CoreFileSizeGet: N N B B",
    ],
  },
  {
    title: "another version of a namespace",
    project: "vehicle",
    replacements: ["index.json", "bothends.json"].flatMap((file) => at(file, /oembed\/1\.0/g, "oembed/1.1")),
    want: [
      "route-version-changed /oembed/1.1: B B N N",
      "answer-undeclared GET /oembed/1.1/proxy: N N B S",
      "name-in-code-changed Oembed11Client: N N B N",
      "name-in-code-changed Oembed11Endpoints: N N B B",
      "name-in-code-changed Oembed11Handlers: N N N B",
    ],
  },
  {
    title: "a value of an enumeration removed",
    project: "parcels",
    replacements: at("parcels.wsdl", '<s:enumeration value="very fast"/>', ""),
    want: ["enum-value-removed (input) Speed: S N B S", "enum-value-removed (output) Speed: N S S B"],
  },
  {
    title: "a value of an enumeration added",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:enumeration value="very fast"/>',
      '<s:enumeration value="very fast"/><s:enumeration value="fast"/>',
    ),
    want: ["enum-value-added (input) Speed: N S S S", "enum-value-added (output) Speed: S N S S"],
  },
  {
    title: "a derived type added",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:complexType name="ArrayOfItem">',
      '<s:complexType name="Cup"><s:complexContent><s:extension base="tns:Item"/></s:complexContent></s:complexType><s:complexType name="ArrayOfItem">',
    ),
    want: ["derived-type-added (input) Item: N S N S", "derived-type-added (output) Item: S N S N"],
  },
  {
    title: "a branch of a choice added",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:element name="Boat" type="s:int"/>',
      '<s:element name="Boat" type="s:int"/><s:element name="Plane" type="s:int"/>',
    ),
    want: ["choice-branch-added (input) Parcel.Plane: N S N S", "choice-branch-added (output) Parcel.Plane: S N S N"],
  },
  {
    title: "an attribute required",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:attribute name="code" type="s:int"/>',
      '<s:attribute name="code" type="s:int" use="required"/>',
    ),
    want: [
      "member-became-required (input) Address.code: S N B N",
      "member-became-required (output) Address.code: N S N B",
    ],
  },
  {
    title: "another default of an attribute",
    project: "parcels",
    replacements: at("parcels.wsdl", 'default="3"', 'default="4"'),
    notCalled: ["default-changed"],
    want: ["default-changed (input) Parcel.rank: T T N N", "default-changed (output) Parcel.rank: T T N N"],
  },
  {
    title: "a fault no longer declared",
    project: "parcels",
    replacements: at("parcels.wsdl", '<wsdl:fault name="Refused" message="tns:Refused"/>', "").concat(
      at("parcels.wsdl", '<wsdl:fault name="Refused"><soap:fault name="Refused" use="literal"/></wsdl:fault>', ""),
    ),
    notCalled: ["fault-removed"],
    want: ["fault-removed Refuse (fault Refused): N T B B"],
  },
  {
    title: "elements of a schema qualified",
    project: "parcels",
    replacements: at("parcels.wsdl", 'elementFormDefault="unqualified"', 'elementFormDefault="qualified"'),
    want: ["namespace-changed urn:money: B B N N"],
  },
  {
    title: "another part of an rpc message",
    project: "sums",
    replacements: at(
      "rpc-literal.wsdl",
      '<wsdl:part name="a" type="xs:int"/>',
      '<wsdl:part name="a" type="xs:int"/><wsdl:part name="c" type="xs:int"/>',
    ),
    want: ["member-added-required (input) add.c: B T B N"],
  },
  {
    title: "a one-way operation answers",
    project: "posted",
    replacements: at(
      "addressing.wsdl",
      '<wsdl:operation name="Note"><wsdl:input message="tns:Note"/></wsdl:operation>',
      '<wsdl:operation name="Note"><wsdl:input message="tns:Note"/><wsdl:output message="tns:Answer"/></wsdl:operation>',
    ).concat(
      at(
        "addressing.wsdl",
        /(<soap12?:operation soapAction=""\/><wsdl:input><soap(?:12)?:body use="literal"\/><\/wsdl:input>)/g,
        "$1<wsdl:output/>",
      ),
    ),
    want: ["output-added Note: T B S B", "addressing-changed Note: T T N N"],
  },
  {
    title: "addressing is required",
    project: "posted",
    replacements: at("addressing.wsdl", 'wsdl:required="true"', 'wsdl:required="false"'),
    want: ["addressing-became-optional addressing: N T N N"],
  },
  {
    title: "a smaller page",
    project: "wordpress",
    replacements: at("index.json", '"maximum":100', '"maximum":50'),
    want: ["range-tightened (input) GET /wp/v2/posts per_page: S N N N"],
  },
  {
    title: "a pattern in a route",
    project: "wordpress",
    replacements: at("index.json", /\/wp\/v2\/posts\/\(\?P<id>\[\\\\d\]\+\)"/, '/wp/v2/posts/(?P<id>[\\\\d]{1,9})"'),
    want: ["route-pattern-changed /wp/v2/posts/(?P<id>[\\d]{1,9}): S N N N"],
  },
];
