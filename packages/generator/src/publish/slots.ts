import type { XmlElement } from "@bothends/xml";
import type { Protocol } from "../model/soap.js";
import { wsdlNamespace, xsdNamespace } from "../source/names.js";
import { attributeOf } from "./source-elements.js";

/** The documents of one WSDL's services. Each consists of the shared text followed by its own text. */
export interface PublishedWsdl {
  readonly shared: readonly Piece[];
  /** One list for each service. */
  readonly services: readonly (readonly Piece[])[];
}

/** The document of one service. */
export interface ServiceDocument {
  /** The same list for all services of a WSDL. */
  readonly shared: readonly Piece[];
  readonly specific: readonly Piece[];
}

/** Literal text, or a slot that the runtime fills and escapes for each request. */
export type Piece = string | Slot;

export interface Slot {
  /** `address`: the address of the request; `namespace` and `operation`: a real name, by its slot in `bothends.json`. */
  readonly slot: "address" | "namespace" | "operation";
  /** The namespace slot or the operation; absent for an address. */
  readonly name?: string;
  /** The port of an address; absent if all ports have the same address. */
  readonly port?: Protocol;
  /** The separator after a namespace that does not end with one: `/`, `#` or `:`. */
  readonly separator?: string;
  readonly escape: "text" | "attribute";
}

/** The value of an attribute before it is written. Most have no slots. */
export type Template = string | readonly Piece[];

/** An element of the document, with its final prefix. */
export interface PublishedElement {
  readonly name: string;
  /** Prefixed attributes also contain their namespace, for the writer. */
  readonly attributes: readonly (readonly [name: string, value: Template, namespace?: string])[];
  readonly children: readonly (PublishedElement | string)[];
  /** Replaces the content. */
  readonly slot?: Slot;
  /** Whether it is an included component, which is left out if it is not needed. */
  readonly included?: boolean;
}

/** The root of the document. */
export interface PublishedDefinitions extends PublishedElement {
  readonly namespace: string;
}

/** The texts in a document that may change at run time. */
export interface SlotSources {
  readonly namespaces: readonly { readonly slot: string; readonly namespace: string }[];
  /** Names that contain the name of a renamable operation: `CheckX`, `CheckXResponse`, `CheckXSoapIn`. */
  readonly operations: ReadonlyMap<string, { readonly operation: string; readonly rest: string }>;
  /** The port at each address; empty if all ports have the same address. */
  readonly addresses: ReadonlyMap<string, Protocol>;
}

/** The slot for the address of a port, in an attribute or in text. */
export function addressSlot(address: string, sources: SlotSources, within: Slot["escape"]): Slot {
  const port = sources.addresses.get(address.trim());
  return { slot: "address", ...(port === undefined ? {} : { port }), escape: within };
}

/** An attribute whose value is a namespace. */
export function namespaceTemplate(namespace: string, sources: SlotSources): Template {
  const found = sources.namespaces.find((slot) => slot.namespace === namespace);
  return found === undefined ? namespace : [{ slot: "namespace", name: found.slot, escape: "attribute" }];
}

/** A name, possibly prefixed, whose local part may belong to a renamed operation. */
export function nameTemplate(name: string, sources: SlotSources): Template {
  const colon = name.indexOf(":") + 1;
  const derived = sources.operations.get(name.slice(colon));
  if (derived === undefined) {
    return name;
  }
  return withoutEmpty([
    name.slice(0, colon),
    { slot: "operation", name: derived.operation, escape: "attribute" },
    derived.rest,
  ]);
}

/**
 * A soapAction or a location, which may begin with a namespace and end with an operation's name. By convention, a separator is
 * between them. It can be part of the namespace, so the replacement namespace may or may not end with it.
 */
export function actionTemplate(action: string, sources: SlotSources): Template {
  const head = sources.namespaces
    .filter((slot) => action.startsWith(slot.namespace))
    .sort((a, b) => b.namespace.length - a.namespace.length)[0];
  const { separator, rest } = splitSeparator(head?.namespace ?? "", action);
  const slash = rest.lastIndexOf("/") + 1;
  const tail = nameTemplate(rest.slice(slash), sources);
  const front: Piece[] =
    head === undefined
      ? []
      : [
          {
            slot: "namespace",
            name: head.slot,
            ...(separator === undefined ? {} : { separator }),
            escape: "attribute",
          },
        ];
  return head === undefined && typeof tail === "string"
    ? action
    : withoutEmpty([...front, rest.slice(0, slash), ...piecesOf(tail)]);
}

