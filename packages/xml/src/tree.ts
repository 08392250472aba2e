import { XmlError } from "./error.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import type { XmlAttribute } from "./reader/start-tag-reader.js";
import { XmlReader } from "./reader.js";
import { END, START } from "./reader-events.js";

/** An attribute of an element in a tree. */
export type XmlTreeAttribute = XmlAttribute;

/** Text in a tree. `start` and `end` are its offsets in the document, in UTF-16 units. */
export interface XmlText {
  readonly kind: "text";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An element in a tree, with its position in the document. */
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
  /**
   * The namespace bound to a prefix at this element. `""` asks for the default namespace, which is `""` if none is
   * declared.
   */
  resolve(prefix: string): string | undefined;
}

const noDeclarations: ReadonlyMap<string, string> = new Map();

/** The namespaces in scope at an element. Elements without namespace declarations share their parent's scope. */
interface Scope {
  readonly declarations: ReadonlyMap<string, string>;
  readonly outerScope: Scope | undefined;
}

const noAttributes: readonly XmlTreeAttribute[] = [];
const noChildren: readonly (XmlElement | XmlText)[] = [];

/** The maximum length of a shared string. Longer strings rarely repeat. */
const maxSharedLength = 64;

/** Keeps one copy of equal strings, so that each name and each short value of a tree is in memory only once. */
class SharedTexts {
  readonly #texts = new Map<string, string>();
  readonly #namespaces = new Map<string, string>();

  copyFromIndex(text: string): string {
    // V8 itself keeps one copy of each string of one character.
    if (text.length < 2 || text.length > maxSharedLength) {
      return text;
    }
    const sharedText = this.#texts.get(text);
    if (sharedText === undefined) {
      this.#texts.set(text, text);
    }
    return sharedText ?? text;
  }

  /**
   * Returns the copy of a namespace that V8 keeps for names of members and for constants in code. Comparing it with
   * such a constant compares two addresses. Otherwise, V8 would compare all characters of two long strings for nearly
   * each element, again and again.
   */
  internalize(namespace: string): string {
    let internalized = this.#namespaces.get(namespace);
    if (internalized === undefined) {
      internalized = Object.keys({ [namespace]: true })[0] ?? namespace;
      this.#namespaces.set(namespace, internalized);
    }
    return internalized;
  }
}

class TreeElement implements XmlElement {
  readonly kind = "element";
  readonly prefix: string;
  readonly localName: string;
  readonly namespace: string;
  readonly attributes: readonly XmlTreeAttribute[];
  children: readonly (XmlElement | XmlText)[] = noChildren;
  start: number;
  nameEnd: number;
  readonly declarations: ReadonlyMap<string, string>;
  readonly scope: Scope | undefined;
  end: number;

  constructor(reader: XmlReader, texts: SharedTexts, outerScope: Scope | undefined) {
    this.prefix = texts.copyFromIndex(reader.prefix);
    this.localName = texts.copyFromIndex(reader.localName);
    this.namespace = texts.internalize(reader.namespace);
    this.attributes = listAttributesAt(reader, texts);
    this.start = reader.offset;
    this.nameEnd = reader.nameEnd;
    this.end = reader.end;
    this.declarations = listDeclarationsAt(reader, texts);
    this.scope = this.declarations.size === 0 ? outerScope : { declarations: this.declarations, outerScope };
  }

  close(end: number, children: readonly (XmlElement | XmlText)[]): void {
    this.end = end;
    this.children = children;
  }

