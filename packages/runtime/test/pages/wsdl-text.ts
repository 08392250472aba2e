/** The parts of a WSDL that differ between tests; the target namespace is `urn:a`. */
export interface WsdlParts {
  /** The content of a schema with qualified elements. */
  readonly schema?: string;
  /** Attributes of the schema, in place of `elementFormDefault`. */
  readonly schemaAttributes?: string;
  /** The parts of the input; default the element `Op`. */
  readonly parts?: string;
  /** The parts of the output; absent: the operation is one-way. */
  readonly answerParts?: string;
  /** More messages. */
  readonly messages?: string;
  /** The bindings of the operation `Op`, by protocol; default SOAP 1.1, document/literal. */
  readonly bindings?: readonly Binding[];
}

export interface Binding {
  readonly protocol: "soap11" | "soap12" | "httpGet" | "httpPost";
  readonly style?: "rpc";
  /** The `soap:operation` or `http:operation`. */
  readonly operation?: string;
  readonly input: string;
  readonly output?: string;
}

const extensions = {
  soap11: '<soap:binding transport="http://schemas.xmlsoap.org/soap/http"',
  soap12: '<soap12:binding transport="http://schemas.xmlsoap.org/soap/http"',
  httpGet: '<http:binding verb="GET"',
  httpPost: '<http:binding verb="POST"',
};
const prefixes = { soap11: "soap", soap12: "soap12", httpGet: "http", httpPost: "http" };

const literal: Binding = {
  protocol: "soap11",
  operation: '<soap:operation soapAction="urn:a/Op"/>',
  input: '<soap:body use="literal"/>',
};

/** A WSDL with the service `S` and its operation `Op`. */
export function wsdlOf({
  schema = "",
  schemaAttributes,
  parts,
  answerParts,
  messages = "",
  bindings = [literal],
}: WsdlParts): string {
  const qualified = schemaAttributes ?? 'elementFormDefault="qualified"';
  const output = answerParts === undefined ? "" : '<w:output message="t:OpOut"/>';
  return definitions(
    `<w:types><x:schema targetNamespace="urn:a" ${qualified}>${schema}</x:schema></w:types>` +
      `<w:message name="OpIn">${parts ?? '<w:part name="parameters" element="t:Op"/>'}</w:message>` +
      `<w:message name="OpOut">${answerParts ?? ""}</w:message>${messages}` +
      `<w:portType name="P"><w:operation name="Op"><w:input message="t:OpIn"/>${output}</w:operation></w:portType>` +
      bindings.map(bindingText).join("") +
      `<w:service name="S">${bindings.map(portText).join("")}</w:service>`,
  );
}

export function definitions(content: string): string {
  return (
    '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:a"' +
    ' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"' +
    ' xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/"' +
    ` xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/" targetNamespace="urn:a">${content}</w:definitions>`
  );
}

function bindingText({ protocol, style, operation = "", input, output }: Binding): string {
  const styled = style === undefined ? "" : ` style="${style}"`;
  return (
    `<w:binding name="${protocol}" type="t:P">${extensions[protocol]}${styled}/>` +
    `<w:operation name="Op">${operation}<w:input>${input}</w:input>${output === undefined ? "" : `<w:output>${output}</w:output>`}</w:operation></w:binding>`
  );
}

function portText({ protocol }: Binding): string {
  return `<w:port name="${protocol}" binding="t:${protocol}"><${prefixes[protocol]}:address location="http://h.example/a"/></w:port>`;
}
