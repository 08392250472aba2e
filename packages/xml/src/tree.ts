import { messageLimits, type XmlLimits } from "./limits.js";
import { DONE, END, START, XmlReader } from "./reader.js";
import type { XmlAttribute } from "./start-tag.js";

/** An attribute of a tree. */
export type XmlTreeAttribute = XmlAttribute;

export interface XmlText {
  readonly kind: "text";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface XmlElement {
  readonly kind: "element";
  readonly prefix: string;
  readonly localName: string;
  readonly namespace: string;
  readonly attributes: readonly XmlTreeAttribute[];
  readonly children: readonly (XmlElement | XmlText)[];
  /** From the `<` of the start tag to the offset after the `>` of the end tag. */
  readonly start: number;
  readonly end: number;
  /** The end of the name in the start tag. */
  readonly nameEnd: number;
  /** The namespace declarations of the element, by prefix; `""` is the default namespace. */
  readonly declarations: ReadonlyMap<string, string>;
  /** The namespace bound to a prefix at this element; `""` asks for the default, which is `""` where none is declared. */
  resolve(prefix: string): string | undefined;
}

const noDeclarations: ReadonlyMap<string, string> = new Map();

/** Namespace declarations, and those around them. Elements without declarations share the scope of their parent. */
interface Scope {
  readonly declarations: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

class TreeElement implements XmlElement {
  readonly kind = "element";
  readonly prefix: string;
  readonly localName: string;
  readonly namespace: string;
  readonly attributes: readonly XmlTreeAttribute[];
  readonly children: (XmlElement | XmlText)[] = [];
  readonly start: number;
  readonly nameEnd: number;
  readonly declarations: ReadonlyMap<string, string>;
  readonly scope: Scope | undefined;
  end: number;

  constructor(reader: XmlReader, outer: Scope | undefined) {
    this.prefix = reader.prefix;
    this.localName = reader.localName;
    this.namespace = reader.namespace;
    this.attributes = reader.attributes;
    this.start = reader.offset;
    this.nameEnd = reader.nameEnd;
    this.end = reader.end;
    this.declarations = declarationsAt(reader);
    this.scope = this.declarations.size === 0 ? outer : { declarations: this.declarations, outer };
  }

  resolve(prefix: string): string | undefined {
    for (let scope = this.scope; scope !== undefined; scope = scope.outer) {
      const namespace = scope.declarations.get(prefix);
      if (namespace !== undefined) {
        return namespace;
      }
    }
    if (prefix === "xml") {
      return "http://www.w3.org/XML/1998/namespace";
    }
    return prefix === "" ? "" : undefined;
  }
}

/** Reads a document into a tree with positions, and returns the document element. For schemas; messages are read by events. */
export function readTree(text: string, limits: XmlLimits = messageLimits): XmlElement {
  const reader = new XmlReader(text, limits);
  reader.next();
  const root = new TreeElement(reader, undefined);
  const open: TreeElement[] = [root];
  let current = root;
  for (;;) {
    switch (reader.next()) {
      case START: {
        const element = new TreeElement(reader, current.scope);
        current.children.push(element);
        open.push(element);
        current = element;
        break;
      }
      case END:
        current.end = reader.end;
        open.pop();
        current = open[open.length - 1] ?? root;
        break;
      case DONE:
        return root;
      default:
        current.children.push({ kind: "text", text: reader.text, start: reader.offset, end: reader.end });
    }
  }
}

function declarationsAt(reader: XmlReader): ReadonlyMap<string, string> {
  const prefixes = reader.declaredPrefixes();
  if (prefixes.length === 0) {
    return noDeclarations;
  }
  return new Map(prefixes.map((prefix) => [prefix, reader.resolve(prefix) ?? ""]));
}
