import { createErrorAt, createSyntaxError } from "./error.js";
import type { ExpectedName } from "./expected-name.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import { CharacterData } from "./reader/character-data.js";
import { findCdataEnd, findDeclarationEnd, findMarkupEnd, skipSpace, withLineFeeds } from "./reader/content.js";
import { findNCNameEnd } from "./reader/scan-name.js";
import { type Checkpoint, LimitCounter, NamespaceScope, OpenElements, type PrefixLookup } from "./reader/scope.js";
import { StartTagReader, type TagAttributes, type XmlAttribute } from "./reader/start-tag-reader.js";
import { DONE, END, START, TEXT } from "./reader-events.js";

const noAttributes: readonly XmlAttribute[] = [];

const SPACE = 0x20;
const BANG = 0x21;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/**
 * Reads a document event by event, without building a tree. Follows XML 1.0 (fifth edition) and Namespaces in XML 1.0
 * strictly, refuses document type declarations, and enforces limits. The properties of an event are valid until the
 * next event. Its strings are slices of the document: storing one keeps the document in memory.
 */
export class XmlReader {
  /** The current event. */
  kind: number = DONE;
  /** The local name of the element that the current START or END belongs to. */
  localName = "";
  prefix = "";
  namespace = "";
  /** The attributes of the current START, without namespace declarations. */
  attributes: readonly XmlAttribute[] = noAttributes;
  /** The text of the current TEXT event. CDATA sections and the text around comments are joined. */
  text = "";
  /** Whether `text` contained a comment or processing instruction, in an element without children. */
  markupInText = false;
  /** The start of the event, in UTF-16 units from the start of the document. */
  offset = 0;
  /** The end of the event, in UTF-16 units from the start of the document. */
  end = 0;
  /** The end of the element's name in its tag, in UTF-16 units from the start of the document. */
  nameEnd = 0;

  /** The text of the whole document. */
  readonly source: string;
  readonly #scope: NamespaceScope;
  readonly #counter: LimitCounter;
  readonly #openElements: OpenElements;
  readonly #characters: CharacterData;
  readonly #tags: StartTagReader;
  #at = 0;
  /** Whether the current START is an empty-element tag, so that its END follows. */
  #isEmptyTag = false;
  #hasRoot = false;
  /** The offset of the last search for an expected tag, because `nextIs` often repeats the search of `nextText`. */
  #expectedAt = -1;
  #expectedName: ExpectedName | undefined;
  #expectedPrefix = "";
  #expectedTagStart = -1;
  #expectedNameEnd = -1;

  /**
   * `outerScope` has the prefixes that are bound outside the document. With a `checkpoint`, reading continues there:
   * the text before it must equal the document in which the checkpoint was taken, and the limits must be the same.
   */
  constructor(text: string, limits: XmlLimits = messageLimits, outerScope?: PrefixLookup, checkpoint?: Checkpoint) {
    this.source = text;
    this.#scope = new NamespaceScope(checkpoint === undefined ? outerScope : checkpoint.namespaces);
    this.#counter = new LimitCounter(text, limits, checkpoint);
    this.#openElements = new OpenElements(this.#counter, this.#scope, checkpoint?.open);
    this.#characters = new CharacterData(text, checkpoint?.at);
    this.#tags = new StartTagReader(text, { counter: this.#counter, scope: this.#scope, characters: this.#characters });
    if (checkpoint === undefined) {
      this.#at = findDeclarationEnd(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
    } else {
      this.#at = checkpoint.at;
      this.#hasRoot = true;
      this.kind = START;
    }
  }

