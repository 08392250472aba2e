import { codePointName, illegalCharacter } from "./characters.js";
import { beginsDeclaration, declarationEnd } from "./declaration.js";
import { XmlError, type XmlErrorCode } from "./error.js";
import { messageLimits, type XmlLimits } from "./limits.js";
import { ncNameEnd } from "./names.js";
import { declarationProblem, NamespaceScope } from "./namespaces.js";
import { type Position, positionOf } from "./position.js";
import { expandReferences } from "./references.js";

/** The events of `XmlReader.next`. */
export const DONE = 0;
export const START = 1;
export const END = 2;
export const TEXT = 3;

/** An attribute that is no namespace declaration. */
export interface XmlAttribute {
  readonly prefix: string;
  readonly localName: string;
  /** Empty for an attribute without a prefix: the default namespace is not for attributes. */
  readonly namespace: string;
  readonly value: string;
  /** Where its name begins. */
  readonly offset: number;
  /** Where its value begins and ends, inside the quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface OpenAttribute extends XmlAttribute {
  namespace: string;
}

const none: readonly OpenAttribute[] = [];
const few = 8;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BANG = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/**
 * Reads a document event by event: XML 1.0 (fifth edition) and Namespaces in XML 1.0, strict, without DTD, within limits.
 * It never looks back and keeps no tree; what an event says is valid until the next. Texts are slices of the document:
 * one that is kept keeps the document in memory.
 */
export class XmlReader {
  /** The current event. */
  kind: number = DONE;
  /** The element's name, after START and END. */
  localName = "";
  prefix = "";
  namespace = "";
  /** After START. */
  attributes: readonly XmlAttribute[] = none;
  /** After TEXT: adjacent text, CDATA sections and what stands around comments, in one. */
  text = "";
  /** Where the event starts and ends, and where the element's name ends. UTF-16 units. */
  offset = 0;
  end = 0;
  nameEnd = 0;
  /** Elements open, the current one among them. */
  depth = 0;

  readonly #source: string;
  readonly #limits: XmlLimits;
  readonly #scope = new NamespaceScope();
  #at = 0;
  #rootSeen = false;
  /** The START was an empty-element tag: its END follows. */
  #emptyTag = false;
  #nodes = 0;
  #comments = 0;

  // One entry per open element; arrays side by side cost less than an object each.
  readonly #names: string[] = [""];
  readonly #prefixes: string[] = [""];
  readonly #locals: string[] = [""];
  readonly #namespaces: string[] = [""];
  readonly #marks: number[] = [0];
  readonly #children: number[] = [0];

  // Where the next characters stand that need a closer look; the length of the source where none does. Text before
  // all of them is taken as it is.
  readonly #illegal: number;
  #ampersand = -1;
  #return = -1;
  #bracket = -1;
  #special = -1;

  constructor(text: string, limits: XmlLimits = messageLimits) {
    this.#source = text;
    this.#limits = limits;
    const illegal = illegalCharacter(text);
    this.#illegal = illegal < 0 ? text.length : illegal;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    if (beginsDeclaration(text, this.#at)) this.#readDeclaration();
  }

