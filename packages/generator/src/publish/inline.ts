import type { XmlElement } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/names.js";
import { Budget, type SourceLimits } from "../source/source-limits.js";
import { Prefixes, Values } from "./attribute-values.js";
import { writeRedefinitions } from "./included-components.js";
import {
  addressSlot,
  namespaceTemplate,
  type PublishedDefinitions,
  type PublishedElement,
  type SlotSources,
} from "./slots.js";
import {
  attributeOf,
  attributesOf,
  type CannotPublish,
  contentOf,
  type DefinitionsSet,
  elementsOf,
  type IsServed,
  isPublished,
  isSchema,
  isWsdl,
  isXsd,
  type LoadDocument,
  type SchemaOf,
  type SourceElement,
} from "./source-elements.js";

/**
 * Creates one self-contained document from a WSDL and everything that it imports or includes: schemas move into `wsdl:types`,
 * included components into the including schema, and names without a namespace into its namespace.
 */
export function inlineWsdl(root: XmlElement, load: LoadDocument, parts: InliningParts): InlinedWsdl | CannotPublish {
  const { gathered, served } = parts;
  const writing = new Inlining(root, load, parts);
  const services = served.map((service) => writing.services(service));
  const definitions = writing.definitions(root);
  return gathered.problem ?? writing.problem ?? { definitions, services };
}

interface InlinedWsdl {
  /** The document without services. */
  readonly definitions: PublishedDefinitions;
  /** The `wsdl:service` elements of each published service, reduced to its ports. */
  readonly services: readonly (readonly PublishedElement[])[];
}

/** A service that gets a document: its ports, and, if there are several addresses, the port at each address. */
export interface ServedService {
  readonly isServed: IsServed;
  readonly addresses: SlotSources["addresses"];
}

/** Limits on the size of a published document. */
export type PublishLimits = Pick<SourceLimits, "nodes" | "outputBytes">;

interface InliningParts {
  readonly sources: SlotSources;
  readonly served: readonly ServedService[];
  readonly gathered: DefinitionsSet;
  readonly schemaOf: SchemaOf;
  readonly limits: PublishLimits;
}

/** An import or include, and the root of its document. */
interface Reference {
  readonly reference: XmlElement;
  readonly document: XmlElement;
}

/** An imported schema, or the `xs:import` for it, with its namespace. */
interface Imported {
  readonly namespace: string;
  readonly element: PublishedElement;
}

/** The changes to an element: the namespace of its unprefixed names, the form of its local declarations, and its addresses. */
interface Move {
  /** Whether it is a child of `xs:schema`, where declarations are always qualified. */
  readonly top: boolean;
  readonly chameleon: string | undefined;
  readonly elementForm: string | undefined;
  readonly attributeForm: string | undefined;
  /** The address of the port that contains it. */
  readonly portAddress?: string | undefined;
}

const unmoved: Move = { top: false, chameleon: undefined, elementForm: undefined, attributeForm: undefined };

class Inlining {
  readonly #prefixes: Prefixes;
  readonly #load: LoadDocument;
  #sources: SlotSources;
  /** Documents that are already included, once for each namespace. */
  readonly #seen = new Set<string>();
  readonly #documents = new Map<XmlElement, number>();
  readonly #gathered: DefinitionsSet;
  readonly #schemaOf: SchemaOf;
  readonly #nodes: Budget;
  readonly #characters: Budget;
  readonly #nodeCounts = new Map<XmlElement, number>();
  /** The namespaces of imports. */
  readonly #named = new Set<string>();
  /** The target namespace, and the namespaces whose definitions move into it. */
  readonly #into: { readonly target: string; readonly moved: ReadonlySet<string> };
  #values: Values;
  /** Ports that the current service does not serve. */
  #unserved: ReadonlySet<XmlElement> = new Set();
  #imported: Imported[] = [];
  problem: CannotPublish | undefined;

  constructor(root: XmlElement, load: LoadDocument, { sources, gathered, schemaOf, limits }: InliningParts) {
    this.#prefixes = new Prefixes(root);
    this.#load = load;
    this.#sources = sources;
    this.#gathered = gathered;
    this.#schemaOf = schemaOf;
    this.#nodes = new Budget(limits.nodes);
    this.#characters = new Budget(limits.outputBytes);
    const target = attributeOf(root, "targetNamespace") ?? "";
    this.#into = { target, moved: gathered.moved };
    this.#values = new Values(this.#prefixes, sources, this.#into);
    for (const document of gathered.documents) {
      this.#prefixes.adopt(document);
    }
  }