  /**
   * The reader's state after the current START, from which another reader can continue; undefined for an empty tag and
   * after namespace declarations, which a checkpoint could not restore.
   */
  get checkpoint(): Checkpoint | undefined {
    if (this.#isEmptyTag || this.#scope.size > this.#openElements.mark) {
      return undefined;
    }
    const { nodes, comments } = this.#counter;
    return { at: this.#at, nodes, comments, open: this.#openElements.openNames, namespaces: this.#scope.declarations };
  }

  /** Creates a reader, for modules that must not import this one, because clients load it only when needed. */
  createReader(...constructorArguments: ConstructorParameters<typeof XmlReader>): XmlReader {
    return new XmlReader(...constructorArguments);
  }

  /** The number of open elements, including the current one. */
  get depth(): number {
    return this.#openElements.depth;
  }

  /** The path of the current element in local names, such as `/Envelope/Body`. */
  get path(): string {
    return this.#openElements.path;
  }

  /** Reads the next event: START, END, TEXT, or DONE at the end of the document. Throws `XmlError`. */
  next(): number {
    if (this.kind === END) {
      this.#openElements.close();
    } else if (this.#isEmptyTag) {
      return this.#endEmptyTag();
    }
    return this.#openElements.depth === 0 ? this.#readOutside() : this.#readContent();
  }

  /** Like `next`, but skips white space between two tags. */
  nextTag(): number {
    const source = this.source;
    if (!this.#isEmptyTag && this.#openElements.depth > 0 && source.charCodeAt(this.#at) !== LESS) {
      const offset = skipSpace(source, this.#at);
      const code = source.charCodeAt(offset + 1);
      if (source.charCodeAt(offset) === LESS && code !== BANG && code !== QUESTION) {
        this.#at = offset;
      }
    }
    return this.next();
  }

  /**
   * Reads the START of an expected element if it is next, after white space, and has no namespace declarations.
   * Otherwise reads nothing and returns false. Takes half as long as reading any name with `next`.
   */
  nextIs(expected: ExpectedName): boolean {
    const source = this.source;
    const nameEnd = this.#expectedTagNameEnd(expected);
    if (nameEnd < 0) {
      return false;
    }
    const tagStart = this.#expectedTagStart;
    const prefix = this.#expectedPrefix;
    const code = source.charCodeAt(nameEnd);
    const isEmpty = code === SLASH && source.charCodeAt(nameEnd + 1) === GREATER;
    const tagAttributes = code === SPACE && !this.#leavesDeclarations ? this.#tags.readRepeated(nameEnd) : undefined;
    if (code !== GREATER && !isEmpty && tagAttributes === undefined) {
      return false;
    }

    if (this.kind === END) {
      this.#openElements.close();
    }
    this.offset = tagStart;
    this.#openElements.open(tagStart);
    this.nameEnd = nameEnd;
    if (tagAttributes === undefined) {
      this.attributes = noAttributes;
      this.#isEmptyTag = isEmpty;
      this.#at = isEmpty ? nameEnd + 2 : nameEnd + 1;
    } else {
      this.#setAttributes(tagAttributes);
    }
    this.end = this.#at;
    const name = expected.getStoredName(prefix) ?? source.slice(tagStart + 1, nameEnd);
    this.#openElements.setName(name, prefix, expected.localName, expected.namespace);
    this.localName = expected.localName;
    this.prefix = prefix;
    this.namespace = expected.namespace;
    this.kind = START;
    return true;
  }

  /**
   * Reads an expected element that contains only text, up to its END, if it is next, after white space. Returns its
   * text. Otherwise reads nothing and returns undefined. Usually takes half as long as three calls of `next`.
   */
  nextText(expected: ExpectedName): string | undefined {
    const source = this.source;
    const nameEnd = this.#expectedTagNameEnd(expected);
    if (nameEnd < 0 || source.charCodeAt(nameEnd) !== GREATER) {
      return undefined;
    }
    const start = nameEnd + 1;
    const closeStart = this.#characters.findPlainEnd(start);
    if (closeStart < 0 || source.charCodeAt(closeStart + 1) !== SLASH) {
      return undefined;
    }
    const closeEnd = expected.findEnd(source, closeStart + 2, this.#expectedPrefix);
    if (closeEnd < 0 || source.charCodeAt(closeEnd) !== GREATER) {
      return undefined;
    }

    if (this.kind === END) {
      this.#openElements.close();
    }
    this.#openElements.addChild(this.#expectedTagStart);
    if (closeStart > start) {
      this.#counter.addText(closeStart - start, start);
    }
    this.offset = start;
    this.#at = this.end = closeEnd + 1;
    this.kind = TEXT;
    this.text = source.slice(start, closeStart);
    return this.text;
  }

  /** The attribute of the last empty tag with one attribute. `nextEmpty` recognizes a tag that repeats it. */
  get repeatableAttribute(): XmlAttribute | undefined {
    return this.#tags.lastOfEmptyTag;
  }

  /**
   * Reads an expected element up to its END if it comes next, after white space, as an empty tag with the attribute
   * `repeatableAttribute`, written identically. Otherwise reads nothing and returns false. .NET writes
   * `<Name xsi:nil="true" />` for each absent value. This takes a third of the time of `next`.
   */
  nextEmpty(expected: ExpectedName): boolean {
    const nameEnd = this.#expectedTagNameEnd(expected);
    if (nameEnd < 0 || this.source.charCodeAt(nameEnd) !== SPACE || this.#leavesDeclarations) {
      return false;
    }
    const end = this.#tags.lastOfEmptyTag === undefined ? -1 : this.#tags.findRepeatedEnd(nameEnd);
    if (end < 0) {
      return false;
    }
    if (this.kind === END) {
      this.#openElements.close();
    }
    this.#openElements.addChild(this.#expectedTagStart);
    this.#counter.addNodes(1, this.#expectedTagStart);
    this.offset = this.#expectedTagStart;
    this.#at = this.end = end;
    this.kind = TEXT;
    this.text = "";
    return true;
  }

  /**
   * Looks for an expected name in the next tag, after white space. Returns the end of the name; -1 if the name differs
   * or the element would be in another namespace.
   */
  #expectedTagNameEnd(expected: ExpectedName): number {
    const parentDepth = this.#openElements.depth - (this.kind === END ? 1 : 0);
    // An element without namespace declarations is in its parent's namespace if it has its parent's prefix.
    if (this.#isEmptyTag || parentDepth <= 0 || this.#openElements.getNamespaceAt(parentDepth) !== expected.namespace) {
      return -1;
    }
    if (this.#expectedAt === this.#at && this.#expectedName === expected) {
      return this.#expectedNameEnd;
    }
    const source = this.source;
    const start = source.charCodeAt(this.#at) === LESS ? this.#at : skipSpace(source, this.#at);
    this.#expectedAt = this.#at;
    this.#expectedName = expected;
    this.#expectedTagStart = start;
    this.#expectedPrefix = this.#openElements.getPrefixAt(parentDepth);
    this.#expectedNameEnd =
      source.charCodeAt(start) === LESS ? expected.findEnd(source, start + 1, this.#expectedPrefix) : -1;
    return this.#expectedNameEnd;
  }

  /** Whether the current END ends the scope of namespace declarations. Prefixes may change their namespaces there. */
  get #leavesDeclarations(): boolean {
    return this.kind === END && this.#scope.size > this.#openElements.mark;
  }

  /** Returns the value of an attribute of the current START; undefined if absent. */
  attribute(namespace: string, localName: string): string | undefined {
    for (const attribute of this.attributes) {
      if (attribute.localName === localName && attribute.namespace === namespace) {
        return attribute.value;
      }
    }
    return undefined;
  }

  /** Returns the namespace of a prefix at the current element; for `""` the default namespace, `""` if undeclared. */
  resolve(prefix: string): string | undefined {
    return this.#scope.resolve(prefix);
  }

  /** Returns the prefixes that the current START declares; `""` is the default namespace. */
  declaredPrefixes(): readonly string[] {
    return this.#scope.listPrefixesSince(this.#openElements.mark);
  }

  /** Reads from the START of an element up to its END. The skipped content must be well-formed, too. */
  skip(): void {
    const depth = this.depth;
    while (this.next() !== END || this.depth > depth) {}
  }

  /** Reads an element without child elements from its START up to its END, and returns its text. */
  readText(): string {
    const source = this.source;
    const start = this.#at;
    const tagStart = source.indexOf("<", start);
    const name = this.#openElements.name;
    const nameEnd = tagStart + 2 + name.length;
    if (
      this.#isEmptyTag ||
      tagStart < 0 ||
      source.charCodeAt(nameEnd) !== GREATER ||
      source.charCodeAt(tagStart + 1) !== SLASH ||
      !this.#characters.isPlain(start, tagStart) ||
      source.slice(tagStart + 2, nameEnd) !== name
    ) {
      return this.#readTextByEvents();
    }
    if (tagStart > start) {
      this.#counter.addText(tagStart - start, start);
    }
    this.offset = tagStart;
    this.nameEnd = nameEnd;
    this.#at = this.end = nameEnd + 1;
    this.kind = END;
    return source.slice(start, tagStart);
  }

  #readTextByEvents(): string {
    let text = "";
    while (this.next() !== END) {
      if (this.kind === START) {
        const message = `Only text is allowed here, not the element <${this.#openElements.name}>.`;
        throw createErrorAt(this.source, this.offset, message, "xml.unexpected-element");
      }
      text = this.text;
    }
    return text;
  }

  #readOutside(): number {
    const source = this.source;
    for (;;) {
      const start = skipSpace(source, this.#at);
      this.offset = start;
      if (start >= source.length) {
        return this.#endDocument();
      }
      if (source.charCodeAt(start) !== LESS) {
        this.#characters.refuseIllegalBefore(start + 1);
        throw createSyntaxError(source, start, this.#hasRoot ? "textAfterRoot" : "textBeforeRoot");
      }
      const code = source.charCodeAt(start + 1);
      if (code === BANG || code === QUESTION) {
        this.#at = this.#skipMarkup(start);
      } else if (this.#hasRoot) {
        throw createSyntaxError(source, start, "secondRoot");
      } else {
        return this.#readStartTag(start);
      }
    }
  }

  #endDocument(): number {
    if (!this.#hasRoot) {
      throw createSyntaxError(this.source, this.offset, "noRoot");
    }
    this.end = this.#at = this.offset;
    this.kind = DONE;
    return DONE;
  }

  #readContent(): number {
    const source = this.source;
    let offset = this.#at;
    let text = "";
    let hasMarkup = false;
    for (;;) {
      const markupStart = source.charCodeAt(offset) === LESS ? offset : source.indexOf("<", offset);
      if (markupStart < 0) {
        this.#characters.refuseIllegalBefore(source.length);
        throw createSyntaxError(source, source.length, "openElement", this.#openElements.name);
      }
      if (markupStart > offset) {
        if (text === "") {
          this.offset = offset;
        }
        text += this.#characters.value(offset, markupStart);
        this.end = markupStart;
      }
      const code = source.charCodeAt(markupStart + 1);
      if (code !== BANG && code !== QUESTION) {
        if (text !== "") {
          if (hasMarkup && code === SLASH && this.kind === START && text.trim() !== "") {
            this.markupInText = true;
          }
          return this.#endText(text, markupStart);
        }
        this.offset = markupStart;
        return code === SLASH ? this.#readEndTag(markupStart) : this.#readStartTag(markupStart);
      }
      if (source.startsWith("<![CDATA[", markupStart)) {
        offset = findCdataEnd(source, markupStart);
        this.#characters.refuseIllegalBefore(offset);
        if (text === "") {
          this.offset = markupStart;
        }
        text += withLineFeeds(source.slice(markupStart + 9, offset - 3));
        this.end = offset;
      } else {
        offset = this.#skipMarkup(markupStart);
        hasMarkup = true;
      }
    }
  }

  #endText(text: string, offset: number): number {
    this.#counter.addText(text.length, this.offset);
    this.text = text;
    this.#at = offset;
    this.kind = TEXT;
    return TEXT;
  }

  #skipMarkup(offset: number): number {
    this.#counter.addComment(offset);
    const end = findMarkupEnd(this.source, offset);
    this.#characters.refuseIllegalBefore(end);
    return end;
  }

