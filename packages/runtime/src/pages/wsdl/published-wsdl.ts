import { findAttribute, readTree, schemaLimits, type XmlElement, XmlError } from "@bothends/xml";
import { type Protocol, protocols } from "../../descriptor.js";
import { type ComplexType, type PublishedElement, type PublishedParticle, PublishedTypes } from "./published-types.js";
import {
  findDocumentationText,
  findNameIn,
  getTextOfName,
  isDocumentation,
  isTrue,
  listChildren,
  type QName,
  schemaNamespace,
} from "./wsdl-elements.js";

export type SoapVersion = "soap11" | "soap12";

/** The names of the protocols on pages. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  soap11: "SOAP 1.1",
  soap12: "SOAP 1.2",
  httpGet: "HTTP GET",
  httpPost: "HTTP POST",
};

/** The addresses of a service by protocol. */
export type Addresses = Readonly<Partial<Record<Protocol, string>>>;

/** A service as its published WSDL describes it. The names are those on the wire. */
export interface PublishedService {
  readonly documentation: string | undefined;
  readonly operations: readonly PublishedOperation[];
}

/** An operation, with what each protocol needs to call it. */
export interface PublishedOperation {
  readonly name: string;
  readonly documentation: string | undefined;
  readonly soap11?: PublishedSoapOperation | undefined;
  readonly soap12?: PublishedSoapOperation | undefined;
  readonly httpGet?: PublishedHttpOperation | undefined;
  readonly httpPost?: PublishedHttpOperation | undefined;
}

/** An operation in one version of SOAP. */
export interface PublishedSoapOperation {
  readonly action: string;
  /** Whether the content type of a SOAP 1.2 request must contain the action. */
  readonly isActionRequired: boolean;
  readonly input: SoapMessage;
  readonly output: SoapMessage | undefined;
}

/** The elements in the header and in the body of a message. */
export interface SoapMessage {
  readonly headers: readonly PublishedElement[];
  readonly body: readonly PublishedParticle[];
  /** Whether values are written in SOAP encoding, with their types. */
  readonly isEncoded: boolean;
}

/** An operation over HTTP GET or POST. */
export interface PublishedHttpOperation {
  /** The text to append to the address: `/CheckUSA`. */
  readonly location: string;
  /**
   * Whether the parameters replace names in parentheses in the location, such as `(name)`, instead of being sent in the
   * query (WSDL 1.1 §4.6).
   */
  readonly replacesLocation: boolean;
  readonly parameters: readonly PublishedParameter[];
  readonly answer: PublishedHttpAnswer;
}

/** A parameter of an operation over HTTP GET or POST. */
export interface PublishedParameter {
  readonly name: string;
  readonly isList: boolean;
}

/** The content of an answer over HTTP GET or POST. */
export type PublishedHttpAnswer =
  | { readonly kind: "xml"; readonly element: PublishedElement }
  | { readonly kind: "text" }
  | { readonly kind: "bytes"; readonly mediaType: string }
  | { readonly kind: "none" };

const namespaces = {
  wsdl: "http://schemas.xmlsoap.org/wsdl/",
  soap11: "http://schemas.xmlsoap.org/wsdl/soap/",
  soap12: "http://schemas.xmlsoap.org/wsdl/soap12/",
  http: "http://schemas.xmlsoap.org/wsdl/http/",
  mime: "http://schemas.xmlsoap.org/wsdl/mime/",
} as const;

/** Reads the first service of a WSDL. Returns undefined if the text is not a WSDL or describes no service. */
export function readPublishedWsdl(text: string): PublishedService | undefined {
  let definitions: XmlElement;
  try {
    definitions = readTree(text, schemaLimits);
  } catch (error) {
    if (error instanceof XmlError) {
      return undefined;
    }
    throw error;
  }
  const [service] = listChildren(definitions).filter(({ localName }) => localName === "service");
  return definitions.namespace === namespaces.wsdl && service !== undefined
    ? new WsdlReader(definitions).readService(service)
    : undefined;
}

interface Part {
  readonly name: string;
  readonly element: QName | undefined;
  readonly type: QName | undefined;
}

/** A port of the service, with its binding and its port type. */
interface BoundPort {
  readonly protocol: Protocol;
  readonly address: string;
  readonly binding: XmlElement;
  readonly portType: XmlElement;
}

/** An operation: its elements in the port type and in the binding. */
interface BoundOperation {
  readonly port: BoundPort;
  readonly portTypeOperation: XmlElement;
  readonly bindingOperation: XmlElement;
}

