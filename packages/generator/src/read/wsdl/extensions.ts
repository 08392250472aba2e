import {
  httpNamespace,
  isXsdNamespace,
  mimeNamespace,
  soap11Namespace,
  soap12Namespace,
  wsdlNamespace,
} from "../../source/names.js";
import type { SpannedText } from "../../source/span.js";
import type { UsingAddressing } from "./documents.js";
import type { WsdlElement } from "./wsdl-element.js";

/** Namespaces of UsingAddressing: of the candidate recommendation, which implementations use, and of the draft before it. */
const addressingNamespaces: ReadonlySet<string> = new Set([
  "http://www.w3.org/2006/05/addressing/wsdl",
  "http://www.w3.org/2006/02/addressing/wsdl",
]);

/** Namespaces of the Action attribute; the last one is that of the recommendation (Metadata §4.4.1). */
const actionNamespaces = [
  ...addressingNamespaces,
  "http://www.w3.org/2005/08/addressing",
  "http://www.w3.org/2007/05/addressing/metadata",
];

/** Whether an element declares that messages have addressing headers. */
function isUsingAddressing({ localName, namespace }: WsdlElement): boolean {
  return localName === "UsingAddressing" && addressingNamespaces.has(namespace);
}

/** Reads the UsingAddressing element of a binding or a port. */
export function readUsingAddressing(parent: WsdlElement): UsingAddressing | undefined {
  const element = parent.elements.find(isUsingAddressing);
  if (element === undefined) {
    return undefined;
  }
  const required = element.attribute("required", wsdlNamespace)?.text;
  return { required: required === "true" || required === "1" };
}

/** Reads the WS-Addressing action of a message of a port type. */
export function readAction(element: WsdlElement): SpannedText | undefined {
  for (const namespace of actionNamespaces) {
    const action = element.attribute("Action", namespace);
    if (action !== undefined && action.text !== "") {
      return action;
    }
  }
  return undefined;
}

/** Extensions that do not change messages, such as policies and hints for other tools. */
const ignorableExtensions: ReadonlyMap<string, string> = new Map([
  ["http://schemas.xmlsoap.org/ws/2002/12/policy", "WS-Policy"],
  ["http://schemas.xmlsoap.org/ws/2004/09/policy", "WS-Policy"],
  ["http://www.w3.org/2006/07/ws-policy", "WS-Policy"],
  ["http://www.w3.org/ns/ws-policy", "WS-Policy"],
  ["http://www.w3.org/2006/02/addressing/wsdl", "WS-Addressing"],
  ["http://www.w3.org/2006/05/addressing/wsdl", "WS-Addressing"],
  ["http://www.w3.org/2007/05/addressing/metadata", "WS-Addressing"],
  ["http://schemas.xmlsoap.org/ws/2004/08/addressing", "WS-Addressing"],
  ["http://www.w3.org/2005/08/addressing", "WS-Addressing"],
  // MTOM is optional for a peer (MTOM Policy Assertion §2), and the runtime does not use it.
  ["http://schemas.xmlsoap.org/ws/2004/09/policy/optimizedmimeserialization", "MTOM"],
  ["http://www.w3.org/2007/08/soap12-mtom-policy", "MTOM"],
  ["http://java.sun.com/xml/ns/jaxws", "JAX-WS customization"],
  ["http://schemas.xmlsoap.org/ws/2003/05/partner-link/", "BPEL partner links"],
  ["http://docs.oasis-open.org/wsbpel/2.0/plnktype", "BPEL partner links"],
  ["http://docs.oasis-open.org/wsbpel/2.0/varprop", "BPEL properties"],
  ["http://schemas.microsoft.com/soap-toolkit/wsdl-extension", "SOAP Toolkit"],
  ["http://schemas.microsoft.com/ws/2005/12/wsdl/contract", "WCF"],
  ["http://microsoft.com/wsdl/mime/textMatching/", "text matching"],
]);

/** Returns the name of an extension that does not change messages; undefined for other namespaces. */
function ignorableExtension(namespace: string): string | undefined {
  return ignorableExtensions.get(namespace);
}

/** Namespaces of supported extensions. */
const supportedNamespaces = new Set([soap11Namespace, soap12Namespace, httpNamespace, mimeNamespace]);

/**
 * Reports children that WSDL 1.1 does not allow, and unsupported extensions: an error if `wsdl:required` is true (§2.1.3), else
 * an info.
 */
export function checkChildren(parent: WsdlElement, allowed: readonly string[]): void {
  for (const child of parent.elements) {
    if (child.namespace === wsdlNamespace) {
      checkChild(parent, child, allowed);
    } else if (isSoap(child) && !soapNames.has(child.localName)) {
      reportMisplaced(parent, child);
    } else if (isUsingAddressing(child)) {
    } else if (!supportedNamespaces.has(child.namespace) && !isXsdNamespace(child.namespace)) {
      checkExtension(parent, child);
    }
  }
}

const soapNames: ReadonlySet<string> = new Set(["binding", "operation", "body", "header", "fault", "address"]);

function isSoap({ namespace }: WsdlElement): boolean {
  return namespace === soap11Namespace || namespace === soap12Namespace;
}

function checkChild(parent: WsdlElement, child: WsdlElement, allowed: readonly string[]): void {
  if (child.localName === "documentation" || allowed.includes(child.localName)) {
    return;
  }
  reportMisplaced(parent, child);
}

function reportMisplaced(parent: WsdlElement, child: WsdlElement): void {
  child.diagnostics.warning("WSDL004", child.span, {
    message: `<${child.tag}> is not allowed in <${parent.tag}>. It is ignored.`,
  });
}

function checkExtension(parent: WsdlElement, child: WsdlElement): void {
  const known = ignorableExtension(child.namespace);
  const required = child.attribute("required", wsdlNamespace)?.text;
  if (required !== "true" && required !== "1") {
    child.diagnostics.info("WSDL007", child.span, {
      message: `<${child.tag}> in <${parent.tag}> is ignored (${known ?? `an extension of ${namespaceText(child)}`}).`,
    });
  } else if (known === "WS-Policy") {
    // A policy does not change the messages in the WSDL. The caller must add what it requires, such as a header or a signature.
    child.diagnostics.warning("WSDL008", child.span, {
      message: `The policies that <${child.tag}> requires are not applied.`,
      help: "Send what the policies require, such as a security header, with a hook or a header, or use a port without policies.",
    });
  } else {
    child.diagnostics.unresolved("WSDL006", child.span, {
      message: `<${child.tag}> in <${parent.tag}> is marked as required but is not supported (${known ?? namespaceText(child)}).`,
      help: 'If clients can work without the extension, remove the element or its wsdl:required="true".',
      fallback: "It is ignored, and peers that insist on the extension refuse the messages.",
    });
  }
}

function namespaceText(element: WsdlElement): string {
  return element.namespace === "" ? "no namespace" : element.namespace;
}
