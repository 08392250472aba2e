import type { Sources } from "../proof/contracts.js";

/** Settings of a service in the pairs about operations. All have defaults. */
export interface InterfaceSettings {
  readonly service?: string;
  readonly namespace?: string;
  /** Elements to add to the schema, as XML. */
  readonly elements?: string;
  readonly operations?: readonly OperationInit[];
  readonly protocols?: readonly ("soap11" | "soap12" | "httpGet" | "httpPost")[];
  readonly address?: string;
  readonly actionPrefix?: string;
  readonly documentation?: string;
  readonly style?: "document" | "rpc";
  readonly use?: "literal" | "encoded";
  /** The operations of the second protocol, if they differ. */
  readonly otherOperations?: readonly OperationInit[];
  readonly addressing?: "optional" | "required";
  /** The text before operation names in WS-Addressing actions. */
  readonly addressingPrefix?: string;
}

interface OperationInit {
  readonly name: string;
  readonly request?: string;
  readonly response?: string;
  readonly oneWay?: boolean;
  readonly fault?: "Broken" | "Stuck";
  readonly header?: boolean;
  readonly location?: string;
  readonly members?: string;
  readonly answer?: string;
}

/** A WSDL with these settings. Its operations take a text `q` and answer a text `r`. */
export function serviceOf(init: InterfaceSettings = {}): Sources {
  const { namespace = "urn:s", service = "S", operations = [{ name: "Ask" }], protocols = ["soap11"] } = init;
  const { address = "http://s.example/s", elements = namespace, style = "document" } = init;
  const parts = operations.map((each) => operationParts(each, { ...init, namespace, style }));
  const { otherOperations = [] } = init;
  const others = otherOperations.map((each) => operationParts(each, { ...init, namespace, style }));
  const isOther = (index: number) => index === 1 && otherOperations.length > 0;
  const bindings = protocols.map((protocol, index) =>
    binding(protocol, isOther(index) ? otherOperations : operations, { ...init, namespace, style }).replace(
      'type="t:P"',
      isOther(index) ? 'type="t:POther"' : 'type="t:P"',
    ),
  );
  return {
    "s.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:wsam="http://www.w3.org/2007/05/addressing/metadata" xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl" xmlns:t="${namespace}" xmlns:e="${elements}" targetNamespace="${namespace}">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${elements}" elementFormDefault="qualified">
    <element name="Session" type="string"/>
    ${["Broken", "Stuck"].map((name) => `<element name="${name}"><complexType><sequence><element name="why" type="string"/></sequence></complexType></element>`).join("")}
    ${[...parts, ...others].map(({ schema }) => schema).join("\n    ")}
  </schema></types>
  <message name="SessionHeader"><part name="s" element="e:Session"/></message>
  ${["Broken", "Stuck"].map((name) => `<message name="${name}Fault"><part name="f" element="e:${name}"/></message>`).join("")}
  ${[...parts, ...others].map(({ messages }) => messages).join("\n  ")}
  <portType name="P">${parts.map(({ operation }) => operation).join("")}</portType>
  ${others.length === 0 ? "" : `<portType name="POther">${others.map(({ operation }) => operation).join("")}</portType>`}
  ${protocols.some(isHttp) ? `<portType name="PHttp">${parts.map(({ http }) => http).join("")}</portType>` : ""}
  ${bindings.join("\n  ")}
  <service name="${service}">${init.documentation === undefined ? "" : `<documentation>${init.documentation}</documentation>`}
    ${protocols.map((protocol) => `<port name="${protocol}" binding="t:${protocol}">${addressOf(protocol, address)}</port>`).join("")}
  </service>
</definitions>`,
  };
}

/** A WSDL with the operations of `serviceOf`, and with a second service, `More`, at another address. */
export function servicesOf(operations: readonly OperationInit[], otherOperations: readonly OperationInit[]): Sources {
  const { "s.wsdl": text = "" } = serviceOf({ operations, otherOperations, protocols: ["soap11", "soap12"] });
  return {
    "s.wsdl": text
      .replace('<port name="soap12"', '</service><service name="More"><port name="soap12"')
      .replace('<soap12:address location="http://s.example/s"', '<soap12:address location="http://s.example/more"')
      .replaceAll("<soap12:", "<soap:"),
  };
}

/** A WSDL with the operations of `serviceOf`, and with a second port of the same service at another address. */
export function portsOf(operations: readonly OperationInit[], otherOperations: readonly OperationInit[]): Sources {
  const { "s.wsdl": text = "" } = servicesOf(operations, otherOperations);
  return { "s.wsdl": text.replace('</service><service name="More">', "") };
}

type Resolved = InterfaceSettings & { readonly namespace: string; readonly style: "document" | "rpc" };

function operationParts(init: OperationInit, { style, addressing, addressingPrefix = "urn:addressing/" }: Resolved) {
  const { name, request = name, response = `${name}Response`, oneWay = false, fault } = init;
  const { members = '<element name="q" type="string"/>', answer = '<element name="r" type="string"/>' } = init;
  const part = (element: string, partName: string) =>
    style === "rpc" ? `<part name="${partName}" type="xs:string"/>` : `<part name="p" element="e:${element}"/>`;
  const action = addressing === undefined ? "" : ` wsam:Action="${addressingPrefix}${name}"`;
  const output = oneWay ? "" : `<output message="t:${name}Out"/>`;
  return {
    schema: `<element name="${request}"><complexType><sequence>${members}</sequence></complexType></element><element name="${response}"><complexType><sequence>${answer}</sequence></complexType></element>`,
    messages: `<message name="${name}In">${part(request, "q")}</message><message name="${name}Out">${part(response, "r")}</message><message name="${name}GetIn"><part name="q" type="xs:string"/></message><message name="${name}GetOut"><part name="b" type="xs:string"/></message>`,
    operation: `<operation name="${name}"><input message="t:${name}In"${action}/>${output}${fault === undefined ? "" : `<fault name="Problem" message="t:${fault}Fault"/>`}</operation>`,
    http: `<operation name="${name}"><input message="t:${name}GetIn"/><output message="t:${name}GetOut"/></operation>`,
  };
}

function binding(protocol: string, operations: readonly OperationInit[], init: Resolved): string {
  if (isHttp(protocol)) {
    const isGet = protocol === "httpGet";
    const parameters = isGet ? "<http:urlEncoded/>" : '<mime:content type="application/x-www-form-urlencoded"/>';
    const each = operations.map(
      ({ name, location = `/${name}` }) =>
        `<operation name="${name}"><http:operation location="${location}"/><input>${parameters}</input><output><mime:mimeXml part="b"/></output></operation>`,
    );
    return `<binding name="${protocol}" type="t:PHttp"><http:binding verb="${isGet ? "GET" : "POST"}"/>${each.join("")}</binding>`;
  }
  const { namespace, style, use = "literal", actionPrefix = "urn:action/", addressing } = init;
  const using =
    addressing === undefined
      ? ""
      : `<wsaw:UsingAddressing xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" wsdl:required="${addressing === "required"}"/>`;
  const soap = protocol === "soap12" ? "soap12" : "soap";
  const rpc = style === "rpc" ? ` namespace="${namespace}"` : "";
  const encoding = use === "encoded" ? ' encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"' : "";
  const body = `<${soap}:body use="${use}"${rpc}${encoding}/>`;
  const each = operations.map(({ name, oneWay = false, fault, header = false }) => {
    const head = header ? `<${soap}:header message="t:SessionHeader" part="s" use="literal"/>` : "";
    const output = oneWay ? "" : `<output>${body}</output>`;
    const faults =
      fault === undefined ? "" : `<fault name="Problem"><${soap}:fault name="Problem" use="literal"/></fault>`;
    return `<operation name="${name}"><${soap}:operation soapAction="${actionPrefix}${name}"/><input>${body}${head}</input>${output}${faults}</operation>`;
  });
  return `<binding name="${protocol}" type="t:P"><${soap}:binding transport="http://schemas.xmlsoap.org/soap/http" style="${style}"/>${using}${each.join("")}</binding>`;
}

function isHttp(protocol: string): boolean {
  return protocol.startsWith("http");
}

function addressOf(protocol: string, location: string): string {
  const prefix = isHttp(protocol) ? "http" : protocol === "soap12" ? "soap12" : "soap";
  return `<${prefix}:address location="${location}"/>`;
}