class WsdlReader {
  readonly #definitions: XmlElement;
  readonly #types: PublishedTypes;
  readonly #namespace: string;

  constructor(definitions: XmlElement) {
    this.#definitions = definitions;
    this.#namespace = findAttribute(definitions, "targetNamespace") ?? "";
    const schemas = listChildren(definitions)
      .filter(({ localName }) => localName === "types")
      .flatMap(({ children }) => children)
      .filter((child) => child.kind === "element" && child.namespace === schemaNamespace);
    this.#types = new PublishedTypes(schemas.flatMap((schema) => (schema.kind === "element" ? [schema] : [])));
  }

  readService(service: XmlElement): PublishedService {
    const ports = listChildren(service).flatMap((port) => this.#readPort(port) ?? []);
    return {
      documentation: findDocumentationIn(service) ?? findDocumentationIn(this.#definitions),
      operations: this.#readOperations(
        protocols.flatMap((protocol) => ports.find((port) => port.protocol === protocol) ?? []),
      ),
    };
  }

  #readPort(port: XmlElement): BoundPort | undefined {
    const binding = this.#findComponent("binding", findNameIn(port, "binding"));
    const portType = this.#findComponent("portType", findNameIn(binding, "type"));
    const protocol = binding && findProtocol(binding);
    if (port.localName !== "port" || binding === undefined || portType === undefined || protocol === undefined) {
      return undefined;
    }
    const [address] = listExtensions(port).filter(({ localName }) => localName === "address");
    return { protocol, binding, portType, address: (address && findAttribute(address, "location")) ?? "" };
  }

