import type { XmlElement } from "@bothends/xml";

/** The value of an attribute in no namespace. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.namespace === "" && attribute.localName === name)?.value;
}
