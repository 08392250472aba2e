import { findAttribute, type XmlElement } from "@bothends/xml";
import { Budget, type SourceLimits } from "../source/source-limits.js";
import { wsdlNamespace, xsdNamespace } from "../source/xml-names.js";
import { AttributeValues, Prefixes } from "./attribute-values.js";
import { writeRedefinitions } from "./included-components.js";
import {
  createAddressSlot,
  createNamespaceTemplate,
  isElement,
  type PublishedChild,
  type PublishedDefinitions,
  type PublishedElement,
  type SlotSources,
  writeElementAt,
} from "./slots.js";
import {
  type CannotPublish,
  type DefinitionsSet,
  type IsServed,
  isPublished,
  isSchema,
  isWsdl,
  isXsd,
  type LoadDocument,
  type LoadSchema,
  listAttributes,
  listContent,
  listElements,
  type SourceElement,
} from "./source-elements.js";

/**
 * Makes one self-contained document from a WSDL and the documents that it imports or includes. Included components
 * without a namespace get the namespace of the schema that includes them.
 */
export function inlineWsdl(root: XmlElement, load: LoadDocument, inputs: InliningInputs): InlinedWsdl | CannotPublish {
  const { definitionsSet, servedServices } = inputs;
  const inliner = new WsdlInliner(root, load, inputs);
  const services = servedServices.map((service) => inliner.createServiceElements(service));
  const definitions = inliner.definitions(root);
  return definitionsSet.problem ?? inliner.problem ?? { definitions, services };
}

interface InlinedWsdl {
  /** The document without services. */
  readonly definitions: PublishedDefinitions;
  /** For each published service, its `wsdl:service` elements, which contain only the ports of that service. */
  readonly services: readonly (readonly PublishedElement[])[];
}

/** A service for which a document is made. `addresses` maps the address of each port to the port's protocol. */
export interface ServedService {
  readonly isServed: IsServed;
  readonly addresses: SlotSources["addresses"];
}

/** Limits on the size of a published document. */
export type PublishLimits = Pick<SourceLimits, "nodes" | "outputBytes">;

/** The elements that earlier runs converted, each with the settings that the result depends on. */
export type KnownPublished = WeakMap<XmlElement, { readonly settings: string; readonly published: PublishedChild }>;

interface InliningInputs {
  readonly sources: SlotSources;
  readonly servedServices: readonly ServedService[];
  readonly definitionsSet: DefinitionsSet;
  readonly loadSchema: LoadSchema;
  readonly limits: PublishLimits;
  readonly knownPublished: KnownPublished | undefined;
}

/** An import, include or redefine element, and the root of the document that contains it. */
interface Reference {
  readonly element: XmlElement;
  readonly document: XmlElement;
}

/** An imported schema, or the `xs:import` element that refers to one, together with the schema's namespace. */
interface ImportedSchema {
  readonly namespace: string;
  readonly element: PublishedElement;
}

/** How an element changes when it moves to another document. */
interface Move {
  /** Whether the element is a child of `xs:schema`, where declarations are always qualified. */
  readonly isTopLevel: boolean;
  /** The namespace for unprefixed names, if the included schema has no target namespace. */
  readonly chameleon: string | undefined;
  /** The `form` that local elements need if the including schema has a different default. */
  readonly elementForm: string | undefined;
  /** The `form` that local attributes need if the including schema has a different default. */
  readonly attributeForm: string | undefined;
  /** The address of the port that contains the element. */
  readonly portAddress?: string | undefined;
}

const unchangedMove: Move = {
  isTopLevel: false,
  chameleon: undefined,
  elementForm: undefined,
  attributeForm: undefined,
};

