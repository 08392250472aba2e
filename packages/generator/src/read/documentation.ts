import type { XmlElement } from "@bothends/xml";
import { isXsdNamespace } from "../source/names.js";

/** Returns the text of all annotations of an XSD element, without indentation; undefined if there is none. */
export function documentationOf(element: XmlElement): string | undefined {
  const texts: string[] = [];
  for (const annotation of xsdChildren(element, "annotation")) {
    for (const documentation of xsdChildren(annotation, "documentation")) {
      const text = documentationText(documentation);
      if (text !== "") {
        texts.push(text);
      }
    }
  }
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function xsdChildren(element: XmlElement, localName: string): readonly XmlElement[] {
  const children: XmlElement[] = [];
  for (const child of element.children) {
    if (child.kind === "element" && child.localName === localName && isXsdNamespace(child.namespace)) {
      children.push(child);
    }
  }
  return children;
}

/** Returns the text of a documentation element, without markup and indentation. */
export function documentationText(element: XmlElement): string {
  return unindent(textOf(element));
}

function textOf(element: XmlElement): string {
  return element.children.map((child) => (child.kind === "text" ? child.text : textOf(child))).join("");
}

function unindent(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
}
