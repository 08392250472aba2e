import { findScheme, isHttpScheme, isLocalScheme } from "../../source/document-addresses.js";
import type { KnownParts } from "../../source/known-documents.js";
import type { SpannedText } from "../../source/span.js";
import {
  httpNamespace,
  mimeNamespace,
  soap11Namespace,
  soap12Namespace,
  wsdlNamespace,
} from "../../source/xml-names.js";
import type {
  Binding,
  BindingFault,
  BindingMessage,
  BindingOperation,
  HttpAddress,
  HttpBinding,
  HttpOperation,
  MessageExtension,
  MimePart,
  SoapAddress,
  SoapBinding,
  SoapFault,
  SoapHeader,
  SoapHeaderFault,
  SoapOperation,
  SoapVersion,
} from "./documents.js";
import { readPolicies } from "./read-policies.js";
import {
  listItems,
  readRequiredExtensions,
  readUnlessKnown,
  readUsingAddressing,
  type WsdlElement,
} from "./wsdl-element.js";

const styleNames = ["document", "rpc"] as const;
const uses = ["literal", "encoded"] as const;

/** Reads `wsdl:binding` (WSDL 1.1 §2.5). */
export function readBinding(element: WsdlElement, knownParts?: KnownParts<BindingOperation>): Binding | undefined {
  const requiredExtensions = readRequiredExtensions(element, ["operation"]);
  reportMisplacedAttributes(element);
  const name = element.readDefinitionName("internal");
  const type = element.findRequiredReference("type");
  return (
    name &&
    type && {
      span: element.span,
      documentation: element.documentation,
      name,
      type,
      protocolBinding: readBindingProtocol(element),
      addressing: readUsingAddressing(element),
      policies: readPolicies(element),
      operations: element
        .listChildren("operation")
        .map((operation) => readUnlessKnown(operation, readBindingOperation, knownParts))
        .filter((operation) => operation !== undefined),
      requiredExtensions,
    }
  );
}

/**
 * The attributes of SOAP's extension elements (WSDL 1.1 §3.3 to §3.8). `soapActionRequired` is from the binding for
 * SOAP 1.2.
 */
const soapAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ["binding", ["style", "transport"]],
  ["operation", ["style", "soapAction", "soapActionRequired"]],
  ["body", ["parts", "use", "encodingStyle", "namespace"]],
  ["fault", ["name", "use", "encodingStyle", "namespace"]],
  ["header", ["message", "part", "use", "encodingStyle", "namespace"]],
  ["headerfault", ["message", "part", "use", "encodingStyle", "namespace"]],
]);

/** The names of attributes that occur on SOAP's extension elements but on none of WSDL's own elements. */
const soapAttributeNames: ReadonlySet<string> = new Set([
  "style",
  "transport",
  "soapAction",
  "parts",
  "part",
  "use",
  "encodingStyle",
]);

/** Reports attributes of SOAP's extension elements on other elements of a binding, such as `style` on `soap:body`. */
function reportMisplacedAttributes(element: WsdlElement): void {
  const isSoap = findSoapVersion(element) !== undefined;
  if (!isSoap && element.namespace !== wsdlNamespace) {
    return;
  }
  const allowedNames = isSoap ? soapAttributes.get(element.localName) : [];
  for (const { namespace, localName: name } of element.element.attributes) {
    if (namespace !== "" || !soapAttributeNames.has(name) || allowedNames?.includes(name) !== false) {
      continue;
    }
    const attribute = element.findAttribute(name);
    if (attribute !== undefined) {
      const allowedElements = [...soapAttributes]
        .filter(([, names]) => names.includes(name))
        .map(([owner]) => `soap:${owner}`);
      element.diagnostics.violation("WSDL052", attribute.span, {
        message: `The attribute "${name}" is not allowed on <${element.tag}>. It is ignored.`,
        help: `Move the attribute to ${allowedElements.join(", ").replace(/, ([^,]*)$/, " or $1")}, or remove it.`,
      });
    }
  }
  for (const child of element.elements) {
    reportMisplacedAttributes(child);
  }
}

