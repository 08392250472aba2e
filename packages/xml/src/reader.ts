import { CharacterData, cdataEnd, declarationEnd, markupEnd, skipSpace, withLineFeeds } from "./content.js";
import { errorAt } from "./error.js";
import { DONE, END, START, TEXT } from "./events.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import { expectedNameEnd, ncNameEnd } from "./names.js";
import { type Checkpoint, LimitCounter, NamespaceScope, OpenElements, type PrefixLookup } from "./scope.js";
import { StartTagReader, type TagAttributes, type XmlAttribute } from "./start-tag.js";

const none: readonly XmlAttribute[] = [];

const SPACE = 0x20;
const BANG = 0x21;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/**
 * Reads a document event by event: XML 1.0 (fifth edition) and Namespaces in XML 1.0, strictly, without DTD, within limits.
 * Builds no tree; the properties of an event are valid until the next one. Texts are slices of the document, so keeping one keeps
 * the document in memory.
 */
export class XmlReader {
  /** The current event. */
  kind: number = DONE;
  /** The name of the element, after START and END. */
  localName = "";
  prefix = "";
  namespace = "";
  /** After START. */
  attributes: readonly XmlAttribute[] = none;
  /** After TEXT: text, CDATA sections and the text around comments, joined. */
  text = "";
  /** Whether `text` joins text around a comment or processing instruction, in an element without children. */
  markupInText = false;
  /** The start and end of the event, and the end of the element's name, in UTF-16 units. */
  offset = 0;
  end = 0;
  nameEnd = 0;

  /** The document. */
  readonly source: string;
  readonly #scope: NamespaceScope;
  readonly #counter: LimitCounter;
  readonly #open: OpenElements;
  readonly #characters: CharacterData;
  readonly #tags: StartTagReader;
  #at = 0;
  /** Whether the START was an empty-element tag, so that its END follows. */
  #empty = false;
  #rootSeen = false;
  /** The offset of the last expected tag searched for: `nextIs` searches for the tag that `nextText` did not read. */
  #expectedAt = -1;
  #expectedLocalName = "";
  #expectedPrefix = "";
  #expectedLess = -1;
  #expectedNameEnd = -1;

  /**
   * `outer` contains the namespaces of prefixes that are bound outside the document. With a `checkpoint`, reading continues
   * there: up to that position, the text must equal the checkpoint's document, and the limits must be the same.
   */
  constructor(text: string, limits: XmlLimits = messageLimits, outer?: PrefixLookup, checkpoint?: Checkpoint) {
    this.source = text;
    this.#scope = new NamespaceScope(checkpoint === undefined ? outer : checkpoint.namespaces);
    this.#counter = new LimitCounter(text, limits, checkpoint);
    this.#open = new OpenElements(this.#counter, this.#scope, checkpoint?.open);
    this.#characters = new CharacterData(text, checkpoint?.at);
    this.#tags = new StartTagReader(text, { counter: this.#counter, scope: this.#scope, characters: this.#characters });
    if (checkpoint === undefined) {
      this.#at = declarationEnd(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
    } else {
      this.#at = checkpoint.at;
      this.#rootSeen = true;
      this.kind = START;
    }
  }

