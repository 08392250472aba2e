import { escapeAttribute, escapeText, xmlNamespace } from "@bothends/xml";
import { findDocumentedExample, isPossible } from "../example-values.js";
import type {
  ArrayType,
  ComplexType,
  PublishedAttribute,
  PublishedElement,
  PublishedParticle,
  PublishedType,
} from "./published-types.js";
import type {
  PublishedHttpAnswer,
  PublishedHttpOperation,
  PublishedSoapOperation,
  SoapMessage,
  SoapVersion,
} from "./published-wsdl.js";
import { type QName, schemaNamespace } from "./wsdl-elements.js";

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';
const xmlContentType = "text/xml; charset=utf-8";

const soapNamespaces: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
};
const soapContentTypes: Readonly<Record<SoapVersion, string>> = {
  soap11: xmlContentType,
  soap12: "application/soap+xml; charset=utf-8",
};

/** A request and its answer with example values. */
export interface Sample {
  readonly request: string;
  readonly response: string;
}

/** Writes a sample request and answer of an operation for one version of SOAP. */
export function writeSoapSample(version: SoapVersion, operation: PublishedSoapOperation, address: string): Sample {
  const headers = writeSoapHeaders(version, operation).map(([name, value]) => `${name}: ${value}\n`);
  const request = `${writeStartLine("POST", address)}${headers.join("")}\n${writeEnvelope(version, operation.input, false)}`;
  const { output } = operation;
  const response =
    output === undefined
      ? "HTTP/1.1 202 Accepted\n"
      : writeAnswerHead(soapContentTypes[version]) + writeEnvelope(version, output, true);
  return { request, response };
}

/**
 * Returns the HTTP headers that tell the server which operation a SOAP request calls. The first header is
 * `Content-Type`.
 */
export function writeSoapHeaders(
  version: SoapVersion,
  { action, isActionRequired }: PublishedSoapOperation,
): readonly (readonly [name: string, value: string])[] {
  const type = soapContentTypes[version];
  if (version === "soap11") {
    return [
      ["Content-Type", type],
      ["SOAPAction", `"${action}"`],
    ];
  }
  return [["Content-Type", isActionRequired ? `${type}; action="${action}"` : type]];
}

function writeStartLine(method: string, address: string): string {
  const [, host = "", path = ""] = /^[^:]*:\/\/([^/]*)(.*)$/s.exec(address) ?? ["", "", address];
  return `${method} ${path} HTTP/1.1\n${host === "" ? "" : `Host: ${host}\n`}`;
}

function writeAnswerHead(type: string): string {
  return `HTTP/1.1 200 OK\nContent-Type: ${type}\n\n`;
}

function writeEnvelope(version: SoapVersion, message: SoapMessage, addsComments: boolean): string {
  const headers = createHeaderNodes(message, addsComments);
  return [
    `${writeEnvelopeStart(version, message)}\n`,
    ...(headers.length === 0 ? [] : ["  <soap:Header>\n", writeSampleNodes(headers, 2), "  </soap:Header>\n"]),
    `  <soap:Body>\n${writeSampleNodes(createBodyNodes(version, message, addsComments), 2)}  </soap:Body>\n</soap:Envelope>`,
  ].join("");
}

/** Returns the beginning of a SOAP message: the XML declaration and the start tag of the envelope. */
export function writeEnvelopeStart(version: SoapVersion, { isEncoded }: SoapMessage): string {
  const encodingStyle =
    isEncoded && version === "soap11" ? ' soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"' : "";
  return `${xmlDeclaration}\n<soap:Envelope xmlns:soap="${soapNamespaces[version]}" xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"${encodingStyle}>`;
}

/** Returns the sample elements in a message's body. */
export function createBodyNodes(
  version: SoapVersion,
  { body, isEncoded }: SoapMessage,
  addsComments = false,
): readonly SampleNode[] {
  return new SampleWriter({ encoding: isEncoded ? version : undefined, addsComments }).writeParticles(body);
}

/** Returns the sample elements of a message's header blocks. */
export function createHeaderNodes({ headers }: SoapMessage, addsComments = false): readonly SampleNode[] {
  const writer = new SampleWriter({ addsComments });
  return headers.map((header) => writer.writeElement(header));
}

/**
 * Writes a sample request and answer of an operation over HTTP GET or POST. `examples` contains the parameters' values
 * by name.
 */
