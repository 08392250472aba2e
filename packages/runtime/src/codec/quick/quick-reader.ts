import type { XmlLimits } from "@bothends/xml";
import { instanceNamespace } from "../resolved-types.js";

/** An attribute that is not a namespace declaration. */
export interface QuickAttribute {
  readonly namespace: string;
  readonly localName: string;
  readonly value: string;
}

/** A text that is expected in documents, in two parts: comparing two short slices takes half the time of a long one. */
export interface ExpectedText {
  readonly head: string;
  readonly tail: string;
}

/** V8 copies slices of at most 12 characters. For names of 13 to 24 characters, this saves 5 % of the decoding time. */
export function createExpectedText(text: string): ExpectedText {
  return { head: text.slice(0, 12), tail: text.slice(12) };
}

const SPACE = 0x20;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;

/** The maximum depth of a document, regardless of the limits, because decoders are recursive. */
const maxDepth = 512;
/** The maximum length of text in which this reader replaces references, in UTF-16 units. */
const maxReferenceTextLength = 4096;
/** The maximum offset at which a bookmark can be made, in UTF-16 units. */
const maxBookmarkLength = 1024;
const noAttributes: readonly QuickAttribute[] = [];

// These patterns match only ASCII names, and values without references, tabs and line ends. Nearly all messages contain
// nothing else.
const xmlDeclarationPattern =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])[Uu][Tt][Ff]-8\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>/;
const tagStartPattern = /<(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)/y;
const attributePattern = /[ \n]+(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)=(?:"([^"<&\t\n]*)"|'([^'<&\t\n]*)')/y;
const tagEndPattern = /[ \n]*(\/?)>/y;

const charactersByReference: ReadonlyMap<string, string> = new Map([
  ["amp;", "&"],
  ["lt;", "<"],
  ["gt;", ">"],
  ["quot;", '"'],
  ["apos;", "'"],
  ["#13;", "\r"],
  ["#xD;", "\r"],
]);

/**
 * The error that `stopQuickCodec` throws. There is only one instance, so that tests can recognize it and no stack trace
 * has to be created.
 */
export const unusualMessage = /* @__PURE__ */ new Error("unusual");

/**
 * Throws `unusualMessage`, because `QuickDecoder` or `QuickEncoder` does not support a message, or the message is
 * invalid. `Decoder` or `Encoder` then reads or writes the message, and reports errors.
 */
export function stopQuickCodec(): never {
  throw unusualMessage;
}

/**
 * Reads documents in the form that peers usually send. Throws `unusualMessage` for anything else: comments, CDATA
 * sections, processing instructions, non-ASCII names, a limit that may be exceeded, and anything not well-formed (XML
 * 1.0, Namespaces in XML 1.0). This reader never accepts a document that `XmlReader` refuses, and reads the same
 * values. Every client contains this class, so it is kept small.
 */
export class QuickReader {
  /** The namespace of the current element, or "". */
  namespace = "";
  localName = "";
  prefix = "";
  attributes: readonly QuickAttribute[] = [];
  /** The namespaces in scope at the current element, keyed by prefix. */
  scope: ReadonlyMap<string, string>;
  readonly #text: string;
  readonly #limits: XmlLimits;
  #offset = 0;
  #isEmpty = false;
  #elementCount = 0;
  #nodeCount = 0;
  /** The offset of the next `&`; the length of the text if there is none. */
  #ampersandOffset = -1;
  /** The text after the name in the last tag with `xsi:nil="true" />`, which .NET writes for each absent value. */
  #nilRest: ExpectedText | undefined;
  // The names of the open elements as written, and the scopes that surround these elements.
  #openElements: ExpectedText[] = [];
  #scopes: ReadonlyMap<string, string>[] = [];