  /** The `wsdl:service` elements of one service. */
  services({ isServed, addresses }: ServedService): readonly PublishedElement[] {
    const sources = this.#sources;
    this.#use({ ...sources, addresses });
    const written = this.#gathered.services.flatMap(({ element, document }) => {
      const ports = elementsOf(element).filter((child) => isWsdl(child, "port"));
      const unserved = ports.filter((port) => !isServed(port, document));
      this.#unserved = new Set(unserved);
      return unserved.length < ports.length ? [this.#element(element, unmoved)] : [];
    });
    this.#use(sources);
    return written;
  }

  #use(sources: SlotSources): void {
    this.#sources = sources;
    this.#values = new Values(this.#prefixes, sources, this.#into);
  }

  definitions(root: XmlElement): PublishedDefinitions {
    const { children: placed, types } = this.#gathered;
    const written = placed.map(({ element }) => this.#element(element, unmoved));
    const first = placed.findIndex(({ element }) => !isWsdl(element, "documentation"));
    const children = types.length === 0 ? written : written.toSpliced(Math.max(first, 0), 0, this.#types(types));
    const attributes = [
      ...[...this.#prefixes.declarations].map(
        ([namespace, prefix]) => [`xmlns:${prefix}`, namespaceTemplate(namespace, this.#sources)] as const,
      ),
      ...this.#attributes(root, unmoved),
    ];
    const name = this.#prefixes.name(root.namespace, root.localName);
    return { name, namespace: root.namespace, attributes, children };
  }

  #types(types: readonly SourceElement[]): PublishedElement {
    const schemas = types.map(({ element, document }) =>
      isSchema(element) ? this.#schema(element, document) : this.#element(element, unmoved),
    );
    this.#addKnownSchemas(types);
    const children = [...inOrder(this.#imported).map(({ element }) => element), ...schemas];
    return { name: this.#prefixes.name(wsdlNamespace, "types"), attributes: [], children };
  }

  /** Adds imported schemas that no document declares. */
  #addKnownSchemas(types: readonly SourceElement[]): void {
    const declared = new Set(this.#imported.map(({ namespace }) => namespace));
    for (const { element } of types) {
      declared.add(attributeOf(element, "targetNamespace") ?? "");
    }
    // The added schemas may import others.
    for (const namespace of this.#named) {
      const schema = declared.has(namespace) ? undefined : this.#schemaOf(namespace);
      if (schema === undefined) {
        continue;
      }
      this.#prefixes.adopt(schema);
      this.#imported.push({ namespace, element: this.#schema(schema, schema) });
    }
  }

  /** A schema; its locations are relative to the document. */
  #schema(schema: XmlElement, document: XmlElement): PublishedElement {
    const content = this.#components({ schema, document }, schema, unmoved);
    const imports = new Map(inOrder(content.imports).map(({ namespace, element }) => [namespace, element]));
    return {
      name: this.#prefixes.name(schema.namespace, schema.localName),
      attributes: this.#attributes(schema, unmoved),
      children: [...imports.values(), ...content.components],
    };
  }

  /** The components of a schema document, adapted to the schema that includes them. */
  #components(
    { schema, document }: { readonly schema: XmlElement; readonly document: XmlElement },
    into: XmlElement,
    move: Move,
  ): { readonly imports: Imported[]; readonly components: PublishedElement[] } {
    const imports: Imported[] = [];
    const components: PublishedElement[] = [];
    const topMove = { ...move, top: true };
    for (const child of elementsOf(schema)) {
      if (isXsd(child, "import")) {
        imports.push(this.#import(child, document));
      } else if (isXsd(child, "include")) {
        const included = this.#include({ reference: child, document }, into);
        imports.push(...included.imports);
        for (const component of included.components) {
          components.push(component);
        }
      } else if (isXsd(child, "redefine")) {
        const redefined = this.#redefine({ reference: child, document }, into);
        imports.push(...redefined.imports);
        for (const component of redefined.components) {
          components.push(component);
        }
      } else {
        components.push(this.#element(child, topMove));
      }
    }
    return { imports, components };
  }

  #include(
    from: Reference,
    into: XmlElement,
  ): { readonly imports: Imported[]; readonly components: PublishedElement[] } {
    const namespace = attributeOf(into, "targetNamespace") ?? "";
    const document = this.#first(from, namespace);
    if (document === undefined) {
      return { imports: [], components: [] };
    }

    this.#prefixes.adopt(document);
    const target = attributeOf(document, "targetNamespace");
    // A document with another namespace cannot be included: it is treated as imported.
    if (target !== undefined && target !== namespace) {
      this.#imported.push({ namespace: target, element: this.#schema(document, document) });
      return { imports: [this.#importOf(target)], components: [] };
    }
    const taken = this.#components({ schema: document, document }, into, {
      top: false,
      chameleon: target === undefined ? namespace : undefined,
      elementForm: formThatChanges(document, into, "elementFormDefault"),
      attributeForm: formThatChanges(document, into, "attributeFormDefault"),
    });
    return { ...taken, components: taken.components.map((component) => ({ ...component, included: true })) };
  }

  #redefine(
    from: Reference,
    into: XmlElement,
  ): { readonly imports: Imported[]; readonly components: PublishedElement[] } {
    const { imports, components } = this.#include(from, into);
    const redefinitions = elementsOf(from.reference)
      .filter((child) => !isXsd(child, "annotation"))
      .map((child) => this.#element(child, { ...unmoved, top: true }));
    const namespace = attributeOf(into, "targetNamespace") ?? "";
    const written = writeRedefinitions(components, redefinitions, (name) => this.#prefixes.name(namespace, name));
    if (written === undefined) {
      this.problem ??= { element: from.reference, document: from.document, because: "redefine" };
    }
    return { imports, components: [...(written ?? [])] };
  }

  #import(reference: XmlElement, from: XmlElement): Imported {
    const namespace = attributeOf(reference, "namespace") ?? "";
    const document =
      attributeOf(reference, "schemaLocation") === undefined
        ? undefined
        : this.#first({ reference, document: from }, namespace);
    if (document !== undefined) {
      this.#prefixes.adopt(document);
      this.#imported.push({ namespace, element: this.#schema(document, document) });
    }
    return this.#importOf(namespace);
  }

  #importOf(namespace: string): Imported {
    this.#named.add(namespace);
    const attributes = namespace === "" ? [] : [["namespace", namespaceTemplate(namespace, this.#sources)] as const];
    return { namespace, element: { name: this.#prefixes.name(xsdNamespace, "import"), attributes, children: [] } };
  }

  /** The document that a reference loads, unless it is already in that namespace. */
  #first(from: Reference, namespace: string): XmlElement | undefined {
    const document = this.#load(from.reference, from.document);
    if (document === undefined || !isPublished(document)) {
      return undefined;
    }
    const number = this.#documents.get(document) ?? this.#documents.size;
    this.#documents.set(document, number);
    const key = `${number} ${namespace}`;
    if (this.#seen.has(key)) {
      return undefined;
    }
    this.#seen.add(key);
    if (this.#fits(document)) {
      return document;
    }
    this.problem ??= { element: from.reference, document: from.document, because: "size" };
    return undefined;
  }

  /** A file may be included once for each namespace, so small files could make a document too large for memory. */
  #fits(document: XmlElement): boolean {
    const nodes = this.#nodeCounts.get(document) ?? countNodes(document);
    this.#nodeCounts.set(document, nodes);
    const hasNodes = this.#nodes.spend(nodes);
    return this.#characters.spend(document.end - document.start) && hasNodes;
  }

  #element(element: XmlElement, move: Move): PublishedElement {
    const name = this.#prefixes.name(element.namespace, element.localName);
    const attributes = this.#attributes(element, move);
    if (move.portAddress !== undefined && isEndpointAddress(element)) {
      return { name, attributes, children: [], slot: addressSlot(move.portAddress, this.#sources, "text") };
    }
    const inner = isWsdl(element, "port") ? { ...move, portAddress: portAddress(element) } : move;
    return { name, attributes, children: this.#children(element, inner.top ? { ...inner, top: false } : inner) };
  }

  #children(element: XmlElement, move: Move): readonly (PublishedElement | string)[] {
    const children: (PublishedElement | string)[] = [];
    for (const child of contentOf(element)) {
      if (typeof child === "string") {
        children.push(child);
      } else if (!this.#unserved.has(child)) {
        children.push(this.#element(child, move));
      }
    }
    return children;
  }

  #attributes(element: XmlElement, move: Move): PublishedElement["attributes"][number][] {
    const attributes = attributesOf(element).map((attribute): PublishedElement["attributes"][number] => {
      const name = this.#prefixes.name(attribute.namespace, attribute.localName);
      const value = this.#values.template(element, attribute, move);
      return attribute.namespace === "" ? [name, value] : [name, value, attribute.namespace];
    });
    const form = isXsd(element, "element")
      ? move.elementForm
      : isXsd(element, "attribute")
        ? move.attributeForm
        : undefined;
    if (form === undefined || move.top) {
      return attributes;
    }
    const declared = attributeOf(element, "name") !== undefined && attributeOf(element, "form") === undefined;
    return declared ? [...attributes, ["form", form]] : attributes;
  }
}

/** A port's address in the WSDL. */
function portAddress(port: XmlElement): string | undefined {
  const address = elementsOf(port).find(({ localName }) => localName === "address");
  return address && attributeOf(address, "location");
}

/** Whether the element is the address of an endpoint reference (WS-Addressing 1.0 Metadata §4.1). */
function isEndpointAddress({ namespace, localName }: XmlElement): boolean {
  return (
    localName === "Address" && /^http:\/\/(?:www\.w3\.org|schemas\.xmlsoap\.org\/ws)\/.*\/addressing$/.test(namespace)
  );
}

/** Sorts by namespace, because the order of imports has no meaning. */
function inOrder(imported: readonly Imported[]): readonly Imported[] {
  return [...imported].sort((a, b) => (a.namespace < b.namespace ? -1 : a.namespace > b.namespace ? 1 : 0));
}

/** The form that local declarations need in another schema; undefined if the default is the same. */
function formThatChanges(document: XmlElement, into: XmlElement, attribute: string): string | undefined {
  const form = attributeOf(document, attribute) ?? "unqualified";
  return form === (attributeOf(into, attribute) ?? "unqualified") ? undefined : form;
}

function countNodes(document: XmlElement): number {
  let count = 0;
  const open: XmlElement[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1 + next.children.length;
    for (const child of next.children) {
      if (child.kind === "element") {
        open.push(child);
      }
    }
  }
  return count;
}
