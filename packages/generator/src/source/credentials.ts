import type { XmlElement, XmlText, XmlTreeAttribute } from "@bothends/xml";
import type { Diagnostics } from "./diagnostics.js";
import { listCredentialsIn, withoutCredentials } from "./document-addresses.js";
import type { JsonMember, JsonNode, JsonScalarNode } from "./json.js";
import type { SourceText, Span } from "./span.js";

/** Removes the credentials from the addresses of an XML document, and reports each of them. */
export function removeRootCredentials(root: XmlElement, source: SourceText, diagnostics: Diagnostics): XmlElement {
  const { text } = source;
  return text.includes("@") || text.includes("&#") ? removeElementCredentials(root, { source, diagnostics }) : root;
}

interface Document {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
}

function removeElementCredentials(element: XmlElement, document: Document): XmlElement {
  const attributes = element.attributes.map((attribute) => removeAttributeCredentials(attribute, element, document));
  const children = element.children.map((child) =>
    child.kind === "element" ? removeElementCredentials(child, document) : removeTextCredentials(child, document),
  );
  const isUnchanged =
    attributes.every((attribute, index) => attribute === element.attributes[index]) &&
    children.every((child, index) => child === element.children[index]);
  if (isUnchanged) {
    return element;
  }
  const { kind, prefix, localName, namespace, start, end, nameEnd, declarations } = element;
  const resolve = (prefix: string) => element.resolve(prefix);
  return { kind, prefix, localName, namespace, attributes, children, start, end, nameEnd, declarations, resolve };
}

function removeAttributeCredentials(
  attribute: XmlTreeAttribute,
  element: XmlElement,
  document: Document,
): XmlTreeAttribute {
  const value = withoutCredentials(attribute.value);
  if (value === attribute.value || isPattern(element)) {
    return attribute;
  }
  const { source, diagnostics } = document;
  const span = { source, start: attribute.valueStart, end: attribute.valueEnd };
  const isKept = isInterfaceValue(attribute, element);
  reportCredentials(span, { address: `The address in "${attribute.localName}"`, isKept }, diagnostics);
  return isKept ? attribute : { ...attribute, value };
}

/**
 * Reports that an address contains credentials. They are removed, unless their value is part of the interface
 * (`isKept`).
 */
function reportCredentials(
  span: Span,
  { address, isKept }: { readonly address: string; readonly isKept: boolean },
  diagnostics: Diagnostics,
): void {
  const outcome = isKept ? "which are kept because the value is part of the interface" : "which are removed";
  diagnostics.warning("SRC012", span, {
    message: `${address} contains credentials, ${outcome}.`,
    help: isKept ? "Remove them if they are secret." : undefined,
  });
}

/** Whether clients and servers must use the same value of an attribute: a namespace, an action or a fixed value. */
function isInterfaceValue({ localName }: XmlTreeAttribute, { namespace }: XmlElement): boolean {
  if (/^(?:namespace|targetNamespace|soapAction|Action)$/.test(localName)) {
    return true;
  }
  return namespace.endsWith("/XMLSchema") && /^(?:default|fixed|value)$/.test(localName);
}

function isPattern({ localName, namespace }: XmlElement): boolean {
  return localName === "pattern" && namespace.endsWith("/XMLSchema");
}

function removeTextCredentials(node: XmlText, { source, diagnostics }: Document): XmlText {
  const text = withoutCredentials(node.text);
  if (text === node.text) {
    return node;
  }
  for (const span of listCredentialSpans(node, source)) {
    reportCredentials(span, { address: "An address in this text", isKept: false }, diagnostics);
  }
  return { ...node, text };
}

/**
 * Returns the spans of the credentials in a part of the source; the span of the whole part if only a URL parser can
 * find the credentials.
 */
function listCredentialSpans({ start, end }: XmlText, source: SourceText): readonly Span[] {
  const ranges = listCredentialsIn(source.text.slice(start, end));
  if (ranges.length === 0) {
    return [{ source, start, end }];
  }
  return ranges.map((range) => ({ source, start: start + range.start, end: start + range.end }));
}

/** Removes the credentials from the addresses of a JSON document, and reports each of them. */
export function removeJsonCredentials(node: JsonNode, diagnostics: Diagnostics): JsonNode {
  switch (node.kind) {
    case "scalar":
      return removeScalarCredentials(node, diagnostics);
    case "array":
      return { ...node, items: node.items.map((item) => removeJsonCredentials(item, diagnostics)) };
    case "object": {
      const members = [...node.members].map(([name, member]): readonly [string, JsonMember] => [
        name,
        { ...member, value: removeJsonCredentials(member.value, diagnostics) },
      ]);
      return { ...node, members: new Map(members) };
    }
  }
}

function removeScalarCredentials(node: JsonScalarNode, diagnostics: Diagnostics): JsonScalarNode {
  const { value, span, pointer } = node;
  if (typeof value !== "string" || pointer.endsWith("/pattern")) {
    return node;
  }
  const valueWithoutCredentials = withoutCredentials(value);
  if (valueWithoutCredentials === value) {
    return node;
  }
  // Keeps default, const and enum values, because clients and servers must use the same values.
  const isKept = /\/(?:default|const|enum\/[^/]+)$/.test(pointer);
  reportCredentials(span, { address: `The address at ${pointer}`, isKept }, diagnostics);
  return isKept ? node : { ...node, value: valueWithoutCredentials };
}
