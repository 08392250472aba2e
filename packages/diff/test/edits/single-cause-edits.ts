import type { Edit } from "./edits.js";
import { projects, type Replacement } from "./sources.js";

const at = (file: string, from: string | RegExp, to: string): readonly Replacement[] => [{ file, from, to }];

/** A header in the requests of both operations of `parcels`. */
const header = (name: string): readonly Replacement[] => [
  {
    file: "parcels.wsdl",
    from: '<wsdl:message name="EchoIn">',
    to: `<wsdl:message name="Headers"><wsdl:part name="why" element="tns:${name}"/></wsdl:message><wsdl:message name="EchoIn">`,
  },
  {
    file: "parcels.wsdl",
    from: /<wsdl:input><soap:body use="literal"\/>/g,
    to: '<wsdl:input><soap:header message="tns:Headers" part="why" use="literal"/><soap:body use="literal"/>',
  },
];

/** The included records, as declarations of the namespace of `bespokeapi.wsdl`. */
const records = (projects.vehicle["schemas/vehicle/records.xsd"] ?? "")
  .replace(/^[\s\S]*?<s:schema[^>]*>|<\/s:schema>\s*$/g, "")
  .replace(/type="(?!s:)/g, 'type="tns:');

/** Edits with one cause that have several effects, or effects on several operations. Each must be reported once. */
export const singleCauseEdits: readonly Edit[] = [
  {
    title: "answers with another object of the configured schemas",
    project: "vehicle",
    replacements: at("bothends.json", "objects.json#/$defs/project", "objects.json#/$defs/media"),
    // Clients do not check answers.
    notCalled: ["type-replaced"],
    want: ["type-replaced (output) core.project: S S B B", "name-in-code-changed MediaStatus: N N B B"],
  },
  {
    title: "a header in the requests of several operations",
    project: "parcels",
    replacements: header("Refused"),
    want: ["header-added (input) header Refused: N T N N"],
  },
  {
    title: "an operation without an answer at all ports",
    project: "vehicle",
    replacements: at(
      "reg.wsdl",
      /(<wsdl:operation name="CheckPeru">(?:(?!<\/wsdl:operation>)[\s\S])*?)<wsdl:output\b[^<>]*(?:\/>|[^/]>[\s\S]*?<\/wsdl:output>)/g,
      "$1",
    ),
    want: ["output-removed CheckPeru: B T B B"],
  },
  {
    title: "an operation with another name but the same messages",
    project: "vehicle",
    replacements: at("reg.wsdl", /<wsdl:operation name="CheckPeru">/g, '<wsdl:operation name="CheckPeruvianCar">'),
    want: [
      "operation-name-changed CheckPeruvianCar: N N B B",
      "result-in-code-changed CheckPeruvianCar: N N B B",
      "operation-split CheckPeruvianCarHttpGet: N N S B",
    ],
  },
  {
    title: "a fault of several operations",
    project: "sums",
    replacements: at("rpc-literal.wsdl", /<wsdl:fault name="Overflow" message="tns:Overflow"\/>/g, "").concat(
      at("rpc-literal.wsdl", /<wsdl:fault name="Overflow">.*?<\/wsdl:fault>/g, ""),
    ),
    notCalled: ["fault-removed"],
    want: ["fault-removed add (fault Overflow): N T B B"],
  },
  {
    title: "a renamed type of requests and answers",
    project: "parcels",
    replacements: at("parcels.wsdl", 'complexType name="ArrayOfItem"', 'complexType name="Items"').concat(
      at("parcels.wsdl", 'type="tns:ArrayOfItem"', 'type="tns:Items"'),
    ),
    want: ["type-renamed Items: N N B B"],
  },
  {
    title: "text with other white space",
    project: "parcels",
    replacements: at("parcels.wsdl", 'name="Notes" type="s:string"', 'name="Notes" type="s:token"'),
    want: ["whitespace-changed (input) Parcel.Notes: T T N N", "whitespace-changed (output) Parcel.Notes: T T N N"],
  },
  {
    title: "text between the elements and wildcards of a type",
    project: "vehicle",
    replacements: at(
      "records.xsd",
      /(<s:complexType name="IrishTaxi")(>[\s\S]*?)(<\/s:sequence>)/,
      '$1 mixed="true"$2<s:any minOccurs="0" maxOccurs="unbounded" namespace="##other" processContents="lax"/>$3',
    ),
    want: ["mixed-changed (output) IrishTaxi: S T B B"],
  },
  {
    title: "rpc style in place of documents",
    project: "parcels",
    replacements: at("parcels.wsdl", /style="document"/g, 'style="rpc"'),
    want: [
      // In rpc style, the elements of the parts are members of the element with the name of the operation.
      "member-added-required (input) Echo.Echo: B T B N",
      "member-added-required (output) EchoResponse.EchoResponse: T B N B",
      "member-added-required (input) Refuse.Refuse: B T B N",
      "member-added-required (output) RefuseResponse.RefuseResponse: T B N B",
      "member-removed-optional (input) Echo.parcel: T N B B",
      "member-removed-optional (output) EchoResponse.EchoResult: N T B B",
      "result-in-code-changed Refuse: N N S B",
      "member-removed-required (input) Refuse.why: T B B B",
      "style-changed style: N N N N",
    ],
  },
  {
    title: "encoded messages",
    project: "sums",
    replacements: at("rpc-literal.wsdl", /<soap:body use="literal"/g, '<soap:body use="encoded"'),
    want: ["encoding-changed encoding: S S B B"],
  },
  {
    title: "an element with elements in place of text",
    project: "vehicle",
    replacements: at("records.xsd", 'name="CarModel" type="s:string"', 'name="CarModel" type="IrishTaxi"'),
    want: ["type-changed (output) VehicleData.CarModel: S T B B"],
  },
  {
    title: "an optional variable of a route",
    project: "vehicle",
    replacements: ["index.json", "bothends.json"].flatMap((file) =>
      at(
        file,
        "/forms/v1/contact-forms/(?P<id>[\\\\d]+)/refill",
        "/forms/v1/contact-forms(?:/(?P<id>[\\\\d]+))?/refill",
      ),
    ),
    want: ["route-pattern-changed /forms/v1/contact-forms(?:/(?P<id>[\\d]+))?/refill: N S N B"],
  },
  {
    title: "an argument in any format",
    project: "wordpress",
    replacements: at("index.json", /("after":\{[^{}]*),"format":"date-time"/, "$1"),
    want: ["format-removed (input) GET /wp/v2/posts after: N S N N"],
  },
  {
    title: "a member of an answer in only one context",
    project: "vehicle",
    replacements: at("objects.json", /("media": \{[\s\S]*?"slug": \{[^{}]*"context": )\[[^\]]*\]/, '$1["edit"]'),
    notCalled: ["member-contexts-changed"],
    want: ["member-contexts-changed (output) media.slug: S T B S"],
  },
  {
    title: "a renamed base type",
    project: "parcels",
    replacements: at("parcels.wsdl", /tns:Item"/g, 'tns:Thing"').concat(
      at("parcels.wsdl", 'complexType name="Item"', 'complexType name="Thing"'),
    ),
    want: ["type-renamed Thing: N N B B"],
  },
  {
    title: "an address with another scheme and host",
    project: "parcels",
    replacements: at("parcels.wsdl", "http://localhost/parcels", "https://parcels.example/parcels"),
    notCalled: ["address-host-changed"],
    want: ["address-scheme-changed Parcels: S S N N", "address-host-changed Parcels: T T N N"],
  },
  {
    title: "an operation with a longer name",
    project: "parcels",
    replacements: at("parcels.wsdl", /\bEcho(?=["RIO/]|Result)/g, "EchoAll"),
    want: [
      "operation-renamed EchoAll: B B B B",
      "name-in-code-changed EchoAll: N N B B",
      "name-in-code-changed EchoAllResponse: N N B B",
    ],
  },
  {
    title: "one element with a list in place of repeated elements",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      'name="Notes" type="s:string" minOccurs="0" maxOccurs="unbounded"',
      'name="Notes" minOccurs="0"><s:simpleType><s:list itemType="s:string"/></s:simpleType></s:element',
    ).concat(at("parcels.wsdl", "</s:element/>", "</s:element>")),
    want: ["member-became-single (input) Parcel.Notes: S T N N", "member-became-single (output) Parcel.Notes: T S N N"],
  },
  {
    title: "a union that contains the old type",
    project: "parcels",
    replacements: at("parcels.wsdl", 'name="Speed" type="tns:Speed"', 'name="Speed" type="tns:Pace"').concat(
      at(
        "parcels.wsdl",
        '<s:simpleType name="Speed">',
        '<s:simpleType name="Pace"><s:union memberTypes="tns:Speed s:int"/></s:simpleType><s:simpleType name="Speed">',
      ),
    ),
    want: ["type-widened (input) Parcel.Speed: N S S B", "type-widened (output) Parcel.Speed: S N B S"],
  },
  {
    title: "a fault that another operation still declares",
    project: "sums",
    replacements: at(
      "rpc-literal.wsdl",
      '<wsdl:output name="addNumbersOut" message="tns:AddOut"/><wsdl:fault name="Overflow" message="tns:Overflow"/>',
      '<wsdl:output name="addNumbersOut" message="tns:AddOut"/>',
    ).concat(at("rpc-literal.wsdl", /<wsdl:fault name="Overflow">.*?<\/wsdl:fault>/, "")),
    notCalled: ["fault-removed"],
    want: ["fault-removed add (fault Overflow): N T T T"],
  },
  {
    title: "a choice that occurs several times",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      '<s:choice><s:element name="Van"',
      '<s:choice maxOccurs="unbounded"><s:element name="Van"',
    ),
    want: [
      "member-occurs-widened (input) Parcel.choice: N S B B",
      "member-occurs-widened (output) Parcel.choice: S N B B",
    ],
  },
  {
    title: "another name of an interface in the configuration",
    project: "vehicle",
    replacements: at("bothends.json", '"vehicle": {', '"cars": {'),
    want: [
      "name-in-code-changed CarsClient: N N B N",
      "name-in-code-changed CarsClientOptions: N N B N",
      "name-in-code-changed CarsHandlers: N N N B",
      "name-in-code-changed CarsServerOptions: N N N B",
      "name-in-code-changed cars: N N B B",
      "name-in-code-changed carsRoutes: N N N B",
    ],
  },
  {
    title: "a second service",
    project: "parcels",
    replacements: at(
      "parcels.wsdl",
      "</wsdl:service>",
      '$&<wsdl:service name="Letters"><wsdl:port name="Letters" binding="tns:ParcelsSoap"><soap:address location="http://localhost/letters"/></wsdl:port></wsdl:service>',
    ),
    want: [
      "service-added Letters: N S N N",
      "name-in-code-changed ApiClient: N N N N",
      "name-in-code-changed ApiClient: N N N N",
      "name-in-code-changed ApiHandlers: N N N N",
      "name-in-code-changed apiRoutes: N N N N",
    ],
  },
  {
    title: "included types written into one of two documents",
    project: "vehicle",
    replacements: at("bespokeapi.wsdl", '<s:include schemaLocation="records.xsd" />', records),
    want: [
      "name-in-code-changed VehicleReg: N N N N",
      "name-in-code-changed VehicleDataReg: N N N N",
      "name-in-code-changed PairReg: N N N N",
    ],
  },
  {
    title: "a parameter that only HTTP GET renames",
    project: "vehicle",
    replacements: at(
      "bespokeapi.wsdl",
      /(<wsdl:message name="CheckUSAMinimalHttpGetIn">\s*<wsdl:part name=")regNumber/,
      "$1RegNumber",
    ),
    want: [
      "member-renamed (input) CheckUSAMinimalHttpGet (HTTP).RegNumber: B B N N",
      "operation-split CheckUSAMinimalHttpGet: N N S B",
    ],
  },
  {
    title: "an integer of an answer that may be any number",
    project: "vehicle",
    replacements: at("objects.json", /("media": \{[\s\S]*?"author": \{[^{}]*"type": )"integer"/, '$1"number"'),
    notCalled: ["type-widened"],
    want: ["type-widened (output) media.author: S N N N"],
  },
  {
    title: "a text of a query that may also be a number",
    project: "vehicle",
    replacements: at(
      "index.json",
      /("\/seo\/v1\/file_size"[\s\S]*?"url": \{[\s\S]*?"type": )"string"/,
      '$1["string", "number"]',
    ),
    want: ["union-member-added (input) GET /seo/v1/file_size url: N N N B"],
  },
];
