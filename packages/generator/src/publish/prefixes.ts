import type { XmlElement } from "@bothends/xml";
import { elementsOf } from "./allowed-content.js";

/** The prefixes of a published document. Every namespace has one, declared on the root, so that elements can move between documents. */
export class Prefixes {
  readonly #byNamespace = new Map<string, string>();
  readonly #taken = new Set<string>(["xml", "xmlns"]);
  /** The number to try next behind a prefix that many documents use, such as `tns`. */
  readonly #next = new Map<string, number>();

  constructor(root: XmlElement) {
    for (const [prefix, namespace] of root.declarations) this.#claim(prefix, namespace);
    this.#adoptBelow(root);
  }

  /** All declarations, in the order they were met. */
  get declarations(): Iterable<readonly [namespace: string, prefix: string]> {
    return this.#byNamespace;
  }

  /** Takes over the prefixes that another document, or an element below, declares. */
  adopt(root: XmlElement): void {
    for (const [prefix, namespace] of root.declarations) this.#claim(prefix, namespace);
    this.#adoptBelow(root);
  }

  /** `s:element`; a name in no namespace has no prefix. */
  name(namespace: string, local: string): string {
    if (namespace === "") return local;
    if (namespace === "http://www.w3.org/XML/1998/namespace") return `xml:${local}`;
    return `${this.#byNamespace.get(namespace) ?? this.#claim("ns", namespace)}:${local}`;
  }

  #adoptBelow(root: XmlElement): void {
    const open: XmlElement[] = [root];
    for (let element = open.pop(); element !== undefined; element = open.pop()) {
      if (element !== root) for (const [prefix, namespace] of element.declarations) this.#claim(prefix, namespace);
      if (!this.#byNamespace.has(element.namespace)) this.#claim(element.prefix, element.namespace);
      for (const child of elementsOf(element)) open.push(child);
    }
  }

  #claim(wanted: string, namespace: string): string {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined || namespace === "" || namespace === "http://www.w3.org/XML/1998/namespace")
      return known ?? "";

    const base = wanted === "" ? (usualPrefix.get(namespace) ?? "ns") : wanted;
    let prefix = base;
    let count = this.#next.get(base) ?? 2;
    for (; this.#taken.has(prefix); count += 1) prefix = `${base}${count}`;
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
