export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const xsdNamespace = "http://www.w3.org/2001/XMLSchema";
