import type { XmlElement } from "@bothends/xml";
import { attributeOf, elementsOf, isSchema, isWsdl } from "./source-elements.js";

/** Loads the document that an import or include refers to; undefined where there is none. */
export type LoadDocument = (reference: XmlElement, document: XmlElement) => XmlElement | undefined;

/** Loads the schema of an imported namespace that no document declares; undefined where every reader has it. */
export type SchemaOf = (namespace: string) => XmlElement | undefined;

/** Why a WSDL cannot be published as one document, with the element that is the reason and the root of its document. */
export interface CannotPublish {
  readonly element: XmlElement;
  readonly document: XmlElement;
  readonly because: "redefine" | "import" | "size";
}

/** A WSDL and those that it imports, as the parts of one document. */
export interface DefinitionsSet {
  /** The children of all `wsdl:definitions`, without types and services. */
  readonly children: readonly Placed[];
  /** Services with ports that are served. */
  readonly services: readonly Placed[];
  /** The children of all `wsdl:types`, and schemas that a `wsdl:import` refers to. */
  readonly types: readonly Placed[];
  /** The imported documents. */
  readonly documents: readonly XmlElement[];
  /** Their target namespaces, except the first document's: their definitions move into that one. */
  readonly moved: ReadonlySet<string>;
  readonly problem: CannotPublish | undefined;
}

/** Whether a server serves a `wsdl:port`. */
export type IsServed = (port: XmlElement, document: XmlElement) => boolean;

/** An element, and the root of its document. */
export interface Placed {
  readonly element: XmlElement;
  readonly document: XmlElement;
}

const named: ReadonlySet<string> = new Set(["message", "portType", "binding", "service"]);

/**
 * Gathers a WSDL and its imports (WSDL 1.1 §2.1.1). Names of messages, port types and bindings are never sent, so that
 * they may move to another namespace as long as they remain different. Services without served ports are left out.
 */
export function gatherDefinitions(root: XmlElement, load: LoadDocument, isServed: IsServed): DefinitionsSet {
  const children: Placed[] = [];
  const types: Placed[] = [];
  const documents: XmlElement[] = [];
  const seen = new Set<XmlElement>([root]);
  const names = new Map<string, XmlElement>();
  const services: Placed[] = [];
  let problem: CannotPublish | undefined;

  const follow = (reference: XmlElement, from: XmlElement): void => {
    const document = load(reference, from);
    if (document === undefined || seen.has(document)) {
      return;
    }
    seen.add(document);
    if (isSchema(document)) {
      types.push({ element: document, document });
    } else if (!isWsdl(document, "definitions")) {
      problem ??= { element: reference, document: from, because: "import" };
    } else {
      documents.push(document);
      gather(document);
    }
  };
  const gather = (document: XmlElement): void => {
    for (const element of elementsOf(document)) {
      if (isWsdl(element, "import")) {
        follow(element, document);
      } else if (isWsdl(element, "types")) {
        types.push(...elementsOf(element).map((child) => ({ element: child, document })));
      } else if (isWsdl(element, "service") ? hasServedPort(element, document) : isPlaced(element, document)) {
        (isWsdl(element, "service") ? services : children).push({ element, document });
        if (isDuplicate(element, names, document)) {
          problem ??= { element, document, because: "import" };
        }
      }
    }
  };
  const isPlaced = (element: XmlElement, document: XmlElement): boolean =>
    document === root || !isWsdl(element, "documentation");
  const hasServedPort = (service: XmlElement, document: XmlElement): boolean =>
    elementsOf(service).some((child) => isWsdl(child, "port") && isServed(child, document));
  gather(root);
  const target = attributeOf(root, "targetNamespace") ?? "";
  const namespaces = documents.map((document) => attributeOf(document, "targetNamespace") ?? "");
  return {
    children,
    services,
    types,
    documents,
    moved: new Set(namespaces.filter((namespace) => namespace !== target)),
    problem,
  };
}

/** Adds the name of a definition; whether a definition of another document has it already. */
function isDuplicate(element: XmlElement, names: Map<string, XmlElement>, document: XmlElement): boolean {
  if (!isWsdl(element, element.localName) || !named.has(element.localName)) {
    return false;
  }
  const key = `${element.localName} ${attributeOf(element, "name") ?? ""}`;
  const before = names.get(key);
  names.set(key, before ?? document);
  return before !== undefined && before !== document;
}
