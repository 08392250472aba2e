import type { PublishedDocument } from "../../src/server/index.js";

const things = { slot: "namespace", name: "things", escape: "attribute" } as const;
const find = { slot: "operation", name: "Find", escape: "attribute" } as const;
const address = { slot: "address", escape: "attribute" } as const;

const bindingOf = (name: string, extension: string, operations: PublishedDocument): PublishedDocument => [
  `<w:binding name="${name}" type="t:${name}">${extension}`,
  ...operations,
  "</w:binding>",
];
const soapOperations = (prefix: string): PublishedDocument => {
  const body = `<${prefix}:body use="literal"/>`;
  const operation = (
    name: PublishedDocument,
    action: PublishedDocument,
    header = "",
    isOneWay = false,
  ): PublishedDocument => [
    '<w:operation name="',
    ...name,
    `"><${prefix}:operation soapAction="`,
    ...action,
    `"/><w:input>${body}${header}</w:input>${isOneWay ? "" : `<w:output>${body}</w:output>`}</w:operation>`,
  ];
  const session = `<${prefix}:header message="t:Session" part="session" use="literal"/>`;
  return [
    ...operation([find], [things, "/", find]),
    ...operation(["Notify"], [things, "/Notify"], session, true),
    ...operation(["Ping"], [""]),
  ];
};
const httpOperation = (name: PublishedDocument, input: string, output: string): PublishedDocument => [
  '<w:operation name="',
  ...name,
  '"><http:operation location="/',
  ...name,
  `"/><w:input>${input}</w:input><w:output>${output}</w:output></w:operation>`,
];
const declared = (name: PublishedDocument, message: string, hasOutput = true): PublishedDocument => [
  '<w:operation name="',
  ...name,
  `"><w:input message="t:${message}In"/>${hasOutput ? `<w:output message="t:${message}Out"/>` : ""}</w:operation>`,
];
const xml = '<mime:mimeXml part="Body"/>';
const form = '<mime:content type="application/x-www-form-urlencoded"/>';

/** The WSDL of the service in `fixture.ts`. */
export const thingsWsdl: PublishedDocument = [
  '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:x="http://www.w3.org/2001/XMLSchema"',
  ' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
  ' xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:t="',
  things,
  '" targetNamespace="',
  things,
  '"><w:types><x:schema elementFormDefault="qualified" targetNamespace="',
  things,
  '"><x:element name="',
  find,
  '"><x:complexType><x:sequence><x:element name="Key" type="x:string"/><x:element name="Count" type="x:int"/>',
  '<x:element name="username" type="x:string"/></x:sequence></x:complexType></x:element><x:element name="',
  find,
  'Response"><x:complexType><x:sequence><x:element name="',
  find,
  'Result" type="t:Thing" minOccurs="0"/></x:sequence></x:complexType></x:element>',
  '<x:element name="Thing" type="t:Thing" nillable="true"/><x:element name="Session" type="x:string"/>',
  '<x:complexType name="Thing"><x:sequence><x:element name="Name" type="x:string" minOccurs="0"/>',
  '<x:element name="Pair" type="t:Pair" minOccurs="0"/></x:sequence></x:complexType>',
  '<x:complexType name="Pair"><x:sequence><x:element name="Code" type="x:string" nillable="true"/>',
  '<x:element name="Text" type="x:string" nillable="true"/></x:sequence></x:complexType>',
  '<x:element name="Notify"><x:complexType><x:sequence><x:element name="Text" type="x:string"/></x:sequence></x:complexType></x:element>',
  '<x:element name="Number" type="x:int"/><x:element name="Unit" type="x:token"/></x:schema></w:types>',
  '<w:message name="FindIn"><w:part name="parameters" element="t:',
  find,
  '"/></w:message><w:message name="FindOut"><w:part name="parameters" element="t:',
  find,
  'Response"/></w:message><w:message name="NotifyIn"><w:part name="parameters" element="t:Notify"/></w:message>',
  '<w:message name="Session"><w:part name="session" element="t:Session"/></w:message>',
  '<w:message name="PingIn"><w:part name="number" element="t:Number"/><w:part name="unit" element="t:Unit"/></w:message>',
  '<w:message name="PingOut"><w:part name="number" element="t:Number"/></w:message>',
  '<w:message name="FindHttpIn"><w:part name="Key" type="x:string"/><w:part name="Count" type="x:string"/><w:part name="username" type="x:string"/></w:message>',
  '<w:message name="FindHttpOut"><w:part name="Body" element="t:Thing"/></w:message>',
  '<w:message name="NotifyHttpIn"><w:part name="Text" type="x:string"/></w:message><w:message name="NotifyHttpOut"/>',
  ...["Soap", "Soap12"].flatMap(
    (name): PublishedDocument => [
      `<w:portType name="${name}">`,
      ...declared([find], "Find"),
      ...declared(["Notify"], "Notify", false),
      ...declared(["Ping"], "Ping"),
      "</w:portType>",
    ],
  ),
  '<w:portType name="HttpGet">',
  ...declared([find], "FindHttp"),
  ...declared(["Notify"], "NotifyHttp"),
  '</w:portType><w:portType name="HttpPost">',
  ...declared([find], "FindHttp"),
  "</w:portType>",
  ...bindingOf("Soap", '<soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>', soapOperations("soap")),
  ...bindingOf(
    "Soap12",
    '<soap12:binding transport="http://schemas.xmlsoap.org/soap/http"/>',
    soapOperations("soap12"),
  ),
  ...bindingOf("HttpGet", '<http:binding verb="GET"/>', [
    ...httpOperation([find], "<http:urlEncoded/>", xml),
    ...httpOperation(["Notify"], "<http:urlEncoded/>", ""),
  ]),
  ...bindingOf("HttpPost", '<http:binding verb="POST"/>', httpOperation([find], form, xml)),
  '<w:service name="Things"><w:port name="ThingsSoap" binding="t:Soap"><soap:address location="',
  address,
  '"/></w:port><w:port name="ThingsSoap12" binding="t:Soap12"><soap12:address location="',
  address,
  '"/></w:port><w:port name="ThingsHttpGet" binding="t:HttpGet"><http:address location="',
  address,
  '"/></w:port><w:port name="ThingsHttpPost" binding="t:HttpPost"><http:address location="',
  address,
  '"/></w:port></w:service></w:definitions>',
];