export function writeHttpSample(
  method: "GET" | "POST",
  operation: PublishedHttpOperation,
  { address, examples }: { readonly address: string; readonly examples: ReadonlyMap<string, string> },
): Sample {
  const { location, replacesLocation, parameters, answer } = operation;
  const getExampleFor = (name: string) => encodeURIComponent(examples.get(name) ?? "string");
  const response = writeHttpAnswer(answer);
  if (replacesLocation) {
    const filledAddress = parameters.reduce(
      (text, { name }) => text.replace(`(${name})`, () => getExampleFor(name)),
      location,
    );
    return { request: writeStartLine(method, address + filledAddress), response };
  }
  const query = parameters.map(({ name }) => `${encodeURIComponent(name)}=${getExampleFor(name)}`).join("&");
  if (method === "GET") {
    return { request: writeStartLine(method, `${address}${location}${query === "" ? "" : "?"}${query}`), response };
  }
  const type = "Content-Type: application/x-www-form-urlencoded";
  return { request: `${writeStartLine(method, address + location)}${type}\n\n${query}`, response };
}

function writeHttpAnswer(answer: PublishedHttpAnswer): string {
  switch (answer.kind) {
    case "xml":
      return `${writeAnswerHead(xmlContentType)}${xmlDeclaration}\n${writeSampleNodes([createDocumentElement(answer)]).trimEnd()}`;
    case "text":
      return `${writeAnswerHead("text/plain; charset=utf-8")}string`;
    case "bytes":
      return `${writeAnswerHead(answer.mediaType)}(bytes)`;
    case "none":
      return "HTTP/1.1 200 OK\n";
  }
}

/**
 * Returns the root element of an XML answer. It contains the namespace declarations that a SOAP message has on its
 * envelope.
 */
