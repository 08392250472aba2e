import { escapeAttribute, escapeText, isNCName, splitClark } from "@bothends/xml";
import type { AnyElement } from "../../descriptor.js";

/** Whether a value has the shape of an `AnyElement`. */
export function isAnyElement(value: unknown): value is AnyElement {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

type Step = { readonly element: AnyElement } | { readonly text: string };

/** Writes an untyped element. Throws if a name or a text is not XML. */
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

/** Each element declares its namespace as the default, so that it does not depend on prefixes of its parents. */
function startTag({ name, attributes = [] }: AnyElement): { localName: string; start: string } {
  const { namespace, localName } = splitName(name);
  let start = `<${localName} xmlns="${escapeAttribute(namespace)}"`;
  attributes.forEach((attribute, index) => {
    const parts = splitName(attribute.name);
    const prefix = parts.namespace === "" ? "" : `a${index}:`;
    if (prefix !== "") {
      start += ` xmlns:a${index}="${escapeAttribute(parts.namespace)}"`;
    }
    start += ` ${prefix}${parts.localName}="${escapeAttribute(attribute.value)}"`;
  });
  return { localName, start };
}

function splitName(name: string): { readonly namespace: string; readonly localName: string } {
  const split = splitClark(name);
  if (!isNCName(split.localName)) {
    throw new Error("The name of an element or attribute is not an XML name.");
  }
  return split;
}
