import { clark } from "@bothends/xml/clark-names";
import { splitQName } from "@bothends/xml/name-characters";
import { findAttribute, getTextContent, type XmlElement } from "@bothends/xml/tree";
import { createSimpleValue, type Facets } from "../example-values.js";

// The code that is shared by the readers of published WSDL and XSD: it reads qualified names, attributes, documentation
// and simple types.

export interface QName {
  readonly namespace: string;
  readonly local: string;
}

/** Returns a name in Clark notation, as the key of a map. */
export function getTextOfName({ namespace, local }: QName): string {
  return clark(namespace, local);
}

/** Returns the child elements that are in the same namespace as their parent. */
export function listChildren(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child.kind === "element" && child.namespace === parent.namespace,
  );
}

/** Returns the qualified name in an attribute; undefined if the attribute is absent or its prefix is unknown. */
export function findNameIn(element: XmlElement | undefined, attribute: string): QName | undefined {
  const text = element && findAttribute(element, attribute);
  return text === undefined || element === undefined ? undefined : resolveName(element, text);
}

/**
 * Resolves the prefix of a name. Undefined if the text is not a name, or if no declaration of its prefix is in scope.
 */
export function resolveName(element: XmlElement, text: string): QName | undefined {
  const { prefix, localName } = splitQName(text.trim()) ?? {};
  const namespace = prefix === undefined ? undefined : element.resolve(prefix);
  return namespace === undefined || localName === undefined ? undefined : { namespace, local: localName };
}

/** Whether the text of a boolean attribute is true. False for an absent attribute. */
export function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

export function isDocumentation({ localName }: XmlElement): boolean {
  return localName === "documentation";
}

/**
 * Returns the text of a `documentation` element with its line breaks, without indentation. Returns undefined if the
 * element is empty.
 */
export function findDocumentationText(documentation: XmlElement): string | undefined {
  const lines = getTextContent(documentation)
    .split("\n")
    .map((line) => line.trim());
  return lines.join("\n").trim() || undefined;
}

export const schemaNamespace = "http://www.w3.org/2001/XMLSchema";

/** The namespaces of SOAP encoding in both versions. */
export const encodingNamespaces: readonly string[] = [
  "http://schemas.xmlsoap.org/soap/encoding/",
  "http://www.w3.org/2003/05/soap-encoding",
];

/** A simple type of a published schema. */
export interface SimpleType {
  readonly kind: "simple";
  readonly name: QName | undefined;
  /** The type's name for display: `int`, `list of int`, `int or Colour`. */
  readonly label: string;
  /** The built-in type from which the type is derived, directly or indirectly; empty for lists and unions. */
  readonly builtInName: string;
  readonly facets: Facets;
  /** The values of an enumeration; undefined for other types. */
  readonly values: readonly string[] | undefined;
  /** An example value of the type. */
  readonly example: string;
}

/** A declaration or definition, with the schema that contains it. */
export interface Component {
  readonly node: XmlElement;
  readonly schema: Schema;
}

/** The attributes of a published schema that determine the names of its elements and attributes on the wire. */
export interface Schema {
  readonly namespace: string;
  readonly qualifiesElements: boolean;
  readonly qualifiesAttributes: boolean;
}

/**
 * The maximum length of a chain of base types, groups or simple types. The length is limited because a document can
 * contain cycles.
 */
export const maxDepth = 50;

/** The maximum number of characters in the label and in the example of a list or a union. */
const maxText = 500;

/** Reads simple types. The function `find` returns the definition with a given name, or undefined if there is none. */
export class SimpleTypes {
  readonly #find: (name: QName) => Component | undefined;
  /** The types by their definition. Each is read once, because the members of a union may refer to it many times. */
  readonly #types = new Map<XmlElement, SimpleType>();

  constructor(find: (name: QName) => Component | undefined) {
    this.#find = find;
  }

  /** Finds a simple type by its name; undefined if no schema defines it. */
  findType(name: QName, depth = 0): SimpleType | undefined {
    const component = this.#find(name);
    return component && this.read(component, name, depth);
  }

