import { escapeAttribute, escapeText, xmlNamespace } from "@bothends/xml";
import { type Content, html } from "./page.js";
import {
  type ArrayType,
  type ComplexType,
  type Particle,
  type PublishedAttribute,
  type PublishedElement,
  type PublishedType,
  schemaNamespace,
} from "./published-types.js";
import type { SoapVersion } from "./published-wsdl.js";
import type { QName } from "./wsdl-elements.js";

/** Part of a sample: literal text, or a placeholder for a value. */
export type SamplePiece = string | { readonly value: string };

/** An element of a sample message. */
export interface SampleElement {
  /** The start tag without its `>`. */
  readonly start: readonly SamplePiece[];
  readonly name: string;
  readonly content: readonly SampleNode[] | SamplePiece;
}
export type SampleNode = SampleElement | { readonly comment: string };

const encodingNamespaces: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/encoding/",
  soap12: "http://www.w3.org/2003/05/soap-encoding",
};

/** Writes elements with placeholders for values. A type inside itself is written empty. */
export class SampleWriter {
  /** The version whose encoding values are written in, if the message is encoded. */
  readonly #encoding: SoapVersion | undefined;
  /** The types and groups around the current element, by identity or name. */
  readonly #open = new Set<object | string>();
  /** How many more elements are written: nested types could make a sample grow exponentially. */
  #left = 600;

  constructor(encoding?: SoapVersion) {
    this.#encoding = encoding;
  }

  /** Writes an element once. `scope` is the default namespace around it. */
  element(element: PublishedElement, scope = ""): SampleElement {
    const sample = this.#element(element, scope);
    const value = element.fixed ?? element.default;
    return value === undefined || Array.isArray(sample.content) ? sample : { ...sample, content: { value } };
  }

  particles(particles: readonly Particle[], scope = ""): readonly SampleNode[] {
    return particles.flatMap((particle) => (this.#left <= 0 ? [] : this.#particle(particle, scope)));
  }

  #element({ name, isNillable, type: typeOf }: PublishedElement, scope: string): SampleElement {
    this.#left -= 1;
    const declaration = name.namespace === scope ? "" : ` xmlns="${escapeAttribute(name.namespace)}"`;
    const start = `<${name.local}${declaration}`;
    const type = typeOf();
    switch (type.kind) {
      case "simple":
      case "any": {
        const typed = this.#encoding === undefined ? "" : xsiType(typeName(type), name.namespace);
        return { start: [start + typed], name: name.local, content: { value: placeholderOf(type) } };
      }
      case "array":
        return this.#array(start, name, type);
      case "complex":
        return this.#complex(start, { name, isNillable }, type);
    }
  }

  #complex(
    start: string,
    { name, isNillable }: Pick<PublishedElement, "name" | "isNillable">,
    declared: ComplexType,
  ): SampleElement {
    const substitute = declared.substitute();
    const type = substitute ?? declared;
    const isTyped = type.name !== undefined && (substitute !== undefined || this.#encoding !== undefined);
    const typed = isTyped ? xsiType(typeName(type), name.namespace) : "";
    if (this.#open.has(type) || this.#left <= 0) {
      return { start: [start + (isNillable ? ' xsi:nil="true"' : typed)], name: name.local, content: [] };
    }
    this.#open.add(type);
    const content = this.#content(type, name.namespace);
    this.#open.delete(type);
    return { start: [start + typed, ...attributes(type.attributes)], name: name.local, content };
  }

  #content(type: ComplexType, scope: string): SampleElement["content"] {
    if (type.text !== undefined) {
      return { value: type.text.placeholder };
    }
    return type.isMixed ? { value: "text and elements" } : this.particles(type.content(), scope);
  }

  /** Writes a SOAP array of two items (SOAP 1.1 §5.4.2, SOAP 1.2 part 2 §3.1.6), or of none inside itself. */
  #array(start: string, name: QName, array: ArrayType): SampleElement {
    const isEmpty = this.#open.has(array) || this.#left <= 0;
    this.#open.add(array);
    const items = isEmpty ? [] : [this.element(array.item, name.namespace)];
    this.#open.delete(array);
    const content = [...items, ...items];
    const typed = this.#encoding === undefined ? "" : this.#arrayAttributes(array, content.length, name.namespace);
    return { start: [start + typed], name: name.local, content };
  }

  #arrayAttributes({ item }: ArrayType, size: number, scope: string): string {
    const { name, dimensions } = itemType(item);
    const { declaration, text } = qnameText(name, scope);
    if (this.#encoding === "soap12") {
      const type = dimensions === "" ? text : "soapenc:Array";
      return `${declaration} xmlns:soapenc="${encodingNamespaces.soap12}" xsi:type="soapenc:Array" soapenc:itemType="${type}" soapenc:arraySize="${size}"`;
    }
    return `${declaration} xmlns:soapenc="${encodingNamespaces.soap11}" xsi:type="soapenc:Array" soapenc:arrayType="${text}${dimensions}[${size}]"`;
  }

  #particle(particle: Particle, scope: string): readonly SampleNode[] {
    switch (particle.kind) {
      case "element": {
        const sample = this.element(particle.element, scope);
        return particle.element.isRepeated ? [sample, sample] : [sample];
      }
      case "any":
        return [{ comment: "any element" }];
      case "sequence":
        return this.particles(particle.particles, scope);
      case "group":
        return this.#group(particle, scope);
      case "choice": {
        const [first, ...others] = particle.particles;
        const names = others.flatMap((other) => namesIn(other).slice(0, 1));
        const comment = names.length === 0 ? [] : [{ comment: `or ${names.join(", or ")}` }];
        return first === undefined ? [] : [...this.#particle(first, scope), ...comment];
      }
    }
  }

  #group({ name, particles }: Extract<Particle, { kind: "group" }>, scope: string): readonly SampleNode[] {
    const key = `{${name.namespace}}${name.local}`;
    if (this.#open.has(key)) {
      return [];
    }
    this.#open.add(key);
    const nodes = this.particles(particles(), scope);
    this.#open.delete(key);
    return nodes;
  }
}