  #findComponent(kind: string, name: QName | undefined): XmlElement | undefined {
    return name?.namespace !== this.#namespace
      ? undefined
      : listChildren(this.#definitions).find(
          (node) => node.localName === kind && findAttribute(node, "name") === name.local,
        );
  }

  /** Returns the operations of all ports. Overloaded operations have the same name, and are matched by their order. */
  #readOperations(ports: readonly BoundPort[]): readonly PublishedOperation[] {
    const operations = new Map<string, PublishedOperation>();
    for (const port of ports) {
      const counts = new Map<string, number>();
      for (const portTypeOperation of listOperations(port.portType)) {
        const name = findAttribute(portTypeOperation, "name") ?? "";
        const position = counts.get(name) ?? 0;
        counts.set(name, position + 1);
        const bindingOperation = listOperations(port.binding).filter(
          (operation) => findAttribute(operation, "name") === name,
        )[position];
        if (bindingOperation !== undefined) {
          const key = `${position} ${name}`;
          const existingOperation = operations.get(key) ?? {
            name,
            documentation: findDocumentationIn(portTypeOperation),
          };
          operations.set(key, {
            ...existingOperation,
            [port.protocol]: this.#readOperation({ port, portTypeOperation, bindingOperation: bindingOperation }),
          });
        }
      }
    }
    return [...operations.values()];
  }

  #readOperation(operation: BoundOperation): PublishedSoapOperation | PublishedHttpOperation {
    const { protocol } = operation.port;
    return protocol === "soap11" || protocol === "soap12"
      ? this.#readSoapOperation(operation)
      : this.#readHttpOperation(operation);
  }

  #readSoapOperation({ port, portTypeOperation, bindingOperation }: BoundOperation): PublishedSoapOperation {
    const [soapOperation] = listExtensions(bindingOperation).filter(({ localName }) => localName === "operation");
    const [soapBinding] = listExtensions(port.binding).filter(({ localName }) => localName === "binding");
    const getStyle = (node: XmlElement | undefined) => node && findAttribute(node, "style");
    const isRpc = (getStyle(soapOperation) ?? getStyle(soapBinding)) === "rpc";
    const name = findAttribute(portTypeOperation, "name") ?? "";
    const readMessage = (direction: "input" | "output", wrapper: string) =>
      this.#readSoapMessage({
        portTypeOperation: portTypeOperation,
        bindingOperation: bindingOperation,
        direction,
        wrapper: isRpc ? wrapper : undefined,
      });
    return {
      action: (soapOperation && findAttribute(soapOperation, "soapAction")) ?? "",
      isActionRequired: isTrue(soapOperation && findAttribute(soapOperation, "soapActionRequired")),
      input: readMessage("input", name) ?? { headers: [], body: [], isEncoded: false },
      output: readMessage("output", `${name}Response`),
    };
  }

  #readSoapMessage({
    portTypeOperation,
    bindingOperation,
    direction,
    wrapper,
  }: MessageSource): SoapMessage | undefined {
    const portTypeMessage = findMessageIn(portTypeOperation, direction);
    if (portTypeMessage === undefined) {
      return undefined;
    }
    const bindingMessage = findMessageIn(bindingOperation, direction);
    const extensions = bindingMessage === undefined ? [] : listDescendantExtensions(bindingMessage);
    const soapBody = extensions.find(({ localName }) => localName === "body");
    const headers = extensions.filter(({ localName }) => localName === "header");
    const isEncoded = soapBody !== undefined && findAttribute(soapBody, "use") === "encoded";
    const message = findNameIn(portTypeMessage, "message");
    const partsOutsideBody = new Set([
      ...headers.filter((header) => isSameName(findNameIn(header, "message"), message)).map(getPartName),
      ...extensions.filter(({ namespace }) => namespace === namespaces.mime).map(getPartName),
    ]);
    const listedParts = soapBody && findAttribute(soapBody, "parts")?.split(/\s+/);
    const parts = this.#readParts(message).filter(
      ({ name }) => listedParts?.includes(name) ?? !partsOutsideBody.has(name),
    );
    return {
      headers: headers.flatMap((header) => this.#findHeaderElement(header) ?? []),
      body: wrapper === undefined ? this.#readDocumentBody(parts) : [this.#readRpcBody(wrapper, parts, soapBody)],
      isEncoded,
    };
  }

  #findHeaderElement(header: XmlElement): PublishedElement | undefined {
    const part = this.#readParts(findNameIn(header, "message")).find(({ name }) => name === getPartName(header));
    return part?.element && this.#types.readElement(part.element);
  }

  /**
   * Returns the body in document style. A part that refers to an element becomes this element; for a part that refers
   * to a type, the body has the content of this type (WSDL 1.1 §3.5).
   */
  #readDocumentBody(parts: readonly Part[]): readonly PublishedParticle[] {
    return parts.flatMap(({ element, type }): readonly PublishedParticle[] => {
      if (element !== undefined) {
        return [{ kind: "element", element: this.#types.readElement(element) }];
      }
      const definition = type && this.#types.readType(type);
      return definition?.kind === "complex" ? definition.readContent() : [{ kind: "any" }];
    });
  }

  /**
   * Returns the body in rpc style: an element with the operation's name, which contains one element for each part (WSDL
   * 1.1 §3.5).
   */
  #readRpcBody(localName: string, parts: readonly Part[], soapBody: XmlElement | undefined): PublishedParticle {
    const namespace = (soapBody && findAttribute(soapBody, "namespace")) ?? "";
    const content = parts.map(({ name, element, type }): PublishedParticle => {
      const declaredElement = element === undefined ? undefined : this.#types.readElement(element);
      const readType =
        declaredElement?.readType ??
        (() => (type === undefined ? { kind: "any" as const } : this.#types.readType(type)));
      return { kind: "element", element: createPlainElement({ namespace: "", local: name }, readType) };
    });
    const type: ComplexType = {
      kind: "complex",
      name: undefined,
      isMixed: false,
      text: undefined,
      attributes: [],
      readContent: () => content,
      substitute: () => undefined,
    };
    return { kind: "element", element: createPlainElement({ namespace, local: localName }, () => type) };
  }

  #readParts(message: QName | undefined): readonly Part[] {
    const node = this.#findComponent("message", message);
    const parts = node === undefined ? [] : listChildren(node).filter(({ localName }) => localName === "part");
    return parts.map((part) => ({
      name: findAttribute(part, "name") ?? "",
      element: findNameIn(part, "element"),
      type: findNameIn(part, "type"),
    }));
  }

  #readHttpOperation({ port, portTypeOperation, bindingOperation }: BoundOperation): PublishedHttpOperation {
    const [httpOperation] = listExtensions(bindingOperation).filter(({ localName }) => localName === "operation");
    const input = findMessageIn(bindingOperation, "input");
    const message = findMessageIn(portTypeOperation, "input");
    return {
      location: getLocationBelow(port.address, (httpOperation && findAttribute(httpOperation, "location")) ?? ""),
      replacesLocation:
        input !== undefined && listExtensions(input).some((node) => node.localName === "urlReplacement"),
      parameters: this.#readParts(message && findNameIn(message, "message")).flatMap((part) =>
        this.#readParameters(part),
      ),
      answer: this.#readHttpAnswer(portTypeOperation, bindingOperation),
    };
  }

  /**
   * Returns the parameters that a part declares: one per child element if the part refers to an element with a complex
   * type, otherwise one for the part itself.
   */
  #readParameters({ name, element, type }: Part): readonly PublishedParameter[] {
    const partType =
      element === undefined ? type && this.#types.readType(type) : this.#types.readElement(element).readType();
    if (element === undefined || partType?.kind !== "complex") {
      return [{ name, isList: partType?.kind === "array" }];
    }
    return partType
      .readContent()
      .flatMap((particle) =>
        particle.kind === "element" ? [{ name: particle.element.name.local, isList: particle.element.isRepeated }] : [],
      );
  }

  /**
   * Returns the description of an answer over HTTP: the first of the representations that the binding lists (WSDL 1.1
   * §5).
   */
  #readHttpAnswer(portTypeOperation: XmlElement, bindingOperation: XmlElement): PublishedHttpAnswer {
    const output = findMessageIn(bindingOperation, "output");
    const message = findMessageIn(portTypeOperation, "output");
    const [extension] =
      output === undefined
        ? []
        : listExtensions(output).filter(({ localName }) => /^(?:mimeXml|content)$/.test(localName));
    if (extension === undefined) {
      return { kind: "none" };
    }
    const mediaType = findAttribute(extension, "type") ?? "*/*";
    if (extension.localName === "content" && !/^(?:text|application)\/xml$/.test(mediaType)) {
      return mediaType.startsWith("text/") ? { kind: "text" } : { kind: "bytes", mediaType };
    }
    const parts = this.#readParts(message && findNameIn(message, "message"));
    const part = parts.find(({ name }) => name === getPartName(extension)) ?? parts[0];
    if (part === undefined) {
      return { kind: "none" };
    }
    return part.element === undefined
      ? { kind: "bytes", mediaType: "text/xml" }
      : { kind: "xml", element: this.#types.readElement(part.element) };
  }
}