class WsdlInliner {
  readonly #prefixes: Prefixes;
  readonly #load: LoadDocument;
  #sources: SlotSources;
  /** The documents that the result already contains, each combined with the namespace for which it was included. */
  readonly #includedDocuments = new Set<string>();
  readonly #documentNumbers = new Map<XmlElement, number>();
  readonly #definitionsSet: DefinitionsSet;
  readonly #loadSchema: LoadSchema;
  readonly #knownPublished: KnownPublished | undefined;
  /** Whether each component becomes text at once. False if includes or redefinitions may change components later. */
  readonly #writesElements: boolean;
  #settings: { readonly move: Move; readonly prefixes: number; readonly text: string } | undefined;
  readonly #nodeBudget: Budget;
  readonly #characterBudget: Budget;
  readonly #nodeCounts = new Map<XmlElement, number>();
  /** The namespaces that schemas import. */
  readonly #importedNamespaces = new Set<string>();
  /** The target namespace, and the namespaces whose definitions move into it. */
  readonly #targets: { readonly target: string; readonly movedNamespaces: ReadonlySet<string> };
  #attributeValues: AttributeValues;
  /** The ports of the current `wsdl:service` that the server does not serve. */
  #unservedPorts: ReadonlySet<XmlElement> = new Set();
  #importedSchemas: ImportedSchema[] = [];
  problem: CannotPublish | undefined;

  constructor(
    root: XmlElement,
    load: LoadDocument,
    { sources, definitionsSet, loadSchema, limits, knownPublished }: InliningInputs,
  ) {
    this.#prefixes = new Prefixes(root);
    this.#load = load;
    this.#sources = sources;
    this.#definitionsSet = definitionsSet;
    this.#loadSchema = loadSchema;
    this.#knownPublished = knownPublished;
    this.#writesElements = !hasIncludes(definitionsSet.types, load);
    this.#nodeBudget = new Budget(limits.nodes);
    this.#characterBudget = new Budget(limits.outputBytes);
    const target = findAttribute(root, "targetNamespace") ?? "";
    this.#targets = { target, movedNamespaces: definitionsSet.movedNamespaces };
    this.#attributeValues = new AttributeValues(this.#prefixes, sources, this.#targets);
    for (const document of definitionsSet.documents) {
      this.#prefixes.addPrefixesOf(document);
    }
  }