/** The type of the innermost items of nested arrays, and the dimensions of the arrays between. */
function itemType(item: PublishedElement): { readonly name: QName; readonly dimensions: string } {
  let dimensions = "";
  let type = item.type();
  while (type.kind === "array" && dimensions.length < 16) {
    dimensions += "[]";
    type = type.item.type();
  }
  return { name: typeName(type), dimensions };
}

/** The name of a type; `xs:anyType` for a type without a name. */
function typeName(type: PublishedType): QName {
  return (type.kind === "any" ? undefined : type.name) ?? { namespace: schemaNamespace, local: "anyType" };
}

/** The text in place of a value of the type. */
export function placeholderOf(type: PublishedType): string {
  return type.kind === "simple" ? type.placeholder : "anyType";
}

function xsiType(name: QName, scope: string): string {
  const { declaration, text } = qnameText(name, scope);
  return `${declaration} xsi:type="${text}"`;
}

/** A name in the value of an attribute, and the declaration that it needs if `scope` is the default namespace. */
function qnameText(
  { namespace, local }: QName,
  scope: string,
): { readonly declaration: string; readonly text: string } {
  if (namespace === schemaNamespace) {
    return { declaration: "", text: `xsd:${local}` };
  }
  return namespace === scope
    ? { declaration: "", text: local }
    : { declaration: ` xmlns:q="${escapeAttribute(namespace)}"`, text: `q:${local}` };
}

function attributes(declared: readonly PublishedAttribute[]): readonly SamplePiece[] {
  return declared.flatMap(({ name: { namespace, local }, type, value }, index) => {
    const prefix = namespace === xmlNamespace ? "xml" : `a${index}`;
    const name = namespace === "" ? local : `${prefix}:${local}`;
    const isDeclared = namespace === "" || namespace === xmlNamespace;
    const declaration = isDeclared ? "" : ` xmlns:${prefix}="${escapeAttribute(namespace)}"`;
    return [`${declaration} ${name}="`, { value: escapeAttribute(value ?? type.placeholder) }, '"'];
  });
}

function namesIn(particle: Particle): readonly string[] {
  switch (particle.kind) {
    case "element":
      return [particle.element.name.local];
    case "any":
      return ["any element"];
    case "group":
      return [particle.name.local];
    default:
      return particle.particles.flatMap(namesIn);
  }
}

/** Writes each element on its own line, indented by two spaces per level. */
export function layout(nodes: readonly SampleNode[], depth = 0): readonly SamplePiece[] {
  return nodes.flatMap((node): readonly SamplePiece[] => {
    const indent = "  ".repeat(depth);
    if ("comment" in node) {
      return [`${indent}<!-- ${node.comment.replaceAll("--", "- -")} -->\n`];
    }
    const { start, name, content } = node;
    if (!isNodes(content)) {
      return [indent, ...start, ">", escaped(content), `</${name}>\n`];
    }
    return content.length === 0
      ? [indent, ...start, " />\n"]
      : [indent, ...start, ">\n", ...layout(content, depth + 1), `${indent}</${name}>\n`];
  });
}

function escaped(content: SamplePiece): SamplePiece {
  return typeof content === "string" ? escapeText(content) : { value: escapeText(content.value) };
}

function isNodes(content: SampleElement["content"]): content is readonly SampleNode[] {
  return Array.isArray(content);
}

/** A sample as text, which people edit in a form. */
export function sampleText(pieces: readonly SamplePiece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
}

/** A sample as a block of a page, with its placeholders marked. */
export function sampleBlock(pieces: readonly SamplePiece[]): Content {
  const last = pieces.at(-1);
  const trimmed = typeof last === "string" ? [...pieces.slice(0, -1), last.trimEnd()] : pieces;
  return html`<pre>${trimmed.map((piece) => (typeof piece === "string" ? piece : html`<var>${piece.value}</var>`))}</pre>`;
}
