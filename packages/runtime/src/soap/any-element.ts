import {
  clark,
  END,
  escapeAttribute,
  escapeText,
  isNCName,
  START,
  splitClark,
  TEXT,
  type XmlReader,
} from "@bothends/xml";
import type { AnyAttribute, AnyElement } from "../descriptor.js";

interface Open {
  readonly name: string;
  readonly attributes: readonly AnyAttribute[];
  readonly content: (string | AnyElement)[];
}

/** Reads the element at the reader's START as it is, without a type; the reader is left at its END. */
export function readAnyElement(reader: XmlReader): AnyElement {
  const stack: Open[] = [open(reader)];
  for (;;) {
    const event = reader.next();
    const top = stack[stack.length - 1] as Open;
    if (event === START) stack.push(open(reader));
    else if (event === TEXT) top.content.push(reader.text);
    else if (event === END) {
      stack.pop();
      const parent = stack[stack.length - 1];
      if (parent === undefined) return top;
      parent.content.push(top);
    }
  }
}

function open(reader: XmlReader): Open {
  const attributes = reader.attributes.map((attribute) => ({
    name: clark(attribute.namespace, attribute.localName),
    value: attribute.value,
  }));
  return { name: clark(reader.namespace, reader.localName), attributes, content: [] };
}

/** Whether a value has the shape of an `AnyElement`. */
export function isAnyElement(value: unknown): value is AnyElement {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

type Step = { readonly element: AnyElement } | { readonly text: string };

/** Writes an untyped element; throws where a name or a text is not XML. */
export function writeAnyElement(root: AnyElement): string {
  let xml = "";
  const steps: Step[] = [{ element: root }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ("text" in step) {
      xml += step.text;
      continue;
    }
    const { localName, start } = startTag(step.element);
    const content = step.element.content ?? [];
    if (content.length === 0) {
      xml += `${start} />`;
      continue;
    }
    xml += `${start}>`;
    steps.push({ text: `</${localName}>` });
    for (const child of content.toReversed()) {
      steps.push(typeof child === "string" ? { text: escapeText(child) } : { element: child });
    }
  }
  return xml;
}

/** Every element binds the default namespace to its own, so that no prefix from outside matters. */
function startTag({ name, attributes = [] }: AnyElement): { localName: string; start: string } {
  const { namespace, localName } = splitName(name);
  let start = `<${localName} xmlns="${escapeAttribute(namespace)}"`;
  attributes.forEach((attribute, index) => {
    const own = splitName(attribute.name);
    const prefix = own.namespace === "" ? "" : `a${index}:`;
    if (prefix !== "") start += ` xmlns:a${index}="${escapeAttribute(own.namespace)}"`;
    start += ` ${prefix}${own.localName}="${escapeAttribute(attribute.value)}"`;
  });
  return { localName, start };
}

function splitName(name: string): { readonly namespace: string; readonly localName: string } {
  const split = splitClark(name);
  if (!isNCName(split.localName)) throw new Error("The name of an element or attribute is not an XML name.");
  return split;
}
