import type { XmlElement, XmlTreeAttribute } from "@bothends/xml";
import { wsdlNamespace, xsdNamespace } from "../source/names.js";
import {
  actionTemplate,
  addressSlot,
  namespaceTemplate,
  nameTemplate,
  piecesOf,
  type SlotSources,
  type Template,
} from "./slots.js";
import { elementsOf } from "./source-elements.js";

/** The values of attributes in the published document, with the document's prefixes, and with slots for configurable names. */
export class Values {
  readonly #prefixes: Prefixes;
  readonly #sources: SlotSources;
  readonly #target: string;
  readonly #moved: ReadonlySet<string>;

  /** Definitions in the moved namespaces now belong to the target namespace. */
  constructor(
    prefixes: Prefixes,
    sources: SlotSources,
    into: { readonly target: string; readonly moved: ReadonlySet<string> },
  ) {
    this.#prefixes = prefixes;
    this.#sources = sources;
    this.#target = into.target;
    this.#moved = into.moved;
  }

  /** An attribute of an element; unprefixed names of a chameleon are in `chameleon`. */
  template(
    element: XmlElement,
    { localName: attribute, value }: XmlTreeAttribute,
    { chameleon }: { readonly chameleon: string | undefined },
  ): Template {
    if (attribute === "location" && /Address$|^address$/.test(element.localName)) {
      return [addressSlot(value, this.#sources, "attribute")];
    }
    if (attribute === "targetNamespace" || attribute === "namespace") {
      return namespaceTemplate(value, this.#sources);
    }
    if (attribute === "soapAction" || attribute === "location") {
      return actionTemplate(value, this.#sources);
    }
    if (attribute === "name") {
      return nameTemplate(value, this.#sources);
    }
    if (attribute === "arrayType") {
      return this.#qname(element, value, chameleon);
    }
    if (holdsPath(element.namespace, attribute)) {
      return value.replace(/[\w.-]+(?=:[\w*])/g, (prefix) =>
        this.#prefixes.name(element.resolve(prefix) ?? "", "").slice(0, -1),
      );
    }
    if (!holdsNames(element.namespace, attribute)) {
      return value;
    }
    const definition = namesDefinition(element, attribute);
    const template = (name: string): Template =>
      nameTemplate(definition ? this.#definition(element, name) : this.#qname(element, name, chameleon), this.#sources);
    if (/^\S+$/.test(value)) {
      return template(value);
    }
    const names = value.split(/\s+/).filter((name) => name !== "");
    return names.flatMap((name, index) => [...(index === 0 ? [] : [" "]), ...piecesOf(template(name))]);
  }

  /** The name of a message, a port type or a binding, possibly from an imported document. */
  #definition(element: XmlElement, name: string): string {
    const colon = name.indexOf(":");
    const namespace = element.resolve(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    // WSDL's own namespace contains no definitions, and neither does the empty one: such a name is in the target namespace.
    const isLocal = colon < 0 && (namespace === "" || namespace === wsdlNamespace);
    return isLocal || this.#moved.has(namespace)
      ? this.#prefixes.name(this.#target, name.slice(colon + 1))
      : this.#qname(element, name, undefined);
  }

  #qname(element: XmlElement, name: string, chameleon: string | undefined): string {
    const colon = name.indexOf(":");
    const resolved = element.resolve(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    const namespace = colon < 0 && resolved === wsdlNamespace ? this.#target : resolved;
    const local = name.slice(colon + 1);
    return this.#prefixes.name(namespace === "" && chameleon !== undefined ? chameleon : namespace, local);
  }
}

/** The prefixes of a published document. All are declared on the root, so that elements can move between documents. */
export class Prefixes {
  readonly #byNamespace = new Map<string, string>();
  readonly #taken = new Set<string>(["xml", "xmlns"]);
  /** The next number for a prefix that many documents use, such as `tns`. */
  readonly #next = new Map<string, number>();

  constructor(root: XmlElement) {
    for (const [prefix, namespace] of root.declarations) {
      this.#claim(prefix, namespace);
    }
    this.#adoptBelow(root);
  }

  /** All declarations, in order of occurrence. */
  get declarations(): Iterable<readonly [namespace: string, prefix: string]> {
    return this.#byNamespace;
  }

  /** Adds the prefixes that another document declares. */
  adopt(root: XmlElement): void {
    for (const [prefix, namespace] of root.declarations) {
      this.#claim(prefix, namespace);
    }
    this.#adoptBelow(root);
  }

  /** `s:element`; a name in no namespace has no prefix. */
  name(namespace: string, local: string): string {
    if (namespace === "") {
      return local;
    }
    if (namespace === "http://www.w3.org/XML/1998/namespace") {
      return `xml:${local}`;
    }
    return `${this.#byNamespace.get(namespace) ?? this.#claim("ns", namespace)}:${local}`;
  }

  #adoptBelow(root: XmlElement): void {
    const open: XmlElement[] = [root];
    for (let element = open.pop(); element !== undefined; element = open.pop()) {
      if (element !== root && element.declarations.size > 0) {
        for (const [prefix, namespace] of element.declarations) {
          this.#claim(prefix, namespace);
        }
      }
      if (!this.#byNamespace.has(element.namespace)) {
        this.#claim(element.prefix, element.namespace);
      }
      for (const child of elementsOf(element)) {
        open.push(child);
      }
    }
  }

  #claim(preferred: string, namespace: string): string {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined || namespace === "" || namespace === "http://www.w3.org/XML/1998/namespace") {
      return known ?? "";
    }

    const base = preferred === "" ? (usualPrefix.get(namespace) ?? "ns") : preferred;
    let prefix = base;
    let count = this.#next.get(base) ?? 2;
    for (; this.#taken.has(prefix); count += 1) {
      prefix = `${base}${count}`;
    }
    this.#next.set(base, count);
    this.#taken.add(prefix);
    this.#byNamespace.set(namespace, prefix);
    return prefix;
  }
}

const usualPrefix: ReadonlyMap<string, string> = new Map([
  ["http://schemas.xmlsoap.org/wsdl/", "wsdl"],
  ["http://www.w3.org/2001/XMLSchema", "xs"],
]);

/** Attributes whose values are QNames, which change with the prefixes. */
const inSchema: ReadonlySet<string> = new Set([
  "type",
  "ref",
  "base",
  "itemType",
  "memberTypes",
  "refer",
  "substitutionGroup",
]);
const inWsdl: ReadonlySet<string> = new Set(["message", "element", "type", "binding"]);

/** Whether the value is a QName, or a list of them. */
export function holdsNames(elementNamespace: string, attribute: string): boolean {
  return (elementNamespace === xsdNamespace ? inSchema : inWsdl).has(attribute);
}

/** Whether the value is the name of a message, a port type or a binding. */
export function namesDefinition({ namespace, localName }: XmlElement, attribute: string): boolean {
  if (namespace === xsdNamespace) {
    return false;
  }
  return attribute === "message" || attribute === "binding" || (attribute === "type" && localName === "binding");
}

/** Whether the value is the XPath of an identity constraint, which has prefixes (XSD 1.0 Part 1 §3.11.6). */
export function holdsPath(elementNamespace: string, attribute: string): boolean {
  return elementNamespace === xsdNamespace && attribute === "xpath";
}