  /** Returns the `wsdl:service` elements to publish for a service, without the ports that the server does not serve. */
  createServiceElements({ isServed, addresses }: ServedService): readonly PublishedElement[] {
    const sources = this.#sources;
    this.#useSlots({ ...sources, addresses });
    const serviceElements = this.#definitionsSet.services.flatMap(({ element, document }) => {
      const ports = listElements(element).filter((child) => isWsdl(child, "port"));
      const unservedPorts = ports.filter((port) => !isServed(port, document));
      this.#unservedPorts = new Set(unservedPorts);
      return unservedPorts.length < ports.length ? [this.#convertElement(element, unchangedMove)] : [];
    });
    this.#useSlots(sources);
    return serviceElements;
  }

  #useSlots(sources: SlotSources): void {
    this.#sources = sources;
    this.#settings = undefined;
    this.#attributeValues = new AttributeValues(this.#prefixes, sources, this.#targets);
  }

  definitions(root: XmlElement): PublishedDefinitions {
    const { children: sources, types } = this.#definitionsSet;
    const elements = sources.map(({ element }) => this.#convertComponent(element, { move: unchangedMove, depth: 1 }));
    const firstIndex = sources.findIndex(({ element }) => !isWsdl(element, "documentation"));
    const children =
      types.length === 0 ? elements : elements.toSpliced(Math.max(firstIndex, 0), 0, this.#convertTypes(types));
    const attributes = [
      ...[...this.#prefixes.declarations].map(
        ([namespace, prefix]) => [`xmlns:${prefix}`, createNamespaceTemplate(namespace, this.#sources)] as const,
      ),
      ...this.#convertAttributes(root, unchangedMove),
    ];
    const name = this.#prefixes.qualify(root.namespace, root.localName);
    return { name, namespace: root.namespace, attributes, children };
  }

  #convertTypes(types: readonly SourceElement[]): PublishedElement {
    const schemas = types.map(({ element, document }) =>
      isSchema(element) ? this.#convertSchema(element, document) : this.#convertElement(element, unchangedMove),
    );
    this.#addKnownSchemas(types);
    const children = [...sortByNamespace(this.#importedSchemas).map(({ element }) => element), ...schemas];
    return { name: this.#prefixes.qualify(wsdlNamespace, "types"), attributes: [], children };
  }

  /** Adds the built-in schemas of imported namespaces that no document declares, such as WS-Addressing. */
  #addKnownSchemas(types: readonly SourceElement[]): void {
    const declaredNamespaces = new Set(this.#importedSchemas.map(({ namespace }) => namespace));
    for (const { element } of types) {
      declaredNamespaces.add(findAttribute(element, "targetNamespace") ?? "");
    }
    // `#convertSchema` can add namespaces to this set; the loop visits them too.
    for (const namespace of this.#importedNamespaces) {
      const schema = declaredNamespaces.has(namespace) ? undefined : this.#loadSchema(namespace);
      if (schema === undefined) {
        continue;
      }
      this.#prefixes.addPrefixesOf(schema);
      this.#importedSchemas.push({ namespace, element: this.#convertSchema(schema, schema) });
    }
  }

  /** Converts a schema for the published document. Locations in the schema are relative to `document`. */
  #convertSchema(schema: XmlElement, document: XmlElement): PublishedElement {
    const content = this.#convertComponents({ schema, document }, schema, unchangedMove);
    const imports = new Map(sortByNamespace(content.imports).map(({ namespace, element }) => [namespace, element]));
    return {
      name: this.#prefixes.qualify(schema.namespace, schema.localName),
      attributes: this.#convertAttributes(schema, unchangedMove),
      children: [...imports.values(), ...content.components],
    };
  }

  /** Converts the components of a schema document for the schema that includes them. */
  #convertComponents(
    { schema, document }: { readonly schema: XmlElement; readonly document: XmlElement },
    includingSchema: XmlElement,
    move: Move,
  ): { readonly imports: ImportedSchema[]; readonly components: PublishedChild[] } {
    const imports: ImportedSchema[] = [];
    const components: PublishedChild[] = [];
    const childMove = { ...move, isTopLevel: true };
    for (const child of listElements(schema)) {
      if (isXsd(child, "import")) {
        imports.push(this.#convertImport(child, document));
      } else if (isXsd(child, "include")) {
        const includedElements = this.#convertInclude({ element: child, document }, includingSchema);
        imports.push(...includedElements.imports);
        for (const component of includedElements.components) {
          components.push(component);
        }
      } else if (isXsd(child, "redefine")) {
        const redefinedElements = this.#convertRedefine({ element: child, document }, includingSchema);
        imports.push(...redefinedElements.imports);
        for (const component of redefinedElements.components) {
          components.push(component);
        }
      } else {
        components.push(this.#convertComponent(child, { move: childMove, depth: 3 }));
      }
    }
    return { imports, components };
  }

  #convertInclude(
    reference: Reference,
    includingSchema: XmlElement,
  ): { readonly imports: ImportedSchema[]; readonly components: PublishedElement[] } {
    const namespace = findAttribute(includingSchema, "targetNamespace") ?? "";
    const document = this.#loadOnce(reference, namespace);
    if (document === undefined) {
      return { imports: [], components: [] };
    }

    this.#prefixes.addPrefixesOf(document);
    const target = findAttribute(document, "targetNamespace");
    // A document with another target namespace cannot be included, so it is treated as an imported document.
    if (target !== undefined && target !== namespace) {
      this.#importedSchemas.push({ namespace: target, element: this.#convertSchema(document, document) });
      return { imports: [this.#createImport(target)], components: [] };
    }
    const includedElements = this.#convertComponents({ schema: document, document }, includingSchema, {
      isTopLevel: false,
      chameleon: target === undefined ? namespace : undefined,
      elementForm: findChangedForm(document, includingSchema, "elementFormDefault"),
      attributeForm: findChangedForm(document, includingSchema, "attributeFormDefault"),
    });
    return {
      ...includedElements,
      components: includedElements.components.filter(isElement).map((component) => ({ ...component, included: true })),
    };
  }

  #convertRedefine(
    reference: Reference,
    includingSchema: XmlElement,
  ): { readonly imports: ImportedSchema[]; readonly components: PublishedElement[] } {
    const { imports, components } = this.#convertInclude(reference, includingSchema);
    const redefinitions = listElements(reference.element)
      .filter((child) => !isXsd(child, "annotation"))
      .map((child) => this.#convertElement(child, { ...unchangedMove, isTopLevel: true }));
    const namespace = findAttribute(includingSchema, "targetNamespace") ?? "";
    const redefined = writeRedefinitions(components, redefinitions, (name) => this.#prefixes.qualify(namespace, name));
    if (redefined === undefined) {
      this.problem ??= { element: reference.element, document: reference.document, reason: "redefine" };
    }
    return { imports, components: [...(redefined ?? [])] };
  }

  #convertImport(reference: XmlElement, parent: XmlElement): ImportedSchema {
    const namespace = findAttribute(reference, "namespace") ?? "";
    const document =
      findAttribute(reference, "schemaLocation") === undefined
        ? undefined
        : this.#loadOnce({ element: reference, document: parent }, namespace);
    if (document !== undefined) {
      this.#prefixes.addPrefixesOf(document);
      this.#importedSchemas.push({ namespace, element: this.#convertSchema(document, document) });
    }
    return this.#createImport(namespace);
  }

  #createImport(namespace: string): ImportedSchema {
    this.#importedNamespaces.add(namespace);
    const attributes =
      namespace === "" ? [] : [["namespace", createNamespaceTemplate(namespace, this.#sources)] as const];
    return { namespace, element: { name: this.#prefixes.qualify(xsdNamespace, "import"), attributes, children: [] } };
  }

  /** Loads the document of a reference; undefined if that fails, or if the result already contains the document. */
  #loadOnce(reference: Reference, namespace: string): XmlElement | undefined {
    const document = this.#load(reference.element, reference.document);
    if (document === undefined || !isPublished(document)) {
      return undefined;
    }
    const number = this.#documentNumbers.get(document) ?? this.#documentNumbers.size;
    this.#documentNumbers.set(document, number);
    const key = `${number} ${namespace}`;
    if (this.#includedDocuments.has(key)) {
      return undefined;
    }
    this.#includedDocuments.add(key);
    if (this.#isWithinLimits(document)) {
      return document;
    }
    this.problem ??= { element: reference.element, document: reference.document, reason: "size" };
    return undefined;
  }

  /** Checks the size of the result, which can be huge: a file may be included once for each namespace. */
  #isWithinLimits(document: XmlElement): boolean {
    const nodeCount = this.#nodeCounts.get(document) ?? countNodes(document);
    this.#nodeCounts.set(document, nodeCount);
    const hasNodes = this.#nodeBudget.spend(nodeCount);
    return this.#characterBudget.spend(document.end - document.start) && hasNodes;
  }

  /**
   * Converts a component or a definition, and writes it if that is already possible; or reuses the result of an earlier
   * run. `depth` is the number of elements around the component in the published document.
   */
  #convertComponent(
    element: XmlElement,
    { move, depth }: { readonly move: Move; readonly depth: number },
  ): PublishedChild {
    const convert = (): PublishedChild => {
      const component = this.#convertElement(element, move);
      return this.#writesElements ? writeElementAt(component, depth) : component;
    };
    if (this.#knownPublished === undefined) {
      return convert();
    }
    const settings = this.#formatSettings(move);
    const knownElement = this.#knownPublished.get(element);
    if (knownElement?.settings === settings) {
      return knownElement.published;
    }
    const published = convert();
    // If the conversion added a prefix, the settings have changed, so the result is not stored for later runs.
    if (this.#formatSettings(move) === settings) {
      this.#knownPublished.set(element, { settings, published });
    }
    return published;
  }

  /** Returns, as one string, all settings that affect the conversion of an element. */
  #formatSettings(move: Move): string {
    const prefixes = this.#prefixes.count;
    if (this.#settings?.move !== move || this.#settings.prefixes !== prefixes) {
      const { namespaces, operations, addresses } = this.#sources;
      const { target, movedNamespaces } = this.#targets;
      const names = [...this.#prefixes.declarations];
      const slots = [namespaces, [...operations], [...addresses]];
      const settings = [move, names, slots, target, [...movedNamespaces], this.#writesElements];
      this.#settings = { move, prefixes, text: JSON.stringify(settings) };
    }
    return this.#settings.text;
  }

  #convertElement(element: XmlElement, move: Move): PublishedElement {
    const name = this.#prefixes.qualify(element.namespace, element.localName);
    const attributes = this.#convertAttributes(element, move);
    if (move.portAddress !== undefined && isEndpointAddress(element)) {
      return { name, attributes, children: [], slot: createAddressSlot(move.portAddress, this.#sources, "text") };
    }
    const contentMove = isWsdl(element, "port") ? { ...move, portAddress: findPortAddress(element) } : move;
    return {
      name,
      attributes,
      children: this.#convertChildren(
        element,
        contentMove.isTopLevel ? { ...contentMove, isTopLevel: false } : contentMove,
      ),
    };
  }

  #convertChildren(element: XmlElement, move: Move): readonly PublishedChild[] {
    const children: PublishedChild[] = [];
    const hasOperations = isWsdl(element, "portType") || isWsdl(element, "binding");
    for (const child of listContent(element)) {
      if (typeof child === "string") {
        children.push(child);
      } else if (!this.#unservedPorts.has(child)) {
        children.push(
          hasOperations ? this.#convertComponent(child, { move, depth: 2 }) : this.#convertElement(child, move),
        );
      }
    }
    return children;
  }

  #convertAttributes(element: XmlElement, move: Move): PublishedElement["attributes"][number][] {
    const attributes = listAttributes(element).map((attribute): PublishedElement["attributes"][number] => {
      const name = this.#prefixes.qualify(attribute.namespace, attribute.localName);
      const value = this.#attributeValues.template(element, attribute, move);
      return attribute.namespace === "" ? [name, value] : [name, value, attribute.namespace];
    });
    const form = isXsd(element, "element")
      ? move.elementForm
      : isXsd(element, "attribute")
        ? move.attributeForm
        : undefined;
    if (form === undefined || move.isTopLevel) {
      return attributes;
    }
    const isDeclaration = findAttribute(element, "name") !== undefined && findAttribute(element, "form") === undefined;
    return isDeclaration ? [...attributes, ["form", form]] : attributes;
  }
}

/** Whether a schema includes another one, directly or in a schema that it imports, includes or redefines. */
function hasIncludes(schemas: readonly SourceElement[], load: LoadDocument): boolean {
  const pendingSchemas = [...schemas];
  const knownDocuments = new Set<XmlElement>();
  for (let schema = pendingSchemas.pop(); schema !== undefined; schema = pendingSchemas.pop()) {
    const { element, document } = schema;
    for (const child of listElements(element)) {
      if (isXsd(child, "include") || isXsd(child, "redefine")) {
        return true;
      }
      const importedSchema = isXsd(child, "import") ? load(child, document) : undefined;
      if (importedSchema !== undefined && !knownDocuments.has(importedSchema)) {
        knownDocuments.add(importedSchema);
        pendingSchemas.push({ element: importedSchema, document: importedSchema });
      }
    }
  }
  return false;
}

/** Returns the address that a WSDL declares for a port. */
function findPortAddress(port: XmlElement): string | undefined {
  const address = listElements(port).find(({ localName }) => localName === "address");
  return address && findAttribute(address, "location");
}

/** Whether an element is the address in an endpoint reference (WS-Addressing 1.0 Metadata §4.1). */
function isEndpointAddress({ namespace, localName }: XmlElement): boolean {
  return (
    localName === "Address" && /^http:\/\/(?:www\.w3\.org|schemas\.xmlsoap\.org\/ws)\/.*\/addressing$/.test(namespace)
  );
}

/** Sorts imports by namespace, because their order has no meaning and should not affect the output. */
function sortByNamespace(imported: readonly ImportedSchema[]): readonly ImportedSchema[] {
  return [...imported].sort((a, b) => (a.namespace < b.namespace ? -1 : a.namespace > b.namespace ? 1 : 0));
}

/** Returns the `form` that local declarations need in a schema with a different default. */
function findChangedForm(document: XmlElement, includingSchema: XmlElement, attribute: string): string | undefined {
  const form = findAttribute(document, attribute) ?? "unqualified";
  return form === (findAttribute(includingSchema, attribute) ?? "unqualified") ? undefined : form;
}

function countNodes(document: XmlElement): number {
  let count = 0;
  const pendingElements: XmlElement[] = [document];
  for (let element = pendingElements.pop(); element !== undefined; element = pendingElements.pop()) {
    count += 1 + element.children.length;
    for (const child of element.children) {
      if (child.kind === "element") {
        pendingElements.push(child);
      }
    }
  }
  return count;
}