  /**
   * Reads the simple type with the given name. Without a name, reads the type from `definition`. Unknown types are
   * shown as strings.
   */
  readReference(name: QName | undefined, definition: Component | undefined, depth: number): SimpleType {
    if (depth > maxDepth) {
      return unknownType;
    }
    if (name !== undefined) {
      return isBuiltIn(name) ? getBuiltInType(name) : (this.findType(name, depth + 1) ?? unknownType);
    }
    return definition?.node.localName === "simpleType" ? this.read(definition, undefined, depth + 1) : unknownType;
  }

  read(component: Component, name: QName | undefined, depth: number): SimpleType {
    const { node } = component;
    const existingType = this.#types.get(node);
    if (existingType !== undefined) {
      return existingType;
    }
    // Where a type refers to itself, it is shown as a string.
    this.#types.set(node, { ...unknownType, name });
    const type = this.#readVariety(component, name, depth);
    this.#types.set(node, type);
    return type;
  }

  #readVariety({ node, schema }: Component, name: QName | undefined, depth: number): SimpleType {
    const [variety] = listChildren(node).filter(({ localName }) =>
      ["restriction", "list", "union"].includes(localName),
    );
    const listInlineTypes = (parent: XmlElement) =>
      listChildren(parent).flatMap((child) => (child.localName === "simpleType" ? [{ node: child, schema }] : []));
    switch (variety?.localName) {
      case "restriction":
        return createRestrictedType(
          this.readReference(findNameIn(variety, "base"), listInlineTypes(variety)[0], depth),
          variety,
          name,
        );
      case "list": {
        const { label, example } = this.readReference(
          findNameIn(variety, "itemType"),
          listInlineTypes(variety)[0],
          depth,
        );
        const items = example.length * 2 < maxText ? `${example} ${example}` : example;
        return { ...listOrUnion, name, label: cutText(`list of ${label}`), example: items };
      }
      case "union": {
        const memberTypeNames = (findAttribute(variety, "memberTypes") ?? "")
          .split(/\s+/)
          .filter((text) => text !== "");
        const members = [
          ...memberTypeNames.map((text) => this.readReference(resolveName(variety, text), undefined, depth)),
          ...listInlineTypes(variety).map((definition) => this.readReference(undefined, definition, depth)),
        ];
        const label = [...new Set(members.map((member) => member.label))].join(" or ");
        return { ...listOrUnion, name, label: cutText(label), example: members[0]?.example ?? unknownType.example };
      }
      default:
        return { ...unknownType, name };
    }
  }
}

function cutText(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}

const listOrUnion = { kind: "simple", builtInName: "", facets: {}, values: undefined } as const;
const unknownType = getBuiltInType({ namespace: schemaNamespace, local: "string" });

function getBuiltInType(name: QName): SimpleType {
  const { local } = name;
  const facets: Facets = {};
  return {
    kind: "simple",
    name,
    label: local,
    builtInName: local,
    facets,
    values: undefined,
    example: createSimpleValue(local, facets),
  };
}

/** Derives a simple type from its base type by a restriction. */
export function createRestrictedType(base: SimpleType, restriction: XmlElement, name: QName | undefined): SimpleType {
  const values = listChildren(restriction).flatMap((facet) =>
    facet.localName === "enumeration" ? [findAttribute(facet, "value") ?? ""] : [],
  );
  if (values.length > 0) {
    return { ...base, name, values, example: values[0] ?? "" };
  }
  const facets = { ...base.facets, ...getFacets(restriction) };
  const isAtomic = base.builtInName !== "" && base.values === undefined;
  return { ...base, name, facets, example: isAtomic ? createSimpleValue(base.builtInName, facets) : base.example };
}

/**
 * Returns the facets of a restriction. If there are several patterns, only the first is returned, because a value needs
 * to match only one of them.
 */
function getFacets(restriction: XmlElement): Facets {
  const facets = new Map<string, string>();
  for (const facet of listChildren(restriction)) {
    const value = findAttribute(facet, "value");
    if (value !== undefined && !facets.has(facet.localName)) {
      facets.set(facet.localName, value);
    }
  }
  return Object.fromEntries(facets);
}

/**
 * Whether a name is that of a type in XML Schema or SOAP encoding. An array of SOAP encoding has a content, so it is
 * not built in.
 */
export function isBuiltIn({ namespace, local }: QName): boolean {
  return namespace === schemaNamespace || (encodingNamespaces.includes(namespace) && local !== "Array");
}
