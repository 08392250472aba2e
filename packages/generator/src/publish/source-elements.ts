import type { XmlElement } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/namespaces.js";

/**
 * The namespaces whose elements and attributes are published. Browsers run nothing in them, unlike a `script` of XHTML,
 * and clients need no others.
 */
const namespaces: ReadonlySet<string> = new Set([
  wsdlNamespace,
  xsdNamespace,
  // Drafts of XSD, which are read as XSD 1.0.
  "http://www.w3.org/1999/XMLSchema",
  "http://www.w3.org/2000/08/XMLSchema",
  "http://www.w3.org/2000/10/XMLSchema",
  // Bindings to SOAP 1.1, SOAP 1.2, HTTP and MIME.
  "http://schemas.xmlsoap.org/wsdl/soap/",
  "http://schemas.xmlsoap.org/wsdl/soap12/",
  "http://schemas.xmlsoap.org/wsdl/http/",
  "http://schemas.xmlsoap.org/wsdl/mime/",
  // WS-Addressing.
  "http://schemas.xmlsoap.org/ws/2004/08/addressing",
  "http://www.w3.org/2005/08/addressing",
  "http://www.w3.org/2006/02/addressing/wsdl",
  "http://www.w3.org/2006/05/addressing/wsdl",
  "http://www.w3.org/2007/05/addressing/metadata",
  // WS-Policy.
  "http://schemas.xmlsoap.org/ws/2002/12/policy",
  "http://schemas.xmlsoap.org/ws/2004/09/policy",
  "http://www.w3.org/2006/07/ws-policy",
  "http://www.w3.org/ns/ws-policy",
  // WS-SecurityPolicy.
  "http://schemas.xmlsoap.org/ws/2005/07/securitypolicy",
  "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702",
  "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200802",
  // wsu:Id, by which policies are referred to.
  "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
]);

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Whether an element is published. */
export function isPublished(element: XmlElement): boolean {
  return namespaces.has(element.namespace);
}

/** The child elements that are published. */
export function elementsOf(element: XmlElement): XmlElement[] {
  const elements: XmlElement[] = [];
  for (const child of contentOf(element)) {
    if (typeof child !== "string") {
      elements.push(child);
    }
  }
  return elements;
}

/** The text and the child elements that are published, without white space between elements. Documentation is only text. */
export function contentOf(element: XmlElement): readonly (XmlElement | string)[] {
  if (isDocumentation(element)) {
    return element.children.length === 0 ? [] : [textOf(element)];
  }
  const isTextOnly = element.children.every((child) => child.kind === "text");
  const content: (XmlElement | string)[] = [];
  for (const child of element.children) {
    if (child.kind === "text") {
      if (isTextOnly || child.text.trim() !== "") {
        content.push(child.text);
      }
    } else if (isPublished(child)) {
      content.push(child);
    }
  }
  return content;
}

/** The attributes that are published: those without a namespace, those of the namespaces above, and `xml:lang`. */
export function attributesOf(element: XmlElement): XmlElement["attributes"] {
  return element.attributes.filter(
    ({ namespace, localName }) =>
      namespace === "" || namespaces.has(namespace) || (namespace === xmlNamespace && localName === "lang"),
  );
}

function isDocumentation({ namespace, localName }: XmlElement): boolean {
  return localName === "documentation" && namespaces.has(namespace);
}

function textOf(element: XmlElement): string {
  return element.children.map((child) => (child.kind === "text" ? child.text : textOf(child))).join("");
}

/** The value of an attribute in no namespace. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.namespace === "" && attribute.localName === name)?.value;
}

export function isSchema(element: XmlElement): boolean {
  return isXsd(element, "schema");
}

export function isXsd(element: XmlElement, local: string): boolean {
  return element.namespace === xsdNamespace && element.localName === local;
}

export function isWsdl(element: XmlElement, local: string): boolean {
  return element.namespace === wsdlNamespace && element.localName === local;
}
