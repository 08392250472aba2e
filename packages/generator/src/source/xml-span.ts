import type { XmlElement } from "@bothends/xml";
import type { SourceText, Span } from "./span.js";

/** The name of an element's start tag: where a problem with the element as a whole is shown. */
export function spanOf(source: SourceText, element: XmlElement): Span {
  return { source, start: element.start, end: element.nameEnd };
}

/** The value of an attribute, between its quotes; the element's name where it has no such attribute. */
export function spanOfAttribute(source: SourceText, element: XmlElement, localName: string, namespace = ""): Span {
  for (const attribute of element.attributes) {
    if (attribute.localName === localName && attribute.namespace === namespace) {
      return { source, start: attribute.valueStart, end: attribute.valueEnd };
    }
  }
  return spanOf(source, element);
}

/** The whole element, from its start tag to its end tag. */
export function spanOfWhole(source: SourceText, element: XmlElement): Span {
  return { source, start: element.start, end: element.end };
}
