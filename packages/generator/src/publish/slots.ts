import { escapeAttribute, escapeText, findAttribute, type XmlElement } from "@bothends/xml";
import type { Protocol } from "../model/soap.js";
import { wsdlNamespace, xsdNamespace } from "../source/xml-names.js";

/**
 * The documents of the services in one WSDL. Each document is the text that all services share, followed by the text of
 * its service.
 */
export interface PublishedWsdl {
  /** The beginning of all documents. */
  readonly sharedPieces: readonly Piece[];
  /** The end of each document, in the order of the services. */
  readonly services: readonly (readonly Piece[])[];
}

/** The published document of one service: `sharedPieces` followed by `specificPieces`. */
export interface ServiceDocument {
  /** The beginning of the document. All services of a WSDL share this list. */
  readonly sharedPieces: readonly Piece[];
  /** The end of the document. */
  readonly specificPieces: readonly Piece[];
}

/** Literal text, or a slot that the runtime fills and escapes for each request. */
export type Piece = string | Slot;

/** A gap in the published WSDL, which the runtime fills for each request. */
export interface Slot {
  /**
   * The value that the runtime writes: the address of the request, or the current name of a namespace or an operation.
   */
  readonly slot: "address" | "namespace" | "operation";
  /**
   * For a namespace, the slot's name in `bothends.json`; for an operation, its name in the WSDL; absent for an address.
   */
  readonly name?: string;
  /** The protocol of the port whose address is written; absent if all ports have the same address. */
  readonly port?: Protocol;
  /** The separator to write after a namespace that does not already end with a separator: `/`, `#` or `:`. */
  readonly separator?: string;
  readonly escape: "text" | "attribute";
}

/** The value of an attribute: a string, or pieces if it contains slots. */
export type Template = string | readonly Piece[];

/** An element of the published document, with its final prefix. */
export interface PublishedElement {
  readonly name: string;
  /** The attributes. An attribute with a prefix also has its namespace, which is needed to write the root. */
  readonly attributes: readonly (readonly [name: string, value: Template, namespace?: string])[];
  readonly children: readonly PublishedChild[];
  /** A slot that is written in place of the element's content. */
  readonly slot?: Slot;
  /**
   * Whether the element is a component of an included schema. Such an element is omitted if the document does not need
   * it.
   */
  readonly included?: boolean;
  readonly written?: undefined;
}

/** An element that is written as soon as it is converted, so that its attributes and children do not stay in memory. */
export interface WrittenElement {
  /** The text of the element, without the line break after it. */
  readonly written: readonly Piece[];
}

/** A child of a published element; a string is text. */
export type PublishedChild = PublishedElement | WrittenElement | string;

/** Whether a child is an element that has not been written yet. */
export function isElement(child: PublishedChild): child is PublishedElement {
  return typeof child !== "string" && child.written === undefined;
}

/** The root of the published document, `wsdl:definitions`. */
export interface PublishedDefinitions extends PublishedElement {
  readonly namespace: string;
}

/** The values that can change at run time, and for which a document has slots. */
export interface SlotSources {
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /**
   * The names that begin with the name of an operation that may be renamed: `CheckX`, `CheckXResponse`, `CheckXSoapIn`.
   */
  readonly operations: ReadonlyMap<string, { readonly operation: string; readonly remainder: string }>;
  /** The protocol of the port at each address; empty if all ports have the same address. */
  readonly addresses: ReadonlyMap<string, Protocol>;
}

/** Makes the slot for the address of a port, in an attribute or in text. */
export function createAddressSlot(address: string, sources: SlotSources, escapeKind: Slot["escape"]): Slot {
  const port = sources.addresses.get(address.trim());
  return { slot: "address", ...(port === undefined ? {} : { port }), escape: escapeKind };
}

/**
 * Makes the value of an attribute that contains a namespace. It contains a slot if the namespace may change at run
 * time.
 */
export function createNamespaceTemplate(namespace: string, sources: SlotSources): Template {
  const namespaceSlot = sources.namespaces.find((slot) => slot.namespace === namespace);
  return namespaceSlot === undefined
    ? namespace
    : [{ slot: "namespace", name: namespaceSlot.slot, escape: "attribute" }];
}

/**
 * Makes the value of an attribute that contains a name. It contains a slot if the name begins with the name of an
 * operation that may be renamed.
 */
export function createNameTemplate(name: string, sources: SlotSources): Template {
  if (sources.operations.size === 0) {
    return name;
  }
  const colon = name.indexOf(":") + 1;
  const derivedName = sources.operations.get(name.slice(colon));
  if (derivedName === undefined) {
    return name;
  }
  return withoutEmpty([
    name.slice(0, colon),
    { slot: "operation", name: derivedName.operation, escape: "attribute" },
    derivedName.remainder,
  ]);
}