  /** Goes to the next event: START, END, TEXT, or DONE at the end of the document. Throws `XmlError`. */
  next(): number {
    if (this.kind === END) this.#close();
    else if (this.#emptyTag) return this.#endEmptyTag();
    if (this.depth === 0) return this.#readOutside();
    return this.#readContent();
  }

  /** The value of an attribute of the current START; undefined when it is not there. */
  attribute(namespace: string, localName: string): string | undefined {
    for (const attribute of this.attributes) {
      if (attribute.localName === localName && attribute.namespace === namespace) return attribute.value;
    }
    return undefined;
  }

  /** The namespace bound to a prefix at the current element; `""` asks for the default, which is `""` where none is declared. */
  resolve(prefix: string): string | undefined {
    return this.#scope.resolve(prefix);
  }

  /** The prefixes that the current START declares, `""` for the default namespace. */
  declaredPrefixes(): readonly string[] {
    return this.#scope.since(this.#marks[this.depth] ?? 0);
  }

  /** At START: goes to its END. What stands between is read as strictly as the rest. */
  skip(): void {
    const depth = this.depth;
    while (this.next() !== END || this.depth > depth);
  }

  /** At START: the whole text of an element without children; goes to its END. */
  readText(): string {
    if (this.#emptyTag) {
      this.#endEmptyTag();
      return "";
    }
    const source = this.#source;
    const start = this.#at;
    const less = source.indexOf("<", start);
    if (this.#special < start) this.#findSpecial(start);
    const name = this.#names[this.depth] ?? "";
    const end = less + 2 + name.length;
    if (
      less >= 0 &&
      less <= this.#special &&
      source.charCodeAt(end) === GREATER &&
      source.charCodeAt(less + 1) === SLASH &&
      source.startsWith(name, less + 2)
    ) {
      if (less > start) this.#countText(start, less - start);
      this.offset = less;
      this.#at = this.end = end + 1;
      this.kind = END;
      return source.slice(start, less);
    }
    return this.#readTextSlowly();
  }

  /** The line and column of an offset. */
  position(offset: number): Position {
    return positionOf(this.#source, offset);
  }

  #readTextSlowly(): string {
    let text = "";
    for (;;) {
      switch (this.next()) {
        case TEXT:
          text = this.text;
          break;
        case START:
          throw this.#error(
            "xml.unexpected-element",
            this.offset,
            `Only text is expected here, not <${this.#shownName()}>.`,
          );
        default:
          return text;
      }
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Around the document element

  #readDeclaration(): void {
    const end = declarationEnd(this.#source, this.#at);
    if (end < 0) throw this.#error("xml.not-well-formed", this.#at, "The XML declaration is malformed.");
    this.#at = end;
  }

  #readOutside(): number {
    const source = this.#source;
    for (;;) {
      const at = this.#skipSpace(this.#at);
      if (at >= source.length) return this.#finish(at);
      this.offset = at;
      if (source.charCodeAt(at) !== LESS) throw this.#strayCharacter(at);
      const code = source.charCodeAt(at + 1);
      if (code === BANG || code === QUESTION) this.#at = this.#skipMarkup(at);
      else if (this.#rootSeen) throw this.#error("xml.not-well-formed", at, "A document has one document element.");
      else return this.#readStartTag(at);
    }
  }

  #finish(at: number): number {
    if (!this.#rootSeen) throw this.#error("xml.not-well-formed", at, "The document has no element.");
    this.offset = this.end = this.#at = at;
    this.kind = DONE;
    return DONE;
  }

  #strayCharacter(at: number): XmlError {
    if (at >= this.#illegal) return this.#illegalCharacter();
    const where = this.#rootSeen ? "after" : "before";
    return this.#error("xml.not-well-formed", at, `Text stands ${where} the document element.`);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Content

  #readContent(): number {
    const source = this.#source;
    let at = this.#at;
    let text = "";
    for (;;) {
      const less = source.indexOf("<", at);
      if (less < 0) throw this.#unclosed(at);
      if (less > at) {
        if (text === "") this.offset = at;
        text += this.#textBetween(at, less);
        this.end = less;
      }
      const code = source.charCodeAt(less + 1);
      if (code !== BANG && code !== QUESTION) {
        if (text !== "") return this.#endText(text, less);
        this.offset = less;
        return code === SLASH ? this.#readEndTag(less) : this.#readStartTag(less);
      }
      if (source.startsWith("<![CDATA[", less)) {
        at = this.#cdataEnd(less);
        if (text === "") this.offset = less;
        text += withLineFeeds(source.slice(less + 9, at - 3));
        this.end = at;
      } else {
        at = this.#skipMarkup(less);
      }
    }
  }

  #endText(text: string, at: number): number {
    this.#countText(this.offset, text.length);
    this.text = text;
    this.#at = at;
    this.kind = TEXT;
    return TEXT;
  }

  #countText(offset: number, length: number): void {
    if (length > this.#limits.textChars) throw this.#limit("textChars", offset);
    this.#countNode(offset);
  }

  #countNode(offset: number): void {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) throw this.#limit("nodes", offset);
  }

  #textBetween(start: number, end: number): string {
    if (this.#special < start) this.#findSpecial(start);
    if (end <= this.#special) return this.#source.slice(start, end);
    if (this.#illegal < end) throw this.#illegalCharacter();
    if (this.#bracket < end) {
      throw this.#error("xml.not-well-formed", this.#bracket, "]]> cannot stand in text; write ]]&gt;.");
    }
    if (this.#ampersand >= end) return withLineFeeds(this.#source.slice(start, end));
    return this.#expand(start, end, withLineFeeds);
  }

  #expand(start: number, end: number, literal: (text: string) => string): string {
    return expandReferences(this.#source, { start, end }, literal, (code, offset, message) => {
      throw this.#error(code, offset, message);
    });
  }

  /** Each search goes on from its last hit only, so that all of them together read the document once. */
  #findSpecial(from: number): void {
    if (this.#ampersand < from) this.#ampersand = this.#find("&", from);
    if (this.#return < from) this.#return = this.#find("\r", from);
    if (this.#bracket < from) this.#bracket = this.#find("]]>", from);
    this.#special = Math.min(this.#ampersand, this.#return, this.#bracket, this.#illegal);
  }

  #find(what: string, from: number): number {
    const at = this.#source.indexOf(what, from);
    return at < 0 ? this.#source.length : at;
  }

  #cdataEnd(at: number): number {
    const end = this.#source.indexOf("]]>", at + 9);
    if (end < 0) throw this.#error("xml.not-well-formed", at, "The CDATA section is not closed.");
    if (this.#illegal < end) throw this.#illegalCharacter();
    return end + 3;
  }

  /** A comment or processing instruction, both of which mean nothing here; anything else after `<!` is refused. */
  #skipMarkup(at: number): number {
    const source = this.#source;
    this.#comments += 1;
    if (this.#comments > this.#limits.comments) throw this.#limit("comments", at);
    if (source.charCodeAt(at + 1) === QUESTION) return this.#instructionEnd(at);
    if (source.startsWith("<!DOCTYPE", at)) {
      throw this.#error("xml.dtd", at, "A document type declaration is refused, always: remove it.");
    }
    if (!source.startsWith("<!--", at)) throw this.#error("xml.not-well-formed", at, "This is no markup.");
    const dashes = source.indexOf("--", at + 4);
    if (dashes < 0) throw this.#error("xml.not-well-formed", at, "The comment is not closed.");
    if (source.charCodeAt(dashes + 2) !== GREATER) {
      throw this.#error("xml.not-well-formed", dashes, "A comment cannot contain --.");
    }
    if (this.#illegal < dashes) throw this.#illegalCharacter();
    return dashes + 3;
  }

  #instructionEnd(at: number): number {
    const source = this.#source;
    const nameEnd = ncNameEnd(source, at + 2);
    const target = source.slice(at + 2, nameEnd);
    const end = source.indexOf("?>", nameEnd);
    if (target === "" || end < 0 || (end > nameEnd && this.#skipSpace(nameEnd) === nameEnd)) {
      throw this.#error("xml.not-well-formed", at, "The processing instruction is malformed.");
    }
    if (target.length === 3 && target.toLowerCase() === "xml") {
      throw this.#error("xml.not-well-formed", at, "An XML declaration stands only at the very start, in lower case.");
    }
    if (this.#illegal < end) throw this.#illegalCharacter();
    return end + 2;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Tags

  #readStartTag(less: number): number {
    const source = this.#source;
    const parent = this.depth;
    const depth = parent + 1;
    if (depth > this.#limits.depth) throw this.#limit("depth", less);
    this.#countNode(less);
    const count = (this.#children[parent] ?? 0) + 1;
    if (count > this.#limits.children && parent > 0) throw this.#limit("children", less);
    this.#children[parent] = count;
    this.#children[depth] = 0;
    this.#marks[depth] = this.#scope.size;
    this.depth = depth;
    this.#rootSeen = true;

    const start = less + 1;
    let nameEnd = ncNameEnd(source, start);
    let prefix = "";
    let localStart = start;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > start) {
      prefix = source.slice(start, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = ncNameEnd(source, localStart);
    }
    if (nameEnd === localStart || source.charCodeAt(nameEnd) === COLON) throw this.#badName(start);
    if (nameEnd - start > this.#limits.name) throw this.#limit("name", less);

    const name = source.slice(start, nameEnd);
    this.nameEnd = nameEnd;
    this.attributes = none;
    if (source.charCodeAt(nameEnd) === GREATER) this.#at = nameEnd + 1;
    else this.#readAttributes(nameEnd);
    this.end = this.#at;

    this.#names[depth] = name;
    this.#prefixes[depth] = this.prefix = prefix;
    this.#locals[depth] = this.localName = prefix === "" ? name : source.slice(localStart, nameEnd);
    this.#namespaces[depth] = this.namespace = prefix === "" ? this.#scope.default : this.#namespaceOf(prefix, start);
    this.kind = START;
    return START;
  }

  #readEndTag(less: number): number {
    const source = this.#source;
    const depth = this.depth;
    const name = this.#names[depth] ?? "";
    let at = less + 2 + name.length;
    if (source.charCodeAt(at) !== GREATER) at = this.#skipSpace(at);
    if (!source.startsWith(name, less + 2) || source.charCodeAt(at) !== GREATER) throw this.#wrongEnd(less, name);
    this.nameEnd = less + 2 + name.length;
    this.#at = this.end = at + 1;
    return this.#endElement();
  }

  #endEmptyTag(): number {
    this.#emptyTag = false;
    this.offset = this.end;
    return this.#endElement();
  }

  #endElement(): number {
    const depth = this.depth;
    this.localName = this.#locals[depth] ?? "";
    this.prefix = this.#prefixes[depth] ?? "";
    this.namespace = this.#namespaces[depth] ?? "";
    this.kind = END;
    return END;
  }

  /** Leaves the element whose END was the last event: until now its namespaces were in scope. */
  #close(): void {
    const mark = this.#marks[this.depth] ?? 0;
    if (this.#scope.size > mark) this.#scope.cut(mark);
    this.depth -= 1;
    this.kind = TEXT;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Attributes

  #readAttributes(nameEnd: number): void {
    const source = this.#source;
    const attributes: OpenAttribute[] = [];
    let declarations = 0;
    let at = nameEnd;
    for (;;) {
      const start = this.#skipSpace(at);
      const code = source.charCodeAt(start);
      if (code === GREATER) {
        this.#at = start + 1;
        break;
      }
      if (code === SLASH && source.charCodeAt(start + 1) === GREATER) {
        this.#emptyTag = true;
        this.#at = start + 2;
        break;
      }
      if (start === at) throw this.#badTag(start);
      const attribute = this.#readAttribute(start);
      if (attribute.prefix === "xmlns" || (attribute.prefix === "" && attribute.localName === "xmlns")) {
        declarations += 1;
        if (declarations > this.#limits.namespaces) throw this.#limit("namespaces", start);
        this.#declare(attribute);
      } else {
        if (attributes.length >= this.#limits.attributes) throw this.#limit("attributes", start);
        attributes.push(attribute);
      }
      at = attribute.valueEnd + 1;
    }
    if (this.#illegal < this.#at) throw this.#illegalCharacter();
    for (const attribute of attributes) {
      if (attribute.prefix !== "") attribute.namespace = this.#namespaceOf(attribute.prefix, attribute.offset);
    }
    if (attributes.length > 1) this.#refuseDuplicates(attributes);
    this.attributes = attributes;
  }

  #readAttribute(offset: number): OpenAttribute {
    const source = this.#source;
    this.#countNode(offset);
    let nameEnd = ncNameEnd(source, offset);
    let prefix = "";
    let localStart = offset;
    if (source.charCodeAt(nameEnd) === COLON && nameEnd > offset) {
      prefix = source.slice(offset, nameEnd);
      localStart = nameEnd + 1;
      nameEnd = ncNameEnd(source, localStart);
    }
    if (nameEnd === localStart || source.charCodeAt(nameEnd) === COLON) throw this.#badName(offset);
    if (nameEnd - offset > this.#limits.name) throw this.#limit("name", offset);
    let at = nameEnd;
    if (source.charCodeAt(at) !== EQUALS) at = this.#skipSpace(at);
    if (source.charCodeAt(at) !== EQUALS) {
      throw this.#error("xml.not-well-formed", at, "An attribute needs = and a value.");
    }
    let quote = source.charCodeAt(at + 1);
    at += 1;
    if (quote !== QUOTE && quote !== APOSTROPHE) {
      at = this.#skipSpace(at);
      quote = source.charCodeAt(at);
    }
    if (quote !== QUOTE && quote !== APOSTROPHE) {
      throw this.#error("xml.not-well-formed", at, "The value of an attribute stands in quotes.");
    }
    const valueStart = at + 1;
    const valueEnd = source.indexOf(quote === QUOTE ? '"' : "'", valueStart);
    if (valueEnd < 0) throw this.#error("xml.not-well-formed", at, "The value of the attribute is not closed.");
    if (valueEnd - valueStart > this.#limits.attributeChars) throw this.#limit("attributeChars", offset);
    const localName = source.slice(localStart, nameEnd);
    return {
      prefix,
      localName,
      namespace: "",
      value: this.#attributeValue(valueStart, valueEnd),
      offset,
      valueStart,
      valueEnd,
    };
  }

  #attributeValue(start: number, end: number): string {
    const value = this.#source.slice(start, end);
    if (!/[<&\t\n\r]/.test(value)) return value;
    const less = value.indexOf("<");
    if (less >= 0) throw this.#error("xml.not-well-formed", start + less, "A < in an attribute value is written &lt;.");
    if (!value.includes("&")) return withSpaces(value);
    return this.#expand(start, end, withSpaces);
  }

  #declare(attribute: XmlAttribute): void {
    const prefix = attribute.prefix === "" ? "" : attribute.localName;
    const problem = declarationProblem(prefix, attribute.value);
    if (problem !== undefined) throw this.#error("xml.namespace", attribute.offset, problem);
    if (this.#scope.declaredSince(this.#marks[this.depth] ?? 0, prefix)) throw this.#duplicate(attribute);
    this.#scope.declare(prefix, attribute.value);
  }

  #namespaceOf(prefix: string, offset: number): string {
    const namespace = prefix === "xmlns" ? undefined : this.#scope.resolve(prefix);
    if (namespace === undefined) {
      throw this.#error("xml.namespace", offset, `The prefix "${prefix}" is not declared.`);
    }
    return namespace;
  }

  #refuseDuplicates(attributes: readonly XmlAttribute[]): void {
    if (attributes.length <= few) {
      for (let one = 1; one < attributes.length; one += 1) {
        for (let other = 0; other < one; other += 1) {
          const a = attributes[one];
          const b = attributes[other];
          if (a && b && a.localName === b.localName && a.namespace === b.namespace) throw this.#duplicate(a);
        }
      }
      return;
    }
    const seen = new Set<string>();
    for (const attribute of attributes) {
      const name = `{${attribute.namespace}}${attribute.localName}`;
      if (seen.has(name)) throw this.#duplicate(attribute);
      seen.add(name);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // White space and errors

  #skipSpace(from: number): number {
    const source = this.#source;
    let at = from;
    for (;;) {
      const code = source.charCodeAt(at);
      if (code !== SPACE && code !== LF && code !== CR && code !== TAB) return at;
      at += 1;
    }
  }

  #shownName(): string {
    return this.prefix === "" ? this.localName : `${this.prefix}:${this.localName}`;
  }

  #error(code: XmlErrorCode, offset: number, message: string): XmlError {
    return new XmlError(code, message, { offset, ...positionOf(this.#source, offset) });
  }

  #limit(name: keyof XmlLimits, offset: number): XmlError {
    const value = this.#limits[name];
    return new XmlError(
      `limit.${name}`,
      `The document passes the limit ${name} = ${value}; the option limits.${name} sets it.`,
      {
        offset,
        ...positionOf(this.#source, offset),
        limit: { name, value },
      },
    );
  }

  #illegalCharacter(): XmlError {
    const name = codePointName(this.#source, this.#illegal);
    return this.#error("xml.character", this.#illegal, `XML forbids the character ${name}.`);
  }

  #badName(at: number): XmlError {
    return this.#error("xml.not-well-formed", at, "A name is expected here, with one colon at most.");
  }

  #badTag(at: number): XmlError {
    if (at >= this.#source.length) return this.#error("xml.not-well-formed", this.offset, "The tag is not closed.");
    return this.#error("xml.not-well-formed", at, "White space, an attribute or the end of the tag is expected here.");
  }

  #duplicate(attribute: XmlAttribute): XmlError {
    return this.#error(
      "xml.not-well-formed",
      attribute.offset,
      `The attribute "${attribute.localName}" stands here twice.`,
    );
  }

  #wrongEnd(at: number, name: string): XmlError {
    return this.#error("xml.not-well-formed", at, `The end tag of <${name}> is expected here.`);
  }

  #unclosed(at: number): XmlError {
    if (this.#illegal < this.#source.length) return this.#illegalCharacter();
    const name = this.#names[this.depth] ?? "";
    return this.#error("xml.not-well-formed", Math.max(at, this.#source.length), `<${name}> is not closed.`);
  }
}

/** XML 1.0 §2.11: every line end is read as LF. */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** XML 1.0 §3.3.3: in attribute values white space is read as spaces. */
function withSpaces(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, " ");
}
