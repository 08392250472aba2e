import type { XmlElement } from "@bothends/xml";
import { wsdlNamespace } from "../source/namespaces.js";
import type { Prefixes } from "./prefixes.js";
import type { Template } from "./published.js";
import { holdsNames, holdsPath, namesDefinition } from "./qname-attributes.js";
import { actionTemplate, addressTemplate, namespaceTemplate, nameTemplate, type SlotFacts } from "./slots.js";

/** The values of attributes as they stand in the published document: names by its prefixes, slots where names may change. */
export class Values {
  readonly #prefixes: Prefixes;
  readonly #facts: SlotFacts;
  readonly #target: string;
  readonly #moved: ReadonlySet<string>;

  /** Definitions of the moved namespaces are in the target namespace. */
  constructor(
    prefixes: Prefixes,
    facts: SlotFacts,
    into: { readonly target: string; readonly moved: ReadonlySet<string> },
  ) {
    this.#prefixes = prefixes;
    this.#facts = facts;
    this.#target = into.target;
    this.#moved = into.moved;
  }

  /** An attribute of an element; unprefixed names of a chameleon are in `chameleon`. */
  of(
    element: XmlElement,
    attribute: string,
    { value, chameleon }: { readonly value: string; readonly chameleon: string | undefined },
  ): Template {
    if (attribute === "location" && /Address$|^address$/.test(element.localName))
      return addressTemplate(value, this.#facts);
    if (attribute === "targetNamespace" || attribute === "namespace") return namespaceTemplate(value, this.#facts);
    if (attribute === "soapAction" || attribute === "location") return actionTemplate(value, this.#facts);
    if (attribute === "name") return nameTemplate(value, this.#facts);
    if (attribute === "arrayType") return [this.#qname(element, value, chameleon)];
    if (holdsPath(element.namespace, attribute)) {
      return [
        value.replace(/[\w.-]+(?=:[\w*])/g, (prefix) =>
          this.#prefixes.name(element.resolve(prefix) ?? "", "").slice(0, -1),
        ),
      ];
    }
    if (!holdsNames(element.namespace, attribute)) return [value];
    const definition = namesDefinition(element, attribute);
    const template = (name: string): Template =>
      nameTemplate(definition ? this.#definition(element, name) : this.#qname(element, name, chameleon), this.#facts);
    if (/^\S+$/.test(value)) return template(value);
    const names = value.split(/\s+/).filter((name) => name !== "");
    return names.flatMap((name, index) => (index === 0 ? template(name) : [" ", ...template(name)]));
  }

  /** The name of a message, a port type or a binding, which may be of a document that was brought in. */
  #definition(element: XmlElement, name: string): string {
    const colon = name.indexOf(":");
    const namespace = element.resolve(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    // Nothing is defined in WSDL's own namespace, nor in none: such a name is meant in the target namespace.
    const meant = colon < 0 && (namespace === "" || namespace === wsdlNamespace);
    return meant || this.#moved.has(namespace)
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