function createDocumentElement({ element }: Extract<PublishedHttpAnswer, { kind: "xml" }>): SampleNode {
  const sample = new SampleWriter({ addsComments: true }).writeElement(element);
  const declarations = ` xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;
  const name = `<${sample.name}`;
  return { ...sample, start: name + declarations + sample.start.slice(name.length) };
}

/** An element of a sample message. */
export interface SampleElement {
  /** The start tag without its `>`. */
  readonly start: string;
  readonly name: string;
  /** The element's child elements or its text. */
  readonly content: readonly SampleNode[] | string;
  /** A comment to write after the element. It contains the element's documentation and allowed values. */
  readonly comment?: string | undefined;
}

/** A child of an element in an example message. */
export type SampleNode = SampleElement | { readonly comment: string };

const encodingNamespaces: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/encoding/",
  soap12: "http://www.w3.org/2003/05/soap-encoding",
};

interface SampleOptions {
  /** The SOAP version whose encoding the message uses; undefined for literal messages. */
  readonly encoding?: SoapVersion | undefined;
  /** Whether to add comments with documentation and with the values of enumerations. Default `false`. */
  readonly addsComments?: boolean | undefined;
}

/**
 * Writes elements with example values. Where a type contains itself, an optional element is left out, and a required
 * element is written empty.
 */
export class SampleWriter {
  readonly #encoding: SoapVersion | undefined;
  readonly #addsComments: boolean;
  /** The types and groups that are being written: types by identity, groups by name. */
  readonly #openTypes = new Set<object | string>();
  /**
   * The number of elements and groups that can still be written. Without this limit, the size of a sample could grow
   * exponentially with the depth of nested types, and the time with the depth of nested groups.
   */
  #remainingElements = 600;

  constructor({ encoding, addsComments = false }: SampleOptions = {}) {
    this.#encoding = encoding;
    this.#addsComments = addsComments;
  }

  /**
   * Writes one occurrence of an element. `defaultNamespace` is the default namespace that applies where the element is
   * written.
   */
  writeElement(element: PublishedElement, defaultNamespace = ""): SampleElement {
    const sample = this.#writePlainElement(element, defaultNamespace);
    if (isNodes(sample.content)) {
      return this.#addsComments ? { ...sample, comment: element.documentation } : sample;
    }
    const content = createExample(element, sample.content);
    return this.#addsComments ? { ...sample, content, comment: findValueComment(element) } : { ...sample, content };
  }

  writeParticles(particles: readonly PublishedParticle[], defaultNamespace = ""): readonly SampleNode[] {
    return particles.flatMap((particle) =>
      this.#remainingElements <= 0 ? [] : this.#writeParticle(particle, defaultNamespace),
    );
  }

  #writePlainElement({ name, isNillable, readType }: PublishedElement, defaultNamespace: string): SampleElement {
    this.#remainingElements -= 1;
    const declaration = name.namespace === defaultNamespace ? "" : ` xmlns="${escapeAttribute(name.namespace)}"`;
    const start = `<${name.local}${declaration}`;
    const type = readType();
    switch (type.kind) {
      case "simple":
      case "any": {
        const typeAttribute = this.#encoding === undefined ? "" : formatXsiType(getTypeName(type), name.namespace);
        return {
          start: start + typeAttribute,
          name: name.local,
          content: type.kind === "simple" ? type.example : "text",
        };
      }
      case "array":
        return this.#writeArray(start, name, type);
      case "complex":
        return this.#writeComplexElement(start, { name, isNillable }, type);
    }
  }

  #writeComplexElement(
    start: string,
    { name, isNillable }: Pick<PublishedElement, "name" | "isNillable">,
    declaredType: ComplexType,
  ): SampleElement {
    const substitute = declaredType.substitute();
    const type = substitute ?? declaredType;
    const isTyped = type.name !== undefined && (substitute !== undefined || this.#encoding !== undefined);
    const typeAttribute = isTyped ? formatXsiType(getTypeName(type), name.namespace) : "";
    if (this.#openTypes.has(type) || this.#remainingElements <= 0) {
      return { start: start + (isNillable ? ' xsi:nil="true"' : typeAttribute), name: name.local, content: [] };
    }
    this.#openTypes.add(type);
    const content = this.#writeContent(type, name.namespace);
    this.#openTypes.delete(type);
    return { start: start + typeAttribute + writeAttributes(type.attributes), name: name.local, content };
  }

  #writeContent(type: ComplexType, defaultNamespace: string): SampleElement["content"] {
    if (type.text !== undefined) {
      return type.text.example;
    }
    return type.isMixed ? "text and elements" : this.writeParticles(type.readContent(), defaultNamespace);
  }

  /**
   * Writes a SOAP array with two items. If the array type contains itself, the array has no items (SOAP 1.1 §5.4.2,
   * SOAP 1.2 part 2 §3.1.6).
   */
  #writeArray(start: string, name: QName, array: ArrayType): SampleElement {
    const isEmpty = this.#openTypes.has(array) || this.#remainingElements <= 0;
    this.#openTypes.add(array);
    const items = isEmpty ? [] : [this.writeElement(array.item, name.namespace)];
    this.#openTypes.delete(array);
    const content = [...items, ...items];
    const typeAttributes =
      this.#encoding === undefined ? "" : this.#writeArrayAttributes(array, content.length, name.namespace);
    return { start: start + typeAttributes, name: name.local, content };
  }

  #writeArrayAttributes({ item }: ArrayType, size: number, defaultNamespace: string): string {
    const { name, dimensions } = getItemType(item);
    const { declaration, text } = formatQName(name, defaultNamespace);
    if (this.#encoding === "soap12") {
      const type = dimensions === "" ? text : "soapenc:Array";
      return `${declaration} xmlns:soapenc="${encodingNamespaces.soap12}" xsi:type="soapenc:Array" soapenc:itemType="${type}" soapenc:arraySize="${size}"`;
    }
    return `${declaration} xmlns:soapenc="${encodingNamespaces.soap11}" xsi:type="soapenc:Array" soapenc:arrayType="${text}${dimensions}[${size}]"`;
  }

  #writeParticle(particle: PublishedParticle, defaultNamespace: string): readonly SampleNode[] {
    switch (particle.kind) {
      case "element": {
        if (this.#isOptionalRecursion(particle.element)) {
          return [];
        }
        const sample = this.writeElement(particle.element, defaultNamespace);
        return particle.element.isRepeated ? [sample, sample] : [sample];
      }
      case "any":
        return [{ comment: "any element" }];
      case "sequence":
        return this.writeParticles(particle.particles, defaultNamespace);
      case "group":
        return this.#writeGroup(particle, defaultNamespace);
      case "choice": {
        const [firstAlternative, ...alternatives] = particle.particles;
        const names = alternatives.flatMap((alternative) => listNames(alternative).slice(0, 1));
        const comment = names.length === 0 ? [] : [{ comment: `or ${names.join(", or ")}` }];
        return firstAlternative === undefined
          ? []
          : [...this.#writeParticle(firstAlternative, defaultNamespace), ...comment];
      }
    }
  }

  /** Whether an element is optional and occurs inside its own type. */
  #isOptionalRecursion({ isOptional, readType }: PublishedElement): boolean {
    if (!isOptional) {
      return false;
    }
    const type = readType();
    return this.#openTypes.has(type.kind === "complex" ? (type.substitute() ?? type) : type);
  }

  #writeGroup(
    { name, readParticles }: Extract<PublishedParticle, { kind: "group" }>,
    defaultNamespace: string,
  ): readonly SampleNode[] {
    const key = `{${name.namespace}}${name.local}`;
    if (this.#openTypes.has(key)) {
      return [];
    }
    this.#remainingElements -= 1;
    this.#openTypes.add(key);
    const nodes = this.writeParticles(readParticles(), defaultNamespace);
    this.#openTypes.delete(key);
    return nodes;
  }
}

/**
 * Returns the innermost item type of nested arrays, and brackets for the inner arrays: `xsd:int` and `[]` for an array
 * of arrays of `xsd:int`.
 */
function getItemType(item: PublishedElement): { readonly name: QName; readonly dimensions: string } {
  let dimensions = "";
  let type = item.readType();
  while (type.kind === "array" && dimensions.length < 16) {
    dimensions += "[]";
    type = type.item.readType();
  }
  return { name: getTypeName(type), dimensions };
}

/** Returns the name of a type; `xs:anyType` for an anonymous type. */
function getTypeName(type: PublishedType): QName {
  return (type.kind === "any" ? undefined : type.name) ?? { namespace: schemaNamespace, local: "anyType" };
}

/**
 * Returns an example value for an element: the fixed or default value in its declaration, otherwise an example in its
 * documentation, otherwise the example of its type.
 */
export function createExample(
  { fixed, default: initial, documentation, readType }: PublishedElement,
  exampleOfType: string,
): string {
  const declaredValue = fixed ?? initial;
  if (declaredValue !== undefined) {
    return declaredValue;
  }
  const type = readType();
  const documentedValue = findDocumentedExample(documentation);
  return documentedValue !== undefined && type.kind === "simple" && isPossible(documentedValue, type)
    ? documentedValue
    : exampleOfType;
}

/** The maximum number of characters in a comment; longer comments are shortened. */
const maxCommentLength = 90;

function findValueComment({ documentation, readType }: PublishedElement): string | undefined {
  const type = readType();
  const values = type.kind === "simple" ? (type.values ?? []) : [];
  const parts = [documentation?.replace(/\s+/g, " "), values.length > 1 && values.join(" | ")];
  const text = parts.filter((part) => part !== undefined && part !== false).join(": ");
  return text === "" ? undefined : text;
}

function formatXsiType(name: QName, defaultNamespace: string): string {
  const { declaration, text } = formatQName(name, defaultNamespace);
  return `${declaration} xsi:type="${text}"`;
}

/**
 * Returns a QName as text, and the namespace declaration that the text needs. A name in `defaultNamespace` needs no
 * declaration.
 */
function formatQName(
  { namespace, local }: QName,
  defaultNamespace: string,
): { readonly declaration: string; readonly text: string } {
  if (namespace === schemaNamespace) {
    return { declaration: "", text: `xsd:${local}` };
  }
  return namespace === defaultNamespace
    ? { declaration: "", text: local }
    : { declaration: ` xmlns:q="${escapeAttribute(namespace)}"`, text: `q:${local}` };
}

function writeAttributes(attributes: readonly PublishedAttribute[]): string {
  return attributes
    .map(({ name: { namespace, local }, type, value }, index) => {
      const prefix = namespace === xmlNamespace ? "xml" : `a${index}`;
      const name = namespace === "" ? local : `${prefix}:${local}`;
      const isDeclared = namespace === "" || namespace === xmlNamespace;
      const declaration = isDeclared ? "" : ` xmlns:${prefix}="${escapeAttribute(namespace)}"`;
      return `${declaration} ${name}="${escapeAttribute(value ?? type.example)}"`;
    })
    .join("");
}

function listNames(particle: PublishedParticle): readonly string[] {
  switch (particle.kind) {
    case "element":
      return [particle.element.name.local];
    case "any":
      return ["any element"];
    case "group":
      return [particle.name.local];
    default:
      return particle.particles.flatMap(listNames);
  }
}

/** Writes each element on its own line, indented by two spaces per level. */
export function writeSampleNodes(nodes: readonly SampleNode[], depth = 0): string {
  return nodes.map((node) => writeNode(node, depth)).join("");
}

function writeNode(node: SampleNode, depth: number): string {
  const indent = "  ".repeat(depth);
  if (!("name" in node)) {
    return `${indent}${writeComment(node.comment)}\n`;
  }
  const { start, name, content, comment } = node;
  const suffix = comment === undefined ? "" : ` ${writeComment(comment)}`;
  if (!isNodes(content)) {
    return `${indent}${start}>${escapeText(content)}</${name}>${suffix}\n`;
  }
  return content.length === 0
    ? `${indent}${start} />${suffix}\n`
    : `${indent}${start}>${suffix}\n${writeSampleNodes(content, depth + 1)}${indent}</${name}>\n`;
}

/**
 * Writes an XML comment. Separates consecutive hyphens, because an XML comment must not contain `--` (XML 1.0 §2.5).
 */
function writeComment(comment: string): string {
  const text = comment.length > maxCommentLength ? `${comment.slice(0, maxCommentLength)}…` : comment;
  return `<!-- ${text.replace(/-(?=-|$)/g, "- ")} -->`;
}

function isNodes(content: SampleElement["content"]): content is readonly SampleNode[] {
  return typeof content !== "string";
}