  #readStartTag(tagStart: number): number {
    const source = this.source;
    this.#hasRoot = true;
    this.#openElements.open(tagStart);
    const start = tagStart + 1;
    let nameEnd = findNCNameEnd(source, start);
    let prefix = "";
    let localStart = start;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > start) {
      prefix = source.slice(start, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = findNCNameEnd(source, localStart);
    }
    if (nameEnd === localStart) {
      throw createSyntaxError(source, start, "noElementName");
    }
    if (nameEnd - start > this.#counter.limits.nameChars) {
      this.#counter.refuse("nameChars", tagStart);
    }

    this.nameEnd = nameEnd;
    this.attributes = noAttributes;
    this.#at = nameEnd + 1;
    if (source.charCodeAt(nameEnd) !== GREATER) {
      this.#setAttributes(this.#tags.read(nameEnd));
    }
    this.end = this.#at;

    const name = source.slice(start, nameEnd);
    const localName = prefix === "" ? name : source.slice(localStart, nameEnd);
    const namespace = prefix === "" ? this.#scope.defaultNamespace : this.#scope.require(prefix, source, start);
    this.#openElements.setName(name, prefix, localName, namespace);
    this.localName = localName;
    this.prefix = prefix;
    this.namespace = namespace;
    this.kind = START;
    return START;
  }

  #setAttributes(tagAttributes: TagAttributes): void {
    this.#counter.addNodes(tagAttributes.count, this.offset);
    this.attributes = tagAttributes.attributes;
    this.#isEmptyTag = tagAttributes.empty;
    this.#at = tagAttributes.end;
  }

  #readEndTag(tagStart: number): number {
    const source = this.source;
    const name = this.#openElements.name;
    const nameEnd = tagStart + 2 + name.length;
    const end = source.charCodeAt(nameEnd) === GREATER ? nameEnd : skipSpace(source, nameEnd);
    if (source.slice(tagStart + 2, nameEnd) !== name || source.charCodeAt(end) !== GREATER) {
      throw createSyntaxError(source, tagStart, "otherEndTag", name);
    }
    this.nameEnd = nameEnd;
    this.#at = this.end = end + 1;
    return this.#endElement();
  }

  #endEmptyTag(): number {
    this.#isEmptyTag = false;
    this.offset = this.end;
    return this.#endElement();
  }

  #endElement(): number {
    const elements = this.#openElements;
    this.localName = elements.localName;
    this.prefix = elements.getPrefixAt(elements.depth);
    this.namespace = elements.getNamespaceAt(elements.depth);
    this.kind = END;
    return END;
  }
}
