import type { XmlReader } from "@bothends/xml";
import { START, TEXT } from "@bothends/xml/events";
import { clark, isNCName, splitClark, xmlNamespace, xmlnsNamespace } from "@bothends/xml/names";
import type { AnyAttribute, AnyElement, WildcardNamespaces } from "../../descriptor.js";
import { LexicalError } from "../../errors.js";
import { typeNameOf } from "../element-attributes.js";
import {
  type EncodeContext,
  itemsOf,
  type Members,
  membersOfValue,
  mustBe,
  refuseUnknown,
  unbounded,
  writeItems,
} from "../encode-table.js";
import { ElementEncoder } from "../encoder.js";
import { admits, clarkOf, instanceNamespace, type WireName } from "../names.js";
import { openTag, tagOf } from "../start-tag.js";

interface OpenElement {
  readonly name: string;
  readonly attributes?: readonly AnyAttribute[];
  content?: (string | AnyElement)[];
}

/**
 * Reads the complete element at the reader's START and leaves the reader at its END. Only prefixes, comments and processing
 * instructions are lost.
 */
export function readAnyElement(reader: XmlReader): AnyElement {
  const root = openElement(reader);
  const open = [root];
  for (;;) {
    const event = reader.next();
    const current = open.at(-1) ?? root;
    if (event === START) {
      const element = openElement(reader);
      addContent(current, element);
      open.push(element);
    } else if (event === TEXT) {
      addContent(current, reader.text);
    } else {
      open.pop();
      if (open.length === 0) {
        return root;
      }
    }
  }
}

function openElement(reader: XmlReader): OpenElement {
  const name = clark(reader.namespace, reader.localName);
  const attributes = readAnyAttributes(reader, () => true);
  return attributes.length === 0 ? { name } : { name, attributes };
}

function addContent(element: OpenElement, item: string | AnyElement): void {
  if (element.content === undefined) {
    element.content = [item];
  } else {
    element.content.push(item);
  }
}

/** Whether a value has the shape of an `AnyElement`. */
export function isAnyElement(value: unknown): value is AnyElement {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

/** Reads the attributes of the element at START. `keeps` selects `xsi` attributes by local name. */
export function readAnyAttributes(reader: XmlReader, keeps: (localName: string) => boolean): readonly AnyAttribute[] {
  const attributes: AnyAttribute[] = [];
  for (const { namespace, localName, value } of reader.attributes) {
    if (namespace !== instanceNamespace) {
      attributes.push({ name: clark(namespace, localName), value });
    } else if (keeps(localName)) {
      // A prefix has no meaning outside its document.
      const meaning = localName === "type" ? typeNameOf(reader, value) : value;
      attributes.push({ name: clark(namespace, localName), value: meaning });
    }
  }
  return attributes;
}

const elementKeys: ReadonlySet<string> = new Set(["name", "attributes", "content"]);
const attributeKeys: ReadonlySet<string> = new Set(["name", "value"]);

/** Writes an element outside any document, so that it declares all its prefixes. Throws if a name or text is not valid XML. */
export function writeAnyElement(element: AnyElement): string {
  return writeElement(new ElementEncoder(), element, { scope: "", namespaces: "any" });
}

/** The context of an element that matches a wildcard. */
interface ElementContext {
  /** The default namespace in scope. */
  readonly scope: string;
  readonly namespaces: WildcardNamespaces;
}

/** Writes an `AnyElement`. */
export function writeElement(context: EncodeContext, value: unknown, { scope, namespaces }: ElementContext): string {
  context.enter();
  const members = checkedMembers(value, elementKeys, "AnyElement");
  const name = splitName(members["name"]);
  if (!admits(namespaces, name.namespace)) {
    throw new LexicalError(`An element of namespace "${name.namespace}" is not allowed here.`);
  }
  // Namespaces in XML 1.0 §3: this namespace cannot be the default namespace, and it contains no elements.
  if (name.namespace === xmlNamespace) {
    throw new LexicalError("The name of an element must not be in the XML namespace.");
  }
  const tag = tagOf(name, scope);
  const attributes = writeAttributes(context, members["attributes"], []);
  const { start, close, noDefault } = openTag(context.prefixes, tag, { attributes, typeName: undefined });
  const inner = writeContent(context, members["content"], noDefault ? "" : tag.name.namespace);
  context.leave();
  return inner === "" ? `${start} />` : `${start}>${inner}${close}`;
}

/** Writes an array of `AnyAttribute`. Attributes must not use the names in `reserved`. */
export function writeAttributes(
  context: EncodeContext,
  value: unknown,
  reserved: readonly WireName[],
  check?: (name: WireName) => void,
): string {
  const usedNames = new Set(reserved.map(clarkOf));
  return writeItems(value === undefined ? [] : itemsOf(value, unbounded), (item) => {
    const members = checkedMembers(item, attributeKeys, "AnyAttribute");
    const name = splitName(members["name"]);
    check?.(name);
    if (usedNames.has(clarkOf(name))) {
      throw new LexicalError(`The attribute ${clarkOf(name)} is repeated, or not allowed here.`);
    }
    usedNames.add(clarkOf(name));
    return writeAttribute(context, name, members["value"]);
  });
}

function writeAttribute(context: EncodeContext, name: WireName, value: unknown): string {
  if (typeof value !== "string") {
    throw mustBe("a string", value);
  }
  // xsi:type is in Clark notation here, because a prefix has no meaning outside its document.
  const isType =
    name.namespace === instanceNamespace && name.local === "type" && !value.includes(":", value.indexOf("}") + 1);
  const { prefixes } = context;
  const text = isType ? prefixes.qname(value) : context.attribute(value);
  return ` ${prefixes.attributeName(name.namespace, name.local)}="${text}"`;
}

/** Writes an array of texts and elements. */
export function writeContent(context: EncodeContext, value: unknown, scope: string): string {
  return writeItems(value === undefined ? [] : itemsOf(value, unbounded), (item) =>
    typeof item === "string" ? context.text(item) : writeElement(context, item, { scope, namespaces: "any" }),
  );
}

/** Returns the members of an object; refuses members other than `keys`. */
export function checkedMembers(value: unknown, keys: ReadonlySet<string>, name: string): Members {
  const members = membersOfValue(value, keys, name);
  refuseUnknown(members, keys, name);
  return members;
}

/** Splits the name of an element or attribute in Clark notation. */
export function splitName(name: unknown): WireName {
  if (typeof name !== "string") {
    throw new LexicalError("A name must be a string in Clark notation.");
  }
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName) || clark(namespace, localName) !== name) {
    throw new LexicalError("A name must be an XML name in Clark notation.");
  }
  if (namespace === xmlnsNamespace || (namespace === "" && localName === "xmlns")) {
    throw new LexicalError("The name of an element or attribute must not be a namespace declaration.");
  }
  return { namespace, local: localName };
}