interface MessageSource {
  readonly portTypeOperation: XmlElement;
  readonly bindingOperation: XmlElement;
  readonly direction: "input" | "output";
  /** In rpc style, the name of the element that contains the parts; undefined in document style. */
  readonly wrapper: string | undefined;
}

function createPlainElement(name: QName, type: PublishedElement["readType"]): PublishedElement {
  return {
    name,
    readType: type,
    isOptional: false,
    isRepeated: false,
    isNillable: false,
    fixed: undefined,
    default: undefined,
    documentation: undefined,
  };
}

function findProtocol(binding: XmlElement): Protocol | undefined {
  const [extension] = listExtensions(binding).filter(({ localName }) => localName === "binding");
  switch (extension?.namespace) {
    case namespaces.soap11:
      return "soap11";
    case namespaces.soap12:
      return "soap12";
    case namespaces.http:
      return findAttribute(extension, "verb") === "GET" ? "httpGet" : "httpPost";
    default:
      return undefined;
  }
}

/**
 * Returns the text that must be appended to an address so that the address ends with a slash and the location. If the
 * location begins with the last segment of the address, this segment is not repeated.
 */
function getLocationBelow(address: string, location: string): string {
  if (location === "" || /^(?:[/?]|[a-z][a-z0-9+.-]*:)/i.test(location)) {
    return location;
  }
  const lastSegment = /[^/?#]*(?=[?#]|$)/.exec(address)?.[0] ?? "";
  const repeatsLastSegment = lastSegment !== "" && location.startsWith(`${lastSegment}/`);
  return repeatsLastSegment ? location.slice(lastSegment.length) : `/${location}`;
}

function listOperations(parent: XmlElement): readonly XmlElement[] {
  return listChildren(parent).filter(({ localName }) => localName === "operation");
}

function findMessageIn(operation: XmlElement, direction: "input" | "output"): XmlElement | undefined {
  return listChildren(operation).find(({ localName }) => localName === direction);
}

/** Returns the child elements that belong to a binding's extension namespaces, such as `soap:body`. */
function listExtensions(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child.kind === "element" && child.namespace !== namespaces.wsdl,
  );
}

/** Returns the extension elements of a message in a binding, including those inside `mime:multipartRelated`. */
function listDescendantExtensions(parent: XmlElement): readonly XmlElement[] {
  return listExtensions(parent).flatMap((extension) =>
    extension.localName === "multipartRelated" || extension.localName === "part"
      ? listDescendantExtensions(extension)
      : [extension],
  );
}

function getPartName(extension: XmlElement): string {
  return findAttribute(extension, "part") ?? "";
}

function isSameName(left: QName | undefined, right: QName | undefined): boolean {
  return left !== undefined && right !== undefined && getTextOfName(left) === getTextOfName(right);
}

function findDocumentationIn(parent: XmlElement): string | undefined {
  const [documentation] = listChildren(parent).filter(isDocumentation);
  return documentation && findDocumentationText(documentation);
}
