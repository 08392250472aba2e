import { findAttribute, getTextContent, type XmlElement } from "@bothends/xml";
import { wsdlNamespace, xmlNamespace, xsdNamespace } from "../source/xml-names.js";

// Selects the published elements of the source documents: elements in known namespaces, and the definitions of a WSDL
// and its imports.

/**
 * The namespaces whose elements and attributes are published. Clients do not need any other namespace, and some are
 * dangerous: browsers run `script` elements of XHTML.
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
  // wsu:Id, used in references to policies.
  "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
]);

/** Whether an element is in a namespace that is published. */
export function isPublished(element: XmlElement): boolean {
  return namespaces.has(element.namespace);
}

const noContent: readonly never[] = [];

/** Returns the published child elements of an element. */
export function listElements(element: XmlElement): readonly XmlElement[] {
  if (element.children.length === 0 || isDocumentation(element) || isAppInfo(element)) {
    return noContent;
  }
  const elements: XmlElement[] = [];
  for (const child of element.children) {
    if (child.kind === "element" && isPublished(child)) {
      elements.push(child);
    }
  }
  return elements;
}

/**
 * Returns the published text and child elements, without white space between elements. Documentation is reduced to its
 * text.
 */
export function listContent(element: XmlElement): readonly (XmlElement | string)[] {
  if (element.children.length === 0 || isAppInfo(element)) {
    return noContent;
  }
  if (isDocumentation(element)) {
    return [getTextContent(element)];
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

/** Returns the published attributes: those without a namespace, those in a published namespace, and `xml:lang`. */
export function listAttributes(element: XmlElement): XmlElement["attributes"] {
  return element.attributes.every(isPublishedAttribute)
    ? element.attributes
    : element.attributes.filter(isPublishedAttribute);
}

function isPublishedAttribute({ namespace, localName }: XmlElement["attributes"][number]): boolean {
  return namespace === "" || namespaces.has(namespace) || (namespace === xmlNamespace && localName === "lang");
}

function isDocumentation({ namespace, localName }: XmlElement): boolean {
  return localName === "documentation" && namespaces.has(namespace);
}

/** Whether an element is for programs that read the schema (XSD Part 1 §3.13.1). Its content is not published. */
function isAppInfo({ namespace, localName }: XmlElement): boolean {
  return localName === "appinfo" && namespaces.has(namespace);
}

/** Whether an element is the root of a schema. */
export function isSchema(element: XmlElement): boolean {
  return isXsd(element, "schema");
}

export function isXsd(element: XmlElement, local: string): boolean {
  return element.namespace === xsdNamespace && element.localName === local;
}

export function isWsdl(element: XmlElement, local: string): boolean {
  return element.namespace === wsdlNamespace && element.localName === local;
}

/** Loads the document to which an import or include refers; undefined if there is none. */
export type LoadDocument = (reference: XmlElement, document: XmlElement) => XmlElement | undefined;

/**
 * Loads the schema of an imported namespace that no document declares; undefined if every WSDL reader has the schema
 * built in.
 */
export type LoadSchema = (namespace: string) => XmlElement | undefined;

/**
 * The reason why a WSDL cannot be published as one document, with the element that prevents it and the root of that
 * element's document.
 */
export interface CannotPublish {
  readonly element: XmlElement;
  readonly document: XmlElement;
  readonly reason: "redefine" | "import" | "size";
}

/** The definitions of a WSDL and its imports, which become one document. */
export interface DefinitionsSet {
  /** The children of all `wsdl:definitions`, without types and services. */
  readonly children: readonly SourceElement[];
  /** The `wsdl:service` elements that have served ports. */
  readonly services: readonly SourceElement[];
  /** The children of all `wsdl:types`, and the schemas to which a `wsdl:import` refers. */
  readonly types: readonly SourceElement[];
  /** The roots of the imported WSDLs. */
  readonly documents: readonly XmlElement[];
  /**
   * The target namespaces of imported WSDLs, except the main WSDL's target namespace. Definitions in these namespaces
   * move into the main WSDL's target namespace.
   */
  readonly movedNamespaces: ReadonlySet<string>;
  readonly problem: CannotPublish | undefined;
}

/** Whether a server serves a `wsdl:port`. */
export type IsServed = (port: XmlElement, document: XmlElement) => boolean;

/** An element, and the root of its document. */
export interface SourceElement {
  readonly element: XmlElement;
  readonly document: XmlElement;
}

const namedDefinitions: ReadonlySet<string> = new Set(["message", "portType", "binding", "service"]);

/**
 * Gathers the definitions of a WSDL and its imports (WSDL 1.1 §2.1.1), without services that have no served port. The
 * definitions can all move to one namespace if their names remain unique, because the XML sent at run time never
 * contains the names of WSDL messages, port types and bindings.
 */
export function gatherDefinitions(root: XmlElement, load: LoadDocument, isServed: IsServed): DefinitionsSet {
  const children: SourceElement[] = [];
  const types: SourceElement[] = [];
  const documents: XmlElement[] = [];
  const visitedDocuments = new Set<XmlElement>([root]);
  const names = new Map<string, XmlElement>();
  const services: SourceElement[] = [];
  let problem: CannotPublish | undefined;

  const loadReference = (reference: XmlElement, from: XmlElement): void => {
    const document = load(reference, from);
    if (document === undefined || visitedDocuments.has(document)) {
      return;
    }
    visitedDocuments.add(document);
    if (isSchema(document)) {
      types.push({ element: document, document });
    } else if (!isWsdl(document, "definitions")) {
      problem ??= { element: reference, document: from, reason: "import" };
    } else {
      documents.push(document);
      gatherDefinition(document);
    }
  };
  const gatherDefinition = (document: XmlElement): void => {
    for (const element of listElements(document)) {
      if (isWsdl(element, "import")) {
        loadReference(element, document);
      } else if (isWsdl(element, "types")) {
        types.push(...listElements(element).map((child) => ({ element: child, document })));
      } else if (isWsdl(element, "service") ? hasServedPort(element, document) : isKept(element, document)) {
        (isWsdl(element, "service") ? services : children).push({ element, document });
        if (isDuplicate(element, names, document)) {
          problem ??= { element, document, reason: "import" };
        }
      }
    }
  };
  const isKept = (element: XmlElement, document: XmlElement): boolean =>
    document === root || !isWsdl(element, "documentation");
  const hasServedPort = (service: XmlElement, document: XmlElement): boolean =>
    listElements(service).some((child) => isWsdl(child, "port") && isServed(child, document));
  gatherDefinition(root);
  const target = findAttribute(root, "targetNamespace") ?? "";
  const namespaces = documents.map((document) => findAttribute(document, "targetNamespace") ?? "");
  return {
    children,
    services,
    types,
    documents,
    movedNamespaces: new Set(namespaces.filter((namespace) => namespace !== target)),
    problem,
  };
}

/** Whether another document has a definition with the same name. Records the name for later calls. */
function isDuplicate(element: XmlElement, names: Map<string, XmlElement>, document: XmlElement): boolean {
  if (!isWsdl(element, element.localName) || !namedDefinitions.has(element.localName)) {
    return false;
  }
  const key = `${element.localName} ${findAttribute(element, "name") ?? ""}`;
  const firstDocument = names.get(key);
  names.set(key, firstDocument ?? document);
  return firstDocument !== undefined && firstDocument !== document;
}