/** Reads `soap:binding` or `http:binding`. */
function readBindingProtocol(parent: WsdlElement): SoapBinding | HttpBinding | undefined {
  for (const element of parent.elements) {
    if (element.localName !== "binding") {
      continue;
    }
    const version = findSoapVersion(element);
    if (version !== undefined) {
      const style = element.readChoice("style", styleNames, uses);
      return { kind: "soapBinding", span: element.span, version, transport: element.findAttribute("transport"), style };
    }
    if (element.namespace === httpNamespace) {
      const verb = element.findRequiredAttribute("verb");
      return verb && { kind: "httpBinding", span: element.span, verb };
    }
  }
  return undefined;
}

function findSoapVersion(element: WsdlElement): SoapVersion | undefined {
  if (element.namespace === soap11Namespace) {
    return "1.1";
  }
  if (element.namespace === soap12Namespace) {
    return "1.2";
  }
  return undefined;
}

function readBindingOperation(element: WsdlElement): BindingOperation | undefined {
  const messages = ["input", "output", "fault"];
  const requiredExtensions = [
    ...readRequiredExtensions(element, messages),
    ...messages.flatMap((name) => element.listChildren(name)).flatMap((message) => readRequiredExtensions(message, [])),
  ];
  const name = element.findRequiredAttribute("name");
  return (
    name && {
      span: element.span,
      documentation: element.documentation,
      name,
      protocolOperation: readOperationProtocol(element),
      input: element.listChildren("input").map(readBindingMessage)[0],
      output: element.listChildren("output").map(readBindingMessage)[0],
      faults: element.listChildren("fault").map(readBindingFault),
      requiredExtensions,
    }
  );
}

/** Reads `soap:operation` or `http:operation`. */
function readOperationProtocol(parent: WsdlElement): SoapOperation | HttpOperation | undefined {
  for (const element of parent.elements) {
    if (element.localName !== "operation") {
      continue;
    }
    const version = findSoapVersion(element);
    if (version !== undefined) {
      const style = element.readChoice("style", styleNames, uses);
      return {
        kind: "soapOperation",
        span: element.span,
        version,
        soapAction: element.findAttribute("soapAction"),
        style,
      };
    }
    if (element.namespace === httpNamespace) {
      const location = element.findRequiredAttribute("location");
      return location && { kind: "httpOperation", span: element.span, location };
    }
  }
  return undefined;
}

function readBindingMessage(element: WsdlElement): BindingMessage {
  return {
    span: element.span,
    documentation: element.documentation,
    name: element.findAttribute("name"),
    extensions: readMessageExtensions(element),
  };
}

/** Reads the extensions in a binding's `wsdl:input` or `wsdl:output`, or in `mime:part`. */
function readMessageExtensions(parent: WsdlElement): readonly MessageExtension[] {
  return parent.elements.map(readMessageExtension).filter((extension) => extension !== undefined);
}

function readMessageExtension(element: WsdlElement): MessageExtension | undefined {
  const version = findSoapVersion(element);
  if (version !== undefined) {
    return readSoapExtension(element, version);
  }
  if (element.namespace === httpNamespace) {
    return readHttpExtension(element);
  }
  if (element.namespace === mimeNamespace) {
    return readMimeExtension(element);
  }
  return undefined;
}

function readSoapExtension(element: WsdlElement, version: SoapVersion): MessageExtension | undefined {
  switch (element.localName) {
    case "body": {
      const parts = element.findAttribute("parts");
      return {
        kind: "soapBody",
        span: element.span,
        version,
        parts: parts && { span: parts.span, names: listItems(parts.text) },
        use: readUse(element),
        namespace: element.findAttribute("namespace"),
      };
    }
    case "header":
      return readSoapHeader(element, version);
    default:
      return ignoreElement(element);
  }
}

/** Reads `use`, which is optional. WSDL 1.1 §3.5 defines no default, but all known implementations assume literal. */
function readUse(element: WsdlElement): "literal" | "encoded" {
  return element.readChoice("use", uses) ?? "literal";
}

