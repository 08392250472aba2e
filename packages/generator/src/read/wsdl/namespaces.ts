export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const soap11Namespace = "http://schemas.xmlsoap.org/wsdl/soap/";
export const soap12Namespace = "http://schemas.xmlsoap.org/wsdl/soap12/";
export const httpNamespace = "http://schemas.xmlsoap.org/wsdl/http/";
export const mimeNamespace = "http://schemas.xmlsoap.org/wsdl/mime/";

/** Extensions that say nothing about the messages themselves: policies, addressing, hints to other tools. */
const ignorable: ReadonlyMap<string, string> = new Map([
  ["http://schemas.xmlsoap.org/ws/2002/12/policy", "WS-Policy"],
  ["http://schemas.xmlsoap.org/ws/2004/09/policy", "WS-Policy"],
  ["http://www.w3.org/2006/07/ws-policy", "WS-Policy"],
  ["http://www.w3.org/ns/ws-policy", "WS-Policy"],
  ["http://www.w3.org/2006/02/addressing/wsdl", "WS-Addressing"],
  ["http://www.w3.org/2006/05/addressing/wsdl", "WS-Addressing"],
  ["http://www.w3.org/2007/05/addressing/metadata", "WS-Addressing"],
  ["http://schemas.xmlsoap.org/ws/2004/08/addressing", "WS-Addressing"],
  ["http://www.w3.org/2005/08/addressing", "WS-Addressing"],
  // An optimisation that a peer may do without (MTOM Policy Assertion §2), as this runtime does.
  ["http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization", "MTOM"],
  ["http://www.w3.org/2007/08/soap12-mtom-policy", "MTOM"],
  ["http://java.sun.com/xml/ns/jaxws", "JAX-WS customization"],
  ["http://schemas.xmlsoap.org/ws/2003/05/partner-link/", "BPEL partner links"],
  ["http://docs.oasis-open.org/wsbpel/2.0/plnktype", "BPEL partner links"],
  ["http://docs.oasis-open.org/wsbpel/2.0/varprop", "BPEL properties"],
  ["http://schemas.microsoft.com/soap-toolkit/wsdl-extension", "SOAP Toolkit"],
  ["http://schemas.microsoft.com/ws/2005/12/wsdl/contract", "WCF"],
  ["http://microsoft.com/wsdl/mime/textMatching/", "text matching"],
]);

/** What a namespace of extensions is called, where it is known to say nothing about the messages. */
export function ignorableExtension(namespace: string): string | undefined {
  return ignorable.get(namespace);
}