/**
 * Makes the value of a soapAction or a location, which may begin with a namespace and end with an operation's name. The
 * separator between them is part of the namespace's slot, because a namespace may end with it or not, both in the
 * source and at run time.
 */
export function createActionTemplate(action: string, sources: SlotSources): Template {
  const namespaceSlot = sources.namespaces
    .filter((slot) => action.startsWith(slot.namespace))
    .sort((a, b) => b.namespace.length - a.namespace.length)[0];
  const { separator, remaining } = splitSeparator(namespaceSlot?.namespace ?? "", action);
  const nameStart = remaining.lastIndexOf("/") + 1;
  const operationName = createNameTemplate(remaining.slice(nameStart), sources);
  const start: Piece[] =
    namespaceSlot === undefined
      ? []
      : [
          {
            slot: "namespace",
            name: namespaceSlot.slot,
            ...(separator === undefined ? {} : { separator }),
            escape: "attribute",
          },
        ];
  return namespaceSlot === undefined && typeof operationName === "string"
    ? action
    : withoutEmpty([...start, remaining.slice(0, nameStart), ...listPieces(operationName)]);
}

/** Splits the text after the namespace of an action into the separator and the remaining text. */
function splitSeparator(
  namespace: string,
  action: string,
): { readonly separator: string | undefined; readonly remaining: string } {
  const remainingText = action.slice(namespace.length);
  if (namespace === "" || remainingText === "") {
    return { separator: undefined, remaining: remainingText };
  }
  const [leading] = /^[/#:]/.exec(remainingText) ?? [];
  const [trailing] = /[/#:]$/.exec(namespace) ?? [];
  if (trailing !== undefined) {
    return { separator: trailing, remaining: remainingText };
  }
  return { separator: leading, remaining: leading === undefined ? remainingText : remainingText.slice(1) };
}

/** Returns the pieces of a template in order. */
export function listPieces(template: Template): readonly Piece[] {
  return typeof template === "string" ? [template] : template;
}

function withoutEmpty(pieces: readonly Piece[]): Template {
  return pieces.filter((piece) => piece !== "");
}

/**
 * Finds the names that are derived from an operation's name: the names of its messages, of the elements in these
 * messages, and of elements inside those. `CheckXLater` also begins with `CheckX`, but may be another operation, so it
 * is not derived.
 */
export function listDerivedNames(
  documents: readonly XmlElement[],
  operations: readonly string[],
): SlotSources["operations"] {
  const derivations = new Map<string, { readonly operation: string; readonly remainder: string }>();
  if (operations.length === 0) {
    return derivations;
  }

  const declaredNames = collectNames(documents);
  for (const operation of operations) {
    const names = new Set([operation]);
    for (const message of declaredNames.messagesByOperation.get(operation) ?? []) {
      names.add(message);
    }
    for (const message of [...names]) {
      for (const element of declaredNames.elementsByMessage.get(message) ?? []) {
        names.add(element);
      }
    }
    for (const element of [...names]) {
      for (const child of declaredNames.childrenByElement.get(element) ?? []) {
        names.add(child);
      }
    }
    for (const name of names) {
      if (name.startsWith(operation)) {
        derivations.set(name, { operation, remainder: name.slice(operation.length) });
      }
    }
  }
  return derivations;
}

interface DeclaredNames {
  /** The messages of each operation. */
  readonly messagesByOperation: Map<string, string[]>;
  /** The elements to which the parts of each message refer. */
  readonly elementsByMessage: Map<string, string[]>;
  /** The elements that are declared inside each global element. */
  readonly childrenByElement: Map<string, string[]>;
}

function collectNames(documents: readonly XmlElement[]): DeclaredNames {
  const declaredNames: DeclaredNames = {
    messagesByOperation: new Map(),
    elementsByMessage: new Map(),
    childrenByElement: new Map(),
  };
  const pendingElements: { readonly element: XmlElement; readonly owner: string }[] = documents.map((element) => ({
    element,
    owner: "",
  }));
  for (
    let pendingElement = pendingElements.pop();
    pendingElement !== undefined;
    pendingElement = pendingElements.pop()
  ) {
    const { element, owner } = pendingElement;
    const name = findAttribute(element, "name");
    if (element.namespace === wsdlNamespace) {
      addName(declaredNames.messagesByOperation, owner, findLocalPart(findAttribute(element, "message")));
      if (element.localName === "part") {
        addName(declaredNames.elementsByMessage, owner, findLocalPart(findAttribute(element, "element")));
      }
    } else if (element.namespace === xsdNamespace && element.localName === "element") {
      addName(declaredNames.childrenByElement, owner, name);
    }
    const childOwner = owner === "" || element.namespace === wsdlNamespace ? (name ?? owner) : owner;
    for (const child of element.children) {
      if (child.kind === "element") {
        pendingElements.push({ element: child, owner: isContainer(element) ? "" : childOwner });
      }
    }
  }
  return declaredNames;
}

/**
 * Whether an element only groups definitions, as `wsdl:types` does, so that its name has no effect on the names inside
 * it.
 */
function isContainer(element: XmlElement): boolean {
  return (
    (element.namespace === xsdNamespace && element.localName === "schema") ||
    (element.namespace === wsdlNamespace &&
      ["definitions", "types", "portType", "binding", "service"].includes(element.localName))
  );
}

function addName(namesByOwner: Map<string, string[]>, owner: string, name: string | undefined): void {
  if (owner === "" || name === undefined) {
    return;
  }
  const list = namesByOwner.get(owner);
  if (list === undefined) {
    namesByOwner.set(owner, [name]);
  } else {
    list.push(name);
  }
}

function findLocalPart(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf(":") + 1);
}

// Writes published elements as text with slots.

/** Writes elements, each on a separate line. */
export function writeElements(elements: readonly PublishedChild[], depth: number): readonly Piece[] {
  const writer = new PieceWriter();
  for (const element of elements) {
    writer.writeText(getIndentation(depth));
    writeChild(element, depth, writer);
    writer.endLine();
  }
  writer.endPiece();
  return writer.pieces;
}

/** Writes an element as a child at the given depth, without a line break after it. */
export function writeElementAt(element: PublishedElement, depth: number): WrittenElement {
  const writer = new PieceWriter();
  writeElement(element, depth, writer);
  writer.endPiece();
  return { written: writer.pieces };
}

/** Once a piece has this many parts, it ends at the next line break. */
const partsOfPiece = 1000;

/**
 * Collects text in pieces that end at line breaks and slots. Each piece is joined from an array of parts, because a
 * string that is built with repeated `+` keeps all its parts in memory.
 */
class PieceWriter {
  readonly pieces: Piece[] = [];
  readonly #parts: string[] = [];

  writeText(text: string): void {
    this.#parts.push(text);
  }

  writeSlot(slot: Slot): void {
    this.endPiece();
    this.pieces.push(slot);
  }

  endLine(): void {
    this.#parts.push("\n");
    if (this.#parts.length >= partsOfPiece) {
      this.endPiece();
    }
  }

  endPiece(): void {
    if (this.#parts.length > 0) {
      this.pieces.push(this.#parts.join(""));
      this.#parts.length = 0;
    }
  }
}

function writeChild(child: PublishedChild, depth: number, writer: PieceWriter): void {
  if (typeof child === "string") {
    writer.writeText(escapeText(child));
  } else if (child.written !== undefined) {
    for (const piece of child.written) {
      if (typeof piece === "string") {
        writer.writeText(piece);
      } else {
        writer.writeSlot(piece);
      }
    }
  } else {
    writeElement(child, depth, writer);
  }
}

function writeElement(element: PublishedElement, depth: number, writer: PieceWriter): void {
  const { name, attributes, children, slot } = element;
  writer.writeText(`<${name}`);
  for (const attribute of attributes) {
    if (attribute[2] === undefined) {
      writeAttribute(attribute, writer);
    }
  }
  for (const attribute of attributes) {
    if (attribute[2] !== undefined) {
      writeAttribute(attribute, writer);
    }
  }
  if (slot === undefined && children.length === 0) {
    writer.writeText(" />");
    return;
  }
  writer.writeText(">");
  if (slot === undefined) {
    writeContent(children, depth, writer);
  } else {
    writer.writeSlot(slot);
  }
  writer.writeText(`</${name}>`);
}

function writeAttribute([name, value]: PublishedElement["attributes"][number], writer: PieceWriter): void {
  if (typeof value === "string") {
    writer.writeText(` ${name}="${escapeAttribute(value)}"`);
    return;
  }
  writer.writeText(` ${name}="`);
  for (const piece of value) {
    if (typeof piece === "string") {
      writer.writeText(escapeAttribute(piece));
    } else {
      writer.writeSlot(piece);
    }
  }
  writer.writeText('"');
}

/**
 * Writes the children of an element on separate lines. If there is text among them, all stay on one line, because added
 * white space would become content.
 */
function writeContent(children: PublishedElement["children"], depth: number, writer: PieceWriter): void {
  const isMixed = children.some((child) => typeof child === "string");
  for (const child of children) {
    if (!isMixed) {
      writer.endLine();
      writer.writeText(getIndentation(depth + 1));
    }
    writeChild(child, depth + 1, writer);
  }
  if (!isMixed) {
    writer.endLine();
    writer.writeText(getIndentation(depth));
  }
}

function getIndentation(depth: number): string {
  return "  ".repeat(depth);
}
