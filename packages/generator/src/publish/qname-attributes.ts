import type { XmlElement } from "@bothends/xml";
import { xsdNamespace } from "../source/namespaces.js";

/** Attributes whose values are QNames, and so change with the prefixes. The wsdl:arrayType attribute has brackets behind its name. */
const inSchema: ReadonlySet<string> = new Set([
  "type",
  "ref",
  "base",
  "itemType",
  "memberTypes",
  "refer",
  "substitutionGroup",
]);
const inWsdl: ReadonlySet<string> = new Set(["message", "element", "type", "binding"]);

/** True where the value is one QName, or a list of them. */
export function holdsNames(elementNamespace: string, attribute: string): boolean {
  return (elementNamespace === xsdNamespace ? inSchema : inWsdl).has(attribute);
}

/** True where the name is that of a message, a port type or a binding. */
export function namesDefinition({ namespace, localName }: XmlElement, attribute: string): boolean {
  if (namespace === xsdNamespace) return false;
  return attribute === "message" || attribute === "binding" || (attribute === "type" && localName === "binding");
}

/** XPath expressions of identity constraints hold prefixes too (XSD 1.0 Part 1 §3.11.6). */
export function holdsPath(elementNamespace: string, attribute: string): boolean {
  return elementNamespace === xsdNamespace && attribute === "xpath";
}