  /**
   * `text` has been decoded from UTF-8. `prefixes` maps prefixes that the document need not declare to their
   * namespaces.
   */
  constructor(text: string, limits: XmlLimits, prefixes: ReadonlyMap<string, string> = new Map()) {
    // XML 1.0 §2.11: line ends are normalized before parsing.
    this.#text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#limits = limits;
    this.scope = prefixes;
    // Several separate searches are faster than one search for a large character class.
    if (
      /[\0-\x08\x0b-\x1f]/.test(this.#text) ||
      text.includes("\ufffe") ||
      text.includes("\uffff") ||
      text.includes("]]>")
    ) {
      stopQuickCodec();
    }
    this.#offset = xmlDeclarationPattern.exec(this.#text)?.[0].length ?? 0;
  }

  /**
   * Returns a copy of this reader at the current start tag, for `resume`. Returns undefined at an empty element, and if
   * the tag ends after more than `maxBookmarkLength` characters.
   */
  bookmark(): QuickReader | undefined {
    if (this.#isEmpty || this.#offset > maxBookmarkLength) {
      return undefined;
    }
    // Clones the text, because a slice would keep the whole document in memory.
    const bookmark = new QuickReader(structuredClone(this.#text.slice(0, this.#offset)), this.#limits);
    bookmark.#copyState(this);
    return bookmark;
  }

  /** Moves to the start tag at which the bookmark was made, if this document has the same beginning and limits. */
  resume(bookmark: QuickReader | undefined): boolean {
    // Comparing slices is faster than `startsWith`.
    if (
      bookmark === undefined ||
      bookmark.#limits !== this.#limits ||
      bookmark.#text !== this.#text.slice(0, bookmark.#offset)
    ) {
      return false;
    }
    this.#copyState(bookmark);
    return true;
  }

  #copyState(other: QuickReader): void {
    Object.assign(this, other);
    this.#offset = other.#offset;
    this.#elementCount = other.#elementCount;
    this.#nodeCount = other.#nodeCount;
    this.#openElements = [...other.#openElements];
    this.#scopes = [...other.#scopes];
  }

  /** Moves to the start of the next child. If there is no other child, leaves the current element and returns false. */
  nextChild(): boolean {
    if (this.#isEmpty) {
      this.#endElement();
      return false;
    }
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#offset + 1) === SLASH && this.#openElements.length > 0) {
      this.#readEnd();
      return false;
    }
    this.#readStart();
    return true;
  }

  /** Reads the current element, which contains only text, to its end. */
  readText(): string {
    if (this.#isEmpty) {
      this.#endElement();
      return "";
    }
    const value = this.#readTextContent();
    this.#readEnd();
    return value;
  }

  /** Reads the current element to its end. */
  skip(): void {
    const { length } = this.#openElements;
    while (this.#openElements.length >= length) {
      if (!this.#isEmpty) {
        this.#readTextContent();
      }
      this.nextChild();
    }
  }

  /** Refuses any content but white space after the document element. */
  finish(): void {
    this.#skipSpace();
    if (this.#offset !== this.#text.length) {
      stopQuickCodec();
    }
  }

  // The methods `expect…` read the next child if its tag has the expected name and the child is in its parent's
  // namespace. With elements in the expected order, this takes half the time of reading the name.

  /**
   * Reads the next child, if it has the expected name and contains only text, and returns the text. If it is nil, and
   * its tag is spelled as the last nil tag, returns null. Returns undefined for any other child.
   */
  expectSimple(name: ExpectedText, nillable: boolean): string | null | undefined {
    const text = this.#text;
    const nameEnd = this.#findExpected(name);
    if (text.charCodeAt(nameEnd) === GREATER) {
      const endTag = text.indexOf("<", nameEnd);
      const end = this.#findEnd(endTag + 2, name);
      if (text.charCodeAt(endTag + 1) === SLASH && text.charCodeAt(end) === GREATER) {
        this.#countElement(0);
        this.#offset = end + 1;
        return this.#readTextBetween(nameEnd + 1, endTag);
      }
    } else if (nillable && nameEnd >= 0 && this.#nilRest !== undefined) {
      const end = this.#findEnd(nameEnd, this.#nilRest);
      if (end >= 0) {
        this.#countElement(1);
        this.#offset = end;
        return null;
      }
    }
    return undefined;
  }

  /** Moves to the start of the next child, if it has the expected name and no attributes. */
  expectStart(
    name: ExpectedText,
    prefix: string,
    element: { readonly namespace: string; readonly localName: string },
  ): boolean {
    const nameEnd = this.#findExpected(name);
    if (nameEnd < 0 || this.#text.charCodeAt(nameEnd) !== GREATER) {
      return false;
    }
    this.#countElement(0);
    this.#openElements.push(name);
    this.#scopes.push(this.scope);
    this.#offset = nameEnd + 1;
    this.prefix = prefix;
    this.namespace = element.namespace;
    this.localName = element.localName;
    this.attributes = noAttributes;
    return true;
  }

  /** Returns the offset after the name in the next tag if it is the expected name; otherwise -1. */
  #findExpected(name: ExpectedText): number {
    this.#skipSpace();
    return !this.#isEmpty && this.#text.charCodeAt(this.#offset) === LESS ? this.#findEnd(this.#offset + 1, name) : -1;
  }

