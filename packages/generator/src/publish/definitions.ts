import type { XmlElement } from "@bothends/xml";
import { attributeOf, elementsOf, isSchema, isWsdl } from "./source-elements.js";

/** Gives the document that an import or include in another document names; undefined where there is none to bring in. */
export type LoadDocument = (reference: XmlElement, document: XmlElement) => XmlElement | undefined;

/** Gives the schema of a namespace that is imported, and that no document has; undefined where every reader has it. */
export type SchemaOf = (namespace: string) => XmlElement | undefined;

/** Why a document cannot be published as one; the element is the place, in the document with this root. */
export interface CannotPublish {
  readonly element: XmlElement;
  readonly document: XmlElement;
  readonly because: "redefine" | "import" | "size";
}

/** A WSDL and those that it imports, as they come together in one. */
export interface DefinitionsSet {
  /** What stands below `wsdl:definitions`, types apart, with the document it is from. */
  readonly children: readonly Placed[];
  /** The children of every `wsdl:types`, and schemas that a `wsdl:import` names. */
  readonly types: readonly Placed[];
  /** The documents that were brought in. */
  readonly documents: readonly XmlElement[];
  /** Their target namespaces, other than the first document's: what is defined there moves into that one. */
  readonly moved: ReadonlySet<string>;
  /** Ports of other services, which stay out. */
  readonly dropped: ReadonlySet<XmlElement>;
  readonly problem: CannotPublish | undefined;
}

/** Whether a `wsdl:port` is one of those that are served where the document is. */
export type IsServed = (port: XmlElement, document: XmlElement) => boolean;

export interface Placed {
  readonly element: XmlElement;
  readonly document: XmlElement;
}

const named: ReadonlySet<string> = new Set(["message", "portType", "binding", "service"]);

/**
 * Brings a WSDL and its imports together (WSDL 1.1 §2.1.1). Names of messages, port types and bindings never reach the
 * wire, so that they may change their namespace, as long as they stay apart. Only ports that are served stay.
 */
export function gatherDefinitions(root: XmlElement, load: LoadDocument, isServed: IsServed): DefinitionsSet {
  const children: Placed[] = [];
  const types: Placed[] = [];
  const documents: XmlElement[] = [];
  const seen = new Set<XmlElement>([root]);
  const names = new Map<string, XmlElement>();
  const dropped = new Set<XmlElement>();
  let problem: CannotPublish | undefined;

  const follow = (reference: XmlElement, from: XmlElement): void => {
    const document = load(reference, from);
    if (document === undefined || seen.has(document)) return;
    seen.add(document);
    if (isSchema(document)) types.push({ element: document, document });
    else if (!isWsdl(document, "definitions")) problem ??= { element: reference, document: from, because: "import" };
    else {
      documents.push(document);
      gather(document);
    }
  };
  const gather = (document: XmlElement): void => {
    for (const element of elementsOf(document)) {
      if (isWsdl(element, "import")) follow(element, document);
      else if (isWsdl(element, "types"))
        types.push(...elementsOf(element).map((each) => ({ element: each, document })));
      else if (isWsdl(element, "service") && !keepsPorts(element, document)) continue;
      else if (document === root || !isWsdl(element, "documentation")) {
        children.push({ element, document });
        if (takes(element, names, document)) problem ??= { element, document, because: "import" };
      }
    }
  };
  const keepsPorts = (service: XmlElement, document: XmlElement): boolean => {
    const ports = elementsOf(service).filter((child) => isWsdl(child, "port"));
    const others = ports.filter((port) => !isServed(port, document));
    for (const port of others) dropped.add(port);
    return others.length < ports.length;
  };
  gather(root);
  const target = attributeOf(root, "targetNamespace") ?? "";
  const namespaces = documents.map((document) => attributeOf(document, "targetNamespace") ?? "");
  return { children, types, documents, moved: new Set(namespaces.filter((each) => each !== target)), dropped, problem };
}

/** Whether a definition of another document has the name already. */
function takes(element: XmlElement, names: Map<string, XmlElement>, document: XmlElement): boolean {
  if (!isWsdl(element, element.localName) || !named.has(element.localName)) return false;
  const key = `${element.localName} ${attributeOf(element, "name") ?? ""}`;
  const before = names.get(key);
  names.set(key, before ?? document);
  return before !== undefined && before !== document;
}
