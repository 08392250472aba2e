export const xsdNamespace = "http://www.w3.org/2001/XMLSchema";
export const xsiNamespace = "http://www.w3.org/2001/XMLSchema-instance";
export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Namespaces of working drafts, which the examples of WSDL 1.1 use. They are read as XSD 1.0. */
const drafts: ReadonlySet<string> = new Set([
  "http://www.w3.org/1999/XMLSchema",
  "http://www.w3.org/2000/08/XMLSchema",
  "http://www.w3.org/2000/10/XMLSchema",
]);

/** Whether this is the namespace of XSD or of one of its working drafts. */
export function isXsdNamespace(namespace: string): boolean {
  return namespace === xsdNamespace || drafts.has(namespace);
}

export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const soap11Namespace = "http://schemas.xmlsoap.org/wsdl/soap/";
export const soap12Namespace = "http://schemas.xmlsoap.org/wsdl/soap12/";
export const httpNamespace = "http://schemas.xmlsoap.org/wsdl/http/";
export const mimeNamespace = "http://schemas.xmlsoap.org/wsdl/mime/";
