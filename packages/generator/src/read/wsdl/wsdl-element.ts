import { isNCName, type XmlElement, type XmlTreeAttribute } from "@bothends/xml";
import { type Diagnostics, formatQuotedList } from "../../source/diagnostics.js";
import type { KnownParts } from "../../source/known-documents.js";
import { toPartName } from "../../source/part-names.js";
import { describeLimitRemedy, type SourceLimits, shortenDescription } from "../../source/source-limits.js";
import {
  getNameSpan,
  isOnOneLine,
  type SourceText,
  type Span,
  type SpannedText,
  withParts,
} from "../../source/span.js";
import {
  httpNamespace,
  isXsdNamespace,
  mimeNamespace,
  soap11Namespace,
  soap12Namespace,
  wsdlNamespace,
  xsdNamespace,
} from "../../source/xml-names.js";
import { formatDocumentation } from "../xsd/xsd-element.js";
import type { Reference, RequiredExtension, UsingAddressing } from "./documents.js";

// Reads the attributes and children of the elements of a WSDL, and recognizes extensions.

/** The document to which an element belongs. */
interface WsdlDocument {
  readonly source: SourceText;
  readonly root: XmlElement;
  readonly diagnostics: Diagnostics;
  readonly limits: Pick<SourceLimits, "descriptionChars" | "nameChars">;
  readonly targetNamespace: string;
}

/** An element of a WSDL, with methods to read its attributes and children. */
export class WsdlElement {
  readonly element: XmlElement;
  readonly #document: WsdlDocument;
  #elements: readonly WsdlElement[] | undefined;

  constructor(element: XmlElement, document: WsdlDocument) {
    this.element = element;
    this.#document = document;
  }

  get source(): SourceText {
    return this.#document.source;
  }

  get diagnostics(): Diagnostics {
    return this.#document.diagnostics;
  }