  /**
   * The state after the current START. Undefined for an empty tag, and for a tag with namespace declarations, which go out of
   * scope before its parent's.
   */
  get checkpoint(): Checkpoint | undefined {
    if (this.#empty || this.#scope.size > this.#open.mark) {
      return undefined;
    }
    const { nodes, comments } = this.#counter;
    return { at: this.#at, nodes, comments, open: this.#open.openNames, namespaces: this.#scope.declared };
  }

  /** A reader for another text, for modules that clients load without this one. */
  another(...parameters: ConstructorParameters<typeof XmlReader>): XmlReader {
    return new XmlReader(...parameters);
  }

  /** The number of open elements, including the current one. */
  get depth(): number {
    return this.#open.depth;
  }

  /** The local names of the open elements, `/Envelope/Body`. */
  get path(): string {
    return this.#open.path;
  }

  /** Reads the next event: START, END, TEXT, or DONE at the end of the document. Throws `XmlError`. */
  next(): number {
    if (this.kind === END) {
      this.#open.close();
    } else if (this.#empty) {
      return this.#endEmptyTag();
    }
    return this.#open.depth === 0 ? this.#readOutside() : this.#readContent();
  }

  /** Like `next`, but skips white space between two tags. */
  nextTag(): number {
    const source = this.source;
    if (!this.#empty && this.#open.depth > 0 && source.charCodeAt(this.#at) !== LESS) {
      const at = skipSpace(source, this.#at);
      const code = source.charCodeAt(at + 1);
      if (source.charCodeAt(at) === LESS && code !== BANG && code !== QUESTION) {
        this.#at = at;
      }
    }
    return this.next();
  }

  /**
   * Reads the START of an expected element if it comes next after white space and has no namespace declarations. Otherwise reads
   * nothing and returns false. If the order of elements is known, this costs half as much as reading the name.
   */
  nextIs(namespace: string, localName: string): boolean {
    const source = this.source;
    const nameEnd = this.#expect(namespace, localName);
    if (nameEnd < 0) {
      return false;
    }
    const less = this.#expectedLess;
    const prefix = this.#expectedPrefix;
    const code = source.charCodeAt(nameEnd);
    const empty = code === SLASH && source.charCodeAt(nameEnd + 1) === GREATER;
    const rest = code === SPACE && !this.#leavesDeclarations ? this.#tags.readRepeated(nameEnd) : undefined;
    if (code !== GREATER && !empty && rest === undefined) {
      return false;
    }

    if (this.kind === END) {
      this.#open.close();
    }
    this.offset = less;
    this.#open.open(less);
    this.nameEnd = nameEnd;
    if (rest === undefined) {
      this.attributes = none;
      this.#empty = empty;
      this.#at = empty ? nameEnd + 2 : nameEnd + 1;
    } else {
      this.#enter(rest);
    }
    this.end = this.#at;
    const name = prefix === "" ? localName : source.slice(less + 1, nameEnd);
    this.#open.setName(name, prefix, localName, namespace);
    this.localName = localName;
    this.prefix = prefix;
    this.namespace = namespace;
    this.kind = START;
    return true;
  }

  /**
   * Reads an expected element with only text, up to its END, if it comes next after white space; returns the text. Otherwise
   * reads nothing. Most elements in messages contain only text, and this costs half as much as their events.
   */
  nextText(namespace: string, localName: string): string | undefined {
    const source = this.source;
    const nameEnd = this.#expect(namespace, localName);
    const less = this.#expectedLess;
    const prefix = this.#expectedPrefix;
    if (nameEnd < 0 || source.charCodeAt(nameEnd) !== GREATER) {
      return undefined;
    }
    const start = nameEnd + 1;
    const close = source.indexOf("<", start);
    if (close < 0 || source.charCodeAt(close + 1) !== SLASH) {
      return undefined;
    }
    const closeEnd = expectedNameEnd(source, close + 2, prefix, localName);
    if (closeEnd < 0 || source.charCodeAt(closeEnd) !== GREATER || !this.#characters.isPlain(start, close)) {
      return undefined;
    }

    if (this.kind === END) {
      this.#open.close();
    }
    this.#open.addChild(less);
    if (close > start) {
      this.#counter.addText(close - start, start);
    }
    this.offset = start;
    this.#at = this.end = closeEnd + 1;
    this.kind = TEXT;
    this.text = source.slice(start, close);
    return this.text;
  }

  /** The attribute of the last empty tag with one attribute, which `nextEmpty` recognizes. */
  get repeatable(): XmlAttribute | undefined {
    return this.#tags.lastOfEmptyTag;
  }

  /**
   * Reads an expected element up to its END if it comes next after white space and its tag is empty with the attribute
   * `repeatable`, written identically; otherwise reads nothing and returns false. .NET writes `<Name xsi:nil="true" />` for each
   * absent value, and this costs a third of the events: 1.5 µs of 12 for a message with nine of them.
   */
  nextEmpty(namespace: string, localName: string): boolean {
    const nameEnd = this.#expect(namespace, localName);
    if (nameEnd < 0 || this.source.charCodeAt(nameEnd) !== SPACE || this.#leavesDeclarations) {
      return false;
    }
    const end = this.#tags.lastOfEmptyTag === undefined ? -1 : this.#tags.repeatedEnd(nameEnd);
    if (end < 0) {
      return false;
    }
    if (this.kind === END) {
      this.#open.close();
    }
    this.#open.addChild(this.#expectedLess);
    this.#counter.addNodes(1, this.#expectedLess);
    this.offset = this.#expectedLess;
    this.#at = this.end = end;
    this.kind = TEXT;
    this.text = "";
    return true;
  }

  /**
   * The end of the name in the next tag after white space, if it is the expected one; -1 if it is not, or if the element would
   * not be in the namespace.
   */
  #expect(namespace: string, localName: string): number {
    const parent = this.kind === END ? this.#open.depth - 1 : this.#open.depth;
    // Without declarations, an element with its parent's prefix is in its parent's namespace.
    if (this.#empty || parent <= 0 || this.#open.namespaceAt(parent) !== namespace) {
      return -1;
    }
    if (this.#expectedAt === this.#at && this.#expectedLocalName === localName) {
      return this.#expectedNameEnd;
    }
    const source = this.source;
    const less = source.charCodeAt(this.#at) === LESS ? this.#at : skipSpace(source, this.#at);
    this.#expectedAt = this.#at;
    this.#expectedLocalName = localName;
    this.#expectedLess = less;
    this.#expectedPrefix = this.#open.prefixAt(parent);
    this.#expectedNameEnd =
      source.charCodeAt(less) === LESS ? expectedNameEnd(source, less + 1, this.#expectedPrefix, localName) : -1;
    return this.#expectedNameEnd;
  }

  /** Whether this END leaves the scope of namespace declarations, so that prefixes change their meaning after it. */
  get #leavesDeclarations(): boolean {
    return this.kind === END && this.#scope.size > this.#open.mark;
  }

  /** The value of an attribute of the current START; undefined if absent. */
  attribute(namespace: string, localName: string): string | undefined {
    for (const attribute of this.attributes) {
      if (attribute.localName === localName && attribute.namespace === namespace) {
        return attribute.value;
      }
    }
    return undefined;
  }

  /** The namespace bound to a prefix at the current element; for `""` the default namespace, which is `""` if undeclared. */
  resolve(prefix: string): string | undefined {
    return this.#scope.resolve(prefix);
  }

  /** The prefixes that the current START declares; `""` is the default namespace. */
  declaredPrefixes(): readonly string[] {
    return this.#scope.since(this.#open.mark);
  }

  /** At START: reads up to its END, as strictly as everything else. */
  skip(): void {
    const depth = this.depth;
    while (this.next() !== END || this.depth > depth) {}
  }

  /** At START: reads an element without children up to its END, and returns its text. */
  readText(): string {
    const source = this.source;
    const start = this.#at;
    const less = source.indexOf("<", start);
    const name = this.#open.name;
    const nameEnd = less + 2 + name.length;
    if (
      this.#empty ||
      less < 0 ||
      source.charCodeAt(nameEnd) !== GREATER ||
      source.charCodeAt(less + 1) !== SLASH ||
      !this.#characters.isPlain(start, less) ||
      source.slice(less + 2, nameEnd) !== name
    ) {
      return this.#readTextByEvents();
    }
    if (less > start) {
      this.#counter.addText(less - start, start);
    }
    this.offset = less;
    this.nameEnd = nameEnd;
    this.#at = this.end = nameEnd + 1;
    this.kind = END;
    return source.slice(start, less);
  }

  #readTextByEvents(): string {
    let text = "";
    while (this.next() !== END) {
      if (this.kind === START) {
        const message = `Only text is expected here, not <${this.#open.name}>.`;
        throw errorAt(this.source, this.offset, message, "xml.unexpected-element");
      }
      text = this.text;
    }
    return text;
  }

  #readOutside(): number {
    const source = this.source;
    for (;;) {
      const at = skipSpace(source, this.#at);
      this.offset = at;
      if (at >= source.length) {
        return this.#finish();
      }
      if (source.charCodeAt(at) !== LESS) {
        this.#characters.refuseIllegalBefore(at + 1);
        throw errorAt(source, at, `There is text ${this.#rootSeen ? "after" : "before"} the document element.`);
      }
      const code = source.charCodeAt(at + 1);
      if (code === BANG || code === QUESTION) {
        this.#at = this.#skipMarkup(at);
      } else if (this.#rootSeen) {
        throw errorAt(source, at, "A document must have only one document element.");
      } else {
        return this.#readStartTag(at);
      }
    }
  }

  #finish(): number {
    if (!this.#rootSeen) {
      throw errorAt(this.source, this.offset, "The document has no element.");
    }
    this.end = this.#at = this.offset;
    this.kind = DONE;
    return DONE;
  }

