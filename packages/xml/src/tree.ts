import { END, START } from "./events.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import { XmlReader } from "./reader.js";
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
  /** The namespace bound to a prefix at this element. `""` asks for the default namespace, which is `""` if none is declared. */
  resolve(prefix: string): string | undefined;
}

const noDeclarations: ReadonlyMap<string, string> = new Map();

/** Namespace declarations and their outer scope. Elements without declarations share their parent's scope. */
interface Scope {
  readonly declarations: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

const noAttributes: readonly XmlTreeAttribute[] = [];
const noChildren: readonly (XmlElement | XmlText)[] = [];

/** Longer texts rarely repeat. */
const longestShared = 64;

/** Returns the first of all equal texts, so that a document keeps each name and short value only once. */
class SharedTexts {
  readonly #texts = new Map<string, string>();

  shared(text: string): string {
    if (text.length > longestShared) {
      return text;
    }
    const known = this.#texts.get(text);
    if (known === undefined) {
      this.#texts.set(text, text);
    }
    return known ?? text;
  }
}

class TreeElement implements XmlElement {
  readonly kind = "element";
  readonly prefix: string;
  readonly localName: string;
  readonly namespace: string;
  readonly attributes: readonly XmlTreeAttribute[];
  children: readonly (XmlElement | XmlText)[] = noChildren;
  readonly start: number;
  readonly nameEnd: number;
  readonly declarations: ReadonlyMap<string, string>;
  readonly scope: Scope | undefined;
  end: number;

  constructor(reader: XmlReader, texts: SharedTexts, outer: Scope | undefined) {
    this.prefix = texts.shared(reader.prefix);
    this.localName = texts.shared(reader.localName);
    this.namespace = reader.namespace;
    this.attributes = attributesAt(reader, texts);
    this.start = reader.offset;
    this.nameEnd = reader.nameEnd;
    this.end = reader.end;
    this.declarations = declarationsAt(reader);
    this.scope = this.declarations.size === 0 ? outer : { declarations: this.declarations, outer };
  }

  close(end: number, children: readonly (XmlElement | XmlText)[]): void {
    this.end = end;
    this.children = children;
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
  const texts = new SharedTexts();
  reader.next();
  const root = new TreeElement(reader, texts, undefined);
  const open: TreeElement[] = [root];
  /** The children read so far of all open elements, and where those of each begin. */
  const children: (XmlElement | XmlText)[] = [];
  const starts: number[] = [0];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    switch (reader.next()) {
      case START: {
        const element = new TreeElement(reader, texts, current.scope);
        children.push(element);
        open.push(element);
        starts.push(children.length);
        break;
      }
      case END: {
        open.pop();
        const start = starts.pop() ?? 0;
        current.close(reader.end, children.length > start ? children.splice(start) : noChildren);
        break;
      }
      default:
        children.push({ kind: "text", text: texts.shared(reader.text), start: reader.offset, end: reader.end });
    }
  }
  // Refuses content after the document element.
  reader.next();
  return root;
}

/** The attributes of a start tag, with shared texts. */
function attributesAt({ attributes }: XmlReader, texts: SharedTexts): readonly XmlTreeAttribute[] {
  if (attributes.length === 0) {
    return noAttributes;
  }
  return attributes.map((attribute) => ({
    prefix: texts.shared(attribute.prefix),
    localName: texts.shared(attribute.localName),
    namespace: attribute.namespace,
    value: texts.shared(attribute.value),
    offset: attribute.offset,
    valueStart: attribute.valueStart,
    valueEnd: attribute.valueEnd,
  }));
}

function declarationsAt(reader: XmlReader): ReadonlyMap<string, string> {
  const prefixes = reader.declaredPrefixes();
  if (prefixes.length === 0) {
    return noDeclarations;
  }
  return new Map(prefixes.map((prefix) => [prefix, reader.resolve(prefix) ?? ""]));
}
