import { schema } from "../read/wsdl/reading.js";

// The parts of a WSDL with one service, which the tests of services put together.

export const types = schema(`
  <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="code" type="xs:int"/><xs:element name="who" type="xs:string" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
  <xs:element name="OpResponse"><xs:complexType><xs:sequence><xs:element name="OpResult" type="t:Rec" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
  <xs:complexType name="Rec"/><xs:complexType name="Other"/>
  <xs:element name="Rec" nillable="true" type="t:Rec"/><xs:element name="Other" type="t:Other"/>`);

export const messages = `
  <wsdl:message name="SoapIn"><wsdl:part name="parameters" element="t:Op"/></wsdl:message>
  <wsdl:message name="SoapOut"><wsdl:part name="parameters" element="t:OpResponse"/></wsdl:message>
  <wsdl:message name="GetIn"><wsdl:part name="who" type="xs:string"/><wsdl:part name="code" type="xs:string"/></wsdl:message>
  <wsdl:message name="GetOut"><wsdl:part name="Body" element="t:Rec"/></wsdl:message>
  <wsdl:portType name="SvcSoap"><wsdl:operation name="Op"><wsdl:documentation>Looks up.</wsdl:documentation><wsdl:input message="t:SoapIn"/><wsdl:output message="t:SoapOut"/></wsdl:operation></wsdl:portType>
  <wsdl:portType name="SvcHttp"><wsdl:operation name="Op"><wsdl:input message="t:GetIn"/><wsdl:output message="t:GetOut"/></wsdl:operation></wsdl:portType>`;

export const soapMessages =
  '<wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>';
export const soapBinding = (name: string, action = "urn:t/Op") =>
  `<wsdl:binding name="${name}" type="t:SvcSoap"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/><wsdl:operation name="Op"><soap:operation soapAction="${action}"/>${soapMessages}</wsdl:operation></wsdl:binding>`;
export const soap12Binding = soapBinding("Soap12").replaceAll("soap:", "soap12:");
export const httpBinding = (verb: string, portType = "SvcHttp") =>
  `<wsdl:binding name="${verb}" type="t:${portType}"><http:binding verb="${verb}"/><wsdl:operation name="Op"><http:operation location="/Op"/>
    <wsdl:input>${verb === "GET" ? "<http:urlEncoded/>" : '<mime:content type="application/x-www-form-urlencoded"/>'}</wsdl:input>
    <wsdl:output><mime:mimeXml part="Body"/></wsdl:output></wsdl:operation></wsdl:binding>`;
export const port = (name: string, binding: string, address = "http://x.example/svc") =>
  `<wsdl:port name="${name}" binding="t:${binding}"><soap:address location="${address}"/></wsdl:port>`;
export const service = (...ports: readonly string[]) => `<wsdl:service name="Svc">${ports.join("")}</wsdl:service>`;
export const bindings = soapBinding("Soap") + soap12Binding + httpBinding("GET") + httpBinding("POST");
export const all = service(
  port("SvcSoap", "Soap"),
  port("SvcSoap12", "Soap12"),
  port("SvcGet", "GET"),
  port("SvcPost", "POST"),
);

export const complexPart = messages.replace(
  'name="who" type="xs:string"/><wsdl:part',
  'name="who" type="t:Rec"/><wsdl:part',
);
