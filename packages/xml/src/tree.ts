import { END, START } from "./events.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import { XmlReader } from "./reader.js";
import type { XmlAttribute } from "./start-tag.js";

/** An attribute of an element in a tree. */
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
  /** The offset of the `<` of the start tag. */
  readonly start: number;
  /** The offset after the `>` of the end tag. */
  readonly end: number;
  /** The offset after the name in the start tag. */
  readonly nameEnd: number;
  /** The namespace declarations of the element, by prefix; `""` is the default namespace. */
  readonly declarations: ReadonlyMap<string, string>;
  /** The namespace bound to a prefix at this element. `""` asks for the default namespace, which is `""` if none is declared. */
  resolve(prefix: string): string | undefined;
}

const noDeclarations: ReadonlyMap<string, string> = new Map();

/** The namespaces in scope at an element. Elements without namespace declarations share their parent's scope. */
interface Scope {
  readonly declarations: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

const noAttributes: readonly XmlTreeAttribute[] = [];
const noChildren: readonly (XmlElement | XmlText)[] = [];

/** The maximum length of a shared text. Longer texts rarely repeat. */
const maxSharedLength = 64;

/** Keeps one copy of all equal texts, so that a tree contains each name and short value only once in memory. */
class SharedTexts {
  readonly #texts = new Map<string, string>();

  sharedCopy(text: string): string {
    if (text.length > maxSharedLength) {
      return text;
    }
    const sharedText = this.#texts.get(text);
    if (sharedText === undefined) {
      this.#texts.set(text, text);
    }
    return sharedText ?? text;
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
    this.prefix = texts.sharedCopy(reader.prefix);
    this.localName = texts.sharedCopy(reader.localName);
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

/** Reads a document, such as a schema, into a tree with positions. Returns the document element. */
export function readTree(text: string, limits: XmlLimits = messageLimits): XmlElement {
  const reader = new XmlReader(text, limits);
  const texts = new SharedTexts();
  reader.next();
  const root = new TreeElement(reader, texts, undefined);
  const openElements: TreeElement[] = [root];
  /** The children read so far, of all open elements. */
  const children: (XmlElement | XmlText)[] = [];
  /** For each open element, the index of its first child in `children`. */
  const firstChildren: number[] = [0];
  for (let current = openElements.at(-1); current !== undefined; current = openElements.at(-1)) {
    switch (reader.next()) {
      case START: {
        const element = new TreeElement(reader, texts, current.scope);
        children.push(element);
        openElements.push(element);
        firstChildren.push(children.length);
        break;
      }
      case END: {
        openElements.pop();
        const start = firstChildren.pop() ?? 0;
        current.close(reader.end, children.length > start ? children.splice(start) : noChildren);
        break;
      }
      default:
        children.push({ kind: "text", text: texts.sharedCopy(reader.text), start: reader.offset, end: reader.end });
    }
  }
  // Refuses content after the document element.
  reader.next();
  return root;
}

/** The attributes of a start tag; equal texts are shared. */
function attributesAt({ attributes }: XmlReader, texts: SharedTexts): readonly XmlTreeAttribute[] {
  if (attributes.length === 0) {
    return noAttributes;
  }
  return attributes.map((attribute) => ({
    prefix: texts.sharedCopy(attribute.prefix),
    localName: texts.sharedCopy(attribute.localName),
    namespace: attribute.namespace,
    value: texts.sharedCopy(attribute.value),
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
