import type { UsingAddressing, Word } from "./documents.js";
import type { WsdlElement } from "./element.js";
import { wsdlNamespace } from "./namespaces.js";

/** Where UsingAddressing is defined: the candidate recommendation that everybody implements, and the draft before it. */
const namespaces: ReadonlySet<string> = new Set([
  "http://www.w3.org/2006/05/addressing/wsdl",
  "http://www.w3.org/2006/02/addressing/wsdl",
]);

/** Where an Action attribute may be defined; the last one is the recommendation's (Metadata §4.4.1). */
const actionNamespaces = [
  ...namespaces,
  "http://www.w3.org/2005/08/addressing",
  "http://www.w3.org/2007/05/addressing/metadata",
];

/** Whether an element says that messages have addressing headers. */
export function isUsingAddressing({ localName, namespace }: WsdlElement): boolean {
  return localName === "UsingAddressing" && namespaces.has(namespace);
}

/** What a binding or a port says of addressing headers. */
export function readUsingAddressing(parent: WsdlElement): UsingAddressing | undefined {
  const element = parent.elements.find(isUsingAddressing);
  if (element === undefined) return undefined;
  const required = element.attribute("required", wsdlNamespace)?.text;
  return { required: required === "true" || required === "1" };
}

/** The action that a message of a port type is said to have. */
export function readAction(element: WsdlElement): Word | undefined {
  for (const namespace of actionNamespaces) {
    const action = element.attribute("Action", namespace);
    if (action !== undefined && action.text !== "") return action;
  }
  return undefined;
}
