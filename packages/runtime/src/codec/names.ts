import { clark, splitClark } from "@bothends/xml";
import type { WildcardNamespaces } from "../descriptor.js";

/** The namespace of `xsi:type` and `xsi:nil` (XSD 1.0 Part 1 §2.6). */
export const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
/** The namespace of the built-in types. */
export const schemaNamespace = "http://www.w3.org/2001/XMLSchema";
export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
export const xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

/** An expanded name. */
export interface WireName {
  readonly namespace: string;
  readonly local: string;
}

export function clarkOf({ namespace, local }: WireName): string {
  return clark(namespace, local);
}

export function wireName(name: string): WireName {
  const { namespace, localName } = splitClark(name);
  return { namespace, local: localName };
}

/** Maps the names of a schema to the names on the wire, by the options `namespaces` and `elements`. */
export class WireNames {
  readonly #namespaces: ReadonlyMap<string, string>;
  readonly #elements: ReadonlyMap<string, string>;
  /** True if no name changes, so that tables can be shared. */
  readonly plain: boolean;

  constructor(
    namespaces: ReadonlyMap<string, string> = new Map<string, string>(),
    elements: ReadonlyMap<string, string> = new Map<string, string>(),
  ) {
    this.#namespaces = namespaces;
    this.#elements = elements;
    this.plain = namespaces.size === 0 && elements.size === 0;
  }

  namespace(namespace: string): string {
    return this.#namespaces.get(namespace) ?? namespace;
  }

  element({ namespace, local }: WireName): WireName {
    const renamed = this.#elements.size === 0 ? undefined : this.#elements.get(clark(namespace, local));
    return { namespace: this.namespace(namespace), local: renamed ?? local };
  }

  /** The name of a type, in Clark notation. */
  type(name: string): string {
    const { namespace, localName } = splitClark(name);
    return clark(this.namespace(namespace), localName);
  }
}

/** Whether a wildcard accepts a namespace (XSD 1.0 Part 1 §3.10.4). */
export function admits(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") {
    return true;
  }
  if ("not" in namespaces) {
    return namespace !== namespaces.not && namespace !== "";
  }
  return namespaces.includes(namespace);
}

/** The namespaces of a wildcard on the wire. */
export function wildcardOnWire(namespaces: WildcardNamespaces, names: WireNames): WildcardNamespaces {
  if (namespaces === "any") {
    return namespaces;
  }
  if ("not" in namespaces) {
    return { not: names.namespace(namespaces.not) };
  }
  return namespaces.map((namespace) => names.namespace(namespace));
}
