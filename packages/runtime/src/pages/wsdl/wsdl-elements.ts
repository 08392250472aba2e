import type { XmlElement } from "@bothends/xml";
import { clark, splitQName } from "@bothends/xml/names";
import { type Facets, simpleValue } from "../example-values.js";

// The basis of the WSDL and XSD readers: qualified names, attributes and documentation of elements, and simple types.

export interface QName {
  readonly namespace: string;
  readonly local: string;
}

export function textOfName({ namespace, local }: QName): string {
  return clark(namespace, local);
}

/** The child elements in the namespace of their parent. */
export function childrenOf(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child.kind === "element" && child.namespace === parent.namespace,
  );
}

export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ namespace, localName }) => namespace === "" && localName === name)?.value;
}

/** The qualified name in an attribute. */
export function nameIn(element: XmlElement | undefined, attribute: string): QName | undefined {
  const text = element && attributeOf(element, attribute);
  return text === undefined || element === undefined ? undefined : resolveName(element, text);
}

export function resolveName(element: XmlElement, text: string): QName | undefined {
  const { prefix, localName } = splitQName(text.trim()) ?? {};
  const namespace = prefix === undefined ? undefined : element.resolve(prefix);
  return namespace === undefined || localName === undefined ? undefined : { namespace, local: localName };
}

export function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

export function isDocumentation({ localName }: XmlElement): boolean {
  return localName === "documentation";
}

/** The text of documentation, with its line breaks and without its indentation. Undefined if it is empty. */
export function documentationText(documentation: XmlElement): string | undefined {
  const lines = textOf(documentation)
    .split("\n")
    .map((line) => line.trim());
  return lines.join("\n").trim() || undefined;
}

function textOf({ children }: XmlElement): string {
  return children.map((child) => (child.kind === "text" ? child.text : textOf(child))).join("");
}

export const schemaNamespace = "http://www.w3.org/2001/XMLSchema";
export const encodingNamespaces: readonly string[] = [
  "http://schemas.xmlsoap.org/soap/encoding/",
  "http://www.w3.org/2003/05/soap-encoding",
];

export interface SimpleType {
  readonly kind: "simple";
  readonly name: QName | undefined;
  /** The type's name for display: `int`, `list of int`, `int or Colour`. */
  readonly label: string;
  /** The built-in type it is derived from; empty for lists and unions. */
  readonly builtIn: string;
  readonly facets: Facets;
  /** The values of an enumeration. */
  readonly values: readonly string[] | undefined;
  /** One value. */
  readonly example: string;
}

/** A global declaration or definition, with its schema. */
export interface Component {
  readonly node: XmlElement;
  readonly schema: Schema;
}

export interface Schema {
  readonly namespace: string;
  readonly qualifiesElements: boolean;
  readonly qualifiesAttributes: boolean;
}

/** The maximum length of chains of base types, groups or simple types: a document may contain cycles. */
export const maxDepth = 50;

/** Reads simple types. `find` returns the definition with a name. */
export class SimpleTypes {
  readonly #find: (name: QName) => Component | undefined;

  constructor(find: (name: QName) => Component | undefined) {
    this.#find = find;
  }

  /** A simple type of the schemas; undefined if they do not define it. */
  defined(name: QName, depth = 0): SimpleType | undefined {
    const component = this.#find(name);
    return component && this.read(component, name, depth);
  }

  /** A simple type by its name, or else by its definition. Undefined types are shown as strings. */
  reference(name: QName | undefined, definition: Component | undefined, depth: number): SimpleType {
    if (depth > maxDepth) {
      return unknownType;
    }
    if (name !== undefined) {
      return isBuiltIn(name) ? builtInType(name) : (this.defined(name, depth + 1) ?? unknownType);
    }
    return definition?.node.localName === "simpleType" ? this.read(definition, undefined, depth + 1) : unknownType;
  }

  read({ node, schema }: Component, name: QName | undefined, depth: number): SimpleType {
    const [variety] = childrenOf(node).filter(({ localName }) => ["restriction", "list", "union"].includes(localName));
    const inline = (parent: XmlElement) =>
      childrenOf(parent).flatMap((child) => (child.localName === "simpleType" ? [{ node: child, schema }] : []));
    switch (variety?.localName) {
      case "restriction":
        return restricted(this.reference(nameIn(variety, "base"), inline(variety)[0], depth), variety, name);
      case "list": {
        const { label, example } = this.reference(nameIn(variety, "itemType"), inline(variety)[0], depth);
        return { ...combined, name, label: `list of ${label}`, example: `${example} ${example}` };
      }
      case "union": {
        const named = (attributeOf(variety, "memberTypes") ?? "").split(/\s+/).filter((text) => text !== "");
        const members = [
          ...named.map((text) => this.reference(resolveName(variety, text), undefined, depth)),
          ...inline(variety).map((definition) => this.reference(undefined, definition, depth)),
        ];
        const label = [...new Set(members.map((member) => member.label))].join(" or ");
        return { ...combined, name, label, example: members[0]?.example ?? unknownType.example };
      }
      default:
        return { ...unknownType, name };
    }
  }
}

const combined = { kind: "simple", builtIn: "", facets: {}, values: undefined } as const;
const unknownType = builtInType({ namespace: schemaNamespace, local: "string" });

function builtInType(name: QName): SimpleType {
  const { local } = name;
  const facets: Facets = {};
  return {
    kind: "simple",
    name,
    label: local,
    builtIn: local,
    facets,
    values: undefined,
    example: simpleValue(local, facets),
  };
}

/** The base type with the facets of a restriction. */
export function restricted(base: SimpleType, restriction: XmlElement, name: QName | undefined): SimpleType {
  const values = childrenOf(restriction).flatMap((facet) =>
    facet.localName === "enumeration" ? [attributeOf(facet, "value") ?? ""] : [],
  );
  if (values.length > 0) {
    return { ...base, name, values, example: values[0] ?? "" };
  }
  const facets = { ...base.facets, ...facetsOf(restriction) };
  const isAtomic = base.builtIn !== "" && base.values === undefined;
  return { ...base, name, facets, example: isAtomic ? simpleValue(base.builtIn, facets) : base.example };
}

/** If there are several patterns, the first: a value must match only one. */
function facetsOf(restriction: XmlElement): Facets {
  const facets = new Map<string, string>();
  for (const facet of childrenOf(restriction)) {
    const value = attributeOf(facet, "value");
    if (value !== undefined && !facets.has(facet.localName)) {
      facets.set(facet.localName, value);
    }
  }
  return Object.fromEntries(facets);
}

export function isBuiltIn({ namespace, local }: QName): boolean {
  return namespace === schemaNamespace || (encodingNamespaces.includes(namespace) && local !== "Array");
}
