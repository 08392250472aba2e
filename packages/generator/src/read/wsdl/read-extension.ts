import { isXsdNamespace } from "../xsd/namespaces.js";
import type { WsdlElement } from "./element.js";
import {
  httpNamespace,
  ignorableExtension,
  mimeNamespace,
  soap11Namespace,
  soap12Namespace,
  wsdlNamespace,
} from "./namespaces.js";
import { isUsingAddressing } from "./read-addressing.js";

/** Namespaces whose elements are read where they belong. */
const understood = new Set([soap11Namespace, soap12Namespace, httpNamespace, mimeNamespace]);

/**
 * Reports the children that stand where WSDL 1.1 has no place for them, and extensions that are not understood: an error
 * where `wsdl:required` says that they matter (§2.1.3), a remark elsewhere.
 */
export function checkChildren(parent: WsdlElement, allowed: readonly string[]): void {
  for (const child of parent.elements) {
    if (child.namespace === wsdlNamespace) checkChild(parent, child, allowed);
    else if (isSoap(child) && !soapNames.has(child.localName)) reportMisplaced(parent, child);
    else if (isUsingAddressing(child)) continue;
    else if (!understood.has(child.namespace) && !isXsdNamespace(child.namespace)) checkExtension(parent, child);
  }
}

const soapNames: ReadonlySet<string> = new Set(["binding", "operation", "body", "header", "fault", "address"]);

function isSoap({ namespace }: WsdlElement): boolean {
  return namespace === soap11Namespace || namespace === soap12Namespace;
}

function checkChild(parent: WsdlElement, child: WsdlElement, allowed: readonly string[]): void {
  if (child.localName === "documentation" || allowed.includes(child.localName)) return;
  reportMisplaced(parent, child);
}

function reportMisplaced(parent: WsdlElement, child: WsdlElement): void {
  child.diagnostics.warning("WSDL004", child.span, {
    message: `<${child.tag}> has no place in <${parent.tag}>; it is ignored.`,
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
    // It says that policies matter; the messages are what they are, and what a policy asks for
    // (a header, a signature) is the caller's to add.
    child.diagnostics.warning("WSDL008", child.span, {
      message: `The policies that <${child.tag}> requires are not applied.`,
      help: "Add what they ask for with a hook or a header, or choose a port without a policy.",
    });
  } else {
    child.diagnostics.error("WSDL006", child.span, {
      message: `<${child.tag}> in <${parent.tag}> is required, and is not supported (${known ?? namespaceText(child)}).`,
      help: 'Remove the element, or its wsdl:required="true", if clients can do without it.',
    });
  }
}

function namespaceText(element: WsdlElement): string {
  return element.namespace === "" ? "no namespace" : element.namespace;
}
