import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { isNCName, xmlNamespace, xmlnsNamespace } from "@bothends/xml/name-characters";
import { START, TEXT } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import type { AnyAttribute, AnyElement, WildcardNamespaces } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { getTypeName } from "../element-attributes.js";
import {
  createWrongValueError,
  type EncodeContext,
  type EncodeTable,
  getMembersOfValue,
  listItems,
  type Members,
  refuseUnknownMembers,
  unlimitedBounds,
  writeItems,
} from "../encode-table.js";
import { instanceNamespace, type NamesOnWire, type WireName } from "../resolved-types.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { formatClarkName, getTag, openTag } from "../start-tag.js";

interface OpenElement {
  readonly name: string;
  readonly attributes?: readonly AnyAttribute[];
  content?: (string | AnyElement)[];
}

/**
 * Reads the current element with all its content, and leaves the reader at the end tag. Only prefixes, comments and
 * processing instructions are lost.
 */
export function readAnyElement(reader: XmlReader): AnyElement {
  const names = NameCache.forReader(reader);
  const root = startElement(reader, names);
  const openElements = [root];
  for (;;) {
    const event = reader.next();
    const innermostElement = openElements.at(-1) ?? root;
    if (event === START) {
      const element = startElement(reader, names);
      addContent(innermostElement, element);
      openElements.push(element);
    } else if (event === TEXT) {
      addContent(innermostElement, reader.text);
    } else {
      openElements.pop();
      if (openElements.length === 0) {
        return root;
      }
    }
  }
}

/**
 * Returns the same string for repeated names in a document, because a new string for each element would take more
 * memory.
 */
class NameCache {
  static readonly #byReader = new WeakMap<XmlReader, NameCache>();
  readonly #byNamespace = new Map<string, Map<string, string>>();

  static forReader(reader: XmlReader): NameCache {
    const cache = NameCache.#byReader.get(reader) ?? new NameCache();
    NameCache.#byReader.set(reader, cache);
    return cache;
  }

  find({ namespace, localName }: XmlReader): string {
    let names = this.#byNamespace.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#byNamespace.set(namespace, names);
    }
    let name = names.get(localName);
    if (name === undefined) {
      name = clark(namespace, localName);
      names.set(localName, name);
    }
    return name;
  }
}

function startElement(reader: XmlReader, names: NameCache): OpenElement {
  const name = names.find(reader);
  return reader.attributes.length === 0 ? { name } : { name, attributes: readAnyAttributes(reader, () => true) };
}

function addContent(element: OpenElement, item: string | AnyElement): void {
  if (element.content === undefined) {
    element.content = [item];
  } else {
    element.content.push(item);
  }
}

