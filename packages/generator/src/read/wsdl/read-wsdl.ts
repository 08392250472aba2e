import type { XmlElement } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import { KnownParts, type XmlDocument } from "../../source/known-documents.js";
import type { Sources } from "../../source/sources.js";
import { getNameSpan, type SourceText, type Span, type SpannedText } from "../../source/span.js";
import { describeRoot } from "../../source/unexpected-files.js";
import { isXsdNamespace, wsdlNamespace } from "../../source/xml-names.js";
import { readTargetNamespace } from "../target-namespace.js";
import type { SchemaDocuments, SchemaElement } from "../xsd/documents.js";
import { type KnownDeclarations, readSchemas } from "../xsd/read-schemas.js";
import type {
  BindingOperation,
  Definitions,
  Import,
  Message,
  Operation,
  OperationFault,
  OperationMessage,
  Part,
  Port,
  PortType,
  Reference,
  Service,
  TransmissionPrimitive,
  Types,
} from "./documents.js";
import { readAddress, readBinding } from "./read-binding.js";
import { readPolicies } from "./read-policies.js";
import {
  checkChildren,
  listItems,
  readAction,
  readRequiredExtensions,
  readUnlessKnown,
  readUsingAddressing,
  WsdlElement,
} from "./wsdl-element.js";

/** The WSDLs to read. `path` is relative to the root; `span` is the position in bothends.json that names the WSDL. */
interface WsdlPaths {
  readonly wsdl: readonly { readonly path: string; readonly span: Span }[];
}

/** The WSDLs of one interface, with all imported documents. */
export interface WsdlDocuments {
  readonly roots: readonly WsdlRoot[];
  /**
   * The schemas in `wsdl:types` and the schemas imported with `wsdl:import`, with all documents that they include and
   * import.
   */
  readonly schemas: SchemaDocuments;
}

/**
 * A WSDL that the configuration names. `definitions` contains the document of this WSDL, then each document that it
 * imports.
 */
export interface WsdlRoot {
  readonly path: string;
  readonly definitions: readonly [Definitions, ...Definitions[]];
}

/**
 * Caches what earlier runs read from the elements of WSDLs. Each result depends only on its element, so it is reused
 * while that element is unchanged.
 */
export class WsdlReadCache {
  readonly declarations: KnownDeclarations = new KnownParts();
  readonly messages = new KnownParts<Message>();
  readonly operations = new KnownParts<Operation>();
  readonly bindingOperations = new KnownParts<BindingOperation>();
}

/** Reads WSDL 1.1 documents and follows `wsdl:import` (§2.1.1), which may also refer to a schema. */
export function readWsdl(
  paths: WsdlPaths,
  sources: Sources,
  diagnostics: Diagnostics,
  cache?: WsdlReadCache,
): WsdlDocuments {
  const reading = new WsdlReading(sources, diagnostics, cache);
  const roots = paths.wsdl.map(({ path, span }) => reading.readRoot(path, span)).filter((root) => root !== undefined);
  const namespaces = roots.flatMap((root) => root.definitions.flatMap(listPartNamespaces));
  return {
    roots,
    schemas: readSchemas(reading.schemas, { sources, diagnostics, known: cache?.declarations }, { namespaces }),
  };
}

/**
 * Returns the namespaces to which message parts refer. If no document declares a namespace, its built-in schema is
 * added.
 */
function listPartNamespaces({ messages }: Definitions): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap(({ element, type }) => [element?.namespace ?? "", type?.namespace ?? ""]),
  );
}

class WsdlReading {
  readonly #sources: Sources;
  readonly #diagnostics: Diagnostics;
  readonly #definitions = new Map<SourceText, Definitions>();
  readonly #schemas = new Map<XmlElement, SchemaElement>();
  readonly #cache: WsdlReadCache | undefined;

  constructor(sources: Sources, diagnostics: Diagnostics, cache: WsdlReadCache | undefined) {
    this.#sources = sources;
    this.#diagnostics = diagnostics;
    this.#cache = cache;
  }

