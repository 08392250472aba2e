import type { XmlElement } from "@bothends/xml";
import { clark, splitQName } from "@bothends/xml/names";

export interface QName {
  readonly namespace: string;
  readonly local: string;
}

export function textOfName({ namespace, local }: QName): string {
  return clark(namespace, local);
}

/** The child elements of the namespace of their parent. */
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

/** The text of documentation: line ends are kept, the indentation of the document is not. Undefined if it is empty. */
export function documentationText(documentation: XmlElement): string | undefined {
  const lines = textOf(documentation)
    .split("\n")
    .map((line) => line.trim());
  return lines.join("\n").trim() || undefined;
}

function textOf({ children }: XmlElement): string {
  return children.map((child) => (child.kind === "text" ? child.text : textOf(child))).join("");
}