/** Whether a value may be an `AnyElement`: an object whose member `name` is a string. */
export function isAnyElement(value: unknown): value is AnyElement {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

/**
 * Reads the attributes of the current element. `keepsXsi` decides by local name which `xsi` attributes are included.
 */
export function readAnyAttributes(
  reader: XmlReader,
  keepsXsi: (localName: string) => boolean,
): readonly AnyAttribute[] {
  // `map` creates arrays without free space. `push` would add space for 16 more attributes to each array.
  return reader.attributes
    .filter(({ namespace, localName }) => namespace !== instanceNamespace || keepsXsi(localName))
    .map(({ namespace, localName, value }) => {
      const name = clark(namespace, localName);
      // The name of a type is stored in Clark notation, because its prefix has no meaning outside the document.
      const isType = namespace === instanceNamespace && localName === "type";
      return { name, value: isType ? getTypeName(reader, value) : value };
    });
}

const elementKeys: ReadonlySet<string> = new Set(["name", "attributes", "content"]);
const attributeKeys: ReadonlySet<string> = new Set(["name", "value"]);

/** The default namespace at an element that matches a wildcard, and the namespaces that the wildcard allows. */
interface ElementContext {
  /** The default namespace in scope at the element. */
  readonly defaultNamespace: string;
  readonly namespaces: WildcardNamespaces;
}

/** Writes an `AnyElement`. */
export function writeElement(
  context: EncodeContext,
  value: unknown,
  { defaultNamespace, namespaces }: ElementContext,
): string {
  context.beginLevel();
  const members = checkMembers(value, { keys: elementKeys, name: "AnyElement" }, context);
  const name = splitName(members["name"]);
  if (!allowsNamespace(namespaces, name.namespace)) {
    throw new SchemaMismatch(`The wildcard does not allow an element in the namespace "${name.namespace}".`, {
      reason: "The wildcard does not allow an element in this namespace.",
    });
  }
  // Namespaces in XML 1.0 §3: the XML namespace cannot be the default namespace, and contains no elements.
  if (name.namespace === xmlNamespace) {
    throw new LexicalError("The name of an element must not be in the XML namespace.");
  }
  const tag = getTag(name, defaultNamespace);
  const attributes = writeAttributes(context, members["attributes"], []);
  const { start, close, hasNoDefault } = openTag(context.prefixes, tag, { attributes, typeName: undefined });
  const contentXml = writeContent(context, members["content"], hasNoDefault ? "" : tag.name.namespace);
  context.endLevel();
  return contentXml === "" ? `${start} />` : `${start}>${contentXml}${close}`;
}

/** Writes an array of `AnyAttribute`. Attributes must not use the names in `reservedNames`. */
export function writeAttributes(
  context: EncodeContext,
  value: unknown,
  reservedNames: readonly WireName[],
  checkName?: (name: WireName) => void,
): string {
  const usedNames = new Set(reservedNames.map(formatClarkName));
  return writeItems(value === undefined ? [] : listItems(value, unlimitedBounds), (item) => {
    const members = checkMembers(item, { keys: attributeKeys, name: "AnyAttribute" }, context);
    const name = splitName(members["name"]);
    checkName?.(name);
    if (usedNames.has(formatClarkName(name))) {
      const problem = "occurs twice, or is not allowed here. Remove it.";
      throw new SchemaMismatch(`The attribute ${formatClarkName(name)} ${problem}`, {
        reason: `An attribute ${problem}`,
      });
    }
    usedNames.add(formatClarkName(name));
    return writeAttribute(context, name, members["value"]);
  });
}

function writeAttribute(context: EncodeContext, name: WireName, value: unknown): string {
  if (typeof value !== "string") {
    throw createWrongValueError("a string", value);
  }
  // xsi:type is in Clark notation here, because a prefix has no meaning outside its document.
  const isType =
    name.namespace === instanceNamespace && name.localName === "type" && !value.includes(":", value.indexOf("}") + 1);
  const { prefixes } = context;
  const text = isType ? prefixes.qname(value) : context.escapeAttribute(value);
  return ` ${prefixes.formatAttributeName(name.namespace, name.localName)}="${text}"`;
}

/** Writes an array of strings and elements. */
export function writeContent(context: EncodeContext, value: unknown, defaultNamespace: string): string {
  return writeItems(value === undefined ? [] : listItems(value, unlimitedBounds), (item) =>
    typeof item === "string"
      ? context.escapeText(item)
      : writeElement(context, item, { defaultNamespace, namespaces: "any" }),
  );
}

/** Returns the members of an object. Throws for a value that is not an object, and for members other than `keys`. */
export function checkMembers(
  value: unknown,
  type: Pick<EncodeTable, "keys" | "name">,
  context: Pick<EncodeContext, "suggestMember">,
): Members {
  const members = getMembersOfValue(value, type.keys, type.name);
  refuseUnknownMembers(members, type, context);
  return members;
}

/** Splits the Clark name of an element or attribute into namespace and local name. */
export function splitName(name: unknown): WireName {
  if (typeof name !== "string") {
    throw new LexicalError("The name of an element or attribute must be a string in Clark notation, {namespace}local.");
  }
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName) || clark(namespace, localName) !== name) {
    throw new LexicalError(
      "The name of an element or attribute must be an XML name in Clark notation, {namespace}local.",
    );
  }
  if (namespace === xmlnsNamespace || (namespace === "" && localName === "xmlns")) {
    throw new LexicalError("The name of an element or attribute must not be a namespace declaration.");
  }
  return { namespace, localName };
}

/** Whether a wildcard allows a namespace (XSD 1.0 Part 1 §3.10.4). */
export function allowsNamespace(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") {
    return true;
  }
  if ("not" in namespaces) {
    return namespace !== namespaces.not && namespace !== "";
  }
  return namespaces.includes(namespace);
}

/** Maps the namespaces of a wildcard to the namespaces on the wire. */
export function renameWildcard(namespaces: WildcardNamespaces, names: NamesOnWire): WildcardNamespaces {
  if (namespaces === "any") {
    return namespaces;
  }
  if ("not" in namespaces) {
    return { not: names.namespace(namespaces.not) };
  }
  return namespaces.map((namespace) => names.namespace(namespace));
}