  get schemas(): readonly SchemaElement[] {
    return [...this.#schemas.values()];
  }

  readRoot(path: string, reference: Span): WsdlRoot | undefined {
    const document = this.#sources.readXml(path, { reference, expected: "a WSDL 1.1 document" });
    if (document === undefined) {
      return undefined;
    }
    if (!isDefinitions(document.root)) {
      this.#reportUnexpectedRoot(document, "a WSDL 1.1 document");
      return undefined;
    }
    const rootDefinitions = this.#readDefinitions(document);
    return { path, definitions: [rootDefinitions, ...this.#listImports(rootDefinitions)] };
  }

  /** Returns all documents that a document imports, directly or indirectly. */
  #listImports(rootDefinitions: Definitions): readonly Definitions[] {
    const visitedDocuments = new Set([rootDefinitions]);
    for (const definitions of visitedDocuments) {
      for (const importElement of definitions.imports) {
        const importedDefinitions = this.#readImported(importElement);
        if (importedDefinitions !== undefined) {
          visitedDocuments.add(importedDefinitions);
        }
      }
    }
    return [...visitedDocuments].slice(1);
  }

  #readImported(importElement: Import): Definitions | undefined {
    const expected = "a WSDL 1.1 document or a schema";
    const document = this.#sources.readLocation(importElement.location.text, {
      reference: importElement.location.span,
      expected,
    });
    if (document === undefined) {
      return undefined;
    }
    const { root, source } = document;
    if (isSchema(root)) {
      this.#schemas.set(root, { source, element: root, inline: false });
    } else if (isDefinitions(root)) {
      return this.#readDefinitions(document);
    } else {
      this.#reportUnexpectedRoot(document, expected);
    }
    return undefined;
  }

  #readDefinitions(document: XmlDocument): Definitions {
    const knownDefinitions = this.#definitions.get(document.source);
    if (knownDefinitions !== undefined) {
      return knownDefinitions;
    }
    const { root, source } = document;
    const diagnostics = this.#diagnostics;
    const { limits } = this.#sources;
    const targetNamespace = readTargetNamespace(
      root.attributes.find(({ localName, namespace }) => localName === "targetNamespace" && namespace === ""),
      { source, diagnostics, limits },
    );
    const element = new WsdlElement(root, { root, source, diagnostics, limits, targetNamespace });
    const definitions = readDefinitions(element, this.#cache);
    this.#definitions.set(document.source, definitions);
    for (const element of definitions.types.flatMap((types) => types.schemas)) {
      this.#schemas.set(element, { source: document.source, element, inline: true });
    }
    return definitions;
  }

  #reportUnexpectedRoot({ root, source }: XmlDocument, expected: string): void {
    const { description, help } = describeRoot(root);
    this.#diagnostics.error("WSDL001", getNameSpan(source, root), {
      message: `Expected ${expected}, but found ${description}.`,
      help,
    });
  }
}

function isDefinitions(root: XmlElement): boolean {
  return root.namespace === wsdlNamespace && root.localName === "definitions";
}

function isSchema(root: XmlElement): boolean {
  return isXsdNamespace(root.namespace) && root.localName === "schema";
}

/** Reads a document whose root is `wsdl:definitions` (WSDL 1.1 §2.1). */
function readDefinitions(root: WsdlElement, cache: WsdlReadCache | undefined): Definitions {
  checkChildren(root, ["import", "types", "message", "portType", "binding", "service"]);
  return {
    span: root.span,
    documentation: root.documentation,
    source: root.source,
    name: root.findAttribute("name"),
    targetNamespace: root.targetNamespace,
    namespaceSpan: root.findAttribute("targetNamespace")?.span ?? root.span,
    imports: readChildren(root, "import", readImport),
    types: readChildren(root, "types", readTypes),
    messages: readChildren(root, "message", (element) => readUnlessKnown(element, readMessage, cache?.messages)),
    portTypes: readChildren(root, "portType", (element) => readPortType(element, cache?.operations)),
    bindings: readChildren(root, "binding", (element) => readBinding(element, cache?.bindingOperations)),
    services: readChildren(root, "service", readService),
  };
}

/** Reads all children with the given name. Omits invalid children, which `read` has reported. */
function readChildren<T>(
  parent: WsdlElement,
  localName: string,
  read: (element: WsdlElement) => T | undefined,
): readonly T[] {
  return parent
    .listChildren(localName)
    .map(read)
    .filter((result) => result !== undefined);
}

function readImport(element: WsdlElement): Import | undefined {
  const location = element.findAttribute("location");
  if (location === undefined) {
    return undefined;
  }
  return {
    span: element.span,
    documentation: element.documentation,
    namespace: element.findAttribute("namespace"),
    location,
  };
}

