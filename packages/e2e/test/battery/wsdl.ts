/** The parts of a small WSDL that a case may replace. */
export interface WsdlParts {
  /** Content before the root element. */
  readonly prolog?: string;
  /** Attributes of the root element. */
  readonly root?: string;
  readonly documentation?: string;
  /** Schema components besides the wrappers. */
  readonly schema?: string;
  /** The particles of the operation's input. */
  readonly input?: string;
  /** The particles of the operation's output. */
  readonly output?: string;
  /** Content after the schema. */
  readonly definitions?: string;
  readonly namespace?: string;
  readonly operation?: string;
  readonly element?: string;
  readonly action?: string;
  readonly service?: string;
  readonly location?: string;
}

/** Returns a WSDL with one document-style operation. The parts are inserted unescaped. */
export function wsdlOf(parts: WsdlParts = {}): string {
  const { namespace = "urn:battery", operation = "Ask", element = operation, service = "Battery" } = parts;
  const { input = `<xs:element name="Text" type="xs:string"/>` } = parts;
  const { output = `<xs:element name="${element}Result" type="xs:string" minOccurs="0"/>` } = parts;
  return `${parts.prolog ?? ""}<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="${namespace}" targetNamespace="${namespace}" ${parts.root ?? ""}>
<types><xs:schema targetNamespace="${namespace}" elementFormDefault="qualified">
${parts.schema ?? ""}
<xs:element name="${element}"><xs:complexType><xs:sequence>${input}</xs:sequence></xs:complexType></xs:element>
<xs:element name="${element}Response"><xs:complexType><xs:sequence>${output}</xs:sequence></xs:complexType></xs:element>
</xs:schema></types>
${parts.definitions ?? ""}
<message name="In"><part name="parameters" element="t:${element}"/></message>
<message name="Out"><part name="parameters" element="t:${element}Response"/></message>
<portType name="Port"><operation name="${operation}"><documentation>${parts.documentation ?? ""}</documentation>
<input message="t:In"/><output message="t:Out"/></operation></portType>
<binding name="Soap" type="t:Port"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="${operation}"><soap:operation soapAction="${parts.action ?? "urn:battery/Ask"}"/>
<input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
<service name="${service}"><port name="Soap" binding="t:Soap"><soap:address location="${parts.location ?? "http://battery.example/ask"}"/></port></service>
</definitions>
`;
}
