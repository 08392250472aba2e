export { instanceNamespace, schemaNamespace } from "../codec/names.js";

/** The two envelopes of SOAP: their namespaces and media types. */
export type SoapVersion = "soap11" | "soap12";

export const envelopeNamespace: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
};

export const soapMediaType: Readonly<Record<SoapVersion, string>> = {
  soap11: "text/xml",
  soap12: "application/soap+xml",
};

/** What every XML document we write begins with. */
export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

/** The version whose envelope is in this namespace. */
export function versionOf(namespace: string): SoapVersion | undefined {
  if (namespace === envelopeNamespace.soap11) return "soap11";
  return namespace === envelopeNamespace.soap12 ? "soap12" : undefined;
}
