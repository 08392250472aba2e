import { normalizeWhiteSpace } from "@bothends/datatypes";
import { clark, END, START, splitQName, TEXT, type XmlReader } from "@bothends/xml";
import type { AnyAttribute, AnyElement, AnyValue } from "../descriptor.js";
import { instanceNamespace } from "./names.js";

interface OpenElement {
  readonly name: string;
  readonly attributes?: readonly AnyAttribute[];
  content?: (string | AnyElement)[];
}

/**
 * Reads the whole element at the reader's START and leaves the reader at its END. Only prefixes, comments and processing
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
  const attributes = anyAttributes(reader, () => true);
  return attributes.length === 0 ? { name } : { name, attributes };
}

function addContent(element: OpenElement, item: string | AnyElement): void {
  if (element.content === undefined) {
    element.content = [item];
  } else {
    element.content.push(item);
  }
}

/** Reads the element at the reader's START as a value of `xs:anyType`; leaves the reader at its END. */
export function readAnyValue(reader: XmlReader): AnyValue {
  const type = reader.attribute(instanceNamespace, "type");
  const typeName = type === undefined ? undefined : typeNameOf(reader, type);
  const attributes = anyAttributes(reader, (localName) => localName !== "type" && localName !== "nil");
  const content: (string | AnyElement)[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    content.push(event === TEXT ? reader.text : readAnyElement(reader));
  }
  const [text = ""] = content;
  if (typeName === undefined && attributes.length === 0 && content.length < 2 && typeof text === "string") {
    return text;
  }
  return {
    ...(typeName === undefined ? {} : { type: typeName }),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(content.length === 0 ? {} : { content }),
  };
}

/** The type name in an `xsi:type`, in Clark notation; the text unchanged if its prefix is not bound. */
export function typeNameOf(reader: XmlReader, text: string): string {
  const name = splitQName(normalizeWhiteSpace(text, "collapse"));
  const namespace = name === undefined ? undefined : reader.resolve(name.prefix);
  if (name === undefined || (namespace === undefined && name.prefix !== "")) {
    return text;
  }
  return clark(namespace ?? "", name.localName);
}

/** Whether to keep an `xsi` attribute, by local name. */
type Kept = (localName: string) => boolean;

function anyAttributes(reader: XmlReader, kept: Kept): readonly AnyAttribute[] {
  const attributes: AnyAttribute[] = [];
  for (const { namespace, localName, value } of reader.attributes) {
    if (namespace !== instanceNamespace) {
      attributes.push({ name: clark(namespace, localName), value });
    } else if (kept(localName)) {
      // A prefix has no meaning outside its document.
      const meaning = localName === "type" ? typeNameOf(reader, value) : value;
      attributes.push({ name: clark(namespace, localName), value: meaning });
    }
  }
  return attributes;
}