function readTypes(element: WsdlElement): Types {
  checkChildren(element, []);
  const schemas = element.elements.filter((child) => isXsdNamespace(child.namespace) && child.localName === "schema");
  return { span: element.span, documentation: element.documentation, schemas: schemas.map((schema) => schema.element) };
}

function readMessage(element: WsdlElement): Message | undefined {
  checkChildren(element, ["part"]);
  const name = element.readDefinitionName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      parts: readChildren(element, "part", readPart),
    }
  );
}

function readPart(element: WsdlElement): Part | undefined {
  checkChildren(element, []);
  const name = element.readDefinitionName(element.findAttribute("element") === undefined ? "sent" : "internal");
  if (name === undefined) {
    return undefined;
  }
  const reference = element.findReference("element");
  const type = element.findReference("type");
  const hasReference = element.findAttribute("element") !== undefined || element.findAttribute("type") !== undefined;
  const isUnreadable = hasReference && reference === undefined && type === undefined;
  return { span: element.span, documentation: element.documentation, name, element: reference, type, isUnreadable };
}

function readPortType(element: WsdlElement, knownParts: KnownParts<Operation> | undefined): PortType | undefined {
  checkChildren(element, ["operation"]);
  const name = element.readDefinitionName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      policies: readPolicies(element),
      operations: readChildren(element, "operation", (child) => readUnlessKnown(child, readOperation, knownParts)),
    }
  );
}

function readOperation(element: WsdlElement): Operation | undefined {
  checkChildren(element, ["input", "output", "fault"]);
  const name = element.readDefinitionName("sent");
  const input = readChildren(element, "input", readOperationMessage)[0];
  const output = readChildren(element, "output", readOperationMessage)[0];
  const parameterOrder = element.findAttribute("parameterOrder");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      primitive: getTransmissionPrimitive(element),
      input,
      output,
      faults: readChildren(element, "fault", readOperationFault),
      parameterOrder: parameterOrder && listItems(parameterOrder.text),
    }
  );
}

/**
 * Returns the kind of an operation, which depends on the presence and order of its input and output (WSDL 1.1 §2.4).
 */
function getTransmissionPrimitive(element: WsdlElement): TransmissionPrimitive {
  const input = element.listChildren("input")[0];
  const output = element.listChildren("output")[0];
  if (output === undefined) {
    if (input === undefined) {
      reportNoMessages(element);
    }
    return "one-way";
  }
  if (input === undefined) {
    return "notification";
  }
  return input.element.start < output.element.start ? "request-response" : "solicit-response";
}

function reportNoMessages(element: WsdlElement): void {
  element.diagnostics.unresolved("WSDL025", element.span, {
    message: `<${element.tag}> "${element.findAttribute("name")?.text ?? ""}" has neither input nor output.`,
    fallback: "An empty input is used.",
  });
}

function readOperationMessage(element: WsdlElement): OperationMessage | undefined {
  const message = element.findRequiredReference("message");
  return (
    message && {
      span: element.span,
      documentation: element.documentation,
      name: element.findAttribute("name"),
      message,
      action: readAction(element),
    }
  );
}

function readOperationFault(element: WsdlElement): OperationFault | undefined {
  const message = element.findRequiredReference("message");
  if (message === undefined) {
    return undefined;
  }
  const name = element.findAttribute("name") ?? nameFault(element, message);
  return { span: element.span, documentation: element.documentation, name, message, action: readAction(element) };
}

/**
 * Gives a fault without a name the name of its message. WSDL 1.1 §2.4.2 requires a name for the fault, but the name
 * never appears in messages.
 */
function nameFault(element: WsdlElement, message: Reference): SpannedText {
  element.diagnostics.warning("WSDL009", element.span, {
    message: `<${element.tag}> has no attribute "name". The name of its message, "${message.local}", is used.`,
  });
  return { text: message.local, span: message.span };
}

function readService(element: WsdlElement): Service | undefined {
  checkChildren(element, ["port"]);
  const name = element.readDefinitionName("internal");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      ports: readChildren(element, "port", readPort),
    }
  );
}

function readPort(element: WsdlElement): Port | undefined {
  const requiredExtensions = readRequiredExtensions(element, []);
  const name = element.readDefinitionName("internal");
  const binding = element.findRequiredReference("binding");
  return (
    name &&
    binding && {
      span: element.span,
      documentation: element.documentation,
      name,
      binding,
      address: readAddress(element),
      addressing: readUsingAddressing(element),
      policies: readPolicies(element),
      requiredExtensions,
    }
  );
}
