import type { XmlElement } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/namespaces.js";

export function isSchema(element: XmlElement): boolean {
  return isXsd(element, "schema");
}

export function isXsd(element: XmlElement, local: string): boolean {
  return element.namespace === xsdNamespace && element.localName === local;
}

export function isWsdl(element: XmlElement, local: string): boolean {
  return element.namespace === wsdlNamespace && element.localName === local;
}
