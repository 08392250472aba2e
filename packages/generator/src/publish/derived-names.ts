import type { XmlElement } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/namespaces.js";
import { attributeOf } from "./attribute.js";
import type { SlotFacts } from "./slots.js";

/**
 * The names that follow an operation's: those of its messages, of their elements, and of the elements inside, as far as
 * they begin with it. `CheckX` alone would also begin `CheckXLater`, so only names that the operation refers to count.
 */
export function derivedNames(documents: readonly XmlElement[], operations: readonly string[]): SlotFacts["operations"] {
  const derived = new Map<string, { readonly operation: string; readonly rest: string }>();
  if (operations.length === 0) return derived;

  const declared = collect(documents);
  for (const operation of operations) {
    const names = new Set([operation]);
    for (const message of declared.messagesOf.get(operation) ?? []) names.add(message);
    for (const message of [...names]) for (const element of declared.elementsOf.get(message) ?? []) names.add(element);
    for (const element of [...names]) for (const child of declared.childrenOf.get(element) ?? []) names.add(child);
    for (const name of names) {
      if (name.startsWith(operation)) derived.set(name, { operation, rest: name.slice(operation.length) });
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
      if (element.localName === "part") add(declared.elementsOf, owner, localPart(attributeOf(element, "element")));
    } else if (element.namespace === xsdNamespace && element.localName === "element") {
      add(declared.childrenOf, owner, name);
    }
    const below = owner === "" || element.namespace === wsdlNamespace ? (name ?? owner) : owner;
    for (const child of element.children)
      if (child.kind === "element") open.push({ element: child, owner: isFrame(element) ? "" : below });
  }
  return declared;
}

/** Elements whose name is not an owner's: what stands in them starts afresh. */
function isFrame(element: XmlElement): boolean {
  return (
    (element.namespace === xsdNamespace && element.localName === "schema") ||
    (element.namespace === wsdlNamespace &&
      ["definitions", "types", "portType", "binding", "service"].includes(element.localName))
  );
}

function add(map: Map<string, string[]>, owner: string, name: string | undefined): void {
  if (owner === "" || name === undefined) return;
  const list = map.get(owner);
  if (list === undefined) map.set(owner, [name]);
  else list.push(name);
}

function localPart(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf(":") + 1);
}