/** The separator after a namespace in an action, and the rest without the separator. */
function splitSeparator(
  namespace: string,
  action: string,
): { readonly separator: string | undefined; readonly rest: string } {
  const rest = action.slice(namespace.length);
  if (namespace === "" || rest === "") {
    return { separator: undefined, rest };
  }
  const [first] = /^[/#:]/.exec(rest) ?? [];
  const [last] = /[/#:]$/.exec(namespace) ?? [];
  if (last !== undefined) {
    return { separator: last, rest };
  }
  return { separator: first, rest: first === undefined ? rest : rest.slice(1) };
}

export function piecesOf(template: Template): readonly Piece[] {
  return typeof template === "string" ? [template] : template;
}

function withoutEmpty(pieces: readonly Piece[]): Template {
  return pieces.filter((piece) => piece !== "");
}

/**
 * The names derived from an operation's name: those of its messages, their elements, and nested elements that begin with its
 * name. Only names that the operation refers to count, because `CheckXLater` also begins with `CheckX`.
 */
export function derivedNames(
  documents: readonly XmlElement[],
  operations: readonly string[],
): SlotSources["operations"] {
  const derived = new Map<string, { readonly operation: string; readonly rest: string }>();
  if (operations.length === 0) {
    return derived;
  }

  const declared = collect(documents);
  for (const operation of operations) {
    const names = new Set([operation]);
    for (const message of declared.messagesOf.get(operation) ?? []) {
      names.add(message);
    }
    for (const message of [...names]) {
      for (const element of declared.elementsOf.get(message) ?? []) {
        names.add(element);
      }
    }
    for (const element of [...names]) {
      for (const child of declared.childrenOf.get(element) ?? []) {
        names.add(child);
      }
    }
    for (const name of names) {
      if (name.startsWith(operation)) {
        derived.set(name, { operation, rest: name.slice(operation.length) });
      }
    }
  }
  return derived;
}

interface Declared {
  /** Operation -> names of its messages. */
  readonly messagesOf: Map<string, string[]>;
  /** Message -> local names of its parts' elements. */
  readonly elementsOf: Map<string, string[]>;
  /** Global element -> names of the elements declared inside it. */
  readonly childrenOf: Map<string, string[]>;
}

function collect(documents: readonly XmlElement[]): Declared {
  const declared: Declared = { messagesOf: new Map(), elementsOf: new Map(), childrenOf: new Map() };
  const open: { readonly element: XmlElement; readonly owner: string }[] = documents.map((element) => ({
    element,
    owner: "",
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, owner } = next;
    const name = attributeOf(element, "name");
    if (element.namespace === wsdlNamespace) {
      add(declared.messagesOf, owner, localPart(attributeOf(element, "message")));
      if (element.localName === "part") {
        add(declared.elementsOf, owner, localPart(attributeOf(element, "element")));
      }
    } else if (element.namespace === xsdNamespace && element.localName === "element") {
      add(declared.childrenOf, owner, name);
    }
    const below = owner === "" || element.namespace === wsdlNamespace ? (name ?? owner) : owner;
    for (const child of element.children) {
      if (child.kind === "element") {
        open.push({ element: child, owner: isFrame(element) ? "" : below });
      }
    }
  }
  return declared;
}

/** Whether an element is only a container, whose name does not apply to its content. */
function isFrame(element: XmlElement): boolean {
  return (
    (element.namespace === xsdNamespace && element.localName === "schema") ||
    (element.namespace === wsdlNamespace &&
      ["definitions", "types", "portType", "binding", "service"].includes(element.localName))
  );
}

function add(map: Map<string, string[]>, owner: string, name: string | undefined): void {
  if (owner === "" || name === undefined) {
    return;
  }
  const list = map.get(owner);
  if (list === undefined) {
    map.set(owner, [name]);
  } else {
    list.push(name);
  }
}

function localPart(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf(":") + 1);
}