function readSoapHeader(element: WsdlElement, version: SoapVersion): SoapHeader | undefined {
  const message = element.findRequiredReference("message");
  const part = element.findRequiredAttribute("part");
  if (message === undefined || part === undefined) {
    return undefined;
  }
  const faults = element.elements.filter(
    (child) => findSoapVersion(child) !== undefined && child.localName === "headerfault",
  );
  return {
    kind: "soapHeader",
    span: element.span,
    version,
    message,
    part,
    use: readUse(element),
    headerFaults: faults.map(readSoapHeaderFault).filter((fault) => fault !== undefined),
  };
}

function readSoapHeaderFault(element: WsdlElement): SoapHeaderFault | undefined {
  const message = element.findRequiredReference("message");
  const part = element.findRequiredAttribute("part");
  return message && part && { kind: "soapHeaderFault", span: element.span, message, part, use: readUse(element) };
}

function ignoreElement(element: WsdlElement): undefined {
  element.diagnostics.warning("WSDL004", element.span, {
    message: `<${element.tag}> is not allowed at this position. It is ignored.`,
  });
  return undefined;
}

function readHttpExtension(element: WsdlElement): MessageExtension | undefined {
  switch (element.localName) {
    case "urlEncoded":
      return { kind: "urlEncoded", span: element.span };
    case "urlReplacement":
      return { kind: "urlReplacement", span: element.span };
    default:
      return ignoreElement(element);
  }
}

function readMimeExtension(element: WsdlElement): MessageExtension | undefined {
  switch (element.localName) {
    case "content":
      return {
        kind: "mimeContent",
        span: element.span,
        part: element.findAttribute("part"),
        type: element.findAttribute("type"),
      };
    case "mimeXml":
      return { kind: "mimeXml", span: element.span, part: element.findAttribute("part") };
    case "multipartRelated":
      return { kind: "mimeMultipartRelated", span: element.span, parts: readMimeParts(element) };
    default:
      return ignoreElement(element);
  }
}

function readMimeParts(element: WsdlElement): readonly MimePart[] {
  return element.elements
    .filter((child) => child.namespace === mimeNamespace && child.localName === "part")
    .map((part) => ({ span: part.span, extensions: readMessageExtensions(part) }));
}

function readBindingFault(element: WsdlElement): BindingFault {
  return {
    span: element.span,
    documentation: element.documentation,
    name: element.findAttribute("name"),
    soapFault: readSoapFault(element),
  };
}

/** Reads the `soap:fault` of a fault in a binding. */
function readSoapFault(parent: WsdlElement): SoapFault | undefined {
  const element = parent.elements.find((child) => findSoapVersion(child) !== undefined && child.localName === "fault");
  if (element === undefined) {
    return undefined;
  }
  return { kind: "soapFault", span: element.span, name: element.findAttribute("name"), use: readUse(element) };
}

/**
 * Reads the address of a port, which is a `soap:address` or `http:address`. Reports an unusable address, and returns
 * undefined.
 */
export function readAddress(port: WsdlElement): SoapAddress | HttpAddress | undefined {
  for (const element of port.elements) {
    if (element.localName !== "address") {
      continue;
    }
    const location = element.findAttribute("location");
    if (location === undefined) {
      continue;
    }
    const version = findSoapVersion(element);
    if (version === undefined && element.namespace !== httpNamespace) {
      continue;
    }
    if (!isUsableAddress(location, port, version)) {
      return undefined;
    }
    const { span } = element;
    return version === undefined
      ? { kind: "httpAddress", span, location }
      : { kind: "soapAddress", span, version, location };
  }
  return undefined;
}

/**
 * Whether an address has a network scheme. For an HTTP binding, the scheme must be HTTP or HTTPS (WSDL 1.1 §4). Reports
 * any other address.
 */
function isUsableAddress(location: SpannedText, port: WsdlElement, version: SoapVersion | undefined): boolean {
  const scheme = findScheme(location.text);
  const isLocal = isLocalScheme(scheme);
  if (!isLocal && (version !== undefined || isHttpScheme(scheme))) {
    return true;
  }
  const reason = isLocal ? "which is not a network scheme" : "but its binding uses HTTP";
  port.diagnostics.unresolved("WSDL049", location.span, {
    message: `The address of the port "${port.findAttribute("name")?.text ?? ""}" has the scheme "${scheme}", ${reason}.`,
    fallback: "The port has no address.",
  });
  return false;
}