  /**
   * The span of the name in the start tag, where problems of the element are reported, with the positions of those
   * attributes that are on other lines.
   */
  get span(): Span {
    const { attributes } = this.element;
    const span = getNameSpan(this.source, this.element);
    return isOnOneLine(this.source, span.start, attributes.at(-1)?.valueEnd ?? span.end)
      ? span
      : withParts(
          span,
          attributes.map((attribute) => [toPartName(attribute.localName), this.#getValueSpan(attribute)]),
        );
  }

  /** The root element of the document. */
  get root(): XmlElement {
    return this.#document.root;
  }

  /** The target namespace of the document. */
  get targetNamespace(): string {
    return this.#document.targetNamespace;
  }

  get localName(): string {
    return this.element.localName;
  }

  get namespace(): string {
    return this.element.namespace;
  }

  /** The element's name with the prefix that the document uses: `wsdl:part`. */
  get tag(): string {
    return this.element.prefix === "" ? this.localName : `${this.element.prefix}:${this.localName}`;
  }

  /** The text of all `wsdl:documentation` children (WSDL 1.1 §2.1.2). */
  get documentation(): string | undefined {
    let text = "";
    for (const child of this.element.children) {
      if (child.kind === "element" && child.localName === "documentation" && child.namespace === wsdlNamespace) {
        const childText = formatDocumentation(child);
        text = text === "" || childText === "" ? text + childText : `${text}\n\n${childText}`;
      }
    }
    return shortenDescription(text, this.#document.limits.descriptionChars);
  }

  /** The child elements. Created on first use, because several functions read them. */
  get elements(): readonly WsdlElement[] {
    this.#elements ??= this.element.children
      .filter((child) => child.kind === "element")
      .map((child) => new WsdlElement(child, this.#document));
    return this.#elements;
  }

  /** Returns the children in the WSDL namespace that have this local name. */
  listChildren(localName: string): readonly WsdlElement[] {
    return this.elements.filter((child) => child.localName === localName && child.namespace === wsdlNamespace);
  }

  findAttribute(localName: string, namespace = ""): SpannedText | undefined {
    const attribute = this.element.attributes.find(
      (candidate) => candidate.localName === localName && candidate.namespace === namespace,
    );
    return attribute === undefined ? undefined : { text: attribute.value.trim(), span: this.#getValueSpan(attribute) };
  }

  findRequiredAttribute(localName: string): SpannedText | undefined {
    const attributeValue = this.findAttribute(localName);
    if (attributeValue === undefined) {
      this.#reportMissingAttribute(localName);
    }
    return attributeValue;
  }

  /**
   * Reads the name of a definition, which must be an NCName. An invalid name is an error only if `use` is "sent",
   * because names of operations and parts become names of elements in messages.
   */
  readDefinitionName(use: "sent" | "internal"): SpannedText | undefined {
    const name = this.findRequiredAttribute("name");
    if (name === undefined) {
      return undefined;
    }
    const { limits } = this.#document;
    if (name.text.length > limits.nameChars) {
      this.diagnostics.error("XML017", name.span, {
        message: `The name of <${this.tag}> is too long: it has ${name.text.length} characters.`,
        ...describeLimitRemedy("nameChars", limits),
      });
    } else if (!isNCName(name.text)) {
      const message = `The name "${name.text}" of <${this.tag}> is not a valid XML name.`;
      if (use === "sent") {
        this.diagnostics.error("WSDL050", name.span, { message });
      } else {
        this.diagnostics.violation("WSDL051", name.span, {
          message: `${message} It is used unchanged, because messages do not contain it.`,
          help: "No action is needed here, but other tools may refuse the WSDL. For them, use only letters, digits, `-`, `_` and `.` in the name, and change the references to it.",
        });
      }
    }
    return name;
  }

  findReference(localName: string): Reference | undefined {
    const attributeValue = this.findAttribute(localName);
    return attributeValue === undefined ? undefined : this.resolve(attributeValue);
  }

  findRequiredReference(localName: string): Reference | undefined {
    const attributeValue = this.findRequiredAttribute(localName);
    return attributeValue === undefined ? undefined : this.resolve(attributeValue);
  }

  /** Resolves the QName in an attribute of this element. */
  resolve(attributeValue: SpannedText): Reference | undefined {
    const colon = attributeValue.text.indexOf(":");
    const prefix = colon < 0 ? "" : attributeValue.text.slice(0, colon);
    const namespace = this.element.resolve(prefix);
    if (namespace === undefined && prefix !== "") {
      return this.#resolveUndeclared(attributeValue, prefix);
    }
    return {
      text: attributeValue.text,
      span: attributeValue.span,
      namespace: normalizeXsdNamespace(namespace ?? ""),
      local: attributeValue.text.slice(colon + 1),
    };
  }

  /**
   * Reads an attribute whose value must be one of several strings. A value in `misplacedValues` belongs to another
   * attribute; it is reported and ignored.
   */
  readChoice<const Value extends string>(
    localName: string,
    values: readonly Value[],
    misplacedValues: readonly string[] = [],
  ): Value | undefined {
    const attributeValue = this.findAttribute(localName);
    if (attributeValue === undefined) {
      return undefined;
    }
    const value = values.find((candidate) => candidate === attributeValue.text);
    if (value !== undefined) {
      return value;
    }
    const message = `The value "${attributeValue.text}" of "${localName}" on <${this.tag}> is not one of ${formatQuotedList(values)}.`;
    const inOtherCase = values.find((candidate) => candidate.toLowerCase() === attributeValue.text.toLowerCase());
    if (inOtherCase !== undefined) {
      const help = `Write "${inOtherCase}".`;
      this.diagnostics.violation("WSDL005", attributeValue.span, {
        message: `${message} It is read as "${inOtherCase}".`,
        help,
      });
      return inOtherCase;
    }
    // "literal" and "encoded" belong to `use`, so they do not determine the style.
    if (misplacedValues.includes(attributeValue.text)) {
      this.diagnostics.violation("WSDL005", attributeValue.span, { message: `${message} It is ignored.` });
    } else {
      this.diagnostics.unresolved("WSDL005", attributeValue.span, { message, fallback: "The attribute is ignored." });
    }
    return undefined;
  }

  /**
   * Reports an undeclared prefix. In lenient mode, `xs` and `xsd` mean XSD, and every other prefix means the target
   * namespace.
   */
  #resolveUndeclared(attributeValue: SpannedText, prefix: string): Reference | undefined {
    const namespace = prefix === "xs" || prefix === "xsd" ? xsdNamespace : this.targetNamespace;
    const lenient = this.diagnostics.strictness === "lenient";
    this.diagnostics.unresolved("WSDL003", attributeValue.span, {
      message: `The prefix "${prefix}" of "${attributeValue.text}" is not declared.`,
      help: `Declare xmlns:${prefix}, or use a prefix that is declared.`,
      fallback: namespace === "" ? "The name is read without a namespace." : `The prefix is read as ${namespace}.`,
    });
    return lenient ? { ...attributeValue, namespace, local: attributeValue.text.slice(prefix.length + 1) } : undefined;
  }

  #reportMissingAttribute(localName: string): void {
    this.diagnostics.unresolved("WSDL002", this.span, {
      message: `<${this.tag}> has no attribute "${localName}".`,
      fallback: "The element is left out.",
    });
  }

  #getValueSpan(attribute: XmlTreeAttribute): Span {
    return { source: this.source, start: attribute.valueStart, end: attribute.valueEnd };
  }
}

/**
 * Reads an element, or reuses the result from an earlier run. A result with diagnostics is not stored for later runs,
 * because it may depend on more than the element.
 */
export function readUnlessKnown<Part extends object>(
  element: WsdlElement,
  read: (element: WsdlElement) => Part | undefined,
  knownParts: KnownParts<Part> | undefined,
): Part | undefined {
  const knownPart = knownParts?.find(element.element, element.source);
  if (knownPart !== undefined) {
    return knownPart;
  }
  const earlierCount = element.diagnostics.all.length;
  const part = read(element);
  if (part !== undefined && element.diagnostics.all.length === earlierCount) {
    knownParts?.keep(element.element, part);
  }
  return part;
}

/** Replaces the namespace of an XSD working draft with the namespace of XSD 1.0. */
function normalizeXsdNamespace(namespace: string): string {
  return isXsdNamespace(namespace) ? xsdNamespace : namespace;
}

/** Splits a list at white space into its items. */
export function listItems(text: string): readonly string[] {
  return text.split(/[ \t\r\n]+/).filter((item) => item !== "");
}

/**
 * The namespaces of the element UsingAddressing: first the namespace of the candidate recommendation, which
 * implementations use, then that of the preceding draft.
 */
const addressingNamespaces: ReadonlySet<string> = new Set([
  "http://www.w3.org/2006/05/addressing/wsdl",
  "http://www.w3.org/2006/02/addressing/wsdl",
]);

/** The namespaces of the attribute Action. The last namespace is the one in the recommendation (Metadata §4.4.1). */
const actionNamespaces = [
  ...addressingNamespaces,
  "http://www.w3.org/2005/08/addressing",
  "http://www.w3.org/2007/05/addressing/metadata",
];

/** Reads the UsingAddressing element of a binding or a port. */
export function readUsingAddressing(parent: WsdlElement): UsingAddressing | undefined {
  const element = parent.elements.find(isUsingAddressing);
  if (element === undefined) {
    return undefined;
  }
  const requiredText = element.findAttribute("required", wsdlNamespace)?.text;
  return { span: element.span, required: requiredText === "true" || requiredText === "1" };
}

/** Whether an element is UsingAddressing, which declares that messages have WS-Addressing headers. */
function isUsingAddressing({ localName, namespace }: WsdlElement): boolean {
  return localName === "UsingAddressing" && addressingNamespaces.has(namespace);
}

/** Reads the WS-Addressing action of an operation's input, output or fault. */
export function readAction(element: WsdlElement): SpannedText | undefined {
  for (const namespace of actionNamespaces) {
    const action = element.findAttribute("Action", namespace);
    if (action !== undefined && action.text !== "") {
      return action;
    }
  }
  return undefined;
}

/**
 * The namespaces of extensions that do not change messages, such as policies and hints for other tools, each with the
 * name of the extension.
 */
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
  // MTOM is optional: clients and servers may always send messages without it (MTOM Policy Assertion §2), as the
  // runtime does.
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

/** The namespaces of supported extensions. */
const supportedNamespaces = new Set([soap11Namespace, soap12Namespace, httpNamespace, mimeNamespace]);

/**
 * Reports children that WSDL 1.1 does not allow, and unsupported extensions. An extension is reported as an error if
 * `wsdl:required` is true (§2.1.3), otherwise as an info.
 */
export function checkChildren(parent: WsdlElement, allowedNames: readonly string[]): void {
  for (const extension of readRequiredExtensions(parent, allowedNames)) {
    parent.diagnostics.unresolved("WSDL006", extension.span, { message: extension.message, ...ignoredExtension });
  }
}

/** The help and the fallback for an unsupported extension that is required. */
export const ignoredExtension = {
  help: 'If clients can work without the extension, remove the element or its attribute wsdl:required="true".',
  fallback: "The extension is ignored. A service that requires it refuses the messages.",
} as const;

/** Checks children like `checkChildren`, but returns required extensions instead of reporting them. */
export function readRequiredExtensions(
  parent: WsdlElement,
  allowedNames: readonly string[],
): readonly RequiredExtension[] {
  const requiredExtensions: RequiredExtension[] = [];
  for (const child of parent.elements) {
    if (child.namespace === wsdlNamespace) {
      checkChild(parent, child, allowedNames);
    } else if (isSoap(child) && !soapNames.has(child.localName)) {
      reportMisplaced(parent, child);
    } else if (isUsingAddressing(child)) {
    } else if (!supportedNamespaces.has(child.namespace) && !isXsdNamespace(child.namespace)) {
      requiredExtensions.push(...checkExtension(parent, child));
    }
  }
  return requiredExtensions;
}

const soapNames: ReadonlySet<string> = new Set(["binding", "operation", "body", "header", "fault", "address"]);

function isSoap({ namespace }: WsdlElement): boolean {
  return namespace === soap11Namespace || namespace === soap12Namespace;
}

function checkChild(parent: WsdlElement, child: WsdlElement, allowedNames: readonly string[]): void {
  if (child.localName === "documentation" || allowedNames.includes(child.localName)) {
    return;
  }
  reportMisplaced(parent, child);
}

function reportMisplaced(parent: WsdlElement, child: WsdlElement): void {
  child.diagnostics.warning("WSDL004", child.span, {
    message: `<${child.tag}> is not allowed in <${parent.tag}>. It is ignored.`,
  });
}

function checkExtension(parent: WsdlElement, child: WsdlElement): readonly RequiredExtension[] {
  const extensionName = ignorableExtensions.get(child.namespace);
  const requiredText = child.findAttribute("required", wsdlNamespace)?.text;
  if (requiredText !== "true" && requiredText !== "1") {
    child.diagnostics.info("WSDL007", child.span, {
      message: `<${child.tag}> in <${parent.tag}> is ignored (${extensionName ?? `an extension of ${formatNamespace(child)}`}).`,
    });
  } else if (extensionName === "WS-Policy") {
    // The policy does not change the messages that the WSDL describes, but the caller must add whatever it requires,
    // such as a header or a signature.
    child.diagnostics.warning("WSDL008", child.span, {
      message: `The policies that <${child.tag}> requires are not applied.`,
      help: "Send what the policies require (for example, add a security header with a hook), or use a port without policies.",
    });
  } else {
    const message = `<${child.tag}> in <${parent.tag}> is marked as required but is not supported (${extensionName ?? formatNamespace(child)}).`;
    return [{ span: child.span, message }];
  }
  return [];
}

function formatNamespace(element: WsdlElement): string {
  return element.namespace === "" ? "no namespace" : element.namespace;
}