  #readContent(): number {
    const source = this.source;
    let at = this.#at;
    let text = "";
    let markup = false;
    for (;;) {
      const less = source.charCodeAt(at) === LESS ? at : source.indexOf("<", at);
      if (less < 0) {
        this.#characters.refuseIllegalBefore(source.length);
        throw errorAt(source, source.length, `<${this.#open.name}> is not closed.`);
      }
      if (less > at) {
        if (text === "") {
          this.offset = at;
        }
        text += this.#characters.value(at, less);
        this.end = less;
      }
      const code = source.charCodeAt(less + 1);
      if (code !== BANG && code !== QUESTION) {
        if (text !== "") {
          if (markup && code === SLASH && this.kind === START && text.trim() !== "") {
            this.markupInText = true;
          }
          return this.#endText(text, less);
        }
        this.offset = less;
        return code === SLASH ? this.#readEndTag(less) : this.#readStartTag(less);
      }
      if (source.startsWith("<![CDATA[", less)) {
        at = cdataEnd(source, less);
        this.#characters.refuseIllegalBefore(at);
        if (text === "") {
          this.offset = less;
        }
        text += withLineFeeds(source.slice(less + 9, at - 3));
        this.end = at;
      } else {
        at = this.#skipMarkup(less);
        markup = true;
      }
    }
  }

  #endText(text: string, at: number): number {
    this.#counter.addText(text.length, this.offset);
    this.text = text;
    this.#at = at;
    this.kind = TEXT;
    return TEXT;
  }

  #skipMarkup(at: number): number {
    this.#counter.addComment(at);
    const end = markupEnd(this.source, at);
    this.#characters.refuseIllegalBefore(end);
    return end;
  }

  #readStartTag(less: number): number {
    const source = this.source;
    this.#rootSeen = true;
    this.#open.open(less);
    const start = less + 1;
    let nameEnd = ncNameEnd(source, start);
    let prefix = "";
    let localStart = start;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > start) {
      prefix = source.slice(start, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = ncNameEnd(source, localStart);
    }
    if (nameEnd === localStart) {
      throw errorAt(source, start, "The name of an element is expected here.");
    }
    if (nameEnd - start > this.#counter.limits.nameChars) {
      this.#counter.refuse("nameChars", less);
    }

    this.nameEnd = nameEnd;
    this.attributes = none;
    this.#at = nameEnd + 1;
    if (source.charCodeAt(nameEnd) !== GREATER) {
      this.#enter(this.#tags.read(nameEnd));
    }
    this.end = this.#at;

    const name = source.slice(start, nameEnd);
    const localName = prefix === "" ? name : source.slice(localStart, nameEnd);
    const namespace = prefix === "" ? this.#scope.default : this.#scope.require(prefix, source, start);
    this.#open.setName(name, prefix, localName, namespace);
    this.localName = localName;
    this.prefix = prefix;
    this.namespace = namespace;
    this.kind = START;
    return START;
  }

  #enter(rest: TagAttributes): void {
    this.#counter.addNodes(rest.count, this.offset);
    this.attributes = rest.attributes;
    this.#empty = rest.empty;
    this.#at = rest.end;
  }

  #readEndTag(less: number): number {
    const source = this.source;
    const name = this.#open.name;
    const nameEnd = less + 2 + name.length;
    const end = source.charCodeAt(nameEnd) === GREATER ? nameEnd : skipSpace(source, nameEnd);
    if (source.slice(less + 2, nameEnd) !== name || source.charCodeAt(end) !== GREATER) {
      throw errorAt(source, less, `The end tag of <${name}> is expected here.`);
    }
    this.nameEnd = nameEnd;
    this.#at = this.end = end + 1;
    return this.#endElement();
  }

  #endEmptyTag(): number {
    this.#empty = false;
    this.offset = this.end;
    return this.#endElement();
  }

  #endElement(): number {
    const open = this.#open;
    this.localName = open.localName;
    this.prefix = open.prefixAt(open.depth);
    this.namespace = open.namespaceAt(open.depth);
    this.kind = END;
    return END;
  }
}