  /** Returns the end of an expected text at an offset; -1 if the text differs. Slices are faster than `startsWith`. */
  #findEnd(start: number, { head, tail }: ExpectedText): number {
    const text = this.#text;
    const headEnd = start + head.length;
    const end = headEnd + tail.length;
    return text.slice(start, headEnd) === head && (tail === "" || text.slice(headEnd, end) === tail) ? end : -1;
  }

  #skipSpace(): void {
    // The constructor has refused all control characters but tabs and line feeds.
    while (this.#text.charCodeAt(this.#offset) <= SPACE) {
      this.#offset += 1;
    }
  }

  #readStart(): void {
    const text = this.#text;
    tagStartPattern.lastIndex = this.#offset;
    const [start, prefix = "", localName = ""] = tagStartPattern.exec(text) ?? stopQuickCodec();
    const nameEnd = tagStartPattern.lastIndex;
    const rawAttributes: [prefix: string, localName: string, value: string][] = [];
    const declarations: [prefix: string, namespace: string][] = [];
    let offset = nameEnd;
    attributePattern.lastIndex = offset;
    for (let match = attributePattern.exec(text); match !== null; match = attributePattern.exec(text)) {
      offset = attributePattern.lastIndex;
      const [, attributePrefix = "", name = "", doubleQuoted, value = doubleQuoted ?? ""] = match;
      this.#checkLengths(attributePrefix.length + name.length, value.length);
      if (attributePrefix === "xmlns") {
        declarations.push([name, value]);
      } else if (name === "xmlns" && attributePrefix === "") {
        declarations.push(["", value]);
      } else {
        rawAttributes.push([attributePrefix, name, value]);
      }
    }
    tagEndPattern.lastIndex = offset;
    const end = tagEndPattern.exec(text) ?? stopQuickCodec();
    this.#checkLengths(start.length, 0);
    this.#countElement(rawAttributes.length + declarations.length);
    this.#openElements.push(createExpectedText(start.slice(1)));
    this.#scopes.push(this.scope);
    if (declarations.length > 0) {
      this.#declare(declarations);
    }
    this.#offset = tagEndPattern.lastIndex;
    this.#isEmpty = end[1] === "/";
    this.prefix = prefix;
    this.localName = localName;
    this.namespace = this.#getNamespace(prefix);
    this.attributes = rawAttributes.length === 0 ? noAttributes : this.#resolveAttributes(rawAttributes);
    if (this.#isEmpty && declarations.length === 0 && rawAttributes.length === 1 && isNil(this.attributes[0])) {
      this.#nilRest = createExpectedText(text.slice(nameEnd, this.#offset));
    }
  }

  /**
   * Adds namespace declarations to the scope. Some prefixes and namespaces must not be declared (Namespaces in XML 1.0
   * §3).
   */
  #declare(declarations: readonly (readonly [prefix: string, namespace: string])[]): void {
    const isForbidden = declarations.some(
      ([prefix, namespace]) =>
        prefix.startsWith("xml") ||
        (prefix !== "" && namespace === "") ||
        /^http:\/\/www\.w3\.org\/(?:XML|2000)\//.test(namespace),
    );
    if (isForbidden || new Map(declarations).size < declarations.length) {
      stopQuickCodec();
    }
    this.scope = new Map([...this.scope, ...declarations]);
    this.#nilRest = undefined;
  }

  /** Resolves the prefixes of attributes. No two attributes may have the same name (Namespaces in XML 1.0 §6.3). */
  #resolveAttributes(
    rawAttributes: readonly (readonly [prefix: string, localName: string, value: string])[],
  ): readonly QuickAttribute[] {
    const names = new Set<string>();
    const attributes = rawAttributes.map(([prefix, localName, value]) => {
      const namespace = prefix === "" ? "" : this.#getNamespace(prefix);
      names.add(`${localName} ${namespace}`);
      return { namespace, localName, value };
    });
    return names.size < rawAttributes.length ? stopQuickCodec() : attributes;
  }

  #getNamespace(prefix: string): string {
    return this.scope.get(prefix) ?? (prefix === "" ? "" : stopQuickCodec());
  }

  #readEnd(): void {
    const text = this.#text;
    const end = this.#findEnd(this.#offset + 2, this.#openElements.at(-1) ?? stopQuickCodec());
    if (!text.startsWith("</", this.#offset) || end < 0) {
      stopQuickCodec();
    }
    if (text.charCodeAt(end) === GREATER) {
      this.#offset = end + 1;
    } else {
      tagEndPattern.lastIndex = end;
      if (tagEndPattern.exec(text)?.[1] !== "") {
        stopQuickCodec();
      }
      this.#offset = tagEndPattern.lastIndex;
    }
    this.#endElement();
  }

  #endElement(): void {
    this.#isEmpty = false;
    this.#openElements.pop();
    const outerScope = this.#scopes.pop() ?? this.scope;
    if (outerScope !== this.scope) {
      this.scope = outerScope;
      this.#nilRest = undefined;
    }
  }

  #readTextContent(): string {
    const tagOffset = this.#text.indexOf("<", this.#offset);
    if (tagOffset < 0) {
      stopQuickCodec();
    }
    const start = this.#offset;
    this.#offset = tagOffset;
    return this.#readTextBetween(start, tagOffset);
  }

  /** Returns the text between two offsets without markup, with its references replaced (XML 1.0 §4.1). */
  #readTextBetween(start: number, end: number): string {
    if (this.#ampersandOffset < start) {
      const ampersandOffset = this.#text.indexOf("&", start);
      this.#ampersandOffset = ampersandOffset < 0 ? this.#text.length : ampersandOffset;
    }
    if (end - start > this.#limits.textChars) {
      stopQuickCodec();
    }
    const value = this.#text.slice(start, end);
    if (this.#ampersandOffset >= end) {
      return value;
    }
    // Long text with references is left to `XmlReader`, which is faster for it.
    return value.length > maxReferenceTextLength
      ? stopQuickCodec()
      : value.replace(/&([^;]*;?)/g, (_, name: string) => charactersByReference.get(name) ?? stopQuickCodec());
  }

  /**
   * Counts an element, and throws `unusualMessage` if a limit may be exceeded. Counts two text nodes for each element:
   * one inside the element and one after it.
   */
  #countElement(attributes: number): void {
    const { depth, attributes: maxAttributes, namespaces, children, nodes } = this.#limits;
    this.#elementCount += 1;
    this.#nodeCount += 3 + attributes;
    if (
      this.#nodeCount > nodes ||
      this.#elementCount > children ||
      this.#openElements.length >= Math.min(depth, maxDepth) ||
      attributes > maxAttributes ||
      attributes > namespaces
    ) {
      stopQuickCodec();
    }
  }

  /** Checks the limit on namespace names for all attributes, because values that are longer are rare. */
  #checkLengths(name: number, value: number): void {
    if (name >= this.#limits.nameChars || value > this.#limits.attributeChars || value > this.#limits.namespaceChars) {
      stopQuickCodec();
    }
  }
}

/** Whether an attribute is `xsi:nil="true"`. */
export function isNil(attribute: QuickAttribute | undefined): boolean {
  return (
    attribute?.localName === "nil" &&
    attribute.namespace === instanceNamespace &&
    /^ *(?:true|1) *$/.test(attribute.value)
  );
}

// All answers share this decoder, because creating a decoder takes longer than decoding a message.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const otherCharsetPattern = /charset(?!="?utf-8"? *(?:;|$))/i;

interface QuickAnswer {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Decodes the text of an answer that is XML in UTF-8. Throws for all other answers, which are rare. */
export function decodeUsualText({ headers, body }: QuickAnswer): string {
  const mediaType = headers.get("content-type") ?? "";
  if (!/^(?:text|application)\/(?:[\w.-]+\+)?xml *(?:;|$)/i.test(mediaType) || otherCharsetPattern.test(mediaType)) {
    stopQuickCodec();
  }
  return utf8.decode(body);
}