  resolve(prefix: string): string | undefined {
    for (let scope = this.scope; scope !== undefined; scope = scope.outerScope) {
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
  for (let openElement = openElements.at(-1); openElement !== undefined; openElement = openElements.at(-1)) {
    switch (reader.next()) {
      case START: {
        const element = new TreeElement(reader, texts, openElement.scope);
        children.push(element);
        openElements.push(element);
        firstChildren.push(children.length);
        break;
      }
      case END: {
        openElements.pop();
        const start = firstChildren.pop() ?? 0;
        openElement.close(reader.end, children.length > start ? children.splice(start) : noChildren);
        break;
      }
      default:
        children.push({ kind: "text", text: texts.copyFromIndex(reader.text), start: reader.offset, end: reader.end });
    }
  }
  // Refuses content after the document element.
  reader.next();
  return root;
}

/** Returns the attributes of a start tag; equal strings are shared. */
function listAttributesAt({ attributes }: XmlReader, texts: SharedTexts): readonly XmlTreeAttribute[] {
  if (attributes.length === 0) {
    return noAttributes;
  }
  return attributes.map((attribute) => ({
    prefix: texts.copyFromIndex(attribute.prefix),
    localName: texts.copyFromIndex(attribute.localName),
    namespace: attribute.namespace,
    value: texts.copyFromIndex(attribute.value),
    offset: attribute.offset,
    valueStart: attribute.valueStart,
    valueEnd: attribute.valueEnd,
  }));
}

function listDeclarationsAt(reader: XmlReader, texts: SharedTexts): ReadonlyMap<string, string> {
  const prefixes = reader.declaredPrefixes();
  if (prefixes.length === 0) {
    return noDeclarations;
  }
  return new Map(prefixes.map((prefix) => [prefix, texts.internalize(reader.resolve(prefix) ?? "")]));
}

// The functions below read a document again after an edit.

/** The text of a document, with the tree that was read from it. */
export interface ReadDocument {
  readonly text: string;
  readonly root: XmlElement;
}

/**
 * Reads the edited text of a document, but only the elements around the edit. The objects of all other elements are
 * reused with new offsets, so the old tree must not be used afterwards. Returns undefined and leaves the old tree
 * unchanged if the whole text must be read: if the edit is not inside the document element, is not well-formed, or
 * might make the document exceed a limit.
 */
export function readEditedTree(
  before: ReadDocument,
  text: string,
  limits: XmlLimits = messageLimits,
): XmlElement | undefined {
  const edit = findEdit(before.text, text);
  const path = listElementsAround(before, edit);
  const innermostElement = path.at(-1);
  if (innermostElement === undefined || mayExceed(text, limits)) {
    return undefined;
  }
  const keptChildren = selectChildrenAround(innermostElement, before.text, edit);
  const distance = text.length - before.text.length;
  const fragment = text.slice(keptChildren.replaced.start, keptChildren.replaced.end + distance);
  const readResult = readFragment(fragment, { path, text: before.text, limits });
  const children =
    readResult === undefined ? [] : [...keptChildren.before, ...readResult.children, ...keptChildren.after];
  if (readResult === undefined || children.length > limits.children) {
    return undefined;
  }
  moveAll(readResult.children, keptChildren.replaced.start - readResult.offset);
  moveAll(keptChildren.after, distance);
  let editedElement = withChildren(innermostElement, children, distance);
  for (let index = path.length - 2; index >= 0; index -= 1) {
    const outerElement = path[index];
    const childIndex = outerElement?.children.findIndex((child) => child === path[index + 1]) ?? 0;
    if (outerElement !== undefined) {
      moveAll(outerElement.children.slice(childIndex + 1), distance);
      editedElement = withChildren(outerElement, outerElement.children.with(childIndex, editedElement), distance);
    }
  }
  return editedElement;
}

/** The range of the old text that an edit replaces. */
interface Edit {
  readonly start: number;
  readonly end: number;
}

/** Finds the smallest range of the old text that must be replaced to get the new text. */
function findEdit(before: string, after: string): Edit {
  const shorterLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorterLength && before.charCodeAt(start) === after.charCodeAt(start)) {
    start += 1;
  }
  let sameLength = 0;
  const maxLength = shorterLength - start;
  while (
    sameLength < maxLength &&
    before.charCodeAt(before.length - 1 - sameLength) === after.charCodeAt(after.length - 1 - sameLength)
  ) {
    sameLength += 1;
  }
  return { start, end: before.length - sameLength };
}

/** Returns the elements whose content contains the edit, outermost first. */
function listElementsAround({ root, text }: ReadDocument, edit: Edit): readonly TreeElement[] {
  const path: TreeElement[] = [];
  let element: XmlElement | XmlText | undefined = root;
  while (element instanceof TreeElement && isInContent(element, text, edit)) {
    path.push(element);
    element = element.children.find(({ start, end }) => start < edit.start && edit.end < end);
  }
  return path;
}

function isInContent(element: TreeElement, text: string, edit: Edit): boolean {
  const { start, end } = getContent(element, text);
  return start <= edit.start && edit.end <= end;
}

/** Returns the range between the tags of an element; for `<a/>`, the end is before the start. */
function getContent(element: TreeElement, text: string): Edit {
  const startTag = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;
  startTag.lastIndex = element.nameEnd;
  startTag.test(text);
  return { start: startTag.lastIndex, end: text.lastIndexOf("</", element.end - 1) };
}

/**
 * Whether a part of a document might exceed the limit on nodes or comments. An element and its text are 2 nodes in at
 * least 5 characters.
 */
function mayExceed(text: string, limits: XmlLimits): boolean {
  return (text.length * 2) / 5 >= limits.nodes || text.split(/<!--|<\?/).length > limits.comments;
}

/**
 * Returns the children before and after an edit, and the range between them. The text in this range must be read again.
 */
function selectChildrenAround(element: TreeElement, text: string, edit: Edit) {
  const { children } = element;
  const before = children.findLastIndex(({ kind, end }) => kind === "element" && end <= edit.start);
  const after = children.findIndex(({ kind, start }) => kind === "element" && start >= edit.end);
  const content = getContent(element, text);
  return {
    before: children.slice(0, before + 1),
    after: after === -1 ? noChildren : children.slice(after),
    replaced: { start: children[before]?.end ?? content.start, end: children[after]?.start ?? content.end },
  };
}

/**
 * Reads a part of an element's content. `path` leads to the element. The result includes the offset of the part in the
 * text that was read. Returns undefined if the part is not well-formed.
 */
function readFragment(
  fragment: string,
  { path, text, limits }: { readonly path: readonly TreeElement[]; readonly text: string; readonly limits: XmlLimits },
): { readonly children: TreeElement["children"]; readonly offset: number } | undefined {
  const start = path.map((element) => text.slice(element.start, getContent(element, text).start)).join("");
  const end = path.map((element) => `</${text.slice(element.start + 1, element.nameEnd)}>`).reverse();
  try {
    let element = readTree(start + fragment + end.join(""), limits);
    for (let depth = 1; depth < path.length; depth += 1) {
      const [only, ...others] = element.children;
      // The text may end an element of the path and start another element. If so, the text is not content of the last
      // element.
      if (only?.kind !== "element" || others.length > 0) {
        return undefined;
      }
      element = only;
    }
    return { children: element.children, offset: start.length };
  } catch (error) {
    if (error instanceof XmlError) {
      return undefined;
    }
    throw error;
  }
}

/** Copies an element with other children and a moved end. */
function withChildren(element: TreeElement, children: TreeElement["children"], distance: number): TreeElement {
  return Object.assign(Object.create(TreeElement.prototype), element, { children, end: element.end + distance });
}

type Movable = { -readonly [Name in "offset" | "start" | "nameEnd" | "end" | "valueStart" | "valueEnd"]: number };

function moveAll(nodes: readonly (XmlElement | XmlText)[], distance: number): void {
  for (const node of nodes) {
    move(node, distance);
  }
}

function move(node: XmlElement | XmlText, distance: number): void {
  const movedSpan: Pick<Movable, "start" | "end"> = node;
  movedSpan.start += distance;
  movedSpan.end += distance;
  if (node.kind === "element") {
    const element: Pick<Movable, "nameEnd"> = node;
    element.nameEnd += distance;
    for (const attribute of node.attributes) {
      moveAttribute(attribute, distance);
    }
    moveAll(node.children, distance);
  }
}

function moveAttribute(attribute: Pick<Movable, "offset" | "valueStart" | "valueEnd">, distance: number): void {
  attribute.offset += distance;
  attribute.valueStart += distance;
  attribute.valueEnd += distance;
}

/** Returns the value of an attribute without a namespace. */
export function findAttribute(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ namespace, localName }) => namespace === "" && localName === name)?.value;
}

/** Returns the text of an element and of the elements in it, without markup. */
export function getTextContent(element: XmlElement): string {
  return element.children.map((child) => (child.kind === "text" ? child.text : getTextContent(child))).join("");
}
