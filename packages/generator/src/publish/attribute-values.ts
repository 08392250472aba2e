import type { XmlElement, XmlTreeAttribute } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/xml-names.js";
import {
  createActionTemplate,
  createAddressSlot,
  createNamespaceTemplate,
  createNameTemplate,
  listPieces,
  type SlotSources,
  type Template,
} from "./slots.js";
import { listElements } from "./source-elements.js";

/**
 * Converts attribute values for the published document: names get the document's prefixes, and names that can change at
 * run time become slots, which the runtime fills.
 */
export class AttributeValues {
  readonly #prefixes: Prefixes;
  readonly #sources: SlotSources;
  readonly #target: string;
  readonly #movedNamespaces: ReadonlySet<string>;

  /** `namespaces`: the target namespace of the document, and the namespaces whose definitions move into it. */
  constructor(
    prefixes: Prefixes,
    sources: SlotSources,
    namespaces: { readonly target: string; readonly movedNamespaces: ReadonlySet<string> },
  ) {
    this.#prefixes = prefixes;
    this.#sources = sources;
    this.#target = namespaces.target;
    this.#movedNamespaces = namespaces.movedNamespaces;
  }

  /**
   * Converts the value of an attribute for the published document. Unprefixed names get the namespace `chameleon` if
   * the schema has no target namespace.
   */
  template(
    element: XmlElement,
    { localName: attribute, value }: XmlTreeAttribute,
    { chameleon }: { readonly chameleon: string | undefined },
  ): Template {
    if (attribute === "location" && /Address$|^address$/.test(element.localName)) {
      return [createAddressSlot(value, this.#sources, "attribute")];
    }
    if (attribute === "targetNamespace" || attribute === "namespace") {
      return createNamespaceTemplate(value, this.#sources);
    }
    if (attribute === "soapAction" || attribute === "location") {
      return createActionTemplate(value, this.#sources);
    }
    if (attribute === "name") {
      return createNameTemplate(value, this.#sources);
    }
    if (attribute === "arrayType") {
      return this.#convertQname(element, value, chameleon);
    }
    if (isXpathAttribute(element.namespace, attribute)) {
      return value.replace(/[\w.-]+(?=:[\w*])/g, (prefix) =>
        this.#prefixes.qualify(element.resolve(prefix) ?? "", "").slice(0, -1),
      );
    }
    if (!isQnameAttribute(element.namespace, attribute)) {
      return value;
    }
    const definition = isDefinitionName(element, attribute);
    const template = (name: string): Template =>
      createNameTemplate(
        definition ? this.#convertDefinitionName(element, name) : this.#convertQname(element, name, chameleon),
        this.#sources,
      );
    if (/^\S+$/.test(value)) {
      return template(value);
    }
    const names = value.split(/\s+/).filter((name) => name !== "");
    return names.flatMap((name, index) => [...(index === 0 ? [] : [" "]), ...listPieces(template(name))]);
  }

  /**
   * Converts a reference to a message, a port type or a binding to a name with a prefix of the published document. The
   * definition may be in an imported document.
   */
  #convertDefinitionName(element: XmlElement, name: string): string {
    const colon = name.indexOf(":");
    const namespace = element.resolve(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    // An unprefixed name is in the default namespace. If that is the WSDL namespace, or if there is none, no definition
    // can have the name, so the target namespace is meant.
    const isLocal = colon < 0 && (namespace === "" || namespace === wsdlNamespace);
    return isLocal || this.#movedNamespaces.has(namespace)
      ? this.#prefixes.qualify(this.#target, name.slice(colon + 1))
      : this.#convertQname(element, name, undefined);
  }

  #convertQname(element: XmlElement, name: string, chameleon: string | undefined): string {
    const colon = name.indexOf(":");
    const resolvedNamespace = element.resolve(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    const namespace = colon < 0 && resolvedNamespace === wsdlNamespace ? this.#target : resolvedNamespace;
    const local = name.slice(colon + 1);
    return this.#prefixes.qualify(namespace === "" && chameleon !== undefined ? chameleon : namespace, local);
  }
}

/**
 * The prefixes of a published document. The root element declares them all, so that elements of other documents can
 * move into it.
 */
export class Prefixes {
  readonly #prefixesByNamespace = new Map<string, string>();
  readonly #usedPrefixes = new Set<string>(["xml", "xmlns"]);
  /** The number to append to a prefix when another namespace prefers the same prefix: `2` makes `tns2`. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(root: XmlElement) {
    for (const [prefix, namespace] of root.declarations) {
      this.#takePrefix(prefix, namespace);
    }
    this.#addPrefixesOfDescendants(root);
  }

  get count(): number {
    return this.#prefixesByNamespace.size;
  }

  /** The namespaces with their prefixes, in the order of their first occurrence. */
  get declarations(): Iterable<readonly [namespace: string, prefix: string]> {
    return this.#prefixesByNamespace;
  }

  /** Adds the prefixes that another document declares. */
  addPrefixesOf(root: XmlElement): void {
    for (const [prefix, namespace] of root.declarations) {
      this.#takePrefix(prefix, namespace);
    }
    this.#addPrefixesOfDescendants(root);
  }

  /** Writes a name with the prefix of its namespace: `s:element`. A name in no namespace has no prefix. */
  qualify(namespace: string, local: string): string {
    if (namespace === "") {
      return local;
    }
    if (namespace === "http://www.w3.org/XML/1998/namespace") {
      return `xml:${local}`;
    }
    return `${this.#prefixesByNamespace.get(namespace) ?? this.#takePrefix("ns", namespace)}:${local}`;
  }

  #addPrefixesOfDescendants(root: XmlElement): void {
    const pendingElements: XmlElement[] = [root];
    for (let element = pendingElements.pop(); element !== undefined; element = pendingElements.pop()) {
      if (element !== root && element.declarations.size > 0) {
        for (const [prefix, namespace] of element.declarations) {
          this.#takePrefix(prefix, namespace);
        }
      }
      if (!this.#prefixesByNamespace.has(element.namespace)) {
        this.#takePrefix(element.prefix, element.namespace);
      }
      for (const child of listElements(element)) {
        pendingElements.push(child);
      }
    }
  }

  #takePrefix(preferredPrefix: string, namespace: string): string {
    const existingPrefix = this.#prefixesByNamespace.get(namespace);
    if (existingPrefix !== undefined || namespace === "" || namespace === "http://www.w3.org/XML/1998/namespace") {
      return existingPrefix ?? "";
    }

    const base = preferredPrefix === "" ? (defaultPrefixes.get(namespace) ?? "ns") : preferredPrefix;
    let prefix = base;
    let count = this.#nextNumbers.get(base) ?? 2;
    for (; this.#usedPrefixes.has(prefix); count += 1) {
      prefix = `${base}${count}`;
    }
    this.#nextNumbers.set(base, count);
    this.#usedPrefixes.add(prefix);
    this.#prefixesByNamespace.set(namespace, prefix);
    return prefix;
  }
}

const defaultPrefixes: ReadonlyMap<string, string> = new Map([
  ["http://schemas.xmlsoap.org/wsdl/", "wsdl"],
  ["http://www.w3.org/2001/XMLSchema", "xs"],
]);

/** Attributes of XSD elements whose values are QNames. */
const schemaAttributes: ReadonlySet<string> = new Set([
  "type",
  "ref",
  "base",
  "itemType",
  "memberTypes",
  "refer",
  "substitutionGroup",
]);
/** Attributes of WSDL elements whose values are QNames. */
const wsdlAttributes: ReadonlySet<string> = new Set(["message", "element", "type", "binding"]);

/** Whether the value of an attribute is a QName, or a list of QNames. */
export function isQnameAttribute(elementNamespace: string, attribute: string): boolean {
  return (elementNamespace === xsdNamespace ? schemaAttributes : wsdlAttributes).has(attribute);
}

/** Whether the value of an attribute is the name of a message, a port type or a binding. */
export function isDefinitionName({ namespace, localName }: XmlElement, attribute: string): boolean {
  if (namespace === xsdNamespace) {
    return false;
  }
  return attribute === "message" || attribute === "binding" || (attribute === "type" && localName === "binding");
}

/**
 * Whether the value of an attribute is the XPath of an identity constraint. Such an XPath can contain prefixes (XSD 1.0
 * Part 1 §3.11.6).
 */
export function isXpathAttribute(elementNamespace: string, attribute: string): boolean {
  return elementNamespace === xsdNamespace && attribute === "xpath";
}
